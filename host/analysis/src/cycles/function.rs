// SPDX-License-Identifier: MIT OR Apache-2.0
//! How long functions take until they return: the shortest and the longest way, with as many rounds of loops as are
//! given.
//!
//! Loops are taken from the innermost one on. The ways through one, from its header to where it is left, become edges
//! of its header, with all rounds before; then it is a block like others. Ways that do not lead back to the caller, as
//! into a panic, do not count.

use super::memory::Fetched;
use super::{Cost, Interval, Memory};
use crate::dominators::{reverse_postorder, successors};
use crate::loops::Loops;
use crate::ways::{Callee, Edge, End};
use crate::{Graph, Text, Unknown, Why};
use std::collections::HashMap;

/// What the caller knows.
pub struct Given<'g> {
    /// How fast memory is.
    pub memory: Memory,
    /// How often the block at an address begins each time its loop is entered: at least, at most.
    pub rounds: &'g dyn Fn(u32) -> Option<Interval>,
    /// How long what is called takes, if that shall not be computed: the function at an address, or what the call at an
    /// address enters through a pointer or by the system.
    pub calls: &'g dyn Fn(u32) -> Option<Interval>,
}

/// How long functions of an image take.
pub struct Times<'t, 'a> {
    text: &'t Text<'a>,
    given: Given<'t>,
    /// By address; `None` of those that are being added up.
    known: HashMap<u32, Option<Result<Option<Interval>, Unknown>>>,
}

/// A block, or a loop in place of its header: where it leads, and the ends of ways.
#[derive(Clone, Debug, Default)]
struct Node {
    edges: Vec<(usize, Interval)>,
    ends: Vec<Interval>,
}

impl<'t, 'a> Times<'t, 'a> {
    /// Of functions of `text`.
    pub fn new(text: &'t Text<'a>, given: Given<'t>) -> Times<'t, 'a> {
        Times { text, given, known: HashMap::new() }
    }

    /// How long the function takes that begins at `start`, its last instruction included, until it returns; `None` if
    /// it never does.
    pub fn of(&mut self, start: u32) -> Result<Option<Interval>, Unknown> {
        match self.known.get(&start) {
            Some(Some(known)) => return known.clone(),
            Some(None) => return Err(self.text.unknown(start, Why::Recursion(Vec::new()))),
            None => {}
        }
        self.known.insert(start, None);
        let time = self.add_up(start, false);
        self.known.insert(start, Some(time.clone()));
        time
    }

    /// How long the instructions of these blocks take one after the other, with what they call.
    pub fn path(&mut self, graph: &Graph, blocks: &[usize]) -> Result<Interval, Unknown> {
        let mut time = Interval::ZERO;
        let mut fetched = Fetched::default();
        for (place, block) in blocks.iter().enumerate() {
            let cost = self.block(graph, *block, &mut fetched)?;
            let next = blocks.get(place + 1);
            let edges = graph.blocks[*block].edges.iter();
            let ways: Vec<Interval> = edges
                .filter(|edge| next == Some(&edge.to))
                .map(|edge| if edge.taken { cost.taken } else { cost.next })
                .collect();
            time = time + ways.into_iter().reduce(Interval::or).unwrap_or(cost.next.or(cost.taken));
        }
        Ok(time)
    }

    fn block(
        &mut self,
        graph: &Graph,
        block: usize,
        fetched: &mut Fetched,
    ) -> Result<Cost, Unknown> {
        let (text, memory) = (self.text, self.given.memory);
        let mut called = |at, callee| self.called(at, callee);
        super::block(text, graph, block, &memory, fetched, &mut called)
    }

    fn called(&mut self, at: u32, callee: Callee) -> Result<Interval, Unknown> {
        let given = |why| (self.given.calls)(at).ok_or_else(|| self.text.unknown(at, why));
        match callee {
            Callee::Function(to) => match (self.given.calls)(to) {
                Some(given) => Ok(given),
                None => Ok(self.of(to)?.unwrap_or_default()),
            },
            Callee::Switch(to) => Ok(self.add_up(to, true)?.unwrap_or_default()),
            Callee::Pointer => given(Why::Pointer),
            Callee::Service => given(Why::System),
        }
    }

    /// The ways through a function; to `any` end, not to its return alone.
    fn add_up(&mut self, start: u32, any: bool) -> Result<Option<Interval>, Unknown> {
        let graph = Graph::of(self.text, start)?;
        let loops = Loops::of(self.text, &graph)?;
        let order = reverse_postorder(&successors(&graph), graph.entry);
        let mut nodes = self.nodes(&graph, &order, any)?;
        for it in &loops.0 {
            let inside = |block: usize| it.blocks.contains(&block);
            let (round, left) = through(&nodes, &order, it.header, &inside);
            it.blocks.iter().for_each(|block| nodes[*block] = Node::default());
            if left.edges.is_empty() && left.ends.is_empty() {
                continue;
            }
            let header = graph.blocks[it.header].range.start;
            let rounds = (self.given.rounds)(header);
            let rounds = rounds.ok_or_else(|| self.text.unknown(header, Why::Unlimited))?;
            let before = Interval {
                least: rounds.least.saturating_sub(1),
                most: rounds.most.saturating_sub(1),
            };
            let before = round.unwrap_or_default() * before;
            nodes[it.header] = Node {
                edges: left.edges.into_iter().map(|(to, time)| (to, before + time)).collect(),
                ends: left.ends.into_iter().map(|time| before + time).collect(),
            };
        }
        let (_, all) = through(&nodes, &order, graph.entry, &|_| true);
        Ok(all.ends.into_iter().reduce(Interval::or))
    }

    /// The blocks from which a way leads to an end that counts; in `order`.
    fn nodes(&mut self, graph: &Graph, order: &[usize], any: bool) -> Result<Vec<Node>, Unknown> {
        let counts = |end: Option<End>| match end {
            Some(End::Return) => true,
            Some(End::Tail(Callee::Function(to))) => any || self.text.returns(to),
            Some(End::Tail(_)) => true,
            Some(End::Never) | None => false,
        };
        let mut leads: Vec<bool> = graph.blocks.iter().map(|block| counts(block.end)).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for (from, block) in graph.blocks.iter().enumerate() {
                if !leads[from] && block.edges.iter().any(|edge| leads[edge.to]) {
                    leads[from] = true;
                    changed = true;
                }
            }
        }
        let mut nodes = vec![Node::default(); graph.blocks.len()];
        // What the core has fetched behind each block; where a loop leads back, nothing is known.
        let mut behind: Vec<Option<Fetched>> = vec![None; nodes.len()];
        for block in order.iter().copied().filter(|block| leads[*block]) {
            let from = (0..nodes.len())
                .filter(|from| graph.blocks[*from].edges.iter().any(|edge| edge.to == block));
            let before = from.map(|from| behind[from].unwrap_or_default());
            let before = before.reduce(Fetched::join).filter(|_| block != graph.entry);
            let mut fetched = before.unwrap_or_default();
            let cost = self.block(graph, block, &mut fetched)?;
            behind[block] = Some(fetched);
            let edges = graph.blocks[block].edges.iter().filter(|edge| leads[edge.to]);
            let edge = |edge: &Edge<usize>| match edge.taken {
                true => (edge.to, cost.taken),
                false => (edge.to, cost.next),
            };
            nodes[block].edges = edges.map(edge).collect();
            if let Some(end) = graph.blocks[block].end.filter(|end| counts(Some(*end))) {
                let rest = match end {
                    End::Tail(callee) if !any => self.called(graph.last(block), callee)?,
                    _ => Interval::ZERO,
                };
                nodes[block].ends.push(cost.taken + rest);
            }
        }
        Ok(nodes)
    }
}

/// The ways from `header` through the blocks `inside`: how long a round takes that leads back to it, and where they
/// leave.
fn through(
    nodes: &[Node],
    order: &[usize],
    header: usize,
    inside: &dyn Fn(usize) -> bool,
) -> (Option<Interval>, Node) {
    let mut reached: HashMap<usize, Interval> = HashMap::from([(header, Interval::ZERO)]);
    let mut round = None;
    let mut left = Node::default();
    for block in order {
        let Some(before) = reached.get(block).copied() else { continue };
        let node = &nodes[*block];
        left.ends.extend(node.ends.iter().map(|end| before + *end));
        for (to, time) in &node.edges {
            let time = before + *time;
            let join = |known: Option<Interval>| known.map_or(time, |known| known.or(time));
            if *to == header {
                round = Some(join(round));
            } else if inside(*to) {
                reached.insert(*to, join(reached.get(to).copied()));
            } else {
                left.edges.push((*to, time));
            }
        }
    }
    (round, left)
}
