// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command line.

use clap::{Args, Parser, Subcommand};

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
    /// Build a program for a board: image, binary, size table.
    #[command(after_help = BUILD_HELP)]
    Build(Build),
    /// Run every test there is; the last line counts them.
    #[command(after_help = TEST_HELP)]
    Test(Test),
    /// Write the files that are generated from the board files (for maintainers).
    #[command(hide = true)]
    Generate(Generate),
}

const DOCTOR_HELP: &str = "\
Examples:
  lichen doctor
  lichen doctor --json

Exit code 1 if a tool is missing or too old.";

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
build/BOARD/PROGRAM. Exit code 1 if the program does not build or exceeds the budget
in its manifest; 2 for an unknown program or board, or a wrong manifest.";

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

A test is known as GROUP/NAME. Exit code 1 if one failed; 2 if none has that name.";

/// Options of `test`.
#[derive(Debug, Args)]
pub struct Test {
    /// Part of the names (GROUP/NAME) of the tests to run; all without.
    pub filter: Option<String>,
    /// Write one JSON object a line for each test, and the counts as the last.
    #[arg(long)]
    pub json: bool,
    /// Name the groups and run nothing.
    #[arg(long)]
    pub list: bool,
}

/// Options of `generate`.
#[derive(Debug, Args)]
pub struct Generate {
    /// Write nothing; exit code 1 if a file is not what would be written.
    #[arg(long)]
    pub check: bool,
}
