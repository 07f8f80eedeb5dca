// SPDX-License-Identifier: MIT OR Apache-2.0
//! Input files: what is typed and pressed, and when (`doc/spec/input.md`).
//!
//! One line each: a time and what happens then.
//!
//! ```text
//! # seconds, or with a unit: ns, us, ms, s, m, h, d
//! 1.5    help              types `help` and a line feed
//! 2s     "\x03"            types exactly what is quoted
//! 2500ms !press sw0        presses a button; !release lets go of it
//! 3s     !reset            pulls the reset pin
//! 4s     !part hdc1080 absent   lets a part fail: absent, stuck, wrong, shorted or stretching; `works` ends it
//! 5s     !power off        takes the supply away; !power on brings it back
//! 6s     !load sense.lichen   sends a program over the console's line, with `to-all` for all motes; !ps, !start, !stop, !remove and !floor manage them
//! ```

use crate::bounded;
use lichen_board::Board;
use lichen_board::facts::Origin;
use lichen_chip::{NoTime, Time};
use lichen_device::part::UnknownCondition;
use lichen_load::{Job, Whom};
use lichen_world::{Action, Script};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

/// Why an input file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// The file cannot be read.
    #[error("cannot read the input file: {}", bounded::reason(.path, .source))]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A line makes no sense.
    #[error("{file}:{line}: {what}")]
    Wrong {
        /// The file.
        file: String,
        /// Line from 1.
        line: usize,
        /// What is wrong, and what would be correct.
        what: String,
    },
}

/// A line that does what it says, but was hardly meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The file with the line, or what else has it.
    pub origin: Origin,
    /// Why it was hardly meant, and what to write instead.
    pub what: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Warning { origin: Origin { file, line }, what } = self;
        match line {
            Some(line) => write!(f, "{file}:{line}: {what}"),
            None => write!(f, "{file}: {what}"),
        }
    }
}

/// An input file that was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Input {
    /// What it does.
    pub script: Script,
    /// Its lines that were hardly meant.
    pub warnings: Vec<Warning>,
}

impl Input {
    /// Reads the file at `path`, for a mote with this board.
    pub fn load(path: &Path, board: &Board) -> Result<Input, InputError> {
        let bytes = bounded::read(path)
            .map_err(|source| InputError::Read { path: path.to_path_buf(), source })?;
        let file = path.display().to_string();
        match String::from_utf8(bytes) {
            Ok(text) => Input::parse_for(board, &file, &text),
            Err(error) => {
                let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
                let line = good.iter().filter(|byte| **byte == b'\n').count() + 1;
                let what = "not UTF-8 text; write other bytes as \"\\xNN\"".to_string();
                Err(InputError::Wrong { file, line, what })
            }
        }
    }

    /// Reads `text`, for a mote with any board; `file` is its name in messages.
    pub fn parse(file: &str, text: &str) -> Result<Input, InputError> {
        Input::parse_with(file, text, |_| Ok(()))
    }

    /// Reads `text`, for a mote with this board.
    pub(crate) fn parse_for(board: &Board, file: &str, text: &str) -> Result<Input, InputError> {
        Input::parse_with(file, text, |action| {
            action.check(board).map_err(|error| error.to_string())
        })
    }

    fn parse_with(
        file: &str,
        text: &str,
        check: impl Fn(&Action) -> Result<(), String>,
    ) -> Result<Input, InputError> {
        let mut input = Input::default();
        let folder = Path::new(file).parent().unwrap_or(Path::new(""));
        let mut pressed = BTreeMap::new();
        // Some editors begin a file with a mark of its encoding.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        for (index, line) in text.lines().enumerate() {
            let line = line.trim_end_matches('\r');
            if line.trim().is_empty() || line.trim_start().starts_with('#') {
                continue;
            }
            let read = parse_line(line, folder).and_then(|(time, action)| {
                check(&action)?;
                let idle = without_effect(&action, index + 1, &mut pressed);
                let what = idle.or_else(|| typed_command(line, folder, &check));
                if let Some(what) = what.or_else(|| typed_unit(line)) {
                    let origin = Origin { file: file.to_string(), line: Some(index + 1) };
                    input.warnings.push(Warning { origin, what });
                }
                input.script.append(time, action)
            });
            read.map_err(|what| InputError::Wrong {
                file: file.to_string(),
                line: index + 1,
                what,
            })?;
        }
        Ok(input)
    }

    /// The input whose line N is written at `origin_of(N)`.
    pub(crate) fn placed(mut self, origin_of: impl Fn(usize) -> Origin) -> Input {
        for warning in &mut self.warnings {
            warning.origin = origin_of(warning.origin.line.unwrap_or_default());
        }
        self
    }
}

fn parse_line(line: &str, folder: &Path) -> Result<(Time, Action), String> {
    let line = line.trim_start();
    let (time, rest) = line.split_once([' ', '\t']).unwrap_or((line, ""));
    let time = time.parse().map_err(|error: NoTime| error.to_string())?;
    Ok((time, parse_action(rest.trim_start(), folder)?))
}

/// A button that is pressed twice, or released without being pressed. `pressed` are the lines that pressed buttons.
fn without_effect(
    action: &Action,
    line: usize,
    pressed: &mut BTreeMap<String, usize>,
) -> Option<String> {
    match action {
        Action::Press(name) => pressed.insert(name.clone(), line).map(|since| {
            format!("{name} is pressed already, since line {since}: this changes nothing")
        }),
        Action::Release(name) if pressed.remove(name).is_none() => {
            Some(format!("{name} is not pressed: this changes nothing"))
        }
        _ => None,
    }
}

/// Text whose first word would be the unit of the time before it.
fn typed_unit(line: &str) -> Option<String> {
    let (time, text) = line.trim_start().split_once([' ', '\t'])?;
    let text = text.trim();
    let (unit, rest) = text.split_once([' ', '\t']).unwrap_or((text, ""));
    let is_number = time.ends_with(|c: char| c.is_ascii_digit() || c == '.');
    let is_unit =
        unit.chars().all(char::is_alphabetic) && format!("{time}{unit}").parse::<Time>().is_ok();
    (is_number && is_unit).then(|| {
        format!(
            "`{text}` is typed at {time} s; for {time}{unit}, write `{}`, and to type it without this warning, \"{text}\\n\"",
            format!("{time}{unit} {}", rest.trim_start()).trim_end()
        )
    })
}

/// Text that would be a command with a `!` before it.
fn typed_command(
    line: &str,
    folder: &Path,
    check: impl Fn(&Action) -> Result<(), String>,
) -> Option<String> {
    let (_, text) = line.trim_start().split_once([' ', '\t'])?;
    let text = text.trim();
    if text.starts_with(['"', '!']) {
        return None;
    }
    let command = parse_action(&format!("!{text}"), folder).ok()?;
    check(&command).ok()?;
    Some(format!(
        "`{text}` is typed as text; for the action write `!{text}`, and to type it without this warning, \"{text}\\n\""
    ))
}

fn parse_action(text: &str, folder: &Path) -> Result<Action, String> {
    if let Some(quoted) = text.strip_prefix('"') {
        return parse_quoted(quoted.trim_end()).map(Action::Type);
    }
    let Some(command) = text.strip_prefix('!') else {
        return Ok(Action::Type([text.as_bytes(), b"\n"].concat()));
    };
    let mut words = command.split_whitespace();
    let words: [Option<&str>; 4] = std::array::from_fn(|_| words.next());
    match words {
        [Some("press"), Some(name), None, None] => Ok(Action::Press(name.to_string())),
        [Some("release"), Some(name), None, None] => Ok(Action::Release(name.to_string())),
        [Some("reset"), None, None, None] => Ok(Action::Reset),
        [Some("part"), Some(name), Some(condition), None] => {
            let condition =
                condition.parse().map_err(|error: UnknownCondition| error.to_string())?;
            Ok(Action::Part { name: name.to_string(), condition })
        }
        [Some("power"), Some("on"), None, None] => Ok(Action::Power { on: true }),
        [Some("power"), Some("off"), None, None] => Ok(Action::Power { on: false }),
        [Some("load"), Some(file), whom, None] => load(&folder.join(file), whom),
        [Some("ps"), None, None, None] => Ok(Action::Host(Job::List)),
        [Some("start"), Some(name), None, None] => Ok(Action::Host(Job::Start(name.into()))),
        [Some("stop"), Some(name), None, None] => Ok(Action::Host(Job::Stop(name.into()))),
        [Some("remove"), Some(name), None, None] => Ok(Action::Host(Job::Remove(name.into()))),
        [Some("floor"), Some(name), None, None] => Ok(Action::Host(Job::Floor(name.into()))),
        _ => Err(format!(
            "`!{command}` is not a command; there are `!press NAME`, `!release NAME`, `!reset`, `!part NAME \
             CONDITION`, `!power off`, `!power on`, `!load FILE`, `!load FILE to-all`, `!ps`, `!start NAME`, `!stop NAME`, `!remove NAME` and \
             `!floor NAME` (to type a leading `!`, quote the text)"
        )),
    }
}

/// A program that is sent to the mote. What is wrong with the container the mote will say.
fn load(path: &Path, whom: Option<&str>) -> Result<Action, String> {
    let whom = match whom {
        None => Whom::Instance(0),
        Some("to-all") => Whom::All,
        Some(instance) => Whom::Instance(instance.parse().map_err(
            |_| "the instance of a program is a number from 0 to 255; `to-all` is for all motes",
        )?),
    };
    let container = bounded::read(path).map_err(|source| bounded::reason(path, &source))?;
    Ok(Action::Host(Job::Load { container, whom }))
}

/// Reads up to the closing quote; Rust's escapes for bytes are understood.
fn parse_quoted(text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    let unended = || "the quoted text does not end with `\"`".to_string();
    loop {
        match rest.next().ok_or_else(unended)? {
            b'"' => break,
            b'\\' => bytes.push(parse_escape(&mut rest)?),
            byte => bytes.push(byte),
        }
    }
    match rest.next() {
        None => Ok(bytes),
        Some(_) => Err("something follows the closing `\"`".to_string()),
    }
}

fn parse_escape(rest: &mut std::str::Bytes<'_>) -> Result<u8, String> {
    match rest.next() {
        Some(b'n') => Ok(b'\n'),
        Some(b'r') => Ok(b'\r'),
        Some(b't') => Ok(b'\t'),
        Some(byte @ (b'\\' | b'"' | b'\'')) => Ok(byte),
        Some(b'x') => {
            let mut digit = || rest.next().and_then(|byte| (byte as char).to_digit(16));
            match (digit(), digit()) {
                (Some(high), Some(low)) => Ok((high << 4 | low) as u8),
                _ => Err("`\\x` needs two hexadecimal digits, as in `\\x1b`".to_string()),
            }
        }
        _ => Err("unknown escape; there are \\n \\r \\t \\\\ \\\" and \\xNN".to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lichen_device::part::Condition;

    fn wrong(text: &str) -> String {
        Input::parse("in.txt", text).expect_err("wrong").to_string()
    }

    #[test]
    fn lines_are_times_and_what_happens_then() {
        let text = "# a comment\n\n0 ls\r\n1.5s \"a\\x03\\n\"\n1500ms !press sw0\n2 !release sw0\n3 !reset\n3 \n4 !part hdc1080 absent\n5 !power off\n6 !power on\n";
        let script = Input::parse("in.txt", text).expect("good").script;
        let expected = [
            (Time::ZERO, Action::Type(b"ls\n".to_vec())),
            (Time::from_ms(1_500), Action::Type(b"a\x03\n".to_vec())),
            (Time::from_ms(1_500), Action::Press("sw0".into())),
            (Time::from_s(2), Action::Release("sw0".into())),
            (Time::from_s(3), Action::Reset),
            (Time::from_s(3), Action::Type(b"\n".to_vec())),
            (
                Time::from_s(4),
                Action::Part { name: "hdc1080".into(), condition: Condition::Absent },
            ),
            (Time::from_s(5), Action::Power { on: false }),
            (Time::from_s(6), Action::Power { on: true }),
        ];
        assert_eq!(Input::parse("again", &script.to_string()).expect("good").script, script);
        assert_eq!(script.actions(), expected);
    }

    #[test]
    fn a_program_is_read_beside_the_file_that_names_it() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("a.lichen"), "bytes").expect("a file");
        let file = folder.path().join("in.txt").display().to_string();
        let text =
            "1 !load a.lichen\n2 !load a.lichen 7\n2 !load a.lichen to-all\n3 !ps\n4 !remove a.7\n";
        let script = Input::parse(&file, text).expect("good").script;
        let load = |whom| Job::Load { container: b"bytes".to_vec(), whom };
        let loads = [Whom::Instance(0), Whom::Instance(7), Whom::All].map(load);
        let jobs = loads.into_iter().chain([Job::List, Job::Remove("a.7".into())]);
        let found = script.actions().iter().map(|(_, action)| action.clone());
        assert_eq!(found.collect::<Vec<_>>(), jobs.map(Action::Host).collect::<Vec<_>>());
        assert!(
            wrong("1 !load missing.lichen").contains("in.txt:1: there is no file missing.lichen")
        );
        let numbered = Input::parse(&file, "1 !load a.lichen 256").expect_err("wrong").to_string();
        assert!(numbered.contains("a number from 0 to 255"), "{numbered}");
    }

    #[test]
    fn the_example_of_the_specification_is_a_script() {
        let page = include_str!("../../../doc/spec/input.md");
        let example = page.split("```text\n").nth(1).and_then(|rest| rest.split("```").next());
        let input = Input::parse("doc/spec/input.md", example.expect("an example"));
        assert_eq!(input.expect("good").script.actions().len(), 10);
    }

    #[test]
    fn a_recording_replays_to_the_unit_of_time() {
        let mut script = Script::default();
        script
            .append(Time::from_s(1) + Time::UNIT, Action::Type(b"\"\\\x00\xff\n'".to_vec()))
            .expect("order");
        script
            .append(Time::from_s(1) + Time::UNIT * 2, Action::Press("sw0".into()))
            .expect("order");
        assert_eq!(Input::parse("again", &script.to_string()).expect("good").script, script);
    }

    #[test]
    fn a_file_may_begin_with_a_mark_of_its_encoding() {
        let script = |text: &str| Input::parse("in.txt", text).expect("good").script;
        assert_eq!(script("\u{feff}1 hello\n"), script("1 hello\n"));
    }

    #[test]
    fn a_unit_that_stands_apart_is_warned_of() {
        let warnings = |text: &str| Input::parse("in.txt", text).expect("good").warnings;
        let [warning] = &warnings("5 s hello\n")[..] else { panic!("one warning") };
        let expected = "in.txt:1: `s hello` is typed at 5 s; for 5s, write `5s hello`, and to type it without this \
                        warning, \"s hello\\n\"";
        assert_eq!(warning.to_string(), expected);
        assert_eq!(warnings("1.5 ms\n").len(), 1);
        assert_eq!(warnings("5s s hello\n5 send s\n5 \"s hello\\n\"\n6 help\n"), []);
    }

    #[test]
    fn only_a_part_on_i2c_can_stretch_its_clock() {
        let boards = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../board");
        let board = Board::find(&boards, "hamilton").expect("a board");
        let check = |line: &str| Input::parse_for(&board, "in.txt", line);
        assert!(check("1 !part hdc1080 stretching").is_ok());
        assert!(check("1 !part apds-9007 absent").is_ok());
        assert_eq!(
            check("1 !part apds-9007 stretching").expect_err("it has no clock").to_string(),
            "in.txt:1: `apds-9007` cannot be stretching: it is connected by analog, and only a part on i2c can hold a \
             clock low"
        );
        assert!(check("1 !part at86rf233 stretching").is_err(), "nor can the radio");
    }

    #[test]
    fn lines_that_were_hardly_meant_are_named() {
        let text = "1 press sw0\n2 \"press sw0\"\n3 press the button\n4 !press sw0\n5 !press sw0\n6 !release sw0\n7 !release sw0\n";
        let input = Input::parse("in.txt", text).expect("good");
        let warnings: Vec<String> = input.warnings.iter().map(Warning::to_string).collect();
        assert_eq!(warnings.len(), 3, "{warnings:?}");
        assert!(warnings[0].starts_with(
            "in.txt:1: `press sw0` is typed as text; for the action write `!press sw0`"
        ));
        assert_eq!(
            warnings[1],
            "in.txt:5: sw0 is pressed already, since line 4: this changes nothing"
        );
        assert_eq!(warnings[2], "in.txt:7: sw0 is not pressed: this changes nothing");
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        assert!(wrong("1 a\n0.5 b\n").starts_with("in.txt:2: 0.500000 s is before 1.000000 s"));
        assert!(wrong("soon x").starts_with("in.txt:1: `soon` is not a time"));
        assert!(wrong("1y x").contains("`1y` is not a time"));
        assert!(wrong("-1 x").contains("`-1` is not a time"));
        assert!(wrong("1 \"abc").contains("does not end"));
        assert!(wrong("1 \"abc\" d").contains("follows"));
        assert!(wrong("1 \"\\q\"").contains("unknown escape"));
        assert!(wrong("1 \"\\x4\"").contains("two hexadecimal digits"));
        assert!(wrong("1 !hit sw0").contains("is not a command"));
        assert!(wrong("1 !power up").contains("is not a command"));
        assert!(wrong("1 !part x dead").contains("`dead` is not a condition of a part"));
        assert!(wrong("21351d x").contains("is too long"), "beyond 58 years");
    }
}
