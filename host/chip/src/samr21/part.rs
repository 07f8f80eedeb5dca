// SPDX-License-Identifier: MIT OR Apache-2.0
//! The parts of the family: they differ in package and in memory.

use super::nvmctrl::ROW;
use crate::MemoryInfo;
use crate::row::Row;
use lichen_isa::armv6m::RAM_BASE;

/// What distinguishes the parts.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// As on the package.
    pub name: &'static str,
    /// Bytes of flash.
    pub flash: usize,
    /// Bytes of RAM.
    pub ram: usize,
    /// Both, as the world sees them.
    pub memories: [MemoryInfo; 2],
    /// Device identification (DSU DID), revision field as in the vendor's headers.
    pub device_id: u32,
    /// Pins that exist, by port; those of port B and C without a ball go to the radio inside.
    pub pins: [u32; 3],
}

/// Pins of the 48-pin package.
const PINS_G: [u32; 3] = [0xDBDF_FFF3, 0xC0C3_C30D, 0x000D_0000];
/// Pins of the 32-pin package.
const PINS_E: [u32; 3] = [0xDB1F_CFC0, 0xC003_C301, 0x000D_0000];

/// Those of port B that lead to the radio inside: all that the 32-pin package has.
pub(super) const INSIDE_B: u32 = PINS_E[1];

const KIB: usize = 1024;

const fn part(
    name: &'static str,
    flash_kib: usize,
    ram_kib: usize,
    device_id: u32,
    pins: [u32; 3],
) -> Part {
    let (flash, ram) = (flash_kib * KIB, ram_kib * KIB);
    let memories = [
        MemoryInfo { name: "flash", start: 0, size: flash as u32, row: ROW as u32 },
        MemoryInfo { name: "RAM", start: RAM_BASE, size: ram as u32, row: 0 },
    ];
    Part { name, flash, ram, memories, device_id, pins }
}

impl Row for Part {
    fn number(&self) -> u8 {
        let place = PARTS.iter().position(|part| part.name == self.name);
        place.map_or(u8::MAX, |place| place as u8)
    }

    fn numbered(number: u8) -> Option<&'static Part> {
        PARTS.get(usize::from(number))
    }
}

/// Every part (SAM R21 data sheet, "Ordering Information"; ids from the vendor's headers).
pub(crate) static PARTS: [Part; 6] = [
    part("ATSAMR21G18A", 256, 32, 0x1001_0319, PINS_G),
    part("ATSAMR21G17A", 128, 32, 0x1001_031A, PINS_G),
    part("ATSAMR21G16A", 64, 16, 0x1001_031B, PINS_G),
    part("ATSAMR21E18A", 256, 32, 0x1001_031C, PINS_E),
    part("ATSAMR21E17A", 128, 32, 0x1001_031D, PINS_E),
    part("ATSAMR21E16A", 64, 16, 0x1001_031E, PINS_E),
];
