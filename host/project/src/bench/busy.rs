// SPDX-License-Identifier: MIT OR Apache-2.0
//! Processor time of an operation that sleeps while a peripheral works, and the time that it takes in all. The
//! mote has the devices of its board.

use super::plan::{Busy, Title};
use super::{BenchError, Nobody, OnWork, Reading, Rig};
use lichen_chip::Time;
use lichen_image::Image;
use lichen_observe::Profile;
use lichen_world::{Halt, MoteId, World};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Functions that are named.
const NAMED: usize = 8;

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
    fn busy(&self) -> Time {
        self.time - self.asleep
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
        let functions = profile.tree().functions();
        let functions = functions.into_iter().map(|function| (function.name, function.own));
        Spent { time: chip.now(), asleep: chip.time_asleep(), functions: functions.collect() }
    }
}

impl Rig<'_> {
    /// The mean processor time of the passes; then the mean of the time that they take.
    pub(super) fn busy(&self, entry: &Busy, on_work: OnWork) -> Result<Vec<Reading>, BenchError> {
        let (image, features) = self.build(&entry.program, on_work)?;
        let passes = self.spent(entry, Arc::new(image))?;
        let mean = |of: fn(&Spent) -> Time| {
            passes.iter().map(|pass| of(pass).as_s()).sum::<f64>() / passes.len() as f64 * 1e6
        };
        let (busy, time) = (mean(Spent::busy), mean(|pass| pass.time));
        let wall = Title::Beside("time in all".to_string());
        let between = format!("{} to {}, {} passes", entry.from, entry.to, passes.len());
        Ok(vec![
            self.reading(entry.title(), busy, "us", most(&passes), features.clone())?,
            self.reading(Some(wall), time, "us", between, features)?,
        ])
    }

    fn spent(&self, entry: &Busy, image: Arc<Image>) -> Result<Vec<Spent>, BenchError> {
        let (from, to) = (self.address(&image, &entry.from)?, self.address(&image, &entry.to)?);
        let profile = Arc::new(Mutex::new(Profile::new(Arc::clone(&image))));
        let mut world = World::new();
        let mote = world.add(self.board.clone(), image)?;
        world.observe(mote, Box::new(Arc::clone(&profile)));
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
        Ok(counted.split_off(entry.skip))
    }
}

/// The functions that take most of the processor's cycles, in the mean.
fn most(passes: &[Spent]) -> String {
    let mut sums = Functions::new();
    for (name, cycles) in passes.iter().flat_map(|pass| &pass.functions) {
        *sums.entry(name.clone()).or_default() += cycles;
    }
    sums.remove("asleep");
    let count = passes.len().max(1) as u64;
    let mut means: Vec<(u64, String)> =
        sums.into_iter().map(|(name, cycles)| ((cycles + count / 2) / count, name)).collect();
    let all: u64 = means.iter().map(|(cycles, _)| cycles).sum();
    means.sort_by(|a, b| (b.0, &a.1).cmp(&(a.0, &b.1)));
    let named: Vec<String> =
        means.iter().take(NAMED).map(|(cycles, name)| format!("{name} {cycles}")).collect();
    format!("{all} cycles: {}, ...", named.join(", "))
}
