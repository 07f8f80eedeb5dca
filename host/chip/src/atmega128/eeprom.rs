// SPDX-License-Identifier: MIT OR Apache-2.0
//! EEPROM (data sheet, "EEPROM Data Memory").

use super::clocks::Clocks;
use super::map::*;
use super::peripheral::{Context, Due, Holds, Peripheral, flag};
use crate::{OFF, Time, WarningKind};

/// EECR.
const EERIE: u8 = 1 << 3;
const EEMWE: u8 = 1 << 2;
const EEWE: u8 = 1 << 1;
const EERE: u8 = 1;

/// Bytes.
pub(super) const SIZE: usize = 4_096;
/// Cycles of the 1 MHz oscillator that writing a byte takes.
const WRITING: u64 = 8_448;
/// Cycles for which EEMWE stays set.
const WINDOW: u64 = 4;
/// Cycles for which the processor halts for a write and for a read.
const WRITE_HALT: u32 = 2;
const READ_HALT: u32 = 4;

/// The block.
#[derive(Clone, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(crate) struct Eeprom {
    cells: Vec<u8>,
    address: u16,
    data: u8,
    interrupts: bool,
    /// EEMWE is set up to this cycle.
    enabled_until: Option<u64>,
    /// When the byte under way is written.
    busy_until: Option<Time>,
}

impl Eeprom {
    /// Erased.
    pub fn new() -> Eeprom {
        Eeprom {
            cells: vec![0xFF; SIZE],
            address: 0,
            data: 0,
            interrupts: false,
            enabled_until: None,
            busy_until: None,
        }
    }

    /// What it holds.
    pub fn cells(&self) -> &[u8] {
        &self.cells
    }

    /// The same, for a programmer.
    pub fn cells_mut(&mut self) -> &mut [u8] {
        &mut self.cells
    }

    /// Whether a byte is being written.
    pub fn is_busy(&self) -> bool {
        self.busy_until.is_some()
    }

    fn is_enabled(&self, cycle: u64) -> bool {
        self.enabled_until.is_some_and(|until| cycle <= until)
    }

    fn cell(&mut self) -> &mut u8 {
        &mut self.cells[usize::from(self.address) % SIZE]
    }

    fn write_control(&mut self, cx: &mut Context<'_>, value: u8) {
        self.interrupts = value & EERIE != 0;
        let enabled = self.is_enabled(cx.cycle);
        if value & EEWE != 0 && !self.is_busy() {
            if enabled {
                self.begin(cx);
            } else {
                cx.out.warn(WarningKind::Protected);
            }
        } else if value & EEMWE != 0 {
            self.enabled_until = Some(cx.cycle + WINDOW);
        }
        if value & EERE != 0 {
            if self.is_busy() {
                cx.out.warn(WarningKind::Protected);
                return;
            }
            self.data = *self.cell();
            cx.out.stall(READ_HALT);
        }
    }

    fn begin(&mut self, cx: &mut Context<'_>) {
        self.enabled_until = None;
        self.busy_until = Some(cx.clocks.writing.nth_after(cx.now, WRITING));
        *self.cell() = self.data;
        cx.out.stall(WRITE_HALT);
    }
}

impl Peripheral for Eeprom {
    fn read(&mut self, cx: &mut Context<'_>, register: u8) -> u8 {
        let [low, high] = self.address.to_le_bytes();
        match register {
            EEARL => low,
            EEARH => high,
            EEDR => self.data,
            _ => {
                flag(self.interrupts, EERIE)
                    | flag(self.is_enabled(cx.cycle), EEMWE)
                    | flag(self.is_busy(), EEWE)
            }
        }
    }

    fn holds(&self, cx: &Context<'_>, register: u8) -> Holds {
        match self.enabled_until {
            Some(until) if register == EECR && cx.cycle <= until => Holds::Cycle(until + 1),
            _ => Holds::UntilDue,
        }
    }

    fn write(&mut self, cx: &mut Context<'_>, register: u8, value: u8) {
        if register == EECR {
            return self.write_control(cx, value);
        }
        if self.is_busy() {
            // Address and data must not change while a byte is being written.
            return cx.out.warn(WarningKind::Protected);
        }
        let [low, high] = self.address.to_le_bytes();
        match register {
            EEARL => self.address = u16::from_le_bytes([value, high]),
            EEARH => self.address = u16::from_le_bytes([low, value]),
            _ => self.data = value,
        }
    }

    fn due(&self, _clocks: &Clocks) -> Due {
        self.busy_until.map_or(Due::Never, Due::Time)
    }

    fn fire(&mut self, _cx: &mut Context<'_>) {
        self.busy_until = None;
    }

    fn lines(&self) -> u64 {
        u64::from(self.interrupts && !self.is_busy()) << EEPROM_READY
    }

    fn interrupts(&self) -> u64 {
        u64::from(self.interrupts) << EEPROM_READY
    }

    fn activity(&self) -> &'static str {
        if self.is_busy() { "writing" } else { OFF }
    }

    fn reset(&mut self, _cx: &mut Context<'_>, power: bool) {
        self.data = 0;
        self.interrupts = false;
        self.enabled_until = None;
        // A byte under way is finished, unless power has failed; a reset keeps the address.
        if power {
            self.address = 0;
            self.busy_until = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atmega128::bench::Bench;

    fn bench() -> Bench<Eeprom> {
        let mut bench = Bench::new(Eeprom::new());
        bench.write(EEARH, 0x0A);
        bench.write(EEARL, 0xBC);
        bench.write(EEDR, 0x5A);
        bench
    }

    fn write(bench: &mut Bench<Eeprom>) {
        bench.write(EECR, EEMWE);
        bench.run_cycles(2);
        bench.write(EECR, EEMWE | EEWE);
    }

    #[test]
    fn writing_takes_8_5_ms_and_halts_the_processor_for_two_cycles() {
        let mut bench = bench();
        let start = bench.now;
        write(&mut bench);
        assert_eq!((bench.stall, bench.read(EECR)), (2, EEWE));
        assert_eq!(bench.block.activity(), "writing");
        bench.run_until(start + Time::from_us(8_449));
        assert_eq!(bench.read(EECR), EEWE);
        bench.run_for(Time::from_us(3));
        assert_eq!(bench.read(EECR), 0);
        assert_eq!(bench.block.cells()[0xABC], 0x5A);
    }

    #[test]
    fn reading_takes_four_cycles() {
        let mut bench = bench();
        write(&mut bench);
        bench.run_for(Time::from_ms(9));
        bench.write(EEDR, 0);
        bench.write(EECR, EERE);
        assert_eq!((bench.stall, bench.read(EEDR), bench.read(EECR)), (4, 0x5A, 0));
    }

    #[test]
    fn a_write_must_follow_its_enable_within_four_cycles() {
        let mut bench = bench();
        bench.write(EECR, EEWE);
        assert_eq!((bench.read(EECR), bench.take_warnings()), (0, vec![WarningKind::Protected]));
        bench.write(EECR, EEMWE);
        assert_eq!(bench.read(EECR), EEMWE);
        bench.run_cycles(5);
        assert_eq!(bench.read(EECR), 0);
        bench.write(EECR, EEWE);
        assert_eq!(bench.block.cells()[0xABC], 0xFF);
        bench.write(EECR, EEMWE);
        bench.run_cycles(4);
        bench.write(EECR, EEWE);
        assert_eq!(bench.read(EECR), EEWE);
    }

    #[test]
    fn it_interrupts_as_long_as_it_is_ready() {
        let mut bench = bench();
        bench.write(EECR, EERIE);
        assert_eq!(bench.block.lines(), 1 << EEPROM_READY);
        bench.write(EECR, EERIE | EEMWE);
        bench.write(EECR, EERIE | EEWE);
        assert_eq!(bench.block.lines(), 0);
        assert!(bench.rises_by(Time::from_ms(9)).is_some());
    }

    #[test]
    fn its_registers_must_be_left_alone_while_it_is_busy() {
        let mut bench = bench();
        write(&mut bench);
        bench.write(EEARL, 0);
        bench.write(EEDR, 0);
        bench.write(EECR, EERE);
        assert_eq!(bench.take_warnings(), [WarningKind::Protected; 3]);
        assert_eq!(bench.read(EEARL), 0xBC);
    }
}
