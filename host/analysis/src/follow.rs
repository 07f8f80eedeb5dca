// SPDX-License-Identifier: MIT OR Apache-2.0
//! Following a function on all its ways, whatever the architecture: what was found, and the ways that are
//! left.

use crate::{Text, Unknown, Why};
use lichen_isa::{Flow, Instruction};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::Hash;
use std::rc::Rc;

/// A place where the stack got deeper so often is in a loop.
const ROUNDS: u32 = 64;

/// What a call leads to; `E` is a function and what is known at its entry.
#[derive(Clone, Debug)]
pub enum Target<E> {
    /// A function.
    Function(Box<E>),
    /// Whatever threads have done at the kernel level.
    Service,
    /// A start function of a program that is loaded into the image: how many bytes it may have.
    Loaded(u32),
}

/// A call.
#[derive(Clone, Debug)]
pub struct Call<E> {
    /// Address of the instruction.
    pub at: u32,
    /// How deep the stack is there.
    pub depth: u32,
    /// What it may lead to.
    pub targets: Vec<Target<E>>,
}

/// A function as it was followed.
#[derive(Clone, Debug)]
pub struct Body<E> {
    /// How deep it gets by itself, and where.
    pub deepest: (u32, u32),
    /// The same with interrupts unmasked; `None` if they are masked throughout.
    pub unmasked: Option<(u32, u32)>,
    /// What it calls.
    pub calls: Vec<Call<E>>,
    /// Why it could not be followed to its end.
    pub problem: Option<Unknown>,
    /// Whether it comes back to its caller.
    pub returns: bool,
    /// Whether interrupts may be unmasked when it does.
    pub unmasks: bool,
}

impl<E> Default for Body<E> {
    fn default() -> Body<E> {
        let (calls, problem, unmasked) = Default::default();
        Body { deepest: (0, 0), unmasked, calls, problem, returns: false, unmasks: false }
    }
}

impl<E> Body<E> {
    /// What is said of a function that is being followed, where it calls itself: nothing is known yet.
    pub fn open() -> Body<E> {
        Body { returns: true, unmasks: true, ..Body::default() }
    }

    /// Notes how deep the stack is at an instruction.
    pub(crate) fn note(&mut self, at: u32, depth: u32, masked: bool) {
        if depth >= self.deepest.0 {
            self.deepest = (depth, at);
        }
        if !masked && self.unmasked.is_none_or(|(deepest, _)| depth >= deepest) {
            self.unmasked = Some((depth, at));
        }
    }
}

/// Functions of an image, followed.
pub trait Bodies {
    /// A function, and what is known at its entry.
    type Entry: Clone + Eq + Hash;

    /// Where it begins.
    fn address(entry: &Self::Entry) -> u32;
    /// The function of `entry`, followed; with all that it calls.
    fn body(&mut self, entry: &Self::Entry) -> Rc<Body<Self::Entry>>;
    /// What threads have done at the kernel level.
    fn services(&self) -> Result<Vec<Self::Entry>, Unknown>;
    /// What people call the code at `address`.
    fn name(&self, address: u32) -> String;
    /// The error that the code at `address` is the reason of.
    fn unknown(&self, address: u32, why: Why) -> Unknown;
}

/// What is known before an instruction.
pub(crate) trait Known: Clone + PartialEq {
    /// How deep the stack is.
    fn depth(&self) -> i32;
    /// Whether interrupts are masked.
    fn is_masked(&self) -> bool;
    /// Becomes what is known if the way came by here or there; returns whether that is less. The depth becomes the larger one.
    fn join(&mut self, other: &Self) -> bool;
}

/// A function that is being followed.
pub(crate) struct Walk<S, E> {
    /// What is known at each instruction, and how often the stack got deeper there; apart from the nodes of the map, which
    /// are moved with each instruction that comes in between.
    pub(crate) states: BTreeMap<u32, Box<(S, u32)>>,
    /// Where to go on. What lies first goes first: most ways have joined where what follows is looked at.
    pending: BTreeSet<u32>,
    /// Where each round takes more stack.
    pub(crate) grows: Option<u32>,
    /// Jumps to labels.
    pub(crate) jumps: BTreeSet<u32>,
    /// Where a comparison does not lead that is known.
    pub(crate) passed_by: BTreeSet<u32>,
    pub(crate) body: Body<E>,
}

impl<S, E> Default for Walk<S, E> {
    fn default() -> Walk<S, E> {
        let (states, pending, grows, jumps, passed_by, body) = Default::default();
        Walk { states, pending, grows, jumps, passed_by, body }
    }
}

impl<S: Known, E> Walk<S, E> {
    /// The next instruction to be followed, with what is known before it.
    pub(crate) fn next(&mut self) -> Option<(u32, S)> {
        let at = self.pending.pop_first()?;
        self.states.get(&at).map(|known| (at, known.0.clone()))
    }

    /// Goes on at `to`, if more is possible there now than was.
    pub(crate) fn go(&mut self, to: u32, state: S) {
        let Some(known) = self.states.get_mut(&to) else {
            self.states.insert(to, Box::new((state, 0)));
            self.pending.insert(to);
            return;
        };
        let (known, rounds) = known.as_mut();
        if state.depth() > known.depth() {
            *rounds += 1;
            if *rounds > ROUNDS {
                self.grows = Some(to);
                return;
            }
        }
        if known.join(&state) {
            self.pending.insert(to);
        }
    }

    /// The function ends here.
    pub(crate) fn leave(&mut self, state: &S) {
        self.body.returns = true;
        self.body.unmasks |= !state.is_masked();
    }
}

/// What is known of bytes of the stack becomes what is known if they are either of two; returns whether that is less.
pub(crate) fn join_saved<V: Copy + Default + PartialEq>(
    known: &mut BTreeMap<i32, V>,
    other: &BTreeMap<i32, V>,
    join: impl Fn(&V, &V) -> V,
) -> bool {
    let mut is_less = false;
    known.retain(|at, value| {
        let joined = other.get(at).map(|other| join(value, other)).unwrap_or_default();
        is_less |= joined != *value;
        *value = joined;
        joined != V::default()
    });
    is_less
}

impl Text<'_> {
    /// Instructions to which ways lead from `starts`, and these.
    pub(crate) fn leads_on(&self, starts: &BTreeSet<u32>) -> BTreeSet<u32> {
        let mut pending: Vec<u32> = starts.iter().copied().collect();
        let mut found = BTreeSet::new();
        while let Some(at) = pending.pop() {
            let Some(Instruction { flow, bytes, .. }) = self.instruction(at) else { continue };
            if !found.insert(at) {
                continue;
            }
            match flow {
                Flow::Branch(to) => pending.push(to),
                Flow::BranchIf(to) => pending.extend([to, at + bytes]),
                flow if flow.continues() => pending.push(at + bytes),
                _ => {}
            }
        }
        found
    }
}
