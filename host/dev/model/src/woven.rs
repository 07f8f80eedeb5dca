// SPDX-License-Identifier: MIT OR Apache-2.0
//! Woven pairs: one handler that runs in place of two events or more.
//!
//! When an event that is a half of pairs is served, these pairs are checked in their order. The
//! first pair whose other half is also pending is taken; then, in the same way, a pair of which
//! this pair is a half, and so on. The handler of the pair serves all its events: they stop being
//! pending, from the last to the first. While the kernel determines what runs, the event being
//! served counts as pending.

use crate::event::Postable;
use crate::{Actor, Model};

/// A half of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Half {
    Event(usize),
    Pair(usize),
}

/// The pairs, in the order of their names; the second half is an event.
const PAIRS: [(Half, usize); 3] = [(Half::Event(3), 4), (Half::Pair(0), 5), (Half::Event(3), 6)];

/// How many pairs there are.
pub const PAIRS_COUNT: usize = PAIRS.len();

/// How far the kernel has determined what runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Weaving {
    /// For an event: none of the earlier pairs has all halves pending.
    Look(usize, usize),
    /// The first pair is pending, and none of the pairs before the second of which it is a half.
    Grow(usize, usize),
    /// This pair runs: this many of its events are still to be taken.
    Take(usize, usize),
}

/// The events of a pair, the last one last.
fn events(pair: usize) -> Vec<usize> {
    let (first, second) = PAIRS[pair];
    let mut all = match first {
        Half::Event(event) => vec![event],
        Half::Pair(inner) => events(inner),
    };
    all.push(second);
    all
}

fn is_half(half: Half, pair: usize) -> bool {
    let (first, second) = PAIRS[pair];
    first == half || Half::Event(second) == half
}

impl Model {
    /// Whether it is a half of a pair.
    pub(crate) fn has_pairs(&self, event: usize) -> bool {
        (0..PAIRS.len()).any(|pair| is_half(Half::Event(event), pair))
    }

    /// An event that has pairs is served.
    pub(crate) fn weaving(&mut self, event: usize) -> Weaving {
        self.posts.pending.insert(Postable::Event(event));
        Weaving::Look(event, 0)
    }

    fn are_pending(&self, pair: usize) -> bool {
        events(pair).iter().all(|event| self.posts.pending.contains(&Postable::Event(*event)))
    }

    /// One part of determining what runs; none when a handler has begun.
    pub(crate) fn weave(&mut self, weaving: Weaving) -> Option<Weaving> {
        match weaving {
            Weaving::Look(event, from) => {
                match (from..PAIRS.len()).find(|pair| is_half(Half::Event(event), *pair)) {
                    Some(pair) if self.are_pending(pair) => Some(Weaving::Grow(pair, 0)),
                    Some(pair) => Some(Weaving::Look(event, pair + 1)),
                    None => {
                        self.posts.pending.remove(&Postable::Event(event));
                        self.enter(Actor::Event(event));
                        None
                    }
                }
            }
            Weaving::Grow(pair, from) => {
                match (from..PAIRS.len()).find(|larger| is_half(Half::Pair(pair), *larger)) {
                    Some(larger) if self.are_pending(larger) => Some(Weaving::Grow(larger, 0)),
                    Some(larger) => Some(Weaving::Grow(pair, larger + 1)),
                    None => Some(Weaving::Take(pair, events(pair).len())),
                }
            }
            Weaving::Take(pair, left) => {
                if left == 0 {
                    self.enter(Actor::Pair(pair));
                    return None;
                }
                self.posts.pending.remove(&Postable::Event(events(pair)[left - 1]));
                Some(Weaving::Take(pair, left - 1))
            }
        }
    }
}
