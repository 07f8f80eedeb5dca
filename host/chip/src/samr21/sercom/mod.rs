//! SERCOM: serial interfaces (data sheet, chapters "SERCOM", "SERCOM USART", "SERCOM SPI",
//! "SERCOM I2C").
//!
//! Registers, synchronization and interrupts are common; what an enabled interface does is the
//! engine of its mode.

mod baud;
mod receive;
mod registers;
#[cfg(test)]
mod tests;
mod transmit;
mod usart;

use super::register::{self, At, Bank, Register};
use crate::clock::Clock;
use crate::peripheral::{Context, PadInput, Peripheral, ResetKind, Signal};
use crate::sync::Synchronizer;
use crate::{Time, WarningKind};
use lichen_isa::Width;
use registers::{ENABLE, Id, Mode, Registers, SWRST};
use usart::Usart;

/// Bridge of the peripheral bus that serial interfaces are on (C).
const BRIDGE: u8 = 2;
/// Generic clock channel of SERCOM0's core clock.
const CORE_CHANNEL: u8 = 20;

/// What an enabled interface does.
#[derive(Clone, Debug)]
enum Engine {
    /// Not enabled, or in a mode that does not exist.
    Off,
    Usart(Usart),
}

/// A serial interface.
pub struct Sercom {
    registers: Registers,
    resetting: Synchronizer,
    enabling: Synchronizer,
    /// CTRLB of USART and SPI, SYSOP of I2C.
    controlling: Synchronizer,
    /// Whether a write to ENABLE, or to CTRLB, is yet to reach the engine.
    enable_pending: bool,
    control_pending: bool,
    engine: Engine,
    /// Levels on the pads, as the port last told.
    pads: [bool; 4],
    /// Levels of the DMA triggers as last told: receive, transmit.
    triggers: [bool; 2],
}

impl Sercom {
    /// SERCOM`instance` after reset.
    pub fn new(instance: u8) -> Sercom {
        Sercom {
            registers: Registers::new(instance),
            resetting: Synchronizer::default(),
            enabling: Synchronizer::default(),
            controlling: Synchronizer::default(),
            enable_pending: false,
            control_pending: false,
            engine: Engine::Off,
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
        match &self.engine {
            Engine::Off => self.registers.flags,
            Engine::Usart(usart) => usart.flags(&self.registers),
        }
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
        if old & ENABLE != 0 && (old ^ value) & !ENABLE != 0 {
            // Everything but the enable bit is enable-protected.
            cx.out.warn(WarningKind::Protected);
            self.registers.ctrla = (old & !ENABLE) | (value & ENABLE);
        } else {
            self.registers.ctrla = value & mask;
        }
        if (old ^ value) & ENABLE != 0 {
            let clock = self.core_clock(cx);
            self.enabling.start(cx.now, clock, cx.clocks.bus(BRIDGE));
            self.enable_pending = true;
        }
    }

    fn software_reset(&mut self, cx: &mut Context<'_>) {
        // The reset reaches the core without its clock: firmware waits for it before giving one.
        let bus = cx.clocks.bus(BRIDGE);
        let clock = self.core_clock(cx).unwrap_or(bus);
        self.stop_engine(cx);
        self.registers = Registers::new(self.registers.instance);
        self.enabling.reset();
        self.controlling.reset();
        (self.enable_pending, self.control_pending) = (false, false);
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
            let clock = self.core_clock(cx);
            self.controlling.start(cx.now, clock, cx.clocks.bus(BRIDGE));
            self.control_pending = true;
        }
        self.registers.ctrlb = value;
        self.warn_unmodelled(cx);
    }

    /// Reports features of the chip that this model lacks, when they are chosen.
    fn warn_unmodelled(&self, cx: &mut Context<'_>) {
        const COLDEN_ENC: u32 = 0x0500;
        const AUTOBAUD: [u32; 2] = [4, 5];
        let usart = matches!(self.registers.mode(), Mode::UsartInternal | Mode::UsartExternal);
        let chosen = self.registers.ctrlb & COLDEN_ENC != 0
            || AUTOBAUD.contains(&self.registers.form())
            || self.registers.mode() == Mode::UsartExternal && self.registers.is_enabled();
        if usart && chosen {
            cx.out.warn(WarningKind::NotModelled);
        }
    }

    fn start_engine(&mut self, cx: &mut Context<'_>) {
        let clock = self.core_clock(cx);
        self.warn_unmodelled(cx);
        let registers = &mut self.registers;
        self.engine = match registers.mode() {
            Mode::UsartInternal => Engine::Usart(Usart::new(cx, registers, clock, self.pads)),
            Mode::UsartExternal => Engine::Usart(Usart::new(cx, registers, None, self.pads)),
            _ => Engine::Off,
        };
    }

    fn stop_engine(&mut self, cx: &mut Context<'_>) {
        match std::mem::replace(&mut self.engine, Engine::Off) {
            Engine::Off => {}
            Engine::Usart(mut usart) => usart.stop(cx, &mut self.registers),
        }
    }

    /// Takes up what has crossed into the core clock's domain by now.
    fn cross(&mut self, cx: &mut Context<'_>) {
        if self.enable_pending && self.enabling.applied() <= cx.now {
            self.enable_pending = false;
            self.stop_engine(cx);
            if self.registers.is_enabled() {
                self.start_engine(cx);
            }
        }
        if self.control_pending && self.controlling.applied() <= cx.now {
            self.control_pending = false;
            if let Engine::Usart(usart) = &mut self.engine {
                usart.ctrlb_applied(cx, &mut self.registers);
            }
        }
    }

    fn sync_busy(&self, now: Time) -> u32 {
        self.resetting.is_busy(now) as u32
            | (self.enabling.is_busy(now) as u32) << 1
            | (self.controlling.is_busy(now) as u32) << 2
    }

    /// Tells the DMA controller what changed of the triggers.
    fn tell_triggers(&mut self, cx: &mut Context<'_>) {
        const FIRST: u8 = 1;
        let flags = self.flags();
        let levels = match self.registers.mode() {
            Mode::I2cMaster => [flags >> 1 & 1, flags & 1],
            _ => [flags >> 2 & 1, flags & 1],
        };
        for (n, level) in levels.into_iter().enumerate() {
            let active = level != 0;
            if self.triggers[n] != active {
                self.triggers[n] = active;
                cx.out.trigger(FIRST + 2 * self.registers.instance + n as u8, active);
            }
        }
    }

    fn write_data(&mut self, cx: &mut Context<'_>, value: u16) {
        if let Engine::Usart(usart) = &mut self.engine {
            usart.write_data(cx, &mut self.registers, value);
        }
    }

    fn read_data(&mut self, cx: &mut Context<'_>) -> u16 {
        match &mut self.engine {
            Engine::Off => 0,
            Engine::Usart(usart) => usart.read_data(cx, &mut self.registers),
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
            Id::Status => self.registers.status &= !(value as u16),
            Id::Addr => self.registers.addr = at.merge(self.registers.addr, value),
            Id::Data => self.write_data(cx, value as u16),
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

    fn write(&mut self, cx: &mut Context<'_>, offset: u32, width: Width, value: u32) {
        if self.resetting.is_busy(cx.now) {
            cx.out.warn(WarningKind::Protected);
            return;
        }
        register::write(self, cx, offset, width, value);
        self.tell_triggers(cx);
    }

    fn due(&self) -> Time {
        let pending = |is: bool, sync: &Synchronizer| if is { sync.applied() } else { Time::NEVER };
        let engine = match &self.engine {
            Engine::Off => Time::NEVER,
            Engine::Usart(usart) => usart.due(),
        };
        engine
            .min(pending(self.enable_pending, &self.enabling))
            .min(pending(self.control_pending, &self.controlling))
    }

    fn fire(&mut self, cx: &mut Context<'_>) {
        self.cross(cx);
        match &mut self.engine {
            Engine::Off => {}
            Engine::Usart(usart) => usart.fire(cx, &mut self.registers),
        }
        self.tell_triggers(cx);
    }

    fn irq(&self) -> bool {
        self.flags() & self.registers.enabled_interrupts != 0
    }

    fn clocks_changed(&mut self, cx: &mut Context<'_>) {
        let clock = self.core_clock(cx);
        let bus = cx.clocks.bus(BRIDGE);
        self.resetting.clocks_changed(cx.now, clock.or(Some(bus)), bus);
        for sync in [&mut self.enabling, &mut self.controlling] {
            sync.clocks_changed(cx.now, clock, bus);
        }
        match &mut self.engine {
            Engine::Usart(usart) if self.registers.mode() == Mode::UsartInternal => {
                usart.clocks_changed(cx, &mut self.registers, clock);
            }
            _ => {}
        }
        self.tell_triggers(cx);
    }

    fn wants_clock(&self, channel: u8) -> bool {
        channel == self.core_channel()
            && match &self.engine {
                Engine::Off => false,
                Engine::Usart(usart) => usart.wants_clock(&self.registers),
            }
    }

    fn pad_input(&mut self, cx: &mut Context<'_>, signal: Signal, input: PadInput) {
        let Signal::Sercom { pad, .. } = signal else { return };
        if let (PadInput::Level(high), Some(level)) = (input, self.pads.get_mut(pad as usize)) {
            *level = high;
        }
        match &mut self.engine {
            Engine::Off => {}
            Engine::Usart(usart) => usart.pad(cx, &mut self.registers, pad, input),
        }
        self.tell_triggers(cx);
    }

    fn reset(&mut self, _cx: &mut Context<'_>, _kind: ResetKind) {
        *self = Sercom::new(self.registers.instance);
    }
}
