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

/// The instruction at `address`; empty if nothing can be read there.
pub(super) fn disassemble(address: u32, chip: &dyn Chip) -> String {
    let half = |at: u32| {
        let mut bytes = [0; 2];
        chip.peek(at, &mut bytes).ok().map(|()| u16::from_le_bytes(bytes))
    };
    let architecture = chip.core().architecture();
    let known = DISASSEMBLERS.iter().find(|(known, _)| *known == architecture);
    match (half(address), known) {
        (Some(first), Some((_, text))) => text(address, first, half(address.wrapping_add(2))),
        (Some(first), None) => format!(".hword 0x{first:04x}"),
        (None, _) => String::new(),
    }
}
