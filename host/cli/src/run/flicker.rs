// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pins that change so often that a line for each change would hide everything else: their changes are counted, and
//! told once a second. Files have them all.

use lichen_chip::Time;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Changes of a pin that are shown within a window; a pin that changes more often is folded from then on, until it has
/// kept still enough for a whole window.
const MOST_SHOWN: u64 = 50;
/// The length of a window, which begins with a change.
const WINDOW: Time = Time::from_s(1);

/// Pins, by mote and name.
#[derive(Debug, Default)]
pub struct Flicker {
    pins: BTreeMap<(u32, Arc<str>), Window>,
    /// The end of the first window.
    first_end: Option<Time>,
}

#[derive(Clone, Copy, Debug)]
struct Window {
    begin: Time,
    changes: u64,
    is_folded: bool,
}

/// The changes of a window that were not all shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folded {
    pub mote: u32,
    pub pin: Arc<str>,
    /// The end of the window, and its length.
    pub time: Time,
    pub length: Time,
    pub changes: u64,
}

impl Flicker {
    /// A pin has changed; returns whether that is shown.
    pub fn change(&mut self, mote: u32, pin: &Arc<str>, time: Time) -> bool {
        let opened = Window { begin: time, changes: 0, is_folded: false };
        let window = self.pins.entry((mote, Arc::clone(pin))).or_insert(opened);
        window.changes += 1;
        window.is_folded |= window.changes > MOST_SHOWN;
        let end = window.begin + WINDOW;
        self.first_end = Some(self.first_end.map_or(end, |first| first.min(end)));
        !window.is_folded
    }

    /// What is to be told of windows that have ended by `now`.
    pub fn ended(&mut self, now: Time) -> Vec<Folded> {
        let mut folded = Vec::new();
        while self.first_end.is_some_and(|end| end <= now) {
            folded.extend(self.close(now, |window| window.begin + WINDOW <= now));
        }
        folded
    }

    /// What is to be told of all windows, since the run ends.
    pub fn end(&mut self, now: Time) -> Vec<Folded> {
        self.close(now, |_| true)
    }

    fn close(&mut self, now: Time, is_over: impl Fn(&Window) -> bool) -> Vec<Folded> {
        let mut folded = Vec::new();
        self.pins.retain(|(mote, pin), window| {
            if !is_over(window) {
                return true;
            }
            let time = now.min(window.begin + WINDOW);
            if window.is_folded && window.changes > 0 {
                let (mote, pin) = (*mote, Arc::clone(pin));
                let length = time - window.begin;
                folded.push(Folded { mote, pin, time, length, changes: window.changes });
            }
            // The next window begins at once, and is folded too if this one changed too often.
            let changes_on = window.changes > MOST_SHOWN;
            *window = Window { begin: time, changes: 0, is_folded: changes_on };
            changes_on
        });
        self.first_end = self.pins.values().map(|window| window.begin + WINDOW).min();
        folded.sort_by_key(|folded| folded.time);
        folded
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is shown of changes of a pin at these times, and told of it until `end`.
    fn told(times: impl Iterator<Item = u64>, end: u64) -> (usize, Vec<(Time, Time, u64)>) {
        let (mut flicker, led) = (Flicker::default(), Arc::from("led0"));
        let (mut shown, mut folded) = (0, Vec::new());
        for us in times {
            folded.extend(flicker.ended(Time::from_us(us)));
            shown += usize::from(flicker.change(0, &led, Time::from_us(us)));
        }
        folded.extend(flicker.ended(Time::from_us(end)));
        folded.extend(flicker.end(Time::from_us(end)));
        (shown, folded.iter().map(|it| (it.time, it.length, it.changes)).collect())
    }

    #[test]
    fn changes_that_can_be_read_are_shown() {
        assert_eq!(told((0..400).map(|n| n * 25_000), 10_000_000), (400, Vec::new()));
    }

    #[test]
    fn what_changes_too_fast_is_told_once_a_second_and_to_the_end() {
        let (s, ms) = (Time::from_s, Time::from_ms);
        let (shown, folded) = told((0..2_500).map(|n| n * 1_000), 2_500_000);
        assert_eq!(shown, 50);
        assert_eq!(folded, [(s(1), s(1), 1_000), (s(2), s(1), 1_000), (ms(2_500), ms(500), 500)]);
    }

    #[test]
    fn each_pin_has_a_window_of_its_own() {
        let mut flicker = Flicker::default();
        for (pin, ms) in [("first", 0), ("second", 900)] {
            for _ in 0..100 {
                flicker.change(0, &pin.into(), Time::from_ms(ms));
            }
        }
        for (ms, pin) in [(1_000, "first"), (1_900, "second")] {
            let ended = flicker.ended(Time::from_ms(ms));
            assert_eq!(ended.iter().map(|it| &*it.pin).collect::<Vec<_>>(), [pin]);
        }
    }

    #[test]
    fn a_pin_that_keeps_still_again_is_shown_again() {
        let burst = (0..100).map(|n| n * 10);
        let later = (0..4).map(|n| 5_000_000 + n * 100_000);
        let (shown, folded) = told(burst.chain(later), 6_000_000);
        assert_eq!(shown, 54);
        assert_eq!(folded, [(Time::from_s(1), Time::from_s(1), 100)]);
    }
}
