// SPDX-License-Identifier: MIT OR Apache-2.0
//! The plain memories that a core reaches without a bus: flash and RAM, with their code decoded.

use super::decode;
use super::fetch::{FlashTiming, Lines, Window};
use super::op::Op;
use crate::{Cycle, Width};
use borsh::{BorshDeserialize, BorshSerialize};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Address of the first byte of RAM.
pub const RAM_BASE: u32 = 0x2000_0000;

/// The architecture divides its address space into eight regions of this many bits.
const REGION_BITS: u32 = 29;
/// Bytes of a region.
pub(super) const REGION_BYTES: u32 = 1 << REGION_BITS;
const OFFSET_MASK: u32 = REGION_BYTES - 1;
const FLASH: usize = 0;
const RAM: usize = (RAM_BASE >> REGION_BITS) as usize;

/// A byte of flash that is not programmed.
const ERASED: u8 = 0xFF;

/// Decoded code grows in steps of this many halfwords.
const DECODE_STEP: usize = 512;

/// Flash at address 0 and RAM at [`RAM_BASE`].
///
/// Instructions are decoded when they are first executed, one entry a halfword, and forgotten
/// when their bytes are written by anyone.
///
/// A clone shares flash and decoded code with the original until one of them changes its own.
#[derive(Clone, Debug, BorshSerialize, BorshDeserialize)]
pub struct Memory {
    flash: Arc<[u8]>,
    ram: Vec<u8>,
    pub(super) lines: Lines,
    /// Decoded code of each region; only flash and RAM have any.
    #[borsh(skip)]
    code: [Code; 8],
    #[borsh(skip)]
    breakpoints: BTreeSet<u32>,
}

/// Decoded code of a region, one entry a halfword. It reaches as far as code has been executed, so
/// that writes to data above it need no check.
#[derive(Clone, Debug, Default)]
struct Code {
    ops: Arc<[Op]>,
}

/// The contents of a flash, all of it decoded: shared by the memories that hold the same program.
#[derive(Clone, Debug)]
pub struct Program {
    flash: Arc<[u8]>,
    code: Code,
    breakpoints: BTreeSet<u32>,
}

/// An address range that is not in flash or RAM.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("0x{address:08x}..0x{end:08x} is not in flash or RAM")]
pub struct OutsideMemory {
    /// Start of the range.
    pub address: u32,
    /// First address after it.
    pub end: u64,
}

impl Memory {
    /// Erased flash (all ones) and zeroed RAM of these sizes.
    pub fn new(flash_bytes: usize, ram_bytes: usize) -> Memory {
        Memory {
            flash: vec![ERASED; flash_bytes].into(),
            ram: vec![0; ram_bytes],
            lines: Lines::new(),
            code: Default::default(),
            breakpoints: BTreeSet::new(),
        }
    }

    /// All of flash.
    pub fn flash(&self) -> &[u8] {
        &self.flash
    }

    /// All of RAM.
    pub fn ram(&self) -> &[u8] {
        &self.ram
    }

    /// RAM loses its contents. What it holds afterwards has no meaning, and is the same in every run.
    pub fn forget_ram(&mut self) {
        let scattered = |index: u32| index.wrapping_mul(0x9E37_79B9).rotate_left(15) as u8;
        let contents: Vec<u8> = (1..=self.ram.len() as u32).map(scattered).collect();
        self.fill_ram(&contents);
    }

    /// RAM holds these contents, as many bytes as it has.
    pub fn fill_ram(&mut self, contents: &[u8]) {
        let written = self.write(RAM_BASE, contents);
        debug_assert!(written.is_ok(), "all of RAM is in RAM");
    }

    /// Reads bytes without side effects and without taking time.
    pub fn peek(&self, address: u32, into: &mut [u8]) -> Result<(), OutsideMemory> {
        let from = self.range(address, into.len())?;
        into.copy_from_slice(from);
        Ok(())
    }

    /// Writes bytes of flash or RAM as they will read afterwards, without taking time: as a
    /// programmer, a debugger or a flash controller at the end of its work does.
    pub fn write(&mut self, address: u32, bytes: &[u8]) -> Result<(), OutsideMemory> {
        let is_same = self.range(address, bytes.len())? == bytes;
        self.lines.invalidate();
        if is_same {
            return Ok(());
        }
        let start = (address & OFFSET_MASK) as usize;
        let all =
            if region(address) == RAM { &mut self.ram } else { Arc::make_mut(&mut self.flash) };
        all[start..start + bytes.len()].copy_from_slice(bytes);
        self.code[region(address)].forget(start, start + bytes.len() - 1);
        Ok(())
    }

    /// What flash holds, decoded to the end, for [`Memory::share`].
    pub fn program(&mut self) -> Program {
        let used = self.flash.iter().rposition(|byte| *byte != ERASED).map_or(0, |last| last + 1);
        for pc in (0..used as u32).step_by(2).rev() {
            self.decode(pc);
        }
        Program {
            flash: Arc::clone(&self.flash),
            code: self.code[FLASH].clone(),
            breakpoints: self.breakpoints.clone(),
        }
    }

    /// Takes the contents of another memory's flash of the same size, and its breakpoints, without a
    /// copy. Returns whether the size was the same.
    pub fn share(&mut self, program: &Program) -> bool {
        if program.flash.len() != self.flash.len() {
            return false;
        }
        self.flash = Arc::clone(&program.flash);
        self.code[FLASH] = program.code.clone();
        self.breakpoints.clone_from(&program.breakpoints);
        self.lines.invalidate();
        true
    }

    /// Reads flash or RAM as a bus master does; `None` if `address` is neither, or not aligned.
    pub fn read(&self, address: u32, width: Width) -> Option<u32> {
        if address % width.bytes() != 0 {
            return None;
        }
        match *self.range(address, width.bytes() as usize).ok()? {
            [byte] => Some(u32::from(byte)),
            [low, high] => Some(u32::from(u16::from_le_bytes([low, high]))),
            [a, b, c, d] => Some(u32::from_le_bytes([a, b, c, d])),
            _ => None,
        }
    }

    /// Writes RAM as a bus master does; `None` if `address` is not RAM, or not aligned.
    pub fn store(&mut self, address: u32, width: Width, value: u32) -> Option<()> {
        match width {
            Width::Byte => self.store_ram(address, [value as u8]),
            Width::Half => self.store_ram(address, (value as u16).to_le_bytes()),
            Width::Word => self.store_ram(address, value.to_le_bytes()),
        }
    }

    /// Sets the timing of flash; held lines are lost.
    pub fn set_flash_timing(&mut self, timing: FlashTiming) {
        self.lines.set_timing(timing);
    }

    /// Drops the lines that the flash controller holds (NVMCTRL command INVALL).
    pub fn invalidate_lines(&mut self) {
        self.lines.invalidate();
    }

    /// Flash is busy programming or erasing: fetches and reads wait until `cycle`.
    pub fn set_flash_busy_until(&mut self, cycle: Cycle) {
        self.lines.set_busy_until(cycle);
    }

    /// Cycles for which the core has waited for busy flash, so far.
    pub fn stalled(&self) -> u64 {
        self.lines.stalled()
    }

    /// Sets or clears a breakpoint on the instruction at `address`.
    pub fn set_breakpoint(&mut self, address: u32, on: bool) {
        let address = address & !1;
        let changed =
            if on { self.breakpoints.insert(address) } else { self.breakpoints.remove(&address) };
        if changed {
            let offset = (address & OFFSET_MASK) as usize;
            self.code[region(address)].forget(offset, offset);
        }
    }

    fn range(&self, address: u32, len: usize) -> Result<&[u8], OutsideMemory> {
        let start = (address & OFFSET_MASK) as usize;
        let all: &[u8] = match region(address) {
            FLASH => &self.flash,
            RAM => &self.ram,
            _ => &[],
        };
        all.get(start..start + len)
            .ok_or(OutsideMemory { address, end: u64::from(address) + len as u64 })
    }

    /// The decoded instruction at `pc` (even), if code near it has been executed.
    #[inline(always)]
    pub(super) fn op(&self, pc: u32) -> Option<Op> {
        let index = (pc & OFFSET_MASK) >> 1;
        self.code[region(pc)].ops.get(index as usize).copied()
    }

    /// Decodes the instruction at `pc` (even) so that [`Memory::op`] finds it. Returns the
    /// instruction itself, or `None` if `pc` is in neither memory.
    pub(super) fn decode(&mut self, pc: u32) -> Option<Op> {
        let first = self.read(pc, Width::Half)? as u16;
        let second = self.read(pc.wrapping_add(2), Width::Half).map(|half| half as u16);
        let op = decode::decode(first, second);
        let stand_in = if self.breakpoints.contains(&pc) { Op::Breakpoint } else { op };
        self.remember(pc, stand_in);
        Some(op)
    }

    /// Replaces the decoded instruction at `pc` by `op`.
    pub(super) fn substitute(&mut self, pc: u32, op: Op) {
        self.remember(pc, op);
    }

    fn remember(&mut self, pc: u32, op: Op) {
        let most = if region(pc) == RAM { self.ram.len() } else { self.flash.len() } / 2;
        self.code[region(pc)].remember(((pc & OFFSET_MASK) >> 1) as usize, most, op);
    }

    /// Takes contents and timing of `other`, but keeps its own breakpoints. Decoded code stays
    /// valid where the contents are the same.
    pub fn restore(&mut self, other: &Memory) {
        if self.ram != other.ram {
            self.ram.clone_from(&other.ram);
            self.code[RAM] = Code::default();
        }
        if !Arc::ptr_eq(&self.flash, &other.flash) && self.flash != other.flash {
            self.flash = Arc::clone(&other.flash);
            self.code[FLASH] = Code::default();
        }
        self.lines = other.lines.clone();
    }

    /// Fetches the instruction at `pc`, which `window` does not cover, at `cycle`; returns the cycle
    /// at which it is available, and sets `window` so that it covers it.
    #[inline(always)]
    pub(super) fn fetch(&mut self, window: &mut Window, pc: u32, cycle: u64) -> u64 {
        if region(pc) == FLASH {
            return self.lines.fetch(window, pc, cycle);
        }
        *window = Window::region(pc);
        cycle
    }

    /// Cycles that a branch at `pc` to `target` (even) takes beyond its own.
    #[inline(always)]
    pub(super) fn contention(&self, pc: u32, target: u32) -> u64 {
        if region(pc | target) == FLASH {
            self.lines.contention(&self.flash, pc, target)
        } else {
            0
        }
    }

    /// Reads flash or RAM as the core does; returns the value, and the cycles that the core waits
    /// for it.
    pub(super) fn load(&mut self, address: u32, width: Width, cycle: u64) -> Option<(u32, u64)> {
        let value = self.read(address, width)?;
        let ready = if region(address) == FLASH { self.lines.read(address, cycle) } else { cycle };
        Some((value, ready - cycle))
    }

    /// Reads aligned bytes of flash as the core does; returns them, and the cycles that the core
    /// waits for them; `None` if `address` is not flash.
    #[inline(always)]
    pub(super) fn load_flash<const N: usize>(
        &mut self,
        address: u32,
        cycle: u64,
    ) -> Option<([u8; N], u64)> {
        if address % N as u32 != 0 {
            return None;
        }
        let bytes = *self.flash.get(address as usize..)?.first_chunk::<N>()?;
        Some((bytes, self.lines.read(address, cycle) - cycle))
    }

    /// RAM bytes at `address`, if they lie in RAM and are aligned.
    #[inline(always)]
    pub(super) fn load_ram<const N: usize>(&self, address: u32) -> Option<[u8; N]> {
        let offset = aligned::<N>(address)?;
        self.ram.get(offset..)?.first_chunk::<N>().copied()
    }

    /// Writes RAM bytes at `address`, if they lie in RAM and are aligned.
    #[inline(always)]
    pub(super) fn store_ram<const N: usize>(&mut self, address: u32, bytes: [u8; N]) -> Option<()> {
        let offset = aligned::<N>(address)?;
        *self.ram.get_mut(offset..)?.first_chunk_mut::<N>()? = bytes;
        if offset >> 1 < self.code[RAM].ops.len() {
            self.code[RAM].forget(offset, offset + N - 1);
        }
        Some(())
    }
}

impl Code {
    /// Enters `op` at `index`, one of `most`.
    fn remember(&mut self, index: usize, most: usize, op: Op) {
        if index >= self.ops.len() {
            let len = (index + 1).next_multiple_of(DECODE_STEP).min(most);
            let mut longer = self.ops.to_vec();
            longer.resize(len, Op::Undecoded);
            self.ops = longer.into();
        }
        Arc::make_mut(&mut self.ops)[index] = op;
    }

    /// The bytes from offset `first` to `last` have changed; an instruction may begin one
    /// halfword before them.
    #[cold]
    fn forget(&mut self, first: usize, last: usize) {
        let end = (last / 2 + 1).min(self.ops.len());
        let start = (first / 2).saturating_sub(1).min(end);
        if self.ops[start..end].iter().any(|op| *op != Op::Undecoded) {
            Arc::make_mut(&mut self.ops)[start..end].fill(Op::Undecoded);
        }
    }
}

fn region(address: u32) -> usize {
    (address >> REGION_BITS) as usize
}

/// The first address of the region of an address.
pub(super) fn region_start(address: u32) -> u32 {
    address & !OFFSET_MASK
}

/// Offset of an aligned address from the start of RAM; arbitrary if it is not in RAM.
#[inline(always)]
fn aligned<const N: usize>(address: u32) -> Option<usize> {
    (address % N as u32 == 0).then_some(address.wrapping_sub(RAM_BASE) as usize)
}
