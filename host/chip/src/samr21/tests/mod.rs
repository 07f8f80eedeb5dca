// SPDX-License-Identifier: MIT OR Apache-2.0
//! The chip as a whole, seen from outside while it runs tiny programs.

mod activity;
mod clock;
mod description;
mod memory;
mod program;
mod sleep;
mod state;
mod system;

/// SYSCTRL.
const PCLKSR: u32 = 0x4000_080C;
const XOSC32K: u32 = 0x4000_0814;
const OSC8M: u32 = 0x4000_0820;
const DFLLCTRL: u32 = 0x4000_0824;
const DFLLVAL: u32 = 0x4000_0828;
const DFLLMUL: u32 = 0x4000_082C;
const DPLLCTRLA: u32 = 0x4000_0844;
const DPLLRATIO: u32 = 0x4000_0848;
const DPLLCTRLB: u32 = 0x4000_084C;
const DPLLSTATUS: u32 = 0x4000_0850;
/// OSC8M undivided.
const OSC8M_8MHZ: u32 = 0x8707_0082;
/// GCLK.
const GCLK_STATUS: u32 = 0x4000_0C01;
const CLKCTRL: u32 = 0x4000_0C02;
const GENCTRL: u32 = 0x4000_0C04;
const GENDIV: u32 = 0x4000_0C08;
const SYNCBUSY: u32 = 1 << 7;
/// NVMCTRL.
const NVM_CTRLB: u32 = 0x4100_4004;
/// PM.
const RCAUSE: u32 = 0x4000_0438;
/// RTC.
const RTC_CTRL: u32 = 0x4000_1400;
const RTC_INTENSET: u32 = 0x4000_1407;
const RTC_INTFLAG: u32 = 0x4000_1408;
const RTC_STATUS: u32 = 0x4000_140A;
const RTC_COUNT: u32 = 0x4000_1410;
const RTC_COMP: u32 = 0x4000_1418;
/// The core's own.
const SCR: u32 = 0xE000_ED10;
const SLEEPDEEP: u32 = 4;
const NVIC_ISER: u32 = 0xE000_E100;

use program::{Program, Size};

/// Gives the RTC the clock of OSCULP32K through generator 3 and enables it in 32-bit mode.
fn start_rtc(program: &mut Program) {
    program
        .set(GENCTRL, 0x0001_0303)
        .wait(Size::Byte, GCLK_STATUS, SYNCBUSY, false)
        .set16(CLKCTRL, 0x4304)
        .wait(Size::Byte, GCLK_STATUS, SYNCBUSY, false)
        .set16(RTC_CTRL, 2)
        .wait(Size::Byte, RTC_STATUS, SYNCBUSY, false);
}

/// Lets the RTC interrupt when it has counted to `count`.
fn interrupt_at(program: &mut Program, count: u32) {
    program
        .set(RTC_COMP, count)
        .wait(Size::Byte, RTC_STATUS, SYNCBUSY, false)
        .set8(RTC_INTFLAG, 1)
        .set8(RTC_INTENSET, 1)
        .set(NVIC_ISER, 1 << 3);
}
