// SPDX-License-Identifier: MIT OR Apache-2.0
//! Follows a function on all its ways: how deep it gets, and what it calls where.
//!
//! A function is followed for what its callers pass: a function that is handed a pointer to another
//! one calls that one. Constants are followed through registers; what goes through memory is unknown.

use super::code::{Addresses, TABLE_JUMP};
use super::evaluate::Leads;
use super::pointers::{entered, pointers};
use super::registers::Registers;
use super::state::{State, ZERO};
use super::value::Value;
use crate::follow::{self, Bodies, Call, Target};
use crate::pointers::Pointers;
use crate::text::Text;
use crate::{Unknown, Why};
use lichen_isa::Flow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

/// Bytes of a return address.
pub(crate) const RETURN_ADDRESS: i32 = 2;

/// The pair of registers that calls and jumps go by.
pub(crate) const Z: u8 = 30;

/// What a start function of a program that is loaded may use of the kernel's stack, its return address included
/// (`os/include/lichen/init.h`).
pub const LOADED_START: u32 = 96;

/// Pairs that are followed into functions if they hold one: the first arguments, and Z for assembly.
const PASSED: [u8; 5] = [18, 20, 22, 24, Z];

/// Assembly that calls what a thread has done at the kernel level (`os/arch/avr8`).
const CALL_SERVICES: [&str; 5] =
    [KERNEL_CALL, MAIN_CALL, "kernel_leave", "arch_kernel_run", "arch_run_exclusive"];

/// What a thread calls for the kernel level: only programs with threads have it.
const KERNEL_CALL: &str = "call_of_thread";

/// What the main loop calls for the kernel level, in programs without threads. At the kernel level it
/// panics.
const MAIN_CALL: &str = "call_of_main";

/// What interrupts do on the stack of a thread before and after they use the kernel's.
const ON_THREAD: &str = "interrupt_of_thread";

/// Where the entry of an interrupt goes on that finds another one being handled; and where that ends, as
/// a request does that finds the kernel level.
const DEFER: &str = "low_defer";
const ENDS: &str = "look_again";

/// Who calls the handler whose address an entry has in Z.
const CALL_HANDLER: [&str; 3] = [ON_THREAD, "interrupt_of_kernel", "interrupt_of_main"];

/// A function, and what is known at its entry.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    /// Where it begins.
    pub address: u32,
    pub(crate) registers: Registers,
    /// Bytes that are on the stack, its return address among them.
    pub(crate) depth: i32,
    /// Whether interrupts are masked.
    pub(crate) masked: bool,
    /// Whether it certainly runs at the kernel level.
    pub(crate) in_kernel: bool,
}

impl Entry {
    /// A function of whose arguments nothing is known.
    pub fn of(address: u32) -> Entry {
        let mut entry = Entry { masked: false, ..Entry::handler(address) };
        entry.registers.set(ZERO, Value::byte(0));
        entry
    }

    /// The same at the kernel level.
    pub fn of_kernel(address: u32) -> Entry {
        Entry { in_kernel: true, ..Entry::of(address) }
    }

    /// The handler of an interrupt.
    pub fn handler(address: u32) -> Entry {
        let registers = Registers::default();
        Entry { address, registers, depth: RETURN_ADDRESS, masked: true, in_kernel: false }
    }

    /// The same with so many bytes on the stack, its return address among them if it has one.
    pub fn at_depth(self, depth: i32) -> Entry {
        Entry { depth, ..self }
    }
}

pub(crate) type Walk = follow::Walk<State, Entry>;
pub type Body = follow::Body<Entry>;

/// What the handler of an interrupt is like.
#[derive(Clone, Copy, Debug, Default)]
pub struct Handler {
    /// Bytes that it has on the stack at most, without what it calls or goes on with.
    pub own: u32,
    /// Whether it puts itself off while another one runs.
    pub defers: bool,
    /// Bytes that it has on the stack at most where it does so.
    pub deferred: u32,
}

/// All that was followed of an image.
pub struct Walks<'a> {
    /// The code.
    pub text: &'a Text<'a>,
    /// What pointers to functions may lead to.
    pub pointers: Pointers,
    addresses: Addresses,
    bodies: HashMap<Entry, Option<Rc<Body>>>,
    /// What is done on the kernel's stack from its top, by the address where it begins.
    pub(crate) anew: BTreeMap<u32, Body>,
    /// Where it begins with interrupts on.
    pub begins_unmasked: BTreeSet<u32>,
    /// Functions as handlers of interrupts, by address.
    pub handlers: HashMap<u32, Handler>,
    /// What the stack pointer is where the kernel's stack is empty.
    pub(crate) top: Option<u16>,
    /// Where interrupts enter the kernel level.
    pub kernel: Option<u32>,
    pub(crate) main_call: Option<u32>,
    /// Bytes on the stack of the deepest interrupt that enters it.
    pub enters: i32,
    defer: Option<u32>,
    deferring: [Range<u32>; 2],
    /// What interrupts do on the stack of a thread.
    on_thread: Body,
    on_thread_range: Range<u32>,
    has_threads: bool,
    /// Handlers that entries go on to call, by address.
    entered: BTreeSet<u32>,
}

impl<'a> Walks<'a> {
    /// Of `text`, of which nothing is followed yet.
    pub fn new(text: &'a Text<'a>) -> Walks<'a> {
        let addresses = Addresses::of(text);
        let top = text.symbol("kernel_stack_top");
        let range = |name| text.symbol(name).and_then(|at| Some(text.around(at)?.range.clone()));
        Walks {
            text,
            pointers: pointers(text, &addresses),
            addresses,
            bodies: HashMap::new(),
            anew: BTreeMap::new(),
            begins_unmasked: BTreeSet::new(),
            handlers: HashMap::new(),
            top: top.map(|top| (top as u16).wrapping_sub(1)),
            kernel: text.symbol("kernel_entry_or_0").filter(|address| *address != 0),
            main_call: text.symbol(MAIN_CALL),
            enters: 0,
            defer: text.symbol(DEFER),
            deferring: [DEFER, ENDS].map(|name| range(name).unwrap_or_default()),
            on_thread: Body::default(),
            on_thread_range: range(ON_THREAD).unwrap_or_default(),
            has_threads: text.symbol(KERNEL_CALL).is_some(),
            entered: entered(text),
        }
    }

    /// The function of `entry`, followed; with all that it calls.
    pub fn body(&mut self, entry: &Entry) -> Rc<Body> {
        match self.bodies.get(entry) {
            Some(Some(body)) => return body.clone(),
            // It calls itself.
            Some(None) => {
                let returns = self.text.returns(entry.address);
                return Rc::new(Body { returns, ..Body::open() });
            }
            None => {}
        }
        self.bodies.insert(entry.clone(), None);
        let body = Rc::new(self.follow(entry));
        self.bodies.insert(entry.clone(), Some(body.clone()));
        body
    }

    /// Makes functions of what is done on the kernel's stack from its top.
    pub fn begin_anew(&mut self) -> Vec<Entry> {
        let all = std::mem::take(&mut self.anew).into_iter().map(|(at, body)| {
            let entry = Entry { depth: 0, ..Entry::of(at) };
            self.bodies.insert(entry.clone(), Some(Rc::new(body)));
            entry
        });
        all.collect()
    }

    /// Makes a function of what interrupts do on the stack of a thread, if there are any.
    pub fn on_thread(&mut self) -> Option<Entry> {
        let body = std::mem::take(&mut self.on_thread);
        let entry = Entry { depth: 0, ..Entry::handler(self.on_thread_range.start) };
        (!self.on_thread_range.is_empty()).then(|| {
            self.bodies.insert(entry.clone(), Some(Rc::new(body)));
            entry
        })
    }

    /// Follows whatever those functions call that are followed.
    pub fn follow_calls(&mut self) {
        let mut done = HashSet::new();
        loop {
            let new = |entry: &&Entry| !done.contains(*entry);
            let entries: Vec<Entry> = self.bodies.keys().filter(new).cloned().collect();
            if entries.is_empty() {
                return;
            }
            for entry in entries {
                let body = self.body(&entry);
                for target in body.calls.iter().flat_map(|call| &call.targets) {
                    if let Target::Function(target) = target {
                        self.body(target);
                    }
                }
                done.insert(entry);
            }
        }
    }

    fn follow(&mut self, entry: &Entry) -> Body {
        let mut walk = Walk::default();
        walk.go(entry.address, State::at(entry));
        let mut result = self.all_ways(&mut walk);
        let gotos = self.gotos(&walk);
        if result.is_ok() && !gotos.is_empty() {
            result = self.go_to_labels(&mut walk, &gotos);
        }
        if let Err(problem) = result {
            walk.body.problem = Some(problem);
        }
        self.conclude(entry, &mut walk, &gotos);
        walk.body
    }

    fn all_ways(&mut self, walk: &mut Walk) -> Result<(), Unknown> {
        while let Some((at, state)) = walk.next() {
            let stepped = self.step(walk, at, state);
            let grown = walk.grows.map_or(Ok(()), |_| Err(Why::Growing));
            stepped.and(grown).map_err(|why| self.text.unknown(at, why))?;
        }
        Ok(())
    }

    /// Jumps by Z that go to labels. Such a jump leads to another function in place of this one if all
    /// of this one is known without it.
    fn gotos(&self, walk: &Walk) -> BTreeSet<u32> {
        let passed_by = self.text.leads_on(&walk.passed_by);
        let is_known = |at| walk.states.contains_key(&at) || passed_by.contains(&at);
        let leads_within = |at: &&u32| self.text.avr_other_than(**at, is_known).is_some();
        walk.jumps.iter().filter(leads_within).copied().collect()
    }

    fn go_to_labels(&mut self, walk: &mut Walk, gotos: &BTreeSet<u32>) -> Result<(), Unknown> {
        for at in gotos {
            let Some(mut state) = walk.states.get(at).map(|known| known.0.clone()) else {
                continue;
            };
            if self.text.instruction(*at).is_some_and(|it| it.flow == Flow::Return) {
                state.depth -= RETURN_ADDRESS;
            }
            for label in self.labels(*at) {
                walk.go(label, state.clone());
            }
        }
        self.all_ways(walk)?;
        // No constant names where else it goes.
        let incomplete = self.gotos(walk).into_iter().next();
        incomplete.map_or(Ok(()), |at| Err(self.text.unknown(at, Why::Pointer)))
    }

    /// Where a jump within the function around `address` may go.
    pub(crate) fn labels(&self, address: u32) -> BTreeSet<u32> {
        self.addresses.labels(self.text, address)
    }

    pub(crate) fn is_table_jump(&self, to: u32) -> bool {
        self.text.name(to) == TABLE_JUMP
    }

    /// Now that all ways are known: how deep, and what is called with what.
    fn conclude(&mut self, entry: &Entry, walk: &mut Walk, gotos: &BTreeSet<u32>) {
        let range = self.text.around(entry.address).map_or(0..0, |it| it.range.clone());
        let mut handler = Handler::default();
        let mut begins = BTreeSet::new();
        for (at, known) in std::mem::take(&mut walk.states) {
            let (state, _) = *known;
            let mut behind = state.clone();
            let Some((leads, next)) = behind.evaluate(self.text, at) else { continue };
            let is_left =
                matches!(leads, Leads::Call(to) if to != next) || leads == Leads::CallPointer;
            let deepest = if is_left { state.depth } else { behind.depth.max(state.depth) };
            let depth = deepest.max(0) as u32;
            if range.contains(&at) {
                handler.own = handler.own.max(depth);
            }
            handler.defers |= self.defer == Some(at);
            if self.deferring.iter().any(|range| range.contains(&at)) {
                handler.deferred = handler.deferred.max(depth);
            }
            let is_goto = gotos.contains(&at);
            let jumps = walk.jumps.contains(&at) && !is_goto;
            let call = match self.call(at, next, leads, &state, jumps) {
                Ok(call) => call,
                Err(problem) => {
                    walk.body.problem.get_or_insert(problem);
                    None
                }
            };
            let body = match &state.left {
                Some(left) => {
                    begins.insert(left.at);
                    self.anew.entry(left.at).or_default()
                }
                None => &mut walk.body,
            };
            if state.left.as_ref().is_some_and(|left| left.at == at && !state.masked) {
                self.begins_unmasked.insert(at);
            }
            body.note(at, depth, state.masked);
            if entry.masked && state.left.is_none() && self.on_thread_range.contains(&at) {
                self.on_thread.note(at, depth, state.masked);
                self.on_thread.calls.extend(call.clone());
            }
            body.calls.extend(call);
        }
        for at in begins.iter().filter(|_| walk.body.problem.is_some()) {
            self.anew.entry(*at).or_default().problem.clone_from(&walk.body.problem);
        }
        self.handlers.insert(entry.address, handler);
    }

    /// The call at an instruction, if it is one. `jumps` tells that it leads to another function in place of
    /// this one, which has the return address of this one.
    fn call(
        &self,
        at: u32,
        next: u32,
        leads: Leads,
        state: &State,
        jumps: bool,
    ) -> Result<Option<Call<Entry>>, Unknown> {
        let (targets, depth) = match leads {
            Leads::Call(to) if to == next || to == 0 => return Ok(None),
            // Where threads are, nobody else gets there: it panics first.
            Leads::Call(_) if self.has_threads && self.text.name(at) == KERNEL_CALL => {
                return Ok(None);
            }
            Leads::Call(to) => {
                let target = Target::Function(Box::new(self.called(state, to)));
                (Some(vec![target]), state.depth)
            }
            Leads::CallPointer => (self.targets(at, state), state.depth),
            Leads::Jump if jumps => (self.targets(at, state), state.depth - RETURN_ADDRESS),
            Leads::Return(_) if jumps => (None, 0),
            _ => return Ok(None),
        };
        let targets = targets.ok_or_else(|| self.text.unknown(at, Why::Pointer))?;
        Ok(Some(Call { at, depth: depth.max(0) as u32, targets }))
    }

    /// What a call by Z leads to. A pointer that is 0 is not called.
    pub(crate) fn targets(&self, at: u32, state: &State) -> Option<Vec<Target<Entry>>> {
        let functions = match self.known(state) {
            Some(functions) => self.handlers_of(at, functions),
            None if self.text.functions_of_system(at).iter().any(|name| is_service(name)) => {
                return Some(vec![Target::Service]);
            }
            None => match self.pointers.loaded(self.text, at, LOADED_START) {
                Some(bytes) => return Some(vec![Target::Loaded(bytes)]),
                None => self.pointers.at(self.text, at)?.to_vec(),
            },
        };
        let target = |to| Target::Function(Box::new(self.called(state, to)));
        Some(functions.into_iter().map(target).collect())
    }

    /// Those of `functions` that can be called at `at`. Halves of the addresses of two handlers may together be the
    /// address of another function, which no entry calls.
    fn handlers_of(&self, at: u32, mut functions: Vec<u32>) -> Vec<u32> {
        let is_entered = |to: &u32| self.entered.contains(to);
        if CALL_HANDLER.contains(&self.text.name(at).as_str()) && functions.iter().any(is_entered) {
            functions.retain(is_entered);
        }
        functions
    }

    /// Where Z leads, if it is known. Of halves that do not belong together most are no function.
    pub(crate) fn known(&self, state: &State) -> Option<Vec<u32>> {
        let words = state.words(Z);
        let addresses = || words.iter().map(|word| 2 * u32::from(*word));
        let functions: Vec<u32> = addresses().filter(|to| self.text.is_function(*to)).collect();
        match (words.is_empty(), functions.is_empty()) {
            (true, _) => None,
            (_, false) => Some(functions),
            (_, true) => {
                Some(addresses().filter(|to| *to != 0 && self.text.is_code(*to)).collect())
            }
        }
    }

    /// What a function is called with: functions.
    pub(crate) fn called(&self, state: &State, to: u32) -> Entry {
        let (masked, in_kernel) = (state.masked, state.in_kernel);
        let mut entry = Entry { masked, in_kernel, ..Entry::of(to) };
        for pair in PASSED {
            let is_function = |word: &u16| self.text.is_function(2 * u32::from(*word));
            let words: Vec<u16> = state.words(pair).into_iter().filter(is_function).collect();
            if !words.is_empty() {
                entry.registers.set_words(pair, words);
            }
        }
        entry
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
        Ok(self.pointers.services(self.text).into_iter().map(Entry::of_kernel).collect())
    }

    fn name(&self, address: u32) -> String {
        self.text.name(address)
    }

    fn unknown(&self, address: u32, why: Why) -> Unknown {
        self.text.unknown(address, why)
    }
}

fn is_service(name: &str) -> bool {
    CALL_SERVICES.contains(&name)
}
