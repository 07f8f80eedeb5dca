// SPDX-License-Identifier: MIT OR Apache-2.0
//! Adds up what functions call.

use crate::{Unknown, Why};
use lichen_analysis::{Bodies, Call, Target};
use std::collections::HashMap;
use std::rc::Rc;

/// What stands for a function that is not in the image.
const LOADED: &str = "a function of a loaded program";

/// A function on the way to the deepest point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its name.
    pub function: String,
    /// Bytes that it has on the stack where it calls the next one; of the last one, its most.
    pub bytes: u32,
}

/// How deep a function gets with all that it calls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallPath {
    /// Bytes of the stack, its return address among them.
    pub bytes: u32,
    /// The functions on the way to the deepest point, outermost first.
    pub steps: Vec<Step>,
}

/// Functions that an image calls and does not have, such as the system's in a program that is loaded: by their names there,
/// how deep they get.
pub type Absent = HashMap<String, CallPath>;

/// The same by addresses.
pub(crate) type AbsentAt = HashMap<u32, CallPath>;

/// How deep a function gets with all that it calls.
#[derive(Debug, Default)]
pub(crate) struct Deep {
    pub(crate) all: CallPath,
    /// Where interrupts are not masked; `None` if they are throughout.
    pub(crate) unmasked: Option<CallPath>,
}

impl Deep {
    /// What a start function or an event of a program that is loaded may use, wherever it unmasks interrupts.
    fn loaded(bytes: u32) -> Deep {
        let steps = vec![Step { function: LOADED.into(), bytes }];
        Deep::unmasked(CallPath { bytes, steps })
    }

    /// Wherever interrupts are unmasked on this way.
    fn unmasked(all: CallPath) -> Deep {
        Deep { unmasked: Some(all.clone()), all }
    }
}

/// Depths of functions.
pub(crate) struct Depths<'w, B: Bodies> {
    pub(crate) bodies: &'w mut B,
    known: HashMap<B::Entry, Result<Rc<Deep>, Unknown>>,
    absent: AbsentAt,
    /// Those that are being added up.
    open: Vec<B::Entry>,
}

impl<'w, B: Bodies> Depths<'w, B> {
    pub(crate) fn new(bodies: &'w mut B) -> Depths<'w, B> {
        Depths::with(bodies, AbsentAt::new())
    }

    /// With functions that are not in the image.
    pub(crate) fn with(bodies: &'w mut B, absent: AbsentAt) -> Depths<'w, B> {
        Depths { bodies, known: HashMap::new(), absent, open: Vec::new() }
    }

    /// How deep `entry` gets.
    pub(crate) fn of(&mut self, entry: &B::Entry) -> Result<Rc<Deep>, Unknown> {
        if let Some(known) = self.known.get(entry) {
            return known.clone();
        }
        if let Some(path) = self.absent.get(&B::address(entry)) {
            return Ok(Rc::new(Deep::unmasked(path.clone())));
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
        let address = B::address(&self.open[begin]);
        let name = |entry: &B::Entry| self.bodies.name(B::address(entry));
        let path = self.open[begin + 1..].iter().map(name).collect();
        self.bodies.unknown(address, Why::Recursion(path))
    }

    fn add_up(&mut self, entry: &B::Entry) -> Result<Deep, Unknown> {
        let body = self.bodies.body(entry);
        if let Some(problem) = &body.problem {
            return Err(problem.clone());
        }
        let own = |(bytes, at): (u32, u32)| CallPath { bytes, steps: vec![self.step(at, bytes)] };
        let mut deep = Deep { all: own(body.deepest), unmasked: body.unmasked.map(own) };
        for call in &body.calls {
            for below in self.below(call)? {
                self.deepen(&mut deep.all, call, &below.all);
                if let Some(below) = &below.unmasked {
                    self.deepen(deep.unmasked.get_or_insert_default(), call, below);
                }
            }
        }
        Ok(deep)
    }

    /// What a call may lead to.
    fn below(&mut self, call: &Call<B::Entry>) -> Result<Vec<Rc<Deep>>, Unknown> {
        let mut below = Vec::new();
        for target in &call.targets {
            match target {
                Target::Function(entry) => below.push(self.of(entry)?),
                Target::Service => {
                    for service in self.bodies.services()? {
                        below.push(self.of(&service)?);
                    }
                }
                Target::Loaded(bytes) => below.push(Rc::new(Deep::loaded(*bytes))),
            }
        }
        Ok(below)
    }

    fn deepen(&self, path: &mut CallPath, call: &Call<B::Entry>, below: &CallPath) {
        if call.depth + below.bytes > path.bytes || path.steps.is_empty() {
            let steps = [&[self.step(call.at, call.depth)], below.steps.as_slice()].concat();
            *path = CallPath { bytes: call.depth + below.bytes, steps };
        }
    }

    fn step(&self, at: u32, bytes: u32) -> Step {
        Step { function: self.bodies.name(at), bytes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lichen_analysis::Body;

    /// Function n has the addresses from 0x100 * n.
    struct Functions(Vec<Rc<Body<u32>>>);

    impl Bodies for Functions {
        type Entry = u32;

        fn address(entry: &u32) -> u32 {
            *entry
        }

        fn body(&mut self, entry: &u32) -> Rc<Body<u32>> {
            self.0[(*entry / 0x100) as usize].clone()
        }

        fn services(&self) -> Result<Vec<u32>, Unknown> {
            Ok(Vec::new())
        }

        fn name(&self, address: u32) -> String {
            format!("f{}", address / 0x100)
        }

        fn unknown(&self, address: u32, why: Why) -> Unknown {
            Unknown { function: self.name(address), why, place: None }
        }
    }

    fn path(steps: &[(&str, u32)]) -> CallPath {
        let step = |&(function, bytes): &(&str, u32)| Step { function: function.into(), bytes };
        let bytes = steps.iter().map(|(_, bytes)| bytes).sum();
        CallPath { bytes, steps: steps.iter().map(step).collect() }
    }

    #[test]
    fn a_start_function_that_is_loaded_has_what_is_kept_for_it() {
        let calls = vec![Call { at: 0x004, depth: 8, targets: vec![Target::Loaded(64)] }];
        let starts = Body { deepest: (12, 0x002), calls, ..Body::default() };
        let mut functions = Functions(vec![Rc::new(starts)]);
        let deep = Depths::new(&mut functions).of(&0).expect("a depth");
        assert_eq!(deep.all, path(&[("f0", 8), (LOADED, 64)]));
        assert_eq!(deep.unmasked, Some(path(&[("f0", 8), (LOADED, 64)])));
    }

    #[test]
    fn a_function_that_is_not_in_the_image_has_the_depth_that_is_given() {
        let targets = vec![Target::Function(Box::new(0x100))];
        let calls = vec![Call { at: 0x004, depth: 8, targets }];
        let calling = Body { deepest: (12, 0x002), calls, ..Body::default() };
        let stub = Body { deepest: (0, 0x100), ..Body::default() };
        let mut functions = Functions(vec![Rc::new(calling), Rc::new(stub)]);
        let absent = AbsentAt::from([(0x100, path(&[("print", 40), ("put", 24)]))]);
        let deep = Depths::with(&mut functions, absent.clone()).of(&0).expect("a depth");
        assert_eq!(deep.all, path(&[("f0", 8), ("print", 40), ("put", 24)]));
        let known =
            crate::thread::Known::new(&mut functions, Vec::new(), Vec::new(), &absent).of(&0);
        assert_eq!(known, deep.all);
    }

    #[test]
    fn what_a_function_unmasks_counts_where_its_caller_masks_throughout() {
        let targets = vec![Target::Function(Box::new(0x100))];
        let calls = vec![Call { at: 0x004, depth: 8, targets }];
        let masked = Body { deepest: (12, 0x002), calls, ..Body::default() };
        let unmasks = Body { deepest: (24, 0x102), unmasked: Some((16, 0x104)), ..Body::default() };
        let mut functions = Functions(vec![Rc::new(masked), Rc::new(unmasks)]);
        let deep = Depths::new(&mut functions).of(&0).expect("a depth");
        assert_eq!(deep.all, path(&[("f0", 8), ("f1", 24)]));
        assert_eq!(deep.unmasked, Some(path(&[("f0", 8), ("f1", 16)])));
    }
}
