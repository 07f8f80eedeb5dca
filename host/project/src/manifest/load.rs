// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sections `[load]` and `[programs]` of a manifest: a program that can be loaded, and an image that takes programs.

use crate::{FileError, Place};
use serde::Deserialize;
use std::num::NonZeroU16;
use std::path::Path;
use toml::Spanned;

/// What a program is when it is loaded.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Load {
    /// What it is called on motes; none: as the program.
    pub name: Option<String>,
    /// Its version.
    pub version: NonZeroU16,
    /// Seconds within which it confirms an upgrade; 0: it need not.
    #[serde(default)]
    pub confirm_s: u16,
}

/// What an image has for programs that are loaded into it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Programs {
    /// Names of groups of calls ([`crate::interface`]).
    #[serde(default)]
    pub calls: Vec<String>,
    /// Spare slots for events of programs that run at the same time.
    #[serde(default)]
    pub events: u8,
    /// Bytes of the kernel's stack that each of these events may use.
    pub event_stack: Option<u16>,
    /// The file with the key of those that are linked as they are, if the image has one.
    pub key: Option<String>,
}

/// CMake reads the tables, from where their lines begin (`os/load/load.cmake`).
pub(super) fn check(
    file: &Path,
    text: &str,
    load: Option<&Load>,
    programs: Option<&Spanned<Programs>>,
) -> Result<(), FileError> {
    let stands =
        |table: &str| text.lines().any(|line| line.trim_start().starts_with(&format!("[{table}]")));
    let tables = [("load", load.is_some()), ("programs", programs.is_some())];
    match tables.into_iter().find(|(table, is_there)| *is_there && !stands(table)) {
        None => Ok(()),
        Some((table, _)) => Err(FileError::Invalid {
            place: Place::offset(file, text, text.find(table).unwrap_or(0)),
            message: format!("CMake, which reads `{table}` too, would not find it here"),
            remedy: format!("write [{table}] on a line of its own, and its keys below"),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Manifest;
    use super::*;

    fn parse(more: &str) -> Result<Manifest, FileError> {
        let text =
            format!("name = \"blink\"\nsummary = \"Toggles.\"\nboards = [\"hamilton\"]\n{more}");
        let file = Path::new("app/blink/lichen.toml");
        Manifest::parse(Path::new("app/blink"), file, &text, &["hamilton".to_string()])
    }

    #[test]
    fn a_program_that_is_loaded_has_a_version() {
        let load = parse("[load]\nversion = 3\n").expect("good").load.expect("it is there");
        assert_eq!((load.version.get(), load.confirm_s), (3, 0));
        let load = parse("[load]\nversion = 65535\nconfirm_s = 60\n").expect("good").load;
        assert_eq!(load.expect("it is there").confirm_s, 60);
        assert!(parse("").expect("good").load.is_none());
        for wrong in [
            "",
            "version = 0\n",
            "version = 65536\n",
            "version = 1\nconfirm_s = 65536\n",
            "version = 1\nvesion = 1\n",
        ] {
            assert!(parse(&format!("[load]\n{wrong}")).is_err(), "{wrong}");
        }
    }

    #[test]
    fn an_image_names_the_calls_that_it_has() {
        let programs = parse("[programs]\ncalls = [\n    \"thread\",\n    \"time\",\n]\n")
            .expect("good")
            .programs;
        assert_eq!(programs.calls, ["thread", "time"]);
        assert!(parse("[programs]\ncall = []\n").is_err());
    }

    #[test]
    fn a_table_that_cmake_would_not_see_is_refused() {
        let error = parse("load = { version = 1 }\n").expect_err("refused").to_string();
        assert!(error.contains("`load`"), "{error}");
        assert!(parse("programs.calls = [\"thread\"]\n").is_err());
    }
}
