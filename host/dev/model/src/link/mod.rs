// SPDX-License-Identifier: MIT OR Apache-2.0
//! What links of motes promise, and random histories that put it to the test.
//!
//! A [`Plan`] says what happens to some motes: who sends what to whom, how good the ways between them are, which mote loses its
//! power or its radio. A [`Said`] is what a mote has printed of it, as `test/network/actor` does. [`broken`] finds the first
//! promise of the link that was not kept.

mod law;
mod plan;

pub use law::{Broken, broken};
pub use plan::{Act, Kind, Plan, Step};

/// A moment, in milliseconds.
pub type Ms = u32;

/// What a mote has printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// It has started, and its link is open.
    Started,
    /// A send was refused.
    Refused(u16),
    /// A send has ended, with an error of `lichen/error.h`.
    Ended {
        /// Its number.
        number: u16,
        /// Whether it was acknowledged, or sent to all.
        error: u8,
    },
    /// A message has come.
    Got {
        /// The mote that has sent it.
        from: usize,
        /// Its number.
        number: u16,
    },
    /// A message whose bytes are not those that were sent.
    Spoilt,
    /// How many frames were lost by a reason, since the start.
    Lost {
        /// So many.
        count: u32,
        /// `PART: NAME`.
        reason: String,
    },
    /// How much was sent and received.
    Counted,
    /// Something else.
    Other(String),
}

/// What a mote said, and when.
#[derive(Clone, Debug)]
pub struct Line {
    /// When its last character came.
    pub at: Ms,
    /// The mote.
    pub mote: usize,
    /// The text.
    pub said: Said,
}
