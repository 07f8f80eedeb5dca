// SPDX-License-Identifier: MIT OR Apache-2.0
//! Executes instructions: the one path for running, stepping and tests.
//!
//! [`Core::execute`] goes from instruction to instruction while the cycle is below the core's
//! horizon. It checks nothing else: whatever must be noticed lowers the horizon. Instructions that
//! need more than registers, flags and memory leave the loop with an [`Exit`].

use super::core::Core;
use super::flow::{Exit, Flow};
use super::op::{Op, Reg, Z};
use super::timing::{CALL, CALL_NEAR, JUMP, LOAD_PROGRAM, MULTIPLY, SIMPLE, WORD};
use super::{Bus, Memory};

impl Core {
    /// Runs up to the horizon, or until something cannot be done here.
    pub(super) fn execute<B: Bus>(&mut self, memory: &mut Memory, bus: &mut B) -> Exit {
        let mut flow = self.flow();
        let exit = loop {
            if flow.cycle >= self.horizon.0 {
                break Exit::Horizon;
            }
            let op = memory.op(flow.pc);
            if let Err(exit) = self.perform(op, &mut flow, memory, bus) {
                break exit;
            }
            flow.executed += 1;
        };
        self.take_over(flow);
        exit
    }

    /// Executes `op` as the next instruction, whatever is in flash.
    #[cold]
    #[inline(never)]
    pub(super) fn execute_one<B: Bus>(&mut self, memory: &mut Memory, bus: &mut B, op: Op) -> Exit {
        let mut flow = self.flow();
        let done = self.perform(op, &mut flow, memory, bus);
        flow.executed += u64::from(done.is_ok());
        self.take_over(flow);
        done.err().unwrap_or(Exit::Horizon)
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

    #[inline(always)]
    fn r(&self, register: Reg) -> u8 {
        self.registers[(register & 31) as usize]
    }

    #[inline(always)]
    fn set(&mut self, register: Reg, value: u8) {
        self.registers[(register & 31) as usize] = value;
    }

    /// A pair of registers, by the number of its lower half.
    #[inline(always)]
    pub(super) fn pair(&self, lower: Reg) -> u16 {
        u16::from_le_bytes([self.r(lower & 30), self.r(lower & 30 | 1)])
    }

    #[inline(always)]
    fn set_pair(&mut self, lower: Reg, value: u16) {
        let [low, high] = value.to_le_bytes();
        self.set(lower & 30, low);
        self.set(lower & 30 | 1, high);
    }

    /// A product goes to r1:r0.
    #[inline(always)]
    fn multiply(&mut self, flow: &mut Flow, product: i32, fractional: bool) {
        let result = flow.flags.product(product as u16, fractional);
        self.set_pair(0, result);
        flow.next_after(MULTIPLY);
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
        let unsigned = |value: u8| i32::from(value);
        let signed = |value: u8| i32::from(value as i8);
        match op {
            Op::Add { rd, rr } => {
                let result = flow.flags.add(self.r(rd), self.r(rr));
                self.set(rd, result);
                flow.next();
            }
            Op::Adc { rd, rr } => {
                let result = flow.flags.add_carry(self.r(rd), self.r(rr));
                self.set(rd, result);
                flow.next();
            }
            Op::Sub { rd, rr } => {
                let result = flow.flags.sub(self.r(rd), self.r(rr));
                self.set(rd, result);
                flow.next();
            }
            Op::Sbc { rd, rr } => {
                let result = flow.flags.sub_carry(self.r(rd), self.r(rr));
                self.set(rd, result);
                flow.next();
            }
            Op::And { rd, rr } => {
                let result = flow.flags.logical(self.r(rd) & self.r(rr));
                self.set(rd, result);
                flow.next();
            }
            Op::Or { rd, rr } => {
                let result = flow.flags.logical(self.r(rd) | self.r(rr));
                self.set(rd, result);
                flow.next();
            }
            Op::Eor { rd, rr } => {
                let result = flow.flags.logical(self.r(rd) ^ self.r(rr));
                self.set(rd, result);
                flow.next();
            }
            Op::Cp { rd, rr } => {
                flow.flags.sub(self.r(rd), self.r(rr));
                flow.next();
            }
            Op::Cpc { rd, rr } => {
                flow.flags.sub_carry(self.r(rd), self.r(rr));
                flow.next();
            }
            Op::Mov { rd, rr } => {
                self.set(rd, self.r(rr));
                flow.next();
            }
            Op::Movw { rd, rr } => {
                self.set_pair(rd, self.pair(rr));
                flow.next();
            }
            Op::Mul { rd, rr } => {
                let product = unsigned(self.r(rd)) * unsigned(self.r(rr));
                self.multiply(flow, product, false);
            }
            Op::Muls { rd, rr } => {
                let product = signed(self.r(rd)) * signed(self.r(rr));
                self.multiply(flow, product, false);
            }
            Op::Mulsu { rd, rr } => {
                let product = signed(self.r(rd)) * unsigned(self.r(rr));
                self.multiply(flow, product, false);
            }
            Op::Fmul { rd, rr } => {
                let product = unsigned(self.r(rd)) * unsigned(self.r(rr));
                self.multiply(flow, product, true);
            }
            Op::Fmuls { rd, rr } => {
                let product = signed(self.r(rd)) * signed(self.r(rr));
                self.multiply(flow, product, true);
            }
            Op::Fmulsu { rd, rr } => {
                let product = signed(self.r(rd)) * unsigned(self.r(rr));
                self.multiply(flow, product, true);
            }

            Op::Subi { rd, imm } => {
                let result = flow.flags.sub(self.r(rd), imm);
                self.set(rd, result);
                flow.next();
            }
            Op::Sbci { rd, imm } => {
                let result = flow.flags.sub_carry(self.r(rd), imm);
                self.set(rd, result);
                flow.next();
            }
            Op::Andi { rd, imm } => {
                let result = flow.flags.logical(self.r(rd) & imm);
                self.set(rd, result);
                flow.next();
            }
            Op::Ori { rd, imm } => {
                let result = flow.flags.logical(self.r(rd) | imm);
                self.set(rd, result);
                flow.next();
            }
            Op::Cpi { rd, imm } => {
                flow.flags.sub(self.r(rd), imm);
                flow.next();
            }
            Op::Ldi { rd, imm } => {
                self.set(rd, imm);
                flow.next();
            }
            Op::Adiw { rd, imm } => {
                let result = flow.flags.add_word(self.pair(rd), imm);
                self.set_pair(rd, result);
                flow.next_after(WORD);
            }
            Op::Sbiw { rd, imm } => {
                let result = flow.flags.sub_word(self.pair(rd), imm);
                self.set_pair(rd, result);
                flow.next_after(WORD);
            }

            Op::Com { rd } => {
                let result = flow.flags.complement(self.r(rd));
                self.set(rd, result);
                flow.next();
            }
            Op::Neg { rd } => {
                let result = flow.flags.sub(0, self.r(rd));
                self.set(rd, result);
                flow.next();
            }
            Op::Swap { rd } => {
                self.set(rd, self.r(rd).rotate_left(4));
                flow.next();
            }
            Op::Inc { rd } => {
                let result = flow.flags.increment(self.r(rd));
                self.set(rd, result);
                flow.next();
            }
            Op::Dec { rd } => {
                let result = flow.flags.decrement(self.r(rd));
                self.set(rd, result);
                flow.next();
            }
            Op::Asr { rd } => {
                let result = flow.flags.shift_right(self.r(rd), self.r(rd));
                self.set(rd, result);
                flow.next();
            }
            Op::Lsr { rd } => {
                let result = flow.flags.shift_right(self.r(rd), 0);
                self.set(rd, result);
                flow.next();
            }
            Op::Ror { rd } => {
                let top = flow.flags.carry_on_top();
                let result = flow.flags.shift_right(self.r(rd), top);
                self.set(rd, result);
                flow.next();
            }

            Op::Bset { mask } => {
                flow.flags.set(mask, true);
                flow.next();
            }
            Op::Bclr { mask } => {
                flow.flags.set(mask, false);
                flow.next();
            }
            Op::Sei => {
                if !flow.flags.i {
                    self.permit_interrupts_after(flow);
                }
                flow.flags.i = true;
                flow.next();
            }
            Op::Cli => {
                flow.flags.i = false;
                flow.next();
            }
            Op::Bst { rd, mask } => {
                flow.flags.t = self.r(rd) & mask != 0;
                flow.next();
            }
            Op::Bld { rd, mask } => {
                let bit = if flow.flags.t { mask } else { 0 };
                self.set(rd, self.r(rd) & !mask | bit);
                flow.next();
            }

            Op::Brcs { offset } => flow.branch_if(flow.flags.c(), offset),
            Op::Brcc { offset } => flow.branch_if(!flow.flags.c(), offset),
            Op::Breq { offset } => flow.branch_if(flow.flags.z(), offset),
            Op::Brne { offset } => flow.branch_if(!flow.flags.z(), offset),
            Op::Brmi { offset } => flow.branch_if(flow.flags.n(), offset),
            Op::Brpl { offset } => flow.branch_if(!flow.flags.n(), offset),
            Op::Brvs { offset } => flow.branch_if(flow.flags.v(), offset),
            Op::Brvc { offset } => flow.branch_if(!flow.flags.v(), offset),
            Op::Brlt { offset } => flow.branch_if(flow.flags.s(), offset),
            Op::Brge { offset } => flow.branch_if(!flow.flags.s(), offset),
            Op::Brhs { offset } => flow.branch_if(flow.flags.h(), offset),
            Op::Brhc { offset } => flow.branch_if(!flow.flags.h(), offset),
            Op::Brts { offset } => flow.branch_if(flow.flags.t, offset),
            Op::Brtc { offset } => flow.branch_if(!flow.flags.t, offset),
            Op::Brie { offset } => flow.branch_if(flow.flags.i, offset),
            Op::Brid { offset } => flow.branch_if(!flow.flags.i, offset),

            Op::Cpse { rd, rr, words } => flow.skip_if(self.r(rd) == self.r(rr), words),
            Op::Sbrc { rr, mask, words } => flow.skip_if(self.r(rr) & mask == 0, words),
            Op::Sbrs { rr, mask, words } => flow.skip_if(self.r(rr) & mask != 0, words),
            Op::Sbic { address, mask, words } => {
                let set = self.test_bit(flow, memory, bus, address, mask);
                flow.skip_if(!set, words);
            }
            Op::Sbis { address, mask, words } => {
                let set = self.test_bit(flow, memory, bus, address, mask);
                flow.skip_if(set, words);
            }

            Op::Rjmp { offset } => flow.branch(offset),
            Op::Jmp { to } => flow.jump(to, JUMP),
            Op::Ijmp => flow.jump(self.pair(Z), SIMPLE + 1),
            Op::Rcall { offset } => {
                let to = flow.pc.wrapping_add(1).wrapping_add_signed(offset.into());
                self.call(flow, memory, bus, (to, 1, CALL_NEAR));
            }
            Op::Icall => {
                let to = self.pair(Z).into();
                self.call(flow, memory, bus, (to, 1, CALL_NEAR));
            }
            Op::Call { to } => self.call(flow, memory, bus, (to.into(), 2, CALL)),
            Op::Ret => self.ret(flow, memory, bus),

            Op::In { rd, address } => {
                let value = self.input(flow, memory, bus, address);
                self.set(rd, value);
            }
            Op::Out { rr, address } => {
                let value = self.r(rr);
                self.output(flow, memory, bus, address, value);
            }
            Op::InSreg { rd } => {
                self.set(rd, flow.flags.into());
                flow.next();
            }
            Op::OutSreg { rr } => {
                self.write_sreg(flow, self.r(rr));
                flow.next();
            }
            Op::Sbi { address, mask } => {
                self.change_bit(flow, memory, bus, address, |value| value | mask);
            }
            Op::Cbi { address, mask } => {
                self.change_bit(flow, memory, bus, address, |value| value & !mask);
            }

            Op::Lds { rd, address } => {
                let value = self.load(flow, memory, bus, address);
                self.set(rd, value);
                flow.pc = flow.pc.wrapping_add(1);
            }
            Op::Sts { rr, address } => {
                self.store(flow, memory, bus, address, self.r(rr));
                flow.pc = flow.pc.wrapping_add(1);
            }
            Op::Ldd { rd, pointer, q } => {
                let address = self.pair(pointer).wrapping_add(q.into());
                let value = self.load(flow, memory, bus, address);
                self.set(rd, value);
            }
            Op::Std { rr, pointer, q } => {
                let address = self.pair(pointer).wrapping_add(q.into());
                self.store(flow, memory, bus, address, self.r(rr));
            }
            Op::LdInc { rd, pointer } => {
                let address = self.pair(pointer);
                self.set_pair(pointer, address.wrapping_add(1));
                let value = self.load(flow, memory, bus, address);
                self.set(rd, value);
            }
            Op::StInc { rr, pointer } => {
                let (address, value) = (self.pair(pointer), self.r(rr));
                self.set_pair(pointer, address.wrapping_add(1));
                self.store(flow, memory, bus, address, value);
            }
            Op::LdDec { rd, pointer } => {
                let address = self.pair(pointer).wrapping_sub(1);
                self.set_pair(pointer, address);
                let value = self.load(flow, memory, bus, address);
                self.set(rd, value);
            }
            Op::StDec { rr, pointer } => {
                let (address, value) = (self.pair(pointer).wrapping_sub(1), self.r(rr));
                self.set_pair(pointer, address);
                self.store(flow, memory, bus, address, value);
            }
            Op::Push { rr } => self.push(flow, memory, bus, self.r(rr)),
            Op::Pop { rd } => {
                let value = self.pop(flow, memory, bus);
                self.set(rd, value);
            }

            Op::Lpm { rd, increment } => {
                let address = self.pair(Z);
                let value = bus.load_program(memory, flow.origin(0), address.into());
                if increment {
                    self.set_pair(Z, address.wrapping_add(1));
                }
                self.set(rd, value);
                flow.next_after(LOAD_PROGRAM);
            }
            Op::Elpm { rd, increment } => {
                let address = u32::from(self.rampz) << 16 | u32::from(self.pair(Z));
                let value = bus.load_program(memory, flow.origin(0), address);
                if increment {
                    let address = address + 1;
                    self.set_pair(Z, address as u16);
                    self.set_rampz((address >> 16) as u8);
                }
                self.set(rd, value);
                flow.next_after(LOAD_PROGRAM);
            }

            Op::Nop | Op::Break => flow.next(),
            Op::Reti | Op::Sleep | Op::Wdr | Op::Spm => return Err(Exit::System(op)),
            Op::Undecoded => return Err(Exit::NotDecoded),
            Op::Breakpoint => return Err(Exit::Breakpoint),
            Op::Undefined => return Err(Exit::Undefined),
        }
        Ok(())
    }
}
