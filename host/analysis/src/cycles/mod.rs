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

/// How long a block takes if the next one follows, and if control goes elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cost {
    next: Interval,
    taken: Interval,
}

/// How long a block takes, with what `called` says of its calls. `fetched` is what the core has before it, and then
/// behind it.
fn block(
    text: &Text<'_>,
    graph: &Graph,
    block: usize,
    memory: &Memory,
    fetched: &mut Fetched,
    called: &mut dyn FnMut(u32, Callee) -> Result<Interval, Unknown>,
) -> Result<Cost, Unknown> {
    let mut cost = Cost { next: Interval::ZERO, taken: Interval::ZERO };
    for (at, instruction) in graph.instructions(block) {
        if matches!(instruction.system, Some(System::Wait | System::Program)) {
            return Err(text.unknown(at, Why::Waits));
        }
        let (waits, less) = memory.waits(text, graph, (at, instruction), fetched);
        let before = cost.next + waits;
        let own = |cycles: u32| {
            let cycles = u64::from(cycles);
            before + Interval { least: cycles.saturating_sub(less), most: cycles }
        };
        cost.next = own(instruction.cycles.next);
        let to = instruction.flow.target();
        cost.taken = own(instruction.cycles.taken) + memory.branch(text, at, to);
        if let Some(callee) = graph.call(at).filter(|_| !graph.is_tail(at)) {
            // A call is a branch there, and one back.
            let both = called(at, callee)?;
            cost = Cost { next: cost.taken + both, taken: cost.taken + both };
            *fetched = Fetched::default();
        }
    }
    Ok(cost)
}
