// SPDX-License-Identifier: MIT OR Apache-2.0
//! The program at other addresses, as its relocations say (ELF for the Arm Architecture; binutils, elf32-avr.c). The
//! container's linker must make the same of it.

use crate::blocks::Blocks;
use crate::elf::{Elf, Part, Relocation, Role};
use crate::fields;
use lichen_container::Machine;
use object::elf;

/// Where the parts of a program are.
pub struct Bases<'bases> {
    pub flash: u32,
    pub objects: u32,
    pub stacks: u32,
    pub data: u32,
    /// The address of the call that the link has at an address.
    pub call: &'bases dyn Fn(u32) -> u32,
}

/// The parts of a role at other addresses, as they lie in `blocks`.
pub fn relocate(elf: &Elf, blocks: &Blocks, role: Role, bases: &Bases<'_>) -> Vec<u8> {
    let mut bytes = match role {
        Role::Flash => blocks.flash_bytes.clone(),
        Role::Objects => blocks.object_bytes.clone(),
        _ => blocks.data_bytes.clone(),
    };
    let origin = blocks.origin(role);
    for part in elf.of(role) {
        for relocation in &part.relocations {
            let at = (relocation.at - origin) as usize;
            let Some(field) = bytes.get_mut(at..) else { continue };
            set(elf, blocks, relocation, moved(blocks, part, bases), bases, field);
        }
    }
    bytes
}

/// How far a part is from where the link has placed it.
fn moved(blocks: &Blocks, part: &Part, bases: &Bases<'_>) -> u32 {
    let base = match part.role {
        Role::Flash => bases.flash,
        Role::Objects => bases.objects,
        Role::Stacks => bases.stacks,
        Role::Data | Role::Calls | Role::Storage => bases.data,
    };
    base.wrapping_sub(blocks.origin(part.role))
}

/// The address that the link has as `address`.
fn address(blocks: &Blocks, role: Role, address: u32, bases: &Bases<'_>) -> u32 {
    let base = match role {
        Role::Flash => bases.flash,
        Role::Objects => bases.objects,
        Role::Stacks => bases.stacks,
        Role::Data => bases.data,
        Role::Calls => return (bases.call)(address),
        // A number, which the mote replaces.
        Role::Storage => return address,
    };
    address.wrapping_sub(blocks.origin(role)).wrapping_add(base)
}

fn set(
    elf: &Elf,
    blocks: &Blocks,
    relocation: &Relocation,
    moved: u32,
    bases: &Bases<'_>,
    field: &mut [u8],
) {
    let Some(role) = relocation.role else { return };
    let linked = fields::target(elf.machine, relocation, field);
    let value = address(blocks, role, linked, bases);
    match elf.machine {
        Machine::Armv6m => {
            set_arm(relocation.kind, relocation.at.wrapping_add(moved), value, field);
        }
        Machine::Avr8 => set_avr(relocation.kind, value, field),
    }
}

fn set_arm(kind: u32, at: u32, value: u32, field: &mut [u8]) {
    match kind {
        elf::R_ARM_ABS32 | elf::R_ARM_TARGET1 => field[..4].copy_from_slice(&value.to_le_bytes()),
        elf::R_ARM_THM_PC22 => {
            let distance = (value & !1).wrapping_sub(at.wrapping_add(4));
            let sign = distance >> 24 & 1;
            let j = |bit: u32| (distance >> bit & 1) ^ 1 ^ sign;
            let first = 0xf000 | sign << 10 | (distance >> 12 & 0x3ff);
            let second = 0xd000 | j(23) << 13 | j(22) << 11 | (distance >> 1 & 0x7ff);
            field[..2].copy_from_slice(&(first as u16).to_le_bytes());
            field[2..4].copy_from_slice(&(second as u16).to_le_bytes());
        }
        _ => {}
    }
}

fn set_avr(kind: u32, value: u32, field: &mut [u8]) {
    let words = value >> 1;
    let mut byte = |byte: u32| {
        field[0] = field[0] & 0xf0 | (byte & 0xf) as u8;
        field[1] = field[1] & 0xf0 | (byte >> 4 & 0xf) as u8;
    };
    match kind {
        elf::R_AVR_LO8_LDI => byte(value),
        elf::R_AVR_HI8_LDI => byte(value >> 8),
        elf::R_AVR_LO8_LDI_NEG => byte(value.wrapping_neg()),
        elf::R_AVR_HI8_LDI_NEG => byte(value.wrapping_neg() >> 8),
        elf::R_AVR_LO8_LDI_PM | elf::R_AVR_LO8_LDI_GS => byte(words),
        elf::R_AVR_HI8_LDI_PM | elf::R_AVR_HI8_LDI_GS => byte(words >> 8),
        elf::R_AVR_LO8_LDI_PM_NEG => byte(words.wrapping_neg()),
        elf::R_AVR_HI8_LDI_PM_NEG => byte(words.wrapping_neg() >> 8),
        elf::R_AVR_16 => field[..2].copy_from_slice(&(value as u16).to_le_bytes()),
        elf::R_AVR_16_PM => field[..2].copy_from_slice(&(words as u16).to_le_bytes()),
        elf::R_AVR_CALL => field[2..4].copy_from_slice(&(words as u16).to_le_bytes()),
        _ => {}
    }
}
