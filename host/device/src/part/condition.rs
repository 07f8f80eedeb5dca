// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether a part works, and how it fails.

use super::Sense;
use crate::{Act, Report, Stimulus, Surroundings};
use borsh::{BorshDeserialize, BorshSerialize};
use lichen_chip::Time;
use std::fmt;
use std::str::FromStr;

/// Whether a part works, and how it fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Condition {
    /// It works.
    #[default]
    Works,
    /// It is not there: it neither acknowledges nor drives a line.
    Absent,
    /// It answers, but what it senses does not change any more.
    Stuck,
    /// It answers nonsense.
    Wrong,
    /// It pulls its line to the master to ground: SDA, or MISO.
    Shorted,
    /// It holds SCL low, as if it stretched a clock for ever. On other buses it works.
    Stretching,
}

const NAMES: [(Condition, &str); 6] = [
    (Condition::Works, "works"),
    (Condition::Absent, "absent"),
    (Condition::Stuck, "stuck"),
    (Condition::Wrong, "wrong"),
    (Condition::Shorted, "shorted"),
    (Condition::Stretching, "stretching"),
];

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = NAMES.iter().find(|(condition, _)| condition == self);
        f.write_str(name.map_or("", |(_, name)| name))
    }
}

/// It is none of the conditions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a condition of a part; there are works, absent, stuck, wrong, shorted and \
         stretching"
)]
pub struct UnknownCondition(String);

impl FromStr for Condition {
    type Err = UnknownCondition;

    fn from_str(text: &str) -> Result<Condition, UnknownCondition> {
        let found = NAMES.iter().find(|(_, name)| *name == text);
        found.map(|(condition, _)| *condition).ok_or_else(|| UnknownCondition(text.to_string()))
    }
}

/// The condition of one part.
#[derive(Clone, Debug, Default, BorshSerialize, BorshDeserialize)]
pub(super) struct Fitness {
    pub condition: Condition,
    since: Time,
    /// Bytes of nonsense so far.
    nonsense: u64,
    pub is_powered: bool,
}

impl Fitness {
    /// From `now` on the part is in this condition. Whether that is news.
    pub fn set(&mut self, condition: Condition, now: Time) -> bool {
        let changes = self.condition != condition;
        if changes {
            (self.condition, self.since) = (condition, now);
        }
        changes
    }

    /// Reports the condition, which is news, of the part with this name.
    pub fn report(&self, around: &mut Surroundings<'_>, name: &str) {
        let (name, condition) = (name.to_string(), self.condition);
        around.acts.push(Act::Report(Report::Condition { name, condition }));
    }

    /// Takes a condition, and reports it, for a part of this name to which nothing else happens then. Whether `stimulus`
    /// is one.
    pub fn stimulate(
        &mut self,
        around: &mut Surroundings<'_>,
        name: &str,
        stimulus: &Stimulus,
    ) -> bool {
        let Stimulus::Condition(condition) = stimulus else { return false };
        if self.set(*condition, around.now) {
            self.report(around, name);
        }
        true
    }

    /// What the part senses at present.
    pub fn sense<'a>(&self, around: &Surroundings<'a>) -> Sense<'a> {
        let now = around.now;
        let moment = if self.condition == Condition::Stuck { self.since } else { now };
        Sense { now, moment, environment: around.environment }
    }

    /// Whether it takes part in a transfer.
    pub fn answers(&self) -> bool {
        !matches!(self.condition, Condition::Absent | Condition::Shorted)
    }

    /// The byte that the master gets if the part sends `byte`.
    pub fn sent(&mut self, byte: u8) -> u8 {
        match self.condition {
            Condition::Wrong => {
                self.nonsense += 1;
                scattered(self.nonsense)
            }
            _ => byte,
        }
    }
}

/// A byte without a pattern, the same in every run (the finalizer of MurmurHash3).
fn scattered(number: u64) -> u8 {
    let number = (number ^ number >> 33).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
    let number = (number ^ number >> 33).wrapping_mul(0xC4CE_B9FE_1A85_EC53);
    (number ^ number >> 33) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_have_names() {
        for (condition, name) in NAMES {
            assert_eq!(name.parse(), Ok(condition));
            assert_eq!(condition.to_string(), name);
        }
        assert!("dead".parse::<Condition>().is_err());
    }

    #[test]
    fn nonsense_differs_from_byte_to_byte_and_repeats() {
        let nonsense = || {
            let mut fitness = Fitness::default();
            fitness.set(Condition::Wrong, Time::ZERO);
            (0..64).map(|_| fitness.sent(7)).collect::<Vec<_>>()
        };
        assert_eq!(nonsense(), nonsense());
        let different: std::collections::BTreeSet<_> = nonsense().into_iter().collect();
        assert!(different.len() > 40, "{different:?}");
    }
}
