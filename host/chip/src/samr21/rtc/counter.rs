// SPDX-License-Identifier: MIT OR Apache-2.0
//! The RTC's counter, in all three modes: a function of time between the moments at which it starts
//! over.

use super::calendar;
use crate::Time;
use crate::clock::Clock;
use crate::samr21::ticks::Ticks;

/// CTRL.MODE.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(super) enum Mode {
    Count32,
    Count16,
    Calendar,
}

/// What happened at a tick: bits as in INTFLAG.
pub(super) const MATCH_0: u32 = 1 << 0;
pub(super) const MATCH_1: u32 = 1 << 1;
pub(super) const OVERFLOW: u32 = 1 << 7;

/// The values with which the counter is compared, in its own clock domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(super) struct Settings {
    pub mode: Mode,
    /// CTRL.MATCHCLR: a match of compare or alarm 0 starts the counter over.
    pub match_clear: bool,
    /// CTRL.CLKREP.
    pub twelve_hours: bool,
    /// COMP0 and COMP1, or ALARM0.
    pub compare: [u32; 2],
    /// MASK0.SEL.
    pub mask: u32,
    /// PER.
    pub period: u32,
}

impl Settings {
    pub const RESET: Settings = Settings {
        mode: Mode::Count32,
        match_clear: false,
        twelve_hours: false,
        compare: [0; 2],
        mask: 0,
        period: 0,
    };

    /// First count that does not fit the counter.
    fn span(&self) -> u64 {
        match self.mode {
            Mode::Count32 => 1 << 32,
            Mode::Count16 => 1 << 16,
            Mode::Calendar => calendar::SPAN,
        }
    }

    /// The next count at or after `from` that matches compare or alarm `index`.
    fn next_match(&self, from: u64, index: usize) -> Option<u64> {
        let alarm = self.compare[index];
        match self.mode {
            Mode::Calendar if index == 0 => {
                calendar::next_match(from, alarm, self.mask, self.twelve_hours)
            }
            Mode::Count16 => Some(u64::from(alarm & 0xFFFF)).filter(|at| *at >= from),
            Mode::Count32 if index == 0 => Some(u64::from(alarm)).filter(|at| *at >= from),
            _ => None,
        }
    }

    /// The count after which the counter starts over, coming from `from`.
    fn last(&self, from: u64) -> u64 {
        let end = self.span() - 1;
        let period = match self.mode {
            Mode::Count16 => Some(u64::from(self.period)).filter(|period| *period >= from),
            _ if self.match_clear => self.next_match(from, 0),
            _ => None,
        };
        period.unwrap_or(end)
    }
}

/// The counter.
#[derive(Clone, Copy, Debug, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(super) struct Counter {
    pub settings: Settings,
    ticks: Ticks,
    /// When the next match or overflow is flagged: one tick after the matching count.
    next: Time,
    /// The calendar was never set: day and month read 0 on its first day.
    blank: bool,
}

impl Counter {
    pub fn new() -> Counter {
        Counter {
            settings: Settings::RESET,
            ticks: Ticks::default(),
            next: Time::NEVER,
            blank: true,
        }
    }

    /// The register COUNT or CLOCK at `t`.
    pub fn value(&self, t: Time) -> u32 {
        let count = self.ticks.at(t);
        match self.settings.mode {
            Mode::Calendar => {
                let register = calendar::register_of(count, self.settings.twelve_hours);
                if self.blank && count < 86_400 { register & 0x0001_FFFF } else { register }
            }
            Mode::Count16 => count as u16 as u32,
            Mode::Count32 => count as u32,
        }
    }

    /// Sets COUNT or CLOCK.
    pub fn set_value(&mut self, now: Time, value: u32) {
        let count = match self.settings.mode {
            Mode::Calendar => {
                self.blank = value & 0x03FE_0000 == 0;
                calendar::seconds_of(value, self.settings.twelve_hours)
            }
            Mode::Count16 => u64::from(value & 0xFFFF),
            Mode::Count32 => u64::from(value),
        };
        self.ticks = Ticks::starting(now, self.ticks.clock(), count);
        self.schedule(now);
    }

    /// Counts the edges of `clock` from now on.
    pub fn set_clock(&mut self, now: Time, clock: Option<Clock>) {
        self.ticks.change_clock(now, clock);
        self.schedule(now);
    }

    /// The settings were changed.
    pub fn schedule(&mut self, now: Time) {
        let count = self.ticks.at(now);
        let last = self.settings.last(count);
        let matches = (0..2).filter_map(|index| self.settings.next_match(count, index));
        let soonest = matches.fold(last, u64::min);
        self.next = self.ticks.when(soonest + 1);
    }

    /// When something next happens.
    pub fn due(&self) -> Time {
        self.next
    }

    /// What happens at `now`, if anything is due: bits as in INTFLAG.
    pub fn fire(&mut self, now: Time) -> u32 {
        if now < self.next {
            return 0;
        }
        let reached = self.ticks.at(now) - 1;
        let mut flags = 0;
        for (index, flag) in [MATCH_0, MATCH_1].into_iter().enumerate() {
            if self.settings.next_match(reached, index) == Some(reached) {
                flags |= flag;
            }
        }
        if self.settings.last(reached) == reached {
            flags |= OVERFLOW;
            self.blank = true;
            self.ticks = Ticks::starting(now, self.ticks.clock(), 0);
        }
        self.schedule(now);
        flags
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counter(settings: Settings) -> Counter {
        let mut counter = Counter::new();
        counter.settings = settings;
        counter.set_clock(Time::ZERO, Some(Clock::new(Time::ZERO, 1_000)));
        counter
    }

    #[test]
    fn a_match_shows_one_tick_after_the_count() {
        let mut counter = counter(Settings { compare: [10, 0], ..Settings::RESET });
        assert_eq!(counter.due(), Time::from_ms(11));
        assert_eq!(counter.fire(counter.due()), MATCH_0);
        assert_eq!(counter.value(Time::from_ms(11)), 11);
        assert_eq!(counter.due(), Time::from_ms(1 << 32));
        assert_eq!(counter.fire(counter.due()), OVERFLOW);
        assert_eq!(counter.value(Time::from_ms((1 << 32) + 5)), 5);
    }

    #[test]
    fn match_clear_gives_a_period_of_compare_plus_one_with_both_flags() {
        let settings = Settings { compare: [9, 0], match_clear: true, ..Settings::RESET };
        let mut counter = counter(settings);
        for period in 1..4 {
            assert_eq!(counter.due(), Time::from_ms(10 * period));
            assert_eq!(counter.fire(counter.due()), MATCH_0 | OVERFLOW);
            assert_eq!(counter.value(Time::from_ms(10 * period)), 0);
        }
    }

    #[test]
    fn sixteen_bits_have_a_period_and_two_compares() {
        let settings =
            Settings { mode: Mode::Count16, period: 99, compare: [30, 60], ..Settings::RESET };
        let mut counter = counter(settings);
        let mut seen = Vec::new();
        for _ in 0..4 {
            let due = counter.due();
            seen.push((due / Time::from_ms(1), counter.fire(due)));
        }
        assert_eq!(seen, [(31, MATCH_0), (61, MATCH_1), (100, OVERFLOW), (131, MATCH_0)]);
    }

    #[test]
    fn a_period_below_the_count_lets_it_run_to_its_end_first() {
        let mut counter = counter(Settings { mode: Mode::Count16, period: 99, ..Settings::RESET });
        counter.set_value(Time::ZERO, 0xFFF0);
        assert_eq!(counter.due(), Time::from_ms(0x10));
        assert_eq!(counter.fire(counter.due()), OVERFLOW);
        assert_eq!(counter.due(), Time::from_ms(0x10 + 1), "compares are 0");
    }

    #[test]
    fn an_unset_calendar_reads_zero_and_alarms_at_a_second() {
        let settings =
            Settings { mode: Mode::Calendar, compare: [5, 0], mask: 1, ..Settings::RESET };
        let mut counter = counter(settings);
        assert_eq!(counter.value(Time::ZERO), 0);
        assert_eq!(counter.due(), Time::from_ms(6));
        assert_eq!(counter.fire(counter.due()), MATCH_0);
        assert_eq!(counter.due(), Time::from_ms(66));
    }
}
