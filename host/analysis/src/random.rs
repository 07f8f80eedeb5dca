// SPDX-License-Identifier: MIT OR Apache-2.0
//! Numbers and graphs for tests, the same each time (xorshift64*).

use std::collections::BTreeSet;

pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32) as u32
    }

    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        self.next() % bound
    }

    /// The nodes behind each of a few nodes.
    pub(crate) fn graph(&mut self) -> Vec<Vec<usize>> {
        let nodes = 1 + self.below(8);
        let some = |random: &mut Random| -> BTreeSet<usize> {
            (0..random.below(4)).map(|_| random.below(nodes) as usize).collect()
        };
        (0..nodes).map(|_| some(self).into_iter().collect()).collect()
    }
}

/// The nodes to which a way leads that does not pass `but`.
pub(crate) fn reached(successors: &[Vec<usize>], from: usize, but: usize) -> BTreeSet<usize> {
    let mut reached = BTreeSet::new();
    let mut pending = vec![from];
    while let Some(node) = pending.pop() {
        if node != but && reached.insert(node) {
            pending.extend(&successors[node]);
        }
    }
    reached
}
