// SPDX-License-Identifier: MIT OR Apache-2.0
//! The time of a mote, divided at its wake-ups: asleep in each mode, and awake for each cause; and what kept it from
//! the deepest mode.

use crate::{Charge, Current, Doing};
use lichen_chip::Time;
use lichen_trace::Processor;
use std::sync::Arc;

/// All periods of one kind.
#[derive(Debug)]
pub(crate) struct Period {
    pub doing: Doing,
    /// Cause or mode.
    pub name: String,
    pub count: u64,
    pub time: Time,
    pub charge: Charge,
}

/// All sleep in a mode that limits of drivers have kept from being a deeper one.
#[derive(Debug)]
pub(crate) struct Held {
    pub limits: Arc<str>,
    pub mode: String,
    pub count: u64,
    pub time: Time,
    /// What the processor drew meanwhile, and what serves all components.
    pub charge: Charge,
}

/// What has been drawn so far: by everything; and by the processor with what serves all components, which a deeper
/// mode would have stopped.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Drawn {
    pub all: Charge,
    pub base: Charge,
}

/// Divides the time of a mote.
#[derive(Debug)]
pub(crate) struct Periods {
    pub periods: Vec<Period>,
    pub held: Vec<Held>,
    /// The present period, and that in which it is held, since when, and what had been drawn then.
    present: Option<usize>,
    holder: Option<usize>,
    since: Time,
    before: Drawn,
}

impl Periods {
    pub fn new(begin: Time) -> Periods {
        Periods {
            periods: Vec::new(),
            held: Vec::new(),
            present: None,
            holder: None,
            since: begin,
            before: Drawn::default(),
        }
    }

    /// The present period ends, and another one begins: with `is_new` for the first time, else in the middle. Limits
    /// do not matter in the `deepest` mode.
    pub fn change(
        &mut self,
        (now, drawn): (Time, Drawn),
        does: &Processor,
        is_new: bool,
        deepest: Option<&str>,
    ) {
        self.settle(now, drawn);
        let (doing, name, limits) = match does {
            Processor::Off => (Doing::Off, "", None),
            Processor::Awake { cause } => (Doing::Awake, cause.as_ref(), None),
            Processor::Asleep { mode, limits } => (Doing::Asleep, mode.as_ref(), limits.as_ref()),
        };
        let present = self.period(doing, name);
        self.periods[present].count += u64::from(is_new);
        self.present = Some(present);
        let limits = limits.filter(|_| deepest != Some(name));
        self.holder = limits.map(|limits| self.holder(limits, name));
        if let Some(holder) = self.holder {
            self.held[holder].count += u64::from(is_new);
        }
    }

    /// Counts the present period up to `now`.
    pub fn settle(&mut self, now: Time, drawn: Drawn) {
        let time = now - self.since;
        if let Some(period) = self.present.map(|at| &mut self.periods[at]) {
            period.time += time;
            period.charge += drawn.all - self.before.all;
        }
        if let Some(held) = self.holder.map(|at| &mut self.held[at]) {
            held.time += time;
            held.charge += drawn.base - self.before.base;
        }
        (self.since, self.before) = (now, drawn);
    }

    fn period(&mut self, doing: Doing, name: &str) -> usize {
        let is_it = |period: &Period| period.doing == doing && period.name == name;
        self.periods.iter().position(is_it).unwrap_or_else(|| {
            let (time, charge) = (Time::ZERO, Charge(0));
            self.periods.push(Period { doing, name: name.to_string(), count: 0, time, charge });
            self.periods.len() - 1
        })
    }

    fn holder(&mut self, limits: &Arc<str>, mode: &str) -> usize {
        let is_it = |held: &Held| held.mode == mode && held.limits == *limits;
        self.held.iter().position(is_it).unwrap_or_else(|| {
            let (limits, mode) = (Arc::clone(limits), mode.to_string());
            self.held.push(Held { limits, mode, count: 0, time: Time::ZERO, charge: Charge(0) });
            self.held.len() - 1
        })
    }
}

impl Held {
    /// What it has cost, if the deepest mode draws `floor`.
    pub fn cost(&self, floor: Current) -> Charge {
        self.charge - floor.over(self.time)
    }
}
