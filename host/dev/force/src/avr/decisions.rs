// SPDX-License-Identifier: MIT OR Apache-2.0
//! Mutations of decisions, calls and masks: a branch or skip inverted, never or always taken, or with
//! its bound moved; a call removed; interrupts not masked, or not unmasked.

use super::Avr;
use crate::code::{Code, Instruction};
use crate::decisions::panics;
use crate::mutant::{Change, Kind};
use lichen_image::Image;
use lichen_isa::Flow;
use lichen_isa::avr8::{Op, encode};

/// Most bytes of a number that are compared one by one.
const LONGEST: usize = 8;

/// The mutations of the instruction at `index`, if it decides, calls or masks.
pub(super) fn changes(
    image: &Image,
    instructions: &[Instruction<Avr>],
    index: usize,
) -> Vec<Change> {
    let instruction = &instructions[index];
    let code = &instruction.code;
    if code.masks() {
        return vec![Change::to(instruction, Kind::Deleted, &[Avr::NOP])];
    }
    if !code.decides() {
        let removed = call(image, instruction);
        let removed = removed.map(|codes| Change::to(instruction, Kind::Uncalled, &codes));
        return removed.into_iter().collect();
    }
    let mut changes = branch(instruction);
    changes.extend(bound(instructions, index));
    if let Some(taken) = panics(image, instructions, instruction) {
        changes.retain(|change| is_stricter(taken, change.kind));
    }
    changes
}

/// The mutations of a branch or a skip. One to the next instruction decides nothing.
fn branch(instruction: &Instruction<Avr>) -> Vec<Change> {
    let Instruction { address, code, .. } = instruction;
    if code.target() == Some(address + code.facts().bytes) {
        return Vec::new();
    }
    let done = [
        (Kind::Inverted, code.inverted()),
        (Kind::Never, Some(Avr::NOP)),
        (Kind::Always, code.unconditional(*address)),
    ];
    let done = done.into_iter().filter_map(|(kind, code)| Some((kind, code?)));
    done.map(|(kind, code)| Change::to(instruction, kind, &[code])).collect()
}

/// The branch at `index` with its bound moved: `a < b` becomes `a <= b`, which is not `b < a`. Both
/// numbers are in registers, and compared right before; a constant is changed itself.
fn bound(instructions: &[Instruction<Avr>], index: usize) -> Option<Change> {
    let branch = &instructions[index];
    if !branch.code.decides_order() || branch.leads {
        return None;
    }
    let mut codes = branch.code.inverted().map(|code| vec![code])?;
    for before in (0..index).rev().take(LONGEST) {
        let instruction = &instructions[before];
        codes.insert(0, instruction.code.exchanged()?);
        if instruction.code.begins_comparison() {
            return Some(Change::to(instruction, Kind::Bound, &codes));
        }
        if instruction.leads {
            return None;
        }
    }
    None
}

/// Whether a branch that panics if it is `taken`, or if it is not, does so in more cases after this change.
fn is_stricter(taken: bool, kind: Kind) -> bool {
    match kind {
        Kind::Inverted => true,
        Kind::Always => taken,
        Kind::Never => !taken,
        _ => false,
    }
}

/// What replaces a call, if `instruction` is one: nothing, or the caller's own return if the call
/// was its last action.
fn call(image: &Image, instruction: &Instruction<Avr>) -> Option<Vec<u16>> {
    let Instruction { address, code, .. } = instruction;
    match code.facts().flow {
        Flow::Call(_) | Flow::IndirectCall => Some(code.nothing()),
        Flow::Branch(to) => {
            let (own, other) = (image.symbols().place(*address)?, image.symbols().place(to)?);
            let mut codes = code.nothing();
            codes[0] = encode(Op::Ret, 0)?;
            (other.offset == 0 && other.name != own.name).then_some(codes)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::avr::avr;

    fn listing(codes: &[u16]) -> Vec<Instruction<Avr>> {
        let at = |(index, code): (usize, &u16)| {
            let address = 0x100 + 2 * index as u32;
            let code = Avr::at(address, *code, codes.get(index + 1).copied());
            Instruction { address, code, leads: index == 0, origin: None }
        };
        codes.iter().enumerate().map(at).collect()
    }

    fn changed(codes: &[u16]) -> Option<Vec<(u32, Vec<u8>)>> {
        let listing = listing(codes);
        bound(&listing, listing.len() - 1).map(|change| change.patches)
    }

    #[test]
    fn a_branch_is_inverted_and_taken_never_and_always() {
        let brne = &listing(&[0xF411])[0]; // over two words
        let done: Vec<_> = branch(brne).into_iter().map(|it| (it.kind, it.patches)).collect();
        let is = |kind, [low, high]: [u8; 2]| (kind, vec![(0x100, vec![low, high])]);
        assert_eq!(
            done,
            [
                is(Kind::Inverted, [0x11, 0xF0]),
                is(Kind::Never, [0, 0]),
                is(Kind::Always, [0x02, 0xC0])
            ]
        );
        assert!(branch(&listing(&[0xF401])[0]).is_empty(), "to the next one");
    }

    #[test]
    fn a_bound_moves_by_comparing_the_other_way_round() {
        // cp r24, r18; cpc r25, r19; brcs: cp r18, r24; cpc r19, r25; brcc
        let moved = vec![0x28, 0x17, 0x39, 0x07, 0x10, 0xF4];
        assert_eq!(changed(&[0x1782, 0x0793, 0xF010]), Some(vec![(0x100, moved)]));
        assert_eq!(changed(&[0x3085, 0xF010]), None, "cpi: the constant is changed instead");
        assert_eq!(changed(&[0x1782, 0xF011]), None, "breq has no bound");
        assert_eq!(changed(&[0x0793, 0xF010]), None, "without its beginning");
    }

    #[test]
    fn a_check_of_the_caller_is_only_made_stricter() {
        assert!(is_stricter(true, Kind::Always) && !is_stricter(true, Kind::Never));
        assert!(is_stricter(false, Kind::Never) && !is_stricter(false, Kind::Always));
        assert!(is_stricter(true, Kind::Inverted) && !is_stricter(true, Kind::Bound));
    }

    #[test]
    fn what_is_no_decision_is_not_changed() {
        assert!(!avr(0x2F8C).decides(), "mov r24, r28");
    }
}
