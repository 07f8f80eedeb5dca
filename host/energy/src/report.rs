// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an account says in the end.

use crate::{Charge, Current};
use lichen_chip::Time;
use serde::{Deserialize, Serialize};

/// The account of one mote.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoteReport {
    /// When the account began.
    pub begin: Time,
    /// When it ended.
    pub end: Time,
    /// Supply in millivolts.
    pub supply_mv: u32,
    /// Components in their states, those that drew most first. With `unknown`, each component's add up to the time.
    pub entries: Vec<Entry>,
    /// The same charge by owner.
    pub owners: Vec<Share>,
    /// The same charge by periods, which add up to the time.
    pub periods: Vec<Period>,
    /// Sleep that limits of drivers have kept from being deeper, what cost most first.
    pub held: Vec<Held>,
    /// States whose currents nobody knows: they are not in the sums.
    pub unknown: Vec<Unknown>,
    /// Parts of the board that are not in the sums.
    pub left_out: Vec<LeftOut>,
}

/// A component in one of its states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Name in the data sheet, or on the board.
    pub component: String,
    /// Its state; `off` too.
    pub state: &'static str,
    /// Time in it.
    pub time: Time,
    /// Mean frequency of its clock in Hz, 0 if it has none.
    pub mean_hz: u64,
    /// What it drew.
    pub charge: Charge,
    /// Whether its current is an estimate.
    pub estimate: bool,
}

/// What one owner is charged with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    /// A thread, the source file of a driver, `kernel and events`, `asleep`, `clocks and supply`, or a
    /// component that belongs to nobody else.
    pub owner: String,
    /// Time in which the processor worked for it.
    pub active: Time,
    /// The charge.
    pub charge: Charge,
}

/// What a processor does in a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Doing {
    /// It is awake.
    Awake,
    /// It sleeps.
    Asleep,
    /// It has no supply.
    Off,
}

/// All periods in which the mote was awake for one cause, asleep in one mode, or without supply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Period {
    /// Which of these.
    pub doing: Doing,
    /// What woke it, or the mode; empty without supply.
    pub name: String,
    /// Source file of the interrupt's handler, if it has one of its own.
    pub handler: Option<String>,
    /// How many began.
    pub count: u64,
    /// How long they were together.
    pub time: Time,
    /// What the whole mote drew in them.
    pub charge: Charge,
}

/// All sleep that was not the deepest because of the same limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// The limits, with their files.
    pub limits: String,
    /// The mode that they allowed.
    pub mode: String,
    /// How often.
    pub count: u64,
    /// How long.
    pub time: Time,
    /// What processor, clocks and supply drew more than they would have in the deepest mode.
    pub cost: Charge,
}

/// A state without a known current.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// The component.
    pub component: String,
    /// Its state.
    pub state: &'static str,
    /// Time in it.
    pub time: Time,
    /// Why its current is not known.
    pub why: String,
}

/// A part of the board whose states are not simulated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Part number.
    pub part: String,
    /// What it draws while firmware leaves it as reset did, if that is known.
    pub after_reset: Option<Current>,
}

impl MoteReport {
    /// Several accounts as one: charges, counts and times are sums.
    pub fn sum(reports: &[MoteReport]) -> MoteReport {
        let Some(first) = reports.first() else { return MoteReport::default() };
        let mut sum = first.clone();
        for report in &reports[1..] {
            let others = report.left_out.iter().filter(|part| !sum.left_out.contains(part));
            let others: Vec<LeftOut> = others.cloned().collect();
            sum.left_out.extend(others);
            let entries = report.entries.iter().cloned();
            gather(&mut sum.entries, entries, |e| (e.component.clone(), e.state), Entry::add);
            gather(&mut sum.owners, report.owners.iter().cloned(), |s| s.owner.clone(), Share::add);
            let periods = report.periods.iter().cloned();
            gather(&mut sum.periods, periods, |p| (p.doing, p.name.clone()), Period::add);
            let held = report.held.iter().cloned();
            gather(&mut sum.held, held, |h| (h.limits.clone(), h.mode.clone()), Held::add);
            let unknown = report.unknown.iter().cloned();
            gather(
                &mut sum.unknown,
                unknown,
                |u| (u.component.clone(), u.state),
                |a, b| {
                    a.time += b.time;
                },
            );
        }
        sum.sort();
        sum
    }

    /// Puts what drew most first.
    pub(crate) fn sort(&mut self) {
        let by_entry = |a: &Entry, b: &Entry| {
            b.charge
                .cmp(&a.charge)
                .then_with(|| (&a.component, a.state).cmp(&(&b.component, b.state)))
        };
        self.entries.sort_by(by_entry);
        self.owners.sort_by(|a, b| b.charge.cmp(&a.charge).then_with(|| a.owner.cmp(&b.owner)));
        let by_period = |a: &Period, b: &Period| {
            (a.doing, b.charge, &a.name).cmp(&(b.doing, a.charge, &b.name))
        };
        self.periods.sort_by(by_period);
        let by_cost =
            |a: &Held, b: &Held| (b.cost, &a.limits, &a.mode).cmp(&(a.cost, &b.limits, &b.mode));
        self.held.sort_by(by_cost);
        self.unknown.sort_by(|a, b| (&a.component, a.state).cmp(&(&b.component, b.state)));
    }

    /// Length of the account.
    pub fn time(&self) -> Time {
        self.end - self.begin
    }

    /// Everything that was drawn.
    pub fn charge(&self) -> Charge {
        self.entries.iter().map(|entry| entry.charge).sum()
    }

    /// The part of it whose currents are estimates.
    pub fn estimated(&self) -> Charge {
        self.entries.iter().filter(|entry| entry.estimate).map(|entry| entry.charge).sum()
    }

    /// The mean current.
    pub fn mean(&self) -> Current {
        self.charge().mean(self.time())
    }
}

/// Adds `others` to those of `known` with the same key.
fn gather<T, K: PartialEq>(
    known: &mut Vec<T>,
    others: impl Iterator<Item = T>,
    key: impl Fn(&T) -> K,
    add: impl Fn(&mut T, &T),
) {
    for other in others {
        match known.iter_mut().find(|known| key(known) == key(&other)) {
            Some(same) => add(same, &other),
            None => known.push(other),
        }
    }
}

impl Entry {
    /// Adds the same state of another mote.
    fn add(&mut self, other: &Entry) {
        let cycles = |entry: &Entry| u128::from(entry.mean_hz) * entry.time.ps();
        let all = cycles(self) + cycles(other);
        self.time += other.time;
        self.mean_hz = all.checked_div(self.time.ps()).unwrap_or(0) as u64;
        self.charge += other.charge;
    }
}

impl Share {
    fn add(&mut self, other: &Share) {
        self.active += other.active;
        self.charge += other.charge;
    }
}

impl Period {
    fn add(&mut self, other: &Period) {
        self.count += other.count;
        self.time += other.time;
        self.charge += other.charge;
    }
}

impl Held {
    fn add(&mut self, other: &Held) {
        self.count += other.count;
        self.time += other.time;
        self.cost += other.cost;
    }
}
