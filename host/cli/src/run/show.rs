// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a mote does, as readable text: its console line by line, its LEDs, its warnings, each with
//! the simulated time.

use crate::failure::Failure;
use crate::screen::{Screen, out};
use lichen_chip::Time;
use lichen_device::board::Active;
use lichen_device::{Board, CONSOLE};
use lichen_project::Place;
use lichen_trace::{Error, Event, JsonLines, Kind, Picture, Sink, Vcd};
use lichen_world::{FaultEnd, PROBE, UnservedFault};
use std::collections::{BTreeMap, HashMap, HashSet};

/// A line without an end for this long is a prompt, and is shown as it is.
const PROMPT: Time = Time::from_ms(100);
/// A longer line is broken.
const LONGEST: usize = 1000;

/// Shows a mote's events, and writes them to files.
pub struct Show<'a> {
    screen: &'a Screen,
    json: Option<JsonLines>,
    vcd: Option<Vcd>,
    picture: Option<Picture>,
    /// Names of the levels of named pins: low, high.
    words: HashMap<String, [&'static str; 2]>,
    /// Characters of unfinished lines, by port, and when the first of them came.
    lines: BTreeMap<String, (Time, String)>,
    /// Lines about faults and panics. A repeated one, as at each system call or in a loop of
    /// resets, is only counted in the summary.
    told: HashSet<String>,
    /// The first panic.
    panic: Option<Problem>,
    /// The first warning.
    warning: Option<Problem>,
    has_spoken: bool,
}

/// Reasons for which a run fails.
struct Problem {
    time: Time,
    message: String,
    place: lichen_trace::Place,
}

impl<'a> Show<'a> {
    /// Shows motes of the given board.
    pub fn new(screen: &'a Screen, board: &Board) -> Show<'a> {
        let order = |active: Active, on, off| match active {
            Active::Low => [on, off],
            Active::High => [off, on],
        };
        let leds = board.leds.iter().map(|led| (led.name.clone(), order(led.active, "on", "off")));
        let buttons = board
            .buttons
            .iter()
            .map(|button| (button.name.clone(), order(button.active, "pressed", "released")));
        Show {
            screen,
            json: None,
            vcd: None,
            picture: None,
            words: leds.chain(buttons).collect(),
            lines: BTreeMap::new(),
            told: HashSet::new(),
            panic: None,
            warning: None,
            has_spoken: false,
        }
    }

    /// Also writes everything to the file of `--json`.
    pub fn write_events(&mut self, json: JsonLines) {
        self.json = Some(json);
    }

    /// Also writes everything to the file of `--vcd`.
    pub fn write_waveforms(&mut self, vcd: Vcd) {
        self.vcd = Some(vcd);
    }

    /// Also draws everything for the file of `--svg`.
    pub fn draw(&mut self, picture: Picture) {
        self.picture = Some(picture);
    }

    /// Prints what has waited long enough for the end of its line.
    pub fn end_of_slice(&mut self, now: Time) {
        let waiting: Vec<String> = self.lines.keys().cloned().collect();
        for port in waiting {
            if self.lines.get(&port).is_some_and(|(since, _)| now - *since >= PROMPT) {
                self.print_line(&port);
            }
        }
    }

    /// Prints what is left, and completes the files of a run that ended at `now`.
    pub fn finish(&mut self, now: Time) -> Result<(), Error> {
        while let Some(port) = self.lines.keys().next().cloned() {
            self.print_line(&port);
        }
        let waveforms = self.vcd.take().map_or(Ok(()), |vcd| vcd.finish(now));
        let picture = self.picture.take().map_or(Ok(()), |picture| picture.finish(now));
        self.json.take().map_or(Ok(()), JsonLines::finish).and(waveforms).and(picture)
    }

    /// Whether the mote has printed anything.
    pub fn has_spoken(&self) -> bool {
        self.has_spoken
    }

    /// Why the run fails: the first panic, or the fault from which the firmware did not recover,
    /// whichever came first; with `strict` also a warning.
    pub fn first_problem(&self, unserved: Option<&UnservedFault>, strict: bool) -> Option<Failure> {
        let fault = unserved.map(Problem::from);
        let crashes = fault.as_ref().into_iter().chain(&self.panic);
        let crash = crashes.min_by_key(|problem| problem.time);
        let problem = crash.or(self.warning.as_ref().filter(|_| strict))?;
        let message = &problem.message;
        let failure = Failure::failed(message)
            .remedy("the place is where it was noticed; --json FILE records what led to it");
        let place = &problem.place;
        Some(match (&place.file, place.line, place.pc) {
            (Some(file), Some(line), _) => failure.at(Place::line(file, line)),
            (_, _, Some(pc)) => {
                let symbol = place.symbol.as_ref().map(|s| format!(" ({s})")).unwrap_or_default();
                Failure { message: format!("{message} at 0x{pc:08x}{symbol}"), ..failure }
            }
            _ => failure,
        })
    }

    fn character(&mut self, port: &str, time: Time, data: u8) {
        self.has_spoken = true;
        if !self.lines.contains_key(port) {
            self.lines.insert(port.to_string(), (time, String::new()));
        }
        let Some((_, line)) = self.lines.get_mut(port) else { return };
        match data {
            b'\n' => return self.print_line(port),
            b'\r' => {}
            b'\t' | b' '..=b'~' => line.push(data as char),
            other => line.push_str(&format!("\\x{other:02x}")),
        }
        if line.len() >= LONGEST {
            self.print_line(port);
        }
    }

    fn print_line(&mut self, port: &str) {
        let Some((since, text)) = self.lines.remove(port) else { return };
        match port {
            CONSOLE | PROBE => self.print(since, &text),
            port => self.print(since, &format!("{}| {text}", self.screen.dim(port))),
        }
    }

    fn print(&self, time: Time, text: &str) {
        out!("{} {text}", self.screen.dim(&format!("{:>13}", time.to_string())));
    }

    fn pin(&self, time: Time, name: &str, level: Option<u8>) {
        let state = match (self.words.get(name), level) {
            (_, None) => "floats",
            (Some(words), Some(level)) => words[usize::from(level != 0)],
            (None, Some(0)) => "low",
            (None, Some(_)) => "high",
        };
        self.print(time, &self.screen.green(&format!("* {name} {state}")));
    }

    fn warn(&mut self, time: Time, what: &str, place: &lichen_trace::Place) {
        self.print(time, &format!("{} {what}, {place}", self.screen.yellow("warning:")));
        self.warning.get_or_insert_with(|| Problem {
            time,
            message: format!("warning: {what}"),
            place: place.clone(),
        });
    }

    /// Reports a failure at `place`, once.
    fn alarm(&mut self, time: Time, message: &str, place: &lichen_trace::Place) {
        let line = format!("! {message}, {place}");
        if !self.told.contains(&line) {
            self.print(time, &self.screen.red(&line));
            self.told.insert(line);
        }
    }
}

impl From<&UnservedFault> for Problem {
    fn from(fault: &UnservedFault) -> Problem {
        let what = match &fault.end {
            FaultEnd::Stuck => "and its handler did not recover".to_string(),
            FaultEnd::Reset(cause) => format!("and a reset ended its handler ({cause})"),
            FaultEnd::Lockup => "and the processor locked up".to_string(),
        };
        let message = format!("HardFault: {}, {what}", fault.reason);
        Problem { time: fault.time, message, place: fault.place.clone() }
    }
}

impl Sink for Show<'_> {
    fn event(&mut self, event: &Event) -> Result<(), Error> {
        if let Some(json) = &mut self.json {
            json.event(event)?;
        }
        if let Some(vcd) = &mut self.vcd {
            vcd.event(event)?;
        }
        if let Some(picture) = &mut self.picture {
            picture.event(event)?;
        }
        match &event.kind {
            Kind::Uart { port, dir: "out", data } => self.character(port, event.time, *data),
            Kind::Uart { .. } | Kind::Sleep { .. } | Kind::Wake { .. } => {}
            Kind::Exception { .. } | Kind::Thread { .. } | Kind::Pin { .. } => {}
            Kind::Gpio { name, level, .. } => self.pin(event.time, name, *level),
            Kind::Reset { cause } => {
                if event.time > Time::ZERO {
                    self.print(event.time, &self.screen.yellow(&format!("* reset: {cause}")));
                }
            }
            Kind::Panic { thread, reason, place } => {
                let (time, message) = (event.time, format!("panic in {thread}: {reason}"));
                self.alarm(time, &message, place);
                self.panic.get_or_insert(Problem { time, message, place: place.clone() });
            }
            Kind::Fault { reason, locked_up, place, .. } => {
                let what = if *locked_up { "locked up" } else { "HardFault" };
                self.alarm(event.time, &format!("{what}: {reason}"), place);
            }
            Kind::Warning { what, place } => self.warn(event.time, what, place),
        }
        Ok(())
    }
}
