// SPDX-License-Identifier: MIT OR Apache-2.0
//! Thumb code of an image, with the constants that it has beside itself.

use crate::text::{Function, Text};
use lichen_isa::armv6m::{Condition, Op, decode};

/// Functions of the compiler's library that go on in a table behind their call, by its index.
const SWITCH: &str = "__gnu_thumb1_case_";

/// Whether an instruction does nothing: `nop` and `mov r8, r8`.
pub(super) fn fills(op: Op) -> bool {
    matches!(op, Op::Nop | Op::MovHigh { rd: 8, rm: 8 })
}

impl Text<'_> {
    /// The code of the instruction at `address`, or its first half.
    pub(crate) fn thumb(&self, address: u32) -> Option<u16> {
        self.halfword(address).filter(|_| self.is_code(address) || self.is_copied(address))
    }

    /// Words of the image that are no code, with where they stand. They may stand anywhere, as in packed
    /// structures.
    pub fn words(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let all = self.image.segments().iter().flat_map(|segment| {
            let words = segment.bytes.windows(4).zip(segment.address..);
            words.map(|(bytes, at)| {
                (at, u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
            })
        });
        all.filter(|(at, _)| {
            !self.is_code(self.runs_at(*at)) && !self.is_code(self.runs_at(at + 3))
        })
    }

    /// Where the switch goes on that the call at `address` makes, if `to` makes switches. Behind its
    /// table code begins again.
    pub(crate) fn switch(&self, address: u32, to: u32) -> Option<Vec<u32>> {
        let name = self.name(to);
        let kind = name.strip_prefix(SWITCH)?;
        let table = address + 4;
        let next = self.image.code().iter().find(|range| range.start >= table)?;
        let (bytes, signed) = match kind {
            "sqi" => (1, true),
            "uqi" => (1, false),
            "shi" => (2, true),
            "uhi" => (2, false),
            "si" => (4, true),
            _ => return None,
        };
        let table = if bytes == 4 { (table + 2) & !3 } else { table };
        let entry = |at: u32| -> Option<u32> {
            let mut raw = [0; 4];
            let read = self.bytes(at, bytes as u32)?;
            raw[..bytes].copy_from_slice(read);
            let unused = 32 - 8 * bytes as u32;
            let value = u32::from_le_bytes(raw) << unused;
            let value = if signed { (value as i32 >> unused) as u32 } else { value >> unused };
            Some(table.wrapping_add(if bytes == 4 { value } else { value << 1 }))
        };
        // Constants may follow it, before there is code.
        let most = self.most_cases(address).unwrap_or(u32::MAX) as usize;
        let entries = (table..next.start).step_by(bytes).take(most).filter_map(entry);
        // Padding at the end of a table is no entry.
        Some(entries.map(|to| to & !1).filter(|to| self.is_code(*to)).collect())
    }

    /// How many cases the switch has that the call at `address` makes, if that is compared before it: `cmp r3, #5`, `bls` over
    /// a jump or `bhi`, and `movs r0, r3`.
    fn most_cases(&self, address: u32) -> Option<u32> {
        let mut at = address;
        let mut before = || {
            at = at.checked_sub(2)?;
            Some(decode(self.halfword(at)?, None))
        };
        let mut op = before()?;
        let index = match op {
            Op::LslImm { rd: 0, rm, n: 0 } => {
                op = before()?;
                rm
            }
            _ => 0,
        };
        if matches!(op, Op::B { .. }) {
            op = before()?;
        }
        let Op::BCond { condition: Condition::Hi | Condition::Ls, .. } = op else { return None };
        match before()? {
            Op::CmpImm { rn, imm } if rn == index => Some(u32::from(imm) + 1),
            _ => None,
        }
    }

    /// Labels of the function around `address` that its own constants name, and the tables of labels
    /// that these name: where a jump by a register within it may go.
    pub(crate) fn labels(&self, address: u32) -> Vec<u32> {
        let Some(Function { range, .. }) = self.around(address) else { return Vec::new() };
        let label =
            |word: u32| Some(word & !1).filter(|to| range.contains(to) && self.is_code(*to));
        let constants = (range.start & !3..range.end).step_by(4).filter(|at| !self.is_code(*at));
        let constants: Vec<u32> = constants.filter_map(|at| self.word(at)).collect();
        let tables = constants.iter().filter(|word| **word % 4 == 0 && !self.is_code(**word));
        let entries = tables
            .flat_map(|table| (*table..).step_by(4).map_while(|at| self.word(at)).map_while(label));
        constants.iter().copied().filter_map(label).chain(entries).collect()
    }

    /// An instruction of the function around `address` that is not known; what only fills up to constants
    /// is none.
    pub(crate) fn other_than(&self, address: u32, is_known: impl Fn(u32) -> bool) -> Option<u32> {
        let Function { range, .. } = self.around(address)?;
        let mut at = range.start;
        while at < range.end {
            let bytes = match self.instruction(at).filter(|_| self.is_code(at)) {
                Some(instruction) => instruction.bytes,
                None => {
                    at += 2;
                    continue;
                }
            };
            if !is_known(at) && self.halfword(at).is_some_and(|code| !fills(decode(code, None))) {
                return Some(at);
            }
            at += bytes;
        }
        None
    }
}
