// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lichen profile`: where the cycles of a program go.

use crate::failure::{Code, Failure};
use crate::place::Here;
use crate::screen::{Screen, out};
use crate::watched::{Watched, WatchedMote};
use clap::Args;
use lichen_observe::Profile;
use lichen_observe::profile::Tree;
use lichen_project::Place;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// What `--help` adds.
pub const HELP: &str = "\
Examples:
  lichen profile philosophers --for 2s
  lichen profile echo --input typed.txt --functions 50
  lichen profile blink --collapsed blink.txt    then: flamegraph.pl blink.txt > blink.svg

Every cycle of the processor's clock is counted once, exactly as in a run without a profile. `own`
are cycles of a function's own instructions, `with callees` also those of the functions it called.
The entry of an interrupt belongs to its handler. An inlined function counts as part of its caller.";

/// Options of `profile`.
#[derive(Debug, Args)]
pub struct Options {
    /// What to run, and how.
    #[command(flatten)]
    pub mote: WatchedMote,
    /// Write the calls and their cycles to this file, one call stack per line.
    #[arg(long, value_name = "FILE")]
    pub collapsed: Option<PathBuf>,
    /// How many functions to print.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub functions: usize,
}

/// Depth to which the tree of calls is printed.
const DEEPEST: usize = 12;

/// Runs a program and prints the profile.
pub fn profile(options: &Options, screen: &Screen) -> Result<Code, Failure> {
    let here = Here::find()?;
    let mut watched = Watched::new(&here, &options.mote, screen)?;
    let profile = Arc::new(Mutex::new(Profile::new(Arc::clone(watched.image()))));
    watched.observe(Box::new(Arc::clone(&profile)));
    watched.run()?;
    watched.check_power()?;
    let profile = profile.lock().unwrap_or_else(PoisonError::into_inner);
    let tree = profile.tree();
    if let Some(file) = &options.collapsed {
        write(&here.path(file), &tree.collapsed())?;
    }
    out!("{}", screen.bold(&format!("{} cycles in {} s", tree.cycles(), watched.now())));
    threads(tree, screen);
    functions(tree, options.functions, screen);
    calls(tree, screen);
    match watched.lockup() {
        Some(why) => Err(Failure::failed(format!("the processor is locked up: {why}"))
            .remedy("./lichen run shows what led to it")),
        None => Ok(Code::Done),
    }
}

fn write(file: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(file, text).map_err(|error| {
        Failure::wrong(format!("the collapsed stacks are not written: {error}"))
            .at(Place::file(file))
            .remedy("does the folder exist, and is there room on the disk?")
    })
}

fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 * 100.0 / whole as f64 }
}

fn threads(tree: &Tree, screen: &Screen) {
    out!("");
    out!("{}", screen.bold("      cycles       %  thread or interrupt"));
    for (name, cycles) in tree.contexts() {
        out!("{cycles:>12} {:>7.2}  {name}", percent(cycles, tree.cycles()));
    }
}

fn functions(tree: &Tree, most: usize, screen: &Screen) {
    out!("");
    out!("{}", screen.bold("         own       %   with callees     calls  function"));
    let functions = tree.functions();
    for function in functions.iter().take(most) {
        let share = percent(function.own, tree.cycles());
        let (own, total, calls) = (function.own, function.total, function.calls);
        out!("{own:>12} {share:>7.2} {total:>14} {calls:>9}  {}", function.name);
    }
    let left = functions.len().saturating_sub(most);
    if left > 0 {
        out!("{}", screen.dim(&format!("and {left} more: --functions {}", functions.len())));
    }
}

fn calls(tree: &Tree, screen: &Screen) {
    // Calls that took less than a two-hundredth say nothing about where the time goes.
    let least = (tree.cycles() / 200).max(1);
    out!("");
    out!("{}", screen.bold("with callees       %  calls"));
    for line in tree.lines(DEEPEST, least) {
        let share = percent(line.total, tree.cycles());
        out!("{:>12} {share:>7.2}  {}{}", line.total, "  ".repeat(line.depth), line.name);
    }
}
