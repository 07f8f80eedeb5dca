// SPDX-License-Identifier: MIT OR Apache-2.0
//! What interrupts need above one another.
//!
//! The processor has no levels: each handler begins with interrupts off. One that leaves them off, of
//! level 0, is alone at the top. One of level 1 has an entry that turns them on again before it finds out
//! whether another handler of its level runs, and lets the other one run it if so
//! (`os/arch/avr8/levels.S`). So there is one such handler at a time, but entries of others lie below it,
//! interrupted before they have said that they run, or above it, where they find it running. That a source
//! comes again while its entry is on the stack is what a reserve is for. A request of the kernel level is such an entry; each handler of level 0 that interrupts it may request
//! the kernel level again.
//!
//! Of entries that begin with the same store, one at a time is on a stack: the store disables the sources of them
//! all (`os/chip/atmega128/include/lichen/vectors.h`).
//!
//! On the stack of a thread there is what saves the thread's registers instead of the handler, which
//! runs on the kernel's stack.

use crate::depth::{Deep, Depths};
use crate::need::Part;
use crate::{Unknown, Why};
use lichen_analysis::Text;
use lichen_analysis::avr8::{Entry, Handler, Walks, vectors};
use lichen_isa::avr8::{Op, decode};
use lichen_isa::{Flow, System};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The handler of the interrupt by which the kernel level is requested.
const REQUEST: &str = "request_handler";

/// What a vector without a handler leads to.
const NOBODY: &str = "nobody";

/// A vector with a handler.
#[derive(Debug)]
struct Vector {
    name: String,
    kind: Kind,
    /// Bytes of its entry alone.
    entry: u32,
    /// Bytes of its entry where it is put off.
    deferred: u32,
    /// By what other entries are kept away: those with the same one.
    quiets: Quiets,
    deep: Rc<Deep>,
}

/// The store with which an entry begins, by its code; or its address, if it begins with none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Quiets {
    Store(u32),
    Itself(u32),
}

impl Quiets {
    /// Of the entry at `address`: the instruction that is executed after interrupts are on and before any of
    /// them is taken.
    fn of(code: &Text<'_>, address: u32) -> Quiets {
        let store = after_unmasking(code, address).and_then(|at| store(code, at));
        store.map_or(Quiets::Itself(address), Quiets::Store)
    }
}

/// Most instructions of an entry before it turns interrupts on.
const BEFORE_UNMASKING: usize = 3;

fn after_unmasking(code: &Text<'_>, address: u32) -> Option<u32> {
    let mut at = address;
    for _ in 0..=BEFORE_UNMASKING {
        let it = code.instruction(at)?;
        at += it.bytes;
        if it.system == Some(System::Unmask) && it.flow == Flow::Next {
            return Some(at);
        }
    }
    None
}

/// The code of an instruction, if it is OUT, STS or CBI.
fn store(code: &Text<'_>, at: u32) -> Option<u32> {
    let first = code.halfword(at)?;
    let second = match decode(first, 0).op {
        Op::Out { .. } | Op::OutSreg { .. } | Op::Cbi { .. } => 0,
        Op::Sts { .. } => code.halfword(at + 2)?,
        _ => return None,
    };
    Some(u32::from(first) << 16 | u32::from(second))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Of level 0.
    Urgent,
    /// Of level 1: it is deferred while another one runs.
    Deferred,
    /// It requests the kernel level.
    Request,
}

/// The vectors that have handlers.
#[derive(Debug)]
pub(super) struct Vectors(Vec<Vector>);

impl Vectors {
    /// Where handlers begin. A vector that is no jump is an error: what it leads to is not known.
    pub(super) fn handlers(walks: &Walks<'_>) -> Result<Vec<Entry>, Unknown> {
        let code = walks.text;
        let nobody = code.symbol(NOBODY);
        let target = |at| code.avr_vector(at).ok_or_else(|| code.unknown(at, Why::NoCode));
        let targets = vectors(code).map(target).collect::<Result<Vec<u32>, Unknown>>()?;
        let taken = targets.into_iter().filter(|to| Some(*to) != nobody);
        Ok(taken.map(Entry::handler).collect())
    }

    /// How deep each gets.
    pub(super) fn of(
        depths: &mut Depths<'_, Walks<'_>>,
        handlers: &[Entry],
    ) -> Result<Vectors, Unknown> {
        let vector = |entry: &Entry| {
            let deep = depths.of(entry)?;
            let address = entry.address;
            let name = depths.bodies.text.name(entry.address);
            let handler = depths.bodies.handlers.get(&entry.address).copied().unwrap_or_default();
            let kind = match handler.defers {
                _ if name == REQUEST => Kind::Request,
                true => Kind::Deferred,
                false => Kind::Urgent,
            };
            let Handler { own: entry, deferred, .. } = handler;
            let quiets = Quiets::of(depths.bodies.text, address);
            Ok(Vector { name, kind, entry, deferred, quiets, deep })
        };
        Ok(Vectors(handlers.iter().map(vector).collect::<Result<_, _>>()?))
    }

    fn all(&self, kind: Kind) -> impl Iterator<Item = &Vector> {
        self.0.iter().filter(move |vector| vector.kind == kind)
    }

    /// What interrupts need at most above code that they interrupt, from the top.
    pub(super) fn above(&self) -> Vec<Part> {
        let handlers = self.all(Kind::Deferred).chain(self.all(Kind::Request));
        let Some(deepest) = handlers.max_by_key(|vector| vector.deep.all.bytes) else {
            return self.level_0();
        };
        let part = Part::new(format!("{} at level 1", deepest.name), 0, &deepest.deep.all);
        self.around(part, deepest)
    }

    /// The same above a thread, of which `frame` saves the registers.
    pub(super) fn above_thread(&self, frame: &Deep) -> Vec<Part> {
        let entries = self.all(Kind::Deferred).chain(self.all(Kind::Request));
        let Some(smallest) = entries.min_by_key(|vector| vector.entry) else {
            return self.level_0();
        };
        self.around(Part::new("registers of the thread", 0, &frame.all), smallest)
    }

    /// What is below and above `part`, which begins with the entry of `one`.
    fn around(&self, part: Part, one: &Vector) -> Vec<Part> {
        let mut parts = vec![part];
        parts.extend(self.entries(one));
        parts.extend(self.requests());
        parts.extend(self.level_0());
        parts
    }

    /// Entries beside one: each is below a handler of level 1, or is put off above it.
    fn entries(&self, one: &Vector) -> Option<Part> {
        let mut others: BTreeMap<Quiets, u32> = BTreeMap::new();
        let all = self.all(Kind::Deferred).chain(self.all(Kind::Request));
        for vector in all.filter(|vector| vector.quiets != one.quiets) {
            let bytes = others.entry(vector.quiets).or_default();
            *bytes = (*bytes).max(vector.entry).max(vector.deferred);
        }
        let count = others.len();
        let bytes = others.values().sum();
        (count > 0).then(|| Part::plain(format!("{count} entries of level 1"), bytes))
    }

    /// Each handler of level 0 may request the kernel level once more while a request is handled.
    fn requests(&self) -> Option<Part> {
        let request = self.all(Kind::Request).next()?;
        let count = 1 + self.all(Kind::Urgent).count() as u32;
        let bytes = count * request.deferred;
        Some(Part::plain(format!("{count} requests of the kernel level"), bytes))
    }

    /// A handler of level 0, above those that have turned interrupts on.
    fn level_0(&self) -> Vec<Part> {
        let unmasked = self.all(Kind::Urgent).filter_map(|vector| {
            let unmasked = vector.deep.unmasked.as_ref()?;
            Some(Part::new(format!("{} with interrupts on", vector.name), 0, unmasked))
        });
        let deepest = self.all(Kind::Urgent).max_by_key(|vector| vector.deep.all.bytes);
        let deepest = deepest
            .map(|vector| Part::new(format!("{} at level 0", vector.name), 0, &vector.deep.all));
        unmasked.chain(deepest).collect()
    }
}
