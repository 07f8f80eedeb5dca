// SPDX-License-Identifier: MIT OR Apache-2.0
//! What one instruction does to what is known, and where it leads.

use super::state::{State, Subtracted, left, stack};
use super::value::{Half, Value, depth};
use super::walk::{RETURN_ADDRESS, Walk, Walks};
use crate::Why;
use crate::follow::Target;
use lichen_isa::RegisterSet;
use lichen_isa::avr8::Effect;

/// The bit of SREG that unmasks interrupts.
const I: u8 = 0x80;

impl Walks<'_> {
    /// One instruction: what is known behind it.
    pub(crate) fn step(&mut self, walk: &mut Walk, at: u32, mut state: State) -> Result<(), Why> {
        let (effect, bytes) = self.text.avr(at).ok_or(Why::NoCode)?;
        let next = at + bytes;
        let subtracted = state.subtracted.take();
        if state.mixed {
            return Err(Why::Unbounded);
        }
        if self.main_call == Some(at) {
            if state.in_kernel {
                return Ok(());
            }
            state.in_kernel = true;
        }
        match effect {
            Effect::Changes(registers) => {
                state.forget(registers);
                state.forget_saved();
            }
            Effect::Constant { rd, value } => state.set(rd, Value::byte(value)),
            Effect::Copy { rd, rr } => state.set(rd, *state.read(rr)),
            Effect::CopyPair { rd, rr } => {
                state.registers.copy_pair(rd, rr);
            }
            Effect::AddPair { rd, addend } => add(&mut state, rd, addend),
            Effect::Subtract { rd, value, with_carry } => {
                subtract(&mut state, rd, value, subtracted.filter(|_| with_carry), with_carry);
            }
            Effect::SubtractRegister { rd, rr } => match state.read(rr).single() {
                Some(value) => subtract(&mut state, rd, value, subtracted, true),
                None => state.set(rd, Value::Unknown),
            },
            Effect::ReadStackPointer { rd, high } => {
                state.set(rd, Value::Stack(Half { depth: state.depth, high }));
            }
            Effect::WriteStackPointer { rr, high } => {
                return self.write_stack_pointer(walk, next, state, rr, high);
            }
            Effect::ReadStatus(rd) => state.set(rd, Value::Status { masked: state.masked }),
            Effect::WriteStatus(rr) => state.masked = masks(state.read(rr)),
            Effect::Push(rr) => state.push(*state.read(rr)),
            Effect::Pop(rd) => {
                let value = state.pop();
                state.set(rd, value);
            }
            Effect::Branch(to) => {
                self.branch(walk, at, to, state);
                return Ok(());
            }
            Effect::BranchIf(to) => self.branch(walk, at, to, state.clone()),
            Effect::Jump => {
                self.jump(walk, at, state);
                return Ok(());
            }
            // Two bytes of stack in one instruction.
            Effect::Call(to) if to == next => {
                (0..RETURN_ADDRESS).for_each(|_| state.push(Value::Unknown))
            }
            Effect::Call(0) => state.returned(RegisterSet::NONE),
            Effect::Call(to) => {
                let callee = self.body(&self.called(&state, to));
                if !callee.returns {
                    return Ok(());
                }
                state.masked &= !callee.unmasks;
                state.returned(self.text.avr_spared_by(to));
            }
            Effect::CallPointer => {
                state.masked = state.masked && !self.unmasks(at, &state);
                state.returned(RegisterSet::NONE);
            }
            Effect::Return => {
                self.return_from(walk, at, state);
                return Ok(());
            }
            Effect::ReturnFromInterrupt => {
                state.masked = false;
                self.return_from(walk, at, state);
                return Ok(());
            }
            Effect::Mask(masked) => state.masked = masked,
            Effect::Stop => return Err(Why::NoCode),
        }
        walk.go(next, state);
        Ok(())
    }

    /// Goes on at a label, or in another function in place of this one.
    fn branch(&mut self, walk: &mut Walk, at: u32, to: u32, state: State) {
        if self.kernel == Some(to) {
            // What it does there is counted once, above the deepest one that enters.
            self.enters = self.enters.max(state.depth);
        } else if self.is_table_jump(to) {
            walk.jumps.insert(at);
        } else if to != 0 {
            walk.go(to, state);
        }
    }

    /// A jump by Z: to functions that are known, or to what is found out when all else was followed.
    fn jump(&mut self, walk: &mut Walk, at: u32, state: State) {
        // It has popped its return address, as setjmp does.
        if state.depth <= 0 && state.left.is_none() {
            walk.leave(&state);
            return;
        }
        match self.known(&state) {
            Some(targets) => targets.into_iter().for_each(|to| walk.go(to, state.clone())),
            None => {
                walk.jumps.insert(at);
                walk.leave(&State { masked: false, ..state });
            }
        }
    }

    /// To where the function was called from, or to what it has pushed itself: a function that is known, or
    /// a label.
    fn return_from(&mut self, walk: &mut Walk, at: u32, mut state: State) {
        // Nobody has called what begins at the top of the kernel's stack.
        let own = if state.left.is_some() { 0 } else { RETURN_ADDRESS };
        if state.depth <= own {
            walk.leave(&state);
            return;
        }
        let (high, low) = (state.pop().single(), state.pop().single());
        let address =
            high.zip(low).map(|(high, low)| 2 * u32::from(u16::from_be_bytes([high, low])));
        match address.filter(|to| self.text.is_code(*to)) {
            Some(to) => walk.go(to, state),
            None => {
                walk.jumps.insert(at);
            }
        }
    }

    /// The stack pointer is another one once both halves are written.
    fn write_stack_pointer(
        &mut self,
        walk: &mut Walk,
        next: u32,
        mut state: State,
        register: u8,
        high: bool,
    ) -> Result<(), Why> {
        let value = *state.read(register);
        match state.written.take() {
            Some((was_high, other)) if was_high != high => {
                let (low, high) = if high { (other, value) } else { (value, other) };
                self.set_stack_pointer(walk, next, state, &low, &high)
            }
            _ => {
                state.written = Some((high, value));
                walk.go(next, state);
                Ok(())
            }
        }
    }

    fn set_stack_pointer(
        &mut self,
        walk: &mut Walk,
        next: u32,
        mut state: State,
        low: &Value,
        high: &Value,
    ) -> Result<(), Why> {
        if let Some(depth) = depth(stack(low), stack(high)) {
            state.depth = depth;
            state.saved.retain(|at, _| *at <= depth);
            walk.go(next, state);
        } else if let Some(depth) = depth(left(low), left(high)) {
            state.go_back(depth);
            walk.go(next, state);
        } else if let (Some(low), Some(high)) = (low.single(), high.single()) {
            if self.top == Some(u16::from_be_bytes([high, low])) {
                state.begin_anew(next);
                walk.go(next, state);
            }
        } else if !self.text.is_of_port(next - 2) && self.text.name(next) != "longjmp" {
            return Err(Why::Unbounded);
        }
        // What is left are stacks of threads, and functions that called this one.
        Ok(())
    }

    /// Whether what a call by Z leads to may unmask interrupts.
    fn unmasks(&mut self, at: u32, state: &State) -> bool {
        let targets = self.targets(at, state).unwrap_or_default();
        targets.into_iter().any(|target| match target {
            Target::Function(entry) => self.body(&entry).unmasks,
            Target::Service => true,
        })
    }
}

fn add(state: &mut State, rd: u8, addend: i16) {
    if let Some(depth) = state.points_to(rd) {
        state.point_to(rd, depth - i32::from(addend));
    } else if let Some(word) = state.word(rd) {
        state.set_word(rd, word.wrapping_add_signed(addend));
    } else {
        state.forget(RegisterSet::of(rd).with(RegisterSet::of(rd + 1)));
    }
}

/// SUBI, or SBCI, which ends what SUBI has begun with the lower half.
fn subtract(state: &mut State, rd: u8, value: u8, begun: Option<Subtracted>, with_carry: bool) {
    let from = *state.read(rd);
    let low = begun.filter(|begun| begun.register + 1 == rd);
    state.set(rd, Value::Unknown);
    match low {
        Some(low) => {
            let subtrahend = u16::from_be_bytes([value, low.value]);
            if let Some(depth) = depth(stack(&low.from), stack(&from)) {
                state.point_to(low.register, depth + i32::from(subtrahend as i16));
            } else if let (Some(lower), Some(upper)) = (low.from.single(), from.single()) {
                let word = u16::from_be_bytes([upper, lower]).wrapping_sub(subtrahend);
                state.set_word(low.register, word);
            }
        }
        None if !with_carry => {
            if let Some(byte) = from.single() {
                state.set(rd, Value::byte(byte.wrapping_sub(value)));
            }
            state.subtracted = Some(Subtracted { register: rd, from, value });
        }
        None => {}
    }
}

/// Whether SREG masks interrupts with this value.
fn masks(value: &Value) -> bool {
    match value {
        Value::Status { masked } => *masked,
        Value::Bytes(bytes) => bytes.iter().all(|byte| byte & I == 0),
        _ => false,
    }
}
