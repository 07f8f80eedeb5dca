// SPDX-License-Identifier: MIT OR Apache-2.0
//! A test that a program brings along, run on changed images of that program.

use super::case::Case;
use super::{Images, Own, images, judge, key, tests, world};
use crate::{Context, Listener, Report};
use lichen_chip::Time;
use lichen_image::Image;
use lichen_project::Program;
use lichen_world::{MoteId, World};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// A test in a file, with what its motes run.
pub struct Rehearsal {
    file: PathBuf,
    board: String,
    case: Case,
    images: Images,
}

impl Rehearsal {
    /// The test `name` of `program` on `board`; nothing if there is none.
    pub fn of(
        context: &Context<'_>,
        (program, board, name): (&Program, &str, &str),
        listener: &mut dyn Listener,
    ) -> Result<Option<Rehearsal>, Box<Report>> {
        let report = |error| Box::new(Report::of(&error));
        let tests = tests(context.tree(), program).map_err(report)?;
        let found = tests.into_iter().find_map(|test| match test {
            Own::Case(file) if file.file_stem().is_some_and(|stem| stem == name) => Some(file),
            _ => None,
        });
        let Some(file) = found else { return Ok(None) };
        let case = Case::load(&file, program, &context.tree().path("board"), board);
        let Some(case) = case.map_err(|error| Box::new(Report::of(&error)))? else {
            return Ok(None);
        };
        let images = images(context, (program, name), (&file, &case), listener)?;
        Ok(Some(Rehearsal { file, board: board.to_string(), case, images }))
    }

    /// The names of those of `program`.
    pub fn names(context: &Context<'_>, program: &Program) -> Vec<String> {
        // Its own group reports what is wrong with them.
        let tests = tests(context.tree(), program).unwrap_or_default();
        let cases = tests.iter().filter(|test| matches!(test, Own::Case(_)));
        cases.map(Own::name).collect()
    }

    /// How long it is.
    pub fn duration(&self) -> Time {
        self.case.end
    }

    /// The image of the program itself.
    pub fn image(&self) -> Option<&Image> {
        let own = ("..".to_string(), self.board.clone());
        self.images.get(&own).map(AsRef::as_ref)
    }

    /// Whether it passes with `patches` in the program's images.
    pub fn passes(
        &self,
        context: &Context<'_>,
        patches: &[(u32, Vec<u8>)],
    ) -> Result<bool, Box<Report>> {
        let mut world = world(&self.case, &self.images)?;
        for mote in self.own() {
            for (address, bytes) in patches {
                let patched = world.chip_mut(mote).program(*address, bytes);
                patched.map_err(|error| Box::new(Report::saying(error.to_string())))?;
            }
        }
        self.judge(context, world, &mut |_, _| {})
    }

    /// Whether it passes, and which of `addresses` the program executes meanwhile.
    pub fn passes_by(
        &self,
        context: &Context<'_>,
        addresses: &BTreeSet<u32>,
    ) -> Result<(bool, BTreeSet<u32>), Box<Report>> {
        let mut world = world(&self.case, &self.images)?;
        for mote in self.own() {
            addresses.iter().for_each(|address| world.set_breakpoint(mote, *address, true));
        }
        let mut passed = BTreeSet::new();
        let passes = self.judge(context, world, &mut |world, mote| {
            let pc = world.mote(mote).chip().core().pc();
            world.set_breakpoint(mote, pc, false);
            passed.insert(pc);
        })?;
        Ok((passes, passed))
    }

    fn judge(
        &self,
        context: &Context<'_>,
        world: World,
        at_breakpoint: super::AtBreakpoint<'_>,
    ) -> Result<bool, Box<Report>> {
        let judged = judge(context, (&self.file, &self.board), &self.case, world, at_breakpoint)?;
        Ok(judged.is_none())
    }

    /// The motes that run the program itself on the board.
    fn own(&self) -> impl Iterator<Item = MoteId> {
        let motes = self.case.scenario.motes.iter().zip(0..);
        let own = motes.filter(|(mote, _)| key(mote) == ("..".to_string(), self.board.clone()));
        own.map(|(_, index)| MoteId(index))
    }
}
