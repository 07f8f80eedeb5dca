// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sending what is in the frame buffer (data sheet of the AT86RF233, "Transmitter", "Frame Buffer Access Modes").
//!
//! The whole frame is announced as it begins. A program may still write it then, if it is faster than the radio:
//! what it has changed is announced when its first byte is about to be sent.

use super::channel;
use super::registers::{Registers, SFD_VALUE, TRX_CTRL_1};
use crate::air::{AHEAD, Frame, Modulation, OnAir, Transmission, fcs};
use borsh::{BorshDeserialize, BorshSerialize};
use lichen_chip::Time;

/// Bytes of the preamble, and of all that is sent at 250 kbit/s: with SFD and length.
const PREAMBLE: usize = 4;
const HEADER: u8 = 6;
/// Index of the length among the bytes on the air.
const LENGTH: usize = 5;
/// TRX_CTRL_1.
const TX_AUTO_CRC_ON: u8 = 1 << 5;

/// What is being sent.
#[derive(Clone, Debug, BorshSerialize, BorshDeserialize)]
pub(super) struct Sending {
    pub transmission: Transmission,
    kbps: u16,
    /// Index on the air of the first byte that has changed since it was announced.
    stale: Option<usize>,
}

/// The bytes of a frame after its length, which are those of `buffer`, or of an acknowledgment.
fn on_air(registers: &Registers, length: u8, psdu: &[u8], has_fcs: bool) -> Vec<u8> {
    let mut bytes = vec![0; PREAMBLE];
    bytes.extend([registers.get(SFD_VALUE), length]);
    bytes.extend(psdu);
    if let (true, Some(end)) = (has_fcs, bytes.len().checked_sub(2)) {
        let sum = fcs(&bytes[LENGTH + 1..end]);
        bytes[end..].copy_from_slice(&sum.to_le_bytes());
    }
    bytes
}

/// The frame in the frame buffer, as it is on the air.
fn frame(registers: &Registers, buffer: &[u8]) -> Vec<u8> {
    let length = usize::from(buffer[0] & 0x7F);
    let computes = registers.get(TRX_CTRL_1) & TX_AUTO_CRC_ON != 0 && length >= 2;
    on_air(registers, buffer[0], &buffer[1..=length], computes)
}

impl Sending {
    /// Begins to send what is in the frame buffer; none without a channel.
    pub fn buffer(
        registers: &Registers,
        buffer: &[u8],
        number: u32,
        begin: Time,
    ) -> Option<Sending> {
        Sending::of(registers, frame(registers, buffer), number, begin)
    }

    /// Begins to send an acknowledgment.
    pub fn acknowledgment(
        registers: &Registers,
        frame: [u8; 3],
        number: u32,
        begin: Time,
    ) -> Option<Sending> {
        let mut psdu = frame.to_vec();
        psdu.extend([0; 2]);
        Sending::of(registers, on_air(registers, psdu.len() as u8, &psdu, true), number, begin)
    }

    fn of(registers: &Registers, bytes: Vec<u8>, number: u32, begin: Time) -> Option<Sending> {
        let kbps = channel::kbps(registers);
        let modulation = Modulation::Oqpsk { header: HEADER, kbps };
        let transmission = Transmission {
            number,
            begin,
            end: begin + modulation.offset(bytes.len()),
            frequency_khz: channel::frequency_khz(registers)?,
            power: channel::power(registers),
            modulation,
            bytes: bytes.into(),
        };
        Some(Sending { transmission, kbps, stale: None })
    }

    pub fn end(&self) -> Time {
        self.transmission.end
    }

    /// A byte of the frame buffer is written. Whether that is too late.
    pub fn wrote(&mut self, now: Time, at: usize) -> bool {
        let index = LENGTH + at;
        let is_late = self.transmission.starts(index) <= now;
        if !is_late && index < LENGTH + 128 {
            self.stale = Some(self.stale.map_or(index, |first| first.min(index)));
        }
        is_late && index < self.transmission.bytes.len()
    }

    /// When it must announce what has changed.
    pub fn due(&self) -> Time {
        self.stale.map_or(Time::NEVER, |index| self.transmission.starts(index))
    }

    /// What has changed since it was announced.
    pub fn amend(&mut self, registers: &Registers, buffer: &[u8]) -> Vec<OnAir> {
        let Some(first) = self.stale.take() else { return Vec::new() };
        let mut bytes =
            self.transmission.bytes[..first.min(self.transmission.bytes.len())].to_vec();
        let fresh = frame(registers, buffer);
        bytes.extend(fresh.get(first..).unwrap_or_default());
        let number = self.transmission.number;
        let mut news =
            vec![OnAir::Says { number, at: first, bytes: bytes[first.min(bytes.len())..].into() }];
        let end = self.transmission.starts(bytes.len().max(usize::from(HEADER)));
        if end != self.transmission.end {
            self.transmission.end = end;
            news.push(OnAir::Ends { number, end });
        }
        self.transmission.bytes = bytes.into();
        news
    }

    /// It is cut off now, or ends.
    pub fn cut(&self, now: Time) -> Option<OnAir> {
        let (number, end) = (self.transmission.number, now + AHEAD);
        (end < self.transmission.end).then_some(OnAir::Ends { number, end })
    }

    /// The report when it has been sent.
    pub fn report(&self) -> Frame {
        let Transmission { frequency_khz, power, ref bytes, .. } = self.transmission;
        Frame {
            start: self.transmission.starts(LENGTH),
            frequency_khz,
            rate: u32::from(self.kbps) * 1_000,
            power,
            bytes: bytes[usize::from(HEADER).min(bytes.len())..].to_vec(),
        }
    }
}
