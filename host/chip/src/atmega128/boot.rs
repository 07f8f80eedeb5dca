// SPDX-License-Identifier: MIT OR Apache-2.0
//! Self-programming (data sheet, "Boot Loader Support - Read-While-Write Self-Programming").
//!
//! What SPM writes is in flash at once; the section is busy, and must be enabled again, as on silicon.

use super::clocks::Clocks;
use super::fuses::{self, Meaning};
use super::map::*;
use super::peripheral::{Context, Due, Holds, Peripheral};
use crate::{Fuses, OFF, Time, WarningKind};
use lichen_isa::avr8::Memory;

/// SPMCSR.
const SPMIE: u8 = 1 << 7;
const RWWSB: u8 = 1 << 6;
const RWWSRE: u8 = 1 << 4;
const BLBSET: u8 = 1 << 3;
const PGWRT: u8 = 1 << 2;
const PGERS: u8 = 1 << 1;
const SPMEN: u8 = 1;
/// What SPM does.
const COMMAND: u8 = 0x1F;
const FILL: u8 = SPMEN;
const ERASE: u8 = PGERS | SPMEN;
const WRITE: u8 = PGWRT | SPMEN;
const LOCK: u8 = BLBSET | SPMEN;
const ENABLE: u8 = RWWSRE | SPMEN;

/// Bytes of a page, and of what cannot be read while it is written.
pub(super) const PAGE: usize = 256;
const READ_WHILE_WRITE: u32 = 0x1_E000;

/// Cycles for which SPMEN waits for its SPM, and BLBSET for its LPM.
const SPM_WINDOW: u64 = 4;
const LPM_WINDOW: u64 = 3;

/// Cycles of the 1 MHz oscillator for an erase or a write: the middle of the data sheet's 3.7 to 4.5 ms.
const PROGRAMMING: u64 = 4_100;

/// What LPM finds where it may not read.
const BLANK: u8 = 0xFF;

/// The block.
#[derive(Clone, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(crate) struct Boot {
    fuses: Fuses,
    control: u8,
    /// The cycle at which SPMCSR was written for an SPM.
    armed_at: Option<u64>,
    buffer: Vec<u8>,
    busy_until: Option<Time>,
}

impl Boot {
    pub fn new(fuses: Fuses) -> Boot {
        let buffer = vec![0xFF; PAGE];
        Boot { fuses, control: 0, armed_at: None, buffer, busy_until: None }
    }

    /// Fuses and lock bits.
    pub fn fuses(&self) -> Fuses {
        self.fuses
    }

    /// Takes other ones.
    pub fn set_fuses(&mut self, fuses: Fuses) {
        self.fuses = fuses;
    }

    /// Whether the read-while-write section cannot be read.
    pub fn blocks(&self) -> bool {
        self.control & RWWSB != 0
    }

    /// Whether an address cannot be read.
    pub fn is_blocked(&self, address: u32) -> bool {
        self.blocks() && address < READ_WHILE_WRITE
    }

    /// The EEPROM is being written: fuses and lock bits cannot be read.
    pub fn forget_lock(&mut self) {
        if self.control & COMMAND == LOCK {
            self.disarm();
        }
    }

    fn is_armed(&self, cycle: u64, window: u64) -> bool {
        self.armed_at.is_some_and(|at| cycle <= at + window)
    }

    fn disarm(&mut self) {
        self.armed_at = None;
        self.control &= !COMMAND;
    }

    fn forbids(&self, address: u32, from: u32) -> bool {
        let start = self.fuses.boot_start();
        let (target, reader) = (address >= start, from >= start);
        target != reader && fuses::protection(self.fuses.lock, target).read
    }

    /// LPM, executed at `from`.
    pub fn load(&mut self, cx: &mut Context<'_>, memory: &Memory, from: u32, address: u32) -> u8 {
        if self.control & COMMAND == LOCK && self.is_armed(cx.cycle, LPM_WINDOW) {
            self.disarm();
            let Fuses { low, high, extended, lock } = self.fuses;
            return [low, lock, extended, high][address as usize & 3];
        }
        if self.is_blocked(address) {
            cx.out.warn(WarningKind::FlashBusy);
            return BLANK;
        }
        if self.forbids(address, from) {
            cx.out.warn(WarningKind::Protected);
            return BLANK;
        }
        memory.flash_byte(address)
    }

    /// SPM, executed at `from`; it halts the processor while it writes the section that cannot be read
    /// meanwhile.
    pub fn store(
        &mut self,
        cx: &mut Context<'_>,
        memory: &mut Memory,
        from: u32,
        address: u32,
        value: u16,
    ) {
        let command = self.control & COMMAND;
        if from < self.fuses.boot_start() || self.busy_until.is_some() {
            return cx.out.warn(WarningKind::Protected);
        }
        if !self.is_armed(cx.cycle, SPM_WINDOW) {
            return cx.out.warn(WarningKind::Protected);
        }
        self.disarm();
        match command {
            FILL => self.fill(address, value),
            ERASE => self.program(cx, memory, address, true),
            WRITE => {
                self.program(cx, memory, address, false);
                self.buffer.fill(BLANK);
            }
            LOCK => {
                // Bits of r0 that are 0 are programmed; LB cannot be.
                self.fuses.lock &= value as u8 | !0x3C;
                self.begin(cx, READ_WHILE_WRITE);
            }
            ENABLE => {
                self.control &= !RWWSB;
                self.buffer.fill(BLANK);
            }
            _ => cx.out.warn(WarningKind::Reserved),
        }
    }

    fn fill(&mut self, address: u32, value: u16) {
        let offset = (address as usize % PAGE) & !1;
        // A word can be written once before the buffer is erased.
        for (cell, byte) in self.buffer[offset..offset + 2].iter_mut().zip(value.to_le_bytes()) {
            *cell &= byte;
        }
    }

    fn program(&mut self, cx: &mut Context<'_>, memory: &mut Memory, address: u32, erase: bool) {
        let page = address & !(PAGE as u32 - 1);
        if fuses::protection(self.fuses.lock, page >= self.fuses.boot_start()).write {
            return cx.out.warn(WarningKind::Protected);
        }
        let cells: Vec<u8> = if erase {
            vec![0xFF; PAGE]
        } else {
            // Without an erase before, ones stay what they are.
            let place = (page..).zip(&self.buffer);
            place.map(|(address, byte)| memory.flash_byte(address) & byte).collect()
        };
        if memory.write(page, &cells).is_ok() {
            self.begin(cx, page);
        }
    }

    /// The page at `address` is busy from now on.
    fn begin(&mut self, cx: &mut Context<'_>, address: u32) {
        let end = cx.clocks.writing.nth_after(cx.now, PROGRAMMING);
        self.busy_until = Some(end);
        self.control |= SPMEN;
        if address < READ_WHILE_WRITE {
            self.control |= RWWSB;
        } else {
            let end = cx.clocks.cycle_at_or_after(end);
            cx.out.stall(end.saturating_sub(cx.cycle) as u32);
        }
    }
}

impl Peripheral for Boot {
    fn read(&mut self, cx: &mut Context<'_>, _register: u8) -> u8 {
        let armed = self.busy_until.is_some() || self.is_armed(cx.cycle, SPM_WINDOW);
        if armed { self.control } else { self.control & !COMMAND }
    }

    fn holds(&self, cx: &Context<'_>, _register: u8) -> Holds {
        match self.armed_at {
            Some(at) if cx.cycle <= at + SPM_WINDOW => Holds::Cycle(at + SPM_WINDOW + 1),
            _ => Holds::UntilDue,
        }
    }

    fn write(&mut self, cx: &mut Context<'_>, _register: u8, value: u8) {
        self.control = self.control & !SPMIE | value & SPMIE;
        if self.busy_until.is_some() {
            if value & COMMAND & !SPMEN != 0 {
                cx.out.warn(WarningKind::Protected);
            }
            return;
        }
        self.control = self.control & !COMMAND | value & COMMAND;
        self.armed_at = (value & SPMEN != 0).then_some(cx.cycle);
    }

    fn due(&self, _clocks: &Clocks) -> Due {
        match (self.busy_until, self.armed_at) {
            (Some(end), _) => Due::Time(end),
            // SPMEN clears itself, and the interrupt is requested again.
            (None, Some(at)) => Due::Cycle(at + SPM_WINDOW + 1),
            (None, None) => Due::Never,
        }
    }

    fn fire(&mut self, _cx: &mut Context<'_>) {
        self.busy_until = None;
        self.disarm();
    }

    fn lines(&self) -> u64 {
        // The interrupt is constant as long as SPMEN is clear.
        let ready = self.busy_until.is_none() && self.armed_at.is_none();
        u64::from(self.control & SPMIE != 0 && ready) << SPM_READY
    }

    fn interrupts(&self) -> u64 {
        u64::from(self.control & SPMIE != 0) << SPM_READY
    }

    fn activity(&self) -> &'static str {
        if self.busy_until.is_some() { "writing" } else { OFF }
    }

    fn reset(&mut self, _cx: &mut Context<'_>, _power: bool) {
        *self = Boot::new(self.fuses);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atmega128::bench::Bench;
    use crate::atmega128::fuses::FACTORY;

    const LOADER: u32 = 0x1_E000;
    const PAGE_AT: u32 = 0x1_2300;

    /// A chip's self-programming logic and its flash.
    struct Rig {
        bench: Bench<Boot>,
        memory: Memory,
    }

    fn rig() -> Rig {
        Rig { bench: Bench::new(Boot::new(FACTORY)), memory: Memory::new(0x2_0000, 0x1100) }
    }

    impl Rig {
        fn spm(&mut self, command: u8, address: u32, value: u16) {
            self.bench.write(SPMCSR, command);
            self.bench.run_cycles(1);
            let memory = &mut self.memory;
            self.bench.with(|boot, cx| boot.store(cx, memory, LOADER, address, value));
        }

        fn lpm(&mut self, from: u32, address: u32) -> u8 {
            let memory = &self.memory;
            self.bench.with(|boot, cx| boot.load(cx, memory, from, address))
        }

        fn wait(&mut self) {
            self.bench.run_for(Time::from_ms(5));
        }

        fn byte(&self, address: u32) -> u8 {
            self.memory.flash_byte(address)
        }
    }

    #[test]
    fn a_page_is_filled_erased_written_and_enabled() {
        let mut rig = rig();
        rig.memory.write(PAGE_AT, &[0; PAGE]).expect("in flash");
        for word in 0..PAGE as u32 / 2 {
            rig.spm(FILL, PAGE_AT + word * 2, 0x1000 + word as u16);
        }
        rig.spm(ERASE, PAGE_AT + 0x10, 0);
        assert_eq!(rig.bench.read(SPMCSR), RWWSB | SPMEN);
        assert_eq!(rig.bench.block.activity(), "writing");
        rig.wait();
        assert_eq!(rig.byte(PAGE_AT + 1), 0xFF);
        rig.spm(WRITE, PAGE_AT, 0);
        rig.wait();
        assert_eq!(rig.bench.read(SPMCSR), RWWSB);
        assert_eq!([2, 3].map(|at| rig.byte(PAGE_AT + at)), [0x01, 0x10]);
        assert_eq!(rig.lpm(LOADER, PAGE_AT), 0xFF);
        assert_eq!(rig.bench.take_warnings(), [WarningKind::FlashBusy]);
        rig.spm(ENABLE, 0, 0);
        assert_eq!((rig.bench.read(SPMCSR), rig.lpm(LOADER, PAGE_AT + 3)), (0, 0x10));
        assert_eq!(rig.bench.take_warnings(), []);
    }

    #[test]
    fn erasing_and_writing_take_as_long_as_the_data_sheet_says() {
        for command in [ERASE, WRITE] {
            let mut rig = rig();
            rig.spm(command, PAGE_AT, 0);
            let start = rig.bench.now;
            rig.bench.write(SPMCSR, SPMIE | SPMEN);
            let ready = rig.bench.rises_by(Time::from_s(1)).expect("ready") - start;
            assert!((3_700.0..=4_500.0).contains(&ready.as_us()), "{ready}");
        }
    }

    #[test]
    fn writing_the_boot_section_halts_the_processor() {
        let mut rig = rig();
        rig.spm(ERASE, LOADER + 0x800, 0);
        assert!((3_700..=4_500).contains(&rig.bench.stall), "{}", rig.bench.stall);
        assert_eq!(rig.bench.read(SPMCSR) & RWWSB, 0);
    }

    #[test]
    fn spm_works_in_the_boot_section_within_four_cycles() {
        let mut rig = rig();
        rig.memory.write(PAGE_AT, &[0; PAGE]).expect("in flash");
        let memory = &mut rig.memory;
        rig.bench.write(SPMCSR, ERASE);
        rig.bench.with(|boot, cx| boot.store(cx, memory, 0x100, PAGE_AT, 0));
        rig.bench.run_cycles(5);
        assert_eq!(rig.bench.read(SPMCSR), 0);
        rig.bench.with(|boot, cx| boot.store(cx, memory, LOADER, PAGE_AT, 0));
        assert_eq!((rig.byte(PAGE_AT), rig.bench.take_warnings().len()), (0, 2));
        rig.spm(ERASE, PAGE_AT, 0);
        assert_eq!(rig.byte(PAGE_AT), 0xFF);
    }

    #[test]
    fn a_command_without_spm_lapses_and_the_interrupt_comes_again() {
        let mut rig = rig();
        rig.bench.write(SPMCSR, SPMIE | ERASE);
        assert_eq!(rig.bench.block.lines(), 0);
        rig.bench.run_cycles(5);
        assert_eq!((rig.bench.block.lines(), rig.bench.read(SPMCSR)), (1 << SPM_READY, SPMIE));
    }

    #[test]
    fn a_write_without_erase_only_clears_bits() {
        let mut rig = rig();
        rig.memory.write(PAGE_AT, &[0x0F; PAGE]).expect("in flash");
        rig.spm(FILL, PAGE_AT, 0xFF3C);
        rig.spm(WRITE, PAGE_AT, 0);
        assert_eq!([0, 1].map(|at| rig.byte(PAGE_AT + at)), [0x0C, 0x0F]);
    }

    #[test]
    fn fuses_and_lock_bits_are_read_within_three_cycles() {
        let mut rig = rig();
        rig.memory.write(0, &[1, 2, 3, 4]).expect("in flash");
        for (address, expected) in [(0, 0xE1), (1, 0xFF), (2, 0xFD), (3, 0x99)] {
            rig.bench.write(SPMCSR, LOCK);
            rig.bench.run_cycles(3);
            assert_eq!(rig.lpm(LOADER, address), expected);
            assert_eq!(rig.lpm(LOADER, address), address as u8 + 1);
        }
        rig.bench.write(SPMCSR, LOCK);
        rig.bench.run_cycles(4);
        assert_eq!(rig.lpm(LOADER, 0), 1);
    }

    #[test]
    fn lock_bits_protect_the_sections() {
        let mut rig = rig();
        rig.memory.write(PAGE_AT, &[7; PAGE]).expect("in flash");
        // BLB0 mode 3: the application section is neither written nor read from the other.
        rig.spm(LOCK, 0, 0xF3);
        rig.wait();
        assert_eq!(rig.bench.block.fuses().lock, 0xF3);
        rig.spm(ERASE, PAGE_AT, 0);
        assert_eq!((rig.byte(PAGE_AT), rig.lpm(LOADER, PAGE_AT)), (7, 0xFF));
        assert_eq!(rig.bench.take_warnings(), [WarningKind::Protected; 2]);
        assert_eq!(rig.lpm(0x100, PAGE_AT), 7);
    }
}
