// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lichen completion`: completion scripts for shells.

use crate::args::Cli;
use clap::builder::PossibleValuesParser;
use clap::{Arg, Args, Command, CommandFactory, ValueEnum, ValueHint};
use clap_complete::Shell;
use lichen_terminal::failure::{Code, Failure};
use lichen_terminal::files::are_paths;
use lichen_terminal::place::Here;
use lichen_terminal::screen::out;
use lichen_world::Topology;
use std::io::Write;
use std::path::Path;

/// How to install it.
pub const HELP: &str = "\
The script is written to the standard output. To install it permanently:
  bash  lichen completion bash \\
            >~/.local/share/bash-completion/completions/lichen
  zsh   lichen completion zsh > ~/.zfunc/_lichen
        and in ~/.zshrc: fpath+=~/.zfunc; autoload -Uz compinit; compinit
  fish  lichen completion fish > ~/.config/fish/completions/lichen.fish

For the running bash only:
  source <(lichen completion bash)

It works for ./lichen as well as for a lichen on PATH.";

/// Options of `completion`.
#[derive(Debug, Args)]
pub struct Options {
    /// The shell to write it for.
    #[arg(required_unless_present = "names")]
    pub shell: Option<Shell>,
    /// Print the names that the script asks for, one a line.
    #[arg(long, value_enum, hide = true, conflicts_with = "shell")]
    pub names: Option<Names>,
}

/// Names that depend on the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Names {
    /// Programs of `app/`.
    Programs,
    /// Boards that the system runs on.
    Boards,
    /// Groups of figures.
    Benches,
}

/// What the script for bash adds to what is generated: names of programs and boards.
const BASH: &str = r#"
_lichen_with_names() {
    _lichen "$@"
    local word=${COMP_WORDS[COMP_CWORD]} names=
    if [[ ${COMP_WORDS[COMP_CWORD-1]} == --board ]]; then
        COMPREPLY=()
        names=boards
    elif [[ $COMP_CWORD -eq 2 && $word != -* ]]; then
        case ${COMP_WORDS[1]} in
            build|flash|pack|console|run|debug|size|profile|trace) names=programs ;;
            bench) names=benches ;;
        esac
        if [[ $names == benches ]]; then
            COMPREPLY=()
        else
            COMPREPLY=($(compgen -d -- "$word"))
        fi
    fi
    if [[ -n $names ]]; then
        COMPREPLY+=($(compgen -W "$("${COMP_WORDS[0]}" completion --names "$names" 2>/dev/null)" -- "$word"))
    fi
}
complete -F _lichen_with_names -o bashdefault -o default lichen ./lichen
"#;

/// The same for fish.
const FISH: &str = r#"
complete -c lichen -l board -x -a '(lichen completion --names boards)'
complete -c lichen -n '__fish_seen_subcommand_from build flash pack console run debug size profile trace' \
    -a '(lichen completion --names programs)'
complete -c lichen -n '__fish_seen_subcommand_from bench' -f -a '(lichen completion --names benches)'
"#;

/// The same for zsh.
const ZSH: &str = r#"
_lichen_boards() { compadd -- $("${words[1]}" completion --names boards 2>/dev/null) }
_lichen_benches() { compadd -- $("${words[1]}" completion --names benches 2>/dev/null) }
_lichen_programs() {
    compadd -- $("${words[1]}" completion --names programs 2>/dev/null)
    _files
}
"#;

/// Prints the script, or names for it.
pub fn completion(options: &Options) -> Result<Code, Failure> {
    if let Some(names) = options.names {
        let tree = Here::find()?.tree;
        let names = match names {
            Names::Programs => tree.programs("app")?,
            Names::Boards => tree.ported_boards()?,
            Names::Benches => benches(&tree.path("bench")),
        };
        names.iter().for_each(|name| out!("{name}"));
        return Ok(Code::Done);
    }
    let Some(shell) = options.shell else { return Ok(Code::Done) };
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut with_values(Cli::command()), "lichen", &mut script);
    let script = with_names(shell, &String::from_utf8_lossy(&script));
    match std::io::stdout().write_all(script.as_bytes()) {
        Ok(()) => Ok(Code::Done),
        Err(error) => Err(Failure::failed(format!("cannot write the script: {error}"))),
    }
}

/// The groups of figures: folders of `bench` with a plan.
fn benches(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let folders = entries.filter(|entry| entry.path().join("bench.toml").is_file());
    let mut names: Vec<String> =
        folders.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// The command with what the values of options are, so that only those that are files are completed with files.
fn with_values(command: Command) -> Command {
    command.mut_args(with_value).mut_subcommands(with_values)
}

fn with_value(option: Arg) -> Arg {
    if option.get_id() == "topology" {
        return option
            .value_parser(PossibleValuesParser::new(Topology::NAMES.map(|(name, _)| name)));
    }
    if are_paths(option.get_value_parser())
        || option.is_positional()
        || option.get_id() == "board"
        || !option.get_action().takes_values()
    {
        return option;
    }
    option.value_hint(ValueHint::Other)
}

/// The generated script, with names of programs and boards for shells that can ask for them.
fn with_names(shell: Shell, script: &str) -> String {
    match shell {
        Shell::Bash => format!("{script}{BASH}"),
        Shell::Fish => format!("{script}{FISH}"),
        Shell::Zsh => {
            let script = script.replace(":BOARD:_default", ":BOARD:_lichen_boards");
            let lines = script.lines().map(|line| match line.trim_start() {
                target if target.contains(":target -- ") || target.contains(":program -- ") => {
                    line.replace(":_default'", ":_lichen_programs'")
                }
                target if target.contains(":group -- ") => {
                    line.replace(":_default'", ":_lichen_benches'")
                }
                _ => line.to_string(),
            });
            // The first line names the command that the file completes.
            let mut lines: Vec<String> = lines.collect();
            lines.insert(1, ZSH.to_string());
            lines.join("\n") + "\n"
        }
        _ => script.to_string(),
    }
}
