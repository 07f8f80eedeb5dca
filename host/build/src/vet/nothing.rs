// SPDX-License-Identifier: MIT OR Apache-2.0
//! A program that declares no work: everything is in place, and nothing ever runs.

use super::place;
use lichen_analysis::Owner;
use lichen_image::Image;
use lichen_observe::{Kernel, Task};
use lichen_project::{Explain, Place};

/// Where the linker puts the entries of INIT.
const INITS: [&str; 2] = ["init_begin", "init_end"];

/// A program without any work.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is nothing to run: the program has no thread, and nothing starts what else it has")]
pub struct NothingError;

impl Explain for NothingError {
    fn place(&self) -> Option<Place> {
        None
    }

    fn remedy(&self) -> Option<String> {
        let remedy = "declare a THREAD (lichen/thread.h), which runs from the start; \
             doc/guide/8-which-kind-of-work.md has the other kinds";
        Some(remedy.to_string())
    }
}

/// Refuses a program in which nothing runs: none of the kinds of work that have a name, and no function of its own
/// that an event or an interrupt could call. What has no kernel, or no lines, is not judged.
pub(super) fn vet(image: &Image) -> Result<(), NothingError> {
    let Ok(Some(kernel)) = Kernel::find(image) else { return Ok(()) };
    let functions = image.symbols().functions();
    let has_lines = || functions.iter().any(|it| !image.locations(it.address).is_empty());
    let has_own = || functions.iter().any(|it| place(image, it.address).is_some());
    let has_work = !kernel.threads().is_empty()
        || has_init(image)
        || !Task::find(image).is_empty()
        || kernel.has_coop()
        || !has_lines()
        || has_own();
    if has_work { Ok(()) } else { Err(NothingError) }
}

/// Whether the program has an INIT, which the compiler may have made part of the list's reader.
fn has_init(image: &Image) -> bool {
    let [begin, end] = INITS.map(|name| image.symbols().find(name).map_or(0, |it| it.address));
    let entries = image.variables_in(begin..end.max(begin));
    entries.iter().any(|it| it.file.as_deref().is_some_and(|file| !Owner::of(file).is_system()))
}
