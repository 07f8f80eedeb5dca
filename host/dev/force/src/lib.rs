// SPDX-License-Identifier: MIT OR Apache-2.0
//! Interrupts forced into firmware at every instruction.
//!
//! A [`Program`] of `test/force` offers operations of the kernel and laws that hold however they
//! interleave. A [`Cell`] of the matrix selects a stretch of one operation and the operation of an
//! interrupt that is forced into it; [`Rig::examine`] forces it at every moment of the stretch, and
//! a second one at every moment of the first, and lets the program check its laws after each run.
//! The program is not aware of this: everything is done from outside, with snapshots.

mod avr;
mod campaign;
mod cell;
mod code;
mod constants;
mod decisions;
mod early;
mod examine;
mod failure;
mod limits;
mod moment;
mod mutant;
mod parts;
mod program;
mod rig;
mod stores;
mod thumb;

pub use campaign::{Campaign, Fate, Met, Reach, Reached, Stage, look};
pub use cell::{Cell, Forced, Place, cells};
pub use code::{Area, Origin};
pub use examine::{At, Count, Defect, Extent, Failed};
pub use failure::Failure;
pub use moment::Moment;
pub use mutant::{Kind, Mutant, Mutants};
pub use program::{Error, Operation, Program, State};
pub use rig::{Kept, Rig};
