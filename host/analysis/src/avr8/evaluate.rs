// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an instruction does to what is known: it is performed on values that may be unknown.

use super::state::State;
use super::value::{Half, Value, Word};
use crate::Text;
use crate::flags::Flags;
use lichen_isa::avr8::{
    Alu, FlagAccess, Halt, Machine, Own, Product, SystemOp, WordAlu, perform, perform_system,
};
use lichen_isa::{RegisterSet, TracedFlags};
use std::convert::Infallible;

/// Where an instruction leads. Calls have pushed where they return to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Leads {
    /// To the next one.
    Next,
    /// To this address.
    Branch(u32),
    /// To this address, or to the next one; certainly or certainly not, if that is known.
    BranchIf(u32, Option<bool>),
    /// To where Z says.
    Jump,
    /// To a function, and back.
    Call(u32),
    /// To the function that Z says, and back.
    CallPointer,
    /// To what was on the stack.
    Return(Word),
    /// To the next one, with another half of the stack pointer.
    StackPointer {
        /// Whether it is the upper half.
        high: bool,
        /// What it is.
        value: Value,
    },
    /// Nowhere: it is not an instruction.
    Stop,
}

/// The bit of SREG that unmasks interrupts.
const I: u8 = 0x80;
/// The carry, a bit of SREG.
const C: u32 = 1;

/// Bytes of which an operation on a register and itself makes all that it makes of any: as to flags, and as to whether the
/// results are few.
const FOR_ALL: [u8; 16] = [
    0x00, 0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0x0F, 0xF0, 0x55, 0xAA, 0x88, 0x7F, 0xFF,
];

/// For a value that is not known.
const ANY: [u8; 1] = [0];

impl State {
    /// The state behind the instruction at `at`: returns where it leads, and where the next one is. `None` where no
    /// code is.
    pub(crate) fn evaluate(&mut self, text: &Text<'_>, at: u32) -> Option<(Leads, u32)> {
        Some(self.perform(at, text.avr(at)?, text.halfword(at + 2).unwrap_or_default()))
    }

    /// The same with a code, wherever that is from.
    pub(super) fn perform(&mut self, at: u32, first: u16, second: u16) -> (Leads, u32) {
        let mut evaluation = Evaluation { at, state: self, leads: Leads::Next };
        let Ok(bytes) = perform(first, second, &mut evaluation);
        let leads = evaluation.leads;
        let depth = self.depth;
        self.saved.retain(|at, _| *at <= depth);
        (leads, at + bytes)
    }
}

/// An instruction that is performed.
struct Evaluation<'a> {
    at: u32,
    state: &'a mut State,
    leads: Leads,
}

/// Address in bytes of code; the program counter has 16 bits.
fn bytes(words: u32) -> u32 {
    (words & 0xFFFF) << 1
}

impl Evaluation<'_> {
    /// What an operation makes of each of these pairs.
    fn each<A: Copy, R>(
        &mut self,
        pairs: impl IntoIterator<Item = (A, A)>,
        operation: impl Fn(&mut TracedFlags, A, A) -> R,
    ) -> Vec<R> {
        let (before, mut behind, mut results) = (self.state.flags, None, Vec::new());
        for (a, b) in pairs {
            let flags = before.each(|flags| operation(flags, a, b), |result| results.push(result));
            behind = Some(behind.map_or(flags, |behind: Flags| behind.join(flags)));
        }
        self.set_flags(behind.unwrap_or_default());
        results
    }

    /// Flags are those behind an operation that may have set them.
    fn set_flags(&mut self, flags: Flags) {
        self.state.flags = flags;
    }

    /// What flags are behind an operation on values that are not known.
    fn unknown(&mut self, operation: impl FnOnce(&mut TracedFlags)) {
        let flags = self.state.flags.behind(operation);
        self.set_flags(flags);
    }

    /// The borrow of a subtraction from the lower half of a stack pointer is known as such, as long as C is that.
    fn note_carry(&mut self, operation: Alu) {
        let mut flags = TracedFlags::default();
        operation.apply(&mut flags, 0, 0);
        if flags.written & C != 0 {
            self.state.borrow = None;
        }
    }

    /// What is at a data address.
    fn own(&self, address: u16) -> Value {
        match Own::at(address) {
            Some(Own::Register(number)) => *self.state.read(number),
            Some(Own::StackLow) => Value::Stack(Half::low(self.state.depth)),
            Some(Own::StackHigh) => Value::Stack(Half::high(self.state.depth)),
            Some(Own::Status) => Value::Status { masked: self.state.masked },
            Some(Own::Rampz) | None => Value::Unknown,
        }
    }

    fn set_own(&mut self, address: u16, value: Value) {
        match Own::at(address) {
            Some(Own::Register(number)) => self.state.set(number, value),
            Some(Own::StackLow) => self.leads = Leads::StackPointer { high: false, value },
            Some(Own::StackHigh) => self.leads = Leads::StackPointer { high: true, value },
            Some(Own::Status) => self.set_status(value),
            Some(Own::Rampz) => {}
            None => self.state.forget_saved(),
        }
    }

    fn skip(&mut self, words: u8, taken: Option<bool>) {
        let to = bytes(self.away(1 + i32::from(words)));
        self.leads = Leads::BranchIf(to, taken);
    }
}

/// What a subtraction makes of a half of a stack pointer: the lower one first, then the upper one with the borrow.
fn moved(
    operation: Alu,
    a: Value,
    b: Value,
    borrow: Option<(i32, u8)>,
) -> Option<(Value, Option<(i32, u8)>)> {
    let (Value::Stack(half), Some(b)) = (a, b.single()) else { return None };
    match (operation, half, borrow) {
        (Alu::Subtract, Half { high: false, depth }, _) => {
            Some((Value::Stack(Half::low(depth + i32::from(b))), Some((depth, b))))
        }
        (Alu::SubtractCarry, Half { high: true, depth }, Some((of, low)))
            if Half::low(depth) == Half::low(of) =>
        {
            let subtrahend = i16::from_be_bytes([b, low]);
            Some((Value::Stack(Half::high(depth + i32::from(subtrahend))), None))
        }
        _ => None,
    }
}

impl Machine for Evaluation<'_> {
    type Byte = Value;
    type Word = Word;
    type Exit = Infallible;

    fn byte(&mut self, value: u8) -> Value {
        Value::byte(value)
    }

    fn word(&mut self, value: u16) -> Word {
        Word::one(value)
    }

    fn read(&mut self, register: u8) -> Value {
        *self.state.read(register)
    }

    fn write(&mut self, register: u8, value: Value) {
        self.state.set(register, value);
    }

    fn read_pair(&mut self, lower: u8) -> Word {
        match self.state.points_to(lower) {
            Some(depth) => Word::Stack(depth),
            None => Word::of(self.state.words(lower)),
        }
    }

    fn write_pair(&mut self, lower: u8, value: Word) {
        match value {
            Word::Stack(depth) => self.state.point_to(lower, depth),
            Word::Words(words) => self.state.registers.set_words(lower, words.to_vec()),
            Word::Unknown => {
                self.state.forget(RegisterSet::of(lower).with(RegisterSet::of(lower | 1)));
            }
        }
    }

    fn copy_pair(&mut self, to: u8, from: u8) {
        self.state.registers.copy_pair(to, from);
    }

    fn sp(&mut self) -> Word {
        Word::Stack(self.state.depth)
    }

    fn set_sp(&mut self, value: Word) {
        if let Word::Stack(depth) = value {
            self.state.depth = depth;
        }
    }

    fn rampz(&mut self) -> Value {
        Value::Unknown
    }

    fn set_rampz(&mut self, _: Value) {}

    fn next_far(&mut self, _: Value, _: Word) -> (Value, Word) {
        (Value::Unknown, Word::Unknown)
    }

    fn status(&mut self) -> Value {
        Value::Status { masked: self.state.masked }
    }

    fn set_status(&mut self, value: Value) {
        self.state.masked = match value {
            Value::Status { masked } => masked,
            Value::Bytes(bytes) => bytes.iter().all(|byte| byte & I == 0),
            _ => false,
        };
        self.state.borrow = None;
        self.state.flags = Flags::default();
    }

    fn set_flag(&mut self, flag: u8, on: bool) {
        if flag == I {
            self.state.masked = !on;
        } else {
            let mut flags = self.state.flags;
            flags = flags.each(|flags| FlagAccess::set(flags, flag, on), |()| ());
            self.state.borrow = self.state.borrow.filter(|_| u32::from(flag) != C);
            self.set_flags(flags);
        }
    }

    fn compute(&mut self, operation: Alu, a: Value, b: Value) -> Value {
        let borrow = self.state.borrow;
        self.note_carry(operation);
        if let (Value::Bytes(a), Value::Bytes(b)) = (a, b) {
            let pairs = a.iter().flat_map(|a| b.iter().map(move |b| (*a, *b)));
            return Value::bytes(self.each(pairs, |flags, a, b| operation.apply(flags, a, b)));
        }
        let known = |value: &Value| value.known().first().copied().unwrap_or(ANY[0]);
        self.unknown(|flags| {
            operation.apply(flags, known(&a), known(&b));
        });
        let Some((value, borrow)) = moved(operation, a, b, borrow) else { return Value::Unknown };
        self.state.borrow = borrow;
        value
    }

    fn compute_both(&mut self, operation: Alu, rd: u8, rr: u8) -> Value {
        let (a, b) = (self.read(rd), self.read(rr));
        // A register with itself may be 0, whatever it was.
        match a {
            _ if rd != rr => self.compute(operation, a, b),
            Value::Bytes(bytes) => {
                self.note_carry(operation);
                let pairs = bytes.iter().map(|byte| (*byte, *byte));
                Value::bytes(self.each(pairs, |flags, a, b| operation.apply(flags, a, b)))
            }
            _ => {
                self.note_carry(operation);
                let pairs = FOR_ALL.iter().map(|byte| (*byte, *byte));
                Value::bytes(self.each(pairs, |flags, a, b| operation.apply(flags, a, b)))
            }
        }
    }

    fn compute_word(&mut self, operation: WordAlu, a: Word, b: u16) -> Word {
        if operation != WordAlu::Sum {
            self.state.borrow = None;
        }
        if let Word::Words(words) = a {
            let pairs = words.iter().map(|word| (*word, b));
            return Word::of(self.each(pairs, |flags, a, b| operation.apply(flags, a, b)));
        }
        self.unknown(|flags| {
            operation.apply(flags, 0, b);
        });
        match (operation, a) {
            (WordAlu::Sum | WordAlu::Add, Word::Stack(depth)) => {
                Word::Stack(depth - i32::from(b as i16))
            }
            (WordAlu::Subtract, Word::Stack(depth)) => Word::Stack(depth + i32::from(b as i16)),
            _ => Word::Unknown,
        }
    }

    fn multiply(&mut self, product: Product, a: Value, b: Value) -> Word {
        self.state.borrow = None;
        let (a, b) = (a.known(), b.known());
        if a.is_empty() || b.is_empty() {
            self.unknown(|flags| {
                product.apply(flags, 0, 0);
            });
            return Word::Unknown;
        }
        let pairs = a.iter().flat_map(|a| b.iter().map(move |b| (*a, *b)));
        Word::of(self.each(pairs, |flags, a, b| product.apply(flags, a, b)))
    }

    fn load(&mut self, address: Word) -> Value {
        match address {
            Word::Stack(depth) => self.state.saved.get(&(depth + 1)).copied().unwrap_or_default(),
            _ => address.single().map_or(Value::Unknown, |address| self.own(address)),
        }
    }

    fn store(&mut self, address: Word, value: Value) {
        match address {
            Word::Stack(depth) => self.state.save(depth + 1, value),
            Word::Words(words) if words.len() == 1 => self.set_own(words[0], value),
            Word::Words(words) => words.iter().for_each(|at| self.set_own(*at, Value::Unknown)),
            Word::Unknown => self.state.forget_saved(),
        }
    }

    fn input(&mut self, address: u8) -> Value {
        self.own(address.into())
    }

    fn output(&mut self, address: u8, value: Value) {
        self.set_own(address.into(), value);
    }

    fn change(&mut self, _: u8, _: Alu, _: u8) {
        self.state.forget_saved();
    }

    fn store_pushed(&mut self, address: Word, value: Value) {
        self.store(address, value);
    }

    fn store_return(&mut self, address: Word, to: u32) {
        let [high, low] = (to as u16).to_be_bytes();
        if let Word::Stack(depth) = address {
            self.state.save(depth + 1, Value::byte(low));
            self.state.save(depth + 2, Value::byte(high));
        }
    }

    fn load_return(&mut self, address: Word) -> Word {
        let Word::Stack(depth) = address else { return Word::Unknown };
        let (high, low) = (self.load(address).single(), self.load(Word::Stack(depth - 1)).single());
        let word = high.zip(low).map(|(high, low)| u16::from_be_bytes([high, low]));
        word.map_or(Word::Unknown, Word::one)
    }

    fn load_program(&mut self, _: Word) -> Value {
        Value::Unknown
    }

    fn load_far(&mut self, _: Value, _: Word) -> Value {
        Value::Unknown
    }

    fn away(&mut self, words: i32) -> u32 {
        (self.at >> 1).wrapping_add_signed(words)
    }

    fn next(&mut self, _: u8, _: u64) {}

    fn branch(&mut self, to: u32, _: u64) {
        self.leads = Leads::Branch(bytes(to));
    }

    fn branch_if(&mut self, flag: u8, set: bool, offset: i8, _: u64, _: u64) {
        let to = bytes(self.away(1 + i32::from(offset)));
        let taken = match flag {
            I => self.state.masked.then_some(!set),
            _ => self.state.flags.get(flag.into()).map(|on| on == set),
        };
        self.leads = Leads::BranchIf(to, taken);
    }

    fn skip_if_equal(&mut self, rd: u8, rr: u8, words: u8, _: u64) {
        let equal = self.state.read(rd).single().zip(self.state.read(rr).single());
        let equal = equal.map(|(a, b)| a == b);
        self.skip(words, if rd == rr { Some(true) } else { equal });
    }

    fn skip_if(&mut self, value: Value, mask: u8, set: bool, words: u8, _: u64) {
        let taken = value.single().map(|byte| (byte & mask != 0) == set);
        self.skip(words, taken);
    }

    fn jump(&mut self, _: Word, _: u64) {
        self.leads = Leads::Jump;
    }

    fn call(&mut self, to: u32, _: u64) {
        self.leads = Leads::Call(bytes(to));
    }

    fn call_word(&mut self, _: Word, _: u64) {
        self.leads = Leads::CallPointer;
    }

    fn ret(&mut self, to: Word, _: u64) {
        self.leads = Leads::Return(to);
    }

    fn ret_from_interrupt(&mut self, to: Word, _: u64) {
        self.leads = Leads::Return(to);
    }

    fn sleep(&mut self, _: u64) {}

    fn reset_watchdog(&mut self, _: u64) {}

    fn program(&mut self, _: Value, _: Word, _: Word, _: u64) {
        self.state.forget_saved();
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

#[cfg(test)]
mod tests {
    use super::*;

    /// What an operation makes of each byte and itself, with flags of which some are known.
    fn made(operation: Alu, flags: Flags, bytes: &[u8]) -> (Value, Flags) {
        let (mut state, mut results) = (Vec::new(), Vec::new());
        for byte in bytes {
            let act = |flags: &mut TracedFlags| operation.apply(flags, *byte, *byte);
            state.push(flags.each(act, |result| results.push(result)));
        }
        (Value::bytes(results), state.into_iter().reduce(Flags::join).expect("some"))
    }

    #[test]
    fn a_few_bytes_make_with_themselves_what_all_do() {
        let all: Vec<u8> = (0..=u8::MAX).collect();
        let operations = [Alu::Add, Alu::AddCarry, Alu::Subtract, Alu::SubtractCarry];
        for operation in operations.into_iter().chain([Alu::And, Alu::Or, Alu::Xor]) {
            let one = |bit: u32| [1 << bit, !(1 << bit) & 0xFF];
            for known in (0..8).flat_map(one).chain([0, 0xFF]) {
                for bits in [0, 0xFF, 0x01, 0x02, 0xFE, 0xFD] {
                    let flags = Flags::of(known, bits);
                    let few = made(operation, flags, &FOR_ALL);
                    assert_eq!(few, made(operation, flags, &all), "{operation:?} {flags:?}");
                }
            }
        }
    }
}
