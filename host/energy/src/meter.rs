// SPDX-License-Identifier: MIT OR Apache-2.0
//! The currents of the moment, for records that show them over time.

use crate::{Current, Draw, Row, Tables};
use lichen_board::Board;
use lichen_chip::OFF;
use lichen_trace::{Event, Kind};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Follows what the motes of a run draw: it needs the events of `World::tell_activity`.
#[derive(Debug)]
pub struct Meter {
    tables: Tables,
    motes: Vec<Draws>,
}

/// What the components of a mote draw now.
#[derive(Debug, Default)]
struct Draws {
    /// Rows that the board states.
    own_rows: BTreeMap<(String, &'static str), Row>,
    currents: BTreeMap<Cow<'static, str>, Option<Current>>,
    /// Their sum.
    whole: Current,
}

impl Meter {
    /// A meter of no mote yet, with these currents.
    pub fn new(tables: Tables) -> Meter {
        Meter { tables, motes: Vec::new() }
    }

    /// Adds the next mote, which is on `board`.
    pub fn add(&mut self, board: &Board) {
        let rows = Row::of_board(board);
        let own_rows = rows.map(|(component, state, row)| ((component.to_string(), state), row));
        self.motes.push(Draws { own_rows: own_rows.collect(), ..Draws::default() });
    }

    /// The change of a current that an event means, if it means one.
    pub fn change(&mut self, event: &Event) -> Option<Event> {
        let Kind::Activity { part, component, state, hz, bus_hz } = &event.kind else {
            return None;
        };
        let draws = self.motes.get_mut(event.mote as usize)?;
        let clocks = [*hz, *bus_hz];
        let own = draws.own_rows.get(&(component.to_string(), *state));
        let draw = match (*state, own) {
            (OFF, _) => Draw::Known { current: Current(0), estimate: false },
            (_, Some(row)) => row.draw(clocks),
            (_, None) => self.tables.draw(part, component, state, clocks),
        };
        let current = match draw {
            Draw::Known { current, .. } => Some(current),
            Draw::Unknown(_) => None,
        };
        let before = draws.currents.insert(component.clone(), current);
        if before == Some(current) {
            return None;
        }
        let drawn = |current: Option<Current>| current.unwrap_or_default().0;
        draws.whole = Current(draws.whole.0 + drawn(current) - drawn(before.flatten()));
        let (component, fa) = (component.clone(), current.map(|current| current.0));
        let kind = Kind::Current { component, fa, whole_fa: draws.whole.0 };
        Some(Event { kind, ..*event })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lichen_chip::Time;

    const TABLE: &str = r#"
part = "ATSAMR21"
supply_mv = 3300
[[row]]
component = "CPU"
state = "active"
na = 100
na_per_mhz = 1_000
source = "by hand"
[[row]]
component = "CPU"
state = "standby"
na = 2
source = "by hand"
[[row]]
component = "EIC"
state = "on"
unknown = "by hand"
"#;

    fn reported(
        meter: &mut Meter,
        component: &'static str,
        state: &'static str,
        mhz: u64,
    ) -> Option<Kind> {
        let (part, component, hz) = ("ATSAMR21G18A", component.into(), mhz * 1_000_000);
        let kind = Kind::Activity { part, component, state, hz, bus_hz: 0 };
        let event = Event { time: Time::from_us(7), cycle: 3, mote: 0, kind };
        let reported = meter.change(&event)?;
        assert_eq!(
            (reported.time, reported.cycle, reported.mote),
            (event.time, event.cycle, event.mote)
        );
        Some(reported.kind)
    }

    fn current(component: &'static str, na: Option<u128>, whole_na: u128) -> Option<Kind> {
        let (component, fa) = (component.into(), na.map(|na| na * 1_000_000));
        Some(Kind::Current { component, fa, whole_fa: whole_na * 1_000_000 })
    }

    #[test]
    fn changes_of_currents_are_reported_with_their_sum() {
        let mut tables = Tables::default();
        tables.add("by hand", TABLE).expect("a table");
        let mut meter = Meter::new(tables);
        meter.motes.push(Draws::default());
        let row = (("led0".to_string(), "lit"), Row::fixed(3_000, "by hand"));
        meter.motes[0].own_rows.extend([row]);
        assert_eq!(reported(&mut meter, "CPU", "active", 8), current("CPU", Some(8_100), 8_100));
        assert_eq!(reported(&mut meter, "CPU", "active", 8), None, "nothing new");
        assert_eq!(reported(&mut meter, "led0", "lit", 0), current("led0", Some(3_000), 11_100));
        assert_eq!(reported(&mut meter, "EIC", "on", 0), current("EIC", None, 11_100));
        assert_eq!(reported(&mut meter, "CPU", "standby", 0), current("CPU", Some(2), 3_002));
        assert_eq!(reported(&mut meter, "led0", "off", 0), current("led0", Some(0), 2));
        let other =
            Event { time: Time::ZERO, cycle: 0, mote: 0, kind: Kind::Wake { cause: "RTC" } };
        assert_eq!(meter.change(&other), None);
    }
}
