// SPDX-License-Identifier: MIT OR Apache-2.0
//! AVR code.

mod code;
mod pointers;
mod port;
mod registers;
mod state;
mod step;
mod value;
mod walk;

pub use pointers::vectors;
pub(crate) use port::Avr;
pub use walk::{Entry, Handler, Walks};
