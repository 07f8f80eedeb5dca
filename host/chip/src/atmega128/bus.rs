// SPDX-License-Identifier: MIT OR Apache-2.0
//! The bus as the core sees it: the I/O space, self-programming, and errors of accesses.
//!
//! A read sees the registers as they are in its cycle; a write takes effect with the edge that ends it.

use super::fuses::Meaning;
use super::map::{self, Access as Kind, Block, EXTENDED, IO_END, Register};
use super::peripheral::Holds;
use super::sleep::Mode;
use super::soc::{Access, Soc};
use crate::{Time, Warning, WarningKind};
use lichen_isa::avr8::{Bus, DATA_BASE, Memory};
use lichen_isa::{Cycle, Origin, Reply, Width};

/// What nothing drives reads as.
const NOTHING: u32 = 0;
/// Bytes of a vector.
const VECTOR_BYTES: u32 = 4;
/// A word of erased flash.
const ERASED: u16 = 0xFFFF;

impl Soc {
    /// Serves what is due up to an edge, which the core has reached by an access; its time.
    fn reach(&mut self, cycle: u64) -> Time {
        let now = self.clocks.time(cycle);
        if self.horizon().0 <= cycle {
            self.serve(now, cycle);
        }
        self.set_present(cycle);
        now
    }

    /// SRAM of the ATmega103 lies at the addresses of extended I/O.
    fn is_low_ram(&self, address: u16) -> bool {
        (EXTENDED..IO_END).contains(&address) && self.fuses().compatible_103()
    }

    /// The core is about to execute the instruction at `pc`. While a part of flash cannot be read, it executes one at a
    /// time; the first one of a stretch in that part is reported.
    pub(super) fn watch_fetch(&mut self, now: Time, cycle: u64, pc: u32) {
        let blocks = self.blocks.boot.blocks();
        if blocks {
            self.check_fetch(now, pc);
        }
        let single = blocks.then_some(cycle + 1);
        if single != self.single {
            self.single = single;
            self.update_horizon();
        }
    }

    fn check_fetch(&mut self, now: Time, pc: u32) {
        let blocked = self.blocks.boot.is_blocked(pc);
        if blocked && !self.fetches_blocked {
            let (written, block, kind) = (None, Block::Boot.name(), WarningKind::FlashBusy);
            self.warn(now, Warning { pc, address: pc, width: Width::Half, written, block, kind });
        }
        self.fetches_blocked = blocked;
    }

    /// Ends an access: its warning, its effects, and the stall.
    fn finish(&mut self, now: Time, cycle: u64, access: &Access, register: &Register) -> u32 {
        if let Some(kind) = self.out.warning.take() {
            let block = register.owners.first().map_or("", |block| block.name());
            self.warn_of(now, access, block, kind);
        }
        for block in register.owners {
            self.refresh(now, *block);
        }
        if !self.out.queue.is_empty() {
            self.settle(now, cycle);
        }
        std::mem::take(&mut self.out.stall)
    }

    fn nothing_there(&mut self, now: Time, access: &Access) -> Reply {
        let io = access.address < DATA_BASE + u32::from(IO_END);
        let kind = if io { WarningKind::NoRegister } else { WarningKind::NoMemory };
        self.warn_of(now, access, "", kind);
        Reply { value: NOTHING, stall: 0 }
    }
}

impl Bus for Soc {
    fn read(&mut self, _memory: &mut Memory, origin: Origin, address: u16) -> Reply {
        let cycle = origin.cycle.0;
        let now = self.reach(cycle);
        let linear = DATA_BASE + u32::from(address);
        let access = Access { pc: origin.pc, address: linear, written: None };
        if self.is_low_ram(address) {
            let value = self.low_ram[usize::from(address - EXTENDED)].into();
            return Reply { value, stall: 0 };
        }
        let Some(register) = map::register(address) else {
            return self.nothing_there(now, &access);
        };
        let value = self.with(now, cycle, |blocks, cx| {
            register
                .owners
                .iter()
                .fold(0, |all, block| all | blocks.get(*block).read(cx, register.address))
        });
        let stall = self.finish(now, cycle, &access, register);
        Reply { value: value.into(), stall }
    }

    fn write(&mut self, _memory: &mut Memory, origin: Origin, address: u16, value: u8) -> Reply {
        let cycle = origin.cycle.0 + 1;
        let now = self.reach(cycle);
        let linear = DATA_BASE + u32::from(address);
        let access = Access { pc: origin.pc, address: linear, written: Some(value) };
        if self.is_low_ram(address) {
            self.low_ram[usize::from(address - EXTENDED)] = value;
            return Reply { value: 0, stall: 0 };
        }
        let Some(register) = map::register(address) else {
            return self.nothing_there(now, &access);
        };
        let reserved = match register.access {
            Kind::Write => value & !register.mask != 0,
            Kind::Ones => false,
            Kind::Read => true,
        };
        if reserved {
            self.out.warn(WarningKind::Reserved);
        }
        self.with(now, cycle, |blocks, cx| {
            for block in register.owners {
                blocks.get(*block).write(cx, register.address, value & register.mask);
            }
        });
        let stall = self.finish(now, cycle, &access, register);
        Reply { value: 0, stall }
    }

    fn lines(&self) -> u64 {
        self.requests()
    }

    fn acknowledge(&mut self, _memory: &mut Memory, origin: Origin, vector: u32) {
        let cycle = origin.cycle.0;
        let now = self.reach(cycle);
        let boot = self.blocks.mcu.vectors_in_boot();
        let table = if boot { self.fuses().boot_start() } else { 0 };
        self.check_fetch(now, table + vector * VECTOR_BYTES);
        let Some(block) = map::vector_block(vector) else { return };
        self.with(now, cycle, |blocks, cx| blocks.get(block).acknowledge(cx, vector));
        self.refresh(now, block);
        self.settle(now, cycle);
    }

    fn load_program(&mut self, memory: &mut Memory, origin: Origin, address: u32) -> u8 {
        let Origin { cycle, pc } = origin;
        let now = self.clocks.time(cycle.0);
        if self.blocks.eeprom.is_busy() {
            self.blocks.boot.forget_lock();
        }
        let value = self.with(now, cycle.0, |blocks, cx| blocks.boot.load(cx, memory, pc, address));
        if let Some(kind) = self.out.warning.take() {
            let (width, block) = (Width::Byte, Block::Boot.name());
            self.warn(now, Warning { pc, address, width, written: None, block, kind });
        }
        value
    }

    fn store_program(
        &mut self,
        memory: &mut Memory,
        origin: Origin,
        address: u32,
        value: u16,
    ) -> Reply {
        let (pc, cycle) = (origin.pc, origin.cycle.0);
        let now = self.reach(cycle);
        if self.blocks.eeprom.is_busy() {
            self.out.warn(WarningKind::Protected);
        } else {
            self.with(now, cycle, |blocks, cx| blocks.boot.store(cx, memory, pc, address, value));
        }
        if let Some(kind) = self.out.warning.take() {
            let (written, block) = (Some(value.into()), Block::Boot.name());
            self.warn(now, Warning { pc, address, width: Width::Half, written, block, kind });
        }
        self.refresh(now, Block::Boot);
        Reply { value: 0, stall: std::mem::take(&mut self.out.stall) }
    }

    fn watchdog_reset(&mut self, origin: Origin) {
        let cycle = origin.cycle.0;
        let now = self.reach(cycle);
        self.with(now, cycle, |blocks, cx| blocks.wdt.restart(cx));
        self.refresh(now, Block::Wdt);
    }

    fn sleep(&mut self, origin: Origin) -> bool {
        let (pc, cycle) = (origin.pc, origin.cycle.0);
        let now = self.reach(cycle);
        if !self.blocks.mcu.may_sleep() {
            return false;
        }
        let warning = match self.blocks.mcu.sleep_mode() {
            None => Some((Block::Mcu, WarningKind::Reserved)),
            Some(Mode::Standby | Mode::ExtendedStandby) if !self.clocks.is_outside() => {
                // They are for crystals, resonators and clocks from outside.
                Some((Block::Mcu, WarningKind::Reserved))
            }
            Some(Mode::PowerSave | Mode::ExtendedStandby)
                if self.blocks.timer0.would_miss(&self.clocks, now) =>
            {
                Some((Block::Timer0, WarningKind::AsleepTooSoon))
            }
            Some(_) => None,
        };
        if let Some((block, kind)) = warning {
            let (written, block) = (None, block.name());
            self.warn(now, Warning { pc, address: pc, width: Width::Half, written, block, kind });
        }
        true
    }

    fn undefined(&mut self, origin: Origin, opcode: u16) {
        let now = self.clocks.time(origin.cycle.0);
        if opcode == ERASED {
            return self.warn_of_erased(now, origin.pc);
        }
        let (pc, written, kind) = (origin.pc, None, WarningKind::Undefined);
        self.warn(now, Warning { pc, address: pc, width: Width::Half, written, block: "", kind });
    }

    fn stack_elsewhere(&mut self, origin: Origin, address: u16, value: u8) {
        if self.is_low_ram(address) {
            return;
        }
        let now = self.clocks.time(origin.cycle.0);
        let address = DATA_BASE + u32::from(address);
        self.warn_of_stack(now, &Access { pc: origin.pc, address, written: Some(value) });
    }

    fn register_stored(&mut self, origin: Origin, address: u16, value: u8) {
        self.warn_of_null(origin, address, Some(value.into()), WarningKind::NullPointer);
    }

    fn register_loaded(&mut self, origin: Origin, address: u16) {
        self.warn_of_null(origin, address, None, WarningKind::NullPointerRead);
    }

    fn holds_until(&mut self, address: u16) -> Cycle {
        let Some(register) = map::register(address) else { return Cycle(0) };
        if self.is_low_ram(address) {
            return Cycle(0);
        }
        let cycle = self.present();
        let now = self.clocks.time(cycle);
        let holds = |block: &Block| {
            let holds =
                self.with(now, cycle, |blocks, cx| blocks.get(*block).holds(cx, register.address));
            match holds {
                Holds::Unknown => 0,
                Holds::UntilDue => u64::MAX,
                Holds::Cycle(cycle) => cycle,
                Holds::Time(time) => self.clocks.cycle_at_or_after(time),
            }
        };
        Cycle(register.owners.iter().map(holds).min().unwrap_or(0))
    }

    fn horizon(&self) -> Cycle {
        Soc::horizon(self)
    }
}
