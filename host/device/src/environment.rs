// SPDX-License-Identifier: MIT OR Apache-2.0
//! What sensors sense: quantities around a mote, and how they change with time.

use lichen_chip::Time;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A value in millionths of its quantity's unit.
pub type Micro = i64;

/// What there is to sense around a mote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quantity {
    /// Name in scenarios.
    pub name: &'static str,
    /// Unit of its values there; empty for a plain number.
    pub unit: &'static str,
    /// Its value where nothing else is said.
    pub usual: Micro,
    /// The least and the greatest value that there can be.
    pub range: (Option<Micro>, Option<Micro>),
}

/// A quantity that may have any value.
const fn quantity(name: &'static str, unit: &'static str, usual: Micro) -> Quantity {
    Quantity { name, unit, usual, range: (None, None) }
}

const CELSIUS: &str = "degrees Celsius";
const ABSOLUTE_ZERO: Micro = -273_150_000;

/// Temperature of the air.
pub const TEMPERATURE: Quantity = quantity("temperature", CELSIUS, 20_000_000).from(ABSOLUTE_ZERO);
/// Relative humidity of the air.
pub const HUMIDITY: Quantity =
    quantity("humidity", "percent", 50_000_000).from(0).up_to(100_000_000);
/// Illuminance.
pub const LIGHT: Quantity = quantity("light", "lux", 300_000_000).from(0);
/// Level of a sound of 4 kHz. At 194 dB the air's pressure falls to zero in each period.
pub const SOUND: Quantity = quantity("sound", "dB SPL", 40_000_000).up_to(194_000_000);
/// Temperature of what a sensor looks at.
pub const RADIANT_TEMPERATURE: Quantity =
    quantity("radiant_temperature", CELSIUS, 20_000_000).from(ABSOLUTE_ZERO);
/// Acceleration along the first axis of a sensor.
pub const ACCELERATION_X: Quantity = quantity("acceleration_x", "g", 0);
/// Acceleration along its second axis.
pub const ACCELERATION_Y: Quantity = quantity("acceleration_y", "g", 0);
/// Acceleration along its third axis: upwards, where the board lies on a table.
pub const ACCELERATION_Z: Quantity = quantity("acceleration_z", "g", 1_000_000);
/// Magnetic flux density along the first axis of a sensor. The usual field is that of the earth in the middle of
/// Europe, with the first axis to the north.
pub const MAGNETIC_X: Quantity = quantity("magnetic_x", "uT", 20_000_000);
/// Magnetic flux density along its second axis.
pub const MAGNETIC_Y: Quantity = quantity("magnetic_y", "uT", 0);
/// Magnetic flux density along its third axis.
pub const MAGNETIC_Z: Quantity = quantity("magnetic_z", "uT", -44_000_000);
/// Whether something warm moves before a sensor: from half of 1 on, it does.
pub const MOTION: Quantity = quantity("motion", "", 0).from(0).up_to(1_000_000);

/// Voltage of a part that is one. The most is that of the supply.
pub const VOLTAGE: Quantity = quantity("voltage", "V", 0).from(0).up_to(6_000_000);
/// Voltage of the mote's supply. Where nothing is said, it is the chip's nominal one: 3.3 V of a SAM R21, 3 V of an
/// ATmega128. 6 V is the absolute maximum rating of an ATmega128, the most that any chip here stands.
pub const SUPPLY: Quantity = quantity("supply", "V", 3_300_000).from(0).up_to(6_000_000);

impl Quantity {
    const fn from(self, least: Micro) -> Quantity {
        Quantity { range: (Some(least), self.range.1), ..self }
    }

    const fn up_to(self, most: Micro) -> Quantity {
        Quantity { range: (self.range.0, Some(most)), ..self }
    }

    /// Whether there can be this value; else what there can be.
    pub fn check(&self, value: Micro) -> Result<(), String> {
        let (least, most) = self.range;
        if least.is_none_or(|least| least <= value) && most.is_none_or(|most| value <= most) {
            return Ok(());
        }
        let plain = |value: Micro| value as f64 / 1e6;
        let range = match (least.map(plain), most.map(plain)) {
            (Some(least), Some(most)) => format!("{least} to {most}"),
            (Some(least), None) => format!("at least {least}"),
            (None, most) => format!("at most {}", most.unwrap_or(f64::INFINITY)),
        };
        let unit = if self.unit.is_empty() { String::new() } else { format!(" {}", self.unit) };
        Err(format!("`{}` is {range}{unit}, not {}", self.name, plain(value)))
    }
}

/// Every quantity, in the order of the documentation.
pub const QUANTITIES: &[Quantity] = &[
    TEMPERATURE,
    HUMIDITY,
    RADIANT_TEMPERATURE,
    LIGHT,
    SOUND,
    ACCELERATION_X,
    ACCELERATION_Y,
    ACCELERATION_Z,
    MAGNETIC_X,
    MAGNETIC_Y,
    MAGNETIC_Z,
    MOTION,
    VOLTAGE,
    SUPPLY,
];

/// How a value changes with time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Course {
    /// Not at all.
    Constant(Micro),
    /// As a sine that rises through `mean` at time zero.
    Sine {
        /// Its centre.
        mean: Micro,
        /// Its highest value is as much above the centre.
        amplitude: Micro,
        /// From one rise to the next; above zero.
        period: Time,
    },
    /// On straight lines between points in the order of time; before the first and after the last point it is
    /// constant. There is at least one point.
    Record(Arc<[(Time, Micro)]>),
}

impl Course {
    /// The value at `now`.
    pub fn at(&self, now: Time) -> Micro {
        match self {
            Course::Constant(value) => *value,
            Course::Sine { mean, amplitude, period } => {
                let turn = (now % *period).units() as f64 / period.units() as f64;
                // Not the host's sine, whose last digit differs between machines.
                let sine = libm::sin(turn * std::f64::consts::TAU);
                mean.saturating_add((*amplitude as f64 * sine).round() as Micro)
            }
            Course::Record(points) => on_lines(points, now),
        }
    }
}

impl Course {
    /// Whether a quantity can take this course; else what is wrong with it.
    pub fn check(&self, quantity: &Quantity) -> Result<(), String> {
        let check = |value: &Micro| quantity.check(*value);
        match self {
            Course::Constant(value) => check(value),
            Course::Sine { mean, amplitude, .. } => {
                [mean.saturating_sub(*amplitude), mean.saturating_add(*amplitude)]
                    .iter()
                    .try_for_each(check)
            }
            Course::Record(points) => points.iter().try_for_each(|(_, value)| check(value)),
        }
    }

    /// When the value next gets to at least `level`, or below it again, after `now`; [`Time::NEVER`] if it does not.
    pub fn crossing(&self, level: Micro, now: Time) -> Time {
        let is_above = |time: Time| self.at(time) >= level;
        let present = is_above(now);
        // Between two of these times the value only rises, or only falls.
        let turns: Vec<Time> = match self {
            Course::Constant(_) => Vec::new(),
            Course::Sine { period, .. } => {
                let quarter = Time::from_units(period.units().div_ceil(4));
                let turn = now - now % *period;
                (1..=8).map(|count| turn + quarter * count).collect()
            }
            // Where two points have one time, it jumps.
            Course::Record(points) => {
                let around = |time: Time| [(time - Time::UNIT), time];
                points.iter().flat_map(|(time, _)| around(*time)).collect()
            }
        };
        let mut below = now;
        for turn in turns.into_iter().filter(|turn| *turn > now) {
            if is_above(turn) != present {
                return first(below, turn, |time| is_above(time) != present);
            }
            below = turn;
        }
        Time::NEVER
    }
}

/// The first time in this range, without its beginning, at which `holds`; it does at its end, and once it does it
/// keeps.
fn first(mut before: Time, mut end: Time, holds: impl Fn(Time) -> bool) -> Time {
    while end - before > Time::UNIT {
        let middle = before + (end - before) / 2;
        if holds(middle) { end = middle } else { before = middle }
    }
    end
}

fn on_lines(points: &[(Time, Micro)], now: Time) -> Micro {
    let next = points.partition_point(|(time, _)| *time <= now);
    match (next.checked_sub(1).and_then(|last| points.get(last)), points.get(next)) {
        (Some((start, from)), Some((end, to))) => {
            let (passed, length) =
                (i128::from((now - *start).units()), i128::from((*end - *start).units()));
            from + (i128::from(to - from) * passed / length) as Micro
        }
        (Some((_, value)), None) | (None, Some((_, value))) => *value,
        (None, None) => 0,
    }
}

/// The quantities around a mote, and what tells its parts from those of others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    courses: BTreeMap<String, Course>,
    serial: u64,
}

impl Environment {
    /// An environment in which every quantity has its usual value.
    pub const fn usual() -> Environment {
        Environment { courses: BTreeMap::new(), serial: 0 }
    }

    /// Lets `quantity` take this course from now on.
    pub fn set(&mut self, quantity: &str, course: Course) {
        self.courses.insert(quantity.to_string(), course);
    }

    /// Sets the serial number of parts that have one.
    pub fn set_serial(&mut self, serial: u64) {
        self.serial = serial;
    }

    /// The serial number of parts that have one.
    pub fn serial(&self) -> u64 {
        self.serial
    }

    /// The value of `quantity` at `now`.
    pub fn value(&self, quantity: &Quantity, now: Time) -> Micro {
        self.courses.get(quantity.name).map_or(quantity.usual, |course| course.at(now))
    }

    /// When `quantity` next crosses `level` after `now` ([`Course::crossing`]).
    pub fn crossing(&self, quantity: &Quantity, level: Micro, now: Time) -> Time {
        self.course(quantity).map_or(Time::NEVER, |course| course.crossing(level, now))
    }

    /// The course of `quantity`, if it has one.
    pub fn course(&self, quantity: &Quantity) -> Option<&Course> {
        self.courses.get(quantity.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_followed_on_straight_lines() {
        let points = [(Time::from_s(10), 100), (Time::from_s(20), -100), (Time::from_s(20), 7)];
        let record = Course::Record(points.into());
        let at = |ms| record.at(Time::from_ms(ms));
        assert_eq!([at(0), at(10_000), at(12_500), at(15_000)], [100, 100, 50, 0]);
        assert_eq!([at(19_999), at(20_000), at(1_000_000)], [-99, 7, 7]);
        let far = [(Time::ZERO, Micro::MIN / 2), (Time::from_s(1 << 20), Micro::MAX / 2)];
        assert_eq!(Course::Record(far.into()).at(Time::from_s(1 << 19)), -1);
    }

    #[test]
    fn a_sine_rises_through_its_mean() {
        let day = Time::from_s(86_400);
        let sine = Course::Sine { mean: 10, amplitude: 1_000_000, period: day };
        let at = |quarter: u64| sine.at(Time::from_s(21_600 * quarter));
        assert_eq!([at(0), at(1), at(2), at(3), at(5)], [10, 1_000_010, 10, -999_990, 1_000_010]);
    }

    #[test]
    fn a_level_is_crossed_at_a_first_moment() {
        let s = Time::from_s;
        assert_eq!(Course::Constant(5).crossing(3, Time::ZERO), Time::NEVER);
        let record = Course::Record([(s(10), 0), (s(20), 100), (s(20), 0), (s(30), 200)].into());
        let found = record.crossing(50, Time::ZERO);
        assert_eq!(found, s(15));
        assert!(record.at(found - Time::UNIT) < 50 && record.at(found) >= 50);
        assert_eq!(record.crossing(50, found), s(20), "it falls at once");
        let rises = record.crossing(50, s(20));
        assert_eq!((rises, record.crossing(50, rises)), (Time::from_ms(22_500), Time::NEVER));
        let sine = Course::Sine { mean: 0, amplitude: 1_000_000, period: s(12) };
        let mut now = Time::ZERO;
        for expected in [1, 5, 13, 17, 25] {
            now = sine.crossing(500_000, now);
            assert!(now.us().abs_diff(s(expected).us()) < 20, "{now:?} for {expected}");
        }
        assert_eq!(sine.crossing(2_000_000, now), Time::NEVER);
    }

    #[test]
    fn what_is_not_set_is_usual() {
        let mut environment = Environment::usual();
        environment.set("temperature", Course::Constant(-5));
        assert_eq!(environment.value(&TEMPERATURE, Time::ZERO), -5);
        assert_eq!(environment.value(&HUMIDITY, Time::ZERO), 50_000_000);
    }
}
