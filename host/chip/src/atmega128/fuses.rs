// SPDX-License-Identifier: MIT OR Apache-2.0
//! Fuses and lock bits by name (data sheet, "Memory Programming", "Boot Loader Support"). A bit that is 0 is
//! programmed.

use crate::Fuses;

/// As the factory delivers the chip: compatible with the ATmega103, on its 1 MHz oscillator.
pub(super) const FACTORY: Fuses = Fuses { low: 0xE1, high: 0x99, extended: 0xFD, lock: 0xFF };

/// Bytes of flash.
const FLASH: u32 = 0x2_0000;

/// What the fuses say.
pub(super) trait Meaning {
    /// CKSEL3..0.
    fn clock_select(&self) -> u8;
    /// SUT1..0.
    fn start_up(&self) -> u8;
    /// BODEN: the brown-out detector is on.
    fn brown_out(&self) -> bool;
    /// BODLEVEL: it watches for the higher of its two levels.
    fn brown_out_high(&self) -> bool;
    /// BOOTRST: a reset begins in the boot section.
    fn boots_loader(&self) -> bool;
    /// BOOTSZ: first byte address of the boot section.
    fn boot_start(&self) -> u32;
    /// JTAGEN.
    fn jtag(&self) -> bool;
    /// M103C: compatible with the ATmega103.
    fn compatible_103(&self) -> bool;
    /// WDTON: the watchdog is always on.
    fn watchdog_always_on(&self) -> bool;
}

impl Meaning for Fuses {
    fn clock_select(&self) -> u8 {
        self.low & 0xF
    }
    fn start_up(&self) -> u8 {
        self.low >> 4 & 3
    }
    fn brown_out(&self) -> bool {
        self.low & 0x40 == 0
    }
    fn brown_out_high(&self) -> bool {
        self.low & 0x80 == 0
    }
    fn boots_loader(&self) -> bool {
        self.high & 1 == 0
    }
    fn boot_start(&self) -> u32 {
        // BOOTSZ 00 is 4096 words, 11 is 512.
        FLASH - (0x2000 >> (self.high >> 1 & 3))
    }
    fn jtag(&self) -> bool {
        self.high & 0x40 == 0
    }
    fn compatible_103(&self) -> bool {
        self.extended & 2 == 0
    }
    fn watchdog_always_on(&self) -> bool {
        self.extended & 1 == 0
    }
}

/// What the boot lock bits forbid a section (data sheet, "Boot Lock Bit0 Protection Modes").
#[derive(Clone, Copy)]
pub(super) struct Protection {
    /// SPM must not write it.
    pub write: bool,
    /// LPM that is executed in the other section must not read it.
    pub read: bool,
}

/// The protection of the application section (BLB0) and of the boot section (BLB1).
pub(super) fn protection(lock: u8, boot: bool) -> Protection {
    let bits = lock >> (if boot { 4 } else { 2 }) & 3;
    Protection { write: bits & 1 == 0, read: bits & 2 == 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_factory_delivers_a_compatible_chip_on_its_slowest_oscillator() {
        assert_eq!((FACTORY.clock_select(), FACTORY.start_up()), (1, 2));
        assert!(FACTORY.compatible_103() && FACTORY.jtag());
        assert!(!FACTORY.watchdog_always_on() && !FACTORY.boots_loader());
        assert!(!FACTORY.brown_out());
    }

    #[test]
    fn the_boot_section_has_the_data_sheets_sizes() {
        let starts = [0, 1, 2, 3].map(|bits| Fuses { high: bits << 1, ..FACTORY }.boot_start());
        assert_eq!(starts, [0x1_E000, 0x1_F000, 0x1_F800, 0x1_FC00]);
    }
}
