// SPDX-License-Identifier: MIT OR Apache-2.0
//! Currents and charges as integers: nothing is rounded before it is shown.

use lichen_chip::Time;
use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub};

/// Femtoamperes in a nanoampere: then a current per MHz times a frequency in Hz is an integer.
const FA_PER_NA: u128 = 1_000_000;

/// A current in femtoamperes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Current(pub u128);

impl Current {
    /// So many nanoamperes.
    pub const fn from_na(na: u64) -> Current {
        Current(na as u128 * FA_PER_NA)
    }

    /// So many nanoamperes for each MHz of `hz`.
    pub const fn per_mhz(na: u64, hz: u64) -> Current {
        Current(na as u128 * hz as u128)
    }

    /// What flows in `time`.
    pub const fn over(self, time: Time) -> Charge {
        Charge(self.0 * time.ps())
    }

    /// In nanoamperes, rounded.
    pub const fn na(self) -> u128 {
        (self.0 + FA_PER_NA / 2) / FA_PER_NA
    }
}

impl Add for Current {
    type Output = Current;
    fn add(self, other: Current) -> Current {
        Current(self.0 + other.0)
    }
}

impl Sub for Current {
    type Output = Current;
    /// Zero if `other` is larger.
    fn sub(self, other: Current) -> Current {
        Current(self.0.saturating_sub(other.0))
    }
}

/// Microamperes below a milliampere, and milliamperes from there on, with three decimals.
impl fmt::Display for Current {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let na = self.na();
        match na {
            0..1_000_000 => write!(f, "{} uA", thousandths(na)),
            _ => write!(f, "{} mA", thousandths((na + 500) / 1_000)),
        }
    }
}

/// A charge in femtoamperes times picoseconds, 1e-27 C.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Charge(pub u128);

impl Charge {
    /// Of these in a picocoulomb.
    pub(crate) const PER_PC: u128 = 1_000_000_000_000_000;

    /// The current that makes this charge in `time`; none in no time.
    pub const fn mean(self, time: Time) -> Current {
        if time.ps() == 0 { Current(0) } else { Current(self.0 / time.ps()) }
    }

    /// So many picocoulombs.
    pub const fn from_pc(pc: u128) -> Charge {
        Charge(pc * Charge::PER_PC)
    }

    /// In picocoulombs, rounded.
    pub const fn pc(self) -> u64 {
        rounded(self.0, Charge::PER_PC)
    }

    /// The energy that it takes from a supply of `mv` millivolts, in nanojoules, rounded.
    pub const fn nj(self, mv: u32) -> u64 {
        rounded(self.0 * mv as u128, 1_000_000_000_000_000_000_000)
    }
}

const fn rounded(value: u128, unit: u128) -> u64 {
    ((value + unit / 2) / unit) as u64
}

impl Add for Charge {
    type Output = Charge;
    fn add(self, other: Charge) -> Charge {
        Charge(self.0 + other.0)
    }
}

impl Sub for Charge {
    type Output = Charge;
    /// Zero if `other` is larger.
    fn sub(self, other: Charge) -> Charge {
        Charge(self.0.saturating_sub(other.0))
    }
}

impl AddAssign for Charge {
    fn add_assign(&mut self, other: Charge) {
        self.0 += other.0;
    }
}

impl Sum for Charge {
    fn sum<I: Iterator<Item = Charge>>(charges: I) -> Charge {
        charges.fold(Charge(0), Add::add)
    }
}

/// In the unit that leaves at least one digit before the point, from nanocoulombs to coulombs, with three
/// decimals.
impl fmt::Display for Charge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [&str; 3] = ["nC", "uC", "mC"];
        let mut thousandth = u128::from(self.pc());
        for unit in UNITS {
            if thousandth < 1_000_000 {
                return write!(f, "{} {unit}", thousandths(thousandth));
            }
            thousandth = (thousandth + 500) / 1_000;
        }
        write!(f, "{} C", thousandths(thousandth))
    }
}

fn thousandths(value: u128) -> String {
    format!("{}.{:03}", value / 1_000, value % 1_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn currents_and_charges_are_exact() {
        let current = Current::from_na(136_000) + Current::per_mhz(119_979, 8_000_000);
        assert_eq!(current.na(), 136_000 + 959_832);
        let charge = current.over(Time::from_ms(2));
        assert_eq!(charge.pc(), 2_191_664);
        assert_eq!(charge.mean(Time::from_ms(2)), current);
        // 2.191664 uC at 3.3 V.
        assert_eq!(charge.nj(3_300), 7_232);
        assert_eq!(Charge(5).mean(Time::ZERO), Current(0));
    }

    #[test]
    fn a_third_of_a_hertz_is_not_lost() {
        let day = Time::from_s(86_400);
        assert_eq!(Current(1).over(day), Charge(86_400_000_000_000_000));
        let years = Current::from_na(1_000_000_000).over(Time::NEVER);
        assert_eq!(years.mean(Time::NEVER).na(), 1_000_000_000, "no overflow");
    }

    #[test]
    fn units_fit_the_value() {
        assert_eq!(Current::from_na(2_840).to_string(), "2.840 uA");
        assert_eq!(Current::from_na(6_500_400).to_string(), "6.500 mA");
        let charge = |pc: u128| Charge(pc * 1_000_000_000_000_000).to_string();
        assert_eq!(charge(999_999), "999.999 nC");
        assert_eq!(charge(1_500_000), "1.500 uC");
        assert_eq!(charge(2_000_000_000), "2.000 mC");
        assert_eq!(charge(7_200_000_000_000_000), "7200.000 C");
    }
}
