// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every instruction that a function may execute, and where each leads: found by following the flow of control from an
//! address on, whatever symbols say. Assembly has labels inside functions, and code that goes on in another function.
//!
//! A branch to where another function begins is a call in place of the rest of this one; of assembly to assembly, it is
//! a branch like any other. A call of what does not return ends a way. A jump to where nobody knows, and code that is
//! none, are lost: they end no way.

use crate::literals::Literals;
use crate::{Text, Why};
use lichen_isa::{Flow, Instruction, Place, RegisterRole};
use std::collections::{BTreeMap, BTreeSet};

/// The address of a weak function that is not in the image.
const NOT_THERE: u32 = 0;

/// Where control may go on within the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge<T = u32> {
    /// An instruction, or a block.
    pub to: T,
    /// Whether it goes elsewhere than to the next instruction.
    pub taken: bool,
}

/// What is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Callee {
    /// The function at an address.
    Function(u32),
    /// The compiler's function at an address, that goes on where a table says.
    Switch(u32),
    /// What a pointer says.
    Pointer,
    /// The system, by an exception.
    Service,
}

/// How a way ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The function returns.
    Return,
    /// It goes on in another function, in place of itself.
    Tail(Callee),
    /// It has called what does not return, or stops.
    Never,
}

/// An instruction, and where it leads.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    pub(crate) instruction: Instruction,
    /// What it accesses, if that is known.
    pub(crate) address: Option<u32>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) call: Option<Callee>,
    pub(crate) end: Option<End>,
}

/// All ways through a function.
#[derive(Debug, Default)]
pub(crate) struct Ways {
    pub(crate) sites: BTreeMap<u32, Site>,
    /// Where an edge is lost, and why.
    pub(crate) lost: Vec<(u32, Why)>,
    /// Functions that it calls and that are not known to return.
    pub(crate) stops: BTreeSet<u32>,
}

/// What is known before an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Known {
    literals: Literals,
    /// Whether what last changed the stack pointer has pushed what is no return address.
    pushed: bool,
}

/// Where a jump by a register may lead to labels: the instruction, and what is known there.
type Jumps = BTreeMap<u32, Known>;

/// A function that is being followed.
struct Follow<'t, 'a> {
    text: &'t Text<'a>,
    returns: &'t dyn Fn(u32) -> bool,
    known: BTreeMap<u32, Known>,
    pending: BTreeSet<u32>,
    /// Those that stay in the function.
    jumps: Jumps,
    /// Those of which only the rest of the function says whether they stay.
    open: Jumps,
    ways: Ways,
}

impl Ways {
    /// From `start` on; `returns` says which functions are known to return.
    pub(crate) fn of(text: &Text<'_>, start: u32, returns: &dyn Fn(u32) -> bool) -> Ways {
        let mut follow = Follow {
            text,
            returns,
            known: BTreeMap::new(),
            pending: BTreeSet::new(),
            jumps: Jumps::new(),
            open: Jumps::new(),
            ways: Ways::default(),
        };
        follow.go(start, start, Known { literals: Literals::default(), pushed: false });
        follow.all();
        follow.decide();
        follow.check();
        follow.ways
    }

    /// Whether a way leads back to the caller, as far as is known.
    pub(crate) fn returns(&self) -> bool {
        let ends = self.sites.values().filter_map(|site| site.end);
        !self.lost.is_empty()
            || ends.into_iter().any(|end| matches!(end, End::Return | End::Tail(Callee::Pointer)))
    }
}

impl Follow<'_, '_> {
    fn all(&mut self) {
        while let Some(at) = self.pending.pop_first() {
            let known = self.known[&at];
            let Some(instruction) = self.text.instruction(at) else { continue };
            let site = self.site(at, instruction, &known);
            let mut behind = known;
            behind.literals.pass(self.text, &instruction);
            behind.pushed = self.pushes(at, &instruction).unwrap_or(known.pushed);
            for edge in &site.edges {
                self.go(at, edge.to, behind);
            }
            self.ways.sites.insert(at, site);
        }
    }

    /// Goes on at `to`, if less is known there now than was.
    fn go(&mut self, from: u32, to: u32, known: Known) {
        let joined = self.known.get(&to).map_or(known, |before| Known {
            literals: before.literals.join(&known.literals),
            pushed: before.pushed || known.pushed,
        });
        if self.known.get(&to) == Some(&joined) {
            return;
        }
        match self.text.instruction(to).map(|it| it.flow) {
            None | Some(Flow::Undefined) => self.lose(from, Why::NoCode),
            Some(_) => {
                self.known.insert(to, joined);
                self.pending.insert(to);
            }
        }
    }

    fn lose(&mut self, at: u32, why: Why) {
        if !self.ways.lost.iter().any(|(known, _)| *known == at) {
            self.ways.lost.push((at, why));
        }
    }

    /// Where the instruction at `at` leads.
    fn site(&mut self, at: u32, instruction: Instruction, known: &Known) -> Site {
        let next = Edge { to: at.wrapping_add(instruction.bytes), taken: false };
        let address = known.literals.accessed(&instruction);
        let mut site = Site { instruction, address, edges: Vec::new(), call: None, end: None };
        match instruction.flow {
            Flow::Next => site.edges.push(next),
            Flow::Branch(to) => self.branch(at, to, &mut site),
            Flow::BranchIf(to) => {
                site.edges.push(next);
                self.branch(at, to, &mut site);
            }
            // Two bytes of stack in one instruction; and a weak function that is not there, which nothing calls.
            Flow::Call(to) if to == next.to || to == NOT_THERE => site.edges.push(next),
            Flow::Call(to) if self.text.port.is_long_jump(self.text, at, to) => {
                site.edges.push(Edge { to, taken: true });
            }
            Flow::Call(to) => self.call(at, to, next, &mut site),
            Flow::IndirectCall => match self.pointed(&instruction, known) {
                Some(to) => self.call(at, to, next, &mut site),
                None => {
                    site.call = Some(Callee::Pointer);
                    site.edges.push(next);
                }
            },
            Flow::Service => {
                site.call = Some(Callee::Service);
                match self.text.port.ends_thread(self.text, &|it| known.literals.get(it)) {
                    true => site.end = Some(End::Never),
                    false => site.edges.push(next),
                }
            }
            Flow::Return if known.pushed => self.jump(at, known, &mut site),
            Flow::Return => site.end = Some(End::Return),
            Flow::Indirect => match self.pointed(&instruction, known) {
                Some(to) => self.branch(at, to, &mut site),
                None => self.jump(at, known, &mut site),
            },
            Flow::Breakpoint | Flow::Undefined => site.end = Some(End::Never),
        }
        site
    }

    /// A branch within the function, to the code behind a table, or to another function.
    fn branch(&mut self, at: u32, to: u32, site: &mut Site) {
        if self.switch(at, to, site) {
            return;
        }
        let text = self.text;
        let begins_another = text.is_function(to) && !text.is_same_function(at, to);
        let is_compiled = || text.is_compiled(at) || text.is_compiled(to);
        if begins_another && (to == NOT_THERE || is_compiled()) {
            site.end = Some(End::Tail(Callee::Function(to)));
            if !(self.returns)(to) {
                self.ways.stops.insert(to);
            }
        } else {
            site.edges.push(Edge { to, taken: true });
        }
    }

    fn call(&mut self, at: u32, to: u32, next: Edge, site: &mut Site) {
        if self.switch(at, to, site) {
            return;
        }
        site.call = Some(Callee::Function(to));
        if (self.returns)(to) {
            site.edges.push(next);
        } else {
            self.ways.stops.insert(to);
            site.end = Some(End::Never);
        }
    }

    /// A jump to where a table says.
    fn switch(&mut self, at: u32, to: u32, site: &mut Site) -> bool {
        let Some(labels) = self.text.port.switch(self.text, at, to) else { return false };
        if labels.is_empty() {
            self.lose(at, Why::Pointer);
        }
        site.call = Some(Callee::Switch(to));
        site.edges.extend(labels.into_iter().map(|to| Edge { to, taken: true }));
        true
    }

    /// A jump by a register whose value is not known.
    fn jump(&mut self, at: u32, known: &Known, site: &mut Site) {
        match self.text.port.leaves(self.text, at) {
            Some(true) => site.end = Some(End::Tail(Callee::Pointer)),
            Some(false) => {
                self.jumps.insert(at, *known);
                let labels = self.text.port.labels(self.text, at);
                site.edges.extend(labels.into_iter().map(|to| Edge { to, taken: true }));
            }
            None => {
                self.open.insert(at, *known);
                site.end = Some(End::Tail(Callee::Pointer));
            }
        }
    }

    /// Jumps that may stay lead to labels, if there are any and the function has code that nothing else leads to.
    fn decide(&mut self) {
        let open = std::mem::take(&mut self.open);
        let labels = |at: u32| self.text.port.labels(self.text, at);
        let stay: Jumps = open
            .into_iter()
            .filter(|(at, _)| self.unreached(*at) && !labels(*at).is_empty())
            .collect();
        for (at, known) in &stay {
            let labels = labels(*at);
            if let Some(site) = self.ways.sites.get_mut(at) {
                site.end = None;
                site.edges = labels.iter().map(|to| Edge { to: *to, taken: true }).collect();
            }
            labels.into_iter().for_each(|to| self.go(*at, to, *known));
        }
        self.jumps.extend(stay);
        self.all();
        // Those which the rest has led to.
        let more = std::mem::take(&mut self.open);
        for (at, site) in &mut self.ways.sites {
            if self.jumps.contains_key(at) || more.contains_key(at) {
                let labels = self.text.port.labels(self.text, *at);
                site.end = None;
                site.edges = labels.into_iter().map(|to| Edge { to, taken: true }).collect();
            }
        }
        self.jumps.extend(more);
    }

    /// No constant says where a jump goes that leaves code of its function which nothing leads to.
    fn check(&mut self) {
        let lost: Vec<u32> = self.jumps.keys().copied().filter(|at| self.unreached(*at)).collect();
        let nowhere = self.jumps.keys().filter(|at| self.ways.sites[*at].edges.is_empty());
        for at in nowhere.copied().chain(lost).collect::<Vec<_>>() {
            self.lose(at, Why::Pointer);
        }
        // What begins within another instruction is not what was meant.
        let sites = self.ways.sites.iter().zip(self.ways.sites.keys().skip(1));
        let within = sites.filter(|((at, site), next)| **at + site.instruction.bytes > **next);
        for at in within.map(|(_, next)| *next).collect::<Vec<_>>() {
            self.lose(at, Why::NoCode);
        }
    }

    /// Whether the function around `at` has code that nothing leads to.
    fn unreached(&self, at: u32) -> bool {
        self.text.other_code(at, |at| self.ways.sites.contains_key(&at)).is_some()
    }

    /// Where the register says by which an instruction jumps or calls, if it holds a constant.
    fn pointed(&self, instruction: &Instruction, known: &Known) -> Option<u32> {
        let word = (0..u64::BITS as u8)
            .filter(|register| instruction.reads.contains(*register))
            .map(|register| known.literals.get(register));
        let mut words = word.collect::<Option<Vec<u32>>>()?.into_iter();
        let to = self.text.architecture.code_address(words.next()?);
        (words.next().is_none() && self.text.instruction(to).is_some()).then_some(to)
    }

    /// Whether an instruction pushes what is no return address; `None` if it leaves the stack pointer.
    fn pushes(&self, at: u32, instruction: &Instruction) -> Option<bool> {
        let number = |role| self.text.architecture.register(role).map(|number| number as u8);
        let stack = number(RegisterRole::StackPointer)?;
        let link = number(RegisterRole::ReturnAddress);
        let is_call = match instruction.flow {
            Flow::Call(to) => to != at.wrapping_add(instruction.bytes),
            flow => flow != Flow::Next,
        };
        if is_call || !instruction.writes.contains(stack) {
            return None;
        }
        let links = link.is_some_and(|link| instruction.reads.contains(link));
        let stacks = |place| matches!(place, Place::Base { base, .. } if base == stack);
        let pushes = instruction.access.is_some_and(|it| it.write && stacks(it.place));
        Some(pushes && !links)
    }
}
