// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is known of a register.

use crate::few::Few;

/// What a register holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Value {
    /// Anything.
    #[default]
    Unknown,
    /// One of these constants.
    Words(Few<u32>),
    /// The address of the stack at a depth below that of the function's entry.
    Stack(i32),
    /// Where the function returns to.
    Return,
}

impl Value {
    pub(crate) fn word(word: u32) -> Value {
        Value::Words(Few::one(word))
    }

    /// Some constants.
    pub(crate) fn words(words: impl IntoIterator<Item = u32>) -> Value {
        Few::of(words).map_or(Value::Unknown, Value::Words)
    }

    /// The constants, if it is known.
    pub(crate) fn known(&self) -> Option<&[u32]> {
        match self {
            Value::Words(words) => Some(words),
            _ => None,
        }
    }

    /// The constant, if it is one.
    pub(crate) fn single(&self) -> Option<u32> {
        match self.known() {
            Some([word]) => Some(*word),
            _ => None,
        }
    }

    /// Each constant as `function` has it; unknown if one is not.
    pub(crate) fn map(&self, function: impl Fn(u32) -> Option<u32>) -> Value {
        let words =
            self.known().and_then(|w| w.iter().map(|w| function(*w)).collect::<Option<Vec<_>>>());
        words.map_or(Value::Unknown, Value::words)
    }

    pub(crate) fn plus(&self, addend: i32) -> Value {
        match self {
            Value::Stack(depth) => Value::Stack(depth.wrapping_sub(addend)),
            Value::Return if addend == 0 => Value::Return,
            _ => self.map(|word| Some(word.wrapping_add_signed(addend))),
        }
    }

    /// What is known if it is either of two.
    pub(crate) fn join(&self, other: &Value) -> Value {
        match (self, other) {
            (a, b) if a == b => *a,
            (Value::Words(a), Value::Words(b)) => Value::words(a.iter().chain(&**b).copied()),
            _ => Value::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_either_of_two_is_both_or_unknown() {
        let (one, two) = (Value::word(1), Value::word(2));
        assert_eq!(two.join(&one), Value::words([1, 2]));
        assert_eq!(one.join(&Value::Stack(4)), Value::Unknown);
        assert_eq!(Value::Return.join(&Value::Return), Value::Return);
        assert_eq!(Value::words(0..9), Value::Unknown, "too many");
    }

    #[test]
    fn the_stack_grows_down() {
        assert_eq!(Value::Stack(8).plus(-16), Value::Stack(24));
        assert_eq!(Value::Return.plus(4), Value::Unknown);
    }
}
