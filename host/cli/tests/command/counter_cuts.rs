// SPDX-License-Identifier: MIT OR Apache-2.0
//! Power is cut while `test/storage/numbers` takes numbers from a counter, and while `test/storage/nonces` sends frames
//! with counters that the link reserves: none may come twice.

use crate::common::power::{Console, Powered, next_random};
use lichen_chip::Time;

const NUMBERS: &str = "test/storage/numbers";
const NONCES: &str = "test/storage/nonces";
/// From power to the first numbers.
const START: Time = Time::from_ms(300);

/// The ranges of numbers that the program says it has taken.
fn ranges(console: &Console) -> Vec<[u64; 2]> {
    let of_line = |line: &str| {
        let mut numbers = line.split_whitespace().filter_map(|word| word.parse().ok());
        [numbers.next().expect("a first number"), numbers.next().expect("a last number")]
    };
    console.lines("took").map(of_line).collect()
}

/// All numbers so far are below this.
#[derive(Clone, Copy, Debug, Default)]
struct Below(u64);

impl Below {
    /// What was taken since the last cut is larger than everything before.
    fn check(&mut self, console: &Console, when: &str) {
        let said = &console.0;
        assert!(!said.contains("failed"), "{when}: {said}");
        for [first, last] in ranges(console) {
            assert!(first >= self.0 && last >= first, "{when}, {self:?}: {said}");
            self.0 = last + 1;
        }
    }
}

/// Cuts the power once every `step` of a run, each time in a copy of it.
fn cut_everywhere(program: &str, board: &str, length: Time, step: Time) {
    let mut taker = Powered::new(program, board, 1);
    while taker.world.now() < length {
        taker.run_for(step);
        let (moment, console) = (taker.world.snapshot(), taker.console.clone());
        let when = format!("{board}, cut at {}", taker.world.now());
        let mut below = Below::default();
        below.check(&console, &when);
        taker.cut();
        taker.run_for(START);
        assert!(!ranges(&taker.console).is_empty(), "{when}: no numbers");
        below.check(&taker.console, &when);
        taker.world.restore(&moment).expect("the same mote");
        taker.console = console;
    }
    assert!(ranges(&taker.console).len() > 4, "it has taken numbers: {}", taker.console.0);
}

/// Cuts the power so many times, one after the other: also while the program starts.
fn cut_again_and_again(program: &str, board: &str, cuts: u32) {
    let mut taker = Powered::new(program, board, 1);
    let (mut below, mut seed) = (Below::default(), 0x5EED_CAFE_u64);
    for cut in 0..cuts {
        let random = next_random(&mut seed);
        let longest = if random & 1 == 0 { 80 } else { 400 };
        taker.run_for(Time::from_us((random >> 8) % (longest * 1_000)));
        let when = format!("{board}, cut {cut}, at {}", taker.world.now());
        below.check(&taker.console, &when);
        taker.cut();
    }
    taker.run_for(START);
    assert!(!ranges(&taker.console).is_empty(), "{board}, at the end: {}", taker.console.0);
    below.check(&taker.console, &format!("{board}, at the end"));
}

/// A page of the data flash is erased and written in 20 ms.
#[test]
fn no_number_comes_twice_wherever_power_is_cut_on_micaz() {
    cut_everywhere(NUMBERS, "micaz", Time::from_ms(600), Time::from_us(4_700));
}

/// A row is erased in 6 ms, and its first page is written in 2.5.
#[test]
fn no_number_comes_twice_wherever_power_is_cut_on_hamilton() {
    cut_everywhere(NUMBERS, "hamilton", Time::from_ms(300), Time::from_us(1_300));
}

#[test]
fn no_number_comes_twice_however_often_power_is_cut_on_micaz() {
    cut_again_and_again(NUMBERS, "micaz", 60);
}

#[test]
fn no_number_comes_twice_however_often_power_is_cut_on_hamilton() {
    cut_again_and_again(NUMBERS, "hamilton", 60);
}

#[test]
fn no_nonce_comes_twice_wherever_power_is_cut_on_micaz() {
    cut_everywhere(NONCES, "micaz", Time::from_ms(600), Time::from_us(4_700));
}

#[test]
fn no_nonce_comes_twice_wherever_power_is_cut_on_hamilton() {
    cut_everywhere(NONCES, "hamilton", Time::from_ms(450), Time::from_us(1_900));
}

#[test]
fn no_nonce_comes_twice_however_often_power_is_cut_on_micaz() {
    cut_again_and_again(NONCES, "micaz", 60);
}

#[test]
fn no_nonce_comes_twice_however_often_power_is_cut_on_hamilton() {
    cut_again_and_again(NONCES, "hamilton", 60);
}

#[test]
#[ignore = "a minute; in the long run"]
fn no_nonce_comes_twice_in_a_thousand_cuts_of_micaz() {
    cut_again_and_again(NONCES, "micaz", 1_000);
}

#[test]
#[ignore = "a minute; in the long run"]
fn no_nonce_comes_twice_in_a_thousand_cuts_of_hamilton() {
    cut_again_and_again(NONCES, "hamilton", 1_000);
}

#[test]
#[ignore = "a minute; in the long run"]
fn no_number_comes_twice_in_a_thousand_cuts_of_micaz() {
    cut_again_and_again(NUMBERS, "micaz", 1_000);
}

#[test]
#[ignore = "a minute; in the long run"]
fn no_number_comes_twice_in_a_thousand_cuts_of_hamilton() {
    cut_again_and_again(NUMBERS, "hamilton", 1_000);
}
