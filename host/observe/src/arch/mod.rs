// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the kernel's ports (`os/arch`) have in their own ways: where a thread that does not run has its
//! registers, and what the record of a panic says of the processor.
//!
//! A port for another architecture is a file here, and a row of [`PORTS`].

mod armv6m;
mod avr8;

use crate::Registers;
use crate::callers::Frame;
use lichen_chip::Chip;
use lichen_image::{Image, Symbol};
use lichen_isa::Architecture;

/// The kernel's port to one architecture.
#[derive(Debug)]
pub(crate) struct Port {
    architecture: &'static Architecture,
    /// Functions and variables of the port that the functions below must find.
    symbols: &'static [&'static str],
    /// Bytes that the processor puts on a stack at once, at the least.
    pub(crate) stack_unit: u32,
    /// Registers of a thread that does not run, as they will be when it continues, given the stack
    /// pointer in its control block.
    pub(crate) saved_registers: fn(&dyn Chip, &Places, u32) -> Option<Registers>,
    /// What executed when the processor's status was recorded.
    pub(crate) context_of_status: fn(u32) -> Context,
    /// Whether the processor executes a thread: neither a handler nor the kernel level.
    pub(crate) is_in_thread: fn(&dyn Chip, &Places) -> bool,
    /// The function that handles an interrupt, given the address of its entry.
    pub(crate) body_of_handler: fn(&Image, u32) -> u32,
    /// How calls use the stack.
    pub(crate) calls: Calls,
    /// Number of the symbol at which threads are switched, if no exception does that.
    switch: Option<usize>,
}

/// How calls use the stack.
#[derive(Debug)]
pub(crate) struct Calls {
    /// DWARF numbers of the stack pointer, and of the register that has the same value in a function with local
    /// variables on its stack.
    pub(crate) pointers: &'static [u16],
    /// The bits that a stack pointer has.
    pub(crate) bits: u32,
    /// Bytes from where the stack pointer leads to the lowest one in use.
    pub(crate) free: u32,
    /// The return address that is saved at an address.
    pub(crate) return_address: fn(&dyn Chip, u32) -> Option<u32>,
    /// The function that the processor executes.
    pub(crate) here: fn(&dyn Chip) -> Frame,
    /// The caller of the function at whose first instruction the processor is.
    pub(crate) entered: fn(&dyn Chip) -> Option<Frame>,
    /// The thread that has entered the kernel, where the processor is.
    pub(crate) interrupted: fn(&dyn Chip, &Places) -> Option<Frame>,
    /// Where a thread goes on that does not run, given its registers.
    pub(crate) waiting: fn(&Registers) -> Option<Frame>,
}

impl Port {
    /// The instruction at which threads are switched without an exception.
    pub(crate) fn switch(&self, places: &Places) -> Option<u32> {
        Some(places.symbol(self.switch?)?.address)
    }
}

/// What the processor executes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Context {
    /// A thread, or start-up.
    Thread,
    /// The kernel.
    Kernel,
    /// An interrupt's handler, with its number where it is known.
    Interrupt(Option<u32>),
    /// Something with interrupts off, where that is all that is known.
    Masked,
}

/// Where an image has the symbols of its port.
#[derive(Debug, Default)]
pub(crate) struct Places(Vec<Option<Symbol>>);

impl Places {
    /// Those of `port` in `image`.
    pub(crate) fn find(image: &Image, port: Option<&Port>) -> Places {
        let symbols = port.map_or(&[][..], |port| port.symbols);
        Places(symbols.iter().map(|name| image.symbols().find(name).cloned()).collect())
    }

    /// Number `index` of the port's symbols, if the image has it.
    fn symbol(&self, index: usize) -> Option<&Symbol> {
        self.0.get(index)?.as_ref()
    }

    /// Whether `address` is in function number `index`.
    fn is_in(&self, index: usize, address: u32) -> bool {
        self.symbol(index)
            .is_some_and(|symbol| (symbol.address..symbol.address + symbol.size).contains(&address))
    }
}

/// All ports.
static PORTS: [Port; 2] = [armv6m::PORT, avr8::PORT];

/// The kernel's port to an architecture, if there is one.
pub(crate) fn port(architecture: &Architecture) -> Option<&'static Port> {
    PORTS.iter().find(|port| port.architecture == architecture)
}
