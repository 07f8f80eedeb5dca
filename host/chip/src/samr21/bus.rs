// SPDX-License-Identifier: MIT OR Apache-2.0
//! The bus as the core sees it: what answers at an address, when, and errors of the access.

use super::map::{self, Block, ENTRIES, IOBUS, IOBUS_SIZE};
use super::nvmctrl::{AUXILIARY, AUXILIARY_END};
use super::pac::Pac;
use super::port::Port;
use super::soc::{Access, Soc};
use crate::samr21::peripheral::{Beat, BeatOutcome, Clocks, Peripheral};
use crate::{Time, WarningKind};
use lichen_isa::armv6m::{Bus, Memory};
use lichen_isa::{Cycle, NoDevice, Origin, Reply, Width};

/// Edges of a bridge's clock from the first data cycle of an access to its end.
const BRIDGE_EDGES: u64 = 3;
/// Cycles by which this exceeds an access without wait states, if the bridge's clock is the
/// processor's own.
const BRIDGE_STALL: u32 = 2;
/// Cycles of an access to AHB without wait states: address and data phase.
const PLAIN_CYCLES: u64 = 2;

/// The vector table of whatever starts first; a program writes flash behind it.
const NULL_PAGE: u32 = 0x100;

/// The fastest clock for which flash needs no wait state, at 2.7 V and more (SAM R21 data sheet,
/// NVM Characteristics).
const FLASH_HZ: u64 = 24_000_000;

/// What answers an access.
#[derive(Clone, Copy)]
enum Target {
    /// A block behind a bridge: index and offset.
    Block(usize, u32),
    /// The port's single-cycle alias: offset.
    Iobus(u32),
    /// The flash controller's page buffer, written.
    PageBuffer,
    /// The auxiliary space, read.
    Auxiliary,
}

/// The outcome of an access.
enum Outcome {
    Value(u32),
    Refused,
}

impl Soc {
    fn target(&self, memory: &Memory, access: &Access) -> Option<Target> {
        let address = access.address;
        let writes = access.written.is_some();
        match address {
            IOBUS.. if address - IOBUS < IOBUS_SIZE => Some(Target::Iobus(address - IOBUS)),
            map::BRIDGES.. => {
                map::locate(address).map(|(index, offset)| Target::Block(index, offset))
            }
            AUXILIARY..AUXILIARY_END if writes => Some(Target::PageBuffer),
            AUXILIARY..AUXILIARY_END => Some(Target::Auxiliary),
            _ if writes && (address as usize) < memory.flash().len() => Some(Target::PageBuffer),
            _ => None,
        }
    }

    fn access(&mut self, memory: &mut Memory, mut access: Access) -> Result<Reply, NoDevice> {
        let Some(target) = self.target(memory, &access) else {
            self.warn(&access, "", WarningKind::Nothing);
            return Err(NoDevice);
        };
        if matches!(target, Target::PageBuffer) && access.address < NULL_PAGE {
            self.warn(&access, "", WarningKind::NullPointer);
        }
        if let Target::Block(index, offset) = target {
            self.check(&access, index, offset)?;
            if !self.blocks.pm.is_clocked(index) {
                self.warn(&access, ENTRIES[index].name, WarningKind::BusUnclocked);
                return Ok(self.reply(&access, target, 0));
            }
        }
        if self.next_due() <= access.time {
            self.serve(memory, access.time, access.cycle);
        }
        let outcome = loop {
            let outcome = self.once(memory, &access, target);
            let Some(mut until) = self.out.stall_until.take() else { break outcome };
            if until == Time::NEVER && self.awaits_clock(target) {
                self.out.warning = None;
                until = self.next_due();
            }
            if until == Time::NEVER {
                self.warn(&access, block_name(target), WarningKind::CoreUnclocked);
                self.hung = true;
                break Outcome::Value(0);
            }
            access.time = until.max(access.time);
            access.held = true;
            self.refresh(block_index(target));
            self.serve(memory, access.time, access.cycle);
            if self.has_reset() {
                break Outcome::Value(0);
            }
        };
        self.finish(memory, &access, target);
        match outcome {
            Outcome::Value(value) => Ok(self.reply(&access, target, value)),
            Outcome::Refused => {
                self.warn(&access, block_name(target), WarningKind::NoRegister);
                Err(NoDevice)
            }
        }
    }

    /// Refuses a write that the write protection does not allow.
    fn check(&mut self, access: &Access, index: usize, offset: u32) -> Result<(), NoDevice> {
        if self.is_refused(access, index, offset) {
            self.warn(access, ENTRIES[index].name, WarningKind::Protected);
            return Err(NoDevice);
        }
        Ok(())
    }

    /// Whether an access is a write to a protected block, or protects or releases a block again.
    fn is_refused(&mut self, access: &Access, index: usize, offset: u32) -> bool {
        let Some(value) = access.written else { return false };
        let entry = &ENTRIES[index];
        let pac = &self.blocks.pacs[usize::from(entry.bridge())];
        match entry.bit {
            Pac::BIT if !self.blocks.pm.is_clocked(index) => false,
            Pac::BIT => pac.repeats(offset, access.width, value),
            bit => pac.protects(bit) && self.blocks.get(index).write_protected(offset),
        }
    }

    /// Makes the access once; the block may request a repetition.
    fn once(&mut self, memory: &mut Memory, access: &Access, target: Target) -> Outcome {
        let Access { address, width, written, .. } = *access;
        self.use_block(memory, access.time, block_index(target));
        self.with(memory, access.time, |blocks, cx| match (target, written) {
            (Target::Block(index, offset), None) => {
                Outcome::Value(blocks.get(index).read(cx, offset, width))
            }
            (Target::Block(index, offset), Some(value)) => {
                blocks.get(index).write(cx, offset, width, value);
                Outcome::Value(0)
            }
            (Target::Iobus(offset), None) => Outcome::Value(blocks.get(Block::Port as usize).read(
                cx,
                offset | Port::IOBUS,
                width,
            )),
            (Target::Iobus(offset), Some(value)) => {
                let port = blocks.get(Block::Port as usize);
                port.write(cx, offset | Port::IOBUS, width, value);
                Outcome::Value(0)
            }
            (Target::PageBuffer, value) => {
                let value = value.unwrap_or(0);
                if blocks.nvmctrl.write_buffer(cx, address, width, value) {
                    Outcome::Value(0)
                } else {
                    Outcome::Refused
                }
            }
            (Target::Auxiliary, _) => {
                Outcome::Value(blocks.nvmctrl.read_auxiliary(cx, address, width))
            }
        })
    }

    /// Applies the block's effects after the access.
    fn finish(&mut self, memory: &mut Memory, access: &Access, target: Target) {
        if let Some(kind) = self.out.warning.take() {
            let expected = kind == WarningKind::CoreUnclocked && self.awaits_clock(target);
            if !expected {
                self.warn(access, block_name(target), kind);
            }
        }
        self.set_present(access.cycle);
        self.refresh(block_index(target));
        if !self.out.queue.is_empty() {
            self.settle(memory, access.time);
        }
        if self.is_flash_too_slow(block_index(target)) {
            self.warn(access, block_name(target), WarningKind::FlashTooSlow);
        }
        if self.hung || self.has_reset() {
            self.update_horizon();
        }
    }

    /// Whether flash has too few wait states for the processor's clock, after an access to one of
    /// the blocks that make either.
    fn is_flash_too_slow(&self, index: usize) -> bool {
        let makers = [Block::Nvmctrl, Block::Gclk, Block::Sysctrl, Block::Pm];
        makers.iter().any(|block| *block as usize == index)
            && self.blocks.nvmctrl.wait_states() == 0
            && self.tree.main_runs()
            && self.tree.processor().hz() > FLASH_HZ
    }

    /// Whether a generic clock of the target is set up, and will run once its oscillator has
    /// started.
    fn awaits_clock(&self, target: Target) -> bool {
        self.tree.awaits(ENTRIES[block_index(target)].channels)
    }

    /// The answer to an access that could be made at `access.time`, which is later than its first
    /// cycle if the bus was stalled.
    fn reply(&self, access: &Access, target: Target, value: u32) -> Reply {
        let waited = if access.held {
            (self.timeline.cycle_at_or_after(access.time) - access.cycle) as u32
        } else {
            0
        };
        let stall = match target {
            Target::Block(index, _) => {
                self.bridge_stall(ENTRIES[index].bridge(), access.cycle, waited)
            }
            Target::Iobus(_) | Target::PageBuffer => waited,
            Target::Auxiliary => waited + self.blocks.nvmctrl.wait_states(),
        };
        Reply { value, stall }
    }

    fn bridge_stall(&self, bridge: u8, cycle: Cycle, waited: u32) -> u32 {
        if self.undivided[usize::from(bridge)] {
            return waited + BRIDGE_STALL;
        }
        let bus = self.tree.bus(bridge);
        let data = self.timeline.time(cycle + u64::from(waited) + 1);
        let end = bus.edge(bus.edge_at_or_after(data) + BRIDGE_EDGES);
        (self.timeline.cycle_at_or_after(end) - (cycle + PLAIN_CYCLES)) as u32
    }
}

/// The bus as the DMA controller uses it. Its accesses take the time that the controller gives
/// them; it does not contend with the core.
impl Soc {
    /// Moves one beat and reports the outcome to the controller.
    pub(super) fn beat(&mut self, memory: &mut Memory, now: Time, beat: Beat) {
        let outcome = match self.transfer(memory, now, beat.source, beat.width, None) {
            BeatOutcome::Done(value) => {
                self.transfer(memory, now, beat.destination, beat.width, Some(value))
            }
            outcome => outcome,
        };
        self.with(memory, now, |blocks, cx| blocks.dmac.moved(cx, beat.channel, outcome));
        self.refresh(Block::Dmac as usize);
    }

    fn transfer(
        &mut self,
        memory: &mut Memory,
        now: Time,
        address: u32,
        width: Width,
        written: Option<u32>,
    ) -> BeatOutcome {
        let plain = match written {
            None => memory.read(address, width),
            Some(value) => memory.store(address, width, value).map(|()| value),
        };
        if let Some(value) = plain {
            return BeatOutcome::Done(value);
        }
        let access =
            Access { pc: 0, cycle: Cycle(0), time: now, address, width, written, held: false };
        let Some(target) = self.target(memory, &access) else { return BeatOutcome::Fault };
        if let Target::Block(index, offset) = target {
            if self.check(&access, index, offset).is_err() {
                return BeatOutcome::Fault;
            }
            if !self.blocks.pm.is_clocked(index) {
                self.warn(&access, ENTRIES[index].name, WarningKind::BusUnclocked);
                return BeatOutcome::Done(written.unwrap_or(0));
            }
        }
        let outcome = self.once(memory, &access, target);
        if let Some(until) = self.out.stall_until.take() {
            return if until == Time::NEVER {
                BeatOutcome::Fault
            } else {
                BeatOutcome::Busy(until)
            };
        }
        if let Some(kind) = self.out.warning.take() {
            self.warn(&access, block_name(target), kind);
        }
        self.refresh(block_index(target));
        match outcome {
            Outcome::Value(value) => BeatOutcome::Done(written.unwrap_or(value)),
            Outcome::Refused => BeatOutcome::Fault,
        }
    }
}

fn block_index(target: Target) -> usize {
    match target {
        Target::Block(index, _) => index,
        Target::Iobus(_) => Block::Port as usize,
        Target::PageBuffer | Target::Auxiliary => Block::Nvmctrl as usize,
    }
}

fn block_name(target: Target) -> &'static str {
    ENTRIES[block_index(target)].name
}

impl Bus for Soc {
    fn read(
        &mut self,
        memory: &mut Memory,
        origin: Origin,
        address: u32,
        width: Width,
    ) -> Result<Reply, NoDevice> {
        let Origin { pc, cycle } = origin;
        let time = self.timeline.time(cycle);
        self.access(memory, Access { pc, cycle, time, address, width, written: None, held: false })
    }

    fn write(
        &mut self,
        memory: &mut Memory,
        origin: Origin,
        address: u32,
        width: Width,
        value: u32,
    ) -> Result<Reply, NoDevice> {
        let Origin { pc, cycle } = origin;
        let time = self.timeline.time(cycle);
        self.access(
            memory,
            Access { pc, cycle, time, address, width, written: Some(value), held: false },
        )
    }

    fn vector_loaded(&mut self, origin: Origin, address: u32, width: Width) {
        let Origin { pc, cycle } = origin;
        let time = self.timeline.time(cycle);
        let access = Access { pc, cycle, time, address, width, written: None, held: false };
        self.warn(&access, "", WarningKind::NullPointerRead);
    }

    fn holds_until(&mut self, address: u32, width: Width) -> Cycle {
        let now = self.timeline.time(self.present());
        let until = match address {
            IOBUS.. if address - IOBUS < IOBUS_SIZE => {
                let offset = (address - IOBUS) | Port::IOBUS;
                self.blocks.port.holds_until(now, offset, width)
            }
            _ => match map::locate(address) {
                // A bus that is slower than the processor stalls by the phase of its clock.
                Some((index, offset))
                    if self.undivided[usize::from(ENTRIES[index].bridge())]
                        && self.blocks.pm.is_clocked(index) =>
                {
                    self.blocks.get(index).holds_until(now, offset, width)
                }
                _ => Time::ZERO,
            },
        };
        self.timeline.cycle_at_or_after(until)
    }

    fn lines(&self) -> u32 {
        self.lines
    }

    fn nmi(&self) -> bool {
        self.nmi
    }

    fn horizon(&self) -> Cycle {
        Soc::horizon(self)
    }

    fn serve(&mut self, memory: &mut Memory, cycle: Cycle) -> bool {
        let before = self.timeline;
        Soc::serve(self, memory, before.time(cycle), cycle);
        self.timeline == before && cycle < Soc::horizon(self)
    }
}
