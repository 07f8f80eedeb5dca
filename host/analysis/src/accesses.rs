// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which accesses are volatile: whether they may be left out, repeated or exchanged.
//!
//! It is known of addresses that are known, of an instruction's own, of the stack, or beside a constant that the code
//! has with it. Through other pointers anything may be accessed.

use crate::{Graph, Text};
use lichen_isa::{Place, RegisterRole};

/// Where an address leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Area {
    Flash,
    Ram,
    Device,
}

/// What an access is to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accessed {
    /// A register of a device: it is volatile.
    Device,
    /// A variable that is declared volatile.
    Volatile,
    /// Constants in flash, the stack, or a variable that is not declared volatile. The source may still access it as if
    /// it were.
    Plain,
    /// What is not known.
    Unknown,
}

impl Text<'_> {
    /// What the instruction at `at` accesses in the function of `graph`; `None` if nothing.
    pub fn accessed(&self, graph: &Graph, at: u32) -> Option<Accessed> {
        let access = graph.instruction(at)?.access?;
        if self.is_on_stack(access.place) {
            return Some(Accessed::Plain);
        }
        let Some(address) = graph.address(at) else { return Some(Accessed::Unknown) };
        Some(match (self.port.area(address), self.image.is_volatile(address)) {
            (Area::Device, _) => Accessed::Device,
            (_, Some(true)) => Accessed::Volatile,
            (Area::Flash, _) | (_, Some(false)) => Accessed::Plain,
            (Area::Ram, None) => Accessed::Unknown,
        })
    }

    /// Whether an access is beside the stack pointer.
    pub(crate) fn is_on_stack(&self, place: Place) -> bool {
        let stack = self.architecture.register(RegisterRole::StackPointer);
        let beside = |base: u8| Some(usize::from(base)) == stack;
        matches!(place, Place::Base { base, index: None, .. } if beside(base))
    }
}
