// SPDX-License-Identifier: MIT OR Apache-2.0
//! A serial character as a sequence of edges, for pins that are not connected to a serial
//! interface.

use crate::{Frame, Level, PinId, Time};

/// An incoming character.
#[derive(Clone, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(crate) struct Wave {
    pub pin: PinId,
    frame: Frame,
    start: Time,
    /// Bits that have begun; the start bit is the first.
    begun: u32,
}

impl Wave {
    /// A character whose start bit begins at `start`.
    pub fn new(pin: PinId, frame: Frame, start: Time) -> Wave {
        Wave { pin, frame, start, begun: 0 }
    }

    /// Number of bits up to the first stop bit, which ends the wave: the line stays high.
    fn bits(&self) -> u32 {
        2 + self.frame.data_bits as u32 + self.frame.parity.is_some() as u32
    }

    /// When the next bit begins; [`Time::NEVER`] after the last.
    pub fn due(&self) -> Time {
        if self.begun == self.bits() {
            return Time::NEVER;
        }
        self.start + self.frame.bit_time.bits(u64::from(self.begun))
    }

    /// Begins the next bit.
    pub fn advance(&mut self) -> Level {
        let bit = self.begun;
        self.begun += 1;
        let data_bits = self.frame.data_bits as u32;
        let high = match bit {
            0 => false,
            _ if bit <= data_bits => self.frame.data >> (bit - 1) & 1 != 0,
            _ if bit == data_bits + 1 => self.frame.parity.unwrap_or(true),
            _ => true,
        };
        if high { Level::High } else { Level::Low }
    }
}
