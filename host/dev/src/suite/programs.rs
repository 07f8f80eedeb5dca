// SPDX-License-Identifier: MIT OR Apache-2.0
//! The groups `app`, `network` and `mote`: programs that are built, compared with their budgets and run on
//! simulated motes. `test/mote/frame/test.h` describes the console output of a test program.

use super::{Context, Listener, Report, Verdict, side_by_side};
use lichen_build::Progress;
use lichen_chip::Time;
use lichen_project::{Program, Source};
use lichen_test::mote::{Played, inputs, may_run, on_mote, play, prepare};
use lichen_test::{Code, Depths, Noted, own};
use std::collections::BTreeMap;

/// How long an example program is run.
const EXAMPLE: Time = Time::from_s(3);

/// Builds every program of `app/` for its boards and runs it for a while: it must stay within its
/// budget, without a warning, fault or panic. Then come the tests that it brings along.
pub(super) fn apps(context: &Context<'_>, listener: &mut dyn Listener) {
    let depths = Depths::default();
    each_program_side_by_side(context, "app", listener, &|context, program, board, listener| {
        let name = format!("{board}/{}", program.manifest.name);
        if context.wants(&name) {
            example(context, (program, board, &name), &depths, listener);
        }
        own::run_all(context, (program, board), &depths, listener);
    });
    depths.tell(context, listener);
}

/// Runs the tests that programs of `test/network/` bring along: networks of motes that run others of them.
pub(super) fn networks(context: &Context<'_>, listener: &mut dyn Listener) {
    let depths = Depths::default();
    each_program_side_by_side(
        context,
        "test/network",
        listener,
        &|context, program, board, listener| {
            own::run_all(context, (program, board), &depths, listener);
        },
    );
    depths.tell(context, listener);
    super::links::run(context, listener);
    super::dissemination::run(context, listener);
}

/// Builds a program and runs it for a while.
fn example(
    context: &Context<'_>,
    (program, board, name): (&Program, &str, &str),
    depths: &Depths,
    listener: &mut dyn Listener,
) {
    let image = match prepare(context, program, board, name, listener) {
        Ok(image) => image,
        Err(report) => return context.tell(listener, name, Verdict::Failed(*report)),
    };
    let code = Code::of_motes().files(&["dev/src/suite/programs.rs"]);
    let inputs = inputs(context, program, name, &image, code);
    let noted = context.remembering(&inputs, listener, |listener| {
        let (verdict, noted) = match play(context, (program, board, name), image, EXAMPLE) {
            Ok(Played { transcript, seen, noted }) => {
                seen.iter().for_each(|seen| listener.latencies(seen));
                (transcript.complaint().map_or(Verdict::Passed, Verdict::Failed), noted)
            }
            Err(report) => (Verdict::Failed(*report), Noted::default()),
        };
        context.tell(listener, name, verdict);
        noted
    });
    depths.add(noted);
}

/// Builds every program of `test/mote/` and collects the tests that it reports.
pub(super) fn motes(context: &Context<'_>, listener: &mut dyn Listener) {
    let depths = Depths::default();
    each_program_side_by_side(
        context,
        "test/mote",
        listener,
        &|context, program, board, listener| {
            let name = format!("{board}/{}", program.manifest.name);
            on_mote(context, (program, board, &name), &depths, listener);
        },
    );
    depths.tell(context, listener);
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
pub(super) type OnProgram<'a> =
    &'a (dyn Fn(&Context<'_>, &Program, &str, &mut dyn Listener) + Sync);

/// The programs of `room`, each with each of its boards.
pub(super) fn programs(
    context: &Context<'_>,
    room: &str,
    listener: &mut dyn Listener,
) -> Vec<OnBoard> {
    let tree = context.tree();
    let names = tree.programs(room).unwrap_or_else(|error| {
        context.tell(listener, room, Verdict::Failed(Report::of(&error)));
        Vec::new()
    });
    let mut programs = Vec::new();
    for name in names {
        match Program::at(tree, tree.path(room).join(&name)) {
            Ok(program) => {
                let boards = program.manifest.boards.iter();
                programs.extend(boards.map(|board| (program.clone(), board.clone())));
            }
            Err(error) => context.tell(listener, name, Verdict::Failed(Report::of(&error))),
        }
    }
    programs
}

/// Builds those of `programs` that are `wanted`, all of a board together.
pub(super) fn build_ahead(
    context: &Context<'_>,
    programs: &[OnBoard],
    wanted: impl Fn(&Program, &str) -> bool,
    listener: &mut dyn Listener,
) {
    let mut boards: BTreeMap<&str, Vec<Source>> = BTreeMap::new();
    for (program, board) in programs.iter().filter(|(program, board)| wanted(program, board)) {
        let source = program.source(context.tree());
        boards.entry(board).or_default().push(source);
    }
    for (board, sources) in boards {
        let mut tell = |Progress { done, total }| {
            let what = format!("building for {board} ({done} of {total})");
            listener.working(context.group, &what);
        };
        lichen_build::build_ahead(context.tree(), &sources, board, &mut tell);
    }
}

/// Calls `on_program` for each program of `room` and each of its boards, one after the other.
pub(super) fn each_program(
    context: &Context<'_>,
    room: &str,
    listener: &mut dyn Listener,
    on_program: OnProgram<'_>,
) {
    let programs = programs(context, room, listener);
    build_ahead(context, &programs, |_, _| context.suite.filter.is_none(), listener);
    for (program, board) in programs {
        on_program(context, &program, &board, listener);
    }
}

/// The same, as many side by side as there are processors.
pub(super) fn each_program_side_by_side(
    context: &Context<'_>,
    room: &str,
    listener: &mut dyn Listener,
    on_program: OnProgram<'_>,
) {
    let programs = programs(context, room, listener);
    let wanted = |program: &Program, board: &str| {
        may_run(context, program, board, &format!("{board}/{}", program.manifest.name))
    };
    build_ahead(context, &programs, wanted, listener);
    side_by_side(&programs, listener, |(program, board), listener| {
        on_program(context, program, board, listener);
    });
}
