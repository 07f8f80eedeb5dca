// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sends programs to a mote, lists, starts, stops and removes them, over the line of its console
//! (`doc/spec/loading.md`).
//!
//! [`Client`] is the host's end of the line as a state machine: it is given bytes and the time, and says what to send. So it is the same
//! for a mote at a serial port and for a simulated one.

mod client;
mod container;
mod error;
mod frame;
mod job;
mod request;

pub use client::{Client, Next};
pub use container::{Container, Wrong};
pub use error::{LoadError, MoteError};
pub use frame::{Frame, Item, Separator};
pub use job::{Job, Outcome, Program, State, Whom, table};
pub use request::{Hello, Kind};
