// SPDX-License-Identifier: MIT OR Apache-2.0
//! A serial interface as the bus, the clocks and the pads see it.

use super::registers::{Id, Mode};
use super::{BRIDGE, Sercom};
use crate::samr21::peripheral::{Context, PadInput, Peripheral, ResetKind, Signal};
use crate::samr21::register::{self, At, Bank, Register};
use crate::{OFF, Time, WarningKind};
use lichen_isa::Width;

/// Offsets exempt from write protection: INTFLAG and STATUS, ADDR and DATA.
const EXEMPT: [std::ops::Range<u32>; 2] = [0x18..0x1C, 0x24..0x2C];

impl Bank for Sercom {
    type Id = Id;

    fn registers(&self) -> &'static [Register<Id>] {
        self.registers.mode().registers()
    }

    fn load(&mut self, cx: &mut Context<'_>, at: At<Id>) -> u32 {
        let registers = &self.registers;
        match at.id {
            Id::CtrlA => registers.ctrla | self.resetting.is_busy(cx.now) as u32,
            Id::CtrlB => registers.ctrlb,
            Id::Baud => registers.baud,
            Id::RxPl => registers.rxpl as u32,
            Id::IntEnClr | Id::IntEnSet => registers.enabled_interrupts as u32,
            Id::IntFlag => self.flags() as u32,
            Id::Status => registers.status as u32,
            Id::SyncBusy => self.sync_busy(cx.now),
            Id::Addr => registers.addr,
            Id::Data => self.read_data(cx) as u32,
            Id::DbgCtrl => registers.dbgctrl as u32,
        }
    }

    fn holds_until(&self, now: Time, at: At<Id>) -> Time {
        match at.id {
            Id::CtrlA => self.resetting.holds_until(now),
            Id::SyncBusy => {
                let controlling = self.controlling.holds_until(now);
                self.resetting.holds_until(now).min(self.enabling.holds_until(now)).min(controlling)
            }
            Id::CtrlB | Id::IntFlag | Id::Status => Time::NEVER,
            _ => Time::ZERO,
        }
    }

    fn store(&mut self, cx: &mut Context<'_>, at: At<Id>, value: u32) {
        match at.id {
            Id::CtrlA => self.write_ctrla(cx, at, value),
            Id::CtrlB => self.write_ctrlb(cx, at, value),
            Id::Baud if !self.is_locked(cx) => {
                self.registers.baud = at.merge(self.registers.baud, value);
            }
            Id::RxPl if !self.is_locked(cx) => self.registers.rxpl = value as u8,
            Id::IntEnClr => self.registers.enabled_interrupts &= !(value as u8),
            Id::IntEnSet => {
                self.registers.enabled_interrupts |=
                    value as u8 & self.registers.mode().interrupts();
            }
            Id::IntFlag => self.registers.flags &= !(value as u8),
            Id::Status => self.write_status(cx, value as u16),
            Id::Addr => self.write_addr(cx, at, value),
            Id::Data => {
                self.with_engine(|engine, registers| {
                    engine.write_data(cx, registers, value as u16);
                });
            }
            Id::DbgCtrl => self.registers.dbgctrl = value as u8,
            Id::Baud | Id::RxPl | Id::SyncBusy => {}
        }
    }
}

impl Peripheral for Sercom {
    fn read(&mut self, cx: &mut Context<'_>, offset: u32, width: Width) -> u32 {
        let value = register::read(self, cx, offset, width);
        self.tell_triggers(cx);
        value
    }

    fn holds_until(&self, now: Time, offset: u32, width: Width) -> Time {
        register::holds_until(self, now, offset, width)
    }

    fn write(&mut self, cx: &mut Context<'_>, offset: u32, width: Width, value: u32) {
        if self.resetting.is_busy(cx.now) {
            cx.out.warn(WarningKind::Protected);
            return;
        }
        register::write(self, cx, offset, width, value);
        self.tell_triggers(cx);
    }

    fn due(&self) -> Time {
        let engine = self.engine.as_ref().map_or(Time::NEVER, |engine| engine.get().due());
        engine.min(self.enabling.arrives()).min(self.controlling.arrives())
    }

    fn fire(&mut self, cx: &mut Context<'_>) {
        self.cross(cx);
        self.with_engine(|engine, registers| engine.fire(cx, registers));
        self.tell_triggers(cx);
    }

    fn activity(&self) -> &'static str {
        if self.engine.is_some() { self.registers.mode().name() } else { OFF }
    }

    fn irq(&self) -> bool {
        self.flags() & self.registers.enabled_interrupts != 0
    }

    fn interrupts(&self) -> bool {
        self.registers.enabled_interrupts != 0 && self.registers.is_enabled()
    }

    fn clocks_changed(&mut self, cx: &mut Context<'_>) {
        let clock = self.core_clock(cx);
        let bus = cx.clocks.bus(BRIDGE);
        self.resetting.clocks_changed(cx.now, clock.or(Some(bus)), bus);
        self.enabling.clocks_changed(cx.now, clock, bus);
        self.controlling.clocks_changed(cx.now, clock, bus);
        if self.registers.mode() != Mode::UsartExternal {
            self.with_engine(|engine, registers| engine.clocks_changed(cx, registers, clock));
        }
        self.tell_triggers(cx);
    }

    fn wants_clock(&self, channel: u8) -> bool {
        channel == self.core_channel()
            && self.engine.as_ref().is_some_and(|engine| engine.get().wants_clock(&self.registers))
    }

    fn pad_input(&mut self, cx: &mut Context<'_>, signal: Signal, input: PadInput) {
        let Signal::Sercom { pad, .. } = signal else { return };
        if let (PadInput::Level(high), Some(level)) = (input, self.pads.get_mut(pad as usize)) {
            *level = high;
        }
        self.with_engine(|engine, registers| engine.pad(cx, registers, pad, input));
        self.tell_triggers(cx);
    }

    fn write_protected(&self, offset: u32) -> bool {
        !EXEMPT.iter().any(|exempt| exempt.contains(&offset))
    }

    fn reset(&mut self, _cx: &mut Context<'_>, _kind: ResetKind) {
        *self = Sercom::new(self.registers.instance);
    }
}
