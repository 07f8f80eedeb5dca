// SPDX-License-Identifier: MIT OR Apache-2.0
//! Thumb code.

mod code;
mod pointers;
mod port;
mod state;
mod step;
mod value;
mod walk;

pub(crate) use port::Thumb;
pub use walk::{Enabled, Entry, Walks};
