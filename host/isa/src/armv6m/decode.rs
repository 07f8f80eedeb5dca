// SPDX-License-Identifier: MIT OR Apache-2.0
//! From halfwords to [`Op`]: ARMv6-M Architecture Reference Manual, chapter A5.

use super::op::{Condition, Op, SystemOp};

/// Decodes the instruction that begins with `first`. `second` is the halfword after it, `None` if
/// there is no memory; it matters only to 32-bit instructions.
pub fn decode(first: u16, second: Option<u16>) -> Op {
    match first >> 11 {
        0b00000..=0b00111 => shift_add_sub_mov_cmp(first),
        0b01000 => match first >> 10 & 1 {
            0 => data_processing(first),
            _ => special_data(first),
        },
        0b01001 => Op::LdrLit { rt: reg(first, 8), words: first as u8 },
        0b01010 | 0b01011 => load_store_register(first),
        0b01100..=0b10001 => load_store_immediate(first),
        0b10010 => Op::StrSp { rt: reg(first, 8), offset: (first & 0xFF) << 2 },
        0b10011 => Op::LdrSp { rt: reg(first, 8), offset: (first & 0xFF) << 2 },
        0b10100 => Op::Adr { rd: reg(first, 8), words: first as u8 },
        0b10101 => Op::AddRdSp { rd: reg(first, 8), offset: (first & 0xFF) << 2 },
        0b10110 | 0b10111 => miscellaneous(first),
        0b11000 => Op::Stm { rn: reg(first, 8), list: first as u8 },
        0b11001 => Op::Ldm { rn: reg(first, 8), list: first as u8 },
        0b11010 | 0b11011 => conditional_branch_or_call(first),
        // Eleven bits of halfwords, sign extended.
        0b11100 => Op::B { offset: ((first << 5) as i16) >> 5 },
        0b11110 => wide(first, second),
        _ => Op::Undefined,
    }
}

/// Whether the instruction that begins with `first` has 32 bits (A5.1).
pub(super) fn is_wide(first: u16) -> bool {
    first >> 11 >= 0b11101
}

/// Whether the 16-bit instruction `halfword` is a load or a store (A5.2, A5.2.4 and A5.2.5).
pub(super) fn accesses_memory(halfword: u16) -> bool {
    match halfword >> 11 {
        0b01001..=0b10011 | 0b11000 | 0b11001 => true,
        0b10110 | 0b10111 => halfword >> 9 & 3 == 0b10,
        _ => false,
    }
}

/// Three bits of a register number at `shift`.
fn reg(halfword: u16, shift: u32) -> u8 {
    (halfword >> shift & 7) as u8
}

fn shift_add_sub_mov_cmp(h: u16) -> Op {
    let (rd, rn, rm) = (reg(h, 0), reg(h, 3), reg(h, 6));
    let (rdn, imm8) = (reg(h, 8), h as u8);
    let imm5 = (h >> 6 & 31) as u8;
    match h >> 9 {
        0b00000..=0b00011 => Op::LslImm { rd, rm: rn, n: imm5 },
        0b00100..=0b00111 => Op::LsrImm { rd, rm: rn, n: if imm5 == 0 { 32 } else { imm5 } },
        0b01000..=0b01011 => Op::AsrImm { rd, rm: rn, n: if imm5 == 0 { 32 } else { imm5 } },
        0b01100 => Op::AddReg { rd, rn, rm },
        0b01101 => Op::SubReg { rd, rn, rm },
        0b01110 => Op::AddImm { rd, rn, imm: rm },
        0b01111 => Op::SubImm { rd, rn, imm: rm },
        0b10000..=0b10011 => Op::MovImm { rd: rdn, imm: imm8 },
        0b10100..=0b10111 => Op::CmpImm { rn: rdn, imm: imm8 },
        0b11000..=0b11011 => Op::AddImm { rd: rdn, rn: rdn, imm: imm8 },
        _ => Op::SubImm { rd: rdn, rn: rdn, imm: imm8 },
    }
}

fn data_processing(h: u16) -> Op {
    let (rd, rm) = (reg(h, 0), reg(h, 3));
    match h >> 6 & 15 {
        0b0000 => Op::And { rd, rm },
        0b0001 => Op::Eor { rd, rm },
        0b0010 => Op::LslReg { rd, rm },
        0b0011 => Op::LsrReg { rd, rm },
        0b0100 => Op::AsrReg { rd, rm },
        0b0101 => Op::Adc { rd, rm },
        0b0110 => Op::Sbc { rd, rm },
        0b0111 => Op::Ror { rd, rm },
        0b1000 => Op::Tst { rn: rd, rm },
        0b1001 => Op::Rsb { rd, rn: rm },
        0b1010 => Op::Cmp { rn: rd, rm },
        0b1011 => Op::Cmn { rn: rd, rm },
        0b1100 => Op::Orr { rd, rm },
        0b1101 => Op::Mul { rd, rm },
        0b1110 => Op::Bic { rd, rm },
        _ => Op::Mvn { rd, rm },
    }
}

fn special_data(h: u16) -> Op {
    let rd = (h & 7 | h >> 4 & 8) as u8;
    let rm = (h >> 3 & 15) as u8;
    let plain = rd < 13 && rm < 13;
    match h >> 7 & 7 {
        0b000 | 0b001 if plain => Op::AddHigh { rd, rm },
        0b000 | 0b001 => Op::AddAny { rd, rm },
        0b010 | 0b011 => Op::CmpAny { rn: rd, rm },
        0b100 | 0b101 if plain => Op::MovHigh { rd, rm },
        0b100 | 0b101 => Op::MovAny { rd, rm },
        0b110 => Op::Bx { rm },
        _ => Op::Blx { rm },
    }
}

fn load_store_register(h: u16) -> Op {
    let (rt, rn, rm) = (reg(h, 0), reg(h, 3), reg(h, 6));
    match h >> 9 & 7 {
        0b000 => Op::StrReg { rt, rn, rm },
        0b001 => Op::StrhReg { rt, rn, rm },
        0b010 => Op::StrbReg { rt, rn, rm },
        0b011 => Op::LdrsbReg { rt, rn, rm },
        0b100 => Op::LdrReg { rt, rn, rm },
        0b101 => Op::LdrhReg { rt, rn, rm },
        0b110 => Op::LdrbReg { rt, rn, rm },
        _ => Op::LdrshReg { rt, rn, rm },
    }
}

fn load_store_immediate(h: u16) -> Op {
    let (rt, rn) = (reg(h, 0), reg(h, 3));
    let imm5 = (h >> 6 & 31) as u8;
    match h >> 11 {
        0b01100 => Op::StrImm { rt, rn, offset: imm5 << 2 },
        0b01101 => Op::LdrImm { rt, rn, offset: imm5 << 2 },
        0b01110 => Op::StrbImm { rt, rn, offset: imm5 },
        0b01111 => Op::LdrbImm { rt, rn, offset: imm5 },
        0b10000 => Op::StrhImm { rt, rn, offset: imm5 << 1 },
        _ => Op::LdrhImm { rt, rn, offset: imm5 << 1 },
    }
}

fn miscellaneous(h: u16) -> Op {
    let (rd, rm) = (reg(h, 0), reg(h, 3));
    let sp_offset = ((h & 0x7F) << 2) as i16;
    match h >> 6 & 0x3F {
        0b000000 | 0b000001 => Op::AdjustSp { offset: sp_offset },
        0b000010 | 0b000011 => Op::AdjustSp { offset: -sp_offset },
        0b001000 => Op::Sxth { rd, rm },
        0b001001 => Op::Sxtb { rd, rm },
        0b001010 => Op::Uxth { rd, rm },
        0b001011 => Op::Uxtb { rd, rm },
        0b010000..=0b010111 => Op::Push { list: h as u8, lr: h & 0x100 != 0 },
        0b011001 if h & !0x10 == 0xB662 => Op::System(SystemOp::Cps { disable: h & 0x10 != 0 }),
        0b101000 => Op::Rev { rd, rm },
        0b101001 => Op::Rev16 { rd, rm },
        0b101011 => Op::Revsh { rd, rm },
        0b110000..=0b110011 => Op::Pop { list: h as u8 },
        0b110100..=0b110111 => Op::PopPc { list: h as u8 },
        0b111000..=0b111011 => Op::System(SystemOp::Bkpt),
        0b111100..=0b111111 => hint(h),
        _ => Op::Undefined,
    }
}

/// Hints without a meaning here are no-ops; the encodings of IT are undefined.
fn hint(h: u16) -> Op {
    match (h >> 4 & 15, h & 15) {
        (_, 1..) => Op::Undefined,
        (2, _) => Op::System(SystemOp::Wfe),
        (3, _) => Op::System(SystemOp::Wfi),
        (4, _) => Op::System(SystemOp::Sev),
        _ => Op::Nop,
    }
}

fn conditional_branch_or_call(h: u16) -> Op {
    use Condition::*;
    let condition = match h >> 8 & 15 {
        0 => Eq,
        1 => Ne,
        2 => Cs,
        3 => Cc,
        4 => Mi,
        5 => Pl,
        6 => Vs,
        7 => Vc,
        8 => Hi,
        9 => Ls,
        10 => Ge,
        11 => Lt,
        12 => Gt,
        13 => Le,
        14 => return Op::Undefined,
        _ => return Op::System(SystemOp::Svc),
    };
    Op::BCond { condition, offset: h as i8 }
}

/// 32-bit encodings that begin with 0b11110.
fn wide(first: u16, second: Option<u16>) -> Op {
    let Some(second) = second else { return Op::Undefined };
    if second & 0xD000 == 0xD000 {
        return branch_with_link(first, second);
    }
    if second & 0xD000 != 0x8000 {
        return Op::Undefined;
    }
    match first >> 4 & 0x7F {
        0b0111000 | 0b0111001 => {
            Op::System(SystemOp::Msr { rn: (first & 15) as u8, special: second as u8 })
        }
        0b0111011 => match second >> 4 & 15 {
            // DSB, DMB, ISB.
            4..=6 => Op::System(SystemOp::Barrier),
            _ => Op::Undefined,
        },
        0b0111110 | 0b0111111 => {
            Op::System(SystemOp::Mrs { rd: (second >> 8 & 15) as u8, special: second as u8 })
        }
        _ => Op::Undefined,
    }
}

fn branch_with_link(first: u16, second: u16) -> Op {
    let s = u32::from(first >> 10 & 1);
    // I1 = NOT(J1 EOR S), I2 = NOT(J2 EOR S).
    let i1 = u32::from(second >> 13 & 1) ^ s ^ 1;
    let i2 = u32::from(second >> 11 & 1) ^ s ^ 1;
    let halfwords =
        s << 23 | i1 << 22 | i2 << 21 | u32::from(first & 0x3FF) << 11 | u32::from(second & 0x7FF);
    Op::Bl { high: (halfwords >> 16) as i8, low: halfwords as u16 }
}

#[cfg(test)]
mod tests {
    use super::super::describe::instruction;
    use super::*;

    #[test]
    fn the_halfwords_that_access_memory_are_those_that_are_described_so() {
        for halfword in (0..=u16::MAX).filter(|&halfword| !is_wide(halfword)) {
            if decode(halfword, None) != Op::Undefined {
                let said = instruction(0, halfword, None).access.is_some();
                assert_eq!(accesses_memory(halfword), said, "{halfword:#06x}");
            }
        }
    }
}
