// SPDX-License-Identifier: MIT OR Apache-2.0
//! Containers of programs that are loaded, as `doc/spec/container.md` defines them: read, written, and linked as a mote
//! links them.
//!
//! [`link()`] is written from the specification alone. What writes containers shares with it only the names of things, so
//! that each is a check of the other. Whatever the bytes are, reading them returns a value or an [`Error`] that names the
//! byte.

mod checksum;
pub mod directory;
mod error;
mod field;
mod header;
mod initial;
mod kind;
mod line;
mod link;
mod machine;
mod names;
mod number;
mod partition;
mod token;
mod write;

pub use checksum::{crc16, crc32, crc32_add};
pub use error::{Error, Reason};
pub use header::{
    BLOCKS_MAX, CRC_BYTES, Group, HEADER_BYTES, Header, MAC_BYTES, NAME_MAX, Record, Rows, Trust,
};
pub use initial::{Initial, Run, runs};
pub use kind::Kind;
pub use line::{Block, Line, Places};
pub use link::{Calls, Linked, link};
pub use machine::Machine;
pub use partition::{Partition, Storage};
pub use token::{Region, Token, Tokens};
pub use write::{Disorder, Reference, Target, write, write_stream};
