// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the machine code of an image does, found by reading it.
//!
//! In layers, each on those before it:
//!
//!   `text`        the image as code: bytes, instructions and functions, where they are at run time
//!   `owner`       whose code it is
//!   `port`        what is true of one architecture alone: how its compiler makes switches, and uses registers
//!   `ways`        follows the flow of control from an address on: each instruction, and where it leads
//!   `returning`   which functions come back to their callers
//!   `graph`       a function as blocks, with its calls and its ends
//!   `dominators`  what every way through a graph passes, from its entry or to its ends
//!   `loops`       which blocks are repeated, and how loops nest
//!   `liveness`    registers and flags whose values matter
//!   `accesses`    which accesses are volatile
//!   `cycles`      how long blocks, ways and functions take, at least and at most
//!   `pointers`    what a pointer to a function may lead to
//!   `follow`      follows each function with what is known: what registers hold, how deep the stack gets, whether
//!                 interrupts are masked, and what is called with what
//!   `rounds`      how often loops are repeated
//!   `listing`     instructions of a compiler's text, with their lines
//!   `unroll`      follows each way through a function by itself, so that loops with known bounds are counted
//!
//! What an instruction does to what is known, each architecture evaluates in its folder: the description by which
//! `lichen-isa` executes instructions is performed on values that may be unknown.
//!
//! What cannot be followed is an error that says where, never a guess, and no end of a way: a jump to where nobody knows,
//! code that is none, a loop of which nobody says how often it is repeated. What is assumed instead is in
//! `doc/design/kernel.md`.

mod accesses;
pub mod armv6m;
pub mod avr8;
mod cycles;
mod dominators;
mod few;
mod flags;
mod follow;
mod graph;
mod graphs;
mod listing;
mod literals;
mod liveness;
mod loops;
mod owner;
mod pointers;
mod port;
#[cfg(test)]
mod random;
mod returning;
mod rounds;
mod text;
mod unknown;
mod unroll;
mod ways;

pub use accesses::Accessed;
pub use cycles::{Given, Interval, Memory, Times};
pub use dominators::Dominators;
pub use follow::{Bodies, Body, Call, Target};
pub use graph::{Block, CallSite, Graph};
pub use graphs::Graphs;
pub use listing::{Listed, Unlisted, listed};
pub use liveness::{Alive, Liveness};
pub use loops::{Loop, Loops};
pub use owner::Owner;
pub use pointers::Pointers;
pub use rounds::Rounds;
pub use text::{Function, Text};
pub use unknown::{Unknown, Why};
pub use unroll::{Limit, Outcome, Way, unroll};
pub use ways::{Callee, Edge, End};
