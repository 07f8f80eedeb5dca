// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command line: its verbs; their options are in their own modules.

use crate::{
    build, completion, console, convert, doctor, energy, flash, inspect, key, list, load, new,
    pack, profile, run, size, sniff, trace,
};
use clap::{Parser, Subcommand};
use lichen_terminal::maintenance::{self, BENCH_HELP, DOC_HELP, TEST_HELP};

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
    /// Report which tools are installed, which are missing, and how to get them.
    #[command(after_help = doctor::HELP)]
    Doctor(doctor::Options),
    /// List the programs that there are, and what they do.
    #[command(after_help = list::HELP)]
    List(list::Options),
    /// Write a new program that builds and runs as it is.
    #[command(after_help = new::HELP)]
    New(new::Options),
    /// Build a program for a board: image, binary, size table.
    #[command(after_help = build::HELP)]
    Build(build::Options),
    /// Write a program into a real board, through its debug probe.
    #[command(after_help = flash::HELP)]
    Flash(flash::Options),
    /// Make a key under which motes take programs.
    #[command(after_help = key::HELP)]
    Key(key::Options),
    /// Make the container of a program that is loaded into a running mote.
    #[command(after_help = pack::HELP)]
    Pack(pack::Options),
    /// Show what is in a container: header, blocks, calls, tokens.
    #[command(after_help = inspect::HELP)]
    Inspect(inspect::Options),
    /// Run a program, or any image for the board's chip, on a simulated mote.
    #[command(after_help = run::RUN_HELP)]
    Run(Box<run::Run>),
    /// Show what a real mote prints, with times and with the places of panics, and type to it.
    #[command(after_help = console::HELP)]
    Console(console::Options),
    /// Send a program to a running mote, and start it.
    #[command(after_help = load::LOAD_HELP)]
    Load(load::Load),
    /// List the programs of a running mote.
    #[command(after_help = load::HELP)]
    Ps(load::Line),
    /// Start a program of a running mote, now and whenever the mote starts.
    #[command(after_help = load::HELP)]
    Start(load::Named),
    /// Stop a program of a running mote, until it is started again.
    #[command(after_help = load::HELP)]
    Stop(load::Named),
    /// Remove a program from a running mote.
    #[command(after_help = load::HELP)]
    Remove(load::Named),
    /// Let a running mote refuse versions of a program below the one that it has, for ever.
    #[command(after_help = load::HELP)]
    Floor(load::Named),
    /// Show the frames that a real mote hears, and write them for Wireshark.
    #[command(after_help = sniff::HELP)]
    Sniff(sniff::Options),
    /// Compare the energy of runs, from the accounts that they wrote.
    Energy(energy::Energy),
    /// Run a program or an image on a simulated mote under GDB.
    #[command(after_help = run::DEBUG_HELP)]
    Debug(run::Debug),
    /// Show the flash and RAM of a program, or of each combination of the kinds of work.
    #[command(after_help = size::HELP)]
    Size(size::Options),
    /// Show where a program's cycles go: by thread, function and calls.
    #[command(after_help = profile::HELP)]
    Profile(profile::Options),
    /// Show every instruction between two marks, with its cycles.
    #[command(after_help = trace::HELP)]
    Trace(trace::Options),
    /// Run all tests; the last line counts them.
    #[command(after_help = TEST_HELP)]
    Test(maintenance::Test),
    /// Measure figures, and compare them with the papers', the peers' and the goals.
    #[command(after_help = BENCH_HELP)]
    Bench(maintenance::Bench),
    /// Make the documentation as a site that needs no network: guide, reference, specifications.
    #[command(after_help = DOC_HELP)]
    Doc(maintenance::Doc),
    /// Convert a sensor's raw value.
    #[command(after_help = convert::HELP)]
    Convert(convert::Options),
    /// Write a shell's completion script for verbs and options.
    #[command(after_help = completion::HELP)]
    Completion(completion::Options),
    /// Write the files that are generated from the board files (for maintainers).
    #[command(hide = true)]
    Generate(maintenance::Generate),
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    /// Columns of a usual terminal.
    const COLUMNS: usize = 80;

    fn assert_fits(command: &clap::Command) {
        let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        for line in text.lines().filter(|line| line.starts_with(' ')) {
            let name = command.get_name();
            assert!(line.chars().count() <= COLUMNS, "lichen {name} --help would break: {line}");
        }
        command.get_subcommands().for_each(assert_fits);
    }

    #[test]
    fn examples_of_the_help_fit_a_terminal() {
        assert_fits(&Cli::command());
    }
}
