// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lichen doc`: the documentation as a site.

use lichen_site::SiteError;
use lichen_terminal::failure::{Code, Failure};
use lichen_terminal::maintenance::Doc as Options;
use lichen_terminal::place::Here;
use lichen_terminal::screen::{Screen, out};
use serde_json::json;
use std::path::Path;
use std::process::{Command, Stdio};

/// Makes the site and prints where it is.
pub fn doc(options: &Options, screen: &Screen) -> Result<Code, Failure> {
    let here = Here::find()?;
    let built = lichen_site::build(&here.tree, &mut |step| screen.step(step));
    screen.end_progress();
    let site = built.map_err(failure)?;
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

fn failure(error: SiteError) -> Failure {
    Failure { output: error.output().map(str::to_string), ..Failure::of(&error) }
}
