// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is true of AVR code alone.

use super::code::{Addresses, TABLE_JUMP};
use crate::Text;
use crate::accesses::Area;
use crate::port::{Convention, Port};
use lichen_isa::RegisterSet;
use lichen_isa::avr8::{DATA_BASE, NOP, RAMPZ, SP};
use std::cell::OnceCell;
use std::ops::Range;

/// AVR code, with the addresses of code that stand in it once they are looked for.
#[derive(Debug, Default)]
pub(crate) struct Avr(OnceCell<Addresses>);

/// What no function changes for its caller: r1 is 0, and RAMPZ is restored.
const ALWAYS: u64 = 1 << 1 | 1 << SP | 1 << RAMPZ;

/// The flag that masks interrupts.
const I: u32 = 0x80;

/// AVR-GCC's application binary interface ("Call-Used Registers", "Calling Convention"): arguments are in r8 to r25,
/// results in r18 to r25; r2 to r17, r28 and r29 are preserved.
static CONVENTION: Convention = Convention {
    arguments: RegisterSet(0x03FF_FF00 | ALWAYS),
    returned: RegisterSet(0x33FF_FFFC | ALWAYS),
    flags: I,
};

/// I/O registers. Those below them are the processor's, at addresses of RAM.
const DEVICES: Range<u32> = DATA_BASE + 0x20..DATA_BASE + 0x100;

impl Port for Avr {
    fn switch(&self, text: &Text<'_>, at: u32, to: u32) -> Option<Vec<u32>> {
        (text.name(to) == TABLE_JUMP && !text.is_same_function(to, at))
            .then(|| self.labels(text, at))
    }

    fn labels(&self, text: &Text<'_>, at: u32) -> Vec<u32> {
        let addresses = self.0.get_or_init(|| Addresses::of(text));
        addresses.labels(text, at).into_iter().collect()
    }

    fn leaves(&self, _: &Text<'_>, _: u32) -> Option<bool> {
        None
    }

    fn is_long_jump(&self, _: &Text<'_>, _: u32, _: u32) -> bool {
        false
    }

    fn ends_thread(&self, _: &Text<'_>, _: &dyn Fn(u8) -> Option<u32>) -> bool {
        false
    }

    fn is_fill(&self, code: u16) -> bool {
        code == NOP
    }

    fn convention(&self) -> &'static Convention {
        &CONVENTION
    }

    fn area(&self, address: u32) -> Area {
        match address {
            ..DATA_BASE => Area::Flash,
            _ if DEVICES.contains(&address) => Area::Device,
            _ => Area::Ram,
        }
    }
}
