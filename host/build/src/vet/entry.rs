// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where a program begins: in its kinds of work. A `main` would never be called.
//!
//! `os/lichen.cmake` has the linker keep a `main`, so that it is found here.

use super::place;
use lichen_image::Image;
use lichen_project::{Explain, Place};

/// A program with a `main`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Lichen has no `main': nothing would call it")]
pub struct MainError {
    /// Where it is.
    pub place: Option<Place>,
}

impl Explain for MainError {
    fn place(&self) -> Option<Place> {
        self.place.clone()
    }

    fn remedy(&self) -> Option<String> {
        let remedy = "begin in a THREAD (lichen/thread.h), which runs from the start; what is done once \
             goes into an INIT (lichen/init.h), what follows an interrupt into an EVENT \
             (lichen/event.h)";
        Some(remedy.to_string())
    }
}

/// Refuses a `main`.
pub(super) fn vet(image: &Image) -> Result<(), MainError> {
    let main = image.symbols().functions().iter().find(|function| function.name == "main");
    main.map_or(Ok(()), |main| Err(MainError { place: place(image, main.address) }))
}
