// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cooperative threads: when no thread is ready they run in passes, one after the other in their order,
//! each until it waits, sleeps or yields. At the beginning of a pass, threads whose sleep is over
//! wake.
//!
//! A signal makes a thread ready that waits, is held or sleeps. For any other thread that is not
//! dead, it makes the next wait or sleep end at once: a wait without letting others run, a sleep
//! after letting them run. When a sleep ends, all signals up to then count as seen.

use crate::actor::Doing;
use crate::time::Due;
use crate::{Answer, Call, Model, Tick, Window, error};

/// The longest piece of a sleep: each may be a millisecond too long.
const PIECE_MS: u64 = 30_000;

/// The state of a cooperative thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Life {
    Ready,
    Waiting,
    Sleeping(Window),
    Dead,
}

/// A cooperative thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Coop {
    life: Life,
    /// It has a signal that it has not seen.
    signalled: bool,
    /// It is in a sleep whose end it has not seen.
    sleeps: bool,
    pub doing: Option<Doing>,
    pub answer: Answer,
}

impl Coop {
    /// A thread at its beginning.
    pub const START: Coop = Coop {
        life: Life::Ready,
        signalled: false,
        sleeps: false,
        doing: None,
        answer: Answer::BEGIN,
    };

    pub fn is_dead(&self) -> bool {
        self.life == Life::Dead
    }

    /// Whether it has been neither held nor killed since it began to run.
    pub fn may_leave(&self) -> bool {
        self.life == Life::Ready
    }

    pub fn window(&self) -> Option<Window> {
        if let Life::Sleeping(window) = self.life { Some(window) } else { None }
    }

    pub fn window_mut(&mut self) -> Option<&mut Window> {
        if let Life::Sleeping(window) = &mut self.life { Some(window) } else { None }
    }
}

/// The position of a pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Pass {
    /// The next thread, or the running one.
    at: usize,
    runs: bool,
}

impl Model {
    /// The cooperative thread that runs when no thread does.
    pub(crate) fn running_coop(&self) -> Option<usize> {
        self.pass.runs.then_some(self.pass.at)
    }

    /// Whether a pass continues, or one begins. After a pass in which some thread ran comes one more,
    /// even if none is ready: an interrupt that is coming may come within that.
    pub(crate) fn passes(&self) -> bool {
        let ready = self.coops.iter().any(|coop| coop.life == Life::Ready);
        let begins = ready || (self.coming.is_some() && !self.coops.is_empty());
        self.is_free()
            && self.running().is_none()
            && !self.pass.runs
            && (self.pass.at > 0 || begins)
    }

    /// Whether threads whose sleep is over may wake now.
    fn wakes(&self) -> bool {
        self.is_free() && self.running().is_none() && self.pass == Pass::default()
    }

    /// Visits the next thread, which continues if it is ready.
    pub(crate) fn pass_on_to_next(&mut self) {
        let Pass { at, .. } = self.pass;
        let coop = &mut self.coops[at];
        if coop.life == Life::Ready {
            coop.signalled &= !std::mem::take(&mut coop.sleeps);
            self.pass.runs = true;
        } else {
            self.leave();
        }
    }

    /// Moves to the next thread, or to a new pass.
    fn leave(&mut self) {
        self.pass = Pass { at: (self.pass.at + 1) % self.coops.len(), runs: false };
    }

    /// The calls of a cooperative thread. A call that leaves the body returns only when the thread
    /// continues.
    pub(crate) fn call_in_coop(&mut self, coop: usize, call: Call, since: Tick) {
        let this = &mut self.coops[coop];
        this.answer = Answer::result(error::NONE);
        match call {
            Call::CoopYield => self.leave(),
            Call::CoopWait if std::mem::take(&mut this.signalled) => {}
            Call::CoopWait => {
                this.life = Life::Waiting;
                self.leave();
            }
            Call::CoopSleep(ms) => {
                this.sleeps = true;
                if !this.signalled {
                    self.coops[coop].life = Life::Sleeping(self.asleep(ms.into(), since));
                }
                self.leave();
            }
            Call::Return => {
                this.life = Life::Dead;
                self.leave();
            }
            Call::CoopHold(other) => self.coops[other].life = Life::Waiting,
            Call::CoopKill(other) => self.coops[other].life = Life::Dead,
            _ => self.coop_call(call),
        }
    }

    /// At least this long, and up to a millisecond longer for each piece.
    fn asleep(&mut self, ms: u64, since: Tick) -> Window {
        let pieces = ms.div_ceil(PIECE_MS).max(1);
        let port = self.port;
        let shortest = port.tick_of_us(ms * 1_000);
        let longest = port.tick_of_us((ms + pieces) * 1_000);
        let window = self.window(since + shortest, self.now + longest + 3 * pieces);
        Window { end: window.end + (pieces - 1) * port.late, ..window }
    }

    /// The calls that others may make on them, too.
    pub(crate) fn coop_call(&mut self, call: Call) {
        match call {
            Call::CoopSignal(coop) => self.coop_signal(coop),
            Call::CoopAdd(coop) => self.coop_add(coop),
            _ => {}
        }
    }

    fn coop_signal(&mut self, coop: usize) {
        let coop = &mut self.coops[coop];
        match coop.life {
            Life::Dead => {}
            Life::Ready => coop.signalled = true,
            Life::Waiting | Life::Sleeping(_) => coop.life = Life::Ready,
        }
    }

    /// A thread that has killed itself and has not yielded yet continues unchanged.
    fn coop_add(&mut self, coop: usize) {
        let runs = self.running_coop() == Some(coop);
        let this = &mut self.coops[coop];
        if this.is_dead() {
            let Coop { doing, answer, .. } = *this;
            *this = if runs { Coop { doing, answer, ..Coop::START } } else { Coop::START };
        }
    }

    /// Its sleep is over.
    pub(crate) fn coop_wake(&mut self, coop: usize) {
        self.coops[coop].life = Life::Ready;
    }

    /// Whether a deadline may expire now, or must wait for a pass.
    pub(crate) fn is_heard(&self, due: Due) -> bool {
        !matches!(due, Due::Coop(_)) || self.wakes()
    }
}
