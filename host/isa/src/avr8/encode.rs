// SPDX-License-Identifier: MIT OR Apache-2.0
//! From [`Op`] to words: what `decode.rs` makes of each word, the other way round.

use super::decode::{Decoded, decode, words};
use super::op::Op;
use std::collections::HashMap;
use std::sync::LazyLock;

/// NOP.
pub const NOP: u16 = 0x0000;

/// What a skip may have behind it: instructions of one word and of two.
pub(super) const BEHIND: [u16; 2] = [NOP, 0x940E];

static CODES: LazyLock<HashMap<Op, Vec<u16>>> = LazyLock::new(|| {
    let mut codes: HashMap<Op, Vec<u16>> = HashMap::new();
    for code in (0..=u16::MAX).filter(|code| words(*code) == 1) {
        for Decoded { op, .. } in
            BEHIND.map(|second| decode(code, second)).iter().filter(|it| it.defined)
        {
            codes.entry(*op).or_default().push(code);
        }
    }
    codes
});

/// The encoding of a defined instruction of one word; of several, the one that is the nearest to `like`.
pub fn encode(op: Op, like: u16) -> Option<u16> {
    CODES.get(&op)?.iter().copied().min_by_key(|code| code ^ like)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_encoding_is_the_nearest_to_itself() {
        for code in (0..=u16::MAX).filter(|code| words(*code) == 1) {
            for Decoded { op, defined } in BEHIND.map(|second| decode(code, second)) {
                let expected = defined.then_some(code);
                assert_eq!(encode(op, code).filter(|_| defined), expected, "{code:04x}");
            }
        }
        assert_eq!(decode(NOP, 0), Decoded { op: Op::Nop, defined: true });
    }
}
