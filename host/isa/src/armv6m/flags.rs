// SPDX-License-Identifier: MIT OR Apache-2.0
//! The condition flags, and the arithmetic that sets them.

use super::op::Condition;

/// N, Z, C and V. N and Z are kept as the result that set them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(super) struct Flags {
    /// Negative: N. Low 32 bits zero: Z. Both at once only when written as bits.
    result: i64,
    pub(super) c: bool,
    v: bool,
}

const N: u32 = 1 << 31;
const Z: u32 = 1 << 30;
const C: u32 = 1 << 29;
const V: u32 = 1 << 28;

impl Flags {
    /// From the top four bits of an xPSR.
    pub(super) fn from_bits(bits: u32) -> Flags {
        let result = match (bits & N != 0, bits & Z != 0) {
            (false, false) => 1,
            (false, true) => 0,
            (true, false) => -1,
            (true, true) => i64::MIN,
        };
        Flags { result, c: bits & C != 0, v: bits & V != 0 }
    }

    /// As the top four bits of an xPSR.
    pub(super) fn bits(self) -> u32 {
        let bit = |set, bit| if set { bit } else { 0 };
        bit(self.n(), N) | bit(self.z(), Z) | bit(self.c, C) | bit(self.v, V)
    }

    #[inline(always)]
    fn n(self) -> bool {
        self.result < 0
    }

    #[inline(always)]
    fn z(self) -> bool {
        self.result as u32 == 0
    }

    /// Sets N and Z from `result`, which is returned.
    #[inline(always)]
    pub(super) fn logical(&mut self, result: u32) -> u32 {
        self.result = i64::from(result as i32);
        result
    }

    /// All flags of `a + b`.
    #[inline(always)]
    pub(super) fn add(&mut self, a: u32, b: u32) -> u32 {
        self.c = a.overflowing_add(b).1;
        self.v = (a as i32).overflowing_add(b as i32).1;
        self.logical(a.wrapping_add(b))
    }

    /// All flags of `a - b`; C is set when there is no borrow.
    #[inline(always)]
    pub(super) fn sub(&mut self, a: u32, b: u32) -> u32 {
        self.c = a >= b;
        self.v = (a as i32).overflowing_sub(b as i32).1;
        self.logical(a.wrapping_sub(b))
    }

    /// All flags of `a + b + C`. Subtraction with borrow is the same with `b` inverted.
    #[inline(always)]
    pub(super) fn add_carry(&mut self, a: u32, b: u32) -> u32 {
        let sum = u64::from(a) + u64::from(b) + u64::from(self.c);
        let result = sum as u32;
        self.c = sum >> 32 != 0;
        self.v = (a ^ result) & (b ^ result) & N != 0;
        self.logical(result)
    }

    /// Shift left by 0 to 255. By 0, C stays.
    #[inline(always)]
    pub(super) fn lsl(&mut self, value: u32, n: u32) -> u32 {
        // In 64 bits the last bit shifted out is bit 32.
        let wide = u64::from(value).checked_shl(n).unwrap_or(0);
        if n != 0 {
            self.c = wide >> 32 & 1 != 0;
        }
        self.logical(wide as u32)
    }

    /// Logical shift right by 0 to 255. By 0, C stays.
    #[inline(always)]
    pub(super) fn lsr(&mut self, value: u32, n: u32) -> u32 {
        // With a zero below, the last bit shifted out is bit 31 of the lower half.
        let wide = (u64::from(value) << 32).checked_shr(n).unwrap_or(0);
        if n != 0 {
            self.c = wide >> 31 & 1 != 0;
        }
        self.logical((wide >> 32) as u32)
    }

    /// Arithmetic shift right by 0 to 255. By 0, C stays.
    #[inline(always)]
    pub(super) fn asr(&mut self, value: u32, n: u32) -> u32 {
        let wide = (i64::from(value as i32) << 32) >> n.min(63);
        if n != 0 {
            self.c = wide >> 31 & 1 != 0;
        }
        self.logical((wide >> 32) as u32)
    }

    /// Rotate right by 0 to 255. By 0, C stays; otherwise it is the result's top bit.
    #[inline(always)]
    pub(super) fn ror(&mut self, value: u32, n: u32) -> u32 {
        let result = value.rotate_right(n & 31);
        if n != 0 {
            self.c = result & N != 0;
        }
        self.logical(result)
    }

    /// Whether a condition holds.
    #[inline(always)]
    pub(super) fn hold(self, condition: Condition) -> bool {
        match condition {
            Condition::Eq => self.z(),
            Condition::Ne => !self.z(),
            Condition::Cs => self.c,
            Condition::Cc => !self.c,
            Condition::Mi => self.n(),
            Condition::Pl => !self.n(),
            Condition::Vs => self.v,
            Condition::Vc => !self.v,
            Condition::Hi => self.c && !self.z(),
            Condition::Ls => !self.c || self.z(),
            Condition::Ge => self.n() == self.v,
            Condition::Lt => self.n() != self.v,
            Condition::Gt => !self.z() && self.n() == self.v,
            Condition::Le => self.z() || self.n() != self.v,
        }
    }
}
