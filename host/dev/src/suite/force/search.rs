// SPDX-License-Identifier: MIT OR Apache-2.0
//! Looks for tests that notice a mutant that few interrupts in few cells do not.

use super::mutants::{All, Key};
use super::witness::Witness;
use super::{Context, Listener, Machine, Report, programs, side_by_side};
use lichen_board::Board;
use lichen_force::Area;
use lichen_project::Program;
use lichen_test::own::Rehearsal;

/// Lots of each kind of histories that are used.
const LOTS: u64 = 2;
/// Letters of a chip's part number that name its series.
const SERIES: usize = "ATSAMR21".len();
/// Programs that execute more are not used.
const LONGEST: u64 = 200_000_000;

/// Looks for a test of another group that notices each of `all`, mutants of the kernel, that is not yet noticed.
pub(super) fn among_all(
    context: &Context<'_>,
    machine: &Machine,
    all: &mut All,
    listener: &mut dyn Listener,
) -> Result<(), Box<Report>> {
    if alive(all).is_empty() {
        return Ok(());
    }
    let witnesses = witnesses(context, machine, (Area::Kernel, ""), listener);
    among(context, witnesses, all, listener)
}

/// Shows `witnesses` those of `all` that are not yet noticed.
pub(super) fn among(
    context: &Context<'_>,
    witnesses: Vec<Witness>,
    all: &mut All,
    listener: &mut dyn Listener,
) -> Result<(), Box<Report>> {
    for witness in witnesses {
        run(context, &witness, &alive(all), all, listener)?;
    }
    Ok(())
}

/// Those that are not yet noticed.
fn alive(all: &All) -> Vec<Key> {
    let alive = all.iter().filter(|(_, one)| one.survived().is_some());
    alive.map(|(key, _)| key.clone()).collect()
}

/// The tests of other groups that can notice mutants of an area: programs, shortest first, then histories.
pub(super) fn witnesses(
    context: &Context<'_>,
    machine: &Machine,
    (area, part): (Area, &str),
    listener: &mut dyn Listener,
) -> Vec<Witness> {
    let mut programs = programs::programs(context, "test/mote", listener);
    programs.retain(|(program, board)| {
        board_of(context, program, machine).is_some_and(|it| it == board)
    });
    programs::build_ahead(context, &programs, |_, _| true, listener);
    let mut names: Vec<String> = Vec::new();
    names.extend(
        programs.iter().map(|(program, board)| format!("mote/{board}/{}", program.manifest.name)),
    );
    let apps = programs::programs(context, "app", listener);
    for (program, board) in apps.iter().filter(|(_, board)| *board == machine.board) {
        let app = |test: String| format!("app/{board}/{}/{test}", program.manifest.name);
        names.extend(Rehearsal::names(context, program).into_iter().map(app));
    }
    for lot in 0..LOTS {
        let name = |kind: &lichen_history::Kind| {
            format!("model/{}{}#{lot}", machine.prefix, kind.full_name())
        };
        names.extend(lichen_history::KINDS.iter().map(name));
    }
    // A test that this system fails, or that is not for this board, says nothing about another system.
    let witness = |name: &String, listener: &mut dyn Listener| {
        Witness::of(context, (area, part), name, listener).ok()
    };
    let found = side_by_side(&names, listener, witness);
    let mut found: Vec<Witness> =
        found.into_iter().flatten().filter(|it| it.instructions <= LONGEST).collect();
    found.sort_by_key(|witness| witness.rank());
    found
}

/// The board on which a program is a witness: the machine's, or else one with the same chip in another package.
fn board_of<'a>(
    context: &Context<'_>,
    program: &'a Program,
    machine: &Machine,
) -> Option<&'a String> {
    let chip = |board: &str| {
        let board = Board::find(&context.tree().path("board"), board).ok()?;
        board.chip.get(..SERIES).map(str::to_string)
    };
    let boards = &program.manifest.boards;
    let same = boards.iter().find(|board| **board == machine.board);
    same.or_else(|| boards.iter().find(|board| chip(board) == chip(&machine.board)))
}

/// Records which of `keys` a test notices.
fn run(
    context: &Context<'_>,
    witness: &Witness,
    keys: &[Key],
    all: &mut All,
    listener: &mut dyn Listener,
) -> Result<(), Box<Report>> {
    let keys: Vec<Key> = keys.iter().filter(|key| witness.reaches(key)).cloned().collect();
    let (name, count) = (&witness.name, keys.len());
    let mut told = |done| {
        listener.working(context.group, &format!("{name}: {done} of {count} mutants"));
    };
    let noticed = witness.notices(context, &keys, &mut told)?;
    for (key, _) in keys.iter().zip(noticed).filter(|(_, noticed)| *noticed) {
        if let Some(one) = all.get_mut(key) {
            one.words.noticed_by = Some(name.clone());
        }
    }
    Ok(())
}
