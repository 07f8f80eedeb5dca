// SPDX-License-Identifier: MIT OR Apache-2.0
//! A matrix of cells against mutants of the kernel.
//!
//! A mutant is tried in [`Stage`]s. The first needs no interrupt, and few mutants survive it. Later
//! ones force one interrupt, then two, in the cells whose runs execute the changed instruction. A
//! mutant of start-up code starts from power-up; the others are patched into a program that is
//! ready already.

use crate::program::Error;
use crate::rig::Kept;
use crate::{Cell, Count, Extent, Failed, Mutant, Program, Rig};
use lichen_parallel::in_parallel;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU32, Ordering};

/// Moments of a stretch at which [`Stage::Few`] forces an interrupt.
const FEW: u64 = 6;
/// Moments of a stretch at which an interrupt is forced in each cell.
const SINGLE: u64 = 24;
/// The same for cells with a second interrupt at each moment of the first.
const DOUBLE: u64 = 1;
/// Moments at which a cell that was not examined before is run to see which code it executes.
const SAMPLES: u64 = 32;

/// A way of noticing a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The start, and each stretch by itself.
    Undisturbed,
    /// One interrupt in this many cells, at a few moments and at the changed instruction.
    Few(usize),
    /// One interrupt in each cell, at a sample of moments and at the changed instruction.
    Single,
    /// Two interrupts in each cell: the first at one moment and at the changed instruction, the second
    /// at each moment of the first.
    Double,
    /// One interrupt in each cell, at about this many moments in total, or at all if there are
    /// fewer.
    Thorough(u64),
}

/// The fate of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It did not reach the place where cells are chosen.
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
    /// Runs with forced interrupts in cells that execute it.
    pub runs: u64,
    /// Whether they were all runs with one interrupt, once it was tried thoroughly.
    pub all: bool,
}

/// What executes a changed instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// A cell, between its beginning and its end.
    Cells,
    /// Only start-up.
    Boot,
    /// Nothing.
    Nothing,
}

/// Which addresses a cell executes, and how many instructions its stretch has.
#[derive(Clone, Debug, Default)]
pub struct Reached {
    /// Those of the requested addresses that it executes.
    pub addresses: BTreeSet<u32>,
    /// Of these, those of the undisturbed stretch.
    pub undisturbed: BTreeSet<u32>,
    /// Instructions of the undisturbed stretch.
    pub instructions: u64,
}

/// Cells, and the addresses that they execute.
pub struct Campaign<'a> {
    program: &'a Program,
    cells: &'a [Cell],
    /// Per cell, of the basic blocks that mutants change.
    reached: &'a [Reached],
    /// How many mutants each cell has noticed.
    kills: Vec<AtomicU32>,
    /// The chip before power-up, and where cells are chosen.
    off: Kept,
    ready: &'a Kept,
    /// The blocks of start-up.
    booted: BTreeSet<u32>,
}

impl<'a> Campaign<'a> {
    /// `reached` says what each of `cells` executes; `changed` are the basic blocks of the mutants
    /// to be tried.
    pub fn new(
        program: &'a Program,
        cells: &'a [Cell],
        ready: &'a Kept,
        reached: &'a [Reached],
        changed: &BTreeSet<u32>,
    ) -> Result<Campaign<'a>, Error> {
        let mut rig = Rig::new(program)?;
        let off = rig.keep();
        let booted = rig.booted(changed);
        let kills = cells.iter().map(|_| AtomicU32::new(0)).collect();
        Ok(Campaign { program, cells, reached, kills, off, ready, booted })
    }

    /// What executes the instruction that `mutant` changes.
    pub fn reach(&self, mutant: &Mutant) -> Reach {
        if self.reached.iter().any(|reached| reached.addresses.contains(&mutant.leader)) {
            Reach::Cells
        } else if self.booted.contains(&mutant.leader) {
            Reach::Boot
        } else {
            Reach::Nothing
        }
    }

    /// A chip to try mutants on.
    pub fn rig(&self) -> Result<Rig<'a>, Error> {
        Rig::new(self.program)
    }

    /// Runs the cells of `stage` on `mutant` until one fails.
    pub fn try_on(&self, rig: &mut Rig<'_>, mutant: &Mutant, stage: Stage) -> Result<Fate, Error> {
        let mut met = Met::default();
        if self.reach(mutant) == Reach::Nothing {
            return Ok(Fate::Survived(met));
        }
        let ready = match self.prepare(rig, mutant) {
            Ok(ready) => ready,
            Err(Error::Start { .. }) => return Ok(Fate::KilledAtStart),
            Err(error) => return Err(error),
        };
        if stage == Stage::Undisturbed {
            let killed = self.kills_undisturbed(rig, &ready, mutant)?;
            return Ok(if killed { Fate::KilledUndisturbed } else { Fate::Survived(met) });
        }
        let mut trial = Trial { rig, ready: &ready, mutant, met: &mut met };
        let killer = match stage {
            Stage::Undisturbed => None,
            Stage::Few(cells) => self.kills(&mut trial, false, FEW, cells)?,
            Stage::Single => self.kills(&mut trial, false, SINGLE, usize::MAX)?,
            Stage::Double => self.kills(&mut trial, true, DOUBLE, usize::MAX)?,
            Stage::Thorough(runs) => {
                let (cells, moments) = self.moments(mutant);
                trial.met.all = moments <= runs;
                let count = if trial.met.all { u64::MAX } else { runs / cells.max(1) };
                self.kills(&mut trial, false, count, usize::MAX)?
            }
        };
        Ok(match killer {
            Some(cell) if stage == Stage::Double => Fate::KilledByDouble(cell),
            Some(cell) => Fate::KilledBySingle(cell),
            None => Fate::Survived(met),
        })
    }

    /// Changes the program, and runs it to where cells are chosen.
    fn prepare(&self, rig: &mut Rig<'_>, mutant: &Mutant) -> Result<Kept, Error> {
        let starts = self.booted.contains(&mutant.leader);
        rig.restore(if starts { &self.off } else { self.ready })?;
        for (address, bytes) in &mutant.patches {
            rig.chip.program(*address, bytes)?;
        }
        if starts { rig.start() } else { Ok(rig.keep()) }
    }

    /// How many cells with one interrupt execute a mutant, and how many moments their stretches
    /// have.
    fn moments(&self, mutant: &Mutant) -> (u64, u64) {
        let cells = self.concerned(mutant, false);
        let moments = cells.iter().map(|index| self.reached[*index].instructions).sum();
        (cells.len() as u64, moments)
    }

    /// Cells with one or two interrupts that execute a mutant.
    fn concerned(&self, mutant: &Mutant, double: bool) -> Vec<usize> {
        let concerned = |index: &usize| {
            self.cells[*index].second.is_some() == double
                && self.reached[*index].addresses.contains(&mutant.leader)
        };
        (0..self.cells.len()).filter(concerned).collect()
    }

    /// Whether a stretch fails by itself. The cells of a row are the same when undisturbed. Those
    /// that do not execute the mutant cannot differ, unless start-up has left a different state.
    fn kills_undisturbed(
        &self,
        rig: &mut Rig<'_>,
        ready: &Kept,
        mutant: &Mutant,
    ) -> Result<bool, Error> {
        let row = |index: usize| self.cells[index].row();
        let begins = |index: &usize| *index == 0 || row(*index) != row(*index - 1);
        let comes_by = |index: &usize| self.reached[*index].undisturbed.contains(&mutant.leader);
        let (first, others): (Vec<usize>, Vec<usize>) =
            (0..self.cells.len()).filter(begins).partition(comes_by);
        let started = self.booted.contains(&mutant.leader);
        let others = others.into_iter().filter(|_| started);
        for index in self.by_kills(first).into_iter().chain(others) {
            if failed(rig.alone(ready, &self.cells[index]))? {
                self.kills[index].fetch_add(1, Ordering::Relaxed);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The first of these cells, with one or two interrupts, that fails on a mutant when the first
    /// interrupt comes at this many moments.
    fn kills(
        &self,
        trial: &mut Trial<'_, '_>,
        double: bool,
        count: u64,
        cells: usize,
    ) -> Result<Option<String>, Error> {
        let around = trial.mutant.range();
        let concerned = spread(self.concerned(trial.mutant, double), cells);
        for index in self.by_kills(concerned) {
            let (cell, phase) = (&self.cells[index], index as u64);
            let extent = Extent::Sample { count, phase, around };
            match trial.rig.examine(trial.ready, cell, extent) {
                Ok(count) => trial.met.runs += count.runs,
                Err(Failed::Defect(_)) => {
                    self.kills[index].fetch_add(1, Ordering::Relaxed);
                    return Ok(Some(cell.name.clone()));
                }
                Err(Failed::Error(error)) => return Err(error),
            }
        }
        Ok(None)
    }

    /// The same cells, those first that have noticed most so far. The order only affects how soon a
    /// mutant is noticed.
    fn by_kills(&self, mut cells: Vec<usize>) -> Vec<usize> {
        let kills = |index: &usize| self.kills[*index].load(Ordering::Relaxed);
        cells.sort_by_cached_key(|index| (std::cmp::Reverse(kills(index)), *index));
        cells
    }
}

/// About this many of `all`, evenly spread.
fn spread(all: Vec<usize>, count: usize) -> Vec<usize> {
    let every = all.len().div_ceil(count).max(1);
    all.into_iter().step_by(every).collect()
}

/// A mutant that is being tried.
struct Trial<'t, 'p> {
    rig: &'t mut Rig<'p>,
    ready: &'t Kept,
    mutant: &'t Mutant,
    met: &'t mut Met,
}

/// Which of `addresses` each of `cells` executes, in a sample of its runs.
pub fn look(
    program: &Program,
    cells: &[Cell],
    ready: &Kept,
    addresses: &BTreeSet<u32>,
    progress: &mut dyn FnMut(usize),
) -> Result<Vec<Reached>, Error> {
    let look = |rig: &mut Rig<'_>, index: usize| {
        let count = if cells[index].second.is_some() { DOUBLE } else { SAMPLES };
        let extent = Extent::Sample { count, phase: index as u64, around: (0, 0) };
        let (result, reached) = rig.examine_watching(ready, &cells[index], extent, addresses);
        match result {
            // The matrix itself reports what is wrong with it.
            Ok(_) | Err(Failed::Defect(_)) => Ok(reached),
            Err(Failed::Error(error)) => Err(error),
        }
    };
    let reached = in_parallel(cells.len(), || Rig::new(program), look, progress)?;
    reached.into_iter().collect()
}

/// Whether a run failed.
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
        // A mutant that does not start is noticed by that.
        let _ = self.start();
        self.unwatch()
    }

    /// Examines `cell`, and returns which of `addresses` its runs execute.
    pub fn examine_watching(
        &mut self,
        ready: &Kept,
        cell: &Cell,
        extent: Extent,
        addresses: &BTreeSet<u32>,
    ) -> (Result<Count, Failed>, Reached) {
        self.watch(addresses);
        let result = self.examine(ready, cell, extent);
        let instructions = result.as_ref().map_or(0, |count| count.boundaries);
        let undisturbed = std::mem::take(&mut self.undisturbed);
        (result, Reached { addresses: self.unwatch(), undisturbed, instructions })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_of_many_are_spread_over_all_of_them() {
        assert_eq!(spread((0..10).collect(), 4), [0, 3, 6, 9]);
        assert_eq!(spread((0..3).collect(), 4), [0, 1, 2]);
        assert_eq!(spread((0..3).collect(), usize::MAX), [0, 1, 2]);
    }
}
