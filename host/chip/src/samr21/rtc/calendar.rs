// SPDX-License-Identifier: MIT OR Apache-2.0
//! The clock and calendar of the RTC's mode 2: years 0 to 63 of which every fourth is a leap year,
//! counted in seconds.

/// Seconds of a day.
const DAY: u64 = 86_400;
const DAYS: [u64; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
/// Years after which the calendar starts over.
const YEARS: u64 = 64;
/// Seconds after which the calendar starts over.
pub(super) const SPAN: u64 = (YEARS * 365 + YEARS / 4) * DAY;

/// Fields of the registers CLOCK and ALARM, hours from 0 to 23, day and month from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Moment {
    year: u64,
    month: u64,
    day: u64,
    hour: u64,
    minute: u64,
    second: u64,
}

fn is_leap(year: u64) -> bool {
    year % 4 == 0
}

fn days_in(month: u64, year: u64) -> u64 {
    DAYS[month as usize - 1] + u64::from(month == 2 && is_leap(year))
}

impl Moment {
    /// Reads a register; `twelve` is CTRL.CLKREP, by which bit 4 of the hour means afternoon.
    fn from_register(register: u32, twelve: bool) -> Moment {
        let field = |low: u32, bits: u32| u64::from(register >> low & ((1 << bits) - 1));
        let hour = field(12, 5);
        let hour = if twelve { (hour & 0xF) % 12 + 12 * (hour >> 4) } else { hour.min(23) };
        Moment {
            year: field(26, 6),
            month: field(22, 4).clamp(1, 12),
            day: field(17, 5).max(1),
            hour,
            minute: field(6, 6).min(59),
            second: field(0, 6).min(59),
        }
    }

    fn to_register(self, twelve: bool) -> u32 {
        let hour = if twelve {
            let clock = if self.hour % 12 == 0 { 12 } else { self.hour % 12 };
            clock | ((self.hour / 12) << 4)
        } else {
            self.hour
        };
        (self.second
            | self.minute << 6
            | hour << 12
            | self.day << 17
            | self.month << 22
            | self.year << 26) as u32
    }

    fn from_seconds(seconds: u64) -> Moment {
        let (days, rest) = (seconds / DAY, seconds % DAY);
        // Four years from a leap year on are 1,461 days.
        let (cycle, mut day) = (days / 1_461, days % 1_461);
        let mut year = cycle * 4;
        while day >= 365 + u64::from(is_leap(year)) {
            day -= 365 + u64::from(is_leap(year));
            year += 1;
        }
        let mut month = 1;
        while day >= days_in(month, year) {
            day -= days_in(month, year);
            month += 1;
        }
        let (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60);
        Moment { year, month, day: day + 1, hour, minute, second }
    }

    fn seconds(self) -> u64 {
        let leap_days = self.year.div_ceil(4);
        let months: u64 = (1..self.month).map(|month| days_in(month, self.year)).sum();
        let days = self.year * 365 + leap_days + months + self.day - 1;
        days * DAY + self.hour * 3_600 + self.minute * 60 + self.second
    }

    fn exists(&self) -> bool {
        self.day <= days_in(self.month, self.year)
    }
}

/// Seconds that a register's value stands for.
pub(super) fn seconds_of(register: u32, twelve: bool) -> u64 {
    Moment::from_register(register, twelve).seconds() % SPAN
}

/// The register's value after this many seconds.
pub(super) fn register_of(seconds: u64, twelve: bool) -> u32 {
    Moment::from_seconds(seconds % SPAN).to_register(twelve)
}

/// The first moment at or after `from`, before the calendar starts over, at which the fields that
/// `mask` (MASK.SEL) selects are those of `alarm`.
pub(super) fn next_match(from: u64, alarm: u32, mask: u32, twelve: bool) -> Option<u64> {
    let alarm = Moment::from_register(alarm, twelve);
    let now = Moment::from_seconds(from);
    let time_of_day = Moment { year: now.year, month: now.month, day: now.day, ..alarm };
    let stepped = |first: Moment, step: u64| {
        let first = first.seconds();
        Some(if first >= from { first } else { first + step })
    };
    let found = match mask {
        1 => stepped(Moment { second: alarm.second, ..now }, 60),
        2 => stepped(Moment { hour: now.hour, ..time_of_day }, 3_600),
        3 => stepped(time_of_day, DAY),
        4 => (0..16)
            .map(|months| {
                let month = now.month - 1 + months;
                let (year, month) = (now.year + month / 12, month % 12 + 1);
                Moment { year, month, ..alarm }
            })
            .find(|moment| moment.exists() && moment.seconds() >= from)
            .map(Moment::seconds),
        5 => (0..9)
            .map(|years| Moment { year: now.year + years, ..alarm })
            .find(|moment| moment.exists() && moment.seconds() >= from)
            .map(Moment::seconds),
        6 => Some(alarm).filter(Moment::exists).map(Moment::seconds).filter(|at| *at >= from),
        _ => None,
    };
    found.filter(|at| *at < SPAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn register(year: u64, month: u64, day: u64, hour: u64, minute: u64, second: u64) -> u32 {
        Moment { year, month, day, hour, minute, second }.to_register(false)
    }

    fn after(register: u32, seconds: u64) -> u32 {
        register_of(seconds_of(register, false) + seconds, false)
    }

    #[test]
    fn days_months_and_leap_years_roll_over() {
        assert_eq!(after(register(3, 12, 31, 23, 59, 59), 1), register(4, 1, 1, 0, 0, 0));
        assert_eq!(after(register(4, 2, 28, 23, 59, 59), 1), register(4, 2, 29, 0, 0, 0));
        assert_eq!(after(register(5, 2, 28, 23, 59, 59), 1), register(5, 3, 1, 0, 0, 0));
        assert_eq!(after(register(63, 12, 31, 23, 59, 59), 1), register(0, 1, 1, 0, 0, 0));
        for day in 0..SPAN / DAY {
            let seconds = day * DAY + 12_345;
            assert_eq!(seconds_of(register_of(seconds, false), false), seconds);
        }
    }

    #[test]
    fn the_twelve_hour_clock_has_a_bit_for_the_afternoon() {
        let noon = seconds_of(register(1, 1, 1, 12, 0, 0), false);
        assert_eq!(register_of(noon, true) >> 12 & 0x1F, 12 | 0x10);
        assert_eq!(register_of(noon - 43_200, true) >> 12 & 0x1F, 12);
        assert_eq!(seconds_of(register_of(noon + 3_600, true), true), noon + 3_600);
    }

    #[test]
    fn alarms_find_the_next_moment_that_their_mask_selects() {
        let now = seconds_of(register(10, 1, 31, 10, 20, 30), false);
        let next = |alarm, mask| next_match(now, alarm, mask, false);
        let alarm = register(10, 1, 31, 9, 10, 40);
        assert_eq!(next(alarm, 0), None);
        assert_eq!(next(alarm, 1), Some(now + 10));
        assert_eq!(next(alarm, 2), Some(now + 50 * 60 + 10));
        assert_eq!(next(alarm, 3), Some(seconds_of(register(10, 2, 1, 9, 10, 40), false)));
        // February has no 31st.
        assert_eq!(next(alarm, 4), Some(seconds_of(register(10, 3, 31, 9, 10, 40), false)));
        assert_eq!(next(alarm, 5), Some(seconds_of(register(11, 1, 31, 9, 10, 40), false)));
        assert_eq!(next(alarm, 6), None);
        let leap_day = register(10, 2, 29, 0, 0, 0);
        assert_eq!(next(leap_day, 5), Some(seconds_of(register(12, 2, 29, 0, 0, 0), false)));
    }
}
