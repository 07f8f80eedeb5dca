// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random histories of storage: calls on logs, volumes and a counter, over a medium that fails.
//!
//! The program (`test/model/storage`) has its medium in RAM. A fault of an operation is told to it
//! before the call in which it happens. When power is cut, the pages are kept and the program
//! starts again, so nothing else survives.

mod call;
mod compare;
mod step;

pub use call::{Call, Fault};
pub use compare::Difference;
pub use step::{KINDS, Kind, Step};

use crate::search::{Trial, search_in};
use crate::{Count, Failure, Mote, Stopped};

/// Compares `cases` histories of `steps` steps, determined by the seed, of the kind with an index
/// in [`KINDS`].
pub fn search(
    mote: &mut Mote<'_>,
    kind: usize,
    seed: u64,
    cases: u32,
    steps: usize,
) -> Result<Count, Failure<Difference>> {
    search_in(&step::histories(KINDS[kind], steps), &mut Calls { mote }, seed, cases)
}

struct Calls<'a, 'b> {
    mote: &'a mut Mote<'b>,
}

impl Trial for Calls<'_, '_> {
    type Drawn = Vec<Step>;
    type Step = Step;
    type Difference = Difference;

    fn history(drawn: &Vec<Step>) -> Vec<Step> {
        drawn.clone()
    }

    fn compare(
        &mut self,
        history: &[Step],
        _: Option<&Vec<Step>>,
    ) -> Result<Count, Stopped<Difference>> {
        compare::compare(self.mote, history)
    }
}
