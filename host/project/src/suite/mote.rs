// SPDX-License-Identifier: MIT OR Apache-2.0
//! The groups `app` and `mote`: programs that are built, compared with their budgets and run on
//! simulated motes. `test/mote/frame/test.h` describes the console output of a test program.

use super::depths::Depths;
use super::side_by_side::side_by_side;
use super::transcript::{Ending, Limit, Transcript, watch};
use super::{Bench, Listener, Report, Verdict, own, sources};
use crate::build::{self, BuildError};
use crate::latency::{Followed, Latencies};
use crate::size::Sizes;
use crate::stack::KernelStack;
use crate::vet::vet;
use crate::{Expect, MoteTest, Place, Program, Tree};
use lichen_chip::Time;
use lichen_device::Board;
use lichen_image::Image;
use lichen_world::{MoteId, Script, World};
use std::sync::Arc;

/// How long an example program is run.
const EXAMPLE: Time = Time::from_s(3);

/// Builds every program of `app/` for its boards and runs it for a while: it must stay within its
/// budget, without a warning, fault or panic. Then come the tests that it brings along.
pub(super) fn apps(bench: &Bench<'_>, listener: &mut dyn Listener) {
    let depths = Depths::default();
    each_program_side_by_side(bench, "app", listener, &|bench, program, board, listener| {
        let name = format!("{board}/{}", program.manifest.name);
        if bench.wants(&name) {
            example(bench, (program, board, &name), &depths, listener);
        }
        own::run_all(bench, (program, board), &depths, listener);
    });
    depths.tell(bench, listener);
}

/// Builds a program and runs it for a while.
fn example(
    bench: &Bench<'_>,
    (program, board, name): (&Program, &str, &str),
    depths: &Depths,
    listener: &mut dyn Listener,
) {
    let ready = prepare(bench, program, board, name, listener);
    let played =
        ready.and_then(|image| play(bench, (program, board, name), image, EXAMPLE, depths));
    let verdict = match played {
        Ok((transcript, seen)) => {
            listener.latencies(&seen);
            transcript.complaint().map_or(Verdict::Passed, Verdict::Failed)
        }
        Err(report) => Verdict::Failed(*report),
    };
    bench.tell(listener, name, verdict);
}

/// Builds every program of `test/mote/` and collects the tests that it reports.
pub(super) fn motes(bench: &Bench<'_>, listener: &mut dyn Listener) {
    let depths = Depths::default();
    each_program_side_by_side(bench, "test/mote", listener, &|bench, program, board, listener| {
        let name = format!("{board}/{}", program.manifest.name);
        on_mote(bench, (program, board, &name), &depths, listener);
    });
    depths.tell(bench, listener);
}

/// Builds a program of tests and collects those that it reports, if any of them may be requested.
pub(super) fn on_mote(
    bench: &Bench<'_>,
    (program, board, name): (&Program, &str, &str),
    depths: &Depths,
    listener: &mut dyn Listener,
) {
    if !may_hold(bench, program, name) || !is_due(bench, program, board) {
        return;
    }
    let limit = Time::from_s(settings(program).seconds.into());
    let ready = prepare(bench, program, board, name, listener);
    match ready.and_then(|image| play(bench, (program, board, name), image, limit, depths)) {
        Ok((transcript, seen)) => {
            listener.latencies(&seen);
            judge(bench, program, name, transcript, listener);
        }
        Err(report) => bench.tell(listener, name, Verdict::Failed(*report)),
    }
}

pub(super) fn settings(program: &Program) -> MoteTest {
    program.manifest.test.clone().unwrap_or_default()
}

/// A program's name; with the board, unless that is its first one.
pub(super) fn name_on(program: &Program, board: &str) -> String {
    let manifest = &program.manifest;
    match manifest.boards.first() {
        Some(first) if first == board => manifest.name.clone(),
        _ => format!("{board}/{}", manifest.name),
    }
}

/// A program, and one of its boards.
pub(super) type OnBoard = (Program, String);

/// What is done with a program on a board.
pub(super) type OnProgram<'a> = &'a (dyn Fn(&Bench<'_>, &Program, &str, &mut dyn Listener) + Sync);

/// The programs of `room`, each with each of its boards.
pub(super) fn programs(bench: &Bench<'_>, room: &str, listener: &mut dyn Listener) -> Vec<OnBoard> {
    let tree = bench.tree();
    let names = tree.programs(room).unwrap_or_else(|error| {
        bench.tell(listener, room, Verdict::Failed(Report::of(&error)));
        Vec::new()
    });
    let mut programs = Vec::new();
    for name in names {
        match Program::at(tree, tree.path(room).join(&name)) {
            Ok(program) => {
                let boards = program.manifest.boards.iter();
                programs.extend(boards.map(|board| (program.clone(), board.clone())));
            }
            Err(error) => bench.tell(listener, name, Verdict::Failed(Report::of(&error))),
        }
    }
    programs
}

/// Calls `on_program` for each program of `room` and each of its boards, one after the other.
pub(super) fn each_program(
    bench: &Bench<'_>,
    room: &str,
    listener: &mut dyn Listener,
    on_program: OnProgram<'_>,
) {
    for (program, board) in programs(bench, room, listener) {
        on_program(bench, &program, &board, listener);
    }
}

/// The same, as many side by side as there are processors.
pub(super) fn each_program_side_by_side(
    bench: &Bench<'_>,
    room: &str,
    listener: &mut dyn Listener,
    on_program: OnProgram<'_>,
) {
    let programs = programs(bench, room, listener);
    side_by_side(&programs, listener, |(program, board), listener| {
        on_program(bench, program, board, listener);
    });
}

/// Whether tests of `program` may be requested: its name matches, or that of one of the tests in its sources.
fn may_hold(bench: &Bench<'_>, program: &Program, name: &str) -> bool {
    let Some(filter) = bench.name_filter() else { return true };
    let wanted = filter.strip_prefix(name).map_or(filter, |rest| rest.trim_start_matches('/'));
    if name.contains(filter) || wanted.is_empty() {
        return true;
    }
    let tests = sources::mote_tests(&program.folder);
    let whole = |test: &String| format!("{}/{name}/{test}", bench.group);
    tests.iter().for_each(|test| bench.pass_over(&format!("{name}/{test}")));
    bench.wants(name)
        || tests.iter().any(|test| test.contains(wanted) || whole(test).contains(filter))
}

/// Whether this run is long enough for the program on this board.
pub(super) fn is_due(bench: &Bench<'_>, program: &Program, board: &str) -> bool {
    let named = bench.name_filter().is_some_and(|name| name.contains(&program.manifest.name));
    bench.suite.long || named || !settings(program).is_long_on(board)
}

/// Builds `program` and compares it with its budget.
pub(super) fn prepare(
    bench: &Bench<'_>,
    program: &Program,
    board: &str,
    name: &str,
    listener: &mut dyn Listener,
) -> Result<Image, Box<Report>> {
    listener.working(bench.group, &format!("building {name}"));
    let source = program.source(bench.tree());
    let built = build::build(bench.tree(), &source, board, &mut |_| {}).map_err(build_report)?;
    let image = Image::load(&built.elf).map_err(|error| saying(error.to_string()))?;
    vet(&image).map_err(|error| Box::new(Report::of(&error)))?;
    let fits = Sizes::of(&image).check(program.manifest.budget(board));
    fits.map_err(|error| Box::new(Report::of(&error)))?;
    listener.working(bench.group, name);
    Ok(image)
}

fn build_report(error: BuildError) -> Box<Report> {
    let mut report = Report::of(&error);
    if let BuildError::Failed { output, .. } = error {
        report.output = Some(output);
    }
    Box::new(report)
}

pub(super) fn saying(message: impl Into<String>) -> Box<Report> {
    Box::new(Report::saying(message))
}

/// The mote's input meanwhile.
pub(super) fn script(program: &Program, board: &Board) -> Result<Option<Script>, Box<Report>> {
    let Some(input) = settings(program).input else { return Ok(None) };
    let script = Script::load(&program.folder.join(input), board);
    script.map(Some).map_err(|error| saying(error.to_string()))
}

/// A board with the parts and buttons that a program's tests connect.
pub(super) fn wired(tree: &Tree, program: &Program, board: &str) -> Result<Board, Box<Report>> {
    let found = Board::find(&tree.path("board"), board);
    let facts = found.and_then(|board| settings(program).wired(board));
    facts.map_err(|error| saying(error.to_string()))
}

/// A world with one mote that runs `image` of a program on a board.
pub(super) fn world(
    tree: &Tree,
    program: &Program,
    board: &str,
    image: Arc<Image>,
) -> Result<(World, MoteId), Box<Report>> {
    let facts = wired(tree, program, board)?;
    let mut world = World::with_seed(settings(program).seed);
    let script = script(program, &facts)?;
    let mote = world.add(facts, image).map_err(|e| saying(e.to_string()))?;
    if let Some(script) = script {
        world.follow(mote, script).map_err(|error| saying(error.to_string()))?;
    }
    Ok((world, mote))
}

/// Runs `image` of a program on a board, both as `name` in this group, for `limit` at most, and notes in
/// `depths` what it used of the kernel's stack.
fn play(
    bench: &Bench<'_>,
    (program, board, name): (&Program, &str, &str),
    image: Image,
    limit: Time,
    depths: &Depths,
) -> Result<(Transcript, Latencies), Box<Report>> {
    let stack = KernelStack::of(&image);
    let (mut world, mote) = world(bench.tree(), program, board, Arc::new(image))?;
    let followed = Followed::follow(&mut world, mote);
    let mut transcript =
        watch(&mut world, Limit::of(limit), settings(program).panics(board), &mut |_| {})
            .map_err(|error| saying(error.to_string()))?;
    transcript.warnings_wanted = settings(program).warnings(board);
    let panicked = transcript.panics > 0 || matches!(transcript.ending, Ending::Stopped(_));
    depths.note(name, stack.as_ref(), panicked, &world);
    let seen = followed.latencies(&world, &format!("{}/{name}", bench.group));
    Ok((transcript, seen))
}

/// Whether a program and all tests that it reported passed.
pub(super) fn passes(program: &Program, transcript: &Transcript) -> bool {
    let passed = |verdict: &Verdict| *verdict == Verdict::Passed;
    transcript.tests.iter().all(|(_, verdict)| passed(verdict))
        && passed(&whole(program, transcript))
}

/// Reports each test of the program, and the outcome of the program as a whole.
fn judge(
    bench: &Bench<'_>,
    program: &Program,
    name: &str,
    transcript: Transcript,
    listener: &mut dyn Listener,
) {
    let whole = whole(program, &transcript);
    for (test, verdict) in transcript.tests {
        let name = format!("{name}/{test}");
        let verdict = own::placed(bench, program, verdict);
        if bench.wants(&name) {
            bench.tell(listener, name, verdict);
        }
    }
    match settings(program).expect {
        Expect::Panic => bench.tell(listener, format!("{name}/panics"), whole),
        // A program that succeeded has reported so test by test.
        Expect::Summary if whole != Verdict::Passed => bench.tell(listener, name, whole),
        Expect::Summary => {}
    }
}

/// The outcome of the program as a whole.
fn whole(program: &Program, transcript: &Transcript) -> Verdict {
    let failed = |message: String| {
        let mut report = Report::saying(message);
        report.place = Some(Place::file(&program.manifest.file));
        report.output = Some(transcript.console.clone());
        Verdict::Failed(report)
    };
    let expected = settings(program);
    match (expected.expect, &transcript.ending) {
        (Expect::Panic, Ending::Stopped(_)) => Verdict::Passed,
        (Expect::Panic, _) => failed("the mote did not panic".to_string()),
        (Expect::Summary, Ending::Summary) if transcript.tests.is_empty() => {
            failed("it has no tests: no TEST(name) is in its files".to_string())
        }
        (Expect::Summary, Ending::Summary) if transcript.panics < transcript.panics_wanted => {
            let Transcript { panics, panics_wanted, .. } = transcript;
            failed(format!("it panicked {panics} times, not {panics_wanted}"))
        }
        (Expect::Summary, Ending::Summary) => {
            match (transcript.unexpected_warning(), transcript.missing_warning()) {
                (Some(report), _) => Verdict::Failed(report.clone()),
                (None, Some(part)) => failed(format!("no warning says `{part}`")),
                (None, None) => Verdict::Passed,
            }
        }
        (Expect::Summary, Ending::Stopped(report)) => Verdict::Failed(report.clone()),
        (Expect::Summary, Ending::Time) => {
            let after = match transcript.tests.last() {
                Some((test, _)) => format!("; the last one that ended is {test}"),
                None => String::new(),
            };
            failed(format!("its tests did not end within {} s{after}", expected.seconds))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_without_settings_has_the_defaults() {
        let settings = MoteTest::default();
        assert_eq!((settings.seconds, settings.expect), (10, Expect::Summary));
        assert!(settings.input.is_none());
    }
}
