// SPDX-License-Identifier: MIT OR Apache-2.0
//! The `lichen` command: parses, calls, prints. What it shares with the maintainers' tool is
//! in `lichen_terminal`.
#![allow(clippy::print_stderr)]

mod args;
mod branches;
mod build;
mod completion;
mod console;
mod convert;
mod disassembly;
mod doctor;
mod energy;
mod flash;
mod given;
mod inspect;
mod key;
mod list;
mod load;
mod mistyped;
mod mote;
mod new;
#[cfg(test)]
mod overwriting;
mod pack;
mod plan;
mod profile;
mod run;
mod size;
mod sniff;
mod test;
mod trace;
mod watched;

use args::{Cli, Verb};
use clap::{CommandFactory, FromArgMatches};
use lichen_load::Job;
use lichen_terminal::failure::{Code, Failure};
use lichen_terminal::files::Files;
use lichen_terminal::help::flowing;
use lichen_terminal::maintenance;
use lichen_terminal::screen::Screen;
use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let screen = Screen::detect();
    let called = match parse(&arguments) {
        Ok(Parsed { cli, files, given }) => {
            files.and_then(|files| call(&cli.verb, files, given, &screen))
        }
        Err(error) => Err(unparsed(error, &arguments)),
    };
    match called {
        Ok(code) => code.into(),
        Err(failure) => {
            failure.print(&screen);
            failure.code.into()
        }
    }
}

/// What a call asks for.
struct Parsed {
    cli: Cli,
    /// The files that it names, unless they may not be written.
    files: Result<Files, Failure>,
    /// Its arguments, for records.
    given: Vec<String>,
}

fn parse(arguments: &[OsString]) -> Result<Parsed, clap::Error> {
    let mut command = flowing(Cli::command());
    let matches = command.try_get_matches_from_mut(arguments)?;
    let cli = Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
    let files = Files::of_call(&command, &matches);
    Ok(Parsed { cli, files, given: given::arguments(&command, &matches) })
}

/// What is wrong with a call. What the parser prints itself, such as a help, ends the program.
fn unparsed(error: clap::Error, arguments: &[OsString]) -> Failure {
    let words: Vec<String> =
        arguments.iter().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    list::instead_of(&error, &words).unwrap_or_else(|| mistyped::with_nearest(error, &words).exit())
}

fn call(verb: &Verb, files: Files, given: Vec<String>, screen: &Screen) -> Result<Code, Failure> {
    match verb {
        Verb::Doctor(options) => doctor::doctor(options, screen),
        Verb::List(options) => list::list(options),
        Verb::New(options) => new::new(options, screen),
        Verb::Build(options) => build::build(options, screen),
        Verb::Size(options) => size::size(options, screen),
        Verb::Flash(options) => flash::flash(options, screen),
        Verb::Key(options) => key::key(options),
        Verb::Pack(options) => pack::pack(options, files, screen),
        Verb::Inspect(options) => inspect::inspect(options),
        Verb::Run(options) => run::run(options, files, given, screen),
        Verb::Console(options) => console::console(options, screen),
        Verb::Load(options) => load::load(options, screen),
        Verb::Ps(line) => load::ps(line, screen),
        Verb::Start(options) => load::named(options, Job::Start, screen),
        Verb::Stop(options) => load::named(options, Job::Stop, screen),
        Verb::Remove(options) => load::named(options, Job::Remove, screen),
        Verb::Floor(options) => load::named(options, Job::Floor, screen),
        Verb::Sniff(options) => sniff::sniff(options, screen),
        Verb::Energy(options) => energy::energy(options, screen),
        Verb::Debug(options) => run::debug(options, files, screen),
        Verb::Trace(options) => trace::trace(options, files, screen),
        Verb::Profile(options) => profile::profile(options, files, screen),
        Verb::Test(options) => test::test(options, screen),
        Verb::Convert(options) => convert::convert(options),
        Verb::Completion(options) => completion::completion(options),
        Verb::Bench(_) | Verb::Doc(_) | Verb::Generate(_) => {
            maintenance::become_tool().map(|never| match never {})
        }
    }
}
