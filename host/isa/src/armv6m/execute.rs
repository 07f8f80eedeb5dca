// SPDX-License-Identifier: MIT OR Apache-2.0
//! Executes instructions: the one path for running, stepping and tests.
//!
//! [`Core::execute`] goes from instruction to instruction while the cycle is below the core's
//! horizon. It checks nothing else: whatever must be noticed lowers the horizon. Instructions that
//! need more than registers, flags and memory leave the loop with an [`Exit`].

use super::alu::Alu;
use super::core::{Core, LR, PC};
use super::fault::{Abort, FaultKind};
use super::flow::{Exit, Flow};
use super::op::{Condition, Reg, SystemOp};
use super::semantics::{self, Halt, Jump, Machine};
use super::{Bus, Memory};

impl Core {
    /// Runs up to the horizon, or until something cannot be done here.
    pub(super) fn execute<B: Bus>(&mut self, memory: &mut Memory, bus: &mut B) -> Exit {
        let mut flow = Flow {
            pc: self.pc,
            cycle: self.cycle.0,
            flags: self.flags,
            window: memory.lines.window,
            executed: 0,
        };
        let exit = Running { core: self, flow: &mut flow, memory, bus }.until_exit();
        memory.lines.window = flow.window;
        self.pc = flow.pc;
        self.cycle.0 = flow.cycle;
        self.flags = flow.flags;
        self.instructions += flow.executed;
        exit
    }
}

/// The core while it executes: a [`Machine`] whose words are numbers.
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
            if !self.flow.window.covers(self.flow.pc) {
                self.flow.fetch(self.memory, self.flow.pc);
                continue;
            }
            let Some(op) = self.memory.op(self.flow.pc) else {
                return Exit::NotDecoded;
            };
            if let Err(exit) = semantics::execute(op, self) {
                return exit;
            }
            self.flow.executed += 1;
        }
    }
}

// All inline: the loop is one function, and has its flow in host registers.
impl<B: Bus> Machine for Running<'_, B> {
    type Word = u32;
    type Exit = Exit;

    #[inline(always)]
    fn constant(&mut self, value: u32) -> u32 {
        value
    }

    #[inline(always)]
    fn read(&mut self, register: Reg) -> u32 {
        self.core.registers[(register & 15) as usize]
    }

    #[inline(always)]
    fn write(&mut self, register: Reg, value: u32) {
        self.core.registers[(register & 15) as usize] = value;
    }

    #[inline(always)]
    fn pc(&mut self) -> u32 {
        self.flow.pc_operand()
    }

    // Without a branch.
    #[inline(always)]
    fn operand(&mut self, register: Reg) -> u32 {
        self.core.registers[PC] = self.flow.pc_operand();
        self.read(register)
    }

    #[inline(always)]
    fn compute(&mut self, operation: Alu, a: u32, b: u32) -> u32 {
        operation.apply(&mut self.flow.flags, a, b)
    }

    #[inline(always)]
    fn load<const N: usize>(&mut self, address: u32) -> Result<u32, Exit> {
        Ok(self.core.load::<B, N>(self.flow, self.memory, self.bus, address)?)
    }

    #[inline(always)]
    fn load_literal(&mut self, address: u32) -> Result<u32, Exit> {
        Ok(self.core.load_literal(self.flow, self.memory, self.bus, address)?)
    }

    #[inline(always)]
    fn store<const N: usize>(&mut self, address: u32, value: u32) -> Result<(), Exit> {
        Ok(self.core.store::<B, N>(self.flow, self.memory, self.bus, address, value)?)
    }

    #[inline(always)]
    fn load_words(&mut self, address: u32, to: &mut [u32]) -> Result<(), Exit> {
        self.core.load_list(self.flow, self.memory, self.bus, address, to)
    }

    #[inline(always)]
    fn store_words(&mut self, address: u32, words: &[u32]) -> Result<(), Exit> {
        self.core.store_list(self.flow, self.memory, self.bus, address, words)
    }

    #[inline(always)]
    fn lowers_stack(&mut self, to: u32) {
        self.core.check_lowered_sp(self.flow.pc, to);
    }

    #[inline(always)]
    fn moved_stack(&mut self) {
        self.core.check_written_sp(self.flow.pc);
    }

    #[inline(always)]
    fn spend(&mut self, cycles: u64) {
        self.flow.cycle += cycles;
    }

    #[inline(always)]
    fn next(&mut self, cycles: u64) {
        self.flow.next(cycles);
    }

    #[inline(always)]
    fn branch(&mut self, offset: i32, cycles: u64) {
        self.flow.branch(self.memory, offset, cycles);
    }

    #[inline(always)]
    fn branch_if(&mut self, condition: Condition, offset: i32, taken: u64, next: u64) {
        if condition.holds(&mut self.flow.flags) {
            self.flow.branch(self.memory, offset, taken);
        } else {
            self.flow.next(next);
        }
    }

    #[inline(always)]
    fn link(&mut self, bytes: u32) {
        self.core.link_before_call = self.core.registers[LR];
        self.core.registers[LR] = self.flow.pc.wrapping_add(bytes) | 1;
    }

    #[inline(always)]
    fn branch_link(&mut self, offset: i32, cycles: u64) {
        self.flow.branch_link(self.memory, offset, cycles);
    }

    #[inline(always)]
    fn jump(&mut self, how: Jump, to: u32, cycles: u64) -> Result<(), Exit> {
        self.core.jump(self.flow, self.memory, how, to, cycles)
    }

    #[inline(always)]
    fn system(&mut self, op: SystemOp) -> Result<(), Exit> {
        Err(Exit::System(op))
    }

    #[inline(always)]
    fn halt(&mut self, why: Halt) -> Result<(), Exit> {
        Err(match why {
            Halt::Undefined => Abort::of(FaultKind::Undefined).into(),
            Halt::Undecoded => Exit::NotDecoded,
            Halt::Breakpoint => Exit::Breakpoint,
        })
    }
}
