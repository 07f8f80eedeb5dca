// SPDX-License-Identifier: MIT OR Apache-2.0
//! Loops of a function: where they begin, which blocks they have, and how they nest.

use crate::dominators::{Dominators, reverse_postorder, successors};
use crate::{Graph, Text, Unknown, Why};
use std::collections::BTreeSet;

/// A loop, which is entered at one block alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The block where it is entered, and each round begins.
    pub header: usize,
    /// Its blocks, those of loops within it too.
    pub blocks: BTreeSet<usize>,
    /// The blocks from which the next round begins.
    pub latches: Vec<usize>,
    /// The loop around it, by number.
    pub within: Option<usize>,
}

/// The loops of a function, those within others before them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Loops(pub Vec<Loop>);

impl Loops {
    /// Those of a function. One that is entered at several places is an error: rounds cannot be counted.
    pub fn of(text: &Text<'_>, graph: &Graph) -> Result<Loops, Unknown> {
        let dominators = Dominators::of(graph);
        let loops = natural(&successors(graph), graph.entry, &dominators);
        let loops = loops
            .map_err(|block| text.unknown(graph.blocks[block].range.start, Why::Irreducible))?;
        Ok(Loops(nested(loops)))
    }

    /// The innermost loop that has a block.
    pub fn around(&self, block: usize) -> Option<usize> {
        self.0.iter().position(|it| it.blocks.contains(&block))
    }
}

/// Those of a graph; an error is a block to which a loop leads back that is also entered elsewhere.
fn natural(
    successors: &[Vec<usize>],
    entry: usize,
    dominators: &Dominators,
) -> Result<Vec<Loop>, usize> {
    let order = reverse_postorder(successors, entry);
    let mut place = vec![0; successors.len()];
    order.iter().enumerate().for_each(|(at, block)| place[*block] = at);
    let mut latches = vec![Vec::new(); successors.len()];
    for from in &order {
        for to in &successors[*from] {
            if place[*to] > place[*from] {
                continue;
            }
            if !dominators.passes(*from, *to) {
                return Err(*to);
            }
            latches[*to].push(*from);
        }
    }
    let headers = latches.into_iter().enumerate().filter(|(_, latches)| !latches.is_empty());
    let natural = headers.map(|(header, latches)| {
        let blocks = body(successors, header, &latches);
        Loop { header, blocks, latches, within: None }
    });
    Ok(natural.collect())
}

/// The blocks from which a latch is reached without the header, and the header.
fn body(successors: &[Vec<usize>], header: usize, latches: &[usize]) -> BTreeSet<usize> {
    let mut blocks = BTreeSet::from([header]);
    let mut pending = latches.to_vec();
    while let Some(block) = pending.pop() {
        if blocks.insert(block) {
            let leads = |from: &usize| successors[*from].contains(&block);
            pending.extend((0..successors.len()).filter(leads));
        }
    }
    blocks
}

/// Smaller ones first: a loop within another has fewer blocks.
fn nested(mut loops: Vec<Loop>) -> Vec<Loop> {
    loops.sort_by_key(|it| it.blocks.len());
    for inner in 0..loops.len() {
        let header = loops[inner].header;
        let around = (inner + 1..loops.len()).find(|outer| loops[*outer].blocks.contains(&header));
        loops[inner].within = around;
    }
    loops
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Random, reached};

    /// Whether a node can be reached from itself.
    fn repeats(successors: &[Vec<usize>], node: usize) -> bool {
        successors[node].iter().any(|to| reached(successors, *to, usize::MAX).contains(&node))
    }

    fn check(successors: &[Vec<usize>]) -> bool {
        let dominators = Dominators::new(successors, 0);
        let nodes = 0..successors.len();
        let back = |from: usize, to: usize| {
            successors[from].contains(&to) && !reached(successors, 0, to).contains(&from)
        };
        let forward: Vec<Vec<usize>> = nodes
            .clone()
            .map(|from| successors[from].iter().copied().filter(|to| !back(from, *to)).collect())
            .collect();
        let found = natural(successors, 0, &dominators);
        assert_eq!(found.is_err(), nodes.clone().any(|node| repeats(&forward, node)));
        let Ok(found) = found.map(nested) else { return false };
        for header in nodes.clone() {
            let latches: BTreeSet<usize> = nodes.clone().filter(|it| back(*it, header)).collect();
            let it = found.iter().find(|it| it.header == header);
            assert_eq!(it.is_some(), !latches.is_empty(), "{successors:?}");
            let Some(it) = it else { continue };
            let comes_back = |block: &usize| {
                *block == header || !reached(successors, *block, header).is_disjoint(&latches)
            };
            assert_eq!(it.blocks, nodes.clone().filter(comes_back).collect(), "{successors:?}");
            assert_eq!(it.latches.iter().copied().collect::<BTreeSet<_>>(), latches);
            let others = found.iter().filter(|other| other.header != header);
            let around = others.filter(|other| other.blocks.contains(&header));
            let nearest = around.min_by_key(|other| other.blocks.len());
            assert_eq!(it.within.map(|outer| &found[outer]), nearest, "{successors:?}");
        }
        found.iter().any(|it| it.within.is_some())
    }

    #[test]
    fn loops_are_what_leads_back_to_a_block_that_dominates_it() {
        let mut random = Random(23);
        let mut nested = 0;
        for _ in 0..20_000 {
            let successors = random.graph();
            if reached(&successors, 0, usize::MAX).len() == successors.len() {
                nested += u32::from(check(&successors));
            }
        }
        assert!(nested > 100, "{nested}");
    }
}
