// SPDX-License-Identifier: MIT OR Apache-2.0
//! PAC: write protection of the blocks on one bridge (data sheet, "PAC - Peripheral Access
//! Controller").

use super::register::{self, At, Bank, Register, ones};
use crate::samr21::peripheral::{Context, Peripheral, ResetKind};
use lichen_isa::Width;

#[derive(Clone, Copy)]
pub(crate) enum Id {
    WpClr,
    WpSet,
}

static REGISTERS: &[Register<Id>] =
    &[ones(Id::WpClr, 0, Width::Word), ones(Id::WpSet, 4, Width::Word)];

/// The controller's own bit, which does not exist: it cannot be protected.
const SELF: u32 = 1 << Pac::BIT;

/// One of the three.
#[derive(Clone, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(crate) struct Pac {
    reset: u32,
    protected: u32,
}

impl Pac {
    /// Number of the controller itself on its bridge.
    pub const BIT: u8 = 0;

    /// With this value of WPSET after reset.
    pub fn new(reset: u32) -> Pac {
        Pac { reset, protected: reset }
    }

    /// Whether the block at this bit is write-protected.
    pub fn protects(&self, bit: u8) -> bool {
        self.protected >> bit & 1 != 0
    }

    /// Whether a write protects again what is protected, or frees what is free: the controller
    /// answers either with an error (section "Overview" of its chapter).
    pub fn repeats(&self, offset: u32, width: Width, value: u32) -> bool {
        let written = value & u32::MAX >> (32 - 8 * width.bytes());
        let bits = written << (8 * (offset % 4)) & !SELF;
        match offset & !3 {
            0 => bits & !self.protected != 0,
            4 => bits & self.protected != 0,
            _ => false,
        }
    }
}

impl Bank for Pac {
    type Id = Id;

    fn registers(&self) -> &'static [Register<Id>] {
        REGISTERS
    }

    fn load(&mut self, _cx: &mut Context<'_>, _at: At<Id>) -> u32 {
        self.protected
    }

    fn store(&mut self, _cx: &mut Context<'_>, at: At<Id>, value: u32) {
        match at.id {
            Id::WpClr => self.protected &= !value,
            Id::WpSet => self.protected |= value & !SELF,
        }
    }
}

impl Peripheral for Pac {
    register::answer_by_registers!();

    fn reset(&mut self, _cx: &mut Context<'_>, _kind: ResetKind) {
        self.protected = self.reset;
    }
}
