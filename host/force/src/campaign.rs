// SPDX-License-Identifier: MIT OR Apache-2.0
//! A matrix of cells against mutants of the kernel.
//!
//! Each mutant starts from power-up. Then come the undisturbed stretches, which most do not survive,
//! then one forced interrupt, then two, in the cells whose runs come by the changed instruction. Long
//! stretches, most of which poll a clock, and second interrupts are sampled: it is the unchanged kernel that
//! is examined everywhere.

use crate::program::Error;
use crate::{Cell, Extent, Failed, Mutant, Program, Rig, in_parallel};
use lichen_chip::Snapshot;
use std::collections::BTreeSet;

/// Moments of a stretch at which an interrupt is forced into a mutant.
const SINGLE: u64 = 48;
/// The same for those with a second one in each moment of the first.
const DOUBLE: u64 = 1;
/// Moments at which it is looked which code a cell comes by.
const LOOKS: u64 = 8;

/// What became of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It did not come to where cells are chosen.
    KilledAtStart,
    /// An undisturbed stretch failed.
    KilledUndisturbed,
    /// A cell with one forced interrupt failed; its name.
    KilledBySingle(String),
    /// A cell with two failed; its name.
    KilledByDouble(String),
    /// Nothing failed.
    Survived,
}

/// What executes a changed instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// A cell does, between its begin and its end.
    Cells,
    /// Nothing after start-up.
    Boot,
    /// Nothing at all.
    Nothing,
}

/// Cells, and which addresses they come by.
pub struct Campaign<'a> {
    program: &'a Program,
    cells: &'a [Cell],
    /// Per cell, of the addresses that mutants change.
    reached: Vec<BTreeSet<u32>>,
    /// The same of start-up.
    booted: BTreeSet<u32>,
}

impl<'a> Campaign<'a> {
    /// Finds out which of `cells` come by the instructions that `mutants` change.
    pub fn new(
        program: &'a Program,
        cells: &'a [Cell],
        ready: &Snapshot,
        mutants: &[Mutant],
        progress: &mut dyn FnMut(usize),
    ) -> Result<Campaign<'a>, Error> {
        let changed: BTreeSet<u32> = mutants.iter().map(|mutant| mutant.address).collect();
        let look = |rig: &mut Rig<'_>, index: usize| rig.reached(ready, &cells[index], &changed);
        let reached = in_parallel(cells.len(), || Rig::new(program), look, progress)?;
        let reached = reached.into_iter().collect::<Result<_, _>>()?;
        let booted = Rig::new(program)?.booted(&changed);
        Ok(Campaign { program, cells, reached, booted })
    }

    /// What executes the instruction that `mutant` changes.
    pub fn reach(&self, mutant: &Mutant) -> Reach {
        if self.reached.iter().any(|reached| reached.contains(&mutant.address)) {
            Reach::Cells
        } else if self.booted.contains(&mutant.address) {
            Reach::Boot
        } else {
            Reach::Nothing
        }
    }

    /// Runs the cells on `mutant` until one fails.
    pub fn try_on(&self, mutant: &Mutant) -> Result<Fate, Error> {
        let mut rig = Rig::new(self.program)?;
        rig.chip.program(mutant.address, &mutant.patch)?;
        let ready = match rig.start() {
            Ok(ready) => ready,
            Err(Error::Start { .. }) => return Ok(Fate::KilledAtStart),
            Err(error) => return Err(error),
        };
        if self.kills_undisturbed(&mut rig, &ready)? {
            return Ok(Fate::KilledUndisturbed);
        }
        if let Some(cell) = self.kills(&mut rig, &ready, mutant, false)? {
            return Ok(Fate::KilledBySingle(cell));
        }
        if let Some(cell) = self.kills(&mut rig, &ready, mutant, true)? {
            return Ok(Fate::KilledByDouble(cell));
        }
        Ok(Fate::Survived)
    }

    /// Whether a stretch fails by itself. Cells of one row are the same undisturbed.
    fn kills_undisturbed(&self, rig: &mut Rig<'_>, ready: &Snapshot) -> Result<bool, Error> {
        let mut last = None;
        for cell in self.cells {
            let row = Some((cell.stretch, cell.place));
            if row != last && failed(rig.undisturbed(ready, cell))? {
                return Ok(true);
            }
            last = row;
        }
        Ok(false)
    }

    /// The first cell, of those with one or two interrupts, that fails on a mutant.
    fn kills(
        &self,
        rig: &mut Rig<'_>,
        ready: &Snapshot,
        mutant: &Mutant,
        double: bool,
    ) -> Result<Option<String>, Error> {
        let count = if double { DOUBLE } else { SINGLE };
        let extent = Extent::Sample { count, around: mutant.range() };
        for (cell, reached) in self.cells.iter().zip(&self.reached) {
            let concerns = cell.second.is_some() == double && reached.contains(&mutant.address);
            if concerns && failed(rig.examine(ready, cell, extent))? {
                return Ok(Some(cell.name.clone()));
            }
        }
        Ok(None)
    }
}

/// Whether a run was not as it should be.
fn failed<T>(result: Result<T, Failed>) -> Result<bool, Error> {
    match result {
        Ok(_) => Ok(false),
        Err(Failed::Defect(_)) => Ok(true),
        Err(Failed::Error(error)) => Err(error),
    }
}

impl Rig<'_> {
    /// Which of `addresses` are executed from power-up to where cells are chosen.
    fn booted(&mut self, addresses: &BTreeSet<u32>) -> BTreeSet<u32> {
        let mut booted = BTreeSet::new();
        self.chip.power_on();
        self.walk(addresses, &mut booted, self.program.places.ready);
        booted
    }

    /// Which of `addresses` are executed in some runs of `cell`, between its begin and its end.
    fn reached(
        &mut self,
        ready: &Snapshot,
        cell: &Cell,
        addresses: &BTreeSet<u32>,
    ) -> Result<BTreeSet<u32>, Error> {
        let mut reached = BTreeSet::new();
        let instructions = match self.undisturbed(ready, cell) {
            Ok(instructions) => instructions,
            // The matrix itself tells what is wrong with it.
            Err(Failed::Defect(_)) => return Ok(reached),
            Err(Failed::Error(error)) => return Err(error),
        };
        let every = (instructions / LOOKS).max(1);
        for moment in 0.. {
            if self.is_at_end() {
                break;
            }
            if moment % every == 0 {
                let here = self.chip.snapshot();
                self.force(cell.first.level);
                self.walk(addresses, &mut reached, self.program.places.end);
                self.chip.restore(&here)?;
            }
            if self.step().is_err() {
                break;
            }
        }
        Ok(reached)
    }

    /// Steps to `end` and notes which of `addresses` it comes by.
    fn walk(&mut self, addresses: &BTreeSet<u32>, reached: &mut BTreeSet<u32>, end: u32) {
        while self.pc() != end {
            let pc = self.pc();
            if addresses.contains(&pc) {
                reached.insert(pc);
            }
            if self.step().is_err() {
                return;
            }
        }
    }
}
