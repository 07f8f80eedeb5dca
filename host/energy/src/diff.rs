// SPDX-License-Identifier: MIT OR Apache-2.0
//! Two accounts side by side, each per second of its run and per mote, so that runs of different length, and different
//! numbers of motes, can be compared.

use crate::{Battery, Cell, Current, Doing, Record};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// What differs between two accounts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diff {
    /// `energy_diff`.
    pub kind: &'static str,
    /// The first.
    pub a: Side,
    /// The second.
    pub b: Side,
    /// By component and state, the largest change first.
    pub components: Vec<Change>,
    /// By owner.
    pub owners: Vec<Change>,
    /// By what woke the mote, and by mode of sleep.
    pub periods: Vec<Change>,
    /// By the limits that forbade the deepest mode, with what they cost.
    pub limits: Vec<Change>,
}

/// One of the accounts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Side {
    /// Motes in it.
    pub motes: usize,
    /// Length of the account of all motes together.
    pub duration_ns: u128,
    /// Everything that they drew.
    pub charge_pc: u128,
    /// The mean current of a mote.
    #[serde(rename = "mean_pa", serialize_with = "picoamperes")]
    pub mean: Current,
    /// The mote whose cells last least, and how long.
    pub battery: Option<Battery>,
}

/// Something that draws a current, in both accounts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// Its name.
    pub name: String,
    /// Its state, or the mode; empty for owners.
    pub state: String,
    /// What it drew in the first.
    pub a_pc: u128,
    /// What it drew in the second.
    pub b_pc: u128,
    /// The first as a part of the mean current.
    #[serde(rename = "a_pa", serialize_with = "picoamperes")]
    pub a: Current,
    /// The second.
    #[serde(rename = "b_pa", serialize_with = "picoamperes")]
    pub b: Current,
}

/// Charges by name and state.
type Amounts = BTreeMap<(String, String), u128>;

impl Diff {
    /// Compares the accounts of two runs; lives are those of `cell`, if it is given, else those that the accounts state.
    pub fn new(a: &[Record], b: &[Record], cell: Option<&Cell>) -> Diff {
        let sides = [a, b].map(|records| Side::new(records, cell));
        let by = |amounts: fn(&Record) -> Vec<(String, String, u64)>| {
            let [a, b] = [a, b].map(|records| gathered(records, amounts));
            changes([&a, &b], &sides)
        };
        let components = by(|record| {
            let all = record.components.iter();
            all.map(|c| (c.component.clone(), c.state.clone(), c.charge_pc)).collect()
        });
        let owners = by(|record| {
            record.owners.iter().map(|o| (o.owner.clone(), String::new(), o.charge_pc)).collect()
        });
        let periods = by(|record| {
            let all = record.periods.iter();
            all.map(|p| (p.name.clone(), doing(p.doing).to_string(), p.charge_pc)).collect()
        });
        let limits = by(|record| {
            record.limits.iter().map(|l| (l.limits.clone(), l.mode.clone(), l.cost_pc)).collect()
        });
        let [a, b] = sides;
        Diff { kind: "energy_diff", a, b, components, owners, periods, limits }
    }
}

fn doing(doing: Doing) -> &'static str {
    match doing {
        Doing::Awake => "awake",
        Doing::Asleep => "asleep",
        Doing::Off => "off",
    }
}

impl Side {
    fn new(records: &[Record], cell: Option<&Cell>) -> Side {
        let mut side = Side {
            motes: records.len(),
            duration_ns: records.iter().map(|record| u128::from(record.duration_ns)).sum(),
            charge_pc: records.iter().map(|record| u128::from(record.charge_pc)).sum(),
            mean: Current(0),
            battery: None,
        };
        side.mean = side.part(side.charge_pc);
        let batteries = records.iter().filter_map(|record| match cell {
            Some(cell) => Some(Battery::new(&record.supply(cell), record.mean())),
            None => record.battery.clone(),
        });
        side.battery = batteries.min_by_key(|battery| battery.life_h.unwrap_or(u64::MAX));
        side
    }

    /// A charge as a part of the mean current of a mote.
    fn part(&self, pc: u128) -> Current {
        // 1 pC in a nanosecond is a milliampere: 1e12 fA.
        Current((pc * 1_000_000_000_000).checked_div(self.duration_ns).unwrap_or(0))
    }
}

/// Sums of all motes.
fn gathered(records: &[Record], amounts: fn(&Record) -> Vec<(String, String, u64)>) -> Amounts {
    let mut all = Amounts::new();
    for (name, state, pc) in records.iter().flat_map(amounts) {
        *all.entry((name, state)).or_default() += u128::from(pc);
    }
    all
}

/// What is in either, the largest change first.
fn changes([a, b]: [&Amounts; 2], [first, second]: &[Side; 2]) -> Vec<Change> {
    let mut keys: Vec<&(String, String)> = a.keys().chain(b.keys()).collect();
    keys.sort();
    keys.dedup();
    let change = |key: &(String, String)| {
        let [a_pc, b_pc] = [a, b].map(|amounts| amounts.get(key).copied().unwrap_or(0));
        let (name, state) = key.clone();
        Change { name, state, a_pc, b_pc, a: first.part(a_pc), b: second.part(b_pc) }
    };
    let mut changes: Vec<Change> = keys.into_iter().map(change).collect();
    changes.sort_by_key(|change| std::cmp::Reverse(change.size()));
    changes
}

impl Change {
    /// How far the currents differ.
    pub fn size(&self) -> Current {
        Current(self.a.0.abs_diff(self.b.0))
    }

    /// Whether the second account has more of it.
    pub fn grew(&self) -> bool {
        self.b > self.a
    }
}

fn picoamperes<S: Serializer>(current: &Current, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64((current.0 / 1_000) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MoteReport, OwnerRecord};

    /// A mote that drew so much for two owners in so many seconds.
    fn record(s: u64, thread_pc: u64, asleep_pc: u64) -> Record {
        let owner = |name: &str, charge_pc| OwnerRecord {
            owner: name.to_string(),
            active_ns: 0,
            charge_pc,
            mean_na: 0,
        };
        Record {
            duration_ns: s * 1_000_000_000,
            charge_pc: thread_pc + asleep_pc,
            owners: vec![owner("thread a", thread_pc), owner("asleep", asleep_pc)],
            ..Record::new(&MoteReport::default(), None)
        }
    }

    #[test]
    fn runs_of_different_length_are_compared_by_their_currents() {
        // 3 and 2 uA in ten seconds; 9 and 2 uA in one.
        let diff = Diff::new(
            &[record(10, 30_000_000, 20_000_000)],
            &[record(1, 9_000_000, 2_000_000)],
            None,
        );
        assert_eq!((diff.a.mean, diff.b.mean), (Current::from_na(5_000), Current::from_na(11_000)));
        let [thread, asleep] = &diff.owners[..] else { panic!("{:?}", diff.owners) };
        assert_eq!((thread.name.as_str(), thread.size()), ("thread a", Current::from_na(6_000)));
        assert!(thread.grew());
        assert_eq!((asleep.size(), asleep.grew()), (Current(0), false));
    }

    #[test]
    fn motes_are_averaged_and_the_shortest_life_counts() {
        let cell = Cell {
            name: "CR".into(),
            title: String::new(),
            nominal_mv: 3_000,
            capacity_mah: 1_000,
            cut_off_mv: 2_000,
            self_discharge_ppm: 0,
            shelf_life_years: 10,
            source: "by hand".into(),
            estimate: None,
        };
        // 1 and 3 mA.
        let two = [record(1, 1_000_000_000, 0), record(1, 3_000_000_000, 0)];
        let diff = Diff::new(&two, &two[..1], Some(&cell));
        assert_eq!(diff.a.mean, Current::from_na(2_000_000));
        let life = |side: &Side| side.battery.as_ref().and_then(|battery| battery.life_h);
        assert_eq!((life(&diff.a), life(&diff.b)), (Some(333), Some(1_000)));
    }

    #[test]
    fn what_only_one_of_them_has_is_a_change_from_or_to_nothing() {
        let (a, mut b) = (record(1, 5, 1), record(1, 5, 1));
        b.owners[0].owner = "thread b".to_string();
        let diff = Diff::new(&[a], &[b], None);
        let of = |name: &str| {
            let change = diff.owners.iter().find(|change| change.name == name).expect("a change");
            (change.a_pc, change.b_pc)
        };
        assert_eq!((of("thread a"), of("thread b"), of("asleep")), ((5, 0), (0, 5), (1, 1)));
    }

    #[test]
    fn nothing_in_no_time_is_no_current() {
        let diff = Diff::new(&[record(0, 0, 0)], &[record(1, 1, 1)], None);
        assert_eq!(diff.a.mean, Current(0));
    }
}
