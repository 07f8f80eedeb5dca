// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command line.

use crate::{completion, duration, flash, new, profile, size, trace};
use clap::{Args, Parser, Subcommand, ValueEnum};
use lichen_chip::Time;
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
    #[command(after_help = RUN_HELP)]
    Run(Run),
    /// Run a program or an image on a simulated mote under GDB.
    #[command(after_help = DEBUG_HELP)]
    Debug(Debug),
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
manifest, or calls from a real-time task what is for events and threads; 2 for an unknown program or board, or a wrong manifest.";

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

const RUN_HELP: &str = "\
Examples:
  lichen run blink --for 5s
  lichen run echo                              type lines; Ctrl-C ends it with a summary
  lichen run echo --input typed.txt --json events.jsonl
  lichen run blink --for 10s --vcd blink.vcd   then: gtkwave blink.vcd
  echo hi | lichen run echo --until hi
  lichen run firmware.elf --board samr21-xpro --for 1h
  lichen run philosophers --for 1h --save hour.snapshot
  lichen run philosophers --load hour.snapshot --for 5s --vcd after.vcd

A run ends after --for, or when --until's text is printed, or at Ctrl-C; without any of these
and without a terminal, after 10 s of simulated time.

An input file has a line for each thing that happens: a time and what is typed then
(`1.5s help`), or `!press NAME`, `!release NAME`, `!reset`. A pipe is typed when the mote has
printed its first character, at the latest after 100 ms. What a person types is kept in
build/typed.txt, which replays the run.

Serial characters on a pin where the board has no port are shown too, behind the pin's name
(`PB22| text`). What is typed never goes there, but to the board's console.

--save keeps the state at the end of a run; a run with --load goes on from there, event by event as
if there had been no end. Board, program and version must be those that were saved; --for counts
from there.

A HardFault is served if its handler returns and the program goes on: it is told once for each
place, and counted. Exit code 1 if the firmware panics, does not get over a fault (locks up, stays
in the handler, is reset there), never prints --until's text, or shows no sign of life (no
character, no change of an LED); with --strict also at a warning or a served fault.";

/// Options of `run`.
#[derive(Debug, Args)]
pub struct Run {
    /// Name of a program under app/, path of a program's folder, or an ELF image.
    #[arg(value_name = "APP|IMAGE.elf")]
    pub target: String,
    /// Board to run it on.
    #[arg(long, default_value = "hamilton")]
    pub board: String,
    /// Simulated time to run for, such as 5s, 200ms, 1h.
    #[arg(long = "for", value_name = "TIME", value_parser = duration::parse)]
    pub duration: Option<Time>,
    /// End the run when the mote has printed this.
    #[arg(long, value_name = "TEXT")]
    pub until: Option<String>,
    /// What is typed and pressed, and when.
    #[arg(long, value_name = "FILE")]
    pub input: Option<PathBuf>,
    /// Chooses how far the mote's oscillators are off, and its serial number; 0 is nominal.
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "load")]
    pub seed: u64,
    /// Write every event to this file, one JSON object a line (doc/spec/events.schema.json).
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Write waveforms to this file, for GTKWave: pins, serial characters, sleep, interrupts, threads.
    #[arg(long, value_name = "FILE")]
    pub vcd: Option<PathBuf>,
    /// Draw the same of a short run to this file, an SVG picture.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Write the mote's state at the end of the run to this file.
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Go on from the state in this file.
    #[arg(long, value_name = "FILE")]
    pub load: Option<PathBuf>,
    /// End the run at the first warning.
    #[arg(long)]
    pub strict: bool,
    /// As fast as possible, or as fast as the real mote; `real` is the default of a run on a
    /// terminal that has no end.
    #[arg(long, value_enum)]
    pub pace: Option<Pace>,
    /// As fast as the real mote, to type and watch: the same as --pace real.
    #[arg(long, conflicts_with = "pace")]
    pub realtime: bool,
    /// Halt before the first instruction and wait for a debugger on this port of localhost.
    #[arg(long, value_name = "PORT")]
    pub gdb: Option<u16>,
}

const DEBUG_HELP: &str = "\
Examples:
  lichen debug philosophers
  lichen debug echo --board samr21-xpro --input typed.txt
  lichen debug philosophers --load hour.snapshot
  lichen debug hello -- -batch -ex 'break sleep_until_us' -ex continue -ex backtrace

GDB starts with the mote halted before its first instruction; what stands behind -- is for GDB.
`info threads` shows the kernel's threads, `monitor help` what else a simulated mote can tell.
Time stands still while the mote is halted, and can be gone back in: reverse-step, reverse-next,
reverse-continue and their like. For editors: lichen run APP --gdb PORT.

Exit code 1 if GDB fails, 2 if it is missing.";

/// Options of `debug`.
#[derive(Debug, Args)]
pub struct Debug {
    /// Name of a program under app/, path of a program's folder, or an ELF image.
    #[arg(value_name = "APP|IMAGE.elf")]
    pub target: String,
    /// Board to run it on.
    #[arg(long, default_value = "hamilton")]
    pub board: String,
    /// Simulated time after which the program ends for the debugger, such as 5s, 200ms, 1h.
    #[arg(long = "for", value_name = "TIME", value_parser = duration::parse)]
    pub duration: Option<Time>,
    /// What is typed and pressed, and when.
    #[arg(long, value_name = "FILE")]
    pub input: Option<PathBuf>,
    /// Chooses how far the mote's oscillators are off, and its serial number; 0 is nominal.
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "load")]
    pub seed: u64,
    /// Halt first at the state in this file, which `lichen run --save` wrote.
    #[arg(long, value_name = "FILE")]
    pub load: Option<PathBuf>,
    /// As fast as possible, or as fast as the real mote; `real` is the default on a terminal.
    #[arg(long, value_enum)]
    pub pace: Option<Pace>,
    /// Arguments for GDB.
    #[arg(last = true, value_name = "GDB ARGUMENTS")]
    pub arguments: Vec<String>,
}

/// How fast simulated time passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Pace {
    /// As fast as possible.
    Max,
    /// As fast as the real mote.
    Real,
}

const TEST_HELP: &str = "\
Examples:
  lichen test
  lichen test host
  lichen test mote/hamilton
  lichen test timer --json

Programs on motes have their interrupts followed, too. Before the counts stands what was added to the
time from request to handler, the worst of each level, and why (doc/spec/bench.md).

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
