// SPDX-License-Identifier: MIT OR Apache-2.0
//! The converter's registers.

use super::{Adc, Command, ENABLE, FLUSH, RESRDY, START, SWRST, TRIGGER_RESULT};
use crate::Time;
use crate::samr21::peripheral::Context;
use crate::samr21::register::{At, Bank, Choice, Register, choice, ones, ro, rw, up_to};
use lichen_isa::Width;

/// The block's names for its registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Id {
    CtrlA,
    RefCtrl,
    AvgCtrl,
    SampCtrl,
    CtrlB,
    WinCtrl,
    SwTrig,
    InputCtrl,
    EvCtrl,
    IntEnClr,
    IntEnSet,
    IntFlag,
    Status,
    Result,
    WinLt,
    WinUt,
    GainCorr,
    OffsetCorr,
    Calib,
    DbgCtrl,
}

const INTERRUPTS: u8 = 0x0F;
const SYNCBUSY: u32 = 1 << 7;

/// INPUTCTRL.MUXPOS, of which 0x1C is the DAC, MUXNEG and GAIN.
const INPUTCTRL_CHOICES: &[Choice] = &[
    choice(0, 5, 0x1F0F_FFFF).lacking(1 << 0x1C),
    choice(8, 5, 0x0300_00FF),
    choice(24, 4, 0x801F),
];

static REGISTERS: &[Register<Id>] = &[
    rw(Id::CtrlA, 0x00, Width::Byte, 0x07),
    rw(Id::RefCtrl, 0x01, Width::Byte, 0x8F).choosing(&[choice(0, 4, up_to(4))]),
    rw(Id::AvgCtrl, 0x02, Width::Byte, 0x7F).choosing(&[choice(0, 4, up_to(10))]),
    rw(Id::SampCtrl, 0x03, Width::Byte, 0x3F),
    rw(Id::CtrlB, 0x04, Width::Half, 0x073F),
    rw(Id::WinCtrl, 0x08, Width::Byte, 0x07).choosing(&[choice(0, 3, up_to(4))]),
    rw(Id::SwTrig, 0x0C, Width::Byte, 0x03),
    rw(Id::InputCtrl, 0x10, Width::Word, 0x0FFF_1F1F).choosing(INPUTCTRL_CHOICES),
    rw(Id::EvCtrl, 0x14, Width::Byte, 0x33),
    ones(Id::IntEnClr, 0x16, Width::Byte),
    ones(Id::IntEnSet, 0x17, Width::Byte),
    ones(Id::IntFlag, 0x18, Width::Byte),
    ro(Id::Status, 0x19, Width::Byte),
    ro(Id::Result, 0x1A, Width::Half),
    rw(Id::WinLt, 0x1C, Width::Half, 0xFFFF),
    rw(Id::WinUt, 0x20, Width::Half, 0xFFFF),
    rw(Id::GainCorr, 0x24, Width::Half, 0x0FFF),
    rw(Id::OffsetCorr, 0x26, Width::Half, 0x0FFF),
    rw(Id::Calib, 0x28, Width::Half, 0x07FF),
    rw(Id::DbgCtrl, 0x2A, Width::Byte, 0x01),
];

impl Bank for Adc {
    type Id = Id;

    fn registers(&self) -> &'static [Register<Id>] {
        REGISTERS
    }

    fn load(&mut self, cx: &mut Context<'_>, at: At<Id>) -> u32 {
        let settings = &self.settings;
        match at.id {
            Id::CtrlA => self.ctrla as u32,
            Id::RefCtrl => settings.refctrl as u32,
            Id::AvgCtrl => settings.avgctrl as u32,
            Id::SampCtrl => settings.sampctrl as u32,
            Id::CtrlB => settings.ctrlb as u32,
            Id::WinCtrl => self.winctrl as u32,
            Id::SwTrig => match self.crossing.value() {
                Some(Command::Trigger(bits)) => (bits & (FLUSH | START)) as u32,
                _ => 0,
            },
            Id::InputCtrl | Id::Result => self.synchronized_read(cx, at.id),
            Id::EvCtrl => self.evctrl as u32,
            Id::IntEnClr | Id::IntEnSet => self.enabled_interrupts as u32,
            Id::IntFlag => self.flags as u32,
            Id::Status if self.crossing.is_busy(cx.now) => SYNCBUSY,
            Id::Status => 0,
            Id::WinLt => self.winlt as u32,
            Id::WinUt => self.winut as u32,
            Id::GainCorr => settings.gaincorr as u32,
            Id::OffsetCorr => settings.offsetcorr as u32,
            Id::Calib => self.calib as u32,
            Id::DbgCtrl => self.dbgctrl as u32,
        }
    }

    fn holds_until(&self, now: Time, at: At<Id>) -> Time {
        match at.id {
            Id::Status => self.crossing.holds_until(now),
            Id::CtrlA | Id::SwTrig | Id::IntFlag => Time::NEVER,
            _ => Time::ZERO,
        }
    }

    fn store(&mut self, cx: &mut Context<'_>, at: At<Id>, value: u32) {
        let half = |old: u16| at.merge(old as u32, value) as u16;
        match at.id {
            Id::RefCtrl => self.settings.refctrl = value as u8,
            Id::AvgCtrl => self.settings.avgctrl = value as u8,
            Id::SampCtrl => self.settings.sampctrl = value as u8,
            Id::EvCtrl => self.evctrl = value as u8,
            Id::IntEnClr => self.enabled_interrupts &= !(value as u8),
            Id::IntEnSet => self.enabled_interrupts |= value as u8 & INTERRUPTS,
            Id::IntFlag => self.flags &= !(value as u8),
            Id::GainCorr => self.settings.gaincorr = half(self.settings.gaincorr),
            Id::OffsetCorr => self.settings.offsetcorr = half(self.settings.offsetcorr),
            Id::Calib => self.calib = half(self.calib),
            Id::DbgCtrl => self.dbgctrl = value as u8,
            Id::Status | Id::Result => {}
            _ if self.waits(cx) => {}
            _ => self.synchronized_write(cx, at, value),
        }
    }
}

impl Adc {
    /// A write to a register that crosses clock domains; the stall was already requested.
    fn synchronized_write(&mut self, cx: &mut Context<'_>, at: At<Id>, value: u32) {
        let half = |old: u16| at.merge(old as u32, value) as u16;
        match at.id {
            Id::CtrlA => return self.write_ctrla(cx, value as u8),
            Id::SwTrig => return self.cross(cx, Command::Trigger(value as u8)),
            Id::CtrlB => self.settings.ctrlb = half(self.settings.ctrlb),
            Id::WinCtrl => self.winctrl = value as u8,
            Id::InputCtrl => {
                self.settings.inputctrl = at.merge(self.settings.inputctrl, value);
            }
            Id::WinLt => self.winlt = half(self.winlt),
            _ => self.winut = half(self.winut),
        }
        self.cross(cx, Command::Setting);
    }

    fn write_ctrla(&mut self, cx: &mut Context<'_>, value: u8) {
        let changed = self.ctrla ^ value;
        self.ctrla = value;
        if value & SWRST != 0 {
            self.cross(cx, Command::Reset);
        } else if changed & ENABLE != 0 {
            self.cross(cx, Command::Enable);
        }
    }

    /// A read of a register on the other side: stalls until it is fetched.
    fn synchronized_read(&mut self, cx: &mut Context<'_>, id: Id) -> u32 {
        if self.waits(cx) {
            return 0;
        }
        if !std::mem::take(&mut self.read_done) {
            self.cross(cx, Command::Read);
            self.waits(cx);
            return 0;
        }
        if id == Id::InputCtrl {
            return self.settings.inputctrl;
        }
        self.flags &= !RESRDY;
        if std::mem::take(&mut self.unread) {
            cx.out.trigger(TRIGGER_RESULT, false);
        }
        self.result as u32
    }
}
