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
mod doctor;
mod energy;
mod flash;
mod list;
mod mistyped;
mod mote;
mod new;
mod profile;
mod run;
mod size;
mod sniff;
mod test;
mod trace;
mod watched;

use args::{Cli, Verb};
use clap::{CommandFactory, FromArgMatches};
use lichen_terminal::failure::{Code, Failure};
use lichen_terminal::help::flowing;
use lichen_terminal::maintenance;
use lichen_terminal::screen::Screen;
use std::process::ExitCode;

fn main() -> ExitCode {
    let screen = Screen::detect();
    match parse().and_then(|cli| call(&cli.verb, &screen)) {
        Ok(code) => code.into(),
        Err(failure) => {
            failure.print(&screen);
            failure.code.into()
        }
    }
}

/// The call. What the parser prints itself, such as a help, ends the program.
fn parse() -> Result<Cli, Failure> {
    let parsed = flowing(Cli::command()).try_get_matches();
    parsed.and_then(|matches| Cli::from_arg_matches(&matches)).map_err(|error| {
        let arguments: Vec<String> =
            std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
        list::instead_of(&error, &arguments)
            .unwrap_or_else(|| mistyped::with_nearest(error, &arguments).exit())
    })
}

fn call(verb: &Verb, screen: &Screen) -> Result<Code, Failure> {
    match verb {
        Verb::Doctor(options) => doctor::doctor(options, screen),
        Verb::List(options) => list::list(options),
        Verb::New(options) => new::new(options, screen),
        Verb::Build(options) => build::build(options, screen),
        Verb::Size(options) => size::size(options, screen),
        Verb::Flash(options) => flash::flash(options, screen),
        Verb::Run(options) => run::run(options, screen),
        Verb::Console(options) => console::console(options, screen),
        Verb::Sniff(options) => sniff::sniff(options, screen),
        Verb::Energy(options) => energy::energy(options, screen),
        Verb::Debug(options) => run::debug(options, screen),
        Verb::Trace(options) => trace::trace(options, screen),
        Verb::Profile(options) => profile::profile(options, screen),
        Verb::Test(options) => test::test(options, screen),
        Verb::Convert(options) => convert::convert(options),
        Verb::Completion(options) => completion::completion(options),
        Verb::Bench(_) | Verb::Doc(_) | Verb::Generate(_) => {
            maintenance::become_tool().map(|never| match never {})
        }
    }
}
