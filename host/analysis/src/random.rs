// SPDX-License-Identifier: MIT OR Apache-2.0
//! Numbers for tests, the same each time (xorshift64*).

pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32) as u32
    }

    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        self.next() % bound
    }
}
