// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an instruction does to what is known: it is performed on values that may be unknown.

use super::state::State;
use super::value::Value;
use super::walk::NUMBERS;
use crate::Text;
use lichen_isa::armv6m::special::{PRIMASK, has_flags};
use lichen_isa::armv6m::{
    Alu, Condition, Halt, Jump, LR, Machine, Processor, SP, SystemOp, perform, perform_system,
};
use std::convert::Infallible;

/// Where an instruction leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leads {
    /// To the next one.
    Next,
    /// To this address.
    Branch(u32),
    /// To this address, or to the next one; certainly or certainly not, if that is known.
    BranchIf(u32, Option<bool>),
    /// To a function, and back.
    Call(u32),
    /// To the function that a value says, and back.
    CallValue(Value),
    /// To where a value says.
    Jump(Jump, Value),
    /// To the kernel level, and back.
    Service,
    /// To the next one, with the stack pointer somewhere else.
    Stack(Value),
    /// To the next one, with another value in a special register.
    Special(u8, Value),
    /// Nowhere: an undefined instruction, or a breakpoint.
    Stop,
}

/// Numbers of addresses up to this are none: they come from ways that are not taken, on which a number is used as a
/// pointer to a structure.
const LOWEST: u32 = NUMBERS + 0x80;

/// For a value that is not known: not 0, so that a shift by it changes the carry.
const ANY: [u32; 1] = [1];

impl State {
    /// The state behind the instruction at `at`: returns where it leads, and where the next one is. `None` where no
    /// code is.
    pub(crate) fn evaluate(&mut self, text: &Text<'_>, at: u32) -> Option<(Leads, u32)> {
        Some(self.perform(Some(text), at, text.thumb(at)?, text.halfword(at + 2)))
    }

    /// The same with a code, wherever that is from. Constants are those of `text`.
    pub(super) fn perform(
        &mut self,
        text: Option<&Text<'_>>,
        at: u32,
        first: u16,
        second: Option<u16>,
    ) -> (Leads, u32) {
        let mut evaluation = Evaluation { text, at, state: self, leads: Leads::Next };
        let Ok(bytes) = perform(first, second, &mut evaluation);
        (evaluation.leads, at + bytes)
    }
}

/// An instruction that is performed.
struct Evaluation<'a, 't> {
    text: Option<&'a Text<'t>>,
    at: u32,
    state: &'a mut State,
    leads: Leads,
}

impl Evaluation<'_, '_> {
    fn away(&self, offset: i32) -> u32 {
        self.at.wrapping_add(4).wrapping_add_signed(offset)
    }

    fn computed(&mut self, operation: Alu, a: &[u32], b: &[u32]) -> Value {
        let (before, mut behind) = (self.state.flags, None);
        let mut results = Vec::with_capacity(a.len() * b.len());
        for (a, b) in a.iter().flat_map(|a| b.iter().map(move |b| (*a, *b))) {
            let flags = before.each(|flags| operation.apply(flags, a, b), |it| results.push(it));
            behind = Some(behind.map_or(flags, |behind: crate::flags::Flags| behind.join(flags)));
        }
        self.state.flags = behind.unwrap_or_default();
        Value::words(results)
    }
}

/// What an operation makes of a place of the stack, or of where the function returns to.
fn moved(operation: Alu, a: Value, b: Value) -> Value {
    let is_place = |value| matches!(value, Value::Stack(_) | Value::Return);
    match (operation, a, b.single()) {
        (Alu::Sum | Alu::Add, _, Some(b)) if is_place(a) => a.plus(b as i32),
        (Alu::Subtract, _, Some(b)) if is_place(a) => a.plus((b as i32).wrapping_neg()),
        (Alu::ShiftLeft, _, Some(0)) => a,
        // The stack's words are aligned.
        (Alu::Mask, Value::Stack(depth), Some(0xFFFF_FFFC)) if depth % 4 == 0 => a,
        (Alu::Sum | Alu::Add, a, None) => match a.single() {
            Some(a) if is_place(b) => b.plus(a as i32),
            _ => Value::Unknown,
        },
        _ => Value::Unknown,
    }
}

impl Machine for Evaluation<'_, '_> {
    type Word = Value;
    type Exit = Infallible;

    fn constant(&mut self, value: u32) -> Value {
        Value::word(value)
    }

    fn read(&mut self, register: u8) -> Value {
        self.state.read(register)
    }

    fn write(&mut self, register: u8, value: Value) {
        match value {
            Value::Stack(depth) if register == SP => self.state.lower_to(depth),
            _ if register == SP => self.leads = Leads::Stack(value),
            _ => self.state.set(register, value),
        }
    }

    fn pc(&mut self) -> Value {
        Value::word(self.away(0))
    }

    fn compute(&mut self, operation: Alu, a: Value, b: Value) -> Value {
        if let (Some(a), Some(b)) = (a.known(), b.known()) {
            return self.computed(operation, a, b);
        }
        for b in b.known().unwrap_or(&ANY) {
            let any = a.known().unwrap_or(&ANY)[0];
            self.state.flags = self.state.flags.behind(|flags| {
                operation.apply(flags, any, *b);
            });
        }
        moved(operation, a, b)
    }

    fn load<const N: usize>(&mut self, address: Value) -> Result<Value, Infallible> {
        Ok(match address {
            Value::Stack(depth) if N == 4 => {
                self.state.saved.get(&depth).copied().unwrap_or_default()
            }
            _ => address.map(|at| {
                let constant = self.text?.constant(at, N as u32);
                constant.filter(|_| at >= LOWEST)
            }),
        })
    }

    fn load_literal(&mut self, address: Value) -> Result<Value, Infallible> {
        Ok(address.map(|at| self.text?.word(at)))
    }

    fn store<const N: usize>(&mut self, address: Value, value: Value) -> Result<(), Infallible> {
        match address {
            Value::Stack(depth) => {
                self.state.save(depth, if N == 4 { value } else { Value::Unknown })
            }
            _ => self.state.forget_saved(),
        }
        Ok(())
    }

    fn load_words(&mut self, address: Value, to: &mut [Value]) -> Result<(), Infallible> {
        for (word, at) in to.iter_mut().zip((0..).step_by(4)) {
            *word = self.load::<4>(address.plus(at))?;
        }
        Ok(())
    }

    fn store_words(&mut self, address: Value, words: &[Value]) -> Result<(), Infallible> {
        for (word, at) in words.iter().zip((0..).step_by(4)) {
            self.store::<4>(address.plus(at), *word)?;
        }
        Ok(())
    }

    fn spend(&mut self, _: u64) {}

    fn next(&mut self, _: u64) {}

    fn branch(&mut self, offset: i32, _: u64) {
        self.leads = Leads::Branch(self.away(offset));
    }

    fn branch_if(&mut self, condition: Condition, offset: i32, _: u64, _: u64) {
        let mut ways = [false; 2];
        self.state.flags.each(|flags| condition.holds(flags), |it| ways[usize::from(it)] = true);
        let taken = (ways[0] != ways[1]).then_some(ways[1]);
        self.leads = Leads::BranchIf(self.away(offset), taken);
    }

    fn link(&mut self, bytes: u32) {
        self.state.set(LR, Value::word(self.at.wrapping_add(bytes) | 1));
    }

    fn branch_link(&mut self, offset: i32, _: u64) {
        self.leads = Leads::Call(self.away(offset));
    }

    fn jump(&mut self, how: Jump, to: Value, _: u64) -> Result<(), Infallible> {
        self.leads = match how {
            Jump::Call => Leads::CallValue(to),
            _ => Leads::Jump(how, to),
        };
        Ok(())
    }

    fn system(&mut self, op: SystemOp) -> Result<(), Infallible> {
        perform_system(op, self);
        Ok(())
    }

    fn halt(&mut self, _: Halt) -> Result<(), Infallible> {
        self.leads = Leads::Stop;
        Ok(())
    }
}

impl Processor for Evaluation<'_, '_> {
    type Word = Value;

    fn general(&mut self, register: u8) -> Value {
        self.read(register)
    }

    fn set_general(&mut self, register: u8, value: Value) {
        self.write(register, value);
    }

    /// What this reads is not followed.
    fn special(&mut self, _: u8) -> Value {
        Value::Unknown
    }

    fn set_special(&mut self, number: u8, value: Value) {
        match number {
            _ if has_flags(number) => self.state.flags.forget(u32::MAX),
            PRIMASK => {
                let masks = |words: &[u32]| words.iter().all(|word| word & 1 != 0);
                self.state.masked = value.known().is_some_and(masks);
            }
            _ => self.leads = Leads::Special(number, value),
        }
    }

    fn mask(&mut self, masked: bool) {
        self.state.masked = masked;
    }

    fn event(&mut self) {}

    fn wait(&mut self, _: bool, _: u64) {}

    fn service(&mut self) {
        self.leads = Leads::Service;
    }

    fn breakpoint(&mut self) {
        self.leads = Leads::Stop;
    }

    fn complete(&mut self, _: u32, _: u64) {}
}
