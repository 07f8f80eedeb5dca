// SPDX-License-Identifier: MIT OR Apache-2.0
//! Moves a store before the call that it should follow: an index is advanced before the copy, a
//! state is written before it is true.
//!
//! The code between the call and the store is copied after the image, together with the store, and
//! runs before the call as well as after it. So only a store that does the same the second time is
//! moved.

use crate::code::{Code, Instruction};
use crate::decisions::callee;
use crate::mutant::{Change, Kind};
use crate::thumb::{self, Thumb};
use lichen_image::Image;
use lichen_isa::RegisterSet;
use lichen_isa::armv6m::{Op, encode};

/// How many instructions may lie between the call and the store.
const NEAR: usize = 12;
const SAVE: Op = Op::Push { list: 0xFF, lr: true };
const RESTORE: Op = Op::Pop { list: 0xFF };
const LEAVE: Op = Op::PopPc { list: 0 };
/// r0 to r3: what a call returns or clobbers.
const RESULTS: RegisterSet = RegisterSet(0b1111);

/// The mutation of the call at `index`, if a store follows.
pub(crate) fn changes(image: &Image, instructions: &[Instruction], index: usize) -> Vec<Change> {
    let call = &instructions[index];
    let Some((callee, _)) = callee(image, call) else { return Vec::new() };
    let Some(behind) = up_to_store(&instructions[index + 1..]) else { return Vec::new() };
    let Some(store) = behind.last().filter(|store| store.origin.is_some()) else {
        return Vec::new();
    };
    let codes: Vec<Thumb> = behind.iter().map(|it| it.code).collect();
    let has_stack_arguments =
        instructions[..index].iter().rev().take(NEAR / 2).any(|it| it.code.is_store_to_stack());
    if needs_results(&codes) || repeats_differently(&codes) || has_stack_arguments {
        return Vec::new();
    }
    let detour = free(image);
    let mut code: Vec<u16> = encode(SAVE, 0).into_iter().collect();
    code.extend(codes.iter().map(|it| it.code));
    code.extend(encode(RESTORE, 0));
    code.extend(thumb::call(detour + 2 * code.len() as u32, callee));
    code.extend(encode(LEAVE, 0));
    let to_detour = thumb::call(call.address, detour);
    let bytes = |codes: &[u16]| codes.iter().flat_map(|code| code.to_le_bytes()).collect();
    let patches = vec![(call.address, bytes(&to_detour)), (detour, bytes(&code))];
    vec![Change { kind: Kind::Early, patches, origin: store.origin.clone(), other: None }]
}

/// The instructions up to the first store, if they can run elsewhere.
fn up_to_store(behind: &[Instruction]) -> Option<&[Instruction]> {
    let first = behind.first()?;
    let found = behind.iter().take(NEAR).position(|it| it.code.is_store())?;
    let taken = &behind[..=found];
    let end = taken.last()?.address;
    let mut gone_to = Vec::new();
    for (number, it) in taken.iter().enumerate() {
        let follows = it.address == first.address + 2 * number as u32;
        let target = it.code.target().filter(|_| it.code.condition().is_some());
        let inside = target.is_some_and(|to| (it.address + 2..=end).contains(&to));
        gone_to.extend(target);
        // The first one is a leader because a call precedes it.
        let entered = it.leads && number > 0 && !gone_to.contains(&it.address);
        let branched = number > 0 && taken[number - 1].code.condition().is_some();
        let stays = !it.code.is_relative() && !it.code.uses_stack();
        if !follows || entered && !branched || !stays || it.code.ends_block() && !inside {
            return None;
        }
    }
    Some(taken)
}

/// Whether the call's result is used.
fn needs_results(codes: &[Thumb]) -> bool {
    let mut written = RegisterSet::NONE;
    codes.iter().any(|code| {
        let Some(uses) = code.uses() else { return true };
        let needs = uses.without(written).meets(RESULTS);
        written = written.with(code.facts.writes);
        needs
    })
}

/// Whether they read what the last one, the store, writes; if so, the second store would differ.
fn repeats_differently(codes: &[Thumb]) -> bool {
    let Some((store, others)) = codes.split_last() else { return true };
    !store.facts.writes.is_empty() || others.iter().any(|code| code.loads_what(store))
}

/// Flash after the image.
fn free(image: &Image) -> u32 {
    let ends = image.segments().iter().map(|segment| segment.address + segment.bytes.len() as u32);
    let end = ends.filter(|end| *end < crate::constants::ADDRESSES).max().unwrap_or(0);
    end.next_multiple_of(64) + 64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::thumb::thumb;

    const STRH_R4_R5_18: u16 = 0x826C;

    fn codes(codes: &[u16]) -> Vec<Thumb> {
        codes.iter().map(|code| thumb(*code)).collect()
    }

    #[test]
    fn an_index_that_is_advanced_after_a_copy_is_advanced_before_it() {
        // ldrh r3, [r5, #14]; adds r4, #1; lsls r3, r3, #1; cmp r4, r3; bne +2; movs r4, #0; uxth r4, r4
        let between = [0x89EB, 0x3401, 0x005B, 0x429C, 0xD100, 0x2400, 0xB2A4, STRH_R4_R5_18];
        assert!(!needs_results(&codes(&between)));
        assert!(!repeats_differently(&codes(&between)));
    }

    #[test]
    fn what_a_call_returns_cannot_be_stored_before_it() {
        assert!(needs_results(&codes(&[0x8228])), "strh r0, [r5, #16]");
        assert!(!needs_results(&codes(&[0x2001, 0x8228])), "movs r0, #1 before that");
    }

    #[test]
    fn what_counts_on_is_not_done_twice() {
        // ldrh r3, [r5, #18]; adds r3, #1; strh r3, [r5, #18]
        assert!(repeats_differently(&codes(&[0x8A6B, 0x3301, 0x826B])));
    }

    #[test]
    fn the_detour_ends_at_the_first_store() {
        let at = |address, code| Instruction {
            address,
            code: Thumb::at(address, code, None),
            leads: false,
            origin: None,
        };
        let found = [at(8, 0x2400), at(10, STRH_R4_R5_18), at(12, 0x2000)];
        assert_eq!(up_to_store(&found).map(<[Instruction]>::len), Some(2));
        let literal = [at(8, 0x4C00), at(10, STRH_R4_R5_18)];
        assert!(up_to_store(&literal).is_none(), "ldr r4, [pc] is something else elsewhere");
        let call = [at(8, 0xF000), at(12, STRH_R4_R5_18)];
        assert!(up_to_store(&call).is_none());
    }
}
