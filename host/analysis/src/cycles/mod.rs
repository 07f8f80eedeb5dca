// SPDX-License-Identifier: MIT OR Apache-2.0
//! How many cycles code takes, without interrupts, and while flash is not being written.
//!
//!   `interval`  cycles within bounds
//!   `memory`    how long an instruction waits for memory
//!   `function`  the ways through a function

mod function;
mod interval;
mod memory;

pub use function::{Given, Times};
pub use interval::Interval;
pub use memory::Memory;

use crate::ways::Callee;
use crate::{Graph, Text, Unknown, Why};
use lichen_isa::System;
use memory::Fetched;

/// A block: how long it takes if the next one follows, and if control goes elsewhere. Without what is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cost {
    pub(crate) next: Interval,
    pub(crate) taken: Interval,
}

/// How long a block takes without what it calls, up to its last instruction, and how long each of its calls takes.
pub(crate) fn block(
    text: &Text<'_>,
    graph: &Graph,
    block: usize,
    memory: &Memory,
    called: &mut dyn FnMut(u32, Callee) -> Result<Interval, Unknown>,
) -> Result<Cost, Unknown> {
    let mut fetched = Fetched::default();
    let mut cost = Cost { next: Interval::ZERO, taken: Interval::ZERO };
    for (at, instruction) in graph.instructions(block) {
        if matches!(instruction.system, Some(System::Wait | System::Program)) {
            return Err(text.unknown(at, Why::Waits));
        }
        let (waits, less) = memory.waits(text, at, instruction, &mut fetched);
        let before = cost.next + waits;
        let own = |cycles: u32| {
            let cycles = u64::from(cycles);
            before + Interval { least: cycles.saturating_sub(less), most: cycles }
        };
        cost.next = own(instruction.cycles.next);
        let to = instruction.flow.target();
        cost.taken = own(instruction.cycles.taken) + memory.branch(at, to);
        if let Some(callee) = graph.call(at).filter(|_| !graph.is_tail(at)) {
            // A call is a branch there, and one back.
            let both = called(at, callee)?;
            cost = Cost { next: cost.taken + both, taken: cost.taken + both };
            fetched = Fetched::default();
        }
    }
    Ok(cost)
}
