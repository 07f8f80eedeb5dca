// SPDX-License-Identifier: MIT OR Apache-2.0
//! What one instruction does to what is known, and where it leads.

use super::evaluate::Leads;
use super::state::State;
use super::value::Value;
use super::walk::{Entry, Walk, Walks};
use crate::Why;
use crate::follow::Target;
use lichen_isa::Flow;
use lichen_isa::armv6m::special::{CONTROL, CONTROL_SPSEL, MSP};
use lichen_isa::armv6m::{Jump, is_exc_return};

/// What goes on in a function that called it: the library's, and the system's for events of programs that are loaded
/// (`os/arch/armv6m/guard.S`).
const LEAVES: [&str; 2] = ["longjmp", "guard_leave"];

impl Walks<'_> {
    /// One instruction: what is known behind it.
    pub(crate) fn step(&mut self, walk: &mut Walk, at: u32, mut state: State) -> Result<(), Why> {
        let (leads, next) = state.evaluate(self.text, at).ok_or(Why::NoCode)?;
        match leads {
            Leads::Next => {}
            Leads::Branch(to) => {
                self.note_enabled(at, &state, to);
                walk.go(to, state);
                return Ok(());
            }
            Leads::BranchIf(to, taken) => {
                self.note_enabled(at, &state, to);
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
            Leads::Jump(how, to) => return self.jump(walk, at, state, how, to),
            Leads::Call(to) if self.is_within(at, to) => {
                walk.go(to, state);
                return Ok(());
            }
            Leads::Call(to) => {
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
            Leads::CallValue(to) => {
                state.masked = state.masked && !self.unmasks(at, &state, to);
                state.returned();
            }
            Leads::Service => {
                if self.leave.is_some() && state.registers[3].single().map(|e| e & !1) == self.leave
                {
                    return Ok(());
                }
                // The frame brings back the others; who waits without r4 to r11 has saved what it needs.
                state.forget(1);
            }
            Leads::Special(CONTROL, value) => match value.single() {
                // What follows runs on the process stack.
                Some(value) if value & CONTROL_SPSEL != 0 => return Ok(()),
                Some(_) => {}
                None => return Err(Why::Unbounded),
            },
            Leads::Special(MSP, _) => return Err(Why::Unbounded),
            Leads::Special(..) => {}
            Leads::Stack(value) => return self.leave_stack(next, state, value),
            Leads::Stop => return Ok(()),
        }
        walk.go(next, state);
        Ok(())
    }

    /// The stack pointer becomes what is no place of this stack.
    fn leave_stack(&mut self, next: u32, state: State, value: Value) -> Result<(), Why> {
        match value {
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
            _ if LEAVES.contains(&self.text.name(next).as_str()) => Ok(()),
            _ => Err(Why::Unbounded),
        }
    }

    /// A jump to where a value says: the function's end or another function in its place, or else a label.
    fn jump(
        &mut self,
        walk: &mut Walk,
        at: u32,
        state: State,
        how: Jump,
        value: Value,
    ) -> Result<(), Why> {
        if value == Value::Return {
            walk.leave(&state);
            return Ok(());
        }
        let targets = match value.known() {
            Some(words) => words.to_vec(),
            None if how == Jump::Move => {
                walk.jumps.insert(at);
                Some(self.text.labels(at)).filter(|to| !to.is_empty()).ok_or(Why::Pointer)?
            }
            None if self.text.instruction(at).is_some_and(|it| it.flow == Flow::Return) => {
                return Err(Why::Pointer);
            }
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
    fn unmasks(&mut self, at: u32, state: &State, to: Value) -> bool {
        let targets = self.targets(at, state, to).unwrap_or_default();
        targets.into_iter().any(|target| match target {
            Target::Function(entry) => self.body(&entry).unmasks,
            Target::Service | Target::Loaded(_) => true,
        })
    }
}
