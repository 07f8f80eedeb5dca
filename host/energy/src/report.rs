// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an account says in the end.

use crate::{Charge, Current};
use lichen_chip::Time;
use serde::{Serialize, Serializer};

/// The account of one mote.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoteReport {
    /// When the account began.
    pub begin: Time,
    /// When it ended.
    pub end: Time,
    /// Supply in millivolts.
    pub supply_mv: u32,
    /// Components in their states, those that drew most first.
    pub entries: Vec<Entry>,
    /// The same by owner.
    pub owners: Vec<Share>,
    /// States whose currents nobody knows: they are not in the sums.
    pub unknown: Vec<Unknown>,
    /// Parts of the board that are not in the sums.
    pub left_out: Vec<LeftOut>,
}

/// A component in one of its states.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// Name in the data sheet, or on the board.
    pub component: String,
    /// Its state.
    pub state: &'static str,
    /// Time in it.
    #[serde(rename = "duration_ns", serialize_with = "nanoseconds")]
    pub time: Time,
    /// Mean frequency of its clock in Hz, 0 if it has none.
    pub mean_hz: u64,
    /// What it drew.
    #[serde(rename = "charge_pc", serialize_with = "picocoulombs")]
    pub charge: Charge,
    /// Whether its current is an estimate.
    pub estimate: bool,
}

/// What one owner is charged with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Share {
    /// A thread, the source file of a driver, `kernel and events`, `asleep`, `clocks and supply`, or a
    /// component that belongs to nobody else.
    pub owner: String,
    /// The charge.
    #[serde(rename = "charge_pc", serialize_with = "picocoulombs")]
    pub charge: Charge,
}

/// A state without a known current.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unknown {
    /// The component.
    pub component: String,
    /// Its state.
    pub state: &'static str,
    /// Time in it.
    #[serde(rename = "duration_ns", serialize_with = "nanoseconds")]
    pub time: Time,
    /// Why its current is not known.
    pub why: String,
}

/// A part of the board whose states are not simulated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// Part number.
    pub part: String,
    /// What it draws while firmware leaves it as reset did, if that is known.
    #[serde(rename = "after_reset_na", serialize_with = "nanoamperes")]
    pub after_reset: Option<Current>,
}

impl MoteReport {
    /// Several accounts as one: charges and times of components are sums.
    pub fn sum(reports: &[MoteReport]) -> MoteReport {
        let mut sum = match reports.first() {
            Some(first) => MoteReport { entries: Vec::new(), owners: Vec::new(), ..first.clone() },
            None => MoteReport::default(),
        };
        for entry in reports.iter().flat_map(|report| &report.entries) {
            let same = |known: &&mut Entry| {
                (&known.component, known.state) == (&entry.component, entry.state)
            };
            match sum.entries.iter_mut().find(same) {
                Some(known) => known.add(entry),
                None => sum.entries.push(entry.clone()),
            }
        }
        for share in reports.iter().flat_map(|report| &report.owners) {
            match sum.owners.iter_mut().find(|known| known.owner == share.owner) {
                Some(known) => known.charge += share.charge,
                None => sum.owners.push(share.clone()),
            }
        }
        sum.unknown.clear();
        for unknown in reports.iter().flat_map(|report| &report.unknown) {
            let same = |known: &&mut Unknown| {
                (&known.component, known.state) == (&unknown.component, unknown.state)
            };
            match sum.unknown.iter_mut().find(same) {
                Some(known) => known.time += unknown.time,
                None => sum.unknown.push(unknown.clone()),
            }
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

impl Entry {
    /// Adds the same state of another mote.
    fn add(&mut self, other: &Entry) {
        let cycles = |entry: &Entry| u128::from(entry.mean_hz) * u128::from(entry.time.0);
        let all = cycles(self) + cycles(other);
        self.time += other.time;
        self.mean_hz = all.checked_div(u128::from(self.time.0)).unwrap_or(0) as u64;
        self.charge += other.charge;
    }
}

/// A report as a line among the events of a run (`doc/spec/events.md`).
#[derive(Serialize)]
struct Record<'a> {
    kind: &'static str,
    duration_ns: u64,
    supply_mv: u32,
    charge_pc: u64,
    energy_nj: u64,
    mean_na: u64,
    components: &'a [Entry],
    owners: &'a [Share],
    unknown: &'a [Unknown],
    left_out: &'a [LeftOut],
}

impl Serialize for MoteReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let charge = self.charge();
        Record {
            kind: "energy",
            duration_ns: self.time().0 / 1_000,
            supply_mv: self.supply_mv,
            charge_pc: charge.pc(),
            energy_nj: charge.nj(self.supply_mv),
            mean_na: self.mean().na() as u64,
            components: &self.entries,
            owners: &self.owners,
            unknown: &self.unknown,
            left_out: &self.left_out,
        }
        .serialize(serializer)
    }
}

fn nanoseconds<S: Serializer>(time: &Time, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(time.0 / 1_000)
}

fn picocoulombs<S: Serializer>(charge: &Charge, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(charge.pc())
}

fn nanoamperes<S: Serializer>(current: &Option<Current>, serializer: S) -> Result<S::Ok, S::Error> {
    current.map(|current| current.na() as u64).serialize(serializer)
}
