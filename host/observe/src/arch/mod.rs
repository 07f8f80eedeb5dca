// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the kernel's ports (`os/arch`) have in their own ways: where a thread that does not run has its
//! registers, and what the record of a panic says of the processor.
//!
//! A port for another architecture is a file here, and a row of [`PORTS`].

mod armv6m;

use crate::Registers;
use lichen_chip::Chip;
use lichen_isa::Architecture;

/// The kernel's port to one architecture.
pub(crate) struct Port {
    architecture: &'static Architecture,
    /// Registers of a thread that does not run, as they will be when it continues, given the stack
    /// pointer in its control block.
    pub(crate) saved_registers: fn(&dyn Chip, u32) -> Option<Registers>,
    /// Number of the exception that was active when the processor's status was recorded; 0 for none.
    pub(crate) exception_of_status: fn(u32) -> u32,
}

/// All ports.
static PORTS: [Port; 1] = [armv6m::PORT];

/// The kernel's port to the architecture of `chip`, if there is one.
pub(crate) fn port(chip: &dyn Chip) -> Option<&'static Port> {
    let architecture = chip.core().architecture();
    PORTS.iter().find(|port| port.architecture == architecture)
}
