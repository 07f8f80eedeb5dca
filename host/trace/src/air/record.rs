// SPDX-License-Identifier: MIT OR Apache-2.0
//! The counts of a mote as a file of events has them.

use super::{Counts, Fate};
use serde::Serialize;
use std::collections::BTreeMap;

/// What `kind` says of a line with counts.
const KIND: &str = "air";

/// The counts of one mote in a line of their own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Record {
    kind: &'static str,
    #[serde(flatten)]
    counted: Counted,
}

/// The counts of one mote, or of all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Counted {
    sent: u64,
    acknowledgments: u64,
    received: u64,
    filtered: u64,
    too_weak: u64,
    /// By the reason.
    lost: BTreeMap<&'static str, u64>,
}

impl From<&Counts> for Record {
    fn from(counts: &Counts) -> Record {
        Record { kind: KIND, counted: counts.into() }
    }
}

impl From<&Counts> for Counted {
    fn from(counts: &Counts) -> Counted {
        Counted {
            sent: counts.sent,
            acknowledgments: counts.acknowledgments,
            received: counts.with(Fate::Whole),
            filtered: counts.with(Fate::Filtered),
            too_weak: counts.with(Fate::TooWeak),
            lost: counts.reasons().map(|(fate, count)| (fate.name(), count)).collect(),
        }
    }
}
