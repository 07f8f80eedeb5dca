// SPDX-License-Identifier: MIT OR Apache-2.0
//! Interrupts: ATmega128 data sheet, "Reset and Interrupt Handling"; and which handler is active.

use super::core::{Core, VECTORS};
use super::timing::ENTRY;
use super::{Bus, Memory};
use borsh::{BorshDeserialize, BorshSerialize};

/// Words between two vectors: each is a JMP.
const VECTOR_WORDS: u32 = 2;
/// The program writes both halves of the stack pointer within so many cycles, or it writes only one.
const BOTH_HALVES: u64 = 8;

/// A handler that has not returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
struct Handler {
    vector: u8,
    /// The stack pointer after its return.
    sp: u16,
    /// Where another stack begins to which it has gone over, above the one that it has interrupted.
    moved: Option<u16>,
}

impl Handler {
    /// Whether a stack pointer is below its return address, or on the stack to which it has gone over.
    fn is_on_stack(&self, sp: u16) -> bool {
        self.moved.map_or(self.sp > sp, |begin| sp <= begin)
    }
}

/// The handlers that have not returned, the innermost last. The hardware does not know: nothing but
/// what is reported to tools depends on it.
#[derive(Clone, Debug, Default, BorshSerialize, BorshDeserialize)]
pub(super) struct Handlers {
    active: Vec<Handler>,
    /// Which half of the stack pointer was written last, and when.
    written: Option<(u16, u64)>,
}

impl Handlers {
    /// Vector number of the innermost handler whose return address is on the stack; 0 for none.
    pub(super) fn active(&self, sp: u16) -> u32 {
        let on_stack = |handler: &&Handler| handler.is_on_stack(sp);
        self.active.iter().rev().find(on_stack).map_or(0, |handler| handler.vector.into())
    }

    /// How many have their return address on the stack.
    pub(super) fn count(&self, sp: u16) -> usize {
        self.active.iter().filter(|handler| handler.is_on_stack(sp)).count()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.active.is_empty()
    }

    fn begin(&mut self, vector: u32, sp: u16) {
        if self.active.len() == VECTORS {
            self.active.remove(0);
        }
        self.active.push(Handler { vector: vector as u8, sp, moved: None });
    }

    /// Ends those whose return address is not on the stack any more.
    fn end_above(&mut self, sp: u16) {
        while self.active.last().is_some_and(|handler| !handler.is_on_stack(sp)) {
            self.active.pop();
        }
    }

    /// The program has gone over to another stack, or back, or has made room on the one that it is on.
    /// Above its return address the innermost handler goes on there. What goes above that, too, has
    /// left it for good: threads are switched.
    fn move_to(&mut self, sp: u16) {
        let Some(handler) = self.active.last_mut() else { return };
        match (handler.moved, handler.sp > sp) {
            (_, true) => handler.moved = None,
            (None, false) => handler.moved = Some(sp),
            (Some(begin), false) if sp <= begin => {}
            (Some(_), false) => {
                self.active.pop();
                self.end_above(sp);
            }
        }
    }
}

impl Core {
    /// Whether an interrupt is requested that I lets pass, perhaps only after the next instruction.
    pub(super) fn is_interrupted(&self) -> bool {
        self.lines | self.forced != 0 && self.flags.i
    }

    /// Takes the interrupt with the lowest vector number.
    pub(super) fn take_interrupt<B: Bus>(&mut self, memory: &mut Memory, bus: &mut B) {
        let vector = (self.lines | self.forced).trailing_zeros();
        let origin = self.here();
        self.handlers.begin(vector, self.sp);
        let stall;
        (stall, self.flags) = self.push_word(memory, bus, origin, self.flags, self.pc as u16);
        self.cycle += ENTRY + stall;
        self.pc = self.vector_base.wrapping_add(vector * VECTOR_WORDS) & 0xFFFF;
        self.flags.i = false;
        self.forced &= !(1 << vector);
        self.taken += 1;
        self.entries[vector as usize] += 1;
        self.exception_changed = self.watches_exceptions;
        bus.acknowledge(memory, origin, vector);
        self.set_lines(bus.lines());
    }

    /// RETI has restored the stack pointer.
    pub(super) fn leave_handler(&mut self) {
        if !self.handlers.is_empty() {
            self.handlers.active.pop();
            self.handlers.end_above(self.sp);
            self.note_exception_change();
        }
    }

    /// The program continues another thread ([`Memory::leave_handlers_at`]).
    pub(super) fn leave_all_handlers(&mut self) {
        self.handlers.active.clear();
        self.note_exception_change();
    }

    /// RET has changed the stack pointer.
    #[cold]
    pub(super) fn end_handlers(&mut self) {
        let before = self.handlers.active.len();
        self.handlers.end_above(self.sp);
        if self.handlers.active.len() != before {
            self.note_exception_change();
        }
    }

    /// The program has written a half of the stack pointer. What counts is where it points when both
    /// are written.
    pub(super) fn note_stack_pointer_write(&mut self, address: u16, cycle: u64) {
        if self.handlers.is_empty() {
            return;
        }
        match self.handlers.written.replace((address, cycle)) {
            Some((other, at)) if other != address && cycle - at <= BOTH_HALVES => {
                self.handlers.written = None;
                let before = self.handlers.active(self.sp);
                self.handlers.move_to(self.sp);
                if self.handlers.active(self.sp) != before {
                    self.note_exception_change();
                }
            }
            _ => {}
        }
    }

    fn note_exception_change(&mut self) {
        if self.watches_exceptions {
            self.exception_changed = true;
            self.attend();
        }
    }
}
