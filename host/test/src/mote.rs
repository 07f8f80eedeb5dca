// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs that are built, compared with their budgets and run on simulated motes. `test/mote/frame/test.h` describes the console output of a test program.

use super::depths::{Depths, Noted};
use super::transcript::{Ending, Limit, Transcript, watch};
use super::verdicts::{Code, Inputs};
use super::{Context, Listener, Match, Report, Verdict, own, sources};
use crate::latency::{Followed, Latencies};
use lichen_board::Board;
use lichen_build::BuildError;
use lichen_build::size::Sizes;
use lichen_build::stack::KernelStack;
use lichen_build::vet::vet_linked;
use lichen_chip::Time;
use lichen_image::Image;
use lichen_project::{Expect, MoteTest, Place, Program, Tree};
use lichen_scenario::Input;
use lichen_world::{MoteId, Script, World};
use std::path::PathBuf;
use std::sync::Arc;

/// Builds a program of tests and collects those that it reports, if any of them may be requested.
pub fn on_mote(
    context: &Context<'_>,
    (program, board, name): (&Program, &str, &str),
    depths: &Depths,
    listener: &mut dyn Listener,
) {
    on_mote_linked(context, (program, board, name), Link::First, depths, listener);
    if settings(program).again {
        let again = format!("{name}{AGAIN}");
        on_mote_linked(context, (program, board, &again), Link::Second, depths, listener);
    }
}

/// Which link of a program is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Link {
    /// The ordinary one, or that of a program outside the tree that is flashed.
    First,
    /// The one after that, in which the compiler sees all code at once.
    Second,
}

/// How the names of programs end that are tested after their second link.
const AGAIN: &str = "+lto";

fn on_mote_linked(
    context: &Context<'_>,
    (program, board, name): (&Program, &str, &str),
    link: Link,
    depths: &Depths,
    listener: &mut dyn Listener,
) {
    if !may_hold(context, program, name) || !is_due(context, program, board, name, listener) {
        return;
    }
    let limit = Time::from_s(settings(program).seconds.into());
    let image = match prepare_linked(context, (program, board, name), link, listener) {
        Ok(Some(image)) => image,
        Ok(None) => return,
        Err(report) => return context.tell(listener, name, Verdict::Failed(*report)),
    };
    let inputs = inputs(context, program, name, &image, Code::of_motes());
    let noted = context.remembering(&inputs, listener, |listener| {
        match play(context, (program, board, name), image, limit) {
            Ok(Played { transcript, seen, noted }) => {
                seen.iter().for_each(|seen| listener.latencies(seen));
                judge(context, program, name, transcript, listener);
                noted
            }
            Err(report) => {
                context.tell(listener, name, Verdict::Failed(*report));
                Noted::default()
            }
        }
    });
    depths.add(noted);
}

/// What a run of `image`, which is one of `program`, reads: the program's manifest and what it names.
pub fn inputs<'a>(
    context: &Context<'a>,
    program: &Program,
    name: &str,
    image: &Image,
    code: Code,
) -> Inputs<'a> {
    let suite = context.suite;
    let inputs = Inputs::of_motes(suite.tree, name, code).image(image);
    let inputs = inputs.words(suite.long).words(suite.latency).path(&program.folder);
    match settings(program).input {
        Some(input) => inputs.path(program.folder.join(input)),
        None => inputs,
    }
}

/// What a program did on a mote.
pub struct Played {
    /// What it printed and reported.
    pub transcript: Transcript,
    /// Its interrupts, if they were followed.
    pub seen: Option<Latencies>,
    /// What it used of the kernel's stack.
    pub noted: Noted,
}

/// Whether tests of `program` on `board`, both as `name`, may be requested and are due.
pub fn may_run(context: &Context<'_>, program: &Program, board: &str, name: &str) -> bool {
    may_hold(context, program, name) && is_long_enough(context, program, board)
}

/// How it is run as a test.
pub fn settings(program: &Program) -> MoteTest {
    program.manifest.test.clone().unwrap_or_default()
}

/// Whether tests of `program` may be requested: its name matches, or that of one of the tests in its sources.
fn may_hold(context: &Context<'_>, program: &Program, name: &str) -> bool {
    let Some(filter) = context.name_filter() else { return true };
    if context.matching == Match::Whole {
        let whole = format!("{}/{name}/", context.group);
        let of_a_test = context.suite.filter.as_ref().is_some_and(|one| one.starts_with(&whole));
        return context.wants(name) || of_a_test;
    }
    let wanted = filter.strip_prefix(name).map_or(filter, |rest| rest.trim_start_matches('/'));
    if name.contains(filter) || wanted.is_empty() {
        return true;
    }
    let tests = sources::mote_tests(&program.folder);
    let whole = |test: &String| format!("{}/{name}/{test}", context.group);
    tests.iter().for_each(|test| context.pass_over(&format!("{name}/{test}")));
    context.wants(name)
        || tests.iter().any(|test| test.contains(wanted) || whole(test).contains(filter))
}

/// Whether this run is long enough for the program on this board. Who asks for it by name is told that it is not.
pub fn is_due(
    context: &Context<'_>,
    program: &Program,
    board: &str,
    name: &str,
    listener: &mut dyn Listener,
) -> bool {
    let is_due = is_long_enough(context, program, board);
    if !is_due && context.suite.filter.is_some() {
        let why = "it takes long; `--long` runs it".to_string();
        context.tell(listener, name, Verdict::Skipped(why));
    }
    is_due
}

fn is_long_enough(context: &Context<'_>, program: &Program, board: &str) -> bool {
    context.suite.long || !settings(program).is_long_on(board)
}

/// Builds `program` and compares it with its budget.
pub fn prepare(
    context: &Context<'_>,
    program: &Program,
    board: &str,
    name: &str,
    listener: &mut dyn Listener,
) -> Result<Image, Box<Report>> {
    let image = prepare_linked(context, (program, board, name), Link::First, listener)?;
    image.ok_or_else(|| saying("it has no image"))
}

/// The same after one of its links; nothing if it has not this one.
fn prepare_linked(
    context: &Context<'_>,
    (program, board, name): (&Program, &str, &str),
    link: Link,
    listener: &mut dyn Listener,
) -> Result<Option<Image>, Box<Report>> {
    listener.working(context.group, &format!("building {name}"));
    let source = program.source(context.tree());
    let build = match link {
        Link::First => lichen_build::build_for_test,
        Link::Second => lichen_build::build_for_use,
    };
    let built = build(context.tree(), &source, board, &mut |_| {}).map_err(build_report)?;
    if link == Link::Second && built.ordinary.is_none() {
        return Ok(None);
    }
    let load = |elf: &PathBuf| Image::load(elf).map_err(|error| saying(error.to_string()));
    let image = load(&built.elf)?;
    let ordinary = built.ordinary.as_ref().map(load).transpose()?;
    vet_linked(ordinary.as_ref(), &image).map_err(|error| Box::new(Report::of(&error)))?;
    if let Some(budget) = program.manifest.budget(board) {
        Sizes::of(&image).check(budget).map_err(|error| Box::new(Report::of(&error)))?;
    }
    listener.working(context.group, name);
    Ok(Some(image))
}

fn build_report(error: BuildError) -> Box<Report> {
    let mut report = Report::of(&error);
    if let BuildError::Failed { output, .. } = error {
        report.output = Some(output);
    }
    Box::new(report)
}

/// A failure with only a message.
pub fn saying(message: impl Into<String>) -> Box<Report> {
    Box::new(Report::saying(message))
}

/// The mote's input meanwhile.
pub fn script(program: &Program, board: &Board) -> Result<Option<Script>, Box<Report>> {
    let Some(input) = settings(program).input else { return Ok(None) };
    let input = Input::load(&program.folder.join(input), board);
    input.map(|input| Some(input.script)).map_err(|error| saying(error.to_string()))
}

/// A board with the parts and buttons that a program's tests connect.
pub fn wired(tree: &Tree, program: &Program, board: &str) -> Result<Board, Box<Report>> {
    let found = Board::find(&tree.path("board"), board);
    let facts = found.and_then(|board| settings(program).wired(board));
    facts.map_err(|error| saying(error.to_string()))
}

/// A world with one mote that runs `image` of a program on a board.
pub fn world(
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

/// Runs `image` of a program on a board, both as `name` in this group, for `limit` at most.
pub fn play(
    context: &Context<'_>,
    (program, board, name): (&Program, &str, &str),
    image: Image,
    limit: Time,
) -> Result<Played, Box<Report>> {
    let stack = KernelStack::of(&image);
    let (mut world, mote) = world(context.tree(), program, board, Arc::new(image))?;
    let followed = context.suite.latency.then(|| Followed::follow(&mut world, mote));
    let transcript = watched(&mut world, (program, board), Limit::of(limit), &mut |_| {})?;
    let panicked = transcript.panics > 0 || matches!(transcript.ending, Ending::Stopped(_));
    let noted = Noted::of(name, stack.as_ref(), panicked, &world);
    let program = format!("{}/{name}", context.group);
    let seen = followed.map(|followed| followed.latencies(&world, &program));
    Ok(Played { transcript, seen, noted })
}

/// What a program on a board does in `world`, with the panics and warnings that it is to cause.
pub fn watched(
    world: &mut World,
    (program, board): (&Program, &str),
    limit: Limit,
    at_breakpoint: &mut dyn FnMut(&mut World),
) -> Result<Transcript, Box<Report>> {
    let settings = settings(program);
    let transcript = watch(world, limit, settings.panics(board), at_breakpoint);
    let mut transcript = transcript.map_err(|error| saying(error.to_string()))?;
    transcript.warnings_wanted = settings.warnings(board);
    Ok(transcript)
}

/// Whether a program and all tests that it reported passed.
pub fn passes(program: &Program, transcript: &Transcript) -> bool {
    let passed = |verdict: &Verdict| *verdict == Verdict::Passed;
    transcript.tests.iter().all(|(_, verdict)| passed(verdict))
        && passed(&whole(program, transcript))
}

/// Reports each test of the program, and the outcome of the program as a whole.
fn judge(
    context: &Context<'_>,
    program: &Program,
    name: &str,
    transcript: Transcript,
    listener: &mut dyn Listener,
) {
    let whole = whole(program, &transcript);
    for (test, verdict) in transcript.tests {
        let name = format!("{name}/{test}");
        context.tell(listener, name, own::placed(context, program, verdict));
    }
    match settings(program).expect {
        Expect::Panic => context.tell(listener, format!("{name}/panics"), whole),
        // A program that succeeded has reported so test by test.
        Expect::Summary if whole != Verdict::Passed => context.tell(listener, name, whole),
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
