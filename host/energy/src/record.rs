// SPDX-License-Identifier: MIT OR Apache-2.0
//! An account as a file has it: integers in stated units, of which those that must add up do so to the last digit.
//! `doc/spec/energy.md` defines every field.

use crate::{Cell, Charge, Current, Doing, MoteReport, Supply, cell};
use lichen_chip::Time;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// What `kind` says of a line with an account.
pub const KIND: &str = "energy";

/// The account of one mote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// [`KIND`].
    pub kind: String,
    /// Length of the account.
    pub duration_ns: u64,
    /// Supply that the currents are for.
    pub supply_mv: u32,
    /// Everything that was drawn.
    pub charge_pc: u64,
    /// The same from that supply.
    pub energy_nj: u64,
    /// The mean current.
    pub mean_na: u64,
    /// How long the mote's cells last, if they are known.
    pub battery: Option<Battery>,
    /// Components in their states.
    pub components: Vec<ComponentRecord>,
    /// The same charge by owner.
    pub owners: Vec<OwnerRecord>,
    /// The same charge by periods.
    pub periods: Vec<PeriodRecord>,
    /// Sleep that limits have kept from being deeper.
    pub limits: Vec<LimitRecord>,
    /// States without a known current.
    pub unknown: Vec<UnknownRecord>,
    /// Parts that are not simulated.
    pub left_out: Vec<LeftOutRecord>,
}

/// Cells, and how long they last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Battery {
    /// Name of the cell.
    pub cell: String,
    /// How many there are in series.
    pub count: u32,
    /// What one delivers, and so do all.
    pub capacity_mah: u32,
    /// The least voltage of all together that feeds the mote; null if it is not known.
    #[serde(default)]
    pub least_mv: Option<u32>,
    /// Hours; null if nothing is drawn.
    pub life_h: Option<u64>,
}

impl Battery {
    /// What `supply` is to a mote that draws this current.
    pub(crate) fn new(supply: &Supply, mean: Current) -> Battery {
        Battery {
            cell: supply.cell.name.clone(),
            count: supply.count,
            capacity_mah: supply.cell.capacity_mah,
            least_mv: supply.least_mv,
            life_h: supply.cell.life_h(mean),
        }
    }
}

/// How many of which cell.
impl fmt::Display for Battery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&cell::cells(&self.cell, self.count))
    }
}

/// A component in a state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComponentRecord {
    /// Name in the data sheet, or on the board.
    pub component: String,
    /// Its state.
    pub state: String,
    /// Time in it.
    pub duration_ns: u64,
    /// Mean frequency of its clock, 0 without one.
    pub mean_hz: u64,
    /// What it drew.
    pub charge_pc: u64,
    /// The same as a part of the account's mean current.
    pub mean_na: u64,
    /// Whether its current is an estimate.
    pub estimate: bool,
}

/// What one owner is charged with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnerRecord {
    /// Its name.
    pub owner: String,
    /// Time in which the processor worked for it.
    pub active_ns: u64,
    /// The charge.
    pub charge_pc: u64,
    /// The same as a part of the account's mean current.
    pub mean_na: u64,
}

/// All periods of a kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PeriodRecord {
    /// Awake, asleep, or without supply.
    pub doing: Doing,
    /// Cause or mode.
    pub name: String,
    /// Source file of the interrupt's handler.
    pub handler: Option<String>,
    /// How many began.
    pub count: u64,
    /// How long they were together.
    pub duration_ns: u64,
    /// What the mote drew in them.
    pub charge_pc: u64,
}

/// Sleep that limits have kept from being deeper.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LimitRecord {
    /// The limits, with their files.
    pub limits: String,
    /// The mode that they allowed.
    pub mode: String,
    /// How often.
    pub count: u64,
    /// How long.
    pub duration_ns: u64,
    /// What it cost against the deepest mode.
    pub cost_pc: u64,
}

/// A state without a known current.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnknownRecord {
    /// The component.
    pub component: String,
    /// Its state.
    pub state: String,
    /// Time in it.
    pub duration_ns: u64,
    /// Why its current is not known.
    pub why: String,
}

/// A part that is not simulated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOutRecord {
    /// Part number.
    pub part: String,
    /// What it draws after a reset, if that is known.
    pub after_reset_na: Option<u64>,
}

impl Record {
    /// What `report` says, of a mote with these cells.
    pub fn new(report: &MoteReport, supply: Option<&Supply>) -> Record {
        let (time, charge, mean) = (report.time(), report.charge(), report.mean());
        let mut residences: BTreeMap<&str, Rounding> = BTreeMap::new();
        let mut length = |component, time: Time| {
            residences.entry(component).or_insert_with(nanoseconds).next(time.ps())
        };
        let mut charges = picocoulombs();
        let component = |entry: &crate::Entry, duration_ns, charge_pc| ComponentRecord {
            component: entry.component.clone(),
            state: entry.state.to_string(),
            duration_ns,
            mean_hz: entry.mean_hz,
            charge_pc,
            mean_na: entry.charge.mean(time).na() as u64,
            estimate: entry.estimate,
        };
        let entries = report.entries.iter();
        let components = entries
            .map(|e| component(e, length(&e.component, e.time), charges.next(e.charge.0)))
            .collect();
        let unknown = report.unknown.iter().map(|unknown| UnknownRecord {
            component: unknown.component.clone(),
            state: unknown.state.to_string(),
            duration_ns: length(&unknown.component, unknown.time),
            why: unknown.why.clone(),
        });
        let battery = supply.map(|supply| Battery::new(supply, mean));
        Record {
            kind: KIND.to_string(),
            duration_ns: time.ns(),
            supply_mv: report.supply_mv,
            charge_pc: charge.pc(),
            energy_nj: charge.nj(report.supply_mv),
            mean_na: mean.na() as u64,
            battery,
            components,
            owners: owners(report, time),
            periods: periods(report),
            limits: limits(report),
            unknown: unknown.collect(),
            left_out: left_out(report),
        }
    }

    /// As many of `cell` as it takes to feed the mote.
    pub(crate) fn supply(&self, cell: &Cell) -> Supply {
        let own = self.battery.as_ref();
        let least_mv = own.and_then(|battery| battery.least_mv);
        let own = own.map(|battery| (battery.cell.as_str(), battery.count));
        Supply::of(cell, own, least_mv, Some(self.supply_mv))
    }

    /// The mean current, as exactly as the file has it.
    pub fn mean(&self) -> Current {
        self.part(self.charge_pc)
    }

    /// A charge of the account as a part of its mean current.
    pub fn part(&self, pc: u64) -> Current {
        // 1 pC in a nanosecond is a milliampere: 1e12 fA.
        let fa = u128::from(pc) * 1_000_000_000_000;
        Current(fa.checked_div(u128::from(self.duration_ns)).unwrap_or(0))
    }
}

fn owners(report: &MoteReport, time: Time) -> Vec<OwnerRecord> {
    let (mut charges, mut lengths) = (picocoulombs(), nanoseconds());
    let owner = |share: &crate::Share| OwnerRecord {
        owner: share.owner.clone(),
        active_ns: lengths.next(share.active.ps()),
        charge_pc: charges.next(share.charge.0),
        mean_na: share.charge.mean(time).na() as u64,
    };
    report.owners.iter().map(owner).collect()
}

fn periods(report: &MoteReport) -> Vec<PeriodRecord> {
    let (mut charges, mut lengths) = (picocoulombs(), nanoseconds());
    let period = |period: &crate::Period| PeriodRecord {
        doing: period.doing,
        name: period.name.clone(),
        handler: period.handler.clone(),
        count: period.count,
        duration_ns: lengths.next(period.time.ps()),
        charge_pc: charges.next(period.charge.0),
    };
    report.periods.iter().map(period).collect()
}

fn limits(report: &MoteReport) -> Vec<LimitRecord> {
    let limit = |held: &crate::Held| LimitRecord {
        limits: held.limits.clone(),
        mode: held.mode.clone(),
        count: held.count,
        duration_ns: held.time.ns(),
        cost_pc: held.cost.pc(),
    };
    report.held.iter().map(limit).collect()
}

fn left_out(report: &MoteReport) -> Vec<LeftOutRecord> {
    let part = |part: &crate::LeftOut| LeftOutRecord {
        part: part.part.clone(),
        after_reset_na: part.after_reset.map(|current| current.na() as u64),
    };
    report.left_out.iter().map(part).collect()
}

/// Rounds parts such that they add up to their rounded sum: each is the difference of two rounded partial sums.
struct Rounding {
    unit: u128,
    /// Added before the division: half a unit to round, 0 to cut off.
    half: u128,
    exact: u128,
    reported: u128,
}

fn picocoulombs() -> Rounding {
    Rounding { unit: Charge::PER_PC, half: Charge::PER_PC / 2, exact: 0, reported: 0 }
}

fn nanoseconds() -> Rounding {
    Rounding { unit: 1_000, half: 0, exact: 0, reported: 0 }
}

impl Rounding {
    fn next(&mut self, part: u128) -> u64 {
        self.exact += part;
        let sum = (self.exact + self.half) / self.unit;
        let part = sum - self.reported;
        self.reported = sum;
        part as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounded_parts_add_up() {
        let mut charges = picocoulombs();
        let third = Charge::PER_PC / 3;
        let parts: Vec<u64> = (0..9).map(|_| charges.next(third)).collect();
        assert_eq!(parts.iter().sum::<u64>(), Charge(third * 9).pc());
        assert!(parts.iter().all(|part| *part <= 1), "{parts:?}");
    }
}
