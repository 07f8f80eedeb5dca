// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which interrupts can be at which level: one of each level at a time, above those of less urgent
//! levels.

use super::FRAME;
use lichen_analysis::Text;
use lichen_analysis::armv6m::{Enabled, Walks};
use lichen_isa::armv6m::exceptions::{HARD_FAULT, INTERRUPT_0, NMI, PEND_SV, SV_CALL, SYS_TICK};
use std::collections::BTreeSet;

/// Levels, from the most urgent; the last one is the kernel's.
pub(crate) const LEVELS: usize = 4;
const KERNEL: usize = LEVELS - 1;

/// Registers of levels (ARMv6-M Architecture Reference Manual, B3.4.7).
const NVIC_IPR: std::ops::Range<u32> = 0xe000_e400..0xe000_e420;

/// Addresses from which programs reach them by an offset: the system control space and the interrupt
/// controller (B3.2.1, B3.4.1).
const BASES: [u32; 2] = [0xe000_e000, 0xe000_e100];

/// A vector with a handler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Vector {
    pub(crate) number: u32,
    pub(crate) handler: u32,
    /// Levels that it may have.
    pub(crate) levels: BTreeSet<usize>,
}

/// The vectors that have handlers, and which levels they may have.
pub(crate) fn vectors(walks: &Walks<'_>) -> Vec<Vector> {
    let code = walks.text;
    let table = code.table("vectors_begin", "vectors_end");
    let nobody = code.symbol("nobody");
    let numbered = table.step_by(4).zip(0u32..).skip(2);
    let handlers = numbered.filter_map(|(at, number)| Some((number, code.word(at)? & !1)));
    let taken = handlers.filter(|(_, handler)| *handler != 0 && Some(*handler) != nobody);
    let any = sets_levels_itself(code);
    taken
        .map(|(number, handler)| Vector { number, handler, levels: levels(walks, number, any) })
        .collect()
}

fn all() -> BTreeSet<usize> {
    (0..LEVELS).collect()
}

/// The levels with which a vector is enabled. One whose enabling is not seen may have any, as all lines
/// may if the program sets levels in a way of its own.
fn levels(walks: &Walks<'_>, number: u32, any: bool) -> BTreeSet<usize> {
    match number {
        NMI | HARD_FAULT => return BTreeSet::new(),
        SV_CALL | PEND_SV | SYS_TICK => return BTreeSet::from([KERNEL]),
        _ if any => return all(),
        _ => {}
    }
    let line = number.wrapping_sub(INTERRUPT_0);
    let named = walks.enabled.iter().any(|enabled| enabled.line == Some(line));
    // The system enables each line in one place.
    let fits = |enabled: &&Enabled| match enabled.line {
        Some(known) => known == line,
        None => !named || !enabled.by_system,
    };
    let mut found = BTreeSet::new();
    for enabled in walks.enabled.iter().filter(fits) {
        match enabled.level {
            Some(level) if (level as usize) < LEVELS => {
                found.insert(level as usize);
            }
            _ => return all(),
        }
    }
    if found.is_empty() { all() } else { found }
}

/// Whether the program has the address of a register of levels, or one from which it gets there.
fn sets_levels_itself(code: &Text<'_>) -> bool {
    let leads_there = |word: u32| NVIC_IPR.contains(&word) || BASES.contains(&word);
    code.words().filter(|(_, word)| leads_there(*word)).any(|(at, _)| {
        let around = code.around(code.runs_at(at));
        around.is_none_or(|it| !code.is_of_system(it.range.start))
    })
}

/// The deepest that interrupts get above one another: one of each level, none twice. `depths` are those
/// of the vectors. Returns which vector each level has.
pub(crate) fn deepest(vectors: &[Vector], depths: &[u32], levels: usize) -> Vec<(usize, usize)> {
    let Some(level) = levels.checked_sub(1) else { return Vec::new() };
    let mut best = (deepest(vectors, depths, level), 0);
    best.1 = total(&best.0, depths);
    let here = (0..vectors.len()).filter(|index| vectors[*index].levels.contains(&level));
    for index in here {
        // What is taken here is not there above.
        let mut others = vectors.to_vec();
        others[index].levels.clear();
        let mut nested = deepest(&others, depths, level);
        nested.insert(0, (level, index));
        let bytes = total(&nested, depths);
        if bytes > best.1 {
            best = (nested, bytes);
        }
    }
    best.0
}

/// Frames are the same for each.
fn total(nested: &[(usize, usize)], depths: &[u32]) -> u32 {
    nested.iter().map(|(_, index)| depths[*index] + FRAME).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vector(number: u32, levels: &[usize]) -> Vector {
        Vector { number, handler: 0, levels: levels.iter().copied().collect() }
    }

    #[test]
    fn one_of_each_level_nests() {
        let vectors = [vector(16, &[2]), vector(17, &[2]), vector(18, &[0]), vector(14, &[3])];
        assert_eq!(deepest(&vectors, &[8, 24, 16, 100], 4), [(3, 3), (2, 1), (0, 2)]);
    }

    #[test]
    fn one_that_may_have_any_level_nests_once() {
        let vectors = [vector(16, &[0, 1, 2, 3]), vector(17, &[0, 1, 2, 3])];
        assert_eq!(deepest(&vectors, &[8, 24], 4).len(), 2);
    }
}
