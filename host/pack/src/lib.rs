// SPDX-License-Identifier: MIT OR Apache-2.0
//! Makes containers of programs that are loaded: an ELF that was linked with all its relocations becomes blocks, fields
//! without their addresses, and what each refers to.
//!
//! Each container is linked again before it is handed out, at three sets of addresses, and compared with what the ELF's
//! relocations say ([`pack()`] fails if they differ). Only the relocations' arithmetic is in both ways, and it is compared
//! with what the linker made of the ELF.

mod blocks;
mod check;
mod elf;
mod error;
mod events;
mod fields;
mod formula;
mod initial;
mod interface;
mod pack;
mod partitions;
mod reference;
mod relocatable;
mod relocate;
mod rows;

pub use error::PackError;
pub use formula::Formula;
pub use interface::{Call, Interface};
pub use pack::{About, Packed, pack, pack_anyway};
pub use relocatable::Relocatable;
