// SPDX-License-Identifier: MIT OR Apache-2.0
//! A matrix of cells against mutants of the kernel.
//!
//! Each mutant starts from power-up. Then come the undisturbed stretches, which most do not survive,
//! then one forced interrupt, then two, in the cells whose runs come by the changed instruction, at a sample of
//! moments. One that survives these meets more of them, all if there are few enough.

use crate::program::Error;
use crate::{Cell, Count, Extent, Failed, Mutant, Program, Rig, in_parallel};
use lichen_chip::Snapshot;
use std::collections::BTreeSet;

/// Moments of a stretch at which an interrupt is forced into a mutant at first.
const SINGLE: u64 = 24;
/// The same for those with a second one in each moment of the first.
const DOUBLE: u64 = 1;
/// Moments at which it is looked which code a cell comes by, if it was not examined before.
const LOOKS: u64 = 32;

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
    Survived(Met),
}

/// What a mutant has survived.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Met {
    /// Runs with forced interrupts in cells that come by it.
    pub runs: u64,
    /// Whether they were all that there are with one interrupt, once it was tried thoroughly.
    pub all: bool,
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

/// Which addresses a cell comes by, and how many instructions its stretch has.
#[derive(Clone, Debug, Default)]
pub struct Reached {
    /// Of the addresses that were asked for.
    pub addresses: BTreeSet<u32>,
    /// Those of the undisturbed stretch.
    pub instructions: u64,
}

/// Cells, and which addresses they come by.
pub struct Campaign<'a> {
    program: &'a Program,
    cells: &'a [Cell],
    /// Per cell, of the addresses that mutants change.
    reached: &'a [Reached],
    /// The same of start-up.
    booted: BTreeSet<u32>,
}

impl<'a> Campaign<'a> {
    /// Of `cells` it is known what they have `reached`; `mutants` are those that will be tried.
    pub fn new(
        program: &'a Program,
        cells: &'a [Cell],
        reached: &'a [Reached],
        mutants: &[Mutant],
    ) -> Result<Campaign<'a>, Error> {
        let changed = mutants.iter().map(|mutant| mutant.address).collect();
        let booted = Rig::new(program)?.booted(&changed);
        Ok(Campaign { program, cells, reached, booted })
    }

    /// What executes the instruction that `mutant` changes.
    pub fn reach(&self, mutant: &Mutant) -> Reach {
        if self.reached.iter().any(|reached| reached.addresses.contains(&mutant.address)) {
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
        let mut met = Met { runs: 0, all: true };
        let mut trial = Trial { rig: &mut rig, ready: &ready, mutant, met: &mut met };
        if let Some(cell) = self.kills(&mut trial, false, SINGLE)? {
            return Ok(Fate::KilledBySingle(cell));
        }
        if let Some(cell) = self.kills(&mut trial, true, DOUBLE)? {
            return Ok(Fate::KilledByDouble(cell));
        }
        Ok(Fate::Survived(met))
    }

    /// Runs the cells that come by `mutant` on it with one interrupt, at about so many moments in all, or at
    /// each if there are no more. For one that has survived [`Campaign::try_on`].
    pub fn try_thoroughly(&self, mutant: &Mutant, runs: u64) -> Result<Fate, Error> {
        let (cells, moments) = self.moments(mutant);
        let all = moments <= runs;
        let count = if all { u64::MAX } else { runs / cells.max(1) };
        let mut met = Met { runs: 0, all };
        let mut rig = Rig::new(self.program)?;
        rig.chip.program(mutant.address, &mutant.patch)?;
        let ready = rig.start()?;
        let mut trial = Trial { rig: &mut rig, ready: &ready, mutant, met: &mut met };
        Ok(match self.kills(&mut trial, false, count)? {
            Some(cell) => Fate::KilledBySingle(cell),
            None => Fate::Survived(met),
        })
    }

    /// How many cells with one interrupt come by a mutant, and how many moments their stretches have.
    fn moments(&self, mutant: &Mutant) -> (u64, u64) {
        let cells = self.concerned(mutant, false).map(|(_, reached)| reached.instructions);
        cells.fold((0, 0), |(cells, moments), instructions| (cells + 1, moments + instructions))
    }

    /// Cells with one or two interrupts that come by a mutant.
    fn concerned(&self, mutant: &Mutant, double: bool) -> impl Iterator<Item = (&Cell, &Reached)> {
        let address = mutant.address;
        self.cells.iter().zip(self.reached).filter(move |(cell, reached)| {
            cell.second.is_some() == double && reached.addresses.contains(&address)
        })
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

    /// The first cell, of those with one or two interrupts, that fails on a mutant when the first comes at so
    /// many moments.
    fn kills(
        &self,
        trial: &mut Trial<'_, '_>,
        double: bool,
        count: u64,
    ) -> Result<Option<String>, Error> {
        let around = trial.mutant.range();
        for (phase, (cell, _)) in (0..).zip(self.concerned(trial.mutant, double)) {
            let extent = Extent::Sample { count, phase, around };
            match trial.rig.examine(trial.ready, cell, extent) {
                Ok(count) => trial.met.runs += count.runs,
                Err(Failed::Defect(_)) => return Ok(Some(cell.name.clone())),
                Err(Failed::Error(error)) => return Err(error),
            }
        }
        Ok(None)
    }
}

/// A mutant that is being tried.
struct Trial<'t, 'p> {
    rig: &'t mut Rig<'p>,
    ready: &'t Snapshot,
    mutant: &'t Mutant,
    met: &'t mut Met,
}

/// Which of `addresses` each of `cells` comes by, in a sample of its runs.
pub fn look(
    program: &Program,
    cells: &[Cell],
    ready: &Snapshot,
    addresses: &BTreeSet<u32>,
    progress: &mut dyn FnMut(usize),
) -> Result<Vec<Reached>, Error> {
    let look = |rig: &mut Rig<'_>, index: usize| {
        let count = if cells[index].second.is_some() { DOUBLE } else { LOOKS };
        let extent = Extent::Sample { count, phase: index as u64, around: (0, 0) };
        let (result, reached) = rig.examine_watching(ready, &cells[index], extent, addresses);
        match result {
            // The matrix itself tells what is wrong with it.
            Ok(_) | Err(Failed::Defect(_)) => Ok(reached),
            Err(Failed::Error(error)) => Err(error),
        }
    };
    let reached = in_parallel(cells.len(), || Rig::new(program), look, progress)?;
    reached.into_iter().collect()
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
        self.watch(addresses);
        // One that does not start is killed by that.
        let _ = self.start();
        self.unwatch()
    }

    /// Examines `cell`, and tells which of `addresses` its runs come by.
    pub fn examine_watching(
        &mut self,
        ready: &Snapshot,
        cell: &Cell,
        extent: Extent,
        addresses: &BTreeSet<u32>,
    ) -> (Result<Count, Failed>, Reached) {
        self.watch(addresses);
        let result = self.examine(ready, cell, extent);
        let instructions = result.as_ref().map_or(0, |count| count.boundaries);
        (result, Reached { addresses: self.unwatch(), instructions })
    }
}
