// SPDX-License-Identifier: MIT OR Apache-2.0
//! A few constants, without an allocation: what is known of a register is copied at every instruction.

use std::hash::{Hash, Hasher};
use std::ops::Deref;

/// More constants than these are not distinguished.
const MOST: usize = 8;

/// One to eight constants, each once, in ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Few<T> {
    count: u8,
    /// Those behind `count` are 0.
    constants: [T; MOST],
}

impl<T: Copy + Default + Ord> Few<T> {
    pub(crate) fn one(constant: T) -> Few<T> {
        let mut constants = [T::default(); MOST];
        constants[0] = constant;
        Few { count: 1, constants }
    }

    /// `constants`, in any order; `None` if there are none or too many.
    pub(crate) fn of(constants: impl IntoIterator<Item = T>) -> Option<Few<T>> {
        let mut few = Few { count: 0, constants: [T::default(); MOST] };
        for constant in constants {
            few.insert(constant)?;
        }
        (few.count > 0).then_some(few)
    }

    fn insert(&mut self, constant: T) -> Option<()> {
        if let Err(at) = self.binary_search(&constant) {
            let count = usize::from(self.count);
            if count == MOST {
                return None;
            }
            self.constants.copy_within(at..count, at + 1);
            self.constants[at] = constant;
            self.count += 1;
        }
        Some(())
    }
}

impl<T: Hash> Hash for Few<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self[..].hash(state);
    }
}

impl<T> Deref for Few<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.constants[..usize::from(self.count)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_in_order_and_each_is_there_once() {
        assert_eq!(Few::of([3, 1, 2, 1]).as_deref(), Some(&[1, 2, 3][..]));
        assert_eq!(Few::of([5, 5]), Some(Few::one(5)));
        assert_eq!(Few::of(0..8).map(|few| few.len()), Some(8));
        assert_eq!(Few::of(0..9), None, "too many");
        assert_eq!(Few::<u8>::of([]), None);
    }
}
