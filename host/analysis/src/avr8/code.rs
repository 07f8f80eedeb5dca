// SPDX-License-Identifier: MIT OR Apache-2.0
//! AVR code of an image, and the addresses of code that stand in it.

use super::state::{State, ZERO};
use super::value::Value;
use crate::text::{Function, Text};
use lichen_isa::avr8::{NOP, SP};
use lichen_isa::{Flow, Instruction, Place, RegisterSet};
use std::collections::BTreeSet;

/// Text that the program has in flash: no addresses stand there.
const TEXT: &str = ".lichen_text";

/// What GCC jumps to in order to go on where a table of labels says.
pub(crate) const TABLE_JUMP: &str = "__tablejump2__";

/// Addresses of code that stand in an image, in bytes, and where.
#[derive(Debug, Default)]
pub(crate) struct Addresses(pub(crate) Vec<(u32, u32)>);

impl Addresses {
    /// Those in instructions and those in constants.
    pub(crate) fn of(code: &Text<'_>) -> Addresses {
        let mut addresses = loaded_by_code(code);
        let places = code.image.code_words();
        let is_place = |at: u32| places.is_none_or(|places| places.contains(&code.runs_at(at)));
        let words = words(code).filter(|(at, _)| is_place(*at));
        addresses.extend(words.map(|(at, word)| (at, 2 * u32::from(word))));
        // Nobody calls where a program begins; and a number may look like an address.
        let known = code.image.code_addresses();
        addresses.retain(|(_, to)| *to != 0 && known.is_none_or(|known| known.contains(to)));
        Addresses(addresses)
    }

    /// Labels of the function around `address`: where a jump by a register within it may go.
    pub(crate) fn labels(&self, code: &Text<'_>, address: u32) -> BTreeSet<u32> {
        let Some(Function { range, .. }) = code.around(address) else { return BTreeSet::new() };
        let is_label = |to: &u32| range.contains(to) && *to != range.start;
        self.0.iter().map(|(_, to)| *to).filter(is_label).collect()
    }
}

impl Text<'_> {
    /// Where a vector leads that is a jump. The table of vectors is an object to the linker, not code.
    pub fn avr_vector(&self, address: u32) -> Option<u32> {
        match self.decoded(address)?.flow {
            Flow::Branch(to) => Some(to),
            _ => None,
        }
    }

    /// The first word of the instruction at `address`.
    pub(crate) fn avr(&self, address: u32) -> Option<u16> {
        self.halfword(address).filter(|_| self.is_code(address))
    }

    /// The registers that a function does not change: none is known of one that calls others.
    pub(crate) fn avr_spared_by(&self, function: u32) -> RegisterSet {
        let Some(Function { range, .. }) = self.around(function) else { return RegisterSet::NONE };
        let mut spared = RegisterSet(u64::MAX);
        let mut at = range.start;
        let mut falls_through = true;
        while at < range.end {
            let Some(it) = self.instruction(at) else { return RegisterSet::NONE };
            falls_through = !matches!(it.flow, Flow::Return | Flow::Branch(_));
            let stays = match it.flow {
                Flow::Next => !is_stack_pointer(&it),
                Flow::Branch(to) | Flow::BranchIf(to) => range.contains(&to),
                Flow::Return => it.system.is_none(),
                _ => false,
            };
            if !stays {
                return RegisterSet::NONE;
            }
            spared = spared.without(it.writes);
            at += it.bytes;
        }
        if falls_through { RegisterSet::NONE } else { spared }
    }

    /// An instruction of the function around `address` that is not known; what only fills up is none.
    pub(crate) fn avr_other_than(
        &self,
        address: u32,
        is_known: impl Fn(u32) -> bool,
    ) -> Option<u32> {
        let Function { range, .. } = self.around(address)?;
        let mut at = range.start;
        while at < range.end {
            let Instruction { bytes, .. } = self.instruction(at)?;
            if !is_known(at) && self.halfword(at) != Some(NOP) {
                return Some(at);
            }
            at += bytes;
        }
        None
    }
}

/// Words of the image that are no code, with where they stand. They may stand anywhere, as structures
/// are not aligned.
fn words<'a>(code: &'a Text<'_>) -> impl Iterator<Item = (u32, u16)> + 'a {
    let text = code.image.sections().iter().find(|section| section.name == TEXT);
    let text = text.map_or(0..0, |text| text.address..text.address + text.size);
    let all = code.image.segments().iter().flat_map(|segment| {
        let words = segment.bytes.windows(2).zip(segment.address..);
        words.map(|(bytes, at)| (at, u16::from_le_bytes([bytes[0], bytes[1]])))
    });
    let is_constant = move |at: u32| code.around(at).is_none() && !text.contains(&at);
    all.filter(move |(at, _)| is_constant(*at) && is_constant(at + 1))
}

/// Addresses that instructions load into pairs of registers, a half after the other.
fn loaded_by_code(code: &Text<'_>) -> Vec<(u32, u32)> {
    let mut addresses = Vec::new();
    for range in code.image.code() {
        let mut state = State::default();
        let mut at = range.start;
        while at < range.end {
            let Some(it) = code.instruction(at) else { break };
            if code.is_function(at) {
                state = State::default();
                state.set(ZERO, Value::byte(0));
            }
            let place = at;
            at += it.bytes;
            if !is_move(&it) {
                continue;
            }
            state.evaluate(code, place);
            let pair = it.writes.0.trailing_zeros() as u8 & !1;
            if is_replaced(code, at, pair) {
                continue;
            }
            if let (Some(low), Some(high)) =
                (state.read(pair).single(), state.read(pair + 1).single())
            {
                addresses.push((place, 2 * u32::from(u16::from_be_bytes([high, low]))));
            }
        }
    }
    addresses
}

/// Whether an instruction loads a constant, or copies registers.
fn is_move(it: &Instruction) -> bool {
    let moves = it.flags_read == 0 && it.flags_written == 0 || it.reads.is_empty();
    moves && it.access.is_none() && !it.writes.is_empty()
}

/// Whether an instruction reads or writes a half of the stack pointer.
fn is_stack_pointer(it: &Instruction) -> bool {
    let is_fixed = it.access.is_some_and(|access| matches!(access.place, Place::Fixed(_)));
    is_fixed && it.reads.with(it.writes).contains(SP as u8)
}

/// Whether the instruction at `at` loads a half of that pair, before anything can use what is in it.
fn is_replaced(code: &Text<'_>, at: u32, pair: u8) -> bool {
    let next = code.instruction(at).filter(|_| !code.is_function(at));
    let halves = RegisterSet::of(pair).with(RegisterSet::of(pair + 1));
    next.is_some_and(|it| is_move(&it) && it.reads.is_empty() && it.writes.meets(halves))
}
