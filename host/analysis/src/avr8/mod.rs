// SPDX-License-Identifier: MIT OR Apache-2.0
//! AVR code.

#[cfg(test)]
mod agrees;
mod code;
mod evaluate;
mod pointers;
mod port;
mod registers;
mod state;
mod step;
mod unroll;
mod value;
mod walk;

pub use pointers::vectors;
pub(crate) use port::Avr;
pub(crate) use state::State;
pub use walk::{Entry, Handler, LOADED_START, Walks};
