// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is known of the registers.

use super::value::Value;
use lichen_isa::RegisterSet;
use std::collections::BTreeMap;

/// Registers, without the stack pointer.
const REGISTERS: usize = 32;

/// What the registers hold. Where ways join, a pair may hold the word of each: its halves are then known, too, but a half
/// of one word does not go with that of another.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Registers {
    values: [Value; REGISTERS],
    /// The words of pairs, by their lower registers, if those are not all that their halves make.
    words: BTreeMap<u8, Vec<u16>>,
}

impl Registers {
    pub(crate) fn read(&self, register: u8) -> &Value {
        &self.values[usize::from(register)]
    }

    pub(crate) fn set(&mut self, register: u8, value: Value) {
        self.words.remove(&(register & !1));
        self.values[usize::from(register)] = value;
    }

    pub(crate) fn copy_pair(&mut self, to: u8, from: u8) {
        let words = self.words.get(&from).cloned();
        for half in 0..2 {
            self.set(to + half, *self.read(from + half));
        }
        self.words.extend(words.map(|words| (to, words)));
    }

    pub(crate) fn forget(&mut self, registers: RegisterSet) {
        let forgotten = (0..REGISTERS as u8).filter(|register| registers.contains(*register));
        forgotten.for_each(|register| self.set(register, Value::Unknown));
    }

    /// Replaces what is known of the stack pointer.
    pub(crate) fn replace(&mut self, by: impl Fn(Value) -> Value) {
        self.values = self.values.map(by);
    }

    /// What a pair of registers may hold, in ascending order.
    pub(crate) fn words(&self, pair: u8) -> Vec<u16> {
        if let Some(words) = self.words.get(&pair) {
            return words.clone();
        }
        let (low, high) = (self.read(pair).known(), self.read(pair + 1).known());
        let word = |high: &u8, low: &u8| u16::from_be_bytes([*high, *low]);
        high.iter().flat_map(|high| low.iter().map(move |low| word(high, low))).collect()
    }

    /// A pair of registers may hold these words.
    pub(crate) fn set_words(&mut self, pair: u8, mut words: Vec<u16>) {
        words.sort_unstable();
        words.dedup();
        self.set(pair, Value::bytes(words.iter().map(|word| word.to_be_bytes()[1])));
        self.set(pair + 1, Value::bytes(words.iter().map(|word| word.to_be_bytes()[0])));
        if self.words(pair).len() > words.len() {
            self.words.insert(pair, words);
        }
    }

    /// Become what is known if they are either of two; returns whether that is less.
    pub(crate) fn join(&mut self, other: &Registers) -> bool {
        let (mut is_less, have_same_words) = (false, self.words == other.words);
        for pair in (0..REGISTERS as u8).step_by(2) {
            let halves = usize::from(pair)..usize::from(pair) + 2;
            let is_same = self.values[halves.clone()] == other.values[halves]
                && (have_same_words || self.words.get(&pair) == other.words.get(&pair));
            if !is_same {
                is_less |= self.join_pair(pair, other);
            }
        }
        is_less
    }

    fn halves(&self, pair: u8) -> [Value; 2] {
        [*self.read(pair), *self.read(pair + 1)]
    }

    /// The same of a pair. Its words are known if its halves are.
    fn join_pair(&mut self, pair: u8, other: &Registers) -> bool {
        let (own, others) = (self.words(pair), other.words(pair));
        let (halves, words) = (self.halves(pair), self.words.get(&pair).cloned());
        for (half, before) in (0..2).zip(halves) {
            self.set(pair + half, before.join(other.read(pair + half)));
        }
        if own == others {
            self.words.extend(words.clone().map(|words| (pair, words)));
        } else if !own.is_empty() && !others.is_empty() && !self.words(pair).is_empty() {
            self.set_words(pair, [own, others].concat());
        }
        (halves, words.as_ref()) != (self.halves(pair), self.words.get(&pair))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(one: &Registers, other: &Registers) -> Registers {
        let mut both = one.clone();
        assert_eq!(both.join(other), both != *one);
        both
    }

    fn holding(word: u16) -> Registers {
        let mut registers = Registers::default();
        registers.set_words(30, vec![word]);
        registers
    }

    #[test]
    fn a_pair_holds_either_word_and_no_third_one() {
        let either = joined(&holding(0x0102), &holding(0x0304));
        assert_eq!(either.words(30), [0x0102, 0x0304]);
        assert_eq!(either.read(30).known(), [2, 4]);
        assert_eq!(joined(&either, &holding(0x0104)).words(30), [0x0102, 0x0104, 0x0304]);
        assert_eq!(joined(&either, &either), either);
        assert_eq!(joined(&either, &Registers::default()).words(30), []);
    }

    #[test]
    fn a_copy_is_as_well_known_and_a_half_that_is_set_is_anyones() {
        let mut either = joined(&holding(0x0102), &holding(0x0304));
        either.copy_pair(20, 30);
        assert_eq!(either.words(20), [0x0102, 0x0304]);
        either.set(21, Value::bytes([5, 6]));
        assert_eq!(either.words(20), [0x0502, 0x0504, 0x0602, 0x0604]);
        either.forget(RegisterSet::of(30));
        assert_eq!(either.words(30), []);
    }
}
