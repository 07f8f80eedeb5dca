// SPDX-License-Identifier: MIT OR Apache-2.0
//! The account of one mote: where each of its components has been, for how long, and for whom.

use crate::report::{Entry, LeftOut, MoteReport, Share, Unknown};
use crate::{Charge, Current, Draw, Names, Row, Tables};
use lichen_chip::{OFF, Time};
use lichen_trace::Kind;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The processor, and its state while it works for somebody.
const CPU: &str = "CPU";
const ACTIVE: &str = "active";
/// Owner of the processor's sleep.
const ASLEEP: &str = "asleep";
/// Owner of what serves everybody: oscillators, and the detector of brown-outs.
const COMMON: &str = "clocks and supply";

/// Time in a state of a component.
#[derive(Debug)]
struct Residence {
    state: &'static str,
    row: Row,
    time: Time,
    /// Hz times picoseconds.
    cycles: u128,
    charge: Charge,
}

/// A component.
#[derive(Debug)]
struct Component {
    name: String,
    residences: Vec<Residence>,
    /// Where it is now, if it is not off, with what current and at which frequency.
    present: Option<usize>,
    current: Current,
    hz: u64,
    since: Time,
    owner: usize,
}

/// The account of one mote.
#[derive(Debug)]
pub(crate) struct Ledger {
    names: Arc<Names>,
    begin: Time,
    supply_mv: u32,
    components: Vec<Component>,
    cpu: Option<usize>,
    owners: Vec<(String, Charge)>,
    /// Owner of what the processor does, and of what it does when the handlers have ended.
    runner: usize,
    thread: usize,
    /// Rows that the board states.
    own_rows: BTreeMap<(String, &'static str), Row>,
    /// Parts of the board that may not be simulated.
    parts: Vec<LeftOut>,
    /// Parts that were heard of.
    heard: Vec<&'static str>,
}

impl Ledger {
    /// An account that begins at `begin`, with `thread` running.
    pub fn new(names: Arc<Names>, begin: Time, supply_mv: u32, thread: Option<&str>) -> Ledger {
        let owners = vec![(thread_name(&names, thread), Charge(0))];
        Ledger {
            names,
            begin,
            supply_mv,
            components: Vec::new(),
            cpu: None,
            owners,
            runner: 0,
            thread: 0,
            own_rows: BTreeMap::new(),
            parts: Vec::new(),
            heard: Vec::new(),
        }
    }

    /// States what a component of the board draws in a state.
    pub fn state_row(&mut self, component: &str, state: &'static str, row: Row) {
        self.own_rows.insert((component.to_string(), state), row);
    }

    /// Names a part of the board, which is left out unless it reports what it does.
    pub fn expect_part(&mut self, part: LeftOut) {
        self.parts.push(part);
    }

    /// Takes an event of the mote.
    pub fn event(&mut self, time: Time, kind: &Kind, tables: &Tables) {
        match kind {
            Kind::Activity { part, component, state, hz, bus_hz } => {
                self.heard(part);
                let index = self.component(component, tables.serves_all(part, component));
                self.settle(index, time);
                self.change(index, tables, part, state, [*hz, *bus_hz]);
            }
            Kind::Exception { name: Some(name) } => self.exception(time, name),
            Kind::Exception { name: None } => self.run(time, self.thread),
            Kind::Thread { name } => {
                let thread = self.owner(&thread_name(&self.names, Some(name)));
                self.run(time, thread);
                self.thread = thread;
            }
            Kind::Reset { .. } => {
                let start = self.owner(self.names.start());
                self.run(time, start);
                self.thread = start;
            }
            _ => {}
        }
    }

    /// A handler is active.
    pub fn exception(&mut self, time: Time, name: &str) {
        let handler = self.owner(&self.names.handler(name));
        self.run(time, handler);
    }

    /// The processor works for another owner.
    fn run(&mut self, time: Time, owner: usize) {
        if let Some(cpu) = self.cpu.filter(|_| owner != self.runner) {
            self.settle(cpu, time);
            let component = &mut self.components[cpu];
            let active = component.present.map(|at| component.residences[at].state == ACTIVE);
            if active == Some(true) {
                component.owner = owner;
            }
        }
        self.runner = owner;
    }

    fn heard(&mut self, part: &'static str) {
        if !self.heard.contains(&part) {
            self.heard.push(part);
        }
    }

    fn owner(&mut self, name: &str) -> usize {
        let known = self.owners.iter().position(|(owner, _)| owner == name);
        known.unwrap_or_else(|| {
            self.owners.push((name.to_string(), Charge(0)));
            self.owners.len() - 1
        })
    }

    /// The component of this name; one that `serves_all` works for nobody in particular.
    fn component(&mut self, name: &str, serves_all: bool) -> usize {
        if let Some(known) = self.components.iter().position(|known| known.name == name) {
            return known;
        }
        let owner = match (self.names.driver(name), serves_all) {
            (Some(driver), _) => driver.to_string(),
            (None, true) => COMMON.to_string(),
            (None, false) => name.to_string(),
        };
        let owner = if name == CPU { self.runner } else { self.owner(&owner) };
        self.components.push(Component {
            name: name.to_string(),
            residences: Vec::new(),
            present: None,
            current: Current(0),
            hz: 0,
            since: self.begin,
            owner,
        });
        let index = self.components.len() - 1;
        if name == CPU {
            self.cpu = Some(index);
        }
        index
    }

    /// Charges what a component has drawn up to `now`.
    fn settle(&mut self, index: usize, now: Time) {
        let component = &mut self.components[index];
        if let Some(present) = component.present {
            let residence = &mut component.residences[present];
            let time = now - component.since;
            let charge = component.current.over(time);
            residence.time += time;
            residence.cycles += u128::from(component.hz) * u128::from(time.0);
            residence.charge += charge;
            self.owners[component.owner].1 += charge;
        }
        component.since = now;
    }

    /// Puts a component into another state.
    fn change(
        &mut self,
        index: usize,
        tables: &Tables,
        part: &str,
        state: &'static str,
        clocks: [u64; 2],
    ) {
        let owner = match (Some(index) == self.cpu, state == ACTIVE) {
            (false, _) => self.components[index].owner,
            (true, true) => self.runner,
            (true, false) => self.owner(ASLEEP),
        };
        let component = &mut self.components[index];
        component.owner = owner;
        component.hz = clocks[0];
        component.present = (state != OFF).then(|| {
            let known = component.residences.iter().position(|known| known.state == state);
            known.unwrap_or_else(|| {
                let own = self.own_rows.get(&(component.name.clone(), state));
                let row = own.or_else(|| tables.row(part, &component.name, state)).cloned();
                let row = row.unwrap_or_else(Row::missing);
                let (time, cycles, charge) = (Time::ZERO, 0, Charge(0));
                component.residences.push(Residence { state, row, time, cycles, charge });
                component.residences.len() - 1
            })
        });
        let draw = component.present.map(|at| component.residences[at].row.draw(clocks));
        component.current = match draw {
            Some(Draw::Known { current, .. }) => current,
            Some(Draw::Unknown(_)) | None => Current(0),
        };
    }

    /// The account up to `now`.
    pub fn report(&mut self, now: Time) -> MoteReport {
        for index in 0..self.components.len() {
            self.settle(index, now);
        }
        let residences = || {
            let all = self.components.iter();
            all.flat_map(|component| component.residences.iter().map(move |r| (component, r)))
        };
        let mut entries = Vec::new();
        let mut unknown = Vec::new();
        for (component, residence) in residences().filter(|(_, r)| r.time > Time::ZERO) {
            let Residence { state, time, charge, .. } = *residence;
            let name = component.name.clone();
            match residence.row.draw([0, 0]) {
                Draw::Unknown(why) => {
                    unknown.push(Unknown { component: name, state, time, why: why.to_string() });
                }
                Draw::Known { estimate, .. } => {
                    let mean_hz = (residence.cycles / u128::from(time.0)) as u64;
                    entries.push(Entry { component: name, state, time, mean_hz, charge, estimate });
                }
            }
        }
        let drawn = self.owners.iter().filter(|(_, charge)| *charge > Charge(0));
        let owners =
            drawn.map(|(owner, charge)| Share { owner: owner.clone(), charge: *charge }).collect();
        let is_heard =
            |part: &LeftOut| self.heard.iter().any(|heard| part.part.eq_ignore_ascii_case(heard));
        let left_out = self.parts.iter().filter(|part| !is_heard(part)).cloned().collect();
        let (begin, end, supply_mv) = (self.begin, now, self.supply_mv);
        let mut report = MoteReport { begin, end, supply_mv, entries, owners, unknown, left_out };
        report.sort();
        report
    }
}

fn thread_name(names: &Names, thread: Option<&str>) -> String {
    thread.map_or(names.start().to_string(), |thread| format!("thread {thread}"))
}
