// SPDX-License-Identifier: MIT OR Apache-2.0
//! Registers that live in another clock domain than the bus.
//!
//! An access to such a register crosses into the domain of the block's generic clock and is
//! acknowledged back, which takes between 5 T_gclk + 2 T_apb and 6 T_gclk + 3 T_apb (SAM D21 data
//! sheet, "Register Synchronization", section "Delay"). The position in that range follows from the
//! edges of the two clocks.
//!
//! [`Synchronizer`] has the times of one such handshake; [`Crossing`] is a handshake with what it
//! carries: a value is written, applied in the other domain, and done when the bus knows of it.
//!
//! What a block does with a crossing:
//! - a write, or a read request (READREQ), calls [`Crossing::start`] and continues; SYNCBUSY is
//!   [`Crossing::is_busy`];
//! - an access to a synchronized register while one is under way calls [`Crossing::stall`] first,
//!   and returns if that says so: the chip repeats the access when the bus is free;
//! - a read of a synchronized register without read request calls `start`, then stalls on it, and
//!   answers when the access is repeated;
//! - an access to a register on the bus's side needs no call;
//! - when the block is due, it asks [`Crossing::arrive`] for what has reached the other domain, and
//!   [`Crossing::finish`] for what is done, if it does something then.

use crate::Time;
use crate::clock::Clock;
use crate::samr21::peripheral::Effects;
use borsh::{BorshDeserialize, BorshSerialize};

/// Edges of the generic clock that a crossing takes.
pub(crate) const GENERIC_EDGES: u64 = 6;
/// Edges of the bus clock that the acknowledgement takes.
const BUS_EDGES: u64 = 3;

/// A handshake between the bus and one other clock domain: one crossing at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Synchronizer {
    crossing: Option<Moments>,
    /// The clocks that the crossing is computed from: the generic one and the bus's.
    clocks: Option<(Option<Clock>, Clock)>,
}

/// One crossing, with its moments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Moments {
    /// When the other domain sees the write, or is sampled by a read; [`Time::NEVER`] while that
    /// domain has no clock.
    pub applied: Time,
    /// When SYNCBUSY clears.
    pub done: Time,
}

impl Synchronizer {
    /// Begins a crossing at `now` into the domain of `generic`, from the bus with clock `bus`.
    /// Without a generic clock it lasts until [`Synchronizer::clocks_changed`] brings one.
    pub fn start(&mut self, now: Time, generic: Option<Clock>, bus: Clock) -> Moments {
        let crossing = Moments::at(now, generic, bus);
        self.crossing = Some(crossing);
        self.clocks = Some((generic, bus));
        crossing
    }

    /// Whether SYNCBUSY is set at `now`.
    pub fn is_busy(&self, now: Time) -> bool {
        now < self.done()
    }

    /// Until when SYNCBUSY stays as it is at `now`, if nothing starts a crossing.
    pub fn holds_until(&self, now: Time) -> Time {
        if self.is_busy(now) { self.done() } else { Time::NEVER }
    }

    /// Whether a crossing waits for a clock that does not run.
    #[cfg(test)]
    fn is_stuck(&self) -> bool {
        self.crossing.is_some_and(|crossing| crossing.done == Time::NEVER)
    }

    /// When the latest crossing ends or ended; zero if there was none.
    pub fn done(&self) -> Time {
        self.crossing.map_or(Time::ZERO, |crossing| crossing.done)
    }

    /// When the latest crossing reaches or reached the other domain; zero if there was none.
    pub fn applied(&self) -> Time {
        self.crossing.map_or(Time::ZERO, |crossing| crossing.applied)
    }

    /// If a crossing is under way, stalls the bus until its end and returns true: the access must
    /// return without effect and will be repeated.
    pub fn stall(&self, now: Time, out: &mut Effects) -> bool {
        let busy = self.is_busy(now);
        if busy {
            out.stall(self.done());
        }
        busy
    }

    /// Takes the present clocks, and returns whether the times of a crossing under way changed. Its
    /// part in a domain whose clock has changed begins again: a clock that stops suspends the
    /// crossing, one that starts resumes it. A clock that did not change leaves it alone, however
    /// often others change.
    pub fn clocks_changed(&mut self, now: Time, generic: Option<Clock>, bus: Clock) -> bool {
        let Some(old) = self.crossing.filter(|_| self.is_busy(now)) else { return false };
        let Some((old_generic, old_bus)) = self.clocks.replace((generic, bus)) else {
            return false;
        };
        let crossing = if old.applied > now && generic != old_generic {
            Moments::at(now, generic, bus)
        } else if bus != old_bus {
            let done = match old.applied {
                Time::NEVER => Time::NEVER,
                applied => bus.nth_after(applied.max(now), BUS_EDGES),
            };
            Moments { done, ..old }
        } else {
            old
        };
        self.crossing = Some(crossing);
        crossing != old
    }

    /// Forgets a crossing, as a reset does.
    pub fn reset(&mut self) {
        self.crossing = None;
    }
}

impl Moments {
    fn at(now: Time, generic: Option<Clock>, bus: Clock) -> Moments {
        let Some(generic) = generic else {
            return Moments { applied: Time::NEVER, done: Time::NEVER };
        };
        let applied = generic.nth_after(now, GENERIC_EDGES);
        Moments { applied, done: bus.nth_after(applied, BUS_EDGES) }
    }
}

/// A value on its way into another clock domain, one at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Crossing<T> {
    sync: Synchronizer,
    /// The value, until it was asked for when done, and whether it was when it arrived.
    value: Option<T>,
    arrived: bool,
}

impl<T> Default for Crossing<T> {
    fn default() -> Crossing<T> {
        Crossing { sync: Synchronizer::default(), value: None, arrived: false }
    }
}

impl<T: Copy> Crossing<T> {
    /// Sends `value` at `now`, as [`Synchronizer::start`] begins a handshake. One that has not
    /// arrived is replaced.
    pub fn start(&mut self, now: Time, generic: Option<Clock>, bus: Clock, value: T) {
        self.sync.start(now, generic, bus);
        self.value = Some(value);
        self.arrived = false;
    }

    /// The value under way, until it is done.
    pub fn value(&self) -> Option<T> {
        self.value
    }

    /// Whether a value has yet to arrive.
    pub fn is_pending(&self) -> bool {
        self.value.is_some() && !self.arrived
    }

    /// When the value under way arrives, if it has not.
    pub fn arrives(&self) -> Time {
        if self.is_pending() { self.sync.applied() } else { Time::NEVER }
    }

    /// When the value under way arrives or, after that, is done.
    pub fn due(&self) -> Time {
        match self.value {
            None => Time::NEVER,
            Some(_) if self.arrived => self.sync.done(),
            Some(_) => self.sync.applied(),
        }
    }

    /// The value that has arrived by `now`, once.
    pub fn arrive(&mut self, now: Time) -> Option<T> {
        let value = self.value.filter(|_| self.arrives() <= now)?;
        self.arrived = true;
        Some(value)
    }

    /// The value that arrived and is done by `now`, once.
    pub fn finish(&mut self, now: Time) -> Option<T> {
        self.value.take_if(|_| self.arrived && self.sync.done() <= now)
    }

    /// When the latest value reached or reaches the other domain; zero if there was none.
    pub fn applied(&self) -> Time {
        self.sync.applied()
    }

    /// When the latest value was or is done; zero if there was none.
    pub fn done(&self) -> Time {
        self.sync.done()
    }

    /// As [`Synchronizer::is_busy`].
    pub fn is_busy(&self, now: Time) -> bool {
        self.sync.is_busy(now)
    }

    /// As [`Synchronizer::holds_until`].
    pub fn holds_until(&self, now: Time) -> Time {
        self.sync.holds_until(now)
    }

    /// As [`Synchronizer::stall`].
    pub fn stall(&self, now: Time, out: &mut Effects) -> bool {
        self.sync.stall(now, out)
    }

    /// As [`Synchronizer::clocks_changed`].
    pub fn clocks_changed(&mut self, now: Time, generic: Option<Clock>, bus: Clock) -> bool {
        self.sync.clocks_changed(now, generic, bus)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clocks() -> (Clock, Clock) {
        (Clock::new(Time::ZERO, 32_768), Clock::new(Time::UNIT, 8_000_000))
    }

    #[test]
    fn the_delay_lies_in_the_data_sheets_range_at_every_phase() {
        let (generic, bus) = clocks();
        let shortest = generic.span(5) + bus.span(2);
        let longest = generic.span(6) + bus.span(3) + Time::from_units(2);
        for phase in 0..1_000 {
            let now = bus.edge(phase);
            let mut sync = Synchronizer::default();
            let delay = sync.start(now, Some(generic), bus).done - now;
            assert!(shortest <= delay && delay <= longest, "{delay} at {now}");
        }
    }

    #[test]
    fn at_32_khz_it_takes_153_to_183_microseconds() {
        let (generic, bus) = clocks();
        let mut sync = Synchronizer::default();
        let just_before = generic.edge(10) - Time::UNIT;
        let short = sync.start(just_before, Some(generic), bus).done - just_before;
        let just_after = generic.edge(10);
        let long = sync.start(just_after, Some(generic), bus).done - just_after;
        assert_eq!((short.as_us() as u64, long.as_us() as u64), (152, 183));
    }

    #[test]
    fn an_access_meanwhile_stalls_until_the_end_and_no_longer() {
        let (generic, bus) = clocks();
        let mut sync = Synchronizer::default();
        let mut out = Effects::default();
        assert!(!sync.stall(Time::from_units(5), &mut out));
        let done = sync.start(Time::from_units(5), Some(generic), bus).done;
        assert!(sync.stall(Time::from_units(6), &mut out));
        assert_eq!(out.stall_until, Some(done));
        assert!(!sync.is_busy(done));
    }

    #[test]
    fn without_a_clock_it_hangs_until_one_starts() {
        let (generic, bus) = clocks();
        let mut sync = Synchronizer::default();
        sync.start(Time::from_units(5), None, bus);
        assert!(sync.is_busy(Time::from_s(100)) && sync.is_stuck());
        let now = Time::from_s(200);
        assert!(sync.clocks_changed(now, Some(generic), bus));
        assert!(!sync.is_stuck());
        assert!(sync.done() - now <= Time::from_us(184));
    }

    #[test]
    fn clocks_that_go_on_do_not_delay_it() {
        let (generic, bus) = clocks();
        let mut sync = Synchronizer::default();
        let crossing = sync.start(Time::from_units(5), Some(generic), bus);
        for us in (0..150).step_by(10) {
            assert!(!sync.clocks_changed(Time::from_us(us), Some(generic), bus));
        }
        assert_eq!((sync.applied(), sync.done()), (crossing.applied, crossing.done));
    }

    #[test]
    fn another_bus_clock_changes_only_the_acknowledgement() {
        let (generic, bus) = clocks();
        let mut sync = Synchronizer::default();
        let crossing = sync.start(Time::from_units(5), Some(generic), bus);
        let slow = Clock::new(Time::UNIT, 1_000_000);
        assert!(sync.clocks_changed(Time::from_us(100), Some(generic), slow));
        assert_eq!(sync.applied(), crossing.applied);
        assert!(sync.done() > crossing.done && sync.done() - crossing.done <= slow.span(3));
    }

    #[test]
    fn a_value_arrives_once_and_is_done_once() {
        let (generic, bus) = clocks();
        let mut crossing = Crossing::default();
        assert_eq!((crossing.due(), crossing.is_pending()), (Time::NEVER, false));
        crossing.start(Time::from_units(5), Some(generic), bus, 7);
        let (applied, done) = (crossing.applied(), crossing.done());
        assert_eq!((crossing.due(), crossing.arrives()), (applied, applied));
        assert_eq!((crossing.arrive(applied - Time::UNIT), crossing.finish(done)), (None, None));
        assert_eq!((crossing.arrive(applied), crossing.arrive(done)), (Some(7), None));
        assert_eq!((crossing.due(), crossing.arrives()), (done, Time::NEVER));
        assert_eq!((crossing.finish(applied), crossing.value()), (None, Some(7)));
        assert_eq!((crossing.finish(done), crossing.finish(done)), (Some(7), None));
        assert_eq!((crossing.due(), crossing.value()), (Time::NEVER, None));
    }
}
