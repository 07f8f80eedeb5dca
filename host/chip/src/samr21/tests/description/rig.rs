// SPDX-License-Identifier: MIT OR Apache-2.0
//! Blocks on benches, by the names that the description has for them.

use super::facts::Register;
use crate::samr21::adc::Adc;
use crate::samr21::bench::Bench;
use crate::samr21::dmac::Dmac;
use crate::samr21::eic::Eic;
use crate::samr21::evsys::Evsys;
use crate::samr21::gclk::Gclk;
use crate::samr21::nvmctrl::Nvmctrl;
use crate::samr21::pac::Pac;
use crate::samr21::part::PARTS;
use crate::samr21::peripheral::{Context, Peripheral, ResetKind};
use crate::samr21::pm::Pm;
use crate::samr21::port::Port;
use crate::samr21::rtc::Rtc;
use crate::samr21::sercom::Sercom;
use crate::samr21::stub::Stub;
use crate::samr21::sysctrl::Sysctrl;
use crate::samr21::tc::Tc;
use crate::samr21::tcc::Tcc;
use crate::samr21::wdt::Wdt;
use crate::{Config, Time, WarningKind};
use lichen_isa::Width;

/// A block of any kind.
pub(super) struct Any(Box<dyn Peripheral>);

impl Peripheral for Any {
    fn read(&mut self, cx: &mut Context<'_>, offset: u32, width: Width) -> u32 {
        self.0.read(cx, offset, width)
    }
    fn write(&mut self, cx: &mut Context<'_>, offset: u32, width: Width, value: u32) {
        self.0.write(cx, offset, width, value);
    }
    fn due(&self) -> Time {
        self.0.due()
    }
    fn fire(&mut self, cx: &mut Context<'_>) {
        self.0.fire(cx);
    }
    fn clocks_changed(&mut self, cx: &mut Context<'_>) {
        self.0.clocks_changed(cx);
    }
    fn reset(&mut self, cx: &mut Context<'_>, kind: ResetKind) {
        self.0.reset(cx, kind);
    }
}

fn block(name: &str) -> Box<dyn Peripheral> {
    match name {
        "GCLK" => Box::new(Gclk::new()),
        "PM" => Box::new(Pm::new()),
        "SYSCTRL" => Box::new(Sysctrl::new(&Config::default())),
        "RTC" => Box::new(Rtc::new()),
        "TC" => Box::new(Tc::new(4)),
        "SERCOM" => Box::new(Sercom::new(0)),
        "EIC" => Box::new(Eic::new()),
        "WDT" => Box::new(Wdt::new()),
        "NVMCTRL" => Box::new(Nvmctrl::new(&PARTS[0], [0; 4])),
        "ADC" => Box::new(Adc::new()),
        "EVSYS" => Box::new(Evsys::new()),
        "DMAC" => Box::new(Dmac::new()),
        "PAC" => Box::new(Pac::new(0)),
        "PORT" => Box::new(Port::new()),
        "TCC" => Box::new(Tcc::new(0)),
        "AC" => Box::new(Stub::ac()),
        "DAC" => Box::new(Stub::dac()),
        _ => panic!("{name} is not on the bench"),
    }
}

/// Width of a register of so many bits.
pub(super) fn width(bits: u32) -> Width {
    match bits {
        8 => Width::Byte,
        16 => Width::Half,
        _ => Width::Word,
    }
}

/// The register that selects a block's mode and enables it, and its value for a mode.
pub(super) fn control(block: &str, mode: &str) -> (Width, u32) {
    let modes: &[(&str, u32)] = match block {
        "RTC" => &[("MODE0", 0), ("MODE1", 1), ("MODE2", 2)],
        "TC" => &[("COUNT16", 0), ("COUNT8", 1), ("COUNT32", 2)],
        "SERCOM" => &[("USART", 1), ("SPI", 3), ("I2CS", 4), ("I2CM", 5)],
        _ => &[("", 0)],
    };
    let (_, value) = modes.iter().find(|(name, _)| *name == mode).expect(mode);
    let width = match block {
        "SERCOM" => Width::Word,
        "RTC" | "TC" => Width::Half,
        _ => Width::Byte,
    };
    (width, value << 2)
}

/// The block of a register with all its clocks, disabled, in the mode that has the register.
pub(super) fn bench(register: &Register) -> Bench<Any> {
    let mut bench = Bench::new(Any(block(register.block)));
    for channel in [3, 4, 5, 20, 26, 28, 30, 31, 32, 33] {
        bench.clock(channel, 1_000_000);
    }
    let (width, mode) = control(register.block, register.mode);
    if mode != 0 {
        bench.write(0, width, mode);
        bench.run_for(Time::from_us(50));
    }
    bench.warnings.clear();
    bench
}

/// What a write to a register in its disabled block makes the block report.
pub(super) fn warnings_of_write(register: &Register, value: u32) -> Vec<WarningKind> {
    let mut bench = bench(register);
    bench.write(register.offset, width(register.bits), value);
    bench.warnings
}
