// SPDX-License-Identifier: MIT OR Apache-2.0
//! How much of its stack a thread uses at least at its deepest, as far as that is known: what cannot be followed, what
//! pointers lead to, and what the kernel does for the thread, is left out.

use crate::depth::{Bodies, Step, Way};
use crate::follow::Target;
use crate::need::Part;
use crate::{armv6m, avr8};
use lichen_image::{Image, Machine};
use std::collections::HashMap;

/// How deep the functions at `entries` get at least, each with what it calls and one interrupt.
pub fn at_least(image: &Image, entries: &[u32]) -> Vec<Part> {
    match image.machine() {
        Machine::Arm => armv6m::at_least(image, entries),
        Machine::Avr => avr8::at_least(image, entries),
    }
}

/// What is known of the depths of functions.
pub(crate) struct Known<'w, B: Bodies> {
    bodies: &'w mut B,
    /// Nothing yet of those that are being added up.
    known: HashMap<B::Entry, Way>,
}

impl<'w, B: Bodies> Known<'w, B> {
    pub(crate) fn new(bodies: &'w mut B) -> Known<'w, B> {
        Known { bodies, known: HashMap::new() }
    }

    /// How deep `entry` gets at least.
    pub(crate) fn of(&mut self, entry: &B::Entry) -> Way {
        if let Some(known) = self.known.get(entry) {
            return known.clone();
        }
        self.known.insert(entry.clone(), Way::default());
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
        self.known.insert(entry.clone(), way.clone());
        way
    }
}
