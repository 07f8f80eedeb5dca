// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which names a filter means.

use crate::latency::Latencies;
use crate::{Listener, Outcome};

/// What a filter is of the names of tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Match {
    /// Whole pieces, between slashes, that follow each other.
    Whole,
    /// Any part.
    Part,
}

impl Match {
    /// Both, in the order in which they are tried: any part counts only if no test has the name.
    pub const ALL: [Match; 2] = [Match::Whole, Match::Part];

    /// Whether `filter` means the test `name`.
    pub fn holds(self, filter: &str, name: &str) -> bool {
        match self {
            Match::Part => name.contains(filter),
            Match::Whole => {
                let pieces: Vec<&str> = name.split('/').collect();
                let wanted: Vec<&str> = filter.trim_end_matches('/').split('/').collect();
                pieces.windows(wanted.len()).any(|pieces| pieces == wanted) || begins(filter, name)
            }
        }
    }
}

/// Whether `name` begins with the modules that `filter` names: `host/lichen_isa::cycle`.
fn begins(filter: &str, name: &str) -> bool {
    name.strip_prefix(filter).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// A listener that counts outcomes.
pub struct Counted<'a> {
    listener: &'a mut dyn Listener,
    /// How many tests have ended.
    pub outcomes: u32,
}

impl<'a> Counted<'a> {
    /// Passes everything on to `listener`.
    pub fn new(listener: &'a mut dyn Listener) -> Counted<'a> {
        Counted { listener, outcomes: 0 }
    }
}

impl Listener for Counted<'_> {
    fn working(&mut self, group: &'static str, what: &str) {
        self.listener.working(group, what);
    }

    fn outcome(&mut self, outcome: Outcome) {
        self.outcomes += 1;
        self.listener.outcome(outcome);
    }

    fn figure(&mut self, group: &'static str, line: &str) {
        self.listener.figure(group, line);
    }

    fn latencies(&mut self, seen: &Latencies) {
        self.listener.latencies(seen);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_name_means_no_longer_one() {
        let means = |filter, name| Match::Whole.holds(filter, name);
        for filter in ["mote", "mote/hamilton", "mote/hamilton/queue", "hamilton/queue", "queue"] {
            assert!(means(filter, "mote/hamilton/queue"), "{filter}");
            assert!(means(filter, "mote/hamilton/queue/fills"), "{filter}");
        }
        assert!(!means("mote/hamilton/queue", "mote/hamilton/queue_misuse"));
        assert!(!means("queue", "mote/hamilton/queue_misuse"));
        assert!(!means("mote/hamilton/queue/fills", "mote/hamilton/queue"));
        assert!(!means("mote/queue", "mote/hamilton/queue"));
        assert!(means("host/lichen_isa::cycle", "host/lichen_isa::cycle::adds"));
        assert!(!means("host/lichen_isa::cyc", "host/lichen_isa::cycle::adds"));
    }

    #[test]
    fn a_part_means_all_names_that_have_it() {
        assert!(Match::Part.holds("queue", "mote/hamilton/queue_misuse"));
        assert!(!Match::Part.holds("queues", "mote/hamilton/queue_misuse"));
    }
}
