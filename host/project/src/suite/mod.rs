// SPDX-License-Identifier: MIT OR Apache-2.0
//! Everything that must hold: the structural rules, formats, lints, the host's tests, the programs
//! and the tests that run on motes, the guide.
//!
//! A test is known by `group/name`. A filter is a part of such names; a group in which no test can
//! match costs nothing.

mod cargo;
mod corrupt;
mod debug;
mod depths;
mod figures;
mod force;
mod format;
mod fuzz;
mod guide;
mod model;
mod mote;
mod oracle;
mod own;
mod paths;
mod pattern;
mod refused;
mod scripts;
mod side_by_side;
mod site;
mod size;
mod sources;
mod structure;
mod transcript;

pub use own::OwnError;

use crate::latency::Latencies;
use crate::{Explain, Place, Tree, nearest};
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
    /// The `lichen` program that the guide's examples run.
    pub command: PathBuf,
    /// Part of the names of the tests to run; all if absent.
    pub filter: Option<String>,
    /// Whether tests that take too long for an ordinary run are run, too.
    pub long: bool,
}

/// A group of tests.
pub struct Group {
    /// Its name.
    pub name: &'static str,
    /// What it tests, in a few words.
    pub about: &'static str,
    run: fn(&Bench<'_>, &mut dyn Listener),
}

/// All groups, the quick ones first.
pub const GROUPS: &[Group] = &[
    Group { name: "structure", about: "the structural rules", run: structure::run },
    Group { name: "format", about: "formatters and generated files", run: format::run },
    Group { name: "refused", about: "programs that must not build", run: refused::run },
    Group { name: "size", about: "what kinds of work cost", run: size::run },
    Group { name: "figures", about: "the tables of figures", run: figures::run },
    Group { name: "app", about: "programs, on motes", run: mote::apps },
    Group { name: "mote", about: "tests that run on motes", run: mote::motes },
    Group { name: "force", about: "interrupts at every instruction", run: force::run },
    Group { name: "corrupt", about: "a kernel whose memory is overwritten", run: corrupt::run },
    Group { name: "model", about: "random histories against the specification", run: model::run },
    Group { name: "fuzz", about: "the network, fed with anything", run: fuzz::run },
    Group { name: "paths", about: "runs, straight, stepped and cut", run: paths::run },
    Group { name: "debug", about: "GDB at a simulated mote", run: debug::run },
    Group { name: "guide", about: "what the guide shows", run: guide::run },
    Group { name: "site", about: "the documentation, in a browser", run: site::run },
    Group { name: "oracle", about: "cores and the cipher against others", run: oracle::run },
    Group { name: "lint", about: "clippy", run: cargo::lint },
    Group { name: "host", about: "tests of the host's crates", run: cargo::test },
];

/// The context of a group.
struct Bench<'a> {
    suite: &'a Suite<'a>,
    group: &'static str,
    /// The tests that were not requested, `group/name`.
    others: Mutex<BTreeSet<String>>,
}

impl Bench<'_> {
    fn tree(&self) -> &Tree {
        self.suite.tree
    }

    /// Whether the test `name` is requested.
    fn wants(&self, name: &str) -> bool {
        let Some(filter) = &self.suite.filter else { return true };
        let wanted = format!("{}/{name}", self.group).contains(filter.as_str());
        if !wanted {
            self.pass_over(name);
        }
        wanted
    }

    /// Notes a test, or a part of names of tests, that is not requested.
    fn pass_over(&self, name: &str) {
        let mut others = self.others.lock().unwrap_or_else(PoisonError::into_inner);
        others.insert(format!("{}/{name}", self.group));
    }

    /// The part of the filter that applies to names within this group; none if the whole group is
    /// wanted.
    fn name_filter(&self) -> Option<&str> {
        let filter = self.suite.filter.as_deref()?;
        if self.group.contains(filter) {
            return None;
        }
        let rest = filter.strip_prefix(self.group).and_then(|rest| rest.strip_prefix('/'));
        rest.or(Some(filter)).filter(|rest| !rest.is_empty())
    }

    fn tell(&self, listener: &mut dyn Listener, name: impl Into<String>, verdict: Verdict) {
        listener.outcome(Outcome { group: self.group, name: name.into(), verdict });
    }
}

impl Suite<'_> {
    /// Runs the requested tests. Returns the names of others that it met on the way.
    pub fn run(&self, listener: &mut dyn Listener) -> BTreeSet<String> {
        if self.filter.is_none() {
            cargo::compile_ahead(self.tree);
        }
        let mut others = BTreeSet::new();
        for group in GROUPS.iter().filter(|group| self.may_concern(group.name)) {
            let bench = Bench { suite: self, group: group.name, others: Mutex::default() };
            (group.run)(&bench, listener);
            others.append(&mut bench.others.into_inner().unwrap_or_else(PoisonError::into_inner));
        }
        others
    }

    /// Whether a test of `group` can match the filter: one that names another group cannot.
    fn may_concern(&self, group: &str) -> bool {
        let Some((named, _)) = self.filter.as_deref().and_then(|filter| filter.split_once('/'))
        else {
            return self.filter.as_deref().is_none_or(|filter| {
                group.contains(filter) || !GROUPS.iter().any(|other| other.name.contains(filter))
            });
        };
        group == named || !GROUPS.iter().any(|other| other.name == named)
    }
}

/// The filter that was probably meant by `filter`, which matches none of `names`: a whole name, or a
/// part between slashes or colons.
pub fn meant<'a>(filter: &str, names: &'a BTreeSet<String>) -> Option<&'a str> {
    let groups = GROUPS.iter().map(|group| group.name);
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

    fn concerned(filter: &str) -> Vec<&'static str> {
        let (_folder, tree) = crate::check::tests::tree(&[]);
        let (command, filter) = (PathBuf::new(), Some(filter.to_string()));
        let folder = PathBuf::new();
        let suite = Suite { tree: &tree, folder, command, filter, long: false };
        GROUPS.iter().map(|group| group.name).filter(|name| suite.may_concern(name)).collect()
    }

    #[test]
    fn a_groups_name_selects_it_alone() {
        assert_eq!(concerned("lint"), ["lint"]);
        assert_eq!(concerned("host/timer"), ["host"]);
    }

    #[test]
    fn a_misspelt_filter_has_a_name_that_was_meant() {
        let names = ["host/lichen_isa::timer::adds", "mote/hamilton/event"].map(str::to_string);
        let names = BTreeSet::from(names);
        assert_eq!(meant("structur", &names), Some("structure"));
        assert_eq!(meant("tmier", &names), Some("timer"));
        assert_eq!(meant("mote/hamilton/evnt", &names), Some("mote/hamilton/event"));
        assert_eq!(meant("mote/evnt", &names), Some("event"));
        assert_eq!(meant("thermometer", &names), None);
    }

    #[test]
    fn a_part_of_a_name_is_looked_for_everywhere() {
        assert_eq!(concerned("timer").len(), GROUPS.len());
    }
}
