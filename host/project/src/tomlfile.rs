// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads TOML files so that every error in them has a line, a column and a suggestion.

use crate::{Explain, Place, nearest};
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};

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
        let remedy = suggestion(&message).unwrap_or_else(|| {
            format!("correct this line; {} describes the format", described(file))
        });
        FileError::Invalid { place: Place::offset(file, text, offset), message, remedy }
    })
}

/// The page about files of this name.
fn described(file: &Path) -> &'static str {
    match file.file_name().and_then(|name| name.to_str()) {
        Some("lichen.toml") => "doc/spec/manifest.md",
        Some("bench.toml") => "doc/spec/bench.md",
        _ => "doc/spec",
    }
}

/// A remedy for serde's "unknown field `x`, expected one of `a`, `b`": the nearest known key.
fn suggestion(message: &str) -> Option<String> {
    let rest = message.strip_prefix("unknown field ")?;
    let mut quoted = rest.split('`').skip(1).step_by(2);
    let unknown = quoted.next()?;
    let known: Vec<&str> = quoted.collect();
    match nearest(unknown, known.iter().copied()) {
        Some(near) => Some(format!("did you mean `{near}`?")),
        None => Some(format!("known keys here: {}", known.join(", "))),
    }
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
