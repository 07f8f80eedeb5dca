// SPDX-License-Identifier: MIT OR Apache-2.0
//! The state of the fast path from instruction to instruction, and how it ends.

use super::flags::Flags;
use super::semantics::SystemOp;
use crate::{Cycle, Origin};

/// Why the fast path was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    /// The horizon is reached.
    Horizon,
    /// The instruction has not been decoded.
    NotDecoded,
    /// The instruction has a breakpoint.
    Breakpoint,
    /// What the instruction does is undefined.
    Undefined,
    /// The instruction is for [`Core::system`](super::Core::system).
    System(SystemOp),
}

/// The state that changes with every instruction, kept in host registers while the loop runs. An
/// instruction that leaves the loop has not changed it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flow {
    /// Address of the word of the instruction; only the low 16 bits count.
    pub(super) pc: u32,
    pub(super) cycle: u64,
    pub(super) flags: Flags,
    pub(super) executed: u64,
}

impl Flow {
    /// The instruction is complete; the next one follows.
    #[inline(always)]
    pub(super) fn next(&mut self, words: u8, cycles: u64) {
        self.jump(self.pc.wrapping_add(words.into()), cycles);
    }

    #[inline(always)]
    pub(super) fn jump(&mut self, to: u32, cycles: u64) {
        self.pc = to;
        self.cycle += cycles;
    }

    /// The instruction skips the next one, of this many words, if the condition holds.
    #[inline(always)]
    pub(super) fn skip_if(&mut self, condition: bool, words: u8, cycles: u64) {
        self.next(1, cycles);
        if condition {
            self.next(words, words.into());
        }
    }

    /// The origin of an access in this cycle of the instruction.
    #[inline(always)]
    pub(super) fn origin(&self, cycle: u64) -> Origin {
        Origin { cycle: Cycle(self.cycle + cycle), pc: (self.pc & 0xFFFF) << 1 }
    }
}
