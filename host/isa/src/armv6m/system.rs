// SPDX-License-Identifier: MIT OR Apache-2.0
//! Special registers, and the instructions that change what runs next or how.

use super::core::{Core, Halt, SP};
use super::exceptions::SV_CALL;
use super::fault::{Abort, FaultKind};
use super::flags::Flags;
use super::op::SystemOp;
use super::semantics::{Processor, perform_system};
use super::special::{
    CONTROL, CONTROL_NPRIV, CONTROL_SPSEL, MSP, PRIMASK, PSP, has_exception, has_flags,
};

const XPSR_T: u32 = 1 << 24;

impl Core {
    /// Executes an instruction that the fast path does not handle.
    pub(super) fn system(&mut self, op: SystemOp) {
        perform_system(op, self);
    }

    /// SVC: its exception is entered at once, or the call is a fault.
    fn supervisor_call(&mut self) {
        if (self.nvic.priority(SV_CALL) as i8) < self.execution_priority() {
            self.complete(2, 0);
            self.pend(1 << SV_CALL);
        } else {
            // The call has been made nevertheless: HardFault returns after it, and a kernel that
            // serves the call there (NuttX) relies on that.
            self.fault(Abort::of(FaultKind::SupervisorCall));
            if !self.locked_up() {
                self.complete(2, 0);
            }
        }
    }

    /// Whether code may access system state: handlers always may.
    pub(super) fn privileged(&self) -> bool {
        self.exception != 0 || !self.unprivileged
    }

    pub(super) fn xpsr(&self) -> u32 {
        let thumb = if self.thumb { XPSR_T } else { 0 };
        self.flags.bits() | thumb | self.exception
    }

    pub(super) fn control(&self) -> u32 {
        let npriv = if self.unprivileged { CONTROL_NPRIV } else { 0 };
        let spsel = if self.process_stack { CONTROL_SPSEL } else { 0 };
        npriv | spsel
    }

    /// Writes CONTROL; handlers stay on the main stack.
    pub(super) fn set_control(&mut self, value: u32) {
        if self.options.unprivileged {
            self.unprivileged = value & CONTROL_NPRIV != 0;
        }
        if self.exception == 0 {
            self.select_stack(value & CONTROL_SPSEL != 0);
        }
    }

    /// Makes R13 the process or the main stack pointer.
    pub(super) fn select_stack(&mut self, process: bool) {
        if process != self.process_stack {
            std::mem::swap(&mut self.registers[SP], &mut self.other_sp);
            std::mem::swap(&mut self.guard, &mut self.other_guard);
            self.process_stack = process;
        }
    }

    pub(super) fn main_sp(&self) -> u32 {
        if self.process_stack { self.other_sp } else { self.registers[SP] }
    }

    pub(super) fn process_sp(&self) -> u32 {
        if self.process_stack { self.registers[SP] } else { self.other_sp }
    }

    pub(super) fn set_main_sp(&mut self, value: u32) {
        self.set_stack_pointer(!self.process_stack, value & !3);
    }

    pub(super) fn set_process_sp(&mut self, value: u32) {
        self.set_stack_pointer(self.process_stack, value & !3);
    }

    /// Sets the pointer that is in use, or the other one.
    fn set_stack_pointer(&mut self, in_use: bool, value: u32) {
        let (sp, guard) = if in_use {
            (&mut self.registers[SP], &mut self.guard)
        } else {
            (&mut self.other_sp, &mut self.other_guard)
        };
        *sp = value;
        guard.go_to(value);
    }
}

impl Processor for Core {
    type Word = u32;

    fn general(&mut self, register: u8) -> u32 {
        self.registers[usize::from(register)]
    }

    fn set_general(&mut self, register: u8, value: u32) {
        self.registers[usize::from(register)] = value;
    }

    fn special(&mut self, number: u8) -> u32 {
        match number {
            // EPSR reads as zero.
            _ if has_flags(number) || has_exception(number) => {
                let ipsr = if has_exception(number) { self.exception } else { 0 };
                let apsr = if has_flags(number) { self.flags.bits() } else { 0 };
                apsr | ipsr
            }
            CONTROL => self.control(),
            _ if !self.privileged() => 0,
            MSP => self.main_sp(),
            PSP => self.process_sp(),
            PRIMASK => u32::from(self.primask),
            _ => 0,
        }
    }

    fn set_special(&mut self, number: u8, value: u32) {
        match number {
            _ if has_flags(number) => self.flags = Flags::from_bits(value),
            _ if !self.privileged() => {}
            MSP => self.set_main_sp(value),
            PSP => self.set_process_sp(value),
            PRIMASK => self.primask = value & 1 != 0,
            CONTROL => self.set_control(value),
            _ => {}
        }
    }

    fn mask(&mut self, masked: bool) {
        if self.privileged() {
            self.primask = masked;
        }
    }

    fn event(&mut self) {
        self.event = true;
    }

    fn wait(&mut self, for_event: bool, cycles: u64) {
        self.complete(2, cycles);
        if !for_event {
            self.halt = Some(Halt::Interrupt);
        } else if !std::mem::take(&mut self.event) {
            self.halt = Some(Halt::Event);
        }
    }

    fn service(&mut self) {
        self.supervisor_call();
    }

    fn breakpoint(&mut self) {
        self.fault(Abort::of(FaultKind::Breakpoint));
    }

    fn complete(&mut self, bytes: u32, cycles: u64) {
        self.pc = self.pc.wrapping_add(bytes);
        self.cycle += cycles;
        self.instructions += 1;
    }
}
