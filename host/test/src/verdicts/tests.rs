// SPDX-License-Identifier: MIT OR Apache-2.0

use super::*;
use crate::{Match, Report, Suite};
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

/// A tree with three crates: `a` stands on `b`, and `c` is apart.
const FILES: &[(&str, &str)] = &[
    ("host/Cargo.toml", "[workspace]\nmembers = ['a', 'b', 'c']\n"),
    ("host/Cargo.lock", "one\n"),
    (
        "host/a/Cargo.toml",
        "[package]\nname = 'lichen-a'\n[dependencies]\nlichen-b.workspace = true\n",
    ),
    ("host/a/src/lib.rs", "mod a;\n"),
    ("host/a/tests/a.rs", "a\n"),
    ("host/b/Cargo.toml", "[package]\nname = 'lichen-b'\n"),
    ("host/b/src/lib.rs", "mod b;\n"),
    ("host/c/Cargo.toml", "[package]\nname = 'lichen-c'\n"),
    ("host/c/src/lib.rs", "mod c;\n"),
    ("board/hamilton.toml", "one\n"),
    ("data/current/chip.toml", "one\n"),
    ("test/mote/timer/lichen.toml", "one\n"),
];

struct Rig {
    folder: tempfile::TempDir,
    tree: Tree,
}

#[derive(Default)]
struct Heard {
    outcomes: Vec<Outcome>,
    figures: Vec<String>,
}

impl Listener for Heard {
    fn working(&mut self, _: &'static str, _: &str) {}
    fn outcome(&mut self, outcome: Outcome) {
        self.outcomes.push(outcome);
    }
    fn figure(&mut self, _: &'static str, line: &str) {
        self.figures.push(line.to_string());
    }
    fn latencies(&mut self, _: &Latencies) {}
}

impl Rig {
    fn new() -> Rig {
        let folder = tempfile::tempdir().expect("a folder");
        let tree = Tree::of_files(folder.path(), FILES).expect("a tree");
        Rig { folder, tree }
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.folder.path().join(name), text).expect("written");
    }

    fn inputs(&self) -> Inputs<'_> {
        let code = Code::of(&["lichen-a"]);
        Inputs::of_motes(&self.tree, "hamilton/timer", code).path("test/mote/timer")
    }

    fn suite(&self, filter: Option<&str>, long: bool, fresh: bool) -> Suite<'_> {
        let verdicts = Some(Verdicts::of(&self.tree, None, None, fresh));
        let filter = filter.map(str::to_string);
        Suite {
            tree: &self.tree,
            folder: PathBuf::new(),
            filter,
            long,
            network: false,
            latency: false,
            verdicts,
        }
    }

    /// Runs a test that tells two verdicts and a figure; returns whether it did run, and what was told.
    fn run(&self, suite: &Suite<'_>, last: Verdict) -> (bool, Heard) {
        let (mut ran, mut heard) = (false, Heard::default());
        let context = Context::new(suite, "mote", Match::Whole);
        let result = context.remembering(&self.inputs(), &mut heard, |listener| {
            ran = true;
            context.tell(listener, "hamilton/timer/first", Verdict::Passed);
            context.tell(listener, "hamilton/timer/last", last);
            listener.figure("mote", "7 cycles");
            7
        });
        assert_eq!(result, 7);
        (ran, heard)
    }

    fn runs(&self) -> bool {
        self.run(&self.suite(None, false, false), Verdict::Passed).0
    }
}

#[test]
fn what_has_not_changed_is_told_again_and_is_old() {
    let rig = Rig::new();
    let (ran, first) = rig.run(&rig.suite(None, false, false), Verdict::Passed);
    assert!(ran && first.outcomes.iter().all(|outcome| !outcome.is_old));
    let (ran, again) = rig.run(&rig.suite(None, false, false), Verdict::Passed);
    assert!(!ran && again.outcomes.iter().all(|outcome| outcome.is_old));
    let told = |heard: &Heard| -> Vec<(String, Verdict)> {
        heard.outcomes.iter().map(|it| (it.name.clone(), it.verdict.clone())).collect()
    };
    assert_eq!(told(&again), told(&first));
    assert_eq!(again.figures, ["7 cycles"]);
    assert!(rig.run(&rig.suite(None, true, false), Verdict::Passed).0, "the long run is another");
    assert!(rig.run(&rig.suite(None, false, true), Verdict::Passed).0, "none is taken");
    assert!(!rig.runs());
}

#[test]
fn a_change_of_anything_that_is_read_runs_it_again() {
    let rig = Rig::new();
    assert!(rig.runs() && !rig.runs());
    for file in [
        "host/Cargo.toml",
        "host/Cargo.lock",
        "host/a/Cargo.toml",
        "host/a/src/lib.rs",
        "host/b/src/lib.rs",
        "host/b/src/new.rs",
        "board/hamilton.toml",
        "data/current/chip.toml",
        "data/new.toml",
        "test/mote/timer/lichen.toml",
        "test/mote/timer/input.txt",
    ] {
        let text = fs::read_to_string(rig.tree.path(file)).unwrap_or_default();
        rig.write(file, &format!("{text}# another\n"));
        assert!(rig.runs(), "{file}");
        assert!(!rig.runs(), "{file}");
    }
}

#[test]
fn a_change_of_other_code_runs_nothing_again() {
    let rig = Rig::new();
    assert!(rig.runs());
    rig.write("host/c/src/lib.rs", "other\n");
    rig.write("host/a/tests/a.rs", "other\n");
    assert!(!rig.runs());
}

#[test]
fn what_is_changed_back_is_known_and_old_verdicts_are_forgotten() {
    let rig = Rig::new();
    assert!(rig.runs());
    rig.write("board/hamilton.toml", "two\n");
    assert!(rig.runs());
    rig.write("board/hamilton.toml", "one\n");
    assert!(!rig.runs());
    for number in 0..10 {
        rig.write("board/hamilton.toml", &format!("{number}\n"));
        assert!(rig.runs());
    }
    assert_eq!(crate::entries(&rig.tree.path("build/verdicts/mote")).len(), KEPT);
}

#[test]
fn a_failure_is_run_again() {
    let rig = Rig::new();
    let failed = || Verdict::Failed(Report::saying("no"));
    assert!(rig.run(&rig.suite(None, false, false), failed()).0);
    assert!(rig.run(&rig.suite(None, false, false), failed()).0);
    let skipped = Verdict::Skipped("no tool".to_string());
    assert!(rig.run(&rig.suite(None, false, false), skipped).0);
    assert!(rig.runs() && !rig.runs());
    let (_, heard) = rig.run(&rig.suite(Some("timer/first"), false, false), failed());
    assert_eq!(heard.outcomes.len(), 1, "what a filter leaves out is known, and not told");
}

#[test]
fn a_damaged_file_is_ignored() {
    let rig = Rig::new();
    assert!(rig.runs());
    let folder = rig.tree.path("build/verdicts/mote");
    let files = crate::entries(&folder);
    let [file] = &files[..] else { panic!("one file: {files:?}") };
    let text = fs::read_to_string(file).expect("a file");
    for damaged in
        [text.replace("first", "fifth"), text[..text.len() / 2].to_string(), String::new()]
    {
        fs::write(file, damaged).expect("written");
        assert!(rig.runs());
    }
    assert_eq!(fs::read_to_string(file).expect("a file"), text);
    assert!(!rig.runs());
}

#[test]
fn a_program_older_than_its_sources_knows_nothing() {
    let rig = Rig::new();
    let mut suite = rig.suite(None, false, false);
    suite.verdicts = Some(Verdicts::of(&rig.tree, Some(SystemTime::UNIX_EPOCH), None, false));
    assert!(rig.run(&suite, Verdict::Passed).0);
    assert!(rig.run(&suite, Verdict::Passed).0);
    assert!(rig.runs(), "nothing was kept");
}

#[test]
fn every_crate_that_is_named_for_motes_is_in_the_workspace() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let tree = Tree::at(root).expect("the tree");
    assert!(Code::of_motes().digest(&tree, None).is_some());
}

#[test]
fn a_source_that_came_later_with_an_older_date_is_not_what_was_compiled() {
    let rig = Rig::new();
    let code = Code::of(&["lichen-a"]);
    let source = fs::File::open(rig.tree.path("host/a/src/lib.rs")).expect("a source");
    source.set_modified(SystemTime::UNIX_EPOCH).expect("dated");
    let other = fs::metadata(rig.tree.path("board/hamilton.toml")).expect("a file");
    let (now, hour) = (other.modified().expect("a date"), Duration::from_secs(3600));
    assert_eq!(code.digest(&rig.tree, Some(now - hour)), None);
    assert_ne!(code.digest(&rig.tree, Some(now + hour)), None);
}

#[test]
fn a_part_of_names_behind_a_group_means_those_of_the_group() {
    let rig = Rig::new();
    let wants = |filter: &str, matching, name: &str| {
        Context::new(&rig.suite(Some(filter), false, false), "mote", matching).wants(name)
    };
    assert!(wants("mote/queue", Match::Part, "hamilton/queue_misuse"));
    assert!(!wants("mote/queue", Match::Whole, "hamilton/queue_misuse"));
    assert!(!wants("force/queue", Match::Part, "hamilton/queue_misuse"));
    assert!(!wants("mote/queues", Match::Part, "hamilton/queue_misuse"));
}
