// SPDX-License-Identifier: MIT OR Apache-2.0
//! Thumb code.

mod code;
mod pointers;
mod state;
mod step;
mod value;
mod walk;

pub use walk::{Enabled, Entry, Walks};
