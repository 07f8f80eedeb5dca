// SPDX-License-Identifier: MIT OR Apache-2.0
//! Objects that the linker counts and places: each must be made by its macro. One made by hand has no
//! slot in the rings of posts, is not found when its owner ends, or has no stack.
//!
//! Variables are found in the debug information, wherever they live. Memory that becomes such an
//! object only by a cast is not found.

use lichen_image::{Image, Variable};
use lichen_observe::Kernel;
use lichen_project::{Explain, Place};

/// An object that only a macro may declare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Declared {
    /// Name of its structure.
    structure: &'static str,
    /// Its name in messages.
    name: &'static str,
    /// The macro.
    by: &'static str,
    /// Its header, and an alternative if there is one.
    header: &'static str,
}

/// How declared objects are recognised.
enum Known {
    /// They lie between these symbols (`os/kernel/data.ld`, `os/kernel/ram.ld`).
    Between([&'static str; 2]),
    /// The kernel's table of threads lists them; those for thread_create and the kernel's own need
    /// no entry.
    Threads,
}

/// Objects that are recognised in the same way.
struct Family {
    /// The structure that all of them are or contain.
    structure: &'static str,
    known: Known,
    /// The innermost one last.
    kinds: &'static [Declared],
}

static FAMILIES: [Family; 3] = [
    Family {
        structure: "event",
        known: Known::Between(["postables_begin", "postables_end"]),
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
    Family {
        structure: "mutex",
        known: Known::Between(["mutexes_begin", "mutexes_end"]),
        kinds: &[Declared {
            structure: "mutex",
            name: "a mutex",
            by: "MUTEX",
            header: "lichen/mutex.h",
        }],
    },
    Family {
        structure: "thread",
        known: Known::Threads,
        kinds: &[Declared {
            structure: "thread",
            name: "a thread",
            by: "THREAD",
            header: "lichen/thread.h; thread_create makes one of a struct thread_created",
        }],
    },
];

/// A variable that its macro did not declare.
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

/// Finds variables of `image` that only a macro may declare, and that none did.
pub(super) fn vet(image: &Image) -> Result<(), ObjectError> {
    for family in &FAMILIES {
        let variables = image.variables(family.structure);
        let is_declared = family.known.test(image);
        if let Some(variable) = variables.iter().find(|variable| !is_declared(variable)) {
            return Err(family.error(variable));
        }
    }
    Ok(())
}

impl Known {
    /// Distinguishes the declared variables of `image` from others.
    fn test(&self, image: &Image) -> Box<dyn Fn(&Variable) -> bool> {
        match self {
            Known::Between(bounds) => {
                let [begin, end] = bounds.map(|name| image.symbols().find(name));
                let region = begin.zip(end).map(|(begin, end)| begin.address..end.address);
                Box::new(move |variable| match (&region, variable.address) {
                    (Some(region), Some(address)) => region.contains(&address),
                    // An image of other sources has no regions, and other rules.
                    (region, _) => region.is_none(),
                })
            }
            Known::Threads => {
                let kernel = Kernel::find(image).ok().flatten();
                let blocks: Vec<u32> = kernel
                    .map(|kernel| kernel.threads().iter().map(|thread| thread.block).collect())
                    .unwrap_or_default();
                Box::new(move |variable| {
                    let own = |file: &String| file.starts_with("os/kernel/");
                    variable.structures.iter().any(|name| name == "thread_created")
                        || variable.file.as_ref().is_some_and(own)
                        || variable.address.is_some_and(|address| blocks.contains(&address))
                })
            }
        }
    }
}

impl Family {
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
