// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ways through Thumb code.

use super::evaluate::Leads;
use super::state::State;
use super::value::Value;
use super::walk::Entry;
use crate::unroll::{Evaluate, Next, Outcome};
use crate::{Text, Why};
use lichen_isa::armv6m::Jump;

impl Evaluate for State {
    fn entry() -> State {
        State::at(&Entry::of(0))
    }

    fn entry_of_assembly() -> State {
        State::entry()
    }

    fn follow(&mut self, text: &Text<'_>, at: u32) -> Next {
        let Some((leads, next)) = self.evaluate(text, at) else {
            return Next::Unknown(Why::NoCode);
        };
        match leads {
            Leads::Next | Leads::Special(..) => Next::Any(vec![(next, false)]),
            Leads::Branch(to) | Leads::BranchIf(to, Some(true)) => Next::Any(vec![(to, true)]),
            Leads::BranchIf(_, Some(false)) => Next::Any(vec![(next, false)]),
            Leads::BranchIf(to, None) => Next::Any(vec![(next, false), (to, true)]),
            Leads::Call(to) => match text.switch(at, to) {
                Some(_) => Next::Unknown(Why::Pointer),
                None => Next::Any(vec![(to, true)]),
            },
            Leads::Jump(Jump::Exchange, Value::Return) => Next::End(Outcome::Return),
            Leads::CallValue(to) | Leads::Jump(_, to) => match to.known() {
                Some(words) => Next::Any(words.iter().map(|word| (word & !1, true)).collect()),
                None => Next::Unknown(Why::Pointer),
            },
            Leads::Service | Leads::Stop => Next::End(Outcome::Stop(at)),
            Leads::Stack(_) => Next::Unknown(Why::Unbounded),
        }
    }

    fn called(&mut self) {
        self.returned();
    }

    fn bytes(&self) -> u32 {
        self.depth.max(0) as u32
    }
}
