// SPDX-License-Identifier: MIT OR Apache-2.0
//! Instructions of AVR as mutations need them: what each is and does comes from the decoder; into which other one it
//! is changed is here.

mod constants;
mod decisions;

use crate::code::{Code, Instruction};
use crate::mutant::Change;
use lichen_analysis::Text;
use lichen_isa::avr8::{self, DATA_BASE, Decoded, Op, Own, SP, decode, encode, instruction};
use lichen_isa::{Flow, Place, System};

/// The mutations of the instruction at `index`, except those of stores.
pub(crate) fn changes(
    text: &Text<'_>,
    instructions: &[Instruction<Avr>],
    index: usize,
) -> Vec<Change> {
    let mut changes = decisions::changes(text.image(), instructions, index);
    changes.extend(constants::changes(text, instructions, index));
    changes
}

/// A constant within an instruction, or the number of a bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Immediate {
    pub(crate) value: u8,
    /// The largest value with the same kind of instruction; the smallest is 0.
    pub(crate) most: u8,
}

/// Where an instruction has a constant.
enum Field<'op> {
    Byte(&'op mut u8),
    /// Six bits.
    Six(&'op mut u8),
    /// A bit, as a mask.
    Bit(&'op mut u8),
}

impl Field<'_> {
    fn of(op: &mut Op) -> Option<Field<'_>> {
        match op {
            Op::Ldi { imm, .. } | Op::Cpi { imm, .. } | Op::Subi { imm, .. } => {
                Some(Field::Byte(imm))
            }
            Op::Adiw { imm, .. } | Op::Sbiw { imm, .. } => Some(Field::Six(imm)),
            Op::Sbrc { mask, .. } | Op::Sbrs { mask, .. } => Some(Field::Bit(mask)),
            Op::Sbic { mask, .. } | Op::Sbis { mask, .. } => Some(Field::Bit(mask)),
            Op::Sbi { mask, .. } | Op::Cbi { mask, .. } => Some(Field::Bit(mask)),
            _ => None,
        }
    }

    fn immediate(&self) -> Immediate {
        match self {
            Field::Byte(value) => Immediate { value: **value, most: u8::MAX },
            Field::Six(value) => Immediate { value: **value, most: 63 },
            Field::Bit(mask) => Immediate { value: mask.trailing_zeros() as u8, most: 7 },
        }
    }

    fn set(self, new: u8) {
        match self {
            Field::Byte(value) | Field::Six(value) => *value = new,
            Field::Bit(mask) => *mask = 1 << new,
        }
    }
}

/// An instruction at its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Avr {
    /// Its encoding: one word, or two.
    code: [u16; 2],
    op: Op,
    facts: lichen_isa::Instruction,
}

impl Code for Avr {
    const NOP: u16 = avr8::NOP;
    const IS_RELAXED: bool = true;

    fn at(address: u32, first: u16, second: Option<u16>) -> Avr {
        let second = second.unwrap_or(0);
        let Decoded { op, .. } = decode(first, second);
        Avr { code: [first, second], op, facts: instruction(address, first, second) }
    }

    fn facts(&self) -> &lichen_isa::Instruction {
        &self.facts
    }

    fn codes(&self) -> Vec<u16> {
        self.code[..self.facts.bytes as usize / 2].to_vec()
    }

    /// ST, STD, STS, OUT, SBI and CBI. PUSH belongs to calls, and what writes the stack pointer or
    /// SREG stores nothing.
    fn is_store(&self) -> bool {
        let writes = self.facts.access.is_some_and(|access| access.write);
        writes && !self.facts.writes.contains(SP as u8) && !self.writes_status()
    }

    fn is_relative(&self) -> bool {
        false
    }

    /// RJMP and JMP: panics of assembly are reached so.
    fn continues_at(&self) -> Option<u32> {
        match self.facts.flow {
            Flow::Branch(to) => Some(to),
            _ => None,
        }
    }

    fn ends_block(&self) -> bool {
        self.facts.flow != Flow::Next || self.facts.system.is_some() || self.writes_status()
    }
}

impl Avr {
    /// The encoding of another instruction in its place.
    fn instead(&self, op: Op) -> Option<u16> {
        encode(op, self.code[0])
    }

    /// Whether it writes SREG, and with it the mask of interrupts.
    fn writes_status(&self) -> bool {
        self.own_written() == Some(Own::Status)
    }

    /// What it writes of the core by its data address.
    fn own_written(&self) -> Option<Own> {
        let access = self.facts.access.filter(|access| access.write)?;
        let Place::Fixed(address) = access.place else { return None };
        Own::at(address.checked_sub(DATA_BASE)? as u16)
    }

    /// Whether it writes a half of the stack pointer from this pair.
    fn writes_stack_pointer(&self, pair: u8) -> bool {
        let is_half = matches!(self.own_written(), Some(Own::StackLow | Own::StackHigh));
        is_half && (self.facts.reads.contains(pair) || self.facts.reads.contains(pair + 1))
    }

    /// Register and constant of LDI, or of EOR with the register itself.
    fn loaded_constant(&self) -> Option<(u8, u8)> {
        match self.op {
            Op::Ldi { rd, imm } => Some((rd, imm)),
            Op::Eor { rd, rr } if rd == rr => Some((rd, 0)),
            _ => None,
        }
    }

    /// Register and constant of SUBI, or of SBCI with which it goes on.
    fn subtracted_constant(&self, goes_on: bool) -> Option<(u8, u8)> {
        match self.op {
            Op::Subi { rd, imm } if !goes_on => Some((rd, imm)),
            Op::Sbci { rd, imm } if goes_on => Some((rd, imm)),
            _ => None,
        }
    }

    /// The pair of ADIW and SBIW.
    fn moved_pair(&self) -> Option<u8> {
        match self.op {
            Op::Adiw { rd, .. } | Op::Sbiw { rd, .. } => Some(rd),
            _ => None,
        }
    }

    /// CLI, SEI, and OUT to SREG.
    pub(crate) fn masks(&self) -> bool {
        let is_mask = matches!(self.facts.system, Some(System::Mask | System::Unmask));
        is_mask && self.facts.flow == Flow::Next || self.writes_status()
    }

    /// Whether it decides which instruction is next.
    pub(crate) fn decides(&self) -> bool {
        matches!(self.facts.flow, Flow::BranchIf(_))
    }

    /// The same decision the other way round.
    pub(crate) fn inverted(&self) -> Option<u16> {
        self.instead(self.op.inverse()?)
    }

    /// RJMP to where a decision at `address` may lead.
    pub(crate) fn unconditional(&self, address: u32) -> Option<u16> {
        let words = (self.target()?.wrapping_sub(address + 2) as i32) / 2;
        self.instead(Op::Rjmp { offset: words as i16 })
    }

    /// BRCS and BRCC, BRLT and BRGE: whether one number is less than another.
    pub(crate) fn decides_order(&self) -> bool {
        matches!(self.op, Op::Brcs { .. } | Op::Brcc { .. } | Op::Brlt { .. } | Op::Brge { .. })
    }

    /// The comparison of the other register with this one, if it is a comparison of two: CP, CPC.
    pub(crate) fn exchanged(&self) -> Option<u16> {
        match self.op {
            Op::Cp { rd, rr } => self.instead(Op::Cp { rd: rr, rr: rd }),
            Op::Cpc { rd, rr } => self.instead(Op::Cpc { rd: rr, rr: rd }),
            _ => None,
        }
    }

    /// CP and CPI, with which a comparison begins.
    pub(crate) fn begins_comparison(&self) -> bool {
        matches!(self.op, Op::Cp { .. } | Op::Cpi { .. })
    }

    /// The registers of CPC, with which it goes on.
    pub(crate) fn compares_on(&self) -> Option<(u8, u8)> {
        match self.op {
            Op::Cpc { rd, rr } => Some((rd, rr)),
            _ => None,
        }
    }

    /// Register and constant of CPI.
    pub(crate) fn compared_constant(&self) -> Option<(u8, u8)> {
        match self.op {
            Op::Cpi { rd, imm } => Some((rd, imm)),
            _ => None,
        }
    }

    /// The same with OR instead of AND, and the other way round. A register with itself is only tested.
    pub(crate) fn other_junction(&self) -> Option<u16> {
        self.instead(match self.op {
            Op::And { rd, rr } if rd != rr => Op::Or { rd, rr },
            Op::Or { rd, rr } if rd != rr => Op::And { rd, rr },
            Op::Andi { rd, imm } => Op::Ori { rd, imm },
            Op::Ori { rd, imm } => Op::Andi { rd, imm },
            _ => return None,
        })
    }

    /// INC and DEC.
    pub(crate) fn counts(&self) -> bool {
        matches!(self.op, Op::Inc { .. } | Op::Dec { .. })
    }

    /// The constant of LDI, CPI, SUBI, ADIW and SBIW, or the number of a bit.
    pub(crate) fn immediate(&self) -> Option<Immediate> {
        Field::of(&mut self.op.clone()).map(|field| field.immediate())
    }

    /// The same instruction with another constant.
    pub(crate) fn with(&self, value: u8) -> Option<u16> {
        let mut op = self.op;
        Field::of(&mut op)?.set(value);
        self.instead(op)
    }

    /// Whether it loads, stores, jumps or calls through the pointer that begins with this register.
    pub(crate) fn goes_through(&self, pointer: u8) -> bool {
        let by_access = self.facts.access.is_some_and(|access| match access.place {
            Place::Pointer { bytes, .. } => bytes.first() == Some(&pointer),
            _ => false,
        });
        let jumps = matches!(self.facts.flow, Flow::Indirect | Flow::IndirectCall);
        by_access || jumps && pointer == 30
    }
}

/// For tests: an instruction at address 0.
#[cfg(test)]
pub(crate) fn avr(code: u16) -> Avr {
    Avr::at(0, code, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stores_of_all_forms_are_known() {
        // st X, r18; std Z+1, r24; sts; out 0x05, r24; sbi 0x05, 1
        for code in [0x932C, 0x8381, 0x9380, 0xB985, 0x9A29] {
            assert!(avr(code).is_store(), "{code:04x}");
        }
        // push r24; out SPL, r28; out SREG, r0; ld r24, Z; in r24, 0x05
        for code in [0x938F, 0xBFCD, 0xBE0F, 0x8180, 0xB185] {
            assert!(!avr(code).is_store(), "{code:04x}");
        }
    }

    #[test]
    fn decisions_are_known() {
        let brne = Avr::at(0x100, 0xF7F1, None);
        assert_eq!((brne.inverted(), brne.unconditional(0x100)), (Some(0xF3F1), Some(0xCFFE)));
        let sbrc = Avr::at(0x100, 0xFD80, Some(0x9180)); // sbrc r24, 0 over lds
        assert_eq!((sbrc.inverted(), sbrc.unconditional(0x100)), (Some(0xFF80), Some(0xC002)));
        let cpse = Avr::at(0x100, 0x1389, Some(0)); // cpse r24, r25
        assert!(cpse.decides() && cpse.inverted().is_none());
        assert_eq!(avr(0x9B5D).inverted(), Some(0x995D), "sbis, sbic");
        // bst, bld, rjmp, sbi
        for code in [0xFB80, 0xF980, 0xCFFF, 0x9A5D] {
            assert!(!avr(code).decides(), "{code:04x}");
        }
    }

    #[test]
    fn a_comparison_is_exchanged() {
        assert_eq!(avr(0x1789).exchanged(), Some(0x1798), "cp r24, r25");
        assert_eq!(avr(0x0601).exchanged(), Some(0x0510), "cpc r0, r17");
        assert_eq!(avr(0x3085).exchanged(), None, "cpi r24, 5");
        assert_eq!(avr(0x0791).compares_on(), Some((25, 17)), "cpc r25, r17");
    }

    #[test]
    fn constants_are_read_and_written() {
        let changed = |code, value| {
            let immediate = avr(code).immediate().expect("a constant");
            (immediate.value, avr(code).with(value).expect("an encoding"))
        };
        assert_eq!(changed(0x3A85, 0x5A), (0xA5, 0x358A), "cpi r24, 0xa5");
        assert_eq!(changed(0xE08F, 0x10), (0x0F, 0xE180), "ldi r24, 0x0f");
        assert_eq!(changed(0x9762, 0x0F), (0x12, 0x972F), "sbiw r28, 18");
        assert_eq!(changed(0xFD80, 1), (0, 0xFD81), "sbrc r24, 0");
        assert_eq!(changed(0x9A2F, 6), (7, 0x9A2E), "sbi 0x05, 7");
        assert!(avr(0x2F8C).immediate().is_none(), "mov r24, r28");
    }

    #[test]
    fn and_becomes_or() {
        assert_eq!(avr(0x2389).other_junction(), Some(0x2B89), "and r24, r25");
        assert_eq!(avr(0x2B89).other_junction(), Some(0x2389), "or r24, r25");
        assert_eq!(avr(0x2388).other_junction(), None, "tst r24");
        assert_eq!(avr(0x7085).other_junction(), Some(0x6085), "andi r24, 5");
        assert_eq!(avr(0x1789).other_junction(), None, "cp r24, r25");
    }

    #[test]
    fn masks_are_known() {
        for code in [0x94F8, 0x9478, 0xBE0F] {
            assert!(avr(code).masks() && avr(code).ends_block(), "{code:04x}");
        }
        assert!(!avr(0x9518).masks(), "reti");
    }
}
