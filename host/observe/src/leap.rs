// SPDX-License-Identifier: MIT OR Apache-2.0
//! Running at full speed over steps that an observer need not see one by one.

use crate::Observer;
use lichen_chip::{Chip, Stop, Time};

/// Cycles of the shortest leap: it takes as long as some hundred steps, since the chip's state is copied before.
const SHORTEST: u64 = 3_000;
const LONGEST: u64 = 128 * SHORTEST;
/// A leap ends this many cycles before the next event, so that what this event requests is requested in a step of its own.
const MARGIN: u64 = 32;

/// How a chip leaps. What it has learnt of the program decides how often it tries, never what is observed.
#[derive(Clone, Debug)]
pub struct Leap {
    /// How far, in cycles: twice as far if no request has come on the way, half as far if one has.
    length: u64,
    /// For how many cycles steps are shown after a leap in vain: longer each time.
    pause: u64,
    /// The steps until then are shown.
    steps_until: Time,
}

impl Default for Leap {
    fn default() -> Leap {
        Leap { length: 2 * SHORTEST, pause: 2 * SHORTEST, steps_until: Time::ZERO }
    }
}

impl Leap {
    /// Runs `chip` to `until` at most; returns without having done anything if `observer` must see the steps, or if one of them
    /// has requested or entered an exception.
    pub(crate) fn run(
        &mut self,
        chip: &mut dyn Chip,
        until: Time,
        observer: &dyn Observer,
    ) -> Option<Stop> {
        let now = chip.now();
        if now < self.steps_until || chip.next_event() > now || !observer.awaits_request(chip) {
            return None;
        }
        let hz = chip.processor_hz().max(1);
        let cycles = |cycles| Time::from_s(cycles) / hz;
        let end = until.min(chip.quiet_until() - cycles(MARGIN)).min(now + cycles(self.length));
        if end < now + cycles(SHORTEST) {
            return None;
        }
        let (kept, entered) = (chip.snapshot(), chip.core().exceptions_entered());
        let stop = chip.run(end);
        let requests = chip.core().requests() != 0 || chip.core().exceptions_entered() != entered;
        if requests || chip.now() < now + cycles(SHORTEST) {
            self.length = (self.length / 2).max(SHORTEST);
            self.steps_until = now + cycles(self.pause);
            self.pause = (self.pause * 2).min(LONGEST);
        } else {
            *self = Leap { length: (self.length * 2).min(LONGEST), ..Leap::default() };
        }
        if !requests {
            return Some(stop);
        }
        // It is this chip's own state, which it takes back. That its components change with it is no news.
        let failed = chip.restore(&kept).is_err();
        chip.take_outputs(&mut Vec::new());
        failed.then_some(stop)
    }
}
