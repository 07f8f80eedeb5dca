// SPDX-License-Identifier: MIT OR Apache-2.0
//! The state of the fast path from instruction to instruction, and how it ends.

use super::Memory;
use super::fault::Abort;
use super::fetch::Window;
use super::flags::Flags;
use super::op::SystemOp;

/// Why the fast path was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    /// The horizon is reached.
    Horizon,
    /// A load or store multiple would cross the horizon; it has not begun.
    Unfinished,
    /// No code has been executed around here.
    NotDecoded,
    /// The instruction has a breakpoint.
    Breakpoint,
    /// The instruction is for [`Core::system`].
    System(SystemOp),
    /// The instruction faults.
    Abort(Abort),
    /// Branch to this EXC_RETURN value.
    Return(u32),
}

impl From<Abort> for Exit {
    fn from(abort: Abort) -> Exit {
        Exit::Abort(abort)
    }
}

/// The state that changes with every instruction, kept in host registers while the loop runs. An
/// instruction that fails leaves it unchanged.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flow {
    pub(super) pc: u32,
    pub(super) cycle: u64,
    pub(super) flags: Flags,
    /// Instructions that need no read of flash.
    pub(super) window: Window,
    pub(super) executed: u64,
}

impl Flow {
    /// Fetches the instruction, or the half of one, at an address that the window does not cover.
    #[inline(always)]
    pub(super) fn fetch(&mut self, memory: &mut Memory, address: u32) {
        self.cycle = memory.fetch(&mut self.window, address, self.cycle);
    }

    /// The instruction reads what may evict lines: of the code that follows, the core has only the
    /// word of the next instruction.
    #[inline(always)]
    pub(super) fn keep_word(&mut self) {
        self.window = Window::word_of(self.pc.wrapping_add(2));
    }

    /// The instruction is complete; the next one follows.
    #[inline(always)]
    pub(super) fn next(&mut self, cycles: u64) {
        self.pc = self.pc.wrapping_add(2);
        self.cycle += cycles;
    }

    /// The value of PC as instructions read it.
    #[inline(always)]
    pub(super) fn pc_operand(&self) -> u32 {
        self.pc.wrapping_add(4)
    }

    /// The instruction is a branch to `target`, and takes `cycles` without what is in its way there.
    #[inline(always)]
    pub(super) fn land(&mut self, memory: &Memory, target: u32, cycles: u64) {
        self.cycle += cycles + memory.contention(self.pc, target);
        self.pc = target;
    }

    /// The instruction is a branch to `offset` from the value of PC.
    #[inline(always)]
    pub(super) fn branch(&mut self, memory: &Memory, offset: i32, cycles: u64) {
        self.land(memory, self.pc_operand().wrapping_add_signed(offset), cycles);
    }

    /// The instruction is a branch with link: 32 bits, whose second half may have to be fetched.
    #[inline(always)]
    pub(super) fn branch_link(&mut self, memory: &mut Memory, offset: i32, cycles: u64) {
        let second = self.pc.wrapping_add(2);
        if !self.window.covers(second) {
            self.fetch(memory, second);
        }
        let target = self.pc_operand().wrapping_add_signed(offset);
        self.pc = second;
        self.land(memory, target, cycles);
    }
}
