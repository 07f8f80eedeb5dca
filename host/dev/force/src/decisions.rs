// SPDX-License-Identifier: MIT OR Apache-2.0
//! Mutations of decisions and calls: a branch inverted, never or always taken, or with its bound
//! moved; a call removed.
//!
//! If one side of a branch leads straight into a panic, the branch checks the caller. Only a
//! caller's mistake would notice its absence, and cells make none; so such a branch is mutated to
//! panic more often, but not less.

use crate::code::{Code, Instruction};
use crate::mutant::{Change, Kind};
use crate::thumb::{Thumb, leave};
use lichen_image::Image;
use lichen_isa::armv6m::Condition;

/// How many jumps on the way to a panic are followed.
const JUMPS: usize = 3;

/// The mutations of the instruction at `index`, if it branches conditionally or calls.
pub(crate) fn changes(image: &Image, instructions: &[Instruction], index: usize) -> Vec<Change> {
    let instruction = &instructions[index];
    let change = |kind, codes: &[u16]| Change::to(instruction, kind, codes);
    if instruction.code.condition().is_some() {
        let previous = index.checked_sub(1).map(|index| &instructions[index]);
        let compared = previous.filter(|_| !instruction.leads);
        let mut branches = branch(&instruction.code, compared.map(|it| &it.code));
        if let Some(taken) = panics(image, instructions, instruction) {
            branches.retain(|(kind, code)| is_stricter(taken, *kind, *code));
        }
        return branches.into_iter().map(|(kind, code)| change(kind, &[code])).collect();
    }
    match call(image, instruction) {
        Some(codes) => vec![change(Kind::Uncalled, &codes)],
        None => Vec::new(),
    }
}

/// The mutations of a conditional branch after the comparison `compared`. A branch to the next
/// instruction decides nothing. If a constant was compared, the bound is moved by changing the
/// constant.
fn branch(code: &Thumb, compared: Option<&Thumb>) -> Vec<(Kind, u16)> {
    if code.target() == Some(code.address + code.facts.bytes) {
        return Vec::new();
    }
    let all = [
        (Kind::Inverted, code.inverted()),
        (Kind::Never, Some(Thumb::NOP)),
        (Kind::Always, code.unconditional()),
    ];
    let mut branches: Vec<_> =
        all.into_iter().filter_map(|(kind, code)| Some((kind, code?))).collect();
    let constant = compared.is_some_and(|compared| compared.is_comparison_with_constant());
    branches.extend(code.other_bound().filter(|_| !constant).map(|code| (Kind::Bound, code)));
    branches
}

/// Whether the conditional branch `instruction` panics if it is taken, or if it is not; `None` if neither does.
pub(crate) fn panics<C: Code>(
    image: &Image,
    instructions: &[Instruction<C>],
    instruction: &Instruction<C>,
) -> Option<bool> {
    let taken = instruction.code.target()?;
    let leads = |to| leads_to_panic(image, instructions, to);
    if leads(taken) {
        return Some(true);
    }
    leads(instruction.address + instruction.code.facts().bytes).then_some(false)
}

/// Whether the code at `address` calls a panic function before it branches conditionally or
/// returns.
fn leads_to_panic<C: Code>(image: &Image, instructions: &[Instruction<C>], address: u32) -> bool {
    let mut address = address;
    for _ in 0..JUMPS {
        let from = instructions.partition_point(|it| it.address < address);
        let end = instructions[from..].iter().find(|it| it.code.ends_block());
        let Some(end) = end else { return false };
        let leads_on = end.code.callee().or(end.code.continues_at());
        let Some(to) = leads_on else { return false };
        let place = image.symbols().place(to);
        let begun = place.filter(|place| place.offset == 0 || end.code.callee().is_some());
        match begun {
            Some(place) => return is_panic(place.name),
            None => address = to,
        }
    }
    false
}

/// Whether a function of this name ends the program.
fn is_panic(name: &str) -> bool {
    name.starts_with("panic") || name == "arch_panic"
}

/// Whether a branch that panics if it is `taken`, or if it is not, does so in more cases after this change.
fn is_stricter(taken: bool, kind: Kind, code: u16) -> bool {
    match kind {
        Kind::Inverted => true,
        Kind::Always => taken,
        Kind::Never => !taken,
        // HI, CC, GT and LT leave out what is equal.
        _ => {
            let strict =
                |it| matches!(it, Condition::Hi | Condition::Cc | Condition::Gt | Condition::Lt);
            Thumb::at(0, code, None).condition().is_some_and(|condition| strict(condition) != taken)
        }
    }
}

/// What replaces a call, if `instruction` is one: nothing, or the caller's own return if the call
/// was its last action. A jump into a table is not a call.
fn call(image: &Image, instruction: &Instruction) -> Option<Vec<u16>> {
    let Instruction { address, code, .. } = instruction;
    if code.is_call() {
        let is_direct = code.callee().is_some();
        let (_, name) = if is_direct { callee(image, instruction)? } else { (0, "") };
        return (!name.contains("_case_")).then(|| code.nothing());
    }
    let target = code.target()?;
    let begins = |target: u32| image.symbols().place(target).is_some_and(|place| place.offset == 0);
    let own = image.symbols().place(*address)?.name == image.symbols().place(target)?.name;
    if begins(target) && !own { Some(vec![leave()?]) } else { None }
}

/// The function that BL calls, and its name.
pub(crate) fn callee<'a>(image: &'a Image, call: &Instruction) -> Option<(u32, &'a str)> {
    let callee = call.code.callee()?;
    Some((callee, image.symbols().place(callee)?.name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::thumb::thumb;

    const CMP_R0_R1: u16 = 0x4288;
    const CMP_R0_5: u16 = 0x2805;

    #[test]
    fn a_branch_is_inverted_and_taken_never_and_always() {
        // beq to 0x10 behind it
        assert_eq!(
            branch(&thumb(0xD006), Some(&thumb(CMP_R0_R1))),
            [(Kind::Inverted, 0xD106), (Kind::Never, Thumb::NOP), (Kind::Always, 0xE006)]
        );
        // bne backwards
        assert_eq!(branch(&thumb(0xD1FC), None)[2], (Kind::Always, 0xE7FC));
    }

    #[test]
    fn a_comparison_of_order_moves_its_bound() {
        let bound = |code, compared| {
            let changes = branch(&thumb(code), Some(&thumb(compared)));
            changes.into_iter().find(|(kind, _)| *kind == Kind::Bound).map(|(_, code)| code)
        };
        assert_eq!(bound(0xD206, CMP_R0_R1), Some(0xD806), "bcs, bhi");
        assert_eq!(bound(0xD306, CMP_R0_R1), Some(0xD906), "bcc, bls");
        assert_eq!(bound(0xDA06, CMP_R0_R1), Some(0xDC06), "bge, bgt");
        assert_eq!(bound(0xDB06, CMP_R0_R1), Some(0xDD06), "blt, ble");
        assert_eq!(bound(0xD206, CMP_R0_5), None, "the constant is changed instead");
        assert_eq!(bound(0xD006, CMP_R0_R1), None, "beq has no bound");
    }

    #[test]
    fn a_check_of_the_caller_is_only_made_stricter() {
        let [hi, cs] = [0xD806, 0xD206];
        assert!(is_stricter(true, Kind::Bound, cs) && !is_stricter(true, Kind::Bound, hi));
        assert!(is_stricter(false, Kind::Bound, hi) && !is_stricter(false, Kind::Bound, cs));
        assert!(is_stricter(true, Kind::Always, hi) && !is_stricter(true, Kind::Never, hi));
        assert!(is_stricter(false, Kind::Never, hi) && !is_stricter(false, Kind::Always, hi));
    }

    #[test]
    fn a_branch_to_the_next_instruction_is_no_decision() {
        assert_eq!(branch(&thumb(0xD0FF), None), []);
    }
}
