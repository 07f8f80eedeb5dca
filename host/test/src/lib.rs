// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests of programs on simulated motes: those that a program brings along in its folder `test`, and programs that
//! report tests on their console.
//!
//! A test is known by `group/name`. A filter is such a name, or whole parts of it between slashes. Only if no test has that
//! name, it is any part of one. A group in which no test can match costs nothing.

mod depths;
mod filter;
pub mod latency;
pub mod mote;
pub mod own;
pub mod pattern;
mod side_by_side;
mod sources;
pub mod transcript;
pub mod verdicts;

pub use depths::{Depths, Noted};
pub use filter::{Counted, Match};
pub use own::OwnError;
pub use side_by_side::{from_both_ends, side_by_side};
pub use sources::entries;
pub use verdicts::{Code, Inputs, Verdicts};

use crate::latency::Latencies;
use lichen_project::{Explain, Place, Tree, nearest};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// How a test ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It passed.
    Passed,
    /// It failed.
    Failed(Report),
    /// It could not be run here, and why.
    Skipped(String),
}

impl Verdict {
    /// The same, a failure with `remedy`.
    pub fn remedied(mut self, remedy: &str) -> Verdict {
        if let Verdict::Failed(report) = &mut self {
            report.remedy = Some(remedy.to_string());
        }
        self
    }
}

/// The report of a failed test.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Where.
    pub place: Option<Place>,
    /// What.
    pub message: String,
    /// What to do.
    pub remedy: Option<String>,
    /// What was printed meanwhile.
    pub output: Option<String>,
}

impl Report {
    /// A report of `error`.
    pub fn of(error: &dyn Explain) -> Report {
        Report {
            place: error.place(),
            message: error.to_string(),
            remedy: error.remedy(),
            output: None,
        }
    }

    /// A report with only a message.
    pub fn saying(message: impl Into<String>) -> Report {
        Report { message: message.into(), ..Report::default() }
    }
}

/// A test and its outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Group of tests.
    pub group: &'static str,
    /// Name within the group.
    pub name: String,
    /// How it ended.
    pub verdict: Verdict,
    /// Whether it ended so in an earlier run, and nothing that it depends on has changed since.
    pub is_old: bool,
}

/// Receives the progress of the tests.
pub trait Listener {
    /// `what` of `group` is under way.
    fn working(&mut self, group: &'static str, what: &str);
    /// A test has ended.
    fn outcome(&mut self, outcome: Outcome);
    /// A line of figures from the tests of `group`.
    fn figure(&mut self, group: &'static str, line: &str);
    /// A program has run on a mote, with these observations of its interrupts.
    fn latencies(&mut self, seen: &Latencies);
}

/// The tests of a tree.
pub struct Suite<'a> {
    /// The tree.
    pub tree: &'a Tree,
    /// The caller's folder: files below it are named as seen from there.
    pub folder: PathBuf,
    /// Name, or part of the names, of the tests to run; all if absent.
    pub filter: Option<String>,
    /// Whether tests that take too long for an ordinary run are run, too.
    pub long: bool,
    /// Whether packages may be fetched that tests need, although none is named.
    pub network: bool,
    /// Whether interrupts of motes are followed.
    pub latency: bool,
    /// Verdicts of earlier runs, if they count.
    pub verdicts: Option<Verdicts>,
}

/// The context of a group.
pub struct Context<'a> {
    /// The request.
    pub suite: &'a Suite<'a>,
    /// The group.
    pub group: &'static str,
    /// What the filter is of names.
    pub matching: Match,
    /// The tests that were not requested, `group/name`.
    others: Mutex<BTreeSet<String>>,
}

impl<'a> Context<'a> {
    /// The context of `group`, for which the filter is a `matching` part of names.
    pub fn new(suite: &'a Suite<'a>, group: &'static str, matching: Match) -> Context<'a> {
        Context { suite, group, matching, others: Mutex::default() }
    }

    /// The tests that it met and that were not requested, `group/name`.
    pub fn others(self) -> BTreeSet<String> {
        self.others.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// The tree.
    pub fn tree(&self) -> &Tree {
        self.suite.tree
    }

    /// Whether the test `name` is requested. A part of names behind the group's, `mote/queue`, means those of the group.
    pub fn wants(&self, name: &str) -> bool {
        let Some(filter) = &self.suite.filter else { return true };
        let in_group = || self.name_filter().is_some_and(|part| name.contains(part));
        let wanted = self.matching.holds(filter, &format!("{}/{name}", self.group))
            || self.matching == Match::Part && in_group();
        if !wanted {
            self.pass_over(name);
        }
        wanted
    }

    /// Notes a test, or a part of names of tests, that is not requested.
    pub fn pass_over(&self, name: &str) {
        let mut others = self.others.lock().unwrap_or_else(PoisonError::into_inner);
        others.insert(format!("{}/{name}", self.group));
    }

    /// Whether packages may be fetched for this group: an ordinary run needs no network.
    pub fn may_fetch(&self) -> bool {
        self.suite.network || self.suite.long || self.suite.filter.is_some()
    }

    /// The part of the filter that applies to names within this group; none if the whole group is
    /// wanted.
    pub fn name_filter(&self) -> Option<&str> {
        let filter = self.suite.filter.as_deref()?;
        if self.matching.holds(filter, self.group) {
            return None;
        }
        let rest = filter.strip_prefix(self.group).and_then(|rest| rest.strip_prefix('/'));
        rest.or(Some(filter)).filter(|rest| !rest.is_empty())
    }

    /// Reports the end of a test.
    pub fn tell(&self, listener: &mut dyn Listener, name: impl Into<String>, verdict: Verdict) {
        listener.outcome(Outcome { group: self.group, name: name.into(), verdict, is_old: false });
    }
}

/// The filter that was probably meant by `filter`, which matches none of `names` in `groups`: a whole name, or a
/// part between slashes or colons.
pub fn meant<'a>(filter: &str, groups: &[&'a str], names: &'a BTreeSet<String>) -> Option<&'a str> {
    let groups = groups.iter().copied();
    let whole = names.iter().map(String::as_str);
    let all_parts = names.iter().flat_map(|name| parts(name));
    let last = parts(filter).last().unwrap_or(filter);
    nearest(filter, groups.chain(whole).chain(all_parts.clone()))
        .or_else(|| nearest(last, all_parts))
}

fn parts(name: &str) -> impl Iterator<Item = &str> + Clone {
    name.split(['/', ':']).filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_filter_has_a_name_that_was_meant() {
        let names = ["host/lichen_isa::timer::adds", "mote/hamilton/event"].map(str::to_string);
        let names = BTreeSet::from(names);
        assert_eq!(meant("structur", &["structure", "mote"], &names), Some("structure"));
        assert_eq!(meant("tmier", &["structure", "mote"], &names), Some("timer"));
        assert_eq!(
            meant("mote/hamilton/evnt", &["structure", "mote"], &names),
            Some("mote/hamilton/event")
        );
        assert_eq!(meant("mote/evnt", &["structure", "mote"], &names), Some("event"));
        assert_eq!(meant("thermometer", &["structure", "mote"], &names), None);
    }
}
