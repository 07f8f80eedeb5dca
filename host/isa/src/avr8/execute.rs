// SPDX-License-Identifier: MIT OR Apache-2.0
//! Executes instructions: the one path for running, stepping and tests.
//!
//! [`Core::execute`] goes from instruction to instruction while the cycle is below the core's
//! horizon. It checks nothing else: whatever must be noticed lowers the horizon. Instructions that
//! need more than registers, flags and memory leave the loop with an [`Exit`].

use super::alu::{Alu, FlagAccess, Product, WordAlu};
use super::core::Core;
use super::flow::{Exit, Flow};
use super::op::{Op, Reg};
use super::semantics::{Halt, Machine, SystemOp, execute, perform_system};
use super::{Bus, Memory};
use crate::Reply;

impl Core {
    /// Runs up to the horizon, or until something cannot be done here.
    pub(super) fn execute<B: Bus>(&mut self, memory: &mut Memory, bus: &mut B) -> Exit {
        let mut flow = self.flow();
        let exit = Running { core: self, flow: &mut flow, memory, bus }.until_exit();
        self.take_over(flow);
        exit
    }

    /// Executes `op` as the next instruction, whatever is in flash.
    #[cold]
    #[inline(never)]
    pub(super) fn execute_one<B: Bus>(&mut self, memory: &mut Memory, bus: &mut B, op: Op) -> Exit {
        let mut flow = self.flow();
        let done = execute(op, &mut Running { core: self, flow: &mut flow, memory, bus });
        flow.executed += u64::from(done.is_ok());
        self.take_over(flow);
        done.err().unwrap_or(Exit::Horizon)
    }

    /// Executes an instruction that the fast path does not handle.
    pub(super) fn system<B: Bus>(&mut self, memory: &mut Memory, bus: &mut B, op: SystemOp) {
        let mut flow = self.flow();
        perform_system(op, &mut Running { core: self, flow: &mut flow, memory, bus });
        flow.executed += 1;
        self.take_over(flow);
        if op != SystemOp::Return {
            self.listen(bus, self.flags.i);
        }
    }

    pub(super) fn flow(&self) -> Flow {
        Flow { pc: self.pc, cycle: self.cycle.0, flags: self.flags, executed: 0 }
    }

    fn take_over(&mut self, flow: Flow) {
        self.pc = flow.pc & 0xFFFF;
        self.cycle.0 = flow.cycle;
        self.flags = flow.flags;
        self.instructions += flow.executed;
    }
}

/// The core while it executes: a [`Machine`] whose values are numbers.
struct Running<'a, B> {
    core: &'a mut Core,
    flow: &'a mut Flow,
    memory: &'a mut Memory,
    bus: &'a mut B,
}

impl<B: Bus> Running<'_, B> {
    #[inline(always)]
    fn until_exit(&mut self) -> Exit {
        loop {
            if self.flow.cycle >= self.core.horizon.0 {
                return Exit::Horizon;
            }
            let op = self.memory.op(self.flow.pc);
            if let Err(exit) = execute(op, self) {
                return exit;
            }
            self.flow.executed += 1;
        }
    }
}

// All inline: the loop is one function, and has its flow in host registers.
impl<B: Bus> Machine for Running<'_, B> {
    type Byte = u8;
    type Word = u16;
    type Exit = Exit;

    #[inline(always)]
    fn byte(&mut self, value: u8) -> u8 {
        value
    }

    #[inline(always)]
    fn word(&mut self, value: u16) -> u16 {
        value
    }

    #[inline(always)]
    fn read(&mut self, register: Reg) -> u8 {
        self.core.registers[(register & 31) as usize]
    }

    #[inline(always)]
    fn write(&mut self, register: Reg, value: u8) {
        self.core.registers[(register & 31) as usize] = value;
    }

    #[inline(always)]
    fn read_pair(&mut self, lower: Reg) -> u16 {
        u16::from_le_bytes([self.read(lower & 30), self.read(lower & 30 | 1)])
    }

    #[inline(always)]
    fn write_pair(&mut self, lower: Reg, value: u16) {
        let [low, high] = value.to_le_bytes();
        self.write(lower & 30, low);
        self.write(lower & 30 | 1, high);
    }

    #[inline(always)]
    fn sp(&mut self) -> u16 {
        self.core.sp
    }

    #[inline(always)]
    fn set_sp(&mut self, value: u16) {
        self.core.sp = value;
    }

    #[inline(always)]
    fn lowers_stack(&mut self, to: u16) {
        self.core.check_lowered_sp(self.flow.origin(0), to);
    }

    #[inline(always)]
    fn rampz(&mut self) -> u8 {
        self.core.rampz
    }

    #[inline(always)]
    fn set_rampz(&mut self, value: u8) {
        self.core.set_rampz(value);
    }

    #[inline(always)]
    fn next_far(&mut self, rampz: u8, z: u16) -> (u8, u16) {
        let next = far(rampz, z) + 1;
        ((next >> 16) as u8, next as u16)
    }

    #[inline(always)]
    fn status(&mut self) -> u8 {
        self.flow.flags.into()
    }

    #[inline(always)]
    fn set_status(&mut self, value: u8) {
        self.core.write_sreg(self.flow, value);
    }

    #[inline(always)]
    fn set_flag(&mut self, flag: u8, on: bool) {
        self.flow.flags.set(flag, on);
    }

    #[inline(always)]
    fn unmasks(&mut self) {
        if !self.flow.flags.i {
            self.core.permit_interrupts_after(self.flow);
        }
    }

    #[inline(always)]
    fn compute(&mut self, operation: Alu, a: u8, b: u8) -> u8 {
        operation.apply(&mut self.flow.flags, a, b)
    }

    #[inline(always)]
    fn compute_word(&mut self, operation: WordAlu, a: u16, b: u16) -> u16 {
        operation.apply(&mut self.flow.flags, a, b)
    }

    #[inline(always)]
    fn multiply(&mut self, product: Product, a: u8, b: u8) -> u16 {
        product.apply(&mut self.flow.flags, a, b)
    }

    #[inline(always)]
    fn load(&mut self, address: u16) -> u8 {
        self.core.load(self.flow, self.memory, self.bus, address)
    }

    #[inline(always)]
    fn store(&mut self, address: u16, value: u8) {
        self.core.store(self.flow, self.memory, self.bus, address, value);
    }

    #[inline(always)]
    fn input(&mut self, address: u8) -> u8 {
        self.core.input(self.flow, self.memory, self.bus, address)
    }

    #[inline(always)]
    fn output(&mut self, address: u8, value: u8) {
        self.core.output(self.flow, self.memory, self.bus, address, value);
    }

    #[inline(always)]
    fn change(&mut self, address: u8, operation: Alu, mask: u8) {
        let mut flags = self.flow.flags;
        let change = |value| operation.apply(&mut flags, value, mask);
        self.core.change_bit(self.flow, self.memory, self.bus, address, change);
    }

    #[inline(always)]
    fn store_pushed(&mut self, address: u16, value: u8) {
        self.core.store_pushed(self.flow, self.memory, self.bus, address, value);
    }

    #[inline(always)]
    fn store_return(&mut self, address: u16, to: u32) {
        let (origin, flags) = (self.flow.origin(0), self.flow.flags);
        let to = to as u16;
        let stored = self.core.store_return(self.memory, self.bus, origin, flags, address, to);
        self.flow.cycle += stored.0;
        self.flow.flags = stored.1;
    }

    #[inline(always)]
    fn load_return(&mut self, address: u16) -> u16 {
        let (to, stall) = self.core.load_return(self.memory, self.bus, self.flow, address);
        self.flow.cycle += stall;
        to
    }

    #[inline(always)]
    fn load_program(&mut self, address: u16) -> u8 {
        self.bus.load_program(self.memory, self.flow.origin(0), address.into())
    }

    #[inline(always)]
    fn load_far(&mut self, rampz: u8, z: u16) -> u8 {
        self.bus.load_program(self.memory, self.flow.origin(0), far(rampz, z))
    }

    #[inline(always)]
    fn away(&mut self, words: i32) -> u32 {
        self.flow.pc.wrapping_add_signed(words)
    }

    #[inline(always)]
    fn next(&mut self, words: u8, cycles: u64) {
        self.flow.next(words, cycles);
    }

    #[inline(always)]
    fn branch(&mut self, to: u32, cycles: u64) {
        self.flow.jump(to, cycles);
    }

    #[inline(always)]
    fn branch_if(&mut self, flag: u8, set: bool, offset: i8, taken: u64, next: u64) {
        if self.flow.flags.get(flag) == set {
            let to = self.away(1 + i32::from(offset));
            self.flow.jump(to, taken);
        } else {
            self.flow.next(1, next);
        }
    }

    #[inline(always)]
    fn skip_if_equal(&mut self, rd: Reg, rr: Reg, words: u8, cycles: u64) {
        let equal = self.read(rd) == self.read(rr);
        self.flow.skip_if(equal, words, cycles);
    }

    #[inline(always)]
    fn skip_if(&mut self, value: u8, mask: u8, set: bool, words: u8, cycles: u64) {
        self.flow.skip_if((value & mask != 0) == set, words, cycles);
    }

    #[inline(always)]
    fn jump(&mut self, to: u16, cycles: u64) {
        self.flow.jump(to.into(), cycles);
    }

    #[inline(always)]
    fn call(&mut self, to: u32, cycles: u64) {
        self.flow.jump(to & 0xFFFF, cycles);
    }

    #[inline(always)]
    fn call_word(&mut self, to: u16, cycles: u64) {
        self.flow.jump(to.into(), cycles);
    }

    #[inline(always)]
    fn ret(&mut self, to: u16, cycles: u64) {
        self.flow.jump(to.into(), cycles);
        if !self.core.handlers.is_empty() {
            self.core.end_handlers();
        }
    }

    /// One more instruction is executed before the next interrupt is taken.
    #[inline(always)]
    fn ret_from_interrupt(&mut self, to: u16, cycles: u64) {
        self.flow.jump(to.into(), cycles);
        self.core.interruptible_from = self.core.instructions + self.flow.executed + 2;
        self.core.leave_handler();
    }

    #[inline(always)]
    fn sleep(&mut self, cycles: u64) {
        self.core.asleep = self.bus.sleep(self.flow.origin(0));
        self.flow.next(1, cycles);
    }

    #[inline(always)]
    fn reset_watchdog(&mut self, cycles: u64) {
        self.bus.watchdog_reset(self.flow.origin(0));
        self.flow.next(1, cycles);
    }

    #[inline(always)]
    fn program(&mut self, rampz: u8, z: u16, value: u16, cycles: u64) {
        let (origin, address) = (self.flow.origin(0), far(rampz, z));
        let Reply { stall, .. } = self.bus.store_program(self.memory, origin, address, value);
        self.core.stalled += u64::from(stall);
        self.flow.next(1, cycles + u64::from(stall));
    }

    #[inline(always)]
    fn system(&mut self, op: SystemOp) -> Result<(), Exit> {
        Err(Exit::System(op))
    }

    #[inline(always)]
    fn halt(&mut self, why: Halt) -> Result<(), Exit> {
        Err(match why {
            Halt::Undefined => Exit::Undefined,
            Halt::Undecoded => Exit::NotDecoded,
            Halt::Breakpoint => Exit::Breakpoint,
        })
    }
}

/// An address of flash.
#[inline(always)]
fn far(rampz: u8, z: u16) -> u32 {
    u32::from(rampz) << 16 | u32::from(z)
}
