// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reading scenario files.

use super::course::Written;
use super::{Output, Planned, Scenario, with_start};
use crate::MOST_MOTES;
use crate::bounded;
use crate::script::{Action, Script, ScriptError};
use lichen_chip::Time;
use lichen_device::board::{Button, Fitting};
use lichen_device::facts::{self, Spanned, Wrong};
use lichen_device::part::PARTS;
use lichen_device::{Board, Environment, QUANTITIES, Quantity, SUPPLY, board};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Why there is no scenario.
#[derive(Debug, thiserror::Error)]
pub enum ScenarioError {
    /// The file cannot be read.
    #[error("cannot read the scenario {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file contains something that makes no sense.
    #[error(transparent)]
    Wrong(#[from] Wrong),
    /// What happens to a mote makes no sense.
    #[error(transparent)]
    Script(#[from] ScriptError),
}

/// A scenario as written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    seed: u64,
    #[serde(rename = "for")]
    duration: Option<String>,
    #[serde(rename = "mote")]
    motes: Vec<Mote>,
    #[serde(default)]
    output: Files,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Files {
    json: Option<PathBuf>,
    vcd: Option<PathBuf>,
    perfetto: Option<PathBuf>,
    wave: Option<PathBuf>,
    wave_from: Option<String>,
    wave_for: Option<String>,
    energy_json: Option<PathBuf>,
    energy_csv: Option<PathBuf>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Mote {
    name: Option<String>,
    #[serde(default = "one")]
    count: usize,
    board: String,
    program: Spanned<String>,
    start: Option<String>,
    seed: Option<u64>,
    input: Option<Input>,
    #[serde(default)]
    environment: BTreeMap<String, Spanned<Written>>,
    #[serde(default, rename = "device")]
    devices: Vec<Spanned<Fitting>>,
    #[serde(default, rename = "button")]
    buttons: Vec<Button>,
}

fn one() -> usize {
    1
}

/// What happens to a mote: a file, or its lines.
#[derive(Deserialize)]
#[serde(untagged, expecting = "use the path of an input file, or a list of its lines")]
enum Input {
    File(PathBuf),
    Lines(Vec<String>),
}

/// A scenario file while it is read.
struct Reader<'a> {
    /// Its name in messages.
    file: String,
    text: &'a str,
    /// Paths in it are relative to this folder.
    folder: &'a Path,
    /// Where board files are.
    boards: &'a Path,
}

impl Scenario {
    /// Reads the file at `path`. The files of boards are in the folder `boards`.
    pub fn load(path: &Path, boards: &Path) -> Result<Scenario, ScenarioError> {
        let bytes = bounded::read(path)
            .map_err(|source| ScenarioError::Read { path: path.to_path_buf(), source })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let file = path.display().to_string();
        let text = facts::text(&file, bytes)?;
        Reader { file, text: &text, folder, boards }.scenario()
    }
}

impl Reader<'_> {
    fn scenario(&self) -> Result<Scenario, ScenarioError> {
        let File { seed, duration, motes, output } = facts::parse(&self.file, self.text)?;
        let mut planned = Vec::new();
        for mote in &motes {
            let room = MOST_MOTES - planned.len();
            if mote.count == 0 || mote.count > room {
                let what = format!(
                    "count = {}: use 1 to {room}; a run has at most {MOST_MOTES} motes",
                    mote.count
                );
                return Err(self.wrong(&format!("count = {}", mote.count), what));
            }
            let number = planned.len();
            planned.extend(self.motes(mote, number)?);
        }
        if planned.is_empty() {
            return Err(self.wrong("mote", "a scenario has at least one [[mote]]".to_string()));
        }
        self.check_names(&planned)?;
        let sources = self.sources(&motes);
        let path = |file: Option<PathBuf>| file.map(|file| self.folder.join(file));
        let time = |text: Option<String>| text.map(|text| self.time(&text)).transpose();
        Ok(Scenario {
            seed,
            duration: duration.map(|text| self.time(&text)).transpose()?,
            motes: planned,
            output: Output {
                json: path(output.json),
                vcd: path(output.vcd),
                perfetto: path(output.perfetto),
                wave: path(output.wave),
                wave_from: time(output.wave_from)?,
                wave_for: time(output.wave_for)?,
                energy_json: path(output.energy_json),
                energy_csv: path(output.energy_csv),
            },
            sources,
        })
    }

    fn sources(&self, motes: &[Mote]) -> Vec<PathBuf> {
        let inputs = motes.iter().filter_map(|mote| match &mote.input {
            Some(Input::File(path)) => Some(path.as_path()),
            _ => None,
        });
        let courses = motes.iter().flat_map(|mote| mote.environment.values());
        let recordings = courses.filter_map(|course| course.get_ref().file());
        let beside = inputs.chain(recordings).map(|path| self.folder.join(path));
        std::iter::once(PathBuf::from(&self.file)).chain(beside).collect()
    }

    /// A mote as often as it is there; the first gets this number.
    fn motes(&self, mote: &Mote, number: usize) -> Result<Vec<Planned>, ScenarioError> {
        let start = mote.start.as_deref().map_or(Ok(Time::ZERO), |text| self.time(text))?;
        let name = mote.name.clone().unwrap_or_else(|| format!("mote{number}"));
        let board = self.board(mote)?;
        let script = self.script(mote, &board)?;
        self.check_start(mote, start, &script)?;
        let environment = self.environment(&mote.environment, &name, &board)?;
        let one = Planned {
            name: name.clone(),
            board: Arc::new(board),
            program: mote.program.get_ref().clone(),
            program_line: facts::line_of(self.text, mote.program.span().start),
            start,
            seed: mote.seed,
            script: with_start(&script, start),
            environment: Arc::new(environment),
        };
        let names = |index: usize| match (&mote.name, mote.count) {
            (_, 1) => name.clone(),
            (Some(name), _) => format!("{name}{index}"),
            (None, _) => format!("mote{}", number + index),
        };
        Ok((0..mote.count).map(|index| Planned { name: names(index), ..one.clone() }).collect())
    }

    /// Nothing may power the mote before its start.
    fn check_start(&self, mote: &Mote, start: Time, script: &Script) -> Result<(), ScenarioError> {
        let powers = |(time, action): &&(Time, Action)| {
            *time < start && *action == Action::Power { on: true }
        };
        match script.actions().iter().find(powers) {
            None => Ok(()),
            Some((time, _)) => {
                let what = format!(
                    "`start` is when the mote is powered first, but its input has `!power on` before, at {time} s"
                );
                Err(self.wrong(mote.start.as_deref().unwrap_or("start"), what))
            }
        }
    }

    fn board(&self, mote: &Mote) -> Result<Board, ScenarioError> {
        let wrong = |error: board::Error| self.wrong(&mote.board, error.to_string());
        let board = Board::find(self.boards, &mote.board).map_err(wrong)?;
        let board = mote.devices.iter().try_fold(board, |board, device| self.with(board, device));
        let near = mote.buttons.last().map_or(&mote.board, |button| &button.name);
        let board = board?.with_buttons(mote.buttons.clone());
        board.map_err(|error| self.wrong(near, error.to_string()))
    }

    /// The board with one more part.
    fn with(&self, board: Board, device: &Spanned<Fitting>) -> Result<Board, ScenarioError> {
        let part = device.get_ref();
        let board = part
            .check_extra()
            .and_then(|()| board.with(vec![part.clone()]).map_err(|error| error.to_string()));
        Ok(board.map_err(|what| self.wrong_at(device, what))?)
    }

    fn script(&self, mote: &Mote, board: &Board) -> Result<Script, ScenarioError> {
        match &mote.input {
            None => Ok(Script::default()),
            Some(Input::File(path)) => Ok(Script::load(&self.folder.join(path), board)?),
            Some(Input::Lines(lines)) => self.lines(lines, board),
        }
    }

    fn lines(&self, lines: &[String], board: &Board) -> Result<Script, ScenarioError> {
        Script::parse_for(board, &self.file, &lines.join("\n")).map_err(|error| match error {
            ScriptError::Wrong { line, what, .. } => {
                let near = lines.get(line - 1).map_or("input", String::as_str);
                self.wrong(near, what)
            }
            error => error.into(),
        })
    }

    /// What is around the mote `mote` with this board.
    fn environment(
        &self,
        written: &BTreeMap<String, Spanned<Written>>,
        mote: &str,
        board: &Board,
    ) -> Result<Environment, ScenarioError> {
        let mut environment = Environment::usual();
        for (name, written) in written {
            let course = quantity(name).and_then(|quantity| {
                check_sensed(quantity, mote, board)?;
                written.get_ref().course(quantity, self.folder)
            });
            environment.set(name, course.map_err(|what| self.wrong_at(written, what))?);
        }
        Ok(environment)
    }

    /// Names tell motes apart.
    fn check_names(&self, motes: &[Planned]) -> Result<(), ScenarioError> {
        let mut seen = std::collections::BTreeSet::new();
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        for Planned { name, .. } in motes {
            let starts = name.starts_with(|c: char| c.is_ascii_alphabetic());
            if !starts || !name.chars().all(is_plain) {
                let what = format!(
                    "`{name}` is not a valid name: begin with a letter, and use letters, digits, `-` and `_`"
                );
                return Err(self.wrong(name, what));
            }
            if !seen.insert(name) {
                return Err(self.wrong(name, format!("two motes have the name `{name}`")));
            }
        }
        Ok(())
    }

    fn time(&self, text: &str) -> Result<Time, ScenarioError> {
        text.parse().map_err(|error: lichen_chip::NoTime| self.wrong(text, error.to_string()))
    }

    fn wrong_at<T>(&self, place: &Spanned<T>, what: String) -> Wrong {
        let line = facts::line_of(self.text, place.span().start);
        Wrong { file: self.file.clone(), line, what }
    }

    fn wrong(&self, near: &str, what: String) -> ScenarioError {
        facts::wrong(&self.file, self.text, near, what).into()
    }
}

fn quantity(name: &str) -> Result<&'static Quantity, String> {
    QUANTITIES.iter().find(|quantity| quantity.name == name).ok_or_else(|| {
        let known: Vec<&str> = QUANTITIES.iter().map(|quantity| quantity.name).collect();
        format!("there is no quantity `{name}`; there are {}", known.join(", "))
    })
}

/// A course that nothing follows is a mistake: of the quantity, or of the board.
fn check_sensed(quantity: &Quantity, mote: &str, board: &Board) -> Result<(), String> {
    if *quantity == SUPPLY || board.senses(quantity) {
        return Ok(());
    }
    let name = quantity.name;
    let parts = PARTS.iter().filter(|part| part.senses.contains(quantity));
    let parts: Vec<&str> = parts.map(|part| part.number).collect();
    Err(format!(
        "no part of `{mote}` senses `{name}`; leave it out, or connect one that does with [[mote.device]]: {}",
        parts.join(", ")
    ))
}
