// SPDX-License-Identifier: MIT OR Apache-2.0
//! How deep the main stack of a program gets, computed from its image.
//!
//! In four steps, each a module:
//!
//!   `code`      reads instructions, functions and constants of the image
//!   `pointers`  what a pointer to a function may lead to
//!   `walk`      follows each function on all its ways: how deep it gets by itself, and what it calls
//!   `depth`     adds up what functions call; one that calls itself has no depth
//!   `need`      start-up, the kernel level and the interrupts that nest above it
//!
//! What cannot be followed is an error that says where, never a guess. What is assumed instead is in
//! `CAVEATS.md`.

mod code;
mod depth;
mod levels;
mod need;
mod pointers;
mod state;
mod step;
mod value;
mod walk;

pub use depth::Step;
pub use need::{Need, Part, RESERVE, main_stack};

use lichen_image::Machine;

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
    /// It is of a machine whose code is not followed.
    #[error("is made for {0}, whose code is not followed")]
    Machine(Machine),
    /// The image lacks what every program of the system has.
    #[error("is not in the image")]
    Missing,
}

fn through(path: &[String]) -> String {
    if path.is_empty() { String::new() } else { format!(" through {}", path.join(", ")) }
}
