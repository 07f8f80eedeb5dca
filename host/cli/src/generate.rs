// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lichen generate`: the committed files that come from the board files.

use crate::failure::{Code, Failure};
use crate::place::Here;
use crate::screen::out;
use clap::Args;
use lichen_project::pins::{self, PinsError};

/// Options of `generate`.
#[derive(Debug, Args)]
pub struct Options {
    /// Write nothing; exit code 1 if a file is not what would be written.
    #[arg(long)]
    pub check: bool,
}

/// Writes, or with `--check` compares, the header of each board.
pub fn generate(options: &Options) -> Result<Code, Failure> {
    let here = Here::find()?;
    for board in here.tree.boards()? {
        let header = format!("os/board/{board}/pins.h");
        if options.check {
            pins::check(&here.tree, &board)?;
            out!("current  {header}");
        } else if pins::write(&here.tree, &board)? {
            out!("written  {header}");
        } else {
            out!("current  {header}");
        }
    }
    Ok(Code::Done)
}

impl From<PinsError> for Failure {
    fn from(error: PinsError) -> Failure {
        Failure::of(&error)
    }
}
