// SPDX-License-Identifier: MIT OR Apache-2.0
//! Registers and flags whose values matter before each instruction of a function.
//!
//! More may be said to matter than does, never less. A call may leave every register, since compilers know of some
//! functions that they change fewer than the standard lets them; it may read those in which the standard passes
//! arguments. Assembly and the compiler's own functions follow no standard: a call of one, and its end, may read all.
//! Not counted are accesses through pointers to addresses that registers have, as on AVR.

use crate::graph::Graph;
use crate::port::Convention;
use crate::ways::{Callee, End};
use crate::{Text, dominators};
use lichen_isa::{Flow, Instruction, RegisterSet};
use std::collections::BTreeMap;

/// What matters before an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Alive {
    /// Registers.
    pub registers: RegisterSet,
    /// Flags, as bits of the architecture's status register.
    pub flags: u32,
}

impl Alive {
    const ALL: Alive = Alive { registers: RegisterSet(u64::MAX), flags: u32::MAX };

    fn with(self, other: Alive) -> Alive {
        let registers = self.registers.with(other.registers);
        Alive { registers, flags: self.flags | other.flags }
    }
}

/// What matters where.
#[derive(Clone, Debug)]
pub struct Liveness {
    before: BTreeMap<u32, Alive>,
}

/// A function that is being looked at.
struct Look<'t, 'a> {
    text: &'t Text<'a>,
    graph: &'t Graph,
    convention: &'static Convention,
    /// Whether it follows the standard itself.
    compiled: bool,
    /// Registers that it changes.
    written: RegisterSet,
}

impl Liveness {
    /// In a function, which must be whole.
    pub fn of(text: &Text<'_>, graph: &Graph) -> Liveness {
        let convention = text.port.convention();
        let compiled = text.is_compiled(graph.blocks[graph.entry].range.start);
        let instructions = (0..graph.blocks.len()).flat_map(|block| graph.instructions(block));
        let written = instructions.fold(RegisterSet::NONE, |all, (_, it)| all.with(it.writes));
        let look = Look { text, graph, convention, compiled, written };
        let mut alive = vec![Alive::default(); graph.blocks.len()];
        let successors = dominators::successors(graph);
        let order = dominators::reverse_postorder(&successors, graph.entry);
        let mut changed = true;
        while changed {
            changed = false;
            for block in order.iter().rev() {
                let before = look.block(*block, look.behind(*block, &alive), |_, _| {});
                changed |= before != alive[*block];
                alive[*block] = before;
            }
        }
        let mut before = BTreeMap::new();
        for block in 0..graph.blocks.len() {
            look.block(block, look.behind(block, &alive), |at, alive| {
                before.insert(at, alive);
            });
        }
        Liveness { before }
    }

    /// What matters before the instruction at `address`; all if the function has none there.
    pub fn before(&self, address: u32) -> Alive {
        self.before.get(&address).copied().unwrap_or(Alive::ALL)
    }
}

impl Look<'_, '_> {
    /// Behind a block.
    fn behind(&self, block: usize, alive: &[Alive]) -> Alive {
        let block = &self.graph.blocks[block];
        let next = block.edges.iter().map(|edge| alive[edge.to]);
        next.fold(self.at_end(block.end), Alive::with)
    }

    fn at_end(&self, end: Option<End>) -> Alive {
        match end {
            None | Some(End::Never) => Alive::default(),
            Some(End::Return) => self.returned(),
            Some(End::Tail(callee)) => self.read_by(callee).with(self.returned()),
        }
    }

    /// A caller may know which registers the function leaves.
    fn returned(&self) -> Alive {
        let left = Alive::ALL.registers.without(self.written);
        let registers = self.convention.returned.with(left);
        match self.compiled {
            true => Alive { registers, flags: self.convention.flags },
            false => Alive::ALL,
        }
    }

    /// What a call may read, which it may also leave as it is.
    fn read_by(&self, callee: Callee) -> Alive {
        let standard = Alive { registers: self.convention.arguments, flags: self.convention.flags };
        match callee {
            Callee::Function(to) if self.text.is_compiled(to) => standard,
            Callee::Pointer => standard,
            Callee::Function(_) | Callee::Switch(_) | Callee::Service => Alive::ALL,
        }
    }

    /// Before a block; `note` is told of each instruction.
    fn block(&self, block: usize, behind: Alive, mut note: impl FnMut(u32, Alive)) -> Alive {
        self.graph.instructions(block).rev().fold(behind, |behind, (at, instruction)| {
            let before = self.before(at, instruction, behind);
            note(at, before);
            before
        })
    }

    fn before(&self, at: u32, instruction: &Instruction, behind: Alive) -> Alive {
        let left = Alive {
            registers: behind.registers.without(instruction.writes),
            flags: behind.flags & !instruction.flags_written,
        };
        let own = Alive { registers: instruction.reads, flags: instruction.flags_read };
        let called = self.graph.call(at).map(|callee| self.read_by(callee));
        // RETI: what it goes back to has all registers.
        let is_interrupted = instruction.flow == Flow::Return && instruction.system.is_some();
        let interrupted = is_interrupted.then_some(Alive::ALL);
        left.with(own).with(called.unwrap_or_default()).with(interrupted.unwrap_or_default())
    }
}
