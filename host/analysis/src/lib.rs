// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the machine code of an image does, found by reading it.
//!
//! In layers, each on those before it:
//!
//!   `text`      the image as code: bytes, instructions and functions, where they are at run time
//!   `owner`     whose code it is
//!   `pointers`  what a pointer to a function may lead to
//!   `follow`    follows each function on all its ways: what registers hold, how deep the stack gets, whether
//!               interrupts are masked, and what is called with what
//!
//! What an instruction does to what is known, each architecture has in a folder.
//!
//! What cannot be followed is an error that says where, never a guess. What is assumed instead is in
//! `doc/design/kernel.md`.

mod accesses;
pub mod armv6m;
pub mod avr8;
mod cycles;
mod dominators;
mod few;
mod follow;
mod graph;
mod graphs;
mod literals;
mod liveness;
mod loops;
mod owner;
mod pointers;
mod port;
mod returning;
mod text;
mod unknown;
mod ways;

pub use accesses::Accessed;
pub use cycles::{Given, Interval, Memory, Times};
pub use dominators::Dominators;
pub use follow::{Bodies, Body, Call, Target};
pub use graph::{Block, CallSite, Graph};
pub use graphs::Graphs;
pub use liveness::{Alive, Liveness};
pub use loops::{Loop, Loops};
pub use owner::Owner;
pub use pointers::Pointers;
pub use text::{Function, Text};
pub use unknown::{Unknown, Why};
pub use ways::{Callee, Edge, End};
