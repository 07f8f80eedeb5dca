// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the file of a test says, checked against its program, its motes and their boards.

use super::case::{EventKind, Expectation, Limit, Most, SPEC, Source};
use lichen_board::{Active, Board, facts};
use lichen_chip::{PinId, Time};
use lichen_project::{FileError, Place, Program, nearest};
use lichen_scenario::{Duration, Scenario};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// The keys of a test beside those of a scenario.
#[derive(Deserialize)]
pub(super) struct File {
    pub boards: Option<Vec<String>>,
    #[serde(default)]
    pub expect: Vec<Written>,
    #[serde(default)]
    pub limit: Vec<Most>,
}

/// An `[[expect]]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Written {
    mote: Option<String>,
    boards: Option<Vec<String>>,
    console: Option<Text>,
    led: Option<usize>,
    pin: Option<String>,
    becomes: Option<Becomes>,
    event: Option<EventKind>,
    text: Option<String>,
    at: Option<Duration>,
    within: Option<Duration>,
    from: Option<Duration>,
    until: Option<Duration>,
    count: Option<Count>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "use a line, or a list of lines")]
enum Text {
    Line(String),
    Lines(Vec<String>),
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Becomes {
    On,
    Off,
    High,
    Low,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(untagged, expecting = "use a number, or a list of the least and the most")]
enum Count {
    Exactly(u32),
    Between([u32; 2]),
}

/// What a [[limit]] can limit.
const LIMITS: [&str; 11] = [
    "mean_current_ua",
    "charge_uc",
    "awake_percent",
    "wake_ups",
    "rom",
    "ram",
    "stack",
    "panics",
    "faults",
    "warnings",
    "resets",
];

/// Reads the file of a test for one board.
pub(super) struct Reader<'a> {
    pub file: &'a Path,
    pub text: &'a str,
    /// Where its keys are.
    pub places: facts::Place,
    pub scenario: &'a Scenario,
    pub program: &'a Program,
    pub board: &'a str,
}

impl Reader<'_> {
    fn place(&self, at: &facts::Place) -> Place {
        Place::line(self.file, at.line(self.text) as u32)
    }

    fn wrong<T>(&self, at: &facts::Place, message: impl Into<String>) -> Result<T, FileError> {
        let (place, message) = (self.place(at), message.into());
        Err(FileError::Invalid { place, message, remedy: SPEC.to_string() })
    }

    /// What is not among `known`.
    fn unknown<T>(
        &self,
        at: &facts::Place,
        message: String,
        name: &str,
        known: &[String],
    ) -> Result<T, FileError> {
        let list = known.join(", ");
        let remedy = match nearest(name, known) {
            Some(near) => format!("did you mean `{near}`? (there are: {list})"),
            None => format!("there are: {list}"),
        };
        Err(FileError::Invalid { place: self.place(at), message, remedy })
    }

    pub(super) fn end(&self) -> Result<Time, FileError> {
        match self.scenario.duration {
            Some(Time::ZERO) => self.wrong(self.places.key("for"), "`for` is 0 s: nothing happens"),
            Some(end) => Ok(end),
            None => Err(FileError::Invalid {
                place: Place::file(self.file),
                message: "the test does not say how long it runs".to_string(),
                remedy: "write, for example, for = \"5s\"".to_string(),
            }),
        }
    }

    /// The boards named at `at` are some of the program's.
    pub(super) fn check_boards(
        &self,
        boards: Option<&[String]>,
        at: &facts::Place,
    ) -> Result<(), FileError> {
        let known = &self.program.manifest.boards;
        let at = at.key("boards");
        match boards.unwrap_or_default().iter().zip(0..).find(|(name, _)| !known.contains(name)) {
            None if boards.is_some_and(<[String]>::is_empty) => {
                self.wrong(at, "`boards` names no board")
            }
            None => Ok(()),
            Some((name, index)) => {
                let message = format!("the program does not run on a board `{name}`");
                self.unknown(at.item(index), message, name, known)
            }
        }
    }

    fn is_about(&self, boards: Option<&[String]>) -> bool {
        boards.is_none_or(|boards| boards.iter().any(|named| named == self.board))
    }

    fn mote(&self, name: Option<&str>, at: &facts::Place) -> Result<usize, FileError> {
        let motes = &self.scenario.motes;
        let names: Vec<String> = motes.iter().map(|mote| mote.name.clone()).collect();
        match name {
            None if motes.len() == 1 => Ok(0),
            None => {
                let message = "which mote? The key `mote` is missing, and the test has several";
                self.unknown(at, message.to_string(), "", &names)
            }
            Some(name) => match names.iter().position(|known| known == name) {
                Some(mote) => Ok(mote),
                None => {
                    let message = format!("there is no mote `{name}` in the test");
                    self.unknown(at.key("mote"), message, name, &names)
                }
            },
        }
    }

    pub(super) fn expectations(
        &self,
        written: &[Written],
        end: Time,
    ) -> Result<Vec<Expectation>, FileError> {
        let mut expectations = Vec::new();
        for (index, expect) in written.iter().enumerate() {
            let at = self.places.key("expect").item(index);
            self.check_boards(expect.boards.as_deref(), at)?;
            if self.is_about(expect.boards.as_deref()) {
                expectations.push(self.expectation(expect, at, end)?);
            }
        }
        Ok(expectations)
    }

    fn expectation(
        &self,
        expect: &Written,
        at: &facts::Place,
        end: Time,
    ) -> Result<Expectation, FileError> {
        let mote = self.mote(expect.mote.as_deref(), at)?;
        let board = &self.scenario.motes[mote].board;
        let (source, patterns, mut words) = self.source(expect, at, board)?;
        let (window, when) = self.window(expect, at, end)?;
        let count = self.count(expect, at, patterns.len())?;
        if let Some((least, most)) = count {
            let times =
                if least == most { least.to_string() } else { format!("{least} to {most}") };
            words = format!("{words} {times} times");
        }
        if self.scenario.motes.len() > 1 {
            words = format!("{words} of {}", self.scenario.motes[mote].name);
        }
        words.push_str(&when);
        Ok(Expectation { place: self.place(at), mote, source, patterns, window, count, words })
    }

    /// What is expected of, the patterns, and both in words.
    fn source(
        &self,
        expect: &Written,
        at: &facts::Place,
        board: &Board,
    ) -> Result<(Source, Vec<String>, String), FileError> {
        let any = || vec!["[...]".to_string()];
        if expect.event.is_none() && expect.text.is_some() {
            return self.wrong(at.key("text"), "`text` is of an `event`");
        }
        if expect.becomes.is_some() && expect.led.is_none() && expect.pin.is_none() {
            return self.wrong(at.key("becomes"), "`becomes` is of a `led` or a `pin`");
        }
        match (&expect.console, expect.led, &expect.pin, expect.event) {
            (Some(text), None, None, None) => {
                let lines = self.lines(text, at.key("console"))?;
                let words = format!("the line `{}`", lines.join("`, `"));
                Ok((Source::Console, lines, words))
            }
            (None, Some(index), None, None) => self.led(index, expect.becomes, at, board),
            (None, None, Some(name), None) => {
                let pin = self.pin(name, at, board)?;
                let level = self.level(expect.becomes, at)?;
                let words = format!("a change of {name}{}", to(level.as_deref()));
                Ok((Source::Pin(pin), level.map_or_else(any, |it| vec![it]), words))
            }
            (None, None, None, Some(kind)) => {
                let said = expect.text.as_ref().map(|text| format!(" `{text}`"));
                let words = format!("the event {}{}", kind.name(), said.unwrap_or_default());
                let patterns = expect.text.clone().map_or_else(any, |it| vec![it]);
                Ok((Source::Event(kind), patterns, words))
            }
            _ => self.wrong(
                at,
                "an [[expect]] has exactly one of the keys `console`, `led`, `pin` and `event`",
            ),
        }
    }

    fn lines(&self, text: &Text, at: &facts::Place) -> Result<Vec<String>, FileError> {
        let lines = match text {
            Text::Line(line) => vec![line.clone()],
            Text::Lines(lines) => lines.clone(),
        };
        if lines.is_empty() {
            return self.wrong(at, "`console` has no line");
        }
        let never = lines.iter().find(|line| line.contains(['\n', '\r']) || line.ends_with(' '));
        match never {
            None => Ok(lines),
            Some(_) => self.wrong(
                at,
                "no line is ever this: it holds an end of line, or ends with a blank, which is not compared; \
                 several lines are a list: [\"one\", \"two\"]",
            ),
        }
    }

    /// An LED by its number, as in `lichen/led.h`.
    fn led(
        &self,
        index: usize,
        becomes: Option<Becomes>,
        at: &facts::Place,
        board: &Board,
    ) -> Result<(Source, Vec<String>, String), FileError> {
        let Some(led) = board.leds.get(index) else {
            let message = format!(
                "{} has no LED {index}: its LEDs are 0 to {}",
                board.name,
                board.leds.len().saturating_sub(1)
            );
            return self.wrong(at.key("led"), message);
        };
        let (level, word) = match becomes {
            None => ("[...]", None),
            Some(Becomes::On) => (level(led.active), Some("on")),
            Some(Becomes::Off) => (level(other(led.active)), Some("off")),
            Some(Becomes::High | Becomes::Low) => {
                let what = "a `led` becomes \"on\" or \"off\"; levels are of a `pin`";
                return self.wrong(at.key("becomes"), what);
            }
        };
        let words = format!("a change of LED {index}{}", to(word));
        Ok((Source::Pin(led.name.clone()), vec![level.to_string()], words))
    }

    /// The pin called `name` as events have it: an LED or a button of the board, or one that only the program drives, by the
    /// program's name or the chip's.
    fn pin(&self, name: &str, at: &facts::Place, board: &Board) -> Result<String, FileError> {
        let leds = board.leds.iter().map(|led| led.name.clone());
        let known: Vec<String> =
            leds.chain(board.buttons.iter().map(|button| button.name.clone())).collect();
        let is_named = known.iter().any(|known| known == name) || lichen_world::names_a_pin(name);
        if is_named {
            return Ok(name.to_string());
        }
        let pin = name.parse::<PinId>().ok();
        if let Some(free) = pin.filter(|pin| board.free_pins().any(|free| free == *pin)) {
            return Ok(free.to_string());
        }
        let message = format!("{} has no LED, no button and no free pin `{name}`", board.name);
        self.unknown(at.key("pin"), message, name, &known)
    }

    fn level(
        &self,
        becomes: Option<Becomes>,
        at: &facts::Place,
    ) -> Result<Option<String>, FileError> {
        match becomes {
            None => Ok(None),
            Some(Becomes::High) => Ok(Some("high".to_string())),
            Some(Becomes::Low) => Ok(Some("low".to_string())),
            Some(Becomes::On | Becomes::Off) => {
                let what = "a `pin` becomes \"high\" or \"low\"; \"on\" and \"off\" are of a `led`";
                self.wrong(at.key("becomes"), what)
            }
        }
    }

    /// From when until when, and that in words.
    fn window(
        &self,
        expect: &Written,
        at: &facts::Place,
        end: Time,
    ) -> Result<((Time, Time), String), FileError> {
        let time = |key: &str, duration: &Option<Duration>| match duration.as_ref() {
            None => Ok(None),
            Some(duration) => match duration.time() {
                Ok(time) if time > end => self.wrong(
                    at.key(key),
                    format!("`{key}` is {time} s, and the test ends at {end} s: it never happens"),
                ),
                Ok(time) => Ok(Some(time)),
                Err(what) => self.wrong(at.key(key), format!("`{key}`: {what}")),
            },
        };
        let (middle, within) = (time("at", &expect.at)?, time("within", &expect.within)?);
        let (from, until) = (time("from", &expect.from)?, time("until", &expect.until)?);
        match (middle, within, from, until) {
            (None, Some(_), _, _) => self.wrong(at.key("within"), "`within` is of an `at`"),
            (Some(_), _, Some(_), _) | (Some(_), _, _, Some(_)) => {
                self.wrong(at.key("at"), "use `at` and `within`, or `from` and `until`")
            }
            (Some(at), within, _, _) => {
                let within = within.unwrap_or(WITHIN);
                Ok(((at - within, at + within), format!(" at {at} s, within {within} s")))
            }
            (None, None, Some(from), Some(until)) if from > until => {
                self.wrong(at.key("from"), "`from` is after `until`: it never happens")
            }
            (None, None, from, until) => {
                let after = from.map(|from| format!(" from {from} s")).unwrap_or_default();
                let before = until.map(|until| format!(" until {until} s")).unwrap_or_default();
                let window = (from.unwrap_or(Time::ZERO), until.unwrap_or(Time::NEVER));
                Ok((window, format!("{after}{before}")))
            }
        }
    }

    fn count(
        &self,
        expect: &Written,
        at: &facts::Place,
        patterns: usize,
    ) -> Result<Option<(u32, u32)>, FileError> {
        let at = at.key("count");
        match expect.count {
            None => Ok(None),
            Some(_) if patterns > 1 => self.wrong(at, "`count` is of one line, not of a list"),
            Some(Count::Exactly(count)) => Ok(Some((count, count))),
            Some(Count::Between([least, most])) if least > most => {
                self.wrong(at, format!("`count`: no number is from {least} to {most}"))
            }
            Some(Count::Between([least, most])) => Ok(Some((least, most))),
        }
    }

    pub(super) fn limits(&self, written: Vec<Most>) -> Result<Vec<Limit>, FileError> {
        let mut limits = Vec::new();
        for (index, most) in written.into_iter().enumerate() {
            let at = self.places.key("limit").item(index);
            if !LIMITS.iter().any(|key| at.has(key)) {
                return self.wrong(at, "this [[limit]] limits nothing");
            }
            self.check_boards(most.boards.as_deref(), at)?;
            let motes = match &most.mote {
                Some(name) => vec![self.mote(Some(name), at)?],
                None => (0..self.scenario.motes.len()).collect(),
            };
            if self.is_about(most.boards.as_deref()) {
                limits.push(Limit { places: self.places_of(&most, at), motes, most });
            }
        }
        Ok(limits)
    }

    /// The lines of a limit's keys.
    fn places_of(&self, most: &Most, at: &facts::Place) -> BTreeMap<String, Place> {
        let keys = LIMITS.iter().filter(|key| at.has(key));
        let places = keys.map(|key| (key.to_string(), self.place(at.key(key))));
        let stacks = most.stack.keys();
        let of_stack =
            |thread: &String| (format!("stack.{thread}"), self.place(at.key("stack").key(thread)));
        places.chain(stacks.map(of_stack)).collect()
    }
}

/// How near `at` is met where `within` is not given.
const WITHIN: Time = Time::from_ms(1);

fn to(word: Option<&str>) -> String {
    word.map(|word| format!(" to {word}")).unwrap_or_default()
}

fn level(active: Active) -> &'static str {
    match active {
        Active::Low => "low",
        Active::High => "high",
    }
}

fn other(active: Active) -> Active {
    match active {
        Active::Low => Active::High,
        Active::High => Active::Low,
    }
}
