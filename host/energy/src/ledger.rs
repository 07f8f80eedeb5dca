// SPDX-License-Identifier: MIT OR Apache-2.0
//! The account of one mote: where each of its components has been, for how long, and for whom.

use crate::component::Component;
use crate::periods::{Drawn, Periods};
use crate::report::{Entry, Held, LeftOut, MoteReport, Period, Share, Unknown};
use crate::table::PROCESSOR;
use crate::{Charge, Current, Doing, Draw, Names, Row, Tables};
use lichen_chip::Time;
use lichen_trace::Kind;
use std::collections::BTreeMap;
use std::sync::Arc;

/// State of the processor while it works for somebody.
const ACTIVE: &str = "active";
/// Owner of the processor's sleep.
const ASLEEP: &str = "asleep";
/// Owner of what serves everybody: oscillators, and the detector of brown-outs.
const COMMON: &str = "clocks and supply";

/// Who is charged.
#[derive(Debug)]
struct Owner {
    name: String,
    charge: Charge,
    /// Time in which the processor worked for it.
    active: Time,
}

/// The account of one mote.
#[derive(Debug)]
pub(crate) struct Ledger {
    names: Arc<Names>,
    begin: Time,
    supply_mv: u32,
    components: Vec<Component>,
    cpu: Option<usize>,
    owners: Vec<Owner>,
    /// Owners of handlers and threads, by the names in events.
    handlers: BTreeMap<&'static str, usize>,
    threads: BTreeMap<String, usize>,
    /// Owner of what the processor does, and of what it does when the handlers have ended.
    runner: usize,
    thread: usize,
    /// What flows at present, what has been drawn up to when.
    flow: [Current; 2],
    drawn: Drawn,
    at: Time,
    periods: Periods,
    /// The processor's deepest mode, and the least that flowed there.
    deepest: Option<Deepest>,
    /// Rows that the board states.
    own_rows: BTreeMap<(String, &'static str), Row>,
    /// Parts of the board that may not be simulated.
    parts: Vec<LeftOut>,
    /// Parts that were heard of.
    heard: Vec<&'static str>,
}

/// The mode that lighter sleep is compared with.
#[derive(Debug)]
struct Deepest {
    mode: String,
    /// What the table has for the processor alone.
    stated: Current,
    /// The least that the processor and what serves all components drew there.
    seen: Option<Current>,
}

impl Ledger {
    /// An account that begins at `begin`, with `thread` running.
    pub fn new(names: Arc<Names>, begin: Time, supply_mv: u32, thread: Option<&str>) -> Ledger {
        let name = thread_name(&names, thread);
        Ledger {
            names,
            begin,
            supply_mv,
            components: Vec::new(),
            cpu: None,
            owners: vec![Owner { name, charge: Charge(0), active: Time::ZERO }],
            handlers: BTreeMap::new(),
            threads: BTreeMap::new(),
            runner: 0,
            thread: 0,
            flow: [Current(0); 2],
            drawn: Drawn::default(),
            at: begin,
            periods: Periods::new(begin),
            deepest: None,
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

    /// Names the mode that lighter sleep is compared with, and what the processor draws there.
    pub fn compare_with(&mut self, mode: &str, stated: Current) {
        self.deepest = Some(Deepest { mode: mode.to_string(), stated, seen: None });
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
            Kind::Processor { does, begins } => {
                self.advance(time);
                let deepest = self.deepest.as_ref().map(|deepest| deepest.mode.as_str());
                self.periods.change((time, self.drawn), does, *begins, deepest);
            }
            Kind::Exception { name: Some(name) } => self.exception(time, name),
            Kind::Exception { name: None } => self.run(time, self.thread),
            Kind::Thread { name } => {
                let thread = self.thread(name);
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
    pub fn exception(&mut self, time: Time, name: &'static str) {
        let known = self.handlers.get(name).copied();
        let handler = known.unwrap_or_else(|| {
            let handler = self.owner(&self.names.handler(name));
            self.handlers.insert(name, handler);
            handler
        });
        self.run(time, handler);
    }

    /// The processor works for another owner.
    fn run(&mut self, time: Time, owner: usize) {
        if let Some(cpu) = self.cpu.filter(|_| owner != self.runner) {
            self.settle(cpu, time);
            let component = &mut self.components[cpu];
            if component.state() == ACTIVE {
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

    fn thread(&mut self, name: &str) -> usize {
        if let Some(known) = self.threads.get(name) {
            return *known;
        }
        let thread = self.owner(&thread_name(&self.names, Some(name)));
        self.threads.insert(name.to_string(), thread);
        thread
    }

    fn owner(&mut self, name: &str) -> usize {
        let known = self.owners.iter().position(|owner| owner.name == name);
        known.unwrap_or_else(|| {
            let name = name.to_string();
            self.owners.push(Owner { name, charge: Charge(0), active: Time::ZERO });
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
        let owner = if name == PROCESSOR { self.runner } else { self.owner(&owner) };
        self.components.push(Component::new(name, self.begin, owner, serves_all));
        let index = self.components.len() - 1;
        if name == PROCESSOR {
            self.cpu = Some(index);
        }
        index
    }

    /// Counts what has flowed up to `now`.
    fn advance(&mut self, now: Time) {
        let time = now - self.at;
        let [all, base] = self.flow;
        self.drawn.all += all.over(time);
        self.drawn.base += base.over(time);
        self.at = now;
        let state = self.cpu.map(|cpu| self.components[cpu].state());
        if let Some(deepest) = self.deepest.as_mut().filter(|_| time > Time::ZERO) {
            if state == Some(deepest.mode.as_str()) {
                deepest.seen = Some(deepest.seen.map_or(base, |seen| seen.min(base)));
            }
        }
    }

    /// Charges what a component has drawn up to `now`.
    fn settle(&mut self, index: usize, now: Time) {
        let component = &mut self.components[index];
        let (charge, time) = component.settle(now);
        let owner = &mut self.owners[component.owner];
        owner.charge += charge;
        if Some(index) == self.cpu && component.state() == ACTIVE {
            owner.active += time;
        }
        self.advance(now);
    }

    /// Puts a component, which is settled, into another state.
    fn change(
        &mut self,
        index: usize,
        tables: &Tables,
        part: &str,
        state: &'static str,
        clocks: [u64; 2],
    ) {
        let is_cpu = Some(index) == self.cpu;
        let owner = match (is_cpu, state == ACTIVE) {
            (false, _) => self.components[index].owner,
            (true, true) => self.runner,
            (true, false) => self.owner(ASLEEP),
        };
        let component = &mut self.components[index];
        component.owner = owner;
        let before = component.current();
        component.change(state, clocks, |name| {
            let own = self.own_rows.get(&(name.to_string(), state));
            let row = own.or_else(|| tables.row(part, name, state)).cloned();
            row.unwrap_or_else(Row::missing)
        });
        let [all, base] = &mut self.flow;
        *all = *all + component.current() - before;
        if is_cpu || component.serves_all {
            *base = *base + component.current() - before;
        }
    }

    /// The account up to `now`.
    pub fn report(&mut self, now: Time) -> MoteReport {
        for index in 0..self.components.len() {
            self.settle(index, now);
        }
        self.advance(now);
        self.periods.settle(now, self.drawn);
        let (entries, unknown) = self.residences();
        let is_heard =
            |part: &LeftOut| self.heard.iter().any(|heard| part.part.eq_ignore_ascii_case(heard));
        let mut report = MoteReport {
            begin: self.begin,
            end: now,
            supply_mv: self.supply_mv,
            entries,
            owners: self.shares(),
            periods: self.periods(),
            held: self.held(),
            unknown,
            left_out: self.parts.iter().filter(|part| !is_heard(part)).cloned().collect(),
        };
        report.sort();
        report
    }

    /// Components in their states: those with a current, and the others.
    fn residences(&self) -> (Vec<Entry>, Vec<Unknown>) {
        let (mut entries, mut unknown) = (Vec::new(), Vec::new());
        let all = self.components.iter();
        let all =
            all.flat_map(|component| component.residences.iter().map(move |r| (component, r)));
        for (component, residence) in all.filter(|(_, residence)| residence.time > Time::ZERO) {
            let (state, time, charge) = (residence.state, residence.time, residence.charge);
            let component = component.name.clone();
            match residence.row.draw([0, 0]) {
                Draw::Unknown(why) => {
                    unknown.push(Unknown { component, state, time, why: why.to_string() });
                }
                Draw::Known { estimate, .. } => {
                    let mean_hz = (residence.cycles / time.ps()) as u64;
                    entries.push(Entry { component, state, time, mean_hz, charge, estimate });
                }
            }
        }
        (entries, unknown)
    }

    fn shares(&self) -> Vec<Share> {
        let is_there = |owner: &&Owner| owner.charge > Charge(0) || owner.active > Time::ZERO;
        let share = |owner: &Owner| Share {
            owner: owner.name.clone(),
            active: owner.active,
            charge: owner.charge,
        };
        self.owners.iter().filter(is_there).map(share).collect()
    }

    fn periods(&self) -> Vec<Period> {
        let all = self.periods.periods.iter().filter(|p| p.count > 0 || p.time > Time::ZERO);
        let period = |period: &crate::periods::Period| Period {
            doing: period.doing,
            name: period.name.clone(),
            handler: self.names.of_own(&period.name).filter(|_| period.doing == Doing::Awake),
            count: period.count,
            time: period.time,
            charge: period.charge,
        };
        all.map(period).collect()
    }

    fn held(&self) -> Vec<Held> {
        let Some(deepest) = &self.deepest else { return Vec::new() };
        let floor = deepest.seen.unwrap_or(deepest.stated);
        let held = |held: &crate::periods::Held| Held {
            limits: held.limits.to_string(),
            mode: held.mode.clone(),
            count: held.count,
            time: held.time,
            cost: held.cost(floor),
        };
        self.periods.held.iter().map(held).collect()
    }
}

fn thread_name(names: &Names, thread: Option<&str>) -> String {
    match thread.map(|thread| thread.split_once('/').ok_or(thread)) {
        None => names.start().to_string(),
        // The account of a program that was loaded has all of its threads.
        Some(Ok((program, _))) => format!("program {program}"),
        Some(Err(thread)) => format!("thread {thread}"),
    }
}
