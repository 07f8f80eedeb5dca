// SPDX-License-Identifier: MIT OR Apache-2.0
//! Setting a field, which is checked to be what its token claims.

use crate::token::Region;
use crate::{Kind, Machine};

/// A field, and where it goes.
pub(crate) struct Field<'data> {
    pub machine: Machine,
    pub kind: Kind,
    pub region: Region,
    /// Its address.
    pub address: u32,
    /// What begins where it does.
    pub start: Start,
    /// Whether its token says what it refers to, so that it holds 0.
    pub has_operand: bool,
    /// As it comes.
    pub bytes: &'data [u8],
}

/// What the code in front of a field says of where it begins. Code of ARM has constants in it, and says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    /// An instruction, or what may be one.
    Instruction,
    /// The second word of `lds` or `sts`.
    Address,
    /// The second word of `call` or `jmp`.
    Target,
}

const AVR_CALL: u16 = 0x940e;
const AVR_JMP: u16 = 0x940c;
const AVR_LDI: u16 = 0xe000;
const AVR_SUBI: u16 = 0x5000;
const AVR_SBCI: u16 = 0x4000;
/// `lds` and `sts`, without the register and the bit that distinguishes them.
const AVR_LDS_STS: (u16, u16) = (0xfc0f, 0x9000);
const AVR_CPI: u16 = 0x3000;
/// `call` and `jmp`, without the bits that distinguish them and those of the address.
const AVR_CALL_JMP: (u16, u16) = (0xfe0c, 0x940c);
/// `bl` to the next instruction, without a number.
const ARM_BL: [u16; 2] = [0xf000, 0xf800];

/// What is behind the first word of an instruction of AVR.
pub(crate) fn avr_first(first: u16) -> Result<Start, String> {
    let is = |(mask, pattern): (u16, u16)| first & mask == pattern;
    match first {
        AVR_CALL | AVR_JMP => Ok(Start::Target),
        _ if is(AVR_CALL_JMP) => Err(format!("0x{first:04x} goes beyond the first 128 KB")),
        _ if is(AVR_LDS_STS) => Ok(Start::Address),
        _ => Ok(Start::Instruction),
    }
}

/// The byte in an instruction of AVR.
fn immediate(half: u16) -> u8 {
    (half >> 4 & 0xf0 | half & 0x0f) as u8
}

impl Field<'_> {
    fn halves(&self) -> Vec<u16> {
        self.bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect()
    }

    /// The number in the field, which is where it may be; or what is wrong.
    pub fn held(&self) -> Result<u16, String> {
        let is_in_code = self.region == Region::Code;
        if !is_in_code && !self.is_word() {
            return Err(format!("{} is in {}", self.kind, self.region.name()));
        }
        let halves = self.halves();
        let held = match self.machine {
            Machine::Armv6m => self.held_by_arm(&halves),
            Machine::Avr8 => self.held_by_avr(&halves),
        }?;
        match self.has_operand && held != 0 {
            true => Err(self.is_not("a field with 0")),
            false => Ok(held),
        }
    }

    /// The field with `value`, an address in bytes, in it; or what is wrong.
    pub fn with(&self, value: u32) -> Result<Vec<u8>, String> {
        let halves = self.halves();
        let set = match self.machine {
            Machine::Armv6m if self.kind == Kind::Call => bl(self.address, value & !1)?,
            Machine::Armv6m => vec![value as u16, (value >> 16) as u16],
            Machine::Avr8 => self.avr(&halves, value)?,
        };
        Ok(set.into_iter().flat_map(u16::to_le_bytes).collect())
    }

    fn is_word(&self) -> bool {
        matches!(self.kind, Kind::Word | Kind::FunctionWord | Kind::CallWord)
    }

    fn held_by_arm(&self, halves: &[u16]) -> Result<u16, String> {
        match (self.kind, halves) {
            (Kind::Call, [first, second])
                if first & 0xff00 == ARM_BL[0] && *second == ARM_BL[1] =>
            {
                Ok(first & 0xff)
            }
            (Kind::Call, _) => Err(self.is_not("a `bl` of a number")),
            _ if self.address % 4 != 0 && self.region != Region::Initial => {
                Err(format!("0x{:x} is not a multiple of 4", self.address))
            }
            (_, [held, 0]) => Ok(*held),
            _ => Err(self.is_not("4 bytes with a number of 2")),
        }
    }

    fn held_by_avr(&self, halves: &[u16]) -> Result<u16, String> {
        let start = match self.kind {
            _ if self.region != Region::Code => return Ok(halves[0]),
            Kind::Word if self.has_operand => Start::Address,
            Kind::FunctionWord if self.has_operand => Start::Target,
            _ if self.is_word() => return Err(self.is_not("in constants or initial values")),
            _ => Start::Instruction,
        };
        match start {
            start if start != self.start => Err(self.is_not(match start {
                Start::Instruction => "an instruction",
                Start::Address => "the second word of `lds` or `sts`",
                Start::Target => "the second word of `call` or `jmp`",
            })),
            Start::Instruction => {
                let operations = self.operations();
                let is = |(half, operation): (&u16, &u16)| half & 0xf000 == *operation;
                if halves.len() != operations.len() || !halves.iter().zip(operations).all(is) {
                    return Err(self.is_not("its instruction"));
                }
                let high = halves.get(1).map_or(0, |high| immediate(*high));
                Ok(u16::from_le_bytes([immediate(halves[0]), high]))
            }
            _ => Ok(halves[0]),
        }
    }

    /// The instructions of AVR that a field is, without registers and bytes.
    fn operations(&self) -> &'static [u16] {
        match self.kind {
            Kind::Subi | Kind::FunctionSubi | Kind::Minus | Kind::FunctionMinus => {
                &[AVR_SUBI, AVR_SBCI]
            }
            Kind::Ldi | Kind::FunctionLdi | Kind::CallLdi => &[AVR_LDI, AVR_LDI],
            Kind::CpiLow => &[AVR_CPI],
            Kind::SubiLow => &[AVR_SUBI],
            Kind::SbciHigh => &[AVR_SBCI],
            _ => &[AVR_LDI],
        }
    }

    fn avr(&self, halves: &[u16], value: u32) -> Result<Vec<u16>, String> {
        let in_words = self.kind.is_of_function() || self.kind.is_of_call();
        if in_words && value % 2 != 0 {
            return Err(format!("0x{value:x} is no address of a function"));
        }
        let value = if in_words { value >> 1 } else { value } as u16;
        if self.is_word() {
            return Ok(vec![value]);
        }
        let is_negated =
            matches!(self.kind, Kind::Subi | Kind::FunctionSubi | Kind::SubiLow | Kind::SbciHigh);
        let [low, high] = if is_negated { value.wrapping_neg() } else { value }.to_le_bytes();
        let bytes = match self.kind {
            Kind::High | Kind::FunctionHigh | Kind::SbciHigh => [high, 0],
            _ => [low, high],
        };
        let with = |(half, byte): (&u16, u8)| {
            half & 0xf0f0 | u16::from(byte & 0xf0) << 4 | u16::from(byte & 0x0f)
        };
        Ok(halves.iter().zip(bytes).map(with).collect())
    }

    fn is_not(&self, what: &str) -> String {
        let found: Vec<String> = self.bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("{} is not {what}, but {}", self.kind, found.join(" "))
    }
}

/// The branch of ARMv6-M with link from `address` to `target` (ARMv6-M ARM, A6.7.13).
fn bl(address: u32, target: u32) -> Result<Vec<u16>, String> {
    let offset = i64::from(target) - i64::from(address) - 4;
    if !(-(1 << 24)..1 << 24).contains(&offset) {
        return Err(format!("0x{target:x} is too far from 0x{address:x} for a `bl`"));
    }
    let bits = |from: u32, count: u32| (offset >> from) as u16 & ((1 << count) - 1);
    let sign = bits(24, 1);
    let [j1, j2] = [bits(23, 1), bits(22, 1)].map(|bit| (bit ^ 1) ^ sign);
    let first = 0xf000 | sign << 10 | bits(12, 10);
    Ok(vec![first, 0xd000 | j1 << 13 | j2 << 11 | bits(1, 11)])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the assembler has them.
    #[test]
    fn branches_are_those_of_the_assembler() {
        assert_eq!(bl(0x100, 0x104), Ok(vec![0xf000, 0xf800]));
        assert_eq!(bl(0x100, 0x100), Ok(vec![0xf7ff, 0xfffe]));
        assert_eq!(bl(0x1_0000, 0x100), Ok(vec![0xf7f0, 0xf87e]));
        assert_eq!(bl(0, 0x00ff_fffe + 4), Ok(vec![0xf3ff, 0xd7ff]));
        assert!(bl(0, 0x0100_0004).is_err());
    }
}
