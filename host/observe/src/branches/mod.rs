// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where programs branch: how many instructions lie between branches, how much of the time the processor
//! sleeps, and how many addresses it uses.
//!
//! The measures are those of the t-kernel paper (Gu and Stankovic, SenSys 2006, figures 3, 9 and 11), which
//! rewrites the branches of a program and keeps the pages in use in memory. All of them are of the instructions
//! in the order of their execution, whichever thread or handler they belong to:
//!
//! - A *branch* is any instruction after which control can go elsewhere: conditional branches and skips, jumps,
//!   calls and returns, those from interrupts included. The entry of an interrupt is no instruction, and an SVC,
//!   which leads to such an entry, is no branch.
//! - The *instructions before a branch* are those executed since the previous branch; neither is counted. The
//!   mean is the paper's MIBB.
//! - A branch is *taken* if control goes elsewhere, and *backward* if it goes to the branch itself or to a lower
//!   address. The mean of the instructions before a backward taken branch, other branches among them, is the
//!   paper's MIBBTB.
//! - The *addresses* of a window of time are those of the instructions that were executed in it, and of the bytes
//!   of RAM that instructions read or wrote. What the entry of an exception saves is not counted.

mod distances;
#[cfg(test)]
mod tests;
mod windows;

pub use distances::Distances;
pub use windows::Window;

use crate::{Observer, Step};
use lichen_chip::{Chip, MemoryInfo, Time, instruction};
use lichen_isa::{Flow, Instruction};
use windows::Windows;

/// A kind of branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A conditional branch or a skip.
    Conditional,
    /// A jump, also one to where a register or memory says.
    Jump,
    /// A call.
    Call,
    /// A return, also one from an interrupt.
    Return,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 4] = [Kind::Conditional, Kind::Jump, Kind::Call, Kind::Return];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Conditional => "conditional",
            Kind::Jump => "jump",
            Kind::Call => "call",
            Kind::Return => "return",
        }
    }

    fn of(flow: Flow) -> Option<Kind> {
        match flow {
            Flow::BranchIf(_) => Some(Kind::Conditional),
            Flow::Branch(_) | Flow::Indirect => Some(Kind::Jump),
            Flow::Call(_) | Flow::IndirectCall => Some(Kind::Call),
            Flow::Return => Some(Kind::Return),
            Flow::Next | Flow::Service | Flow::Breakpoint | Flow::Undefined => None,
        }
    }
}

/// How often branches were executed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// How often they were executed.
    pub executed: u64,
    /// How often control went elsewhere.
    pub taken: u64,
    /// How often it went back.
    pub backward: u64,
}

impl Count {
    /// Both together.
    #[must_use]
    pub fn with(self, other: Count) -> Count {
        Count {
            executed: self.executed + other.executed,
            taken: self.taken + other.taken,
            backward: self.backward + other.backward,
        }
    }
}

/// An instruction that is about to be executed, as it was before: then registers have the addresses that it
/// accesses.
#[derive(Clone, Copy)]
struct Ahead {
    pc: u32,
    instruction: Instruction,
    /// First byte and number of bytes that it accesses in RAM.
    data: Option<(u32, u32)>,
}

/// The branches of one processor's run: an [`Observer`].
pub struct Branches {
    counts: [Count; Kind::ALL.len()],
    instructions: u64,
    before_branch: Distances,
    before_backward: Distances,
    windows: Windows,
    ahead: Option<Ahead>,
    ram: Option<MemoryInfo>,
}

impl Branches {
    /// Those of `chip` from now on. Addresses and sleep are counted in windows of so much simulated time, at
    /// least [`Time::UNIT`].
    pub fn new(window: Time, chip: &dyn Chip) -> Branches {
        Branches {
            counts: [Count::default(); Kind::ALL.len()],
            instructions: 0,
            before_branch: Distances::default(),
            before_backward: Distances::default(),
            windows: Windows::new(window, chip.now(), chip.time_asleep()),
            ahead: None,
            ram: None,
        }
    }

    /// Instructions executed.
    pub fn instructions(&self) -> u64 {
        self.instructions
    }

    /// Branches of one kind.
    pub fn count(&self, kind: Kind) -> Count {
        self.counts[kind as usize]
    }

    /// Branches of all kinds.
    pub fn all(&self) -> Count {
        self.counts.iter().fold(Count::default(), |sum, count| sum.with(*count))
    }

    /// Instructions before a branch.
    pub fn before_branch(&self) -> &Distances {
        &self.before_branch
    }

    /// Instructions before a backward taken branch.
    pub fn before_backward(&self) -> &Distances {
        &self.before_backward
    }

    /// The windows of time.
    pub fn windows(&self) -> &[Window] {
        self.windows.all()
    }

    /// Addresses of instructions and bytes of RAM that were used in the whole run.
    pub fn addresses(&self) -> (usize, usize) {
        self.windows.addresses()
    }

    /// The run has ended, perhaps in sleep, with `chip` in this state.
    pub fn finish(&mut self, chip: &dyn Chip) {
        self.windows.pass(chip.now(), chip.time_asleep());
    }

    /// Looks at the next instruction.
    fn look_ahead(&mut self, step: &Step, chip: &dyn Chip) {
        let pc = step.next;
        // An instruction under way may have changed the register with its address already.
        let under_way = !step.executed && step.exception == step.exception_before;
        if under_way && self.ahead.is_some_and(|ahead| ahead.pc == pc) {
            return;
        }
        if self.ram.is_none() {
            self.ram = chip.memories().iter().find(|memory| memory.name == "RAM").copied();
        }
        let ram = self.ram.map_or(0..0, |ram| ram.start..ram.start + ram.size);
        self.ahead = instruction(chip, pc).map(|instruction| {
            let access = instruction.access.map(|access| {
                let register = |number: u8| chip.core().register(number.into());
                (access.address(register), access.bytes())
            });
            Ahead { pc, instruction, data: access.filter(|(start, _)| ram.contains(start)) }
        });
    }

    fn executed(&mut self, step: &Step, instruction: &Instruction) {
        self.instructions += 1;
        let Some(kind) = Kind::of(instruction.flow) else {
            self.before_branch.pass();
            return self.before_backward.pass();
        };
        let falls_through = step.next == step.pc + instruction.bytes;
        let taken = kind != Kind::Conditional || !falls_through;
        let backward = taken && step.next <= step.pc;
        let count = &mut self.counts[kind as usize];
        *count = count.with(Count { executed: 1, taken: taken.into(), backward: backward.into() });
        self.before_branch.end();
        if backward {
            self.before_backward.end();
        } else {
            self.before_backward.pass();
        }
    }
}

impl Observer for Branches {
    fn step(&mut self, step: &Step, chip: &dyn Chip) {
        self.windows.pass(chip.now(), chip.time_asleep());
        if step.executed {
            let ahead = self.ahead.take().filter(|ahead| ahead.pc == step.pc);
            // The first instruction of all was not ahead of another one.
            let instruction = ahead.map(|it| it.instruction).or_else(|| instruction(chip, step.pc));
            if let Some(instruction) = instruction {
                self.executed(step, &instruction);
            }
            self.windows.execute(step.pc);
            if let Some((start, bytes)) = ahead.and_then(|ahead| ahead.data) {
                (start..start + bytes).for_each(|byte| self.windows.access(byte));
            }
        }
        self.look_ahead(step, chip);
    }
}
