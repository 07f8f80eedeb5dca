// SPDX-License-Identifier: MIT OR Apache-2.0
//! Everything that must hold: the structural rules, formats, lints, the host's tests, the programs
//! and the tests that run on motes, the guide.
//!
//! A test is known by `group/name`. A group in which no test can match the filter costs nothing.

mod again;
mod arrivals;
mod cargo;
mod corrupt;
mod debug;
mod dissemination;
mod figures;
mod force;
mod format;
mod fuzz;
mod guide;
mod links;
mod loaded;
mod model;
mod oracle;
mod paths;
mod programs;
mod read;
mod refused;
mod scripts;
mod site;
mod size;
mod sources;
mod structure;
mod sweep;

use lichen_test::mote;
use lichen_test::pattern;
use lichen_test::{
    Context, Counted, Listener, Match, Report, Suite, Verdict, from_both_ends, side_by_side,
};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// A group of tests.
pub struct Group {
    /// Its name.
    pub name: &'static str,
    /// What it tests, in a few words.
    pub about: &'static str,
    run: fn(&Context<'_>, &mut dyn Listener),
}

/// All groups, the quick ones first. Others are begun from the end meanwhile: Cargo's, and those that leave a processor idle.
pub const GROUPS: &[Group] = &[
    Group { name: "structure", about: "the structural rules", run: structure::run },
    Group { name: "format", about: "formatters and generated files", run: format::run },
    Group { name: "refused", about: "programs that must not build", run: refused::run },
    Group { name: "loaded", about: "programs that are loaded", run: loaded::run },
    Group { name: "size", about: "what kinds of work cost", run: size::run },
    Group { name: "again", about: "programs after their second link", run: again::run },
    Group { name: "figures", about: "the tables of figures", run: figures::run },
    Group { name: "app", about: "programs, on motes", run: programs::apps },
    Group { name: "network", about: "networks of test programs", run: programs::networks },
    Group { name: "mote", about: "tests that run on motes", run: programs::motes },
    Group { name: "force", about: "interrupts at every instruction", run: force::run },
    Group { name: "corrupt", about: "a kernel whose memory is overwritten", run: corrupt::run },
    Group { name: "model", about: "random histories against the specification", run: model::run },
    Group { name: "fuzz", about: "the network, fed with anything", run: fuzz::run },
    Group {
        name: "arrivals",
        about: "programs that arrive damaged, or at a power cut",
        run: arrivals::run,
    },
    Group { name: "paths", about: "runs, straight, stepped and cut", run: paths::run },
    Group { name: "debug", about: "GDB at a simulated mote", run: debug::run },
    Group { name: "guide", about: "what the guide shows", run: guide::run },
    Group { name: "sweep", about: "many runs from Python, as the guide has them", run: sweep::run },
    Group { name: "site", about: "the documentation, in a browser; if named", run: site::run },
    Group { name: "oracle", about: "cores and the cipher against others", run: oracle::run },
    Group { name: "lint", about: "clippy", run: cargo::lint },
    Group { name: "host", about: "tests of the host's crates", run: cargo::test },
];

/// Runs the requested tests. Returns the names of others that it met on the way.
pub fn run(suite: &Suite<'_>, listener: &mut dyn Listener) -> BTreeSet<String> {
    let mut others = BTreeSet::new();
    let mut counted = Counted::new(listener);
    for matching in Match::ALL {
        let concerned = |group: &&Group| may_concern(suite, group.name, matching);
        let groups: Vec<&Group> = GROUPS.iter().filter(concerned).collect();
        let met = from_both_ends(&groups, &mut counted, |group, listener| {
            let context = Context::new(suite, group.name, matching);
            (group.run)(&context, listener);
            context.others()
        });
        others.extend(met.into_iter().flatten());
        if counted.outcomes > 0 || suite.filter.is_none() {
            break;
        }
    }
    others
}

/// The `lichen` command that lies beside this one.
pub fn command() -> PathBuf {
    std::env::current_exe().unwrap_or_default().with_file_name("lichen")
}

/// Whether a test of `group` can match the filter: one that names another group cannot.
fn may_concern(suite: &Suite<'_>, group: &str, matching: Match) -> bool {
    if let (Match::Whole, Some(filter)) = (matching, &suite.filter) {
        let first = filter.split('/').next();
        return first == Some(group) || !GROUPS.iter().any(|other| Some(other.name) == first);
    }
    let Some((named, _)) = suite.filter.as_deref().and_then(|filter| filter.split_once('/')) else {
        return suite.filter.as_deref().is_none_or(|filter| {
            group.contains(filter) || !GROUPS.iter().any(|other| other.name.contains(filter))
        });
    };
    group == named || !GROUPS.iter().any(|other| other.name == named)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lichen_project::Tree;

    fn concerned(filter: &str, matching: Match) -> Vec<&'static str> {
        let folder = tempfile::tempdir().expect("a folder");
        let tree = Tree::of_files(folder.path(), &[]).expect("a tree");
        let filter = Some(filter.to_string());
        let suite = Suite {
            tree: &tree,
            folder: PathBuf::new(),
            filter,
            long: false,
            network: false,
            latency: false,
            verdicts: None,
        };
        let names = GROUPS.iter().map(|group| group.name);
        names.filter(|name| may_concern(&suite, name, matching)).collect()
    }

    #[test]
    fn a_groups_name_selects_it_alone() {
        for matching in Match::ALL {
            assert_eq!(concerned("lint", matching), ["lint"]);
            assert_eq!(concerned("host/timer", matching), ["host"]);
        }
        assert_eq!(concerned("mo", Match::Part), ["mote", "model"]);
    }

    #[test]
    fn a_part_of_a_name_is_looked_for_everywhere() {
        for matching in Match::ALL {
            assert_eq!(concerned("timer", matching).len(), GROUPS.len());
        }
    }
}
