// SPDX-License-Identifier: MIT OR Apache-2.0
//! Timers: deadlines that post events, once or each period.

use crate::event::Postable;
use crate::{Call, LEVEL_KERNEL, Model, Tick, Until, Window, error};

const PERIOD_MIN_US: u64 = 1_000;
const PERIOD_MAX_US: u64 = 36 * 3_600 * 1_000_000;

/// A timer: armed or not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Timer {
    armed: bool,
    /// `None`, if armed: it never fires.
    window: Option<Window>,
    /// The n-th time that it fires is at `first + n * period`.
    every: Option<Every>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Every {
    first_us: u64,
    period_us: u64,
    n: u64,
}

impl Timer {
    pub fn window(&self) -> Option<Window> {
        self.window.filter(|_| self.armed)
    }

    pub fn window_mut(&mut self) -> Option<&mut Window> {
        self.window.as_mut()
    }
}

impl Model {
    fn arm(&mut self, timer: usize, window: Option<Window>, every: Option<Every>) -> i32 {
        if self.timers[timer].armed {
            return error::BUSY;
        }
        self.timers[timer] = Timer { armed: true, window, every };
        error::NONE
    }

    /// Its deadline has passed: it posts its event. A periodic one continues, at the first tick at
    /// or after its next moment, or one tick later.
    pub(crate) fn fire(&mut self, timer: usize) {
        self.post(Postable::Event(timer), LEVEL_KERNEL);
        let next = |every: Every| Every { n: every.n + 1, ..every };
        self.timers[timer] = match self.timers[timer].every.map(next) {
            None => Timer::default(),
            Some(every) => {
                let earliest = self.port.tick_of_us(every.first_us + every.n * every.period_us);
                let window = self.window(earliest, earliest + 1);
                Timer { armed: true, window: Some(window), every: Some(every) }
            }
        };
    }

    pub(crate) fn timer_call(&mut self, call: Call, since: Tick) -> i32 {
        match call {
            Call::TimerArm(timer, Until::At(us)) => {
                let window = self.moment(us);
                self.arm(timer, window, None)
            }
            Call::TimerArm(timer, _) => self.arm(timer, None, None),
            Call::TimerArmAfter(timer, us) => {
                let window = self.after(us, since);
                self.arm(timer, Some(window), None)
            }
            Call::TimerArmEvery(timer, first, period_us) => {
                if !(PERIOD_MIN_US..=PERIOD_MAX_US).contains(&period_us) {
                    return error::INVALID;
                }
                let Until::At(first_us) = first else { return error::INVALID };
                let window = self.moment(first_us);
                self.arm(timer, window, Some(Every { first_us, period_us, n: 0 }))
            }
            Call::TimerCancel(timer) => {
                let was = std::mem::take(&mut self.timers[timer]);
                if was.armed { error::NONE } else { error::EMPTY }
            }
            _ => error::INVALID,
        }
    }
}
