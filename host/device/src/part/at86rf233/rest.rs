// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rest of a frame that the filter has rejected.
//!
//! The radio looks for other frames as soon as it knows the addresses. Observers want to know how the frame arrived as a
//! whole, so a copy of the receiver stays with it; nothing that the radio does depends on that.

use super::channel;
use super::receiver::{self, Receiving};
use crate::Report;
use crate::air::{Demodulator, Fate, Reception};
use borsh::{BorshDeserialize, BorshSerialize};
use lichen_chip::Time;

#[derive(Debug, BorshSerialize, BorshDeserialize)]
pub(super) struct Rest {
    frame: Receiving,
    air: Demodulator,
    /// To what the receiver was set.
    tuned: (u32, u16, u8),
    /// Power of the frame, in hundredths of a dBm.
    power: i32,
}

impl Rest {
    pub fn of(frame: Receiving, air: &Demodulator, tuned: (u32, u16, u8), power: i32) -> Rest {
        Rest { frame, air: air.clone(), tuned, power }
    }

    /// When the frame has ended.
    pub fn due(&self) -> Time {
        self.frame.due
    }

    /// Something else arrives.
    pub fn hear(&mut self, reception: &Reception, now: Time) {
        self.take(now);
        self.air.hear(reception, now);
    }

    fn take(&mut self, now: Time) {
        self.frame.take(&mut self.air, &channel::tuned_to(self.tuned), now);
    }

    /// The report of the frame, of which nothing arrives after `now`.
    pub fn report(mut self, now: Time) -> Report {
        self.take(now);
        let is_over = self.due() <= now;
        let fate = if is_over { Fate::Filtered } else { Fate::Abandoned };
        Report::Heard {
            frame: self.frame.report(&channel::tuned_to(self.tuned), self.power),
            sender: self.frame.sender,
            lqi: receiver::lqi(self.air.quality()),
            fate,
            whole: is_over && self.air.is_whole(),
        }
    }
}
