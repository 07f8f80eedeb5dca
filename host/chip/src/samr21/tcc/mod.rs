// SPDX-License-Identifier: MIT OR Apache-2.0
//! TCC: timers for control applications (data sheet, chapter "TCC - Timer/Counter for Control
//! Applications"). Counting, buffered values, single-slope pulse width modulation, patterns,
//! events; dithering, dual slopes, dead times and faults are registers only.

mod registers;
#[cfg(test)]
mod tests;
mod timer;

use super::register::{self, At, Bank, Register};
use crate::clock::Clock;
use crate::samr21::peripheral::{Context, Peripheral, ResetKind};
use crate::samr21::sync::Crossing;
use crate::{OFF, Time, WarningKind};
use registers::{
    BUSY_CTRLB, BUSY_ENABLE, BUSY_SWRST, CCBV0, CMD, ENABLE, INTERRUPTS, Id, PATTBV, PERBV,
    REGISTERS, RUNSTDBY, STATUS_CLEARS, SWRST, SYNCHRONIZERS, VARIANTS, Variant, WAVEBV, busy_bit,
};
use timer::{Timer, Values};

/// Bridge of the peripheral bus that timers are on (C).
const BRIDGE: u8 = 2;
/// Offsets exempt from write protection: INTFLAG, STATUS, COUNT, and values with their buffers.
const EXEMPT: [std::ops::Range<u32>; 2] = [0x2C..0x54, 0x64..0x80];

/// A timer for control applications.
#[derive(Clone, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub struct Tcc {
    #[borsh(
        serialize_with = "crate::row::serialize",
        deserialize_with = "crate::row::deserialize"
    )]
    variant: &'static Variant,
    ctrla: u32,
    ctrlb: u8,
    fault: [u32; 2],
    wexctrl: u32,
    drvctrl: u32,
    dbgctrl: u8,
    evctrl: u32,
    enabled_interrupts: u32,
    /// The written values, and which of them are still crossing.
    values: Values,
    buffers: Values,
    count: u32,
    status_clears: u32,
    timer: Timer,
    /// The writes under way, by their bits of SYNCBUSY.
    crossings: [Crossing<()>; SYNCHRONIZERS],
    /// The count fetched by the READSYNC command.
    fetched: u32,
}

impl Tcc {
    /// TCC`instance` (0 to 2) after reset.
    pub fn new(instance: u8) -> Tcc {
        Tcc::of(&VARIANTS[instance as usize % VARIANTS.len()])
    }

    fn of(variant: &'static Variant) -> Tcc {
        let timer = Timer::new(variant);
        Tcc {
            variant,
            ctrla: 0,
            ctrlb: 0,
            fault: [0; 2],
            wexctrl: 0,
            drvctrl: 0,
            dbgctrl: 0,
            evctrl: 0,
            enabled_interrupts: 0,
            values: timer.values,
            buffers: timer.buffers,
            count: 0,
            status_clears: 0,
            timer,
            crossings: [Crossing::default(); SYNCHRONIZERS],
            fetched: 0,
        }
    }

    fn clock(&self, cx: &Context<'_>) -> Option<Clock> {
        cx.clocks.generic(self.variant.clock)
    }

    fn cross(&mut self, cx: &mut Context<'_>, bit: usize) {
        let clock = self.clock(cx);
        if clock.is_none() {
            cx.out.warn(WarningKind::CoreUnclocked);
        }
        self.crossings[bit].start(cx.now, clock, cx.clocks.bus(BRIDGE), ());
    }

    /// Whether a reset is under way, or the register is busy: the access must wait.
    fn waits(&self, cx: &mut Context<'_>, bit: usize) -> bool {
        let stalls = |bit: usize| self.crossings[bit].stall(cx.now, cx.out);
        [BUSY_SWRST, bit].into_iter().any(stalls)
    }

    fn sync_busy(&self, now: Time) -> u32 {
        let busy =
            |(bit, crossing): (usize, &Crossing<()>)| u32::from(crossing.is_busy(now)) << bit;
        self.crossings.iter().enumerate().map(busy).fold(0, |all, bit| all | bit)
    }

    fn write_ctrla(&mut self, cx: &mut Context<'_>, value: u32) {
        if value & SWRST != 0 {
            self.timer.disable(cx);
            *self = Tcc::of(self.variant);
            self.cross(cx, BUSY_SWRST);
            return;
        }
        let old = self.ctrla;
        self.ctrla = value;
        if old & ENABLE != 0 {
            // Everything except the enable bit is locked, also in the write that clears it.
            if value & ENABLE != 0 && value != old {
                cx.out.warn(WarningKind::Protected);
            }
            self.ctrla = (old & !ENABLE) | (value & ENABLE);
        }
        if (old ^ value) & ENABLE != 0 {
            self.cross(cx, BUSY_ENABLE);
        }
    }

    fn write_control(&mut self, cx: &mut Context<'_>, set: bool, value: u8) {
        let bits = value & !CMD;
        self.ctrlb = match set {
            true => self.ctrlb & !CMD | bits | if value & CMD != 0 { value & CMD } else { 0 },
            false => self.ctrlb & !value,
        };
        self.cross(cx, BUSY_CTRLB);
    }

    /// Registers that may not change while the timer is enabled.
    fn write_configuration(&mut self, cx: &mut Context<'_>, at: At<Id>, value: u32) {
        if self.ctrla & ENABLE != 0 {
            cx.out.warn(WarningKind::Protected);
            return;
        }
        let register = match at.id {
            Id::FaultCtrl => &mut self.fault[at.index],
            Id::WexCtrl => &mut self.wexctrl,
            Id::DrvCtrl => &mut self.drvctrl,
            _ => &mut self.evctrl,
        };
        *register = at.merge(*register, value);
    }

    /// A write to a register that crosses clock domains; the stall was already requested.
    fn write_value(&mut self, cx: &mut Context<'_>, at: At<Id>, value: u32, bit: usize) {
        let word = |old: u32| at.merge(old, value);
        match at.id {
            Id::Status => self.status_clears = value,
            Id::Count => self.count = word(self.timer.count(cx.now)),
            Id::Patt => self.values.pattern = word(self.values.pattern as u32) as u16,
            Id::Wave => self.values.wave = word(self.values.wave),
            Id::Per => self.values.period = word(self.values.period),
            Id::Cc => self.values.compare[at.index] = word(self.values.compare[at.index]),
            Id::PattBuf => self.buffers.pattern = word(self.buffers.pattern as u32) as u16,
            Id::WaveBuf => self.buffers.wave = word(self.buffers.wave),
            Id::PerBuf => self.buffers.period = word(self.buffers.period),
            _ => self.buffers.compare[at.index] = word(self.buffers.compare[at.index]),
        }
        self.cross(cx, bit);
    }

    /// A write reaches the counting side.
    fn arrive(&mut self, cx: &mut Context<'_>, bit: usize) {
        let timer = &mut self.timer;
        match bit {
            BUSY_SWRST => {}
            BUSY_ENABLE if self.ctrla & ENABLE != 0 => {
                timer.ctrla = self.ctrla;
                timer.evctrl = self.evctrl;
                timer.drvctrl = self.drvctrl;
                let clock = self.clock(cx);
                self.timer.enable(cx, clock);
            }
            BUSY_ENABLE => timer.disable(cx),
            BUSY_CTRLB => self.arrive_control(cx),
            3 => timer.status &= !self.status_clears,
            4 => timer.set_count(cx.now, self.count),
            5 => timer.values.pattern = self.values.pattern,
            6 => timer.values.wave = self.values.wave,
            7 => timer.values.period = self.values.period,
            8..=11 => timer.values.compare[bit - 8] = self.values.compare[bit - 8],
            16 => timer.buffers.pattern = self.buffers.pattern,
            17 => timer.buffers.wave = self.buffers.wave,
            18 => timer.buffers.period = self.buffers.period,
            _ => timer.buffers.compare[bit - 19] = self.buffers.compare[bit - 19],
        }
        match bit {
            5..=11 => self.timer.values_changed(cx),
            16 => self.timer.status |= PATTBV,
            17 => self.timer.status |= WAVEBV,
            18 => self.timer.status |= PERBV,
            19.. => self.timer.status |= CCBV0 << (bit - 19),
            _ => {}
        }
    }

    fn arrive_control(&mut self, cx: &mut Context<'_>) {
        const READSYNC: u8 = 4;
        let command = self.ctrlb >> CMD.trailing_zeros();
        self.ctrlb &= !CMD;
        self.timer.control = self.ctrlb;
        if command == READSYNC {
            self.fetched = self.timer.count(cx.now);
        } else {
            self.timer.command(cx, command);
        }
    }
}

impl Bank for Tcc {
    type Id = Id;

    fn registers(&self) -> &'static [Register<Id>] {
        REGISTERS
    }

    fn load(&mut self, cx: &mut Context<'_>, at: At<Id>) -> u32 {
        // Values follow their buffers, and captures, on the other side.
        let busy = busy_bit(at.id, at.index).is_some_and(|bit| self.crossings[bit].is_busy(cx.now));
        let values = if busy { &self.values } else { &self.timer.values };
        match at.id {
            Id::CtrlA => self.ctrla | self.crossings[BUSY_SWRST].is_busy(cx.now) as u32,
            Id::CtrlBClr | Id::CtrlBSet => self.ctrlb as u32,
            Id::SyncBusy => self.sync_busy(cx.now),
            Id::FaultCtrl => self.fault[at.index],
            Id::WexCtrl => self.wexctrl,
            Id::DrvCtrl => self.drvctrl,
            Id::DbgCtrl => self.dbgctrl as u32,
            Id::EvCtrl => self.evctrl,
            Id::IntEnClr | Id::IntEnSet => self.enabled_interrupts,
            Id::IntFlag => self.timer.flags,
            Id::Status => self.timer.status(),
            Id::Count => self.fetched,
            Id::Patt => values.pattern as u32,
            Id::Wave => values.wave,
            Id::Per => values.period,
            Id::Cc => {
                let value = values.compare[at.index];
                self.timer.fetched(at.index);
                value
            }
            Id::PattBuf => self.buffers.pattern as u32,
            Id::WaveBuf => self.buffers.wave,
            Id::PerBuf => self.buffers.period,
            Id::CcBuf => self.buffers.compare[at.index],
        }
    }

    fn holds_until(&self, now: Time, at: At<Id>) -> Time {
        match at.id {
            Id::CtrlA | Id::SyncBusy => {
                let holds = self.crossings.iter().map(|crossing| crossing.holds_until(now));
                holds.fold(Time::NEVER, Time::min)
            }
            Id::IntFlag | Id::Status => Time::NEVER,
            _ => Time::ZERO,
        }
    }

    fn store(&mut self, cx: &mut Context<'_>, at: At<Id>, value: u32) {
        match at.id {
            Id::CtrlA if self.waits(cx, BUSY_ENABLE) => {}
            Id::CtrlA => self.write_ctrla(cx, at.merge(self.ctrla, value)),
            Id::CtrlBClr | Id::CtrlBSet if self.waits(cx, BUSY_CTRLB) => {}
            Id::CtrlBClr | Id::CtrlBSet => {
                self.write_control(cx, at.id == Id::CtrlBSet, value as u8);
            }
            Id::FaultCtrl | Id::WexCtrl | Id::DrvCtrl | Id::EvCtrl => {
                self.write_configuration(cx, at, value);
            }
            Id::DbgCtrl => self.dbgctrl = value as u8,
            Id::IntEnClr => self.enabled_interrupts &= !value,
            Id::IntEnSet => self.enabled_interrupts |= value & INTERRUPTS,
            Id::IntFlag => self.timer.flags &= !value,
            Id::SyncBusy => {}
            _ => {
                let exists =
                    !matches!(at.id, Id::Cc | Id::CcBuf) || at.index < self.variant.channels;
                match busy_bit(at.id, at.index) {
                    Some(_) if !exists => cx.out.warn(WarningKind::NoRegister),
                    Some(bit) if !self.waits(cx, bit) => {
                        let kept = if at.id == Id::Status { STATUS_CLEARS } else { u32::MAX };
                        self.write_value(cx, at, value & kept, bit);
                    }
                    _ => {}
                }
            }
        }
    }
}

impl Peripheral for Tcc {
    register::answer_by_registers!();

    fn due(&self) -> Time {
        self.crossings.iter().map(Crossing::arrives).fold(self.timer.due(), Time::min)
    }

    fn fire(&mut self, cx: &mut Context<'_>) {
        self.timer.fire(cx);
        for bit in 0..SYNCHRONIZERS {
            if self.crossings[bit].arrive(cx.now).is_some() {
                self.arrive(cx, bit);
            }
        }
    }

    fn activity(&self) -> &'static str {
        if self.timer.is_enabled() { "counting" } else { OFF }
    }

    fn irq(&self) -> bool {
        self.timer.flags & self.enabled_interrupts != 0
    }

    fn interrupts(&self) -> bool {
        self.enabled_interrupts != 0 && self.timer.is_enabled()
    }

    fn clocks_changed(&mut self, cx: &mut Context<'_>) {
        let (clock, bus) = (self.clock(cx), cx.clocks.bus(BRIDGE));
        for crossing in &mut self.crossings {
            crossing.clocks_changed(cx.now, clock, bus);
        }
        self.timer.clocks_changed(cx.now, clock);
    }

    fn wants_clock(&self, channel: u8) -> bool {
        channel == self.variant.clock && self.ctrla & (ENABLE | RUNSTDBY) == ENABLE | RUNSTDBY
    }

    fn event(&mut self, cx: &mut Context<'_>, user: u8) {
        if let Some(input) = user.checked_sub(self.variant.user) {
            self.timer.event(cx, input as usize);
        }
    }

    fn write_protected(&self, offset: u32) -> bool {
        !EXEMPT.iter().any(|exempt| exempt.contains(&offset))
    }

    fn reset(&mut self, _cx: &mut Context<'_>, _kind: ResetKind) {
        *self = Tcc::of(self.variant);
    }
}
