// SPDX-License-Identifier: MIT OR Apache-2.0
//! SREG, and the arithmetic that sets it.

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
const TOP: u32 = 1 << 7;
const HALF: u32 = 1 << 4;
const CARRY_SHIFT: u32 = 8;

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
            carry: bit(C, 1 << CARRY_SHIFT),
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
    fn from(flags: Flags) -> u8 {
        let bit = |set, bit| if set { bit } else { 0 };
        let low = bit(flags.c(), C) | bit(flags.z(), Z) | bit(flags.n(), N) | bit(flags.v(), V);
        low | bit(flags.s(), S) | bit(flags.h(), H) | bit(flags.t, T) | bit(flags.i, I)
    }
}

impl Flags {
    #[inline(always)]
    pub(super) fn c(self) -> bool {
        self.carry >> CARRY_SHIFT & 1 != 0
    }

    #[inline(always)]
    pub(super) fn z(self) -> bool {
        self.zero == 0
    }

    #[inline(always)]
    pub(super) fn n(self) -> bool {
        self.negative & TOP != 0
    }

    #[inline(always)]
    pub(super) fn v(self) -> bool {
        self.overflow & TOP != 0
    }

    #[inline(always)]
    pub(super) fn s(self) -> bool {
        self.sign & TOP != 0
    }

    #[inline(always)]
    pub(super) fn h(self) -> bool {
        self.half & HALF != 0
    }

    /// Sets or clears the flag whose bit is `mask`, other than I.
    #[inline(always)]
    pub(super) fn set(&mut self, mask: u8, on: bool) {
        let top = if on { TOP } else { 0 };
        match mask {
            C => self.carry = u32::from(on) << CARRY_SHIFT,
            Z => self.zero = u32::from(!on),
            N => self.negative = top,
            V => self.overflow = top,
            S => self.sign = top,
            H => self.half = if on { HALF } else { 0 },
            _ => self.t = on,
        }
    }

    /// N, V and S.
    #[inline(always)]
    fn signs(&mut self, result: u32, overflow: u32) {
        self.negative = result;
        self.overflow = overflow;
        self.sign = result ^ overflow;
    }

    /// Z, N, V and S.
    #[inline(always)]
    fn result(&mut self, result: u8, overflow: u32) -> u8 {
        self.zero = result.into();
        self.signs(result.into(), overflow);
        result
    }

    /// `a + b`.
    #[inline(always)]
    pub(super) fn add(&mut self, a: u8, b: u8) -> u8 {
        self.carry = 0;
        self.add_carry(a, b)
    }

    /// `a + b + C`.
    #[inline(always)]
    pub(super) fn add_carry(&mut self, a: u8, b: u8) -> u8 {
        let (a, b) = (u32::from(a), u32::from(b));
        let sum = a + b + (self.carry >> CARRY_SHIFT & 1);
        self.carry = sum;
        self.half = a ^ b ^ sum;
        self.result(sum as u8, (a ^ sum) & (b ^ sum))
    }

    /// `a - b`.
    #[inline(always)]
    pub(super) fn sub(&mut self, a: u8, b: u8) -> u8 {
        self.carry = 0;
        self.zero = 0;
        self.sub_carry(a, b)
    }

    /// `a - b - C`; Z remains cleared if it was.
    #[inline(always)]
    pub(super) fn sub_carry(&mut self, a: u8, b: u8) -> u8 {
        let (a, b, before) = (u32::from(a), u32::from(b), self.zero);
        let difference = a.wrapping_sub(b).wrapping_sub(self.carry >> CARRY_SHIFT & 1);
        self.carry = difference;
        self.half = a ^ b ^ difference;
        let result = self.result(difference as u8, (a ^ b) & (a ^ difference));
        self.zero |= before;
        result
    }

    /// Flags of AND, OR and EOR.
    #[inline(always)]
    pub(super) fn logical(&mut self, result: u8) -> u8 {
        self.result(result, 0)
    }

    #[inline(always)]
    pub(super) fn complement(&mut self, a: u8) -> u8 {
        self.carry = 1 << CARRY_SHIFT;
        self.logical(!a)
    }

    #[inline(always)]
    pub(super) fn increment(&mut self, a: u8) -> u8 {
        let result = a.wrapping_add(1);
        self.result(result, u32::from(!a & result))
    }

    #[inline(always)]
    pub(super) fn decrement(&mut self, a: u8) -> u8 {
        let result = a.wrapping_sub(1);
        self.result(result, u32::from(a & !result))
    }

    /// A shift of `a` to the right by one; `top` is the bit that becomes the highest. V is the
    /// exclusive or of N and C.
    #[inline(always)]
    pub(super) fn shift_right(&mut self, a: u8, top: u8) -> u8 {
        let result = a >> 1 | top & TOP as u8;
        self.carry = u32::from(a) << CARRY_SHIFT;
        self.result(result, u32::from(result ^ a << 7))
    }

    /// The highest bit of a rotation to the right: C.
    #[inline(always)]
    pub(super) fn carry_on_top(self) -> u8 {
        (self.carry >> 1) as u8
    }

    /// ADIW; H stays.
    #[inline(always)]
    pub(super) fn add_word(&mut self, a: u16, b: u8) -> u16 {
        let result = a.wrapping_add(b.into());
        self.word(result, !a & result, a & !result)
    }

    /// SBIW; H stays.
    #[inline(always)]
    pub(super) fn sub_word(&mut self, a: u16, b: u8) -> u16 {
        let result = a.wrapping_sub(b.into());
        self.word(result, a & !result, !a & result)
    }

    /// The top bits of `overflow` and `carry` are V and C.
    #[inline(always)]
    fn word(&mut self, result: u16, overflow: u16, carry: u16) -> u16 {
        self.zero = result.into();
        self.carry = u32::from(carry) >> 7;
        self.signs(u32::from(result >> 8), u32::from(overflow >> 8));
        result
    }

    /// Multiplication: C is the top bit of the product, Z is of the result, which is the product or
    /// its double. The others stay.
    #[inline(always)]
    pub(super) fn product(&mut self, product: u16, fractional: bool) -> u16 {
        let result = if fractional { product << 1 } else { product };
        self.carry = u32::from(product) >> 7;
        self.zero = result.into();
        result
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
            for bit in 0..7 {
                let mut flags = Flags::from(sreg);
                flags.set(1 << bit, true);
                assert_eq!(u8::from(flags), sreg | 1 << bit);
                flags.set(1 << bit, false);
                assert_eq!(u8::from(flags), sreg & !(1 << bit));
            }
        }
    }
}
