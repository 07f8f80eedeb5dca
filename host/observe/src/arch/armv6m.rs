// SPDX-License-Identifier: MIT OR Apache-2.0
//! The kernel's port to ARMv6-M (os/arch/armv6m/switch.S).
//!
//! A thread that does not run has its registers on its own stack, in one of two forms: where it was
//! interrupted, r8 to r11 and above them the exception frame lie at its stack pointer, and r4 to r7
//! below it. Where it called the kernel (bit 0 of the pointer is set) there is only the frame; the
//! compiler has saved what the thread needs of r4 to r11.

use super::{Calls, Context, Places, Port};
use crate::callers::Frame;
use crate::{Registers, record};
use lichen_chip::Chip;
use lichen_isa::armv6m::special::CONTROL_SPSEL;
use lichen_isa::armv6m::{
    ARCHITECTURE, CONTROL, ExceptionFrame, MSP, PRIMASK, PSP, SP, XPSR, exception_of,
    is_exc_return, stack_of,
};

/// Numbers of the link register and the program counter.
const LINK: usize = 14;
const COUNTER: usize = 15;

/// Bit of the saved stack pointer that distinguishes a call from an interruption.
const CALLED: u32 = 1;

pub(super) const PORT: Port = Port {
    architecture: &ARCHITECTURE,
    symbols: &[],
    stack_unit: 4,
    saved_registers,
    context_of_status,
    is_in_thread: |chip, _| chip.core().exception() == 0,
    body_of_handler: |_, entry| entry,
    calls: Calls {
        pointers: &[SP as u16],
        bits: u32::MAX,
        free: 0,
        return_address: |chip, at| record::word(chip, at),
        here,
        entered,
        interrupted,
        waiting,
    },
    switch: None,
};

/// The kernel runs in exceptions of the processor itself.
fn context_of_status(xpsr: u32) -> Context {
    match exception_of(xpsr) {
        0 => Context::Thread,
        number if number < ARCHITECTURE.first_interrupt => Context::Kernel,
        number => Context::Interrupt(Some(number)),
    }
}

fn here(chip: &dyn Chip) -> Frame {
    let core = chip.core();
    Frame { pc: core.pc(), sp: core.register(usize::from(SP)), link: Some(core.register(LINK)) }
}

/// A call that does not return may come from a function that has not saved its link register, so what that was
/// before the call counts.
fn entered(chip: &dyn Chip) -> Option<Frame> {
    let core = chip.core();
    let pc = core.register(LINK).checked_sub(1)? & !1;
    Some(Frame {
        pc: pc.checked_sub(2)?,
        sp: core.register(usize::from(SP)),
        link: core.link_before_call(),
    })
}

/// At the first instruction of a handler the link register says on which stack its frame is; later it is taken for one
/// that has interrupted a thread.
fn interrupted(chip: &dyn Chip, _places: &Places) -> Option<Frame> {
    let core = chip.core();
    if core.exception() == 0 {
        return None;
    }
    let link = core.register(LINK);
    let stack = if is_exc_return(link) { stack_of(link) } else { PSP };
    let frame = ExceptionFrame::read(core.register(stack), |address| record::word(chip, address))?;
    let value = |wanted: usize| frame.registers().find(|(number, _)| *number == wanted);
    let (sp, _) = frame.after_return();
    Some(Frame { pc: value(COUNTER)?.1, sp, link: value(LINK).map(|(_, value)| value) })
}

fn waiting(registers: &Registers) -> Option<Frame> {
    let (pc, sp) = (registers[COUNTER]?, registers[usize::from(SP)]?);
    Some(Frame { pc, sp, link: registers[LINK] })
}

fn saved_registers(chip: &dyn Chip, _places: &Places, saved: u32) -> Option<Registers> {
    let at = saved & !3;
    let word = |address: u32| record::word(chip, address);
    let mut registers: Registers = vec![None; ARCHITECTURE.registers.len()];
    let mut frame = at;
    if saved & CALLED == 0 {
        for offset in 0..4 {
            registers[4 + offset as usize] = word(at.checked_sub(16)? + offset * 4);
            registers[8 + offset as usize] = word(at + offset * 4);
        }
        frame = at.checked_add(16)?;
    }
    let frame = ExceptionFrame::read(frame, word)?;
    for (number, value) in frame.registers() {
        registers[number] = Some(value);
    }
    let (sp, xpsr) = frame.after_return();
    registers[XPSR] = Some(xpsr);
    registers[usize::from(SP)] = Some(sp);
    registers[PSP] = Some(sp);
    registers[MSP] = Some(chip.core().register(MSP));
    // A switch is an exception, which a masked processor does not take.
    registers[PRIMASK] = Some(0);
    registers[CONTROL] = Some(CONTROL_SPSEL);
    Some(registers)
}
