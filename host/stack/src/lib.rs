// SPDX-License-Identifier: MIT OR Apache-2.0
//! How deep the kernel's stack of a program gets, computed from its image; and what is known of how deep
//! those of its threads may get.
//!
//! `lichen-analysis` follows each function: how deep it gets by itself, and what it calls. Then
//!
//!   `depth`     adds up what functions call; one that calls itself has no depth
//!   `thread`    adds up what is known of it
//!
//! What is on the stack at its deepest (start-up, the kernel level, the interrupts that nest above it), each
//! architecture has in a folder.

mod armv6m;
mod avr8;
mod depth;
mod need;
mod thread;

pub use depth::{Absent, CallPath, Step};
pub use lichen_analysis::{Unknown, Why};
pub use need::{Need, Part, Reserve, Room, main_stack};
pub use thread::{
    Root, beside_functions, depth_bounds, depth_of_pointers, function_depths, known_depths,
    start_bytes,
};
