// SPDX-License-Identifier: MIT OR Apache-2.0
//! How long an instruction waits for memory: for itself, and for what it loads and stores.
//!
//! The flash controller and what the core fetches ahead are those of `lichen_isa::armv6m`: what has been fetched is
//! used up before a line, or without the cache a word, is read again, and with the last halfword of one the next one
//! arrives. A read may find its line held, or cost the wait states.

use super::Interval;
use crate::accesses::Area;
use crate::{Graph, Text};
use lichen_isa::{Access, Instruction};

/// How fast memory is. The default is memory without wait states, and without devices that stall the processor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// Cycles that a read of flash takes beyond the first.
    pub wait_states: u64,
    /// Whether the flash controller holds lines.
    pub cached: bool,
    /// Cycles for which an access to a device stalls the processor at most.
    pub stall: u64,
    /// Cycles by which an access to the fastest device is faster than one to RAM.
    pub fast: u64,
}

/// Bytes that the core fetches at a time, and of a line that the flash controller holds.
const WORD_BYTES: u32 = 4;
const LINE_BYTES: u32 = 8;

/// An address with this bit is in the second half of its word.
const SECOND_HALF: u32 = 2;

/// What the core has certainly fetched: the beginning of a line, or a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Fetched(Option<u32>);

impl Fetched {
    /// If the way came by here or there.
    pub(super) fn join(self, other: Fetched) -> Fetched {
        if self == other { self } else { Fetched::default() }
    }
}

impl Memory {
    /// Cycles that an instruction waits, beyond its own; and how many it may take less.
    pub(super) fn waits(
        &self,
        text: &Text<'_>,
        graph: &Graph,
        (at, instruction): (u32, &Instruction),
        fetched: &mut Fetched,
    ) -> (Interval, u64) {
        let mut waits = Interval::ZERO;
        let mut less = 0;
        if self.wait_states > 0 && !text.is_copied(at) {
            waits = waits + self.fetch(at, fetched);
        }
        if let Some(access) = instruction.access {
            let (stalls, faster) = self.access(text, &access, graph.address(at), fetched);
            waits = waits + stalls;
            less = faster;
        }
        (waits, less)
    }

    /// Up to two reads, of what the instruction is in and of what is behind.
    fn fetch(&self, at: u32, fetched: &mut Fetched) -> Interval {
        let unit = if self.cached { LINE_BYTES } else { WORD_BYTES };
        let begin = at & !(unit - 1);
        let mut reads = u64::from(fetched.0 != Some(begin));
        fetched.0 = Some(begin);
        if at == begin + unit - SECOND_HALF {
            reads += 1;
            fetched.0 = Some(begin + unit);
        }
        Interval::up_to(reads * self.wait_states)
    }

    /// What an access costs, and by how much it may be faster than one to RAM.
    fn access(
        &self,
        text: &Text<'_>,
        access: &Access,
        address: Option<u32>,
        fetched: &mut Fetched,
    ) -> (Interval, u64) {
        let area = match text.is_on_stack(access.place) {
            true => Some(Area::Ram),
            false => address.map(|address| text.port.area(address)),
        };
        // What it reads of flash may take the place of the line that the code is in.
        if matches!(area, None | Some(Area::Flash)) {
            *fetched = Fetched::default();
        }
        let (stall, fast) = match area {
            Some(Area::Ram) => (0, 0),
            Some(Area::Device) => (self.stall, self.fast),
            Some(Area::Flash) => (self.wait_states, 0),
            None => (self.wait_states.max(self.stall), self.fast),
        };
        (Interval::up_to(u64::from(access.count) * stall), fast)
    }

    /// A branch from a second half of a word to another contends with the access of the instruction behind. Where it
    /// goes is not known of a return.
    pub(super) fn branch(&self, text: &Text<'_>, at: u32, to: Option<u32>) -> Interval {
        let both = at & to.unwrap_or(SECOND_HALF) & SECOND_HALF != 0;
        let accesses = |to| {
            let behind = text.instruction(to).map(|first| to + first.bytes);
            let second = behind.filter(|behind| behind - to == SECOND_HALF);
            second.and_then(|at| text.instruction(at)).is_some_and(|it| it.access.is_some())
        };
        let contends = self.wait_states > 0 && both && to.is_none_or(accesses);
        Interval::up_to(contends.into())
    }
}
