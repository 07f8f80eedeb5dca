// SPDX-License-Identifier: MIT OR Apache-2.0
//! What was meant by a mistyped verb or option. The parser proposes what is similar to long words; in
//! `--fro` it recognizes nothing.

use crate::args::Cli;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory, Error};
use lichen_project::nearest;

/// What other tools call our verbs and options.
const VERBS: [(&str, &str); 5] = [
    ("compile", "build"),
    ("make", "build"),
    ("simulate", "run"),
    ("upload", "flash"),
    ("create", "new"),
];
const OPTIONS: [(&str, &str); 8] = [
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

/// The error with the nearest word that exists, if the parser has found none. `arguments` are those of the call.
pub fn with_nearest(mut error: Error, arguments: &[String]) -> Error {
    let command = Cli::command();
    match error.kind() {
        ErrorKind::InvalidSubcommand if error.get(ContextKind::SuggestedSubcommand).is_none() => {
            let verbs = verbs(&command);
            let wrong = word(&error, ContextKind::InvalidSubcommand);
            let near = |wrong: String| {
                ours(&wrong, &VERBS, &verbs).or_else(|| nearest(&wrong, &verbs).map(str::to_string))
            };
            if let Some(near) = wrong.and_then(near) {
                let near = ContextValue::Strings(vec![near.to_string()]);
                error.insert(ContextKind::SuggestedSubcommand, near);
            }
        }
        ErrorKind::UnknownArgument if error.get(ContextKind::SuggestedArg).is_none() => {
            let options = options(&command, arguments);
            let wrong = word(&error, ContextKind::InvalidArg);
            let near = |wrong: String| {
                ours(&wrong, &OPTIONS, &options)
                    .or_else(|| nearest(&wrong, &options).map(str::to_string))
            };
            if let Some(near) = wrong.and_then(near) {
                let near = ContextValue::String(near.to_string());
                error.insert(ContextKind::SuggestedArg, near);
                // That it could be a value.
                error.remove(ContextKind::Suggested);
            }
        }
        _ => {}
    }
    error
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
