// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the arithmetic of instructions computes, and what it does to SREG: AVR Instruction Set Manual, chapter
//! "Instruction Description".
//!
//! The one place that says so. The core computes with its own flags, tools with [`TracedFlags`], which know which flags
//! were looked at and which were set.

use crate::TracedFlags;

/// Bits of SREG.
pub(super) const C: u8 = 1 << 0;
pub(super) const Z: u8 = 1 << 1;
pub(super) const N: u8 = 1 << 2;
pub(super) const V: u8 = 1 << 3;
pub(super) const S: u8 = 1 << 4;
pub(super) const H: u8 = 1 << 5;
pub(super) const T: u8 = 1 << 6;
pub(super) const I: u8 = 1 << 7;

/// Bits of the words below that are the flags.
pub(super) const TOP: u32 = 1 << 7;
pub(super) const HALF: u32 = 1 << 4;
pub(super) const CARRY: u32 = 1 << 8;

/// SREG, however it is kept. Flags are set as bits of what they come from: few instructions look at what nearly all of
/// them compute.
pub trait FlagAccess {
    /// A flag, by its bit of SREG.
    fn get(&mut self, flag: u8) -> bool;
    /// Sets or clears a flag.
    fn set(&mut self, flag: u8, on: bool);
    /// C becomes bit 8.
    fn set_carry(&mut self, word: u32);
    /// H becomes bit 4.
    fn set_half(&mut self, word: u32);
    /// Z tells whether all bits are 0.
    fn set_zero(&mut self, word: u32);
    /// Z remains set only if all bits are 0.
    fn keep_zero(&mut self, word: u32);
    /// N and V become bits 7, and S the exclusive or of them.
    fn set_signs(&mut self, result: u32, overflow: u32);
}

/// An operation on two bytes. Those of one byte take the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alu {
    /// The sum.
    Add,
    /// The sum and C.
    AddCarry,
    /// The difference.
    Subtract,
    /// The difference less C; Z is cleared, and never set.
    SubtractCarry,
    /// AND.
    And,
    /// OR.
    Or,
    /// Exclusive OR.
    Xor,
    /// The complement.
    Not,
    /// The difference of 0 and the first one.
    Negate,
    /// One more.
    Increment,
    /// One less.
    Decrement,
    /// Shift right by one, with the sign.
    ShiftRightSigned,
    /// Shift right by one.
    ShiftRight,
    /// Shift right by one through C.
    RotateRight,
    /// Halves exchanged, without flags.
    Swap,
    /// T becomes a bit, which the second one has.
    StoreBit,
    /// A bit, which the second one has, becomes T.
    LoadBit,
    /// Bits set, without flags.
    SetBits,
    /// Bits cleared, without flags.
    ClearBits,
}

impl Alu {
    /// Computes, and sets flags.
    #[inline(always)]
    pub fn apply<F: FlagAccess>(self, flags: &mut F, a: u8, b: u8) -> u8 {
        match self {
            Alu::Add => {
                flags.set_carry(0);
                add_carry(flags, a, b)
            }
            Alu::AddCarry => add_carry(flags, a, b),
            Alu::Subtract => subtract(flags, a, b),
            Alu::SubtractCarry => subtract_carry(flags, a, b),
            Alu::And => logical(flags, a & b),
            Alu::Or => logical(flags, a | b),
            Alu::Xor => logical(flags, a ^ b),
            Alu::Not => {
                flags.set_carry(CARRY);
                logical(flags, !a)
            }
            Alu::Negate => subtract(flags, 0, a),
            Alu::Increment => {
                let sum = a.wrapping_add(1);
                result(flags, sum, u32::from(!a & sum))
            }
            Alu::Decrement => {
                let difference = a.wrapping_sub(1);
                result(flags, difference, u32::from(a & !difference))
            }
            Alu::ShiftRightSigned => shift_right(flags, a, a),
            Alu::ShiftRight => shift_right(flags, a, 0),
            Alu::RotateRight => {
                let top = if flags.get(C) { TOP as u8 } else { 0 };
                shift_right(flags, a, top)
            }
            Alu::Swap => a.rotate_left(4),
            Alu::StoreBit => {
                flags.set(T, a & b != 0);
                a
            }
            Alu::LoadBit => a & !b | if flags.get(T) { b } else { 0 },
            Alu::SetBits => a | b,
            Alu::ClearBits => a & !b,
        }
    }
}

/// Z, N, V and S.
#[inline(always)]
fn result<F: FlagAccess>(flags: &mut F, result: u8, overflow: u32) -> u8 {
    flags.set_zero(result.into());
    flags.set_signs(result.into(), overflow);
    result
}

#[inline(always)]
fn logical<F: FlagAccess>(flags: &mut F, value: u8) -> u8 {
    result(flags, value, 0)
}

/// `a + b + C`.
#[inline(always)]
fn add_carry<F: FlagAccess>(flags: &mut F, a: u8, b: u8) -> u8 {
    let (a, b) = (u32::from(a), u32::from(b));
    let sum = a + b + u32::from(flags.get(C));
    flags.set_carry(sum);
    flags.set_half(a ^ b ^ sum);
    result(flags, sum as u8, (a ^ sum) & (b ^ sum))
}

/// `a - b`.
#[inline(always)]
fn subtract<F: FlagAccess>(flags: &mut F, a: u8, b: u8) -> u8 {
    flags.set_carry(0);
    flags.set_zero(0);
    subtract_carry(flags, a, b)
}

/// `a - b - C`; Z remains cleared if it was.
#[inline(always)]
fn subtract_carry<F: FlagAccess>(flags: &mut F, a: u8, b: u8) -> u8 {
    let (a, b) = (u32::from(a), u32::from(b));
    let difference = a.wrapping_sub(b).wrapping_sub(u32::from(flags.get(C)));
    flags.set_carry(difference);
    flags.set_half(a ^ b ^ difference);
    flags.keep_zero(difference & 0xFF);
    flags.set_signs(difference, (a ^ b) & (a ^ difference));
    difference as u8
}

/// A shift of `a` to the right by one; `top` is the bit that becomes the highest. V is the
/// exclusive or of N and C.
#[inline(always)]
fn shift_right<F: FlagAccess>(flags: &mut F, a: u8, top: u8) -> u8 {
    let shifted = a >> 1 | top & TOP as u8;
    flags.set_carry(u32::from(a) << 8);
    result(flags, shifted, u32::from(shifted ^ a << 7))
}

/// An operation on a word and a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordAlu {
    /// The sum, without flags.
    Sum,
    /// ADIW; H stays.
    Add,
    /// SBIW; H stays.
    Subtract,
}

impl WordAlu {
    /// Computes, and sets flags.
    #[inline(always)]
    pub fn apply<F: FlagAccess>(self, flags: &mut F, a: u16, b: u16) -> u16 {
        match self {
            WordAlu::Sum => a.wrapping_add(b),
            WordAlu::Add => {
                let result = a.wrapping_add(b);
                word(flags, result, !a & result, a & !result)
            }
            WordAlu::Subtract => {
                let result = a.wrapping_sub(b);
                word(flags, result, a & !result, !a & result)
            }
        }
    }
}

/// The top bits of `overflow` and `carry` are V and C.
#[inline(always)]
fn word<F: FlagAccess>(flags: &mut F, result: u16, overflow: u16, carry: u16) -> u16 {
    flags.set_zero(result.into());
    flags.set_carry(u32::from(carry) >> 7);
    flags.set_signs(u32::from(result >> 8), u32::from(overflow >> 8));
    result
}

/// A multiplication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Product {
    /// Whether the first factor has a sign.
    pub signed: bool,
    /// Whether the second one has.
    pub both: bool,
    /// Whether the result is twice the product.
    pub fractional: bool,
}

impl Product {
    /// Multiplies: C is the top bit of the product, Z is of the result. The others stay.
    #[inline(always)]
    pub fn apply<F: FlagAccess>(self, flags: &mut F, a: u8, b: u8) -> u16 {
        let number = |value: u8, signed| match signed {
            true => i32::from(value as i8),
            false => i32::from(value),
        };
        let product = (number(a, self.signed) * number(b, self.both)) as u16;
        let result = if self.fractional { product << 1 } else { product };
        flags.set_carry(u32::from(product) >> 7);
        flags.set_zero(result.into());
        result
    }
}

impl FlagAccess for TracedFlags {
    fn get(&mut self, flag: u8) -> bool {
        TracedFlags::get(self, flag.into())
    }

    fn set(&mut self, flag: u8, on: bool) {
        TracedFlags::set(self, flag.into(), on);
    }

    fn set_carry(&mut self, word: u32) {
        FlagAccess::set(self, C, word & CARRY != 0);
    }

    fn set_half(&mut self, word: u32) {
        FlagAccess::set(self, H, word & HALF != 0);
    }

    fn set_zero(&mut self, word: u32) {
        FlagAccess::set(self, Z, word == 0);
    }

    fn keep_zero(&mut self, word: u32) {
        let before = FlagAccess::get(self, Z);
        FlagAccess::set(self, Z, before & (word == 0));
    }

    fn set_signs(&mut self, result: u32, overflow: u32) {
        FlagAccess::set(self, N, result & TOP != 0);
        FlagAccess::set(self, V, overflow & TOP != 0);
        FlagAccess::set(self, S, (result ^ overflow) & TOP != 0);
    }
}
