// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which memory the next instruction will read or write, which watchpoints need in addition to
//! changed values.

use lichen_chip::Chip;

const SP: usize = 13;
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
    let mut code = [0; 2];
    chip.peek(chip.register(PC), &mut code).ok()?;
    of(u16::from_le_bytes(code), |index| chip.register(index))
}

/// The access of the instruction `code` (ARMv6-M Architecture Reference Manual, "16-bit Thumb
/// instruction encoding"; those of 32 bits make none).
fn of(code: u16, register: impl Fn(usize) -> u32) -> Option<Access> {
    let field = |shift: u32, bits: u32| u32::from(code >> shift) & ((1 << bits) - 1);
    let base = register(field(3, 3) as usize);
    let near = |scale: u32, write| {
        let address = base.wrapping_add(field(6, 5) * scale);
        Some(Access { address, bytes: scale, write })
    };
    match code >> 11 {
        // LDR (literal)
        0b01001 => {
            let pc = register(PC).wrapping_add(4) & !3;
            Some(Access { address: pc.wrapping_add(field(0, 8) * 4), bytes: 4, write: false })
        }
        // by a register: STR STRH STRB LDRSB LDR LDRH LDRB LDRSH
        0b01010 | 0b01011 => {
            let kind = field(9, 3) as usize;
            let address = base.wrapping_add(register(field(6, 3) as usize));
            Some(Access { address, bytes: [4, 2, 1, 1, 4, 2, 1, 2][kind], write: kind < 3 })
        }
        0b01100 => near(4, true),
        0b01101 => near(4, false),
        0b01110 => near(1, true),
        0b01111 => near(1, false),
        0b10000 => near(2, true),
        0b10001 => near(2, false),
        // by the stack pointer
        kind @ (0b10010 | 0b10011) => {
            let address = register(SP).wrapping_add(field(0, 8) * 4);
            Some(Access { address, bytes: 4, write: kind & 1 == 0 })
        }
        // STM, LDM
        kind @ (0b11000 | 0b11001) => {
            let bytes = field(0, 8).count_ones() * 4;
            Some(Access { address: register(field(8, 3) as usize), bytes, write: kind & 1 == 0 })
        }
        // PUSH, POP; bit 8 is LR or PC
        0b10110 if field(9, 2) == 0b10 => {
            let bytes = field(0, 9).count_ones() * 4;
            Some(Access { address: register(SP).wrapping_sub(bytes), bytes, write: true })
        }
        0b10111 if field(9, 2) == 0b10 => {
            let bytes = field(0, 9).count_ones() * 4;
            Some(Access { address: register(SP), bytes, write: false })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With register n holding 0x2000_0000 + 0x100 n, except r2, which holds 8.
    fn access(code: u16) -> Option<(u32, u32, bool)> {
        let value = |index| if index == 2 { 8 } else { 0x2000_0000 + 0x100 * index as u32 };
        of(code, value).map(|access| (access.address, access.bytes, access.write))
    }

    #[test]
    fn every_load_and_store_says_where() {
        for (code, expected) in [
            (0x4902, (0x2000_0F0C, 4, false)),  // ldr r1, [pc, #8]
            (0x5088, (0x2000_0108, 4, true)),   // str r0, [r1, r2]
            (0x5288, (0x2000_0108, 2, true)),   // strh
            (0x5488, (0x2000_0108, 1, true)),   // strb
            (0x5688, (0x2000_0108, 1, false)),  // ldrsb
            (0x5888, (0x2000_0108, 4, false)),  // ldr
            (0x5A88, (0x2000_0108, 2, false)),  // ldrh
            (0x5C88, (0x2000_0108, 1, false)),  // ldrb
            (0x5E88, (0x2000_0108, 2, false)),  // ldrsh
            (0x6048, (0x2000_0104, 4, true)),   // str r0, [r1, #4]
            (0x6848, (0x2000_0104, 4, false)),  // ldr
            (0x7048, (0x2000_0101, 1, true)),   // strb r0, [r1, #1]
            (0x7848, (0x2000_0101, 1, false)),  // ldrb
            (0x8048, (0x2000_0102, 2, true)),   // strh r0, [r1, #2]
            (0x8848, (0x2000_0102, 2, false)),  // ldrh
            (0x9001, (0x2000_0D04, 4, true)),   // str r0, [sp, #4]
            (0x9801, (0x2000_0D04, 4, false)),  // ldr
            (0xC10D, (0x2000_0100, 12, true)),  // stm r1!, {r0, r2, r3}
            (0xC90D, (0x2000_0100, 12, false)), // ldm
            (0xB511, (0x2000_0CF4, 12, true)),  // push {r0, r4, lr}
            (0xBD11, (0x2000_0D00, 12, false)), // pop {r0, r4, pc}
        ] {
            assert_eq!(access(code), Some(expected), "0x{code:04x}");
        }
    }

    #[test]
    fn other_instructions_access_nothing() {
        // movs, add sp, uxtb, cps, b, svc, bl, nop
        for code in [0x2001, 0xB001, 0xB2C0, 0xB662, 0xE7FE, 0xDF00, 0xF000, 0xBF00] {
            assert_eq!(access(code), None, "0x{code:04x}");
        }
    }
}
