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
    Other,
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
/// `bl` to the next instruction.
const ARM_BL: [u16; 2] = [0xf000, 0xf800];

/// Whether an instruction of AVR with this first word has a second one, and what that is.
pub(crate) fn avr_second(first: u16) -> Option<Start> {
    let is = |(mask, pattern): (u16, u16)| first & mask == pattern;
    match first {
        _ if is(AVR_LDS_STS) => Some(Start::Address),
        _ if is(AVR_CALL_JMP) => Some(Start::Other),
        _ => None,
    }
}

impl Field<'_> {
    /// The field with `value`, an address in bytes, in it; or what is wrong.
    pub fn with(&self, value: u32) -> Result<Vec<u8>, String> {
        let halves: Vec<u16> =
            self.bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
        let is_in_code = self.region == Region::Code;
        if !is_in_code && self.is_instruction() {
            return Err(format!("{} is in {}", self.kind, self.region.name()));
        }
        let set = match self.machine {
            Machine::Armv6m => self.arm(&halves, value)?,
            Machine::Avr8 => self.avr(&halves, value)?,
        };
        Ok(set.into_iter().flat_map(u16::to_le_bytes).collect())
    }

    /// Whether its kind is an instruction.
    fn is_instruction(&self) -> bool {
        !matches!(self.kind, Kind::Word | Kind::FunctionWord | Kind::CallWord)
    }

    fn arm(&self, halves: &[u16], value: u32) -> Result<Vec<u16>, String> {
        if self.kind == Kind::Call {
            return match halves == ARM_BL {
                true => bl(self.address, value & !1),
                false => Err(self.is_not("a `bl` of 0")),
            };
        }
        if halves.iter().any(|half| *half != 0) {
            return Err(self.is_not("4 bytes of 0"));
        }
        if self.address % 4 != 0 && self.region != Region::Initial {
            return Err(format!("0x{:x} is not a multiple of 4", self.address));
        }
        Ok(vec![value as u16, (value >> 16) as u16])
    }

    fn avr(&self, halves: &[u16], value: u32) -> Result<Vec<u16>, String> {
        if self.is_instruction() && self.start != Start::Instruction {
            return Err(self.is_not("an instruction"));
        }
        let in_words = self.kind.is_of_function() || self.kind.is_of_call();
        if in_words && value % 2 != 0 {
            return Err(format!("0x{value:x} is no address of a function"));
        }
        let value = if in_words { value >> 1 } else { value } as u16;
        let [low, high] = value.to_le_bytes();
        let [negated_low, negated_high] = value.wrapping_neg().to_le_bytes();
        match (self.kind, halves) {
            (Kind::Call | Kind::Jump, [first @ (AVR_CALL | AVR_JMP), 0]) => Ok(vec![*first, value]),
            (Kind::Call | Kind::Jump, _) => Err(self.is_not("a `call` or `jmp` of 0")),
            (Kind::Word, _) => self.avr_word(halves, value),
            (Kind::FunctionWord | Kind::CallWord, [0]) if self.region != Region::Code => {
                Ok(vec![value])
            }
            (Kind::FunctionWord | Kind::CallWord, _) => {
                Err(self.is_not("2 bytes of 0 in constants or initial values"))
            }
            (Kind::Subi | Kind::FunctionSubi, _) => {
                self.immediates(halves, &[(AVR_SUBI, negated_low), (AVR_SBCI, negated_high)])
            }
            (Kind::Minus | Kind::FunctionMinus, _) => {
                self.immediates(halves, &[(AVR_SUBI, low), (AVR_SBCI, high)])
            }
            (Kind::CpiLow, _) => self.immediates(halves, &[(AVR_CPI, low)]),
            (Kind::SubiLow, _) => self.immediates(halves, &[(AVR_SUBI, negated_low)]),
            (Kind::SbciHigh, _) => self.immediates(halves, &[(AVR_SBCI, negated_high)]),
            (Kind::Low | Kind::FunctionLow, _) => self.immediates(halves, &[(AVR_LDI, low)]),
            (Kind::High | Kind::FunctionHigh, _) => self.immediates(halves, &[(AVR_LDI, high)]),
            (Kind::Ldi | Kind::FunctionLdi | Kind::CallLdi, _) => {
                self.immediates(halves, &[(AVR_LDI, low), (AVR_LDI, high)])
            }
        }
    }

    fn avr_word(&self, halves: &[u16], value: u16) -> Result<Vec<u16>, String> {
        match halves {
            [0] if self.region != Region::Code || self.start == Start::Address => Ok(vec![value]),
            [0] => Err(self.is_not("the second word of `lds` or `sts`")),
            _ => Err(self.is_not("2 bytes of 0")),
        }
    }

    /// Instructions of AVR with a register and a byte, which is 0.
    fn immediates(&self, halves: &[u16], expected: &[(u16, u8)]) -> Result<Vec<u16>, String> {
        let is = |(half, (operation, _)): (&u16, &(u16, u8))| half & 0xff0f == *operation;
        if halves.len() != expected.len() || !halves.iter().zip(expected).all(is) {
            return Err(self.is_not("its instruction with 0"));
        }
        let with = |(half, (_, byte)): (&u16, &(u16, u8))| {
            half | u16::from(byte & 0xf0) << 4 | u16::from(byte & 0x0f)
        };
        Ok(halves.iter().zip(expected).map(with).collect())
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
