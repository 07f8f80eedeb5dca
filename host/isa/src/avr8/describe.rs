// SPDX-License-Identifier: MIT OR Apache-2.0
//! Instructions as tools see them, derived from what the core executes.
//!
//! `tests/avr8/describe.rs` executes every encoding and compares it with what is said here.
//!
//! The bits of flags are those of SREG. Accesses are those to the data space and, of LPM and ELPM, to
//! flash, at linear addresses. An access through a pointer may reach r0 to r31, SREG, the stack pointer
//! and RAMPZ, which have data addresses too: that is not among the registers which are read and written.
//! With an address that the instruction contains, it is.

use super::access::{RAMPZ as RAMPZ_AT, REGISTERS_END, SPH, SPL, SREG as SREG_AT};
use super::decode::{Decoded, decode, words};
use super::flags::{C, H, I, N, S, T, V, Z as ZERO};
use super::op::{Op, Reg, X, Y, Z};
use super::timing::{
    BIT, BRANCH, CALL, CALL_NEAR, JUMP, LOAD_PROGRAM, LOAD_STORE, MULTIPLY, RETURN, SIMPLE, WORD,
};
use super::{DATA_BASE, RAMPZ, SP};
use crate::{Access, Cycles, Flow, Instruction, Place, RegisterSet, System, Width};

const NONE: RegisterSet = RegisterSet::NONE;
const STACK_POINTER: RegisterSet = one(SP as u8);

/// Flags of additions and subtractions.
const ARITHMETIC: u8 = H | S | V | N | ZERO | C;
/// Flags of everything else that has a result.
const LOGICAL: u8 = S | V | N | ZERO;

/// Describes the instruction at `address` that begins with `first`. `second` is the word after it, which
/// matters to instructions of two words and to skips.
///
/// Cycles of SPM are without the time for which the processor halts.
pub fn instruction(address: u32, first: u16, second: u16) -> Instruction {
    let Decoded { op, defined } = decode(first, second);
    let bytes = 2 * u32::from(words(first));
    let next = address.wrapping_add(bytes);
    let (reads, writes) = registers(op);
    let (flags_read, flags_written) = flags(op);
    Instruction {
        bytes,
        flow: if op == Op::Nop && !defined { Flow::Undefined } else { flow(next, op) },
        reads,
        writes,
        flags_read: flags_read.into(),
        flags_written: flags_written.into(),
        access: access(op),
        cycles: cycles(op),
        system: system(op),
    }
}

/// Whether the description depends on the word after `first`.
pub(super) fn needs_second(first: u16) -> bool {
    words(first) == 2 || skipped(decode(first, 0).op).is_some()
}

/// Number of words that a skip leads over.
fn skipped(op: Op) -> Option<u8> {
    match op {
        Op::Cpse { words, .. }
        | Op::Sbrc { words, .. }
        | Op::Sbrs { words, .. }
        | Op::Sbic { words, .. }
        | Op::Sbis { words, .. } => Some(words),
        _ => None,
    }
}

/// Where a conditional branch leads, in words from the next instruction.
pub(super) fn condition_offset(op: Op) -> Option<i8> {
    match op {
        Op::Brcs { offset }
        | Op::Brcc { offset }
        | Op::Breq { offset }
        | Op::Brne { offset }
        | Op::Brmi { offset }
        | Op::Brpl { offset }
        | Op::Brvs { offset }
        | Op::Brvc { offset }
        | Op::Brlt { offset }
        | Op::Brge { offset }
        | Op::Brhs { offset }
        | Op::Brhc { offset }
        | Op::Brts { offset }
        | Op::Brtc { offset }
        | Op::Brie { offset }
        | Op::Brid { offset } => Some(offset),
        _ => None,
    }
}

/// A code address, at a distance in words; the program counter has 16 bits.
fn at(next: u32, words: i32) -> u32 {
    next.wrapping_add_signed(2 * words) & 0x1_FFFF
}

pub(super) fn flow(next: u32, op: Op) -> Flow {
    if let Some(offset) = condition_offset(op) {
        return Flow::BranchIf(at(next, offset.into()));
    }
    if let Some(words) = skipped(op) {
        return Flow::BranchIf(at(next, words.into()));
    }
    match op {
        Op::Rjmp { offset } => Flow::Branch(at(next, offset.into())),
        Op::Jmp { to } => Flow::Branch(u32::from(to) << 1),
        Op::Ijmp => Flow::Indirect,
        Op::Rcall { offset } => Flow::Call(at(next, offset.into())),
        Op::Call { to } => Flow::Call(u32::from(to) << 1),
        Op::Icall => Flow::IndirectCall,
        Op::Ret | Op::Reti => Flow::Return,
        _ => Flow::Next,
    }
}

fn system(op: Op) -> Option<System> {
    match op {
        Op::Cli => Some(System::Mask),
        Op::Sei | Op::Reti => Some(System::Unmask),
        Op::Sleep => Some(System::Wait),
        Op::Wdr => Some(System::Watchdog),
        Op::Spm => Some(System::Program),
        _ => None,
    }
}

const fn one(register: Reg) -> RegisterSet {
    RegisterSet::of(register)
}

fn two(a: Reg, b: Reg) -> RegisterSet {
    one(a).with(one(b))
}

fn pair(lower: Reg) -> RegisterSet {
    two(lower & 30, lower & 30 | 1)
}

/// The register that has a data address, and whether a write of this byte leaves a part of it.
fn register_at(address: u16) -> (RegisterSet, bool) {
    match address {
        0..REGISTERS_END => (one(address as u8), false),
        SPL | SPH => (STACK_POINTER, true),
        RAMPZ_AT => (one(RAMPZ as u8), false),
        _ => (NONE, false),
    }
}

/// Registers of a load of `rd` from a data address.
fn loads(rd: Reg, address: u16) -> (RegisterSet, RegisterSet) {
    (register_at(address).0, one(rd))
}

/// Registers of a store of `rr` to a data address.
fn stores(rr: Reg, address: u16) -> (RegisterSet, RegisterSet) {
    let (at, is_part) = register_at(address);
    (one(rr).with(if is_part { at } else { NONE }), at)
}

/// The registers that an instruction reads, and those that it may change.
pub(super) fn registers(op: Op) -> (RegisterSet, RegisterSet) {
    let product = pair(0);
    match op {
        // A register with itself is 0, whatever it was; with the carry, it depends only on that.
        Op::Eor { rd, rr } | Op::Sub { rd, rr } | Op::Sbc { rd, rr } if rd == rr => (NONE, one(rd)),
        Op::Cp { rd, rr } | Op::Cpc { rd, rr } | Op::Cpse { rd, rr, .. } if rd == rr => {
            (NONE, NONE)
        }
        Op::Add { rd, rr }
        | Op::Adc { rd, rr }
        | Op::Sub { rd, rr }
        | Op::Sbc { rd, rr }
        | Op::And { rd, rr }
        | Op::Or { rd, rr }
        | Op::Eor { rd, rr } => (two(rd, rr), one(rd)),
        Op::Cp { rd, rr } | Op::Cpc { rd, rr } | Op::Cpse { rd, rr, .. } => (two(rd, rr), NONE),
        Op::Mov { rd, rr } => (one(rr), one(rd)),
        Op::Movw { rd, rr } => (pair(rr), pair(rd)),
        Op::Mul { rd, rr }
        | Op::Muls { rd, rr }
        | Op::Mulsu { rd, rr }
        | Op::Fmul { rd, rr }
        | Op::Fmuls { rd, rr }
        | Op::Fmulsu { rd, rr } => (two(rd, rr), product),
        Op::Subi { rd, .. }
        | Op::Sbci { rd, .. }
        | Op::Andi { rd, .. }
        | Op::Ori { rd, .. }
        | Op::Com { rd }
        | Op::Neg { rd }
        | Op::Swap { rd }
        | Op::Inc { rd }
        | Op::Dec { rd }
        | Op::Asr { rd }
        | Op::Lsr { rd }
        | Op::Ror { rd }
        | Op::Bld { rd, .. } => (one(rd), one(rd)),
        Op::Cpi { rd, .. } | Op::Bst { rd, .. } => (one(rd), NONE),
        Op::Ldi { rd, .. } => (NONE, one(rd)),
        Op::Adiw { rd, .. } | Op::Sbiw { rd, .. } => (pair(rd), pair(rd)),
        Op::Sbrc { rr, .. } | Op::Sbrs { rr, .. } => (one(rr), NONE),
        Op::Ijmp => (pair(Z), NONE),
        Op::Icall => (pair(Z).with(STACK_POINTER), STACK_POINTER),
        Op::Rcall { .. } | Op::Call { .. } | Op::Ret | Op::Reti => (STACK_POINTER, STACK_POINTER),
        Op::In { rd, address } => loads(rd, address.into()),
        Op::Lds { rd, address } => loads(rd, address),
        Op::InSreg { rd } => (NONE, one(rd)),
        Op::Out { rr, address } => stores(rr, address.into()),
        Op::Sts { rr, address } => stores(rr, address),
        Op::OutSreg { rr } => (one(rr), NONE),
        Op::Ldd { rd, pointer, .. } => (pair(pointer), one(rd)),
        Op::Std { rr, pointer, .. } => (pair(pointer).with(one(rr)), NONE),
        Op::LdInc { rd, pointer } | Op::LdDec { rd, pointer } => {
            (pair(pointer), pair(pointer).with(one(rd)))
        }
        Op::StInc { rr, pointer } | Op::StDec { rr, pointer } => {
            (pair(pointer).with(one(rr)), pair(pointer))
        }
        Op::Push { rr } => (STACK_POINTER.with(one(rr)), STACK_POINTER),
        Op::Pop { rd } => (STACK_POINTER, STACK_POINTER.with(one(rd))),
        Op::Lpm { rd, increment: false } => (pair(Z), one(rd)),
        Op::Lpm { rd, .. } => (pair(Z), pair(Z).with(one(rd))),
        Op::Elpm { rd, increment: false } => (far(), one(rd)),
        Op::Elpm { rd, .. } => (far(), far().with(one(rd))),
        Op::Spm => (far().with(product), NONE),
        _ => (NONE, NONE),
    }
}

/// RAMPZ and Z.
fn far() -> RegisterSet {
    pair(Z).with(one(RAMPZ as u8))
}

/// The flags that an instruction reads, and those that it may change.
fn flags(op: Op) -> (u8, u8) {
    match op {
        Op::Add { .. } | Op::Sub { .. } | Op::Subi { .. } | Op::Neg { .. } => (0, ARITHMETIC),
        Op::Cp { .. } | Op::Cpi { .. } => (0, ARITHMETIC),
        Op::Adc { .. } => (C, ARITHMETIC),
        // Z is cleared, and never set.
        Op::Sbc { .. } | Op::Sbci { .. } | Op::Cpc { .. } => (C | ZERO, ARITHMETIC),
        Op::And { .. } | Op::Or { .. } | Op::Eor { .. } | Op::Andi { .. } | Op::Ori { .. } => {
            (0, LOGICAL)
        }
        Op::Inc { .. } | Op::Dec { .. } => (0, LOGICAL),
        Op::Com { .. } | Op::Asr { .. } | Op::Lsr { .. } => (0, LOGICAL | C),
        Op::Adiw { .. } | Op::Sbiw { .. } => (0, LOGICAL | C),
        Op::Ror { .. } => (C, LOGICAL | C),
        Op::Mul { .. } | Op::Muls { .. } | Op::Mulsu { .. } => (0, ZERO | C),
        Op::Fmul { .. } | Op::Fmuls { .. } | Op::Fmulsu { .. } => (0, ZERO | C),
        Op::Bset { mask } | Op::Bclr { mask } => (0, mask),
        Op::Sei | Op::Cli | Op::Reti => (0, I),
        Op::Bst { .. } => (0, T),
        Op::Bld { .. } => (T, 0),
        Op::InSreg { .. } | Op::Lds { address: SREG_AT, .. } => (u8::MAX, 0),
        Op::OutSreg { .. } | Op::Sts { address: SREG_AT, .. } => (0, u8::MAX),
        _ => (tested(op), 0),
    }
}

/// The flag on which a conditional branch depends.
fn tested(op: Op) -> u8 {
    match op {
        Op::Brcs { .. } | Op::Brcc { .. } => C,
        Op::Breq { .. } | Op::Brne { .. } => ZERO,
        Op::Brmi { .. } | Op::Brpl { .. } => N,
        Op::Brvs { .. } | Op::Brvc { .. } => V,
        Op::Brlt { .. } | Op::Brge { .. } => S,
        Op::Brhs { .. } | Op::Brhc { .. } => H,
        Op::Brts { .. } | Op::Brtc { .. } => T,
        Op::Brie { .. } | Op::Brid { .. } => I,
        _ => 0,
    }
}

fn access(op: Op) -> Option<Access> {
    let bytes = |write, count, place| Some(Access { write, place, width: Width::Byte, count });
    let fixed = |write, address: u16| bytes(write, 1, Place::Fixed(DATA_BASE + u32::from(address)));
    let pointer = |write, pointer: Reg, offset| {
        let bytes_of = match pointer {
            X => &[26, 27],
            Y => &[28, 29],
            _ => &[30, 31],
        };
        bytes(write, 1, Place::Pointer { space: DATA_BASE, bytes: bytes_of, offset })
    };
    let stack = |write, count, offset: i32| {
        let offset = offset + DATA_BASE as i32;
        bytes(write, count, Place::Base { base: SP as u8, index: None, offset })
    };
    let flash =
        |of: &'static [u8]| bytes(false, 1, Place::Pointer { space: 0, bytes: of, offset: 0 });
    match op {
        Op::In { address, .. } | Op::Sbic { address, .. } | Op::Sbis { address, .. } => {
            fixed(false, address.into())
        }
        Op::Out { address, .. } | Op::Sbi { address, .. } | Op::Cbi { address, .. } => {
            fixed(true, address.into())
        }
        Op::InSreg { .. } => fixed(false, SREG_AT),
        Op::OutSreg { .. } => fixed(true, SREG_AT),
        Op::Lds { address, .. } => fixed(false, address),
        Op::Sts { address, .. } => fixed(true, address),
        Op::Ldd { pointer: base, q, .. } => pointer(false, base, q.into()),
        Op::Std { pointer: base, q, .. } => pointer(true, base, q.into()),
        Op::LdInc { pointer: base, .. } => pointer(false, base, 0),
        Op::StInc { pointer: base, .. } => pointer(true, base, 0),
        Op::LdDec { pointer: base, .. } => pointer(false, base, -1),
        Op::StDec { pointer: base, .. } => pointer(true, base, -1),
        Op::Push { .. } => stack(true, 1, 0),
        Op::Pop { .. } => stack(false, 1, 1),
        Op::Rcall { .. } | Op::Icall | Op::Call { .. } => stack(true, 2, -1),
        Op::Ret | Op::Reti => stack(false, 2, 1),
        Op::Lpm { .. } => flash(&[30, 31]),
        Op::Elpm { .. } => flash(&[30, 31, RAMPZ as u8]),
        _ => None,
    }
}

fn cycles(op: Op) -> Cycles {
    let always = |cycles: u64| Cycles::always(cycles as u32);
    if condition_offset(op).is_some() {
        return Cycles { next: SIMPLE as u32, taken: BRANCH as u32 };
    }
    if let Some(words) = skipped(op) {
        return Cycles { next: SIMPLE as u32, taken: SIMPLE as u32 + u32::from(words) };
    }
    match op {
        Op::Mul { .. } | Op::Muls { .. } | Op::Mulsu { .. } => always(MULTIPLY),
        Op::Fmul { .. } | Op::Fmuls { .. } | Op::Fmulsu { .. } => always(MULTIPLY),
        Op::Adiw { .. } | Op::Sbiw { .. } => always(WORD),
        Op::Sbi { .. } | Op::Cbi { .. } => always(BIT),
        Op::Rjmp { .. } | Op::Ijmp => always(BRANCH),
        Op::Jmp { .. } => always(JUMP),
        Op::Rcall { .. } | Op::Icall => always(CALL_NEAR),
        Op::Call { .. } => always(CALL),
        Op::Ret | Op::Reti => always(RETURN),
        Op::Lds { .. } | Op::Sts { .. } | Op::Ldd { .. } | Op::Std { .. } => always(LOAD_STORE),
        Op::LdInc { .. } | Op::LdDec { .. } | Op::StInc { .. } | Op::StDec { .. } => {
            always(LOAD_STORE)
        }
        Op::Push { .. } | Op::Pop { .. } => always(LOAD_STORE),
        Op::Lpm { .. } | Op::Elpm { .. } => always(LOAD_PROGRAM),
        _ => always(SIMPLE),
    }
}
