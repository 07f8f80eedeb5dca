// SPDX-License-Identifier: MIT OR Apache-2.0
//! How deep the kernel's stack of a program gets, computed from its image; and what is known of how deep
//! those of its threads may get.
//!
//! In four steps:
//!
//!   `code`      reads functions and constants of the image
//!   `pointers`  what a pointer to a function may lead to
//!   `follow`    follows each function on all its ways: how deep it gets by itself, and what it calls
//!   `depth`     adds up what functions call; one that calls itself has no depth
//!   `thread`    adds up what is known of it
//!
//! What an instruction does, and what is on the stack at its deepest (start-up, the kernel level, the
//! interrupts that nest above it), each architecture has in a folder.
//!
//! What cannot be followed is an error that says where, never a guess. What is assumed instead is in
//! `doc/design/kernel.md`.

mod armv6m;
mod avr8;
mod code;
mod depth;
mod few;
mod follow;
mod need;
mod pointers;
mod thread;

pub use depth::Step;
pub use need::{Need, Part, Reserve, Room, main_stack};
pub use thread::{Root, known_depths};

/// Why the depth of a stack cannot be computed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{function} {why}")]
pub struct Unknown {
    /// The function in which it shows.
    pub function: String,
    /// What it does.
    pub why: Why,
    /// File and line, if the image says.
    pub place: Option<(String, u32)>,
}

/// What has no computable depth.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Why {
    /// It calls itself, through the named functions.
    #[error("calls itself{}", through(.0))]
    Recursion(Vec<String>),
    /// It moves its stack pointer by what only the run knows: `alloca`, an array of variable length.
    #[error("takes stack of a size that is not known")]
    Unbounded,
    /// The stack grows with each round of a loop.
    #[error("takes more stack in each round of a loop")]
    Growing,
    /// It calls, or jumps to, what a pointer says, and that may be anything.
    #[error("calls through a pointer that may lead anywhere")]
    Pointer,
    /// Its code ends, or is no code.
    #[error("runs into what is no code")]
    NoCode,
    /// The image lacks what every program of the system has.
    #[error("is not in the image")]
    Missing,
}

fn through(path: &[String]) -> String {
    if path.is_empty() { String::new() } else { format!(" through {}", path.join(", ")) }
}
