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
    Bytes(Few<u8>),
    /// A half of the stack pointer at a depth.
    Stack(Half),
    /// A half of the pointer to the stack that was left for the one in use.
    Left(Half),
    /// SREG, with interrupts masked or not.
    Status { masked: bool },
}

/// A half of a stack pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Half {
    /// Below the function's entry.
    pub(crate) depth: i32,
    pub(crate) high: bool,
}

impl Value {
    pub(crate) fn byte(byte: u8) -> Value {
        Value::Bytes(Few::one(byte))
    }

    /// Some constants.
    pub(crate) fn bytes(bytes: impl IntoIterator<Item = u8>) -> Value {
        Few::of(bytes).map_or(Value::Unknown, Value::Bytes)
    }

    /// The constants, if it is known.
    pub(crate) fn known(&self) -> &[u8] {
        match self {
            Value::Bytes(bytes) => bytes,
            _ => &[],
        }
    }

    /// The constant, if it is one.
    pub(crate) fn single(&self) -> Option<u8> {
        match self.known() {
            [byte] => Some(*byte),
            _ => None,
        }
    }

    /// What is known if it is either of two.
    pub(crate) fn join(&self, other: &Value) -> Value {
        match (self, other) {
            (a, b) if a == b => *a,
            (Value::Bytes(a), Value::Bytes(b)) => Value::bytes(a.iter().chain(&**b).copied()),
            (Value::Status { .. }, Value::Status { .. }) => Value::Status { masked: false },
            _ => Value::Unknown,
        }
    }
}

impl Half {
    /// The lower half of the pointer, which 256 depths have in common.
    pub(crate) fn low(depth: i32) -> Half {
        Half { depth: depth.rem_euclid(256), high: false }
    }

    /// The upper half.
    pub(crate) fn high(depth: i32) -> Half {
        Half { depth, high: true }
    }
}

/// What a pair of registers holds, or an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    /// Anything.
    Unknown,
    /// One of these constants.
    Words(Few<u16>),
    /// The stack pointer at a depth.
    Stack(i32),
}

impl Word {
    pub(crate) fn one(word: u16) -> Word {
        Word::Words(Few::one(word))
    }

    /// Some constants; unknown if there are none, or too many.
    pub(crate) fn of(words: impl IntoIterator<Item = u16>) -> Word {
        Few::of(words).map_or(Word::Unknown, Word::Words)
    }

    /// The constant, if it is one.
    pub(crate) fn single(&self) -> Option<u16> {
        match self {
            Word::Words(words) if words.len() == 1 => words.first().copied(),
            _ => None,
        }
    }
}

/// The depth of the stack to whose pointer two halves belong.
pub(crate) fn depth(low: Option<Half>, high: Option<Half>) -> Option<i32> {
    match (low, high) {
        (Some(low), Some(high)) if high.high && low == Half::low(high.depth) => Some(high.depth),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_either_of_two_is_both_or_unknown() {
        let (one, two) = (Value::byte(1), Value::byte(2));
        assert_eq!(two.join(&one), Value::bytes([1, 2]));
        assert_eq!(one.join(&Value::Status { masked: true }), Value::Unknown);
        assert_eq!(Value::bytes(0..9), Value::Unknown, "too many");
        let (on, off) = (Value::Status { masked: false }, Value::Status { masked: true });
        assert_eq!(off.join(&on), on, "they may be unmasked");
    }

    #[test]
    fn halves_are_of_one_pointer() {
        let half = |depth, high| Some(Half { depth, high });
        assert_eq!(depth(half(4, false), half(4, true)), Some(4));
        assert_eq!(depth(half(4, false), half(260, true)), Some(260));
        assert_eq!(depth(half(4, false), half(6, true)), None);
        assert_eq!(depth(half(4, true), half(4, false)), None);
    }
}
