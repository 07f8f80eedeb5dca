// SPDX-License-Identifier: MIT OR Apache-2.0
//! From words to [`Op`]: AVR Instruction Set Manual, chapter "Instruction Description".

use super::op::{Op, Reg, X, Y, Z};

/// Data address of I/O register 0.
const IO: u8 = 0x20;
/// I/O address of SREG.
const SREG: u8 = 0x3F;

/// An instruction, and whether the manual defines what it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The instruction.
    pub op: Op,
    /// Whether it is defined.
    pub defined: bool,
}

/// Number of words of the instruction that begins with `first`: 2 for LDS, STS, JMP and CALL.
pub(super) fn words(first: u16) -> u8 {
    let long = first & 0xFC0F == 0x9000 || first & 0xFE0C == 0x940C;
    if long { 2 } else { 1 }
}

/// Decodes the instruction that begins with `first`. `second` is the word after it, which matters to
/// instructions of two words and to skips. Without a meaning it is NOP, not defined.
pub fn decode(first: u16, second: u16) -> Decoded {
    let op = match first >> 12 {
        0x0..=0x2 => two_registers(first, second),
        0x3 => Some(Op::Cpi { rd: high(first), imm: imm8(first) }),
        0x4 => Some(Op::Sbci { rd: high(first), imm: imm8(first) }),
        0x5 => Some(Op::Subi { rd: high(first), imm: imm8(first) }),
        0x6 => Some(Op::Ori { rd: high(first), imm: imm8(first) }),
        0x7 => Some(Op::Andi { rd: high(first), imm: imm8(first) }),
        0x8 | 0xA => Some(displacement(first)),
        0x9 => nine(first, second),
        0xB => Some(input_output(first)),
        // Twelve bits of words, sign extended.
        0xC => Some(Op::Rjmp { offset: ((first << 4) as i16) >> 4 }),
        0xD => Some(Op::Rcall { offset: ((first << 4) as i16) >> 4 }),
        0xE => Some(Op::Ldi { rd: high(first), imm: imm8(first) }),
        _ => branch_or_bit(first, second),
    };
    match op {
        Some(op) => Decoded { op, defined: !overwrites_pointer(op) && !ignores_bit_3(first) },
        None => Decoded { op: Op::Nop, defined: false },
    }
}

/// Register d of five bits.
fn reg(word: u16) -> Reg {
    (word >> 4 & 31) as Reg
}

/// Register d of four bits, 16 to 31.
fn high(word: u16) -> Reg {
    (word >> 4 & 15) as Reg + 16
}

fn imm8(word: u16) -> u8 {
    (word >> 4 & 0xF0 | word & 0x0F) as u8
}

/// Bit b as a mask.
fn mask(word: u16) -> u8 {
    1 << (word & 7)
}

/// Whether the register that is loaded or stored is part of the pointer that changes, which the manual
/// leaves undefined.
fn overwrites_pointer(op: Op) -> bool {
    match op {
        Op::LdInc { rd: r, pointer }
        | Op::LdDec { rd: r, pointer }
        | Op::StInc { rr: r, pointer }
        | Op::StDec { rr: r, pointer } => r & 30 == pointer,
        Op::Lpm { rd, increment } | Op::Elpm { rd, increment } => increment && rd & 30 == Z,
        _ => false,
    }
}

/// SBRC and SBRS with bit 3 set, which the manual does not list. Erased flash, 0xFFFF, is one.
fn ignores_bit_3(first: u16) -> bool {
    first & 0xFC08 == 0xFC08
}

fn two_registers(w: u16, second: u16) -> Option<Op> {
    let rd = reg(w);
    let rr = (w & 15 | w >> 5 & 16) as Reg;
    Some(match w >> 10 {
        0b000000 => return multiplication(w),
        0b000001 => Op::Cpc { rd, rr },
        0b000010 => Op::Sbc { rd, rr },
        0b000011 => Op::Add { rd, rr },
        0b000100 => Op::Cpse { rd, rr, words: words(second) },
        0b000101 => Op::Cp { rd, rr },
        0b000110 => Op::Sub { rd, rr },
        0b000111 => Op::Adc { rd, rr },
        0b001000 => Op::And { rd, rr },
        0b001001 => Op::Eor { rd, rr },
        0b001010 => Op::Or { rd, rr },
        _ => Op::Mov { rd, rr },
    })
}

/// NOP, MOVW, and the multiplications with fewer registers.
fn multiplication(w: u16) -> Option<Op> {
    let (d, r) = ((w >> 4 & 7) as Reg + 16, (w & 7) as Reg + 16);
    Some(match w >> 8 {
        0 if w == 0 => Op::Nop,
        0 => return None,
        1 => Op::Movw { rd: (w >> 3 & 30) as Reg, rr: (w << 1 & 30) as Reg },
        2 => Op::Muls { rd: high(w), rr: (w & 15) as Reg + 16 },
        _ => match (w >> 7 & 1, w >> 3 & 1) {
            (0, 0) => Op::Mulsu { rd: d, rr: r },
            (0, _) => Op::Fmul { rd: d, rr: r },
            (_, 0) => Op::Fmuls { rd: d, rr: r },
            _ => Op::Fmulsu { rd: d, rr: r },
        },
    })
}

/// LDD and STD; LD and ST without a displacement.
fn displacement(w: u16) -> Op {
    let q = (w & 7 | w >> 7 & 0x18 | w >> 8 & 0x20) as u8;
    let pointer = if w & 8 != 0 { Y } else { Z };
    match w >> 9 & 1 {
        0 => Op::Ldd { rd: reg(w), pointer, q },
        _ => Op::Std { rr: reg(w), pointer, q },
    }
}

/// What begins with 0b1001.
fn nine(w: u16, second: u16) -> Option<Op> {
    let (address, mask) = (IO + (w >> 3 & 31) as u8, mask(w));
    Some(match w >> 8 & 15 {
        0b0000 | 0b0001 => return load(w, second),
        0b0010 | 0b0011 => return store(w, second),
        0b0100 | 0b0101 => return one_register(w, second),
        0b0110 => Op::Adiw { rd: pair(w), imm: imm6(w) },
        0b0111 => Op::Sbiw { rd: pair(w), imm: imm6(w) },
        0b1000 => Op::Cbi { address, mask },
        0b1001 => Op::Sbic { address, mask, words: words(second) },
        0b1010 => Op::Sbi { address, mask },
        0b1011 => Op::Sbis { address, mask, words: words(second) },
        _ => Op::Mul { rd: reg(w), rr: (w & 15 | w >> 5 & 16) as Reg },
    })
}

/// Pair d of ADIW and SBIW: r25:r24, X, Y or Z.
fn pair(w: u16) -> Reg {
    24 + (w >> 3 & 6) as Reg
}

fn imm6(w: u16) -> u8 {
    (w >> 2 & 0x30 | w & 0x0F) as u8
}

fn load(w: u16, second: u16) -> Option<Op> {
    let rd = reg(w);
    Some(match w & 15 {
        0b0000 => Op::Lds { rd, address: second },
        0b0001 => Op::LdInc { rd, pointer: Z },
        0b0010 => Op::LdDec { rd, pointer: Z },
        0b0100 => Op::Lpm { rd, increment: false },
        0b0101 => Op::Lpm { rd, increment: true },
        0b0110 => Op::Elpm { rd, increment: false },
        0b0111 => Op::Elpm { rd, increment: true },
        0b1001 => Op::LdInc { rd, pointer: Y },
        0b1010 => Op::LdDec { rd, pointer: Y },
        0b1100 => Op::Ldd { rd, pointer: X, q: 0 },
        0b1101 => Op::LdInc { rd, pointer: X },
        0b1110 => Op::LdDec { rd, pointer: X },
        0b1111 => Op::Pop { rd },
        _ => return None,
    })
}

fn store(w: u16, second: u16) -> Option<Op> {
    let rr = reg(w);
    Some(match w & 15 {
        0b0000 => Op::Sts { rr, address: second },
        0b0001 => Op::StInc { rr, pointer: Z },
        0b0010 => Op::StDec { rr, pointer: Z },
        0b1001 => Op::StInc { rr, pointer: Y },
        0b1010 => Op::StDec { rr, pointer: Y },
        0b1100 => Op::Std { rr, pointer: X, q: 0 },
        0b1101 => Op::StInc { rr, pointer: X },
        0b1110 => Op::StDec { rr, pointer: X },
        0b1111 => Op::Push { rr },
        _ => return None,
    })
}

fn one_register(w: u16, second: u16) -> Option<Op> {
    let rd = reg(w);
    Some(match w & 15 {
        0b0000 => Op::Com { rd },
        0b0001 => Op::Neg { rd },
        0b0010 => Op::Swap { rd },
        0b0011 => Op::Inc { rd },
        0b0101 => Op::Asr { rd },
        0b0110 => Op::Lsr { rd },
        0b0111 => Op::Ror { rd },
        0b1010 => Op::Dec { rd },
        0b1000 => return flag_or_control(w),
        0b1001 => match w {
            0x9409 => Op::Ijmp,
            0x9509 => Op::Icall,
            _ => return None,
        },
        // The program counter has no more than the 16 bits of the second word.
        0b1100 | 0b1101 => Op::Jmp { to: second },
        0b1110 | 0b1111 => Op::Call { to: second },
        _ => return None,
    })
}

fn flag_or_control(w: u16) -> Option<Op> {
    let flag = (w >> 4 & 7) as u8;
    Some(match w {
        0x9478 => Op::Sei,
        0x94F8 => Op::Cli,
        0x9400..=0x947F => Op::Bset { mask: 1 << flag },
        0x9480..=0x94FF => Op::Bclr { mask: 1 << flag },
        0x9508 => Op::Ret,
        0x9518 => Op::Reti,
        0x9588 => Op::Sleep,
        0x9598 => Op::Break,
        0x95A8 => Op::Wdr,
        0x95C8 => Op::Lpm { rd: 0, increment: false },
        0x95D8 => Op::Elpm { rd: 0, increment: false },
        0x95E8 => Op::Spm,
        _ => return None,
    })
}

fn input_output(w: u16) -> Op {
    let (rd, io) = (reg(w), (w & 15 | w >> 5 & 0x30) as u8);
    match (w >> 11 & 1, io) {
        (0, SREG) => Op::InSreg { rd },
        (_, SREG) => Op::OutSreg { rr: rd },
        (0, _) => Op::In { rd, address: IO + io },
        _ => Op::Out { rr: rd, address: IO + io },
    }
}

/// What begins with 0b1111.
fn branch_or_bit(w: u16, second: u16) -> Option<Op> {
    let (rd, mask) = (reg(w), mask(w));
    Some(match w >> 9 & 7 {
        0..=3 => branch(w),
        4 if w & 8 == 0 => Op::Bld { rd, mask },
        5 if w & 8 == 0 => Op::Bst { rd, mask },
        6 => Op::Sbrc { rr: rd, mask, words: words(second) },
        7 => Op::Sbrs { rr: rd, mask, words: words(second) },
        _ => return None,
    })
}

/// BRBS and BRBC, by the names that they have for each flag.
fn branch(w: u16) -> Op {
    // Seven bits of words, sign extended.
    let offset = ((w >> 2) as i8) >> 1;
    match (w & 7, w >> 10 & 1) {
        (0, 0) => Op::Brcs { offset },
        (0, _) => Op::Brcc { offset },
        (1, 0) => Op::Breq { offset },
        (1, _) => Op::Brne { offset },
        (2, 0) => Op::Brmi { offset },
        (2, _) => Op::Brpl { offset },
        (3, 0) => Op::Brvs { offset },
        (3, _) => Op::Brvc { offset },
        (4, 0) => Op::Brlt { offset },
        (4, _) => Op::Brge { offset },
        (5, 0) => Op::Brhs { offset },
        (5, _) => Op::Brhc { offset },
        (6, 0) => Op::Brts { offset },
        (6, _) => Op::Brtc { offset },
        (_, 0) => Op::Brie { offset },
        _ => Op::Brid { offset },
    }
}
