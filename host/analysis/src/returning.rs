// SPDX-License-Identifier: MIT OR Apache-2.0
//! Functions that return to their callers, as far as jumps and calls tell. Those that end the program do not.

use crate::Text;
use crate::ways::{Callee, End, Ways};
use std::collections::{BTreeSet, HashMap};

/// Where functions begin that return.
#[derive(Debug, Default)]
pub(crate) struct Returning(BTreeSet<u32>);

impl Returning {
    /// Of all functions of an image: the fewest, so that those which call each other forever are none.
    pub(crate) fn of(text: &Text<'_>) -> Returning {
        let mut found = Returning::default();
        let mut known: BTreeSet<u32> = text.beginnings().collect();
        let mut pending: Vec<u32> = known.iter().copied().collect();
        // Who goes on once a function is known to return.
        let mut waiting: HashMap<u32, BTreeSet<u32>> = HashMap::new();
        while let Some(start) = pending.pop() {
            if found.contains(start) {
                continue;
            }
            let ways = Ways::of(text, start, &|to| found.contains(to));
            let tails = || {
                ways.sites.values().filter_map(|site| match site.end {
                    Some(End::Tail(Callee::Function(to))) => Some(to),
                    _ => None,
                })
            };
            if ways.returns() || tails().any(|to| found.contains(to)) {
                found.0.insert(start);
                pending.extend(waiting.remove(&start).unwrap_or_default());
                continue;
            }
            for stop in ways.stops {
                waiting.entry(stop).or_default().insert(start);
                if known.insert(stop) {
                    pending.push(stop);
                }
            }
        }
        found
    }

    pub(crate) fn contains(&self, address: u32) -> bool {
        self.0.contains(&address)
    }
}
