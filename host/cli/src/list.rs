// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lichen list`: the programs of the tree, and what they do.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, Error};
use lichen_project::{Manifest, Program, Tree};
use lichen_terminal::failure::{Code, Failure};
use lichen_terminal::place::Here;
use lichen_terminal::screen::out;
use serde_json::json;

/// Examples of the help.
pub const HELP: &str = "\
Examples:
  lichen list
  lichen list --board mica2
  lichen list --json

Lists the programs under app/, whose names other verbs take. A program of your own is given by the path of its folder.";

/// How the value that names a program begins in usages.
const PROGRAM: &str = "<APP";

/// Options of `list`.
#[derive(Debug, Args)]
pub struct Options {
    /// Only programs that run on this board.
    #[arg(long)]
    pub board: Option<String>,
    /// Write one JSON object per program: name, summary, boards.
    #[arg(long)]
    pub json: bool,
}

/// Prints the programs.
pub fn list(options: &Options) -> Result<Code, Failure> {
    let tree = Here::find()?.tree;
    let mut programs = manifests(&tree)?;
    if let Some(board) = &options.board {
        tree.board_file(board)?;
        programs.retain(|program| program.boards.contains(board));
    }
    if options.json {
        for Manifest { name, summary, boards, .. } in &programs {
            out!("{}", json!({ "name": name, "summary": summary, "boards": boards }));
        }
    } else {
        table(&programs).lines().for_each(|line| out!("{line}"));
    }
    Ok(Code::Done)
}

/// The program that people begin with.
const FIRST: &str = "blink";

/// What a call answers that names no program where one is needed: those that there are.
pub fn instead_of(error: &Error, arguments: &[String]) -> Option<Failure> {
    let missing = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::Strings(missing)) => missing,
        _ => return None,
    };
    let is_program = |argument: &String| argument.starts_with(PROGRAM);
    if error.kind() != ErrorKind::MissingRequiredArgument || !missing.iter().any(is_program) {
        return None;
    }
    let verb = arguments.iter().find(|word| !word.starts_with('-'))?;
    let programs = manifests(&Here::find().ok()?.tree).ok()?;
    let failure = Failure::wrong(format!("`lichen {verb}` needs a program"));
    let first = programs.iter().find(|it| it.name == FIRST).or(programs.first())?;
    let remedy = format!(
        "name one of these, such as: lichen {verb} {}; or the path of a program's folder",
        first.name
    );
    Some(Failure { output: Some(table(&programs)), ..failure.remedy(remedy) })
}

fn manifests(tree: &Tree) -> Result<Vec<Manifest>, Failure> {
    let folders = tree.programs("app")?.into_iter().map(|name| tree.path("app").join(name));
    let programs = folders.map(|folder| Ok(Program::at(tree, folder)?.manifest));
    programs.collect()
}

/// A line for each program.
fn table(programs: &[Manifest]) -> String {
    let width = programs.iter().map(|program| program.name.len()).max().unwrap_or_default();
    let lines =
        programs.iter().map(|program| format!("{:width$}  {}\n", program.name, program.summary));
    lines.collect()
}
