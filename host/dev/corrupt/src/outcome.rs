// SPDX-License-Identifier: MIT OR Apache-2.0
//! The outcomes of a run whose memory was overwritten.

use std::fmt;

/// Where a processor is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Address of the next instruction.
    pub pc: u32,
    /// Function around it.
    pub function: String,
    /// Number of the exception that is active, 0 in a thread.
    pub exception: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{:08x} ({}, exception {})", self.pc, self.function, self.exception)
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It continues as if nothing had happened.
    Right,
    /// It started again, and left a valid record.
    Record {
        /// In words.
        reason: String,
    },
    /// The watchdog reset it.
    Watchdog,
    /// It reset itself, and left no record, or one that is not of the first panic.
    Unexplained,
    /// The kernel began again, without a reset.
    Restarted,
    /// It does no work and reports nothing.
    Silent {
        /// Where it was found.
        at: Place,
    },
}

impl Outcome {
    /// Whether the failure is visible from outside, or there is none.
    pub fn is_fair(&self) -> bool {
        matches!(self, Outcome::Right | Outcome::Record { .. } | Outcome::Watchdog)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Right => f.write_str("goes on"),
            Outcome::Record { reason } => write!(f, "panics: {reason}"),
            Outcome::Watchdog => f.write_str("is reset by the watchdog"),
            Outcome::Unexplained => {
                f.write_str("resets itself without a record of the first cause")
            }
            Outcome::Restarted => f.write_str("starts again without a reset"),
            Outcome::Silent { at } => write!(f, "does nothing more, at {at}"),
        }
    }
}
