// SPDX-License-Identifier: MIT OR Apache-2.0
//! How tests are reported.

use crate::failure::{Code, Failure};
use crate::latency;
use crate::screen::{Screen, out};
use lichen_test::latency::Latencies;
use lichen_test::{Listener, Outcome, Report, Verdict, meant};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// How many tests have ended, and how.
#[derive(Clone, Copy, Default)]
struct Counts {
    passed: u32,
    failed: u32,
    skipped: u32,
    /// Those of earlier runs, among the others.
    old: u32,
}

impl Counts {
    fn is_empty(self) -> bool {
        self.passed + self.failed + self.skipped == 0
    }

    fn count(&mut self, outcome: &Outcome) {
        self.old += u32::from(outcome.is_old);
        match outcome.verdict {
            Verdict::Passed => self.passed += 1,
            Verdict::Failed(_) => self.failed += 1,
            Verdict::Skipped(_) => self.skipped += 1,
        }
    }
}

/// The time of a group is printed from this length on.
const LONG: Duration = Duration::from_secs(10);

/// Reports tests: one line per group, more for failures, and the counts last.
pub struct Reporter<'a> {
    screen: &'a Screen,
    json: bool,
    group: Option<(&'static str, Counts)>,
    all: Counts,
    /// Of all programs that ran on motes, by architecture.
    latencies: BTreeMap<String, Latencies>,
    /// When each group was at work first and last. Groups are at work side by side, and told one after the other.
    times: BTreeMap<&'static str, (Instant, Instant)>,
}

impl Listener for Reporter<'_> {
    fn working(&mut self, group: &'static str, what: &str) {
        let now = Instant::now();
        self.times.entry(group).or_insert((now, now)).1 = now;
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
        let fresh =
            || Latencies { architecture: seen.architecture.clone(), ..Latencies::default() };
        self.latencies.entry(seen.architecture.clone()).or_insert_with(fresh).merge(seen);
    }

    fn outcome(&mut self, outcome: Outcome) {
        self.enter(outcome.group);
        self.all.count(&outcome);
        if let Some((_, counts)) = &mut self.group {
            counts.count(&outcome);
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

impl<'a> Reporter<'a> {
    /// Reports on `screen`; with `json`, an object for each test.
    pub fn new(screen: &'a Screen, json: bool) -> Reporter<'a> {
        Reporter {
            screen,
            json,
            group: None,
            all: Counts::default(),
            latencies: BTreeMap::new(),
            times: BTreeMap::new(),
        }
    }

    /// Whether no test has ended yet.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

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
        let took = self.times.get(group).map_or(Duration::ZERO, |(first, last)| *last - *first);
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

    /// Prints the counts, as the last line. If there are none, no test matches `filter`: there are `others` in
    /// `groups`, and `names` says where names are.
    pub fn end(
        mut self,
        filter: Option<&str>,
        groups: &[&str],
        others: &BTreeSet<String>,
        names: &str,
    ) -> Result<Code, Failure> {
        self.leave();
        self.screen.end_progress();
        let Counts { passed, failed, skipped, old } = self.all;
        if self.all.is_empty() {
            return Err(unmatched(filter, groups, others, names));
        }
        self.tell_latencies();
        if self.json {
            out!(
                "{}",
                json!({ "passed": passed, "failed": failed, "skipped": skipped, "old": old })
            );
        } else {
            if old > 0 {
                out!(
                    "old verdicts: {old}; nothing that they depend on has changed, and --fresh runs them again"
                );
            }
            out!("{passed} passed, {failed} failed");
        }
        Ok(if failed == 0 { Code::Done } else { Code::Failed })
    }
}

/// No test matches `filter`; there are `others`, and `names` says where names are.
fn unmatched(
    filter: Option<&str>,
    groups: &[&str],
    others: &BTreeSet<String>,
    names: &str,
) -> Failure {
    let Some(filter) = filter else {
        return Failure::wrong("none of the tests is for this board").remedy(names);
    };
    let remedy = match meant(filter, groups, others) {
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
mod shortening {
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
