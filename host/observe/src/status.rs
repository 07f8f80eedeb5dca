// SPDX-License-Identifier: MIT OR Apache-2.0
//! Threads as a debugger shows them: which one runs, which wait, and the registers of those that do
//! not run.
//!
//! A thread that does not run has its registers on its own stack, in one of two forms
//! (os/arch/armv6m/switch.S): where it was interrupted, r8 to r11 and above them the exception frame
//! lie at its stack pointer, and r4 to r7 below it. Where it called the kernel (bit 0 of the
//! pointer is set) there is only the frame; the compiler has saved what the thread needs of r4 to
//! r11.

use crate::Kernel;
use crate::kernel::{IDLE, MOST_THREADS};
use crate::record::{self, Record};
use lichen_chip::Chip;

/// How many registers [`Registers`] has.
pub const REGISTERS: usize = 21;

/// Registers numbered as in [`Chip::register`]; `None` where the value is not kept anywhere.
pub type Registers = [Option<u32>; REGISTERS];

/// The state of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreadState {
    /// The processor executes it, or an interrupt instead of it.
    Running,
    /// It is ready, and less urgent than the one that runs, or its equal.
    Ready,
    /// It is in a call that blocks.
    Waiting,
    /// It does not run until it is resumed.
    Paused,
    /// It has not been started, or it has ended.
    Stopped,
}

impl ThreadState {
    /// As a word.
    pub fn name(self) -> &'static str {
        match self {
            ThreadState::Running => "running",
            ThreadState::Ready => "ready",
            ThreadState::Waiting => "waiting",
            ThreadState::Paused => "paused",
            ThreadState::Stopped => "stopped",
        }
    }
}

/// A thread at the present moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadStatus {
    /// Its place in the linker's table; the declared threads are followed by the idle thread and
    /// those made at run time.
    pub index: usize,
    /// Its name.
    pub name: String,
    /// Address of its control block.
    pub block: u32,
    /// Its state.
    pub state: ThreadState,
    /// Present priority, including inheritance.
    pub priority: u32,
    /// Processor cycles that it has used, up to its last switch; `None` in an image that was built
    /// without (`[build] cpu_time`).
    pub cpu_cycles: Option<u64>,
}

/// Value of `enum thread_state` for a thread on the ready list, and its bits for others.
const READY: u32 = 0;
const PAUSED: u32 = 2;
const STOPPED: u32 = 4;
/// Bit of the saved stack pointer that distinguishes a call from an interruption.
const CALLED: u32 = 1;
const SP: usize = 13;
const PC: usize = 15;
const XPSR: usize = 16;
const MSP: usize = 17;
const PSP: usize = 18;
const PRIMASK: usize = 19;
const CONTROL: usize = 20;
/// CONTROL of every thread: on the process stack (SPSEL).
const ON_PROCESS_STACK: u32 = 2;
/// The registers of an exception frame: r0 to r3, r12, lr, pc, xPSR.
const FRAME: [usize; 8] = [0, 1, 2, 3, 12, 14, PC, XPSR];
const FRAME_BYTES: u32 = 32;
/// Bit of the stacked xPSR that indicates a word left free to align the frame.
const ALIGNED: u32 = 1 << 9;

impl Kernel {
    /// All threads; empty before the first of them runs, and where the image does
    /// not describe them.
    pub fn statuses(&self, chip: &dyn Chip) -> Vec<ThreadStatus> {
        let Some(current) = self.current(chip) else { return Vec::new() };
        let declared = self.threads().iter().map(|thread| (thread.block, thread.name.clone()));
        let idle = self.idle(chip).map(|block| (block, IDLE.to_string()));
        let created = self.created(chip).into_iter().map(|thread| (thread.block, thread.name));
        let all = declared.chain(idle).chain(created);
        all.enumerate()
            .filter_map(|(index, (block, name))| {
                let thread = self.block(chip, block)?;
                let state = match thread.get("state")? {
                    _ if block == current => ThreadState::Running,
                    READY => ThreadState::Ready,
                    bits if bits & STOPPED != 0 => ThreadState::Stopped,
                    bits if bits & PAUSED != 0 => ThreadState::Paused,
                    _ => ThreadState::Waiting,
                };
                let priority = thread.get("priority")?;
                let cpu_cycles = thread.get_64("cpu_time");
                Some(ThreadStatus { index, name, block, state, priority, cpu_cycles })
            })
            .collect()
    }

    /// Control block of the thread that runs or is interrupted; `None` before threads run.
    pub fn current(&self, chip: &dyn Chip) -> Option<u32> {
        self.member(chip, "current").filter(|block| self.has_threads() && *block != 0)
    }

    /// Registers of a thread that does not run, as they will be when it continues.
    pub fn saved_registers(&self, chip: &dyn Chip, block: u32) -> Option<Registers> {
        let saved = self.block(chip, block)?.get("sp")?;
        let at = saved & !3;
        let word = |address: u32| record::word(chip, address);
        let mut registers: Registers = [None; REGISTERS];
        let mut frame = at;
        if saved & CALLED == 0 {
            for offset in 0..4 {
                registers[4 + offset as usize] = word(at.checked_sub(16)? + offset * 4);
                registers[8 + offset as usize] = word(at + offset * 4);
            }
            frame = at.checked_add(16)?;
        }
        for (offset, register) in (0..).zip(FRAME) {
            registers[register] = Some(word(frame.checked_add(offset * 4)?)?);
        }
        let aligned = registers[XPSR].is_some_and(|xpsr| xpsr & ALIGNED != 0);
        let sp = frame.checked_add(FRAME_BYTES + if aligned { 4 } else { 0 })?;
        registers[XPSR] = registers[XPSR].map(|xpsr| xpsr & !ALIGNED);
        registers[SP] = Some(sp);
        registers[PSP] = Some(sp);
        registers[MSP] = Some(chip.register(MSP));
        // A switch is an exception, which a masked processor does not take.
        registers[PRIMASK] = Some(0);
        registers[CONTROL] = Some(ON_PROCESS_STACK);
        Some(registers)
    }

    /// Control block of the idle thread, which ends the list of the ready ones and follows itself
    /// (0 in kernels before that).
    fn idle(&self, chip: &dyn Chip) -> Option<u32> {
        let mut block = self.member(chip, "ready")?;
        for _ in 0..=MOST_THREADS {
            match self.block(chip, block)?.get("next")? {
                next if next == 0 || next == block => return Some(block),
                next => block = next,
            }
        }
        None
    }

    fn member(&self, chip: &dyn Chip, name: &str) -> Option<u32> {
        Record { bytes: chip, layout: &self.state_layout, address: self.state }.get(name)
    }

    fn block<'a>(&'a self, chip: &'a dyn Chip, address: u32) -> Option<Record<'a, dyn Chip + 'a>> {
        Some(Record { bytes: chip, layout: self.thread_layout.as_ref()?, address })
    }
}
