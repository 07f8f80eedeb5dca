// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reading scenario files.

use crate::bounded;
use crate::course::Course;
use crate::input::{Input, InputError};
use crate::written::{self, Duration, File, Files, Interference, KEYS_OF_TESTS, Mote, OfTest};
use crate::{Output, Planned, Scenario, sensed, with_start};
use lichen_board::facts::{self, Document, Place, Setting, Wrong};
use lichen_board::{Board, Button, Fitting};
use lichen_chip::Time;
use lichen_device::Environment;
use lichen_world::{Action, MOST_MOTES, Script};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Why there is no scenario.
#[derive(Debug, thiserror::Error)]
pub enum ScenarioError {
    /// The file cannot be read.
    #[error("cannot read the scenario: {}", bounded::reason(.path, .source))]
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
    Input(#[from] InputError),
}

/// The program of a test, from the test's folder.
const PROGRAM_OF_TEST: &str = "..";

/// A scenario file while it is read.
pub(crate) struct Reader<'a> {
    /// The file, with what the call sets.
    document: Document<'a>,
    /// Where its keys are.
    pub(crate) places: Place,
    /// Paths in it are relative to this folder.
    pub(crate) folder: &'a Path,
    /// Where board files are.
    boards: &'a Path,
    /// The board of a test's motes that name none, if it is a test.
    board_of_test: Option<&'a str>,
}

impl Scenario {
    /// Whether the file at `path` is a test of a program: it lies in the folder `test` of the program's
    /// (`doc/spec/test.md`).
    pub fn is_test(path: &Path) -> bool {
        let folder = path.parent().filter(|folder| folder.ends_with("test"));
        folder.and_then(Path::parent).is_some_and(|program| program.join("lichen.toml").is_file())
    }

    /// Reads the file at `path`, with `settings` in place of some of its values. The files of boards are in the folder
    /// `boards`.
    pub fn load(
        path: &Path,
        boards: &Path,
        settings: &[Setting],
    ) -> Result<Scenario, ScenarioError> {
        Scenario::read(path, boards, None, settings)
    }

    /// The boards that the test in a file names for itself; none if it names none, or cannot be read.
    pub fn boards_of_test(path: &Path) -> Vec<String> {
        let text = bounded::read(path).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        let read =
            text.and_then(|text| facts::parse::<OfTest>(&path.display().to_string(), &text).ok());
        read.map(|test| test.boards).unwrap_or_default()
    }

    /// The same of a test: motes that name no board have `board`, and those that name no program have that of
    /// the test.
    pub fn load_test(
        path: &Path,
        boards: &Path,
        board: &str,
        settings: &[Setting],
    ) -> Result<Scenario, ScenarioError> {
        Scenario::read(path, boards, Some(board), settings)
    }

    fn read(
        path: &Path,
        boards: &Path,
        board_of_test: Option<&str>,
        settings: &[Setting],
    ) -> Result<Scenario, ScenarioError> {
        let bytes = bounded::read(path)
            .map_err(|source| ScenarioError::Read { path: path.to_path_buf(), source })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let file = path.display().to_string();
        let text = facts::text(&file, bytes)?;
        let document = Document::new(file, text, settings);
        let (file, places) = document.read()?;
        Reader { document, places, folder, boards, board_of_test }.scenario(file)
    }
}

impl Reader<'_> {
    fn scenario(&self, file: File) -> Result<Scenario, ScenarioError> {
        let File { seed, noise, duration, mut motes, .. } = file;
        let File { medium, walls, links, interference, output, .. } = file;
        self.check_keys()?;
        if motes.is_empty() && self.board_of_test.is_some() {
            motes.push(Mote::of_test());
        }
        if motes.is_empty() {
            let what = "a scenario has at least one [[mote]]".to_string();
            return Err(self.wrong(self.places.key("mote"), what));
        }
        let mut planned = Vec::new();
        let mut names = BTreeSet::new();
        for (index, mote) in motes.iter().enumerate() {
            let at = self.places.key("mote").item(index);
            let room = MOST_MOTES - planned.len();
            if !(1..=room as i64).contains(&mote.count) {
                let what = format!(
                    "count = {}: use 1 to {room}; a run has at most {MOST_MOTES} motes",
                    mote.count
                );
                return Err(self.wrong(at.key("count"), what));
            }
            let number = planned.len();
            let alike = self.motes(mote, at, number)?;
            self.check_names(&alike, &mut names, at.key("name"))?;
            planned.extend(alike);
        }
        let mut air = self.air(&medium, (&walls, &links), &motes, &planned)?;
        air.interference = self.interference(&interference, &air)?;
        Ok(Scenario {
            air,
            seed,
            noise,
            duration: self.time("for", duration.as_ref(), &self.places)?,
            motes: planned,
            output: self.output(output)?,
            sources: self.sources(&motes, &interference),
        })
    }

    /// Some keys are of tests alone, and one of other scenarios. Some have an option of their own, or none.
    fn check_keys(&self) -> Result<(), ScenarioError> {
        let unset = KEYS_OF_TESTS.map(|key| (key, "only `lichen test` looks at it"));
        let option = ("output", "give the option of the same name, such as --json FILE");
        for (key, why) in unset.into_iter().chain([option]) {
            if let Some(setting) = self.document.settings_of(key).next() {
                let file = format!("--set {}", setting.key);
                let what = format!("`{key}` cannot be set: {why}");
                return Err(Wrong { file, line: None, what }.into());
            }
        }
        let (keys, whose): (&[&str], _) = match self.board_of_test {
            None => {
                (&KEYS_OF_TESTS, "only a test has it, a file in the folder `test` of a program")
            }
            Some(_) => {
                (&["output"], "a test writes no files; give their options to `lichen run FILE`")
            }
        };
        match keys.iter().find(|key| self.places.has(key)) {
            None => Ok(()),
            Some(key) => Err(self.wrong(self.places.key(key), format!("`{key}`: {whose}"))),
        }
    }

    /// The value of `key` of a mote; in a test, `usual` if there is none.
    fn value<'a>(
        &self,
        key: &str,
        given: &'a Option<String>,
        usual: Option<&'a str>,
        at: &Place,
    ) -> Result<&'a str, ScenarioError> {
        given
            .as_deref()
            .or(usual)
            .ok_or_else(|| self.wrong(at, format!("the key `{key}` is missing in [[mote]]")))
    }

    fn output(&self, files: Files) -> Result<Output, ScenarioError> {
        let at = self.places.key("output");
        let path = |key: &str, file: Option<PathBuf>| match file {
            Some(file) if file.as_os_str().is_empty() => {
                let what = format!("`{key}` is empty; give the path of the file to be written");
                Err(self.wrong(at.key(key), what))
            }
            file => Ok(file.map(|file| self.folder.join(file))),
        };
        let length = |key: &str, duration: Option<&Duration>| match self.time(key, duration, at)? {
            Some(Time::ZERO) => {
                let what = format!("`{key}` is 0 s, and a picture of no time shows nothing");
                Err(self.wrong(at.key(key), what))
            }
            length => Ok(length),
        };
        let line = |key: &&'static str| {
            at.has(key).then(|| (*key, self.document.origin(at.key(key)).line.unwrap_or_default()))
        };
        Ok(Output {
            json: path("json", files.json)?,
            summary: path("summary", files.summary)?,
            vcd: path("vcd", files.vcd)?,
            perfetto: path("perfetto", files.perfetto)?,
            pcap: path("pcap", files.pcap)?,
            wave: path("wave", files.wave)?,
            wave_from: self.time("wave-from", files.wave_from.as_ref(), at)?,
            wave_for: length("wave-for", files.wave_for.as_ref())?,
            air: path("air", files.air)?,
            air_from: self.time("air-from", files.air_from.as_ref(), at)?,
            air_for: length("air-for", files.air_for.as_ref())?,
            energy_json: path("energy-json", files.energy_json)?,
            energy_csv: path("energy-csv", files.energy_csv)?,
            file: PathBuf::from(self.document.file()),
            lines: Output::KEYS.iter().filter_map(line).collect(),
        })
    }

    fn sources(&self, motes: &[Mote], interference: &[Interference]) -> Vec<PathBuf> {
        let inputs = motes.iter().filter_map(|mote| match &mote.input {
            Some(written::Input::File(path)) => Some(path.as_path()),
            _ => None,
        });
        let courses = motes.iter().flat_map(|mote| mote.environment.values());
        let recorded = interference.iter().map(|it| it.csv.as_path());
        let beside = inputs.chain(courses.filter_map(Course::file)).chain(recorded);
        let beside = beside.map(|path| self.folder.join(path));
        std::iter::once(PathBuf::from(self.document.file())).chain(beside).collect()
    }

    /// The mote at `at` as often as it is there; the first gets this number.
    fn motes(&self, mote: &Mote, at: &Place, number: usize) -> Result<Vec<Planned>, ScenarioError> {
        let of_test = self.board_of_test.map(|_| PROGRAM_OF_TEST);
        let program = self.value("program", &mote.program, of_test, at)?;
        if program.is_empty() {
            let what =
                "`program` is empty; name a program, or give the path of its folder or of an image";
            return Err(self.wrong(at.key("program"), what.to_string()));
        }
        let start = self.time("start", mote.start.as_ref(), at)?.unwrap_or(Time::ZERO);
        let name = mote.name.clone().unwrap_or_else(|| format!("mote{number}"));
        let board = self.board(mote, at)?;
        let Input { script, warnings } = self.input(mote, at.key("input"), &board)?;
        self.check_start(at, start, &script)?;
        let environment =
            self.environment(&mote.environment, at.key("environment"), &name, &board)?;
        let one = Planned {
            name: name.clone(),
            board: Arc::new(board),
            program: program.to_string(),
            program_origin: self.document.origin(at.key("program")),
            start,
            seed: mote.seed,
            script: with_start(&script, start),
            warnings,
            environment: Arc::new(environment),
        };
        let names = |index: usize| match (&mote.name, mote.count) {
            (_, 1) => name.clone(),
            (Some(name), _) => format!("{name}{index}"),
            (None, _) => format!("mote{}", number + index),
        };
        Ok((0..mote.count as usize)
            .map(|index| Planned { name: names(index), ..one.clone() })
            .collect())
    }

    /// Nothing may power the mote before its start.
    fn check_start(&self, at: &Place, start: Time, script: &Script) -> Result<(), ScenarioError> {
        let powers = |(time, action): &&(Time, Action)| {
            *time < start && *action == Action::Power { on: true }
        };
        match script.actions().iter().find(powers) {
            None => Ok(()),
            Some((time, _)) => {
                let what = format!(
                    "`start` is when the mote is powered first, but its input has `!power on` before, at {time} s"
                );
                Err(self.wrong(at.key("start"), what))
            }
        }
    }

    fn board(&self, mote: &Mote, at: &Place) -> Result<Board, ScenarioError> {
        let name = self.value("board", &mote.board, self.board_of_test, at)?;
        let board = Board::find(self.boards, name)
            .map_err(|error| self.wrong(at.key("board"), error.to_string()))?;
        let at_devices = at.key("device");
        let mut devices = mote.devices.iter().enumerate();
        let board = devices.try_fold(board, |board, (index, device): (_, &Fitting)| {
            let with = board.with(vec![device.clone()]);
            with.map_err(|error| self.unfit(at_devices.item(index), &error))
        })?;
        let at_buttons = at.key("button");
        mote.buttons.iter().enumerate().try_fold(board, |board, (index, button): (_, &Button)| {
            let with = board.with_buttons(vec![button.clone()]);
            with.map_err(|error| self.unfit(at_buttons.item(index), &error))
        })
    }

    /// Why what is written at `at` does not fit the board. A name that is not given is that of the part.
    fn unfit(&self, at: &Place, error: &lichen_board::Error) -> ScenarioError {
        let key = match error {
            lichen_board::Error::Unfit { key: Some(key), .. } if at.has(key) => key,
            lichen_board::Error::Unfit { key: Some("name"), .. } => "part",
            _ => return self.wrong(at, error.to_string()),
        };
        self.wrong(at.key(key), error.to_string())
    }

    fn input(&self, mote: &Mote, at: &Place, board: &Board) -> Result<Input, ScenarioError> {
        match &mote.input {
            None => Ok(Input::default()),
            Some(written::Input::File(path)) if path.as_os_str().is_empty() => {
                let what =
                    "`input` is empty; give the path of an input file, or a list of its lines";
                Err(self.wrong(at, what.to_string()))
            }
            Some(written::Input::File(path)) => Input::load(&self.folder.join(path), board)
                .map_err(|error| match error {
                    InputError::Read { path, source } => {
                        self.wrong(at, format!("`input`: {}", bounded::reason(&path, &source)))
                    }
                    error => error.into(),
                }),
            Some(written::Input::Lines(lines)) => self.lines(lines, at, board),
        }
    }

    /// The list `lines` at `at`. An item may be of several lines.
    fn lines(&self, lines: &[String], at: &Place, board: &Board) -> Result<Input, ScenarioError> {
        let item_of = |line: usize| {
            let ends = lines.iter().scan(0, |end, item| {
                *end += item.matches('\n').count() + 1;
                Some(*end)
            });
            at.item(ends.take_while(|end| *end < line).count())
        };
        let input = Input::parse_for(board, self.document.file(), &lines.join("\n"));
        let input = input.map_err(|error| match error {
            InputError::Wrong { line, what, .. } => self.wrong(item_of(line), what),
            error => error.into(),
        })?;
        Ok(input.placed(|line| self.document.origin(item_of(line))))
    }

    /// What is around the mote `mote` with this board.
    fn environment(
        &self,
        written: &BTreeMap<String, Course>,
        at: &Place,
        mote: &str,
        board: &Board,
    ) -> Result<Environment, ScenarioError> {
        let mut environment = Environment::usual();
        for (name, course) in written {
            let at = at.key(name);
            let quantity = sensed::quantity(name).and_then(|quantity| {
                sensed::check(quantity, mote, board)?;
                Ok(quantity)
            });
            let quantity = quantity.map_err(|what| self.wrong(at, what))?;
            let course = course
                .of(quantity, self.folder)
                .map_err(|fault| self.wrong(fault.key.map_or(at, |key| at.key(key)), fault.what))?;
            environment.set(name, course);
        }
        Ok(environment)
    }

    /// Names tell motes apart: `motes` are those at `at`, `seen` the names above.
    fn check_names(
        &self,
        motes: &[Planned],
        seen: &mut BTreeSet<String>,
        at: &Place,
    ) -> Result<(), ScenarioError> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        for Planned { name, .. } in motes {
            let starts = name.starts_with(|c: char| c.is_ascii_alphabetic());
            if !starts || !name.chars().all(is_plain) {
                let what = format!(
                    "`{name}` is not a valid name: begin with a letter, and use letters, digits, `-` and `_`"
                );
                return Err(self.wrong(at, what));
            }
            if !seen.insert(name.clone()) {
                return Err(self.wrong(at, format!("two motes have the name `{name}`")));
            }
        }
        Ok(())
    }

    /// The time of a key of `at`, if it is given.
    pub(crate) fn time(
        &self,
        key: &str,
        duration: Option<&Duration>,
        at: &Place,
    ) -> Result<Option<Time>, ScenarioError> {
        let time = duration.map(Duration::time).transpose();
        time.map_err(|what| self.wrong(at.key(key), format!("`{key}`: {what}")))
    }

    pub(crate) fn wrong(&self, at: &Place, what: String) -> ScenarioError {
        self.document.wrong_at(at, what).into()
    }
}
