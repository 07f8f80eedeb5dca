// SPDX-License-Identifier: MIT OR Apache-2.0
//! Turns: threads of one priority that do not wait share the processor.
//!
//! When its turn is over, the running thread goes behind its equals. A turn ends when the slice timer
//! says so, every 5 ms while there are equals, or later, when the kernel level is free again. So of three
//! turns that end, the last ends at least a slice after the first.

use crate::{Model, Tick};

/// 5 ms, rounded down.
const SLICE: Tick = 163;

impl Model {
    /// Whether the turn of the running thread, who has equals, may be over.
    pub(crate) fn turn_is_over(&self) -> bool {
        self.now >= self.turned[1] + SLICE
    }

    /// It is.
    pub(crate) fn turn(&mut self) {
        self.turned = [self.since, self.turned[0]];
        self.rotate();
    }
}
