// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the arithmetic of instructions computes, and what it does to the flags: ARMv6-M Architecture Reference Manual,
//! A2.2.1 and A6.7.
//!
//! The one place that says so. The core computes with its own flags, tools with [`TracedFlags`], which know which flags
//! were looked at and which were set.

use super::op::Condition;
use crate::TracedFlags;

/// Flags, as bits of xPSR.
pub(super) const N: u32 = 1 << 31;
pub(super) const Z: u32 = 1 << 30;
pub(super) const C: u32 = 1 << 29;
pub(super) const V: u32 = 1 << 28;

/// The flags N, Z, C and V, however they are kept.
pub trait FlagAccess {
    /// Negative.
    fn n(&mut self) -> bool;
    /// Zero.
    fn z(&mut self) -> bool;
    /// Carry.
    fn c(&mut self) -> bool;
    /// Overflow.
    fn v(&mut self) -> bool;
    /// Sets N and Z from a result, which is returned.
    fn set_result(&mut self, result: u32) -> u32;
    /// Sets C.
    fn set_c(&mut self, carry: bool);
    /// Sets V.
    fn set_v(&mut self, overflow: bool);
}

/// An operation on two values. Those of one value take the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alu {
    /// The sum, without flags.
    Sum,
    /// The bits that both have, without flags.
    Mask,
    /// The sum.
    Add,
    /// The difference; C is set when there is no borrow.
    Subtract,
    /// The sum and C.
    AddCarry,
    /// The difference less the borrow.
    SubtractCarry,
    /// The second value.
    Move,
    /// Its complement.
    Not,
    /// AND.
    And,
    /// OR.
    Or,
    /// Exclusive OR.
    Xor,
    /// AND with the complement of the second value.
    Clear,
    /// The product.
    Multiply,
    /// Shift left by 0 to 255: the low byte of the second value. By 0, C stays.
    ShiftLeft,
    /// Logical shift right, in the same way.
    ShiftRight,
    /// Arithmetic shift right, in the same way.
    ShiftRightSigned,
    /// Rotate right, in the same way; C is the top bit of the result.
    Rotate,
    /// The lower half with its sign, without flags as all below.
    SignedHalf,
    /// The lowest byte with its sign.
    SignedByte,
    /// The lower half.
    Half,
    /// The lowest byte.
    Byte,
    /// Bytes in reverse.
    Reverse,
    /// Bytes of each half in reverse.
    ReverseHalves,
    /// Bytes of the lower half in reverse, with its sign.
    ReverseSigned,
}

impl Alu {
    /// Computes, and sets flags.
    #[inline(always)]
    pub fn apply<F: FlagAccess>(self, flags: &mut F, a: u32, b: u32) -> u32 {
        match self {
            Alu::Sum => a.wrapping_add(b),
            Alu::Mask => a & b,
            Alu::Add => {
                flags.set_c(a.overflowing_add(b).1);
                flags.set_v((a as i32).overflowing_add(b as i32).1);
                flags.set_result(a.wrapping_add(b))
            }
            Alu::Subtract => {
                flags.set_c(a >= b);
                flags.set_v((a as i32).overflowing_sub(b as i32).1);
                flags.set_result(a.wrapping_sub(b))
            }
            Alu::AddCarry => add_carry(flags, a, b),
            Alu::SubtractCarry => add_carry(flags, a, !b),
            Alu::Move => flags.set_result(b),
            Alu::Not => flags.set_result(!b),
            Alu::And => flags.set_result(a & b),
            Alu::Or => flags.set_result(a | b),
            Alu::Xor => flags.set_result(a ^ b),
            Alu::Clear => flags.set_result(a & !b),
            Alu::Multiply => flags.set_result(a.wrapping_mul(b)),
            Alu::ShiftLeft => {
                // In 64 bits the last bit shifted out is bit 32.
                let wide = u64::from(a).checked_shl(b & 0xFF).unwrap_or(0);
                shifted(flags, b, wide >> 32 & 1 != 0, wide as u32)
            }
            Alu::ShiftRight => {
                // With a zero below, the last bit shifted out is bit 31 of the lower half.
                let wide = (u64::from(a) << 32).checked_shr(b & 0xFF).unwrap_or(0);
                shifted(flags, b, wide >> 31 & 1 != 0, (wide >> 32) as u32)
            }
            Alu::ShiftRightSigned => {
                let wide = (i64::from(a as i32) << 32) >> (b & 0xFF).min(63);
                shifted(flags, b, wide >> 31 & 1 != 0, (wide >> 32) as u32)
            }
            Alu::Rotate => {
                let result = a.rotate_right(b & 31);
                shifted(flags, b, result & N != 0, result)
            }
            Alu::SignedHalf => b as i16 as u32,
            Alu::SignedByte => b as i8 as u32,
            Alu::Half => b & 0xFFFF,
            Alu::Byte => b & 0xFF,
            Alu::Reverse => b.swap_bytes(),
            Alu::ReverseHalves => b.swap_bytes().rotate_left(16),
            Alu::ReverseSigned => (b as u16).swap_bytes() as i16 as u32,
        }
    }
}

/// All flags of `a + b + C`. Subtraction with borrow is the same with `b` inverted.
#[inline(always)]
fn add_carry<F: FlagAccess>(flags: &mut F, a: u32, b: u32) -> u32 {
    let sum = u64::from(a) + u64::from(b) + u64::from(flags.c());
    let result = sum as u32;
    flags.set_c(sum >> 32 != 0);
    flags.set_v((a ^ result) & (b ^ result) & N != 0);
    flags.set_result(result)
}

/// The flags of a shift by the low byte of `n`.
#[inline(always)]
fn shifted<F: FlagAccess>(flags: &mut F, n: u32, carry: bool, result: u32) -> u32 {
    if n & 0xFF != 0 {
        flags.set_c(carry);
    }
    flags.set_result(result)
}

impl Condition {
    /// Whether it holds.
    #[inline(always)]
    pub fn holds<F: FlagAccess>(self, flags: &mut F) -> bool {
        match self {
            Condition::Eq => flags.z(),
            Condition::Ne => !flags.z(),
            Condition::Cs => flags.c(),
            Condition::Cc => !flags.c(),
            Condition::Mi => flags.n(),
            Condition::Pl => !flags.n(),
            Condition::Vs => flags.v(),
            Condition::Vc => !flags.v(),
            // All flags are looked at, whatever the first one is: tools ask which decide.
            Condition::Hi => flags.c() & !flags.z(),
            Condition::Ls => !flags.c() | flags.z(),
            Condition::Ge => flags.n() == flags.v(),
            Condition::Lt => flags.n() != flags.v(),
            Condition::Gt => !flags.z() & (flags.n() == flags.v()),
            Condition::Le => flags.z() | (flags.n() != flags.v()),
        }
    }
}

impl FlagAccess for TracedFlags {
    fn n(&mut self) -> bool {
        self.get(N)
    }

    fn z(&mut self) -> bool {
        self.get(Z)
    }

    fn c(&mut self) -> bool {
        self.get(C)
    }

    fn v(&mut self) -> bool {
        self.get(V)
    }

    fn set_result(&mut self, result: u32) -> u32 {
        self.set(N, result & N != 0);
        self.set(Z, result == 0);
        result
    }

    fn set_c(&mut self, carry: bool) {
        self.set(C, carry);
    }

    fn set_v(&mut self, overflow: bool) {
        self.set(V, overflow);
    }
}
