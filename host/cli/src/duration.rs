// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lengths of simulated time on the command line.

use lichen_chip::Time;

/// Units, and their lengths in picoseconds.
const UNITS: [(&str, u64); 7] = [
    ("s", 1_000_000_000_000),
    ("ms", 1_000_000_000),
    ("us", 1_000_000),
    ("ns", 1_000),
    ("m", 60_000_000_000_000),
    ("min", 60_000_000_000_000),
    ("h", 3_600_000_000_000_000),
];

/// Reads `5s`, `200ms`, `1.5h`; a number alone is seconds.
pub fn parse(text: &str) -> Result<Time, String> {
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = &text[number.len()..];
    let unit = if unit.is_empty() { "s" } else { unit };
    let picoseconds = UNITS.iter().find(|(name, _)| *name == unit).map(|(_, ps)| *ps);
    let (Some(picoseconds), Some(fraction)) = (picoseconds, Fraction::parse(number)) else {
        return Err(format!("`{text}` is not a length of time; write it like 5s, 200ms, 1.5h"));
    };
    match fraction.times(picoseconds) {
        Some(0) => Err("the time must be longer than 0".to_string()),
        Some(total) => Ok(Time(total)),
        None => Err(format!("`{text}` is too long; a run has at most 213 days")),
    }
}

/// A decimal number, exactly: its digits, and how many of them follow the point.
struct Fraction {
    digits: u128,
    behind: u32,
}

impl Fraction {
    fn parse(text: &str) -> Option<Fraction> {
        let (whole, behind) = text.split_once('.').unwrap_or((text, ""));
        let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || !is_number(whole) || !is_number(behind) || behind.len() > 12 {
            return None;
        }
        let digits = format!("{whole}{behind}").parse().ok()?;
        Some(Fraction { digits, behind: behind.len() as u32 })
    }

    /// The number of `unit`s, rounded down; none if it does not fit.
    fn times(&self, unit: u64) -> Option<u64> {
        let total = self.digits.checked_mul(unit.into())? / 10u128.pow(self.behind);
        u64::try_from(total).ok().filter(|total| *total < u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_units_exactly() {
        assert_eq!(parse("5s"), Ok(Time::from_s(5)));
        assert_eq!(parse("5"), Ok(Time::from_s(5)));
        assert_eq!(parse("200ms"), Ok(Time::from_ms(200)));
        assert_eq!(parse("1.5h"), Ok(Time::from_s(5400)));
        assert_eq!(parse("0.1s"), Ok(Time::from_ms(100)));
        assert_eq!(parse("2m"), Ok(Time::from_s(120)));
    }

    #[test]
    fn refuses_what_is_no_time() {
        for text in ["", "s", "5 s", "-1s", "5x", "1.2.3s", "0s", "9999999h", ".5s", "1e3s"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
