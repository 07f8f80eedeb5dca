// SPDX-License-Identifier: MIT OR Apache-2.0
//! The mean current of a mote, from a place of a program on.

use super::measure::{power_up, run_to_breakpoint};
use super::plan::Current;
use super::{BenchError, OnWork, Reading, Rig};
use lichen_chip::Time;
use lichen_energy::{Account, Entry, MoteReport, Tables};
use lichen_image::Image;
use lichen_world::World;
use std::sync::Arc;

/// A mote starts within this time.
const START: Time = Time::from_s(1);

impl Rig<'_> {
    /// Microamperes, with everything that is simulated and counts.
    pub(super) fn current(&self, entry: &Current, on_work: OnWork) -> Result<Reading, BenchError> {
        let (image, features) = self.build(&entry.program, on_work)?;
        let mut report = self.account(entry, image)?;
        for part in &entry.less {
            let is_it = |found: &Entry| found.component == *part;
            if !report.entries.iter().any(is_it) {
                return Err(self.wrong(format!("nothing that draws current is called `{part}`")));
            }
            report.entries.retain(|found| !is_it(found));
        }
        let largest: Vec<String> = report
            .entries
            .iter()
            .take(3)
            .map(|entry| format!("{} {} {}", entry.component, entry.state, entry.charge))
            .collect();
        let detail = format!("in {} s: {}", report.time(), largest.join(", "));
        let value = report.mean().na() as f64 / 1e3;
        self.reading(entry.title(), value, "uA", detail, features)
    }

    fn account(&self, entry: &Current, image: Image) -> Result<MoteReport, BenchError> {
        let begin = self.time_of(&entry.from, &image)?;
        let length = Time::from_us((entry.seconds * 1e6) as u64);
        let tables = Tables::load(&self.tree.path("data/current"))
            .map_err(|error| self.wrong(error.to_string()))?;
        let mut account = Account::new(tables);
        let mut world = World::new();
        let mote = world.add(self.board.clone(), Arc::new(image))?;
        world.run(begin, &mut account)?;
        let at = world.mote(mote);
        account.add(at.board(), at.image(), at.chip(), at.running_thread());
        world.tell_details();
        world.tell_activity();
        world.run(begin + length, &mut account)?;
        let reports = account.reports(|_| begin + length);
        reports.into_iter().next().ok_or_else(|| self.wrong("there is no mote"))
    }

    /// When a symbol is reached.
    fn time_of(&self, symbol: &str, image: &Image) -> Result<Time, BenchError> {
        let mut chip = power_up(&self.board, image).map_err(|what| self.wrong(what))?;
        chip.core_mut().set_breakpoint(self.address(image, symbol)?, true);
        run_to_breakpoint(chip.as_mut(), START)
            .ok_or_else(|| self.wrong(format!("`{symbol}` was not reached by {START} s")))?;
        Ok(chip.now())
    }
}
