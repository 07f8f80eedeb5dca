// SPDX-License-Identifier: MIT OR Apache-2.0
//! Mutations of constants: each becomes one more and one less, in comparisons, additions, shifts,
//! and where they are loaded. Addresses and offsets into structures are not mutated: with a
//! different one the program is not subtly wrong, but reads something else altogether. A bit of a
//! register becomes the bit beside it. 1 does not become 2 where it is moved to a register, since
//! there it means true, and 2 is also true.

use crate::code::Instruction;
use crate::mutant::{Change, Kind};
use crate::thumb::{Immediate, Thumb};
use lichen_analysis::Text;
use std::collections::BTreeMap;

/// How far to search for the use of a constant.
const NEAR: usize = 8;

/// Where RAM begins, with the peripherals after it: such constants are addresses.
pub(crate) const ADDRESSES: u32 = 0x2000_0000;

/// The mutations of the constant of the instruction at `index`, if it has one.
pub(crate) fn changes(instructions: &[Instruction], index: usize) -> Vec<Change> {
    let instruction = &instructions[index];
    let behind: Vec<Thumb> = block_behind(instructions, index);
    let before = block_before(instructions, index);
    if makes_address(&instruction.code, &behind)
        || makes_bit(&instruction.code, &behind)
        || shifts_constant(&instruction.code, &before)
    {
        return Vec::new();
    }
    let mut changes = neighbours(&instruction.code);
    if instruction.code.moved_constant().is_some_and(|(_, value)| value == 1) {
        changes.retain(|(kind, _)| *kind == Kind::Less);
    }
    changes.into_iter().map(|(kind, code)| Change::to(instruction, kind, &[code])).collect()
}

/// The same instruction with the constant one more and one less, as far as the encoding allows.
fn neighbours(code: &Thumb) -> Vec<(Kind, u16)> {
    let Some(Immediate { value, least, most }) = code.immediate() else { return Vec::new() };
    let more = (value < most).then(|| Some((Kind::More, code.with(value + 1)?)));
    let less = (value > least).then(|| Some((Kind::Less, code.with(value - 1)?)));
    more.into_iter().chain(less).flatten().collect()
}

/// The instructions after the one at `index`, in its basic block.
fn block_behind(instructions: &[Instruction], index: usize) -> Vec<Thumb> {
    let behind = instructions[index + 1..].iter().take(NEAR);
    behind.take_while(|it| !it.leads).map(|it| it.code).collect()
}

/// The instructions before it, last one first.
fn block_before(instructions: &[Instruction], index: usize) -> Vec<Thumb> {
    let leads = |index: &usize| !instructions[*index].leads;
    let indices = (1..=index).rev().take(NEAR).take_while(leads);
    indices.map(|index| instructions[index - 1].code).collect()
}

/// Whether MOVS makes the upper bits of an address, or an offset that does not fit into a load or store.
fn makes_address(code: &Thumb, behind: &[Thumb]) -> bool {
    let Some((register, value)) = code.moved_constant() else { return false };
    for next in behind {
        if let Some((source, amount)) = next.left_shift() {
            if source == register && (value << amount) >= ADDRESSES {
                return true;
            }
        }
        if next.index_register() == Some(register) {
            return true;
        }
        if next.facts.writes.contains(register) {
            return false;
        }
    }
    false
}

/// Whether MOVS makes a single bit that is then shifted: the shift is changed instead.
fn makes_bit(code: &Thumb, behind: &[Thumb]) -> bool {
    let Some((register, value)) = code.moved_constant() else { return false };
    let writes = |it: &Thumb| it.facts.writes.contains(register);
    let shifts = |it: &Thumb| it.left_shift().is_some_and(|(source, _)| source == register);
    let until = behind.iter().position(writes).map_or(behind.len(), |index| index + 1);
    value.is_power_of_two() && behind[..until].iter().any(shifts)
}

/// Whether it shifts what MOVS has just made: both form one constant, and MOVS is changed unless it
/// makes a single bit. Addresses are not changed.
fn shifts_constant(code: &Thumb, before: &[Thumb]) -> bool {
    let Some((source, amount)) = code.left_shift() else { return false };
    let writer = before.iter().find(|it| it.facts.writes.contains(source));
    let value = writer.and_then(|it| it.moved_constant()).map(|(_, value)| value);
    let is_address = |value: u32| value << amount >= ADDRESSES;
    value.is_some_and(|value| !value.is_power_of_two() || is_address(value))
}

/// Constants that the code loads from literal pools.
pub(crate) struct Literals {
    /// By the address of the first instruction that loads it: the constant's address and value.
    loaded: BTreeMap<u32, (u32, u32)>,
}

impl Literals {
    /// The kernel's constants that are not addresses. One that other code loads as well cannot be
    /// changed for the kernel alone.
    pub(crate) fn of(text: &Text<'_>, instructions: &[Instruction]) -> Literals {
        let mut loaders: BTreeMap<u32, Vec<&Instruction>> = BTreeMap::new();
        for instruction in instructions {
            if let Some(literal) = instruction.code.literal() {
                loaders.entry(literal).or_default().push(instruction);
            }
        }
        let own = loaders.iter().filter(|(_, all)| all.iter().all(|it| it.origin.is_some()));
        let constant = |(literal, all): (&u32, &Vec<&Instruction>)| {
            let value = text.word(*literal)?;
            (!is_address(text, value)).then_some((all[0].address, (*literal, value)))
        };
        Literals { loaded: own.filter_map(constant).collect() }
    }

    /// The mutations of the constant that `instruction` is the first to load.
    pub(crate) fn changes(&self, instruction: &Instruction) -> Vec<Change> {
        let Some((address, value)) = self.loaded.get(&instruction.address) else {
            return Vec::new();
        };
        [(Kind::More, value.wrapping_add(1)), (Kind::Less, value.wrapping_sub(1))]
            .map(|(kind, value)| Change {
                kind,
                patches: vec![(*address, value.to_le_bytes().to_vec())],
                origin: None,
                other: None,
            })
            .into()
    }
}

/// Whether a constant is an address: in RAM, in a peripheral, of a function, or of data in the
/// image.
fn is_address(text: &Text<'_>, value: u32) -> bool {
    let image = text.image();
    let in_memory = (ADDRESSES..ADDRESSES + (1 << 28)).contains(&value);
    let in_peripheral = (0x4000_0000..0x7000_0000).contains(&value) || value >> 16 == 0xE000;
    let begins_function = |it: &lichen_image::Symbol| it.address == value & !1 && value & 1 == 1;
    let in_image = image.segments().iter().any(|segment| {
        let (start, end) = (segment.address, segment.address + segment.bytes.len() as u32);
        (start..end).contains(&value) && !text.is_code(value)
    });
    in_memory
        || in_peripheral
        || in_image
        || image.symbols().functions().iter().any(begins_function)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::thumb::thumb;

    fn changed(code: u16) -> Vec<(Kind, u16)> {
        neighbours(&thumb(code))
    }

    #[test]
    fn a_constant_is_one_more_and_one_less() {
        assert_eq!(changed(0x2805), [(Kind::More, 0x2806), (Kind::Less, 0x2804)], "cmp r0, #5");
        assert_eq!(changed(0x2105), [(Kind::More, 0x2106), (Kind::Less, 0x2104)], "movs r1, #5");
        assert_eq!(changed(0x3A05), [(Kind::More, 0x3A06), (Kind::Less, 0x3A04)], "subs r2, #5");
        assert_eq!(
            changed(0x1C89),
            [(Kind::More, 0x1CC9), (Kind::Less, 0x1C49)],
            "adds r1, r1, #2"
        );
        assert_eq!(
            changed(0x0089),
            [(Kind::More, 0x00C9), (Kind::Less, 0x0049)],
            "lsls r1, r1, #2"
        );
    }

    #[test]
    fn a_constant_stays_what_its_instruction_can_hold() {
        assert_eq!(changed(0x2800), [(Kind::More, 0x2801)], "cmp r0, #0");
        assert_eq!(changed(0x28FF), [(Kind::Less, 0x28FE)], "cmp r0, #255");
        assert_eq!(changed(0x07C9), [(Kind::Less, 0x0789)], "lsls r1, r1, #31");
        assert_eq!(changed(0x0849), [(Kind::More, 0x0889)], "lsrs r1, r1, #1");
    }

    #[test]
    fn moves_between_registers_and_stack_frames_have_no_constant() {
        for code in [0x0001, 0x1C08, 0xB082, 0x6848, 0x4601] {
            assert_eq!(thumb(code).immediate(), None, "{code:04x}");
        }
    }

    #[test]
    fn an_address_is_no_constant() {
        let (movs, shift) = (thumb(0x23E0), thumb(0x061B)); // movs r3, #224; lsls r3, r3, #24
        assert!(makes_address(&movs, &[shift]));
        assert!(!makes_address(&movs, &[thumb(0x2300), shift]), "another r3 is shifted");
        let less = thumb(0x00DB); // lsls r3, r3, #3
        assert!(!makes_address(&movs, &[less]));
        assert!(shifts_constant(&less, &[movs]) && !shifts_constant(&less, &[thumb(0x681B), movs]));
        let (bit, to_28) = (thumb(0x2380), thumb(0x055B)); // movs r3, #128; lsls r3, r3, #21
        assert!(makes_bit(&bit, &[to_28]) && !shifts_constant(&to_28, &[bit]));
        assert!(!makes_bit(&movs, &[less]));
        let offset = thumb(0x54C1); // strb r1, [r0, r3]
        assert!(makes_address(&movs, &[offset]));
    }
}
