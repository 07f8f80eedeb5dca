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
        let successors = successors(graph);
        let order = reverse_postorder(&successors, graph.entry);
        let mut place = vec![0; graph.blocks.len()];
        order.iter().enumerate().for_each(|(at, block)| place[*block] = at);
        let mut latches = vec![Vec::new(); graph.blocks.len()];
        for from in &order {
            for to in &successors[*from] {
                if place[*to] > place[*from] {
                    continue;
                }
                if !dominators.passes(*from, *to) {
                    return Err(text.unknown(graph.blocks[*to].range.start, Why::Irreducible));
                }
                latches[*to].push(*from);
            }
        }
        let headers = latches.into_iter().enumerate().filter(|(_, latches)| !latches.is_empty());
        let natural = headers.map(|(header, latches)| {
            let blocks = body(&successors, header, &latches);
            Loop { header, blocks, latches, within: None }
        });
        Ok(Loops(nested(natural.collect())))
    }

    /// The innermost loop that has a block.
    pub fn around(&self, block: usize) -> Option<usize> {
        self.0.iter().position(|it| it.blocks.contains(&block))
    }
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
