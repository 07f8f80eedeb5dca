// SPDX-License-Identifier: MIT OR Apache-2.0
//! The format of `test/structure/rules.toml`; the file says what each rule means.

use serde::Deserialize;
use std::collections::BTreeMap;

/// The structural rules.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// How includes are resolved.
    pub include: Include,
    /// Who may include whom.
    #[serde(rename = "room")]
    pub rooms: Vec<Room>,
    /// Where conditional compilation is allowed.
    pub conditions: Conditions,
    /// What public functions document.
    pub documentation: Documentation,
    /// Slots of all comments.
    pub slots: Slots,
    /// Crates, and the crates that they may depend on.
    pub crates: BTreeMap<String, Vec<String>>,
    /// What libraries must not do.
    pub libraries: Libraries,
    /// The licence line.
    pub licence: Licence,
}

/// How includes are resolved.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Include {
    /// Folders to look in; `*` is any one folder.
    pub paths: Vec<String>,
    /// Headers of the C library.
    pub system: Vec<String>,
}

/// A room of the firmware.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Room {
    /// Its folder.
    pub folder: String,
    /// Prefixes of what its files may include.
    pub may: Vec<String>,
}

/// Where conditional compilation is allowed.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conditions {
    /// In these folders.
    pub folders: Vec<String>,
    /// In files of these names.
    pub files: Vec<String>,
}

/// What public functions document.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Documentation {
    /// Folder of the public headers.
    pub headers: String,
    /// Words of the slot `context`.
    pub context: Vec<String>,
}

/// Slots of all comments.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slots {
    /// Folders of the files.
    pub folders: Vec<String>,
    /// Endings of the files.
    pub endings: Vec<String>,
    /// Names of slots that may follow another slot on its line.
    pub names: Vec<String>,
}

/// What libraries must not do.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Libraries {
    /// The crates that are not libraries.
    pub commands: Vec<String>,
    /// What the others must not contain.
    pub forbidden: Vec<String>,
}

/// The licence line.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Licence {
    /// Its text.
    pub line: String,
    /// Folders whose files must have it.
    pub folders: Vec<String>,
    /// Endings of files that must have it.
    pub endings: Vec<String>,
    /// Further files that must have it.
    pub files: Vec<String>,
    /// Folders that are excluded.
    pub skip: Vec<String>,
}
