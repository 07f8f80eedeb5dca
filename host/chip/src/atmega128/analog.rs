// SPDX-License-Identifier: MIT OR Apache-2.0
//! Voltages that the analog blocks see.

use super::peripheral::PadInput;

/// The supply where nobody says another, in microvolts; AVCC and AREF are connected to it.
pub(super) const SUPPLY: u32 = 3_000_000;
/// The bandgap reference (data sheet, "Internal Voltage Reference": 1.15 to 1.40 V, typically 1.23).
pub(super) const BANDGAP: u32 = 1_230_000;
/// The ADC's internal reference.
pub(super) const INTERNAL: u32 = 2_560_000;

/// The voltage on a pin after `input` has arrived there.
pub(super) fn voltage(input: PadInput) -> Option<u32> {
    match input {
        PadInput::Level(true) => Some(SUPPLY),
        PadInput::Level(false) => Some(0),
        PadInput::Voltage(microvolts) => Some(microvolts),
        _ => None,
    }
}
