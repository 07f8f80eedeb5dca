// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sending, from the TXFIFO, and acknowledgments (data sheet of the CC2420, "Buffered transmit mode", "Frame Format", "Output
//! Power Programming").
//!
//! A byte must be in the TXFIFO [`AHEAD`] of its first symbol: as much must be announced on the air before it happens.

use super::chip::Chip;
use super::registers::{AUTOCRC, PA_LEVEL, PREAMBLE_LENGTH, SEC_MODE, SYNCWORD, TX_TURNAROUND};
use super::security::Work;
use super::states::{SHORT_TURNAROUND, State, TURNAROUND};
use crate::air::{AHEAD, Frame, Modulation, OnAir, Transmission, fcs};
use crate::{Act, Report, Surroundings};
use borsh::{BorshDeserialize, BorshSerialize};
use lichen_chip::Time;

/// A byte on the air.
pub(super) const BYTE: Time = Time::from_us(32);
/// Power in hundredths of a dBm by PA_LEVEL (table 9), and the state in the table of currents.
const POWERS: [(u16, i32, &str); 8] = [
    (3, -2_500, "tx_pa_3"),
    (7, -1_500, "tx_pa_7"),
    (11, -1_000, "tx_pa_11"),
    (15, -700, "tx_pa_15"),
    (19, -500, "tx_pa_19"),
    (23, -300, "tx_pa_23"),
    (27, -100, "tx_pa_27"),
    (31, 0, "tx_pa_31"),
];
/// Control field of an acknowledgment, and the bit that says that data is pending.
const ACKNOWLEDGMENT: u8 = 0x02;
const PENDING: u8 = 1 << 4;

/// A byte of SYNCWORD on the air, where symbols 0xF are sent as 0.
pub(super) fn sync_byte(byte: u8) -> u8 {
    let symbol = |symbol: u8| if symbol == 0x0F { 0 } else { symbol };
    symbol(byte >> 4) << 4 | symbol(byte & 0x0F)
}

/// The power of a level; between those of the data sheet, it is on the line between them.
pub(super) fn power(level: u16) -> i32 {
    let above = POWERS.iter().position(|(row, ..)| *row >= level).unwrap_or(POWERS.len() - 1);
    let (high, power, _) = POWERS[above];
    let Some((low, least, _)) = above.checked_sub(1).map(|below| POWERS[below]) else {
        return power;
    };
    least + (power - least) * i32::from(level - low) / i32::from(high - low)
}

/// What it draws current as while it sends at a level.
pub(super) fn current(level: u16) -> &'static str {
    let row = POWERS.iter().find(|(row, ..)| *row >= level);
    row.map_or("tx_pa_31", |(.., state)| state)
}

/// A transmission that is ahead or under way.
#[derive(Clone, Debug, BorshSerialize, BorshDeserialize)]
pub(super) struct Outgoing {
    /// When its first symbol begins.
    begin: Time,
    /// When its last one has ended; [`Time::NEVER`] while its length is not known.
    ends: Time,
    is_acknowledgment: bool,
    number: u32,
    frequency_khz: u32,
    power: i32,
    /// Preamble and SFD.
    header: Vec<u8>,
    /// The bytes from the length on, as far as they are known.
    bytes: Vec<u8>,
    is_announced: bool,
    /// The TXFIFO did not have what was due.
    has_failed: bool,
}

impl Outgoing {
    /// When byte `index` begins; the length is the first.
    fn starts(&self, index: usize) -> Time {
        self.begin + BYTE * (self.header.len() + index) as u64
    }

    /// How many bytes it has, if that is known.
    fn total(&self) -> Option<usize> {
        self.bytes.first().map(|length| 1 + usize::from(length & 0x7F))
    }

    pub fn is_announced(&self) -> bool {
        self.is_announced
    }

    /// When it must be announced, or its next byte.
    pub fn announcement_due(&self) -> Time {
        if !self.is_announced {
            return self.begin - AHEAD;
        }
        if self.has_failed || self.total() == Some(self.bytes.len()) {
            return Time::NEVER;
        }
        self.starts(self.bytes.len()) - AHEAD
    }

    /// How many of its bytes can be changed no more.
    fn settled(&self, now: Time) -> usize {
        let begun = (0..self.bytes.len()).take_while(|index| self.starts(*index) < now + AHEAD);
        begun.count()
    }

    /// It ends at another time than it was said.
    fn ends(&mut self, around: &mut Surroundings<'_>, end: Time) {
        if self.ends != end {
            self.ends = end;
            let number = self.number;
            around.acts.push(Act::Radio(OnAir::Ends { number, end }));
        }
    }

    /// It has other bytes, or more.
    fn says(&mut self, around: &mut Surroundings<'_>, bytes: Vec<u8>) {
        let at = (0..bytes.len()).find(|at| self.bytes.get(*at) != Some(&bytes[*at]));
        if let Some(at) = at {
            let (number, rest) = (self.number, bytes[at..].into());
            let at = self.header.len() + at;
            around.acts.push(Act::Radio(OnAir::Says { number, at, bytes: rest }));
        }
        self.bytes = bytes;
        let end = self.total().map_or(Time::NEVER, |total| self.starts(total));
        self.ends(around, end);
    }

    fn begins(&mut self, around: &mut Surroundings<'_>) {
        self.is_announced = true;
        self.ends = self.total().map_or(Time::NEVER, |total| self.starts(total));
        let header = self.header.len() as u8 + 1;
        around.acts.push(Act::Radio(OnAir::Begins(Transmission {
            number: self.number,
            begin: self.begin,
            end: self.ends,
            frequency_khz: self.frequency_khz,
            power: self.power,
            modulation: Modulation::Oqpsk { header, kbps: 250 },
            bytes: [self.header.as_slice(), &self.bytes].concat().into(),
        })));
    }

    /// Reports what of it has been sent when it ends, if that is more than its SFD.
    fn report(&self, around: &mut Surroundings<'_>, end: Time) {
        let ended = (0..self.bytes.len()).take_while(|index| self.starts(index + 1) <= end);
        let Some(whole) = ended.last() else { return };
        let (start, frequency_khz, power) = (self.starts(0), self.frequency_khz, self.power);
        let bytes = self.bytes[1..=whole].to_vec();
        let frame = Frame { start, frequency_khz, rate: 250_000, power, bytes };
        around.acts.push(Act::Report(Report::Sent(frame)));
    }
}

impl Chip {
    pub fn announcement_due(&self) -> Time {
        self.outgoing.as_ref().map_or(Time::NEVER, Outgoing::announcement_due)
    }

    /// It goes over to sending what is in the TXFIFO.
    pub fn transmit(&mut self, around: &mut Surroundings<'_>) {
        let is_long = self.registers.is_set(TX_TURNAROUND);
        let begin = around.now + if is_long { TURNAROUND } else { SHORT_TURNAROUND };
        self.turn(around, State::TxCalibrate, begin, None);
        if self.registers.is_set(SEC_MODE) {
            self.begin_job(around, Work::Encrypt);
        }
    }

    /// It goes over to sending an acknowledgment of the last frame.
    pub fn acknowledge(&mut self, around: &mut Surroundings<'_>, begin: Time) {
        let number = self.unanswered.take().unwrap_or(0);
        let control = ACKNOWLEDGMENT | if self.is_pending { PENDING } else { 0 };
        let [low, high] = fcs(&[control, 0, number]).to_le_bytes();
        let bytes = Vec::from([5, control, 0, number, low, high]);
        self.turn(around, State::TxAckCalibrate, begin, Some(bytes));
    }

    fn turn(
        &mut self,
        around: &mut Surroundings<'_>,
        state: State,
        begin: Time,
        acknowledgment: Option<Vec<u8>>,
    ) {
        self.stop_receiver(around);
        self.frequency_khz = self.registers.frequency_khz();
        let mut header = vec![0; usize::from(self.registers.field(PREAMBLE_LENGTH)) + 1];
        header.extend(self.registers.get(SYNCWORD).to_le_bytes().map(sync_byte));
        self.outgoing = Some(Outgoing {
            begin,
            ends: Time::NEVER,
            is_acknowledgment: acknowledgment.is_some(),
            number: self.number,
            frequency_khz: self.frequency_khz,
            power: power(self.registers.field(PA_LEVEL)),
            header,
            bytes: acknowledgment.unwrap_or_default(),
            is_announced: false,
            has_failed: false,
        });
        self.number += 1;
        self.enter(state, begin);
    }

    /// Adds to the first bytes of a frame those that follow, as far as they are there.
    fn fetch(&self, mut bytes: Vec<u8>) -> Vec<u8> {
        while let Some(byte) = self.next_to_send(&bytes) {
            bytes.push(byte);
        }
        bytes
    }

    fn next_to_send(&self, bytes: &[u8]) -> Option<u8> {
        let at = bytes.len();
        let Some(length) = bytes.first().map(|length| usize::from(length & 0x7F)) else {
            return self.tx.get(&self.ram, 0);
        };
        if at > length {
            return None;
        }
        let has_checksum = length >= 2 && self.registers.is_set(AUTOCRC);
        if !has_checksum || at + 1 < length {
            return self.tx.get(&self.ram, at);
        }
        let sum = fcs(&bytes[1..length - 1]).to_le_bytes();
        Some(sum[at + 1 - length])
    }

    /// Announces a transmission, or its next bytes, without which it ends.
    pub fn announce(&mut self, around: &mut Surroundings<'_>) {
        let Some(mut outgoing) = self.outgoing.take() else { return };
        if !outgoing.is_announced {
            if !outgoing.is_acknowledgment {
                outgoing.bytes = self.fetch(Vec::new());
            }
            outgoing.begins(around);
        } else {
            self.renew(&mut outgoing, around);
            if outgoing.announcement_due() <= around.now {
                outgoing.has_failed = true;
                let end = outgoing.starts(outgoing.bytes.len());
                outgoing.ends(around, end);
            }
        }
        self.outgoing = Some(outgoing);
        self.keep_end();
    }

    /// The TXFIFO has changed.
    pub fn amend(&mut self, around: &mut Surroundings<'_>) {
        let Some(mut outgoing) = self.outgoing.take() else { return };
        if outgoing.is_announced {
            self.renew(&mut outgoing, around);
        }
        self.outgoing = Some(outgoing);
        self.keep_end();
    }

    /// Takes what the TXFIFO has now, for bytes that are not on the air yet.
    fn renew(&self, outgoing: &mut Outgoing, around: &mut Surroundings<'_>) {
        if outgoing.is_acknowledgment || outgoing.has_failed {
            return;
        }
        let settled = outgoing.settled(around.now);
        let bytes = self.fetch(outgoing.bytes[..settled].to_vec());
        outgoing.says(around, bytes);
    }

    /// The end of the present state is that of the transmission.
    fn keep_end(&mut self) {
        if let (State::TxFrame | State::TxAck, Some(outgoing)) = (self.state, &self.outgoing) {
            self.until = outgoing.ends;
        }
    }

    /// The preamble begins, or the SFD has been sent.
    pub fn transmission_proceeds(&mut self) {
        let sfd = self.outgoing.as_ref().map_or(Time::NEVER, |outgoing| outgoing.starts(0));
        match self.state {
            State::TxCalibrate => self.enter(State::TxPreamble, sfd),
            State::TxAckCalibrate => self.enter(State::TxAckPreamble, sfd),
            State::TxPreamble => self.enter(State::TxFrame, Time::NEVER),
            _ => self.enter(State::TxAck, Time::NEVER),
        }
        self.keep_end();
    }

    pub fn transmission_ends(&mut self, around: &mut Surroundings<'_>) {
        let Some(outgoing) = self.outgoing.take() else { return };
        outgoing.report(around, outgoing.ends);
        if outgoing.has_failed {
            self.tx.is_underflown = true;
            return self.enter(State::TxUnderflow, Time::NEVER);
        }
        if !outgoing.is_acknowledgment {
            self.tx.sent();
        }
        self.calibrate(around.now);
    }

    /// It stops sending at once. On the air this takes effect a little later.
    pub fn stop_transmitter(&mut self, around: &mut Surroundings<'_>) {
        let Some(mut outgoing) = self.outgoing.take().filter(Outgoing::is_announced) else {
            return;
        };
        let end = outgoing.ends.min(around.now + AHEAD);
        outgoing.ends(around, end);
        outgoing.report(around, end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn power_is_that_of_the_data_sheet_and_between() {
        assert!(POWERS.iter().all(|(level, dbm, _)| power(*level) == *dbm));
        assert_eq!([0, 5, 29].map(power), [-2_500, -2_000, -50]);
        assert!((0..31).all(|level| power(level) <= power(level + 1)));
        assert_eq!([0, 3, 4, 31].map(current), ["tx_pa_3", "tx_pa_3", "tx_pa_7", "tx_pa_31"]);
    }

    #[test]
    fn symbols_0xf_of_the_sync_word_are_sent_as_zeros() {
        assert_eq!(0xA70F_u16.to_le_bytes().map(sync_byte), [0x00, 0xA7]);
        assert_eq!(0xF1F2_u16.to_le_bytes().map(sync_byte), [0x02, 0x01]);
    }
}
