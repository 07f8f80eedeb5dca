// SPDX-License-Identifier: MIT OR Apache-2.0
//! Time, and deadlines.
//!
//! Programs give moments in microseconds; the kernel counts in ticks. A deadline at a moment is the
//! first tick at or after it. A deadline that is a length counts from somewhere within the call, so it
//! lies in a window of ticks. It never expires before its window, and [`Port::late`](crate::Port) after it at the latest, not
//! counting the time for which events and interrupts kept the processor since it was set. Moments expire
//! in their order; a length may be overtaken, since the kernel learns only later when it ends.

use crate::Model;

/// A count of ticks since start-up.
pub type Tick = u64;

/// When a deadline is: at one of these ticks, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Window {
    /// The first one.
    pub earliest: Tick,
    /// The last one.
    pub latest: Tick,
    /// It has expired by then.
    pub end: Tick,
    /// Deadlines at the same tick expire in the order in which they were set.
    pub place: u64,
}

impl Window {
    /// Whether this one certainly expires before `other`: both are moments.
    fn precedes(&self, other: &Window) -> bool {
        let exact = |window: &Window| window.earliest == window.latest;
        let earlier = (self.earliest, self.place) < (other.earliest, other.place);
        exact(self) && exact(other) && earlier
    }
}

/// The owner of a deadline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Due {
    /// A waiting thread.
    Thread(usize),
    /// A timer.
    Timer(usize),
    /// A sleeping cooperative thread.
    Coop(usize),
}

impl Model {
    /// A deadline between two ticks; one of the past expires at once.
    pub(crate) fn window(&mut self, earliest: Tick, latest: Tick) -> Window {
        Window { earliest, latest, end: latest.max(self.now) + self.port.late, place: self.place() }
    }

    /// A deadline at a moment.
    pub(crate) fn moment(&mut self, us: u64) -> Option<Window> {
        // A deadline more than 1,141 years ahead never expires.
        (us <= u64::MAX >> 9).then(|| {
            let tick = self.port.tick_of_us(us);
            self.window(tick, tick)
        })
    }

    /// A deadline a length after a call that was made not before `since`. The tick
    /// that is running when it is made counts as passed.
    pub(crate) fn after(&mut self, us: u64, since: Tick) -> Window {
        let ticks = self.port.tick_of_us(us) + 1;
        self.window(since + ticks, self.now + ticks)
    }

    fn deadlines(&self) -> Vec<(Due, Window)> {
        let threads = self.threads.iter().enumerate();
        let threads =
            threads.filter_map(|(index, thread)| Some((Due::Thread(index), thread.deadline?)));
        let timers = self.timers.iter().enumerate();
        let timers = timers.filter_map(|(index, timer)| Some((Due::Timer(index), timer.window()?)));
        let coops = self.coops.iter().enumerate();
        let coops = coops.filter_map(|(index, coop)| Some((Due::Coop(index), coop.window()?)));
        threads.chain(timers).chain(coops).collect()
    }

    /// The deadlines that may expire next.
    pub(crate) fn due(&self) -> Vec<Due> {
        let all = self.deadlines();
        let next = |window: &Window| !all.iter().any(|(_, other)| other.precedes(window));
        let due = all.iter().filter(|(_, window)| window.earliest <= self.now && next(window));
        due.map(|(due, _)| *due).filter(|due| self.is_heard(*due)).collect()
    }

    /// Whether a deadline should have expired.
    pub fn is_overdue(&self) -> bool {
        let overdue = self.deadlines().iter().any(|(_, window)| window.end < self.now);
        overdue || self.is_alarm_overdue()
    }

    /// The processor was busy for this many ticks: with handlers, so that deadlines may be that
    /// much later; or with a thread or a cooperative one, so that sleeps of cooperative threads
    /// may.
    pub(crate) fn hold_up(&mut self, ticks: Tick) {
        if !self.handlers.is_empty() {
            let threads = self.threads.iter_mut().filter_map(|thread| thread.deadline.as_mut());
            let timers = self.timers.iter_mut().filter_map(|timer| timer.window_mut());
            threads.chain(timers).for_each(|window| window.end += ticks);
        }
        if self.actor().is_some() {
            let coops = self.coops.iter_mut().filter_map(|coop| coop.window_mut());
            coops.for_each(|window| window.end += ticks);
        }
    }

    /// The first tick at which a deadline may expire.
    pub(crate) fn next_deadline(&self) -> Option<Tick> {
        self.deadlines().iter().map(|(_, window)| window.earliest).min()
    }

    /// The first tick at which a deadline may expire or an alarm fire.
    pub fn next_due(&self) -> Option<Tick> {
        let alarm = self.next_alarm_us().map(|us| self.port.tick_of_us(us));
        self.next_deadline().into_iter().chain(alarm).min()
    }

    /// A deadline expires: a call ends with a timeout, a timer posts.
    pub(crate) fn expire(&mut self, due: Due) {
        match due {
            Due::Thread(thread) => self.time_out(thread),
            Due::Timer(timer) => self.fire(timer),
            Due::Coop(coop) => self.coop_wake(coop),
        }
    }
}
