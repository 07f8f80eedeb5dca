// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is in flash after a reset has cut an erasure or a write short: some bits have changed, others have not.
//! The data sheet does not say how many; here their share is that of the time.

use crate::Time;

/// `old` on its way to `new`, after `passed` of `whole`. Which bits have changed looks random, and is the same in
/// every run; `address` makes it differ from page to page.
pub(super) fn torn(old: &[u8], new: &[u8], address: u32, passed: Time, whole: Time) -> Vec<u8> {
    let share = (passed * 1_000 / whole.max(Time::UNIT)).min(1_000);
    let seed = u64::from(address) << 32 ^ passed.units();
    let byte = |(index, (old, new)): (usize, (&u8, &u8))| {
        let changes = |bit: &usize| scattered(seed, index * 8 + bit) % 1_000 < share;
        let mask = (0..8).filter(changes).fold(0, |mask, bit| mask | 1u8 << bit);
        old & !mask | new & mask
    };
    old.iter().zip(new).enumerate().map(byte).collect()
}

/// A number without a pattern (the finalizer of SplitMix64).
fn scattered(seed: u64, index: usize) -> u64 {
    let key = seed.wrapping_add((index as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let key = (key ^ key >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let key = (key ^ key >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    key ^ key >> 31
}
