// SPDX-License-Identifier: MIT OR Apache-2.0
//! The RTC's registers, which depend on its mode.

use super::counter::Mode;
use crate::samr21::register::{Access, Choice, Register, array, choice, ones, ro, rw, up_to};
use lichen_isa::Width;

#[derive(Clone, Copy)]
pub(crate) enum Id {
    Ctrl,
    ReadReq,
    EvCtrl,
    IntenClr,
    IntenSet,
    Intflag,
    Status,
    DbgCtrl,
    FreqCorr,
    /// COUNT or CLOCK.
    Count,
    Period,
    /// COMP0, COMP1 or ALARM0.
    Compare,
    Mask,
}

/// COUNT or CLOCK is distinguished from plain registers: all its bits may be written.
const fn count(width: Width) -> Register<Id> {
    Register {
        id: Id::Count,
        offset: 0x10,
        width,
        count: 1,
        mask: u32::MAX,
        access: Access::ReadWrite,
        choices: &[],
    }
}

/// CTRL.MODE and PRESCALER.
const CTRL_CHOICES: &[Choice] = &[choice(2, 2, up_to(2)), choice(8, 4, up_to(10))];
/// MASK.SEL.
const MASK_CHOICES: &[Choice] = &[choice(0, 3, up_to(6))];

const READREQ: Register<Id> = rw(Id::ReadReq, 0x02, Width::Half, 0xC03F);
const INTENCLR: Register<Id> = ones(Id::IntenClr, 0x06, Width::Byte);
const INTENSET: Register<Id> = ones(Id::IntenSet, 0x07, Width::Byte);
const INTFLAG: Register<Id> = ones(Id::Intflag, 0x08, Width::Byte);
const STATUS: Register<Id> = ro(Id::Status, 0x0A, Width::Byte);
const DBGCTRL: Register<Id> = rw(Id::DbgCtrl, 0x0B, Width::Byte, 0x01);
const FREQCORR: Register<Id> = rw(Id::FreqCorr, 0x0C, Width::Byte, 0xFF);

static COUNT32: [Register<Id>; 11] = [
    rw(Id::Ctrl, 0x00, Width::Half, 0x0F8F).choosing(CTRL_CHOICES),
    READREQ,
    rw(Id::EvCtrl, 0x04, Width::Half, 0x81FF),
    INTENCLR,
    INTENSET,
    INTFLAG,
    STATUS,
    DBGCTRL,
    FREQCORR,
    count(Width::Word),
    rw(Id::Compare, 0x18, Width::Word, u32::MAX),
];

static COUNT16: [Register<Id>; 12] = [
    rw(Id::Ctrl, 0x00, Width::Half, 0x0F0F).choosing(CTRL_CHOICES),
    READREQ,
    rw(Id::EvCtrl, 0x04, Width::Half, 0x83FF),
    INTENCLR,
    INTENSET,
    INTFLAG,
    STATUS,
    DBGCTRL,
    FREQCORR,
    count(Width::Half),
    rw(Id::Period, 0x14, Width::Half, 0xFFFF),
    array(Id::Compare, 0x18, Width::Half, 2, 0xFFFF),
];

static CALENDAR: [Register<Id>; 12] = [
    rw(Id::Ctrl, 0x00, Width::Half, 0x0FCF).choosing(CTRL_CHOICES),
    READREQ,
    rw(Id::EvCtrl, 0x04, Width::Half, 0x81FF),
    INTENCLR,
    INTENSET,
    INTFLAG,
    STATUS,
    DBGCTRL,
    FREQCORR,
    count(Width::Word),
    rw(Id::Compare, 0x18, Width::Word, u32::MAX),
    rw(Id::Mask, 0x1C, Width::Byte, 0x07).choosing(MASK_CHOICES),
];

/// The registers in `mode`.
pub(super) fn registers(mode: Mode) -> &'static [Register<Id>] {
    match mode {
        Mode::Count32 => &COUNT32,
        Mode::Count16 => &COUNT16,
        Mode::Calendar => &CALENDAR,
    }
}
