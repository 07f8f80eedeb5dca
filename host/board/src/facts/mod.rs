// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reading files of facts, which people write in TOML, and telling them where they are wrong.

mod document;
mod near;
mod place;
mod setting;
mod words;

pub use document::{Document, Origin};
pub use near::nearest;
pub use place::Place;
pub use setting::Setting;
pub use toml::Spanned;

use serde::de::DeserializeOwned;

/// A file of facts contains something that makes no sense.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}{}: {what}", line.map(|line| format!(":{line}")).unwrap_or_default())]
pub struct Wrong {
    /// The file; or the option of the call that says it.
    pub file: String,
    /// Line of the file, from 1.
    pub line: Option<usize>,
    /// What is wrong, and what would be correct.
    pub what: String,
}

/// The text of a file of facts; `file` is its name in messages.
pub fn text(file: &str, bytes: Vec<u8>) -> Result<String, Wrong> {
    String::from_utf8(bytes).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..good].iter().filter(|byte| **byte == b'\n').count() + 1;
        Wrong { file: file.to_string(), line: Some(line), what: "not UTF-8 text".to_string() }
    })
}

/// Reads `text`; `file` is its name in messages.
pub fn parse<T: DeserializeOwned>(file: &str, text: &str) -> Result<T, Wrong> {
    toml::from_str(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        let what = words::describe(text, &Place::of(text), error.span(), error.message());
        Wrong { file: file.to_string(), line: Some(line_of(text, at)), what }
    })
}

/// What is wrong with a value of `text` whose parts are valid one by one.
pub fn wrong(file: &str, text: &str, near: &str, what: String) -> Wrong {
    Wrong { file: file.to_string(), line: Some(line_of(text, find(text, near))), what }
}

/// Where a quoted value is written: its last place, since the second use of a value is the wrong
/// one.
fn find(text: &str, value: &str) -> usize {
    let escaped = value.replace('\\', r"\\").replace('"', r#"\""#);
    let quoted = [format!("\"{value}\""), format!("\"{escaped}\""), value.to_string()];
    quoted.iter().find_map(|written| text.rfind(written)).unwrap_or(0)
}

/// The line, from 1, of the byte at `at`.
pub fn line_of(text: &str, at: usize) -> usize {
    text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1
}
