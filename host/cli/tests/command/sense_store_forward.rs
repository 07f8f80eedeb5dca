// SPDX-License-Identifier: MIT OR Apache-2.0
//! Power is cut at random while `ssf` samples, stores and forwards: what it has stored is forwarded, in order, whole
//! and without a gap, and nothing counts as forwarded before it has left.

use crate::common::power::{Console, Powered, next_random};
use lichen_chip::Time;

const PERIOD_S: u64 = 300;
const BATCH: u64 = 144;
/// From the beginning of a period to the moment at which its sample is safe, with some reserve.
const SETTLES_S: u64 = 2;
/// From power to the end of what the program says first.
const START: Time = Time::from_s(1);
/// When this is printed, the rest of a batch is on its way, and it takes not much longer to be noted as forwarded.
const REST: &str = "sample 139 ";
const NOTED: Time = Time::from_ms(120);

/// What has been forwarded, and what the program has said of the rest.
#[derive(Clone, Debug, Default)]
struct Heard {
    /// The sample that must be forwarded next; those before it have been.
    next: u64,
    /// The sample that is taken next, at least and at most.
    taken: (u64, u64),
    /// The first one that the program has not noted as forwarded, when it started.
    noted: u64,
}

impl Heard {
    /// What the mote has printed since it has power, which was for `length`.
    fn hear(&mut self, console: &Console, length: Time, when: &str) {
        let said = &console.0;
        assert!(!said.contains("error") && !said.contains("cannot"), "{when}: {said}");
        let Some(start) = console.lines("sample").find(|line| line.contains("is next")) else {
            assert!(length < Time::from_s(SETTLES_S), "{when}: it does not start: {said}");
            return;
        };
        let number = |word: &str| word.parse::<u64>().ok();
        let [first, waiting] = start.split([' ', ',']).filter_map(number).collect::<Vec<_>>()[..]
        else {
            panic!("{when}: {start}")
        };
        assert!((self.taken.0..=self.taken.1).contains(&first), "{when}, {self:?}: {said}");
        assert!(first - waiting <= self.next, "{when}, {self:?}: not all of that has left: {said}");
        self.noted = first - waiting;
        self.forwarded(console, when);
        let seconds = length / Time::from_s(1);
        let least = seconds.saturating_sub(SETTLES_S) / PERIOD_S;
        self.taken = (first + least, first + seconds / PERIOD_S);
        assert!(self.taken.1 - self.next <= 2 * BATCH, "{when}, {self:?}: it does not forward");
    }

    /// Samples go on where forwarding has come to, or begin again at what was forwarded before.
    fn forwarded(&mut self, console: &Console, when: &str) {
        let mut before = None;
        for line in console.lines("sample").filter(|line| !line.contains("is next")) {
            let words: Vec<&str> = line.split(' ').collect();
            assert_eq!(words.len(), 5, "{when}: {line}");
            let number: u64 = words[0].parse().expect("a number");
            let follows = before.map_or(number <= self.next, |before| number == before + 1);
            assert!(follows, "{when}, {self:?}: {line} after {before:?}");
            before = Some(number);
            self.next = self.next.max(number + 1);
        }
    }
}

/// Runs for so many days in all, and cuts the power so often.
fn forwards_everything(board: &str, days: u64, cuts: u32) {
    let mut mote = Powered::new("ssf", board, 0);
    let (mut heard, mut seed) = (Heard::default(), 0x5EED_CAFE_u64);
    let longest_us = 2 * days * 86_400_000_000 / u64::from(cuts);
    for cut in 0..cuts {
        let length = Time::from_us(next_random(&mut seed) % longest_us);
        mote.run_for(length);
        heard.hear(&mote.console, length, &format!("{board}, cut {cut} at {}", mote.world.now()));
        mote.cut();
    }
    // A batch is complete at the latest then.
    let length = Time::from_s((BATCH + 1) * PERIOD_S);
    mote.run_for(length);
    heard.hear(&mote.console, length, &format!("{board}, at the end"));
    assert!(heard.next + BATCH > heard.taken.0, "{heard:?}");
    let periods = days * 86_400 / PERIOD_S;
    assert!(heard.next > periods / 2, "{heard:?}");
}

/// Cuts the power now and then while a batch is forwarded, and once every `step` while its rest leaves and that is
/// noted, each time in a copy of the run.
fn cut_while_it_forwards(board: &str, step: Time) {
    let mut mote = Powered::new("ssf", board, 0);
    mote.run_for(Time::from_s(BATCH * PERIOD_S + PERIOD_S / 2));
    mote.world.stop_at_text(REST);
    let (mut noted, mut end) = (Vec::new(), Time::NEVER);
    while mote.world.now() < end {
        let is_rest = mote.console.0.contains(REST);
        mote.run_for(if is_rest { step } else { Time::from_ms(83) });
        if !is_rest && mote.console.0.contains(REST) {
            end = mote.world.now() + NOTED;
        }
        let (moment, console) = (mote.world.snapshot(), mote.console.clone());
        let when = format!("{board}, cut at {}", mote.world.now());
        let mut heard = Heard::default();
        heard.hear(&console, mote.world.now(), &when);
        mote.cut();
        mote.run_for(START);
        heard.hear(&mote.console, START, &when);
        noted.push(heard.noted);
        mote.world.restore(&moment).expect("the same mote");
        mote.console = console;
    }
    assert!(noted.is_sorted(), "{noted:?}");
    assert_eq!((noted[0], noted.last()), (0, Some(&BATCH)), "it has forwarded the batch meanwhile");
}

#[test]
fn hamilton_notes_a_batch_after_it_has_left() {
    cut_while_it_forwards("hamilton", Time::from_us(1_900));
}

#[test]
fn micaz_notes_a_batch_after_it_has_left() {
    cut_while_it_forwards("micaz", Time::from_us(1_900));
}

#[test]
fn hamilton_forwards_every_sample() {
    forwards_everything("hamilton", 4, 14);
}

#[test]
fn micaz_forwards_every_sample() {
    forwards_everything("micaz", 2, 8);
}

#[test]
#[ignore = "a minute; in the long run"]
fn a_month_and_a_hundred_cuts_of_hamilton() {
    forwards_everything("hamilton", 30, 100);
}

#[test]
#[ignore = "two minutes; in the long run"]
fn a_month_and_a_hundred_cuts_of_micaz() {
    forwards_everything("micaz", 30, 100);
}
