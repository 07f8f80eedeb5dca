// SPDX-License-Identifier: MIT OR Apache-2.0
//! The kernel's port to AVR (os/arch/avr8).
//!
//! A thread that does not run waits in a call of the kernel, made by the thread itself or by the
//! interrupt that has interrupted it. On top of its own stack it has the address of the code that continues
//! it, and what this code restores (switch.S).

use super::{Calls, Context, Places, Port};
use crate::callers::{Frame, follows_call};
use crate::{Registers, record};
use lichen_analysis::Text;
use lichen_chip::Chip;
use lichen_image::Image;
use lichen_isa::Flow;
use lichen_isa::avr8::{ARCHITECTURE, DATA_BASE, Op, PC, SP, SREG, decode};

/// Numbers of the port's symbols.
const INTERRUPT: usize = 0;
const CALL: usize = 1;
const LEVEL: usize = 2;
const WAIT: usize = 3;
const BEGINS: usize = 4;
const SWITCH: usize = 5;
const KERNEL_STACK: usize = 6;

/// I in SREG.
const INTERRUPTS_ON: u32 = 0x80;

/// Where the entries of handlers meet.
const MEET: &str = "interrupt_entered";
/// The halves of Z.
const Z: [u8; 2] = [30, 31];

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
        "switch_exit",
        "kernel_stack_top",
    ],
    stack_unit: 1,
    saved_registers,
    context_of_status,
    is_in_thread,
    body_of_handler,
    calls: Calls {
        pointers: &POINTERS,
        bits: 0xFFFF,
        free: 1,
        return_address,
        here,
        entered,
        interrupted,
        waiting,
    },
    switch: Some(SWITCH),
};

/// DWARF numbers of the stack pointer and of Y.
const POINTERS: [u16; 2] = [32, 28];
/// Bytes of a return address.
const RETURN_BYTES: u32 = 2;

/// A return address counts words, and has its upper byte at the lower address.
fn return_address(chip: &dyn Chip, at: u32) -> Option<u32> {
    let mut bytes = [0; RETURN_BYTES as usize];
    chip.peek(at, &mut bytes).ok()?;
    Some(u32::from(u16::from_be_bytes(bytes)) * 2)
}

fn here(chip: &dyn Chip) -> Frame {
    let core = chip.core();
    Frame { pc: core.pc(), sp: ARCHITECTURE.data_address(core.register(SP)), link: None }
}

/// The stack pointer leads to the first free byte.
fn entered(chip: &dyn Chip) -> Option<Frame> {
    returned_from(chip, chip.core().register(SP))
}

fn returned_from(chip: &dyn Chip, sp: u32) -> Option<Frame> {
    let sp = ARCHITECTURE.data_address(sp);
    let returns_to = return_address(chip, sp + 1)?;
    Some(Frame { pc: returns_to.checked_sub(1)?, sp: sp + RETURN_BYTES, link: None })
}

/// A thread that calls the kernel leaves its stack pointer at the top of the kernel's stack, as an interrupt
/// does for the thread, whose stack has something else on top.
fn interrupted(chip: &dyn Chip, places: &Places) -> Option<Frame> {
    if is_in_thread(chip, places) {
        return None;
    }
    let mut sp = [0; RETURN_BYTES as usize];
    chip.peek(places.symbol(KERNEL_STACK)?.address.checked_sub(RETURN_BYTES)?, &mut sp).ok()?;
    let frame = returned_from(chip, u16::from_be_bytes(sp).into())?;
    follows_call(chip, frame.pc + 1).then_some(frame)
}

/// It has called the code that continues it.
fn waiting(registers: &Registers) -> Option<Frame> {
    let sp = ARCHITECTURE.data_address(registers[SP]?);
    Some(Frame { pc: registers[PC]?.checked_sub(1)?, sp, link: None })
}

/// SREG and, above it, `arch_level`: 0 in a thread, 2 in a handler, 1 and 3 at the kernel level.
fn context_of_status(status: u32) -> Context {
    match (status & INTERRUPTS_ON, status >> 8) {
        (0, _) => Context::Masked,
        (_, 0) => Context::Thread,
        (_, 2) => Context::Interrupt(None),
        _ => Context::Kernel,
    }
}

/// The kernel level is no exception of the processor: a variable says whether it is entered.
fn is_in_thread(chip: &dyn Chip, places: &Places) -> bool {
    let mut level = [0];
    let read = places.symbol(LEVEL).map(|symbol| chip.peek(symbol.address, &mut level));
    chip.core().exception() == 0 && (read != Some(Ok(())) || level[0] == 0)
}

/// An entry loads the address of its function to Z, and jumps to where all entries meet (ARCH_ENTRY in
/// arch.h). A task of priority 0 has no other entry.
fn body_of_handler(image: &Image, entry: u32) -> u32 {
    let symbols = image.symbols();
    let body = || {
        let meet = symbols.find(MEET)?.address;
        let size = symbols.find(symbols.place(entry)?.name)?.size;
        let text = Text::of(image);
        let jumps = |at: &u32| text.instruction(*at).map(|it| it.flow) == Some(Flow::Branch(meet));
        let jump = (entry..entry + size).step_by(2).find(jumps)?;
        let loads = jump.checked_sub(2 * Z.len() as u32).filter(|loads| *loads >= entry)?;
        let loaded = |at, to| match decode(text.halfword(at)?, 0).op {
            Op::Ldi { rd, imm } if rd == to => Some(imm),
            _ => None,
        };
        let halves = [loaded(loads, Z[0])?, loaded(loads + 2, Z[1])?];
        Some(ARCHITECTURE.code_address(u16::from_le_bytes(halves).into()))
    };
    body().unwrap_or(entry)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_tells_its_context() {
        let context = |level: u32, sreg| context_of_status(level << 8 | sreg);
        for level in 0..4 {
            assert_eq!(context(level, 0x7F), Context::Masked);
        }
        assert_eq!(context(0, 0x80), Context::Thread);
        assert_eq!(context(1, 0x82), Context::Kernel);
        assert_eq!(context(2, 0x80), Context::Interrupt(None));
        assert_eq!(context(3, 0x80), Context::Kernel, "on the stack of a thread");
    }
}
