// SPDX-License-Identifier: MIT OR Apache-2.0
//! A history of storage on the mote and on the model.

use super::call::{self, Call, Command, Fault, LOGS, OF_COUNTER, OF_VOLUMES, PAGE, PAGES, VOLUMES};
use super::step::Step;
use crate::{Count, Mote, Stopped};
use lichen_chip::Time;
use lichen_model::Seen;
use lichen_model::error::EMPTY;
use lichen_model::storage::{
    BlockCall, Counter, CounterCall, Given, Log, LogCall, Medium, Record, Seek, Volumes,
};
use std::collections::HashSet;
use std::fmt;
use std::hash::Hash;
use std::ops::Range;

/// How long a call may take.
const LIMIT: Time = Time::from_ms(500);
/// A history ends when an object may be in more states than this.
const MOST_STATES: usize = 2_000;
/// More records than a log can have.
const MOST_RECORDS: usize = 2_000;
/// The bytes of a page's number, which alone say whether a page of a volume is erased.
const NUMBER: usize = 4;
/// A third one may be the other of the two pages that a start has written over spoilt ones: then numbers come twice.
const MOST_ROTTEN: usize = 2;
/// `storage_bytes`.
const BYTES: usize = 600;

/// An observation that the model does not allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The steps, and what was observed after each.
    pub done: Vec<(Step, String)>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, (step, seen)) in self.done.iter().enumerate() {
            writeln!(f, "{number:4}  {step}   -> {seen}")?;
        }
        write!(f, "what the last step gave is not allowed after the others")
    }
}

/// Runs a history on both, then cuts the power and reads what is there.
pub(super) fn compare(mote: &mut Mote<'_>, history: &[Step]) -> Result<Count, Stopped<Difference>> {
    mote.begin()?;
    let mut run = Run {
        played: mote.address("played")?,
        bytes: mote.address("storage_bytes")?,
        mote,
        logs: LOGS.map(|(_, is_circular, room)| vec![Log::new(is_circular, room)]),
        volumes: vec![Volumes::new(&VOLUMES)],
        counter: vec![Counter::default()],
        worn: 0,
        rotten: 0,
        records: 0,
        used: HashSet::new(),
        done: Vec::new(),
        count: Count::default(),
    };
    for step in history {
        if !run.step(*step)? {
            return Ok(run.count);
        }
    }
    run.read_all()?;
    Ok(run.count)
}

struct Run<'a, 'b> {
    mote: &'a mut Mote<'b>,
    played: u32,
    bytes: u32,
    /// All states in which each may be.
    logs: [Vec<Log>; 2],
    volumes: Vec<Volumes>,
    counter: Vec<Counter>,
    /// Pages that are worn.
    worn: u32,
    /// How often a page of the counter was damaged.
    rotten: usize,
    records: u32,
    /// The objects that were called.
    used: HashSet<Range<usize>>,
    done: Vec<(Step, String)>,
    count: Count,
}

/// What a call gave.
struct Gave {
    result: i32,
    value: u32,
    bytes: Vec<u8>,
}

impl Run<'_, '_> {
    /// False if the object may be in too many states.
    fn step(&mut self, step: Step) -> Result<bool, Stopped<Difference>> {
        let Some(step) = self.fits(step) else {
            self.count.left_out += 1;
            return Ok(true);
        };
        self.count.steps += 1;
        match step {
            Step::Call(call, fault) => {
                self.count.within += u64::from(fault.is_some());
                self.call(call, fault)?;
            }
            Step::Restart => self.cut()?,
            Step::Wear(page) => {
                self.worn |= 1 << page;
                self.tell(step, call::worn(self.worn))?;
            }
            Step::Rot(page, from, count) => self.rot(page, from, count)?,
        }
        if !matches!(step, Step::Call(..)) {
            self.done.push((step, String::new()));
        }
        let states = self.logs.iter().map(Vec::len).chain([self.volumes.len(), self.counter.len()]);
        let most = states.max().unwrap_or(0);
        self.count.states = self.count.states.max(most);
        Ok(most <= MOST_STATES)
    }

    /// The step with its arguments, if it can be made.
    fn fits(&mut self, step: Step) -> Option<Step> {
        match step {
            Step::Call(Call::Log(log, LogCall::Append(record)), fault) => {
                self.records += 1;
                let append = LogCall::Append(Record { number: self.records, ..record });
                Some(Step::Call(Call::Log(log, append), fault))
            }
            Step::Call(Call::Log(log, LogCall::Seek(Seek::Told(told))), fault) => {
                let told = told.checked_rem(self.logs[log].first()?.told())?;
                let is_known = self.logs[log].iter().all(|log| log.position(told).is_some());
                let seek = LogCall::Seek(Seek::Told(told));
                is_known.then_some(Step::Call(Call::Log(log, seek), fault))
            }
            Step::Wear(page) => self.may_wear(page).then_some(step),
            // What a log or the journal of a volume has lost is not promised to be noticed.
            Step::Rot(page, from, _) => {
                let is_data = [11, 12, 15].contains(&page) && from >= NUMBER;
                let is_counter = OF_COUNTER.contains(&page) && self.rotten < MOST_ROTTEN;
                (is_data || is_counter).then_some(step)
            }
            _ => Some(step),
        }
    }

    /// Each object has one page that is worn, at most; and a volume one of its journal.
    fn may_wear(&self, page: usize) -> bool {
        let rooms = [0..6, 6..11, 11..13, 13..15, 15..16, 16..18, OF_COUNTER];
        let room = rooms.into_iter().find(|room| room.contains(&page));
        room.is_some_and(|mut room| room.all(|page| self.worn >> page & 1 == 0))
    }

    fn medium(&self, of: &Range<usize>, fault: Option<Fault>) -> Medium {
        let worn = self.worn >> of.start & ((1 << of.len()) - 1);
        Medium { fails: fault.is_some(), worn, rotten: self.rotten > 0 }
    }

    fn call(&mut self, call: Call, fault: Option<Fault>) -> Result<(), Stopped<Difference>> {
        let step = Step::Call(call, fault);
        if fault.is_some() {
            self.tell(step, call::fault(fault))?;
        }
        let log = match call {
            Call::Log(log, _) => self.logs[log].first(),
            _ => None,
        };
        let (command, bytes) = call::call(call, log);
        self.mote.write(self.bytes, &bytes)?;
        let gave = self.tell(step, command)?;
        self.done.push((step, format!("{} ({})", gave.result, gave.value)));
        let is_cut = matches!(fault, Some(Fault::Cut(..)));
        let is_cut_within = is_cut && gave.result == lichen_model::error::IO;
        self.follow(call, fault, &gave, is_cut_within)?;
        match fault {
            Some(Fault::Cut(..)) if is_cut_within => self.power_up()?,
            Some(Fault::Cut(..)) => self.cut()?,
            Some(_) => {
                self.tell(step, call::fault(None))?;
            }
            None => {}
        }
        Ok(())
    }

    /// Continues with the states that agree.
    fn follow(
        &mut self,
        call: Call,
        fault: Option<Fault>,
        gave: &Gave,
        is_cut: bool,
    ) -> Result<(), Stopped<Difference>> {
        let given = Given { result: gave.result, value: gave.value, bytes: &gave.bytes };
        let of = match call {
            Call::Log(log, _) => LOGS[log].0.clone(),
            Call::Block(_) => OF_VOLUMES,
            Call::Counter(_) => OF_COUNTER,
        };
        let medium = self.medium(&of, fault);
        self.used.insert(of);
        let is_left = match call {
            Call::Log(log, call) => each(&mut self.logs[log], |log| match is_cut {
                true => log.cut_within(call, medium),
                false => log.follow(call, given, medium),
            }),
            Call::Block(call) => each(&mut self.volumes, |volumes| match is_cut {
                true => volumes.cut_within(call),
                false => volumes.follow(call, given, medium),
            }),
            Call::Counter(call) => each(&mut self.counter, |counter| match is_cut {
                true => counter.cut_within(call),
                false => counter.follow(call, given, medium),
            }),
        };
        if is_cut {
            self.cut_others(call);
        }
        if is_left { Ok(()) } else { Err(self.differs()) }
    }

    /// Power was cut in a call: the objects that it does not concern lose what they had in RAM.
    fn cut_others(&mut self, call: Call) {
        for log in 0..self.logs.len() {
            if !matches!(call, Call::Log(other, _) if other == log) {
                each(&mut self.logs[log], Log::cut);
            }
        }
        if !matches!(call, Call::Block(_)) {
            each(&mut self.volumes, Volumes::cut);
        }
        if !matches!(call, Call::Counter(_)) {
            each(&mut self.counter, Counter::cut);
        }
    }

    /// Power fails between calls.
    fn cut(&mut self) -> Result<(), Stopped<Difference>> {
        self.cut_all();
        self.power_up()
    }

    fn cut_all(&mut self) {
        self.logs.iter_mut().for_each(|log| {
            each(log, Log::cut);
        });
        each(&mut self.volumes, Volumes::cut);
        each(&mut self.counter, Counter::cut);
    }

    /// The program starts again, with the same medium.
    fn power_up(&mut self) -> Result<(), Stopped<Difference>> {
        let pages = self.mote.read(self.played, PAGES * PAGE)?;
        self.mote.begin()?;
        self.mote.write(self.played, &pages)?;
        self.tell(Step::Restart, call::worn(self.worn))?;
        Ok(())
    }

    /// While power is off, bytes change so that they look erased, but never a whole header.
    fn rot(&mut self, page: usize, from: usize, count: usize) -> Result<(), Stopped<Difference>> {
        self.cut_all();
        let at = self.played + (page * PAGE + from) as u32;
        let mut bytes = self.mote.read(at, count.min(PAGE - from))?;
        let before = bytes.clone();
        bytes.fill(0xff);
        if bytes == before {
            bytes.fill(0x5a);
        }
        self.mote.write(at, &bytes)?;
        self.rotten += usize::from(OF_COUNTER.contains(&page));
        if let Some(place) = page.checked_sub(OF_VOLUMES.start) {
            self.volumes.iter_mut().for_each(|volumes| volumes.rot(place));
        }
        self.power_up()
    }

    /// The mote takes a command, and asks again.
    fn tell(&mut self, step: Step, command: Command) -> Result<Gave, Stopped<Difference>> {
        self.mote.give(0, &command)?;
        match self.mote.observe(LIMIT) {
            Ok(Seen::Asks(_, result, value)) => {
                let bytes = self.mote.read(self.bytes, BYTES)?;
                Ok(Gave { result, value, bytes })
            }
            Ok(Seen::Idle) => Err(self.failed(step, "everybody waits".to_string())),
            Err(failure) => Err(self.failed(step, failure.to_string())),
        }
    }

    fn failed(&mut self, step: Step, how: String) -> Stopped<Difference> {
        self.done.push((step, how));
        self.differs()
    }

    fn differs(&mut self) -> Stopped<Difference> {
        Stopped::Different(Box::new(Difference { done: std::mem::take(&mut self.done) }))
    }

    /// Power fails, and everything that was used is read to its end.
    fn read_all(&mut self) -> Result<(), Stopped<Difference>> {
        self.step(Step::Restart)?;
        for (log, (pages, ..)) in LOGS.into_iter().enumerate() {
            if !self.used.contains(&pages) {
                continue;
            }
            for _ in 0..MOST_RECORDS {
                let read = Call::Log(log, LogCall::Read(u32::MAX >> 16));
                self.step(Step::Call(read, None))?;
                if self.done.last().is_some_and(|(_, seen)| seen.starts_with(&EMPTY.to_string())) {
                    break;
                }
            }
        }
        if self.used.contains(&OF_VOLUMES) {
            for call in [
                BlockCall::Read(0, 0, 248),
                BlockCall::Read(0, 248, 152),
                BlockCall::Read(1, 0, 100),
            ] {
                self.step(Step::Call(Call::Block(call), None))?;
            }
        }
        if self.used.contains(&OF_COUNTER) {
            for call in [CounterCall::Reserve, CounterCall::Take(2)] {
                self.step(Step::Call(Call::Counter(call), None))?;
            }
        }
        Ok(())
    }
}

/// Replaces states by those that follow. False if there are none.
fn each<S: Hash + Eq + Clone>(states: &mut Vec<S>, next: impl Fn(&S) -> Vec<S>) -> bool {
    let mut known = HashSet::new();
    *states = states.iter().flat_map(next).filter(|state| known.insert(state.clone())).collect();
    !states.is_empty()
}
