// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whose code an instruction is, by the source files in the debug information.

use lichen_image::Image;
use std::collections::HashMap;
use std::sync::Arc;

/// Reads of which files instructions are, once each.
pub(super) struct Codes {
    image: Arc<Image>,
    /// Beginnings of files.
    files: Vec<String>,
    known: HashMap<u32, Option<usize>>,
}

impl Codes {
    /// For code of `image` in the files that begin with one of `files`.
    pub fn new(image: Arc<Image>, files: Vec<String>) -> Codes {
        Codes { image, files, known: HashMap::new() }
    }

    /// The first of the beginnings that the file of the instruction at `pc` has. An inlined function is code of
    /// the file that has its source.
    pub fn of(&mut self, pc: u32) -> Option<usize> {
        let (image, files) = (&self.image, &self.files);
        *self.known.entry(pc).or_insert_with(|| {
            let places = image.locations(pc);
            let file = places.first().and_then(|place| place.file.as_deref())?;
            files.iter().position(|part| file.starts_with(part.as_str()))
        })
    }
}
