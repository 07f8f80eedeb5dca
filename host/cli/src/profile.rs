// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lichen profile`: where the cycles of a program go, or where it branches.

use crate::branches::Report;
use crate::watched::{Watched, WatchedMote};
use clap::Args;
use lichen_chip::Time;
use lichen_observe::profile::{Program, Tree};
use lichen_observe::{Branches, Profile};
use lichen_project::Place;
use lichen_terminal::duration;
use lichen_terminal::failure::{Code, Failure};
use lichen_terminal::files::{Files, OutputFile, Overwrite, STANDARD};
use lichen_terminal::place::Here;
use lichen_terminal::screen::{Screen, out};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// What `--help` adds.
pub const HELP: &str = "\
Examples:
  lichen profile philosophers --for 2s
  lichen profile echo --input typed.txt --functions 50
  lichen profile blink --collapsed blink.txt   then: flamegraph.pl blink.txt
  lichen profile blink --branches --for 60s --skip 1s --window 10s

Every cycle of the processor's clock is counted once, exactly as in a run without a profile. `own`
are cycles of a function's own instructions, `with callees` also those of the functions it called.
The entry of an interrupt belongs to its handler. An inlined function counts as part of its caller.

Threads and functions of loaded programs have the program's name before theirs, as in sense/sample. Programs
have a table of their own: `own` are cycles of their instructions, `in threads` all those of their threads,
in calls of the system, too.

--branches counts instructions instead, in the order of their execution. A branch is a conditional
branch, a skip, a jump, a call or a return; it is backward if it is taken to its own or to a lower
address. Instructions before a branch are those since the previous one, without either. RAM is
counted in bytes that instructions read or write.";

/// Options of `profile`.
#[derive(Debug, Args)]
pub struct Options {
    /// What to run, and how.
    #[command(flatten)]
    pub mote: WatchedMote,
    /// Write the calls and their cycles to this file, one call stack per line.
    #[arg(long, value_name = "FILE")]
    pub collapsed: Option<OutputFile>,
    /// What may be overwritten.
    #[command(flatten)]
    pub overwrite: Overwrite,
    /// How many functions to print.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub functions: usize,
    /// Print how many instructions lie between branches, and how many addresses are used in a window of time.
    #[arg(long, conflicts_with_all = ["collapsed", "functions"])]
    pub branches: bool,
    /// With --branches: length of a window of simulated time.
    #[arg(long, value_name = "TIME", value_parser = duration::parse, default_value = "1s")]
    #[arg(allow_hyphen_values = true, requires = "branches")]
    pub window: Time,
    /// With --branches: leave out what happens before this time, such as the start-up.
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    #[arg(allow_hyphen_values = true, requires = "branches")]
    pub skip: Option<Time>,
    /// With --branches: print JSON instead of tables.
    #[arg(long, requires = "branches")]
    pub json: bool,
}

/// Depth to which the tree of calls is printed.
const DEEPEST: usize = 12;

/// Most windows of time: each of them takes memory, and a line.
const MOST_WINDOWS: u64 = 1_000_000;

/// Runs a program and prints the profile.
pub fn profile(options: &Options, files: Files, screen: &Screen) -> Result<Code, Failure> {
    let here = Here::find()?;
    if options.collapsed.as_ref().is_some_and(|file| file.as_os_str() == STANDARD) {
        return Err(Failure::wrong("--collapsed cannot write to the standard output")
            .remedy("name a file: /dev/stdout is one"));
    }
    let watched = Watched::new(&here, &options.mote, files, screen)?;
    match options.branches {
        true => count_branches(options, watched, screen),
        false => count_cycles(options, &here, watched, screen),
    }
}

fn count_cycles(
    options: &Options,
    here: &Here,
    mut watched: Watched,
    screen: &Screen,
) -> Result<Code, Failure> {
    let profile = Arc::new(Mutex::new(Profile::new(Arc::clone(watched.image()))));
    watched.observe(profile.clone());
    watched.run()?;
    watched.check_power()?;
    let profile = profile.lock().unwrap_or_else(PoisonError::into_inner);
    let tree = profile.tree();
    if let Some(file) = &options.collapsed {
        write(&here.path(file), &tree.collapsed())?;
    }
    out!("{}", screen.bold(&format!("{} cycles in {} s", tree.cycles(), watched.now())));
    threads(tree, screen);
    programs(tree, screen);
    functions(tree, options.functions, screen);
    calls(tree, screen);
    end(&watched)
}

fn count_branches(
    options: &Options,
    mut watched: Watched,
    screen: &Screen,
) -> Result<Code, Failure> {
    let skip = options.skip.unwrap_or(Time::ZERO);
    let counted_time = watched.end() - skip;
    if counted_time == Time::ZERO {
        return Err(Failure::wrong("nothing is left to be counted after --skip".to_string())
            .remedy("run for longer (--for)"));
    }
    if counted_time / options.window >= MOST_WINDOWS {
        let message = format!("there are more than {MOST_WINDOWS} windows in {counted_time} s");
        return Err(Failure::wrong(message).remedy("make them longer (--window)"));
    }
    watched.skip(skip)?;
    let begin = watched.now();
    let counted = Arc::new(Mutex::new(Branches::new(options.window, watched.chip())));
    watched.observe(counted.clone());
    watched.run()?;
    watched.check_power()?;
    let mut counted = counted.lock().unwrap_or_else(PoisonError::into_inner);
    counted.finish(watched.chip());
    let report = Report { branches: &counted, begin, end: watched.now(), window: options.window };
    match options.json {
        true => report.print_json(),
        false => report.print(screen),
    }
    end(&watched)
}

/// How the run ended.
fn end(watched: &Watched) -> Result<Code, Failure> {
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

/// How many percent of `whole` this `part` is; 0 of nothing.
pub fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 * 100.0 / whole as f64 }
}

fn threads(tree: &Tree, screen: &Screen) {
    out!("");
    out!("{}", screen.bold("      cycles       %  thread or interrupt"));
    for (name, cycles) in tree.contexts() {
        out!("{cycles:>12} {:>7.2}  {name}", percent(cycles, tree.cycles()));
    }
}

/// Nothing if none was loaded.
fn programs(tree: &Tree, screen: &Screen) {
    let programs = tree.programs();
    if programs.is_empty() {
        return;
    }
    out!("");
    out!("{}", screen.bold("         own       %     in threads       %  program"));
    for program in programs {
        let [own, threads] = [program.own, program.threads].map(|it| percent(it, tree.cycles()));
        let Program { name, own: of_code, threads: of_threads } = program;
        out!("{of_code:>12} {own:>7.2} {of_threads:>14} {threads:>7.2}  {name}");
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
