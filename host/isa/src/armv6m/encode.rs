// SPDX-License-Identifier: MIT OR Apache-2.0
//! From [`Op`] to halfwords: what `decode.rs` makes of each halfword, the other way round.

use super::decode::decode;
use super::op::Op;
use std::collections::HashMap;
use std::sync::LazyLock;

/// NOP.
pub const NOP: u16 = 0xBF00;

static CODES: LazyLock<HashMap<Op, Vec<u16>>> = LazyLock::new(|| {
    let mut codes: HashMap<Op, Vec<u16>> = HashMap::new();
    for code in 0..=u16::MAX {
        codes.entry(decode(code, None)).or_default().push(code);
    }
    codes.remove(&Op::Undefined);
    codes
});

/// The encoding of an instruction of 16 bits; of several, the one that is the nearest to `like`.
pub fn encode(op: Op, like: u16) -> Option<u16> {
    CODES.get(&op)?.iter().copied().min_by_key(|code| code ^ like)
}

/// The encoding of BL with this distance from the program counter as instructions read it.
pub fn encode_call(offset: i32) -> [u16; 2] {
    let halfwords = offset >> 1;
    let field = |shift: u32, bits: u32| (halfwords >> shift & ((1 << bits) - 1)) as u16;
    let s = field(23, 1);
    // J1 = NOT(I1) EOR S, J2 = NOT(I2) EOR S.
    let (j1, j2) = (field(22, 1) ^ 1 ^ s, field(21, 1) ^ 1 ^ s);
    [0xF000 | s << 10 | field(11, 10), 0xD000 | j1 << 13 | j2 << 11 | field(0, 11)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_encoding_is_the_nearest_to_itself() {
        for code in 0..=u16::MAX {
            let op = decode(code, None);
            assert_eq!(encode(op, code), (op != Op::Undefined).then_some(code), "{code:04x}");
        }
        assert_eq!(decode(NOP, None), Op::Nop);
    }

    #[test]
    fn calls_are_encoded_as_they_are_decoded() {
        for offset in [0, 2, -2, -4, 0x1234, -0x12_3456, 0xFF_FFFE, -0x100_0000] {
            let [first, second] = encode_call(offset);
            let Op::Bl { high, low } = decode(first, Some(second)) else { panic!("{offset:x}") };
            assert_eq!((i32::from(high) << 16 | i32::from(low)) << 1, offset);
        }
    }
}
