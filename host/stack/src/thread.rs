// SPDX-License-Identifier: MIT OR Apache-2.0
//! How much of its stack a thread may use, as far as that is known: what cannot be followed, what pointers lead to,
//! functions that call themselves, and what the kernel does for the thread, is left out.

use crate::depth::{CallPath, Step};
use crate::need::{Need, Part};
use crate::{armv6m, avr8};
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
    match text.image().machine() {
        Machine::Arm => armv6m::known_depths(text, roots),
        Machine::Avr => avr8::known_depths(text, roots, need),
    }
}

/// What is known of the depths of functions.
pub(crate) struct Known<'w, B: Bodies> {
    bodies: &'w mut B,
    known: HashMap<B::Entry, CallPath>,
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
    ) -> Known<'w, B> {
        Known { bodies, known: HashMap::new(), pointed, callers, open: Vec::new() }
    }

    /// How deep `entry` may get.
    pub(crate) fn of(&mut self, entry: &B::Entry) -> CallPath {
        if let Some(known) = self.known.get(entry) {
            return known.clone();
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
