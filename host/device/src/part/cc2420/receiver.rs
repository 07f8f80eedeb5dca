// SPDX-License-Identifier: MIT OR Apache-2.0
//! Receiving: from the SFD of a frame to its end, into the RXFIFO (data sheet of the CC2420, "Receive mode", "Frame Format",
//! "Buffered receive mode", "Acknowledge Frames").
//!
//! Bytes are taken when something depends on them: a pin, or a program that reads.

use super::chip::{Chip, Mismatch};
use super::filter::{self, Verdict};
use super::registers::{ADR_DECODE, AUTOACK, AUTOCRC, FIFOP_THR, SYNCWORD};
use super::states::{RX_WAIT, State, TURNAROUND};
use super::transmitter::{BYTE, sync_byte};
use crate::air::{Fate, Found, Frame, Receiver, Tuning, is_intact};
use crate::{Act, Report, Surroundings};
use borsh::{BorshDeserialize, BorshSerialize};
use lichen_chip::Time;

/// From the end of a symbol on the air until the radio has it ("Data latency").
const LATENCY: Time = Time::from_us(3);
/// After the SFD: the time over which the power of a frame is measured.
const MEASURED: Time = Time::from_us(128);
/// The noise of its channel in milliwatts: what the typical sensitivity of -95 dBm leaves.
const NOISE: f64 = 3.072_6e-10;
const SENSITIVITY: i32 = -9_500;
/// What it can still synchronize with is weaker than what it receives well.
const BELOW_SENSITIVITY: i32 = 500;
/// How much weaker it hears signals beside its channel ("Adjacent" and "Alternate channel rejection", the smaller of both
/// sides). It does not synchronize with what is half a megahertz or more beside it.
const SELECTIVITY: &[(u32, i32)] = &[(500, 1), (2_500, 3_000), (7_500, 5_300)];
/// How much more another frame in its channel disturbs than noise ("Co-channel rejection", -3 dB).
const CO_CHANNEL: f64 = 1.94;
/// RSSI_VAL is so many dB above the power in dBm.
const RSSI_OFFSET: i32 = 45;
/// The correlation of a frame without errors, and by how much it is less for each dB by which the signal is less than so
/// many dB above what disturbs it.
const BEST_CORRELATION: f64 = 110.0;
const BEST_DB: f64 = 6.0;
const CORRELATION_PER_DB: f64 = 7.0;
const CRC_OK: u8 = 1 << 7;
/// In the first byte of the control field.
const ACK_REQUEST: u8 = 1 << 5;

/// A frame that is being received.
#[derive(Clone, Debug, BorshSerialize, BorshDeserialize)]
pub(super) struct Incoming {
    sender: u32,
    /// When its SFD has ended on the air.
    sfd: Time,
    /// Its bytes so far, the length first.
    bytes: Vec<u8>,
    /// How many bytes after the length address recognition needs; it is over if there is no number.
    needs: Option<usize>,
    pub is_rejected: bool,
    /// A program wants it acknowledged.
    pub is_wanted: bool,
}

impl Incoming {
    /// Its length, of which seven bits count.
    fn length(&self) -> usize {
        self.bytes.first().map_or(0, |length| usize::from(length & 0x7F))
    }
}

/// RSSI_VAL for a power in hundredths of a dBm.
pub(super) fn rssi_val(power: i32) -> i8 {
    ((power as f64 / 100.0).round() as i32 + RSSI_OFFSET).clamp(-128, 127) as i8
}

/// The correlation of a frame, by the ratio of its signal to what disturbed it.
fn correlation(ratio: f64) -> u8 {
    let db = 10.0 * libm::log10(ratio.max(1e-6));
    let correlation = BEST_CORRELATION - (BEST_DB - db).max(0.0) * CORRELATION_PER_DB;
    correlation.clamp(0.0, BEST_CORRELATION) as u8
}

impl Chip {
    /// To what its receiver is set.
    pub fn tuning(&self) -> Tuning {
        let receiver = Receiver {
            frequency_khz: self.frequency_khz,
            noise: NOISE,
            selectivity: SELECTIVITY,
            co_channel: CO_CHANNEL,
        };
        let [_, sfd] = self.registers.get(SYNCWORD).to_le_bytes();
        let threshold = SENSITIVITY - BELOW_SENSITIVITY;
        Tuning { receiver, sfd: sync_byte(sfd), kbps: 250, threshold }
    }

    /// It can only be synchronized by zeros before its SFD.
    pub fn look_at_sync_word(&mut self, around: &mut Surroundings<'_>) {
        let [before, _] = self.registers.get(SYNCWORD).to_le_bytes();
        if sync_byte(before) != 0 {
            let text = "receives nothing with a SYNCWORD of more than one byte beside zeros, which is not simulated";
            self.mismatch(around, Mismatch::SyncWord, text);
        }
    }

    /// It looks for a frame, or cannot before its RXFIFO is flushed.
    pub fn search(&mut self, now: Time) {
        self.since.get_or_insert(now);
        if self.rx.has_overflown {
            return self.enter(State::RxOverflow, Time::NEVER);
        }
        self.demodulator.listen(now);
        self.enter(State::RxSfdSearch, Time::NEVER);
    }

    /// When something happens on the air that matters here.
    pub fn reception_due(&self) -> Time {
        let on_air = match (self.state, &self.incoming) {
            (State::RxSfdSearch, _) => self.demodulator.due(&self.tuning()),
            (State::RxFrame, Some(incoming)) => {
                self.demodulator.ends(&self.tuning(), self.next_of_interest(incoming))
            }
            _ => Time::NEVER,
        };
        on_air + LATENCY
    }

    /// The next byte after the length at whose end something happens here.
    fn next_of_interest(&self, incoming: &Incoming) -> usize {
        let taken = incoming.bytes.len();
        let end = incoming.length();
        if taken == 0 || incoming.is_rejected {
            return end;
        }
        if self.rx.unread() == 0 {
            return taken;
        }
        let overflows = taken + self.rx.room(&self.ram);
        let next = end.min(overflows);
        match incoming.needs {
            Some(needed) => next.min(needed),
            None => {
                let threshold = usize::from(self.registers.field(FIFOP_THR));
                let missing = threshold.checked_sub(self.rx.accepted());
                next.min(missing.map_or(end, |missing| taken + missing))
            }
        }
    }

    /// Does what is due on the air.
    pub fn receive(&mut self, around: &mut Surroundings<'_>) {
        if self.state == State::RxSfdSearch {
            let tuning = self.tuning();
            if let Some(found) = self.demodulator.look(&tuning, around.now - LATENCY) {
                self.begin_frame(found);
            }
        }
        self.catch_up(around);
    }

    fn begin_frame(&mut self, found: Found) {
        self.unanswered = None;
        self.incoming = Some(Incoming {
            sender: found.sender,
            sfd: found.sfd,
            bytes: Vec::new(),
            needs: self.registers.is_set(ADR_DECODE).then_some(0),
            is_rejected: false,
            is_wanted: false,
        });
        self.enter(State::RxFrame, Time::NEVER);
    }

    /// Takes the bytes that have arrived by now.
    pub fn catch_up(&mut self, around: &mut Surroundings<'_>) {
        let tuning = self.tuning();
        while let Some(mut incoming) = self.incoming.take() {
            let byte = self.demodulator.take(&tuning, around.now - LATENCY);
            let Some(byte) = byte else {
                self.incoming = Some(incoming);
                return;
            };
            incoming.bytes.push(byte);
            self.store(around, incoming, byte);
        }
    }

    /// A byte of a frame has arrived.
    fn store(&mut self, around: &mut Surroundings<'_>, mut incoming: Incoming, byte: u8) {
        let (index, length) = (incoming.bytes.len() - 1, incoming.length());
        if index == 0 {
            self.rx.begin(byte, incoming.needs.is_none());
        }
        if !incoming.is_rejected {
            let stored = self.appended(&incoming, around.now).unwrap_or(byte);
            if !self.rx.push(&mut self.ram, stored) {
                return self.overflow(around, incoming);
            }
        }
        if incoming.needs.is_some_and(|needed| index >= needed) {
            self.filter(&mut incoming);
        }
        if index == length {
            return self.end_frame(around, incoming);
        }
        self.incoming = Some(incoming);
    }

    /// What AUTOCRC stores in place of the last byte that has arrived, if that is of the checksum.
    fn appended(&self, incoming: &Incoming, now: Time) -> Option<u8> {
        let (index, length) = (incoming.bytes.len() - 1, incoming.length());
        if length < 2 || !self.registers.is_set(AUTOCRC) {
            return None;
        }
        if index + 1 == length {
            return Some(rssi_val(self.power_of(incoming, now)) as u8);
        }
        let is_ok = is_intact(&incoming.bytes[1..]);
        (index == length).then(|| self.correlation() | if is_ok { CRC_OK } else { 0 })
    }

    fn correlation(&self) -> u8 {
        correlation(self.demodulator.quality())
    }

    /// The power of a frame in hundredths of a dBm: that of 8 symbols after its SFD, if it has as many.
    fn power_of(&self, incoming: &Incoming, now: Time) -> i32 {
        let until = (incoming.sfd + MEASURED).min(now - LATENCY);
        self.demodulator.power(&self.tuning().receiver, until)
    }

    fn filter(&mut self, incoming: &mut Incoming) {
        let bytes = &incoming.bytes[1..];
        incoming.needs = None;
        match filter::judge(bytes, incoming.length(), &self.registers, &self.ram) {
            Verdict::Needs(needed) => incoming.needs = Some(needed),
            Verdict::Accepted => self.rx.accept(),
            Verdict::Rejected => {
                incoming.is_rejected = true;
                self.rx.reject();
            }
        }
    }

    fn overflow(&mut self, around: &mut Surroundings<'_>, incoming: Incoming) {
        self.report(around, &incoming, Fate::Overflowed);
        self.rx.abandon();
        self.demodulator.stop();
        self.enter(State::RxOverflow, Time::NEVER);
        self.is_sfd_held = true;
    }

    fn end_frame(&mut self, around: &mut Surroundings<'_>, incoming: Incoming) {
        let is_ok = is_intact(&incoming.bytes[1..]);
        let fate = match (incoming.is_rejected, is_ok) {
            (true, _) => Fate::Filtered,
            (_, true) => Fate::Received,
            (_, false) => Fate::Corrupted,
        };
        self.report(around, &incoming, fate);
        let end = incoming.sfd + BYTE * incoming.bytes.len() as u64;
        self.demodulator.stop();
        self.enter(State::RxWait, around.now + RX_WAIT);
        if incoming.is_rejected {
            return;
        }
        self.rx.complete();
        self.resume_job(around.now);
        if is_ok {
            let byte = |index: usize| incoming.bytes.get(index).copied().unwrap_or(0);
            self.unanswered = Some(byte(3));
            let asks = self.registers.is_set(AUTOACK) && byte(1) & ACK_REQUEST != 0;
            if asks || incoming.is_wanted {
                self.acknowledge(around, end + TURNAROUND);
            }
        }
    }

    /// It does not receive the frame that is under way to its end.
    pub fn abandon(&mut self, around: &mut Surroundings<'_>) {
        self.catch_up(around);
        if let Some(incoming) = self.incoming.take() {
            self.report(around, &incoming, Fate::Abandoned);
            if !incoming.is_rejected {
                self.rx.abandon();
            }
        }
        self.demodulator.stop();
    }

    fn report(&self, around: &mut Surroundings<'_>, incoming: &Incoming, fate: Fate) {
        let bytes = incoming.bytes.get(1..).unwrap_or_default().to_vec();
        let is_over = incoming.bytes.len() == 1 + incoming.length();
        let frame = Frame {
            start: incoming.sfd,
            frequency_khz: self.frequency_khz,
            rate: 250_000,
            power: self.power_of(incoming, around.now),
            bytes,
        };
        let (sender, lqi) = (incoming.sender, self.correlation());
        let whole = is_over && self.demodulator.is_whole();
        around.acts.push(Act::Report(Report::Heard { frame, sender, lqi, fate, whole }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::air::{OQPSK_SENSITIVE, milliwatts};

    #[test]
    fn its_noise_is_that_of_its_sensitivity() {
        let noise = milliwatts(SENSITIVITY) / OQPSK_SENSITIVE;
        assert!((noise / NOISE - 1.0).abs() < 1e-4, "{noise}");
        let co_channel = milliwatts(300) / OQPSK_SENSITIVE;
        assert!((co_channel / CO_CHANNEL - 1.0).abs() < 1e-2, "{co_channel}");
    }

    #[test]
    fn rssi_and_correlation_are_within_their_ranges() {
        assert_eq!([rssi_val(-6_500), rssi_val(-6_549), rssi_val(-20_000)], [-20, -20, -128]);
        assert_eq!(rssi_val(20_000), 127);
        assert_eq!([correlation(1e9), correlation(0.0)], [110, 0]);
        assert!((45..=55).contains(&correlation(0.55)), "the weakest frames that arrive");
    }
}
