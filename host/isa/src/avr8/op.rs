// SPDX-License-Identifier: MIT OR Apache-2.0
//! Decoded instructions: the meaning of one or two words of code, in four bytes.

/// Number of a register, 0 to 31; of a pair, that of its lower half.
pub type Reg = u8;

/// Lower half of the pointer X.
pub(super) const X: Reg = 26;
/// Lower half of the pointer Y.
pub(super) const Y: Reg = 28;
/// Lower half of the pointer Z.
pub(super) const Z: Reg = 30;

/// One decoded instruction. Bits of registers are masks, `address` is a data address, offsets count
/// words. Skips know the length of the instruction after them. They have the manual's names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
#[rustfmt::skip]
pub enum Op {
    /// Not decoded yet: decode, then execute.
    Undecoded,
    /// The instruction has a breakpoint, or tools know something of it.
    Breakpoint,
    /// What it does is undefined, which must be reported first.
    Undefined,

    Add { rd: Reg, rr: Reg },
    Adc { rd: Reg, rr: Reg },
    Sub { rd: Reg, rr: Reg },
    Sbc { rd: Reg, rr: Reg },
    And { rd: Reg, rr: Reg },
    Or { rd: Reg, rr: Reg },
    Eor { rd: Reg, rr: Reg },
    Cp { rd: Reg, rr: Reg },
    Cpc { rd: Reg, rr: Reg },
    Mov { rd: Reg, rr: Reg },
    Movw { rd: Reg, rr: Reg },
    Mul { rd: Reg, rr: Reg },
    Muls { rd: Reg, rr: Reg },
    Mulsu { rd: Reg, rr: Reg },
    Fmul { rd: Reg, rr: Reg },
    Fmuls { rd: Reg, rr: Reg },
    Fmulsu { rd: Reg, rr: Reg },

    Subi { rd: Reg, imm: u8 },
    Sbci { rd: Reg, imm: u8 },
    Andi { rd: Reg, imm: u8 },
    Ori { rd: Reg, imm: u8 },
    Cpi { rd: Reg, imm: u8 },
    Ldi { rd: Reg, imm: u8 },
    Adiw { rd: Reg, imm: u8 },
    Sbiw { rd: Reg, imm: u8 },

    Com { rd: Reg },
    Neg { rd: Reg },
    Swap { rd: Reg },
    Inc { rd: Reg },
    Dec { rd: Reg },
    Asr { rd: Reg },
    Lsr { rd: Reg },
    Ror { rd: Reg },

    /// Bits of SREG other than I.
    Bset { mask: u8 },
    Bclr { mask: u8 },
    Sei,
    Cli,
    Bst { rd: Reg, mask: u8 },
    Bld { rd: Reg, mask: u8 },

    Brcs { offset: i8 },
    Brcc { offset: i8 },
    Breq { offset: i8 },
    Brne { offset: i8 },
    Brmi { offset: i8 },
    Brpl { offset: i8 },
    Brvs { offset: i8 },
    Brvc { offset: i8 },
    Brlt { offset: i8 },
    Brge { offset: i8 },
    Brhs { offset: i8 },
    Brhc { offset: i8 },
    Brts { offset: i8 },
    Brtc { offset: i8 },
    Brie { offset: i8 },
    Brid { offset: i8 },

    Cpse { rd: Reg, rr: Reg, words: u8 },
    Sbrc { rr: Reg, mask: u8, words: u8 },
    Sbrs { rr: Reg, mask: u8, words: u8 },
    Sbic { address: u8, mask: u8, words: u8 },
    Sbis { address: u8, mask: u8, words: u8 },

    Rjmp { offset: i16 },
    Rcall { offset: i16 },
    /// `to` is the address of a word.
    Jmp { to: u16 },
    Call { to: u16 },
    Ijmp,
    Icall,
    Ret,
    Reti,

    In { rd: Reg, address: u8 },
    Out { rr: Reg, address: u8 },
    InSreg { rd: Reg },
    OutSreg { rr: Reg },
    Sbi { address: u8, mask: u8 },
    Cbi { address: u8, mask: u8 },

    Lds { rd: Reg, address: u16 },
    Sts { rr: Reg, address: u16 },
    /// Through a pointer, at a distance; that of X is 0.
    Ldd { rd: Reg, pointer: Reg, q: u8 },
    Std { rr: Reg, pointer: Reg, q: u8 },
    /// Through a pointer, which is incremented then.
    LdInc { rd: Reg, pointer: Reg },
    StInc { rr: Reg, pointer: Reg },
    /// Through a pointer, which is decremented first.
    LdDec { rd: Reg, pointer: Reg },
    StDec { rr: Reg, pointer: Reg },
    Push { rr: Reg },
    Pop { rd: Reg },

    Lpm { rd: Reg, increment: bool },
    Elpm { rd: Reg, increment: bool },
    Spm,

    Nop,
    Sleep,
    Wdr,
    Break,
}

impl Op {
    /// The branch or skip that goes elsewhere when this one does not; CPSE has none.
    pub fn inverse(self) -> Option<Op> {
        Some(match self {
            Op::Brcs { offset } => Op::Brcc { offset },
            Op::Brcc { offset } => Op::Brcs { offset },
            Op::Breq { offset } => Op::Brne { offset },
            Op::Brne { offset } => Op::Breq { offset },
            Op::Brmi { offset } => Op::Brpl { offset },
            Op::Brpl { offset } => Op::Brmi { offset },
            Op::Brvs { offset } => Op::Brvc { offset },
            Op::Brvc { offset } => Op::Brvs { offset },
            Op::Brlt { offset } => Op::Brge { offset },
            Op::Brge { offset } => Op::Brlt { offset },
            Op::Brhs { offset } => Op::Brhc { offset },
            Op::Brhc { offset } => Op::Brhs { offset },
            Op::Brts { offset } => Op::Brtc { offset },
            Op::Brtc { offset } => Op::Brts { offset },
            Op::Brie { offset } => Op::Brid { offset },
            Op::Brid { offset } => Op::Brie { offset },
            Op::Sbrc { rr, mask, words } => Op::Sbrs { rr, mask, words },
            Op::Sbrs { rr, mask, words } => Op::Sbrc { rr, mask, words },
            Op::Sbic { address, mask, words } => Op::Sbis { address, mask, words },
            Op::Sbis { address, mask, words } => Op::Sbic { address, mask, words },
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Core, Memory, NoDevices, PC, SREG, decode, encode, instruction};
    use crate::Cycle;

    const CODE: u32 = 0x900;

    /// Where an instruction leads with these flags, and this byte in all registers.
    fn leads(memory: &mut Memory, code: u16, byte: u32) -> u32 {
        memory.write(CODE, &code.to_le_bytes()).expect("in flash");
        let mut core = Core::new();
        core.reset(CODE);
        (0..32).for_each(|register| core.set_register(register, byte));
        core.set_register(SREG, byte);
        core.run(memory, &mut NoDevices, Cycle(1));
        core.register(PC)
    }

    #[test]
    fn an_inverse_goes_elsewhere() {
        let mut memory = Memory::new(0x2000, 0x1100);
        let mut inverses = 0;
        for code in 0..=u16::MAX {
            let decoded = decode(code, 0);
            let Some(inverse) = decoded.op.inverse().filter(|_| decoded.defined) else { continue };
            let other = encode(inverse, code).expect("an encoding");
            let decides = instruction(CODE, code, 0).flow.target() != Some(CODE + 2);
            for byte in [0, 0xFF] {
                let [one, two] = [code, other].map(|code| leads(&mut memory, code, byte));
                assert_eq!(one != two, decides, "{code:04x} {other:04x}");
            }
            inverses += 1;
        }
        assert!(inverses > 2_000, "{inverses}");
    }
}
