// SPDX-License-Identifier: MIT OR Apache-2.0
//! What relocations of each machine are in a container.

use crate::elf::Relocation;
use crate::reference::To;
use lichen_container::{Kind, Machine};
use object::elf;

/// A field, or a half of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// A distance within the code, which stays as it is.
    Inside,
    /// `bl`: stays as it is if it is within the code.
    Link,
    /// `call` or `jmp`.
    Jump,
    Word,
    FunctionWord,
    Low,
    High,
    CpiLow,
    SubiLow,
    SbciHigh,
    MinusLow,
    MinusHigh,
    FunctionLow,
    FunctionHigh,
    FunctionSubiLow,
    FunctionSbciHigh,
    FunctionMinusLow,
    FunctionMinusHigh,
    /// A relocation that no kind is for.
    Unsaid(u32),
}

impl Piece {
    /// The kind of a field that refers to `to` and is this and, behind it, `next`.
    pub fn with(self, next: Piece, to: To) -> Option<Kind> {
        let is_call = matches!(to, To::Call(_));
        match (self, next) {
            (Piece::FunctionLow, Piece::FunctionHigh) if is_call => Some(Kind::CallLdi),
            _ if is_call => None,
            (Piece::FunctionLow, Piece::FunctionHigh) => Some(Kind::FunctionLdi),
            (Piece::Low, Piece::High) => Some(Kind::Ldi),
            (Piece::SubiLow, Piece::SbciHigh) => Some(Kind::Subi),
            (Piece::MinusLow, Piece::MinusHigh) => Some(Kind::Minus),
            (Piece::FunctionSubiLow, Piece::FunctionSbciHigh) => Some(Kind::FunctionSubi),
            (Piece::FunctionMinusLow, Piece::FunctionMinusHigh) => Some(Kind::FunctionMinus),
            _ => None,
        }
    }

    /// The kind of a field that refers to `to` and is this.
    pub fn alone(self, machine: Machine, to: To) -> Option<Kind> {
        let is_call = matches!(to, To::Call(_));
        match self {
            Piece::Jump | Piece::Link if is_call => Some(Kind::Call),
            Piece::FunctionWord if is_call => Some(Kind::CallWord),
            Piece::Word if is_call && machine == Machine::Armv6m => Some(Kind::CallWord),
            _ if is_call => None,
            Piece::Jump => Some(Kind::Jump),
            Piece::Word => Some(Kind::Word),
            Piece::FunctionWord => Some(Kind::FunctionWord),
            Piece::Low => Some(Kind::Low),
            Piece::High => Some(Kind::High),
            Piece::CpiLow => Some(Kind::CpiLow),
            Piece::SubiLow => Some(Kind::SubiLow),
            Piece::SbciHigh => Some(Kind::SbciHigh),
            Piece::FunctionLow => Some(Kind::FunctionLow),
            Piece::FunctionHigh => Some(Kind::FunctionHigh),
            _ => None,
        }
    }
}

/// What a relocation's field is; none if nothing depends on addresses. `bytes` are the field's.
pub fn piece(machine: Machine, relocation: &Relocation, bytes: &[u8]) -> Option<Piece> {
    match machine {
        Machine::Armv6m => arm(relocation.kind),
        Machine::Avr8 => avr(relocation.kind, bytes),
    }
}

fn arm(kind: u32) -> Option<Piece> {
    Some(match kind {
        elf::R_ARM_NONE | elf::R_ARM_V4BX => return None,
        elf::R_ARM_ABS32 | elf::R_ARM_TARGET1 => Piece::Word,
        elf::R_ARM_THM_PC22 => Piece::Link,
        elf::R_ARM_REL32 | elf::R_ARM_THM_PC11 | elf::R_ARM_THM_PC9 => Piece::Inside,
        kind => Piece::Unsaid(kind),
    })
}

fn avr(kind: u32, bytes: &[u8]) -> Option<Piece> {
    let operation = bytes.get(1).map_or(0, |byte| byte >> 4);
    let by_operation = |ldi, cpi, subi, sbci| match operation {
        0xe => ldi,
        0x3 => cpi,
        0x5 => subi,
        0x4 => sbci,
        _ => Piece::Unsaid(kind),
    };
    let unsaid = Piece::Unsaid(kind);
    Some(match kind {
        elf::R_AVR_NONE | elf::R_AVR_DIFF8 | elf::R_AVR_DIFF16 | elf::R_AVR_DIFF32 => return None,
        elf::R_AVR_7_PCREL | elf::R_AVR_13_PCREL => Piece::Inside,
        elf::R_AVR_CALL => Piece::Jump,
        elf::R_AVR_16 => Piece::Word,
        elf::R_AVR_16_PM => Piece::FunctionWord,
        elf::R_AVR_LO8_LDI => by_operation(Piece::Low, Piece::CpiLow, Piece::MinusLow, unsaid),
        elf::R_AVR_HI8_LDI => by_operation(Piece::High, unsaid, unsaid, Piece::MinusHigh),
        elf::R_AVR_LO8_LDI_NEG => by_operation(unsaid, unsaid, Piece::SubiLow, unsaid),
        elf::R_AVR_HI8_LDI_NEG => by_operation(unsaid, unsaid, unsaid, Piece::SbciHigh),
        elf::R_AVR_LO8_LDI_PM | elf::R_AVR_LO8_LDI_GS => {
            by_operation(Piece::FunctionLow, unsaid, Piece::FunctionMinusLow, unsaid)
        }
        elf::R_AVR_HI8_LDI_PM | elf::R_AVR_HI8_LDI_GS => {
            by_operation(Piece::FunctionHigh, unsaid, unsaid, Piece::FunctionMinusHigh)
        }
        elf::R_AVR_LO8_LDI_PM_NEG => by_operation(unsaid, unsaid, Piece::FunctionSubiLow, unsaid),
        elf::R_AVR_HI8_LDI_PM_NEG => by_operation(unsaid, unsaid, unsaid, Piece::FunctionSbciHigh),
        kind => Piece::Unsaid(kind),
    })
}

/// The address that a relocation's field refers to. Those of ARM have a part of it in the field.
pub fn target(machine: Machine, relocation: &Relocation, bytes: &[u8]) -> u32 {
    let Some(&[a, b, c, d]) = bytes.first_chunk().filter(|_| machine == Machine::Armv6m) else {
        return relocation.address;
    };
    let word = u32::from_le_bytes([a, b, c, d]);
    match relocation.kind {
        elf::R_ARM_ABS32 | elf::R_ARM_TARGET1 => word,
        elf::R_ARM_REL32 => relocation.at.wrapping_add(word),
        elf::R_ARM_THM_PC22 => {
            let halves = [u16::from_le_bytes([a, b]), u16::from_le_bytes([c, d])];
            relocation.at.wrapping_add(4).wrapping_add_signed(linked(halves))
        }
        _ => relocation.address,
    }
}

/// The distance in a `bl` (ARMv6-M ARM, A6.7.13).
fn linked([first, second]: [u16; 2]) -> i32 {
    let (first, second) = (u32::from(first), u32::from(second));
    let sign = first >> 10 & 1;
    let inverted = |bit: u32| (second >> bit & 1) ^ sign ^ 1;
    let high = sign << 24 | inverted(13) << 23 | inverted(11) << 22;
    let low = (first & 0x3ff) << 12 | (second & 0x7ff) << 1;
    ((high | low) << 7) as i32 >> 7
}

/// Clears the address in a field.
pub fn clear(machine: Machine, kind: Kind, field: &mut [u8]) {
    match (machine, kind) {
        (Machine::Armv6m, Kind::Call) => field.copy_from_slice(&[0x00, 0xf0, 0x00, 0xf8]),
        (Machine::Avr8, Kind::Call | Kind::Jump) => {
            field[0] &= 0x0e;
            field[1] &= 0xfe;
            field[2..].fill(0);
        }
        (Machine::Armv6m, _) | (_, Kind::Word | Kind::FunctionWord | Kind::CallWord) => {
            field.fill(0);
        }
        (Machine::Avr8, _) => field.iter_mut().for_each(|byte| *byte &= 0xf0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_are_read_as_the_assembler_writes_them() {
        assert_eq!(linked([0xf000, 0xf800]), 0);
        assert_eq!(linked([0xf7ff, 0xfffe]), -4);
        assert_eq!(linked([0xf7f0, 0xf87e]), 0x100 - 0x1_0004);
        assert_eq!(linked([0xf3ff, 0xd7ff]), 0x00ff_fffe);
    }

    #[test]
    fn registers_stay_in_what_is_cleared() {
        let mut call = [0x0f, 0x95, 0x34, 0x12];
        clear(Machine::Avr8, Kind::Call, &mut call);
        assert_eq!(call, [0x0e, 0x94, 0, 0]);
        let mut ldi = [0xa7, 0xe3, 0xb1, 0xe8];
        clear(Machine::Avr8, Kind::Ldi, &mut ldi);
        assert_eq!(ldi, [0xa0, 0xe0, 0xb0, 0xe0]);
    }
}
