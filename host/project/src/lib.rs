// SPDX-License-Identifier: MIT OR Apache-2.0
//! A source tree of Lichen: the names in it, programs and their manifests, and the tools that it needs.
//!
//! Nothing here prints: results and errors are values, and every error can say where it is and what
//! to do about it ([`Explain`]).

mod comments;
mod explain;
pub mod interface;
mod manifest;
mod program;
pub mod python;
mod suggest;
pub mod system;
pub mod template;
mod tomlfile;
pub mod tool;
pub mod tree;

pub use comments::without_comments;
pub use explain::{Explain, Place};
pub use manifest::{Budget, BuildOptions, Expect, Load, Manifest, MoteTest, Programs};
pub use program::{DEFAULT_BOARD, Program, ProgramError, Source, default_board};
pub use suggest::nearest;
pub use tomlfile::{FileError, read_toml};
pub use tree::{Tree, TreeError};
