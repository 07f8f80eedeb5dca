// SPDX-License-Identifier: MIT OR Apache-2.0
//! A running kernel, one word of whose memory is overwritten.
//!
//! A [`Program`] of `test/corrupt` works in rounds, and checks in each that all of its parts still
//! work. [`Rig::moments`] chooses moments of a round; [`Rig::overwrite`] goes to one, writes a
//! value to a word, and lets the mote continue to one of the [`Outcome`]s. The program is not aware
//! of this.

mod outcome;
mod program;
mod rig;

pub use outcome::{Outcome, Place};
pub use program::{Error, Program};
pub use rig::Rig;
