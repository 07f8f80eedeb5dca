// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which channel goes first.

use super::*;

fn order(prictrl: u32, controls: [u32; 3]) -> Vec<u8> {
    let mut bench = dmac();
    bench.write32(PRICTRL0, prictrl);
    for (n, control) in controls.into_iter().enumerate() {
        describe(&mut bench, BASE + 0x10 * n as u32, COPY, 2, 2, 0);
        enable(&mut bench, n as u32, control);
    }
    bench.write32(SWTRIGCTRL, 7);
    run(&mut bench, Time::from_us(50)).iter().map(|(_, beat)| beat.channel).collect()
}

#[test]
fn higher_levels_and_lower_numbers_go_first_or_in_turn() {
    assert_eq!(order(0, [0, 0, 1 << 5]), [2, 2, 0, 0, 1, 1]);
    assert_eq!(order(0x80, [0, 0, 0]), [1, 2, 0, 1, 2, 0]);
}

#[test]
fn a_level_that_goes_round_robin_keeps_the_channel_that_was_granted_last() {
    for level in 0..4 {
        let last = |channel: u32| channel << (8 * level);
        for (written, expected, after) in [
            (last(0x80 | 4), [5, 3, 4], last(0x80 | 4)),
            (last(0x80 | 2), [3, 4, 5], last(0x80 | 5)),
            (last(4), [3, 4, 5], last(4)),
        ] {
            let mut bench = dmac();
            bench.write32(PRICTRL0, written);
            for n in 3..=5 {
                describe(&mut bench, BASE + 0x10 * n, COPY, 1, 1, 0);
                enable(&mut bench, n, level << 5);
            }
            bench.write32(SWTRIGCTRL, 0x38);
            let beats = run(&mut bench, Time::from_us(50));
            assert_eq!(Vec::from_iter(beats.iter().map(|(_, beat)| beat.channel)), expected);
            assert_eq!(bench.read32(PRICTRL0), after);
        }
    }
}
