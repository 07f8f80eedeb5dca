// SPDX-License-Identifier: MIT OR Apache-2.0
//! The groups `lint` and `host`: Cargo's checks and tests of the workspace.

use super::{Context, Listener, Report, Verdict, sources};
use lichen_project::tool;
use lichen_project::{Place, Tree};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

const LINT: [&str; 7] =
    ["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"];
const TEST: [&str; 6] = ["test", "--workspace", "--locked", "--no-fail-fast", "--color", "never"];

/// Compiles what both groups want, beside the groups before them and at the lowest priority: it takes what these leave of
/// the processors. Both groups find it done, or wait for it; only they tell what is wrong.
pub(super) fn compile_ahead(tree: &Tree) {
    let host = tree.path("host");
    std::thread::spawn(move || {
        for arguments in [[TEST.as_slice(), &["--no-run"]].concat(), LINT.to_vec()] {
            let mut cargo = Command::new("nice");
            cargo.args(["-n", "19", "cargo"]).args(arguments).current_dir(&host);
            cargo.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            let _ = cargo.status();
        }
    });
}

/// `cargo clippy`, with warnings as errors.
pub(super) fn lint(context: &Context<'_>, listener: &mut dyn Listener) {
    if !context.wants("clippy") {
        return;
    }
    if tool::CLIPPY.path().is_none() {
        let why = format!("cargo-clippy is missing; {}", tool::CLIPPY.remedy());
        return context.tell(listener, "clippy", Verdict::Skipped(why));
    }
    let mut output = String::new();
    let ended = follow(context, &LINT, &mut |line| {
        if let Some(name) = line.trim_start().strip_prefix("Checking ") {
            listener.working(context.group, name);
        } else if !is_progress(line) {
            output.push_str(line);
            output.push('\n');
        }
    });
    let verdict = match ended {
        Ok(true) => Verdict::Passed,
        Ok(false) => Verdict::Failed(compiler_report(&output)),
        Err(error) => Verdict::Failed(Report::saying(format!("cannot start cargo: {error}"))),
    };
    context.tell(listener, "clippy", verdict);
}

/// `cargo test` of the whole workspace.
pub(super) fn test(context: &Context<'_>, listener: &mut dyn Listener) {
    let mut arguments = TEST.to_vec();
    if let Some(filter) = context.name_filter() {
        let names = sources::host_tests(&context.tree().path("host"));
        if let Some(file) = file_of_tests(filter, &names) {
            arguments.extend(["--test", file]);
        } else {
            let filter = within_crate(filter, &names);
            if !names.iter().any(|name| may_match(name, filter)) {
                names.iter().for_each(|name| context.pass_over(name));
                return;
            }
            arguments.extend(["--", filter]);
        }
    }
    if context.suite.long {
        let separator = (!arguments.contains(&"--")).then_some("--");
        arguments.extend(separator.into_iter().chain(["--include-ignored"]));
    }
    let mut reader = Reader::default();
    listener.working(context.group, "building the tests");
    let ended = follow(context, &arguments, &mut |line| {
        if let Some(name) = reader.line(line) {
            listener.working(context.group, &name);
        }
    });
    let output = std::mem::take(&mut reader.other);
    let outcomes = reader.finish();
    let any_failed = outcomes.iter().any(|(_, verdict)| matches!(verdict, Verdict::Failed(_)));
    for (name, verdict) in outcomes {
        context.tell(listener, name, verdict);
    }
    match ended {
        Ok(false) if !any_failed => {
            context.tell(listener, "cargo test", Verdict::Failed(compiler_report(&output)));
        }
        Ok(_) => {}
        Err(error) => {
            let report = Report::saying(format!("cannot start cargo: {error}"));
            context.tell(listener, "cargo test", Verdict::Failed(report));
        }
    }
}

/// `filter`, if it is the name of a file of integration tests: Cargo knows those as targets, not by the names of
/// tests.
fn file_of_tests<'a>(filter: &'a str, names: &BTreeSet<String>) -> Option<&'a str> {
    let is_file = |name: &String| name.split("::").next() == Some(filter);
    (names.iter().any(is_file) && !filter.starts_with("lichen")).then_some(filter)
}

/// `filter` without the crate that it names: Cargo compares it with the names within crates.
fn within_crate<'a>(filter: &'a str, names: &BTreeSet<String>) -> &'a str {
    let Some((first, rest)) = filter.split_once("::") else { return filter };
    let is_crate = names.iter().any(|name| name.split("::").next() == Some(first));
    if is_crate { rest } else { filter }
}

/// Whether Cargo may find the test `name` by `filter`. Examples in the documentation are known by
/// their files.
fn may_match(name: &str, filter: &str) -> bool {
    let within = name.split_once("::").map_or(name, |(_, within)| within);
    within.contains(filter) || filter.contains(".rs")
}

/// Calls cargo in the workspace and passes on each line of both outputs in their order; returns
/// whether it succeeded.
fn follow(
    context: &Context<'_>,
    arguments: &[&str],
    line: &mut dyn FnMut(&str),
) -> std::io::Result<bool> {
    // The shell joins the outputs, so that a test's lines follow the line that names its crate.
    let mut child = Command::new("sh")
        .args(["-c", "exec cargo \"$@\" 2>&1", "cargo"])
        .args(arguments)
        .current_dir(context.tree().path("host"))
        .env("CARGO_TERM_COLOR", "never")
        .env("RUST_BACKTRACE", "0")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()?;
    if let Some(stdout) = child.stdout.take() {
        for bytes in BufReader::new(stdout).split(b'\n').map_while(Result::ok) {
            line(&String::from_utf8_lossy(&bytes));
        }
    }
    Ok(child.wait()?.success())
}

/// Whether `line` is only cargo's progress.
fn is_progress(line: &str) -> bool {
    let words = [
        "Compiling ",
        "Checking ",
        "Finished ",
        "Blocking ",
        "Downloading ",
        "Downloaded ",
        "Updating ",
        "Locking ",
    ];
    words.iter().any(|word| line.trim_start().starts_with(word))
}

/// A report of the Rust compiler's output: its first error is the message.
fn compiler_report(output: &str) -> Report {
    let mut lines = output.lines().skip_while(|line| !line.starts_with("error"));
    let message = lines.next().unwrap_or("cargo failed").to_string();
    let place = lines.next().and_then(|line| {
        let mut parts = line.trim_start().strip_prefix("--> ")?.splitn(3, ':');
        let (file, line) = (parts.next()?, parts.next()?.parse().ok()?);
        Some(Place::line(Path::new("host").join(file), line))
    });
    let remedy = Some("correct it as shown above".to_string());
    Report { place, message, remedy, output: Some(output.to_string()) }
}

/// Reads what `cargo test` prints.
#[derive(Default)]
struct Reader {
    /// Crate or test file whose tests run.
    target: String,
    outcomes: Vec<(String, Verdict)>,
    /// Name of the failed test whose output is being read.
    failing: Option<String>,
    /// Lines that belong to no test.
    other: String,
}

impl Reader {
    /// Takes a line; returns the work under way if the line names it.
    fn line(&mut self, line: &str) -> Option<String> {
        let trimmed = line.trim();
        if let Some(target) = target(trimmed) {
            self.target = target;
            self.failing = None;
            return Some(self.target.clone());
        }
        if let Some(name) = trimmed.strip_prefix("Compiling ") {
            return Some(format!("compiling {name}"));
        }
        if let Some((name, verdict)) = ended(trimmed) {
            let name = format!("{}::{name}", self.target);
            self.outcomes.push((name.clone(), verdict));
            return Some(name);
        }
        self.output(line);
        None
    }

    /// A line that is output of a failed test, or of cargo.
    fn output(&mut self, line: &str) {
        let header = line.strip_prefix("---- ").and_then(|rest| rest.strip_suffix(" stdout ----"));
        if let Some(name) = header {
            self.failing = Some(format!("{}::{name}", self.target));
        } else if line == "failures:" || line.starts_with("test result:") {
            self.failing = None;
        } else if let Some(failing) = &self.failing {
            let report = self.outcomes.iter_mut().find_map(|(name, verdict)| match verdict {
                Verdict::Failed(report) if name == failing => Some(report),
                _ => None,
            });
            if let Some(report) = report {
                take_output(report, line);
            }
        } else if !is_progress(line) {
            self.other.push_str(line);
            self.other.push('\n');
        }
    }

    fn finish(self) -> Vec<(String, Verdict)> {
        self.outcomes
    }
}

/// Adds a line of a failed test's output; the line that says where it panicked gives the place, the
/// next one the message.
fn take_output(report: &mut Report, line: &str) {
    let output = report.output.get_or_insert_default();
    if report.message == NO_MESSAGE && report.place.is_some() {
        report.message = line.to_string();
    }
    if let Some((_, at)) = line.split_once(" panicked at ") {
        let mut parts = at.trim_end_matches(':').splitn(3, ':');
        let number = |part: Option<&str>| part.and_then(|text| text.parse().ok());
        if let (Some(file), Some(line)) = (parts.next(), number(parts.next())) {
            let place = Place::line(Path::new("host").join(file), line);
            report.place = Some(Place { column: number(parts.next()), ..place });
        }
    }
    output.push_str(line);
    output.push('\n');
}

const NO_MESSAGE: &str = "the test failed";

/// Name of the crate or test file in cargo's `Running …` and `Doc-tests …`.
fn target(line: &str) -> Option<String> {
    if let Some(name) = line.strip_prefix("Doc-tests ") {
        return Some(format!("{name} (documentation)"));
    }
    let program = line.strip_prefix("Running ")?.rsplit_once('(')?.1.trim_end_matches(')');
    let stem = Path::new(program).file_name()?.to_string_lossy().into_owned();
    Some(stem.rsplit_once('-').map_or(stem.clone(), |(name, _hash)| name.to_string()))
}

/// Name and verdict in `test NAME ... ok`.
fn ended(line: &str) -> Option<(String, Verdict)> {
    let (name, said) = line.strip_prefix("test ")?.rsplit_once(" ... ")?;
    let verdict = match said.split_once(',').map_or(said, |(word, _)| word) {
        "ok" => Verdict::Passed,
        "FAILED" => Verdict::Failed(Report::saying(NO_MESSAGE)),
        "ignored" => Verdict::Skipped("marked as ignored".to_string()),
        _ => return None,
    };
    Some((name.to_string(), verdict))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "   Compiling lichen-isa v0.1.0
     Running unittests src/lib.rs (target/debug/deps/lichen_isa-0a1b2c)
running 3 tests
test cycle::adds ... ok
test cycle::wraps ... FAILED
test slow ... ignored, takes an hour

failures:

---- cycle::wraps stdout ----

thread 'cycle::wraps' (77) panicked at isa/src/cycle.rs:20:9:
assertion failed: a == b

failures:
    cycle::wraps

test result: FAILED. 1 passed; 1 failed; 1 ignored
   Doc-tests lichen_isa
test isa/src/lib.rs - f (line 3) ... ok
";

    #[test]
    fn reads_tests_with_crate_verdict_and_place() {
        let mut reader = Reader::default();
        for line in OUTPUT.lines() {
            reader.line(line);
        }
        let outcomes = reader.finish();
        let names: Vec<&str> = outcomes.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(
            names,
            [
                "lichen_isa::cycle::adds",
                "lichen_isa::cycle::wraps",
                "lichen_isa::slow",
                "lichen_isa (documentation)::isa/src/lib.rs - f (line 3)"
            ]
        );
        assert_eq!(outcomes[0].1, Verdict::Passed);
        let Verdict::Failed(report) = &outcomes[1].1 else { panic!("must fail") };
        let place = report.place.as_ref().map(|place| place.to_string());
        assert_eq!(place.as_deref(), Some("host/isa/src/cycle.rs:20:9"));
        assert_eq!(report.message, "assertion failed: a == b");
        assert!(matches!(outcomes[2].1, Verdict::Skipped(_)));
    }

    #[test]
    fn a_file_of_tests_is_known_by_its_name() {
        let names = ["snapshots::one", "lichen_isa::cycle::two"].map(str::to_string);
        let names = BTreeSet::from(names);
        assert_eq!(file_of_tests("snapshots", &names), Some("snapshots"));
        assert_eq!(file_of_tests("lichen_isa", &names), None, "a crate is no file of tests");
        assert_eq!(file_of_tests("snapshots::one", &names), None);
        assert_eq!(within_crate("snapshots::one", &names), "one");
    }

    #[test]
    fn a_compilers_error_has_message_and_place() {
        let report = compiler_report("warning: x\nerror[E0308]: no\n  --> isa/src/a.rs:7:1\n");
        assert_eq!(report.message, "error[E0308]: no");
        assert_eq!(report.place, Some(Place::line("host/isa/src/a.rs", 7)));
    }
}
