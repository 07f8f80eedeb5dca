// SPDX-License-Identifier: MIT OR Apache-2.0
//! A function as a graph of blocks.

use crate::ways::{Callee, Edge, End, Site, Ways};
use crate::{Text, Unknown};
use lichen_isa::Instruction;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Instructions that follow each other, entered at the first and left at the last one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Where they are.
    pub range: Range<u32>,
    /// Blocks of the function where control may go on.
    pub edges: Vec<Edge<usize>>,
    /// How a way ends here, if one does.
    pub end: Option<End>,
}

/// A call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallSite {
    /// Address of the instruction.
    pub at: u32,
    /// What is called.
    pub callee: Callee,
    /// Whether that goes on in place of the caller.
    pub tail: bool,
}

/// A function as a graph.
#[derive(Clone, Debug)]
pub struct Graph {
    /// Its blocks, by address.
    pub blocks: Vec<Block>,
    /// The block where it begins.
    pub entry: usize,
    /// What it calls, by address, in place of itself too.
    pub calls: Vec<CallSite>,
    /// Edges that were lost.
    pub lost: Vec<Unknown>,
    instructions: BTreeMap<u32, Instruction>,
    /// What instructions access, if that is known, by their addresses.
    accessed: BTreeMap<u32, u32>,
}

impl Graph {
    /// The function that begins at `start`. An edge that is lost is an error.
    pub fn of(text: &Text<'_>, start: u32) -> Result<Graph, Unknown> {
        let mut graph = Graph::known_of(text, start);
        if graph.lost.is_empty() { Ok(graph) } else { Err(graph.lost.swap_remove(0)) }
    }

    /// As much of it as is known: what the lost edges lead to is not there.
    pub fn known_of(text: &Text<'_>, start: u32) -> Graph {
        let Ways { sites, lost, .. } = Ways::of(text, start, &|to| text.returns(to));
        let lost = lost.into_iter().map(|(at, why)| text.unknown(at, why)).collect();
        let blocks = blocks(&sites, start);
        let entry = block_at(&blocks, start).unwrap_or_default();
        let calls = sites.iter().filter_map(|(at, site)| call(*at, site)).collect();
        let accessed = sites.iter().filter_map(|(at, site)| Some((*at, site.address?))).collect();
        let instructions = sites.into_iter().map(|(at, site)| (at, site.instruction)).collect();
        Graph { blocks, entry, calls, lost, instructions, accessed }
    }

    /// The instructions of a block.
    pub fn instructions(
        &self,
        block: usize,
    ) -> impl DoubleEndedIterator<Item = (u32, &Instruction)> {
        let range = self.blocks[block].range.clone();
        self.instructions.range(range).map(|(at, instruction)| (*at, instruction))
    }

    /// The instruction at `address`, if the function has it.
    pub fn instruction(&self, address: u32) -> Option<&Instruction> {
        self.instructions.get(&address)
    }

    /// What the instruction at `at` accesses, if that is known.
    pub fn address(&self, at: u32) -> Option<u32> {
        self.accessed.get(&at).copied()
    }

    /// The block around `address`.
    pub fn block(&self, address: u32) -> Option<usize> {
        let behind = self.blocks.partition_point(|block| block.range.start <= address);
        let block = behind.checked_sub(1)?;
        self.blocks[block].range.contains(&address).then_some(block)
    }

    /// The last instruction of a block.
    pub fn last(&self, block: usize) -> u32 {
        let range = &self.blocks[block].range;
        self.instructions(block).next_back().map_or(range.start, |(at, _)| at)
    }

    /// Whether the instruction at `address` goes on in another function, in place of this one.
    pub fn is_tail(&self, address: u32) -> bool {
        self.calls.iter().any(|call| call.at == address && call.tail)
    }

    /// What the instruction at `address` calls.
    pub fn call(&self, address: u32) -> Option<Callee> {
        let found = self.calls.binary_search_by_key(&address, |call| call.at);
        found.ok().map(|index| self.calls[index].callee)
    }
}

fn call(at: u32, site: &Site) -> Option<CallSite> {
    match (site.call, site.end) {
        (Some(callee), _) => Some(CallSite { at, callee, tail: false }),
        (None, Some(End::Tail(callee))) => Some(CallSite { at, callee, tail: true }),
        _ => None,
    }
}

fn block_at(blocks: &[Block], start: u32) -> Option<usize> {
    blocks.binary_search_by_key(&start, |block| block.range.start).ok()
}

/// Cuts instructions into blocks: before what is jumped to, and behind what may lead elsewhere.
fn blocks(sites: &BTreeMap<u32, Site>, start: u32) -> Vec<Block> {
    let leads_on =
        |site: &Site| matches!(site.edges[..], [Edge { taken: false, .. }]) && site.end.is_none();
    let mut leaders = BTreeSet::from([start]);
    for site in sites.values().filter(|site| !leads_on(site)) {
        leaders.extend(site.edges.iter().map(|edge| edge.to));
    }
    let mut blocks: Vec<Block> = Vec::new();
    // The edges of the last instruction of each.
    let mut last: Vec<&[Edge]> = Vec::new();
    for (at, site) in sites {
        let end = at + site.instruction.bytes;
        let follows = last.last().is_some_and(|edges| edges.iter().any(|edge| edge.to == *at));
        match blocks.last_mut() {
            Some(block) if follows && !leaders.contains(at) => {
                block.range.end = end;
                block.end = site.end;
                last.pop();
                last.push(&site.edges);
            }
            _ => {
                blocks.push(Block { range: *at..end, edges: Vec::new(), end: site.end });
                last.push(&site.edges);
            }
        }
    }
    let starts: Vec<u32> = blocks.iter().map(|block| block.range.start).collect();
    let index = |edge: &Edge| {
        let to = starts.binary_search(&edge.to).ok()?;
        Some(Edge { to, taken: edge.taken })
    };
    for (block, edges) in blocks.iter_mut().zip(last) {
        block.edges = edges.iter().filter_map(index).collect();
    }
    blocks
}
