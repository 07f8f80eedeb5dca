// SPDX-License-Identifier: MIT OR Apache-2.0
//! What each instruction does: AVR Instruction Set Manual, chapter "Instruction Description".
//!
//! The one place that says so, for any [`Machine`]: the core executes with it, `describe.rs` finds out with it what
//! is read and written, and `lichen-analysis` follows values with it. What arithmetic computes is in `alu.rs`, how
//! long things take in `timing.rs`.

use super::alu::{Alu, C, H, I, N, Product, S, T, V, WordAlu, Z as ZERO};
use super::decode::{Decoded, decode, words};
use super::op::{Op, Reg, Z};
use super::timing::{
    BIT, BRANCH, CALL, CALL_NEAR, JUMP, LOAD_PROGRAM, LOAD_STORE, MULTIPLY, RETURN, SIMPLE, WORD,
};

/// Why an instruction is not executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// What it does is undefined.
    Undefined,
    /// The core has not decoded it.
    Undecoded,
    /// A debugger has a breakpoint there.
    Breakpoint,
}

/// Instructions that change what runs next or how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SystemOp {
    /// RETI.
    Return,
    /// SLEEP.
    Sleep,
    /// WDR.
    Watchdog,
    /// SPM.
    Program,
}

/// What instructions act on: registers, flags and memory, with values of any kind.
///
/// Addresses of code count words; only the low 16 bits count. Each instruction ends with [`Machine::next`], a branch or
/// a jump, or with what hinders it.
pub trait Machine {
    /// 8 bits.
    type Byte: Copy;
    /// 16 bits.
    type Word: Copy;
    /// Why an instruction is given up before it is complete.
    type Exit;

    /// A constant.
    fn byte(&mut self, value: u8) -> Self::Byte;
    /// A constant.
    fn word(&mut self, value: u16) -> Self::Word;
    /// A register.
    fn read(&mut self, register: u8) -> Self::Byte;
    /// Changes a register.
    fn write(&mut self, register: u8, value: Self::Byte);
    /// A pair of registers, by the number of its lower half.
    fn read_pair(&mut self, lower: u8) -> Self::Word;
    /// Changes a pair.
    fn write_pair(&mut self, lower: u8, value: Self::Word);
    /// A pair becomes another one.
    #[inline(always)]
    fn copy_pair(&mut self, to: u8, from: u8) {
        let value = self.read_pair(from);
        self.write_pair(to, value);
    }
    /// The stack pointer.
    fn sp(&mut self) -> Self::Word;
    /// Changes the stack pointer.
    fn set_sp(&mut self, value: Self::Word);
    /// The stack will reach down to here, the byte included.
    #[inline(always)]
    fn lowers_stack(&mut self, _to: Self::Word) {}
    /// RAMPZ.
    fn rampz(&mut self) -> Self::Byte;
    /// Changes RAMPZ.
    fn set_rampz(&mut self, value: Self::Byte);
    /// The next address of flash.
    fn next_far(&mut self, rampz: Self::Byte, z: Self::Word) -> (Self::Byte, Self::Word);
    /// SREG.
    fn status(&mut self) -> Self::Byte;
    /// Changes SREG.
    fn set_status(&mut self, value: Self::Byte);
    /// Sets or clears a flag.
    fn set_flag(&mut self, flag: u8, on: bool);
    /// Interrupts will be unmasked.
    #[inline(always)]
    fn unmasks(&mut self) {}

    /// Computes, and sets flags.
    fn compute(&mut self, operation: Alu, a: Self::Byte, b: Self::Byte) -> Self::Byte;
    /// The same with two registers, which may be one.
    #[inline(always)]
    fn compute_both(&mut self, operation: Alu, rd: u8, rr: u8) -> Self::Byte {
        let (a, b) = (self.read(rd), self.read(rr));
        self.compute(operation, a, b)
    }
    /// The same with words.
    fn compute_word(&mut self, operation: WordAlu, a: Self::Word, b: u16) -> Self::Word;
    /// Multiplies, and sets flags.
    fn multiply(&mut self, product: Product, a: Self::Byte, b: Self::Byte) -> Self::Word;

    /// Loads from a data address as LD does.
    fn load(&mut self, address: Self::Word) -> Self::Byte;
    /// Stores at a data address as ST does.
    fn store(&mut self, address: Self::Word, value: Self::Byte);
    /// Loads from a data address as IN does.
    fn input(&mut self, address: u8) -> Self::Byte;
    /// Stores at a data address as OUT does; not SREG.
    fn output(&mut self, address: u8, value: Self::Byte);
    /// Changes what is at a data address as SBI and CBI do.
    fn change(&mut self, address: u8, operation: Alu, mask: u8);
    /// PUSH stores a byte.
    fn store_pushed(&mut self, address: Self::Word, value: Self::Byte);
    /// A call stores a code address: its low byte here, the other one below.
    fn store_return(&mut self, address: Self::Word, to: u32);
    /// A return loads it: its high byte from here, the other one from above.
    fn load_return(&mut self, address: Self::Word) -> Self::Word;
    /// Loads from flash.
    fn load_program(&mut self, address: Self::Word) -> Self::Byte;
    /// Loads from anywhere in flash.
    fn load_far(&mut self, rampz: Self::Byte, z: Self::Word) -> Self::Byte;

    /// Address of the code at a distance from this instruction.
    fn away(&mut self, words: i32) -> u32;
    /// The instruction, of so many words, ends; the next one follows.
    fn next(&mut self, words: u8, cycles: u64);
    /// It ends with a jump.
    fn branch(&mut self, to: u32, cycles: u64);
    /// It ends with a jump if a flag is as is said.
    fn branch_if(&mut self, flag: u8, set: bool, offset: i8, taken: u64, next: u64);
    /// It ends; so many words are skipped if two registers, which may be one, are equal.
    fn skip_if_equal(&mut self, rd: u8, rr: u8, words: u8, cycles: u64);
    /// It ends; so many words are skipped if a bit is as is said.
    fn skip_if(&mut self, value: Self::Byte, mask: u8, set: bool, words: u8, cycles: u64);
    /// It ends with a jump to where a word says.
    fn jump(&mut self, to: Self::Word, cycles: u64);
    /// It ends with a call.
    fn call(&mut self, to: u32, cycles: u64);
    /// It ends with a call of what a word says.
    fn call_word(&mut self, to: Self::Word, cycles: u64);
    /// It ends with a return.
    fn ret(&mut self, to: Self::Word, cycles: u64);
    /// It ends with a return from an interrupt.
    fn ret_from_interrupt(&mut self, to: Self::Word, cycles: u64);
    /// It ends, and the processor sleeps.
    fn sleep(&mut self, cycles: u64);
    /// It ends; the watchdog starts anew.
    fn reset_watchdog(&mut self, cycles: u64);
    /// It ends; flash is programmed or erased.
    fn program(&mut self, rampz: Self::Byte, z: Self::Word, value: Self::Word, cycles: u64);
    /// It is one for [`perform_system`].
    fn system(&mut self, op: SystemOp) -> Result<(), Self::Exit>;
    /// It is not executed.
    fn halt(&mut self, why: Halt) -> Result<(), Self::Exit>;
}

/// Executes the instruction that begins with `first`, and returns its length in bytes. `second` is the word after it.
pub fn perform<M: Machine>(first: u16, second: u16, machine: &mut M) -> Result<u32, M::Exit> {
    match decode(first, second) {
        Decoded { op: Op::Nop, defined: false } => machine.halt(Halt::Undefined)?,
        Decoded { op, .. } => execute(op, machine)?,
    }
    Ok(2 * u32::from(words(first)))
}

/// An operation on two registers whose result goes to the first one.
#[inline(always)]
fn set_both<M: Machine>(m: &mut M, operation: Alu, rd: Reg, rr: Reg) {
    let result = m.compute_both(operation, rd, rr);
    m.write(rd, result);
    m.next(1, SIMPLE);
}

/// The same with a constant.
#[inline(always)]
fn set_with<M: Machine>(m: &mut M, operation: Alu, rd: Reg, value: u8) {
    let (a, b) = (m.read(rd), m.byte(value));
    let result = m.compute(operation, a, b);
    m.write(rd, result);
    m.next(1, SIMPLE);
}

#[inline(always)]
fn add_to_pair<M: Machine>(m: &mut M, operation: WordAlu, rd: Reg, value: u8) {
    let pair = m.read_pair(rd);
    let result = m.compute_word(operation, pair, value.into());
    m.write_pair(rd, result);
    m.next(1, WORD);
}

/// A product goes to r1:r0.
#[inline(always)]
fn multiply<M: Machine>(m: &mut M, rd: Reg, rr: Reg, product: Product) {
    let (a, b) = (m.read(rd), m.read(rr));
    let result = m.multiply(product, a, b);
    m.write_pair(0, result);
    m.next(1, MULTIPLY);
}

const UNSIGNED: Product = Product { signed: false, both: false, fractional: false };
const SIGNED: Product = Product { signed: true, both: true, fractional: false };
const MIXED: Product = Product { signed: true, both: false, fractional: false };

#[inline(always)]
fn branch_if<M: Machine>(m: &mut M, flag: u8, set: bool, offset: i8) {
    m.branch_if(flag, set, offset, BRANCH, SIMPLE);
}

#[inline(always)]
fn load<M: Machine>(m: &mut M, rd: Reg, address: M::Word, words: u8) {
    let value = m.load(address);
    m.write(rd, value);
    m.next(words, LOAD_STORE);
}

#[inline(always)]
fn store<M: Machine>(m: &mut M, rr: Reg, address: M::Word, words: u8) {
    let value = m.read(rr);
    m.store(address, value);
    m.next(words, LOAD_STORE);
}

/// The address in a pointer; what it is then is one more.
#[inline(always)]
fn increment<M: Machine>(m: &mut M, pointer: Reg) -> M::Word {
    let address = m.read_pair(pointer);
    let next = m.compute_word(WordAlu::Sum, address, 1);
    m.write_pair(pointer, next);
    address
}

/// The address one below a pointer, which it is then.
#[inline(always)]
fn decrement<M: Machine>(m: &mut M, pointer: Reg) -> M::Word {
    let before = m.read_pair(pointer);
    let address = m.compute_word(WordAlu::Sum, before, 0xFFFF);
    m.write_pair(pointer, address);
    address
}

/// The address of the instruction behind one of so many words goes to the stack.
#[inline(always)]
fn push_return<M: Machine>(m: &mut M, words: i32) {
    let (back, at) = (m.away(words), m.sp());
    let sp = m.compute_word(WordAlu::Sum, at, 0xFFFE);
    m.set_sp(sp);
    let lowest = m.compute_word(WordAlu::Sum, at, 0xFFFF);
    m.lowers_stack(lowest);
    m.store_return(at, back);
}

/// An address of code comes from the stack.
#[inline(always)]
fn pop_return<M: Machine>(m: &mut M) -> M::Word {
    let at = m.sp();
    let sp = m.compute_word(WordAlu::Sum, at, 2);
    m.set_sp(sp);
    let first = m.compute_word(WordAlu::Sum, at, 1);
    m.load_return(first)
}

/// Executes one instruction. One `match` over all of them, however long: splitting it would dispatch twice.
#[inline(always)]
pub(super) fn execute<M: Machine>(op: Op, m: &mut M) -> Result<(), M::Exit> {
    match op {
        Op::Add { rd, rr } => set_both(m, Alu::Add, rd, rr),
        Op::Adc { rd, rr } => set_both(m, Alu::AddCarry, rd, rr),
        Op::Sub { rd, rr } => set_both(m, Alu::Subtract, rd, rr),
        Op::Sbc { rd, rr } => set_both(m, Alu::SubtractCarry, rd, rr),
        Op::And { rd, rr } => set_both(m, Alu::And, rd, rr),
        Op::Or { rd, rr } => set_both(m, Alu::Or, rd, rr),
        Op::Eor { rd, rr } => set_both(m, Alu::Xor, rd, rr),
        Op::Cp { rd, rr } => {
            m.compute_both(Alu::Subtract, rd, rr);
            m.next(1, SIMPLE);
        }
        Op::Cpc { rd, rr } => {
            m.compute_both(Alu::SubtractCarry, rd, rr);
            m.next(1, SIMPLE);
        }
        Op::Mov { rd, rr } => {
            let value = m.read(rr);
            m.write(rd, value);
            m.next(1, SIMPLE);
        }
        Op::Movw { rd, rr } => {
            m.copy_pair(rd, rr);
            m.next(1, SIMPLE);
        }
        Op::Mul { rd, rr } => multiply(m, rd, rr, UNSIGNED),
        Op::Muls { rd, rr } => multiply(m, rd, rr, SIGNED),
        Op::Mulsu { rd, rr } => multiply(m, rd, rr, MIXED),
        Op::Fmul { rd, rr } => multiply(m, rd, rr, Product { fractional: true, ..UNSIGNED }),
        Op::Fmuls { rd, rr } => multiply(m, rd, rr, Product { fractional: true, ..SIGNED }),
        Op::Fmulsu { rd, rr } => multiply(m, rd, rr, Product { fractional: true, ..MIXED }),

        Op::Subi { rd, imm } => set_with(m, Alu::Subtract, rd, imm),
        Op::Sbci { rd, imm } => set_with(m, Alu::SubtractCarry, rd, imm),
        Op::Andi { rd, imm } => set_with(m, Alu::And, rd, imm),
        Op::Ori { rd, imm } => set_with(m, Alu::Or, rd, imm),
        Op::Cpi { rd, imm } => {
            let (a, b) = (m.read(rd), m.byte(imm));
            m.compute(Alu::Subtract, a, b);
            m.next(1, SIMPLE);
        }
        Op::Ldi { rd, imm } => {
            let value = m.byte(imm);
            m.write(rd, value);
            m.next(1, SIMPLE);
        }
        Op::Adiw { rd, imm } => add_to_pair(m, WordAlu::Add, rd, imm),
        Op::Sbiw { rd, imm } => add_to_pair(m, WordAlu::Subtract, rd, imm),

        Op::Com { rd } => set_with(m, Alu::Not, rd, 0),
        Op::Neg { rd } => set_with(m, Alu::Negate, rd, 0),
        Op::Swap { rd } => set_with(m, Alu::Swap, rd, 0),
        Op::Inc { rd } => set_with(m, Alu::Increment, rd, 0),
        Op::Dec { rd } => set_with(m, Alu::Decrement, rd, 0),
        Op::Asr { rd } => set_with(m, Alu::ShiftRightSigned, rd, 0),
        Op::Lsr { rd } => set_with(m, Alu::ShiftRight, rd, 0),
        Op::Ror { rd } => set_with(m, Alu::RotateRight, rd, 0),

        Op::Bset { mask } => {
            m.set_flag(mask, true);
            m.next(1, SIMPLE);
        }
        Op::Bclr { mask } => {
            m.set_flag(mask, false);
            m.next(1, SIMPLE);
        }
        Op::Sei => {
            m.unmasks();
            m.set_flag(I, true);
            m.next(1, SIMPLE);
        }
        Op::Cli => {
            m.set_flag(I, false);
            m.next(1, SIMPLE);
        }
        Op::Bst { rd, mask } => {
            let (value, mask) = (m.read(rd), m.byte(mask));
            m.compute(Alu::StoreBit, value, mask);
            m.next(1, SIMPLE);
        }
        Op::Bld { rd, mask } => set_with(m, Alu::LoadBit, rd, mask),

        Op::Brcs { offset } => branch_if(m, C, true, offset),
        Op::Brcc { offset } => branch_if(m, C, false, offset),
        Op::Breq { offset } => branch_if(m, ZERO, true, offset),
        Op::Brne { offset } => branch_if(m, ZERO, false, offset),
        Op::Brmi { offset } => branch_if(m, N, true, offset),
        Op::Brpl { offset } => branch_if(m, N, false, offset),
        Op::Brvs { offset } => branch_if(m, V, true, offset),
        Op::Brvc { offset } => branch_if(m, V, false, offset),
        Op::Brlt { offset } => branch_if(m, S, true, offset),
        Op::Brge { offset } => branch_if(m, S, false, offset),
        Op::Brhs { offset } => branch_if(m, H, true, offset),
        Op::Brhc { offset } => branch_if(m, H, false, offset),
        Op::Brts { offset } => branch_if(m, T, true, offset),
        Op::Brtc { offset } => branch_if(m, T, false, offset),
        Op::Brie { offset } => branch_if(m, I, true, offset),
        Op::Brid { offset } => branch_if(m, I, false, offset),

        Op::Cpse { rd, rr, words } => m.skip_if_equal(rd, rr, words, SIMPLE),
        Op::Sbrc { rr, mask, words } => {
            let value = m.read(rr);
            m.skip_if(value, mask, false, words, SIMPLE);
        }
        Op::Sbrs { rr, mask, words } => {
            let value = m.read(rr);
            m.skip_if(value, mask, true, words, SIMPLE);
        }
        Op::Sbic { address, mask, words } => {
            let value = m.input(address);
            m.skip_if(value, mask, false, words, SIMPLE);
        }
        Op::Sbis { address, mask, words } => {
            let value = m.input(address);
            m.skip_if(value, mask, true, words, SIMPLE);
        }

        Op::Rjmp { offset } => {
            let to = m.away(1 + i32::from(offset));
            m.branch(to, BRANCH);
        }
        Op::Jmp { to } => m.branch(to.into(), JUMP),
        Op::Ijmp => {
            let to = m.read_pair(Z);
            m.jump(to, BRANCH);
        }
        Op::Rcall { offset } => {
            let to = m.away(1 + i32::from(offset));
            push_return(m, 1);
            m.call(to, CALL_NEAR);
        }
        Op::Icall => {
            let to = m.read_pair(Z);
            push_return(m, 1);
            m.call_word(to, CALL_NEAR);
        }
        Op::Call { to } => {
            push_return(m, 2);
            m.call(to.into(), CALL);
        }
        Op::Ret => {
            let to = pop_return(m);
            m.ret(to, RETURN);
        }

        Op::In { rd, address } => {
            let value = m.input(address);
            m.write(rd, value);
            m.next(1, SIMPLE);
        }
        Op::Out { rr, address } => {
            let value = m.read(rr);
            m.output(address, value);
            m.next(1, SIMPLE);
        }
        Op::InSreg { rd } => {
            let value = m.status();
            m.write(rd, value);
            m.next(1, SIMPLE);
        }
        Op::OutSreg { rr } => {
            let value = m.read(rr);
            m.set_status(value);
            m.next(1, SIMPLE);
        }
        Op::Sbi { address, mask } => {
            m.change(address, Alu::SetBits, mask);
            m.next(1, BIT);
        }
        Op::Cbi { address, mask } => {
            m.change(address, Alu::ClearBits, mask);
            m.next(1, BIT);
        }

        Op::Lds { rd, address } => {
            let address = m.word(address);
            load(m, rd, address, 2);
        }
        Op::Sts { rr, address } => {
            let address = m.word(address);
            store(m, rr, address, 2);
        }
        Op::Ldd { rd, pointer, q } => {
            let base = m.read_pair(pointer);
            let address = m.compute_word(WordAlu::Sum, base, q.into());
            load(m, rd, address, 1);
        }
        Op::Std { rr, pointer, q } => {
            let base = m.read_pair(pointer);
            let address = m.compute_word(WordAlu::Sum, base, q.into());
            store(m, rr, address, 1);
        }
        Op::LdInc { rd, pointer } => {
            let address = increment(m, pointer);
            load(m, rd, address, 1);
        }
        Op::StInc { rr, pointer } => {
            let value = m.read(rr);
            let address = increment(m, pointer);
            m.store(address, value);
            m.next(1, LOAD_STORE);
        }
        Op::LdDec { rd, pointer } => {
            let address = decrement(m, pointer);
            load(m, rd, address, 1);
        }
        Op::StDec { rr, pointer } => {
            let value = m.read(rr);
            let address = decrement(m, pointer);
            m.store(address, value);
            m.next(1, LOAD_STORE);
        }
        Op::Push { rr } => {
            let (value, at) = (m.read(rr), m.sp());
            let sp = m.compute_word(WordAlu::Sum, at, 0xFFFF);
            m.set_sp(sp);
            m.lowers_stack(at);
            m.store_pushed(at, value);
            m.next(1, LOAD_STORE);
        }
        Op::Pop { rd } => {
            let below = m.sp();
            let at = m.compute_word(WordAlu::Sum, below, 1);
            m.set_sp(at);
            load(m, rd, at, 1);
        }

        Op::Lpm { rd, increment } => {
            let address = m.read_pair(Z);
            let value = m.load_program(address);
            if increment {
                let next = m.compute_word(WordAlu::Sum, address, 1);
                m.write_pair(Z, next);
            }
            m.write(rd, value);
            m.next(1, LOAD_PROGRAM);
        }
        Op::Elpm { rd, increment } => {
            let (rampz, z) = (m.rampz(), m.read_pair(Z));
            let value = m.load_far(rampz, z);
            if increment {
                let (rampz, z) = m.next_far(rampz, z);
                m.write_pair(Z, z);
                m.set_rampz(rampz);
            }
            m.write(rd, value);
            m.next(1, LOAD_PROGRAM);
        }

        Op::Nop | Op::Break => m.next(1, SIMPLE),
        Op::Reti => return m.system(SystemOp::Return),
        Op::Sleep => return m.system(SystemOp::Sleep),
        Op::Wdr => return m.system(SystemOp::Watchdog),
        Op::Spm => return m.system(SystemOp::Program),
        Op::Undecoded => return m.halt(Halt::Undecoded),
        Op::Breakpoint => return m.halt(Halt::Breakpoint),
        Op::Undefined => return m.halt(Halt::Undefined),
    }
    Ok(())
}

/// Executes one of the instructions that change what runs next or how.
pub fn perform_system<M: Machine>(op: SystemOp, m: &mut M) {
    match op {
        SystemOp::Return => {
            let to = pop_return(m);
            m.set_flag(I, true);
            m.ret_from_interrupt(to, RETURN);
        }
        SystemOp::Sleep => m.sleep(SIMPLE),
        SystemOp::Watchdog => m.reset_watchdog(SIMPLE),
        SystemOp::Program => {
            let (rampz, z, value) = (m.rampz(), m.read_pair(Z), m.read_pair(0));
            m.program(rampz, z, value, SIMPLE);
        }
    }
}
