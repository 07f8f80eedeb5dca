// SPDX-License-Identifier: MIT OR Apache-2.0
//! Mutants of the system: each has a mistake in one place.
//!
//! They are made from the built image, so the source need not change and nothing is built again.
//! The code of an [`Area`] is what comes from its files according to the line tables, wherever it was
//! inlined.

use crate::code::{Area, Code, Instruction, Origin, instructions};
use crate::{avr, code, constants, decisions, early, stores};
use lichen_analysis::Text;
use lichen_image::{Image, Machine};
use std::fmt;

/// What was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A store was removed; on AVR also a mask of interrupts.
    Deleted,
    /// A store and the next one of its basic block have changed places.
    Swapped,
    /// A branch is taken where it was not, and the other way round.
    Inverted,
    /// A branch is never taken.
    Never,
    /// A branch is always taken.
    Always,
    /// The bound of an ordered comparison was moved: the equal case is now on the other side.
    Bound,
    /// A constant is one more.
    More,
    /// A constant is one less.
    Less,
    /// A call was removed.
    Uncalled,
    /// A store comes before the call that it should follow.
    Early,
    /// An AND is an OR, or the other way round.
    Exchanged,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 11] = [
        Kind::Deleted,
        Kind::Swapped,
        Kind::Inverted,
        Kind::Never,
        Kind::Always,
        Kind::Bound,
        Kind::More,
        Kind::Less,
        Kind::Uncalled,
        Kind::Early,
        Kind::Exchanged,
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
            Kind::Early => "before the call",
            Kind::Exchanged => "and for or",
        })
    }
}

/// What is written where.
pub(crate) type Patch = (u32, Vec<u8>);

/// What is written where, to change an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) kind: Kind,
    pub(crate) patches: Vec<Patch>,
    /// The source of the change, if it is not that of the instruction itself.
    pub(crate) origin: Option<Origin>,
    /// Where the other instruction comes from, if there is one.
    pub(crate) other: Option<Origin>,
}

impl Change {
    /// Replaces `instruction` and the following ones by `codes`.
    pub(crate) fn to<C>(instruction: &Instruction<C>, kind: Kind, codes: &[u16]) -> Change {
        let bytes = codes.iter().flat_map(|code| code.to_le_bytes()).collect();
        let patches = vec![(instruction.address, bytes)];
        Change { kind, patches, origin: None, other: None }
    }
}

/// A change of the image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// What was done.
    pub kind: Kind,
    /// Address of the changed instruction, or of the first of several.
    pub address: u32,
    /// The first instruction of its basic block: a run that executes that one executes it.
    pub leader: u32,
    /// Where the instruction comes from.
    pub origin: Origin,
    /// Where the other one comes from, if two were swapped.
    pub other: Option<Origin>,
    /// Function of the image around it.
    pub within: String,
    /// Whether that is a function of the area, and not one into which code of the area is inlined.
    pub is_own: bool,
    /// Index of the instruction in that function, where lines do not tell it as well.
    pub index: Option<u32>,
    /// Instructions, or a constant that one loads.
    pub(crate) patches: Vec<Patch>,
}

/// All mutants of an image.
#[derive(Clone, Debug, Default)]
pub struct Mutants {
    /// Those that can be made.
    pub all: Vec<Mutant>,
    /// Adjacent stores that cannot be swapped, because registers or addresses in between depend on them.
    pub dependent: usize,
}

impl Mutant {
    /// What is written into the image where.
    pub fn patches(&self) -> &[(u32, Vec<u8>)] {
        &self.patches
    }

    /// The changed instructions: the first, and the one after the last.
    pub(crate) fn range(&self) -> (u32, u32) {
        let own = self.patches.iter().find(|(address, _)| *address == self.address);
        (self.address, self.address + own.map_or(2, |(_, bytes)| bytes.len() as u32))
    }
}

impl Mutants {
    /// The mutants of `area` in a program's `image`, by address.
    pub fn of(image: &Image, area: Area) -> Mutants {
        match image.machine() {
            Machine::Arm => Mutants::of_thumb(image, area),
            Machine::Avr => Mutants::of_avr(image, area),
        }
    }

    fn of_thumb(image: &Image, area: Area) -> Mutants {
        let text = Text::of(image);
        let instructions = instructions(&text, area);
        let literals = constants::Literals::of(&text, &instructions);
        Mutants::made((image, area), &instructions, |index| {
            let mut changes = decisions::changes(image, &instructions, index);
            changes.extend(constants::changes(&instructions, index));
            changes.extend(literals.changes(&instructions[index]));
            changes.extend(early::changes(image, &instructions, index));
            changes
        })
    }

    fn of_avr(image: &Image, area: Area) -> Mutants {
        let text = Text::of(image);
        let instructions = instructions(&text, area);
        Mutants::made((image, area), &instructions, |index| {
            avr::changes(&text, &instructions, index)
        })
    }

    /// Those of stores, and those that `others` makes of an instruction.
    fn made<C: Code>(
        (image, area): (&Image, Area),
        instructions: &[Instruction<C>],
        others: impl Fn(usize) -> Vec<Change>,
    ) -> Mutants {
        let mut mutants = Mutants::default();
        let (mut leader, mut begin) = (0, 0);
        for (index, instruction) in instructions.iter().enumerate() {
            if instruction.leads {
                leader = instruction.address;
            }
            let around = image.symbols().place(instruction.address);
            if around.as_ref().is_some_and(|place| place.offset == 0) {
                begin = index;
            }
            let Some(origin) = &instruction.origin else { continue };
            let mut changes = Vec::new();
            if instruction.code.is_store() {
                let (done, dependent) = stores::changes(&instructions[index..]);
                changes.extend(done);
                mutants.dependent += usize::from(dependent.is_some());
            }
            changes.extend(others(index));
            let within = around.as_ref().map_or(String::new(), |place| place.name.to_string());
            let begins = around.map(|place| instruction.address - place.offset);
            let is_own = begins.is_some_and(|address| code::is_of(image, address, area));
            mutants.all.extend(changes.into_iter().map(|change| Mutant {
                kind: change.kind,
                address: instruction.address,
                leader,
                origin: change.origin.unwrap_or_else(|| origin.clone()),
                other: change.other,
                within: within.clone(),
                is_own,
                index: (is_own && C::IS_RELAXED).then_some((index - begin) as u32),
                patches: change.patches,
            }));
        }
        mutants
    }
}
