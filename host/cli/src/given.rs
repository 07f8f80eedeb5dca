// SPDX-License-Identifier: MIT OR Apache-2.0
//! The arguments of a call, as a record of a run has them.

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};
use lichen_terminal::files::OutputFile;

/// Options that change nothing in a run: how fast it is, what is shown, what pictures show, and what may be overwritten.
const ASIDE: [&str; 9] = [
    "threads",
    "pace",
    "realtime",
    "view",
    "wave_from",
    "wave_for",
    "air_from",
    "air_for",
    "force",
];

/// What is given of the verb's arguments, in the order in which they are defined, so that two calls for the same run have
/// the same. Files that are written are left out.
pub fn arguments(command: &Command, matches: &ArgMatches) -> Vec<String> {
    let Some((name, matches)) = matches.subcommand() else { return Vec::new() };
    let Some(verb) = command.find_subcommand(name) else { return Vec::new() };
    verb.get_arguments().flat_map(|argument| written(argument, matches)).collect()
}

/// An argument as it could be written, unless it is not given.
fn written(argument: &Arg, matches: &ArgMatches) -> Vec<String> {
    let id = argument.get_id().as_str();
    let is_given = matches.value_source(id) == Some(ValueSource::CommandLine);
    if !is_given || ASIDE.contains(&id) || OutputFile::is_of(argument.get_value_parser()) {
        return Vec::new();
    }
    let option = argument.get_long().map(|long| format!("--{long}"));
    if matches!(argument.get_action(), ArgAction::SetTrue) {
        return option.into_iter().collect();
    }
    let values = matches.get_raw(id).into_iter().flatten();
    let values = values.map(|value| value.to_string_lossy().into_owned());
    values.flat_map(|value| option.clone().into_iter().chain([value])).collect()
}

#[cfg(test)]
mod tests {
    use crate::args::Cli;
    use clap::CommandFactory;

    fn arguments(words: &str) -> Vec<String> {
        let mut command = Cli::command();
        let matches = command.try_get_matches_from_mut(words.split(' ')).expect("a call");
        super::arguments(&command, &matches)
    }

    #[test]
    fn what_does_not_determine_the_run_is_left_out() {
        let given = arguments(
            "lichen run --threads 2 --set seed=1 net.toml --json a --set for=5s --no-noise",
        );
        assert_eq!(given, ["net.toml", "--set", "seed=1", "--set", "for=5s", "--no-noise"]);
        assert_eq!(
            arguments("lichen run --vcd b --for 5s --pace max --energy net.toml"),
            arguments("lichen run net.toml --energy --for 5s")
        );
    }
}
