// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors in board files.

use crate::facts::Wrong;
use std::path::PathBuf;

/// Why there is no board.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No file for a board of this name.
    #[error("unknown board `{name}`{}; there is a file in {} for: {}", hint(.near), folder.display(), known.join(", "))]
    Unknown {
        /// The requested name.
        name: String,
        /// The known name most similar to it, if any.
        near: Option<String>,
        /// Where board files are.
        folder: PathBuf,
        /// Known names.
        known: Vec<String>,
    },
    /// The file or its folder cannot be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file contains something that makes no sense.
    #[error(transparent)]
    Wrong(#[from] Wrong),
    /// Parts that are connected to the board do not fit it.
    #[error("board `{board}`: {what}")]
    Unfit {
        /// The board.
        board: String,
        /// The key of the part at fault, if it is one of them.
        key: Option<&'static str>,
        /// What is wrong, and what would be correct.
        what: String,
    },
}

fn hint(near: &Option<String>) -> String {
    near.as_ref().map(|name| format!(" (did you mean `{name}`?)")).unwrap_or_default()
}
