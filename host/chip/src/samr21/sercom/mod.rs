// SPDX-License-Identifier: MIT OR Apache-2.0
//! SERCOM: serial interfaces (data sheet, chapters "SERCOM", "SERCOM USART", "SERCOM SPI",
//! "SERCOM I2C").
//!
//! Registers, synchronization and interrupts are common; the engine of its mode does the work of an
//! enabled interface.

mod access;
mod baud;
mod engine;
mod i2c;
mod receive;
mod registers;
mod spi;
#[cfg(test)]
mod tests;
mod transmit;
mod usart;

use super::register::{At, warn_of_choices};
use crate::clock::Clock;
use crate::samr21::peripheral::Context;
use crate::samr21::sync::{Crossing, Synchronizer};
use crate::{Time, WarningKind};
use engine::{AnyEngine, Engine};
use i2c::I2c;
use registers::{ENABLE, Id, Mode, Registers, SWRST};
use spi::Spi;
use usart::Usart;

/// Bridge of the peripheral bus that serial interfaces are on (C).
const BRIDGE: u8 = 2;
/// Generic clock channel of SERCOM0's core clock.
const CORE_CHANNEL: u8 = 20;

/// CTRLB.CMD of I2C; it reads as zero.
const COMMAND: u32 = 3 << 16;

/// What is on its way to the engine beside ENABLE.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
enum Control {
    /// CTRLB.
    Settings,
    /// An operation of I2C, which the engine already knows of.
    Operation,
}

/// A serial interface.
#[derive(Clone, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub struct Sercom {
    registers: Registers,
    resetting: Synchronizer,
    /// ENABLE on its way to the engine.
    enabling: Crossing<()>,
    /// CTRLB of USART and SPI, SYSOP of I2C.
    controlling: Crossing<Control>,
    /// The engine, while the interface is enabled in a mode that is modelled.
    engine: Option<AnyEngine>,
    /// Levels on the pads, as last reported by the port.
    pads: [bool; 4],
    /// Levels of the DMA triggers as last reported: receive, transmit.
    triggers: [bool; 2],
}

impl Sercom {
    /// SERCOM`instance` after reset.
    pub fn new(instance: u8) -> Sercom {
        Sercom {
            registers: Registers::new(instance),
            resetting: Synchronizer::default(),
            enabling: Crossing::default(),
            controlling: Crossing::default(),
            engine: None,
            pads: [false; 4],
            triggers: [false; 2],
        }
    }

    fn core_channel(&self) -> u8 {
        CORE_CHANNEL + self.registers.instance
    }

    fn core_clock(&self, cx: &Context<'_>) -> Option<Clock> {
        cx.clocks.generic(self.core_channel())
    }

    fn flags(&self) -> u8 {
        let engine = self.engine.as_ref();
        engine.map_or(self.registers.flags, |engine| engine.get().flags(&self.registers))
    }

    /// Runs a step of the engine, if there is one.
    fn with_engine(&mut self, what: impl FnOnce(&mut dyn Engine, &mut Registers)) {
        if let Some(engine) = &mut self.engine {
            what(engine.get_mut(), &mut self.registers);
        }
    }

    /// The core clock for a crossing, which waits for it.
    fn core_clock_or_warn(&self, cx: &mut Context<'_>) -> Option<Clock> {
        let clock = self.core_clock(cx);
        if clock.is_none() {
            cx.out.warn(WarningKind::CoreUnclocked);
        }
        clock
    }

    fn send_enable(&mut self, cx: &mut Context<'_>) {
        let clock = self.core_clock_or_warn(cx);
        self.enabling.start(cx.now, clock, cx.clocks.bus(BRIDGE), ());
    }

    fn send(&mut self, cx: &mut Context<'_>, control: Control) {
        let clock = self.core_clock_or_warn(cx);
        self.controlling.start(cx.now, clock, cx.clocks.bus(BRIDGE), control);
    }

    fn write_ctrla(&mut self, cx: &mut Context<'_>, at: At<Id>, value: u32) {
        let old = self.registers.ctrla;
        let value = at.merge(old, value);
        if value & SWRST != 0 {
            self.software_reset(cx);
            return;
        }
        let mask = Registers::mode_of(value).ctrla_mask();
        if value & !mask != 0 {
            cx.out.warn(WarningKind::Reserved);
        }
        warn_of_choices(cx, Registers::mode_of(value).ctrla_choices(), u32::MAX, value);
        if old & ENABLE == 0 {
            self.registers.ctrla = value & mask;
        } else {
            // Everything except the enable bit is locked, also in the write that clears it.
            if value & ENABLE != 0 && value != old {
                cx.out.warn(WarningKind::Protected);
            }
            self.registers.ctrla = (old & !ENABLE) | (value & ENABLE);
        }
        if (old ^ value) & ENABLE != 0 {
            self.send_enable(cx);
        }
    }

    fn software_reset(&mut self, cx: &mut Context<'_>) {
        // The reset reaches the core without its clock: firmware waits for the reset before it
        // provides one.
        let bus = cx.clocks.bus(BRIDGE);
        let clock = self.core_clock(cx).unwrap_or(bus);
        self.stop_engine(cx);
        self.registers = Registers::new(self.registers.instance);
        self.enabling = Crossing::default();
        self.controlling = Crossing::default();
        self.resetting.start(cx.now, Some(clock), bus);
    }

    fn write_ctrlb(&mut self, cx: &mut Context<'_>, at: At<Id>, value: u32) {
        let old = self.registers.ctrlb;
        let mut value = at.merge(old, value);
        if self.registers.is_enabled() {
            let live = self.registers.mode().live_ctrlb();
            if (old ^ value) & !live != 0 {
                cx.out.warn(WarningKind::Protected);
            }
            value = (old & !live) | (value & live);
            if self.controlling.is_busy(cx.now) {
                // The data sheet forbids it; the later write counts.
                cx.out.warn(WarningKind::Protected);
            }
            self.send(cx, Control::Settings);
        }
        let command = value & COMMAND;
        self.registers.ctrlb = if self.is_i2c() { value & !COMMAND } else { value };
        self.warn_unmodelled(cx);
        if self.is_i2c() && command != 0 {
            let command = command >> COMMAND.trailing_zeros();
            self.with_engine(|engine, registers| engine.command(cx, registers, command));
        }
    }

    fn is_i2c(&self) -> bool {
        matches!(self.registers.mode(), Mode::I2cMaster | Mode::I2cSlave)
    }

    /// Reports a mode that is not modelled, when it is enabled.
    fn warn_unmodelled(&self, cx: &mut Context<'_>) {
        let unmodelled =
            matches!(self.registers.mode(), Mode::UsartExternal | Mode::SpiSlave | Mode::I2cSlave);
        if unmodelled && self.registers.is_enabled() {
            cx.out.warn(WarningKind::NotModelled);
        }
    }

    fn start_engine(&mut self, cx: &mut Context<'_>) {
        let clock = self.core_clock(cx);
        self.warn_unmodelled(cx);
        let (registers, pads) = (&mut self.registers, self.pads);
        self.engine = match registers.mode() {
            Mode::UsartInternal => Some(AnyEngine::Usart(Usart::new(cx, registers, clock, pads))),
            // There is no clock on the pad.
            Mode::UsartExternal => Some(AnyEngine::Usart(Usart::new(cx, registers, None, pads))),
            Mode::SpiMaster => Some(AnyEngine::Spi(Spi::new(cx, registers, clock, pads))),
            Mode::I2cMaster => Some(AnyEngine::I2c(I2c::new(cx, registers, clock, pads))),
            Mode::SpiSlave | Mode::I2cSlave | Mode::Reserved => None,
        };
    }

    fn stop_engine(&mut self, cx: &mut Context<'_>) {
        if let Some(mut engine) = self.engine.take() {
            engine.get_mut().stop(cx, &mut self.registers);
        }
    }

    /// Applies what has crossed into the core clock's domain by now.
    fn cross(&mut self, cx: &mut Context<'_>) {
        if self.enabling.arrive(cx.now).is_some() {
            self.stop_engine(cx);
            if self.registers.is_enabled() {
                self.start_engine(cx);
            }
        }
        if self.controlling.arrive(cx.now) == Some(Control::Settings) {
            self.with_engine(|engine, registers| engine.ctrlb_applied(cx, registers));
        }
    }

    fn sync_busy(&self, now: Time) -> u32 {
        self.resetting.is_busy(now) as u32
            | (self.enabling.is_busy(now) as u32) << 1
            | (self.controlling.is_busy(now) as u32) << 2
    }

    /// Reports changed triggers to the DMA controller.
    fn tell_triggers(&mut self, cx: &mut Context<'_>) {
        const FIRST: u8 = 1;
        let engine = self.engine.as_ref();
        let requests = engine.map_or([false; 2], |it| it.get().requests(&self.registers));
        for (n, active) in requests.into_iter().enumerate() {
            if self.triggers[n] != active {
                self.triggers[n] = active;
                cx.out.trigger(FIRST + 2 * self.registers.instance + n as u8, active);
            }
        }
    }

    fn read_data(&mut self, cx: &mut Context<'_>) -> u16 {
        let registers = &mut self.registers;
        self.engine.as_mut().map_or(0, |engine| engine.get_mut().read_data(cx, registers))
    }

    /// ADDR starts an I2C transaction; elsewhere it is configuration.
    fn write_addr(&mut self, cx: &mut Context<'_>, at: At<Id>, value: u32) {
        if self.registers.mode() != Mode::I2cMaster {
            if !self.is_locked(cx) {
                self.registers.addr = at.merge(self.registers.addr, value);
            }
            return;
        }
        self.registers.addr = at.merge(self.registers.addr, value);
        if self.engine.is_some() {
            self.send(cx, Control::Operation);
        }
        self.with_engine(|engine, registers| engine.write_addr(cx, registers));
    }

    /// Errors are cleared by writing ones; I2C's bus state is written as a number.
    fn write_status(&mut self, cx: &mut Context<'_>, value: u16) {
        const BUSSTATE: u16 = 3 << 4;
        self.registers.status &= !(value & self.registers.mode().errors());
        let state = (value & BUSSTATE) >> BUSSTATE.trailing_zeros();
        let is_master = self.registers.mode() == Mode::I2cMaster;
        if is_master && state != 0 && self.engine.is_some() {
            self.send(cx, Control::Operation);
            self.with_engine(|engine, registers| engine.write_bus_state(cx, registers, state));
        }
    }

    /// A write to a register that may not change while the interface is enabled.
    fn is_locked(&self, cx: &mut Context<'_>) -> bool {
        let locked = self.registers.is_enabled();
        if locked {
            cx.out.warn(WarningKind::Protected);
        }
        locked
    }
}
