// SPDX-License-Identifier: MIT OR Apache-2.0
//! The registers of the blocks against the vendor's description of the chip, which nobody here
//! wrote: a misreading of the data sheet shows, since the description was not read by the same
//! people.

mod facts;
mod rig;
mod spec;

use crate::{Time, WarningKind};
use facts::{Field, Register, registers};
use lichen_isa::Width;
use rig::{bench, control, warnings_of_write, width};

/// Bytes of a block in which its registers are.
const SPACE: u32 = 0x80;

#[test]
fn registers_are_where_the_vendor_describes_them_and_nowhere_else() {
    let all = registers();
    for first in modes(&all) {
        let here = |register: &&Register| is_mode_of(first, register);
        for offset in 0..SPACE {
            let covers = |register: &Register| {
                let end = register.offset + register.count * register.bits / 8;
                (register.offset..end).contains(&offset)
            };
            let mut bench = bench(first);
            bench.read(offset, Width::Byte);
            let exists = !bench.warnings.contains(&WarningKind::NoRegister);
            let described = all.iter().filter(here).any(covers);
            assert_eq!(exists, described, "{}.{} {offset:#x}", first.block, first.path());
        }
    }
}

/// One register of each block in each of its modes.
fn modes(all: &[Register]) -> Vec<&Register> {
    let mut modes: Vec<&Register> = Vec::new();
    for register in all {
        if !modes.iter().any(|known| is_mode_of(known, register)) {
            modes.push(register);
        }
    }
    modes
}

fn is_mode_of(one: &Register, other: &Register) -> bool {
    (one.block, one.mode) == (other.block, other.mode)
}

/// Registers whose value after reset is not the description's, with the reason.
const OTHER_RESETS: [(&str, &str, &str); 7] = [
    ("GCLK", "GENCTRL", "shows generator 0, which runs"),
    ("PM", "RCAUSE", "is set by the chip"),
    ("RTC", "MODE1.INTFLAG", "SYNCRDY: the mode was written"),
    ("RTC", "MODE2.INTFLAG", "SYNCRDY: the mode was written"),
    ("NVMCTRL", "PARAM", "tells the size of flash"),
    ("NVMCTRL", "INTFLAG", "READY"),
    ("NVMCTRL", "LOCK", "comes from the user row"),
];

#[test]
fn reset_values_are_the_vendors() {
    let mut wrong = Vec::new();
    for register in registers().iter().filter(|register| register.access != "w") {
        let (_, mode) = control(register.block, register.mode);
        let mut expected = register.reset | if register.offset == 0 { mode } else { 0 };
        if register.name == "CTRLBCLR" {
            // The description has a bit here that is no field.
            expected &= register.mask();
        }
        let value = bench(register).read(register.offset, width(register.bits));
        let path = register.path();
        let is_other = |other: &(&str, &str, &str)| (other.0, other.1) == (register.block, &path);
        if (value == expected) == OTHER_RESETS.iter().any(is_other) {
            wrong.push(format!("{} {path} {value:x} {expected:x}", register.block));
        }
    }
    assert_eq!(wrong, [""; 0]);
}

/// Registers whose written ones act, and in which ones elsewhere are harmless.
const ONES: [&str; 14] = [
    "INTENCLR",
    "INTENSET",
    "INTFLAG",
    "NMIFLAG",
    "STATUS",
    "CTRLBCLR",
    "CTRLBSET",
    "CRCSTATUS",
    "INTPEND",
    "CHINTENCLR",
    "CHINTENSET",
    "CHINTFLAG",
    "WPCLR",
    "WPSET",
];
/// Blocks of which only the registers are modelled: enabling one is reported.
const ONLY_REGISTERS: [&str; 2] = ["AC", "DAC"];
/// Registers that are read-only, which the description does not say.
const READ_ONLY: [&str; 2] = ["PARAM", "LOCK"];

/// The registers that keep what is written.
fn settings() -> Vec<Register> {
    let kept = |register: &Register| {
        register.access == "rw"
            && !ONES.contains(&register.name)
            && !READ_ONLY.contains(&register.name)
    };
    registers().into_iter().filter(kept).collect()
}

#[test]
fn bits_that_the_vendor_does_not_describe_are_reserved_and_no_others() {
    let mut wrong = Vec::new();
    for register in settings() {
        let (_, mode) = control(register.block, register.mode);
        let keeps_mode = if register.offset == 0 { mode } else { 0 };
        for bit in 0..register.bits {
            let field = register.fields.iter().find(|field| field.mask() >> bit & 1 != 0);
            if field
                .is_some_and(|field| field.name == "MODE" || !field.takes(1 << (bit - field.low)))
            {
                continue;
            }
            let value = 1 << bit | keeps_mode;
            let warned = warnings_of_write(&register, value).contains(&WarningKind::Reserved);
            if warned == field.is_some() {
                wrong.push(format!("{} {} {bit}", register.block, register.path()));
            }
        }
    }
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn bits_that_are_set_and_cleared_are_those_of_the_vendor() {
    for register in registers().iter().filter(|register| register.name == "INTENSET") {
        let mut bench = bench(register);
        let all = u32::MAX >> (32 - register.bits);
        bench.write(register.offset, width(register.bits), all);
        let set = bench.read(register.offset, width(register.bits));
        assert_eq!(set, register.mask(), "{} {}", register.block, register.path());
        let mut all = registers();
        all.retain(|other| is_mode_of(register, other) && other.name == "INTENCLR");
        bench.write(all[0].offset, width(register.bits), u32::MAX >> (32 - register.bits));
        assert_eq!(bench.read(register.offset, width(register.bits)), 0);
    }
}

/// Fields whose reserved values depend on more than themselves, with the reason.
const OTHER_VALUES: [(&str, &str, &str); 4] = [
    ("GCLK", "ID", "a number without generator is reserved"),
    ("GCLK", "GEN", "reserved only if the channel is enabled"),
    ("RTC", "VALUE", "needs a prescaler"),
    ("NVMCTRL", "CMD", "is a command"),
];

#[test]
fn reserved_values_are_reported_and_no_others() {
    let mut wrong = Vec::new();
    for register in settings() {
        for field in choosable(&register) {
            let is_other =
                |other: &(&str, &str, &str)| (other.0, other.1) == (register.block, &field.name);
            if OTHER_VALUES.iter().any(is_other) {
                continue;
            }
            for value in values(field) {
                let warnings = warnings_of_choice(&register, field, value);
                if warnings.contains(&WarningKind::Reserved) == field.takes(value) {
                    wrong.push(format!(
                        "{} {} {} {value}",
                        register.block,
                        register.path(),
                        field.name
                    ));
                }
            }
        }
    }
    assert_eq!(wrong, [""; 0]);
}

/// The fields of a register that are settings: not a reset, nor what the bench itself chooses.
fn choosable(register: &Register) -> impl Iterator<Item = &Field> {
    let chosen = |field: &&Field| {
        !["SWRST", "ENABLE", "MODE"].contains(&&*field.name)
            || register.block == "SYSCTRL" && field.name == "MODE"
            || register.name == "COMPCTRL"
    };
    register.fields.iter().filter(chosen)
}

/// The values of a field, or some of a wide one.
fn values(field: &Field) -> Vec<u32> {
    match field.bits {
        0..=5 => (1..=field.max()).collect(),
        _ => (0..field.bits).map(|bit| 1 << bit).chain([field.max()]).collect(),
    }
}

/// What a block reports when a field has this value while the block is enabled, if it can be.
fn warnings_of_choice(register: &Register, field: &Field, value: u32) -> Vec<WarningKind> {
    let mut bench = bench(register);
    let (control_width, mode) = control(register.block, register.mode);
    let enable = registers().iter().any(|other| {
        is_mode_of(register, other) && other.offset == 0 && other.fields.iter().any(is_enable)
    });
    let reset = register.reset & register.mask();
    let base = reset & !field.mask() | if register.offset == 0 { mode } else { 0 };
    let image = base | value << field.low;
    bench.write(register.offset, width(register.bits), image);
    if register.offset != 0 && register.fields.iter().any(is_enable) {
        bench.write(register.offset, width(register.bits), image | ENABLE);
    }
    if enable && !ONLY_REGISTERS.contains(&register.block) {
        let chosen = if register.offset == 0 { image } else { mode };
        bench.write(0, control_width, chosen | ENABLE);
    }
    bench.run_for(Time::from_ms(1));
    bench.warnings
}

const ENABLE: u32 = 1 << 1;

fn is_enable(field: &Field) -> bool {
    field.name == "ENABLE" && field.mask() == ENABLE
}
