// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command line.

use crate::{completion, flash, new, profile, run, size, trace};
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

const EXIT_CODES: &str = "\
Exit codes:
  0  it worked
  1  it failed: a build, a test, or firmware that panicked or locked up
  2  the call, or a file given to it, is wrong";

/// An operating system for sensor motes, and motes to run it on without hardware.
#[derive(Debug, Parser)]
#[command(
    name = "lichen",
    version,
    after_help = EXIT_CODES,
    disable_help_subcommand = true,
    max_term_width = 100
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Say which tools are here, which are missing, and how to get them.
    #[command(after_help = DOCTOR_HELP)]
    Doctor(Doctor),
    /// Write a new program that builds and runs as it is.
    #[command(after_help = new::HELP)]
    New(new::Options),
    /// Build a program for a board: image, binary, size table.
    #[command(after_help = BUILD_HELP)]
    Build(Build),
    /// Write a program into a real board, through its debug probe.
    #[command(after_help = flash::HELP)]
    Flash(flash::Options),
    /// Run a program, or any image for the board's chip, on a simulated mote.
    #[command(after_help = run::RUN_HELP)]
    Run(run::Run),
    /// Run a program or an image on a simulated mote under GDB.
    #[command(after_help = run::DEBUG_HELP)]
    Debug(run::Debug),
    /// Show what each combination of the kinds of work takes in flash and RAM.
    #[command(after_help = size::HELP)]
    Size(size::Options),
    /// Say where a program's cycles go: by thread, function and calls.
    #[command(after_help = profile::HELP)]
    Profile(profile::Options),
    /// Show every instruction between two marks, with its cycles.
    #[command(after_help = trace::HELP)]
    Trace(trace::Options),
    /// Run every test there is; the last line counts them.
    #[command(after_help = TEST_HELP)]
    Test(Test),
    /// Measure figures, beside the papers', the peers' and the goals.
    #[command(after_help = BENCH_HELP)]
    Bench(Bench),
    /// Write what a shell needs to complete verbs and options.
    #[command(after_help = completion::HELP)]
    Completion(completion::Options),
    /// Write the files that are generated from the board files (for maintainers).
    #[command(hide = true)]
    Generate(Generate),
}

const DOCTOR_HELP: &str = "\
Examples:
  lichen doctor
  lichen doctor --json

Exit code 1 if a tool that is not optional is missing or too old.";

/// Options of `doctor`.
#[derive(Debug, Args)]
pub struct Doctor {
    /// Write one JSON object on the standard output.
    #[arg(long)]
    pub json: bool,
}

const BUILD_HELP: &str = "\
Examples:
  lichen build blink
  lichen build blink --board samr21-xpro
  lichen build ../my-program --json

The image, the binary, the linker's map and compile_commands.json are written to
build/BOARD/PROGRAM. Exit code 1 if the program does not build, exceeds the budget in its
manifest, or calls from one kind of work what is for another; 2 for an unknown program or board, or
a wrong manifest.";

/// Options of `build`.
#[derive(Debug, Args)]
pub struct Build {
    /// Name of a program under app/, or path of a program's folder.
    #[arg(value_name = "APP")]
    pub program: String,
    /// Board to build for.
    #[arg(long, default_value = "hamilton")]
    pub board: String,
    /// Write one JSON object on the standard output.
    #[arg(long)]
    pub json: bool,
}

const TEST_HELP: &str = "\
Examples:
  lichen test
  lichen test host
  lichen test mote/hamilton
  lichen test timer --json

Programs on motes have their interrupts followed, too. Before the counts stands what was added to
the time from request to handler, the worst of each level, and why (doc/spec/bench.md).

A test is known as GROUP/NAME. Exit code 1 if one failed; 2 if none has that name.";

/// Options of `test`.
#[derive(Debug, Args)]
pub struct Test {
    /// Part of the names (GROUP/NAME) of the tests to run; all without.
    pub filter: Option<String>,
    /// Write one JSON object a line: for each test, for latencies if any, the counts as the last.
    #[arg(long)]
    pub json: bool,
    /// Name the groups and run nothing.
    #[arg(long)]
    pub list: bool,
}

const BENCH_HELP: &str = "\
Examples:
  lichen bench
  lichen bench kernel
  lichen bench sim --json figures.json

Cycles are counted on the simulated mote and are the same on every machine; the group `sim` is
timed on this one. A goal that is missed is printed, and is no failure. The ids are those of
bench/figures.toml.";

/// Options of `bench`.
#[derive(Debug, Args)]
pub struct Bench {
    /// Folder of bench/ to measure; all without.
    pub group: Option<String>,
    /// Write the figures to this file, a JSON array (doc/spec/bench.md).
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}

/// Options of `generate`.
#[derive(Debug, Args)]
pub struct Generate {
    /// Write nothing; exit code 1 if a file is not what would be written.
    #[arg(long)]
    pub check: bool,
}
