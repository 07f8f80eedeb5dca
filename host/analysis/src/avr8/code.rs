// SPDX-License-Identifier: MIT OR Apache-2.0
//! AVR code of an image, and the addresses of code that stand in it.

use crate::text::{Function, Text};
use lichen_isa::RegisterSet;
use lichen_isa::avr8::{Effect, effect};
use std::collections::BTreeSet;

/// Text that the program has in flash: no addresses stand there.
const TEXT: &str = ".lichen_text";

/// What GCC jumps to in order to go on where a table of labels says.
pub(crate) const TABLE_JUMP: &str = "__tablejump2__";

/// `nop`.
pub(super) const FILL: u16 = 0;

/// Addresses of code that stand in an image, in bytes, and where.
#[derive(Debug, Default)]
pub(crate) struct Addresses(pub(crate) Vec<(u32, u32)>);

impl Addresses {
    /// Those in instructions and those in constants.
    pub(crate) fn of(code: &Text<'_>) -> Addresses {
        let mut addresses = loaded_by_code(code);
        addresses.extend(words(code).map(|(at, word)| (at, 2 * u32::from(word))));
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
    /// Where a vector leads that is a jump.
    pub fn avr_vector(&self, address: u32) -> Option<u32> {
        let (first, second) = (self.halfword(address)?, self.halfword(address + 2)?);
        match effect(address, first, second).0 {
            Effect::Branch(to) => Some(to),
            _ => None,
        }
    }

    /// The instruction at `address`.
    pub fn avr(&self, address: u32) -> Option<(Effect, u32)> {
        let first = self.halfword(address).filter(|_| self.is_code(address))?;
        Some(effect(address, first, self.halfword(address + 2).unwrap_or_default()))
    }

    /// The registers that a function does not change: none is known of one that calls others.
    pub(crate) fn avr_spared_by(&self, function: u32) -> RegisterSet {
        let Some(Function { range, .. }) = self.around(function) else { return RegisterSet::NONE };
        let mut spared = RegisterSet(u64::MAX);
        let mut at = range.start;
        let mut falls_through = true;
        while at < range.end {
            let Some((effect, bytes)) = self.avr(at) else { return RegisterSet::NONE };
            falls_through = !matches!(effect, Effect::Return | Effect::Branch(_));
            let changed = match effect {
                Effect::Changes(registers) => registers,
                Effect::Constant { rd, .. }
                | Effect::Copy { rd, .. }
                | Effect::Subtract { rd, .. }
                | Effect::SubtractRegister { rd, .. }
                | Effect::ReadStatus(rd)
                | Effect::Pop(rd) => RegisterSet::of(rd),
                Effect::CopyPair { rd, .. } | Effect::AddPair { rd, .. } => {
                    RegisterSet::of(rd).with(RegisterSet::of(rd + 1))
                }
                Effect::Branch(to) | Effect::BranchIf(to) if range.contains(&to) => {
                    RegisterSet::NONE
                }
                Effect::Push(_) | Effect::WriteStatus(_) | Effect::Mask(_) | Effect::Return => {
                    RegisterSet::NONE
                }
                _ => return RegisterSet::NONE,
            };
            spared = spared.without(changed);
            at += bytes;
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
            let (_, bytes) = self.avr(at)?;
            if !is_known(at) && self.halfword(at) != Some(FILL) {
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
        let mut registers = [None; 32];
        let mut at = range.start;
        while at < range.end {
            let Some((effect, bytes)) = code.avr(at) else { break };
            if code.is_function(at) {
                registers = [None; 32];
                registers[1] = Some(0);
            }
            let loaded = load(effect, &mut registers);
            let place = at;
            at += bytes;
            let Some(pair) = loaded.filter(|pair| !is_replaced(code, at, *pair)) else { continue };
            if let [Some(low), Some(high)] = registers[pair..pair + 2] {
                addresses.push((place, 2 * u32::from(u16::from_be_bytes([high, low]))));
            }
        }
    }
    addresses
}

/// Whether the instruction at `at` loads a half of that pair, before anything can use what is in it.
fn is_replaced(code: &Text<'_>, at: u32, pair: usize) -> bool {
    let next = code.avr(at).filter(|_| !code.is_function(at));
    matches!(next, Some((Effect::Constant { rd, .. }, _)) if usize::from(rd & !1) == pair)
}

/// Follows constants through an instruction. Returns the pair of registers to which it has copied one.
fn load(effect: Effect, registers: &mut [Option<u8>; 32]) -> Option<usize> {
    let (rd, value) = match effect {
        Effect::Constant { rd, value } => (rd, Some(value)),
        Effect::Copy { rd, rr } => (rd, registers[usize::from(rr)]),
        Effect::CopyPair { rd, rr } => {
            registers[usize::from(rd) + 1] = registers[usize::from(rr) + 1];
            (rd, registers[usize::from(rr)])
        }
        _ => return None,
    };
    registers[usize::from(rd)] = value;
    Some(usize::from(rd & !1))
}
