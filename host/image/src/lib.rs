// SPDX-License-Identifier: MIT OR Apache-2.0
//! Firmware images: ELF files for ARM and AVR, their symbols, source lines and data structures.
//!
//! An [`Image`] is checked when it is read: everything that it returns later lies inside the file.
//! Debug information is optional and is read on first use; if it is missing or damaged, the results
//! are `None`, never errors, since firmware runs without it.

mod avr;
mod code;
mod constants;
mod contents;
mod dwarf;
mod elf;
mod error;
mod fit;
mod flat;
mod frames;
mod inlined;
mod layout;
mod lines;
mod loadable;
mod machine;
mod moved;
mod names;
mod prototypes;
mod relocations;
mod symbols;
mod variables;
mod volatile;

pub use avr::{SIGNATURE, Variant};
pub use elf::{Image, Section, Segment};
pub use error::Error;
pub use fit::{Region, Target};
pub use frames::CallFrame;
pub use layout::{Enumeration, Member, Pointee, Structure};
pub use lines::Location;
pub use loadable::Loadable;
pub use machine::Machine;
pub use names::GlobalNames;
pub use symbols::{Place, Symbol, Symbols, source_name};
pub use variables::Variable;
