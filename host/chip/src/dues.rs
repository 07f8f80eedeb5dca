// SPDX-License-Identifier: MIT OR Apache-2.0
//! When the blocks of a chip are due.

use crate::Time;
use borsh::{BorshDeserialize, BorshSerialize};

/// A time for each of at most 64 blocks, and the earliest, which is known without a look at all of them: most blocks are never
/// due, and those that are have a bit.
#[derive(Clone, Debug, BorshSerialize, BorshDeserialize)]
#[borsh(init = find_pending)]
pub(crate) struct Dues<const N: usize> {
    times: [Time; N],
    first: Time,
    #[borsh(skip)]
    pending: u64,
}

impl<const N: usize> Dues<N> {
    /// Nothing is due.
    pub fn new() -> Dues<N> {
        Dues { times: [Time::NEVER; N], first: Time::NEVER, pending: 0 }
    }

    /// The earliest of the times.
    pub fn first(&self) -> Time {
        debug_assert_eq!(Some(self.first), self.times.iter().copied().min(), "{:?}", self.times);
        self.first
    }

    /// The first block that is due at the earliest time; the index is meaningless if none is due at all.
    pub fn first_index(&self) -> usize {
        set_bits(self.pending).find(|index| self.times[*index] == self.first).unwrap_or(0)
    }

    /// When a block is due from now on. Returns whether the earliest time is another one.
    pub fn set(&mut self, index: usize, time: Time) -> bool {
        let before = std::mem::replace(&mut self.times[index], time);
        if before == time {
            return false;
        }
        match time {
            Time::NEVER => self.pending &= !(1 << index),
            _ => self.pending |= 1 << index,
        }
        let first = self.first;
        if time < first {
            self.first = time;
        } else if before == first {
            self.first =
                set_bits(self.pending).map(|it| self.times[it]).fold(Time::NEVER, Time::min);
        }
        self.first != first
    }

    fn find_pending(&mut self) {
        for (index, time) in self.times.iter().enumerate() {
            self.pending |= u64::from(*time != Time::NEVER) << index;
        }
    }
}

/// The numbers of the bits that are set, in ascending order.
pub(crate) fn set_bits(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let index = bits.trailing_zeros() as usize;
        bits &= bits.wrapping_sub(1);
        (index < 64).then_some(index)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Times that are set in some order, and what a look at all of them says.
    #[test]
    fn the_earliest_is_that_of_all() {
        let mut dues = Dues::<5>::new();
        let mut times = [Time::NEVER; 5];
        let mut number = 1_u32;
        for _ in 0..10_000 {
            number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let index = (number >> 8) as usize % 5;
            let time = match number >> 16 & 7 {
                7 => Time::NEVER,
                units => Time::from_units(units.into()),
            };
            let before = dues.first;
            times[index] = time;
            let expected = times.iter().copied().min().expect("some");
            assert_eq!(dues.set(index, time), expected != before);
            assert_eq!(dues.first(), expected);
            if expected != Time::NEVER {
                assert_eq!(Some(dues.first_index()), times.iter().position(|it| *it == expected));
            }
            let saved = borsh::to_vec(&dues).expect("bytes");
            assert_eq!(saved, borsh::to_vec(&(times, expected)).expect("bytes"));
            let loaded: Dues<5> = borsh::from_slice(&saved).expect("dues");
            assert_eq!(loaded.pending, dues.pending);
        }
    }
}
