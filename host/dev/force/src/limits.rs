// SPDX-License-Identifier: MIT OR Apache-2.0
//! A law of every run: the processor never sleeps more deeply than the limits allow at that moment.

use crate::Failure;
use crate::program::{Error, symbol};
use lichen_chip::Chip;
use lichen_image::Image;
use std::ops::Range;

/// The modes of each chip as its `CHIP_SLEEP_` constants number them.
const MODES: [(&str, &[&str]); 2] = [
    ("ATSAMR21", &["idle0", "idle1", "idle2", "standby"]),
    ("ATmega128", &["idle", "adc noise reduction", "extended standby", "power-save"]),
];

/// A program's sleep limits (`lichen/power.h`).
#[derive(Clone, Debug)]
pub(crate) struct Limits {
    bytes: Range<u32>,
    modes: &'static [&'static str],
}

impl Limits {
    /// Those of a program for the chip `part`.
    pub(crate) fn of(image: &Image, part: &str) -> Result<Limits, Error> {
        let bytes = symbol(image, "power_limits_begin")?..symbol(image, "power_limits_end")?;
        let of_chip = MODES.iter().find(|(chip, _)| part.starts_with(chip));
        let (_, modes) = of_chip.ok_or_else(|| Error::Modes { part: part.to_string() })?;
        Ok(Limits { bytes, modes })
    }

    /// Checks `mode`, which the chip has just entered.
    pub(crate) fn check(&self, chip: &dyn Chip, mode: &str) -> Result<(), Failure> {
        let mut limits = vec![0; self.bytes.len()];
        // The image was checked to fit when it was loaded.
        let _ = chip.peek(self.bytes.start, &mut limits);
        let allowed = limits.iter().filter(|limit| **limit != 0).map(|limit| *limit - 1).min();
        let deepest = usize::from(allowed.unwrap_or(u8::MAX)).min(self.modes.len() - 1);
        if self.modes[..=deepest].contains(&mode) {
            return Ok(());
        }
        Err(Failure::Sleep { mode: mode.to_string(), allowed: self.modes[deepest].to_string() })
    }
}
