// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lichen test`: everything that must hold.

use crate::suite::{self, GROUPS};
use lichen_terminal::failure::{Code, Failure};
use lichen_terminal::maintenance::Test as Options;
use lichen_terminal::place::Here;
use lichen_terminal::reporter::Reporter;
use lichen_terminal::screen::{Screen, out};
use lichen_test::{Suite, Verdicts};
use std::path::PathBuf;

/// Runs the tests; the last line counts them.
pub fn test(options: &Options, screen: &Screen) -> Result<Code, Failure> {
    let here = Here::find()?;
    if options.list {
        for group in GROUPS {
            out!("{:<12} {}", group.name, group.about);
        }
        return Ok(Code::Done);
    }
    let folder = here.folder.canonicalize().unwrap_or(here.folder.clone());
    let made = |program: PathBuf| program.metadata().and_then(|it| it.modified()).ok();
    let own = std::env::current_exe().ok().and_then(made);
    let verdicts = Verdicts::of(&here.tree, own, made(suite::command()), options.fresh);
    let suite = Suite {
        tree: &here.tree,
        folder,
        filter: options.what.clone(),
        long: options.long,
        network: options.network,
        latency: options.latency,
        verdicts: Some(verdicts),
    };
    let mut reporter = Reporter::new(screen, options.json);
    let others = suite::run(&suite, &mut reporter);
    let names = "lichen test --list names the groups; a name is GROUP/TEST";
    let groups: Vec<&str> = GROUPS.iter().map(|group| group.name).collect();
    reporter.end(suite.filter.as_deref(), &groups, &others, names)
}
