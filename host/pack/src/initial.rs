// SPDX-License-Identifier: MIT OR Apache-2.0
//! Initial values as runs: from the first byte of the objects on, then of the data.

use std::collections::BTreeMap;

/// A run's most bytes.
const LONGEST: usize = 0x3fff;
/// Fewer equal bytes are not worth the heads of two more runs.
const WORTH: usize = 6;

const ZERO: u16 = 1 << 14;
const REPEAT: u16 = 2 << 14;

/// The runs, and where in them each byte of the blocks is that a field begins at.
#[derive(Debug, Default)]
pub struct Runs {
    pub bytes: Vec<u8>,
    /// Offset in the objects, or behind them in the data, to offset in `bytes`.
    pub places: BTreeMap<usize, usize>,
}

/// Makes the runs of objects and data. `fields` are offsets and lengths of fields, in order, in objects and behind them in
/// the data; their bytes are what they are, and each begins at a halfword of the runs.
pub fn runs(objects: &[u8], data: &[u8], fields: &[(usize, usize)]) -> Runs {
    let mut runs = Runs::default();
    let has_data = data.iter().any(|byte| *byte != 0)
        || fields.last().is_some_and(|(at, _)| *at >= objects.len());
    Block { runs: &mut runs, bytes: objects, base: 0, fields }.put(has_data);
    Block { runs: &mut runs, bytes: data, base: objects.len(), fields }.put(false);
    runs
}

struct Block<'data> {
    runs: &'data mut Runs,
    bytes: &'data [u8],
    /// Offset of its first byte.
    base: usize,
    fields: &'data [(usize, usize)],
}

impl Block<'_> {
    /// Appends the block's runs; without the zeros at its end, unless another block follows.
    fn put(mut self, to_the_end: bool) {
        let mut at = 0;
        let mut literal = 0;
        while at < self.bytes.len() {
            let equal = self.equal(at);
            let is_end = at + equal == self.bytes.len() && self.bytes[at] == 0;
            let is_worth = equal >= WORTH || (is_end && (!to_the_end || equal > 2));
            if equal == 0 || !is_worth {
                at += self.field(at).unwrap_or(1);
                continue;
            }
            self.literal(literal, at);
            if !is_end || to_the_end {
                self.equals(self.bytes[at], equal);
            }
            at += equal;
            literal = at;
        }
        self.literal(literal, at);
    }

    /// How many bytes from `at` on are the same, and of no field.
    fn equal(&self, at: usize) -> usize {
        let next = self.fields.iter().find(|(field, bytes)| field + bytes > self.base + at);
        let end = next.map_or(self.bytes.len(), |(field, _)| {
            field.saturating_sub(self.base).clamp(at, self.bytes.len())
        });
        let run = &self.bytes[at..end];
        run.iter().take_while(|byte| Some(*byte) == run.first()).count()
    }

    /// Length of the field that begins at `at`.
    fn field(&self, at: usize) -> Option<usize> {
        let field =
            self.fields.binary_search_by_key(&(self.base + at), |(field, _)| *field).ok()?;
        Some(self.fields[field].1)
    }

    fn head(&mut self, kind: u16, length: usize) {
        self.runs.bytes.extend((kind | length as u16).to_le_bytes());
    }

    fn equals(&mut self, byte: u8, mut length: usize) {
        while length > 0 {
            let some = length.min(LONGEST);
            if byte == 0 {
                self.head(ZERO, some);
            } else {
                self.head(REPEAT, some);
                self.runs.bytes.extend([byte, 0]);
            }
            length -= some;
        }
    }

    /// Bytes as they are, in runs that begin anew where a field would begin at an odd place.
    fn literal(&mut self, mut from: usize, to: usize) {
        let mut at = from;
        while at < to {
            let field = self.field(at);
            let length = field.unwrap_or(1);
            if at > from
                && (at + length - from > LONGEST || field.is_some() && (at - from) % 2 == 1)
            {
                self.run(from, at);
                from = at;
            }
            at += length;
        }
        if from < to {
            self.run(from, to);
        }
    }

    fn run(&mut self, from: usize, to: usize) {
        self.head(0, to - from);
        let begin = self.runs.bytes.len();
        let fields = (from..to).filter(|at| self.field(*at).is_some());
        let places: Vec<_> = fields.map(|at| (self.base + at, begin + at - from)).collect();
        self.runs.places.extend(places);
        self.runs.bytes.extend(&self.bytes[from..to]);
        self.runs.bytes.resize(self.runs.bytes.len().next_multiple_of(2), 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(objects: &[u8], data: &[u8], fields: &[(usize, usize)]) -> Vec<u8> {
        runs(objects, data, fields).bytes
    }

    #[test]
    fn zeros_cost_nothing_at_the_end() {
        assert_eq!(bytes(&[0; 40], &[0; 100], &[]), []);
        assert_eq!(bytes(&[], &[1, 2, 0, 0], &[]), [2, 0, 1, 2]);
        assert_eq!(bytes(&[0; 4], &[7, 0, 0], &[]), [4, 0x40, 1, 0, 7, 0], "to reach the data");
        assert_eq!(bytes(&[9, 0], &[7], &[]), [2, 0, 9, 0, 1, 0, 7, 0], "two zeros are no run");
    }

    #[test]
    fn equal_bytes_are_one_run() {
        let mut data = vec![3, 1, 1, 1, 1, 1, 1, 1, 4];
        assert_eq!(bytes(&[], &data, &[]), [1, 0, 3, 0, 7, 0x80, 1, 0, 1, 0, 4, 0]);
        data[3] = 2;
        assert_eq!(bytes(&[], &data, &[])[..2], [9, 0]);
        data.splice(1..8, [0; 6]);
        assert_eq!(bytes(&[], &data, &[]), [1, 0, 3, 0, 6, 0x40, 1, 0, 4, 0]);
    }

    #[test]
    fn fields_begin_at_halfwords() {
        let found = runs(&[0, 0, 0, 0], &[5, 0, 0, 6, 0, 0], &[(2, 2), (5, 2), (8, 2)]);
        // Two bytes and a field; a byte; a field and a byte and, at an even place, a field.
        assert_eq!(found.bytes, [4, 0, 0, 0, 0, 0, 1, 0, 5, 0, 3, 0, 0, 0, 6, 0, 2, 0, 0, 0]);
        let places: Vec<_> = found.places.into_iter().collect();
        assert_eq!(places, [(2, 4), (5, 12), (8, 18)]);
    }
}
