// SPDX-License-Identifier: MIT OR Apache-2.0
//! Instructions in the assembler's words. Targets are addresses of bytes, as in lists of symbols; I/O
//! registers have the numbers that IN and OUT give them.

use super::decode::{Decoded, decode};
use super::op::{Op, Reg, X, Y};

/// Data address of I/O register 0.
const IO: u8 = 0x20;
/// I/O address of SREG.
const SREG: u8 = 0x3F;

/// Names of the instructions that set and clear a flag, by its bit of SREG.
const FLAGS: [char; 8] = ['c', 'z', 'n', 'v', 's', 'h', 't', 'i'];

/// The instruction at `address` that begins with `first`; `second` is the word after it.
pub fn assembly(address: u32, first: u16, second: u16) -> String {
    let Decoded { op, defined } = decode(first, second);
    match op {
        Op::Nop if !defined => format!(".word 0x{first:04x}"),
        _ => text(op, address.wrapping_add(2)),
    }
}

/// `next` is the address after the first word.
fn text(op: Op, next: u32) -> String {
    arithmetic(op)
        .or_else(|| flow(op, next))
        .or_else(|| memory(op))
        .unwrap_or_else(|| plain(op).to_string())
}

fn arithmetic(op: Op) -> Option<String> {
    let two = |name: &str, rd: Reg, rr: Reg| Some(format!("{name} r{rd}, r{rr}"));
    let one = |name: &str, rd: Reg| Some(format!("{name} r{rd}"));
    let constant = |name: &str, rd: Reg, imm: u8| Some(format!("{name} r{rd}, 0x{imm:02x}"));
    match op {
        Op::Add { rd, rr } => two("add", rd, rr),
        Op::Adc { rd, rr } => two("adc", rd, rr),
        Op::Sub { rd, rr } => two("sub", rd, rr),
        Op::Sbc { rd, rr } => two("sbc", rd, rr),
        Op::And { rd, rr } => two("and", rd, rr),
        Op::Or { rd, rr } => two("or", rd, rr),
        Op::Eor { rd, rr } => two("eor", rd, rr),
        Op::Cp { rd, rr } => two("cp", rd, rr),
        Op::Cpc { rd, rr } => two("cpc", rd, rr),
        Op::Mov { rd, rr } => two("mov", rd, rr),
        Op::Movw { rd, rr } => two("movw", rd, rr),
        Op::Mul { rd, rr } => two("mul", rd, rr),
        Op::Muls { rd, rr } => two("muls", rd, rr),
        Op::Mulsu { rd, rr } => two("mulsu", rd, rr),
        Op::Fmul { rd, rr } => two("fmul", rd, rr),
        Op::Fmuls { rd, rr } => two("fmuls", rd, rr),
        Op::Fmulsu { rd, rr } => two("fmulsu", rd, rr),
        Op::Subi { rd, imm } => constant("subi", rd, imm),
        Op::Sbci { rd, imm } => constant("sbci", rd, imm),
        Op::Andi { rd, imm } => constant("andi", rd, imm),
        Op::Ori { rd, imm } => constant("ori", rd, imm),
        Op::Cpi { rd, imm } => constant("cpi", rd, imm),
        Op::Ldi { rd, imm } => constant("ldi", rd, imm),
        Op::Adiw { rd, imm } => constant("adiw", rd, imm),
        Op::Sbiw { rd, imm } => constant("sbiw", rd, imm),
        Op::Com { rd } => one("com", rd),
        Op::Neg { rd } => one("neg", rd),
        Op::Swap { rd } => one("swap", rd),
        Op::Inc { rd } => one("inc", rd),
        Op::Dec { rd } => one("dec", rd),
        Op::Asr { rd } => one("asr", rd),
        Op::Lsr { rd } => one("lsr", rd),
        Op::Ror { rd } => one("ror", rd),
        Op::Bset { mask } => Some(format!("se{}", FLAGS[bit(mask)])),
        Op::Bclr { mask } => Some(format!("cl{}", FLAGS[bit(mask)])),
        Op::Bst { rd, mask } => Some(format!("bst r{rd}, {}", bit(mask))),
        Op::Bld { rd, mask } => Some(format!("bld r{rd}, {}", bit(mask))),
        _ => None,
    }
}

fn flow(op: Op, next: u32) -> Option<String> {
    let to = |name: &str, offset: i16| {
        let to = next.wrapping_add_signed(2 * i32::from(offset));
        Some(format!("{name} 0x{to:x}"))
    };
    match op {
        Op::Brcs { offset } => to("brcs", offset.into()),
        Op::Brcc { offset } => to("brcc", offset.into()),
        Op::Breq { offset } => to("breq", offset.into()),
        Op::Brne { offset } => to("brne", offset.into()),
        Op::Brmi { offset } => to("brmi", offset.into()),
        Op::Brpl { offset } => to("brpl", offset.into()),
        Op::Brvs { offset } => to("brvs", offset.into()),
        Op::Brvc { offset } => to("brvc", offset.into()),
        Op::Brlt { offset } => to("brlt", offset.into()),
        Op::Brge { offset } => to("brge", offset.into()),
        Op::Brhs { offset } => to("brhs", offset.into()),
        Op::Brhc { offset } => to("brhc", offset.into()),
        Op::Brts { offset } => to("brts", offset.into()),
        Op::Brtc { offset } => to("brtc", offset.into()),
        Op::Brie { offset } => to("brie", offset.into()),
        Op::Brid { offset } => to("brid", offset.into()),
        Op::Rjmp { offset } => to("rjmp", offset),
        Op::Rcall { offset } => to("rcall", offset),
        Op::Jmp { to } => Some(format!("jmp 0x{:x}", 2 * u32::from(to))),
        Op::Call { to } => Some(format!("call 0x{:x}", 2 * u32::from(to))),
        Op::Cpse { rd, rr, .. } => Some(format!("cpse r{rd}, r{rr}")),
        Op::Sbrc { rr, mask, .. } => Some(format!("sbrc r{rr}, {}", bit(mask))),
        Op::Sbrs { rr, mask, .. } => Some(format!("sbrs r{rr}, {}", bit(mask))),
        Op::Sbic { address, mask, .. } => Some(format!("sbic {}, {}", io(address), bit(mask))),
        Op::Sbis { address, mask, .. } => Some(format!("sbis {}, {}", io(address), bit(mask))),
        _ => None,
    }
}

fn memory(op: Op) -> Option<String> {
    let load = |rd: Reg, from: String| Some(format!("ld r{rd}, {from}"));
    let store = |rr: Reg, to: String| Some(format!("st {to}, r{rr}"));
    match op {
        Op::In { rd, address } => Some(format!("in r{rd}, {}", io(address))),
        Op::Out { rr, address } => Some(format!("out {}, r{rr}", io(address))),
        Op::InSreg { rd } => Some(format!("in r{rd}, 0x{SREG:02x}")),
        Op::OutSreg { rr } => Some(format!("out 0x{SREG:02x}, r{rr}")),
        Op::Sbi { address, mask } => Some(format!("sbi {}, {}", io(address), bit(mask))),
        Op::Cbi { address, mask } => Some(format!("cbi {}, {}", io(address), bit(mask))),
        Op::Lds { rd, address } => Some(format!("lds r{rd}, 0x{address:04x}")),
        Op::Sts { rr, address } => Some(format!("sts 0x{address:04x}, r{rr}")),
        Op::Ldd { rd, pointer, q: 0 } => load(rd, name(pointer).to_string()),
        Op::Std { rr, pointer, q: 0 } => store(rr, name(pointer).to_string()),
        Op::Ldd { rd, pointer, q } => Some(format!("ldd r{rd}, {}+{q}", name(pointer))),
        Op::Std { rr, pointer, q } => Some(format!("std {}+{q}, r{rr}", name(pointer))),
        Op::LdInc { rd, pointer } => load(rd, format!("{}+", name(pointer))),
        Op::StInc { rr, pointer } => store(rr, format!("{}+", name(pointer))),
        Op::LdDec { rd, pointer } => load(rd, format!("-{}", name(pointer))),
        Op::StDec { rr, pointer } => store(rr, format!("-{}", name(pointer))),
        Op::Push { rr } => Some(format!("push r{rr}")),
        Op::Pop { rd } => Some(format!("pop r{rd}")),
        Op::Lpm { rd, increment } => Some(format!("lpm r{rd}, {}", z(increment))),
        Op::Elpm { rd, increment } => Some(format!("elpm r{rd}, {}", z(increment))),
        _ => None,
    }
}

/// Instructions without operands.
fn plain(op: Op) -> &'static str {
    match op {
        Op::Sei => "sei",
        Op::Cli => "cli",
        Op::Ijmp => "ijmp",
        Op::Icall => "icall",
        Op::Ret => "ret",
        Op::Reti => "reti",
        Op::Spm => "spm",
        Op::Sleep => "sleep",
        Op::Wdr => "wdr",
        Op::Break => "break",
        _ => "nop",
    }
}

/// Number of the only bit of a mask.
fn bit(mask: u8) -> usize {
    mask.trailing_zeros() as usize % 8
}

/// The I/O register at a data address.
fn io(address: u8) -> String {
    format!("0x{:02x}", address.wrapping_sub(IO))
}

fn name(pointer: Reg) -> char {
    match pointer {
        X => 'X',
        Y => 'Y',
        _ => 'Z',
    }
}

fn z(increment: bool) -> &'static str {
    if increment { "Z+" } else { "Z" }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Encodings as the assembler has them: `avr-as -mmcu=atmega128`.
    #[test]
    fn instructions_are_reported_in_the_assemblers_words() {
        for (first, second, expected) in [
            (0xE0B1, 0, "ldi r27, 0x01"),
            (0x9621, 0, "adiw r28, 0x01"),
            (0x019C, 0, "movw r18, r24"),
            (0x8124, 0, "ldd r18, Z+4"),
            (0x8120, 0, "ld r18, Z"),
            (0x9001, 0, "ld r0, Z+"),
            (0x926E, 0, "st -X, r6"),
            (0xBFDE, 0, "out 0x3e, r29"),
            (0xB78F, 0, "in r24, 0x3f"),
            (0x9A5D, 0, "sbi 0x0b, 5"),
            (0x9180, 0x011A, "lds r24, 0x011a"),
            (0x940E, 0x0091, "call 0x122"),
            (0xCFE7, 0, "rjmp 0xd0"),
            (0xF7E9, 0, "brne 0xfc"),
            (0xFD80, 0, "sbrc r24, 0"),
            (0x95C8, 0, "lpm r0, Z"),
            (0x9488, 0, "clc"),
            (0x9468, 0, "set"),
            (0x94F8, 0, "cli"),
            (0x9518, 0, "reti"),
            (0x0000, 0, "nop"),
            (0x9598, 0, "break"),
            (0xFFFF, 0, "sbrs r31, 7"),
            (0x0001, 0, ".word 0x0001"),
        ] {
            assert_eq!(assembly(0x100, first, second), expected, "{first:04x}");
        }
    }
}
