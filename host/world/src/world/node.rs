// SPDX-License-Identifier: MIT OR Apache-2.0
//! A mote in a world: what reaches it, and what it has done.

use super::host::{Does, Host};
use crate::watch::TextWatch;
use crate::{Action, Halt, Mote, MoteId, Script};
use lichen_chip::Time;
use lichen_device::air::{OnAir, Reception};
use lichen_trace::{Event, Kind};
use std::collections::BTreeMap;

/// What ends a run, apart from its time and breakpoints.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stops {
    pub(super) warning: bool,
    pub(super) fault: bool,
}

/// An event that has not been passed on, and whether the run ends with it.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    pub(super) event: Event,
    pub(super) halt: Option<Halt>,
}

/// What will arrive: by time, then in the order in which the medium announced them.
pub(super) type Inbox = BTreeMap<(Time, u64), Reception>;

/// A mote with its input and its output.
pub(super) struct Node {
    pub(super) id: MoteId,
    pub(super) mote: Mote,
    pub(super) script: Script,
    /// Actions of the script that are done.
    pub(super) done: usize,
    /// The actions on the mote, from the script and from outside.
    pub(super) recording: Script,
    pub(super) inbox: Inbox,
    /// What is at the other end of its console's line.
    pub(super) host: Host,
    pub(super) stops: Stops,
    pub(super) text: Option<TextWatch>,
    /// What happened since it was last collected.
    pub(super) events: Vec<Pending>,
    /// What its radios have done, and when.
    pub(super) radioed: Vec<(Time, OnAir)>,
    /// Why its last run ended early.
    pub(super) halted: Option<Halt>,
    fresh: Vec<Event>,
}

impl Node {
    pub(super) fn new(id: MoteId, mote: Mote, stops: Stops, text: Option<TextWatch>) -> Node {
        Node {
            id,
            mote,
            script: Script::default(),
            done: 0,
            recording: Script::default(),
            inbox: Inbox::new(),
            host: Host::default(),
            stops,
            text,
            events: Vec::new(),
            radioed: Vec::new(),
            halted: None,
            fresh: Vec::new(),
        }
    }

    /// Applies power.
    pub(super) fn power_on(&mut self) {
        self.mote.power_on(&mut self.fresh);
        self.collect();
    }

    /// Reports what the components of the mote do that draw current.
    pub(super) fn tell_activity(&mut self) {
        self.mote.tell_activity(&mut self.fresh);
        self.collect();
    }

    /// When something next happens in it; [`Time::NEVER`] if nothing will.
    pub(super) fn due(&self) -> Time {
        self.mote.next_event().min(self.next_input())
    }

    fn next_input(&self) -> Time {
        let arrival = self.inbox.keys().next().map_or(Time::NEVER, |(time, _)| *time);
        self.next_action().min(arrival).min(self.host.due())
    }

    fn next_action(&self) -> Time {
        self.script.actions().get(self.done).map_or(Time::NEVER, |(time, _)| *time)
    }

    /// Whether nothing will ever happen in it again.
    pub(super) fn is_dead(&self) -> bool {
        self.mote.is_dead() && self.next_input() == Time::NEVER
    }

    /// Runs to `until`, with everything that the mote itself does until then; input of that very moment comes
    /// with the next run. Ends early at a breakpoint, at what it stops at, and if the mote is dead.
    pub(super) fn run(&mut self, until: Time) {
        while self.mote.now() < until && self.halted.is_none() && !self.is_dead() {
            if !self.take_input() {
                let target = until.min(self.next_input());
                if self.mote.advance(target, &mut self.fresh) {
                    self.halted = Some(Halt::Breakpoint(self.id));
                }
            }
            self.collect();
        }
    }

    /// Executes the next instruction.
    pub(super) fn step(&mut self, until: Time) {
        if !self.take_input() {
            self.mote.step(until.min(self.next_input()), &mut self.fresh);
        }
        self.collect();
    }

    /// Lets time pass to `now`, before which nothing happens.
    pub(super) fn catch_up(&mut self, now: Time) {
        if self.mote.now() < now {
            self.mote.advance(now, &mut self.fresh);
            self.collect();
        }
    }

    /// Applies `action` at the mote's present time, and records it.
    pub(super) fn act(&mut self, action: Action) {
        if let Action::Host(job) = action {
            return self.host.take(self.mote.now(), job);
        }
        self.mote.act(&action, &mut self.fresh);
        let recorded = self.recording.append(self.mote.now(), action);
        debug_assert!(recorded.is_ok(), "a mote's time never runs backwards");
        self.collect();
    }

    /// Applies the next input if its time has come: what the script says first, then what arrives.
    fn take_input(&mut self) -> bool {
        let now = self.mote.now();
        if self.next_action() <= now {
            let action = self.script.actions()[self.done].1.clone();
            self.done += 1;
            self.act(action);
            return true;
        }
        if self.host.due() <= now {
            self.host_looks(now);
            return true;
        }
        let Some(arrival) = self.inbox.first_entry().filter(|first| first.key().0 <= now) else {
            return false;
        };
        let ((time, _), reception) = arrival.remove_entry();
        self.mote.receive(time, &reception, &mut self.fresh);
        true
    }

    /// Lets the host look at the line: it types, and a recording has that.
    fn host_looks(&mut self, now: Time) {
        match self.host.look(now) {
            Some(Does::Sends(bytes)) => self.act(Action::Type(bytes)),
            Some(Does::Says(said)) => {
                said.into_iter().for_each(|kind| self.mote.host_has(kind, &mut self.fresh));
            }
            None => {}
        }
    }

    /// Keeps what has happened for the world.
    fn collect(&mut self) {
        self.mote.take_radioed(&mut self.radioed);
        if self.fresh.is_empty() {
            return;
        }
        let mut fresh = std::mem::take(&mut self.fresh);
        for event in fresh.drain(..) {
            let halt = self.reason_to_halt(&event);
            self.halted = self.halted.or(halt);
            self.host.event(&event);
            self.events.push(Pending { event, halt });
        }
        self.fresh = fresh;
    }

    fn reason_to_halt(&mut self, event: &Event) -> Option<Halt> {
        let warning = matches!(event.kind, Kind::Warning { .. });
        let fault = matches!(event.kind, Kind::Fault { .. } | Kind::Panic { .. })
            || warning && self.mote.overflowed_at(event.time);
        if self.stops.warning && (fault || warning) {
            return Some(Halt::Warning);
        }
        if self.stops.fault && fault {
            return Some(Halt::Fault);
        }
        self.text.as_mut().is_some_and(|text| text.event(event)).then_some(Halt::Text)
    }
}
