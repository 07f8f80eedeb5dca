// SPDX-License-Identifier: MIT OR Apache-2.0
//! The mean current of a mote, from a place of a program on.

use super::motes::{Others, seconds};
use super::{BenchError, Nobody, OnWork, Reading, Rig};
use lichen_chip::Time;
use lichen_energy::{Account, Charge, Entry, MoteReport, Tables};
use lichen_image::Image;
use lichen_world::Halt;
use serde::Deserialize;
use std::sync::Arc;

/// The mean current of a mote from a symbol on.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Current {
    /// The figure that it is a value of.
    pub id: Option<String>,
    /// A text, if it is printed beside the figure before it.
    pub beside: Option<String>,
    /// The boards that it is measured on, if not all of the plan.
    pub boards: Option<Vec<String>>,
    /// Folder of the program, beside the file.
    pub program: String,
    /// What other motes run, all in reach of each other.
    #[serde(default)]
    pub with: Vec<String>,
    /// Folder of a program whose current does not count, from its own symbol `from` on.
    pub without: Option<String>,
    /// Symbol at which the account begins.
    pub from: String,
    /// Its length in simulated seconds.
    pub seconds: f64,
    /// Symbol that is reached once in each of several actions: then it is the charge of one of them.
    pub each: Option<String>,
    /// Parts that do not count.
    #[serde(default)]
    pub less: Vec<String>,
}

/// A mote starts within this time.
const START: Time = Time::from_s(1);

/// What a program drew, and how often it reached a symbol meanwhile.
struct Drawn {
    report: MoteReport,
    passes: u64,
}

impl Rig<'_> {
    /// Microamperes, with everything that is simulated and counts; or the charge of one action, in microcoulombs.
    pub(super) fn current(&self, entry: &Current, on_work: OnWork) -> Result<Reading, BenchError> {
        let (image, features) = self.build(&entry.program, on_work)?;
        let others = self.others(&entry.with, on_work)?;
        let Drawn { report, passes } = self.drawn(entry, &others, image, entry.each.as_deref())?;
        let base = entry.without.as_ref().map(|program| {
            let (image, _) = self.build(program, on_work)?;
            Ok::<_, BenchError>(self.drawn(entry, &others, image, None)?.report)
        });
        let base = base.transpose()?.unwrap_or_default();
        let charge = report.charge().0.saturating_sub(base.charge().0);
        let (value, unit, detail) = match &entry.each {
            None => (microamperes(Charge(charge), report.time()), "uA", String::new()),
            Some(_) => {
                let one = Charge(charge / u128::from(passes.max(1)));
                let detail = format!("{passes} times ");
                (one.pc() as f64 / 1e6, "uC", detail)
            }
        };
        let detail = format!("{detail}in {} s: {}", report.time(), largest(&report, &base));
        self.reading(entry.title(), value, unit, detail, features)
    }

    /// What `image` draws, without the parts that do not count.
    fn drawn(
        &self,
        entry: &Current,
        others: &Others,
        image: Image,
        each: Option<&str>,
    ) -> Result<Drawn, BenchError> {
        let mut drawn = self.account(entry, others, Arc::new(image), each)?;
        if let (Some(symbol), 0) = (each, drawn.passes) {
            return Err(self.wrong(format!("`{symbol}` was not reached")));
        }
        let entries = &mut drawn.report.entries;
        for part in &entry.less {
            let is_it = |found: &Entry| found.component == *part;
            if !entries.iter().any(is_it) {
                return Err(self.wrong(format!("nothing that draws current is called `{part}`")));
            }
            entries.retain(|found| !is_it(found));
        }
        Ok(drawn)
    }

    fn account(
        &self,
        entry: &Current,
        others: &Others,
        image: Arc<Image>,
        each: Option<&str>,
    ) -> Result<Drawn, BenchError> {
        let begin = self.time_of(&entry.from, others, &image)?;
        let end = begin + seconds(entry.seconds);
        let each = each.map(|symbol| self.address(&image, symbol)).transpose()?;
        let tables = Tables::load(&self.tree.path("data/current"))
            .map_err(|error| self.wrong(error.to_string()))?;
        let mut account = Account::new(tables);
        let (mut world, mote) = others.world(image)?;
        world.run(begin, &mut account)?;
        let at = world.mote(mote);
        account.add(at.board(), at.image(), at.chip(), at.running_thread().as_deref());
        world.tell_details();
        world.tell_activity();
        if let Some(address) = each {
            world.set_breakpoint(mote, address, true);
        }
        let mut passes = 0;
        while let Halt::Breakpoint(_) = world.run(end, &mut account)? {
            passes += 1;
            world.step(mote, end, &mut account)?;
        }
        let report = account.reports(|_| end).into_iter().next();
        Ok(Drawn { report: report.ok_or_else(|| self.wrong("there is no mote"))?, passes })
    }

    /// When a symbol is reached.
    fn time_of(
        &self,
        symbol: &str,
        others: &Others,
        image: &Arc<Image>,
    ) -> Result<Time, BenchError> {
        let address = self.address(image, symbol)?;
        let (mut world, mote) = others.world(Arc::clone(image))?;
        world.set_breakpoint(mote, address, true);
        match world.run(START, &mut Nobody)? {
            Halt::Breakpoint(_) => Ok(world.mote(mote).chip().now()),
            _ => Err(self.wrong(format!("`{symbol}` was not reached by {START} s"))),
        }
    }
}

fn microamperes(charge: Charge, time: Time) -> f64 {
    charge.mean(time).na() as f64 / 1e3
}

/// What drew most, beyond what it drew in `base`.
fn largest(report: &MoteReport, base: &MoteReport) -> String {
    let before = |entry: &Entry| {
        let same =
            |other: &&Entry| (&other.component, other.state) == (&entry.component, entry.state);
        base.entries.iter().find(same).map_or(0, |entry| entry.charge.0)
    };
    let beyond = |entry: &Entry| Charge(entry.charge.0.saturating_sub(before(entry)));
    let mut entries: Vec<(Charge, &Entry)> =
        report.entries.iter().map(|entry| (beyond(entry), entry)).collect();
    entries.sort_by_key(|(charge, _)| std::cmp::Reverse(*charge));
    let text = |(charge, entry): &(Charge, &Entry)| {
        format!("{} {} {charge}", entry.component, entry.state)
    };
    entries.iter().take(3).map(text).collect::<Vec<_>>().join(", ")
}
