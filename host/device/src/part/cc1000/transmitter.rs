// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the radio sends, bit by bit as it learns it.

use super::frame;
use crate::air::{AHEAD, Frame, Modulation, OnAir, Transmission};
use crate::{Act, Report, Surroundings};
use borsh::{BorshDeserialize, BorshSerialize};
use lichen_chip::Time;

/// Most bytes of a frame that are reported.
pub(super) const LONGEST: u64 = 0xFFFF;

/// How it sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub(super) struct Carrier {
    pub frequency_khz: u32,
    /// In hundredths of a dBm.
    pub power: i32,
    pub bit: Time,
    pub manchester: bool,
}

#[derive(Clone, Debug, BorshSerialize, BorshDeserialize)]
struct Sending {
    carrier: Carrier,
    /// When bit 0 of the first byte is sent, or would be.
    origin: Time,
    missing: u8,
    bytes: Vec<u8>,
    /// Bits that are known.
    known: usize,
}

#[derive(Clone, Debug, Default, BorshSerialize, BorshDeserialize)]
pub(super) struct Transmitter {
    /// Transmissions so far.
    number: u32,
    sending: Option<Sending>,
}

impl Transmitter {
    /// How it sends at present, if it does.
    pub fn carrier(&self) -> Option<Carrier> {
        self.sending.as_ref().map(|sending| sending.carrier)
    }

    /// A carrier begins, `missing` bits after `origin`, when the first bit of `byte` is on the air.
    pub fn begin(
        &mut self,
        around: &mut Surroundings<'_>,
        carrier: Carrier,
        origin: Time,
        missing: u8,
        byte: Option<u8>,
    ) {
        let Carrier { frequency_khz, power, bit, manchester } = carrier;
        let bytes: Vec<u8> = byte.into_iter().collect();
        around.acts.push(Act::Radio(OnAir::Begins(Transmission {
            number: self.number,
            begin: origin + bit * u64::from(missing),
            end: Time::NEVER,
            frequency_khz,
            power,
            modulation: Modulation::Fsk { bit, manchester, missing },
            bytes: bytes.as_slice().into(),
        })));
        let known = 8 * bytes.len();
        self.sending = Some(Sending { carrier, origin, missing, bytes, known });
    }

    /// The most significant `count` of these bits are sent from the time `at` on.
    pub fn send(&mut self, around: &mut Surroundings<'_>, at: Time, bits: u8, count: usize) {
        let Some(sending) = &mut self.sending else { return };
        let bit = sending.carrier.bit;
        let first = ((at - sending.origin + bit / 2) / bit) as usize;
        let end = first + count;
        sending.bytes.resize(sending.bytes.len().max(end.div_ceil(8)), 0);
        sending.known = sending.known.max(end);
        for index in 0..count {
            let (place, mask) = ((first + index) / 8, 0x80 >> ((first + index) % 8));
            let byte = &mut sending.bytes[place];
            *byte = if bits << index & 0x80 != 0 { *byte | mask } else { *byte & !mask };
        }
        let at = first / 8;
        let bytes = sending.bytes[at..end.div_ceil(8)].into();
        around.acts.push(Act::Radio(OnAir::Says { number: self.number, at, bytes }));
    }

    /// The carrier ends.
    pub fn end(&mut self, around: &mut Surroundings<'_>) {
        let Some(mut sending) = self.sending.take() else { return };
        let end = around.now + AHEAD;
        around.acts.push(Act::Radio(OnAir::Ends { number: self.number, end }));
        self.number = self.number.wrapping_add(1);
        let Carrier { frequency_khz, power, bit, .. } = sending.carrier;
        let bits = (end - sending.origin) / bit;
        if bits <= sending.missing.into() {
            return;
        }
        sending.bytes.resize((bits / 8).min(LONGEST) as usize, 0);
        let first = frame::start(&sending.bytes);
        let start = sending.origin + bit * 8 * first as u64;
        let bytes = sending.bytes.split_off(first);
        let rate = rate(bit);
        let frame = Frame { start, frequency_khz, rate, power, bytes };
        around.acts.push(Act::Report(Report::Sent(frame)));
    }
}

/// Bits a second.
pub(super) fn rate(bit: Time) -> u32 {
    ((Time::PER_S + bit.units() / 2) / bit.units().max(1)) as u32
}
