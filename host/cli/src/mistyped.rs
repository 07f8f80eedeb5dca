// SPDX-License-Identifier: MIT OR Apache-2.0
//! What was meant by a mistyped verb or option. The parser proposes what begins alike: for `--fro`, `--force`.

use crate::args::Cli;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory, Error};
use lichen_project::nearest;

/// What other tools call our verbs and options.
const VERBS: [(&str, &str); 7] = [
    ("compile", "build"),
    ("make", "build"),
    ("simulate", "run"),
    ("upload", "flash"),
    ("create", "new"),
    ("monitor", "console"),
    ("ls", "list"),
];
const OPTIONS: [(&str, &str); 10] = [
    ("--svg", "--wave"),
    ("--picture", "--wave"),
    ("--time", "--for"),
    ("--duration", "--for"),
    ("--timeout", "--for"),
    ("-t", "--for"),
    ("-b", "--board"),
    ("--target", "--board"),
    ("--mcu", "--board"),
    ("--platform", "--board"),
];

/// Our word for another tool's, if the call could have it.
fn ours(word: &str, table: &[(&str, &str)], known: &[String]) -> Option<String> {
    let (_, ours) = table.iter().find(|(theirs, _)| *theirs == word)?;
    known.iter().find(|known| known == ours).cloned()
}

/// The error with the word that was meant: ours for another tool's, or the nearest one, or what the parser proposes.
/// `arguments` are those of the call.
pub fn with_nearest(mut error: Error, arguments: &[String]) -> Error {
    let command = Cli::command();
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let wrong = word(&error, ContextKind::InvalidSubcommand);
            if let Some(meant) = meant(wrong, &VERBS, &verbs(&command)) {
                let meant = ContextValue::Strings(vec![meant]);
                error.insert(ContextKind::SuggestedSubcommand, meant);
            }
        }
        ErrorKind::UnknownArgument => {
            let wrong = word(&error, ContextKind::InvalidArg);
            let options = options(&command, arguments);
            if let Some(meant) = meant(wrong, &OPTIONS, &options) {
                error.insert(ContextKind::SuggestedArg, ContextValue::String(meant));
                // That it could be a value.
                error.remove(ContextKind::Suggested);
            }
        }
        _ => {}
    }
    error
}

/// The one of `known` that `wrong` means, if it is near one.
fn meant(wrong: Option<String>, table: &[(&str, &str)], known: &[String]) -> Option<String> {
    let wrong = wrong?;
    let near = || nearest(&wrong, known).map(str::to_string);
    ours(&wrong, table, known).or_else(near)
}

fn word(error: &Error, kind: ContextKind) -> Option<String> {
    match error.get(kind) {
        Some(ContextValue::String(word)) => Some(word.clone()),
        _ => None,
    }
}

fn verbs(command: &Command) -> Vec<String> {
    let shown = command.get_subcommands().filter(|verb| !verb.is_hide_set());
    shown.map(|verb| verb.get_name().to_string()).collect()
}

/// The options of the verb that the call names.
fn options(command: &Command, arguments: &[String]) -> Vec<String> {
    let verb = arguments.iter().find_map(|word| command.find_subcommand(word));
    let options = verb.unwrap_or(command).get_arguments().filter_map(|option| option.get_long());
    options.map(|name| format!("--{name}")).collect()
}
