// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is known of the registers and the stack before an instruction.

use super::registers::Registers;
use super::value::{Half, Value, depth};
use super::walk::Entry;
use crate::flags::Flags;
use crate::follow::{Known, join_saved};
use lichen_isa::RegisterSet;
use std::collections::BTreeMap;

/// Of compiled code this one is 0 throughout.
pub(crate) const ZERO: u8 = 1;

/// Registers that a call may change: r0, r18 to r27, r30 and r31. r1 is 0 again.
const CHANGED: RegisterSet = RegisterSet(0xcffc_0001);

/// What is known before an instruction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct State {
    /// Bytes on the stack since the function's entry, its return address among them.
    pub(crate) depth: i32,
    pub(crate) registers: Registers,
    /// What is known of bytes of the stack, by their depths.
    pub(crate) saved: BTreeMap<i32, Value>,
    pub(crate) masked: bool,
    /// Whether the kernel level is certainly being run.
    pub(crate) in_kernel: bool,
    /// The half of the stack pointer that was written, if the other one was not yet.
    pub(crate) written: Option<(bool, Value)>,
    pub(crate) flags: Flags,
    /// C is the borrow of a subtraction from the lower half of the stack pointer at a depth: the depth, and what was
    /// subtracted.
    pub(crate) borrow: Option<(i32, u8)>,
    /// The stack that was left for the kernel's, if that is in use.
    pub(crate) left: Option<Left>,
    /// Whether it is not known which stack is in use.
    pub(crate) mixed: bool,
}

/// A stack that was left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Left {
    /// Where the kernel's stack begins instead.
    pub(crate) at: u32,
    /// What is known of its bytes.
    pub(crate) saved: BTreeMap<i32, Value>,
}

impl State {
    /// At the entry of a function.
    pub(crate) fn at(entry: &Entry) -> State {
        State {
            depth: entry.depth,
            registers: entry.registers.clone(),
            masked: entry.masked,
            in_kernel: entry.in_kernel,
            ..State::default()
        }
    }

    /// What is known besides registers and stacks.
    fn rest(&self) -> impl PartialEq + use<> {
        let Self { depth, masked, in_kernel, written, flags, borrow, mixed, .. } = self;
        (*depth, *masked, *in_kernel, *written, *flags, *borrow, *mixed)
    }

    pub(crate) fn read(&self, register: u8) -> &Value {
        self.registers.read(register)
    }

    pub(crate) fn set(&mut self, register: u8, value: Value) {
        self.registers.set(register, value);
    }

    pub(crate) fn forget(&mut self, registers: RegisterSet) {
        self.registers.forget(registers);
    }

    /// The stack may have been written to through pointers; nobody writes where pointers to the stack
    /// and SREG are kept.
    pub(crate) fn forget_saved(&mut self) {
        self.saved.retain(|_, value| !matches!(value, Value::Bytes(_)));
    }

    /// The byte at a depth of the stack becomes a value.
    pub(crate) fn save(&mut self, depth: i32, value: Value) {
        match value {
            Value::Unknown => self.saved.remove(&depth),
            known => self.saved.insert(depth, known),
        };
    }

    /// The stack is as deep as is said; what was below is lost.
    pub(crate) fn lower_to(&mut self, depth: i32) {
        self.depth = depth;
        self.saved.retain(|at, _| *at <= depth);
    }

    /// What a pair of registers may hold.
    pub(crate) fn words(&self, pair: u8) -> Vec<u16> {
        self.registers.words(pair)
    }

    /// The depth to which a pair of registers points, if it points into the stack.
    pub(crate) fn points_to(&self, pair: u8) -> Option<i32> {
        depth(stack(self.read(pair)), stack(self.read(pair + 1)))
    }

    pub(crate) fn point_to(&mut self, pair: u8, depth: i32) {
        self.set(pair, Value::Stack(Half::low(depth)));
        self.set(pair + 1, Value::Stack(Half::high(depth)));
    }

    /// The kernel's stack is in use from its top on, from the instruction `at`.
    pub(crate) fn begin_anew(&mut self, at: u32) {
        self.registers.replace(|value| match value {
            Value::Stack(half) => Value::Left(half),
            Value::Left(_) => Value::Unknown,
            other => other,
        });
        self.left = Some(Left { at, saved: std::mem::take(&mut self.saved) });
        self.borrow = None;
        self.depth = 0;
    }

    /// The stack that was left is in use again, as deep as it was.
    pub(crate) fn go_back(&mut self, depth: i32) {
        self.registers.replace(|value| match value {
            Value::Left(half) => Value::Stack(half),
            Value::Stack(_) => Value::Unknown,
            other => other,
        });
        self.saved = self.left.take().map(|left| left.saved).unwrap_or_default();
        self.depth = depth;
        self.borrow = None;
        self.forget_saved();
    }

    /// After a call r2 to r17, r28 and r29 are what they were, and what is `spared`.
    pub(crate) fn returned(&mut self, spared: RegisterSet) {
        self.forget(CHANGED.without(spared));
        self.set(ZERO, Value::byte(0));
        self.flags = Flags::default();
        self.borrow = None;
        self.forget_saved();
    }
}

/// The half of the pointer to the stack in use that a value is.
pub(crate) fn stack(value: &Value) -> Option<Half> {
    match value {
        Value::Stack(half) => Some(*half),
        _ => None,
    }
}

/// The half of the pointer to the stack that was left.
pub(crate) fn left(value: &Value) -> Option<Half> {
    match value {
        Value::Left(half) => Some(*half),
        _ => None,
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
        let before = self.rest();
        let registers = self.registers.join(&other.registers);
        let saved = join_saved(&mut self.saved, &other.saved, Value::join);
        let at = |left: &Option<Left>| left.as_ref().map(|left| left.at);
        self.mixed |= other.mixed || at(&self.left) != at(&other.left);
        let left = join_left(&mut self.left, other.left.as_ref());
        self.depth = self.depth.max(other.depth);
        self.masked &= other.masked;
        self.in_kernel &= other.in_kernel;
        self.written = self.written.filter(|_| self.written == other.written);
        self.flags = self.flags.join(other.flags);
        self.borrow = self.borrow.filter(|_| self.borrow == other.borrow);
        registers || saved || left || before != self.rest()
    }
}

/// Becomes what is known of the stack that was left, if both left one; returns whether that is less.
fn join_left(left: &mut Option<Left>, other: Option<&Left>) -> bool {
    match (left.as_mut(), other) {
        (Some(known), Some(other)) => join_saved(&mut known.saved, &other.saved, Value::join),
        (Some(_), None) => {
            *left = None;
            true
        }
        (None, _) => false,
    }
}
