// SPDX-License-Identifier: MIT OR Apache-2.0
//! The kernel's port to AVR (os/arch/avr8).
//!
//! A thread that does not run waits in a call of the kernel, made by the thread itself or by the
//! interrupt that has interrupted it. On top of its own stack it has the address of the code that continues
//! it, and what this code restores (switch.S).

use super::{Context, Places, Port};
use crate::{Registers, record};
use lichen_chip::Chip;
use lichen_isa::avr8::{ARCHITECTURE, DATA_BASE, PC, SP, SREG};

/// Numbers of the port's symbols.
const INTERRUPT: usize = 0;
const CALL: usize = 1;
const LEVEL: usize = 2;
const WAIT: usize = 3;
const BEGINS: usize = 4;
const ENTRIES: usize = 5;
const ENTRIES_END: usize = 6;

/// Registers that calls preserve, from the lowest address on.
const PRESERVED: [usize; 18] = [29, 28, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2];
/// Registers that an interrupt saves of what it interrupts, from the lowest address on, and between two
/// of them the level.
const INTERRUPTED: [usize; 14] = [27, 26, 25, 23, 22, 21, 20, 19, 18, 1, 0, SREG, 31, 30];
const LEVEL_BYTES: u32 = 1;
const ENTERED: [usize; 1] = [24];
/// Registers that a thread has saved that waits in `leave_ready`.
const WAITED: [usize; 2] = [29, 28];
/// Registers with the result of a call.
const CALLED: [usize; 2] = [24, 25];

pub(super) const PORT: Port = Port {
    architecture: &ARCHITECTURE,
    symbols: &[
        "interrupt_of_thread",
        "call_of_thread",
        "arch_level",
        "leave_ready",
        "thread_begins",
        "entries_begin",
        "entries_only_end",
    ],
    stack_unit: 1,
    saved_registers,
    context_of_status,
    is_in_thread,
    switches_quietly: true,
};

/// Above SREG: 0 in a thread, 1 at the kernel level, 2 in a handler, 3 with interrupts off.
fn context_of_status(status: u32) -> Context {
    match status >> 8 {
        0 => Context::Thread,
        1 => Context::Kernel,
        2 => Context::Interrupt(None),
        _ => Context::Masked,
    }
}

/// The kernel level is no exception of the processor: a variable says whether it is entered, or a handler
/// of level 1, once their entries have set it. The core does not know when a handler has ended whose thread
/// has been left for another one; but no thread runs with interrupts off.
fn is_in_thread(chip: &dyn Chip, places: &Places) -> bool {
    let core = chip.core();
    let mut level = [0];
    let read = places.symbol(LEVEL).map(|symbol| chip.peek(symbol.address, &mut level));
    match read {
        Some(Ok(())) if level[0] != 0 => false,
        Some(Ok(())) if !core.masks_interrupts() => {
            core.exception() == 0 || !places.is_between(ENTRIES, ENTRIES_END, core.pc())
        }
        _ => core.exception() == 0,
    }
}

fn saved_registers(chip: &dyn Chip, places: &Places, saved: u32) -> Option<Registers> {
    let mut stack = Stack { chip, next: saved.checked_add(1)? };
    let mut registers: Registers = vec![None; ARCHITECTURE.registers.len()];
    let mut pc = stack.pop_return_address()?;
    // The kernel's own code between thread and switch is not the thread's.
    if places.is_in(INTERRUPT, pc) {
        stack.pop(&PRESERVED, &mut registers)?;
        stack.pop(&INTERRUPTED, &mut registers)?;
        stack.next = stack.next.checked_add(LEVEL_BYTES)?;
        stack.pop(&ENTERED, &mut registers)?;
        pc = stack.pop_return_address()?;
    } else if places.is_in(CALL, pc) {
        stack.pop(&PRESERVED, &mut registers)?;
        stack.pop(&CALLED, &mut registers)?;
        pc = stack.pop_return_address()?;
    } else if places.is_in(WAIT, pc) {
        stack.pop(&WAITED, &mut registers)?;
        pc = stack.pop_return_address()?;
    } else if places.is_in(BEGINS, pc) {
        // It begins with nothing on its stack, and has no caller.
        stack.next = stack.next.checked_add(4)?;
    }
    registers[PC] = Some(pc);
    registers[SP] = Some(stack.next.checked_sub(DATA_BASE + 1)?);
    Some(registers)
}

/// A stack that is popped without changing it.
struct Stack<'a> {
    chip: &'a dyn Chip,
    /// Linear address of the byte on top.
    next: u32,
}

impl Stack<'_> {
    fn pop(&mut self, numbers: &[usize], into: &mut Registers) -> Option<()> {
        for number in numbers {
            into[*number] = Some(self.byte()?);
        }
        Some(())
    }

    /// The address at which a call, or an interrupt, returns.
    fn pop_return_address(&mut self) -> Option<u32> {
        let bytes = [self.byte()?, self.byte()?].map(|byte| byte as u8);
        Some(ARCHITECTURE.code_address(ARCHITECTURE.pointers.return_address.number(&bytes)))
    }

    fn byte(&mut self) -> Option<u32> {
        let byte = record::byte(self.chip, self.next)?;
        self.next = self.next.checked_add(1)?;
        Some(byte.into())
    }
}
