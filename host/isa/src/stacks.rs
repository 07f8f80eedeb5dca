// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stacks of a program, and whether the stack pointer stays in the one that is in use.
//!
//! What lowers the stack pointer by as much as it needs (a push, a call, room for local variables) must not leave the
//! stack. What writes it goes to another stack if it is one of the instructions that do so; in any other, a pointer
//! below the stack, or to where no memory is, has left it too. All addresses are linear ([`Architecture`](crate::Architecture)).

use std::ops::Range;
use std::sync::Arc;

/// The stacks of a program, and the instructions that go from one to another. None by default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stacks {
    stacks: Vec<Range<u32>>,
    switches: Vec<u32>,
    memory: Range<u32>,
}

impl Stacks {
    /// Those with these bytes, which do not overlap and are in `memory`; `switches` are addresses of instructions.
    pub fn new(mut stacks: Vec<Range<u32>>, mut switches: Vec<u32>, memory: Range<u32>) -> Stacks {
        stacks.retain(|stack| !stack.is_empty());
        stacks.sort_by_key(|stack| stack.start);
        switches.sort_unstable();
        Stacks { stacks, switches, memory }
    }

    /// The one that is in use down to the byte at `lowest`; an empty one has it just above.
    fn around(&self, lowest: u32) -> Range<u32> {
        let above = self.stacks.partition_point(|stack| stack.end < lowest);
        self.stacks.get(above).filter(|stack| stack.start < lowest).cloned().unwrap_or_default()
    }
}

/// The stack pointer has left its stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StackOverflow {
    /// Address of the instruction, or of the one that an interrupt came before.
    pub pc: u32,
    /// The lowest byte that is in use since.
    pub lowest: u32,
    /// The first byte of the stack.
    pub begin: u32,
}

/// Where a stack pointer may be.
#[derive(Clone, Debug, Default)]
pub(crate) struct StackGuard {
    stacks: Arc<Stacks>,
    /// The stack in use; empty, at 0, if that is not known, or has been left.
    stack: Range<u32>,
    /// It has been left, which has not ended the run yet.
    overflow: Option<StackOverflow>,
}

impl StackGuard {
    /// Guards `stacks`, with bytes down to `lowest` in use.
    pub(crate) fn new(stacks: Arc<Stacks>, lowest: u32) -> StackGuard {
        let stack = stacks.around(lowest);
        StackGuard { stacks, stack, overflow: None }
    }

    /// The same with another stack pointer.
    pub(crate) fn at(&self, lowest: u32) -> StackGuard {
        StackGuard::new(Arc::clone(&self.stacks), lowest)
    }

    /// The same where another core of the same program is, with bytes down to `lowest` in use.
    pub(crate) fn like(&self, other: &StackGuard, lowest: u32) -> StackGuard {
        if other.stacks == self.stacks {
            StackGuard { overflow: None, ..other.clone() }
        } else {
            self.at(lowest)
        }
    }

    /// The stack pointer is set without any relation to what it was.
    pub(crate) fn go_to(&mut self, lowest: u32) {
        self.stack = self.stacks.around(lowest);
    }

    /// Whether what is in use down to `lowest` is more than the stack. Where stacks are not known, nothing is.
    #[inline(always)]
    pub(crate) fn is_below(&self, lowest: u32) -> bool {
        lowest < self.stack.start
    }

    /// Whether a pointer that an instruction wrote is certainly in the same stack. Of one to the end of a stack, it
    /// depends on the instruction.
    #[inline(always)]
    pub(crate) fn contains(&self, lowest: u32) -> bool {
        self.stack.start < lowest && lowest < self.stack.end
    }

    /// The stack is left, which is reported once until another one is in use.
    #[cold]
    pub(crate) fn leave(&mut self, pc: u32, lowest: u32) {
        let begin = std::mem::take(&mut self.stack).start;
        self.overflow = Some(StackOverflow { pc, lowest, begin });
    }

    /// What ends the run.
    #[inline(always)]
    pub(crate) fn take(&mut self) -> Option<StackOverflow> {
        self.overflow.take()
    }

    /// The instruction at `pc` wrote a pointer that may not be in the stack: it has left it, or goes to another one.
    #[cold]
    pub(crate) fn written(&mut self, pc: u32, lowest: u32) {
        let Stacks { switches, memory, .. } = self.stacks.as_ref();
        let wraps = lowest > memory.end && !self.stack.is_empty();
        if switches.binary_search(&pc).is_ok() {
            self.go_to(lowest);
        } else if wraps || self.is_below(lowest) {
            self.leave(pc, lowest);
        } else if lowest > self.stack.end {
            self.go_to(lowest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(lowest: u32) -> StackGuard {
        let stacks = vec![300..400, 100..200, 200..300, 0..0];
        let stacks = Stacks::new(stacks, vec![0x20, 0x10], 50..500);
        StackGuard::new(Arc::new(stacks), lowest)
    }

    #[test]
    fn a_stack_is_in_use_from_its_end_down() {
        for (lowest, stack) in [(400, 300..400), (301, 300..400), (300, 200..300), (101, 100..200)]
        {
            assert_eq!(guard(lowest).stack, stack, "{lowest}");
        }
        for lowest in [0, 100, 401] {
            assert_eq!(guard(lowest).stack, 0..0, "{lowest}");
        }
    }

    #[test]
    fn a_full_stack_is_not_left() {
        let guard = guard(250);
        assert!(!guard.is_below(200));
        assert!(guard.is_below(199));
        assert!(!StackGuard::default().is_below(0), "nothing is known of it");
    }

    #[test]
    fn a_stack_is_left_once() {
        let mut guard = guard(250);
        guard.leave(0x30, 198);
        assert_eq!(guard.take(), Some(StackOverflow { pc: 0x30, lowest: 198, begin: 200 }));
        assert_eq!(guard.take(), None);
        assert!(!guard.is_below(150));
        guard.go_to(250);
        assert!(guard.is_below(150));
    }

    #[test]
    fn switches_go_to_stacks_below_and_others_leave_theirs() {
        let written = |pc, lowest| {
            let mut guard = guard(250);
            guard.written(pc, lowest);
            (guard.stack.clone(), guard.take().is_some())
        };
        assert_eq!(written(0x10, 150), (100..200, false));
        assert_eq!(written(0x10, 200), (100..200, false), "which is empty");
        assert_eq!(written(0x12, 200), (200..300, false), "which is full");
        assert_eq!(written(0x12, 150), (0..0, true));
        assert_eq!(written(0x12, 350), (300..400, false), "a stack above is never an overflow");
        assert_eq!(written(0x12, 500), (0..0, false), "nor is memory above");
        assert_eq!(written(0x12, 501), (0..0, true), "but a pointer that has wrapped is");
        assert_eq!(written(0x10, 501), (0..0, false));
    }

    #[test]
    fn a_core_that_takes_the_state_of_another_one_is_in_the_same_stack() {
        let mut full = guard(250);
        full.written(0x12, 200);
        assert_eq!(guard(350).like(&full, 200).stack, 200..300);
        let elsewhere = StackGuard::default();
        assert_eq!(guard(350).like(&elsewhere, 200).stack, 100..200);
    }
}
