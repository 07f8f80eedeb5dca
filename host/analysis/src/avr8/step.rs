// SPDX-License-Identifier: MIT OR Apache-2.0
//! What one instruction does to what is known, and where it leads.

use super::evaluate::Leads;
use super::state::{State, left, stack};
use super::value::{Value, Word, depth};
use super::walk::{RETURN_ADDRESS, Walk, Walks};
use crate::Why;
use crate::follow::Target;
use lichen_isa::RegisterSet;

impl Walks<'_> {
    /// One instruction: what is known behind it.
    pub(crate) fn step(&mut self, walk: &mut Walk, at: u32, mut state: State) -> Result<(), Why> {
        let before = state.depth;
        let (leads, next) = state.evaluate(self.text, at).ok_or(Why::NoCode)?;
        if state.mixed {
            return Err(Why::Unbounded);
        }
        if self.main_call == Some(at) {
            if state.in_kernel {
                return Ok(());
            }
            state.in_kernel = true;
        }
        match leads {
            Leads::Next => {}
            Leads::StackPointer { high, value } => {
                return self.write_stack_pointer(walk, next, state, high, value);
            }
            Leads::Branch(to) => {
                self.branch(walk, at, to, state);
                return Ok(());
            }
            Leads::BranchIf(to, taken) => {
                if taken != Some(false) {
                    self.branch(walk, at, to, state.clone());
                } else {
                    walk.passed_by.insert(to);
                }
                if taken == Some(true) {
                    walk.passed_by.insert(next);
                    return Ok(());
                }
            }
            Leads::Jump => {
                self.jump(walk, at, state);
                return Ok(());
            }
            // Two bytes of stack in one instruction.
            Leads::Call(to) if to == next => {}
            Leads::Call(to) => {
                state.lower_to(before);
                if to == 0 {
                    state.returned(RegisterSet::NONE);
                } else {
                    let callee = self.body(&self.called(&state, to));
                    if !callee.returns {
                        return Ok(());
                    }
                    state.masked &= !callee.unmasks;
                    state.returned(self.text.avr_spared_by(to));
                }
            }
            Leads::CallPointer => {
                state.lower_to(before);
                state.masked = state.masked && !self.unmasks(at, &state);
                state.returned(RegisterSet::NONE);
            }
            Leads::Return(to) => {
                self.return_from(walk, at, state, before, to);
                return Ok(());
            }
            Leads::Stop => return Err(Why::NoCode),
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
    fn return_from(&mut self, walk: &mut Walk, at: u32, state: State, before: i32, to: Word) {
        // Nobody has called what begins at the top of the kernel's stack.
        let own = if state.left.is_some() { 0 } else { RETURN_ADDRESS };
        if before <= own {
            walk.leave(&state);
            return;
        }
        let address = to.single().map(|word| 2 * u32::from(word));
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
        high: bool,
        value: Value,
    ) -> Result<(), Why> {
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
            state.lower_to(depth);
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
            Target::Service | Target::Loaded(_) => true,
        })
    }
}
