// SPDX-License-Identifier: MIT OR Apache-2.0
//! Executes instructions: the one path for running, stepping and tests.
//!
//! [`Core::execute`] goes from instruction to instruction while the cycle is below the core's
//! horizon. It checks nothing else: whatever must be noticed lowers the horizon. Instructions that
//! need more than registers, flags and memory leave the loop with an [`Exit`].

use super::core::{Core, LR, PC, SP};
use super::fault::{Abort, FaultKind};
use super::flow::{Exit, Flow};
use super::op::{Op, Reg};
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
        let exit = loop {
            if flow.cycle >= self.horizon.0 {
                break Exit::Horizon;
            }
            if !flow.window.covers(flow.pc) {
                flow.fetch(memory, flow.pc);
                continue;
            }
            let Some(op) = memory.op(flow.pc) else {
                break Exit::NotDecoded;
            };
            if let Err(exit) = self.perform(op, &mut flow, memory, bus) {
                break exit;
            }
            flow.executed += 1;
        };
        memory.lines.window = flow.window;
        self.pc = flow.pc;
        self.cycle.0 = flow.cycle;
        self.flags = flow.flags;
        self.instructions += flow.executed;
        exit
    }

    #[inline(always)]
    pub(super) fn r(&self, register: Reg) -> u32 {
        self.registers[(register & 15) as usize]
    }

    #[inline(always)]
    pub(super) fn set(&mut self, register: Reg, value: u32) {
        self.registers[(register & 15) as usize] = value;
    }

    /// Executes one instruction. One `match` over all of them, however long: splitting it would
    /// dispatch twice.
    #[inline(always)]
    fn perform<B: Bus>(
        &mut self,
        op: Op,
        flow: &mut Flow,
        memory: &mut Memory,
        bus: &mut B,
    ) -> Result<(), Exit> {
        match op {
            Op::LslImm { rd, rm, n } => {
                let result = flow.flags.lsl(self.r(rm), u32::from(n));
                self.set(rd, result);
                flow.next();
            }
            Op::LsrImm { rd, rm, n } => {
                let result = flow.flags.lsr(self.r(rm), u32::from(n));
                self.set(rd, result);
                flow.next();
            }
            Op::AsrImm { rd, rm, n } => {
                let result = flow.flags.asr(self.r(rm), u32::from(n));
                self.set(rd, result);
                flow.next();
            }
            Op::AddReg { rd, rn, rm } => {
                let result = flow.flags.add(self.r(rn), self.r(rm));
                self.set(rd, result);
                flow.next();
            }
            Op::SubReg { rd, rn, rm } => {
                let result = flow.flags.sub(self.r(rn), self.r(rm));
                self.set(rd, result);
                flow.next();
            }
            Op::AddImm { rd, rn, imm } => {
                let result = flow.flags.add(self.r(rn), u32::from(imm));
                self.set(rd, result);
                flow.next();
            }
            Op::SubImm { rd, rn, imm } => {
                let result = flow.flags.sub(self.r(rn), u32::from(imm));
                self.set(rd, result);
                flow.next();
            }
            Op::MovImm { rd, imm } => {
                let result = flow.flags.logical(u32::from(imm));
                self.set(rd, result);
                flow.next();
            }
            Op::CmpImm { rn, imm } => {
                flow.flags.sub(self.r(rn), u32::from(imm));
                flow.next();
            }

            Op::And { rd, rm } => {
                let result = flow.flags.logical(self.r(rd) & self.r(rm));
                self.set(rd, result);
                flow.next();
            }
            Op::Eor { rd, rm } => {
                let result = flow.flags.logical(self.r(rd) ^ self.r(rm));
                self.set(rd, result);
                flow.next();
            }
            Op::LslReg { rd, rm } => {
                let result = flow.flags.lsl(self.r(rd), self.r(rm) & 0xFF);
                self.set(rd, result);
                flow.next();
            }
            Op::LsrReg { rd, rm } => {
                let result = flow.flags.lsr(self.r(rd), self.r(rm) & 0xFF);
                self.set(rd, result);
                flow.next();
            }
            Op::AsrReg { rd, rm } => {
                let result = flow.flags.asr(self.r(rd), self.r(rm) & 0xFF);
                self.set(rd, result);
                flow.next();
            }
            Op::Adc { rd, rm } => {
                let result = flow.flags.add_carry(self.r(rd), self.r(rm));
                self.set(rd, result);
                flow.next();
            }
            Op::Sbc { rd, rm } => {
                let result = flow.flags.add_carry(self.r(rd), !self.r(rm));
                self.set(rd, result);
                flow.next();
            }
            Op::Ror { rd, rm } => {
                let result = flow.flags.ror(self.r(rd), self.r(rm) & 0xFF);
                self.set(rd, result);
                flow.next();
            }
            Op::Tst { rn, rm } => {
                flow.flags.logical(self.r(rn) & self.r(rm));
                flow.next();
            }
            Op::Rsb { rd, rn } => {
                let result = flow.flags.sub(0, self.r(rn));
                self.set(rd, result);
                flow.next();
            }
            Op::Cmp { rn, rm } => {
                flow.flags.sub(self.r(rn), self.r(rm));
                flow.next();
            }
            Op::Cmn { rn, rm } => {
                flow.flags.add(self.r(rn), self.r(rm));
                flow.next();
            }
            Op::Orr { rd, rm } => {
                let result = flow.flags.logical(self.r(rd) | self.r(rm));
                self.set(rd, result);
                flow.next();
            }
            Op::Mul { rd, rm } => {
                let result = flow.flags.logical(self.r(rd).wrapping_mul(self.r(rm)));
                self.set(rd, result);
                flow.next();
            }
            Op::Bic { rd, rm } => {
                let result = flow.flags.logical(self.r(rd) & !self.r(rm));
                self.set(rd, result);
                flow.next();
            }
            Op::Mvn { rd, rm } => {
                let result = flow.flags.logical(!self.r(rm));
                self.set(rd, result);
                flow.next();
            }

            Op::AddHigh { rd, rm } => {
                self.set(rd, self.r(rd).wrapping_add(self.r(rm)));
                flow.next();
            }
            Op::MovHigh { rd, rm } => {
                self.set(rd, self.r(rm));
                flow.next();
            }
            Op::AddAny { rd, rm } => {
                self.registers[PC] = flow.pc_operand();
                self.move_any(flow, memory, rd, self.r(rd).wrapping_add(self.r(rm)));
            }
            Op::MovAny { rd, rm } => {
                self.registers[PC] = flow.pc_operand();
                self.move_any(flow, memory, rd, self.r(rm));
            }
            Op::CmpAny { rn, rm } => {
                self.registers[PC] = flow.pc_operand();
                flow.flags.sub(self.r(rn), self.r(rm));
                flow.next();
            }
            Op::Bx { rm } => {
                self.registers[PC] = flow.pc_operand();
                self.branch_exchange(flow, memory, self.r(rm))?;
            }
            Op::Blx { rm } => {
                let target = self.r(rm);
                self.link_before_call = self.registers[LR];
                self.registers[LR] = flow.pc.wrapping_add(2) | 1;
                self.jump(flow, memory, target);
            }

            Op::LdrLit { rt, words } => {
                let address = (flow.pc_operand() & !3).wrapping_add(u32::from(words) << 2);
                let value = self.load_literal(flow, memory, bus, address)?;
                self.set(rt, value);
            }
            Op::LdrReg { rt, rn, rm } => {
                let address = self.r(rn).wrapping_add(self.r(rm));
                let value = self.load::<B, 4>(flow, memory, bus, address)?;
                self.set(rt, value);
            }
            Op::LdrhReg { rt, rn, rm } => {
                let address = self.r(rn).wrapping_add(self.r(rm));
                let value = self.load::<B, 2>(flow, memory, bus, address)?;
                self.set(rt, value);
            }
            Op::LdrbReg { rt, rn, rm } => {
                let address = self.r(rn).wrapping_add(self.r(rm));
                let value = self.load::<B, 1>(flow, memory, bus, address)?;
                self.set(rt, value);
            }
            Op::LdrshReg { rt, rn, rm } => {
                let address = self.r(rn).wrapping_add(self.r(rm));
                let value = self.load::<B, 2>(flow, memory, bus, address)?;
                self.set(rt, value as i16 as u32);
            }
            Op::LdrsbReg { rt, rn, rm } => {
                let address = self.r(rn).wrapping_add(self.r(rm));
                let value = self.load::<B, 1>(flow, memory, bus, address)?;
                self.set(rt, value as i8 as u32);
            }
            Op::StrReg { rt, rn, rm } => {
                let address = self.r(rn).wrapping_add(self.r(rm));
                self.store::<B, 4>(flow, memory, bus, address, self.r(rt))?;
            }
            Op::StrhReg { rt, rn, rm } => {
                let address = self.r(rn).wrapping_add(self.r(rm));
                self.store::<B, 2>(flow, memory, bus, address, self.r(rt))?;
            }
            Op::StrbReg { rt, rn, rm } => {
                let address = self.r(rn).wrapping_add(self.r(rm));
                self.store::<B, 1>(flow, memory, bus, address, self.r(rt))?;
            }
            Op::LdrImm { rt, rn, offset } => {
                let address = self.r(rn).wrapping_add(u32::from(offset));
                let value = self.load::<B, 4>(flow, memory, bus, address)?;
                self.set(rt, value);
            }
            Op::LdrhImm { rt, rn, offset } => {
                let address = self.r(rn).wrapping_add(u32::from(offset));
                let value = self.load::<B, 2>(flow, memory, bus, address)?;
                self.set(rt, value);
            }
            Op::LdrbImm { rt, rn, offset } => {
                let address = self.r(rn).wrapping_add(u32::from(offset));
                let value = self.load::<B, 1>(flow, memory, bus, address)?;
                self.set(rt, value);
            }
            Op::StrImm { rt, rn, offset } => {
                let address = self.r(rn).wrapping_add(u32::from(offset));
                self.store::<B, 4>(flow, memory, bus, address, self.r(rt))?;
            }
            Op::StrhImm { rt, rn, offset } => {
                let address = self.r(rn).wrapping_add(u32::from(offset));
                self.store::<B, 2>(flow, memory, bus, address, self.r(rt))?;
            }
            Op::StrbImm { rt, rn, offset } => {
                let address = self.r(rn).wrapping_add(u32::from(offset));
                self.store::<B, 1>(flow, memory, bus, address, self.r(rt))?;
            }
            Op::LdrSp { rt, offset } => {
                let address = self.registers[SP].wrapping_add(u32::from(offset));
                let value = self.load::<B, 4>(flow, memory, bus, address)?;
                self.set(rt, value);
            }
            Op::StrSp { rt, offset } => {
                let address = self.registers[SP].wrapping_add(u32::from(offset));
                self.store::<B, 4>(flow, memory, bus, address, self.r(rt))?;
            }

            Op::Adr { rd, words } => {
                let base = flow.pc_operand() & !3;
                self.set(rd, base.wrapping_add(u32::from(words) << 2));
                flow.next();
            }
            Op::AddRdSp { rd, offset } => {
                self.set(rd, self.registers[SP].wrapping_add(u32::from(offset)));
                flow.next();
            }
            Op::AdjustSp { offset } => {
                let sp = self.registers[SP].wrapping_add_signed(i32::from(offset));
                self.check_lowered_sp(flow.pc, sp);
                self.registers[SP] = sp;
                flow.next();
            }
            Op::Sxth { rd, rm } => {
                self.set(rd, self.r(rm) as i16 as u32);
                flow.next();
            }
            Op::Sxtb { rd, rm } => {
                self.set(rd, self.r(rm) as i8 as u32);
                flow.next();
            }
            Op::Uxth { rd, rm } => {
                self.set(rd, self.r(rm) & 0xFFFF);
                flow.next();
            }
            Op::Uxtb { rd, rm } => {
                self.set(rd, self.r(rm) & 0xFF);
                flow.next();
            }
            Op::Rev { rd, rm } => {
                self.set(rd, self.r(rm).swap_bytes());
                flow.next();
            }
            Op::Rev16 { rd, rm } => {
                self.set(rd, self.r(rm).swap_bytes().rotate_left(16));
                flow.next();
            }
            Op::Revsh { rd, rm } => {
                self.set(rd, (self.r(rm) as u16).swap_bytes() as i16 as u32);
                flow.next();
            }

            Op::Push { list, lr } => self.push(flow, memory, bus, list, lr)?,
            Op::Pop { list } => self.pop(flow, memory, bus, list)?,
            Op::PopPc { list } => self.pop_pc(flow, memory, bus, list)?,
            Op::Stm { rn, list } => self.store_multiple(flow, memory, bus, rn, list)?,
            Op::Ldm { rn, list } => self.load_multiple(flow, memory, bus, rn, list)?,

            Op::BCond { condition, offset } => {
                if flow.flags.hold(condition) {
                    flow.branch(memory, i32::from(offset) << 1);
                } else {
                    flow.next();
                }
            }
            Op::B { offset } => flow.branch(memory, i32::from(offset) << 1),
            Op::Bl { high, low } => {
                self.link_before_call = self.registers[LR];
                self.registers[LR] = flow.pc_operand() | 1;
                let halfwords = i32::from(high) << 16 | i32::from(low);
                flow.branch_link(memory, halfwords << 1);
            }

            Op::Nop => flow.next(),
            Op::System(system) => return Err(Exit::System(system)),
            Op::Undefined => return Err(Abort::of(FaultKind::Undefined).into()),
            Op::Undecoded => return Err(Exit::NotDecoded),
            Op::Breakpoint => return Err(Exit::Breakpoint),
        }
        Ok(())
    }
}
