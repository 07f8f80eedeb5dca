// SPDX-License-Identifier: MIT OR Apache-2.0
//! Power is cut while `test/storage/cuts` writes its log and its volume: what it has said is safe must be there at
//! the next start, in order and whole, and nothing that it never wrote.

use crate::common::power::{Console, Powered, next_random};
use lichen_chip::Time;

const PROGRAM: &str = "test/storage/cuts";
/// From power to the end of what the program says first; without interruption 0.1 s.
const START: Time = Time::from_ms(600);
/// Records that the program may have written and not yet said so: two rounds of up to four.
const UNSAID: u64 = 8;
/// Records that the log keeps at least: 744 bytes, and at most 64 and a length for each.
const KEPT: u64 = 744 / 65;

/// The numbers of each line that begins with `word`.
fn numbers(console: &Console, word: &str) -> Vec<Vec<u64>> {
    let of_line =
        |line: &str| line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    console.lines(word).map(of_line).collect()
}

fn last(console: &Console, word: &str) -> Option<u64> {
    numbers(console, word).last()?.first().copied()
}

/// What the program has promised, or found, so far.
#[derive(Clone, Copy, Debug, Default)]
struct Safe {
    record: u64,
    round: u64,
}

impl Safe {
    /// What else the program has said is safe.
    fn hear(&mut self, console: &Console) {
        self.record = last(console, "synced").unwrap_or(self.record);
        self.round = last(console, "wrote").unwrap_or(self.round);
    }

    /// Compares with what is found after a cut; that counts from now on.
    fn check(&mut self, console: &Console, when: &str) {
        let said = &console.0;
        assert!(!said.contains("broken") && !said.contains("failed"), "{when}: {said}");
        assert!(said.contains("ready"), "{when}: it does not start: {said}");
        let found = |word| numbers(console, word).first().cloned().unwrap_or_default();
        let (log, block) = (found("log"), found("block"));
        let (&[first, last], &[begins, ends]) = (&log[..], &block[..]) else {
            panic!("{when}: {said}")
        };
        assert!((self.record..=self.record + UNSAID).contains(&last), "{when}, {self:?}: {said}");
        assert!(first <= 1 || last - first >= KEPT, "{when}, {self:?}: {said}");
        assert_eq!(begins, ends, "{when}: half a page: {said}");
        assert!((self.round..=self.round + 1).contains(&begins), "{when}, {self:?}: {said}");
        *self = Safe { record: last, round: begins };
        self.hear(console);
    }
}

/// Cuts the power once every `step` of a run, each time in a copy of it.
fn cut_everywhere(board: &str, length: Time, step: Time) {
    let mut writer = Powered::new(PROGRAM, board, 1);
    let mut safe = Safe::default();
    writer.world.stop_at_text("ready");
    writer.run_for(START);
    while writer.world.now() < length {
        writer.run_for(step);
        let (moment, console) = (writer.world.snapshot(), writer.console.clone());
        safe.hear(&console);
        let when = format!("{board}, cut at {}", writer.world.now());
        writer.cut();
        writer.run_for(START);
        safe.clone().check(&writer.console, &when);
        writer.world.restore(&moment).expect("the same mote");
        writer.console = console;
    }
    assert!(safe.record > 20 && safe.round > 2, "it has written: {safe:?}");
}

/// Cuts the power so many times, one after the other: also while the program reads and repairs, and sometimes after
/// it has written for a while.
fn cut_again_and_again(board: &str, cuts: u32) {
    let mut writer = Powered::new(PROGRAM, board, 1);
    let (mut safe, mut seed) = (Safe::default(), 0x5EED_CAFE_u64);
    for cut in 0..cuts {
        let random = next_random(&mut seed);
        let longest = if random & 1 == 0 { 150 } else { 700 };
        writer.run_for(Time::from_us((random >> 8) % (longest * 1_000)));
        let when = format!("{board}, cut {cut}, at {}", writer.world.now());
        if writer.console.0.contains("ready") {
            safe.check(&writer.console, &when);
        }
        writer.cut();
    }
    writer.run_for(START);
    safe.check(&writer.console, &format!("{board}, at the end"));
    assert!(safe.record > u64::from(cuts) && safe.round > u64::from(cuts) / 8, "{safe:?}");
}

/// A page of the data flash is erased and written in 20 ms, of which the erasure takes 6.
#[test]
fn micaz_keeps_what_is_safe_wherever_power_is_cut() {
    cut_everywhere("micaz", Time::from_ms(900), Time::from_us(4_700));
}

/// A row is erased in 6 ms, and each of its four pages is written in 2.5.
#[test]
fn hamilton_keeps_what_is_safe_wherever_power_is_cut() {
    cut_everywhere("hamilton", Time::from_ms(700), Time::from_us(1_900));
}

#[test]
fn micaz_keeps_what_is_safe_however_often_power_is_cut() {
    cut_again_and_again("micaz", 60);
}

#[test]
fn hamilton_keeps_what_is_safe_however_often_power_is_cut() {
    cut_again_and_again("hamilton", 60);
}

#[test]
#[ignore = "a minute; in the long run"]
fn a_thousand_cuts_of_micaz() {
    cut_again_and_again("micaz", 1_000);
}

#[test]
#[ignore = "a minute; in the long run"]
fn a_thousand_cuts_of_hamilton() {
    cut_again_and_again("hamilton", 1_000);
}
