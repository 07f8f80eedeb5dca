// SPDX-License-Identifier: MIT OR Apache-2.0
//! Failures of a run.

use crate::Moment;
use std::fmt;

/// Why a run failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// One of the program's expectations does not hold.
    Expectation {
        /// As written.
        text: String,
        /// File and line.
        place: String,
    },
    /// It never ended: a thread waits for a wake-up that was lost, or computes for ever.
    Lost {
        /// The processor's last place.
        at: Moment,
    },
    /// The kernel gave up.
    Panic {
        /// In words.
        reason: String,
        /// Where.
        at: Moment,
    },
    /// The processor faulted.
    Fault {
        /// In words.
        reason: String,
        /// Where.
        at: Moment,
    },
    /// The chip was reset.
    Reset,
    /// It sleeps more deeply than a limit allows.
    Sleep {
        /// How.
        mode: String,
        /// The deepest mode that is allowed.
        allowed: String,
    },
    /// The firmware did something that the chip does not support.
    Warning {
        /// In words.
        text: String,
    },
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Expectation { text, place } => write!(f, "{place}: `{text}` does not hold"),
            Failure::Lost { at } => {
                write!(f, "a wake-up is lost: the end is never reached; at {at}")
            }
            Failure::Panic { reason, at } => write!(f, "panic, {reason}, at {at}"),
            Failure::Fault { reason, at } => write!(f, "fault, {reason}, at {at}"),
            Failure::Reset => f.write_str("the chip was reset"),
            Failure::Sleep { mode, allowed } => {
                write!(f, "sleeps in {mode}, and the deepest mode that limits allow is {allowed}")
            }
            Failure::Warning { text } => write!(f, "warning: {text}"),
        }
    }
}
