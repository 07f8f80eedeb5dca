// SPDX-License-Identifier: MIT OR Apache-2.0
//! Thumb code.

#[cfg(test)]
mod agrees;
mod code;
mod evaluate;
mod pointers;
mod port;
mod state;
mod step;
mod unroll;
mod value;
mod walk;

pub(crate) use port::Thumb;
pub(crate) use state::State;
pub use walk::{Enabled, Entry, LOADED_START, Walks};
