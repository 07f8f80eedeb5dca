// SPDX-License-Identifier: MIT OR Apache-2.0
//! The debugger's thread numbers, and the threads that they denote.

use super::Debuggee;
use crate::{Registers, ThreadState, ThreadStatus};
use gdbstub::common::Tid;
use lichen_chip::Core;

/// Number of the thread that represents the processor if there are no others.
pub(super) const CORE: Tid = Tid::MIN;
/// Number of the kernel's first thread.
const FIRST: usize = 2;

/// All threads of the kernel; none before they run, or without a kernel.
pub(super) fn statuses(debuggee: &impl Debuggee) -> Vec<ThreadStatus> {
    debuggee.kernel().map(|kernel| kernel.statuses(debuggee.chip())).unwrap_or_default()
}

/// The debugger's number of a thread.
pub(super) fn number(status: &ThreadStatus) -> Tid {
    CORE.saturating_add(status.index + FIRST - CORE.get())
}

/// The thread with this number, if it is the kernel's.
pub(super) fn status(debuggee: &impl Debuggee, tid: Tid) -> Option<ThreadStatus> {
    statuses(debuggee).into_iter().find(|status| number(status) == tid)
}

/// Why the kernel's threads are not shown, if they never are.
pub(super) fn why_none(debuggee: &impl Debuggee) -> Option<&'static str> {
    let symbols = debuggee.image().symbols();
    match debuggee.kernel() {
        Some(_) => None,
        None if symbols.functions().is_empty() && symbols.objects().is_empty() => Some(
            "the image has no symbols: GDB shows addresses, and one thread, `core`; debug the image as \
             it was linked, before anything was stripped",
        ),
        None => Some("no Lichen kernel can be read in the image: GDB shows one thread, `core`"),
    }
}

/// Number of the thread that runs or is interrupted.
pub(super) fn running(debuggee: &impl Debuggee) -> Tid {
    let all = statuses(debuggee);
    let running = all.iter().find(|status| status.state == ThreadState::Running);
    running.map_or(CORE, number)
}

/// Whether the processor executes a thread: neither a handler nor the kernel.
pub(super) fn is_in_thread(debuggee: &impl Debuggee) -> bool {
    let chip = debuggee.chip();
    debuggee.kernel().map_or(chip.core().exception() == 0, |kernel| kernel.is_in_thread(chip))
}

/// Registers of a thread, from the processor or from its stack.
pub(super) fn registers(debuggee: &impl Debuggee, tid: Tid) -> Option<Registers> {
    let chip = debuggee.chip();
    match status(debuggee, tid) {
        Some(ThreadStatus { state, block, .. }) if state != ThreadState::Running => {
            debuggee.kernel()?.saved_registers(chip, block)
        }
        _ => Some(processor(chip.core())),
    }
}

/// The registers of the processor.
pub(super) fn processor(core: &dyn Core) -> Registers {
    (0..core.architecture().registers.len()).map(|number| Some(core.register(number))).collect()
}

/// A thread's line in a list of threads: its name, state and priority.
pub(super) fn description(debuggee: &impl Debuggee, tid: Tid) -> String {
    let chip = debuggee.chip();
    let interrupt = match chip.core().exception() {
        0 => String::new(),
        number => format!(", in {}", chip.core().exception_name(number)),
    };
    let Some(ThreadStatus { name, state, priority, cpu_cycles, wait, .. }) = status(debuggee, tid)
    else {
        return format!("core{interrupt}");
    };
    let interrupt = if state == ThreadState::Running { interrupt } else { String::new() };
    let cpu = cpu_cycles.map(|cycles| format!(", {cycles} cycles")).unwrap_or_default();
    let wait = wait.map(|wait| format!(" {wait}")).unwrap_or_default();
    format!("{name}: {}{wait}{interrupt}, priority {priority}{cpu}", state.name())
}
