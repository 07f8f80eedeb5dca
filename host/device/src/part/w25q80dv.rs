// SPDX-License-Identifier: MIT OR Apache-2.0
//! Winbond W25Q80DV: 1 MiB of flash on SPI (data sheet of the part, chapter "Instructions"). Single SPI; pages
//! of 256 bytes are programmed, sectors of 4 KiB and larger erased.

use super::{Bus, Part, Sense, spi};
use borsh::{BorshDeserialize, BorshSerialize};
use lichen_chip::Time;
use std::collections::BTreeMap;

pub(super) const PART: Part = Part {
    number: "W25Q80DV",
    title: "1 MiB of flash",
    bus: Bus::Spi,
    senses: &[],
    lines: &[],
    addresses: &[],
    make: spi::connect::<W25q80dv>,
};

const BYTES: u32 = 1 << 20;
const PAGE: usize = 256;
const ERASED: u8 = 0xFF;

/// Status register 1.
const BUSY: u8 = 1 << 0;
const WEL: u8 = 1 << 1;
/// The bits of status register 1 that can be written: BP0 to BP2, TB, SEC, SRP0.
const STATUS_1_WRITABLE: u8 = 0xFC;
/// Those of status register 2: SRP1, QE, LB1 to LB3, CMP.
const STATUS_2_WRITABLE: u8 = 0x7B;

/// Manufacturer, memory type and capacity; device for the older instructions.
const JEDEC_ID: [u8; 3] = [0xEF, 0x40, 0x14];
const DEVICE_ID: u8 = 0x13;

/// Typical times ("AC Electrical Characteristics").
const PAGE_PROGRAM: Time = Time::from_us(700);
const SECTOR_ERASE: Time = Time::from_ms(30);
const BLOCK_32K_ERASE: Time = Time::from_ms(120);
const BLOCK_64K_ERASE: Time = Time::from_ms(150);
const CHIP_ERASE: Time = Time::from_s(2);
const STATUS_WRITE: Time = Time::from_ms(10);
const RELEASE: Time = Time::from_us(3);
const RESET: Time = Time::from_us(30);

/// What it is busy with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
enum Work {
    #[default]
    Nothing,
    Wake,
    Program,
    Erase,
}

#[derive(Debug, Default, BorshSerialize, BorshDeserialize)]
struct W25q80dv {
    /// Pages that are not erased.
    pages: BTreeMap<u16, Vec<u8>>,
    /// Status registers 1 and 2 without BUSY and WEL.
    status: [u8; 2],
    may_write: bool,
    busy_until: Time,
    work: Work,
    is_down: bool,
    is_selected: bool,
    is_reset_enabled: bool,
    /// Bytes since it was selected.
    count: usize,
    instruction: u8,
    address: u32,
    /// Bytes to be programmed, or written to the status registers.
    data: Vec<u8>,
}

impl W25q80dv {
    fn byte(&self, address: u32) -> u8 {
        let page = self.pages.get(&((address % BYTES) as usize / PAGE).try_into().unwrap_or(0));
        page.map_or(ERASED, |page| page[address as usize % PAGE])
    }

    fn status(&self, now: Time) -> u8 {
        let busy = if now < self.busy_until { BUSY } else { 0 };
        let write = if self.may_write { WEL } else { 0 };
        self.status[0] | busy | write
    }

    /// Takes the first byte after the select line fell. Instructions that it does not take are ignored to the
    /// end: while it writes all but those for its status, while it is down all but the release.
    fn begin(&mut self, now: Time, instruction: u8) {
        let is_busy = now < self.busy_until && !matches!(instruction, 0x05 | 0x35);
        let is_down = self.is_down && instruction != 0xAB;
        self.instruction = if is_busy || is_down { 0 } else { instruction };
    }

    /// What it sends while the byte with this index, from 1, comes in.
    fn answer(&self, now: Time, index: usize) -> u8 {
        let at = |first: usize| index.checked_sub(first);
        match self.instruction {
            0x05 => self.status(now),
            0x35 => self.status[1],
            0x03 => at(4).map_or(ERASED, |_| self.byte(self.address)),
            0x0B => at(5).map_or(ERASED, |_| self.byte(self.address)),
            0x9F => at(1).and_then(|at| JEDEC_ID.get(at)).copied().unwrap_or(ERASED),
            0xAB => at(4).map_or(ERASED, |_| DEVICE_ID),
            0x90 => at(4).map_or(ERASED, |at| {
                let first = (self.address as usize + at) % 2;
                [JEDEC_ID[0], DEVICE_ID][first]
            }),
            // The same number in every part here.
            0x4B => at(5).filter(|at| *at < 8).map_or(ERASED, |at| 0xD0 + at as u8),
            _ => ERASED,
        }
    }

    fn take(&mut self, index: usize, byte: u8) {
        let has_address =
            matches!(self.instruction, 0x02 | 0x03 | 0x0B | 0x20 | 0x52 | 0xD8 | 0x90);
        match (self.instruction, index) {
            (_, 1..=3) if has_address => {
                self.address = (self.address << 8 | u32::from(byte)) % BYTES;
            }
            (0x03, 4..) | (0x0B, 5..) => self.address = (self.address + 1) % BYTES,
            (0x02, 4..) | (0x01, 1..) => self.data.push(byte),
            _ => {}
        }
    }

    /// The select line rises: what was asked for begins, if all of it was sent.
    fn execute(&mut self, now: Time) {
        let reset_enabled = std::mem::take(&mut self.is_reset_enabled);
        let has_address = self.count == 4;
        match self.instruction {
            0x06 | 0x50 if self.count == 1 => self.may_write = true,
            0x04 if self.count == 1 => self.may_write = false,
            0xB9 if self.count == 1 => self.is_down = true,
            0xAB if std::mem::take(&mut self.is_down) => self.work(now + RELEASE, Work::Wake),
            0x66 if self.count == 1 => self.is_reset_enabled = true,
            0x99 if reset_enabled => {
                self.reset();
                self.work(now + RESET, Work::Wake);
            }
            0x01 if (2..=3).contains(&self.count) => self.write_status(now + STATUS_WRITE),
            0x02 if self.count > 4 => self.program(now + PAGE_PROGRAM),
            0x20 if has_address => self.erase(now + SECTOR_ERASE, 1 << 12),
            0x52 if has_address => self.erase(now + BLOCK_32K_ERASE, 1 << 15),
            0xD8 if has_address => self.erase(now + BLOCK_64K_ERASE, 1 << 16),
            0xC7 | 0x60 if self.count == 1 => self.erase(now + CHIP_ERASE, BYTES),
            _ => {}
        }
    }

    /// Whether writes are enabled, which one write uses up.
    fn may_write(&mut self) -> bool {
        std::mem::take(&mut self.may_write)
    }

    fn work(&mut self, until: Time, what: Work) {
        (self.busy_until, self.work) = (until, what);
    }

    /// Writes the status registers, which lasts until `until`. A write of one byte clears the second one's CMP
    /// and QE.
    fn write_status(&mut self, until: Time) {
        if !self.may_write() {
            return;
        }
        self.work(until, Work::Program);
        let second =
            self.data.get(1).map_or(self.status[1] & 0x38, |byte| byte & STATUS_2_WRITABLE);
        self.status = [self.data[0] & STATUS_1_WRITABLE, second];
    }

    /// Programs the last 256 bytes that were sent within their page, which lasts until `until`. The end of the
    /// page is followed by its beginning.
    fn program(&mut self, until: Time) {
        if !self.may_write() {
            return;
        }
        self.work(until, Work::Program);
        if self.is_protected(self.address, 1) {
            return;
        }
        let replaced = self.data.len().saturating_sub(PAGE);
        let first = self.address as usize + replaced;
        let page = (self.address as usize / PAGE) as u16;
        let content = self.pages.entry(page).or_insert_with(|| vec![ERASED; PAGE]);
        for (index, byte) in self.data[replaced..].iter().enumerate() {
            content[(first + index) % PAGE] &= byte;
        }
    }

    /// Erases the unit of so many bytes around the address, which lasts until `until`.
    fn erase(&mut self, until: Time, bytes: u32) {
        if !self.may_write() {
            return;
        }
        self.work(until, Work::Erase);
        let first = self.address / bytes * bytes;
        if self.is_protected(first, bytes) {
            return;
        }
        let page = |address: u32| (address as usize / PAGE) as u16;
        self.pages.retain(|at, _| !(page(first)..=page(first + bytes - 1)).contains(at));
    }

    /// Whether some of `bytes` from `first` are protected by BP2 to BP0, TB, SEC and CMP.
    fn is_protected(&self, first: u32, bytes: u32) -> bool {
        let [one, two] = self.status;
        let (level, bottom, sector) = (one >> 2 & 7, one & 1 << 5 != 0, one & 1 << 6 != 0);
        let size = match (level, sector) {
            (0, _) => 0,
            (1..=3, true) => 1 << (11 + level),
            (4 | 5, true) => 1 << 15,
            (1..=4, false) => 1 << (15 + level),
            _ => BYTES,
        };
        let range = match bottom {
            true => 0..size,
            false => BYTES - size..BYTES,
        };
        let end = first + bytes;
        match two & 1 << 6 != 0 {
            false => first < range.end && range.start < end,
            true => first < range.start || range.end < end,
        }
    }

    /// The state after power-up, with the same contents.
    fn reset(&mut self) {
        let (pages, status) = (std::mem::take(&mut self.pages), self.status);
        *self = W25q80dv { pages, status, ..W25q80dv::default() };
    }
}

impl spi::Target for W25q80dv {
    const PART: &'static str = "w25q80dv";
    const MODES: &'static [u8] = &[0, 3];
    const FASTEST_HZ: u64 = 104_000_000;

    fn power_on(&mut self, _sense: &Sense<'_>) {
        self.reset();
    }

    fn select(&mut self, _sense: &Sense<'_>) {
        (self.count, self.address, self.instruction) = (0, 0, 0);
        self.data.clear();
        self.is_selected = true;
    }

    fn send(&self, sense: &Sense<'_>) -> u8 {
        if self.count == 0 { ERASED } else { self.answer(sense.now, self.count) }
    }

    fn receive(&mut self, sense: &Sense<'_>, byte: u8) {
        let index = self.count;
        self.count += 1;
        match index {
            0 => self.begin(sense.now, byte),
            _ => self.take(index, byte),
        }
    }

    fn deselect(&mut self, sense: &Sense<'_>) {
        self.is_selected = false;
        self.execute(sense.now);
    }

    fn state(&self) -> &'static str {
        match self.work {
            Work::Program => "program",
            Work::Erase => "erase",
            Work::Nothing if self.is_down => "power-down",
            Work::Nothing if self.is_selected => "read",
            Work::Nothing | Work::Wake => "standby",
        }
    }

    fn due(&self) -> Time {
        if self.work == Work::Nothing { Time::NEVER } else { self.busy_until }
    }

    fn fire(&mut self, _sense: &Sense<'_>) {
        self.work = Work::Nothing;
    }
}

#[cfg(test)]
mod tests;
