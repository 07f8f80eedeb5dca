// SPDX-License-Identifier: MIT OR Apache-2.0
//! Resuming: the debugger's requests, and what makes the mote halt.

use super::back::Search;
use super::history::Change;
use super::stub::Target;
use super::{Debuggee, Link, Pause, access, link, threads};
use gdbstub::common::{Signal, Tid};
use gdbstub::conn::ConnectionExt;
use gdbstub::stub::MultiThreadStopReason;
use gdbstub::stub::run_blocking::{BlockingEventLoop, Event, WaitForStopReasonError};
use gdbstub::target::ext::breakpoints::WatchKind;
use lichen_chip::Time;
use lichen_isa::RegisterRole;
use std::marker::PhantomData;

/// Why the mote has halted.
pub(super) type Stop = MultiThreadStopReason<u32>;

/// Instructions stepped between two polls of the connection.
const STEPS: usize = 1000;

/// The debugger's request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Plan {
    /// Continue everything.
    #[default]
    Continue,
    /// Let one thread execute one instruction.
    Step(Step),
    /// Search for the last moment at which the mote would halt.
    Back(Search),
}

/// The step of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub thread: Tid,
    /// The thread's control block, unless the thread represents the processor.
    block: Option<u32>,
    /// It begins within an interrupt: it steps the processor's next instruction, whatever that is.
    pub in_handler: bool,
    /// Where the thread's instruction is, once the thread is about to execute it.
    from: Option<u32>,
}

/// The outcome of the processor's next instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Executed {
    /// Whether it was executed; otherwise the processor slept, or an interrupt came first.
    pub executed: bool,
    /// The watchpoint that it met.
    pub met: Option<(WatchKind, u32)>,
    /// What else happened.
    pub pause: Pause,
}

impl<D: Debuggee> Target<'_, D> {
    /// The step of `thread`.
    pub(super) fn step_of(&self, thread: Tid) -> Step {
        let status = threads::status(self.debuggee, thread);
        let in_handler =
            !threads::is_in_thread(self.debuggee) && thread == threads::running(self.debuggee);
        let block = status.map(|status| status.block);
        Step { thread, block, in_handler, from: None }
    }

    /// Continues for a while; returns why, if the mote halts meanwhile.
    fn go_on(&mut self) -> Result<Option<Stop>, D::Error> {
        if let Plan::Back(mut search) = self.plan {
            let stop = self.search_on(&mut search)?;
            self.plan = Plan::Back(search);
            return Ok(stop);
        }
        let stop = match self.plan == Plan::Continue && self.watchpoints.is_empty() {
            true => self.run()?,
            false => self.step()?,
        };
        self.history.reach(self.debuggee);
        Ok(stop)
    }

    fn run(&mut self) -> Result<Option<Stop>, D::Error> {
        self.history.repeat(self.debuggee)?;
        let pause = self.debuggee.run(self.history.next_change())?;
        self.history.repeat(self.debuggee)?;
        if self.is_at_present() {
            let typed = self.debuggee.typed();
            if !typed.is_empty() {
                self.history.change(self.debuggee, Change::Typed(typed))?;
            }
        }
        let stop = self.stop_of(pause);
        match stop.is_none() && self.has_other_programs() {
            true => Ok(Some(Stop::Library(threads::running(self.debuggee)))),
            false => Ok(stop),
        }
    }

    fn step(&mut self) -> Result<Option<Stop>, D::Error> {
        for _ in 0..STEPS {
            self.history.repeat(self.debuggee)?;
            if let Some(stop) = self.before_instruction() {
                return Ok(Some(stop));
            }
            let Executed { met, pause, .. } = self.execute(Time::NEVER)?;
            if let (Some((kind, addr)), Pause::Nothing) = (met, pause) {
                let tid = threads::running(self.debuggee);
                return Ok(Some(Stop::Watch { tid, kind, addr }));
            }
            if let Some(stop) = self.stop_of(pause) {
                return Ok(Some(stop));
            }
        }
        Ok(None)
    }

    /// What halts the mote before its next instruction.
    fn before_instruction(&mut self) -> Option<Stop> {
        let pc = self.debuggee.chip().core().pc();
        if let Plan::Step(mut step) = self.plan {
            if self.is_done(&step) {
                return Some(Stop::SignalWithThread { tid: step.thread, signal: Signal::SIGTRAP });
            }
            if step.in_handler || self.executes(&step) {
                step.from = Some(pc);
            }
            self.plan = Plan::Step(step);
        }
        if !std::mem::take(&mut self.fresh) && self.is_at_breakpoint() {
            return self.stop_of(Pause::Breakpoint);
        }
        None
    }

    /// Whether the processor's next instruction has a breakpoint.
    pub(super) fn is_at_breakpoint(&self) -> bool {
        self.breakpoints.contains(&self.debuggee.chip().core().pc())
    }

    /// Whether the thread of `step` executes, and no interrupt does.
    pub(super) fn executes(&self, step: &Step) -> bool {
        let chip = self.debuggee.chip();
        let current = || self.debuggee.kernel().and_then(|kernel| kernel.current(chip));
        threads::is_in_thread(self.debuggee)
            && step.block.is_none_or(|block| current() == Some(block))
    }

    /// Whether the thread has executed the instruction of `step`; not yet if an interrupt came
    /// first.
    fn is_done(&self, step: &Step) -> bool {
        let Some(from) = step.from else { return false };
        if step.in_handler {
            return true;
        }
        let chip = self.debuggee.chip();
        if !threads::is_in_thread(self.debuggee) {
            return false;
        }
        if self.executes(step) {
            return chip.core().pc() != from;
        }
        let saved = threads::registers(self.debuggee, step.thread);
        let pc = chip.core().architecture().register(RegisterRole::ProgramCounter);
        saved.zip(pc).is_none_or(|(registers, pc)| registers[pc] != Some(from))
    }

    /// Executes the next instruction and checks the watchpoints. The entry of an interrupt and a
    /// sleep are steps of their own; none goes beyond `limit`.
    pub(super) fn execute(&mut self, limit: Time) -> Result<Executed, D::Error> {
        let chip = self.debuggee.chip();
        let planned = (!self.watchpoints.is_empty()).then(|| access::next(chip)).flatten();
        let before = chip.instructions();
        let next = chip.next_event().max(chip.now() + Time::UNIT);
        let pause = self.debuggee.step(next.min(limit).min(self.history.next_change()))?;
        let chip = self.debuggee.chip();
        let executed = chip.instructions() != before;
        let access = planned.filter(|_| executed);
        let mut met = None;
        for watchpoint in &mut self.watchpoints {
            if watchpoint.meets(chip, access) {
                met.get_or_insert((watchpoint.kind, watchpoint.address));
            }
        }
        Ok(Executed { executed, met, pause })
    }

    fn stop_of(&self, pause: Pause) -> Option<Stop> {
        let tid = threads::running(self.debuggee);
        match pause {
            Pause::Nothing => None,
            Pause::Breakpoint => Some(Stop::SwBreak(tid)),
            Pause::Fault => Some(Stop::SignalWithThread { tid, signal: Signal::SIGSEGV }),
            Pause::Over(code) => Some(Stop::Exited(code)),
        }
    }
}

/// Waits for what comes first: the mote or the debugger.
pub(super) struct Loop<'d, D>(PhantomData<&'d D>);

impl<'d, D: Debuggee> BlockingEventLoop for Loop<'d, D> {
    type Target = Target<'d, D>;
    type Connection = Link;
    type StopReason = Stop;

    fn wait_for_stop_reason(
        target: &mut Target<'d, D>,
        link: &mut Link,
    ) -> Result<Event<Stop>, WaitForStopReasonError<D::Error, link::Broken>> {
        loop {
            if link.peek().map_err(WaitForStopReasonError::Connection)?.is_some() {
                let byte = link.read().map_err(WaitForStopReasonError::Connection)?;
                return Ok(Event::IncomingData(byte));
            }
            if let Some(stop) = target.go_on().map_err(WaitForStopReasonError::Target)? {
                return Ok(Event::TargetStopped(stop));
            }
        }
    }

    fn on_interrupt(target: &mut Target<'d, D>) -> Result<Option<Stop>, D::Error> {
        if let Plan::Back(search) = target.plan {
            target.give_up(&search)?;
        }
        let tid = threads::running(target.debuggee);
        Ok(Some(Stop::SignalWithThread { tid, signal: Signal::SIGINT }))
    }
}
