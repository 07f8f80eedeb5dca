// SPDX-License-Identifier: MIT OR Apache-2.0
//! The registers of a timer, in its three widths.

use crate::samr21::register::{Choice, Register, array, choice, ones, ro, rw, up_to};
use lichen_isa::Width;

/// The block's names for its registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(crate) enum Id {
    CtrlA,
    ReadReq,
    CtrlBClr,
    CtrlBSet,
    CtrlC,
    DbgCtrl,
    EvCtrl,
    IntEnClr,
    IntEnSet,
    IntFlag,
    Status,
    Count,
    Per,
    Cc,
}

pub(super) const SWRST: u16 = 1 << 0;
pub(super) const ENABLE: u16 = 1 << 1;
pub(super) const RUNSTDBY: u16 = 1 << 11;

pub(super) const OVF: u8 = 1 << 0;
pub(super) const ERR: u8 = 1 << 1;
pub(super) const SYNCRDY: u8 = 1 << 3;
pub(super) const MC0: u8 = 1 << 4;
pub(super) const INTERRUPTS: u8 = 0x3B;

pub(super) const STOP: u8 = 1 << 3;
pub(super) const SYNCBUSY: u8 = 1 << 7;

/// CTRLB: counting down, stopping at the end, commands.
pub(super) const DIR: u8 = 1 << 0;
pub(super) const ONESHOT: u8 = 1 << 2;
pub(super) const CMD: u8 = 3 << 6;

/// CTRLA.MODE, and PRESCSYNC of which 1 waits for the prescaler.
const CTRLA_CHOICES: &[Choice] = &[choice(2, 2, up_to(2)), choice(12, 2, up_to(2)).lacking(1 << 1)];
/// EVCTRL.EVACT, of which 5 and 6 capture period and pulse width, and TCINV.
const EVCTRL_CHOICES: &[Choice] =
    &[choice(0, 3, 0x6F).lacking(0x60), choice(4, 1, up_to(1)).lacking(1 << 1)];

const fn table(count: Width, period: bool) -> [Register<Id>; 14] {
    let top = match count {
        Width::Byte => 0xFF,
        Width::Half => 0xFFFF,
        Width::Word => u32::MAX,
    };
    [
        rw(Id::CtrlA, 0x00, Width::Half, 0x3F6F).choosing(CTRLA_CHOICES),
        rw(Id::ReadReq, 0x02, Width::Half, 0xC01F),
        ones(Id::CtrlBClr, 0x04, Width::Byte),
        ones(Id::CtrlBSet, 0x05, Width::Byte),
        rw(Id::CtrlC, 0x06, Width::Byte, 0x33),
        rw(Id::DbgCtrl, 0x08, Width::Byte, 0x01),
        rw(Id::EvCtrl, 0x0A, Width::Half, 0x3137).choosing(EVCTRL_CHOICES),
        ones(Id::IntEnClr, 0x0C, Width::Byte),
        ones(Id::IntEnSet, 0x0D, Width::Byte),
        ones(Id::IntFlag, 0x0E, Width::Byte),
        ro(Id::Status, 0x0F, Width::Byte),
        rw(Id::Count, 0x10, count, top),
        array(Id::Per, 0x14, Width::Byte, period as u32, 0xFF),
        array(Id::Cc, 0x18, count, 2, top),
    ]
}

static COUNT8: [Register<Id>; 14] = table(Width::Byte, true);
static COUNT16: [Register<Id>; 14] = table(Width::Half, false);
static COUNT32: [Register<Id>; 14] = table(Width::Word, false);

/// Counter widths (CTRLA.MODE).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Count8,
    Count16,
    Count32,
}

impl Mode {
    /// The mode of an image of CTRLA; the reserved value is taken as 16 bits.
    pub fn of(ctrla: u16) -> Mode {
        match ctrla >> 2 & 3 {
            1 => Mode::Count8,
            2 => Mode::Count32,
            _ => Mode::Count16,
        }
    }

    /// Largest count.
    pub fn max(self) -> u32 {
        match self {
            Mode::Count8 => 0xFF,
            Mode::Count16 => 0xFFFF,
            Mode::Count32 => u32::MAX,
        }
    }

    /// The registers as this mode has them.
    pub fn registers(self) -> &'static [Register<Id>] {
        match self {
            Mode::Count8 => &COUNT8,
            Mode::Count16 => &COUNT16,
            Mode::Count32 => &COUNT32,
        }
    }
}

/// Waveform generation (CTRLA.WAVEGEN).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wave {
    NormalFrequency,
    MatchFrequency,
    NormalPwm,
    MatchPwm,
}

impl Wave {
    /// The operation of an image of CTRLA.
    pub fn of(ctrla: u16) -> Wave {
        match ctrla >> 5 & 3 {
            0 => Wave::NormalFrequency,
            1 => Wave::MatchFrequency,
            2 => Wave::NormalPwm,
            _ => Wave::MatchPwm,
        }
    }

    /// Whether CC0 is the top.
    pub fn match_is_top(self) -> bool {
        matches!(self, Wave::MatchFrequency | Wave::MatchPwm)
    }

    /// Whether outputs are pulses whose width the compare values set.
    pub fn is_pwm(self) -> bool {
        matches!(self, Wave::NormalPwm | Wave::MatchPwm)
    }
}

/// CTRLA.PRESCALER as a divider.
pub(super) fn prescaler(ctrla: u16) -> u64 {
    [1, 2, 4, 8, 16, 64, 256, 1024][(ctrla >> 8 & 7) as usize]
}

/// CTRLA.PRESCSYNC: whether a retrigger also restarts the prescaler.
pub(super) fn resynchronizes(ctrla: u16) -> bool {
    ctrla >> 12 & 3 == 2
}
