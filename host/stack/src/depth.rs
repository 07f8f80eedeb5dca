// SPDX-License-Identifier: MIT OR Apache-2.0
//! Adds up what functions call.

use crate::walk::{Call, Entry, Target, Walks};
use crate::{Unknown, Why};
use std::collections::HashMap;
use std::rc::Rc;

/// A function on the way to the deepest point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its name.
    pub function: String,
    /// Bytes that it has on the stack where it calls the next one; of the last one, its most.
    pub bytes: u32,
}

/// A way down.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Way {
    pub(crate) bytes: u32,
    pub(crate) steps: Vec<Step>,
}

/// How deep a function gets with all that it calls.
#[derive(Debug, Default)]
pub(crate) struct Deep {
    pub(crate) all: Way,
    /// Where interrupts are not masked; `None` if they are throughout.
    pub(crate) unmasked: Option<Way>,
}

/// Depths of functions.
pub(crate) struct Depths<'w, 'a> {
    pub(crate) walks: &'w mut Walks<'a>,
    known: HashMap<Entry, Result<Rc<Deep>, Unknown>>,
    /// Those that are being added up.
    open: Vec<Entry>,
}

impl<'w, 'a> Depths<'w, 'a> {
    pub(crate) fn new(walks: &'w mut Walks<'a>) -> Depths<'w, 'a> {
        Depths { walks, known: HashMap::new(), open: Vec::new() }
    }

    /// How deep `entry` gets.
    pub(crate) fn of(&mut self, entry: &Entry) -> Result<Rc<Deep>, Unknown> {
        if let Some(known) = self.known.get(entry) {
            return known.clone();
        }
        if let Some(begin) = self.open.iter().position(|open| open == entry) {
            return Err(self.recursion(begin));
        }
        self.open.push(entry.clone());
        let deep = self.add_up(entry).map(Rc::new);
        self.open.pop();
        // In a ring of functions only the first one that was asked for has the whole error.
        self.known.insert(entry.clone(), deep.clone());
        deep
    }

    fn recursion(&self, begin: usize) -> Unknown {
        let address = self.open[begin].address;
        let name = |entry: &Entry| self.walks.code.name(entry.address);
        let path = self.open[begin + 1..].iter().map(name).collect();
        self.walks.code.unknown(address, Why::Recursion(path))
    }

    fn add_up(&mut self, entry: &Entry) -> Result<Deep, Unknown> {
        let body = self.walks.body(entry);
        if let Some(problem) = &body.problem {
            return Err(problem.clone());
        }
        let own = |(bytes, at): (u32, u32)| Way { bytes, steps: vec![self.step(at, bytes)] };
        let mut deep = Deep { all: own(body.deepest), unmasked: body.unmasked.map(own) };
        for call in &body.calls {
            for target in self.targets(call)? {
                let below = self.of(&target)?;
                self.deepen(&mut deep.all, call, &below.all);
                if let Some(below) = &below.unmasked {
                    self.deepen(deep.unmasked.get_or_insert_default(), call, below);
                }
            }
        }
        Ok(deep)
    }

    fn targets(&self, call: &Call) -> Result<Vec<Entry>, Unknown> {
        let mut entries = Vec::new();
        for target in &call.targets {
            match target {
                Target::Function(entry) => entries.push(entry.as_ref().clone()),
                Target::Service => {
                    self.walks.service_problem.clone().map_or(Ok(()), Err)?;
                    let services = self.walks.services.iter();
                    entries.extend(services.map(|service| Entry::of(*service)));
                }
            }
        }
        Ok(entries)
    }

    fn deepen(&self, way: &mut Way, call: &Call, below: &Way) {
        if call.depth + below.bytes > way.bytes || way.steps.is_empty() {
            let steps = [&[self.step(call.at, call.depth)], below.steps.as_slice()].concat();
            *way = Way { bytes: call.depth + below.bytes, steps };
        }
    }

    fn step(&self, at: u32, bytes: u32) -> Step {
        Step { function: self.walks.code.name(at), bytes }
    }
}
