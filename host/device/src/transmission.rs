// SPDX-License-Identifier: MIT OR Apache-2.0
//! What radios send to each other.

use lichen_chip::Time;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What a radio sends, from its first symbol on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transmission {
    /// Centre of its channel, in kHz.
    pub frequency_khz: u32,
    /// Power at the antenna, in hundredths of a dBm.
    pub power: i32,
    /// Time until its last symbol has been sent.
    pub length: Time,
    /// What it carries.
    pub bytes: Arc<[u8]>,
}

/// A transmission as it arrives at a mote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reception {
    /// What was sent.
    pub transmission: Transmission,
    /// Power at the receiver's antenna, in hundredths of a dBm.
    pub power: i32,
}
