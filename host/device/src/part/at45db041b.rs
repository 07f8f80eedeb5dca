// SPDX-License-Identifier: MIT OR Apache-2.0
//! Atmel AT45DB041B: 512 KiB of data flash on SPI, in 2,048 pages of 264 bytes, with two buffers of a page in
//! SRAM (data sheet of the part, "Device Operation").
//!
//! A page changes through a buffer: by a program of what is erased, which only clears bits, or by one that
//! erases first. Work begins as the select line rises and is done when its time has passed; if the supply fails
//! before, the page is torn: some bits have changed and others have not.

use super::{Bus, Part, Sense, spi};
use borsh::{BorshDeserialize, BorshSerialize};
use lichen_chip::Time;
use std::collections::BTreeMap;

pub(super) const PART: Part = Part {
    number: "AT45DB041B",
    title: "512 KiB of data flash",
    bus: Bus::Spi,
    senses: &[],
    lines: &[],
    addresses: &[],
    make: spi::connect::<At45db041b>,
};

const PAGES: u16 = 2_048;
const PAGE: usize = 264;
/// Pages of a block, which are erased together.
const BLOCK: u16 = 8;
const ERASED: u8 = 0xFF;

/// Status register: ready; the last comparison found a difference; density of 4 Mbit.
const READY: u8 = 1 << 7;
const DIFFERS: u8 = 1 << 6;
const DENSITY: u8 = 0b0111 << 2;

/// Longest times ("AC Characteristics"; typical ones are not given).
const TRANSFER: Time = Time::from_us(250);
const PROGRAM: Time = Time::from_ms(14);
const ERASE_PROGRAM: Time = Time::from_ms(20);
const PAGE_ERASE: Time = Time::from_ms(8);
const BLOCK_ERASE: Time = Time::from_ms(12);

/// Work on the main memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
enum Task {
    /// The page is copied to a buffer.
    Fill(usize),
    /// The page is compared with a buffer.
    Compare(usize),
    /// A buffer is programmed, after the page was erased if `erases`.
    Program { buffer: usize, erases: bool },
    /// So many pages are erased.
    Erase(u16),
}

impl Task {
    fn takes(self) -> Time {
        match self {
            Task::Fill(_) | Task::Compare(_) => TRANSFER,
            Task::Program { erases: true, .. } => ERASE_PROGRAM,
            Task::Program { .. } => PROGRAM,
            Task::Erase(1) => PAGE_ERASE,
            Task::Erase(_) => BLOCK_ERASE,
        }
    }

    /// The buffer that it uses.
    fn buffer(self) -> Option<usize> {
        match self {
            Task::Fill(buffer) | Task::Compare(buffer) | Task::Program { buffer, .. } => {
                Some(buffer)
            }
            Task::Erase(_) => None,
        }
    }
}

/// A task under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
struct Work {
    task: Task,
    page: u16,
    since: Time,
    until: Time,
}

#[derive(Debug, BorshSerialize, BorshDeserialize)]
struct At45db041b {
    /// Pages that are not erased.
    pages: BTreeMap<u16, Vec<u8>>,
    /// How often each page was erased.
    wear: BTreeMap<u16, u32>,
    buffers: [Vec<u8>; 2],
    differs: bool,
    work: Option<Work>,
    is_selected: bool,
    /// Bytes since it was selected.
    count: usize,
    opcode: u8,
    page: u16,
    /// Within a page or a buffer.
    byte: usize,
}

impl Default for At45db041b {
    fn default() -> At45db041b {
        At45db041b {
            pages: BTreeMap::new(),
            wear: BTreeMap::new(),
            buffers: [(); 2].map(|()| vec![0; PAGE]),
            differs: false,
            work: None,
            is_selected: false,
            count: 0,
            opcode: 0,
            page: 0,
            byte: 0,
        }
    }
}

/// The buffer to which an opcode of each of these pairs refers.
fn buffer(opcode: u8) -> Option<usize> {
    match opcode {
        0x54 | 0xD4 | 0x84 | 0x82 | 0x53 | 0x60 | 0x83 | 0x88 | 0x58 => Some(0),
        0x56 | 0xD6 | 0x87 | 0x85 | 0x55 | 0x61 | 0x86 | 0x89 | 0x59 => Some(1),
        _ => None,
    }
}

const fn is_status(opcode: u8) -> bool {
    matches!(opcode, 0x57 | 0xD7)
}

const fn reads_on(opcode: u8) -> bool {
    matches!(opcode, 0x68 | 0xE8)
}

const fn reads_page(opcode: u8) -> bool {
    matches!(opcode, 0x52 | 0xD2)
}

const fn reads_buffer(opcode: u8) -> bool {
    matches!(opcode, 0x54 | 0xD4 | 0x56 | 0xD6)
}

/// Opcodes that write a buffer, and perhaps program it then.
const fn writes_buffer(opcode: u8) -> bool {
    matches!(opcode, 0x84 | 0x87 | 0x82 | 0x85)
}

/// Opcodes that leave the main memory alone.
const fn is_of_buffer(opcode: u8) -> bool {
    reads_buffer(opcode) || matches!(opcode, 0x84 | 0x87)
}

impl At45db041b {
    /// While it works only its status can be read, and the other buffer used.
    fn accepts(&self, opcode: u8) -> bool {
        self.work.is_none_or(|work| {
            is_status(opcode) || is_of_buffer(opcode) && buffer(opcode) != work.task.buffer()
        })
    }

    fn status(&self) -> u8 {
        let ready = if self.work.is_none() { READY } else { 0 };
        let differs = if self.differs { DIFFERS } else { 0 };
        ready | differs | DENSITY
    }

    /// The three bytes of the address: four bits that do not matter, eleven of the page, nine of the byte.
    fn address(&mut self, index: usize, byte: u8) {
        match index {
            1 => self.page = u16::from(byte & 0x0F) << 7,
            2 => {
                self.page |= u16::from(byte >> 1);
                self.byte = usize::from(byte & 1) << 8;
            }
            _ => self.byte = (self.byte | usize::from(byte)) % PAGE,
        }
    }

    /// Index of the first byte that it sends or takes after opcode, address and bytes that do not matter.
    fn first(&self) -> usize {
        match self.opcode {
            opcode if reads_on(opcode) || reads_page(opcode) => 8,
            opcode if reads_buffer(opcode) => 5,
            _ => 4,
        }
    }

    /// The next byte of a page or a buffer. A continuous read goes on with the next page.
    fn advance(&mut self) {
        self.byte = (self.byte + 1) % PAGE;
        if self.byte == 0 && reads_on(self.opcode) {
            self.page = (self.page + 1) % PAGES;
        }
    }

    fn content(&self, page: u16) -> Vec<u8> {
        self.pages.get(&page).map_or_else(|| vec![ERASED; PAGE], |page| page.to_vec())
    }

    fn begin(&mut self, now: Time) {
        let task = match (self.opcode, buffer(self.opcode)) {
            (0x53 | 0x55, Some(buffer)) => Task::Fill(buffer),
            (0x60 | 0x61, Some(buffer)) => Task::Compare(buffer),
            (0x83 | 0x86 | 0x82 | 0x85, Some(buffer)) => Task::Program { buffer, erases: true },
            (0x88 | 0x89, Some(buffer)) => Task::Program { buffer, erases: false },
            (0x58 | 0x59, Some(buffer)) => {
                self.buffers[buffer] = self.content(self.page);
                Task::Program { buffer, erases: true }
            }
            (0x81, _) => Task::Erase(1),
            (0x50, _) => Task::Erase(BLOCK),
            _ => return,
        };
        let page = if task == Task::Erase(BLOCK) { self.page / BLOCK * BLOCK } else { self.page };
        self.work = Some(Work { task, page, since: now, until: now + task.takes() });
    }

    fn finish(&mut self, work: Work) {
        match work.task {
            Task::Fill(buffer) => self.buffers[buffer] = self.content(work.page),
            Task::Compare(buffer) => {
                self.differs = self.content(work.page) != self.buffers[buffer].as_slice();
            }
            Task::Program { buffer, erases } => {
                if erases {
                    self.erase(work.page);
                }
                let mut content = self.content(work.page);
                let new = self.buffers[buffer].iter();
                content.iter_mut().zip(new).for_each(|(old, new)| *old &= new);
                self.pages.insert(work.page, content);
            }
            Task::Erase(pages) => {
                (work.page..work.page + pages).for_each(|page| self.erase(page));
            }
        }
    }

    fn erase(&mut self, page: u16) {
        self.pages.remove(&page);
        *self.wear.entry(page).or_default() += 1;
    }

    /// The supply fails at `now`, within this work.
    fn tear(&mut self, work: Work, now: Time) {
        let passed = now - work.since;
        let (pages, erasure) = match work.task {
            Task::Fill(_) | Task::Compare(_) => return,
            Task::Program { erases: true, .. } => (1, ERASE_PROGRAM - PROGRAM),
            Task::Program { .. } => (1, Time::ZERO),
            Task::Erase(pages) => (pages, work.task.takes()),
        };
        for page in work.page..work.page + pages {
            let wear = self.wear.get(&page).copied().unwrap_or(0);
            let mut content = self.content(page);
            if erasure > Time::ZERO {
                let share = per_mille(passed, erasure);
                change(&mut content, &[ERASED; PAGE], share, (page, wear));
                *self.wear.entry(page).or_default() += 1;
            }
            if let (Task::Program { buffer, .. }, true) = (work.task, passed >= erasure) {
                let share = per_mille(passed - erasure, PROGRAM);
                let new: Vec<u8> = content
                    .iter()
                    .zip(&*self.buffers[buffer])
                    .map(|(old, new)| old & new)
                    .collect();
                change(&mut content, &new, share, (page, wear));
            }
            self.pages.insert(page, content);
        }
    }
}

/// How much of `whole` has passed, at most 1,000.
fn per_mille(passed: Time, whole: Time) -> u64 {
    (passed * 1_000 / whole.max(Time::UNIT)).min(1_000)
}

/// Changes so many of a thousand bits of `content` to those of `new`, scattered, and the same ones in every run.
fn change(content: &mut [u8], new: &[u8], share: u64, (page, wear): (u16, u32)) {
    for (index, (old, new)) in content.iter_mut().zip(new).enumerate() {
        let changes = (0..8).filter(|bit| {
            let key = u64::from(page) << 48 ^ u64::from(wear) << 16 ^ (index * 8 + bit) as u64;
            scattered(key) % 1_000 < share
        });
        let mask = changes.fold(0, |mask, bit| mask | 1u8 << bit);
        *old = *old & !mask | new & mask;
    }
}

/// A number without a pattern (the finalizer of SplitMix64).
fn scattered(key: u64) -> u64 {
    let key = key.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let key = (key ^ key >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let key = (key ^ key >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    key ^ key >> 31
}

impl spi::Target for At45db041b {
    const PART: &'static str = "at45db041b";
    const MODES: &'static [u8] = &[0, 3];
    const FASTEST_HZ: u64 = 20_000_000;

    /// The buffers hold nothing that was there before.
    fn power_on(&mut self, _sense: &Sense<'_>) {
        let pages = std::mem::take(&mut self.pages);
        let wear = std::mem::take(&mut self.wear);
        *self = At45db041b { pages, wear, ..At45db041b::default() };
    }

    fn power_off(&mut self, sense: &Sense<'_>) {
        if let Some(work) = self.work.take() {
            self.tear(work, sense.now);
        }
    }

    fn select(&mut self, _sense: &Sense<'_>) {
        (self.count, self.opcode, self.is_selected) = (0, 0, true);
    }

    fn send(&self, _sense: &Sense<'_>) -> u8 {
        let opcode = self.opcode;
        match buffer(opcode) {
            _ if self.count > 0 && is_status(opcode) => self.status(),
            _ if self.count < self.first() => ERASED,
            Some(buffer) if reads_buffer(opcode) => self.buffers[buffer][self.byte],
            _ if reads_on(opcode) || reads_page(opcode) => {
                self.pages.get(&self.page).map_or(ERASED, |page| page[self.byte])
            }
            _ => ERASED,
        }
    }

    fn receive(&mut self, _sense: &Sense<'_>, byte: u8) {
        let index = self.count;
        self.count += 1;
        match (index, buffer(self.opcode)) {
            (0, _) => self.opcode = if self.accepts(byte) { byte } else { 0 },
            (1..=3, _) => self.address(index, byte),
            (_, Some(buffer)) if writes_buffer(self.opcode) => {
                self.buffers[buffer][self.byte] = byte;
                self.advance();
            }
            _ if index >= self.first() => self.advance(),
            _ => {}
        }
    }

    fn deselect(&mut self, sense: &Sense<'_>) {
        self.is_selected = false;
        if self.count >= 4 {
            self.begin(sense.now);
        }
    }

    fn state(&self) -> &'static str {
        match self.work.map(|work| work.task) {
            Some(Task::Erase(_)) => "erase",
            Some(Task::Program { .. }) => "program",
            Some(Task::Fill(_) | Task::Compare(_)) => "read",
            None if self.is_selected => "read",
            None => "standby",
        }
    }

    fn wear(&self) -> Option<String> {
        let (page, most) = self.wear.iter().max_by_key(|(page, count)| (**count, !**page))?;
        let all: u32 = self.wear.values().sum();
        let pages = self.wear.len();
        Some(format!("erased pages {pages}, erasures {all}, at most {most} (page {page})"))
    }

    fn due(&self) -> Time {
        self.work.map_or(Time::NEVER, |work| work.until)
    }

    fn fire(&mut self, _sense: &Sense<'_>) {
        if let Some(work) = self.work.take() {
            self.finish(work);
        }
    }
}

#[cfg(test)]
mod tests;
