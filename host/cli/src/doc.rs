// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lichen doc`: the documentation as a site.

use crate::failure::{Code, Failure};
use crate::place::Here;
use crate::screen::{Screen, out};
use clap::Args;
use lichen_project::site::{self, SiteError};
use serde_json::json;
use std::path::Path;
use std::process::{Command, Stdio};

/// What `--help` adds.
pub const HELP: &str = "\
Examples:
  lichen doc
  lichen doc --open
  lichen doc --json

Makes the guide, the reference of all public headers, the specifications and the decisions one site
in build/doc/html, which browsers open as files, without a network. It is made by Sphinx, which the
first call installs into build/doc/venv with pip. Exit code 1 if a link leads nowhere or a comment of
a header cannot be laid out.";

/// Options of `doc`.
#[derive(Debug, Args)]
pub struct Options {
    /// Show the site in the browser.
    #[arg(long)]
    pub open: bool,
    /// Write one JSON object on the standard output.
    #[arg(long)]
    pub json: bool,
}

/// Makes the site and prints where it is.
pub fn doc(options: &Options, screen: &Screen) -> Result<Code, Failure> {
    let here = Here::find()?;
    let built = site::build(&here.tree, &mut |step| screen.step(step));
    screen.end_progress();
    let site = built?;
    if options.json {
        let (pages, names) = (site.pages, site.names);
        out!("{}", json!({ "index": site.index, "pages": pages, "names": names }));
    } else {
        out!("{} pages, {} names in the reference", site.pages, site.names);
        out!("{}", here.tree.shown(&site.index).display());
    }
    if options.open {
        open(&site.index)?;
    }
    Ok(Code::Done)
}

/// Shows `page` in the user's browser.
fn open(page: &Path) -> Result<(), Failure> {
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let mut command = Command::new(opener);
    command.arg(page).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        _ => Err(Failure::failed(format!("`{opener}` cannot show the site"))
            .remedy(format!("open {} in a browser", page.display()))),
    }
}

impl From<SiteError> for Failure {
    fn from(error: SiteError) -> Failure {
        Failure { output: error.output().map(str::to_string), ..Failure::of(&error) }
    }
}
