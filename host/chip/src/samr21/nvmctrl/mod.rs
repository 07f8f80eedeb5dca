// SPDX-License-Identifier: MIT OR Apache-2.0
//! NVMCTRL: the flash controller (data sheet, "NVMCTRL - Non-Volatile Memory Controller").

mod auxiliary;
mod torn;

use super::part::Part;
use super::register::{self, At, Bank, Choice, Register, choice, ones, ro, rw, up_to};
use crate::samr21::peripheral::{Context, Effect, Peripheral, ResetKind};
use crate::{OFF, Time, WarningKind};
pub(crate) use auxiliary::ROW;
pub(crate) use auxiliary::{AUXILIARY, AUXILIARY_END};
use auxiliary::{Auxiliary, USER_ROW};
use lichen_isa::Width;
use lichen_isa::armv6m::FlashTiming;
use torn::torn;

const PAGE: usize = 64;
/// Code of PAGE in PARAM.PSZ.
const PAGE_SIZE_CODE: u32 = 3;
/// Lockable regions of flash.
const REGIONS: usize = 16;

/// Longest times of the data sheet ("NVM Characteristics").
const PAGE_WRITE: Time = Time::from_us(2_500);
const ROW_ERASE: Time = Time::from_ms(6);

const READY: u32 = 1 << 0;
const ERROR: u32 = 1 << 1;

const PRM: u32 = 1 << 0;
const LOAD: u32 = 1 << 1;
const PROGE: u32 = 1 << 2;
const LOCKE: u32 = 1 << 3;
const NVME: u32 = 1 << 4;
const SB: u32 = 1 << 8;

const MANW: u32 = 1 << 7;
/// Position of CTRLB.READMODE, and its values; the others are NO_MISS_PENALTY and reserved.
const READMODE: u32 = 16;
const LOW_POWER: u32 = 1;
const DETERMINISTIC: u32 = 2;
const CACHEDIS: u32 = 1 << 18;
const KEY: u32 = 0xA5;

#[derive(Clone, Copy)]
pub(crate) enum Id {
    CtrlA,
    CtrlB,
    Param,
    IntenClr,
    IntenSet,
    Intflag,
    Status,
    Addr,
    Lock,
}

/// CTRLB.SLEEPPRM, and READMODE, of which 1 adds a wait state to each miss of the cache.
const CTRLB_CHOICES: &[Choice] = &[choice(8, 2, 0b1011), choice(16, 2, up_to(2)).lacking(1 << 1)];

static REGISTERS: &[Register<Id>] = &[
    rw(Id::CtrlA, 0x00, Width::Half, 0xFF7F),
    rw(Id::CtrlB, 0x04, Width::Word, 0x0007_039E).choosing(CTRLB_CHOICES),
    ro(Id::Param, 0x08, Width::Word),
    ones(Id::IntenClr, 0x0C, Width::Byte),
    ones(Id::IntenSet, 0x10, Width::Byte),
    ones(Id::Intflag, 0x14, Width::Byte),
    ones(Id::Status, 0x18, Width::Half),
    rw(Id::Addr, 0x1C, Width::Word, 0x003F_FFFF),
    ro(Id::Lock, 0x20, Width::Half),
];

/// What flash is busy with; the cells change at its end, or some of them if a reset comes before.
#[derive(Clone, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
enum Work {
    EraseRow(u32),
    WritePage(u32, [u8; PAGE]),
    EraseUserRow,
    WriteUserPage(usize, [u8; PAGE]),
}

impl Work {
    fn takes(&self) -> Time {
        match self {
            Work::EraseRow(_) | Work::EraseUserRow => ROW_ERASE,
            Work::WritePage(..) | Work::WriteUserPage(..) => PAGE_WRITE,
        }
    }
}

/// The block.
#[derive(Clone, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(crate) struct Nvmctrl {
    flash_size: usize,
    auxiliary: Auxiliary,
    control_a: u32,
    control_b: u32,
    inten: u32,
    error: bool,
    status: u32,
    /// ADDR: in halfwords.
    address: u32,
    /// LOCK: a 0 locks a region.
    lock: u32,
    buffer: [u8; PAGE],
    work: Option<Work>,
    busy_until: Time,
    /// Bytes from the start of flash that cannot be written (BOOTPROT of the user row).
    boot_protected: u32,
}

impl Nvmctrl {
    /// The controller of a part with this serial number.
    pub fn new(part: &Part, serial_number: [u32; 4]) -> Nvmctrl {
        Nvmctrl {
            flash_size: part.flash,
            auxiliary: Auxiliary::new(serial_number),
            control_a: 0,
            control_b: 0,
            inten: 0,
            error: false,
            status: 0,
            address: 0,
            lock: 0xFFFF,
            buffer: [0xFF; PAGE],
            work: None,
            busy_until: Time::ZERO,
            boot_protected: 0,
        }
    }

    /// The first two words of the user row, from which other blocks take their reset values.
    pub fn fuses(&self) -> [u32; 2] {
        self.auxiliary.fuses()
    }

    /// Writes the user row as a programmer would; false if `address` is not there.
    pub fn program_user_row(&mut self, address: u32, bytes: &[u8]) -> bool {
        let offset = address.wrapping_sub(USER_ROW) as usize;
        let fits = offset < ROW && bytes.len() <= ROW - offset;
        if fits {
            self.auxiliary.set_user_row(offset, bytes);
        }
        fits
    }

    /// Wait states of a read (CTRLB.RWS).
    pub fn wait_states(&self) -> u32 {
        self.control_b >> 1 & 0xF
    }

    /// Reads the auxiliary space; stalls while flash is busy.
    pub fn read_auxiliary(&self, cx: &mut Context<'_>, address: u32, width: Width) -> u32 {
        if self.stall(cx) {
            return 0;
        }
        let word = self.auxiliary.word(address & !3) >> (address % 4 * 8);
        match width {
            Width::Byte => word & 0xFF,
            Width::Half => word & 0xFFFF,
            Width::Word => word,
        }
    }

    /// Takes a write to flash or to the auxiliary space, which goes to the page buffer. False if the
    /// bus refuses it: the buffer takes no bytes.
    pub fn write_buffer(
        &mut self,
        cx: &mut Context<'_>,
        address: u32,
        width: Width,
        value: u32,
    ) -> bool {
        if width == Width::Byte {
            return false;
        }
        if self.stall(cx) {
            return true;
        }
        let offset = address as usize % PAGE;
        let length = width.bytes() as usize;
        self.buffer[offset..offset + length].copy_from_slice(&value.to_le_bytes()[..length]);
        self.address = address >> 1 & 0x003F_FFFF;
        self.status |= LOAD;
        if self.control_b & MANW == 0 && offset + length == PAGE && address < AUXILIARY {
            self.write_page(cx);
        }
        true
    }

    fn is_busy(&self) -> bool {
        self.work.is_some()
    }

    fn stall(&self, cx: &mut Context<'_>) -> bool {
        if self.is_busy() {
            cx.out.stall(self.busy_until);
        }
        self.is_busy()
    }

    fn fail(&mut self, status: u32) {
        self.status |= status;
        self.error = true;
    }

    fn begin(&mut self, cx: &mut Context<'_>, work: Work, length: Time) {
        self.work = Some(work);
        self.busy_until = cx.now + length;
        cx.out.push(Effect::FlashBusy(self.busy_until));
    }

    /// The byte address in ADDR, if it is in flash and may be written.
    fn writable(&mut self) -> Option<u32> {
        let address = self.address << 1;
        if address as usize >= self.flash_size {
            self.fail(PROGE);
            return None;
        }
        if address < self.boot_protected || self.lock >> self.region(address) & 1 == 0 {
            self.fail(LOCKE);
            return None;
        }
        Some(address)
    }

    fn region(&self, address: u32) -> usize {
        address as usize / (self.flash_size / REGIONS) % REGIONS
    }

    /// The byte offset into the user row in ADDR, if it is there. ADDR has no room for the top bits.
    fn user_row_offset(&mut self) -> Option<usize> {
        let offset = (self.address << 1).wrapping_sub(USER_ROW & 0x007F_FFFF) as usize;
        if offset >= ROW {
            self.fail(PROGE);
            return None;
        }
        Some(offset)
    }

    fn clear_buffer(&mut self) {
        self.buffer = [0xFF; PAGE];
        self.status &= !LOAD;
    }

    fn write_page(&mut self, cx: &mut Context<'_>) {
        if let Some(address) = self.writable() {
            let page = address & !(PAGE as u32 - 1);
            self.begin(cx, Work::WritePage(page, self.buffer), PAGE_WRITE);
            self.clear_buffer();
        }
    }

    fn command(&mut self, cx: &mut Context<'_>, value: u32) {
        if value >> 8 != KEY || self.is_busy() {
            return self.fail(PROGE);
        }
        match value & 0x7F {
            0x02 => {
                if let Some(address) = self.writable() {
                    self.begin(cx, Work::EraseRow(address & !(ROW as u32 - 1)), ROW_ERASE);
                }
            }
            0x04 => self.write_page(cx),
            0x05 => {
                if self.user_row_offset().is_some() {
                    self.begin(cx, Work::EraseUserRow, ROW_ERASE);
                }
            }
            0x06 => {
                if let Some(offset) = self.user_row_offset() {
                    let work = Work::WriteUserPage(offset & !(PAGE - 1), self.buffer);
                    self.begin(cx, work, PAGE_WRITE);
                    self.clear_buffer();
                }
            }
            0x40 => self.lock &= !(1 << self.region(self.address << 1)),
            0x41 => self.lock |= 1 << self.region(self.address << 1),
            0x42 => self.status |= PRM,
            0x43 => self.status &= !PRM,
            0x44 => self.clear_buffer(),
            0x45 => self.status |= SB,
            0x46 => cx.memory.invalidate_lines(),
            _ => {
                self.fail(PROGE);
                cx.out.warn(WarningKind::Reserved);
            }
        }
    }

    fn finish(&mut self, cx: &mut Context<'_>, work: Work) {
        // Both addresses were checked to be in flash when the work began.
        let done = match work {
            Work::EraseRow(address) => cx.memory.write(address, &[0xFF; ROW]),
            Work::WritePage(address, mut page) => {
                let start = address as usize;
                for (new, old) in page.iter_mut().zip(&cx.memory.flash()[start..]) {
                    *new &= old;
                }
                cx.memory.write(address, &page)
            }
            Work::EraseUserRow => {
                self.auxiliary.erase_user_row();
                Ok(())
            }
            Work::WriteUserPage(offset, page) => {
                self.auxiliary.program_user_row(offset, &page);
                Ok(())
            }
        };
        if done.is_err() {
            self.fail(NVME);
        }
    }

    /// A reset has come before the end of `work`.
    fn tear(&mut self, cx: &mut Context<'_>, work: &Work) {
        let whole = work.takes();
        let passed = cx.now - (self.busy_until - whole);
        let flash = cx.memory.flash();
        let (address, old, new) = match work {
            Work::EraseRow(address) => {
                (*address, flash[*address as usize..][..ROW].to_vec(), vec![0xFF; ROW])
            }
            Work::WritePage(address, page) => {
                let old = flash[*address as usize..][..PAGE].to_vec();
                (*address, old.clone(), programmed(&old, page))
            }
            Work::EraseUserRow => (USER_ROW, self.auxiliary.user_row().to_vec(), vec![0xFF; ROW]),
            Work::WriteUserPage(offset, page) => {
                let old = self.auxiliary.user_row()[*offset..][..PAGE].to_vec();
                (USER_ROW + *offset as u32, old.clone(), programmed(&old, page))
            }
        };
        let bytes = torn(&old, &new, address, passed, whole);
        if !self.program_user_row(address, &bytes) {
            // The address was checked to be in flash when the work began.
            let _ = cx.memory.write(address, &bytes);
        }
    }

    /// What a read costs (CTRLB.RWS, READMODE and CACHEDIS).
    fn timing(&self) -> FlashTiming {
        let read_mode = self.control_b >> READMODE & 3;
        FlashTiming {
            wait_states: self.wait_states() + u32::from(read_mode == LOW_POWER),
            uncached: self.control_b & CACHEDIS != 0 || read_mode == DETERMINISTIC,
        }
    }

    fn flags(&self) -> u32 {
        (u32::from(!self.is_busy()) * READY) | (u32::from(self.error) * ERROR)
    }
}

/// Programming only clears bits.
fn programmed(old: &[u8], page: &[u8]) -> Vec<u8> {
    old.iter().zip(page).map(|(old, new)| old & new).collect()
}

impl Bank for Nvmctrl {
    type Id = Id;

    fn registers(&self) -> &'static [Register<Id>] {
        REGISTERS
    }

    fn load(&mut self, _cx: &mut Context<'_>, at: At<Id>) -> u32 {
        match at.id {
            Id::CtrlA => self.control_a,
            Id::CtrlB => self.control_b,
            Id::Param => (self.flash_size / PAGE) as u32 | PAGE_SIZE_CODE << 16,
            Id::IntenClr | Id::IntenSet => self.inten,
            Id::Intflag => self.flags(),
            Id::Status => self.status,
            Id::Addr => self.address,
            Id::Lock => self.lock,
        }
    }

    fn holds_until(&self, _now: Time, at: At<Id>) -> Time {
        match at.id {
            Id::Intflag | Id::Status => Time::NEVER,
            _ => Time::ZERO,
        }
    }

    fn store(&mut self, cx: &mut Context<'_>, at: At<Id>, value: u32) {
        match at.id {
            Id::CtrlA => {
                self.control_a = at.merge(self.control_a, value);
                self.command(cx, self.control_a);
            }
            Id::CtrlB => {
                self.control_b = at.merge(self.control_b, value);
                cx.memory.set_flash_timing(self.timing());
            }
            Id::IntenClr => self.inten &= !value,
            Id::IntenSet => self.inten |= value & (READY | ERROR),
            Id::Intflag => self.error &= value & ERROR == 0,
            Id::Status => self.status &= !(value & (PROGE | LOCKE | NVME)),
            Id::Addr => self.address = at.merge(self.address, value),
            Id::Param | Id::Lock => {}
        }
    }
}

impl Peripheral for Nvmctrl {
    register::answer_by_registers!();

    fn due(&self) -> Time {
        if self.is_busy() { self.busy_until } else { Time::NEVER }
    }

    fn fire(&mut self, cx: &mut Context<'_>) {
        if let Some(work) = self.work.take() {
            self.finish(cx, work);
        }
    }

    fn activity(&self) -> &'static str {
        match self.work {
            Some(Work::EraseRow(_) | Work::EraseUserRow) => "erasing",
            Some(Work::WritePage(..) | Work::WriteUserPage(..)) => "writing",
            None => OFF,
        }
    }

    fn irq(&self) -> bool {
        self.flags() & self.inten != 0
    }

    fn interrupts(&self) -> bool {
        self.inten != 0
    }

    fn write_protected(&self, offset: u32) -> bool {
        !matches!(offset & !3, 0x14 | 0x18)
    }

    fn reset(&mut self, cx: &mut Context<'_>, _kind: ResetKind) {
        let [low, high] = self.fuses();
        let boot_rows = [128, 64, 32, 16, 8, 4, 2, 0][low as usize & 7];
        self.boot_protected = boot_rows * ROW as u32;
        self.lock = high >> 16;
        self.control_a = 0;
        self.control_b = 0;
        self.inten = 0;
        self.error = false;
        self.status &= SB;
        self.address = 0;
        self.clear_buffer();
        if let Some(work) = self.work.take() {
            self.tear(cx, &work);
        }
        cx.out.push(Effect::FlashBusy(cx.now));
        cx.memory.set_flash_timing(self.timing());
    }
}

#[cfg(test)]
mod tests;
