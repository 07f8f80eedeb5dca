// SPDX-License-Identifier: MIT OR Apache-2.0
//! SBMATRIX: priorities of the bus masters. They are stored; masters do not contend here.

use super::register::{self, At, Bank, Register, array};
use crate::samr21::peripheral::{Context, Peripheral, ResetKind};
use lichen_isa::Width;

const PRIORITIES: usize = 32;
const SPECIAL: usize = 16;

#[derive(Clone, Copy)]
pub(crate) enum Id {
    Priority,
    Special,
}

static REGISTERS: &[Register<Id>] = &[
    array(Id::Priority, 0x080, Width::Word, PRIORITIES as u32, 0x3333_3333),
    array(Id::Special, 0x110, Width::Word, SPECIAL as u32, u32::MAX),
];

/// The block.
#[derive(Clone, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(crate) struct Matrix {
    priorities: [u32; PRIORITIES],
    special: [u32; SPECIAL],
}

impl Matrix {
    pub fn new() -> Matrix {
        Matrix { priorities: [0; PRIORITIES], special: [0; SPECIAL] }
    }
}

impl Bank for Matrix {
    type Id = Id;

    fn registers(&self) -> &'static [Register<Id>] {
        REGISTERS
    }

    fn load(&mut self, _cx: &mut Context<'_>, at: At<Id>) -> u32 {
        match at.id {
            Id::Priority => self.priorities[at.index],
            Id::Special => self.special[at.index],
        }
    }

    fn store(&mut self, _cx: &mut Context<'_>, at: At<Id>, value: u32) {
        let register = match at.id {
            Id::Priority => &mut self.priorities[at.index],
            Id::Special => &mut self.special[at.index],
        };
        *register = at.merge(*register, value);
    }
}

impl Peripheral for Matrix {
    register::answer_by_registers!();

    fn reset(&mut self, _cx: &mut Context<'_>, _kind: ResetKind) {
        *self = Matrix::new();
    }
}
