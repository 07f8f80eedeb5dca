// SPDX-License-Identifier: MIT OR Apache-2.0
//! A run as a trace of track events, which ui.perfetto.dev and Perfetto's trace processor read.
//!
//! Each mote is a process. Its tracks are what the processor does, its interrupts, its threads, the states
//! of its components, its pins, the lines of its serial ports, what it complains about, and counters of the
//! current. Interrupts that preempt others are slices within theirs. Changes are written as they occur, so
//! memory does not grow with the length of a run. Times are in nanoseconds.

mod schema;
mod tracks;

use crate::{Drawn, Error, Event, Kind, On, Sink};
use lichen_chip::{OFF, Time};
use std::collections::BTreeMap;
use std::path::Path;
use tracks::{Group, Track, Tracks};

/// The processor, and its state while it executes.
const CPU: &str = "CPU";
const ACTIVE: &str = "active";
/// A line of text is broken after so many characters, and after a pause of this length.
const LONGEST: usize = 200;
const PAUSE: Time = Time::from_ms(100);

/// Writes events and currents to a file. Call [`Perfetto::finish`] at the end: only then is everything
/// written, or known to be lost.
pub struct Perfetto {
    tracks: Tracks,
    motes: BTreeMap<u32, Mote>,
}

/// What a mote does.
#[derive(Debug, Default)]
struct Mote {
    /// The exceptions that are active, the innermost last.
    exceptions: Vec<&'static str>,
    thread: Option<String>,
    is_awake: bool,
    /// Unfinished lines by port and direction.
    lines: BTreeMap<String, Line>,
    /// When its LEDs and buttons are on.
    on: BTreeMap<String, On>,
}

/// Characters of a serial port since the last line ended.
#[derive(Debug)]
struct Line {
    from: Time,
    to: Time,
    text: Vec<u8>,
}

impl Perfetto {
    /// Creates the file at `path`, or empties it.
    pub fn create(path: &Path) -> Result<Perfetto, Error> {
        Ok(Perfetto { tracks: Tracks::create(path)?, motes: BTreeMap::new() })
    }

    /// Adds a mote.
    pub fn add(&mut self, drawn: Drawn) -> Result<(), Error> {
        let Drawn { mote, title, thread, on, .. } = drawn;
        self.tracks.add_process(mote, &title)?;
        self.motes.insert(mote, Mote { thread, on, ..Mote::default() });
        Ok(())
    }

    /// Ends everything at `end`, and writes what is still buffered.
    pub fn finish(mut self, end: Time) -> Result<(), Error> {
        for (number, mote) in &mut self.motes {
            for (port, line) in std::mem::take(&mut mote.lines) {
                write_line(&mut self.tracks, (*number, &port), line)?;
            }
        }
        self.tracks.finish(end)
    }

    fn pin(
        &mut self,
        (time, mote): (Time, u32),
        name: &str,
        level: Option<u8>,
    ) -> Result<(), Error> {
        let track = Track { mote, group: Group::Pin, name };
        let on = self.motes.get(&mote).and_then(|mote| mote.on.get(name)).unwrap_or(&On::HIGH);
        self.tracks.switch(time, track, (level == Some(on.level)).then_some(on.word))
    }

    fn instant(&mut self, (time, mote): (Time, u32), text: &str) -> Result<(), Error> {
        self.tracks.instant(time, Track { mote, group: Group::Message, name: "messages" }, text)
    }

    fn does(
        &mut self,
        at: (Time, u32),
        (component, state): (&str, &str),
        hz: u64,
    ) -> Result<(), Error> {
        let (time, mote) = at;
        if component != CPU {
            let track = Track { mote, group: Group::Component, name: component };
            return self.tracks.switch(time, track, (state != OFF).then_some(state));
        }
        let track = Track { mote, group: Group::Processor, name: "processor" };
        let is_awake = state == ACTIVE;
        let text = match is_awake {
            true => format!("{state}, {}.{:03} MHz", hz / 1_000_000, hz / 1_000 % 1_000),
            false => state.to_string(),
        };
        self.tracks.switch(time, track, (state != OFF).then_some(text.as_str()))?;
        let Some(known) = self.motes.get_mut(&mote) else { return Ok(()) };
        known.is_awake = is_awake;
        let thread = known.thread.clone();
        thread.map_or(Ok(()), |thread| self.thread(at, &thread, is_awake))
    }

    fn thread(&mut self, (time, mote): (Time, u32), name: &str, runs: bool) -> Result<(), Error> {
        let track = Track { mote, group: Group::Thread, name };
        self.tracks.switch(time, track, runs.then_some("runs"))
    }

    fn another_thread(&mut self, at: (Time, u32), name: Option<&str>) -> Result<(), Error> {
        let Some(mote) = self.motes.get_mut(&at.1) else { return Ok(()) };
        let is_awake = mote.is_awake;
        let before = std::mem::replace(&mut mote.thread, name.map(str::to_string));
        if let Some(before) = before {
            self.thread(at, &before, false)?;
        }
        name.map_or(Ok(()), |name| self.thread(at, name, is_awake))
    }

    /// One exception after another preempts it, unless it is the one that was preempted before.
    fn exception(
        &mut self,
        (time, mote): (Time, u32),
        name: Option<&'static str>,
    ) -> Result<(), Error> {
        let track = Track { mote, group: Group::Interrupt, name: "interrupts" };
        let Some(Mote { exceptions, .. }) = self.motes.get_mut(&mote) else { return Ok(()) };
        let preempted = exceptions.len().checked_sub(2).map(|at| exceptions[at]);
        match name {
            Some(name) if preempted == Some(name) => {
                exceptions.pop();
                self.tracks.end(time, track)
            }
            Some(name) => {
                exceptions.push(name);
                self.tracks.begin(time, track, name)
            }
            None => {
                let count = std::mem::take(exceptions).len();
                (0..count).try_for_each(|_| self.tracks.end(time, track))
            }
        }
    }

    fn character(&mut self, (time, mote): (Time, u32), port: &str, data: u8) -> Result<(), Error> {
        let Some(of_mote) = self.motes.get_mut(&mote) else { return Ok(()) };
        let is_over = |line: &Line| line.text.len() >= LONGEST || time - line.to >= PAUSE;
        if let Some(line) =
            of_mote.lines.get(port).is_some_and(is_over).then(|| of_mote.lines.remove(port))
        {
            line.map_or(Ok(()), |line| write_line(&mut self.tracks, (mote, port), line))?;
        }
        let line = of_mote.lines.entry(port.to_string());
        let line = line.or_insert_with(|| Line { from: time, to: time, text: Vec::new() });
        line.to = time;
        if !matches!(data, b'\r' | b'\n') {
            line.text.push(data);
        }
        match of_mote.lines.remove(port) {
            Some(line) if data == b'\n' => write_line(&mut self.tracks, (mote, port), line),
            Some(line) => {
                of_mote.lines.insert(port.to_string(), line);
                Ok(())
            }
            None => Ok(()),
        }
    }

    fn current(
        &mut self,
        (time, mote): (Time, u32),
        component: &str,
        fa: [u128; 2],
    ) -> Result<(), Error> {
        let [own, whole] = fa.map(|fa| fa as f64 / 1e9);
        let track = |group, name| Track { mote, group, name };
        self.tracks.count(time, track(Group::Current, "current"), whole)?;
        self.tracks.count(time, track(Group::OwnCurrent, component), own)
    }
}

/// A line of a port as a slice, from its first to its last character.
fn write_line(tracks: &mut Tracks, (mote, port): (u32, &str), line: Line) -> Result<(), Error> {
    let track = Track { mote, group: Group::Serial, name: port };
    let text = crate::shown(&line.text);
    let text = if text.is_empty() { "(empty line)" } else { &text };
    tracks.begin(line.from, track, text)?;
    tracks.end(line.to, track)
}

impl Sink for Perfetto {
    fn event(&mut self, event: &Event) -> Result<(), Error> {
        if !self.motes.contains_key(&event.mote) {
            return Ok(());
        }
        let at = (event.time, event.mote);
        match &event.kind {
            Kind::Uart { port, dir, data } => self.character(at, &format!("{port} {dir}"), *data),
            Kind::Gpio { name, level, .. } | Kind::Pin { name, level } => {
                self.pin(at, name, *level)
            }
            Kind::Wake { cause } => {
                let track = Track { mote: at.1, group: Group::Processor, name: "processor" };
                self.tracks.instant(at.0, track, &format!("woken by {cause}"))
            }
            Kind::Sleep { .. } | Kind::Processor { .. } | Kind::Arrives { .. } => Ok(()),
            Kind::Activity { component, state, hz, .. } => self.does(at, (component, state), *hz),
            Kind::Exception { name } => self.exception(at, *name),
            Kind::Thread { name } => self.another_thread(at, Some(name)),
            Kind::Current { component, fa, whole_fa } => {
                self.current(at, component, [fa.unwrap_or(0), *whole_fa])
            }
            Kind::Reset { cause } => {
                self.exception(at, None)?;
                self.another_thread(at, None)?;
                self.instant(at, &format!("reset: {cause}"))
            }
            Kind::Power { on } => {
                self.exception(at, None)?;
                self.another_thread(at, None)?;
                self.instant(at, if *on { "power on" } else { "power off" })
            }
            Kind::Condition { device, condition } => {
                self.instant(at, &format!("{device} {condition}"))
            }
            Kind::Host { what } => self.instant(at, what),
            Kind::Sent { frame } => self.instant(at, &format!("sent {} bytes", frame.bytes.len())),
            Kind::Heard { frame, sender, fate, .. } => {
                let bytes = frame.bytes.len();
                self.instant(at, &format!("{bytes} bytes of mote {sender} {fate}"))
            }
            Kind::Panic { thread, reason, place, .. } => {
                self.instant(at, &format!("panic in {thread}: {reason}, {place}"))
            }
            Kind::Fault { name, reason, place, .. } => {
                self.instant(at, &format!("{name}: {reason}, {place}"))
            }
            Kind::Warning { what, place } => self.instant(at, &format!("warning: {what}, {place}")),
        }
    }
}
