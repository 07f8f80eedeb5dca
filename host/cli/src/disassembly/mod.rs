// SPDX-License-Identifier: MIT OR Apache-2.0
//! Instructions in the assembler's words.
//!
//! An architecture's is a file here, and a row of [`DISASSEMBLERS`].

mod armv6m;

use lichen_chip::Chip;
use lichen_isa::{Architecture, avr8};

/// An instruction as text: its address, its first halfword, and the one behind it, if there is one.
type Disassemble = fn(u32, u16, Option<u16>) -> String;

/// All disassemblers.
static DISASSEMBLERS: [(&Architecture, Disassemble); 2] = [
    (&lichen_isa::armv6m::ARCHITECTURE, armv6m::disassemble),
    (&avr8::ARCHITECTURE, |address, first, second| {
        avr8::assembly(address, first, second.unwrap_or(0))
    }),
];

/// The instruction of `architecture` at `address` that begins with `first`, if the architecture is known.
pub fn instruction(
    architecture: &Architecture,
    address: u32,
    first: u16,
    second: Option<u16>,
) -> Option<String> {
    let (_, text) = DISASSEMBLERS.iter().find(|(known, _)| *known == architecture)?;
    Some(text(address, first, second))
}

/// The instruction at `address`; empty if nothing can be read there.
pub fn disassemble(address: u32, chip: &dyn Chip) -> String {
    let half = |at: u32| {
        let mut bytes = [0; 2];
        chip.peek(at, &mut bytes).ok().map(|()| u16::from_le_bytes(bytes))
    };
    let architecture = chip.core().architecture();
    let Some(first) = half(address) else { return String::new() };
    let second = half(address.wrapping_add(2));
    instruction(architecture, address, first, second)
        .unwrap_or_else(|| format!(".hword 0x{first:04x}"))
}
