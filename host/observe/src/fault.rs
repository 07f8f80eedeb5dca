// SPDX-License-Identifier: MIT OR Apache-2.0
//! The registers that the core saved when it took a fault.

use lichen_chip::Chip;

/// Registers as an exception stacks them (ARMv6-M Architecture Reference Manual, "Exception entry
/// behavior").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "registers by their names")]
pub struct Stacked {
    pub r0: u32,
    pub r1: u32,
    pub r2: u32,
    pub r3: u32,
    pub r12: u32,
    pub lr: u32,
    pub pc: u32,
    pub xpsr: u32,
}

const LR: usize = 14;
const MSP: usize = 17;
const PSP: usize = 18;
/// Bit of EXC_RETURN that says which stack holds the frame.
const ON_PROCESS_STACK: u32 = 1 << 2;
const EXC_RETURN: u32 = 0xFFFF_FFF0;

/// The frame of the exception whose handler is about to run its first instruction; `None` if LR
/// holds no EXC_RETURN or the stack is not in memory.
pub fn stacked(chip: &dyn Chip) -> Option<Stacked> {
    let exc_return = chip.register(LR);
    if exc_return & EXC_RETURN != EXC_RETURN {
        return None;
    }
    let pointer = if exc_return & ON_PROCESS_STACK != 0 { PSP } else { MSP };
    let mut frame = [0; 32];
    chip.peek(chip.register(pointer), &mut frame).ok()?;
    let word = |index: usize| {
        let at = index * 4;
        u32::from_le_bytes([frame[at], frame[at + 1], frame[at + 2], frame[at + 3]])
    };
    Some(Stacked {
        r0: word(0),
        r1: word(1),
        r2: word(2),
        r3: word(3),
        r12: word(4),
        lr: word(5),
        pc: word(6),
        xpsr: word(7),
    })
}
