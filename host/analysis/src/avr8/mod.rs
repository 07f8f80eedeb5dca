// SPDX-License-Identifier: MIT OR Apache-2.0
//! AVR code.

mod code;
mod pointers;
mod registers;
mod state;
mod step;
mod value;
mod walk;

pub use pointers::vectors;
pub use walk::{Entry, Handler, Walks};
