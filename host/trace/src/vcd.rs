// SPDX-License-Identifier: MIT OR Apache-2.0
//! Waveforms: a run as a Value Change Dump (IEEE 1364, "Value change dump files"), which GTKWave and
//! Surfer show.
//!
//! Every mote is a module. Its pins are wires; values with a name rather than a level (sleep mode,
//! active interrupt, running thread, the latest character of a serial line) are strings, an
//! extension of the format that both viewers know. A character may equal the one before, so each
//! line also has a `_strobe` that marks the moment of every character. The current is a real number.
//!
//! Changes are written as they occur, so memory does not grow with the length of the run.

use crate::{Error, Event, Kind, Sink};
use lichen_chip::Time;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use vcd::{IdCode, SimulationCommand, TimescaleUnit, Value, VarType, Writer};

/// The signals of one mote.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signals {
    /// Number of the mote.
    pub mote: u32,
    /// Its name.
    pub name: String,
    /// Names of pins.
    pub pins: Vec<String>,
    /// Names of serial ports.
    pub ports: Vec<String>,
    /// Whether its threads are known.
    pub threads: bool,
}

/// Writes events to a file of waveforms. Call [`Vcd::finish`] at the end: only then is everything
/// written, or known to be lost.
pub struct Vcd {
    path: PathBuf,
    writer: Writer<BufWriter<File>>,
    /// Variables by mote and name.
    variables: HashMap<(u32, String), IdCode>,
    /// Time that the file has reached, in its units.
    written: Option<u64>,
}

impl Vcd {
    /// Creates the file at `path`, or empties it, for motes with these `signals`.
    pub fn create(path: &Path, signals: &[Signals]) -> Result<Vcd, Error> {
        let file = File::create(path)
            .map_err(|source| Error::Create { path: path.to_path_buf(), source })?;
        let mut vcd = Vcd {
            path: path.to_path_buf(),
            writer: Writer::new(BufWriter::with_capacity(1 << 16, file)),
            variables: HashMap::new(),
            written: None,
        };
        vcd.header(signals).map_err(|source| vcd.lost(source))?;
        Ok(vcd)
    }

    /// Extends the waveforms to `end`, and writes what is still buffered.
    pub fn finish(mut self, end: Time) -> Result<(), Error> {
        let written = self.at(end).and_then(|()| self.writer.flush());
        written.map_err(|source| self.lost(source))
    }

    fn lost(&self, source: io::Error) -> Error {
        Error::Write { path: self.path.clone(), source }
    }

    fn header(&mut self, signals: &[Signals]) -> io::Result<()> {
        self.writer.version(concat!("lichen ", env!("CARGO_PKG_VERSION")))?;
        self.writer.timescale(1, TimescaleUnit::NS)?;
        for of_mote in signals {
            self.writer.add_module(&of_mote.name)?;
            self.declare(of_mote)?;
            self.writer.upscope()?;
        }
        self.writer.enddefinitions()?;
        self.at(Time::ZERO)?;
        self.writer.begin(SimulationCommand::Dumpvars)?;
        for of_mote in signals {
            self.initialise(of_mote)?;
        }
        self.writer.end()
    }

    fn declare(&mut self, signals: &Signals) -> io::Result<()> {
        let Signals { mote, name: _, pins, ports, threads } = signals;
        for pin in pins {
            self.variable(*mote, pin.clone(), VarType::Wire)?;
        }
        for port in ports {
            for line in [line(port, "out"), line(port, "in")] {
                self.variable(*mote, strobe(&line), VarType::Event)?;
                self.variable(*mote, line, VarType::String)?;
            }
        }
        self.variable(*mote, SLEEP.to_string(), VarType::String)?;
        self.variable(*mote, INTERRUPT.to_string(), VarType::String)?;
        self.variable(*mote, CURRENT.to_string(), VarType::Real)?;
        if *threads {
            self.variable(*mote, THREAD.to_string(), VarType::String)?;
        }
        Ok(())
    }

    fn variable(&mut self, mote: u32, name: String, kind: VarType) -> io::Result<()> {
        let code = self.writer.add_var(kind, 1, &word(&name), None)?;
        self.variables.insert((mote, name), code);
        Ok(())
    }

    /// Gives every variable a value, as a viewer expects.
    fn initialise(&mut self, signals: &Signals) -> io::Result<()> {
        let mote = signals.mote;
        for pin in &signals.pins {
            self.scalar(mote, pin, Value::X)?;
        }
        for port in &signals.ports {
            self.text(mote, &line(port, "out"), NONE)?;
            self.text(mote, &line(port, "in"), NONE)?;
        }
        for name in [SLEEP, INTERRUPT, THREAD] {
            self.text(mote, name, NONE)?;
        }
        self.number(mote, CURRENT, 0.0)
    }

    /// The following changes happen at `time`.
    fn at(&mut self, time: Time) -> io::Result<()> {
        let time = time.ns();
        if self.written.is_some_and(|written| written >= time) {
            return Ok(());
        }
        self.written = Some(time);
        self.writer.timestamp(time)
    }

    fn scalar(&mut self, mote: u32, name: &str, value: Value) -> io::Result<()> {
        match self.variables.get(&(mote, name.to_string())) {
            Some(code) => self.writer.change_scalar(*code, value),
            None => Ok(()),
        }
    }

    fn number(&mut self, mote: u32, name: &str, value: f64) -> io::Result<()> {
        match self.variables.get(&(mote, name.to_string())) {
            Some(code) => self.writer.change_real(*code, value),
            None => Ok(()),
        }
    }

    fn text(&mut self, mote: u32, name: &str, value: &str) -> io::Result<()> {
        match self.variables.get(&(mote, name.to_string())) {
            Some(code) => self.writer.change_string(*code, &word(value)),
            None => Ok(()),
        }
    }

    fn write(&mut self, event: &Event) -> io::Result<()> {
        self.at(event.time)?;
        let mote = event.mote;
        match &event.kind {
            Kind::Gpio { name, level, .. } | Kind::Pin { name, level } => {
                let value = level.map_or(Value::Z, |level| (level != 0).into());
                self.scalar(mote, name, value)
            }
            Kind::Uart { port, dir, data } => {
                let line = line(port, dir);
                self.text(mote, &line, &character(*data))?;
                self.scalar(mote, &strobe(&line), Value::V1)
            }
            Kind::Sleep { mode } => self.text(mote, SLEEP, mode),
            Kind::Wake { .. } => self.text(mote, SLEEP, NONE),
            Kind::Exception { name } => self.text(mote, INTERRUPT, name.unwrap_or(NONE)),
            Kind::Thread { name } => self.text(mote, THREAD, name),
            Kind::Reset { .. } => {
                [SLEEP, INTERRUPT, THREAD].iter().try_for_each(|name| self.text(mote, name, NONE))
            }
            Kind::Power { on } => {
                let state = if *on { NONE } else { OFF };
                [SLEEP, INTERRUPT, THREAD].iter().try_for_each(|name| self.text(mote, name, state))
            }
            Kind::Panic { .. }
            | Kind::Fault { .. }
            | Kind::Warning { .. }
            | Kind::Condition { .. } => Ok(()),
            Kind::Activity { .. } | Kind::Processor { .. } => Ok(()),
            Kind::Current { whole_fa, .. } => self.number(mote, CURRENT, *whole_fa as f64 / 1e9),
        }
    }
}

impl Sink for Vcd {
    fn event(&mut self, event: &Event) -> Result<(), Error> {
        self.write(event).map_err(|source| self.lost(source))
    }
}

/// The value of a string when there is nothing to name, since an empty one is not a word.
const NONE: &str = "-";
/// The value of a string while the mote is not powered.
const OFF: &str = "off";
/// Names of the variables that every mote has.
const SLEEP: &str = "sleep";
const INTERRUPT: &str = "interrupt";
const THREAD: &str = "thread";
/// What the mote draws, in microamperes.
const CURRENT: &str = "current_ua";

fn line(port: &str, direction: &str) -> String {
    format!("{port}_{direction}")
}

fn strobe(line: &str) -> String {
    format!("{line}_strobe")
}

/// `text` as one word, as names and strings of the format must be.
fn word(text: &str) -> String {
    text.chars().map(|c| if c.is_whitespace() { '_' } else { c }).collect()
}

/// A character as a waveform shows it; control characters by their ASCII names.
fn character(data: u8) -> String {
    match data {
        b'\n' => "LF".to_string(),
        b'\r' => "CR".to_string(),
        b'\t' => "TAB".to_string(),
        b' ' => "SP".to_string(),
        b'!'..=b'~' => char::from(data).to_string(),
        other => format!("\\x{other:02x}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;
    use vcd::{Command, Parser};

    fn signals() -> Signals {
        Signals {
            mote: 0,
            name: "mote0".into(),
            pins: vec!["led0".into()],
            ports: vec!["console".into()],
            threads: true,
        }
    }

    fn file(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("lichen-{}-{name}", std::process::id()))
    }

    fn event(nanoseconds: u64, kind: Kind) -> Event {
        Event { time: Time::from_ns(nanoseconds), cycle: 0, mote: 0, kind }
    }

    /// Changes that a reader of the file sees after its header: time, variable, value.
    fn changes(path: &Path) -> Vec<(u64, String, String)> {
        let mut parser = Parser::new(BufReader::new(File::open(path).expect("a file")));
        let header = parser.parse_header().expect("a header");
        let scope = header.find_scope(&["mote0"]).expect("the mote").clone();
        let name = |id| {
            let of = |item: &vcd::ScopeItem| match item {
                vcd::ScopeItem::Var(var) if var.code == id => Some(var.reference.clone()),
                _ => None,
            };
            scope.items.iter().find_map(of).expect("declared")
        };
        let mut now = 0;
        let mut changes = Vec::new();
        for command in parser {
            match command.expect("a command") {
                Command::Timestamp(time) => now = time,
                Command::ChangeScalar(id, value) => {
                    changes.push((now, name(id), value.to_string()))
                }
                Command::ChangeString(id, value) => changes.push((now, name(id), value)),
                _ => {}
            }
        }
        changes.push((now, "end".into(), String::new()));
        changes
    }

    #[test]
    fn a_reader_finds_every_change_at_its_time() {
        let path = file("changes.vcd");
        let mut vcd = Vcd::create(&path, &[signals()]).expect("a file");
        let gpio =
            |level| Kind::Gpio { pin: "PA19".parse().expect("a pin"), name: "led0".into(), level };
        let uart = |data| Kind::Uart { port: "console".into(), dir: "out", data };
        for event in [
            event(5, gpio(Some(1))),
            event(5, uart(b' ')),
            event(7, Kind::Sleep { mode: "standby" }),
            event(8, Kind::Wake { cause: "RTC" }),
            event(8, Kind::Exception { name: Some("RTC") }),
            event(9, Kind::Thread { name: "red blinker".into() }),
            event(9, gpio(None)),
        ] {
            vcd.event(&event).expect("written");
        }
        vcd.finish(Time::from_ns(20)).expect("written");
        let seen = changes(&path);
        std::fs::remove_file(&path).expect("removed");
        let expected = [
            (5, "led0", "1"),
            (5, "console_out", "SP"),
            (5, "console_out_strobe", "1"),
            (7, "sleep", "standby"),
            (8, "sleep", "-"),
            (8, "interrupt", "RTC"),
            (9, "thread", "red_blinker"),
            (9, "led0", "z"),
            (20, "end", ""),
        ];
        let first = seen.iter().position(|(time, ..)| *time > 0).expect("changes");
        let seen: Vec<(u64, &str, &str)> = seen[first..]
            .iter()
            .map(|(t, name, value)| (*t, name.as_str(), value.as_str()))
            .collect();
        assert_eq!(seen, expected);
    }

    #[test]
    fn unknown_signals_are_left_out() {
        let path = file("unknown.vcd");
        let mut vcd = Vcd::create(&path, &[Signals { name: "mote0".into(), ..Signals::default() }])
            .expect("a file");
        let kind =
            Kind::Gpio { pin: "PA01".parse().expect("a pin"), name: "led9".into(), level: Some(1) };
        vcd.event(&event(1, kind)).expect("written");
        vcd.event(&event(1, Kind::Thread { name: "main".into() })).expect("written");
        vcd.finish(Time::ZERO).expect("written");
        let seen = changes(&path);
        std::fs::remove_file(&path).expect("removed");
        assert_eq!(seen.last(), Some(&(1, "end".to_string(), String::new())));
        assert!(seen.iter().all(|(_, name, _)| name != "led9" && name != "thread"), "{seen:?}");
    }

    #[test]
    fn characters_are_words() {
        let shown: Vec<String> = b"a \n\r\t\x00\xff".iter().map(|data| character(*data)).collect();
        assert_eq!(shown, ["a", "SP", "LF", "CR", "TAB", "\\x00", "\\xff"]);
    }

    #[test]
    fn a_full_disk_is_an_error() {
        let full = Path::new("/dev/full");
        if !full.exists() {
            return;
        }
        let vcd = Vcd::create(full, &[signals()]).expect("a device");
        let error = vcd.finish(Time::ZERO).expect_err("full");
        assert!(error.to_string().starts_with("cannot write /dev/full:"), "{error}");
    }

    #[test]
    fn a_missing_folder_is_named() {
        let error = Vcd::create(Path::new("/nowhere/at/all.vcd"), &[]).err().expect("no folder");
        assert!(error.to_string().starts_with("cannot create /nowhere/at/all.vcd:"), "{error}");
    }
}
