// SPDX-License-Identifier: MIT OR Apache-2.0
//! The processor's clock, as a manifest states it. Which frequencies a chip has, CMake knows (`os/lichen.cmake`).

use serde::{Deserialize, Deserializer};
use std::fmt;

/// What the processor's clock does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// It follows what threads and drivers request.
    Adaptive,
    /// It is fixed, in megahertz.
    Fixed(u16),
}

impl Clock {
    fn parse(text: &str) -> Option<Clock> {
        let clock = match text {
            "adaptive" => Clock::Adaptive,
            _ => Clock::Fixed(text.strip_suffix(" MHz")?.parse().ok()?),
        };
        (clock.to_string() == text).then_some(clock)
    }
}

/// As the manifest has it.
impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Clock::Adaptive => f.write_str("adaptive"),
            Clock::Fixed(mhz) => write!(f, "{mhz} MHz"),
        }
    }
}

impl<'de> Deserialize<'de> for Clock {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Clock, D::Error> {
        let text = String::deserialize(deserializer)?;
        let invalid = || {
            serde::de::Error::custom(format!(
                "there is no clock `{text}`: `adaptive`, or as `8 MHz`"
            ))
        };
        Clock::parse(&text).ok_or_else(invalid)
    }
}
