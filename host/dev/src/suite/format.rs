// SPDX-License-Identifier: MIT OR Apache-2.0
//! The group `format`: formatters, the linter of scripts, generated files.

use super::{Context, Listener, Report, Verdict};
use lichen_board::conversion::Conversion;
use lichen_check::pins::{self, PinsError};
use lichen_project::Place;
use lichen_project::tool::{self, State, Tool};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

pub(super) fn run(context: &Context<'_>, listener: &mut dyn Listener) {
    let tests: [(&str, Test); 3] = [("rust", rust), ("c", c), ("shell", shell)];
    for (name, test) in tests {
        if context.wants(name) {
            listener.working(context.group, name);
            context.tell(listener, name, test(context));
        }
    }
    generated(context, listener);
}

type Test = fn(&Context<'_>) -> Verdict;

/// `cargo fmt`.
fn rust(context: &Context<'_>) -> Verdict {
    let mut command = Command::new("cargo");
    command
        .args(["fmt", "--all", "--check", "--", "--color", "never"])
        .current_dir(context.tree().path("host"));
    verdict(tool::RUSTFMT, command, |line| {
        let (file, line) = line.strip_prefix("Diff in ")?.trim_end_matches(':').rsplit_once(':')?;
        Some(Place::line(context.tree().shown(Path::new(file)), line.parse().ok()?))
    })
    .remedied("run cargo fmt in host/")
}

/// `clang-format` over the firmware.
fn c(context: &Context<'_>) -> Verdict {
    let sources =
        sources(context, &["os", "app", "bench", "test", "host/project/template"], &["c", "h"]);
    if sources.is_empty() {
        return Verdict::Skipped("there are no C files".to_string());
    }
    let Some(program) = tool::CLANG_FORMAT.path() else {
        return missing(tool::CLANG_FORMAT);
    };
    let mut command = Command::new(program);
    command.args(["--dry-run", "-Werror", "--style=file"]).args(sources);
    command.current_dir(context.tree().root());
    verdict(tool::CLANG_FORMAT, command, place_of_compiler)
        .remedied("run clang-format-14 -i on the files named above; break comments of over 100 columns yourself")
}

/// `shellcheck` over the scripts.
fn shell(context: &Context<'_>) -> Verdict {
    let mut command = Command::new("shellcheck");
    command.args(["--format=gcc", "lichen", ".ci/run"]);
    command.args(sources(context, &["os", "test"], &["sh"])).current_dir(context.tree().root());
    verdict(tool::SHELLCHECK, command, place_of_compiler)
}

/// Each board's header against its board file, and those of conversions against their tables.
fn generated(context: &Context<'_>, listener: &mut dyn Listener) {
    let boards = match context.tree().boards() {
        Ok(boards) => boards,
        Err(error) => return context.tell(listener, "pins.h", Verdict::Failed(Report::of(&error))),
    };
    for board in boards {
        let check = || pins::check(context.tree(), &board);
        generated_one(context, listener, format!("pins.h of {board}"), check);
    }
    for conversion in Conversion::all() {
        let check = || pins::check_conversion(context.tree(), &conversion);
        generated_one(context, listener, format!("conversion of {}", conversion.part), check);
    }
    generated_one(context, listener, "sums of conversions".into(), || {
        pins::check_sums(context.tree())
    });
    match lichen_check::interface::made(context.tree()) {
        Ok(files) => files.iter().for_each(|made| {
            let check = || pins::check_made(context.tree(), made);
            generated_one(context, listener, made.path.clone(), check);
        }),
        Err(error) => context.tell(listener, "calls", Verdict::Failed(Report::of(&error))),
    }
}

fn generated_one(
    context: &Context<'_>,
    listener: &mut dyn Listener,
    name: String,
    check: impl Fn() -> Result<(), PinsError>,
) {
    if context.wants(&name) {
        let verdict = match check() {
            Ok(()) => Verdict::Passed,
            Err(error) => Verdict::Failed(Report::of(&error)),
        };
        context.tell(listener, name, verdict);
    }
}

/// Sources with one of `endings` below `folders`, relative to the tree.
fn sources(context: &Context<'_>, folders: &[&str], endings: &[&str]) -> Vec<PathBuf> {
    let files = |folder: &&str| lichen_check::files(context.tree(), folder, endings).ok();
    folders.iter().filter_map(files).flatten().collect()
}

/// Runs `command` of `tool`; `place` finds the place that a line of its output names.
fn verdict(tool: Tool, mut command: Command, place: impl Fn(&str) -> Option<Place>) -> Verdict {
    match tool::probe(&tool) {
        State::Found { .. } => {}
        State::Missing => return missing(tool),
        State::Unfit { version, wanted } => {
            return Verdict::Skipped(format!("{} {version}; wanted: {wanted}", tool.name));
        }
    }
    let output = match command.stdin(Stdio::null()).output() {
        Ok(output) => output,
        Err(error) => {
            let message = format!("cannot start {}: {error}", tool.name);
            return Verdict::Failed(Report::saying(message));
        }
    };
    if output.status.success() {
        return Verdict::Passed;
    }
    let text = both(&output);
    Verdict::Failed(Report {
        place: text.lines().find_map(place),
        message: format!("{} reports errors", tool.name),
        remedy: Some("correct it as shown above".to_string()),
        output: Some(text),
    })
}

fn missing(tool: Tool) -> Verdict {
    Verdict::Skipped(format!("{} is missing; {}", tool.name, tool.remedy()))
}

/// Both outputs of a program, concatenated.
fn both(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    text(&output.stdout) + &text(&output.stderr)
}

/// `file:line:column: …`.
fn place_of_compiler(line: &str) -> Option<Place> {
    let mut parts = line.splitn(4, ':');
    let (file, line, column) = (parts.next()?, parts.next()?, parts.next()?);
    Some(Place { column: column.parse().ok(), ..Place::line(file, line.parse().ok()?) })
}
