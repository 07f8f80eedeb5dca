// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random numbers that are a function of a counter: Philox-4x32-10 (J. Salmon et al., "Parallel random numbers: as
//! easy as 1, 2, 3", SC 2011). Nothing depends on how many were drawn before, or by which thread.

const ROUNDS: usize = 10;
const MULTIPLIERS: [u32; 2] = [0xD251_1F53, 0xCD9E_8D57];
const WEYL: [u32; 2] = [0x9E37_79B9, 0xBB67_AE85];

/// The four numbers that belong to `counter` under `key`.
pub fn philox4x32(counter: [u32; 4], key: [u32; 2]) -> [u32; 4] {
    let (mut state, mut key) = (counter, key);
    for _ in 0..ROUNDS {
        let [low, high] = [(0, 0), (1, 2)]
            .map(|(multiplier, word)| u64::from(MULTIPLIERS[multiplier]) * u64::from(state[word]));
        state = [
            (high >> 32) as u32 ^ state[1] ^ key[0],
            high as u32,
            (low >> 32) as u32 ^ state[3] ^ key[1],
            low as u32,
        ];
        key = [key[0].wrapping_add(WEYL[0]), key[1].wrapping_add(WEYL[1])];
    }
    state
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Known answers of Random123, kat_vectors.
    #[test]
    fn it_gives_the_known_answers() {
        let ones = u32::MAX;
        let pi = [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344];
        for (counter, key, answer) in [
            ([0; 4], [0; 2], [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]),
            ([ones; 4], [ones; 2], [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]),
            (pi, [0xa409_3822, 0x299f_31d0], [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]),
        ] {
            assert_eq!(philox4x32(counter, key), answer);
        }
    }
}
