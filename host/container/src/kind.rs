// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a token says of its field.

use crate::Machine;
use std::fmt;

/// Kind of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// AVR `call` or `jmp`, ARM `bl`, of a call of the system.
    Call,
    /// `call` or `jmp` within the program.
    Jump,
    /// An address; in code of AVR, the second word of `lds` or `sts`.
    Word,
    /// `ldi` low, `ldi` high.
    Ldi,
    /// `subi` low, `sbci` high of the negated address.
    Subi,
    /// A function's address in words.
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

/// How many last addresses there are.
pub(crate) const LASTS: usize = 4;

const AVR8: [(Kind, u8); 19] = [
    (Kind::Call, 1),
    (Kind::Jump, 2),
    (Kind::Word, 3),
    (Kind::Ldi, 4),
    (Kind::Subi, 5),
    (Kind::FunctionWord, 6),
    (Kind::FunctionLdi, 8),
    (Kind::Low, 9),
    (Kind::High, 10),
    (Kind::SubiLow, 11),
    (Kind::SbciHigh, 12),
    (Kind::FunctionLow, 13),
    (Kind::FunctionHigh, 14),
    (Kind::CallWord, 15),
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

    /// Its number on `machine`; below [`ESCAPE`] it fits a token's first byte.
    pub(crate) fn number(self, machine: Machine) -> Option<u8> {
        of(machine).iter().find(|(kind, _)| *kind == self).map(|(_, number)| *number)
    }

    /// The kind of this number, in a token's first byte or behind `ESCAPE`.
    pub(crate) fn numbered(machine: Machine, number: u8, is_escaped: bool) -> Option<Kind> {
        let known = of(machine).iter().find(|(_, known)| *known == number)?;
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

    /// Whether its operand is the number of a call.
    pub fn is_of_call(self) -> bool {
        matches!(self, Kind::Call | Kind::CallWord | Kind::CallLdi)
    }

    /// Whether its address is that of a function of AVR, which instructions and words have in words.
    pub fn is_of_function(self) -> bool {
        match self {
            Kind::Jump | Kind::FunctionWord | Kind::FunctionLdi => true,
            Kind::FunctionLow | Kind::FunctionHigh => true,
            Kind::FunctionSubi | Kind::FunctionMinus => true,
            _ => false,
        }
    }

    /// Which of the last addresses its operand is a difference to.
    pub(crate) fn last(self) -> usize {
        match self {
            Kind::Ldi | Kind::Low | Kind::High | Kind::CpiLow => 1,
            Kind::Subi | Kind::SubiLow | Kind::SbciHigh | Kind::Minus => 2,
            kind if kind.is_of_function() => 3,
            _ => 0,
        }
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
