// SPDX-License-Identifier: MIT OR Apache-2.0
//! What was meant by a mistyped verb or option. The parser proposes what is similar to long words; in
//! `--fro` it recognizes nothing.

use crate::args::Cli;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory, Error};
use lichen_project::nearest;

/// The error with the nearest word that exists, if the parser has found none. `arguments` are those of the call.
pub fn with_nearest(mut error: Error, arguments: &[String]) -> Error {
    let command = Cli::command();
    match error.kind() {
        ErrorKind::InvalidSubcommand if error.get(ContextKind::SuggestedSubcommand).is_none() => {
            let verbs = verbs(&command);
            let wrong = word(&error, ContextKind::InvalidSubcommand);
            if let Some(near) = wrong.and_then(|wrong| nearest(&wrong, &verbs)) {
                let near = ContextValue::Strings(vec![near.to_string()]);
                error.insert(ContextKind::SuggestedSubcommand, near);
            }
        }
        ErrorKind::UnknownArgument if error.get(ContextKind::SuggestedArg).is_none() => {
            let options = options(&command, arguments);
            let wrong = word(&error, ContextKind::InvalidArg);
            if let Some(near) = wrong.and_then(|wrong| nearest(&wrong, &options)) {
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
