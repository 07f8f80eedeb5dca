// SPDX-License-Identifier: MIT OR Apache-2.0
//! Mutants of the kernel: what can be done wrong in one place of it.
//!
//! They are made of the built image, so the source needs no change and nothing is built again. The kernel's code
//! is what the line tables say comes from its files, wherever it was inlined.

use crate::code::{Instruction, Origin, instructions};
use crate::{Program, constants, decisions, stores};
use std::fmt;

/// What was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A store is gone.
    Deleted,
    /// A store and the next one of its basic block have changed places.
    Swapped,
    /// A branch is taken where it was not, and the other way about.
    Inverted,
    /// A branch is never taken.
    Never,
    /// A branch is always taken.
    Always,
    /// A comparison of order has moved its bound: what was equal is on its other side.
    Bound,
    /// A constant is one more.
    More,
    /// A constant is one less.
    Less,
    /// A call is gone.
    Uncalled,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 9] = [
        Kind::Deleted,
        Kind::Swapped,
        Kind::Inverted,
        Kind::Never,
        Kind::Always,
        Kind::Bound,
        Kind::More,
        Kind::Less,
        Kind::Uncalled,
    ];
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Deleted => "deleted",
            Kind::Swapped => "swapped",
            Kind::Inverted => "inverted",
            Kind::Never => "never taken",
            Kind::Always => "always taken",
            Kind::Bound => "bound moved",
            Kind::More => "one more",
            Kind::Less => "one less",
            Kind::Uncalled => "not called",
        })
    }
}

/// What is written where, to change an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) kind: Kind,
    pub(crate) address: u32,
    pub(crate) bytes: Vec<u8>,
    /// Where the other instruction comes from, if there is one.
    pub(crate) other: Option<Origin>,
}

impl Change {
    /// Puts `codes` in the place of `instruction` and those behind it.
    pub(crate) fn to(instruction: &Instruction, kind: Kind, codes: &[u16]) -> Change {
        let bytes = codes.iter().flat_map(|code| code.to_le_bytes()).collect();
        Change { kind, address: instruction.address, bytes, other: None }
    }
}

/// A change of the image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// What was done.
    pub kind: Kind,
    /// Address of the instruction that does something else now, the first one of several.
    pub address: u32,
    /// The first instruction of its basic block: whoever executes that executes it.
    pub leader: u32,
    /// Where the instruction comes from.
    pub origin: Origin,
    /// Where the other one comes from, if two were swapped.
    pub other: Option<Origin>,
    /// Function of the image around it, and offset.
    pub place: String,
    /// What is written, and where: an instruction, or a constant that it loads.
    pub(crate) patch: (u32, Vec<u8>),
}

/// All mutants of a program.
#[derive(Clone, Debug, Default)]
pub struct Mutants {
    /// Those that can be made.
    pub all: Vec<Mutant>,
    /// Adjacent stores that cannot be swapped, because registers or addresses in between depend on them.
    pub dependent: usize,
}

impl Mutant {
    /// The changed instructions: the first one, and the one behind the last.
    pub(crate) fn range(&self) -> (u32, u32) {
        let (address, bytes) = &self.patch;
        let count = if *address == self.address { bytes.len() as u32 } else { 2 };
        (self.address, self.address + count)
    }

    /// Function of the image around it.
    pub fn within(&self) -> &str {
        self.place.split('+').next().unwrap_or_default()
    }
}

impl Mutants {
    /// The mutants of `program`, by address.
    pub fn of(program: &Program) -> Mutants {
        let image = program.image();
        let instructions = instructions(image);
        let literals = constants::Literals::of(image, &instructions);
        let mut mutants = Mutants::default();
        let mut leader = 0;
        for (index, instruction) in instructions.iter().enumerate() {
            if instruction.leads {
                leader = instruction.address;
            }
            let Some(origin) = &instruction.origin else { continue };
            let mut changes = Vec::new();
            if instruction.code.is_store() {
                let (done, dependent) = stores::changes(&instructions[index..]);
                changes.extend(done);
                mutants.dependent += usize::from(dependent.is_some());
            }
            changes.extend(decisions::changes(image, &instructions, index));
            changes.extend(constants::changes(&instructions, index));
            changes.extend(literals.changes(instruction));
            let place = image.symbols().place(instruction.address);
            let place = place.map_or(String::new(), |place| place.to_string());
            mutants.all.extend(changes.into_iter().map(|change| Mutant {
                kind: change.kind,
                address: instruction.address,
                leader,
                origin: origin.clone(),
                other: change.other,
                place: place.clone(),
                patch: (change.address, change.bytes),
            }));
        }
        mutants
    }
}
