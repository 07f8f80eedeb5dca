// SPDX-License-Identifier: MIT OR Apache-2.0
//! The chip as a whole, seen from outside while it runs tiny programs.

mod activity;
mod blocks;
mod description;
mod memory;
mod program;
mod reset;
mod sleep;
mod state;
