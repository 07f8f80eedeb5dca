// SPDX-License-Identifier: MIT OR Apache-2.0
//! A scripted test, a file of the folder `test` of a program: a scenario, and what is expected of it
//! (`doc/spec/test.md`).

use super::reader::{File, Reader};
use lichen_board::facts::{self, Wrong};
use lichen_chip::Time;
use lichen_project::{FileError, Place, Program};
use lichen_scenario::{InputError, Scenario, ScenarioError};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// Where its keys are described.
pub(super) const SPEC: &str = "doc/spec/test.md describes the keys";

/// A test for one board.
#[derive(Debug)]
pub(super) struct Case {
    pub scenario: Scenario,
    /// When it ends.
    pub end: Time,
    pub expectations: Vec<Expectation>,
    pub limits: Vec<Limit>,
}

/// What can be expected of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Source {
    /// Lines that the mote prints.
    Console,
    /// Changes of a pin with a name.
    Pin(String),
    /// Events of one kind.
    Event(EventKind),
}

/// Events that can be expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum EventKind {
    Reset,
    Sleep,
    Wake,
    Power,
    Condition,
    Host,
    Panic,
    Fault,
    Warning,
}

impl EventKind {
    /// Its name in files of events.
    pub fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }
}

/// Something that must happen to a mote.
#[derive(Clone, Debug)]
pub(super) struct Expectation {
    /// Where it is written.
    pub place: Place,
    /// The mote's number.
    pub mote: usize,
    pub source: Source,
    /// What the source says, in moments that follow one another.
    pub patterns: Vec<String>,
    /// From when until when.
    pub window: (Time, Time),
    /// How often, if that is said: then its order does not count.
    pub count: Option<(u32, u32)>,
    /// The expectation in words.
    pub words: String,
}

/// What motes may need at most.
#[derive(Clone, Debug)]
pub(super) struct Limit {
    pub places: BTreeMap<String, Place>,
    /// The motes' numbers.
    pub motes: Vec<usize>,
    pub most: Most,
}

/// Limits; those that are not given do not count.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Most {
    pub mote: Option<String>,
    pub boards: Option<Vec<String>>,
    pub mean_current_ua: Option<f64>,
    pub charge_uc: Option<f64>,
    pub awake_percent: Option<f64>,
    pub wake_ups: Option<u64>,
    pub rom: Option<u32>,
    pub ram: Option<u32>,
    #[serde(default)]
    pub stack: BTreeMap<String, u32>,
    pub panics: Option<u64>,
    pub faults: Option<u64>,
    pub warnings: Option<u64>,
    pub resets: Option<u64>,
}

impl Case {
    /// Reads `file` for `board`, one of those of the program; none if it is not about this board.
    pub fn load(
        file: &Path,
        program: &Program,
        boards: &Path,
        board: &str,
    ) -> Result<Option<Case>, FileError> {
        let text = std::fs::read_to_string(file)
            .map_err(|source| FileError::Unreadable { file: file.to_path_buf(), source })?;
        if is_of_others(&text, program, board) {
            return Ok(None);
        }
        let scenario = Scenario::load_test(file, boards, board, &[]).map_err(of_scenario)?;
        let written: File = facts::parse(&file.display().to_string(), &text).map_err(of_facts)?;
        let reader = Reader {
            file,
            text: &text,
            places: facts::Place::of(&text),
            scenario: &scenario,
            program,
            board,
        };
        reader.check_boards(written.boards.as_deref(), &reader.places)?;
        let end = reader.end()?;
        let expectations = reader.expectations(&written.expect, end)?;
        let limits = reader.limits(written.limit)?;
        if written.expect.is_empty() && limits.is_empty() && !reader.places.has("limit") {
            let message = "the test expects nothing and sets no limit".to_string();
            let remedy = "add an [[expect]] or a [[limit]]; ".to_string() + SPEC;
            return Err(FileError::Invalid { place: Place::file(file), message, remedy });
        }
        Ok(Some(Case { scenario, end, expectations, limits }))
    }
}

/// Whether a test names boards of the program, and `board` is none of them: what else it says, such as parts that
/// are connected, may be impossible there.
fn is_of_others(text: &str, program: &Program, board: &str) -> bool {
    let Ok(File { boards: Some(named), .. }) = facts::parse("", text) else { return false };
    let are_known = named.iter().all(|name| program.manifest.boards.contains(name));
    are_known && !named.is_empty() && !named.iter().any(|name| name == board)
}

/// An error of the file in a form that has a place.
fn of_scenario(error: ScenarioError) -> FileError {
    match error {
        ScenarioError::Wrong(wrong) => of_facts(wrong),
        ScenarioError::Input(InputError::Wrong { file, line, what }) => {
            of_facts(Wrong { file, line: Some(line), what })
        }
        ScenarioError::Read { path, source }
        | ScenarioError::Input(InputError::Read { path, source }) => {
            FileError::Unreadable { file: path, source }
        }
    }
}

fn of_facts(wrong: Wrong) -> FileError {
    FileError::Invalid {
        place: match wrong.line {
            Some(line) => Place::line(wrong.file, line as u32),
            None => Place::file(wrong.file),
        },
        message: wrong.what,
        remedy: SPEC.to_string(),
    }
}
