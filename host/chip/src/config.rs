// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a chip does not know about itself: the crystals around it, and its individual properties.

use borsh::{BorshDeserialize, BorshSerialize};

/// Facts of one chip on one board.
#[derive(Clone, Debug, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Config {
    /// Frequency in Hz of the watch crystal at the 32 kHz oscillator's pins, if there is one.
    pub xosc32k_hz: Option<u32>,
    /// Frequency in Hz of the crystal or clock at the main oscillator's pins, if there is one.
    pub xosc_hz: Option<u32>,
    /// Deviations of this chip's internal oscillators.
    pub drift: Drift,
    /// The 128-bit serial number.
    pub serial_number: [u32; 4],
    /// The key of what differs from one power-up to the next: memory, phases of slow oscillators, noise of converters.
    /// `None` for none of it.
    pub noise: Option<u64>,
    /// Fuses, of chips that have them apart from their flash; `None` for those that the factory delivers. A program
    /// file may contain others.
    pub fuses: Option<Fuses>,
}

/// The fuses and lock bits of an AVR, as a programmer writes them: a bit that is 0 is programmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Fuses {
    /// Fuse low byte.
    pub low: u8,
    /// Fuse high byte.
    pub high: u8,
    /// Extended fuse byte.
    pub extended: u8,
    /// Lock bits.
    pub lock: u8,
}

/// Deviation of each oscillator from its nominal frequency, in parts per million; positive is
/// faster.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Drift {
    /// The fast internal RC oscillator, with which the chip starts.
    pub fast_rc_ppm: i32,
    /// The calibrated internal RC oscillator with the frequency of a watch crystal.
    pub watch_rc_ppm: i32,
    /// The internal RC oscillator that never stops, for watchdog and sleep.
    pub low_power_rc_ppm: i32,
    /// The frequency-locked loop while it is not locked.
    pub open_loop_ppm: i32,
    /// The watch crystal.
    pub watch_crystal_ppm: i32,
    /// The main crystal.
    pub main_crystal_ppm: i32,
    /// The radio's crystal.
    pub radio_crystal_ppm: i32,
}

/// No chip of this name is simulated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no chip `{part}`; known are {}", known.join(", "))]
pub struct UnknownPart {
    /// The requested name.
    pub part: String,
    /// All known names.
    pub known: Vec<&'static str>,
}
