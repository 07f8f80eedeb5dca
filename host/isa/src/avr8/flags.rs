// SPDX-License-Identifier: MIT OR Apache-2.0
//! SREG, as the core keeps it.

use super::alu::{C, CARRY, FlagAccess, H, HALF, I, N, S, T, TOP, V, Z};

/// SREG. Flags are kept as values of which they are a bit, or zero; other bits have no meaning. Few
/// instructions look at what nearly all of them compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Flags {
    /// Z if this is zero.
    zero: u32,
    /// Bit 7 is N.
    negative: u32,
    /// Bit 7 is V.
    overflow: u32,
    /// Bit 7 is S. The exclusive or of N and V, unless the program has set flags one by one.
    sign: u32,
    /// Bit 4 is H.
    half: u32,
    /// Bit 8 is C.
    carry: u32,
    pub(super) t: bool,
    pub(super) i: bool,
}

impl From<u8> for Flags {
    // Always inline, as all others: the fast path has its flags in host registers.
    #[inline(always)]
    fn from(sreg: u8) -> Flags {
        let bit = |flag: u8, bit: u32| if sreg & flag != 0 { bit } else { 0 };
        Flags {
            zero: 1 - bit(Z, 1),
            negative: bit(N, TOP),
            overflow: bit(V, TOP),
            sign: bit(S, TOP),
            half: bit(H, HALF),
            carry: bit(C, CARRY),
            t: sreg & T != 0,
            i: sreg & I != 0,
        }
    }
}

// A saved state has the register.
impl borsh::BorshSerialize for Flags {
    fn serialize<W: std::io::Write>(&self, writer: &mut W) -> std::io::Result<()> {
        u8::from(*self).serialize(writer)
    }
}

impl borsh::BorshDeserialize for Flags {
    fn deserialize_reader<R: std::io::Read>(reader: &mut R) -> std::io::Result<Flags> {
        u8::deserialize_reader(reader).map(Flags::from)
    }
}

impl From<Flags> for u8 {
    #[inline(always)]
    fn from(mut flags: Flags) -> u8 {
        let mut bit = |flag| if flags.get(flag) { flag } else { 0 };
        let low = bit(C) | bit(Z) | bit(N) | bit(V);
        low | bit(S) | bit(H) | bit(T) | bit(I)
    }
}

impl FlagAccess for Flags {
    #[inline(always)]
    fn get(&mut self, flag: u8) -> bool {
        match flag {
            C => self.carry & CARRY != 0,
            Z => self.zero == 0,
            N => self.negative & TOP != 0,
            V => self.overflow & TOP != 0,
            S => self.sign & TOP != 0,
            H => self.half & HALF != 0,
            T => self.t,
            _ => self.i,
        }
    }

    #[inline(always)]
    fn set(&mut self, flag: u8, on: bool) {
        let top = if on { TOP } else { 0 };
        match flag {
            C => self.carry = if on { CARRY } else { 0 },
            Z => self.zero = u32::from(!on),
            N => self.negative = top,
            V => self.overflow = top,
            S => self.sign = top,
            H => self.half = if on { HALF } else { 0 },
            T => self.t = on,
            _ => self.i = on,
        }
    }

    #[inline(always)]
    fn set_carry(&mut self, word: u32) {
        self.carry = word;
    }

    #[inline(always)]
    fn set_half(&mut self, word: u32) {
        self.half = word;
    }

    #[inline(always)]
    fn set_zero(&mut self, word: u32) {
        self.zero = word;
    }

    #[inline(always)]
    fn keep_zero(&mut self, word: u32) {
        self.zero |= word;
    }

    #[inline(always)]
    fn set_signs(&mut self, result: u32, overflow: u32) {
        self.negative = result;
        self.overflow = overflow;
        self.sign = result ^ overflow;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_of_sreg_comes_back() {
        for sreg in 0..=u8::MAX {
            assert_eq!(u8::from(Flags::from(sreg)), sreg);
        }
    }

    #[test]
    fn flags_are_set_one_by_one() {
        for sreg in 0..=u8::MAX {
            for bit in 0..8 {
                let mut flags = Flags::from(sreg);
                flags.set(1 << bit, true);
                assert_eq!(u8::from(flags), sreg | 1 << bit);
                flags.set(1 << bit, false);
                assert_eq!(u8::from(flags), sreg & !(1 << bit));
            }
        }
    }
}
