// SPDX-License-Identifier: MIT OR Apache-2.0
//! The condition flags, as the core keeps them.

use super::alu::{C, FlagAccess, N, V, Z};

/// N, Z, C and V. N and Z are kept as the result that set them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(super) struct Flags {
    /// Negative: N. Low 32 bits zero: Z. Both at once only when written as bits.
    result: i64,
    c: bool,
    v: bool,
}

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
    pub(super) fn bits(mut self) -> u32 {
        let bit = |set, bit| if set { bit } else { 0 };
        bit(self.n(), N) | bit(self.z(), Z) | bit(self.c, C) | bit(self.v, V)
    }
}

impl FlagAccess for Flags {
    #[inline(always)]
    fn n(&mut self) -> bool {
        self.result < 0
    }

    #[inline(always)]
    fn z(&mut self) -> bool {
        self.result as u32 == 0
    }

    #[inline(always)]
    fn c(&mut self) -> bool {
        self.c
    }

    #[inline(always)]
    fn v(&mut self) -> bool {
        self.v
    }

    #[inline(always)]
    fn set_result(&mut self, result: u32) -> u32 {
        self.result = i64::from(result as i32);
        result
    }

    #[inline(always)]
    fn set_c(&mut self, carry: bool) {
        self.c = carry;
    }

    #[inline(always)]
    fn set_v(&mut self, overflow: bool) {
        self.v = overflow;
    }
}
