// SPDX-License-Identifier: MIT OR Apache-2.0
//! The verbs of the maintainers' tool, `lichen-dev`: their options, which both commands know, and how `lichen` hands a
//! call on to it.

use crate::failure::Failure;
use crate::files::{OutputFile, OutputFolder, Overwrite};
use clap::Args;
use std::convert::Infallible;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// What `lichen test --help` adds.
pub const TEST_HELP: &str = "\
Examples:
  lichen test
  lichen test host
  lichen test mote/hamilton
  lichen test mote/hamilton/queue              one program, and not queue_misuse
  lichen test queue                            all that is called so
  lichen test force/mutants/queue.c            mutants of one source file
  lichen test --long                           also what takes longer
  lichen test timer --json
  lichen test my/lamp                          tests of a program of your own
  lichen test ../lamp blinks --board micaz

A program's own tests are in its folder `test`: files that say what is typed and what is expected, and
programs of tests that run on the mote (doc/spec/test.md). They run on all boards that the program
names, or on --board.

With --latency, the lines before the counts show the cycles that programs on motes add between request
and handler: the worst of each level, and why (doc/spec/bench.md).

A test is named GROUP/NAME. A filter is such a name, or whole pieces of it between slashes. Only if no
test has that name, it is any part of names. A name never means a longer version: that is --long.

A run is deterministic: where nothing that a test depends on has changed since it passed, it is not run
again. The line before the counts says how many verdicts are old in this sense; build/verdicts has them.

Exit code 1 if one failed; 2 if none has that name, or if a file of a
program's tests is wrong; then nothing was built.";

/// Options of `test`.
#[derive(Debug, Args)]
pub struct Test {
    /// Path of a program's folder, to run the tests of that program; or names of the system's tests, such as a
    /// group, GROUP/BOARD/PROGRAM or PROGRAM; all of these, if not given.
    #[arg(value_name = "PATH|FILTER")]
    pub what: Option<String>,
    /// Name, or part of the names, of the program's tests to run; all, if not given.
    #[arg(value_name = "TEST", requires = "what")]
    pub test: Option<String>,
    /// The only board to run the program's tests on.
    #[arg(long)]
    pub board: Option<String>,
    /// Also run what takes longer, such as mutants, and what `--network` adds.
    #[arg(long)]
    pub long: bool,
    /// Also run what needs packages from the network: the site, other cores as oracles, and the sweep in Python, whose
    /// groups `site`, `oracle` and `sweep` can also be named.
    #[arg(long)]
    pub network: bool,
    /// Follow each interrupt of the system's tests on motes, and tell for each level the worst latency that the program
    /// adds, and why. Takes twice as long.
    #[arg(long)]
    pub latency: bool,
    /// Run every test again, also those whose verdicts are known since nothing that they depend on has changed.
    #[arg(long)]
    pub fresh: bool,
    /// Write one JSON object per line: one for each test, one for latencies if any, and the counts
    /// last.
    #[arg(long)]
    pub json: bool,
    /// Name the groups and run nothing.
    #[arg(long)]
    pub list: bool,
}

/// What `lichen bench --help` adds.
pub const BENCH_HELP: &str = "\
Examples:
  lichen bench
  lichen bench kernel
  lichen bench kernel --board micaz
  lichen bench sim --json figures.json
  lichen bench tosthreads --pictures doc/picture --force

Cycles are counted on the simulated mote and are the same on every machine; the group `sim` is
timed on this one. A missed goal is printed, but is not a failure. The ids are those of
bench/figures.toml.";

/// Options of `bench`.
#[derive(Debug, Args)]
pub struct Bench {
    /// Folder of bench/ to measure; default: all.
    pub group: Option<String>,
    /// Measure on this board; default: the first of each group.
    #[arg(long, value_name = "BOARD")]
    pub board: Option<String>,
    /// Write the figures to this file, a JSON array (doc/spec/bench.md).
    #[arg(long, value_name = "FILE")]
    pub json: Option<OutputFile>,
    /// Write the pictures of what is measured to this folder, as SVG.
    #[arg(long, value_name = "FOLDER")]
    pub pictures: Option<OutputFolder>,
    /// What may be overwritten.
    #[command(flatten)]
    pub overwrite: Overwrite,
}

/// What `lichen doc --help` adds.
pub const DOC_HELP: &str = "\
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
pub struct Doc {
    /// Show the site in the browser.
    #[arg(long)]
    pub open: bool,
    /// Write one JSON object on the standard output.
    #[arg(long)]
    pub json: bool,
}

/// Options of `generate`.
#[derive(Debug, Args)]
pub struct Generate {
    /// Write nothing; exit code 1 if a file is not what would be written.
    #[arg(long)]
    pub check: bool,
}

/// Becomes the maintainers' tool, which lies beside this command and is called with the same arguments.
pub fn become_tool() -> Result<Infallible, Failure> {
    let program = std::env::current_exe().unwrap_or_default().with_file_name("lichen-dev");
    let remedy = "call ./lichen in your clone, which builds it first";
    if !program.is_file() {
        return Err(
            Failure::wrong("the maintainers' tool, lichen-dev, is not built").remedy(remedy)
        );
    }
    let error = Command::new(&program).args(std::env::args_os().skip(1)).exec();
    Err(Failure::failed(format!("cannot start {}: {error}", program.display())).remedy(remedy))
}
