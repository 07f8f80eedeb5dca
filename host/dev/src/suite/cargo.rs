// SPDX-License-Identifier: MIT OR Apache-2.0
//! The groups `lint` and `host`: Cargo's checks and tests of the workspace.

use super::{Context, Listener, Match, Report, Verdict, read, sources};
use lichen_project::Place;
use lichen_project::tool;
use lichen_test::{Code, Inputs};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

// The profile of the commands: what they are made of is compiled once.
const LINT: [&str; 8] =
    ["clippy", "--release", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"];
const TEST: [&str; 7] =
    ["test", "--release", "--workspace", "--locked", "--no-run", "--color", "never"];
/// What makes the compiler quick with the tests' own code.
const UNOPTIMIZED: &str = "host/dev/src/suite/unoptimized.sh";

/// `cargo clippy`, with warnings as errors.
pub(super) fn lint(context: &Context<'_>, listener: &mut dyn Listener) {
    if !context.wants("clippy") {
        return;
    }
    if tool::CLIPPY.path().is_none() {
        let why = format!("cargo-clippy is missing; {}", tool::CLIPPY.remedy());
        return context.tell(listener, "clippy", Verdict::Skipped(why));
    }
    let paths = ["host", "data", "doc/spec", "test/structure"];
    let inputs = read::with_tools(context, "clippy", &paths, Code::default());
    context.remembering(&inputs, listener, |listener| {
        let verdict = clippy(context, listener);
        context.tell(listener, "clippy", verdict);
    });
}

fn clippy(context: &Context<'_>, listener: &mut dyn Listener) -> Verdict {
    let mut output = String::new();
    let ended = lines_of(cargo(&LINT), &context.tree().path("host"), &mut |line| {
        if let Some(name) = line.trim_start().strip_prefix("Checking ") {
            listener.working(context.group, name);
        } else if !is_progress(line) {
            output.push_str(line);
            output.push('\n');
        }
    });
    match ended {
        Ok(true) => Verdict::Passed,
        Ok(false) => Verdict::Failed(compiler_report(&output)),
        Err(error) => Verdict::Failed(Report::saying(format!("cannot start cargo: {error}"))),
    }
}

/// The tests of the whole workspace, as `cargo test` runs them.
pub(super) fn test(context: &Context<'_>, listener: &mut dyn Listener) {
    let mut file = None;
    let mut within = Vec::new();
    if let Some(filter) = context.name_filter() {
        let names = sources::host_tests(&context.tree().path("host"));
        let is_whole = |name: &String| {
            context.matching.holds(filter, name) || context.matching.holds(filter, &of_group(name))
        };
        file = file_of_tests(filter, &names);
        let part = within_crate(filter, &names);
        let may = match context.matching {
            Match::Whole => names.iter().any(is_whole),
            Match::Part => file.is_some() || names.iter().any(|name| may_match(name, part)),
        };
        if !may {
            names.iter().for_each(|name| context.pass_over(name));
            return;
        }
        let is_crate = names.iter().any(|name| name.split("::").next() == Some(filter));
        if file.is_none() && is_crate {
            file = Some(filter);
        } else if file.is_none() {
            within.push(part.to_string());
        }
    }
    if context.suite.long {
        within.push("--include-ignored".to_string());
    }
    match executables(context, listener) {
        Ok(executables) => {
            let named = |one: &&Executable| file.is_none_or(|name| name == one.name());
            for executable in executables.iter().filter(named) {
                run(context, executable, &within, listener);
            }
        }
        Err(report) => context.tell(listener, "cargo test", Verdict::Failed(*report)),
    }
}

/// The name of a test with its group's.
fn of_group(name: &str) -> String {
    format!("host/{name}")
}

/// A program of tests.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Executable {
    /// The folder of its crate.
    folder: PathBuf,
    file: PathBuf,
}

impl Executable {
    /// Of a message of Cargo's, if it is about one.
    fn of(message: &str) -> Option<Executable> {
        let message: serde_json::Value = serde_json::from_str(message).ok()?;
        let is_test = message.get("profile")?.get("test")?.as_bool()?;
        let file = PathBuf::from(message.get("executable")?.as_str()?);
        let folder = Path::new(message.get("manifest_path")?.as_str()?).parent()?.to_path_buf();
        is_test.then_some(Executable { folder, file })
    }

    /// The crate or the file of tests.
    fn name(&self) -> String {
        target(&self.file.display().to_string())
    }

    /// What its tests read. Those of the simulator's crates have their own data, board files and tables; others call
    /// commands, or look at the whole tree.
    fn inputs<'a>(&self, context: &Context<'a>, arguments: &[String]) -> Inputs<'a> {
        let host = context.tree().path("host");
        let of_simulator = SIMULATOR.map(|name| format!("host/{name}"));
        let is_of_simulator = self
            .folder
            .strip_prefix(host)
            .is_ok_and(|it| SIMULATOR.iter().any(|name| it == Path::new(name)));
        let mut paths: Vec<&str> = if is_of_simulator {
            of_simulator
                .iter()
                .map(String::as_str)
                .chain(["board", "data", "doc/spec", "test/isa"])
                .collect()
        } else {
            read::ROOMS.to_vec()
        };
        if !is_of_simulator {
            paths.extend(["lichen", ".ci", "CONTRIBUTING.md", "CHANGELOG.md", "CAVEATS.md"]);
        }
        // Files of tests may have the same name in two crates.
        let folder = self.folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let name = [&[folder, self.name()], arguments].concat().join(" ");
        read::with_tools(context, &name, &paths, Code::default())
    }
}

/// The simulator's crates: they depend on each other alone.
const SIMULATOR: [&str; 9] =
    ["isa", "chip", "device", "world", "trace", "observe", "energy", "image", "stack"];

/// Builds the programs of tests; returns them in an order that is always the same.
fn executables(
    context: &Context<'_>,
    listener: &mut dyn Listener,
) -> Result<Vec<Executable>, Box<Report>> {
    listener.working(context.group, "building the tests");
    let (mut found, mut output) = (Vec::new(), String::new());
    let arguments = [TEST.as_slice(), &["--message-format", "json-render-diagnostics"]].concat();
    let mut cargo = cargo(&arguments);
    if std::env::var_os("RUSTC_WRAPPER").is_none() {
        cargo.env("RUSTC_WRAPPER", context.tree().path(UNOPTIMIZED));
    }
    let ended = lines_of(cargo, &context.tree().path("host"), &mut |line| {
        if line.starts_with('{') {
            found.extend(Executable::of(line));
        } else if let Some(name) = line.trim_start().strip_prefix("Compiling ") {
            listener.working(context.group, &format!("compiling {name}"));
        } else if !is_progress(line) {
            output.push_str(line);
            output.push('\n');
        }
    });
    found.sort();
    match ended {
        Ok(true) => Ok(found),
        Ok(false) => Err(Box::new(compiler_report(&output))),
        Err(error) => Err(Box::new(Report::saying(format!("cannot start cargo: {error}")))),
    }
}

/// Runs the tests of a program that `arguments` name.
fn run(
    context: &Context<'_>,
    executable: &Executable,
    arguments: &[String],
    listener: &mut dyn Listener,
) {
    let name = executable.name();
    let inputs = executable.inputs(context, arguments);
    let ignored: Vec<String> = context.remembering(&inputs, listener, |listener| {
        let mut reader = Reader { target: name.clone(), ..Reader::default() };
        let mut command = Command::new(&executable.file);
        command.args(arguments).env("CARGO_MANIFEST_DIR", &executable.folder);
        let ended = lines_of(command, &executable.folder, &mut |line| {
            if let Some(name) = reader.line(line) {
                listener.working(context.group, &name);
            }
        });
        let other = std::mem::take(&mut reader.other);
        let (mut any_failed, mut ignored) = (false, Vec::new());
        for (name, verdict) in reader.finish() {
            any_failed |= matches!(verdict, Verdict::Failed(_));
            match verdict {
                Verdict::Skipped(_) => ignored.push(name),
                verdict => context.tell(listener, name, verdict),
            }
        }
        let failed = |message: String| {
            Verdict::Failed(Report { output: Some(other.clone()), ..Report::saying(message) })
        };
        match ended {
            Ok(false) if !any_failed => {
                context.tell(listener, &name, failed(format!("{name} ended with an error")));
            }
            Ok(_) => {}
            Err(error) => {
                context.tell(listener, &name, failed(format!("cannot start {name}: {error}")));
            }
        }
        ignored
    });
    for name in ignored.into_iter().filter(|name| context.wants(name)) {
        context.tell(listener, name, Verdict::Skipped("marked as ignored".to_string()));
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

/// A call of cargo.
fn cargo(arguments: &[&str]) -> Command {
    let mut cargo = Command::new("cargo");
    cargo.args(arguments);
    cargo
}

/// Runs `command` in `folder` and passes on each line of both outputs in their order; returns whether it succeeded.
fn lines_of(command: Command, folder: &Path, line: &mut dyn FnMut(&str)) -> std::io::Result<bool> {
    // The shell joins the outputs.
    let mut child = Command::new("sh")
        .args(["-c", "exec \"$@\" 2>&1", "sh"])
        .arg(command.get_program())
        .args(command.get_args())
        .envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))))
        .current_dir(folder)
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

/// Reads what a program of tests prints.
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
        if let Some((name, verdict)) = ended(trimmed) {
            let name = format!("{}::{name}", self.target);
            self.outcomes.push((name.clone(), verdict));
            return Some(name);
        }
        self.output(line);
        None
    }

    /// A line that is output of a failed test, or of the program.
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

/// Name of the crate or of the file of tests that Cargo made `program` of.
fn target(program: &str) -> String {
    let stem = Path::new(program).file_name().unwrap_or_default().to_string_lossy().into_owned();
    stem.rsplit_once('-').map_or(stem.clone(), |(name, _hash)| name.to_string())
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

    const OUTPUT: &str = "running 3 tests
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
";

    const MESSAGE: &str = r#"{"reason":"compiler-artifact","manifest_path":"/host/isa/Cargo.toml",
        "profile":{"test":true},"executable":"/host/target/release/deps/lichen_isa-0a1b2c"}"#;

    #[test]
    fn cargo_names_the_programs_of_tests() {
        let found = Executable::of(MESSAGE).expect("a program");
        assert_eq!(
            (found.folder.as_path(), found.name().as_str()),
            (Path::new("/host/isa"), "lichen_isa")
        );
        assert_eq!(Executable::of(&MESSAGE.replace("true", "false")), None);
        assert_eq!(Executable::of(r#"{"reason":"build-finished","success":true}"#), None);
    }

    #[test]
    fn reads_tests_with_crate_verdict_and_place() {
        let mut reader = Reader { target: "lichen_isa".to_string(), ..Reader::default() };
        for line in OUTPUT.lines() {
            reader.line(line);
        }
        let outcomes = reader.finish();
        let names: Vec<&str> = outcomes.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(
            names,
            ["lichen_isa::cycle::adds", "lichen_isa::cycle::wraps", "lichen_isa::slow",]
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
