// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an error says to the user beyond its message.

use std::fmt;
use std::path::PathBuf;

/// A place in a file, printed as compilers do: `file:line:column`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub file: PathBuf,
    /// Line from 1, if known.
    pub line: Option<u32>,
    /// Column from 1, in characters, if known.
    pub column: Option<u32>,
}

impl Place {
    /// The file as a whole.
    pub fn file(file: impl Into<PathBuf>) -> Place {
        Place { file: file.into(), line: None, column: None }
    }

    /// A line of a file, from 1.
    pub fn line(file: impl Into<PathBuf>, line: u32) -> Place {
        Place { file: file.into(), line: Some(line), column: None }
    }

    /// The place of a byte offset into `text`, the content of `file`.
    pub fn offset(file: impl Into<PathBuf>, text: &str, offset: usize) -> Place {
        let before = &text.as_bytes()[..offset.min(text.len())];
        let before = String::from_utf8_lossy(before);
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
        Place { file: file.into(), line: Some(line as u32), column: Some(column as u32) }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        if let Some(column) = self.column {
            write!(f, ":{column}")?;
        }
        Ok(())
    }
}

/// An error that knows its place and its remedy.
pub trait Explain: std::error::Error {
    /// Where the error is.
    fn place(&self) -> Option<Place> {
        None
    }

    /// What to do about it.
    fn remedy(&self) -> Option<String> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offset_becomes_line_and_column_in_characters() {
        let text = "a = 1\nb = \"é\" x\n";
        let place = Place::offset("f.toml", text, text.find('x').unwrap_or(0));
        assert_eq!(place.to_string(), "f.toml:2:9");
    }

    #[test]
    fn an_offset_behind_the_end_is_the_end() {
        assert_eq!(Place::offset("f", "ab", 99).to_string(), "f:1:3");
    }
}
