// SPDX-License-Identifier: MIT OR Apache-2.0
//! Alarms in microseconds (`lichen/alarm.h`), and threads that sleep until one.
//!
//! An alarm is due its length after the moment at which its call takes effect. Then an interrupt of the
//! drivers' level posts its event, as soon as no other handler of an interrupt runs: never early, and hardly
//! late. Alarms fire in the order of their times, and equals in the order in which they were set, also if they
//! are overdue. The times of a model are microseconds here, since ticks are too long.

use crate::event::Postable;
use crate::{Actor, Call, Model, Until, Wait, error};

/// How many alarms there are: each posts the event of its number.
pub const ALARMS: usize = 4;
/// The longest one, us.
const MAX_US: u32 = 30_000;
/// Counts may pass that were under way, us.
const COUNTS_US: u64 = 4;
/// For how long handlers may keep the processor while an alarm is set, us: its interrupt may come a wrap of
/// the counter later if that is more than 30 ms.
const HELD_MAX_US: u64 = 25_000;

/// An alarm that is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Alarm {
    us: u32,
    /// It is due between these moments.
    earliest: u64,
    latest: u64,
    /// For how long handlers of interrupts have kept the processor since then.
    held: u64,
    pub place: u64,
}

impl Alarm {
    /// Whether this one certainly fires before `other`: it was set before, and is not longer, or there is time
    /// between the two.
    fn precedes(&self, other: &Alarm) -> bool {
        (self.place < other.place && self.us <= other.us) || self.latest < other.earliest
    }
}

/// What an alarm is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    /// It posts the event of this number.
    Event(usize),
    /// A thread sleeps until it.
    Thread(usize),
}

impl Model {
    /// The calls on alarms.
    pub(crate) fn alarm_call(&mut self, call: Call) -> i32 {
        match call {
            Call::AlarmSet(_, us) if us > MAX_US => error::INVALID,
            Call::AlarmSet(alarm, _) if self.alarms[alarm].is_some() => error::BUSY,
            Call::AlarmSet(alarm, us) => {
                self.alarms[alarm] = Some(self.alarm_in(us));
                error::NONE
            }
            Call::AlarmCancel(alarm) => match self.alarms[alarm].take() {
                Some(_) => error::NONE,
                None => error::EMPTY,
            },
            _ => error::INVALID,
        }
    }

    /// `sleep_exact_us`.
    pub(crate) fn sleep_exact(&mut self, thread: usize, us: u32) {
        self.wait(thread, Wait::Alarm, Until::Ever);
        self.threads[thread].alarm = Some(self.alarm_in(us));
    }

    /// An alarm that is set now.
    fn alarm_in(&mut self, us: u32) -> Alarm {
        Alarm {
            us,
            earliest: self.us[0] + u64::from(us),
            latest: self.us[1] + u64::from(us) + COUNTS_US,
            held: 0,
            place: self.place(),
        }
    }

    fn set_alarms(&self) -> impl Iterator<Item = (Owner, &Alarm)> {
        let alarms = self.alarms.iter().enumerate();
        let alarms =
            alarms.filter_map(|(index, alarm)| Some((Owner::Event(index), alarm.as_ref()?)));
        let threads = self.threads.iter().enumerate();
        let threads = threads
            .filter_map(|(index, thread)| Some((Owner::Thread(index), thread.alarm.as_ref()?)));
        alarms.chain(threads)
    }

    /// The alarms that are set, to be changed.
    pub(crate) fn set_alarms_mut(&mut self) -> impl Iterator<Item = &mut Alarm> {
        let threads = self.threads.iter_mut().filter_map(|thread| thread.alarm.as_mut());
        self.alarms.iter_mut().flatten().chain(threads)
    }

    /// The alarms that may fire next.
    pub(crate) fn firing(&self) -> Vec<Owner> {
        if !self.is_alarm_heard() {
            return Vec::new();
        }
        let next = |alarm: &Alarm| !self.set_alarms().any(|(_, other)| other.precedes(alarm));
        let due = self.set_alarms().filter(|(_, alarm)| alarm.earliest <= self.us[1]);
        due.filter(|(_, alarm)| next(alarm)).map(|(owner, _)| owner).collect()
    }

    /// An alarm fires.
    pub(crate) fn fire_alarm(&mut self, owner: Owner) {
        match owner {
            Owner::Event(event) => {
                self.alarms[event] = None;
                self.post(Postable::Event(event), self.port.driver);
            }
            Owner::Thread(thread) => {
                self.threads[thread].alarm = None;
                self.post(Postable::Sleeps, self.port.driver);
            }
        }
    }

    /// The threads whose alarms have fired continue.
    pub(crate) fn end_sleeps(&mut self) {
        for thread in self.waiting(|wait| *wait == Wait::Alarm) {
            if self.threads[thread].alarm.is_none() {
                self.wake(thread, error::NONE, 0);
            }
        }
    }

    /// Time has passed, and handlers of interrupts may have kept the processor.
    pub(crate) fn hold_up_alarms(&mut self) {
        let interrupts = |actor| matches!(actor, Actor::Interrupt(_));
        if self.handlers.iter().any(|handler| interrupts(handler.actor)) {
            let [since, now] = self.us;
            let held = |alarm: &Alarm| now.saturating_sub(since.max(alarm.earliest));
            self.set_alarms_mut().for_each(|alarm| alarm.held += held(alarm));
        }
    }

    /// Whether a handler of an interrupt may keep the processor for this long.
    pub(crate) fn may_hold_up(&self, us: u32) -> bool {
        self.set_alarms().all(|(_, alarm)| alarm.held + u64::from(us) <= HELD_MAX_US)
    }

    /// Whether an alarm should have fired.
    pub(crate) fn is_alarm_overdue(&self) -> bool {
        let late = self.port.alarm_late_us;
        self.set_alarms().any(|(_, alarm)| alarm.latest + alarm.held + late < self.us[1])
    }

    /// The first moment at which an alarm may fire.
    pub(crate) fn next_alarm_us(&self) -> Option<u64> {
        self.set_alarms().map(|(_, alarm)| alarm.earliest).min()
    }
}
