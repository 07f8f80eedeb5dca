// SPDX-License-Identifier: MIT OR Apache-2.0
//! Examines a cell: an interrupt at every moment of the stretch, a second one at every moment of
//! the first.

use crate::program::Error;
use crate::rig::{Kept, Stepped};
use crate::{Cell, Failure, Moment, Rig};
use std::collections::{BTreeSet, HashSet};
use std::fmt;

/// What was examined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Instructions of the stretch: the first interrupt was forced before each of them.
    pub boundaries: u64,
    /// Exceptions entered in the stretch: the interrupt was also forced between entry and first
    /// instruction.
    pub entries: u64,
    /// Runs.
    pub runs: u64,
}

/// Moments at a sample's instructions that are always used, however small the sample.
const AROUND: u64 = 12;

/// An interleaving. Moments are counted from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct At {
    /// Moment of the stretch; none in the undisturbed run.
    pub first: Option<u64>,
    /// Moment since the first interrupt became pending, for a second one.
    pub second: Option<u64>,
}

impl At {
    /// Parses what `Display` writes: `17` or `17.4`.
    pub fn parse(text: &str) -> Option<At> {
        let (first, second) = match text.split_once('.') {
            Some((first, second)) => (first, Some(second.parse().ok()?)),
            None => (text, None),
        };
        Some(At { first: Some(first.parse().ok()?), second })
    }
}

/// Which interleavings of a cell are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Every one.
    All,
    /// This one.
    Only(At),
    /// Every n-th moment of the stretch, and each moment of the first interrupt there.
    Part {
        /// One out of this many.
        every: u64,
        /// Which of them.
        phase: u64,
    },
    /// This many moments of the stretch, about evenly spread, and at most the same number of
    /// moments at some instructions, the first ones.
    Sample {
        /// How many.
        count: u64,
        /// Which of the moments between two of them: code common to all stretches is met at a
        /// different moment in each.
        phase: u64,
        /// Addresses of the first and the last of these instructions.
        around: (u32, u32),
    },
}

impl Extent {
    /// Whether an interrupt is to be forced at this moment, before the instruction at `pc`, given
    /// the length of the stretch and how many moments at the sample's instructions were met.
    fn has(self, first: u64, pc: u32, instructions: u64, met: &mut u64) -> bool {
        match self {
            Extent::All => true,
            Extent::Only(at) => at.first == Some(first),
            Extent::Part { every, phase } => first % every.max(1) == phase % every.max(1),
            Extent::Sample { count, phase, around } => {
                let every = instructions.div_ceil(count.max(1)).max(1);
                // A changed loop may meet them without end.
                let close = (around.0..=around.1).contains(&pc) && *met < count.max(AROUND);
                *met += u64::from(close);
                first % every == phase % every || close
            }
        }
    }

    /// Whether this interleaving is one of them, given that its first moment is.
    fn includes(self, at: At) -> bool {
        !matches!(self, Extent::Only(only) if only != at)
    }
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.first, self.second) {
            (Some(first), Some(second)) => write!(f, "{first}.{second}"),
            (Some(first), None) => write!(f, "{first}"),
            (None, _) => f.write_str("undisturbed"),
        }
    }
}

/// A run that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defect {
    /// Which.
    pub at: At,
    /// Where the first interrupt was forced.
    pub first: Option<Moment>,
    /// Where the second one was.
    pub second: Option<Moment>,
    /// What was wrong.
    pub failure: Failure,
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.failure.fmt(f)?;
        if let Some(first) = &self.first {
            write!(f, "\n  interrupt at {first}")?;
        }
        if let Some(second) = &self.second {
            write!(f, "\n  second interrupt at {second}")?;
        }
        Ok(())
    }
}

/// Why a cell was not examined to its end.
#[derive(Debug)]
pub enum Failed {
    /// A run failed.
    Defect(Box<Defect>),
    /// It could not be examined.
    Error(Error),
}

impl From<Error> for Failed {
    fn from(error: Error) -> Failed {
        Failed::Error(error)
    }
}

/// A defect of the stretch itself.
fn undisturbed(failure: Failure) -> Failed {
    Failed::Defect(Box::new(Defect { at: At::default(), first: None, second: None, failure }))
}

impl Rig<'_> {
    /// Runs the stretch of `cell` alone, from where [`Rig::start`] stopped; returns at its
    /// beginning, with the number of its instructions.
    pub fn undisturbed(&mut self, ready: &Kept, cell: &Cell) -> Result<u64, Failed> {
        self.choose(ready, cell)?;
        self.begin().map_err(undisturbed)?;
        let begin = self.keep();
        let traced = self.trace().map_err(undisturbed)?;
        self.finish().map_err(undisturbed)?;
        self.note_undisturbed();
        self.restore(&begin)?;
        Ok(traced)
    }

    /// Runs the stretch of `cell` alone, from where [`Rig::start`] stopped, to its end.
    pub(crate) fn alone(&mut self, ready: &Kept, cell: &Cell) -> Result<(), Failed> {
        self.choose(ready, cell)?;
        self.begin().map_err(undisturbed)?;
        self.finish().map_err(undisturbed)
    }

    /// Examines `cell` from where [`Rig::start`] stopped, up to the first defect. Two interrupts
    /// are forced only where memory, apart from stacks, differs from that at every earlier moment:
    /// handlers see nothing else, so from any other moment both would run as they did from the
    /// earlier one.
    pub fn examine(&mut self, ready: &Kept, cell: &Cell, extent: Extent) -> Result<Count, Failed> {
        let traced = self.undisturbed(ready, cell)?;
        let mut count = Count::default();
        let mut states: BTreeSet<u64> = BTreeSet::new();
        let mut met = 0;
        for moment in 0.. {
            let at = At { first: Some(moment), second: None };
            if extent.has(moment, self.pc(), traced, &mut met) {
                let here = self.keep();
                count.runs += match cell.second {
                    None if extent.includes(at) => self.single(cell, at)?,
                    Some(second) if states.insert(self.state()) => {
                        self.inside((cell.first.level, second.level), at, extent)?
                    }
                    _ => 0,
                };
                self.restore(&here)?;
            }
            let at_end = self.is_at_end();
            match self.step().map_err(undisturbed)? {
                // An exception that is pending there still belongs to the stretch: it is taken
                // before the breakpoint that ends the run at full speed.
                Stepped::Instruction if at_end => break,
                Stepped::Instruction => count.boundaries += 1,
                Stepped::Entry => count.entries += 1,
            }
        }
        if count.boundaries != traced {
            return Err(Error::Count { stepped: count.boundaries, traced }.into());
        }
        Ok(count)
    }

    /// Forces the first interrupt here; returns the number of runs, one.
    fn single(&mut self, cell: &Cell, at: At) -> Result<u64, Failed> {
        let first = (self.pc(), self.chip.cycle().0);
        self.force(cell.first.level);
        match self.finish() {
            Ok(()) => Ok(1),
            Err(failure) => Err(self.defect(at, Some(first), None, failure)),
        }
    }

    /// Forces the first interrupt here, and the second at each moment from there to the first one's
    /// return; returns the number of runs. Where one comes to a state of an earlier one, it ends. `levels` are those of the two.
    fn inside(&mut self, levels: (usize, usize), at: At, extent: Extent) -> Result<u64, Failed> {
        let first = (self.pc(), self.chip.cycle().0);
        let (mut runs, mut entered) = (0, false);
        let mut followed = HashSet::new();
        self.force(levels.0);
        for moment in 0.. {
            entered |= self.is_in(levels.0);
            if entered && !self.is_in(levels.0) {
                break;
            }
            let at = At { second: Some(moment), ..at };
            if extent.includes(at) {
                let here = self.keep();
                let second = (self.pc(), self.chip.cycle().0);
                self.force(levels.1);
                if let Err(failure) = self.finish_if_new(levels.1, &mut followed) {
                    return Err(self.defect(at, Some(first), Some(second), failure));
                }
                runs += 1;
                self.restore(&here)?;
            }
            if let Err(failure) = self.step() {
                return Err(self.defect(at, Some(first), None, failure));
            }
        }
        Ok(runs)
    }

    /// Describes a defect; moments are given as program counter and cycle.
    fn defect(
        &self,
        at: At,
        first: Option<(u32, u64)>,
        second: Option<(u32, u64)>,
        failure: Failure,
    ) -> Failed {
        let moment = |(pc, cycle)| Moment::new(&self.program.image, cycle, pc);
        let (first, second) = (first.map(moment), second.map(moment));
        Failed::Defect(Box::new(Defect { at, first, second, failure }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_every_moment_together() {
        let has = |phase, first| Extent::Part { every: 3, phase }.has(first, 0, 100, &mut 0);
        for first in 0..100 {
            assert_eq!((4..7).filter(|phase| has(*phase, first)).count(), 1, "moment {first}");
        }
    }

    #[test]
    fn an_interleaving_is_read_as_it_is_written() {
        for text in ["17", "17.4"] {
            assert_eq!(At::parse(text).map(|at| at.to_string()).as_deref(), Some(text));
        }
        for text in ["", "x", "1.", "1.2.3", "1.x"] {
            assert_eq!(At::parse(text), None, "{text}");
        }
    }
}
