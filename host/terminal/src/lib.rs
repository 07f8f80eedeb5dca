// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the commands `lichen` and `lichen-dev` have in common: how they find the tree, print, show progress, fail and
//! report tests. Only this crate and the commands print.
#![allow(clippy::print_stderr)]

pub mod duration;
pub mod failure;
pub mod files;
pub mod help;
pub mod interrupt;
pub mod latency;
pub mod lock;
pub mod maintenance;
pub mod place;
pub mod reporter;
pub mod screen;
