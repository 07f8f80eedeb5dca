// SPDX-License-Identifier: MIT OR Apache-2.0
//! Mutations of stores: each deleted, each adjacent pair in a basic block swapped.

use crate::code::{Code, Instruction};
use crate::mutant::{Change, Kind};
use lichen_isa::RegisterSet;

/// Adjacent stores that cannot be swapped, because registers or addresses in between depend on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dependent;

/// The mutations of the store that `from` begins with.
pub(crate) fn changes<C: Code>(from: &[Instruction<C>]) -> (Vec<Change>, Option<Dependent>) {
    let store = &from[0];
    let mut changes = vec![Change::to(store, Kind::Deleted, &store.code.nothing())];
    let block = block(from);
    let Some(other) = block.last().filter(|_| block.len() > 1) else { return (changes, None) };
    let codes: Vec<C> = block.iter().map(|instruction| instruction.code).collect();
    let Some(swapped) = swap(&codes) else { return (changes, Some(Dependent)) };
    let swapped: Vec<u16> = swapped.iter().flat_map(C::codes).collect();
    let change = Change::to(store, Kind::Swapped, &swapped);
    changes.push(Change { other: other.origin.clone(), ..change });
    (changes, None)
}

/// The instructions from a store to the next store in its basic block, or the store alone.
fn block<C: Code>(from: &[Instruction<C>]) -> &[Instruction<C>] {
    for (index, next) in from.iter().enumerate().skip(1) {
        if next.leads || next.code.ends_block() {
            break;
        }
        if next.code.is_store() && next.origin.is_some() {
            return &from[..=index];
        }
    }
    &from[..1]
}

/// The same instructions with the first and the last, both stores, in the other order; nothing if a
/// register that one of them needs is changed in between.
fn swap<C: Code>(block: &[C]) -> Option<Vec<C>> {
    let (first, rest) = block.split_first()?;
    let (last, between) = rest.split_last()?;
    let changed = |registers: RegisterSet, by: &[C]| {
        by.iter().any(|instruction| instruction.facts().writes.meets(registers))
    };
    let (one, other) = (first.facts(), last.facts());
    // STM, a store that increments its address, changes a register itself.
    let depend = other.reads.meets(one.writes) || one.reads.meets(other.writes);
    let first_moves = !changed(one.reads, between) && one.writes.is_empty();
    let last_moves = !changed(other.reads, between) && other.writes.is_empty();
    let shifts = !between.iter().any(|instruction| instruction.is_relative());
    let order: Vec<&[C]> = match (first_moves, last_moves) {
        _ if depend => return None,
        (true, true) => vec![&block[block.len() - 1..], between, &block[..1]],
        (true, false) if shifts => vec![between, &block[block.len() - 1..], &block[..1]],
        (false, true) if shifts => vec![&block[block.len() - 1..], &block[..1], between],
        _ => return None,
    };
    Some(order.concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::thumb::{Thumb, thumb};

    fn swapped(block: &[u16]) -> Option<Vec<u16>> {
        let block: Vec<Thumb> = block.iter().map(|code| thumb(*code)).collect();
        swap(&block).map(|codes| codes.iter().map(|it| it.code).collect())
    }

    const STR_R1_R0: u16 = 0x6001;
    const STR_R1_R2: u16 = 0x6011;

    #[test]
    fn neighbours_change_places() {
        assert_eq!(swapped(&[STR_R1_R0, STR_R1_R2]), Some(vec![STR_R1_R2, STR_R1_R0]));
        let nothing = 0x2700; // movs r7, #0
        assert_eq!(
            swapped(&[STR_R1_R0, nothing, STR_R1_R2]),
            Some(vec![STR_R1_R2, nothing, STR_R1_R0])
        );
    }

    #[test]
    fn a_register_that_changes_in_between_lets_only_the_other_store_move() {
        let change_r2 = 0x2200; // movs r2, #0: the last one must stay behind it
        assert_eq!(
            swapped(&[STR_R1_R0, change_r2, STR_R1_R2]),
            Some(vec![change_r2, STR_R1_R2, STR_R1_R0])
        );
        let change_r0 = 0x2000; // movs r0, #0: the first one must stay before it
        assert_eq!(
            swapped(&[STR_R1_R0, change_r0, STR_R1_R2]),
            Some(vec![STR_R1_R2, STR_R1_R0, change_r0])
        );
        let change_r1 = 0x2100; // movs r1, #0: both need it
        assert_eq!(swapped(&[STR_R1_R0, change_r1, STR_R1_R2]), None);
        let load_r2 = 0x4A00; // ldr r2, [pc]: would load something else elsewhere
        assert_eq!(swapped(&[STR_R1_R0, load_r2, STR_R1_R2]), None);
    }

    #[test]
    fn a_store_that_counts_on_does_not_move() {
        assert_eq!(swapped(&[0xC2F0, STR_R1_R2]), None, "stmia r2!, then str r1, [r2]");
        assert_eq!(swapped(&[0xC2F0, STR_R1_R0]), Some(vec![STR_R1_R0, 0xC2F0]));
    }
}
