// SPDX-License-Identifier: MIT OR Apache-2.0
//! A component of a mote, and the time that it has spent in each of its states.

use crate::{Charge, Current, Draw, Row};
use lichen_chip::{OFF, Time};

/// Time in a state of a component.
#[derive(Debug)]
pub(crate) struct Residence {
    pub state: &'static str,
    pub row: Row,
    pub time: Time,
    /// Hz times picoseconds.
    pub cycles: u128,
    pub charge: Charge,
}

impl Residence {
    fn new(state: &'static str, row: Row) -> Residence {
        Residence { state, row, time: Time::ZERO, cycles: 0, charge: Charge(0) }
    }
}

/// A component. It is in one of its residences at any time, so these add up to the time of the account.
#[derive(Debug)]
pub(crate) struct Component {
    pub name: String,
    pub residences: Vec<Residence>,
    present: usize,
    current: Current,
    hz: u64,
    since: Time,
    /// Who is charged with it at present.
    pub owner: usize,
    /// Whether it serves all others.
    pub serves_all: bool,
}

impl Component {
    /// A component that has been off since `begin`.
    pub fn new(name: &str, begin: Time, owner: usize, serves_all: bool) -> Component {
        Component {
            name: name.to_string(),
            residences: vec![Residence::new(OFF, Row::default())],
            present: 0,
            current: Current(0),
            hz: 0,
            since: begin,
            owner,
            serves_all,
        }
    }

    /// Its present state.
    pub fn state(&self) -> &'static str {
        self.residences[self.present].state
    }

    /// What it draws at present.
    pub fn current(&self) -> Current {
        self.current
    }

    /// What it has drawn since the last call, and in which time.
    pub fn settle(&mut self, now: Time) -> (Charge, Time) {
        let time = now - self.since;
        let charge = self.current.over(time);
        let residence = &mut self.residences[self.present];
        residence.time += time;
        residence.cycles += u128::from(self.hz) * time.ps();
        residence.charge += charge;
        self.since = now;
        (charge, time)
    }

    /// Puts it into `state`, whose row is looked up the first time; it must be settled.
    pub fn change(&mut self, state: &'static str, clocks: [u64; 2], row: impl FnOnce(&str) -> Row) {
        let known = self.residences.iter().position(|known| known.state == state);
        self.present = known.unwrap_or_else(|| {
            self.residences.push(Residence::new(state, row(&self.name)));
            self.residences.len() - 1
        });
        self.hz = clocks[0];
        self.current = match self.residences[self.present].row.draw(clocks) {
            Draw::Known { current, .. } => current,
            Draw::Unknown(_) => Current(0),
        };
    }
}
