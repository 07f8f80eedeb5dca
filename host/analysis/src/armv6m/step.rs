// SPDX-License-Identifier: MIT OR Apache-2.0
//! What one instruction does to what is known, and where it leads.

use super::state::State;
use super::value::Value;
use super::walk::{Entry, NUMBERS, Walk, Walks};
use crate::Why;
use crate::follow::Target;
use lichen_isa::armv6m::special::{CONTROL, CONTROL_SPSEL, MSP, PRIMASK};
use lichen_isa::armv6m::{Effect, LR, PC, SP, is_exc_return};

impl Walks<'_> {
    /// One instruction: what is known behind it.
    pub(crate) fn step(&mut self, walk: &mut Walk, at: u32, mut state: State) -> Result<(), Why> {
        let (effect, bytes) = self.text.effect(at).ok_or(Why::NoCode)?;
        let next = at + bytes;
        let equal = state.equal.take();
        match effect {
            Effect::Changes(registers) => {
                state.forget(registers);
                state.forget_saved();
            }
            // What this reads is not followed.
            Effect::ReadSpecial { rd, .. } => {
                state.forget(1 << rd);
                state.forget_saved();
            }
            Effect::ShiftLeft { rd, rm, bits } => {
                let value = state.read(rm).map(|word| Some(word << bits));
                state.set(rd, value);
            }
            Effect::Constant { rd, value } => state.set(rd, Value::word(value)),
            Effect::Invert { rd, rm } => {
                let value = state.read(rm).map(|word| Some(!word));
                state.set(rd, value);
            }
            Effect::Literal { rd, address } => {
                let value = self.text.word(address).map_or(Value::Unknown, Value::word);
                state.set(rd, value);
            }
            Effect::Store { rt, offset } => {
                let value = state.read(rt);
                state.save(state.depth - offset as i32, value);
            }
            Effect::Load { rd, rn: SP, offset } => {
                let value = state.saved.get(&(state.depth - offset as i32)).cloned();
                state.set(rd, value.unwrap_or_default());
            }
            Effect::Load { rd, rn, offset } => {
                let base = state.read(rn);
                // A number is no address: it is of a way that is not taken.
                let read = |base: u32| self.text.constant(base.wrapping_add(offset));
                let value = base.map(|base| read(base).filter(|_| base >= NUMBERS));
                state.set(rd, value);
            }
            Effect::Add { rd, rn, addend } => {
                let value = state.read(rn).plus(addend);
                return self.assign(walk, next, state, rd, value);
            }
            Effect::Sum { rd, rm } => {
                let (a, b) = (state.read(rd), state.read(rm));
                let value = match (a.single(), b.single()) {
                    (_, Some(b)) => a.plus(b as i32),
                    (Some(a), None) => b.plus(a as i32),
                    (None, None) => Value::Unknown,
                };
                return self.assign(walk, next, state, rd, value);
            }
            Effect::Compare { rn, value } => {
                state.equal = state.read(rn).single().map(|word| word == value);
            }
            Effect::Push(registers) => state.push(registers),
            Effect::Pop(registers) => {
                state.pop(registers);
                if registers >> PC & 1 != 0 {
                    return self.jump(walk, at, state, PC, true);
                }
            }
            Effect::Branch(to) => {
                self.note_enabled(at, &state, to);
                walk.go(to, state);
                return Ok(());
            }
            Effect::BranchIf { to, condition } => {
                self.note_enabled(at, &state, to);
                let taken = condition.equality().and_then(|wanted| Some(equal? == wanted));
                if taken != Some(false) {
                    walk.go(to, state.clone());
                } else {
                    walk.passed_by.insert(to);
                }
                if taken == Some(true) {
                    walk.passed_by.insert(next);
                    return Ok(());
                }
            }
            Effect::Jump { rm, exchanges } => return self.jump(walk, at, state, rm, exchanges),
            Effect::Call(to) if self.is_within(at, to) => {
                state.set(LR, Value::word(next | 1));
                walk.go(to, state);
                return Ok(());
            }
            Effect::Call(to) => {
                if let Some(targets) = self.text.switch(at, to) {
                    targets.into_iter().for_each(|to| walk.go(to, state.clone()));
                    return Ok(());
                }
                let callee = self.body(&self.called(&state, to));
                if !callee.returns {
                    return Ok(());
                }
                state.masked &= !callee.unmasks;
                state.returned();
            }
            Effect::CallRegister(register) => {
                state.masked = state.masked && !self.unmasks(at, &state, register);
                state.returned();
            }
            Effect::Service => {
                if self.leave.is_some() && state.registers[3].single().map(|e| e & !1) == self.leave
                {
                    return Ok(());
                }
                // The frame brings back the others; who waits without r4 to r11 has saved what it needs.
                state.forget(1);
            }
            Effect::Mask(masked) => state.masked = masked,
            Effect::Special { special: PRIMASK, .. } => state.masked = false,
            Effect::Special { special: CONTROL, rn } => match state.read(rn).single() {
                // What follows runs on the process stack.
                Some(value) if value & CONTROL_SPSEL != 0 => return Ok(()),
                Some(_) => {}
                None => return Err(Why::Unbounded),
            },
            Effect::Special { special: MSP, .. } => return Err(Why::Unbounded),
            Effect::Special { .. } => {}
            Effect::Stop => return Ok(()),
        }
        walk.go(next, state);
        Ok(())
    }

    /// A register becomes a sum; the stack pointer only one that is known.
    fn assign(
        &mut self,
        walk: &mut Walk,
        next: u32,
        mut state: State,
        rd: u8,
        value: Value,
    ) -> Result<(), Why> {
        if rd != SP {
            state.set(rd, value);
            walk.go(next, state);
            return Ok(());
        }
        match value {
            Value::Stack(depth) => {
                state.depth = depth;
                state.saved.retain(|at, _| *at <= depth);
                walk.go(next, state);
                Ok(())
            }
            // A panic takes the whole stack, and does not come back.
            Value::Words(words) if self.top.is_some_and(|top| *words == [top]) => {
                let begin =
                    Entry { address: next, registers: state.registers, masked: state.masked };
                if !self.anew.contains(&begin) {
                    self.anew.push(begin);
                }
                Ok(())
            }
            // Goes on in a function that called this one: nothing is deeper there.
            _ if self.text.name(next) == "longjmp" => Ok(()),
            _ => Err(Why::Unbounded),
        }
    }

    /// A jump to what a register holds: the function's end or another function in its place if it
    /// `leaves`, or else a label.
    fn jump(
        &mut self,
        walk: &mut Walk,
        at: u32,
        state: State,
        register: u8,
        leaves: bool,
    ) -> Result<(), Why> {
        let value = state.registers[usize::from(register)];
        if value == Value::Return {
            walk.leave(&state);
            return Ok(());
        }
        let targets = match value.known() {
            Some(words) => words.to_vec(),
            None if !leaves => {
                walk.jumps.insert(at);
                Some(self.text.labels(at)).filter(|to| !to.is_empty()).ok_or(Why::Pointer)?
            }
            None if register == LR || register == PC => return Err(Why::Pointer),
            None => self.pointers.at(self.text, at).ok_or(Why::Pointer)?.to_vec(),
        };
        for to in targets {
            if is_exc_return(to) {
                walk.leave(&state);
            } else if to != 0 {
                self.note_enabled(at, &state, to & !1);
                walk.go(to & !1, state.clone());
            }
        }
        Ok(())
    }

    /// Whether what a call through a register leads to may unmask interrupts.
    fn unmasks(&mut self, at: u32, state: &State, register: u8) -> bool {
        let targets = self.targets(at, state, register).unwrap_or_default();
        targets.into_iter().any(|target| match target {
            Target::Function(entry) => self.body(&entry).unmasks,
            Target::Service => true,
        })
    }
}
