// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the firmware of a mote has counted as lost, as a file of events has it.

use serde::Serialize;
use std::collections::BTreeMap;

/// What `kind` says of such a line.
const KIND: &str = "lost";

/// The counts of one mote, by what counts them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Lost {
    kind: &'static str,
    counts: BTreeMap<String, u64>,
}

impl From<BTreeMap<String, u64>> for Lost {
    fn from(counts: BTreeMap<String, u64>) -> Lost {
        Lost { kind: KIND, counts }
    }
}
