// SPDX-License-Identifier: MIT OR Apache-2.0
//! A debug probe that serves an image's Real Time Transfer buffers, as one does for a board without
//! a serial port.

use lichen_chip::{Chip, Time};
use lichen_image::Image;
use lichen_observe::Rtt;
use std::collections::VecDeque;

/// How often the probe polls while the processor runs. A sleeping processor changes nothing.
const PERIOD: Time = Time::from_ms(1);

/// Name of the port of a debug probe in events.
pub const PORT: &str = "rtt";

#[derive(Clone, Debug, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(crate) struct Probe {
    rtt: Rtt,
    due: Time,
    to_give: VecDeque<u8>,
}

impl Probe {
    /// A probe for `image`, if it has such buffers.
    pub(crate) fn attach(image: &Image) -> Option<Probe> {
        let rtt = Rtt::find(image)?;
        Some(Probe { rtt, due: Time::ZERO, to_give: VecDeque::new() })
    }

    /// When the probe polls next.
    pub(crate) fn due(&self) -> Time {
        self.due
    }

    /// The processor goes to sleep or stops permanently: polls a last time.
    pub(crate) fn halted(&mut self, now: Time) {
        self.due = now;
    }

    /// The processor runs again.
    pub(crate) fn running(&mut self, now: Time) {
        self.due = next_look(now);
    }

    /// Moves characters both ways; returns those from the mote.
    pub(crate) fn look(&mut self, chip: &mut dyn Chip, running: bool) -> Vec<u8> {
        self.due = if running { next_look(chip.now()) } else { Time::NEVER };
        let given = self.rtt.give(chip, self.to_give.make_contiguous());
        self.to_give.drain(..given);
        self.rtt.take(chip)
    }

    /// Characters for the mote, delivered at the next poll.
    pub(crate) fn type_in(&mut self, bytes: &[u8], now: Time) {
        self.to_give.extend(bytes);
        self.due = now;
    }
}

fn next_look(now: Time) -> Time {
    PERIOD * (now / PERIOD + 1)
}
