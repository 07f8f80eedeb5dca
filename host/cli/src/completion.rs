// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lichen completion`: completion scripts for shells.

use crate::args::Cli;
use crate::failure::{Code, Failure};
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use std::io::Write;

/// How to install it.
pub const HELP: &str = "\
The script is written to the standard output. To install it permanently:
  bash  lichen completion bash > ~/.local/share/bash-completion/completions/lichen
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
    pub shell: Shell,
}

/// Prints the script.
pub fn completion(options: &Options) -> Result<Code, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut Cli::command(), "lichen", &mut script);
    match std::io::stdout().write_all(&script) {
        Ok(()) => Ok(Code::Done),
        Err(error) => Err(Failure::failed(format!("cannot write the script: {error}"))),
    }
}
