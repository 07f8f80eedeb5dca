// SPDX-License-Identifier: MIT OR Apache-2.0
//! The core: its state, and its interface for the owner.

use super::flags::Flags;
use super::interrupt::Handlers;
use super::poll::Polls;
use super::timing::WAKE_UP;
use super::{DATA_BASE, PC, RAMPZ, SP, SREG};
use crate::Cycle;
use crate::stacks::{StackGuard, Stacks};
use std::sync::Arc;

/// Number of vectors that the core can tell apart.
pub(super) const VECTORS: usize = 64;

/// An AVR core.
#[derive(Clone, Debug, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub struct Core {
    pub(super) registers: [u8; 32],
    pub(super) flags: Flags,
    pub(super) sp: u16,
    #[borsh(skip)]
    pub(super) guard: StackGuard,
    pub(super) rampz: u8,
    /// Address of a word.
    pub(super) pc: u32,

    pub(super) cycle: Cycle,
    pub(super) instructions: u64,
    /// The fast path continues while the cycle is below this. Everything that must be handled
    /// between two instructions lowers it.
    #[borsh(skip)]
    pub(super) horizon: Cycle,
    /// The first cycle at which something may happen that instructions do not do themselves.
    #[borsh(skip)]
    pub(super) due: Cycle,
    pub(super) asleep: bool,

    /// Interrupts that the request lines request, and those of [`Core::pend_interrupt`], as bits by
    /// vector number.
    pub(super) lines: u64,
    pub(super) forced: u64,
    /// Interrupts are taken from this number of executed instructions on: one is executed first after
    /// I was set, and after RETI.
    pub(super) interruptible_from: u64,
    /// Where the vectors are, the address of a word.
    pub(super) vector_base: u32,
    pub(super) handlers: Handlers,
    /// Interrupts taken, all together and by vector.
    pub(super) taken: u64,
    pub(super) entries: [u64; VECTORS],

    /// Whether a run ends where the active interrupt changes.
    #[borsh(skip)]
    pub(super) watches_exceptions: bool,
    /// The active interrupt changed, which has not ended the run yet.
    #[borsh(skip)]
    pub(super) exception_changed: bool,
    /// The word whose breakpoint a step ignores.
    #[borsh(skip)]
    pub(super) step_over: Option<u32>,
    #[borsh(skip)]
    pub(super) polls: Polls,
    /// Cycles for which accesses to the bus were stalled. Nothing depends on it.
    #[borsh(skip)]
    pub(super) stalled: u64,
}

impl Default for Core {
    fn default() -> Core {
        Core::new()
    }
}

impl Core {
    /// A core whose registers are zero, about to execute address 0.
    pub fn new() -> Core {
        Core {
            registers: [0; 32],
            flags: Flags::from(0),
            sp: 0,
            guard: StackGuard::default(),
            rampz: 0,
            pc: 0,
            cycle: Cycle(0),
            instructions: 0,
            horizon: Cycle(0),
            due: Cycle(0),
            asleep: false,
            lines: 0,
            forced: 0,
            interruptible_from: 0,
            vector_base: 0,
            handlers: Handlers::default(),
            taken: 0,
            entries: [0; VECTORS],
            watches_exceptions: false,
            exception_changed: false,
            step_over: None,
            polls: Polls::default(),
            stalled: 0,
        }
    }

    /// Resets the core: it continues at `at`, an address of a byte: 0, or the start of the boot
    /// section. r0 to r31 keep their values, as on silicon; cycles and counts continue. The vectors are
    /// at 0 again.
    pub fn reset(&mut self, at: u32) {
        *self = Core {
            registers: self.registers,
            pc: at >> 1,
            cycle: self.cycle,
            instructions: self.instructions,
            taken: self.taken,
            entries: self.entries,
            watches_exceptions: self.watches_exceptions,
            stalled: self.stalled,
            guard: self.guard.at(lowest_in_use(0)),
            ..Core::new()
        };
    }

    /// Where the interrupt vectors are, an address of a byte: 0, or the start of the boot section
    /// (MCUCR.IVSEL).
    pub fn set_vector_base(&mut self, address: u32) {
        self.vector_base = address >> 1;
    }

    /// Takes the state of `other`, but keeps what a debugger has set here.
    pub fn restore(&mut self, other: &Core) {
        *self = Core {
            watches_exceptions: self.watches_exceptions,
            guard: self.guard.like(&other.guard, lowest_in_use(other.sp)),
            ..other.clone()
        };
    }

    /// The same core in a canonical state, for comparing states.
    pub fn settled(&self) -> Core {
        Core { flags: Flags::from(u8::from(self.flags)), ..self.clone() }
    }

    /// Makes the core take the interrupt with this vector number at the next boundary at which I is
    /// set, though nothing requests it: for tests of concurrency.
    pub fn pend_interrupt(&mut self, vector: u32) {
        self.forced |= 1 << (vector as usize % VECTORS);
    }

    /// Makes runs end with [`Stop::Exception`](super::Stop::Exception) where the active interrupt
    /// changes. Time and execution are the same with and without it.
    pub fn watch_exceptions(&mut self, on: bool) {
        self.watches_exceptions = on;
        self.exception_changed = false;
    }

    /// Makes runs end with [`Stop::StackOverflow`](super::Stop::StackOverflow) when the stack pointer leaves one of
    /// `stacks`. Time and execution are the same with and without it.
    pub fn guard_stacks(&mut self, stacks: Arc<Stacks>) {
        self.guard = StackGuard::new(stacks, lowest_in_use(self.sp));
    }

    /// Clock edges so far.
    pub fn cycle(&self) -> Cycle {
        self.cycle
    }

    /// Instructions executed so far.
    pub fn instructions(&self) -> u64 {
        self.instructions
    }

    /// Lets clock edges pass without execution: sleep, a debugger.
    pub fn advance(&mut self, cycles: u64) {
        self.cycle += cycles;
    }

    /// Sets the levels of the interrupt requests, while the core does not run.
    pub fn set_lines(&mut self, lines: u64) {
        self.lines = lines;
    }

    /// Whether the core sleeps.
    pub fn is_asleep(&self) -> bool {
        self.asleep
    }

    /// Whether an interrupt would end a sleep: one is requested, and I is set.
    pub fn wake_pending(&self) -> bool {
        self.lines | self.forced != 0 && self.flags.i
    }

    /// Ends a sleep: the core continues after SLEEP, with the handler of an interrupt if one is
    /// requested. `extra_cycles` is the start-up time; the four cycles for which a processor that was
    /// asleep halts come in addition.
    pub fn wake_up(&mut self, extra_cycles: u64) {
        if std::mem::take(&mut self.asleep) {
            self.cycle += WAKE_UP + extra_cycles;
        }
    }

    /// A register by the number of the architecture's table: r0 to r31, SREG, SP, PC (an address of a
    /// byte), RAMPZ; 0 for others.
    pub fn register(&self, number: usize) -> u32 {
        match number {
            0..=31 => self.registers[number].into(),
            SREG => u8::from(self.flags).into(),
            SP => self.sp.into(),
            PC => self.pc(),
            RAMPZ => self.rampz.into(),
            _ => 0,
        }
    }

    /// Writes a register, numbered as in [`Core::register`]; others are ignored.
    pub fn set_register(&mut self, number: usize, value: u32) {
        match number {
            0..=31 => self.registers[number] = value as u8,
            SREG => self.flags = Flags::from(value as u8),
            SP => {
                self.sp = value as u16;
                self.guard.go_to(lowest_in_use(self.sp));
            }
            PC => self.pc = value >> 1 & 0xFFFF,
            RAMPZ => self.set_rampz(value as u8),
            _ => {}
        }
    }

    /// RAMPZ has one bit: flash has 128 KB.
    pub(super) fn set_rampz(&mut self, value: u8) {
        self.rampz = value & 1;
    }

    /// Address of the next instruction, in bytes.
    pub fn pc(&self) -> u32 {
        self.pc << 1
    }

    /// Whether SREG.I is clear.
    pub fn masks_interrupts(&self) -> bool {
        !self.flags.i
    }

    /// Interrupts that wait for their handlers, as bits by vector number, once the request lines have
    /// taken the levels `lines`.
    pub fn requests(&self, lines: u64) -> u64 {
        lines | self.forced
    }

    /// Vector number of the innermost handler that has not returned, 0 for none. No register of the
    /// hardware says so: the core remembers it for tools. It ends with RETI, and with what moves the
    /// stack pointer above its return address; one that continues on another stack below counts until
    /// RETI, or [`Memory::leave_handlers_at`].
    pub fn active_exception(&self) -> u32 {
        self.handlers.active(self.sp)
    }

    /// How many handlers have not returned, as far as the core knows ([`Core::active_exception`]).
    pub fn active_exceptions(&self) -> usize {
        self.handlers.count(self.sp)
    }

    /// How often the handler of this vector was entered.
    pub fn entries(&self, vector: u32) -> u64 {
        self.entries.get(vector as usize).copied().unwrap_or(0)
    }

    /// How often any was.
    pub fn all_entries(&self) -> u64 {
        self.entries.iter().sum()
    }

    /// Cycles for which the bus has stalled accesses so far.
    pub fn stalled(&self) -> u64 {
        self.stalled
    }
}

/// The lowest byte that is in use of a stack whose pointer is `sp`.
pub(super) fn lowest_in_use(sp: u16) -> u32 {
    DATA_BASE + u32::from(sp) + 1
}
