// SPDX-License-Identifier: MIT OR Apache-2.0
//! The debugger's requests.

use super::architecture::{Any, Shown};
use super::history::{Change, History};
use super::resume::Plan;
use super::watch::Watchpoint;
use super::{Debuggee, description, threads};
use gdbstub::common::{Signal, Tid};
use gdbstub::target::ext::base::BaseOps;
use gdbstub::target::ext::base::multithread::{
    MultiThreadBase, MultiThreadResume, MultiThreadResumeOps, MultiThreadSchedulerLocking,
    MultiThreadSchedulerLockingOps, MultiThreadSingleStep, MultiThreadSingleStepOps,
};
use gdbstub::target::ext::base::reverse_exec::{
    ReverseCont, ReverseContOps, ReverseStep, ReverseStepOps,
};
use gdbstub::target::ext::breakpoints::{
    Breakpoints, BreakpointsOps, HwBreakpoint, HwBreakpointOps, HwWatchpoint, HwWatchpointOps,
    SwBreakpoint, SwBreakpointOps, WatchKind,
};
use gdbstub::target::ext::flash::FlashOps;
use gdbstub::target::ext::libraries::{Libraries, LibrariesOps};
use gdbstub::target::ext::memory_map::MemoryMapOps;
use gdbstub::target::ext::monitor_cmd::MonitorCmdOps;
use gdbstub::target::ext::target_description_xml_override::{
    TargetDescriptionXmlOverride, TargetDescriptionXmlOverrideOps,
};
use gdbstub::target::ext::thread_extra_info::{ThreadExtraInfo, ThreadExtraInfoOps};
use gdbstub::target::{self, TargetError, TargetResult};
use lichen_isa::Architecture;
use std::collections::BTreeSet;

/// A program, and where its flash begins.
type Place = (String, u32);

/// A mote under a debugger.
pub(super) struct Target<'d, D: Debuggee> {
    pub debuggee: &'d mut D,
    pub history: History<D::State>,
    pub plan: Plan,
    pub breakpoints: BTreeSet<u32>,
    pub watchpoints: Vec<Watchpoint>,
    /// Nothing was executed since the debugger let the mote go on.
    pub fresh: bool,
    /// The programs that were there when the debugger last asked, or was told.
    pub installed: Vec<Place>,
}

impl<'d, D: Debuggee> Target<'d, D> {
    pub fn new(debuggee: &'d mut D) -> Target<'d, D> {
        Target {
            history: History::begin(debuggee),
            debuggee,
            plan: Plan::Continue,
            breakpoints: BTreeSet::new(),
            watchpoints: Vec::new(),
            fresh: false,
            installed: Vec::new(),
        }
    }

    /// Leaves the mote as if it had never been debugged: in the present, without breakpoints.
    pub fn leave(&mut self) -> Result<(), D::Error> {
        for address in std::mem::take(&mut self.breakpoints) {
            self.debuggee.set_breakpoint(address, false);
        }
        match self.is_at_present() {
            true => Ok(()),
            false => self.go_to(self.history.present()),
        }
    }

    /// Whether other programs are installed than before.
    pub fn has_other_programs(&mut self) -> bool {
        let chip = self.debuggee.chip();
        let programs = self.debuggee.kernel().map(|kernel| kernel.programs(chip));
        let programs = programs.unwrap_or_default();
        let active = programs.each().filter(|program| program.is_active);
        let now: Vec<Place> = active.map(|it| (it.name.clone(), it.flash.start)).collect();
        let before = std::mem::replace(&mut self.installed, now);
        before != self.installed
    }

    /// Whether the mote is at the latest moment that it has reached.
    pub fn is_at_present(&self) -> bool {
        self.debuggee.chip().now() >= self.history.present()
    }

    /// Makes a change to the mote in the present; in the past, returns an error of GDB's.
    fn change(&mut self, change: Change) -> TargetResult<(), Self> {
        match self.history.change(self.debuggee, change) {
            Ok(true) => Ok(()),
            Ok(false) => Err(TargetError::NonFatal),
            Err(error) => Err(TargetError::Fatal(error)),
        }
    }

    /// Records the watched bytes as they are now.
    pub fn look_at_watchpoints(&mut self) {
        let chip = self.debuggee.chip();
        self.watchpoints.iter_mut().for_each(|watchpoint| watchpoint.look(chip));
    }

    /// Sets a breakpoint where instructions can be; false elsewhere.
    fn add_breakpoint(&mut self, address: u32) -> bool {
        let chip = self.debuggee.chip();
        let architecture = chip.core().architecture();
        let address = architecture.instruction_address(address);
        let shortest = architecture.instruction_alignment as usize;
        let is_code = chip.peek(address, &mut vec![0; shortest]).is_ok();
        if is_code {
            self.debuggee.set_breakpoint(address, true);
            self.breakpoints.insert(address);
        }
        is_code
    }

    fn remove_breakpoint(&mut self, address: u32) -> bool {
        let address = self.architecture().instruction_address(address);
        let was_set = self.breakpoints.remove(&address);
        if was_set {
            self.debuggee.set_breakpoint(address, false);
        }
        was_set
    }

    fn architecture(&self) -> &'static Architecture {
        self.debuggee.chip().core().architecture()
    }

    /// Bytes from `address` to the end of the memory that it lies in.
    fn bytes_from(&self, address: u32) -> Option<usize> {
        let chip = self.debuggee.chip();
        let inside = |start: u32, size: u32| address.checked_sub(start).filter(|at| *at < size);
        chip.memories().iter().find_map(|memory| {
            inside(memory.start, memory.size).map(|at| (memory.size - at) as usize)
        })
    }
}

impl<D: Debuggee> target::Target for Target<'_, D> {
    type Arch = Any;
    type Error = D::Error;

    fn base_ops(&mut self) -> BaseOps<'_, Any, D::Error> {
        BaseOps::MultiThread(self)
    }

    fn support_breakpoints(&mut self) -> Option<BreakpointsOps<'_, Self>> {
        Some(self)
    }

    fn support_monitor_cmd(&mut self) -> Option<MonitorCmdOps<'_, Self>> {
        Some(self)
    }

    fn support_target_description_xml_override(
        &mut self,
    ) -> Option<TargetDescriptionXmlOverrideOps<'_, Self>> {
        Some(self)
    }

    fn support_memory_map(&mut self) -> Option<MemoryMapOps<'_, Self>> {
        Some(self)
    }

    fn support_libraries(&mut self) -> Option<LibrariesOps<'_, Self>> {
        Some(self)
    }

    fn support_flash_operations(&mut self) -> Option<FlashOps<'_, Self>> {
        Some(self)
    }
}

impl<D: Debuggee> TargetDescriptionXmlOverride for Target<'_, D> {
    fn target_description_xml(
        &self,
        annex: &[u8],
        offset: u64,
        length: usize,
        buffer: &mut [u8],
    ) -> TargetResult<usize, Self> {
        match annex {
            b"target.xml" => {
                let xml = description::target(self.architecture());
                Ok(description::part(&xml, offset, length, buffer))
            }
            _ => Err(TargetError::NonFatal),
        }
    }
}

impl<D: Debuggee> Libraries for Target<'_, D> {
    fn get_libraries(
        &self,
        offset: u64,
        length: usize,
        buffer: &mut [u8],
    ) -> TargetResult<usize, Self> {
        let xml = description::libraries(&self.debuggee.libraries());
        Ok(description::part(&xml, offset, length, buffer))
    }
}

impl<D: Debuggee> MultiThreadBase for Target<'_, D> {
    fn read_registers(&mut self, shown: &mut Shown, tid: Tid) -> TargetResult<(), Self> {
        let registers = threads::registers(self.debuggee, tid).ok_or(TargetError::NonFatal)?;
        *shown = Shown::of(self.architecture(), &registers);
        Ok(())
    }

    /// Writes only the differences, since the stack pointer in use has two numbers. A thread that
    /// does not run has no registers to write, and the past cannot be changed.
    fn write_registers(&mut self, shown: &Shown, tid: Tid) -> TargetResult<(), Self> {
        if tid != threads::running(self.debuggee) {
            return Err(TargetError::NonFatal);
        }
        let after = shown.registers(self.architecture()).ok_or(TargetError::NonFatal)?;
        let before = threads::processor(self.debuggee.chip().core());
        let changed = |(number, value)| (before[number] != Some(value)).then_some((number, value));
        let after = after.into_iter().enumerate();
        let after = after.filter_map(|(number, value)| Some((number, value?)));
        for (number, value) in after.filter_map(changed) {
            self.change(Change::Register { number, value })?;
        }
        Ok(())
    }

    fn read_addrs(&mut self, start: u32, data: &mut [u8], _: Tid) -> TargetResult<usize, Self> {
        let there = self.bytes_from(start).ok_or(TargetError::NonFatal)?;
        let count = data.len().min(there);
        let read = self.debuggee.chip().peek(start, &mut data[..count]);
        read.map_err(|_| TargetError::NonFatal)?;
        Ok(count)
    }

    fn write_addrs(&mut self, start: u32, data: &[u8], _: Tid) -> TargetResult<(), Self> {
        self.change(Change::Memory { address: start, bytes: data.to_vec() })
    }

    /// The running thread comes first: a debugger shows it until another one is chosen.
    fn list_active_threads(&mut self, list: &mut dyn FnMut(Tid)) -> Result<(), D::Error> {
        let running = threads::running(self.debuggee);
        list(running);
        let all = threads::statuses(self.debuggee);
        all.iter().map(threads::number).filter(|tid| *tid != running).for_each(list);
        Ok(())
    }

    fn support_resume(&mut self) -> Option<MultiThreadResumeOps<'_, Self>> {
        Some(self)
    }

    fn support_thread_extra_info(&mut self) -> Option<ThreadExtraInfoOps<'_, Self>> {
        Some(self)
    }
}

impl<D: Debuggee> ThreadExtraInfo for Target<'_, D> {
    fn thread_extra_info(&self, tid: Tid, buffer: &mut [u8]) -> Result<usize, D::Error> {
        let text = threads::description(self.debuggee, tid);
        Ok(description::part(&text, 0, buffer.len(), buffer))
    }
}

impl<D: Debuggee> MultiThreadResume for Target<'_, D> {
    fn resume(&mut self) -> Result<(), D::Error> {
        self.fresh = true;
        self.look_at_watchpoints();
        Ok(())
    }

    fn clear_resume_actions(&mut self) -> Result<(), D::Error> {
        self.plan = Plan::Continue;
        Ok(())
    }

    fn set_resume_action_continue(&mut self, _: Tid, _: Option<Signal>) -> Result<(), D::Error> {
        // Threads continue together, and firmware has no signals.
        Ok(())
    }

    fn support_single_step(&mut self) -> Option<MultiThreadSingleStepOps<'_, Self>> {
        Some(self)
    }

    fn support_reverse_cont(&mut self) -> Option<ReverseContOps<'_, Tid, Self>> {
        Some(self)
    }

    fn support_reverse_step(&mut self) -> Option<ReverseStepOps<'_, Tid, Self>> {
        Some(self)
    }

    fn support_scheduler_locking(&mut self) -> Option<MultiThreadSchedulerLockingOps<'_, Self>> {
        Some(self)
    }
}

/// One processor runs all threads, and only the kernel switches between them: threads that the
/// debugger wants to hold continue as well. It requests this when it steps over a breakpoint.
impl<D: Debuggee> MultiThreadSchedulerLocking for Target<'_, D> {
    fn set_resume_action_scheduler_lock(&mut self) -> Result<(), D::Error> {
        Ok(())
    }
}

impl<D: Debuggee> MultiThreadSingleStep for Target<'_, D> {
    fn set_resume_action_step(&mut self, tid: Tid, _: Option<Signal>) -> Result<(), D::Error> {
        self.plan = Plan::Step(self.step_of(tid));
        Ok(())
    }
}

impl<D: Debuggee> ReverseCont<Tid> for Target<'_, D> {
    fn reverse_cont(&mut self) -> Result<(), D::Error> {
        self.plan = Plan::Back(self.search(None));
        Ok(())
    }
}

/// GDB does not say which thread it means (`Hc0`): it means the running one.
impl<D: Debuggee> ReverseStep<Tid> for Target<'_, D> {
    fn reverse_step(&mut self, _: Tid) -> Result<(), D::Error> {
        let step = self.step_of(threads::running(self.debuggee));
        self.plan = Plan::Back(self.search(Some(step)));
        Ok(())
    }
}

impl<D: Debuggee> Breakpoints for Target<'_, D> {
    fn support_sw_breakpoint(&mut self) -> Option<SwBreakpointOps<'_, Self>> {
        Some(self)
    }

    fn support_hw_breakpoint(&mut self) -> Option<HwBreakpointOps<'_, Self>> {
        Some(self)
    }

    fn support_hw_watchpoint(&mut self) -> Option<HwWatchpointOps<'_, Self>> {
        Some(self)
    }
}

impl<D: Debuggee> SwBreakpoint for Target<'_, D> {
    fn add_sw_breakpoint(&mut self, address: u32, _: usize) -> TargetResult<bool, Self> {
        Ok(self.add_breakpoint(address))
    }

    fn remove_sw_breakpoint(&mut self, address: u32, _: usize) -> TargetResult<bool, Self> {
        Ok(self.remove_breakpoint(address))
    }
}

/// Both kinds are the same here: neither changes memory, and their number is unlimited.
impl<D: Debuggee> HwBreakpoint for Target<'_, D> {
    fn add_hw_breakpoint(&mut self, address: u32, _: usize) -> TargetResult<bool, Self> {
        Ok(self.add_breakpoint(address))
    }

    fn remove_hw_breakpoint(&mut self, address: u32, _: usize) -> TargetResult<bool, Self> {
        Ok(self.remove_breakpoint(address))
    }
}

impl<D: Debuggee> HwWatchpoint for Target<'_, D> {
    fn add_hw_watchpoint(
        &mut self,
        address: u32,
        length: u32,
        kind: WatchKind,
    ) -> TargetResult<bool, Self> {
        let watchpoint = Watchpoint::new(self.debuggee.chip(), address, length, kind);
        let is_memory = watchpoint.is_some();
        self.watchpoints.extend(watchpoint);
        Ok(is_memory)
    }

    fn remove_hw_watchpoint(
        &mut self,
        address: u32,
        length: u32,
        kind: WatchKind,
    ) -> TargetResult<bool, Self> {
        let found = self.watchpoints.iter().position(|one| one.is(address, length, kind));
        Ok(found.map(|index| self.watchpoints.remove(index)).is_some())
    }
}
