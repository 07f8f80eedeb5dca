// SPDX-License-Identifier: MIT OR Apache-2.0
//! Processor time of an operation that sleeps while a peripheral works, and the time that it takes in all. The
//! mote has the devices of its board, and may talk to others.

use super::motes::Others;
use super::plan::{Pick, Title};
use super::{BenchError, Nobody, OnWork, Reading, Rig};
use lichen_chip::Time;
use lichen_observe::Profile;
use lichen_world::{Halt, MoteId, World};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Processor time of an operation during which the processor may sleep, and the time that it takes.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Busy {
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
    /// Folder of a program whose value is subtracted.
    pub without: Option<String>,
    /// Symbol at which the operation begins.
    pub from: String,
    /// Symbol at which it ends.
    pub to: String,
    /// What of it is the value.
    #[serde(default)]
    pub of: BusyOf,
    /// Which of the passes counts; the mean of all, if it does not say so.
    pub pick: Option<Pick>,
    /// Passes that are counted.
    #[serde(default = "super::plan::default_passes")]
    pub passes: usize,
    /// Passes before them, in which the program settles.
    #[serde(default = "super::plan::default_skip")]
    pub skip: usize,
    /// Simulated seconds within which all of them must have happened.
    #[serde(default = "super::plan::default_seconds")]
    pub seconds: f64,
}

/// What of an operation is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BusyOf {
    /// Processor time.
    #[default]
    Processor,
    /// The same in cycles.
    Cycles,
    /// The time that it takes.
    Time,
}

/// Functions that are named.
const NAMED: usize = 8;
/// What a profile calls the processor's sleep.
const ASLEEP: &str = "asleep";

/// Cycles of each function, without those of what it calls.
type Functions = BTreeMap<String, u64>;

/// The processor at the begin of a pass, or what has been added since.
#[derive(Clone, Debug, Default)]
struct Spent {
    time: Time,
    asleep: Time,
    functions: Functions,
}

impl Spent {
    /// What a plan asks for, in its unit.
    fn of(&self, of: BusyOf) -> f64 {
        match of {
            BusyOf::Processor => (self.time - self.asleep).as_s() * 1e6,
            BusyOf::Cycles => self.functions.values().sum::<u64>() as f64,
            BusyOf::Time => self.time.as_s() * 1e6,
        }
    }

    fn since(mut self, before: &Spent) -> Spent {
        for (name, cycles) in &mut self.functions {
            *cycles -= before.functions.get(name).copied().unwrap_or(0);
        }
        Spent { time: self.time - before.time, asleep: self.asleep - before.asleep, ..self }
    }
}

/// A mote that makes passes.
struct Passes {
    world: World,
    mote: MoteId,
    profile: Arc<Mutex<Profile>>,
    from: u32,
    to: u32,
    end: Time,
}

impl Passes {
    /// The next pass; none if there is none by the end.
    fn next(&mut self) -> Result<Option<Spent>, BenchError> {
        let mut begun = None;
        while let Halt::Breakpoint(_) = self.world.run(self.end, &mut Nobody)? {
            let pc = self.world.mote(self.mote).chip().core().pc();
            let now = self.spent();
            self.world.step(self.mote, self.end, &mut Nobody)?;
            match begun.take() {
                Some(begun) if pc == self.to => return Ok(Some(now.since(&begun))),
                _ if pc == self.from => begun = Some(now),
                before => begun = before,
            }
        }
        Ok(None)
    }

    fn spent(&self) -> Spent {
        let chip = self.world.mote(self.mote).chip();
        let profile = self.profile.lock().unwrap_or_else(PoisonError::into_inner);
        let functions = profile.tree().functions().into_iter();
        let functions = functions.filter(|function| function.name != ASLEEP);
        let functions = functions.map(|function| (function.name, function.own));
        Spent { time: chip.now(), asleep: chip.time_asleep(), functions: functions.collect() }
    }
}

impl BusyOf {
    fn unit(self) -> &'static str {
        match self {
            BusyOf::Processor | BusyOf::Time => "us",
            BusyOf::Cycles => "cycles",
        }
    }

    /// What is printed below it, and its title.
    fn beside(self) -> (BusyOf, &'static str) {
        match self {
            BusyOf::Processor | BusyOf::Cycles => (BusyOf::Time, "time in all"),
            BusyOf::Time => (BusyOf::Processor, "processor time"),
        }
    }
}

impl Rig<'_> {
    /// What the passes take; then what else is known of them. Or what they take more than those of another program.
    pub(super) fn busy(&self, entry: &Busy, on_work: OnWork) -> Result<Vec<Reading>, BenchError> {
        let others = self.others(&entry.with, on_work)?;
        let (passes, features) = self.busy_passes(entry, &entry.program, &others, on_work)?;
        let (value, unit) = (middle(&passes, entry.pick, entry.of), entry.of.unit());
        if let Some(program) = &entry.without {
            let (base, _) = self.busy_passes(entry, program, &others, on_work)?;
            let base_value = middle(&base, entry.pick, entry.of);
            let detail = format!("{value:.0} without {base_value:.0}: {}", more(&passes, &base));
            let more = value - base_value;
            return Ok(vec![self.reading(entry.title(), more, unit, detail, features)?]);
        }
        let (beside, title) = entry.of.beside();
        let other = middle(&passes, entry.pick, beside);
        let title = Some(Title::Beside(title.to_string()));
        let between = format!("{} to {}, {} passes", entry.from, entry.to, passes.len());
        Ok(vec![
            self.reading(entry.title(), value, unit, most(&passes), features.clone())?,
            self.reading(title, other, beside.unit(), between, features)?,
        ])
    }

    /// The passes of `program` that count, and the parts of the kernel in it.
    fn busy_passes(
        &self,
        entry: &Busy,
        program: &str,
        others: &Others,
        on_work: OnWork,
    ) -> Result<(Vec<Spent>, Vec<String>), BenchError> {
        let (image, features) = self.build(program, on_work)?;
        let image = Arc::new(image);
        let (from, to) = (self.address(&image, &entry.from)?, self.address(&image, &entry.to)?);
        let profile = Arc::new(Mutex::new(Profile::new(Arc::clone(&image))));
        let (mut world, mote) = others.world(image)?;
        world.observe(mote, profile.clone());
        [from, to].into_iter().for_each(|address| world.set_breakpoint(mote, address, true));
        let end = Time::from_us((entry.seconds * 1e6) as u64);
        let mut passes = Passes { world, mote, profile, from, to, end };
        let mut counted = Vec::new();
        while counted.len() < entry.skip + entry.passes {
            counted.push(passes.next()?.ok_or_else(|| {
                let (from, to, seconds) = (&entry.from, &entry.to, entry.seconds);
                let count = counted.len();
                self.wrong(format!(
                    "only {count} passes from {from} to {to} in {seconds} s of simulated time"
                ))
            })?);
        }
        Ok((counted.split_off(entry.skip), features))
    }
}

/// The mean of the passes, or what is picked from them.
fn middle(passes: &[Spent], pick: Option<Pick>, of: BusyOf) -> f64 {
    let values: Vec<f64> = passes.iter().map(|pass| pass.of(of)).collect();
    let mean = || values.iter().sum::<f64>() / values.len().max(1) as f64;
    pick.and_then(|pick| pick.of(&values)).unwrap_or_else(mean)
}

/// The functions that take most of the processor's cycles, in the mean.
fn most(passes: &[Spent]) -> String {
    let means = means(passes);
    let all: u64 = means.values().sum();
    let means = means.into_iter().map(|(name, cycles)| (cycles as i64, name));
    format!("{all} cycles: {}, ...", named(means.collect()))
}

/// The functions that take most cycles more than in `base`, or less.
fn more(passes: &[Spent], base: &[Spent]) -> String {
    let (means, base) = (means(passes), means(base));
    let of = |means: &Functions, name: &String| means.get(name).copied().unwrap_or(0) as i64;
    let mut names: Vec<&String> = means.keys().chain(base.keys()).collect();
    names.sort();
    names.dedup();
    let more = names.into_iter().map(|name| (of(&means, name) - of(&base, name), name.clone()));
    named(more.filter(|(cycles, _)| *cycles != 0).collect())
}

/// Cycles of the functions, in the mean.
fn means(passes: &[Spent]) -> Functions {
    let mut sums = Functions::new();
    for (name, cycles) in passes.iter().flat_map(|pass| &pass.functions) {
        *sums.entry(name.clone()).or_default() += cycles;
    }
    let count = passes.len().max(1) as u64;
    sums.values_mut().for_each(|cycles| *cycles = (*cycles + count / 2) / count);
    sums
}

/// Those with the largest numbers, the largest first.
fn named(mut functions: Vec<(i64, String)>) -> String {
    functions
        .sort_by_key(|(cycles, name)| (std::cmp::Reverse(cycles.unsigned_abs()), name.clone()));
    let named = functions.iter().take(NAMED).map(|(cycles, name)| format!("{name} {cycles}"));
    named.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pass(us: u64, functions: &[(&str, u64)]) -> Spent {
        let functions = functions.iter().map(|(name, cycles)| (name.to_string(), *cycles));
        Spent { time: Time::from_us(us), asleep: Time::ZERO, functions: functions.collect() }
    }

    #[test]
    fn passes_are_averaged_or_picked() {
        let passes = [pass(1, &[]), pass(2, &[]), pass(9, &[])];
        assert!((middle(&passes, None, BusyOf::Time) - 4.0).abs() < 1e-9);
        assert!((middle(&passes, Some(Pick::Median), BusyOf::Time) - 2.0).abs() < 1e-9);
    }

    #[test]
    fn functions_that_differ_are_named() {
        let passes = [pass(1, &[("same", 5), ("more", 30), ("less", 1)])];
        let base = [pass(1, &[("same", 5), ("gone", 7), ("less", 3)])];
        assert_eq!(more(&passes, &base), "more 30, gone -7, less -2");
        assert_eq!(most(&base), "15 cycles: gone 7, same 5, less 3, ...");
    }
}
