// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads TOML files so that every error in them has a line, a column and a suggestion.

mod words;

use crate::{Explain, Place};
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};
use words::{Words, words};

/// A file that cannot be read, or has wrong content.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file cannot be read.
    #[error("cannot read {}: {source}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// The file is not TOML, or has an unknown key or a value of the wrong type.
    #[error("{message}")]
    Invalid {
        /// Where.
        place: Place,
        /// What.
        message: String,
        /// What to write instead.
        remedy: String,
    },
}

impl Explain for FileError {
    fn place(&self) -> Option<Place> {
        match self {
            FileError::Unreadable { file, .. } => Some(Place::file(file)),
            FileError::Invalid { place, .. } => Some(place.clone()),
        }
    }

    fn remedy(&self) -> Option<String> {
        match self {
            FileError::Unreadable { .. } => {
                Some("check that the file exists and may be read".to_string())
            }
            FileError::Invalid { remedy, .. } => Some(remedy.clone()),
        }
    }
}

/// Reads `file`, whose keys must all be known to `T`. Returns the value and the text.
pub fn read_toml<T: DeserializeOwned>(file: &Path) -> Result<(T, String), FileError> {
    let text = std::fs::read_to_string(file)
        .map_err(|source| FileError::Unreadable { file: file.to_path_buf(), source })?;
    let value = parse_toml(file, &text)?;
    Ok((value, text))
}

/// Parses `text`, the content of `file`.
pub(crate) fn parse_toml<T: DeserializeOwned>(file: &Path, text: &str) -> Result<T, FileError> {
    toml::from_str(text).map_err(|error| {
        let offset = error.span().map_or(0, |span| span.start);
        let message = error.message().trim().replace('\n', ", ");
        let Words { message, remedy } = words(file, text, offset, &message);
        FileError::Invalid { place: Place::offset(file, text, offset), message, remedy }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Pot {
        #[allow(dead_code)]
        colour: String,
        #[allow(dead_code)]
        size: Option<u32>,
    }

    fn error(text: &str) -> FileError {
        parse_toml::<Pot>(Path::new("pot.toml"), text).expect_err("must be refused")
    }

    #[test]
    fn a_misspelt_key_names_its_place_and_the_key_that_was_meant() {
        let error = error("colour = \"red\"\nsizze = 3\n");
        assert_eq!(error.place().map(|p| p.to_string()), Some("pot.toml:2:1".to_string()));
        assert_eq!(error.remedy(), Some("did you mean `size`?".to_string()));
    }

    #[test]
    fn a_key_that_resembles_nothing_lists_the_known_ones() {
        let error = error("colour = \"red\"\nweight = 3\n");
        assert_eq!(error.remedy(), Some("known keys here: colour, size".to_string()));
    }

    #[test]
    fn a_wrong_type_has_a_place() {
        let error = error("colour = 7\n");
        assert_eq!(error.place().map(|p| p.to_string()), Some("pot.toml:1:10".to_string()));
        let manifest = parse_toml::<Pot>(Path::new("a/lichen.toml"), "colour = 7\n");
        let remedy = manifest.expect_err("must be refused").remedy().unwrap_or_default();
        assert!(remedy.contains("doc/spec/manifest.md"), "{remedy}");
    }

    #[test]
    fn broken_syntax_has_a_place() {
        let error = error("colour = \"red\"\nsize = = 3\n");
        assert_eq!(error.place().and_then(|p| p.line), Some(2));
    }
}
