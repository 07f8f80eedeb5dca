// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an instruction does to the flow of code, to the stack pointer and to known values: for those
//! who read code without executing it.

use super::decode::decode;
use super::describe;
use super::op::{Op, System};

pub use super::op::Condition;

/// Number of the stack pointer.
pub const SP: u8 = 13;
/// Number of the link register.
pub const LR: u8 = 14;
/// Number of the program counter.
pub const PC: u8 = 15;

/// What an instruction does. Registers are numbers from 0 to 15, and bits of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The next instruction follows, and the values of these registers are others.
    Changes(u16),
    /// `rd` becomes a constant.
    Constant {
        /// The register.
        rd: u8,
        /// Its value.
        value: u32,
    },
    /// `rd` becomes the complement of `rm`.
    Invert {
        /// The register.
        rd: u8,
        /// The other one.
        rm: u8,
    },
    /// `rd` becomes the word at an address that the instruction says.
    Literal {
        /// The register.
        rd: u8,
        /// Address of the word.
        address: u32,
    },
    /// `rd` becomes the word at `rn` and `offset`.
    Load {
        /// The register.
        rd: u8,
        /// The base.
        rn: u8,
        /// Bytes from it.
        offset: u32,
    },
    /// `rt` goes to the stack, at `offset` from the stack pointer.
    Store {
        /// The register.
        rt: u8,
        /// Bytes from the stack pointer.
        offset: u32,
    },
    /// `rd` becomes `rn` and `addend`.
    Add {
        /// The register.
        rd: u8,
        /// The other one; the stack pointer too.
        rn: u8,
        /// What is added.
        addend: i32,
    },
    /// `rd` becomes the sum of itself and `rm`.
    Sum {
        /// The register; the stack pointer too.
        rd: u8,
        /// What is added.
        rm: u8,
    },
    /// `rd` becomes `rm` shifted left.
    ShiftLeft {
        /// The register.
        rd: u8,
        /// The other one.
        rm: u8,
        /// How far; not 0.
        bits: u8,
    },
    /// The flags tell how `rn` compares with a constant.
    Compare {
        /// The register.
        rn: u8,
        /// The constant.
        value: u32,
    },
    /// These registers go to the stack.
    Push(u16),
    /// These registers come from the stack. With the program counter among them, the function returns.
    Pop(u16),
    /// Execution continues at the address.
    Branch(u32),
    /// Execution continues at the address, or at the next instruction.
    BranchIf {
        /// The address.
        to: u32,
        /// When it goes there.
        condition: Condition,
    },
    /// Execution continues where a register says, or where a sum of registers does: then `rm` is the
    /// program counter.
    Jump {
        /// The register.
        rm: u8,
        /// Whether it is BX, which returns from functions and exceptions; not a move to the program
        /// counter, which stays in its function.
        exchanges: bool,
    },
    /// A function at the address is called.
    Call(u32),
    /// A function is called whose address is in the register.
    CallRegister(u8),
    /// An exception is requested: SVC.
    Service,
    /// Interrupts are masked from here on, or unmasked.
    Mask(bool),
    /// `rd` becomes the value of a special register.
    ReadSpecial {
        /// The register.
        rd: u8,
        /// Number of the special register (ARMv6-M Architecture Reference Manual, B5.2).
        special: u8,
    },
    /// A special register takes the value of `rn`.
    Special {
        /// Its number (ARMv6-M Architecture Reference Manual, B5.2).
        special: u8,
        /// The register.
        rn: u8,
    },
    /// Execution ends here: an undefined instruction, or a breakpoint.
    Stop,
}

/// What the instruction at `address` does, and how many bytes it has. `second` is the halfword behind
/// `first`, if there is one.
pub fn effect(address: u32, first: u16, second: Option<u16>) -> (Effect, u32) {
    (effect_of(address, decode(first, second)), describe::bytes(first))
}

pub(super) fn effect_of(address: u32, op: Op) -> Effect {
    let here = address.wrapping_add(4);
    let to = |halfwords: i32| here.wrapping_add_signed(halfwords * 2);
    let word = |words: u8| (here & !3).wrapping_add(u32::from(words) * 4);
    let add = |rd, rn, addend| Effect::Add { rd, rn, addend };
    match op {
        Op::LslImm { rd, rm, n: 0 } | Op::MovHigh { rd, rm } => add(rd, rm, 0),
        Op::LslImm { rd, rm, n } => Effect::ShiftLeft { rd, rm, bits: n },
        Op::MovAny { rd: PC, rm } => Effect::Jump { rm, exchanges: false },
        Op::Bx { rm } => Effect::Jump { rm, exchanges: true },
        Op::MovAny { rd, rm } => add(rd, rm, 0),
        Op::AddAny { rd: PC, .. } => Effect::Jump { rm: PC, exchanges: false },
        Op::AddHigh { rd, rm } | Op::AddAny { rd, rm } => Effect::Sum { rd, rm },
        Op::AddReg { rd, rn, rm } if rd == rn => Effect::Sum { rd, rm },
        Op::AddReg { rd, rn, rm } if rd == rm => Effect::Sum { rd, rm: rn },
        Op::AddImm { rd, rn, imm } => add(rd, rn, imm.into()),
        Op::SubImm { rd, rn, imm } => add(rd, rn, -i32::from(imm)),
        Op::AddRdSp { rd, offset } => add(rd, SP, offset.into()),
        Op::AdjustSp { offset } => add(SP, SP, offset.into()),
        Op::MovImm { rd, imm } => Effect::Constant { rd, value: imm.into() },
        Op::Adr { rd, words } => Effect::Constant { rd, value: word(words) },
        Op::Mvn { rd, rm } => Effect::Invert { rd, rm },
        Op::CmpImm { rn, imm } => Effect::Compare { rn, value: imm.into() },
        Op::LdrLit { rt, words } => Effect::Literal { rd: rt, address: word(words) },
        Op::LdrImm { rt, rn, offset } => Effect::Load { rd: rt, rn, offset: offset.into() },
        Op::LdrSp { rt, offset } => Effect::Load { rd: rt, rn: SP, offset: offset.into() },
        Op::StrSp { rt, offset } => Effect::Store { rt, offset: offset.into() },
        Op::Push { list, lr } => Effect::Push(u16::from(list) | u16::from(lr) << LR),
        Op::Pop { list } => Effect::Pop(list.into()),
        Op::PopPc { list } => Effect::Pop(u16::from(list) | 1 << PC),
        Op::B { offset } => Effect::Branch(to(offset.into())),
        Op::BCond { condition, offset } => Effect::BranchIf { to: to(offset.into()), condition },
        Op::Bl { high, low } => Effect::Call(to(i32::from(high) << 16 | i32::from(low))),
        Op::Blx { rm } => Effect::CallRegister(rm),
        Op::System(system) => effect_of_system(system),
        Op::Undefined | Op::Undecoded | Op::Breakpoint => Effect::Stop,
        _ => {
            let (_, writes) = describe::registers(op);
            Effect::Changes(writes.0 as u16)
        }
    }
}

fn effect_of_system(system: System) -> Effect {
    match system {
        System::Svc => Effect::Service,
        System::Bkpt => Effect::Stop,
        System::Cps { disable } => Effect::Mask(disable),
        System::Msr { rn, special } => Effect::Special { special, rn },
        System::Mrs { rd, special } => Effect::ReadSpecial { rd, special },
        System::Sev | System::Wfe | System::Wfi | System::Barrier => Effect::Changes(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(first: u16) -> Effect {
        effect(0x100, first, None).0
    }

    #[test]
    fn the_stack_pointer_is_followed() {
        assert_eq!(of(0xb570), Effect::Push(0x4070), "push {{r4, r5, r6, lr}}");
        assert_eq!(of(0xbd70), Effect::Pop(0x8070), "pop {{r4, r5, r6, pc}}");
        assert_eq!(of(0xb08d), Effect::Add { rd: SP, rn: SP, addend: -52 }, "sub sp, #52");
        assert_eq!(of(0x46a5), Effect::Add { rd: SP, rn: 4, addend: 0 }, "mov sp, r4");
        assert_eq!(of(0x44a5), Effect::Sum { rd: SP, rm: 4 }, "add sp, r4");
        assert_eq!(of(0xaf02), Effect::Add { rd: 7, rn: SP, addend: 8 }, "add r7, sp, #8");
    }

    #[test]
    fn flow_is_followed() {
        assert_eq!(of(0xe7fe), Effect::Branch(0x100), "b .");
        assert_eq!(of(0xd0ff), Effect::BranchIf { to: 0x102, condition: Condition::Eq }, "beq");
        assert_eq!(of(0x4687), Effect::Jump { rm: 0, exchanges: false }, "mov pc, r0");
        assert_eq!(of(0x4770), Effect::Jump { rm: LR, exchanges: true }, "bx lr");
        assert_eq!(of(0x4798), Effect::CallRegister(3), "blx r3");
        assert_eq!(effect(0x100, 0xf7ff, Some(0xfffe)), (Effect::Call(0x100), 4), "bl .");
        assert_eq!(effect(0x100, 0xf000, Some(0xf801)), (Effect::Call(0x106), 4));
        assert_eq!(of(0xde00), Effect::Stop, "udf");
    }

    #[test]
    fn values_are_followed() {
        assert_eq!(of(0x2005), Effect::Constant { rd: 0, value: 5 });
        assert_eq!(of(0x4b02), Effect::Literal { rd: 3, address: 0x10c });
        assert_eq!(effect(0x102, 0x4b02, None).0, Effect::Literal { rd: 3, address: 0x10c });
        assert_eq!(of(0x689b), Effect::Load { rd: 3, rn: 3, offset: 8 });
        assert_eq!(of(0xcc08), Effect::Changes(0x0018), "ldmia r4!, {{r3}}");
        assert_eq!(of(0x1840), Effect::Sum { rd: 0, rm: 1 }, "adds r0, r0, r1");
        assert_eq!(of(0x1808), Effect::Sum { rd: 0, rm: 1 }, "adds r0, r1, r0");
        assert_eq!(of(0x1842), Effect::Changes(1 << 2), "adds r2, r0, r1");
        assert_eq!(of(0x9002), Effect::Store { rt: 0, offset: 8 }, "str r0, [sp, #8]");
        assert_eq!(of(0x061b), Effect::ShiftLeft { rd: 3, rm: 3, bits: 24 }, "lsls r3, r3, #24");
        assert_eq!(of(0x4053), Effect::Changes(1 << 3), "eors r3, r2");
        assert_eq!(of(0x601a), Effect::Changes(0), "str r2, [r3]");
    }
}
