// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a mote does, as a person reads it: its console line by line, its LEDs, its complaints, each
//! with the simulated time.

use crate::failure::Failure;
use crate::screen::{Screen, out};
use lichen_chip::Time;
use lichen_device::Board;
use lichen_device::board::Active;
use lichen_project::Place;
use lichen_trace::{Error, Event, JsonLines, Kind, Sink, Vcd};
use std::collections::{BTreeMap, HashMap};

/// A line that gets no end for so long is a prompt: it is shown as it is.
const PROMPT: Time = Time::from_ms(100);
/// A line that is longer is broken.
const LONGEST: usize = 1000;

/// Shows a mote's events, and writes them to files.
pub struct Show<'a> {
    screen: &'a Screen,
    json: Option<JsonLines>,
    vcd: Option<Vcd>,
    /// Words for the levels of named pins: low, high.
    words: HashMap<String, [&'static str; 2]>,
    /// Characters without a line's end yet, by port, and when the first of them came.
    lines: BTreeMap<String, (Time, String)>,
    problem: Option<Problem>,
    /// The first warning.
    warning: Option<Problem>,
    has_spoken: bool,
}

/// What ends a run badly.
struct Problem {
    message: String,
    place: lichen_trace::Place,
    locked_up: bool,
}

impl<'a> Show<'a> {
    /// Shows motes of kind `board`.
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
            words: leds.chain(buttons).collect(),
            lines: BTreeMap::new(),
            problem: None,
            warning: None,
            has_spoken: false,
        }
    }

    /// Writes everything to the file of `--json`, too.
    pub fn write_events(&mut self, json: JsonLines) {
        self.json = Some(json);
    }

    /// Writes everything to the file of `--vcd`, too.
    pub fn write_waveforms(&mut self, vcd: Vcd) {
        self.vcd = Some(vcd);
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
        self.json.take().map_or(Ok(()), JsonLines::finish).and(waveforms)
    }

    /// Whether the mote has printed anything.
    pub fn has_spoken(&self) -> bool {
        self.has_spoken
    }

    /// The panic or fault that the run ends with, if there was one; with `strict` also a warning.
    pub fn first_problem(&self, strict: bool) -> Option<Failure> {
        let warning = self.warning.as_ref().filter(|_| strict);
        let problem = self.problem.as_ref().or(warning)?;
        let message = match problem.locked_up && !problem.message.starts_with("locked up") {
            true => format!("{}, and the processor locked up", problem.message),
            false => problem.message.clone(),
        };
        let failure = Failure::failed(&message)
            .remedy("the place is where it was noticed; --json FILE keeps what led to it");
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
        self.print(since, &text);
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
            message: format!("warning: {what}"),
            place: place.clone(),
            locked_up: false,
        });
    }

    fn fail(&mut self, time: Time, message: String, place: &lichen_trace::Place) {
        self.print(time, &self.screen.red(&format!("! {message}, {place}")));
        self.problem.get_or_insert(Problem { message, place: place.clone(), locked_up: false });
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
                self.fail(event.time, format!("panic in {thread}: {reason}"), place);
            }
            Kind::Fault { reason, locked_up: false, place, .. } => {
                self.fail(event.time, format!("HardFault: {reason}"), place);
            }
            Kind::Fault { reason, place, .. } => {
                self.fail(event.time, format!("locked up: {reason}"), place);
                if let Some(problem) = &mut self.problem {
                    problem.locked_up = true;
                }
            }
            Kind::Warning { what, place } => self.warn(event.time, what, place),
        }
        Ok(())
    }
}
