// SPDX-License-Identifier: MIT OR Apache-2.0
//! The supply of a mote, where its surroundings say its voltage: the chip is told when it measures it, and when it
//! crosses what the chip must have. Below that the mote is off.

use super::Mote;
use borsh::{BorshDeserialize, BorshSerialize};
use lichen_chip::{Input, SupplyLimits, Time};
use lichen_device::{Course, Micro, SUPPLY};
use lichen_trace::{Event, Kind};
use std::fmt;
use xxhash_rust::xxh3::xxh3_64;

/// What is known of the supply.
#[derive(Clone, Debug, Default, BorshSerialize, BorshDeserialize)]
pub(super) struct Supply {
    /// The user has not taken it away.
    pub is_on: bool,
    /// The limits for which `next` was found, and when the supply crosses one of them.
    limits: Option<[Option<u32>; 4]>,
    next: Time,
}

/// The voltages at which something happens.
fn levels(limits: SupplyLimits) -> [Option<u32>; 4] {
    let SupplyLimits { off_below, on_from, brown_out } = limits;
    let (below, from) = brown_out.unzip();
    [Some(off_below), Some(on_from), below, from]
}

/// A supply that does not suffice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LowSupply {
    /// What it is, in microvolts.
    pub microvolts: u32,
    /// What the chip needs to start, with its brown-out detector as it is set.
    pub needed: u32,
}

impl fmt::Display for LowSupply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let volts = |microvolts| f64::from(microvolts) / 1e6;
        let (given, needed) = (volts(self.microvolts), volts(self.needed));
        write!(f, "its supply of {given} V is below the {needed} V the chip needs to start")
    }
}

impl Mote {
    /// The supply that the surroundings give it at present, if the chip cannot start with that.
    pub fn low_supply(&self) -> Option<LowSupply> {
        let microvolts = self.supply(self.chip.now()).filter(|_| self.supply.is_on)?;
        let SupplyLimits { on_from, brown_out, .. } = self.chip.supply_limits();
        let needed = brown_out.map_or(on_from, |(_, from)| from.max(on_from));
        (microvolts < needed).then_some(LowSupply { microvolts, needed })
    }

    /// Its supply and its cells, in words that differ if these do.
    pub(crate) fn fed_by(&self) -> String {
        let supply = match self.environment.course(&SUPPLY) {
            None => "the nominal supply".to_string(),
            Some(Course::Constant(microvolts)) => {
                format!("a supply of {} V", *microvolts as f64 / 1e6)
            }
            Some(course) => {
                let number = xxh3_64(format!("{course:?}").as_bytes()) as u32;
                format!("a supply that changes ({number:08x})")
            }
        };
        match &self.firmware.board.battery {
            None => supply,
            Some(battery) => format!("{supply}, {} x {}", battery.count, battery.cell),
        }
    }

    /// The supply at present, in microvolts, if the surroundings say it.
    fn supply(&self, now: Time) -> Option<u32> {
        let course = self.environment.course(&SUPPLY)?;
        Some(course.at(now).clamp(0, Micro::from(u32::MAX)) as u32)
    }

    /// When the supply crosses a limit next.
    pub(super) fn supply_due(&self) -> Time {
        if self.supply.limits.is_some() { self.supply.next } else { Time::NEVER }
    }

    /// Finds that out, unless it is known.
    pub(super) fn plan_supply(&mut self) {
        let Some(course) = self.environment.course(&SUPPLY) else { return };
        let now = self.chip.now();
        let limits = levels(self.chip.supply_limits());
        if self.supply.limits != Some(limits) || self.supply.next <= now {
            let crossings = limits.into_iter().flatten();
            let next = crossings.map(|level| course.crossing(Micro::from(level), now)).min();
            (self.supply.limits, self.supply.next) = (Some(limits), next.unwrap_or(Time::NEVER));
        }
    }

    /// Tells the chip its supply.
    pub(super) fn tell_supply(&mut self, now: Time) {
        if let Some(microvolts) = self.supply(now) {
            self.chip.input(Input::Supply { microvolts });
        }
    }

    /// The supply comes up for the first time, if it suffices.
    pub(super) fn first_supply(&mut self, events: &mut Vec<Event>) {
        let now = self.chip.now();
        self.supply.is_on = true;
        self.tell_supply(now);
        match self.suffices(now) {
            true => self.bring_up(events),
            false => self.push(events, now, Kind::Power { on: false }),
        }
        self.plan_supply();
    }

    /// Whether the supply is high enough for the chip to be on, if it is, or to start.
    fn suffices(&self, now: Time) -> bool {
        let SupplyLimits { off_below, on_from, .. } = self.chip.supply_limits();
        let least = if self.is_powered() { off_below } else { on_from };
        self.supply(now).is_none_or(|microvolts| microvolts >= least)
    }

    /// The supply is another one, or the user has switched it: the mote goes on or off, or its chip notices.
    pub(super) fn follow_supply(&mut self, events: &mut Vec<Event>) {
        let now = self.chip.now();
        let on = self.supply.is_on && self.suffices(now);
        self.tell_supply(now);
        if on != self.is_powered() {
            self.push(events, now, Kind::Power { on });
            match on {
                true => self.bring_up(events),
                false => self.take_down(now, events),
            }
        } else if self.supply(now).is_some() {
            self.chip.run(now);
            self.settle(events);
        }
        self.plan_supply();
    }

    /// Follows the supply if it has just crossed a limit.
    pub(super) fn supply_crossed(&mut self, events: &mut Vec<Event>) -> bool {
        let has_crossed = self.supply_due() <= self.chip.now();
        if has_crossed {
            self.follow_supply(events);
        }
        has_crossed
    }
}
