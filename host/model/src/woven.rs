// SPDX-License-Identifier: MIT OR Apache-2.0
//! Woven pairs: one handler that runs in place of two events or more.
//!
//! When the turn of an event comes that is a half of pairs, these are looked at in their order. The first
//! one whose other half is pending too is taken; then, in the same way, a pair that this one is a half of,
//! and so on. All events of the pair are served by its handler: they are pending no more, from the last one
//! to the first. While it is found out what runs, the event whose turn it is counts as pending.

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

/// How far it has been found out what runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Weaving {
    /// For an event: none of the pairs before this one has all halves pending.
    Look(usize, usize),
    /// This pair is pending: none of those before the second one is, that it is a half of.
    Grow(usize, usize),
    /// This pair runs: so many of its events are still to be taken.
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

    /// The turn of an event comes that has pairs.
    pub(crate) fn weaving(&mut self, event: usize) -> Weaving {
        self.posts.pending.insert(Postable::Event(event));
        Weaving::Look(event, 0)
    }

    fn are_pending(&self, pair: usize) -> bool {
        events(pair).iter().all(|event| self.posts.pending.contains(&Postable::Event(*event)))
    }

    /// One part of finding it out; nothing: a handler has begun.
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
