// SPDX-License-Identifier: MIT OR Apache-2.0
//! Functions unrolled: each way through a function by itself, with what it calls, as long as conditions are known. Where
//! one is not, both ways are followed. States are never joined, so loops with known bounds are counted.

use crate::{Text, Unknown, Why, armv6m, avr8};
use lichen_image::Machine;
use lichen_isa::Instruction;

/// How far ways are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// Instructions, of all ways together.
    pub steps: u64,
    /// Ways.
    pub ways: usize,
}

impl Default for Limit {
    fn default() -> Limit {
        Limit { steps: 1_000_000, ways: 1_000 }
    }
}

/// A way through a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// Instructions of it.
    pub instructions: u64,
    /// How many cycles they take, from memory without wait states.
    pub cycles: u64,
    /// How deep the stack gets, in bytes.
    pub depth: u32,
    /// How it ends.
    pub end: Outcome,
}

/// How a way ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It returns to the caller.
    Return,
    /// At an instruction that stops the processor, or leads into the system.
    Stop(u32),
}

/// Where an evaluated instruction leads on.
pub(crate) enum Next {
    /// To these addresses: one, or several of which any may be right; whether each is elsewhere than at the next
    /// instruction.
    Any(Vec<(u32, bool)>),
    /// Out of the function.
    End(Outcome),
    /// To what is not known.
    Unknown(Why),
}

/// What is known on a way, whatever the architecture.
pub(crate) trait Evaluate: Clone {
    /// Nothing is known, at the entry of a function.
    fn entry() -> Self;
    /// The same at the entry of what no compiler made: registers hold what they like.
    fn entry_of_assembly() -> Self;
    /// Follows the instruction at an address.
    fn follow(&mut self, text: &Text<'_>, at: u32) -> Next;
    /// Follows the call of a function that keeps what the standard has it keep.
    fn called(&mut self);
    /// Bytes on the stack.
    fn bytes(&self) -> u32;
}

/// All ways through the function at `address` and what it calls. An error if they are too many, or lead to what is not
/// known.
pub fn unroll(text: &Text<'_>, address: u32, limit: Limit) -> Result<Vec<Way>, Unknown> {
    match text.image.machine() {
        Machine::Arm => ways::<armv6m::State>(text, address, limit),
        Machine::Avr => ways::<avr8::State>(text, address, limit),
    }
}

fn ways<S: Evaluate>(text: &Text<'_>, address: u32, limit: Limit) -> Result<Vec<Way>, Unknown> {
    let state = S::entry();
    let begin =
        Way { instructions: 0, cycles: 0, depth: state.bytes(), end: Outcome::Stop(address) };
    let (mut pending, mut done, mut steps) = (vec![(address, state, begin)], Vec::new(), 0);
    while let Some((mut at, mut state, mut way)) = pending.pop() {
        way.end = loop {
            steps += 1;
            if steps > limit.steps || pending.len() + done.len() >= limit.ways {
                return Err(text.unknown(at, Why::Endless));
            }
            let Some(Instruction { cycles, .. }) = text.instruction(at) else {
                return Err(text.unknown(at, Why::NoCode));
            };
            let next = state.follow(text, at);
            way.instructions += 1;
            way.depth = way.depth.max(state.bytes());
            let mut to = match next {
                Next::End(end) => {
                    way.cycles += u64::from(cycles.taken);
                    break end;
                }
                Next::Unknown(why) => return Err(text.unknown(at, why)),
                Next::Any(to) => to.into_iter().map(|(to, taken)| {
                    (to, way.cycles + u64::from(if taken { cycles.taken } else { cycles.next }))
                }),
            };
            let Some((first, cycles)) = to.next() else {
                return Err(text.unknown(at, Why::Pointer));
            };
            for (other, cycles) in to {
                pending.push((other, state.clone(), Way { cycles, ..way.clone() }));
            }
            (at, way.cycles) = (first, cycles);
        };
        done.push(way);
    }
    Ok(done)
}
