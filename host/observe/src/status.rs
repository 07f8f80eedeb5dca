// SPDX-License-Identifier: MIT OR Apache-2.0
//! Threads as a debugger shows them: which one runs, which wait, and the registers of those that do
//! not run.

use crate::kernel::{IDLE, MOST_THREADS};
use crate::record::Record;
use crate::{Kernel, Wait};
use lichen_chip::Chip;
use lichen_image::Image;

/// Registers numbered as in the architecture's table; `None` where the value is not kept anywhere.
pub type Registers = Vec<Option<u32>>;

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
    /// those made at run time, and then by those of loaded programs.
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
    /// What it waits for, if it is in a call that blocks, paused or not.
    pub wait: Option<Wait>,
}

/// Value of `enum thread_state` for a thread on the ready list, and its bits for others.
const READY: u32 = 0;
const WAITING: u32 = 1;
const PAUSED: u32 = 2;
const STOPPED: u32 = 4;

impl Kernel {
    /// All threads; empty before the first of them runs, and where the image does
    /// not describe them.
    pub fn statuses(&self, chip: &dyn Chip) -> Vec<ThreadStatus> {
        let Some(current) = self.current(chip) else { return Vec::new() };
        let declared = self.threads().iter().map(|thread| (thread.block, thread.name.clone()));
        let idle = self.idle(chip).map(|block| (block, IDLE.to_string()));
        let created = self.created(chip).into_iter().map(|thread| (thread.block, thread.name));
        let all = declared.chain(idle).chain(created).chain(self.loaded(chip));
        all.enumerate()
            .filter_map(|(index, (block, name))| {
                let thread = self.block(chip, block)?;
                let bits = thread.get("state")?;
                let state = match bits {
                    _ if block == current => ThreadState::Running,
                    READY => ThreadState::Ready,
                    bits if bits & STOPPED != 0 => ThreadState::Stopped,
                    bits if bits & PAUSED != 0 => ThreadState::Paused,
                    _ => ThreadState::Waiting,
                };
                let priority = thread.get("priority")?;
                let cpu_cycles = thread.get_64("cpu_time");
                let waits = block != current && bits & WAITING != 0 && bits & STOPPED == 0;
                let wait = if waits { self.wait(chip, block) } else { None };
                Some(ThreadStatus { index, name, block, state, priority, cpu_cycles, wait })
            })
            .collect()
    }

    /// Whether the processor executes a thread, or its part of a kernel without threads: neither a handler
    /// nor the kernel level.
    pub fn is_in_thread(&self, chip: &dyn Chip) -> bool {
        match self.port {
            Some(port) => (port.is_in_thread)(chip, &self.places),
            None => chip.core().exception() == 0,
        }
    }

    /// The function that handles an interrupt, given the address of its entry in the vector table: the same
    /// one, unless the kernel's own code comes first.
    pub fn body_of_handler(&self, image: &Image, entry: u32) -> u32 {
        self.port.map_or(entry, |port| (port.body_of_handler)(image, entry))
    }

    /// The instruction at which threads are switched, if no exception does that: the other one is the
    /// running one from there on ([`lichen_chip::Core::leave_exceptions_at`]).
    pub fn switch(&self) -> Option<u32> {
        self.port?.switch(&self.places)
    }

    /// Control block of the thread that runs or is interrupted; `None` before threads run.
    pub fn current(&self, chip: &dyn Chip) -> Option<u32> {
        let current = self.pointer(chip, "current").filter(|block| *block != 0);
        current.filter(|block| self.has_threads() && self.is_thread(chip, *block))
    }

    /// Registers of a thread that does not run, as they will be when it continues.
    pub fn saved_registers(&self, chip: &dyn Chip, block: u32) -> Option<Registers> {
        let saved = self.block(chip, block)?.address("sp")?;
        (self.port?.saved_registers)(chip, &self.places, saved)
    }

    /// Control block of the idle thread, which ends the list of the ready ones and follows itself
    /// (0 in kernels before that).
    fn idle(&self, chip: &dyn Chip) -> Option<u32> {
        let mut block = self.pointer(chip, "ready")?;
        for _ in 0..=MOST_THREADS {
            match self.block(chip, block)?.address("next")? {
                next if next == 0 || next == block => return Some(block),
                next => block = next,
            }
        }
        None
    }

    fn pointer(&self, chip: &dyn Chip, name: &str) -> Option<u32> {
        Record { bytes: chip, layout: &self.state_layout, address: self.state }.address(name)
    }

    fn block<'a>(&'a self, chip: &'a dyn Chip, address: u32) -> Option<Record<'a, dyn Chip + 'a>> {
        Some(Record { bytes: chip, layout: self.thread_layout.as_ref()?, address })
    }
}
