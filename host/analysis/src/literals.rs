// SPDX-License-Identifier: MIT OR Apache-2.0
//! Constants that code has beside itself, in registers.

use crate::Text;
use lichen_isa::{Flow, Instruction, Place, Width};

/// Registers of architectures whose code has such constants.
const REGISTERS: usize = 16;

/// The registers that hold a constant of flash.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Literals([Option<u32>; REGISTERS]);

impl Literals {
    /// What a register holds.
    pub(crate) fn get(&self, register: u8) -> Option<u32> {
        self.0.get(usize::from(register)).copied().flatten()
    }

    /// The address that an instruction accesses, if it contains one, or is beside such a constant.
    pub(crate) fn accessed(&self, instruction: &Instruction) -> Option<u32> {
        let access = instruction.access?;
        let known = match access.place {
            Place::Fixed(_) => true,
            Place::Base { base, index, .. } => {
                self.get(base).is_some() && index.is_none_or(|index| self.get(index).is_some())
            }
            Place::Pointer { .. } => false,
        };
        known.then(|| access.address(|register| self.get(register).unwrap_or_default()))
    }

    /// Behind an instruction.
    pub(crate) fn pass(&mut self, text: &Text<'_>, instruction: &Instruction) {
        if !matches!(instruction.flow, Flow::Next | Flow::Branch(_) | Flow::BranchIf(_)) {
            *self = Literals::default();
            return;
        }
        for (number, held) in self.0.iter_mut().enumerate() {
            if instruction.writes.contains(number as u8) {
                *held = text.literal(instruction);
            }
        }
    }

    /// What is known if the way came by here or there.
    pub(crate) fn join(&self, other: &Literals) -> Literals {
        let mut both = *self;
        for (one, other) in both.0.iter_mut().zip(other.0) {
            *one = one.filter(|word| Some(*word) == other);
        }
        both
    }
}

impl Text<'_> {
    /// The constant that an instruction loads from beside the code, if it does.
    pub fn literal(&self, instruction: &Instruction) -> Option<u32> {
        let access = instruction.access.filter(|it| !it.write && it.width == Width::Word)?;
        match access.place {
            Place::Fixed(address) if access.count == 1 => self.constant(address, 4),
            _ => None,
        }
    }
}
