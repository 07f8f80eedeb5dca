// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests of other groups that notice a mutant: a program of `test/mote`, known as
//! `mote/BOARD/PROGRAM`, a test that a program of `app` brings along, as `app/BOARD/PROGRAM/TEST`, or a lot of histories of
//! `test/model`, as `model/PROGRAM/KIND#LOT` or `model/BOARD/PROGRAM/KIND#LOT`. The
//! mutated image is run as in the test, and must fail.

use super::mutants::{Key, is_of, keyed};
use super::{Context, Listener, Report, saying};
use crate::suite::{model, mote};
use lichen_board::Board;
use lichen_chip::Time;
use lichen_force::{Area, Mutant, Mutants};
use lichen_history::{Kind, Mote, Step, Stopped, compare};
use lichen_image::Image;
use lichen_parallel::in_parallel;
use lichen_project::Program;
use lichen_test::own::Rehearsal;
use lichen_test::transcript::{Limit, instructions};
use lichen_world::{MoteId, Snapshot, World};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Tests of programs of `app` that take longer are not used.
const LONGEST: Time = Time::from_s(10);
/// The first board of programs of `test/model`, which their names do not contain.
const FIRST: &str = "hamilton";

/// A test, ready to be run on mutants.
pub(super) struct Witness {
    pub(super) name: String,
    test: Test,
    pub(super) mutants: Found,
    /// Their basic blocks that a run of the unchanged system executes.
    passed: BTreeSet<u32>,
    /// Instructions of that run.
    pub(super) instructions: u64,
}

/// The mutants of an image.
type Found = BTreeMap<Key, Vec<Mutant>>;

enum Test {
    Mote { program: Box<Program>, board: String, image: Arc<Image>, limit: Limit },
    App { rehearsal: Box<Rehearsal> },
    Model { program: Box<lichen_history::Program>, lot: (Kind, Vec<Vec<Step>>) },
}

impl Witness {
    /// The test `name`, with the mutants of an area whose files or functions have `part` in their names, if it has any. It
    /// must pass with the unchanged system.
    pub(super) fn of(
        context: &Context<'_>,
        (area, part): (Area, &str),
        name: &str,
        listener: &mut dyn Listener,
    ) -> Result<Witness, Box<Report>> {
        let unknown = || saying(format!("`{name}` is not a test that can notice mutants"));
        let parts: Vec<&str> = name.split('/').collect();
        if let ["app", board, program, test] = parts[..] {
            return Witness::of_app(context, (area, part, name), (board, program, test), listener);
        }
        let (room, board, program, lot) = match parts[..] {
            ["mote", board, program] => ("test/mote", board, program, None),
            ["model", program, kind] => {
                let lot = model::lot_of(&format!("{program}/{kind}")).ok_or_else(unknown)?;
                (model::ROOM, FIRST, program, Some(lot))
            }
            ["model", board, program, kind] => {
                let lot = model::lot_of(&format!("{program}/{kind}")).ok_or_else(unknown)?;
                (model::ROOM, board, program, Some(lot))
            }
            _ => return Err(unknown()),
        };
        let folder = context.tree().path(room).join(program);
        let program = Program::at(context.tree(), folder).map_err(|error| Report::of(&error))?;
        if !program.manifest.boards.iter().any(|it| it == board) {
            return Err(saying(format!("`{name}` does not run on that board")));
        }
        let image = mote::prepare(context, &program, board, name, listener)?;
        let (mutants, leaders) = mutants(&image, (area, part), name)?;
        let (test, passed, instructions) = match lot {
            None => sound_program(context, program, board, image, &leaders)?,
            Some(lot) => sound_histories(context, board, image, lot, &leaders)?,
        };
        Ok(Witness { name: name.to_string(), test, mutants, passed, instructions })
    }

    fn of_app(
        context: &Context<'_>,
        (area, part, name): (Area, &str, &str),
        (board, program, test): (&str, &str, &str),
        listener: &mut dyn Listener,
    ) -> Result<Witness, Box<Report>> {
        let folder = context.tree().path("app").join(program);
        let program = Program::at(context.tree(), folder).map_err(|error| Report::of(&error))?;
        let rehearsal = Rehearsal::of(context, (&program, board, test), listener)?;
        let rehearsal = rehearsal.filter(|it| it.duration() <= LONGEST);
        let none = || saying(format!("`{name}` is no test, or a long one"));
        let rehearsal = Box::new(rehearsal.ok_or_else(none)?);
        let image = rehearsal.image().ok_or_else(none)?;
        let (mutants, leaders) = mutants(image, (area, part), name)?;
        let (passes, passed) = rehearsal.passes_by(context, &leaders)?;
        if !passes {
            return Err(saying(format!("{name} fails")));
        }
        Ok(Witness {
            name: name.to_string(),
            test: Test::App { rehearsal },
            mutants,
            passed,
            instructions: 0,
        })
    }

    /// Its place in the order of trying, those first that take the shortest.
    pub(super) fn rank(&self) -> (u8, u64) {
        let kind = match self.test {
            Test::Mote { .. } => 0,
            Test::App { .. } => 1,
            Test::Model { .. } => 2,
        };
        (kind, self.instructions)
    }

    /// Whether it executes what a mutant changes.
    pub(super) fn reaches(&self, key: &Key) -> bool {
        let mutants = self.mutants.get(key).into_iter().flatten();
        mutants.into_iter().any(|mutant| self.passed.contains(&mutant.leader))
    }

    /// Which of some mutants it notices. A line that is inlined in several functions of the program
    /// is changed in each of them, one at a time.
    pub(super) fn notices(
        &self,
        context: &Context<'_>,
        keys: &[Key],
        progress: &mut dyn FnMut(usize),
    ) -> Result<Vec<bool>, Box<Report>> {
        let tool = || self.bed(context);
        let work = |bed: &mut Bed, index: usize| -> Result<bool, Box<Report>> {
            for mutant in self.mutants.get(&keys[index]).into_iter().flatten() {
                if self.fails(context, bed, mutant)? {
                    return Ok(true);
                }
            }
            Ok(false)
        };
        in_parallel(keys.len(), tool, work, progress)?.into_iter().collect()
    }

    fn bed(&self, context: &Context<'_>) -> Result<Bed, Box<Report>> {
        let Test::Mote { program, board, image, .. } = &self.test else { return Ok(None) };
        let (world, mote) = mote::world(context.tree(), program, board, image.clone())?;
        let off = world.snapshot();
        Ok(Some((world, mote, off)))
    }

    /// Whether the test fails with a mutant of the kernel.
    fn fails(
        &self,
        context: &Context<'_>,
        bed: &mut Bed,
        mutant: &Mutant,
    ) -> Result<bool, Box<Report>> {
        match (&self.test, bed) {
            (Test::Mote { program, board, limit, .. }, Some((world, mote, off))) => {
                world.restore(off).map_err(saying)?;
                for (address, bytes) in mutant.patches() {
                    world.chip_mut(*mote).program(*address, bytes).map_err(saying)?;
                }
                let transcript = mote::watched(world, (program, board), *limit, &mut |_| {})?;
                Ok(!mote::passes(program, &transcript))
            }
            (Test::Model { program, lot }, _) => {
                let mut mote = match Mote::changed(program, mutant.patches(), BTreeSet::new()) {
                    Ok(mote) => mote,
                    Err(lichen_history::Error::Start(_)) => return Ok(true),
                    Err(error) => return Err(saying(error)),
                };
                differ(&mut mote, lot)
            }
            (Test::App { rehearsal }, _) => Ok(!rehearsal.passes(context, mutant.patches())?),
            (Test::Mote { .. }, None) => Ok(false),
        }
    }
}

/// The mutants in `image` that are requested, and their basic blocks.
fn mutants(
    image: &Image,
    (area, part): (Area, &str),
    name: &str,
) -> Result<(Found, BTreeSet<u32>), Box<Report>> {
    let mut mutants = Found::new();
    let all = keyed(Mutants::of(image, area).all).into_iter();
    for (key, mutant) in all.filter(|(_, mutant)| is_of(part, mutant)) {
        mutants.entry(key).or_default().push(mutant);
    }
    if mutants.is_empty() {
        return Err(saying(format!("`{name}` has no code that is mutated")));
    }
    let leaders = mutants.values().flatten().map(|mutant| mutant.leader).collect();
    Ok((mutants, leaders))
}

/// A mote before power-up, for a program of `test/mote`.
type Bed = Option<(World, MoteId, Snapshot)>;

/// Whether the mote and the model differ in one of some histories.
fn differ(
    mote: &mut Mote<'_>,
    (kind, histories): &(Kind, Vec<Vec<Step>>),
) -> Result<bool, Box<Report>> {
    for history in histories {
        match compare(mote, kind.program, history) {
            Ok(_) => {}
            Err(Stopped::Different(_)) => return Ok(true),
            Err(Stopped::Error(error)) => return Err(saying(error)),
        }
    }
    Ok(false)
}

/// Runs a program of `test/mote` with the unchanged kernel.
fn sound_program(
    context: &Context<'_>,
    program: Program,
    board: &str,
    image: Image,
    leaders: &BTreeSet<u32>,
) -> Result<(Test, BTreeSet<u32>, u64), Box<Report>> {
    let image = Arc::new(image);
    let (mut world, mote) = mote::world(context.tree(), &program, board, image.clone())?;
    for address in leaders {
        world.set_breakpoint(mote, *address, true);
    }
    let mut passed = BTreeSet::new();
    let mut at_breakpoint = |world: &mut World| {
        let pc = world.mote(mote).chip().core().pc();
        world.set_breakpoint(mote, pc, false);
        passed.insert(pc);
    };
    let limit = Limit::of(Time::from_s(mote::settings(&program).seconds.into()));
    let transcript = mote::watched(&mut world, (&program, board), limit, &mut at_breakpoint)?;
    if !mote::passes(&program, &transcript) {
        return Err(saying(format!("mote/{board}/{} fails", program.manifest.name)));
    }
    let executed = instructions(&world);
    // A run that takes twice as long has failed.
    let limit = Limit { time: world.now() + world.now(), instructions: 2 * executed };
    let (program, board) = (Box::new(program), board.to_string());
    Ok((Test::Mote { program, board, image, limit }, passed, executed))
}

/// Runs histories with the unchanged kernel.
fn sound_histories(
    context: &Context<'_>,
    board: &str,
    image: Image,
    lot: (Kind, Vec<Vec<Step>>),
    leaders: &BTreeSet<u32>,
) -> Result<(Test, BTreeSet<u32>, u64), Box<Report>> {
    let facts = Board::find(&context.tree().path("board"), board).map_err(saying)?;
    let program = Box::new(lichen_history::Program::new(image, &facts).map_err(saying)?);
    let mut mote = Mote::changed(&program, &[], leaders.clone()).map_err(saying)?;
    if differ(&mut mote, &lot)? {
        return Err(saying("the histories of a witness differ with the sound kernel"));
    }
    let passed = mote.passed().clone();
    drop(mote);
    Ok((Test::Model { program, lot }, passed, 0))
}
