// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lichen test`: everything that must hold.

use crate::failure::{Code, Failure};
use crate::latency;
use crate::place::Here;
use crate::screen::{Screen, out};
use clap::Args;
use lichen_project::latency::Latencies;
use lichen_project::suite::{GROUPS, Listener, Outcome, OwnError, Report, Suite, Verdict, meant};
use lichen_project::{Place, Program};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What `--help` adds.
pub const HELP: &str = "\
Examples:
  lichen test
  lichen test host
  lichen test mote/hamilton
  lichen test force/mutants/queue.c            mutants of one source file
  lichen test --long                           also what takes longer
  lichen test timer --json
  lichen test my/lamp                          the tests of a program of your own
  lichen test ../lamp blinks --board micaz

A program's own tests are in its folder `test`: files that say what is typed and what is expected, and
programs of tests that run on the mote (doc/spec/test.md). They run on all boards that the program
names, or on --board.

The tests also measure the latency of interrupts on motes. The lines before the counts show the
cycles added between request and handler: the worst of each level, and why (doc/spec/bench.md).

A test is named GROUP/NAME. Exit code 1 if one failed; 2 if none has that name, or if a file of a
program's tests is wrong; then nothing was built.";

/// Options of `test`.
#[derive(Debug, Args)]
pub struct Options {
    /// Path of a program's folder, to run the tests of that program; or a part of the names (GROUP/NAME) of
    /// the system's tests; all of these, if not given.
    #[arg(value_name = "PATH|FILTER")]
    pub what: Option<String>,
    /// Part of the names of the program's tests to run; all, if not given.
    #[arg(value_name = "TEST", requires = "what")]
    pub test: Option<String>,
    /// The only board to run the program's tests on.
    #[arg(long)]
    pub board: Option<String>,
    /// Also run what takes longer, such as explained mutants at full extent.
    #[arg(long)]
    pub long: bool,
    /// Write one JSON object per line: one for each test, one for latencies if any, and the counts
    /// last.
    #[arg(long)]
    pub json: bool,
    /// Name the groups and run nothing.
    #[arg(long)]
    pub list: bool,
}

/// Runs the tests; the last line counts them.
pub fn test(options: &Options, screen: &Screen) -> Result<Code, Failure> {
    let here = Here::find()?;
    let program = program(options, &here)?;
    if options.list && program.is_none() {
        for group in GROUPS {
            out!("{:<12} {}", group.name, group.about);
        }
        return Ok(Code::Done);
    }
    let command = std::env::current_exe().unwrap_or_else(|_| PathBuf::from("lichen"));
    let filter = if program.is_some() { &options.test } else { &options.what }.clone();
    let folder = here.folder.canonicalize().unwrap_or(here.folder.clone());
    let suite = Suite { tree: &here.tree, folder, command, filter, long: options.long };
    let mut teller = Teller {
        screen,
        json: options.json,
        group: None,
        all: Counts::default(),
        latencies: BTreeMap::new(),
        since: Instant::now(),
    };
    let Some(program) = program else {
        let others = suite.run(&mut teller);
        let names = "lichen test --list names the groups; a name is GROUP/TEST";
        return teller.end(suite.filter.as_deref(), &others, names);
    };
    if options.list {
        suite.own_names(&program)?.iter().for_each(|name| out!("{name}"));
        return Ok(Code::Done);
    }
    let others = suite.run_own(&program, options.board.as_deref(), &mut teller)?;
    if teller.all.is_empty()
        && let Some(failure) = for_other_boards(&suite, &program, options)
    {
        return Err(failure);
    }
    // They are figures of the system.
    teller.latencies.clear();
    let names = "with --list after the path, the program's tests are listed";
    teller.end(suite.filter.as_deref(), &others, names)
}

/// Why none of the program's tests has run, if one has the name that is asked for.
fn for_other_boards(suite: &Suite<'_>, program: &Program, options: &Options) -> Option<Failure> {
    let (name, board) = (options.test.as_ref()?, options.board.as_ref()?);
    let is_own = suite.own_names(program).is_ok_and(|own| own.contains(name));
    let failure = Failure::wrong(format!("the test `{name}` is not for the board `{board}`"));
    is_own
        .then(|| failure.remedy("its `boards`, in its file or manifest, name those that it is for"))
}

/// The program whose folder is given, if it is one. What looks like a path must be one.
fn program(options: &Options, here: &Here) -> Result<Option<Program>, Failure> {
    let Some(given) = &options.what else {
        return if options.board.is_some() { Err(no_program("--board")) } else { Ok(None) };
    };
    let folder = here.path(Path::new(given));
    let is_path = given.starts_with(['.', '/']) || given.ends_with('/');
    if folder.join("lichen.toml").is_file() || (is_path && folder.is_dir()) {
        let folder = folder.canonicalize().unwrap_or(folder);
        return Ok(Some(Program::at(&here.tree, folder)?));
    }
    if let Some((program, name)) = test_file(&folder) {
        let remedy = format!(
            "the test of a program is named behind its folder: lichen test {program} {name}"
        );
        return Err(Failure::wrong("this is one file of a program's tests")
            .at(Place::file(given))
            .remedy(remedy));
    }
    if is_path {
        let failure = Failure::wrong("there is no such folder").at(Place::file(given));
        return Err(failure.remedy("give the path of a program's folder; `lichen new` makes one"));
    }
    match (&options.board, &options.test) {
        (None, None) => Ok(None),
        (Some(_), _) => Err(no_program("--board")),
        (None, Some(_)) => Err(no_program("a second name")),
    }
}

/// The folder and the test's name, if `file` is `FOLDER/test/NAME.toml` of a program.
fn test_file(file: &Path) -> Option<(String, String)> {
    let (name, tests) = (file.file_stem()?.to_str()?, file.parent()?);
    let program = tests.parent().filter(|program| program.join("lichen.toml").is_file())?;
    let is_test = file.is_file() && file.extension()? == "toml" && tests.file_name()? == "test";
    is_test.then(|| (program.display().to_string(), name.to_string()))
}

fn no_program(what: &str) -> Failure {
    Failure::wrong(format!(
        "{what} is for the tests of a program, and no program's folder is given"
    ))
    .remedy("give its path first: lichen test PATH; boards are part of other names: mote/hamilton")
}

impl From<OwnError> for Failure {
    fn from(error: OwnError) -> Failure {
        Failure::wrong_input(&error)
    }
}

#[derive(Clone, Copy, Default)]
struct Counts {
    passed: u32,
    failed: u32,
    skipped: u32,
}

impl Counts {
    fn is_empty(self) -> bool {
        self.passed + self.failed + self.skipped == 0
    }

    fn count(&mut self, verdict: &Verdict) {
        match verdict {
            Verdict::Passed => self.passed += 1,
            Verdict::Failed(_) => self.failed += 1,
            Verdict::Skipped(_) => self.skipped += 1,
        }
    }
}

/// A group's time is told from here on.
const LONG: Duration = Duration::from_secs(10);

/// Reports the tests: one line per group, more for failures.
struct Teller<'a> {
    screen: &'a Screen,
    json: bool,
    group: Option<(&'static str, Counts)>,
    all: Counts,
    /// Of all programs that ran on motes, by architecture.
    latencies: BTreeMap<&'static str, Latencies>,
    /// When the previous group ended.
    since: Instant,
}

impl Listener for Teller<'_> {
    fn working(&mut self, group: &'static str, what: &str) {
        self.screen.spin(&format!("{group}: {what}"));
    }

    fn figure(&mut self, group: &'static str, line: &str) {
        self.screen.end_progress();
        if self.json {
            out!("{}", json!({ "group": group, "figure": line }));
        } else {
            out!("        {line}");
        }
    }

    fn latencies(&mut self, seen: &Latencies) {
        let fresh = || Latencies { architecture: seen.architecture, ..Latencies::default() };
        self.latencies.entry(seen.architecture).or_insert_with(fresh).merge(seen);
    }

    fn outcome(&mut self, outcome: Outcome) {
        self.enter(outcome.group);
        self.all.count(&outcome.verdict);
        if let Some((_, counts)) = &mut self.group {
            counts.count(&outcome.verdict);
        }
        if self.json {
            self.screen.end_progress();
            out!("{}", line(&outcome));
            return;
        }
        match &outcome.verdict {
            Verdict::Passed => {}
            Verdict::Failed(report) => self.tell_failure(&outcome, report),
            Verdict::Skipped(why) => {
                self.screen.end_progress();
                let word = self.screen.yellow("skipped");
                out!("{word} {}/{}: {why}", outcome.group, outcome.name);
            }
        }
    }
}

impl Teller<'_> {
    /// Reports what was added to the latency of interrupts, by architecture and level.
    fn tell_latencies(&self) {
        for seen in self.latencies.values().filter(|seen| !seen.is_empty()) {
            if self.json {
                out!("{}", latency::json(seen));
                continue;
            }
            for line in latency::lines(seen) {
                out!("{line}");
            }
        }
    }

    /// Closes the previous group when a test of another one comes.
    fn enter(&mut self, group: &'static str) {
        if self.group.is_some_and(|(present, _)| present == group) {
            return;
        }
        self.leave();
        self.group = Some((group, Counts::default()));
    }

    fn leave(&mut self) {
        let Some((group, counts)) = self.group.take() else { return };
        let took = std::mem::replace(&mut self.since, Instant::now()).elapsed();
        if self.json {
            return;
        }
        self.screen.end_progress();
        let word = if counts.failed == 0 {
            self.screen.green("ok     ")
        } else {
            self.screen.red("failed ")
        };
        let skipped = if counts.skipped == 0 {
            String::new()
        } else {
            format!(", {} skipped", counts.skipped)
        };
        let took = if took < LONG { String::new() } else { format!(", {} s", took.as_secs()) };
        out!(
            "{word} {group:<12} {} passed, {} failed{skipped}{took}",
            counts.passed,
            counts.failed
        );
    }

    fn tell_failure(&self, outcome: &Outcome, report: &Report) {
        self.screen.end_progress();
        if let Some(output) = &report.output {
            out!("{}", shortened(output));
        }
        let word = self.screen.red("FAILED ");
        let place = report.place.as_ref().map(|place| format!("{place}: ")).unwrap_or_default();
        out!("{word} {}/{}: {place}{}", outcome.group, outcome.name, report.message);
        if let Some(remedy) = &report.remedy {
            out!("        {} {remedy}", self.screen.bold("help:"));
        }
    }

    /// Prints the counts, as the last line.
    fn end(
        mut self,
        filter: Option<&str>,
        others: &BTreeSet<String>,
        names: &str,
    ) -> Result<Code, Failure> {
        self.leave();
        self.screen.end_progress();
        let Counts { passed, failed, skipped } = self.all;
        if self.all.is_empty() {
            return Err(unmatched(filter, others, names));
        }
        self.tell_latencies();
        if self.json {
            out!("{}", json!({ "passed": passed, "failed": failed, "skipped": skipped }));
        } else {
            out!("{passed} passed, {failed} failed");
        }
        Ok(if failed == 0 { Code::Done } else { Code::Failed })
    }
}

/// No test matches `filter`; there are `others`, and `names` says where names are.
fn unmatched(filter: Option<&str>, others: &BTreeSet<String>, names: &str) -> Failure {
    let Some(filter) = filter else {
        return Failure::wrong("none of the tests is for this board").remedy(names);
    };
    let remedy = match meant(filter, others) {
        Some(meant) => format!("did you mean `{meant}`? ({names})"),
        None => names.to_string(),
    };
    Failure::wrong(format!("no test has `{filter}` in its name")).remedy(remedy)
}

/// Lines of output that are shown from its beginning, and the same number from its end.
const SHOWN: usize = 20;

/// `output` without its middle, if it is long: the beginning and the end say most.
fn shortened(output: &str) -> String {
    let lines: Vec<&str> = output.trim_end().lines().collect();
    if lines.len() <= 2 * SHOWN {
        return lines.join("\n");
    }
    let left_out = format!("[{} lines left out; --json has them]", lines.len() - 2 * SHOWN);
    let (head, tail) = (&lines[..SHOWN], &lines[lines.len() - SHOWN..]);
    [head, &[left_out.as_str()], tail].concat().join("\n")
}

/// A test as one object of `--json`.
fn line(outcome: &Outcome) -> serde_json::Value {
    let mut object = json!({ "group": outcome.group, "name": outcome.name });
    match &outcome.verdict {
        Verdict::Passed => object["verdict"] = json!("passed"),
        Verdict::Skipped(why) => {
            object["verdict"] = json!("skipped");
            object["message"] = json!(why);
        }
        Verdict::Failed(report) => {
            object["verdict"] = json!("failed");
            object["message"] = json!(report.message);
            object["place"] = json!(report.place.as_ref().map(|place| place.to_string()));
            object["remedy"] = json!(report.remedy);
            object["output"] = json!(report.output);
        }
    }
    object
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_output_loses_its_middle() {
        let long: String = (1..=100).map(|line| format!("line {line}\n")).collect();
        let short = shortened(&long);
        assert_eq!(short.lines().count(), 2 * SHOWN + 1);
        assert!(short.starts_with("line 1\n") && short.ends_with("line 100"));
        assert!(short.contains("[60 lines left out"));
        assert_eq!(shortened("a\nb\n"), "a\nb");
    }
}
