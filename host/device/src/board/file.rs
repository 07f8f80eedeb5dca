// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reading board files.

use super::check::{self, Fault};
use super::near::nearest;
use super::{Board, Error};
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
        let wrong = |at: usize, what: String| Error::Wrong {
            file: file.to_string(),
            line: line_of(text, at),
            what,
        };
        let board: Board = toml::from_str(text).map_err(|error| {
            wrong(error.span().map_or(0, |span| span.start), describe(error.message()))
        })?;
        match check::check(&board) {
            Ok(()) => Ok(board),
            Err(Fault { near, what }) => Err(wrong(find(text, &near), what)),
        }
    }
}

/// Adds the key that was probably meant to the reader's message about an unknown one.
fn describe(message: &str) -> String {
    let message = message.trim_end().replace('\n', ": ");
    let mut quoted = message.split('`').skip(1).step_by(2);
    if !message.starts_with("unknown") {
        return message;
    }
    let Some(unknown) = quoted.next() else { return message };
    match nearest(unknown, quoted) {
        Some(near) => format!("unknown key `{unknown}`; did you mean `{near}`?"),
        None => message,
    }
}

/// Where a quoted value is written: its last place, since the second use of a value is the wrong
/// one.
fn find(text: &str, value: &str) -> usize {
    text.rfind(&format!("\"{value}\"")).or_else(|| text.rfind(value)).unwrap_or(0)
}

fn line_of(text: &str, at: usize) -> usize {
    text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1
}
