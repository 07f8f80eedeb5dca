// SPDX-License-Identifier: MIT OR Apache-2.0
//! Objects that the linker counts and places: each must be made by its macro. One made by hand has no
//! slot in the rings of posts, or is not found when its owner ends.
//!
//! Variables are found in the debug information, wherever they live. Memory that only a cast makes such an
//! object is not found.

use crate::{Explain, Place};
use lichen_image::{Image, Variable};

/// What only a macro may make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Declared {
    /// Name of its structure.
    structure: &'static str,
    /// What people call one.
    name: &'static str,
    /// The macro.
    by: &'static str,
    /// Its header.
    header: &'static str,
}

/// Objects of one region of memory.
struct Region {
    /// The structure that all of them are or contain.
    structure: &'static str,
    /// Symbols of its first address and of the one behind it (`os/kernel/data.ld`, `os/kernel/ram.ld`).
    bounds: [&'static str; 2],
    /// The innermost one last.
    kinds: &'static [Declared],
}

static REGIONS: [Region; 2] = [
    Region {
        structure: "event",
        bounds: ["postables_begin", "postables_end"],
        kinds: &[
            Declared {
                structure: "notify",
                name: "a notification",
                by: "NOTIFY",
                header: "lichen/notify.h",
            },
            Declared {
                structure: "semaphore_rt",
                name: "a semaphore of interrupts",
                by: "SEMAPHORE_RT",
                header: "lichen/semaphore.h",
            },
            Declared {
                structure: "queue_rt",
                name: "a queue of interrupts",
                by: "QUEUE_RT",
                header: "lichen/queue.h",
            },
            Declared {
                structure: "event",
                name: "an event",
                by: "EVENT",
                header: "lichen/event.h",
            },
        ],
    },
    Region {
        structure: "mutex",
        bounds: ["mutexes_begin", "mutexes_end"],
        kinds: &[Declared {
            structure: "mutex",
            name: "a mutex",
            by: "MUTEX",
            header: "lichen/mutex.h",
        }],
    },
];

/// A variable that its macro did not make.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{variable}' {} {} that {} did not declare",
    if *inside { "contains" } else { "is" }, kind.name, kind.by
)]
pub struct ObjectError {
    /// What it is, or contains.
    pub kind: &'static Declared,
    /// The variable's name.
    pub variable: String,
    /// Whether it contains the object, as an array or a structure does.
    pub inside: bool,
    /// Where it is declared.
    pub place: Option<Place>,
}

impl Explain for ObjectError {
    fn place(&self) -> Option<Place> {
        self.place.clone()
    }

    fn remedy(&self) -> Option<String> {
        let Declared { by, header, .. } = self.kind;
        Some(if self.inside {
            format!("declare each with {by} ({header}), and keep a pointer to it here")
        } else {
            format!("declare it with {by} ({header}), outside functions")
        })
    }
}

/// Looks for variables of `image` that only a macro may make, and whose place says that it did not.
pub(super) fn vet(image: &Image) -> Result<(), ObjectError> {
    for region in &REGIONS {
        let [begin, end] = region.bounds.map(|name| image.symbols().find(name));
        let (Some(begin), Some(end)) = (begin, end) else { continue };
        let is_declared = |variable: &Variable| {
            variable.address.is_some_and(|at| (begin.address..end.address).contains(&at))
        };
        let variables = image.variables(region.structure);
        if let Some(variable) = variables.iter().find(|variable| !is_declared(variable)) {
            return Err(region.error(variable));
        }
    }
    Ok(())
}

impl Region {
    fn error(&self, variable: &Variable) -> ObjectError {
        let of = |structure: &String| self.kinds.iter().find(|kind| kind.structure == structure);
        let (depth, kind) = variable
            .structures
            .iter()
            .enumerate()
            .find_map(|(depth, structure)| Some((depth, of(structure)?)))
            .unwrap_or((0, &self.kinds[self.kinds.len() - 1]));
        let place = match (&variable.file, variable.line) {
            (Some(file), Some(line)) => Some(Place::line(file, line)),
            _ => None,
        };
        ObjectError {
            kind,
            variable: variable.name.clone(),
            inside: depth > 0 || variable.array,
            place,
        }
    }
}
