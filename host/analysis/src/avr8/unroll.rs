// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ways through AVR code.

use super::evaluate::Leads;
use super::state::{State, stack};
use super::value::depth;
use super::walk::{Entry, RETURN_ADDRESS, Z};
use crate::unroll::{Evaluate, Next, Outcome};
use crate::{Text, Why};
use lichen_isa::RegisterSet;

impl Evaluate for State {
    fn entry() -> State {
        State::at(&Entry::of(0))
    }

    fn entry_of_assembly() -> State {
        State::at(&Entry::handler(0))
    }

    fn follow(&mut self, text: &Text<'_>, at: u32) -> Next {
        let before = self.depth;
        let Some((leads, next)) = self.evaluate(text, at) else {
            return Next::Unknown(Why::NoCode);
        };
        match leads {
            Leads::Next => Next::Any(vec![(next, false)]),
            Leads::Branch(to) | Leads::BranchIf(to, Some(true)) => Next::Any(vec![(to, true)]),
            Leads::BranchIf(_, Some(false)) => Next::Any(vec![(next, false)]),
            Leads::BranchIf(to, None) => Next::Any(vec![(next, false), (to, true)]),
            Leads::Call(to) => Next::Any(vec![(to, true)]),
            Leads::Return(_) if before <= RETURN_ADDRESS => Next::End(Outcome::Return),
            Leads::Return(to) => match to.single() {
                Some(word) => Next::Any(vec![(2 * u32::from(word), true)]),
                None => Next::Unknown(Why::Pointer),
            },
            Leads::Jump | Leads::CallPointer => match self.words(Z) {
                words if words.is_empty() => Next::Unknown(Why::Pointer),
                words => Next::Any(words.iter().map(|to| (2 * u32::from(*to), true)).collect()),
            },
            Leads::StackPointer { high, value } => {
                let (low, high) = match self.written.replace((high, value)) {
                    Some((was_high, other)) if was_high != high => {
                        self.written = None;
                        if high { (other, value) } else { (value, other) }
                    }
                    _ => return Next::Any(vec![(next, false)]),
                };
                match depth(stack(&low), stack(&high)) {
                    Some(depth) => self.lower_to(depth),
                    None => return Next::Unknown(Why::Unbounded),
                }
                Next::Any(vec![(next, false)])
            }
            Leads::Stop => Next::End(Outcome::Stop(at)),
        }
    }

    fn called(&mut self) {
        self.returned(RegisterSet::NONE);
    }

    fn bytes(&self) -> u32 {
        self.depth.max(0) as u32
    }
}
