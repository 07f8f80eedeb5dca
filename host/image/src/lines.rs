// SPDX-License-Identifier: MIT OR Apache-2.0
//! From addresses to source lines.

use crate::dwarf::{self, Reader};
use addr2line::{Context, LookupResult};
use std::fmt;
use std::sync::{Arc, Mutex};

/// A place in the source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Location {
    /// Function, if the debug information names it; an inlined function counts as one.
    pub function: Option<String>,
    /// File as the compiler was given it.
    pub file: Option<String>,
    /// Line from 1.
    pub line: Option<u32>,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(f, "{file}:{line}"),
            (Some(file), None) => f.write_str(file),
            _ => f.write_str(self.function.as_deref().unwrap_or("?")),
        }
    }
}

enum State {
    Unread(Arc<[u8]>),
    Read(Option<Box<Context<Reader>>>),
}

/// The line tables, read on first use.
pub(crate) struct Lines(Mutex<State>);

impl fmt::Debug for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Lines")
    }
}

impl Lines {
    pub(crate) fn new(bytes: Arc<[u8]>) -> Lines {
        Lines(Mutex::new(State::Unread(bytes)))
    }

    /// Innermost first.
    pub(crate) fn locations(&self, address: u32) -> Vec<Location> {
        let mut state = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let State::Unread(bytes) = &*state {
            let context = dwarf::load(bytes).and_then(|dwarf| Context::from_dwarf(dwarf).ok());
            *state = State::Read(context.map(Box::new));
        }
        match &*state {
            State::Read(Some(context)) => look_up(context, address).unwrap_or_default(),
            _ => Vec::new(),
        }
    }
}

fn look_up(context: &Context<Reader>, address: u32) -> Option<Vec<Location>> {
    let mut lookup = context.find_frames(address as u64);
    let mut frames = loop {
        match lookup {
            LookupResult::Output(frames) => break frames.ok()?,
            // Split debug information lies in other files, which images for motes do not use.
            LookupResult::Load { continuation, .. } => {
                lookup = addr2line::LookupContinuation::resume(continuation, None)
            }
        }
    };
    let mut locations = Vec::new();
    while let Ok(Some(frame)) = frames.next() {
        let function =
            frame.function.as_ref().and_then(|f| f.raw_name().ok()).map(|name| name.into_owned());
        let (file, line) = match &frame.location {
            Some(place) => (place.file.map(str::to_string), place.line),
            None => (None, None),
        };
        locations.push(Location { function, file, line });
    }
    locations.retain(|location| *location != Location::default());
    Some(locations)
}
