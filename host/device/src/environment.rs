// SPDX-License-Identifier: MIT OR Apache-2.0
//! What sensors sense: quantities around a mote, and how they change with time.

use lichen_chip::Time;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A value in millionths of its quantity's unit.
pub type Micro = i64;

/// A quantity that a part senses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quantity {
    /// Name in scenarios.
    pub name: &'static str,
    /// Unit of its values there.
    pub unit: &'static str,
    /// Its value where nothing else is said.
    pub usual: Micro,
}

/// Temperature of the air.
pub const TEMPERATURE: Quantity =
    Quantity { name: "temperature", unit: "degrees Celsius", usual: 20_000_000 };
/// Relative humidity of the air.
pub const HUMIDITY: Quantity = Quantity { name: "humidity", unit: "percent", usual: 50_000_000 };
/// Illuminance.
pub const LIGHT: Quantity = Quantity { name: "light", unit: "lux", usual: 300_000_000 };
/// Level of a sound of 4 kHz.
pub const SOUND: Quantity = Quantity { name: "sound", unit: "dB SPL", usual: 40_000_000 };
/// Acceleration along the first axis of a board.
pub const ACCELERATION_X: Quantity = Quantity { name: "acceleration_x", unit: "g", usual: 0 };
/// Acceleration along its second axis.
pub const ACCELERATION_Y: Quantity = Quantity { name: "acceleration_y", unit: "g", usual: 0 };

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
                let turn = (now.0 % period.0) as f64 / period.0 as f64;
                // Not the host's sine, whose last digit differs between machines.
                let sine = libm::sin(turn * std::f64::consts::TAU);
                mean.saturating_add((*amplitude as f64 * sine).round() as Micro)
            }
            Course::Record(points) => on_lines(points, now),
        }
    }
}

fn on_lines(points: &[(Time, Micro)], now: Time) -> Micro {
    let next = points.partition_point(|(time, _)| *time <= now);
    match (next.checked_sub(1).and_then(|last| points.get(last)), points.get(next)) {
        (Some((start, from)), Some((end, to))) => {
            let (passed, length) = (i128::from((now - *start).0), i128::from((*end - *start).0));
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
    fn what_is_not_set_is_usual() {
        let mut environment = Environment::usual();
        environment.set("temperature", Course::Constant(-5));
        assert_eq!(environment.value(&TEMPERATURE, Time::ZERO), -5);
        assert_eq!(environment.value(&HUMIDITY, Time::ZERO), 50_000_000);
    }
}
