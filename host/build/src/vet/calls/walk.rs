// SPDX-License-Identifier: MIT OR Apache-2.0
//! A walk through the code that a kind of work can reach.

use super::{CallError, Kind, LAST_WORDS};
use crate::vet::place;
use lichen_analysis::{Callee, Edge, Graph, Graphs, Owner, Text};
use lichen_isa::{Access, Instruction, Place as Location, System};
use std::collections::HashSet;
use std::rc::Rc;

/// A walk through code, depth first.
pub(super) struct Walk<'g, 't, 'a> {
    graphs: &'g mut Graphs<'t, 'a>,
    kind: &'static Kind,
    /// Instructions that were met.
    seen: HashSet<u32>,
    /// The calls that led to the current place: where, and what is called, if that is a function.
    calls: Vec<(u32, Option<u32>)>,
}

/// Where the walk goes on behind an instruction.
enum Then {
    Next,
    /// The rest of the block is of no interest.
    Ends,
    /// The instruction is, or leads to, a forbidden call.
    Closed,
}

impl<'g, 't, 'a> Walk<'g, 't, 'a> {
    pub(super) fn new(graphs: &'g mut Graphs<'t, 'a>, kind: &'static Kind) -> Walk<'g, 't, 'a> {
        Walk { graphs, kind, seen: HashSet::new(), calls: Vec::new() }
    }

    fn text(&self) -> &'t Text<'a> {
        self.graphs.text
    }

    /// Whether a forbidden entry can be reached from `start`; `calls` then lead to it.
    pub(super) fn is_closed(&mut self, start: u32) -> bool {
        let graph = self.graphs.known_of(start);
        if self.is_closed_in(&graph) {
            return true;
        }
        // Of what a lost edge leads to it is only known that it is in the function.
        let range = self.text().around(start).map_or(0..0, |it| it.range.clone());
        let range = if graph.lost.is_empty() { 0..0 } else { range };
        let rest: Vec<u32> = self.text().instructions(range).map(|(at, _)| at).collect();
        rest.into_iter().any(|at| {
            !self.seen.contains(&at) && {
                let graph = self.graphs.known_of(at);
                self.is_closed_in(&graph)
            }
        })
    }

    /// The same from where a graph begins, within it.
    fn is_closed_in(&mut self, graph: &Rc<Graph>) -> bool {
        // What is not linked has no code.
        let mut ways = Vec::from_iter(graph.blocks.get(graph.entry).map(|_| graph.entry));
        while let Some(block) = ways.pop() {
            let mut then = Then::Next;
            let mut last = graph.blocks[block].range.start;
            for (at, instruction) in graph.instructions(block) {
                if !self.seen.insert(at) {
                    then = Then::Ends;
                    break;
                }
                last = at;
                then = self.step(graph, at, instruction);
                if !matches!(then, Then::Next) {
                    break;
                }
            }
            match then {
                Then::Closed => return true,
                Then::Ends => continue,
                Then::Next => {}
            }
            let (next, taken): (Vec<&Edge<usize>>, Vec<_>) =
                graph.blocks[block].edges.iter().partition(|edge| !edge.taken);
            for edge in taken.into_iter().chain(next) {
                let to = graph.blocks[edge.to].range.start;
                if !self.begins_another(last, to) {
                    ways.push(edge.to);
                } else if self.enters(last, to) {
                    return true;
                }
            }
        }
        false
    }

    /// Whether an edge leads from assembly to another function.
    fn begins_another(&self, at: u32, to: u32) -> bool {
        self.text().is_function(to) && !self.text().is_same_function(at, to)
    }

    fn step(&mut self, graph: &Graph, at: u32, instruction: &Instruction) -> Then {
        // Code that tests its context is not followed further where that is permitted.
        if self.kind.may_ask && self.tells_context(instruction) && self.is_code_of_system(at) {
            return Then::Ends;
        }
        match graph.call(at) {
            Some(Callee::Function(to)) if !self.is_kernel_call(to) => {
                if self.enters(at, to) {
                    Then::Closed
                } else if self.is_last(to) {
                    Then::Ends
                } else {
                    Then::Next
                }
            }
            Some(Callee::Function(_) | Callee::Service) if self.asks(at) => {
                self.calls.push((at, None));
                Then::Closed
            }
            _ => Then::Next,
        }
    }

    /// Whether the function at `to`, which is called at `at`, is a forbidden entry, or leads to one.
    fn enters(&mut self, at: u32, to: u32) -> bool {
        if self.is_last(to) || self.is_one_of(to, self.kind.open) {
            return false;
        }
        self.calls.push((at, Some(to)));
        let closed = self.is_one_of(to, self.kind.closed) || self.is_closed(to);
        if !closed {
            self.calls.pop();
        }
        closed
    }

    /// Whether the kernel call at `address` is forbidden for this kind of work.
    fn asks(&self, address: u32) -> bool {
        let locations = self.text().image().locations(address);
        let functions = || locations.iter().filter_map(|location| location.function.as_deref());
        self.kind.asks.is_none_or(|closed| functions().any(|name| closed.contains(&name)))
    }

    /// Whether this is the function by which threads enter the kernel where no instruction does it.
    fn is_kernel_call(&self, address: u32) -> bool {
        address != 0 && self.is_one_of(address, &["kernel_call"])
    }

    fn is_last(&self, address: u32) -> bool {
        self.is_one_of(address, &LAST_WORDS)
    }

    fn is_one_of(&self, address: u32, names: &[&str]) -> bool {
        names.iter().any(|name| self.text().symbol(name) == Some(address))
    }

    /// Whether an instruction asks in which context it runs: of the processor, or of the byte in which a
    /// port keeps the level where the processor has none.
    fn tells_context(&self, instruction: &Instruction) -> bool {
        let level = self.text().symbol("arch_level");
        let reads_level = |access: Access| match access.place {
            Location::Fixed(at) => !access.write && Some(at) == level,
            _ => false,
        };
        instruction.system == Some(System::ReadException)
            || instruction.access.is_some_and(reads_level)
    }

    /// The calls in the user's terms: the first function of the system that was called, and the
    /// program's functions before it.
    pub(super) fn error(&self, name: &str) -> CallError {
        let mut path = Vec::new();
        let last = self.calls.last().and_then(|(call, _)| self.inlined(*call));
        let mut called = last.unwrap_or_else(|| "a kernel call".to_string());
        for (call, target) in self.calls.iter().filter_map(|(at, to)| Some((*at, (*to)?))) {
            if self.text().is_of_system(target) {
                called = self.inlined(call).unwrap_or_else(|| self.text().name(target));
                break;
            }
            called = self.text().name(target);
            path.push(called.clone());
        }
        if path.last() == Some(&called) {
            path.pop();
        }
        let image = self.text().image();
        let place = self.calls.iter().rev().find_map(|(call, _)| place(image, *call));
        CallError { kind: self.kind, name: name.to_string(), called, path, place }
    }

    /// The function of the system that was inlined at `call`, such as `notify_wait` and
    /// `mutex_lock`.
    fn inlined(&self, call: u32) -> Option<String> {
        let locations = self.text().image().locations(call);
        locations.into_iter().find(|it| Owner::at(it) == Some(Owner::Header))?.function
    }

    /// Whether the function around `address` is the system's. A test in code inlined in the
    /// program's own functions, such as `notify_post`, applies to that code only.
    fn is_code_of_system(&self, address: u32) -> bool {
        self.text().owner(address).is_none_or(Owner::is_system)
    }
}
