// SPDX-License-Identifier: MIT OR Apache-2.0
//! Stacks of a program that is to be loaded: its threads', and what its start functions, events and commands may use of the
//! image's.

use super::place;
use super::stacks::{ThreadStackError, listed};
use crate::calls::Calls;
use lichen_analysis::Text;
use lichen_image::Image;
use lichen_observe::loaded_threads;
use lichen_project::{Explain, Place};
use lichen_stack::{CallPath, Root, Step, depth_bounds, function_depths};

const START: &str = "start function";
const EVENT: &str = "event";

/// A stack is too small for what a loaded program does on it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadedStackError {
    /// That of a thread.
    #[error(transparent)]
    Thread(#[from] ThreadStackError),
    /// What a function may use of a stack of the image.
    #[error("{what} `{name}' may use {bytes} bytes of {stack}, and may need {needed}: {}", listed(steps).join(", "))]
    Share {
        /// What it is: `start function`, `event`, `shell command`.
        what: &'static str,
        /// Its name.
        name: Box<str>,
        /// Whose stack it is.
        stack: &'static str,
        /// Bytes that it may use.
        bytes: u32,
        /// Bytes that it may need.
        needed: u32,
        /// The functions on the way to the deepest point.
        steps: Box<[Step]>,
        /// The function in the program.
        place: Option<Place>,
    },
    /// A start function or an event whose need is not known.
    #[error("what the {what} `{name}' needs of the kernel's stack cannot be computed: {why}")]
    Unknown {
        /// What it is.
        what: &'static str,
        /// Its name.
        name: String,
        /// What is in the way.
        why: String,
        /// The function in the program.
        place: Option<Place>,
    },
}

impl Explain for LoadedStackError {
    fn place(&self) -> Option<Place> {
        match self {
            LoadedStackError::Thread(error) => error.place(),
            LoadedStackError::Share { place, .. } | LoadedStackError::Unknown { place, .. } => {
                place.clone()
            }
        }
    }

    fn remedy(&self) -> Option<String> {
        match self {
            LoadedStackError::Thread(error) => error.remedy(),
            LoadedStackError::Share { what: EVENT, bytes: 0, .. } => Some(
                "the image takes no programs with events: write `events = 4`, or how many all programs have, below \
                 [programs] in its lichen.toml"
                    .to_string(),
            ),
            LoadedStackError::Share { what: EVENT, .. } => Some(
                "make large local variables `static', or `event_stack' below [programs] in the image's \
                 lichen.toml larger"
                    .to_string(),
            ),
            LoadedStackError::Share { .. } => Some(
                "make large local variables `static', or let a THREAD of the program do the work"
                    .to_string(),
            ),
            LoadedStackError::Unknown { .. } => {
                Some("let a THREAD of the program do it".to_string())
            }
        }
    }
}

/// A stack of a program, and what it is needed for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadedStack {
    /// What runs on it: `thread`, `start function`, `event`, `shell command`.
    pub what: &'static str,
    /// Its name.
    pub name: String,
    /// Bytes that it has, or may use.
    pub bytes: u32,
    /// Bytes that it may need.
    pub needed: u32,
}

/// Checks all stacks of the program in `image`, the link of a program that is to be loaded, for an image with these `calls`.
pub fn vet_loaded(image: &Image, calls: &Calls) -> Result<Vec<LoadedStack>, LoadedStackError> {
    let text = Text::of(image);
    let mut stacks = threads(&text, calls)?;
    stacks.extend(at_kernel_level(&text, calls, START, start_functions(&text), calls.start)?);
    let bytes = calls.event.unwrap_or_default();
    stacks.extend(at_kernel_level(&text, calls, EVENT, event_handlers(&text), bytes)?);
    if let Some(bytes) = calls.command {
        stacks.extend(commands(&text, calls, bytes)?);
    }
    Ok(stacks)
}

fn depths(text: &Text<'_>, calls: &Calls, functions: &[u32]) -> Vec<CallPath> {
    let root = |entry: &u32| Root { entry: *entry, ..Root::default() };
    let roots: Vec<Root> = functions.iter().map(root).collect();
    function_depths(text, &roots, &calls.absent())
}

fn threads(text: &Text<'_>, calls: &Calls) -> Result<Vec<LoadedStack>, ThreadStackError> {
    let image = text.image();
    let threads = loaded_threads(image).unwrap_or_default();
    let functions: Vec<u32> = threads.iter().map(|thread| thread.entry & !1).collect();
    let depths = depths(text, calls, &functions);
    let stack = |(thread, path): (&lichen_observe::Thread, CallPath)| {
        let needed = calls.thread + path.bytes;
        if needed > thread.stack_bytes {
            return Err(ThreadStackError {
                owner: format!("thread `{}'", thread.name),
                bytes: thread.stack_bytes,
                needed,
                steps: path.steps,
                larger: "the stack larger",
                place: place(image, thread.entry & !1),
            });
        }
        let (name, bytes) = (thread.name.clone(), thread.stack_bytes);
        Ok(LoadedStack { what: "thread", name, bytes, needed })
    };
    threads.iter().zip(depths).map(stack).collect()
}

/// Start functions and events run at the kernel level, where an overflow would be the mote's: what is not known is refused.
fn at_kernel_level(
    text: &Text<'_>,
    calls: &Calls,
    what: &'static str,
    functions: Vec<u32>,
    bytes: u32,
) -> Result<Vec<LoadedStack>, LoadedStackError> {
    let bounds = depth_bounds(text, &functions, &calls.absent());
    let mut stacks = Vec::new();
    for (function, bound) in functions.into_iter().zip(bounds) {
        let path = bound.map_err(|unknown| LoadedStackError::Unknown {
            what,
            name: declared(text, function),
            why: unknown.to_string(),
            place: place(text.image(), function),
        })?;
        stacks.push(share(text, (what, "the kernel's stack"), function, bytes, path)?);
    }
    Ok(stacks)
}

fn commands(
    text: &Text<'_>,
    calls: &Calls,
    bytes: u32,
) -> Result<Vec<LoadedStack>, LoadedStackError> {
    let symbols = text.image().symbols().functions().iter();
    let commands = symbols.filter(|it| it.name.starts_with("shell_command_") && it.size > 0);
    let functions: Vec<u32> = commands.map(|it| it.address & !1).collect();
    let (what, stack) = ("shell command", "the shell's stack");
    let paths = depths(text, calls, &functions);
    let each = functions.into_iter().zip(paths);
    each.map(|(function, path)| share(text, (what, stack), function, bytes, path)).collect()
}

fn share(
    text: &Text<'_>,
    (what, stack): (&'static str, &'static str),
    function: u32,
    bytes: u32,
    path: CallPath,
) -> Result<LoadedStack, LoadedStackError> {
    let name = declared(text, function);
    let CallPath { bytes: needed, steps } = path;
    if needed > bytes {
        let place = place(text.image(), function);
        let (name, steps) = (name.into(), steps.into());
        return Err(LoadedStackError::Share { what, name, stack, bytes, needed, steps, place });
    }
    Ok(LoadedStack { what, name, bytes, needed })
}

/// A function as the program declares it.
fn declared(text: &Text<'_>, function: u32) -> String {
    let name = text.name(function);
    let plain = name.strip_prefix("shell_command_").or_else(|| name.strip_suffix("_event"));
    plain.map(str::to_string).unwrap_or(name)
}

/// The functions in the tables that the link makes of them (`os/load/tables.ld`).
fn start_functions(text: &Text<'_>) -> Vec<u32> {
    pointers(text, "starts", 1)
}

/// In each row an event is before its handler.
fn event_handlers(text: &Text<'_>) -> Vec<u32> {
    pointers(text, "events", 2)
}

/// The last pointer in each row of so many.
fn pointers(text: &Text<'_>, table: &str, row: u32) -> Vec<u32> {
    let architecture = text.architecture();
    let bytes = architecture.pointers.code_bytes;
    let [begin, end] = ["begin", "end"].map(|edge| format!("tables_{table}_{edge}"));
    let rows = text.table(&begin, &end).step_by((row * bytes) as usize);
    let pointers = rows.filter_map(|at| text.number(at + (row - 1) * bytes, bytes));
    pointers.map(|pointer| architecture.code_address(pointer)).collect()
}
