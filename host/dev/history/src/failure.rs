// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors of programs, and failures of motes.

use lichen_chip::{OutOfMemory, StateError, UnknownPart};

/// Why a program cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The image lacks something.
    #[error("the image has no {0}")]
    Missing(&'static str),
    /// The board's chip is not simulated.
    #[error(transparent)]
    Part(#[from] UnknownPart),
    /// The image is not for this chip.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// A snapshot of another chip.
    #[error(transparent)]
    State(#[from] StateError),
    /// The debug information cannot be used.
    #[error(transparent)]
    Kernel(#[from] lichen_observe::Unreadable),
    /// It never reaches its first call.
    #[error("the program does not begin: {0}")]
    Start(MoteFailure),
}

/// Failures of a mote that no model allows.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoteFailure {
    /// The kernel panicked.
    #[error("it panics: {0}")]
    Panic(String),
    /// The processor faulted.
    #[error("it faults: {0}")]
    Fault(String),
    /// The chip was reset.
    #[error("it is reset")]
    Reset,
    /// The firmware did something that the chip does not support.
    #[error("a warning of the chip: {0}")]
    Warning(String),
    /// It executes, and no actor asks.
    #[error("it goes on executing, and nobody makes a call; at {0:#010x}")]
    Endless(u32),
}
