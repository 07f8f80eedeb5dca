// SPDX-License-Identifier: MIT OR Apache-2.0
//! What each instruction does: ARMv6-M Architecture Reference Manual, A6.7.
//!
//! The one place that says so, for any [`Machine`]: the core executes with it, `describe.rs` finds out with it what
//! is read and written, and `lichen-analysis` follows values with it. What arithmetic computes is in `alu.rs`, how
//! long things take in `timing.rs`.

use super::alu::Alu;
use super::decode::decode;
use super::describe::bytes;
use super::op::{Condition, Op, Reg, SystemOp};
use super::timing::{BRANCH, BRANCH_LINK, LOAD_STORE, MULTIPLE, SIMPLE, SPECIAL, WAIT};
use super::{LR, PC, SP};
use crate::Width;

/// How the program counter is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jump {
    /// MOV and ADD: it stays in the instruction set, whatever bit 0 says.
    Move,
    /// BLX: bit 0 says the instruction set.
    Call,
    /// BX and POP: the same, and EXC_RETURN ends a handler.
    Exchange,
}

/// Why an instruction is not executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// It is not an instruction.
    Undefined,
    /// The core has not decoded it.
    Undecoded,
    /// A debugger has a breakpoint there.
    Breakpoint,
}

/// What instructions act on: registers, flags and memory, with values of any kind.
///
/// Each instruction but those of [`Processor`] ends with [`Machine::next`], a branch, a jump, or with what hinders it.
pub trait Machine {
    /// 32 bits.
    type Word: Copy;
    /// Why an instruction is given up before it is complete.
    type Exit;

    /// A constant.
    fn constant(&mut self, value: u32) -> Self::Word;
    /// A register, not the program counter.
    fn read(&mut self, register: u8) -> Self::Word;
    /// Changes a register, not the program counter.
    fn write(&mut self, register: u8, value: Self::Word);
    /// The program counter as instructions read it: their own address and 4.
    fn pc(&mut self) -> Self::Word;
    /// Any register.
    #[inline(always)]
    fn operand(&mut self, register: u8) -> Self::Word {
        if register == PC { self.pc() } else { self.read(register) }
    }
    /// Computes, and sets flags.
    fn compute(&mut self, operation: Alu, a: Self::Word, b: Self::Word) -> Self::Word;

    /// Loads 1, 2 or 4 bytes.
    fn load<const N: usize>(&mut self, address: Self::Word) -> Result<Self::Word, Self::Exit>;
    /// Loads a word that code has beside itself.
    #[inline(always)]
    fn load_literal(&mut self, address: Self::Word) -> Result<Self::Word, Self::Exit> {
        self.load::<4>(address)
    }
    /// Stores 1, 2 or 4 bytes.
    fn store<const N: usize>(
        &mut self,
        address: Self::Word,
        value: Self::Word,
    ) -> Result<(), Self::Exit>;
    /// Loads consecutive words.
    fn load_words(&mut self, address: Self::Word, to: &mut [Self::Word]) -> Result<(), Self::Exit>;
    /// Stores consecutive words.
    fn store_words(&mut self, address: Self::Word, words: &[Self::Word]) -> Result<(), Self::Exit>;
    /// The stack will reach down to here.
    #[inline(always)]
    fn lowers_stack(&mut self, _to: Self::Word) {}
    /// The stack pointer has been set.
    #[inline(always)]
    fn moved_stack(&mut self) {}

    /// The instruction takes these cycles, beyond those with which it ends.
    fn spend(&mut self, cycles: u64);
    /// The instruction ends; the next one, two bytes on, follows.
    fn next(&mut self, cycles: u64);
    /// It ends with a branch to this distance from the program counter as it reads it.
    fn branch(&mut self, offset: i32, cycles: u64);
    /// It ends with the same if a condition holds, or else the next one follows; how long it takes either way.
    fn branch_if(&mut self, condition: Condition, offset: i32, taken: u64, next: u64);
    /// The link register is set for an instruction of so many bytes.
    fn link(&mut self, bytes: u32);
    /// It has 32 bits, and ends with a call.
    fn branch_link(&mut self, offset: i32, cycles: u64);
    /// It ends with a write to the program counter.
    fn jump(&mut self, how: Jump, to: Self::Word, cycles: u64) -> Result<(), Self::Exit>;
    /// It is one for [`Processor`].
    fn system(&mut self, op: SystemOp) -> Result<(), Self::Exit>;
    /// It is not executed.
    fn halt(&mut self, why: Halt) -> Result<(), Self::Exit>;
}

/// What instructions act on that change what runs next or how.
pub trait Processor {
    /// 32 bits.
    type Word: Copy;

    /// A register.
    fn general(&mut self, register: u8) -> Self::Word;
    /// Changes a register.
    fn set_general(&mut self, register: u8, value: Self::Word);
    /// A special register.
    fn special(&mut self, number: u8) -> Self::Word;
    /// Changes a special register.
    fn set_special(&mut self, number: u8, value: Self::Word);
    /// Masks interrupts or unmasks them, if it may.
    fn mask(&mut self, masked: bool);
    /// Sends an event.
    fn event(&mut self);
    /// The instruction ends; waits for an event, or else for an interrupt.
    fn wait(&mut self, for_event: bool, cycles: u64);
    /// Requests an exception, and ends.
    fn service(&mut self);
    /// A breakpoint in the code.
    fn breakpoint(&mut self);
    /// The instruction ends.
    fn complete(&mut self, bytes: u32, cycles: u64);
    /// Waits for accesses.
    fn barrier(&mut self) {}
}

/// Executes the instruction that begins with `first`, and returns its length. `second` is the halfword after it, if
/// there is one.
pub fn perform<M: Machine>(
    first: u16,
    second: Option<u16>,
    machine: &mut M,
) -> Result<u32, M::Exit> {
    execute(decode(first, second), machine)?;
    Ok(bytes(first))
}

/// An operation whose result goes to a register.
#[inline(always)]
fn set<M: Machine>(m: &mut M, rd: Reg, operation: Alu, a: M::Word, b: M::Word) {
    let result = m.compute(operation, a, b);
    m.write(rd, result);
    m.next(SIMPLE);
}

/// The same with two registers.
#[inline(always)]
fn set_both<M: Machine>(m: &mut M, rd: Reg, operation: Alu, rn: Reg, rm: Reg) {
    let (a, b) = (m.read(rn), m.read(rm));
    set(m, rd, operation, a, b);
}

/// The same with a register and a constant.
#[inline(always)]
fn set_with<M: Machine>(m: &mut M, rd: Reg, operation: Alu, rn: Reg, value: u32) {
    let (a, b) = (m.read(rn), m.constant(value));
    set(m, rd, operation, a, b);
}

/// The same with one register.
#[inline(always)]
fn set_one<M: Machine>(m: &mut M, rd: Reg, operation: Alu, rm: Reg) {
    let (a, b) = (m.constant(0), m.read(rm));
    set(m, rd, operation, a, b);
}

/// An operation of which only the flags are wanted.
#[inline(always)]
fn test<M: Machine>(m: &mut M, operation: Alu, a: M::Word, b: M::Word) {
    m.compute(operation, a, b);
    m.next(SIMPLE);
}

#[inline(always)]
fn near<M: Machine>(m: &mut M, base: Reg, offset: u32) -> M::Word {
    let (base, offset) = (m.read(base), m.constant(offset));
    m.compute(Alu::Sum, base, offset)
}

#[inline(always)]
fn indexed<M: Machine>(m: &mut M, base: Reg, index: Reg) -> M::Word {
    let (base, index) = (m.read(base), m.read(index));
    m.compute(Alu::Sum, base, index)
}

/// `words` from the program counter, aligned.
#[inline(always)]
fn beside<M: Machine>(m: &mut M, words: u8) -> M::Word {
    let (pc, aligned) = (m.pc(), m.constant(!3));
    let (base, offset) = (m.compute(Alu::Mask, pc, aligned), m.constant(u32::from(words) << 2));
    m.compute(Alu::Sum, base, offset)
}

#[inline(always)]
fn load<M: Machine, const N: usize>(m: &mut M, rt: Reg, address: M::Word) -> Result<(), M::Exit> {
    let value = m.load::<N>(address)?;
    m.write(rt, value);
    m.next(LOAD_STORE);
    Ok(())
}

/// A load of less than a word that has a sign.
#[inline(always)]
fn load_signed<M: Machine, const N: usize>(
    m: &mut M,
    rt: Reg,
    address: M::Word,
    extend: Alu,
) -> Result<(), M::Exit> {
    let (zero, value) = (m.constant(0), m.load::<N>(address)?);
    let value = m.compute(extend, zero, value);
    m.write(rt, value);
    m.next(LOAD_STORE);
    Ok(())
}

#[inline(always)]
fn store<M: Machine, const N: usize>(m: &mut M, rt: Reg, address: M::Word) -> Result<(), M::Exit> {
    let value = m.read(rt);
    m.store::<N>(address, value)?;
    m.next(LOAD_STORE);
    Ok(())
}

/// Executes one instruction. One `match` over all of them, however long: splitting it would dispatch twice.
#[inline(always)]
pub(super) fn execute<M: Machine>(op: Op, m: &mut M) -> Result<(), M::Exit> {
    match op {
        Op::LslImm { rd, rm, n } => set_with(m, rd, Alu::ShiftLeft, rm, n.into()),
        Op::LsrImm { rd, rm, n } => set_with(m, rd, Alu::ShiftRight, rm, n.into()),
        Op::AsrImm { rd, rm, n } => set_with(m, rd, Alu::ShiftRightSigned, rm, n.into()),
        Op::AddReg { rd, rn, rm } => set_both(m, rd, Alu::Add, rn, rm),
        Op::SubReg { rd, rn, rm } => set_both(m, rd, Alu::Subtract, rn, rm),
        Op::AddImm { rd, rn, imm } => set_with(m, rd, Alu::Add, rn, imm.into()),
        Op::SubImm { rd, rn, imm } => set_with(m, rd, Alu::Subtract, rn, imm.into()),
        Op::MovImm { rd, imm } => {
            let value = m.constant(imm.into());
            set(m, rd, Alu::Move, value, value);
        }
        Op::CmpImm { rn, imm } => {
            let (a, b) = (m.read(rn), m.constant(imm.into()));
            test(m, Alu::Subtract, a, b);
        }

        Op::And { rd, rm } => set_both(m, rd, Alu::And, rd, rm),
        Op::Eor { rd, rm } => set_both(m, rd, Alu::Xor, rd, rm),
        Op::LslReg { rd, rm } => set_both(m, rd, Alu::ShiftLeft, rd, rm),
        Op::LsrReg { rd, rm } => set_both(m, rd, Alu::ShiftRight, rd, rm),
        Op::AsrReg { rd, rm } => set_both(m, rd, Alu::ShiftRightSigned, rd, rm),
        Op::Adc { rd, rm } => set_both(m, rd, Alu::AddCarry, rd, rm),
        Op::Sbc { rd, rm } => set_both(m, rd, Alu::SubtractCarry, rd, rm),
        Op::Ror { rd, rm } => set_both(m, rd, Alu::Rotate, rd, rm),
        Op::Tst { rn, rm } => {
            let (a, b) = (m.read(rn), m.read(rm));
            test(m, Alu::And, a, b);
        }
        Op::Rsb { rd, rn } => {
            let (a, b) = (m.constant(0), m.read(rn));
            set(m, rd, Alu::Subtract, a, b);
        }
        Op::Cmp { rn, rm } => {
            let (a, b) = (m.read(rn), m.read(rm));
            test(m, Alu::Subtract, a, b);
        }
        Op::Cmn { rn, rm } => {
            let (a, b) = (m.read(rn), m.read(rm));
            test(m, Alu::Add, a, b);
        }
        Op::Orr { rd, rm } => set_both(m, rd, Alu::Or, rd, rm),
        Op::Mul { rd, rm } => set_both(m, rd, Alu::Multiply, rd, rm),
        Op::Bic { rd, rm } => set_both(m, rd, Alu::Clear, rd, rm),
        Op::Mvn { rd, rm } => set_one(m, rd, Alu::Not, rm),

        Op::AddHigh { rd, rm } => set_both(m, rd, Alu::Sum, rd, rm),
        Op::MovHigh { rd, rm } => {
            let value = m.read(rm);
            m.write(rd, value);
            m.next(SIMPLE);
        }
        Op::AddAny { rd, rm } => {
            let (a, b) = (m.operand(rd), m.operand(rm));
            let value = m.compute(Alu::Sum, a, b);
            return move_any(m, rd, value);
        }
        Op::MovAny { rd, rm } => {
            let value = m.operand(rm);
            return move_any(m, rd, value);
        }
        Op::CmpAny { rn, rm } => {
            let (a, b) = (m.operand(rn), m.operand(rm));
            test(m, Alu::Subtract, a, b);
        }
        Op::Bx { rm } => {
            let to = m.operand(rm);
            return m.jump(Jump::Exchange, to, BRANCH);
        }
        Op::Blx { rm } => {
            let to = m.read(rm);
            m.link(2);
            return m.jump(Jump::Call, to, BRANCH);
        }

        Op::LdrLit { rt, words } => {
            let address = beside(m, words);
            let value = m.load_literal(address)?;
            m.write(rt, value);
            m.next(LOAD_STORE);
        }
        Op::LdrReg { rt, rn, rm } => {
            let address = indexed(m, rn, rm);
            return load::<M, 4>(m, rt, address);
        }
        Op::LdrhReg { rt, rn, rm } => {
            let address = indexed(m, rn, rm);
            return load::<M, 2>(m, rt, address);
        }
        Op::LdrbReg { rt, rn, rm } => {
            let address = indexed(m, rn, rm);
            return load::<M, 1>(m, rt, address);
        }
        Op::LdrshReg { rt, rn, rm } => {
            let address = indexed(m, rn, rm);
            return load_signed::<M, 2>(m, rt, address, Alu::SignedHalf);
        }
        Op::LdrsbReg { rt, rn, rm } => {
            let address = indexed(m, rn, rm);
            return load_signed::<M, 1>(m, rt, address, Alu::SignedByte);
        }
        Op::StrReg { rt, rn, rm } => {
            let address = indexed(m, rn, rm);
            return store::<M, 4>(m, rt, address);
        }
        Op::StrhReg { rt, rn, rm } => {
            let address = indexed(m, rn, rm);
            return store::<M, 2>(m, rt, address);
        }
        Op::StrbReg { rt, rn, rm } => {
            let address = indexed(m, rn, rm);
            return store::<M, 1>(m, rt, address);
        }
        Op::LdrImm { rt, rn, offset } => {
            let address = near(m, rn, offset.into());
            return load::<M, 4>(m, rt, address);
        }
        Op::LdrhImm { rt, rn, offset } => {
            let address = near(m, rn, offset.into());
            return load::<M, 2>(m, rt, address);
        }
        Op::LdrbImm { rt, rn, offset } => {
            let address = near(m, rn, offset.into());
            return load::<M, 1>(m, rt, address);
        }
        Op::StrImm { rt, rn, offset } => {
            let address = near(m, rn, offset.into());
            return store::<M, 4>(m, rt, address);
        }
        Op::StrhImm { rt, rn, offset } => {
            let address = near(m, rn, offset.into());
            return store::<M, 2>(m, rt, address);
        }
        Op::StrbImm { rt, rn, offset } => {
            let address = near(m, rn, offset.into());
            return store::<M, 1>(m, rt, address);
        }
        Op::LdrSp { rt, offset } => {
            let address = near(m, SP, offset.into());
            return load::<M, 4>(m, rt, address);
        }
        Op::StrSp { rt, offset } => {
            let address = near(m, SP, offset.into());
            return store::<M, 4>(m, rt, address);
        }

        Op::Adr { rd, words } => {
            let address = beside(m, words);
            m.write(rd, address);
            m.next(SIMPLE);
        }
        Op::AddRdSp { rd, offset } => {
            let address = near(m, SP, offset.into());
            m.write(rd, address);
            m.next(SIMPLE);
        }
        Op::AdjustSp { offset } => {
            let sp = near(m, SP, i32::from(offset) as u32);
            m.lowers_stack(sp);
            m.write(SP, sp);
            m.next(SIMPLE);
        }
        Op::Sxth { rd, rm } => set_one(m, rd, Alu::SignedHalf, rm),
        Op::Sxtb { rd, rm } => set_one(m, rd, Alu::SignedByte, rm),
        Op::Uxth { rd, rm } => set_one(m, rd, Alu::Half, rm),
        Op::Uxtb { rd, rm } => set_one(m, rd, Alu::Byte, rm),
        Op::Rev { rd, rm } => set_one(m, rd, Alu::Reverse, rm),
        Op::Rev16 { rd, rm } => set_one(m, rd, Alu::ReverseHalves, rm),
        Op::Revsh { rd, rm } => set_one(m, rd, Alu::ReverseSigned, rm),

        Op::Push { list, lr } => return push(m, list, lr),
        Op::Pop { list } => {
            pop::<M, 8>(m, SP, list)?;
            m.next(MULTIPLE);
        }
        Op::PopPc { list } => {
            let to = pop::<M, 9>(m, SP, list)?;
            m.spend(MULTIPLE);
            return m.jump(Jump::Exchange, to, BRANCH);
        }
        Op::Stm { rn, list } => {
            let (words, count) = gather(m, list);
            let base = m.read(rn);
            m.store_words(base, &words[..count])?;
            m.spend(count as u64);
            let end = m.constant(count as u32 * 4);
            let end = m.compute(Alu::Sum, base, end);
            m.write(rn, end);
            m.next(MULTIPLE);
        }
        Op::Ldm { rn, list } => {
            pop::<M, 8>(m, rn, list)?;
            m.next(MULTIPLE);
        }

        Op::BCond { condition, offset } => {
            m.branch_if(condition, i32::from(offset) << 1, BRANCH, SIMPLE);
        }
        Op::B { offset } => m.branch(i32::from(offset) << 1, BRANCH),
        Op::Bl { high, low } => {
            m.link(4);
            let halfwords = i32::from(high) << 16 | i32::from(low);
            m.branch_link(halfwords << 1, BRANCH_LINK);
        }

        Op::Nop => m.next(SIMPLE),
        Op::System(system) => return m.system(system),
        Op::Undefined => return m.halt(Halt::Undefined),
        Op::Undecoded => return m.halt(Halt::Undecoded),
        Op::Breakpoint => return m.halt(Halt::Breakpoint),
    }
    Ok(())
}

/// MOV and ADD to any register, SP and PC included.
#[inline(always)]
fn move_any<M: Machine>(m: &mut M, rd: Reg, value: M::Word) -> Result<(), M::Exit> {
    match rd {
        PC => return m.jump(Jump::Move, value, BRANCH),
        SP => {
            let aligned = m.constant(!3);
            let sp = m.compute(Alu::Mask, value, aligned);
            m.write(SP, sp);
            m.moved_stack();
        }
        _ => m.write(rd, value),
    }
    m.next(SIMPLE);
    Ok(())
}

#[inline(always)]
fn push<M: Machine>(m: &mut M, list: u8, lr: bool) -> Result<(), M::Exit> {
    let (mut words, mut count) = gather(m, list);
    if lr {
        words[count] = m.read(LR);
        count += 1;
    }
    let base = near(m, SP, 0u32.wrapping_sub(count as u32 * 4));
    m.lowers_stack(base);
    m.store_words(base, &words[..count])?;
    m.spend(count as u64);
    m.write(SP, base);
    m.next(MULTIPLE);
    Ok(())
}

/// Loads the registers of a list from where `rn` points, which is set behind them unless it is loaded. One more word is
/// loaded for a list of 9, and returned: PC.
#[inline(always)]
fn pop<M: Machine, const MOST: usize>(m: &mut M, rn: Reg, list: u8) -> Result<M::Word, M::Exit> {
    let mut words = [m.constant(0); MOST];
    let count = list.count_ones() as usize + (MOST - 8);
    let base = m.read(rn);
    m.load_words(base, &mut words[..count])?;
    m.spend(count as u64);
    let end = m.constant(count as u32 * 4);
    let end = m.compute(Alu::Sum, base, end);
    m.write(rn, end);
    scatter(m, list, &words);
    Ok(words[count.saturating_sub(1)])
}

/// The registers of a list in order, and their number.
#[inline(always)]
fn gather<M: Machine>(m: &mut M, list: u8) -> ([M::Word; 9], usize) {
    let (mut words, mut count, mut rest) = ([m.constant(0); 9], 0, list);
    while rest != 0 {
        words[count] = m.read(rest.trailing_zeros() as Reg);
        count += 1;
        rest &= rest - 1;
    }
    (words, count)
}

#[inline(always)]
fn scatter<M: Machine>(m: &mut M, list: u8, words: &[M::Word]) {
    let mut rest = list;
    for word in words {
        if rest == 0 {
            break;
        }
        m.write(rest.trailing_zeros() as Reg, *word);
        rest &= rest - 1;
    }
}

/// Executes one of the instructions that change what runs next or how.
pub fn perform_system<P: Processor>(op: SystemOp, p: &mut P) {
    match op {
        SystemOp::Svc => p.service(),
        SystemOp::Bkpt => p.breakpoint(),
        SystemOp::Cps { disable } => {
            p.mask(disable);
            p.complete(2, SIMPLE);
        }
        SystemOp::Sev => {
            p.event();
            p.complete(2, SIMPLE);
        }
        SystemOp::Wfe => p.wait(true, WAIT),
        SystemOp::Wfi => p.wait(false, WAIT),
        SystemOp::Barrier => {
            p.barrier();
            p.complete(4, SPECIAL);
        }
        SystemOp::Mrs { rd, special } => {
            let value = p.special(special);
            p.set_general(rd, value);
            p.complete(4, SPECIAL);
        }
        SystemOp::Msr { rn, special } => {
            let value = p.general(rn);
            p.set_special(special, value);
            p.complete(4, SPECIAL);
        }
    }
}

/// The width of an access of so many bytes.
pub(super) const fn width<const N: usize>() -> Width {
    match N {
        1 => Width::Byte,
        2 => Width::Half,
        _ => Width::Word,
    }
}
