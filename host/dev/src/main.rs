// SPDX-License-Identifier: MIT OR Apache-2.0
//! The maintainers' tool: `lichen test` of the system itself, `lichen bench`, `lichen doc` and `lichen generate`. It is
//! built when one of them is called, so that nobody who runs a program waits for it.
#![allow(clippy::print_stderr)]

mod bare;
mod bench;
mod doc;
mod figure;
mod generate;
mod measure;
mod packed;
mod suite;
mod test;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use lichen_terminal::failure::{Code, Failure};
use lichen_terminal::files::Files;
use lichen_terminal::help::flowing;
use lichen_terminal::maintenance::{self, BENCH_HELP, DOC_HELP, TEST_HELP};
use lichen_terminal::screen::Screen;
use std::process::ExitCode;

/// The maintainers' tool of Lichen; `lichen` calls it.
#[derive(Debug, Parser)]
#[command(name = "lichen", version, max_term_width = 100)]
struct Cli {
    /// What to do.
    #[command(subcommand)]
    verb: Verb,
}

/// The verbs, as `lichen` has them.
#[derive(Debug, Subcommand)]
enum Verb {
    /// Run all tests; the last line counts them.
    #[command(after_help = TEST_HELP)]
    Test(maintenance::Test),
    /// Measure figures, and compare them with the papers', the peers' and the goals.
    #[command(after_help = BENCH_HELP)]
    Bench(maintenance::Bench),
    /// Make the documentation as a site that needs no network: guide, reference, specifications.
    #[command(after_help = DOC_HELP)]
    Doc(maintenance::Doc),
    /// Write the files that are generated from the board files.
    Generate(maintenance::Generate),
}

fn main() -> ExitCode {
    let screen = Screen::detect();
    let mut command = flowing(Cli::command());
    let matches = command.get_matches_mut();
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let files = Files::of_call(&command, &matches);
    match files.and_then(|files| call(&cli.verb, files, &screen)) {
        Ok(code) => code.into(),
        Err(failure) => {
            failure.print(&screen);
            failure.code.into()
        }
    }
}

fn call(verb: &Verb, mut files: Files, screen: &Screen) -> Result<Code, Failure> {
    match verb {
        Verb::Test(options) => test::test(options, screen),
        Verb::Bench(options) => measure::bench(options, &mut files, screen),
        Verb::Doc(options) => doc::doc(options, screen),
        Verb::Generate(options) => generate::generate(options),
    }
}
