// SPDX-License-Identifier: MIT OR Apache-2.0
//! The parts of the family: they differ in supply and speed.

use crate::MemoryInfo;
use crate::row::Row;
use lichen_isa::avr8::{DATA_BASE, SRAM_START};

/// Bytes of flash.
pub(super) const FLASH: u32 = 0x2_0000;
/// First data address after the internal SRAM.
pub(super) const DATA_END: u16 = 0x1100;
/// What a programmer reads to identify the chip.
pub(super) const SIGNATURE: [u8; 3] = [0x1E, 0x97, 0x02];

/// What distinguishes the parts.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// As on the package.
    pub name: &'static str,
}

/// Flash and SRAM, as the world sees them.
pub(super) static MEMORIES: [MemoryInfo; 2] = [
    MemoryInfo { name: "flash", start: 0, size: FLASH, row: super::boot::PAGE as u32 },
    MemoryInfo {
        name: "RAM",
        start: DATA_BASE + SRAM_START as u32,
        size: (DATA_END - SRAM_START) as u32,
        row: 0,
    },
];

/// Every part (data sheet, "Ordering Information").
pub(super) static PARTS: [Part; 3] =
    [Part { name: "ATmega128" }, Part { name: "ATmega128A" }, Part { name: "ATmega128L" }];

impl Row for Part {
    fn number(&self) -> u8 {
        let place = PARTS.iter().position(|part| part.name == self.name);
        place.map_or(u8::MAX, |place| place as u8)
    }

    fn numbered(number: u8) -> Option<&'static Part> {
        PARTS.get(usize::from(number))
    }
}
