// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random histories of calls, run on a mote and on the model at the same time.
//!
//! A history is a list of [`Step`]s: an actor makes a call, an interrupt comes, between
//! calls or at any instruction of one, time passes. The firmware
//! (`test/model`) asks before each call; a [`Mote`] sees who asks and what its last call returned,
//! and [`compare`] looks whether the model allows it. Histories are made by `proptest`, so that what
//! is wrong is shrunk to a short history ([`search`]), which can be had as a C program ([`listing`]).
//! [`share`] looks at what histories say little of: how equals that compute share the processor.

mod command;
mod compare;
mod generate;
mod heads;
mod listing;
mod mote;
mod statement;
mod step;
mod trouble;
mod turns;

pub use compare::{Count, Difference, Done, Stopped, compare};
pub use generate::{Failure, KINDS, Kind, histories, search};
pub use listing::listing;
pub use mote::{Mote, Program};
pub use step::{Step, Strike};
pub use trouble::{Error, Trouble};
pub use turns::{Sharing, share};
