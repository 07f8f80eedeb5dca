// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is known of the registers and the stack before an instruction.

use super::value::Value;
use super::walk::Entry;
use crate::flags::Flags;
use crate::follow::{Known, join_saved};
use lichen_isa::armv6m::{LR, SP, is_exc_return};
use std::collections::BTreeMap;

/// What is known before an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct State {
    pub(crate) depth: i32,
    pub(crate) registers: [Value; 16],
    /// What is known of words of the stack, by their depths.
    pub(crate) saved: BTreeMap<i32, Value>,
    pub(crate) masked: bool,
    pub(crate) flags: Flags,
}

impl State {
    /// At the entry of a function.
    pub(crate) fn at(entry: &Entry) -> State {
        let mut registers = entry.registers;
        registers[usize::from(SP)] = Value::Unknown;
        let (saved, flags) = (BTreeMap::new(), Flags::default());
        State { depth: 0, registers, saved, masked: entry.masked, flags }
    }

    pub(crate) fn read(&self, register: u8) -> Value {
        match register {
            SP => Value::Stack(self.depth),
            _ => self.registers[usize::from(register)],
        }
    }

    pub(crate) fn forget(&mut self, registers: u16) {
        for (number, value) in self.registers.iter_mut().enumerate() {
            if registers >> number & 1 != 0 {
                *value = Value::Unknown;
            }
        }
    }

    /// The word at a depth of the stack becomes a value; or the one around a byte there, one that is not known.
    pub(crate) fn save(&mut self, depth: i32, value: Value) {
        let word = depth + depth.wrapping_neg().rem_euclid(4);
        match value {
            Value::Unknown => self.saved.remove(&word),
            known => self.saved.insert(depth, known),
        };
    }

    /// The stack pointer is set to another place of the stack: what is below is lost.
    pub(crate) fn lower_to(&mut self, depth: i32) {
        self.depth = depth;
        self.saved.retain(|at, _| *at <= depth);
    }

    /// The stack may have been written to through pointers; nobody writes where a function returns to.
    pub(crate) fn forget_saved(&mut self) {
        self.saved.retain(|_, value| *value == Value::Return);
    }

    /// To return from an exception is to return.
    pub(crate) fn set(&mut self, rd: u8, value: Value) {
        let is_return = |words: &[u32]| rd == LR && words.iter().all(|word| is_exc_return(*word));
        let returns = value.known().is_some_and(is_return);
        self.registers[usize::from(rd)] = if returns { Value::Return } else { value };
    }

    /// After a call r4 to r11 are what they were.
    pub(crate) fn returned(&mut self) {
        self.forget(0b0101_0000_0000_1111);
        self.flags = Flags::default();
        self.forget_saved();
    }
}

impl Known for State {
    fn depth(&self) -> i32 {
        self.depth
    }

    fn is_masked(&self) -> bool {
        self.masked
    }

    fn join(&mut self, other: &State) -> bool {
        let mut is_less = join_saved(&mut self.saved, &other.saved, Value::join);
        for (known, other) in self.registers.iter_mut().zip(&other.registers) {
            if known != other {
                let joined = known.join(other);
                is_less |= joined != *known;
                *known = joined;
            }
        }
        let before = (self.depth, self.masked, self.flags);
        self.depth = self.depth.max(other.depth);
        self.masked &= other.masked;
        self.flags = self.flags.join(other.flags);
        is_less || before != (self.depth, self.masked, self.flags)
    }
}
