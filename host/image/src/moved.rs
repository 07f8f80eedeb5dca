// SPDX-License-Identifier: MIT OR Apache-2.0
//! A copy of a program's ELF with its sections where they are on a mote, for debuggers: these cannot move the sections of a
//! linked file apart from each other.
//!
//! Sections, segments, symbols and the addresses in debug information are moved with their section. The linker has kept the
//! relocations of debug information (`--emit-relocs`), which say where such addresses are. A file that is damaged is moved
//! as far as it can be read.

use object::elf;

/// What begins a section's header, a segment's, a symbol and a relocation, in bytes.
const SECTION: usize = 40;
const SEGMENT: usize = 32;
const SYMBOL: usize = 16;

/// A little-endian ELF of 32 bits.
struct Words<'a>(&'a mut [u8]);

impl Words<'_> {
    fn half(&self, at: usize) -> usize {
        let bytes = self.0.get(at..at + 2).unwrap_or_default();
        bytes.first_chunk().map_or(0, |bytes| u16::from_le_bytes(*bytes).into())
    }

    fn word(&self, at: usize) -> u32 {
        let bytes = self.0.get(at..at + 4).unwrap_or_default();
        bytes.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes))
    }

    fn add(&mut self, at: usize, delta: u32) {
        let moved = self.word(at).wrapping_add(delta);
        if let Some(bytes) = self.0.get_mut(at..at + 4) {
            bytes.copy_from_slice(&moved.to_le_bytes());
        }
    }
}

/// A section: its header, and by how much it is moved.
struct Part {
    kind: u32,
    address: u32,
    offset: usize,
    bytes: usize,
    /// The section that a section of relocations is about.
    about: usize,
    is_allocated: bool,
    delta: u32,
}

/// Moves the sections of the ELF file `bytes`; `delta` says by how much, given the address of one.
pub(crate) fn moved(bytes: &[u8], delta: impl Fn(u32) -> u32) -> Vec<u8> {
    let mut copy = bytes.to_vec();
    let mut file = Words(&mut copy);
    let (headers, count) = (file.word(32) as usize, file.half(48));
    let parts: Vec<Part> = (0..count)
        .map(|index| {
            let at = headers + index * SECTION;
            let is_allocated = file.word(at + 8) & elf::SHF_ALLOC != 0;
            let address = file.word(at + 12);
            Part {
                kind: file.word(at + 4),
                address,
                offset: file.word(at + 16) as usize,
                bytes: file.word(at + 20) as usize,
                about: file.word(at + 28) as usize,
                is_allocated,
                delta: if is_allocated { delta(address) } else { 0 },
            }
        })
        .collect();
    for (index, part) in parts.iter().enumerate() {
        file.add(headers + index * SECTION + 12, part.delta);
    }
    move_segments(&mut file, &delta);
    let symbols = move_symbols(&mut file, &parts);
    move_debug(&mut file, &parts, &symbols);
    copy
}

fn move_segments(file: &mut Words<'_>, delta: &impl Fn(u32) -> u32) {
    let (headers, count) = (file.word(28) as usize, file.half(44));
    for at in (0..count).map(|index| headers + index * SEGMENT) {
        let by = delta(file.word(at + 8));
        file.add(at + 8, by);
        file.add(at + 12, by);
    }
}

/// By how much each symbol is moved.
fn move_symbols(file: &mut Words<'_>, parts: &[Part]) -> Vec<u32> {
    let Some(table) = parts.iter().find(|part| part.kind == elf::SHT_SYMTAB) else {
        return Vec::new();
    };
    let symbols = (0..table.bytes / SYMBOL).map(|index| table.offset + index * SYMBOL);
    let moves = symbols.map(|at| {
        let delta = parts.get(file.half(at + 14)).map_or(0, |part| part.delta);
        file.add(at + 4, delta);
        delta
    });
    moves.collect()
}

fn move_debug(file: &mut Words<'_>, parts: &[Part], symbols: &[u32]) {
    for relocations in parts {
        let (each, absolute) = match relocations.kind {
            elf::SHT_REL => (8, elf::R_ARM_ABS32),
            elf::SHT_RELA => (12, elf::R_AVR_32),
            _ => continue,
        };
        let Some(about) = parts.get(relocations.about).filter(|about| !about.is_allocated) else {
            continue;
        };
        for at in (0..relocations.bytes / each).map(|index| relocations.offset + index * each) {
            let (place, info) = (file.word(at), file.word(at + 4));
            let delta = symbols.get((info >> 8) as usize).copied().unwrap_or(0);
            if info & 0xff == absolute && delta != 0 {
                file.add(about.offset + place.wrapping_sub(about.address) as usize, delta);
            }
        }
    }
}
