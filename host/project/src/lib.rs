// SPDX-License-Identifier: MIT OR Apache-2.0
//! The contents of a source tree of Lichen, and the operations on it: programs and their manifests,
//! building, sizes, writing into boards, generated files, checks of the structural rules, figures.
//!
//! Nothing here prints: results and errors are values, and every error can say where it is and what
//! to do about it ([`Explain`]).

pub mod bench;
pub mod build;
pub mod check;
mod equals;
mod explain;
mod figure;
pub mod flash;
mod header;
pub mod kinds;
pub mod latency;
mod manifest;
mod map;
pub mod pins;
mod program;
pub mod python;
pub mod site;
pub mod size;
pub mod stack;
mod suggest;
pub mod suite;
pub mod system;
pub mod template;
mod tomlfile;
pub mod tool;
mod tree;
pub mod vet;

pub use explain::{Explain, Place};
pub use figure::{Better, Figure, Value, figures};
pub use manifest::{Budget, BuildOptions, Expect, Manifest, MoteTest};
pub use program::{DEFAULT_BOARD, Program, ProgramError, default_board};
pub use suggest::nearest;
pub use tomlfile::{FileError, read_toml};
pub use tree::{Tree, TreeError};
