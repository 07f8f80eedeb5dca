// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which memory the next instruction will read or write, which watchpoints need in addition to
//! changed values.

use lichen_chip::{Chip, instruction};

/// Consecutive bytes that an instruction reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Access {
    pub address: u32,
    pub bytes: u32,
    pub write: bool,
}

/// The access of the next instruction of `chip`, if it makes one.
pub(super) fn next(chip: &dyn Chip) -> Option<Access> {
    let core = chip.core();
    let access = instruction(chip, core.pc())?.access?;
    let address = access.address(|register| core.register(register.into()));
    Some(Access { address, bytes: access.bytes(), write: access.write })
}
