// SPDX-License-Identifier: MIT OR Apache-2.0
//! Graphs of the functions of an image, each made once.

use crate::{Graph, Text};
use std::collections::HashMap;
use std::rc::Rc;

/// Those that were asked for.
#[derive(Debug)]
pub struct Graphs<'t, 'a> {
    /// The code.
    pub text: &'t Text<'a>,
    known: HashMap<u32, Rc<Graph>>,
}

impl<'t, 'a> Graphs<'t, 'a> {
    /// Of `text`, none yet.
    pub fn new(text: &'t Text<'a>) -> Graphs<'t, 'a> {
        Graphs { text, known: HashMap::new() }
    }

    /// The function that begins at `start`, as far as it is known.
    pub fn known_of(&mut self, start: u32) -> Rc<Graph> {
        let text = self.text;
        self.known.entry(start).or_insert_with(|| Rc::new(Graph::known_of(text, start))).clone()
    }
}
