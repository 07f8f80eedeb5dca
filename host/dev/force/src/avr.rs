// SPDX-License-Identifier: MIT OR Apache-2.0
//! Instructions of AVR as mutations need them: what each does comes from the decoder; how one is changed
//! into another is here (AVR Instruction Set Manual, DS40002198).

mod constants;
mod decisions;

use crate::code::{Code, Instruction};
use crate::mutant::Change;
use lichen_analysis::Text;
use lichen_isa::avr8::{DATA_BASE, Own, SP, instruction};
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

/// RET.
pub(crate) const RETURN: u16 = 0x9508;

/// A constant within an instruction, or the number of a bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Immediate {
    pub(crate) value: u16,
    /// The largest value with the same kind of instruction; the smallest is 0.
    pub(crate) most: u16,
    place: Field,
}

/// Where a constant lies in an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    /// Eight bits in two halves: CPI, SUBI, LDI.
    Byte,
    /// Six bits in two parts: ADIW, SBIW.
    Six,
    /// The number of a bit.
    Bit,
}

impl Field {
    fn read(self, code: u16) -> u16 {
        match self {
            Field::Byte => code >> 4 & 0xF0 | code & 0x0F,
            Field::Six => code >> 2 & 0x30 | code & 0x0F,
            Field::Bit => code & 7,
        }
    }

    fn write(self, code: u16, value: u16) -> u16 {
        match self {
            Field::Byte => code & !0x0F0F | (value & 0xF0) << 4 | value & 0x0F,
            Field::Six => code & !0x00CF | (value & 0x30) << 2 | value & 0x0F,
            Field::Bit => code & !7 | value,
        }
    }

    fn most(self) -> u16 {
        match self {
            Field::Byte => 0xFF,
            Field::Six => 0x3F,
            Field::Bit => 7,
        }
    }
}

/// An instruction at its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Avr {
    /// Its encoding: one word, or two.
    code: [u16; 2],
    facts: lichen_isa::Instruction,
}

impl Code for Avr {
    const NOP: u16 = 0x0000;
    const IS_RELAXED: bool = true;

    fn at(address: u32, first: u16, second: Option<u16>) -> Avr {
        let second = second.unwrap_or(0);
        let facts = instruction(address, first, second);
        Avr { code: [first, second], facts }
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
    fn first(&self) -> u16 {
        self.code[0]
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
        let code = self.first();
        let (rd, rr) = ((code >> 4 & 31) as u8, (code & 15 | code >> 5 & 16) as u8);
        match code >> 12 {
            0xE => Some((16 + (code >> 4 & 15) as u8, Field::Byte.read(code) as u8)),
            2 if code >> 10 == 0b001001 && rd == rr => Some((rd, 0)),
            _ => None,
        }
    }

    /// Register and constant of SUBI, or of SBCI with which it goes on.
    fn subtracted_constant(&self, goes_on: bool) -> Option<(u8, u8)> {
        let code = self.first();
        let is_it = code >> 12 == if goes_on { 4 } else { 5 };
        is_it.then(|| (16 + (code >> 4 & 15) as u8, Field::Byte.read(code) as u8))
    }

    /// The pair of ADIW and SBIW.
    fn moved_pair(&self) -> Option<u8> {
        (self.first() & 0xFE00 == 0x9600).then(|| 24 + (self.first() >> 3 & 6) as u8)
    }

    /// CLI, SEI, and OUT to SREG.
    pub(crate) fn masks(&self) -> bool {
        let is_mask = matches!(self.facts.system, Some(System::Mask | System::Unmask));
        is_mask && self.facts.flow == Flow::Next || self.writes_status()
    }

    /// BRBS and BRBC.
    fn branches(&self) -> bool {
        self.first() & 0xF800 == 0xF000
    }

    /// CPSE.
    fn compares_and_skips(&self) -> bool {
        self.first() & 0xFC00 == 0x1000
    }

    /// SBRC, SBRS, SBIC and SBIS.
    fn tests_and_skips(&self) -> bool {
        self.first() & 0xFC08 == 0xFC00 || self.first() & 0xFD00 == 0x9900
    }

    /// Whether it decides which instruction is next.
    pub(crate) fn decides(&self) -> bool {
        self.branches() || self.compares_and_skips() || self.tests_and_skips()
    }

    /// The same decision the other way round.
    pub(crate) fn inverted(&self) -> Option<u16> {
        if self.branches() {
            Some(self.first() ^ 0x0400)
        } else if self.tests_and_skips() {
            Some(self.first() ^ 0x0200)
        } else {
            None
        }
    }

    /// RJMP to where a decision at `address` may lead.
    pub(crate) fn unconditional(&self, address: u32) -> Option<u16> {
        let words = (self.target()?.wrapping_sub(address + 2) as i32) / 2;
        Some(0xC000 | words as u16 & 0x0FFF)
    }

    /// BRCS and BRCC, BRLT and BRGE: whether one number is less than another.
    pub(crate) fn decides_order(&self) -> bool {
        self.branches() && matches!(self.first() & 7, 0 | 4)
    }

    /// The comparison of the other register with this one, if it is a comparison of two: CP, CPC.
    pub(crate) fn exchanged(&self) -> Option<u16> {
        if !self.compares_registers() {
            return None;
        }
        let (rd, rr) = (self.first() >> 4 & 31, self.first() & 15 | self.first() >> 5 & 16);
        Some(self.first() & 0xFC00 | rr << 4 | rd & 15 | (rd & 16) << 5)
    }

    /// CP and CPC.
    fn compares_registers(&self) -> bool {
        matches!(self.first() >> 10, 0b000101 | 0b000001)
    }

    /// CP and CPI, with which a comparison begins.
    pub(crate) fn begins_comparison(&self) -> bool {
        self.first() >> 10 == 0b000101 || self.first() >> 12 == 3
    }

    /// The registers of CPC, with which it goes on.
    pub(crate) fn compares_on(&self) -> Option<(u8, u8)> {
        let code = self.first();
        let registers = (code >> 4 & 31, code & 15 | code >> 5 & 16);
        (code >> 10 == 0b000001).then_some((registers.0 as u8, registers.1 as u8))
    }

    /// Register and constant of CPI.
    pub(crate) fn compared_constant(&self) -> Option<(u8, u8)> {
        let register = (self.first() >> 4 & 15) as u8 + 16;
        (self.first() >> 12 == 3).then(|| (register, Field::Byte.read(self.first()) as u8))
    }

    /// The same with OR instead of AND, and the other way round. A register with itself is only tested.
    pub(crate) fn other_junction(&self) -> Option<u16> {
        let code = self.first();
        let tests = code >> 4 & 31 == code & 15 | code >> 5 & 16;
        match code >> 10 {
            0b001000 if !tests => Some(code ^ 0x0800),
            0b001010 if !tests => Some(code ^ 0x0800),
            _ if matches!(code >> 12, 6 | 7) => Some(code ^ 0x1000),
            _ => None,
        }
    }

    /// INC and DEC.
    pub(crate) fn counts(&self) -> bool {
        matches!(self.first() & 0xFE0F, 0x9403 | 0x940A)
    }

    /// Whether it names a bit: the skips and SBI, CBI.
    pub(crate) fn names_bit(&self) -> bool {
        self.tests_and_skips() || self.first() & 0xFD00 == 0x9800
    }

    /// The constant of LDI, CPI, SUBI, ADIW and SBIW, or the number of a bit.
    pub(crate) fn immediate(&self) -> Option<Immediate> {
        let place = match self.first() {
            0x3000..=0x3FFF | 0x5000..=0x5FFF | 0xE000..=0xEFFF => Field::Byte,
            0x9600..=0x97FF => Field::Six,
            _ if self.names_bit() => Field::Bit,
            _ => return None,
        };
        Some(Immediate { value: place.read(self.first()), most: place.most(), place })
    }

    /// The same instruction with another constant.
    pub(crate) fn with(&self, immediate: Immediate, value: u16) -> u16 {
        immediate.place.write(self.first(), value)
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
            (immediate.value, avr(code).with(immediate, value))
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
