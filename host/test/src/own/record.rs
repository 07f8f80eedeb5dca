// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the motes of a test did, as far as its expectations ask.

use super::case::{EventKind, Source};
use crate::Report;
use crate::transcript::report;
use lichen_board::{Active, Board};
use lichen_chip::Time;
use lichen_energy::Account;
use lichen_load::{Item, Separator};
use lichen_trace::{Error, Event, Kind, Place, Sink};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Something that happened to a mote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Moment {
    pub time: Time,
    pub source: Source,
    /// The line, the level, or what the event says.
    pub text: String,
}

/// Something that no mote should do.
#[derive(Clone, Debug)]
pub(super) struct Failure {
    pub time: Time,
    pub kind: EventKind,
    /// What the event says.
    pub text: String,
    pub report: Report,
}

/// More failures of a mote are not kept.
const MOST_FAILURES: usize = 1000;

/// What one mote did.
#[derive(Debug, Default)]
pub(super) struct Done {
    /// In the order of time.
    pub moments: Vec<Moment>,
    /// Panics, faults, warnings, and resets that the input has not caused, the first of them, in the order of time.
    pub failures: Vec<Failure>,
    /// How many such resets.
    pub resets: u64,
    /// Warnings of what is wrong when the test ends, which are no events.
    pub warnings_at_end: u64,
    /// Lines that have not ended, by port, and when their last character came.
    open: BTreeMap<Arc<str>, (Vec<u8>, Time)>,
    /// Frames of the loader are not kept.
    separators: BTreeMap<Arc<str>, Separator>,
    levels: BTreeMap<String, bool>,
    started: bool,
}

/// What all motes of a test did, and what they drew if somebody asks.
#[derive(Debug, Default)]
pub(super) struct Record {
    pub motes: Vec<Done>,
    pub account: Option<Account>,
    /// Events that are expected somewhere.
    wanted: BTreeSet<EventKind>,
}

impl Record {
    pub fn new(wanted: BTreeSet<EventKind>) -> Record {
        Record { wanted, ..Record::default() }
    }

    /// Adds the next mote: its LEDs are dark, and nobody presses its buttons.
    pub fn add(&mut self, board: &Board) {
        let leds = board.leds.iter().map(|led| (&led.name, led.active));
        let buttons = board.buttons.iter().map(|button| (&button.name, button.active));
        let at_rest = |(name, active): (&String, Active)| (name.clone(), active == Active::Low);
        let levels = leds.chain(buttons).map(at_rest).collect();
        self.motes.push(Done { levels, ..Done::default() });
    }

    /// Notes a warning that no event has reported.
    pub fn warn(&mut self, mote: usize, time: Time, what: &str) {
        let done = &mut self.motes[mote];
        if done.failures.iter().any(|failure| failure.text == what) {
            return;
        }
        let report = report(format!("warning: {what}"), &Place::default());
        done.failure(EventKind::Warning, time, what, report);
        done.warnings_at_end += 1;
        let source = Source::Event(EventKind::Warning);
        done.moments.push(Moment { time, source, text: what.to_string() });
    }

    /// Ends the lines that have not ended: a prompt is a line, too.
    pub fn end(&mut self) {
        for mote in &mut self.motes {
            mote.end_lines();
            mote.moments.sort_by_key(|moment| moment.time);
        }
    }
}

impl Sink for Record {
    fn event(&mut self, event: &Event) -> Result<(), Error> {
        if let Some(account) = &mut self.account {
            account.event(event)?;
        }
        let Some(mote) = self.motes.get_mut(event.mote as usize) else { return Ok(()) };
        match &event.kind {
            Kind::Uart { dir: "out", port, data } => mote.character(port, *data, event.time),
            Kind::Gpio { name, level: Some(level), .. } => mote.level(name, *level, event.time),
            Kind::Reset { cause } => mote.reset(cause, event.time),
            _ => {}
        }
        let Some((kind, text, report)) = reported(&event.kind) else { return Ok(()) };
        if let Some(report) = report {
            mote.failure(kind, event.time, &text, report);
        }
        if self.wanted.contains(&kind) {
            mote.moments.push(Moment { time: event.time, source: Source::Event(kind), text });
        }
        Ok(())
    }
}

/// The kind of an event that a test can expect, what it says, and a report if a test fails by it.
fn reported(kind: &Kind) -> Option<(EventKind, String, Option<Report>)> {
    Some(match kind {
        Kind::Reset { cause } => (EventKind::Reset, cause.to_string(), None),
        Kind::Sleep { mode } => (EventKind::Sleep, mode.to_string(), None),
        Kind::Wake { cause } => (EventKind::Wake, cause.to_string(), None),
        Kind::Power { on } => (EventKind::Power, if *on { "on" } else { "off" }.into(), None),
        Kind::Condition { device, condition } => {
            (EventKind::Condition, format!("{device} {condition}"), None)
        }
        Kind::Host { what } => (EventKind::Host, what.clone(), None),
        Kind::Panic { thread, reason, place, caller } => {
            let place = caller.as_ref().unwrap_or(place);
            let failure = report(format!("panic in {thread}: {reason}"), place);
            (EventKind::Panic, reason.clone(), Some(failure))
        }
        Kind::Fault { reason, place, .. } => {
            let failure = report(format!("fault: {reason}"), place);
            (EventKind::Fault, reason.clone(), Some(failure))
        }
        Kind::Warning { what, place } => {
            let failure = report(format!("warning: {what}"), place);
            (EventKind::Warning, what.clone(), Some(failure))
        }
        _ => return None,
    })
}

impl Done {
    fn character(&mut self, port: &Arc<str>, data: u8, time: Time) {
        let separator = self.separators.entry(Arc::clone(port)).or_default();
        if let Some(Item::Text(text)) = separator.byte(data) {
            text.iter().for_each(|data| self.text(port, *data, time));
        }
    }

    fn text(&mut self, port: &Arc<str>, data: u8, time: Time) {
        if data == b'\n' {
            let (bytes, _) = self.open.remove(port).unwrap_or_default();
            return self.line(&bytes, time);
        }
        let (bytes, last) = self.open.entry(Arc::clone(port)).or_default();
        bytes.push(data);
        *last = time;
    }

    fn end_lines(&mut self) {
        for (port, mut separator) in std::mem::take(&mut self.separators) {
            if let Some(Item::Text(text)) = separator.text() {
                let time = self.open.get(&port).map_or(Time::ZERO, |(_, time)| *time);
                text.iter().for_each(|data| self.text(&port, *data, time));
            }
        }
        for (bytes, time) in std::mem::take(&mut self.open).into_values() {
            self.line(&bytes, time);
        }
    }

    fn line(&mut self, bytes: &[u8], time: Time) {
        let text = String::from_utf8_lossy(bytes).trim_end_matches('\r').to_string();
        self.moments.push(Moment { time, source: Source::Console, text });
    }

    fn failure(&mut self, kind: EventKind, time: Time, text: &str, report: Report) {
        if self.failures.len() < MOST_FAILURES {
            let message = format!("{}, at {time} s", report.message);
            let report = Report { message, ..report };
            self.failures.push(Failure { time, kind, text: text.to_string(), report });
        }
    }

    fn level(&mut self, name: &str, level: u8, time: Time) {
        let high = level != 0;
        // A pin that only the program drives is told of from its first high level on.
        if self.levels.insert(name.to_string(), high).unwrap_or(false) != high {
            let source = Source::Pin(name.to_string());
            let text = if high { "high" } else { "low" }.to_string();
            self.moments.push(Moment { time, source, text });
        }
    }

    /// Power-up is not a reset, and the reset pin and the supply are the input's. What a start prints does not
    /// continue a line that a reset has cut short.
    fn reset(&mut self, cause: &'static str, time: Time) {
        self.end_lines();
        let by_input = ["power-on", "external", "brown-out"].contains(&cause);
        if self.started && !by_input {
            self.resets += 1;
            let remedy = "find what resets it, or expect the event \"reset\"".to_string();
            let report = Report::saying(format!("the mote was reset ({cause})"));
            let report = Report { remedy: Some(remedy), ..report };
            self.failure(EventKind::Reset, time, cause, report);
        }
        self.started = true;
    }
}
