// SPDX-License-Identifier: MIT OR Apache-2.0
//! Instructions as tools see them, derived from what the core executes.
//!
//! `tests/core/describe.rs` executes every encoding and compares it with what is said here.

use super::decode::{decode, is_wide};
use super::effect::{Effect, LR, PC, SP, effect_of};
use super::op::{Condition, Op, Reg, System};
use super::special::{CONTROL, IPSR, MSP, PSP};
use super::timing::{BRANCH, BRANCH_LINK, LOAD_STORE, MULTIPLE, SIMPLE, SPECIAL, WAIT};
use crate::{Access, Cycles, Flow, Instruction, Place, RegisterSet, Width};

/// Flags, as bits of xPSR.
const N: u32 = 1 << 31;
const Z: u32 = 1 << 30;
const C: u32 = 1 << 29;
const V: u32 = 1 << 28;

/// Number of bytes of an instruction, by its first halfword.
pub(super) fn bytes(first: u16) -> u32 {
    if is_wide(first) { 4 } else { 2 }
}

/// Describes the instruction at `address` that begins with `first`. `second` is the halfword after it,
/// if there is one.
///
/// Cycles are those with the single-cycle multiplier; an access to the single-cycle I/O port takes one
/// less. Those of SVC are without the entry of its exception.
pub fn instruction(address: u32, first: u16, second: Option<u16>) -> Instruction {
    let op = decode(first, second);
    let (reads, writes) = registers(op);
    let (flags_read, flags_written) = flags(op);
    Instruction {
        bytes: bytes(first),
        flow: flow(address, op),
        reads,
        writes,
        flags_read,
        flags_written,
        access: access(address, op),
        cycles: cycles(op),
        system: system(op),
    }
}

fn flow(address: u32, op: Op) -> Flow {
    match effect_of(address, op) {
        Effect::Branch(to) => Flow::Branch(to),
        Effect::BranchIf { to, .. } => Flow::BranchIf(to),
        Effect::Call(to) => Flow::Call(to),
        Effect::CallRegister(_) => Flow::IndirectCall,
        Effect::Jump { rm: LR, .. } => Flow::Return,
        Effect::Jump { .. } => Flow::Indirect,
        Effect::Pop(registers) if registers >> PC & 1 != 0 => Flow::Return,
        Effect::Service => Flow::Service,
        Effect::Stop if op == Op::Undefined => Flow::Undefined,
        Effect::Stop => Flow::Breakpoint,
        _ => Flow::Next,
    }
}

fn system(op: Op) -> Option<crate::System> {
    let Op::System(system) = op else { return None };
    Some(match system {
        System::Svc | System::Bkpt => return None,
        System::Cps { disable: true } => crate::System::Mask,
        System::Cps { disable: false } => crate::System::Unmask,
        System::Sev => crate::System::Event,
        System::Wfe | System::Wfi => crate::System::Wait,
        System::Barrier => crate::System::Barrier,
        System::Mrs { special: IPSR, .. } => crate::System::ReadException,
        System::Mrs { .. } | System::Msr { .. } => crate::System::Register,
    })
}

/// The registers that an instruction reads, and those that it may change.
pub(super) fn registers(op: Op) -> (RegisterSet, RegisterSet) {
    const NONE: RegisterSet = RegisterSet::NONE;
    let one = RegisterSet::of;
    let two = |a: Reg, b: Reg| one(a).with(one(b));
    let listed = |list: u8| RegisterSet(list.into());
    match op {
        Op::LslImm { rd, rm, .. } | Op::LsrImm { rd, rm, .. } | Op::AsrImm { rd, rm, .. } => {
            (one(rm), one(rd))
        }
        Op::AddReg { rd, rn, rm } | Op::SubReg { rd, rn, rm } => (two(rn, rm), one(rd)),
        Op::AddImm { rd, rn, .. } | Op::SubImm { rd, rn, .. } => (one(rn), one(rd)),
        Op::MovImm { rd, .. } => (NONE, one(rd)),
        Op::CmpImm { rn, .. } => (one(rn), NONE),
        Op::And { rd, rm }
        | Op::Eor { rd, rm }
        | Op::LslReg { rd, rm }
        | Op::LsrReg { rd, rm }
        | Op::AsrReg { rd, rm }
        | Op::Adc { rd, rm }
        | Op::Sbc { rd, rm }
        | Op::Ror { rd, rm }
        | Op::Orr { rd, rm }
        | Op::Mul { rd, rm }
        | Op::Bic { rd, rm }
        | Op::AddHigh { rd, rm } => (two(rd, rm), one(rd)),
        Op::AddAny { rd: PC, rm } => (two(PC, rm), NONE),
        Op::AddAny { rd, rm } => (two(rd, rm), one(rd)),
        Op::MovAny { rd: PC, rm } => (one(rm), NONE),
        Op::MovAny { rd, rm } | Op::MovHigh { rd, rm } | Op::Mvn { rd, rm } => (one(rm), one(rd)),
        Op::Tst { rn, rm } | Op::Cmp { rn, rm } | Op::Cmn { rn, rm } | Op::CmpAny { rn, rm } => {
            (two(rn, rm), NONE)
        }
        Op::Rsb { rd, rn } => (one(rn), one(rd)),
        Op::Bx { rm } => (one(rm), NONE),
        Op::Blx { rm } => (one(rm), one(LR)),
        Op::Bl { .. } => (NONE, one(LR)),
        Op::LdrLit { rt, .. } => (one(PC), one(rt)),
        Op::LdrReg { rt, rn, rm }
        | Op::LdrhReg { rt, rn, rm }
        | Op::LdrbReg { rt, rn, rm }
        | Op::LdrshReg { rt, rn, rm }
        | Op::LdrsbReg { rt, rn, rm } => (two(rn, rm), one(rt)),
        Op::StrReg { rt, rn, rm } | Op::StrhReg { rt, rn, rm } | Op::StrbReg { rt, rn, rm } => {
            (two(rn, rm).with(one(rt)), NONE)
        }
        Op::LdrImm { rt, rn, .. } | Op::LdrhImm { rt, rn, .. } | Op::LdrbImm { rt, rn, .. } => {
            (one(rn), one(rt))
        }
        Op::StrImm { rt, rn, .. } | Op::StrhImm { rt, rn, .. } | Op::StrbImm { rt, rn, .. } => {
            (two(rn, rt), NONE)
        }
        Op::LdrSp { rt, .. } => (one(SP), one(rt)),
        Op::StrSp { rt, .. } => (two(SP, rt), NONE),
        Op::Adr { rd, .. } => (one(PC), one(rd)),
        Op::AddRdSp { rd, .. } => (one(SP), one(rd)),
        Op::AdjustSp { .. } => (one(SP), one(SP)),
        Op::Sxth { rd, rm }
        | Op::Sxtb { rd, rm }
        | Op::Uxth { rd, rm }
        | Op::Uxtb { rd, rm }
        | Op::Rev { rd, rm }
        | Op::Rev16 { rd, rm }
        | Op::Revsh { rd, rm } => (one(rm), one(rd)),
        Op::Push { list, lr } => {
            let link = if lr { one(LR) } else { NONE };
            (listed(list).with(link).with(one(SP)), one(SP))
        }
        Op::Pop { list } | Op::PopPc { list } => (one(SP), listed(list).with(one(SP))),
        Op::Stm { rn, list } => (listed(list).with(one(rn)), one(rn)),
        Op::Ldm { rn, list } => (one(rn), listed(list).with(one(rn))),
        Op::System(system) => registers_of_system(system),
        Op::BCond { .. } | Op::B { .. } | Op::Nop => (NONE, NONE),
        Op::Undecoded | Op::Breakpoint | Op::Undefined => (NONE, NONE),
    }
}

/// MSP and PSP may be the stack pointer in use, and CONTROL chooses which is.
fn registers_of_system(system: System) -> (RegisterSet, RegisterSet) {
    const NONE: RegisterSet = RegisterSet::NONE;
    let one = RegisterSet::of;
    match system {
        System::Mrs { rd, special: MSP | PSP } => (one(SP), one(rd)),
        System::Mrs { rd, .. } => (NONE, one(rd)),
        System::Msr { rn, special: MSP | PSP | CONTROL } => (one(rn), one(SP)),
        System::Msr { rn, .. } => (one(rn), NONE),
        _ => (NONE, NONE),
    }
}

/// The flags that an instruction reads, and those that it may change.
fn flags(op: Op) -> (u32, u32) {
    match op {
        // A shift by no bits leaves the carry.
        Op::LslImm { n: 0, .. } | Op::MovImm { .. } => (0, N | Z),
        Op::LslImm { .. } | Op::LsrImm { .. } | Op::AsrImm { .. } => (0, N | Z | C),
        Op::LslReg { .. } | Op::LsrReg { .. } | Op::AsrReg { .. } | Op::Ror { .. } => {
            (0, N | Z | C)
        }
        Op::And { .. }
        | Op::Eor { .. }
        | Op::Tst { .. }
        | Op::Orr { .. }
        | Op::Mul { .. }
        | Op::Bic { .. }
        | Op::Mvn { .. } => (0, N | Z),
        Op::Adc { .. } | Op::Sbc { .. } => (C, N | Z | C | V),
        Op::AddReg { .. }
        | Op::SubReg { .. }
        | Op::AddImm { .. }
        | Op::SubImm { .. }
        | Op::CmpImm { .. }
        | Op::Rsb { .. }
        | Op::Cmp { .. }
        | Op::Cmn { .. }
        | Op::CmpAny { .. } => (0, N | Z | C | V),
        Op::BCond { condition, .. } => (flags_of(condition), 0),
        // The application's flags, with or without the rest of xPSR (B5.2.2).
        Op::System(System::Mrs { special: 0..=3, .. }) => (N | Z | C | V, 0),
        Op::System(System::Msr { special: 0..=3, .. }) => (0, N | Z | C | V),
        _ => (0, 0),
    }
}

/// The flags that decide about a condition (ARMv6-M Architecture Reference Manual, A6.3).
fn flags_of(condition: Condition) -> u32 {
    match condition {
        Condition::Eq | Condition::Ne => Z,
        Condition::Cs | Condition::Cc => C,
        Condition::Mi | Condition::Pl => N,
        Condition::Vs | Condition::Vc => V,
        Condition::Hi | Condition::Ls => C | Z,
        Condition::Ge | Condition::Lt => N | V,
        Condition::Gt | Condition::Le => N | Z | V,
    }
}

fn access(address: u32, op: Op) -> Option<Access> {
    let single = |write, width, place| Some(Access { write, place, width, count: 1 });
    let near = |rn: Reg, offset: u16| Place::Base { base: rn, index: None, offset: offset.into() };
    let indexed = |rn, rm| Place::Base { base: rn, index: Some(rm), offset: 0 };
    let words = |write, base, offset, count| {
        let place = Place::Base { base, index: None, offset };
        Some(Access { write, place, width: Width::Word, count })
    };
    match op {
        Op::LdrLit { .. } => match effect_of(address, op) {
            Effect::Literal { address, .. } => single(false, Width::Word, Place::Fixed(address)),
            _ => None,
        },
        Op::LdrReg { rn, rm, .. } => single(false, Width::Word, indexed(rn, rm)),
        Op::LdrhReg { rn, rm, .. } | Op::LdrshReg { rn, rm, .. } => {
            single(false, Width::Half, indexed(rn, rm))
        }
        Op::LdrbReg { rn, rm, .. } | Op::LdrsbReg { rn, rm, .. } => {
            single(false, Width::Byte, indexed(rn, rm))
        }
        Op::StrReg { rn, rm, .. } => single(true, Width::Word, indexed(rn, rm)),
        Op::StrhReg { rn, rm, .. } => single(true, Width::Half, indexed(rn, rm)),
        Op::StrbReg { rn, rm, .. } => single(true, Width::Byte, indexed(rn, rm)),
        Op::LdrImm { rn, offset, .. } => single(false, Width::Word, near(rn, offset.into())),
        Op::LdrhImm { rn, offset, .. } => single(false, Width::Half, near(rn, offset.into())),
        Op::LdrbImm { rn, offset, .. } => single(false, Width::Byte, near(rn, offset.into())),
        Op::StrImm { rn, offset, .. } => single(true, Width::Word, near(rn, offset.into())),
        Op::StrhImm { rn, offset, .. } => single(true, Width::Half, near(rn, offset.into())),
        Op::StrbImm { rn, offset, .. } => single(true, Width::Byte, near(rn, offset.into())),
        Op::LdrSp { offset, .. } => single(false, Width::Word, near(SP, offset)),
        Op::StrSp { offset, .. } => single(true, Width::Word, near(SP, offset)),
        Op::Push { list, lr } => {
            let count = list.count_ones() + u32::from(lr);
            words(true, SP, -4 * count as i32, count)
        }
        Op::Pop { list } => words(false, SP, 0, list.count_ones()),
        Op::PopPc { list } => words(false, SP, 0, list.count_ones() + 1),
        Op::Stm { rn, list } => words(true, rn, 0, list.count_ones()),
        Op::Ldm { rn, list } => words(false, rn, 0, list.count_ones()),
        _ => None,
    }
}

/// Cortex-M0+ Technical Reference Manual (DDI 0484C), section 3.3.
fn cycles(op: Op) -> Cycles {
    let always = |cycles: u64| Cycles::always(cycles as u32);
    let several = |count: u32| always(MULTIPLE + u64::from(count));
    match op {
        Op::LdrLit { .. }
        | Op::LdrReg { .. }
        | Op::LdrhReg { .. }
        | Op::LdrbReg { .. }
        | Op::LdrshReg { .. }
        | Op::LdrsbReg { .. }
        | Op::StrReg { .. }
        | Op::StrhReg { .. }
        | Op::StrbReg { .. }
        | Op::LdrImm { .. }
        | Op::LdrhImm { .. }
        | Op::LdrbImm { .. }
        | Op::StrImm { .. }
        | Op::StrhImm { .. }
        | Op::StrbImm { .. }
        | Op::LdrSp { .. }
        | Op::StrSp { .. } => always(LOAD_STORE),
        Op::Push { list, lr } => several(list.count_ones() + u32::from(lr)),
        Op::Pop { list } | Op::Stm { list, .. } | Op::Ldm { list, .. } => {
            several(list.count_ones())
        }
        Op::PopPc { list } => always(MULTIPLE + u64::from(list.count_ones()) + 1 + BRANCH),
        Op::BCond { .. } => Cycles { next: SIMPLE as u32, taken: BRANCH as u32 },
        Op::B { .. } | Op::Bx { .. } | Op::Blx { .. } => always(BRANCH),
        Op::AddAny { rd: PC, .. } | Op::MovAny { rd: PC, .. } => always(BRANCH),
        Op::Bl { .. } => always(BRANCH_LINK),
        Op::System(system) => match system {
            System::Svc | System::Bkpt => always(0),
            System::Cps { .. } | System::Sev => always(SIMPLE),
            System::Wfe | System::Wfi => always(WAIT),
            System::Barrier | System::Mrs { .. } | System::Msr { .. } => always(SPECIAL),
        },
        Op::Undefined | Op::Undecoded | Op::Breakpoint => always(0),
        _ => always(SIMPLE),
    }
}
