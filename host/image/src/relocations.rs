// SPDX-License-Identifier: MIT OR Apache-2.0
//! Addresses that stand in an image, by the relocations that its linker has kept (`--emit-relocs`). Without these a number
//! cannot be distinguished from an address.

use crate::Machine;
use crate::elf::File;
use object::read::elf::FileHeader;
use object::{Object, ObjectSection, RelocationFlags, RelocationTarget, SectionKind, elf};
use std::collections::{BTreeMap, BTreeSet};

/// Addresses of code, in bytes, that stand in instructions and in data.
pub(crate) fn code_addresses(file: &File<'_>, machine: Machine) -> Option<BTreeSet<u32>> {
    let relocated = relocated(file)?;
    Some(match machine {
        Machine::Arm => of_words(&relocated),
        Machine::Avr => of_halves(&relocated),
    })
}

/// Where such addresses stand as words of 16 bits, at run time.
pub(crate) fn code_words(file: &File<'_>, machine: Machine) -> Option<BTreeSet<u32>> {
    let relocated = relocated(file).filter(|_| machine == Machine::Avr)?;
    let words = relocated.iter().filter(|it| it.r_type == elf::R_AVR_16_PM);
    Some(words.filter_map(|it| u32::try_from(it.at).ok()).collect())
}

/// The bytes of code and data in memory that the linker sets at relocations.
pub(crate) fn places(file: &File<'_>) -> BTreeSet<u32> {
    let sections = file.sections().filter(|section| section.address() != 0);
    let mut bytes = BTreeSet::new();
    for (at, relocation) in sections.flat_map(|section| section.relocations()) {
        let RelocationFlags::Elf { r_type } = relocation.flags() else { continue };
        let is_avr = file.elf_header().e_machine(file.endian()) == elf::EM_AVR;
        let count = if is_avr && r_type != elf::R_AVR_CALL { 2 } else { 4 };
        bytes.extend(at as u32..at as u32 + count);
    }
    bytes
}

/// What stands where a relocation is, and what it refers to.
struct Relocated {
    at: u64,
    r_type: u32,
    key: (u8, usize, i64),
    word: u32,
}

/// All of them that are in memory; `None` if the linker has kept none.
fn relocated(file: &File<'_>) -> Option<Vec<Relocated>> {
    let mut found = Vec::new();
    for section in file.sections().filter(|section| section.kind() != SectionKind::Debug) {
        let Ok(data) = section.data() else { continue };
        for (at, relocation) in section.relocations() {
            let RelocationFlags::Elf { r_type } = relocation.flags() else { continue };
            let place = at.checked_sub(section.address()).and_then(|at| usize::try_from(at).ok());
            let bytes = place.and_then(|at| data.get(at..)).unwrap_or_default();
            let byte = |at: usize| bytes.get(at).copied().unwrap_or_default();
            let word = u32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)]);
            let (kind, index) = key(relocation.target());
            found.push(Relocated { at, r_type, key: (kind, index, relocation.addend()), word });
        }
    }
    (!found.is_empty()).then_some(found)
}

/// Thumb code is at odd addresses (ELF for the Arm Architecture, "static data relocations").
fn of_words(relocated: &[Relocated]) -> BTreeSet<u32> {
    let is_word = |it: &&Relocated| matches!(it.r_type, elf::R_ARM_ABS32 | elf::R_ARM_TARGET1);
    let words = relocated.iter().filter(is_word).map(|it| it.word);
    words.filter(|word| word & 1 != 0).map(|word| word & !1).collect()
}

/// Words of 16 bits, and halves of them in instructions.
fn of_halves(relocated: &[Relocated]) -> BTreeSet<u32> {
    let mut addresses = BTreeSet::new();
    let mut halves: BTreeMap<(u8, usize, i64), [Option<u8>; 2]> = BTreeMap::new();
    for Relocated { r_type, key, word, .. } in relocated {
        let half = match *r_type {
            elf::R_AVR_16_PM => {
                addresses.insert(2 * (word & 0xFFFF));
                continue;
            }
            elf::R_AVR_LO8_LDI_GS | elf::R_AVR_LO8_LDI_PM => 0,
            elf::R_AVR_HI8_LDI_GS | elf::R_AVR_HI8_LDI_PM => 1,
            _ => continue,
        };
        halves.entry(*key).or_default()[half] = Some((word >> 4 & 0xF0 | word & 0xF) as u8);
    }
    addresses.extend(
        halves
            .into_values()
            .filter_map(|[low, high]| Some(2 * u32::from(u16::from_le_bytes([low?, high?])))),
    );
    addresses
}

fn key(target: RelocationTarget) -> (u8, usize) {
    match target {
        RelocationTarget::Symbol(index) => (0, index.0),
        RelocationTarget::Section(index) => (1, index.0),
        _ => (2, 0),
    }
}
