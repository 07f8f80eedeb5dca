// SPDX-License-Identifier: MIT OR Apache-2.0
//! Going back: the search for the last moment before a given one at which the mote would halt.
//!
//! Nothing executes backwards. A stretch of the past is executed again, from a state before it to
//! its end; the last moment in it at which something halts is the result. If there is none, the
//! stretch before it is next.

use super::resume::{Step, Stop};
use super::stub::Target;
use super::{Debuggee, Pause, threads};
use gdbstub::common::Signal;
use gdbstub::target::ext::base::reverse_exec::ReplayLogPosition;
use gdbstub::target::ext::breakpoints::WatchKind;
use lichen_chip::Time;

/// Length of the first stretch if every instruction must be checked; each earlier one is twice as
/// long.
const FIRST_STRETCH: Time = Time::from_us(20);
/// Instructions stepped between two polls of the connection.
const STEPS: usize = 1000;

/// A search under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Search {
    /// The thread whose last instruction is to be stepped back over, if requested.
    step: Option<Step>,
    /// Where the debugger was.
    origin: Time,
    /// Where the stretch begins, and where it ends.
    from: Time,
    end: Time,
    /// Length of the next stretch.
    length: Time,
    phase: Phase,
    /// The last halt found in the stretch, and when.
    found: Option<(Time, Found)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The next stretch is to be chosen.
    Choose,
    /// Running from a state to the stretch.
    Approach,
    /// In the stretch.
    Look,
    /// Running from a state to the halt that was found.
    Arrive,
}

/// What halts the mote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    Step,
    Breakpoint,
    Watchpoint(WatchKind, u32),
}

impl<D: Debuggee> Target<'_, D> {
    /// A search back from the mote's present position.
    pub(super) fn search(&self, step: Option<Step>) -> Search {
        let now = self.debuggee.chip().now();
        Search {
            step,
            origin: now,
            from: now,
            end: now,
            length: FIRST_STRETCH,
            phase: Phase::Choose,
            found: None,
        }
    }

    /// Continues the search for a while.
    pub(super) fn search_on(&mut self, search: &mut Search) -> Result<Option<Stop>, D::Error> {
        match search.phase {
            Phase::Choose => return self.choose(search),
            Phase::Approach => {
                self.repeat(search.from)?;
                if self.debuggee.chip().now() >= search.from {
                    self.look_at_watchpoints();
                    search.phase = Phase::Look;
                }
            }
            Phase::Look => {
                self.look(search)?;
                if self.debuggee.chip().now() >= search.end {
                    self.decide(search)?;
                }
            }
            Phase::Arrive => {
                self.repeat(search.from)?;
                if self.debuggee.chip().now() >= search.from {
                    return Ok(search.found.map(|(_, found)| self.stop_at(found, search)));
                }
            }
        }
        Ok(None)
    }

    /// Gives up a search: the mote returns to where it was.
    pub(super) fn give_up(&mut self, search: &Search) -> Result<(), D::Error> {
        self.go_to(search.origin)
    }

    /// Takes the mote to `moment`, which it has reached before.
    pub(super) fn go_to(&mut self, moment: Time) -> Result<(), D::Error> {
        self.history.restore(self.debuggee, moment)?;
        self.history.repeat(self.debuggee)?;
        while self.debuggee.chip().now() < moment {
            self.repeat(moment)?;
        }
        Ok(())
    }

    /// Whether every instruction must be checked.
    fn steps(&self, search: &Search) -> bool {
        search.step.is_some() || !self.watchpoints.is_empty()
    }

    /// Chooses the stretch that ends where the last one began. At the beginning of history there is
    /// none.
    fn choose(&mut self, search: &mut Search) -> Result<Option<Stop>, D::Error> {
        let Some(state) = self.history.before(search.end) else {
            self.go_to(self.history.beginning())?;
            let tid = Some(threads::running(self.debuggee));
            return Ok(Some(Stop::ReplayLog { tid, pos: ReplayLogPosition::Begin }));
        };
        search.from = match self.steps(search) {
            true => state.max(search.end - search.length),
            false => state,
        };
        search.length = search.length * 2;
        self.history.restore(self.debuggee, state)?;
        search.phase = Phase::Approach;
        Ok(None)
    }

    /// At the end of a stretch: goes to the halt that was found, or to the earlier stretch.
    fn decide(&mut self, search: &mut Search) -> Result<(), D::Error> {
        match search.found {
            Some((time, _)) => {
                search.from = time;
                search.phase = Phase::Arrive;
                self.history.restore(self.debuggee, time)
            }
            None => {
                search.end = search.from;
                search.phase = Phase::Choose;
                Ok(())
            }
        }
    }

    /// Executes a part of the stretch.
    fn look(&mut self, search: &mut Search) -> Result<(), D::Error> {
        if !self.steps(search) {
            self.history.repeat(self.debuggee)?;
            let until = search.end.min(self.history.next_change());
            if self.debuggee.run(until)? == Pause::Breakpoint {
                search.notes(self.debuggee.chip().now(), Found::Breakpoint);
                self.pass(until)?;
            }
            return Ok(());
        }
        for _ in 0..STEPS {
            self.history.repeat(self.debuggee)?;
            let now = self.debuggee.chip().now();
            if now >= search.end {
                break;
            }
            if self.is_at_breakpoint() {
                search.notes(now, Found::Breakpoint);
            }
            let ours = search.step.is_some_and(|step| step.in_handler || self.executes(&step));
            let step = self.execute(search.end)?;
            if ours && step.executed {
                search.notes(now, Found::Step);
            }
            if let Some((kind, address)) = step.met {
                search.notes(now, Found::Watchpoint(kind, address));
            }
        }
        Ok(())
    }

    /// Replays the past for a while, no further than `until`.
    fn repeat(&mut self, until: Time) -> Result<(), D::Error> {
        self.history.repeat(self.debuggee)?;
        if self.debuggee.chip().now() >= until {
            return Ok(());
        }
        let until = until.min(self.history.next_change());
        if self.debuggee.run(until)? == Pause::Breakpoint {
            self.pass(until)?;
        }
        self.history.repeat(self.debuggee)
    }

    /// Executes the instruction that has a breakpoint, unless the mote is to stay.
    fn pass(&mut self, until: Time) -> Result<(), D::Error> {
        if self.debuggee.chip().now() < until {
            self.debuggee.step(until)?;
        }
        Ok(())
    }

    fn stop_at(&self, found: Found, search: &Search) -> Stop {
        let running = threads::running(self.debuggee);
        match found {
            Found::Step => {
                let tid = search.step.map_or(running, |step| step.thread);
                Stop::SignalWithThread { tid, signal: Signal::SIGTRAP }
            }
            Found::Breakpoint => Stop::SwBreak(running),
            Found::Watchpoint(kind, addr) => Stop::Watch { tid: running, kind, addr },
        }
    }
}

impl Search {
    fn notes(&mut self, time: Time, found: Found) {
        if time < self.end {
            self.found = Some((time, found));
        }
    }
}
