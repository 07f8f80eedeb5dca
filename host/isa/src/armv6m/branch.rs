// SPDX-License-Identifier: MIT OR Apache-2.0
//! Writes to the program counter from registers.

use super::Memory;
use super::core::{Core, PC, SP};
use super::flow::{Exit, Flow};
use super::op::Reg;
use super::timing::BRANCH;

impl Core {
    /// MOV and ADD to any register, SP and PC included.
    #[inline(always)]
    pub(super) fn move_any(&mut self, flow: &mut Flow, memory: &Memory, rd: Reg, value: u32) {
        match usize::from(rd) {
            PC => flow.land(memory, value & !1, BRANCH),
            SP => {
                self.registers[SP] = value & !3;
                self.check_written_sp(flow.pc);
                flow.next();
            }
            _ => {
                self.set(rd, value);
                flow.next();
            }
        }
    }

    /// The instruction at `pc` has written the stack pointer.
    #[inline(always)]
    fn check_written_sp(&mut self, pc: u32) {
        let sp = self.registers[SP];
        if !self.guard.contains(sp) {
            self.guard.written(pc, sp);
            self.attend();
        }
    }

    /// BX and POP to PC: EXC_RETURN values end the handler.
    #[inline(always)]
    pub(super) fn branch_exchange(
        &mut self,
        flow: &mut Flow,
        memory: &Memory,
        target: u32,
    ) -> Result<(), Exit> {
        if target >> 28 == 0xF && self.exception != 0 {
            return Err(Exit::Return(target));
        }
        self.jump(flow, memory, target);
        Ok(())
    }

    /// Branches to `target`; an even address has no instruction set.
    #[inline(always)]
    pub(super) fn jump(&mut self, flow: &mut Flow, memory: &Memory, target: u32) {
        flow.land(memory, target & !1, BRANCH);
        if target & 1 == 0 {
            self.thumb = false;
            self.attend();
        }
    }
}
