// SPDX-License-Identifier: MIT OR Apache-2.0
//! The registers of a timer for control applications.

use crate::row::Row;
use crate::samr21::register::{Access, Choice, Register, array, choice, ones, ro, rw, up_to};
use lichen_isa::Width;

/// The block's names for its registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Id {
    CtrlA,
    CtrlBClr,
    CtrlBSet,
    SyncBusy,
    FaultCtrl,
    WexCtrl,
    DrvCtrl,
    DbgCtrl,
    EvCtrl,
    IntEnClr,
    IntEnSet,
    IntFlag,
    Status,
    Count,
    Patt,
    Wave,
    Per,
    Cc,
    PattBuf,
    WaveBuf,
    PerBuf,
    CcBuf,
}

pub(super) const SWRST: u32 = 1 << 0;
pub(super) const ENABLE: u32 = 1 << 1;
pub(super) const RUNSTDBY: u32 = 1 << 11;

/// CTRLB.
pub(super) const DIR: u8 = 1 << 0;
pub(super) const LUPD: u8 = 1 << 1;
pub(super) const ONESHOT: u8 = 1 << 2;
pub(super) const CMD: u8 = 7 << 5;

/// INTFLAG.
pub(super) const OVF: u32 = 1 << 0;
pub(super) const TRG: u32 = 1 << 1;
pub(super) const ERR: u32 = 1 << 3;
pub(super) const MC0: u32 = 1 << 16;
pub(super) const INTERRUPTS: u32 = 0x000F_F80F;

/// STATUS.
pub(super) const STOP: u32 = 1 << 0;
pub(super) const PATTBV: u32 = 1 << 5;
pub(super) const WAVEBV: u32 = 1 << 6;
pub(super) const PERBV: u32 = 1 << 7;
pub(super) const CCBV0: u32 = 1 << 16;
/// Bits that are cleared by writing them.
pub(super) const STATUS_CLEARS: u32 = 0x000F_F0FB & !STOP;

const WIDE: u32 = 0x00FF_FFFF;

/// A field of one bit that is not modelled.
const fn without(bit: u32) -> Choice {
    choice(bit, 1, up_to(1)).lacking(1 << 1)
}

/// A field of `bits` bits of which only the value 0 is modelled.
const fn only_zero(low: u32, bits: u32) -> Choice {
    let values = up_to((1 << bits) - 1);
    choice(low, bits, values).lacking(values & !1)
}

/// RESOLUTION, PRESCSYNC and ALOCK of CTRLA.
const CONTROL_A: &[Choice] =
    &[only_zero(5, 2), choice(12, 2, up_to(2)).lacking(1 << 1), without(14)];
/// IDXCMD and CMD of CTRLB.
const CONTROL_B: &[Choice] = &[only_zero(3, 2), choice(5, 3, up_to(4))];
/// SRC and CAPTURE of FCTRLA and FCTRLB.
const FAULTS: &[Choice] = &[only_zero(0, 2), choice(12, 3, up_to(6))];
/// OTMX and DTIEN of WEXCTRL.
const EXTENSION: &[Choice] = &[only_zero(0, 2), without(8), without(9), without(10), without(11)];
/// EVACT0, EVACT1, CNTSEL, CNTEO and TCINV of EVCTRL.
const EVENTS: &[Choice] = &[
    choice(0, 3, 0b1011_1111).lacking(0b1011_0000),
    choice(3, 3, up_to(7)).lacking(0b1111_0100),
    only_zero(6, 2),
    without(10),
    without(12),
    without(13),
];
/// CNT of INTENSET.
const COUNTER_EVENT: &[Choice] = &[without(2)];
/// WAVEGEN, RAMP, CIPEREN, CICCEN and SWAP of WAVE and WAVEB.
const WAVEFORM: &[Choice] = &[
    choice(0, 3, 0b1111_0111).lacking(0b1111_0000),
    choice(4, 2, up_to(2)).lacking(0b110),
    without(7),
    without(8),
    without(9),
    without(10),
    without(11),
    without(24),
    without(25),
    without(26),
    without(27),
];

pub(super) static REGISTERS: &[Register<Id>] = &[
    rw(Id::CtrlA, 0x00, Width::Word, 0x0F00_7F63).choosing(CONTROL_A),
    ones(Id::CtrlBClr, 0x04, Width::Byte),
    ones(Id::CtrlBSet, 0x05, Width::Byte).choosing(CONTROL_B),
    ro(Id::SyncBusy, 0x08, Width::Word),
    array(Id::FaultCtrl, 0x0C, Width::Word, 2, 0x0FFF_7FFB).choosing(FAULTS),
    rw(Id::WexCtrl, 0x14, Width::Word, 0xFFFF_0F03).choosing(EXTENSION),
    rw(Id::DrvCtrl, 0x18, Width::Word, u32::MAX),
    rw(Id::DbgCtrl, 0x1E, Width::Byte, 0x05),
    rw(Id::EvCtrl, 0x20, Width::Word, 0x0F0F_F7FF).choosing(EVENTS),
    ones(Id::IntEnClr, 0x24, Width::Word),
    ones(Id::IntEnSet, 0x28, Width::Word).choosing(COUNTER_EVENT),
    ones(Id::IntFlag, 0x2C, Width::Word),
    Register {
        id: Id::Status,
        offset: 0x30,
        width: Width::Word,
        count: 1,
        mask: STATUS_CLEARS,
        access: Access::Ones,
        choices: &[],
    },
    rw(Id::Count, 0x34, Width::Word, WIDE),
    rw(Id::Patt, 0x38, Width::Half, 0xFFFF),
    rw(Id::Wave, 0x3C, Width::Word, 0x0F0F_0FB7).choosing(WAVEFORM),
    rw(Id::Per, 0x40, Width::Word, WIDE),
    array(Id::Cc, 0x44, Width::Word, 4, WIDE),
    rw(Id::PattBuf, 0x64, Width::Half, 0xFFFF),
    rw(Id::WaveBuf, 0x68, Width::Word, 0x0F0F_0FB7).choosing(WAVEFORM),
    rw(Id::PerBuf, 0x6C, Width::Word, WIDE),
    array(Id::CcBuf, 0x70, Width::Word, 4, WIDE),
];

/// Bit in SYNCBUSY of a register that crosses clock domains.
pub(super) fn busy_bit(id: Id, index: usize) -> Option<usize> {
    Some(match id {
        Id::CtrlBClr | Id::CtrlBSet => 2,
        Id::Status => 3,
        Id::Count => 4,
        Id::Patt => 5,
        Id::Wave => 6,
        Id::Per => 7,
        Id::Cc => 8 + index,
        Id::PattBuf => 16,
        Id::WaveBuf => 17,
        Id::PerBuf => 18,
        Id::CcBuf => 19 + index,
        _ => return None,
    })
}

/// Synchronizers, one per bit of SYNCBUSY.
pub(super) const SYNCHRONIZERS: usize = 23;
pub(super) const BUSY_SWRST: usize = 0;
pub(super) const BUSY_ENABLE: usize = 1;
pub(super) const BUSY_CTRLB: usize = 2;

/// The features of one instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Variant {
    pub instance: u8,
    /// Compare channels.
    pub channels: usize,
    /// Waveform outputs.
    pub outputs: usize,
    /// Largest count.
    pub max: u32,
    /// Generic clock channel.
    pub clock: u8,
    /// Event generator and DMA trigger of the overflow; those of matches follow.
    pub overflow_event: u8,
    pub match_event: u8,
    pub trigger: u8,
    /// First event user: two event inputs, then one per channel.
    pub user: u8,
}

impl Row for Variant {
    fn number(&self) -> u8 {
        self.instance
    }

    fn numbered(number: u8) -> Option<&'static Variant> {
        VARIANTS.get(usize::from(number))
    }
}

/// TCC0 to TCC2.
pub(super) static VARIANTS: [Variant; 3] = [
    Variant {
        instance: 0,
        channels: 4,
        outputs: 8,
        max: WIDE,
        clock: 26,
        overflow_event: 34,
        match_event: 37,
        trigger: 13,
        user: 4,
    },
    Variant {
        instance: 1,
        channels: 2,
        outputs: 4,
        max: WIDE,
        clock: 26,
        overflow_event: 41,
        match_event: 44,
        trigger: 18,
        user: 10,
    },
    Variant {
        instance: 2,
        channels: 2,
        outputs: 2,
        max: 0xFFFF,
        clock: 27,
        overflow_event: 46,
        match_event: 49,
        trigger: 21,
        user: 14,
    },
];
