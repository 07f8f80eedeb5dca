// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reading board files.

use super::check::{self, Fault};
use super::{Board, Error};
use crate::facts::{self, nearest};
use lichen_chip::PinId;
use std::path::Path;

impl Board {
    /// The board `name` of the folder `boards`.
    pub fn find(boards: &Path, name: &str) -> Result<Board, Error> {
        let known = Board::names(boards)?;
        if known.iter().any(|known| known == name) {
            return Board::load(&boards.join(format!("{name}.toml")));
        }
        let near = nearest(name, known.iter().map(String::as_str)).map(str::to_string);
        Err(Error::Unknown { name: name.to_string(), near, folder: boards.to_path_buf(), known })
    }

    /// Names of the boards in the folder `boards`, sorted.
    pub fn names(boards: &Path) -> Result<Vec<String>, Error> {
        let wrong = |source| Error::Read { path: boards.to_path_buf(), source };
        let mut names = Vec::new();
        for entry in std::fs::read_dir(boards).map_err(wrong)? {
            let path = entry.map_err(wrong)?.path();
            if path.extension().is_some_and(|ending| ending == "toml") {
                names.extend(path.file_stem().map(|stem| stem.to_string_lossy().into_owned()));
            }
        }
        names.sort();
        Ok(names)
    }

    /// Reads and checks the file at `path`.
    pub fn load(path: &Path) -> Result<Board, Error> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| Error::Read { path: path.to_path_buf(), source })?;
        Board::parse(&path.display().to_string(), &text)
    }

    /// Reads and checks `text`; `file` is its name in messages.
    pub fn parse(file: &str, text: &str) -> Result<Board, Error> {
        let board: Board = facts::parse(file, text)?;
        match check::check(&board) {
            Ok(()) => Ok(board),
            Err(Fault { near, what, .. }) => {
                Err(facts::wrong(file, text, &spelling(text, near), what).into())
            }
        }
    }
}

/// The value as `text` has it: pins with one digit are written with or without a zero before it.
fn spelling(text: &str, value: String) -> String {
    let short = value.replacen('0', "", 1);
    match value.parse::<PinId>() {
        Ok(_) if !text.contains(&value) && text.contains(&short) => short,
        _ => value,
    }
}
