// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a token says of its field.

use crate::Machine;
use std::fmt;

/// Kind of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// AVR `call` or `jmp`, which have no token, ARM `bl`, of a call of the system.
    Call,
    /// `call` or `jmp` within the program, which have no token.
    Jump,
    /// An address; in code of AVR, the second word of `lds` or `sts`, which have no token in the blocks.
    Word,
    /// `ldi` low, `ldi` high.
    Ldi,
    /// `subi` low, `sbci` high of the negated address.
    Subi,
    /// A function's address in words; in code, that of `call` or `jmp` outside the blocks.
    FunctionWord,
    /// `ldi` low, `ldi` high of a function's address in words.
    FunctionLdi,
    /// One `ldi`.
    Low,
    /// One `ldi`.
    High,
    /// One `subi` of the negated address.
    SubiLow,
    /// One `sbci` of the negated address.
    SbciHigh,
    /// One `ldi`, of an address in words.
    FunctionLow,
    /// One `ldi`, of an address in words.
    FunctionHigh,
    /// The address of a call of the system.
    CallWord,
    /// `ldi` low, `ldi` high of a call's address in words.
    CallLdi,
    /// One `cpi` with the low byte.
    CpiLow,
    /// `subi` low, `sbci` high of the address itself.
    Minus,
    /// `subi` low, `sbci` high of a function's negated address in words.
    FunctionSubi,
    /// `subi` low, `sbci` high of a function's address in words itself.
    FunctionMinus,
}

/// Number of the kind that has another one behind it.
pub(crate) const ESCAPE: u8 = 7;

/// Number of the kinds that no token has.
const NO_TOKEN: u8 = 0;

const AVR8: [(Kind, u8); 19] = [
    (Kind::Call, NO_TOKEN),
    (Kind::Jump, NO_TOKEN),
    (Kind::FunctionLdi, 1),
    (Kind::CallWord, 2),
    (Kind::Word, 3),
    (Kind::Ldi, 4),
    (Kind::Subi, 5),
    (Kind::FunctionWord, 6),
    (Kind::Low, 9),
    (Kind::High, 10),
    (Kind::SubiLow, 11),
    (Kind::SbciHigh, 12),
    (Kind::FunctionLow, 13),
    (Kind::FunctionHigh, 14),
    (Kind::CallLdi, 16),
    (Kind::CpiLow, 17),
    (Kind::Minus, 18),
    (Kind::FunctionSubi, 19),
    (Kind::FunctionMinus, 20),
];

const ARMV6M: [(Kind, u8); 3] = [(Kind::Call, 1), (Kind::Word, 2), (Kind::CallWord, 3)];

fn of(machine: Machine) -> &'static [(Kind, u8)] {
    match machine {
        Machine::Armv6m => &ARMV6M,
        Machine::Avr8 => &AVR8,
    }
}

impl Kind {
    /// The kinds of a machine.
    pub fn all(machine: Machine) -> impl Iterator<Item = Kind> {
        of(machine).iter().map(|(kind, _)| *kind)
    }

    /// Its number on `machine`; below [`ESCAPE`] it fits a token's first byte. None if no token has it.
    pub(crate) fn number(self, machine: Machine) -> Option<u8> {
        let known = of(machine).iter().find(|(kind, _)| *kind == self);
        known.map(|(_, number)| *number).filter(|number| *number != NO_TOKEN)
    }

    /// The kind of this number, in a token's first byte or behind `ESCAPE`.
    pub(crate) fn numbered(machine: Machine, number: u8, is_escaped: bool) -> Option<Kind> {
        let mut with_tokens = of(machine).iter().filter(|(_, number)| *number != NO_TOKEN);
        let known = with_tokens.find(|(_, known)| *known == number)?;
        (is_escaped || number < ESCAPE).then_some(known.0)
    }

    /// Bytes of the field.
    pub fn field_bytes(self, machine: Machine) -> u32 {
        match self {
            Kind::Call | Kind::Jump | Kind::Ldi | Kind::Subi => 4,
            Kind::FunctionLdi | Kind::CallLdi | Kind::Minus => 4,
            Kind::FunctionSubi | Kind::FunctionMinus => 4,
            Kind::Word | Kind::CallWord if machine == Machine::Armv6m => 4,
            _ => 2,
        }
    }

    /// Whether it is one instruction with a byte, in which no address fits: its token has an operand.
    pub(crate) fn is_byte(self) -> bool {
        use Kind::{CpiLow, FunctionHigh, FunctionLow, High, Low, SbciHigh, SubiLow};
        matches!(self, Low | High | SubiLow | SbciHigh | FunctionLow | FunctionHigh | CpiLow)
    }

    /// Whether it refers to a call.
    pub fn is_of_call(self) -> bool {
        matches!(self, Kind::Call | Kind::CallWord | Kind::CallLdi)
    }

    /// Whether its address is that of a function of AVR, which instructions and words have in words.
    pub fn is_of_function(self) -> bool {
        use Kind::{
            FunctionHigh, FunctionLdi, FunctionLow, FunctionMinus, FunctionSubi, FunctionWord,
        };
        let in_pairs = matches!(self, FunctionLdi | FunctionSubi | FunctionMinus);
        in_pairs || matches!(self, Kind::Jump | FunctionWord | FunctionLow | FunctionHigh)
    }

    /// Its name in the specification.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Call => "CALL",
            Kind::Jump => "JUMP",
            Kind::Word => "WORD",
            Kind::Ldi => "LDI",
            Kind::Subi => "SUBI",
            Kind::FunctionWord => "FUNCTION_WORD",
            Kind::FunctionLdi => "FUNCTION_LDI",
            Kind::Low => "LOW",
            Kind::High => "HIGH",
            Kind::SubiLow => "SUBI_LOW",
            Kind::SbciHigh => "SBCI_HIGH",
            Kind::FunctionLow => "FUNCTION_LOW",
            Kind::FunctionHigh => "FUNCTION_HIGH",
            Kind::CallWord => "CALL_WORD",
            Kind::CallLdi => "CALL_LDI",
            Kind::CpiLow => "CPI_LOW",
            Kind::Minus => "MINUS",
            Kind::FunctionSubi => "FUNCTION_SUBI",
            Kind::FunctionMinus => "FUNCTION_MINUS",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
