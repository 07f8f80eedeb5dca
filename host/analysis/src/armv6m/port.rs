// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is true of Thumb code alone.

use super::code::fills;
use crate::Text;
use crate::accesses::Area;
use crate::port::{Convention, Port};
use lichen_isa::armv6m::{Op, RAM_BASE, SP, decode};
use lichen_isa::{Flow, RegisterSet};

/// Thumb code.
#[derive(Debug)]
pub(crate) struct Thumb;

/// Where the kernel ends the thread that has asked (`os/arch/armv6m/switch.S`).
const LEAVE: &str = "svc_leave";

/// Procedure Call Standard for the Arm Architecture (IHI 0042), 5.1: r0 to r3 are arguments and the first ones results,
/// r4 to r11 are preserved.
static CONVENTION: Convention = Convention {
    arguments: RegisterSet(0xF | 1 << SP),
    returned: RegisterSet(0xFF3 | 1 << SP),
    flags: 0,
};

/// Peripherals begin here, and the processor's own registers follow (ARMv6-M Architecture Reference Manual, B3.1).
const DEVICES: u32 = 0x4000_0000;

impl Port for Thumb {
    fn switch(&self, text: &Text<'_>, at: u32, to: u32) -> Option<Vec<u32>> {
        text.switch(at, to)
    }

    fn labels(&self, text: &Text<'_>, at: u32) -> Vec<u32> {
        text.labels(at)
    }

    /// A move to the program counter stays, BX leaves.
    fn leaves(&self, text: &Text<'_>, at: u32) -> Option<bool> {
        let jump = text.instruction(at).filter(|it| it.access.is_none())?;
        let is_jump = matches!(jump.flow, Flow::Indirect | Flow::Return);
        is_jump.then_some(matches!(decode(text.halfword(at)?, None), Op::Bx { .. }))
    }

    fn is_long_jump(&self, text: &Text<'_>, at: u32, to: u32) -> bool {
        text.is_same_function(at, to) && !text.is_function(to)
    }

    /// r3 says where the kernel goes on.
    fn ends_thread(&self, text: &Text<'_>, register: &dyn Fn(u8) -> Option<u32>) -> bool {
        let entry = register(3).map(|entry| entry & !1);
        entry.is_some() && entry == text.symbol(LEAVE)
    }

    fn is_fill(&self, code: u16) -> bool {
        fills(decode(code, None))
    }

    fn convention(&self) -> &'static Convention {
        &CONVENTION
    }

    fn area(&self, address: u32) -> Area {
        match address {
            ..RAM_BASE => Area::Flash,
            RAM_BASE..DEVICES => Area::Ram,
            DEVICES.. => Area::Device,
        }
    }
}
