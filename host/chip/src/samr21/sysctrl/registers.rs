// SPDX-License-Identifier: MIT OR Apache-2.0
//! SYSCTRL's registers and their bits.

use crate::samr21::register::{Access, Choice, Register, choice, ones, ro, rw, up_to};
use lichen_isa::Width;

#[derive(Clone, Copy)]
pub(crate) enum Id {
    IntenClr,
    IntenSet,
    Intflag,
    Pclksr,
    Xosc,
    Xosc32k,
    Osc32k,
    Osculp32k,
    Osc8m,
    DfllCtrl,
    DfllVal,
    DfllMul,
    DfllSync,
    Bod33,
    Vreg,
    Vref,
    DpllCtrlA,
    DpllRatio,
    DpllCtrlB,
    DpllStatus,
}

/// XOSC.GAIN.
const XOSC_CHOICES: &[Choice] = &[choice(8, 3, up_to(4))];
/// DFLLCTRL.USBCRM.
const DFLLCTRL_CHOICES: &[Choice] = &[choice(5, 1, up_to(1)).lacking(1 << 1)];
/// BOD33.ACTION.
const BOD33_CHOICES: &[Choice] = &[choice(3, 2, up_to(2))];
/// DPLLCTRLB.REFCLK and LTIME.
const DPLLCTRLB_CHOICES: &[Choice] = &[choice(4, 2, up_to(2)), choice(8, 3, 0xF1)];

pub(super) static REGISTERS: &[Register<Id>] = &[
    ones(Id::IntenClr, 0x00, Width::Word),
    ones(Id::IntenSet, 0x04, Width::Word),
    ones(Id::Intflag, 0x08, Width::Word),
    ro(Id::Pclksr, 0x0C, Width::Word),
    rw(Id::Xosc, 0x10, Width::Half, 0xFFC6).choosing(XOSC_CHOICES),
    rw(Id::Xosc32k, 0x14, Width::Half, 0x17FE),
    rw(Id::Osc32k, 0x18, Width::Word, 0x007F_17CE),
    rw(Id::Osculp32k, 0x1C, Width::Byte, 0x9F),
    rw(Id::Osc8m, 0x20, Width::Word, 0xCFFF_03C2),
    rw(Id::DfllCtrl, 0x24, Width::Half, 0x0FFE).choosing(DFLLCTRL_CHOICES),
    Register {
        id: Id::DfllVal,
        offset: 0x28,
        width: Width::Word,
        count: 1,
        mask: u32::MAX,
        access: Access::ReadWrite,
        choices: &[],
    },
    rw(Id::DfllMul, 0x2C, Width::Word, u32::MAX),
    rw(Id::DfllSync, 0x30, Width::Byte, 0x80),
    rw(Id::Bod33, 0x34, Width::Word, 0x003F_F35E).choosing(BOD33_CHOICES),
    rw(Id::Vreg, 0x3C, Width::Half, 0x2040),
    rw(Id::Vref, 0x40, Width::Word, 0x07FF_0006),
    rw(Id::DpllCtrlA, 0x44, Width::Byte, 0xC2),
    rw(Id::DpllRatio, 0x48, Width::Word, 0x000F_0FFF),
    rw(Id::DpllCtrlB, 0x4C, Width::Word, 0x07FF_173F).choosing(DPLLCTRLB_CHOICES),
    ro(Id::DpllStatus, 0x50, Width::Byte),
];

pub(super) const INTFLAG: u32 = 0x08;
pub(super) const INTERRUPTS: u32 = 0x0003_8FFF;
pub(super) const XOSCRDY: u32 = 1 << 0;
pub(super) const XOSC32KRDY: u32 = 1 << 1;
pub(super) const OSC32KRDY: u32 = 1 << 2;
pub(super) const OSC8MRDY: u32 = 1 << 3;
pub(super) const DFLLRDY: u32 = 1 << 4;
pub(super) const DFLLLCKF: u32 = 1 << 6;
pub(super) const DFLLLCKC: u32 = 1 << 7;
pub(super) const BOD33RDY: u32 = 1 << 9;
pub(super) const BOD33DET: u32 = 1 << 10;
pub(super) const B33SRDY: u32 = 1 << 11;
pub(super) const DPLLLCKR: u32 = 1 << 15;
pub(super) const DPLLLCKF: u32 = 1 << 16;

pub(super) const ENABLE: u32 = 1 << 1;
/// BOD33: hysteresis; what it does; it watches in standby.
pub(super) const BOD33_HYST: u32 = 1 << 2;
pub(super) const BOD33_ACTION: u32 = 3 << 3;
pub(super) const BOD33_RESETS: u32 = 1 << 3;
pub(super) const BOD33_RUNSTDBY: u32 = 1 << 6;
/// BOD33.MODE: samples instead of watching continuously.
pub(super) const BOD33_MODE: u32 = 1 << 8;
pub(super) const XTALEN: u32 = 1 << 2;
pub(super) const WRTLOCK_16: u32 = 1 << 12;
pub(super) const XOSC32K_EN32K: u32 = 1 << 3;
pub(super) const OSC32K_EN32K: u32 = 1 << 2;
