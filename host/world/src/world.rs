// SPDX-License-Identifier: MIT OR Apache-2.0
//! Many motes on one time line.

mod state;

pub use state::Snapshot;
pub(crate) use state::bytes;

use crate::watch::TextWatch;
use crate::{Action, Error, Mote, Script, drift};
use lichen_chip::{Chip, Config, Time};
use lichen_device::Board;
use lichen_image::Image;
use lichen_observe::Observer;
use lichen_trace::{Event, Kind, Sink};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Number of a mote in its world, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MoteId(pub u32);

/// Why [`World::run`] returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// The requested time is reached.
    Reached,
    /// The text of [`World::stop_at_text`] was printed.
    Text,
    /// Something was wrong, and [`World::stop_at_warning`] is on.
    Warning,
    /// A fault or a panic, and [`World::stop_at_fault`] is on.
    Fault,
    /// The next instruction of a mote has a breakpoint; it has not run.
    Breakpoint(MoteId),
    /// Every core is locked up, with nothing left that could reset it.
    Dead,
}

/// A mote with its input.
struct Seat {
    mote: Mote,
    script: Script,
    /// Actions of the script that are done.
    done: usize,
    /// The actions on the mote, from the script and from outside.
    recording: Script,
}

impl Seat {
    fn next_action(&self) -> Time {
        self.script.actions().get(self.done).map_or(Time::NEVER, |(time, _)| *time)
    }
}

/// Motes on one time line.
#[derive(Default)]
pub struct World {
    seed: u64,
    seats: Vec<Seat>,
    /// Events that wait until no mote can produce an earlier one.
    waiting: BTreeMap<(Time, u32, u64), Event>,
    sequence: u64,
    text: Option<TextWatch>,
    stop_at_warning: bool,
    stop_at_fault: bool,
}

impl World {
    /// An empty world at time zero, in which every oscillator has its nominal frequency.
    pub fn new() -> World {
        World::default()
    }

    /// An empty world at time zero, in which each mote's oscillators deviate as `seed` says; 0 makes
    /// them nominal.
    pub fn with_seed(seed: u64) -> World {
        World { seed, ..World::default() }
    }

    /// Adds a mote made of `board` and `image` and powers it.
    pub fn add(&mut self, board: Board, image: Arc<Image>) -> Result<MoteId, Error> {
        let number = self.seats.len() as u32;
        let config = config(&board, self.seed, number);
        let mut mote = Mote::new(number, board, image, &config)?;
        let mut events = Vec::new();
        mote.power_on(&mut events);
        self.seats.push(Seat {
            mote,
            script: Script::default(),
            done: 0,
            recording: Script::default(),
        });
        self.wait(events);
        Ok(MoteId(number))
    }

    /// Checks that the board of a mote has what `script` needs.
    pub fn check_script(&self, mote: MoteId, script: &Script) -> Result<(), Error> {
        let seat = &self.seats[mote.0 as usize];
        script.actions().iter().try_for_each(|(_, action)| seat.mote.check(action))
    }

    /// Applies `script` to a mote.
    pub fn follow(&mut self, mote: MoteId, script: Script) -> Result<(), Error> {
        self.check_script(mote, &script)?;
        let seat = &mut self.seats[mote.0 as usize];
        seat.script = script;
        seat.done = 0;
        Ok(())
    }

    /// Applies an action to a mote now, between two calls of [`World::run`], and records it.
    pub fn act(&mut self, mote: MoteId, action: Action) -> Result<(), Error> {
        let seat = &mut self.seats[mote.0 as usize];
        seat.mote.check(&action)?;
        let events = seat_acts(seat, action);
        self.wait(events);
        Ok(())
    }

    /// The actions on a mote so far; a run with this script repeats the run.
    pub fn recording(&self, mote: MoteId) -> &Script {
        &self.seats[mote.0 as usize].recording
    }

    /// Makes [`World::run`] return when a mote has printed `text`.
    pub fn stop_at_text(&mut self, text: &str) {
        self.text = Some(TextWatch::new(text));
    }

    /// Makes [`World::run`] return at warnings, faults and panics.
    pub fn stop_at_warning(&mut self, stop: bool) {
        self.stop_at_warning = stop;
    }

    /// Makes [`World::run`] return at faults and panics.
    pub fn stop_at_fault(&mut self, stop: bool) {
        self.stop_at_fault = stop;
    }

    /// Sets or clears a breakpoint on the instruction at `address` of a mote.
    pub fn set_breakpoint(&mut self, mote: MoteId, address: u32, on: bool) {
        self.seats[mote.0 as usize].mote.set_breakpoint(address, on);
    }

    /// The chip of a mote, for a debugger that writes its memory or its registers.
    pub fn chip_mut(&mut self, mote: MoteId) -> &mut dyn Chip {
        self.seats[mote.0 as usize].mote.chip_mut()
    }

    /// Makes the present motes also report what waveforms show ([`Kind::is_detail`]). Nothing else
    /// in the run changes.
    pub fn tell_details(&mut self) {
        self.seats.iter_mut().for_each(|seat| seat.mote.tell_details());
    }

    /// Shows `observer` every step of a mote's processor. This is slow, and changes nothing.
    pub fn observe(&mut self, mote: MoteId, observer: Box<dyn Observer>) {
        self.seats[mote.0 as usize].mote.observe(observer);
    }

    /// A mote.
    pub fn mote(&self, mote: MoteId) -> &Mote {
        &self.seats[mote.0 as usize].mote
    }

    /// Time that every mote has reached.
    pub fn now(&self) -> Time {
        self.seats.iter().map(|seat| seat.mote.now()).min().unwrap_or(Time::NEVER)
    }

    /// Runs all motes until `until`, or until something ends the run earlier, and passes the events
    /// to `sink`. The only error is the sink's.
    pub fn run(&mut self, until: Time, sink: &mut dyn Sink) -> Result<Halt, Error> {
        self.go(until, None, sink)
    }

    /// Executes the next instruction of `mote`, even if it has a breakpoint, as [`World::run`] does
    /// for all; the others keep up. The instruction was executed if the mote's count of
    /// instructions has changed.
    pub fn step(&mut self, mote: MoteId, until: Time, sink: &mut dyn Sink) -> Result<Halt, Error> {
        self.go(until, Some(mote), sink)
    }

    fn go(
        &mut self,
        until: Time,
        stepping: Option<MoteId>,
        sink: &mut dyn Sink,
    ) -> Result<Halt, Error> {
        let executed = stepping.map(|mote| (mote, self.mote(mote).chip().instructions()));
        let mut halted = None;
        loop {
            if let Some(halt) = self.deliver(sink)? {
                return Ok(halt);
            }
            if let Some(mote) = halted {
                return Ok(Halt::Breakpoint(mote));
            }
            if executed.is_some_and(|(mote, was)| self.mote(mote).chip().instructions() != was) {
                return Ok(Halt::Reached);
            }
            if self.now() >= until {
                return Ok(Halt::Reached);
            }
            if self
                .seats
                .iter()
                .all(|seat| seat.mote.is_dead() && seat.next_action() == Time::NEVER)
            {
                return Ok(Halt::Dead);
            }
            halted = self.advance_last(until, stepping);
        }
    }

    /// Runs the mote that is behind the others; the first of them, if there are several. Returns
    /// whether it is at a breakpoint.
    fn advance_last(&mut self, until: Time, stepping: Option<MoteId>) -> Option<MoteId> {
        let (number, seat) =
            self.seats.iter_mut().enumerate().min_by_key(|(_, seat)| seat.mote.now())?;
        let number = MoteId(number as u32);
        let mut halted = false;
        let mut events = Vec::new();
        if seat.next_action() <= seat.mote.now() {
            let action = seat.script.actions()[seat.done].1.clone();
            seat.done += 1;
            events = seat_acts(seat, action);
        } else if stepping == Some(number) {
            seat.mote.step(until.min(seat.next_action()), &mut events);
        } else {
            halted = seat.mote.advance(until.min(seat.next_action()), &mut events);
        }
        self.wait(events);
        halted.then_some(number)
    }

    fn wait(&mut self, events: Vec<Event>) {
        for event in events {
            self.sequence += 1;
            self.waiting.insert((event.time, event.mote, self.sequence), event);
        }
    }

    /// Passes to `sink` all events that no mote can precede any more.
    fn deliver(&mut self, sink: &mut dyn Sink) -> Result<Option<Halt>, Error> {
        let now = self.now();
        while let Some(entry) = self.waiting.first_entry() {
            if entry.key().0 > now {
                break;
            }
            let event = entry.remove();
            sink.event(&event)?;
            if let Some(halt) = self.reason_to_halt(&event) {
                return Ok(Some(halt));
            }
        }
        Ok(None)
    }

    fn reason_to_halt(&mut self, event: &Event) -> Option<Halt> {
        let fault = matches!(event.kind, Kind::Fault { .. } | Kind::Panic { .. });
        if self.stop_at_warning && (fault || matches!(event.kind, Kind::Warning { .. })) {
            return Some(Halt::Warning);
        }
        if self.stop_at_fault && fault {
            return Some(Halt::Fault);
        }
        self.text.as_mut().is_some_and(|text| text.event(event)).then_some(Halt::Text)
    }
}

/// What is particular to the chip of mote `number` on `board`.
pub(crate) fn config(board: &Board, seed: u64, number: u32) -> Config {
    Config {
        xosc32k_hz: board.crystal.xosc32k_hz,
        xosc_hz: board.crystal.xosc_hz,
        drift: drift::of_mote(seed, number),
        ..Config::default()
    }
}

/// Applies `action` to the mote at its present time, and records it.
fn seat_acts(seat: &mut Seat, action: Action) -> Vec<Event> {
    let mut events = Vec::new();
    seat.mote.act(&action, &mut events);
    let recorded = seat.recording.append(seat.mote.now(), action);
    debug_assert!(recorded.is_ok(), "a mote's time never runs backwards");
    events
}
