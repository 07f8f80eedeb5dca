// SPDX-License-Identifier: MIT OR Apache-2.0
//! How much of its stack a thread may use, as far as that is known: what cannot be followed, what pointers lead to,
//! functions that call themselves, and what the kernel does for the thread, is left out.

use crate::depth::{Absent, AbsentAt, CallPath, Step};
use crate::need::{Need, Part};
use crate::{Unknown, armv6m, avr8};
use lichen_analysis::{Bodies, Target, Text};
use lichen_image::Machine;
use std::collections::HashMap;

/// Where what runs on a stack begins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Root {
    /// The function.
    pub entry: u32,
    /// The functions that it calls through pointers, itself or through others, if that is known.
    pub pointed: Vec<u32>,
    /// Names of the functions that do so; empty: all that call through pointers.
    pub callers: Vec<String>,
}

/// How large the stacks must be on which `roots` run: each with what it calls, with what an interrupt needs, as far as
/// the `need` of the kernel's stack says that, and with what the kernel wants unused.
pub fn known_depths(text: &Text<'_>, roots: &[Root], need: Option<&Need>) -> Vec<Part> {
    let beside = beside_functions(text, need);
    let paths = function_depths(text, roots, &Absent::new());
    let parts = roots.iter().zip(&paths);
    parts.map(|(root, path)| Part::new(text.name(root.entry), beside, path)).collect()
}

/// What the stack of a thread must have beside what its functions use: for interrupts, as far as the `need` of the kernel's
/// stack says that, and what the kernel wants unused.
pub fn beside_functions(text: &Text<'_>, need: Option<&Need>) -> u32 {
    match text.image().machine() {
        Machine::Arm => armv6m::beside_functions(),
        Machine::Avr => avr8::beside_functions(text, need),
    }
}

/// How deep the functions of `roots` may get on the stack of their callers, as far as that is known; `absent` are those that
/// are not in the image.
pub fn function_depths(text: &Text<'_>, roots: &[Root], absent: &Absent) -> Vec<CallPath> {
    paths(text, roots, &absent_at(text, absent))
}

/// How deep the stack is at most where `root` calls through pointers; `None` if it does not.
pub fn depth_of_pointers(text: &Text<'_>, root: &Root) -> Option<u32> {
    // What it calls is a function that is not there, and deeper than everything else.
    let (nowhere, deep) = (0, CallPath { bytes: 1 << 16, steps: Vec::new() });
    let root = Root { pointed: vec![nowhere], ..root.clone() };
    let path = paths(text, &[root], &AbsentAt::from([(nowhere, deep.clone())])).pop()?;
    path.bytes.checked_sub(deep.bytes)
}

fn paths(text: &Text<'_>, roots: &[Root], absent: &AbsentAt) -> Vec<CallPath> {
    match text.image().machine() {
        Machine::Arm => armv6m::paths(text, roots, absent),
        Machine::Avr => avr8::paths(text, roots, absent),
    }
}

fn absent_at(text: &Text<'_>, absent: &Absent) -> AbsentAt {
    match text.image().machine() {
        Machine::Arm => armv6m::absent_at(text, absent),
        Machine::Avr => avr8::absent_at(text, absent),
    }
}

/// How deep functions get at most; an error says what cannot be followed. `absent` are those that are not in the image.
pub fn depth_bounds(
    text: &Text<'_>,
    functions: &[u32],
    absent: &Absent,
) -> Vec<Result<CallPath, Unknown>> {
    let absent = absent_at(text, absent);
    match text.image().machine() {
        Machine::Arm => armv6m::bounds(text, functions, absent),
        Machine::Avr => avr8::bounds(text, functions, absent),
    }
}

/// What a program that is loaded may use of the kernel's stack in a start function.
pub fn start_bytes(text: &Text<'_>) -> u32 {
    match text.image().machine() {
        Machine::Arm => lichen_analysis::armv6m::LOADED_START,
        Machine::Avr => lichen_analysis::avr8::LOADED_START,
    }
}

/// What is known of the depths of functions.
pub(crate) struct Known<'w, B: Bodies> {
    bodies: &'w mut B,
    known: HashMap<B::Entry, CallPath>,
    absent: &'w AbsentAt,
    /// What pointers lead to, until one of these functions runs.
    pointed: Vec<B::Entry>,
    /// Names of the functions that call those; empty: all.
    callers: Vec<String>,
    /// Where those begin that are being added up.
    open: Vec<u32>,
}

impl<'w, B: Bodies> Known<'w, B> {
    pub(crate) fn new(
        bodies: &'w mut B,
        pointed: Vec<B::Entry>,
        callers: Vec<String>,
        absent: &'w AbsentAt,
    ) -> Known<'w, B> {
        Known { bodies, known: HashMap::new(), absent, pointed, callers, open: Vec::new() }
    }

    /// How deep `entry` may get.
    pub(crate) fn of(&mut self, entry: &B::Entry) -> CallPath {
        if let Some(known) = self.known.get(entry) {
            return known.clone();
        }
        if let Some(path) = self.absent.get(&B::address(entry)) {
            return path.clone();
        }
        // How often a function calls itself depends on what it is called with.
        if self.open.contains(&B::address(entry)) {
            return CallPath::default();
        }
        self.open.push(B::address(entry));
        let body = self.bodies.body(entry);
        let (bytes, at) = body.deepest;
        let step = |at, bytes| Step { function: self.bodies.name(at), bytes };
        let mut path = CallPath { bytes, steps: vec![step(at, bytes)] };
        for call in &body.calls {
            let before = Step { function: self.bodies.name(call.at), bytes: call.depth };
            for called in self.called(&before.function, &call.targets) {
                let below = self.of(&called);
                if call.depth + below.bytes > path.bytes {
                    let steps = [std::slice::from_ref(&before), below.steps.as_slice()].concat();
                    path = CallPath { bytes: call.depth + below.bytes, steps };
                }
            }
        }
        self.open.pop();
        self.known.insert(entry.clone(), path.clone());
        path
    }

    /// What a call by `caller` leads to for certain. A pointer may lead to each of several functions, and perhaps only
    /// ever to one of them.
    fn called(&self, caller: &String, targets: &[Target<B::Entry>]) -> Vec<B::Entry> {
        let has_begun = |entry: &B::Entry| self.open.contains(&B::address(entry));
        match targets {
            [Target::Function(called)] => vec![called.as_ref().clone()],
            _ if self.pointed.iter().any(has_begun) => Vec::new(),
            _ if !self.callers.is_empty() && !self.callers.contains(caller) => Vec::new(),
            _ => self.pointed.clone(),
        }
    }
}
