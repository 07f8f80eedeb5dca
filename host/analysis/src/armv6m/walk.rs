// SPDX-License-Identifier: MIT OR Apache-2.0
//! Follows a function on all its ways: how deep it gets, and what it calls where.
//!
//! A function is followed for what its callers pass: a function that is handed a pointer to another
//! one calls that one. Constants are followed through registers; what goes through memory is unknown.

use super::evaluate::Leads;
use super::pointers::pointers;
use super::state::State;
use super::value::Value;
use crate::follow::{self, Bodies, Call, Target};
use crate::pointers::Pointers;
use crate::text::Text;
use crate::{Unknown, Why};
use lichen_isa::armv6m::LR;
use std::collections::{BTreeSet, HashMap};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// Numbers up to this are followed into functions: interrupt lines and levels.
pub(crate) const NUMBERS: u32 = 32;

/// Registers in which arguments are passed.
const ARGUMENTS: usize = 4;

/// What a start function of a program that is loaded may use of the kernel's stack (`os/include/lichen/init.h`).
pub const LOADED_START: u32 = 192;

/// A function, and what is known at its entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Where it begins.
    pub address: u32,
    pub(crate) registers: [Value; 16],
    /// Whether interrupts are masked.
    pub masked: bool,
}

/// Of what functions are called with: the other registers are hardly ever known.
impl Hash for Entry {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.address, self.masked, &self.registers[..ARGUMENTS]).hash(state);
    }
}

impl Entry {
    /// A function of whose arguments nothing is known.
    pub fn of(address: u32) -> Entry {
        let mut registers: [Value; 16] = Default::default();
        registers[usize::from(LR)] = Value::Return;
        Entry { address, registers, masked: false }
    }

    /// The same with interrupts masked.
    pub fn masked(address: u32) -> Entry {
        Entry { masked: true, ..Entry::of(address) }
    }
}

pub(crate) type Walk = follow::Walk<State, Entry>;
pub type Body = follow::Body<Entry>;

/// How an interrupt was enabled; `None` is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Enabled {
    /// The interrupt line.
    pub line: Option<u32>,
    /// Its level.
    pub level: Option<u32>,
    /// Whether the system does it, not the program.
    pub by_system: bool,
}

/// All that was followed of an image.
pub struct Walks<'a> {
    /// The code.
    pub text: &'a Text<'a>,
    /// What pointers to functions may lead to.
    pub pointers: Pointers,
    bodies: HashMap<Entry, Option<Rc<Body>>>,
    /// What threads have done at the kernel level.
    pub(crate) services: BTreeSet<u32>,
    /// Where the main stack begins anew, as panics have it.
    pub anew: Vec<Entry>,
    /// Interrupts, as they were enabled.
    pub enabled: BTreeSet<Enabled>,
    /// Why services are not known.
    pub(crate) service_problem: Option<Unknown>,
    pub(crate) top: Option<u32>,
    enable: Option<u32>,
    calls_service: Vec<u32>,
    pub(crate) leave: Option<u32>,
    without_threads: bool,
}

impl<'a> Walks<'a> {
    /// Of `text`, of which nothing is followed yet.
    pub fn new(text: &'a Text<'a>) -> Walks<'a> {
        let entries = CALL_SERVICES.into_iter();
        Walks {
            text,
            pointers: pointers(text),
            bodies: HashMap::new(),
            services: BTreeSet::new(),
            anew: Vec::new(),
            enabled: BTreeSet::new(),
            service_problem: None,
            top: text.symbol("kernel_stack_top"),
            enable: text.symbol("chip_interrupt_enable"),
            calls_service: entries.filter_map(|name| text.symbol(name)).collect(),
            leave: text.symbol("svc_leave"),
            without_threads: text.symbol(WITHOUT_THREADS).is_some(),
        }
    }

    /// The function of `entry`, followed; with all that it calls.
    pub fn body(&mut self, entry: &Entry) -> Rc<Body> {
        match self.bodies.get(entry) {
            Some(Some(body)) => return body.clone(),
            // It calls itself.
            Some(None) => return Rc::new(Body::open()),
            None => {}
        }
        self.bodies.insert(entry.clone(), None);
        let body = Rc::new(self.follow(entry));
        self.bodies.insert(entry.clone(), Some(body.clone()));
        body
    }

    fn follow(&mut self, entry: &Entry) -> Body {
        let mut walk = Walk::default();
        walk.go(entry.address, State::at(entry));
        while let Some((at, state)) = walk.next() {
            let stepped = self.step(&mut walk, at, state);
            let grown = walk.grows.map_or(Ok(()), |_| Err(Why::Growing));
            if let Err(why) = stepped.and(grown) {
                walk.body.problem = Some(self.text.unknown(at, why));
                break;
            }
        }
        self.check_jumps(&mut walk);
        self.conclude(&mut walk);
        walk.body
    }

    /// Long functions jump by `bl` within themselves.
    pub(crate) fn is_within(&self, at: u32, to: u32) -> bool {
        let around = |address| self.text.around(address).map(|it| it.range.start);
        around(at).is_some_and(|start| around(to) == Some(start) && to != start)
    }

    /// Now that all ways are known: how deep, and what is called with what.
    fn conclude(&mut self, walk: &mut Walk) {
        for (at, known) in std::mem::take(&mut walk.states) {
            let (state, _) = *known;
            let mut behind = state.clone();
            let Some((leads, _)) = behind.evaluate(self.text, at) else { continue };
            let depth = behind.depth.max(state.depth).max(0) as u32;
            walk.body.note(at, depth, state.masked);
            let targets = match leads {
                Leads::Call(to) if self.is_within(at, to) => continue,
                Leads::Call(to) if self.text.switch(at, to).is_some() => continue,
                Leads::Call(to) => {
                    self.note_enabled(at, &state, to);
                    vec![Target::Function(Box::new(self.called(&state, to)))]
                }
                Leads::CallValue(to) => match self.targets(at, &state, to) {
                    Some(targets) => targets,
                    None => {
                        walk.body.problem.get_or_insert(self.text.unknown(at, Why::Pointer));
                        continue;
                    }
                },
                Leads::Service => {
                    self.note_service(at, &state);
                    continue;
                }
                _ => continue,
            };
            let depth = state.depth.max(0) as u32;
            walk.body.calls.push(Call { at, depth, targets });
        }
    }

    /// A jump within a function may go to places that no constant names: what was neither followed nor
    /// passed by is such a place.
    fn check_jumps(&self, walk: &mut Walk) {
        if walk.jumps.is_empty() {
            return;
        }
        let passed_by = self.text.leads_on(&walk.passed_by);
        let is_known = |at| walk.states.contains_key(&at) || passed_by.contains(&at);
        let leads_elsewhere = |at: &&u32| self.text.other_than(**at, is_known).is_some();
        if let Some(at) = walk.jumps.iter().find(leads_elsewhere) {
            walk.body.problem.get_or_insert(self.text.unknown(*at, Why::Pointer));
        }
    }

    /// What a call through a register leads to. A pointer that is 0 is not called.
    pub(crate) fn targets(
        &mut self,
        at: u32,
        state: &State,
        value: Value,
    ) -> Option<Vec<Target<Entry>>> {
        if value.known().is_none()
            && self.text.functions_of_system(at).iter().any(|name| is_service(name))
        {
            return Some(vec![Target::Service]);
        }
        if value.known().is_none()
            && let Some(bytes) = self.pointers.loaded(self.text, at, LOADED_START)
        {
            return Some(vec![Target::Loaded(bytes)]);
        }
        let functions = match value.known() {
            Some(words) => words.iter().filter(|word| **word != 0).map(|word| word & !1).collect(),
            None => self.pointers.at(self.text, at)?.to_vec(),
        };
        for function in &functions {
            self.note_enabled(at, state, *function);
        }
        let target = |to| Target::Function(Box::new(self.called(state, to)));
        Some(functions.into_iter().map(target).collect())
    }

    /// What a function is called with: functions, and small numbers.
    pub(crate) fn called(&self, state: &State, to: u32) -> Entry {
        let mut entry = Entry { masked: state.masked, ..Entry::of(to & !1) };
        let tells = |word: &u32| *word < NUMBERS || self.text.is_function(word & !1);
        for number in 0..ARGUMENTS {
            let value = &state.registers[number];
            if value.known().is_some_and(|words| words.iter().all(tells)) {
                entry.registers[number] = *value;
            }
        }
        entry
    }

    pub(crate) fn note_enabled(&mut self, at: u32, state: &State, to: u32) {
        if self.enable == Some(to) {
            self.enabled.insert(Enabled {
                line: state.registers[0].single(),
                level: state.registers[1].single(),
                by_system: self.text.is_of_system(at),
            });
        }
    }

    /// What a thread has done at the kernel level: r3 says where the kernel goes on, r2 the function.
    fn note_service(&mut self, at: u32, state: &State) {
        let Some(entries) = state.registers[3].known() else {
            // Where no thread is, this is a fault.
            if self.text.name(at) != "semaphore_take" {
                self.service_problem.get_or_insert(self.text.unknown(at, Why::Pointer));
            }
            return;
        };
        let calls = self.without_threads
            || entries.iter().any(|entry| self.calls_service.contains(&(entry & !1)));
        if !calls {
            return;
        }
        match state.registers[2].known() {
            Some(functions) => self.services.extend(functions.iter().map(|f| f & !1)),
            None => {
                let all = self.pointers.services(self.text);
                self.services.extend(all);
            }
        }
    }
}

impl Bodies for Walks<'_> {
    type Entry = Entry;

    fn address(entry: &Entry) -> u32 {
        entry.address
    }

    fn body(&mut self, entry: &Entry) -> Rc<Body> {
        Walks::body(self, entry)
    }

    fn services(&self) -> Result<Vec<Entry>, Unknown> {
        match &self.service_problem {
            Some(problem) => Err(problem.clone()),
            None => Ok(self.services.iter().map(|service| Entry::of(*service)).collect()),
        }
    }

    fn name(&self, address: u32) -> String {
        self.text.name(address)
    }

    fn unknown(&self, address: u32, why: Why) -> Unknown {
        self.text.unknown(address, why)
    }
}

/// The functions that call what a thread has done at the kernel level; the last one in programs without
/// threads, where every SVC leads there.
const CALL_SERVICES: [&str; 3] = ["svc_call", "svc_leave", WITHOUT_THREADS];
const WITHOUT_THREADS: &str = "events_svc_handler";

fn is_service(name: &str) -> bool {
    CALL_SERVICES.contains(&name)
}
