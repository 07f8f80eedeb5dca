// SPDX-License-Identifier: MIT OR Apache-2.0
//! Numbers for people: axes with round ticks, and values with a unit that fits.

use lichen_chip::Time;

/// Units of time: name, and length in picoseconds.
const TIMES: [(&str, f64); 7] = [
    ("ns", 1e3),
    ("µs", 1e6),
    ("ms", 1e9),
    ("s", 1e12),
    ("min", 6e13),
    ("h", 3.6e15),
    ("d", 8.64e16),
];
/// Units of current: name, and size in femtoamperes.
const CURRENTS: [(&str, f64); 4] = [("mA", 1e12), ("µA", 1e9), ("nA", 1e6), ("pA", 1e3)];
/// A unit is taken from so many of it on.
const FEWEST: f64 = 2.0;

/// An axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Its begin, if it is logarithmic; else it begins at zero.
    begin: Option<f64>,
    /// Its end, in what the picture is in.
    pub end: f64,
    /// Name of the unit of the ticks; empty if they have units of their own.
    pub unit: &'static str,
    /// Places of the ticks, in what the picture is in, and their numbers.
    pub ticks: Vec<(f64, String)>,
}

impl Axis {
    /// Of a time, in picoseconds, which ends where the picture does.
    pub fn of_time(span: Time) -> Axis {
        let span = (span.ps() as f64).max(1.0);
        let fits = TIMES.iter().rev().find(|(_, length)| span >= length * FEWEST);
        let (unit, length) = fits.unwrap_or(&TIMES[0]);
        let is_clock = ["s", "min", "h"].contains(unit);
        let step =
            if is_clock { clock_step(span / length, 8) } else { round_step(span / length, 8) };
        Axis { begin: None, end: span, unit, ticks: ticks(span / length, *length, step) }
    }

    /// Of currents between two, in femtoamperes, by their logarithms, with a tick at each power of ten.
    pub fn of_currents(least: u128, most: u128) -> Axis {
        let power = |fa: u128| (fa.max(1) as f64).log10();
        let (from, to) = (power(least).floor() as i32, power(most).ceil() as i32);
        let tick = |power: i32| {
            let value = 10f64.powi(power);
            let (unit, size) =
                CURRENTS.iter().find(|(_, size)| value >= *size).unwrap_or(&CURRENTS[3]);
            (value, format!("{:.0} {unit}", value / size))
        };
        let ticks = (from..=to.max(from + 1)).map(tick).collect();
        let (begin, end) = (10f64.powi(from), 10f64.powi(to.max(from + 1)));
        Axis { begin: Some(begin), end, unit: "", ticks }
    }

    /// Where a value lies, from 0 at the begin to 1 at the end.
    pub fn place(&self, value: f64) -> f64 {
        match self.begin {
            Some(begin) => {
                ((value.max(begin) / begin).log10() / (self.end / begin).log10()).min(1.0)
            }
            None => value / self.end,
        }
    }

    /// The unit after the name of what is measured.
    pub fn unit_phrase(&self) -> String {
        match self.unit {
            "" => String::new(),
            unit => format!(" in {unit}"),
        }
    }

    /// Of a current, in femtoamperes, which ends at a tick.
    pub fn of_current(most: u128) -> Axis {
        let most = (most as f64).max(1e3);
        let (unit, size) = CURRENTS.iter().find(|(_, size)| most >= *size).unwrap_or(&CURRENTS[3]);
        let step = round_step(most / size, 5);
        let end = (most / size / step).ceil() * step;
        Axis { begin: None, end: end * size, unit, ticks: ticks(end, *size, step) }
    }
}

/// The least step of 1, 2 or 5 times a power of ten that gives no more than `most` steps.
pub fn round_step(end: f64, most: u32) -> f64 {
    let least = end / f64::from(most);
    let power = 10f64.powf(least.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().find(|step| step * power >= least * 0.999_999);
    step.unwrap_or(10.0) * power
}

/// Steps of seconds, minutes and hours that divide the next unit.
const CLOCK_STEPS: [f64; 9] = [1.0, 2.0, 3.0, 6.0, 10.0, 12.0, 15.0, 20.0, 30.0];

/// The least step of a clock's unit that gives no more than `most` steps.
fn clock_step(end: f64, most: u32) -> f64 {
    let least = end / f64::from(most);
    let step = CLOCK_STEPS.into_iter().find(|step| *step >= least);
    step.filter(|_| least > 0.5).unwrap_or_else(|| round_step(end, most))
}

/// Ticks from 0 to `end` in units of `size`.
fn ticks(end: f64, size: f64, step: f64) -> Vec<(f64, String)> {
    let count = (end / step * 1.000_001) as u32;
    (0..=count)
        .map(|index| f64::from(index) * step)
        .map(|value| (value * size, number(value, step)))
        .collect()
}

/// The number of a tick, as exact as the step from one to the next.
pub fn number(value: f64, step: f64) -> String {
    let digits = (-step.log10().floor()).max(0.0) as usize;
    format!("{value:.digits$}")
}

/// A value in thousandths of the smallest unit, with the unit in which it has at least one digit before the point,
/// and four digits.
pub fn with_unit(value: f64, units: &[&str]) -> String {
    let mut value = value;
    let mut unit = 0;
    while value >= 999.95 && unit + 1 < units.len() {
        value /= 1_000.0;
        unit += 1;
    }
    let digits = match value {
        value if value < 10.0 => 3,
        value if value < 100.0 => 2,
        value if value < 1_000.0 => 1,
        _ => 0,
    };
    format!("{value:.digits$} {}", units[unit])
}

/// A current in femtoamperes.
pub fn current(fa: u128) -> String {
    with_unit(fa as f64 / 1e6, &["nA", "µA", "mA", "A"])
}

/// A charge in femtoamperes times picoseconds.
pub fn charge(value: u128) -> String {
    with_unit(value as f64 / 1e18, &["nC", "µC", "mC", "C"])
}

/// A length of time.
pub fn time(time: Time) -> String {
    let picoseconds = time.ps() as f64;
    match TIMES[4..].iter().rev().find(|(_, length)| picoseconds >= length * FEWEST) {
        Some((unit, length)) => format!("{:.2} {unit}", picoseconds / length),
        None => with_unit(picoseconds / 1e3, &["ns", "µs", "ms", "s"]),
    }
}

/// A moment, such as 1 h 2 min 3.5 s.
pub fn moment(time: Time) -> String {
    let mut rest = time.ns();
    let mut parts = Vec::new();
    for (unit, length) in
        [("d", 86_400_000_000_000), ("h", 3_600_000_000_000), ("min", 60_000_000_000)]
    {
        if rest >= length {
            parts.push(format!("{} {unit}", rest / length));
            rest %= length;
        }
    }
    if rest > 0 || parts.is_empty() {
        let (unit, per) =
            if parts.is_empty() && rest < 1_000_000_000 { ("ms", 6) } else { ("s", 9) };
        let fraction = format!("{:0per$}", rest % 10_u64.pow(per as u32));
        let number = format!("{}.{fraction}", rest / 10_u64.pow(per as u32));
        parts.push(format!("{} {unit}", number.trim_end_matches('0').trim_end_matches('.')));
    }
    parts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(axis: &Axis) -> Vec<&str> {
        axis.ticks.iter().map(|(_, number)| number.as_str()).collect()
    }

    #[test]
    fn axes_have_round_ticks() {
        let axis = Axis::of_time(Time::from_us(2_500));
        assert_eq!((axis.unit, axis.end), ("ms", 2.5e9));
        assert_eq!(numbers(&axis), ["0.0", "0.5", "1.0", "1.5", "2.0", "2.5"]);
        let day = Axis::of_time(Time::from_s(86_400));
        assert_eq!(
            (day.unit, numbers(&day)),
            ("h", vec!["0", "3", "6", "9", "12", "15", "18", "21", "24"])
        );
        let minutes = Axis::of_time(Time::from_s(3_600));
        assert_eq!(
            (minutes.unit, numbers(&minutes)),
            ("min", vec!["0", "10", "20", "30", "40", "50", "60"])
        );
        let current = Axis::of_current(6_540_000_000_000);
        assert_eq!((current.unit, current.end), ("mA", 8e12));
        assert_eq!(numbers(&current), ["0", "2", "4", "6", "8"]);
        let asleep = Axis::of_current(2_840_000_000);
        assert_eq!((asleep.unit, numbers(&asleep)), ("µA", vec!["0", "1", "2", "3"]));
        assert_eq!(Axis::of_current(0).ticks.len(), 6, "nothing is drawn, and an axis");
        assert_eq!(Axis::of_time(Time::ZERO).unit, "ns");
    }

    #[test]
    fn a_logarithmic_axis_has_powers_of_ten() {
        let axis = Axis::of_currents(2_940_000_000, 1_192_000_000_000);
        assert_eq!(numbers(&axis), ["1 µA", "10 µA", "100 µA", "1 mA", "10 mA"]);
        assert_eq!(axis.place(1e9), 0.0);
        assert!((axis.place(1e11) - 0.5).abs() < 1e-9);
        assert_eq!((axis.place(0.0), axis.place(1e20)), (0.0, 1.0));
    }

    #[test]
    fn numbers_are_as_exact_as_their_steps() {
        assert_eq!([0.4, 7.0, 20.0, 23.0].map(|end| round_step(end, 5)), [0.1, 2.0, 5.0, 5.0]);
        assert_eq!(number(0.30000000000000004, 0.1), "0.3");
        assert_eq!(number(15.0, 5.0), "15");
    }

    #[test]
    fn moments_are_read_as_on_a_clock() {
        let text = |us| moment(Time::from_us(us));
        assert_eq!([0, 1_500, 1_005_000].map(text), ["0 ms", "1.5 ms", "1.005 s"]);
        assert_eq!([60_000_000, 90_061_000_001].map(text), ["1 min", "1 d 1 h 1 min 1.000001 s"]);
    }

    #[test]
    fn units_fit() {
        assert_eq!(current(2_840_000_000), "2.840 µA");
        assert_eq!(current(6_540_000_000_000), "6.540 mA");
        assert_eq!(charge(9_800_000_000_000_000_000_000), "9.800 µC");
        assert_eq!(charge(0), "0.000 nC");
        assert_eq!(time(Time::from_us(1_490)), "1.490 ms");
        assert_eq!(time(Time::from_s(86_400)), "24.00 h");
        assert_eq!(time(Time::from_s(3)), "3.000 s");
    }
}
