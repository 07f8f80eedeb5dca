// SPDX-License-Identifier: MIT OR Apache-2.0
//! The state of the fast path from instruction to instruction, and how it ends.

use super::flags::Flags;
use super::op::Op;
use super::timing::{BRANCH, SIMPLE};
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
    System(Op),
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
    pub(super) fn next(&mut self) {
        self.next_after(SIMPLE);
    }

    #[inline(always)]
    pub(super) fn next_after(&mut self, cycles: u64) {
        self.pc = self.pc.wrapping_add(1);
        self.cycle += cycles;
    }

    /// The instruction, of one word, jumps to `offset` from the next one.
    #[inline(always)]
    pub(super) fn branch(&mut self, offset: i16) {
        self.pc = self.pc.wrapping_add(1).wrapping_add_signed(offset.into());
        self.cycle += BRANCH;
    }

    #[inline(always)]
    pub(super) fn branch_if(&mut self, condition: bool, offset: i8) {
        if condition {
            self.branch(offset.into());
        } else {
            self.next();
        }
    }

    /// The instruction skips the next one, of this many words, if the condition holds.
    #[inline(always)]
    pub(super) fn skip_if(&mut self, condition: bool, words: u8) {
        self.next();
        if condition {
            self.pc = self.pc.wrapping_add(words.into());
            self.cycle += u64::from(words);
        }
    }

    #[inline(always)]
    pub(super) fn jump(&mut self, to: u16, cycles: u64) {
        self.pc = to.into();
        self.cycle += cycles;
    }

    /// The origin of an access in this cycle of the instruction.
    #[inline(always)]
    pub(super) fn origin(&self, cycle: u64) -> Origin {
        Origin { cycle: Cycle(self.cycle + cycle), pc: (self.pc & 0xFFFF) << 1 }
    }
}
