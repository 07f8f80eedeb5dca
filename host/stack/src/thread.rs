// SPDX-License-Identifier: MIT OR Apache-2.0
//! How much of its stack a thread may use, as far as that is known: what cannot be followed, what pointers lead to,
//! functions that call themselves, and what the kernel does for the thread, is left out.

use crate::depth::{Bodies, Step, Way};
use crate::follow::Target;
use crate::need::Part;
use crate::{armv6m, avr8};
use lichen_image::{Image, Machine};
use std::collections::HashMap;

/// How deep the functions at `entries` may get, each with what it calls and one interrupt.
pub fn known_depths(image: &Image, entries: &[u32]) -> Vec<Part> {
    match image.machine() {
        Machine::Arm => armv6m::known_depths(image, entries),
        Machine::Avr => avr8::known_depths(image, entries),
    }
}

/// What is known of the depths of functions.
pub(crate) struct Known<'w, B: Bodies> {
    bodies: &'w mut B,
    known: HashMap<B::Entry, Way>,
    /// Where those begin that are being added up.
    open: Vec<u32>,
}

impl<'w, B: Bodies> Known<'w, B> {
    pub(crate) fn new(bodies: &'w mut B) -> Known<'w, B> {
        Known { bodies, known: HashMap::new(), open: Vec::new() }
    }

    /// How deep `entry` may get.
    pub(crate) fn of(&mut self, entry: &B::Entry) -> Way {
        if let Some(known) = self.known.get(entry) {
            return known.clone();
        }
        // How often a function calls itself depends on what it is called with.
        if self.open.contains(&B::address(entry)) {
            return Way::default();
        }
        self.open.push(B::address(entry));
        let body = self.bodies.body(entry);
        let (bytes, at) = body.deepest;
        let step = |at, bytes| Step { function: self.bodies.name(at), bytes };
        let mut way = Way { bytes, steps: vec![step(at, bytes)] };
        for call in &body.calls {
            let before = Step { function: self.bodies.name(call.at), bytes: call.depth };
            // A pointer may lead to each of several functions, and perhaps only ever to one of them.
            let [Target::Function(called)] = call.targets.as_slice() else { continue };
            let below = self.of(called);
            if call.depth + below.bytes > way.bytes {
                let steps = [std::slice::from_ref(&before), below.steps.as_slice()].concat();
                way = Way { bytes: call.depth + below.bytes, steps };
            }
        }
        self.open.pop();
        self.known.insert(entry.clone(), way.clone());
        way
    }
}
