// SPDX-License-Identifier: MIT OR Apache-2.0
//! Moments of a run, described by their place in the source.

use lichen_image::Image;
use std::fmt;

/// A moment between two instructions, or between an exception's entry and its first instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Cycles of the processor's clock since power-up.
    pub cycle: u64,
    /// Address of the next instruction.
    pub pc: u32,
    /// Function around it.
    pub function: String,
    /// Line of the source that it comes from, if known.
    pub line: String,
}

impl Moment {
    /// The moment at `cycle`, before the instruction at `pc`.
    pub(crate) fn new(image: &Image, cycle: u64, pc: u32) -> Moment {
        let function = image.symbols().place(pc).map(|place| place.to_string());
        let line = image.locations(pc).first().map(|location| location.to_string());
        Moment { cycle, pc, function: function.unwrap_or_default(), line: line.unwrap_or_default() }
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cycle {}, pc 0x{:08x} ({}, {})", self.cycle, self.pc, self.function, self.line)
    }
}
