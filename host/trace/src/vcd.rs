// SPDX-License-Identifier: MIT OR Apache-2.0
//! Waveforms: a run as a Value Change Dump (IEEE 1364, "Value change dump files"), which GTKWave,
//! Surfer, PulseView and other readers show.
//!
//! Every mote is a module. Its pins are wires, and the current is a real number. Values with a name rather than a
//! level (sleep mode, active interrupt, running thread) are numbers, which the tables beside the file name: the
//! format has no strings. The latest character of a serial line is a byte. It may equal the one before, so each line
//! also has a `_strobe` that marks the moment of every character.
//!
//! Changes are written as they occur, so memory does not grow with the length of the run.

mod names;
#[cfg(test)]
mod tests;

use crate::{Error, Event, Kind, Sink};
use lichen_chip::Time;
use names::{Names, Show, Shown};
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use vcd::{IdCode, ReferenceIndex, SimulationCommand, TimescaleUnit, Value, VarType, Writer};

/// The signals of one mote.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signals {
    /// Number of the mote.
    pub mote: u32,
    /// Its name.
    pub name: String,
    /// Names of pins.
    pub pins: Vec<String>,
    /// Names of further pins, which a viewer does not show unless it is told to.
    pub free_pins: Vec<String>,
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
    /// Numbers of values that have names.
    names: Names,
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
            names: Names::beside(path, &shown(signals))?,
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
            self.writer.add_module(&word(&of_mote.name))?;
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
        let Signals { mote, name: _, pins, free_pins, ports, threads } = signals;
        for pin in pins {
            self.variable(*mote, pin.clone(), (VarType::Wire, 1))?;
        }
        for port in ports {
            for line in [line(port, "out"), line(port, "in")] {
                self.variable(*mote, strobe(&line), (VarType::Event, 1))?;
                self.variable(*mote, line, (VarType::Reg, BYTE))?;
            }
        }
        self.variable(*mote, SLEEP.to_string(), (VarType::Reg, NAMED))?;
        self.variable(*mote, INTERRUPT.to_string(), (VarType::Reg, NAMED))?;
        self.variable(*mote, CURRENT.to_string(), (VarType::Real, 64))?;
        if *threads {
            self.variable(*mote, THREAD.to_string(), (VarType::Reg, NAMED))?;
        }
        if !free_pins.is_empty() {
            self.writer.add_module(FREE_PINS)?;
            for pin in free_pins {
                self.variable(*mote, pin.clone(), (VarType::Wire, 1))?;
            }
            self.writer.upscope()?;
        }
        Ok(())
    }

    /// Declares a variable of such a type with so many bits.
    fn variable(
        &mut self,
        mote: u32,
        name: String,
        (kind, bits): (VarType, u32),
    ) -> io::Result<()> {
        let range = (kind == VarType::Reg).then(|| ReferenceIndex::Range(bits as i32 - 1, 0));
        let code = self.writer.add_var(kind, bits, &word(&name), range)?;
        self.variables.insert((mote, name), code);
        Ok(())
    }

    /// Gives every variable a value, as a viewer expects.
    fn initialise(&mut self, signals: &Signals) -> io::Result<()> {
        let mote = signals.mote;
        for pin in signals.pins.iter().chain(&signals.free_pins) {
            self.scalar(mote, pin, Value::X)?;
        }
        for port in &signals.ports {
            for line in [line(port, "out"), line(port, "in")] {
                self.vector(mote, &line, &[Value::X; BYTE as usize])?;
            }
        }
        for variable in [SLEEP, INTERRUPT, THREAD] {
            self.name(mote, variable, NONE)?;
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

    fn vector(&mut self, mote: u32, name: &str, value: &[Value]) -> io::Result<()> {
        match self.variables.get(&(mote, name.to_string())) {
            Some(code) => self.writer.change_vector(*code, value.iter().copied()),
            None => Ok(()),
        }
    }

    /// The number of what is called `value`.
    fn name(&mut self, mote: u32, variable: &str, value: &str) -> io::Result<()> {
        let number = self.names.number(value)?;
        self.vector(mote, variable, &bits::<{ NAMED as usize }>(number.into()))
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
                self.vector(mote, &line, &bits::<{ BYTE as usize }>((*data).into()))?;
                self.scalar(mote, &strobe(&line), Value::V1)
            }
            Kind::Sleep { mode } => self.name(mote, SLEEP, mode),
            Kind::Wake { .. } => self.name(mote, SLEEP, NONE),
            Kind::Exception { name } => self.name(mote, INTERRUPT, name.unwrap_or(NONE)),
            Kind::Thread { name } => self.name(mote, THREAD, name),
            Kind::Reset { .. } => {
                [SLEEP, INTERRUPT, THREAD].iter().try_for_each(|name| self.name(mote, name, NONE))
            }
            Kind::Power { on } => {
                let state = if *on { NONE } else { OFF };
                [SLEEP, INTERRUPT, THREAD].iter().try_for_each(|name| self.name(mote, name, state))
            }
            Kind::Panic { .. }
            | Kind::Fault { .. }
            | Kind::Warning { .. }
            | Kind::Sent { .. }
            | Kind::Heard { .. }
            | Kind::Arrives { .. }
            | Kind::Condition { .. }
            | Kind::Host { .. } => Ok(()),
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

/// Bits of a character, and of the number of a name.
const BYTE: u32 = 8;
const NAMED: u32 = 16;
/// The name for nothing: no interrupt, no thread, no sleep.
const NONE: &str = "-";
/// The name while the mote is not powered.
const OFF: &str = "off";
/// The module of pins that nothing on the board is at.
const FREE_PINS: &str = "free_pins";
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

/// `text` as an identifier of the format (IEEE 1364, 3.7): letters, digits, `_` and `$`.
fn word(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_alphanumeric() || c == '$' { c } else { '_' }).collect()
}

/// A number as bits, the highest first.
fn bits<const N: usize>(number: u32) -> [Value; N] {
    std::array::from_fn(|bit| (number >> (N - 1 - bit) & 1 != 0).into())
}

/// What a viewer shows, and how.
fn shown(signals: &[Signals]) -> Vec<Shown> {
    let mut all = Vec::new();
    for Signals { mote: _, name, pins, free_pins: _, ports, threads } in signals {
        let mut add = |variable: &str, show| {
            all.push(Shown { variable: format!("{}.{}", word(name), word(variable)), show });
        };
        add(CURRENT, Show::Curve);
        if *threads {
            add(THREAD, Show::Name(NAMED));
        }
        add(INTERRUPT, Show::Name(NAMED));
        add(SLEEP, Show::Name(NAMED));
        for port in ports {
            add(&line(port, "out"), Show::Text(BYTE));
            add(&line(port, "in"), Show::Text(BYTE));
        }
        pins.iter().for_each(|pin| add(pin, Show::Level));
    }
    all
}
