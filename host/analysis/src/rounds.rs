// SPDX-License-Identifier: MIT OR Apache-2.0
//! How often loops are repeated, found by following each of them round by round.
//!
//! A round begins with what is known at the header, and ends with what is known where it leads back there, whichever way
//! it took: that joins what the ways know, but a counter is the same on all of them. A loop ends in the first round
//! from which no way leads back. One that knows no more than in the round before goes on as long as anyone can
//! tell. Loops within it are followed in each round.
//!
//! Functions that are called are not followed: they keep what the standard has them keep. The compiler's own functions and
//! assembly are assumed to do so too.

use crate::follow::Known;
use crate::loops::Loops;
use crate::unroll::{Evaluate, Next};
use crate::{Graph, Interval, Text, Unknown, Why, armv6m, avr8, dominators};
use lichen_image::Machine;
use lichen_isa::Flow;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// Instructions of a loop that are followed before what rounds know is joined, so that all come to an end. Of those
/// that are left for a loop, each loop within it gets a share.
const STEPS: u64 = 300_000;
const SHARE: u64 = 8;

/// How often the loops of a function are repeated, by the address of their header.
#[derive(Clone, Debug, Default)]
pub struct Rounds(BTreeMap<u32, Result<Interval, Unknown>>);

impl Rounds {
    /// Of the loops of `graph`, of whose arguments nothing is known. A loop that is entered at several places is an error,
    /// and so is a stack of which nobody knows how deep it is.
    pub fn of(text: &Text<'_>, graph: &Graph) -> Result<Rounds, Unknown> {
        match text.image.machine() {
            Machine::Arm => Follow::all::<armv6m::State>(text, graph),
            Machine::Avr => Follow::all::<avr8::State>(text, graph),
        }
    }

    /// How often the block at `header` begins each time its loop is entered; or why that is not known. `None` if no way
    /// leads to such a loop.
    pub fn at(&self, header: u32) -> Option<&Result<Interval, Unknown>> {
        self.0.get(&header)
    }

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = (u32, &Result<Interval, Unknown>)> {
        self.0.iter().map(|(header, rounds)| (*header, rounds))
    }
}

/// What is known at the blocks where ways go on, which have come from a block or a loop; at `None` they end.
type Behind<S> = BTreeMap<Option<usize>, S>;

/// A function that is being followed.
struct Follow<'t, 'a> {
    text: &'t Text<'a>,
    graph: &'t Graph,
    loops: Loops,
    /// The blocks, each before those to which it leads, except at the edges that lead back.
    order: Vec<usize>,
    steps: u64,
    /// Steps at which what rounds know is joined.
    limit: u64,
    rounds: Rounds,
}

impl<'t, 'a> Follow<'t, 'a> {
    fn all<S: Evaluate + Known>(text: &'t Text<'a>, graph: &'t Graph) -> Result<Rounds, Unknown> {
        let order = dominators::reverse_postorder(&dominators::successors(graph), graph.entry);
        let loops = Loops::of(text, graph)?;
        let rounds = Rounds::default();
        let mut follow = Follow { text, graph, loops, order, steps: 0, limit: 0, rounds };
        let entry = match text.is_compiled(graph.blocks[graph.entry].range.start) {
            true => S::entry(),
            false => S::entry_of_assembly(),
        };
        follow.pass(None, graph.entry, entry)?;
        Ok(follow.rounds)
    }

    /// Follows the blocks of a loop, or of the function, once; loops within it with all their rounds.
    fn pass<S: Evaluate + Known>(
        &mut self,
        within: Option<usize>,
        from: usize,
        state: S,
    ) -> Result<Behind<S>, Unknown> {
        let mut inside = BTreeMap::from([(from, state)]);
        let mut behind = Behind::new();
        for place in 0..self.order.len() {
            let block = self.order[place];
            let Some(state) = inside.remove(&block) else { continue };
            let heads = self.loops.0.iter().position(|it| it.header == block);
            let done = match heads.filter(|inner| Some(*inner) != within) {
                Some(inner) => self.with_share(within, inner, state)?,
                None => self.block(block, state)?,
            };
            for (to, state) in done {
                let stays =
                    |to: usize| within.is_none_or(|it| self.loops.0[it].blocks.contains(&to));
                match to.filter(|to| stays(*to) && *to != from) {
                    Some(to) => join(&mut inside, to, state),
                    None => join(&mut behind, to, state),
                }
            }
        }
        Ok(behind)
    }

    /// Follows a loop within another one, or within the function.
    fn with_share<S: Evaluate + Known>(
        &mut self,
        within: Option<usize>,
        inner: usize,
        state: S,
    ) -> Result<Behind<S>, Unknown> {
        let around = self.limit;
        let share = within.map_or(STEPS, |_| around.saturating_sub(self.steps) / SHARE);
        self.limit = self.steps + share;
        let behind = self.repeat(inner, state);
        self.limit = around;
        behind
    }

    /// Follows a loop until it ends.
    fn repeat<S: Evaluate + Known>(
        &mut self,
        it: usize,
        mut state: S,
    ) -> Result<Behind<S>, Unknown> {
        let header = self.loops.0[it].header;
        let at = self.graph.blocks[header].range.start;
        let mut left = Behind::new();
        let (mut least, mut round) = (None, 0);
        let rounds = loop {
            round += 1;
            let mut behind = self.pass(Some(it), header, state.clone())?;
            let next = behind.remove(&Some(header));
            if !behind.is_empty() {
                least.get_or_insert(round);
            }
            behind.into_iter().for_each(|(to, state)| join(&mut left, to, state));
            let Some(next) = next else {
                break Ok(Interval { least: least.unwrap_or(round), most: round });
            };
            if next.depth() > state.depth() {
                return Err(self.text.unknown(at, Why::Growing));
            }
            if self.steps > self.limit {
                if !state.join(&next) {
                    break Err(self.text.unknown(at, Why::Endless));
                }
            } else if next == state {
                break Err(self.text.unknown(at, Why::Unlimited));
            } else {
                state = next;
            }
        };
        let known = self.rounds.0.remove(&at).unwrap_or_else(|| rounds.clone());
        let both = known.and_then(|known| Ok(known.or(rounds?)));
        self.rounds.0.insert(at, both);
        Ok(left)
    }

    fn block<S: Evaluate + Known>(
        &mut self,
        block: usize,
        mut state: S,
    ) -> Result<Behind<S>, Unknown> {
        let graph = self.graph;
        // Where its branch leads, if it ends with one.
        let mut leads = None;
        for (at, instruction) in graph.instructions(block) {
            self.steps += 1;
            let is_call =
                matches!(instruction.flow, Flow::Call(to) if to != at + instruction.bytes);
            if is_call || graph.call(at).is_some() {
                state.called();
                continue;
            }
            leads = match (state.follow(self.text, at), instruction.flow) {
                (Next::Unknown(Why::Unbounded), _) => {
                    return Err(self.text.unknown(at, Why::Unbounded));
                }
                (Next::Any(to), Flow::BranchIf(_)) => Some(to),
                _ => None,
            };
        }
        let is_possible = |to: usize, taken| {
            let start = graph.blocks[to].range.start;
            leads.as_ref().is_none_or(|leads| leads.contains(&(start, taken)))
        };
        let block = &graph.blocks[block];
        let mut behind = Behind::new();
        for edge in block.edges.iter().filter(|edge| is_possible(edge.to, edge.taken)) {
            join(&mut behind, Some(edge.to), state.clone());
        }
        // A branch that leads to another function too is known to be taken, or not.
        let ends =
            block.end.is_some() && (behind.is_empty() || leads.is_none_or(|it| it.len() > 1));
        if ends {
            behind.insert(None, state);
        }
        Ok(behind)
    }
}

fn join<K: Ord, S: Known>(states: &mut BTreeMap<K, S>, at: K, state: S) {
    match states.entry(at) {
        Entry::Vacant(place) => _ = place.insert(state),
        Entry::Occupied(known) => _ = known.into_mut().join(&state),
    }
}
