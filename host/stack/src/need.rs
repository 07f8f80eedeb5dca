// SPDX-License-Identifier: MIT OR Apache-2.0
//! How large the kernel's stack must be.

use crate::depth::{CallPath, Step};
use crate::{Unknown, Why, armv6m, avr8};
use lichen_image::{Image, Machine};

/// A part of the deepest way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What runs: `start-up`, `kernel level`, `RTC_handler at level 2`.
    pub what: String,
    /// Bytes of it, with what the processor stacks before it.
    pub bytes: u32,
    /// Its functions, outermost first.
    pub steps: Vec<Step>,
}

impl Part {
    /// A way, above what the processor has stacked before it.
    pub(crate) fn new(what: impl Into<String>, frame: u32, path: &CallPath) -> Part {
        Part { what: what.into(), bytes: frame + path.bytes, steps: path.steps.clone() }
    }

    /// Bytes that are of no function.
    pub(crate) fn plain(what: impl Into<String>, bytes: u32) -> Part {
        Part { what: what.into(), bytes, steps: Vec::new() }
    }
}

/// Bytes below the deepest use. The kernel checks before it idles that they are untouched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reserve {
    /// How many.
    pub bytes: u32,
    /// What they are for.
    pub purpose: &'static str,
}

/// What the kernel's stack must have room for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Need {
    /// The deepest use without a panic.
    pub bytes: u32,
    /// What a panic needs, from the top.
    pub panic: u32,
    /// What is on the stack at its deepest, from the top.
    pub parts: Vec<Part>,
    /// What is left below.
    pub reserve: Reserve,
    /// The stack's alignment.
    pub align: u32,
    /// What interrupts need of the stack of each thread, where they use it.
    pub thread: Option<Room>,
}

/// Room for interrupts on the stack of each thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Room {
    /// Bytes that each stack has for them.
    pub reserved: u32,
    /// What is there at its deepest, from what the thread has used.
    pub parts: Vec<Part>,
}

impl Room {
    /// Bytes that they need.
    pub fn needed(&self) -> u32 {
        self.parts.iter().map(|part| part.bytes).sum()
    }
}

impl Need {
    /// Bytes to reserve.
    pub fn size(&self) -> u32 {
        let used = self.bytes.next_multiple_of(self.align) + self.reserve.bytes;
        used.max(self.panic.next_multiple_of(self.align))
    }
}

/// Computes what the kernel's stack of `image` must have room for.
pub fn main_stack(image: &Image) -> Result<Need, Unknown> {
    match image.machine() {
        Machine::Arm => armv6m::main_stack(image),
        Machine::Avr => avr8::main_stack(image),
    }
}

/// The error that a symbol is missing.
pub(crate) fn missing(name: &str) -> Unknown {
    Unknown { function: name.to_string(), why: Why::Missing, place: None }
}
