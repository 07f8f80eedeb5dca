// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an instruction does to the flow of code, to the stack pointer and to known values: for those
//! who read code without executing it.

use super::access::{SPH, SPL};
use super::decode::{Decoded, decode, words};
use super::describe;
use super::op::Op;
use crate::{Flow, RegisterSet};

/// What an instruction does. Registers are numbers from 0 to 31; a pair has the number of its lower half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The next instruction follows, and the values of these registers are others. The stack pointer is
    /// not among them.
    Changes(RegisterSet),
    /// `rd` becomes a constant.
    Constant {
        /// The register.
        rd: u8,
        /// Its value.
        value: u8,
    },
    /// `rd` becomes `rr`.
    Copy {
        /// The register.
        rd: u8,
        /// The other one.
        rr: u8,
    },
    /// A pair becomes another one.
    CopyPair {
        /// The pair.
        rd: u8,
        /// The other one.
        rr: u8,
    },
    /// A constant is added to a pair.
    AddPair {
        /// The pair.
        rd: u8,
        /// What is added.
        addend: i16,
    },
    /// A constant is subtracted from `rd`.
    Subtract {
        /// The register.
        rd: u8,
        /// The constant.
        value: u8,
        /// Whether the carry is subtracted too: the upper part of a longer number.
        with_carry: bool,
    },
    /// `rr` and the carry are subtracted from `rd`.
    SubtractRegister {
        /// The register.
        rd: u8,
        /// The other one.
        rr: u8,
    },
    /// `rd` becomes a half of the stack pointer.
    ReadStackPointer {
        /// The register.
        rd: u8,
        /// Whether it is the upper half.
        high: bool,
    },
    /// A half of the stack pointer becomes `rr`.
    WriteStackPointer {
        /// The register.
        rr: u8,
        /// Whether it is the upper half.
        high: bool,
    },
    /// The register becomes SREG.
    ReadStatus(u8),
    /// SREG becomes the register, and with it the bit that masks interrupts.
    WriteStatus(u8),
    /// A register goes to the stack.
    Push(u8),
    /// A register comes from the stack.
    Pop(u8),
    /// Execution continues at the address.
    Branch(u32),
    /// Execution continues at the address, or at the next instruction.
    BranchIf(u32),
    /// Execution continues where Z says.
    Jump,
    /// A function at the address is called; two bytes go to the stack.
    Call(u32),
    /// A function is called to which Z points.
    CallPointer,
    /// RET.
    Return,
    /// RETI.
    ReturnFromInterrupt,
    /// Interrupts are masked from here on, or unmasked.
    Mask(bool),
    /// It is not an instruction.
    Stop,
}

/// What the instruction at `address` does, and how many bytes it has. `second` is the word behind
/// `first`.
pub fn effect(address: u32, first: u16, second: u16) -> (Effect, u32) {
    let bytes = 2 * u32::from(words(first));
    (effect_of(address.wrapping_add(bytes), decode(first, second)), bytes)
}

fn effect_of(next: u32, Decoded { op, defined }: Decoded) -> Effect {
    match op {
        Op::Nop if !defined => Effect::Stop,
        Op::Ldi { rd, imm } => Effect::Constant { rd, value: imm },
        Op::Eor { rd, rr } if rd == rr => Effect::Constant { rd, value: 0 },
        Op::Mov { rd, rr } => Effect::Copy { rd, rr },
        Op::Movw { rd, rr } => Effect::CopyPair { rd, rr },
        Op::Adiw { rd, imm } => Effect::AddPair { rd, addend: imm.into() },
        Op::Sbiw { rd, imm } => Effect::AddPair { rd, addend: -i16::from(imm) },
        Op::Subi { rd, imm } => Effect::Subtract { rd, value: imm, with_carry: false },
        Op::Sbci { rd, imm } => Effect::Subtract { rd, value: imm, with_carry: true },
        Op::Sbc { rd, rr } => Effect::SubtractRegister { rd, rr },
        Op::In { rd, address } => load(op, rd, address.into()),
        Op::Lds { rd, address } => load(op, rd, address),
        Op::Out { rr, address } => store(op, rr, address.into()),
        Op::Sts { rr, address } => store(op, rr, address),
        Op::InSreg { rd } => Effect::ReadStatus(rd),
        Op::OutSreg { rr } => Effect::WriteStatus(rr),
        Op::Push { rr } => Effect::Push(rr),
        Op::Pop { rd } => Effect::Pop(rd),
        Op::Reti => Effect::ReturnFromInterrupt,
        Op::Cli => Effect::Mask(true),
        Op::Sei => Effect::Mask(false),
        _ => match describe::flow(next, op) {
            Flow::Branch(to) => Effect::Branch(to),
            Flow::BranchIf(to) => Effect::BranchIf(to),
            Flow::Call(to) => Effect::Call(to),
            Flow::IndirectCall => Effect::CallPointer,
            Flow::Indirect => Effect::Jump,
            Flow::Return => Effect::Return,
            _ => changes(op),
        },
    }
}

fn changes(op: Op) -> Effect {
    Effect::Changes(describe::registers(op).1)
}

fn load(op: Op, rd: u8, address: u16) -> Effect {
    match address {
        SPL | SPH => Effect::ReadStackPointer { rd, high: address == SPH },
        _ => changes(op),
    }
}

fn store(op: Op, rr: u8, address: u16) -> Effect {
    match address {
        SPL | SPH => Effect::WriteStackPointer { rr, high: address == SPH },
        _ => changes(op),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(first: u16) -> Effect {
        effect(0x100, first, 0).0
    }

    #[test]
    fn the_stack_pointer_is_followed() {
        assert_eq!(of(0x93df), Effect::Push(29), "push r29");
        assert_eq!(of(0x91cf), Effect::Pop(28), "pop r28");
        assert_eq!(of(0xb7cd), Effect::ReadStackPointer { rd: 28, high: false }, "in r28, 0x3d");
        assert_eq!(of(0xb7de), Effect::ReadStackPointer { rd: 29, high: true }, "in r29, 0x3e");
        assert_eq!(of(0xbfde), Effect::WriteStackPointer { rr: 29, high: true }, "out 0x3e, r29");
        assert_eq!(of(0x9762), Effect::AddPair { rd: 28, addend: -0x12 }, "sbiw r28, 18");
        let subtract = |rd, value, with_carry| Effect::Subtract { rd, value, with_carry };
        assert_eq!(of(0x5cc0), subtract(28, 0xc0, false), "subi r28, 0xc0");
        assert_eq!(of(0x4fdf), subtract(29, 0xff, true), "sbci r29, 0xff");
        assert_eq!(of(0x09d1), Effect::SubtractRegister { rd: 29, rr: 1 }, "sbc r29, r1");
        let stored = effect(0x100, 0x93c0, 0x005d);
        assert_eq!(stored, (Effect::WriteStackPointer { rr: 28, high: false }, 4), "sts 0x5d, r28");
    }

    #[test]
    fn flow_is_followed() {
        assert_eq!(of(0xcfff), Effect::Branch(0x100), "rjmp .");
        assert_eq!(of(0xdfff), Effect::Call(0x100), "rcall .");
        assert_eq!(effect(0x100, 0x940e, 0x1234), (Effect::Call(0x2468), 4), "call");
        assert_eq!(of(0xf7f1), Effect::BranchIf(0xfe), "brne .-4");
        assert_eq!(effect(0x100, 0x9b5d, 0x9000).0, Effect::BranchIf(0x106), "sbis over lds");
        assert_eq!(of(0x9409), Effect::Jump, "ijmp");
        assert_eq!(of(0x9509), Effect::CallPointer, "icall");
        assert_eq!([0x9508, 0x9518].map(of), [Effect::Return, Effect::ReturnFromInterrupt]);
        assert_eq!(of(0x9419), Effect::Stop, "eijmp");
    }

    #[test]
    fn values_are_followed() {
        assert_eq!(of(0x2411), Effect::Constant { rd: 1, value: 0 }, "clr r1");
        assert_eq!(of(0xe0cf), Effect::Constant { rd: 28, value: 0x0f }, "ldi r28, 0x0f");
        assert_eq!(of(0x01fe), Effect::CopyPair { rd: 30, rr: 28 }, "movw r30, r28");
        assert_eq!(of(0x2f8c), Effect::Copy { rd: 24, rr: 28 }, "mov r24, r28");
        assert_eq!(of(0x9f01), Effect::Changes(RegisterSet(3)), "mul r16, r17");
        assert_eq!(of(0x94f8), Effect::Mask(true), "cli");
        assert_eq!(of(0xb60f), Effect::ReadStatus(0), "in r0, 0x3f");
        assert_eq!(of(0xbe0f), Effect::WriteStatus(0), "out 0x3f, r0");
    }
}
