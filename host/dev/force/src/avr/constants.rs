// SPDX-License-Identifier: MIT OR Apache-2.0
//! Mutations of constants: each becomes one more and one less, in comparisons, additions, and where
//! they are loaded; the number of a bit becomes its neighbour; AND becomes OR, and the other way round.
//!
//! Numbers of two bytes are made by pairs of instructions: the lower one is changed. Addresses and offsets into
//! structures are not, and 1, which means true, does not become 2.

use super::{Avr, Immediate};
use crate::code::{Code, Instruction};
use crate::mutant::{Change, Kind};
use lichen_analysis::Text;
use lichen_isa::avr8::DATA_BASE;

/// How far to search for the other half of a constant, or for its use.
const NEAR: usize = 8;

/// The mutations of the instruction at `index`, if it has a constant or joins bits.
pub(super) fn changes(
    text: &Text<'_>,
    instructions: &[Instruction<Avr>],
    index: usize,
) -> Vec<Change> {
    let instruction = &instructions[index];
    let code = &instruction.code;
    let change = |(kind, code)| Change::to(instruction, kind, &[code]);
    if let Some(other) = code.other_junction() {
        return vec![change((Kind::Exchanged, other))];
    }
    if code.counts() {
        return vec![change((Kind::Less, Avr::NOP))];
    }
    let block = Block { instructions, index };
    if code.immediate().is_none() || block.is_upper_half() || block.is_of_address(text) {
        return Vec::new();
    }
    let mut done = neighbours(code);
    if code.loaded_constant().is_some_and(|(_, value)| value == 1) {
        done.retain(|(kind, _)| *kind == Kind::Less);
    }
    done.into_iter().map(change).collect()
}

/// The same instruction with the constant one more and one less, as far as the encoding allows.
fn neighbours(code: &Avr) -> Vec<(Kind, u16)> {
    let Some(Immediate { value, most }) = code.immediate() else { return Vec::new() };
    let more = (value < most).then(|| Some((Kind::More, code.with(value + 1)?)));
    let less = (value > 0).then(|| Some((Kind::Less, code.with(value - 1)?)));
    more.into_iter().chain(less).flatten().collect()
}

/// An instruction with a constant, and what is around it.
struct Block<'a> {
    instructions: &'a [Instruction<Avr>],
    index: usize,
}

impl Block<'_> {
    fn code(&self) -> &Avr {
        &self.instructions[self.index].code
    }

    /// The instructions after it, in its basic block.
    fn behind(&self) -> impl Iterator<Item = &Avr> {
        let behind = self.instructions[self.index + 1..].iter().take(NEAR);
        behind.take_while(|it| !it.leads).map(|it| &it.code)
    }

    /// The instructions before it, last one first.
    fn before(&self) -> impl Iterator<Item = &Avr> {
        let inside = |index: &usize| !self.instructions[*index].leads;
        let indices = (1..=self.index).rev().take(NEAR).take_while(inside);
        indices.map(|index| &self.instructions[index - 1].code)
    }

    /// The constant that a register gets nearby.
    fn constant(&self, register: u8) -> Option<u8> {
        let load = |code: &Avr| {
            code.loaded_constant().filter(|(rd, _)| *rd == register).map(|(_, value)| value)
        };
        self.before().chain(self.behind()).find_map(load)
    }

    /// CPC with this register on one of its sides.
    fn compares_on(&self, side: fn((u8, u8)) -> u8, register: u8) -> Option<(u8, u8)> {
        let both = |code: &Avr| code.compares_on().filter(|both| side(*both) == register);
        self.behind().find_map(both)
    }

    /// Whether another instruction makes or compares the lower half of its number.
    fn is_upper_half(&self) -> bool {
        let Some((rd, _)) = self.code().loaded_constant() else { return false };
        let has_lower = rd & 1 == 1 && self.constant(rd - 1).is_some();
        has_lower || self.compares_on(|(_, other)| other, rd).is_some()
    }

    /// Whether it makes an address, or adds an offset to one.
    fn is_of_address(&self, text: &Text<'_>) -> bool {
        let code = self.code();
        if let Some((register, low)) = code.compared_constant() {
            let next = self.compares_on(|(one, _)| one, register + 1);
            let high = next.and_then(|(_, other)| self.constant(other));
            return high.is_some_and(|high| is_address(text, [low, high]));
        }
        if let Some((rd, value)) = code.loaded_constant() {
            let high = (rd & 1 == 0).then(|| self.constant(rd + 1)).flatten();
            return high.is_some_and(|high| is_address(text, [value, high]));
        }
        if let Some((rd, value)) = code.subtracted_constant(false) {
            let upper = |code: &Avr| {
                code.subtracted_constant(true).filter(|(of, _)| *of == rd + 1).map(|(_, high)| high)
            };
            let Some(high) = self.behind().find_map(upper) else { return false };
            let added = 0u16.wrapping_sub(u16::from_le_bytes([value, high]));
            return is_address(text, added.to_le_bytes()) || self.is_offset(rd);
        }
        code.moved_pair().is_some_and(|pair| self.is_offset(pair))
    }

    /// Whether the pair is then used as a pointer, or is the stack pointer's copy.
    fn is_offset(&self, pair: u8) -> bool {
        let mut used = self.behind().filter(|code| code.goes_through(pair));
        let behind = &self.instructions[self.index + 1..];
        let writes = |it: &Instruction<Avr>| it.code.writes_stack_pointer(pair & 30);
        used.next().is_some() || behind.iter().take(NEAR).any(writes)
    }
}

/// Whether a number of two bytes is an address: in RAM, of a function, or of a table in flash.
fn is_address(text: &Text<'_>, bytes: [u8; 2]) -> bool {
    let image = text.image();
    let value = u32::from(u16::from_le_bytes(bytes));
    let in_ram = image.sections().iter().filter(|section| section.writable).any(|section| {
        (section.address..=section.address + section.size).contains(&(DATA_BASE + value))
    });
    let functions = image.symbols().functions();
    let in_flash = image.segments().iter().any(|segment| {
        let end = segment.address + segment.bytes.len() as u32;
        (segment.address..=end).contains(&value) && !text.is_code(value)
    });
    in_ram || in_flash || functions.iter().any(|it| it.address == 2 * value && value != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listing(codes: &[u16]) -> Vec<Instruction<Avr>> {
        let at = |(index, code): (usize, &u16)| {
            let code = Avr::at(2 * index as u32, *code, codes.get(index + 1).copied());
            Instruction { address: 2 * index as u32, code, leads: index == 0, origin: None }
        };
        codes.iter().enumerate().map(at).collect()
    }

    fn is_upper_half(codes: &[u16], index: usize) -> bool {
        Block { instructions: &listing(codes), index }.is_upper_half()
    }

    fn is_offset(codes: &[u16], pair: u8) -> bool {
        Block { instructions: &listing(codes), index: 0 }.is_offset(pair)
    }

    #[test]
    fn a_constant_is_one_more_and_one_less() {
        let changed = |code| neighbours(&crate::avr::avr(code));
        assert_eq!(changed(0x3085), [(Kind::More, 0x3086), (Kind::Less, 0x3084)], "cpi r24, 5");
        assert_eq!(changed(0x3080), [(Kind::More, 0x3081)], "cpi r24, 0");
        assert_eq!(changed(0x3F8F), [(Kind::Less, 0x3F8E)], "cpi r24, 0xff");
        assert_eq!(changed(0xFD87), [(Kind::Less, 0xFD86)], "sbrc r24, 7");
        assert_eq!(changed(0x9601), [(Kind::More, 0x9602), (Kind::Less, 0x9600)], "adiw r24, 1");
    }

    #[test]
    fn the_lower_half_of_a_number_is_changed() {
        let ldi = [0xE084, 0xE090]; // ldi r24, 4; ldi r25, 0
        assert!(!is_upper_half(&ldi, 0) && is_upper_half(&ldi, 1));
        let compared = [0xE021, 0x3F8F, 0x0792]; // ldi r18, 1; cpi r24, 0xff; cpc r25, r18
        assert!(is_upper_half(&compared, 0));
    }

    #[test]
    fn an_offset_leads_to_a_load_or_store() {
        assert!(is_offset(&[0x9614, 0x910C], 26), "adiw r26, 4; ld r16, X");
        assert!(!is_offset(&[0x9604, 0x0000], 24), "adiw r24, 4; nop");
        assert!(is_offset(&[0x9762, 0xBFDE, 0xBFCD], 28), "sbiw r28, 18; out SPH, r29");
    }
}
