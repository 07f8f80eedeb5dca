// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which memory the next instruction will read or write, which watchpoints need in addition to
//! changed values.

use lichen_chip::Chip;
use lichen_isa::armv6m::instruction;

const PC: usize = 15;

/// Consecutive bytes that an instruction reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Access {
    pub address: u32,
    pub bytes: u32,
    pub write: bool,
}

/// The access of the next instruction of `chip`, if it makes one.
pub(super) fn next(chip: &dyn Chip) -> Option<Access> {
    let half = |address| {
        let mut code = [0; 2];
        chip.peek(address, &mut code).ok()?;
        Some(u16::from_le_bytes(code))
    };
    let pc = chip.register(PC);
    let access = instruction(pc, half(pc)?, half(pc + 2)).access?;
    let address = access.address(|register| chip.register(register.into()));
    Some(Access { address, bytes: access.bytes(), write: access.write })
}
