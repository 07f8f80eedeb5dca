// SPDX-License-Identifier: MIT OR Apache-2.0
//! Time slices: threads of one priority that do not wait share the processor.
//!
//! When its slice is over, the running thread goes behind its equals. A slice ends when the slice
//! timer fires, every 5 ms while there are equals, or later, when the kernel level is free again.
//! So of three slices in a row, the last ends at least one slice after the first.

use crate::Model;

impl Model {
    /// Whether the slice of the running thread, which has equals, may be over.
    pub(crate) fn turn_is_over(&self) -> bool {
        self.now >= self.turned[1] + self.port.slice
    }

    /// Its slice is over.
    pub(crate) fn turn(&mut self) {
        self.turned = [self.since, self.turned[0]];
        self.rotate();
    }
}
