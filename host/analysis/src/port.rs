// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is true of the code of one architecture alone, and no instruction says by itself.

use crate::accesses::Area;
use crate::{Text, armv6m, avr8};
use lichen_image::Machine;
use lichen_isa::RegisterSet;
use std::fmt::Debug;

/// How compiled code of an architecture works.
pub(crate) trait Port: Debug {
    /// Where the call or jump at `at` to `to` goes on, if `to` is the compiler's function that goes on where a table
    /// says.
    fn switch(&self, text: &Text<'_>, at: u32, to: u32) -> Option<Vec<u32>>;

    /// Labels of the function around `at`, to which a jump by a register within it may go.
    fn labels(&self, text: &Text<'_>, at: u32) -> Vec<u32>;

    /// Whether the jump by a register at `at` leaves its function; `None` if the instruction does not say.
    fn leaves(&self, text: &Text<'_>, at: u32) -> Option<bool>;

    /// Whether the call at `at` is a jump within its function, whose return address is of no use.
    fn is_long_jump(&self, text: &Text<'_>, at: u32, to: u32) -> bool;

    /// Whether a request of the system never comes back, with these constants in registers.
    fn ends_thread(&self, text: &Text<'_>, register: &dyn Fn(u8) -> Option<u32>) -> bool;

    /// The code of an instruction that only fills up.
    fn is_fill(&self, code: u16) -> bool;

    /// How C functions use registers.
    fn convention(&self) -> &'static Convention;

    /// What is at a linear address.
    fn area(&self, address: u32) -> Area;
}

/// The procedure call standard, as far as it says which registers hold a value at a call.
#[derive(Debug)]
pub(crate) struct Convention {
    /// Those that a function may get arguments in, and what it may rely on besides.
    pub(crate) arguments: RegisterSet,
    /// Those that its caller may rely on when it has returned: results, and what it preserves.
    pub(crate) returned: RegisterSet,
    /// Flags that are more than the result of an instruction, such as that which masks interrupts.
    pub(crate) flags: u32,
}

/// That of the code of a machine.
pub(crate) fn of(machine: Machine) -> Box<dyn Port> {
    match machine {
        Machine::Arm => Box::new(armv6m::Thumb),
        Machine::Avr => Box::<avr8::Avr>::default(),
    }
}
