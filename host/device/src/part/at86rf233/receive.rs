// SPDX-License-Identifier: MIT OR Apache-2.0
//! How the radio receives: which frame it stays with, what the program sees of it, and what answers it.

use super::aret::{self, Phase};
use super::frame::{self, AACK_ACK_TIME, Header};
use super::receiver::{self, Progress, Receiving};
use super::registers::{AMI, PHY_ED_LEVEL, PHY_RSSI, RX_START, TRX_CTRL_2, TRX_END, XAH_CTRL_1};
use super::rest::Rest;
use super::states::State;
use super::{At86rf233, CRC_VALID, measure};
use crate::air::{AHEAD, Fate, Tuning};
use crate::{Act, Report, Surroundings};
use lichen_chip::Time;

/// From the last symbol of a frame to its acknowledgment: 12 symbols, or 2.
const ACK_TIME: Time = Time::from_us(192);
const SHORT_ACK_TIME: Time = Time::from_us(32);
/// TRX_CTRL_2.
const RX_SAFE_MODE: u8 = 1 << 7;

impl At86rf233 {
    /// Finds a frame, or goes on with it.
    pub(super) fn receive_on(&mut self, around: &mut Surroundings<'_>) {
        let Some(tuning) = self.tuning() else { return };
        let now = around.now;
        let Some(frame) = &mut self.receiving else {
            if let Some(found) = self.air.look(&tuning, now) {
                self.begin_to_receive(Receiving::begun(found, &self.air, &tuning, true));
            }
            return;
        };
        if frame.due <= now {
            let progress = frame.proceed(&mut self.air, &tuning, now);
            self.received(around, &tuning, progress);
        }
    }

    fn begin_to_receive(&mut self, mut frame: Receiving) {
        let keeps = self.registers.get(TRX_CTRL_2) & RX_SAFE_MODE != 0;
        frame.is_dropped = self.is_protected && keeps && self.aret.is_none();
        frame.is_stored = !frame.is_dropped && self.aret.is_none();
        if frame.is_stored {
            let is_aack = self.states.state() == State::RxAackOn;
            self.states.enter(if is_aack { State::BusyRxAack } else { State::BusyRx });
            self.registers.set(PHY_RSSI, self.registers.get(PHY_RSSI) & !CRC_VALID);
            (self.appended, self.is_protected) = (None, false);
        }
        self.receiving = Some(frame);
    }

    /// Whether the program can see the frame that is being received.
    fn is_visible(&self) -> bool {
        self.receiving.as_ref().is_some_and(|frame| frame.is_stored)
    }

    fn received(&mut self, around: &mut Surroundings<'_>, tuning: &Tuning, progress: Progress) {
        let is_visible = self.is_visible();
        match progress {
            Progress::Started if is_visible => {
                self.take_bytes(around.now);
                self.registers.raise(RX_START);
            }
            Progress::Started | Progress::Nothing => {}
            Progress::Empty => self.resume(around),
            Progress::Addressed(header) if is_visible => self.addressed(around, header),
            Progress::Addressed(_) => {}
            Progress::Ended => self.ended(around, tuning),
        }
    }

    /// The frame that was being received is no more; it listens again.
    fn resume(&mut self, around: &mut Surroundings<'_>) {
        self.receiving = None;
        if self.air.since().is_some() {
            self.air.listen(around.now);
        }
        match self.states.state() {
            State::BusyRx => self.concludes(around, State::RxOn),
            State::BusyRxAack => self.concludes(around, State::RxAackOn),
            _ => {}
        }
    }

    fn addressed(&mut self, around: &mut Surroundings<'_>, header: Option<Header>) {
        let is_own = header.is_some_and(|header| header.is_for(&self.registers));
        if is_own && !frame::is_promiscuous(&self.registers) {
            self.registers.raise(AMI);
        } else if !is_own && self.states.state() == State::BusyRxAack {
            self.reject();
            self.resume(around);
        }
    }

    /// Leaves the frame that is being received to another mote.
    fn reject(&mut self) {
        let power = self.power_of_frame();
        if let (Some(tuned), Some(frame)) = (self.tuned, self.receiving.take()) {
            self.rests.push(Rest::of(frame, &self.air, tuned, power));
        }
    }

    /// Reports frames that the filter has rejected and that were to end by `until`.
    pub(super) fn report_rests(&mut self, around: &mut Surroundings<'_>, until: Time) {
        let rests = std::mem::take(&mut self.rests).into_iter();
        let (over, others): (Vec<_>, Vec<_>) = rests.partition(|rest| rest.due() <= until);
        self.rests = others;
        around.acts.extend(over.into_iter().map(|rest| Act::Report(rest.report(around.now))));
    }

    /// Takes what has arrived into the frame buffer.
    pub(super) fn take_bytes(&mut self, now: Time) {
        let is_visible = self.is_visible();
        let (Some(tuning), Some(frame)) = (self.tuning(), &mut self.receiving) else { return };
        if frame.stage == receiver::Stage::Length {
            return;
        }
        frame.take(&mut self.air, &tuning, now);
        if is_visible {
            self.buffer[0] = frame.length;
            self.buffer[1..=frame.bytes.len()].copy_from_slice(&frame.bytes);
        }
    }

    /// The frame has ended.
    fn ended(&mut self, around: &mut Surroundings<'_>, tuning: &Tuning) {
        self.take_bytes(around.now);
        let Some(frame) = self.receiving.clone() else { return };
        let is_intact = frame.is_intact();
        let fate = match (frame.is_dropped, is_intact) {
            (true, _) => Fate::Overflowed,
            (false, true) => Fate::Received,
            (false, false) => Fate::Corrupted,
        };
        if let Some(Phase::Wait(_, sequence)) = self.aret.as_ref().map(|aret| aret.phase) {
            return self.answered(around, &frame, sequence, fate);
        }
        if frame.is_dropped {
            self.heard(around, fate);
            return self.resume(around);
        }
        let ed = measure::ed(self.power_of_frame());
        let lqi = receiver::lqi(self.air.quality());
        let end = frame.end(&self.air, tuning);
        self.heard(around, fate);
        self.registers.set(PHY_ED_LEVEL, ed);
        let valid = if is_intact { CRC_VALID } else { 0 };
        self.registers.set(PHY_RSSI, self.registers.get(PHY_RSSI) & !CRC_VALID | valid);
        self.appended = Some([lqi, ed, valid | self.trac << 4]);
        self.deliver(around, &frame, is_intact, end);
    }

    /// Tells the program of a frame that has ended, and acknowledges it, as the state wants.
    fn deliver(
        &mut self,
        around: &mut Surroundings<'_>,
        frame: &Receiving,
        is_intact: bool,
        end: Time,
    ) {
        let is_aack = self.states.state() == State::BusyRxAack;
        let header = Header::of(&frame.bytes);
        let is_promiscuous = frame::is_promiscuous(&self.registers);
        let is_own = is_promiscuous || header.is_some_and(|header| header.is_for(&self.registers));
        if is_aack && !(is_own && (is_intact || is_promiscuous)) {
            return self.resume(around);
        }
        self.is_protected = is_intact;
        self.registers.raise(TRX_END);
        let answers =
            header.filter(|header| is_aack && is_intact && header.is_acknowledged(&self.registers));
        self.receiving = None;
        let Some(header) = answers else { return self.resume(around) };
        let is_short = self.registers.get(XAH_CTRL_1) & AACK_ACK_TIME != 0;
        let wait = if is_short { SHORT_ACK_TIME } else { ACK_TIME };
        let payload = frame.bytes.get(header.length..).unwrap_or_default();
        let acknowledgment = header.acknowledgment(&self.registers, payload);
        self.acknowledges = Some(((end + wait - AHEAD).max(around.now), acknowledgment));
    }

    /// A frame has arrived while TX_ARET waits for an acknowledgment.
    fn answered(
        &mut self,
        around: &mut Surroundings<'_>,
        frame: &Receiving,
        sequence: u8,
        fate: Fate,
    ) {
        self.heard(around, fate);
        let header = Header::of(&frame.bytes).filter(|_| frame.is_intact());
        match header.and_then(|header| header.acknowledges(sequence)) {
            Some(true) => self.end_aret(around, aret::SUCCESS_DATA_PENDING),
            Some(false) => self.end_aret(around, aret::SUCCESS),
            None => self.resume(around),
        }
    }

    /// Tells what became of the frame that was being received.
    fn heard(&mut self, around: &mut Surroundings<'_>, fate: Fate) {
        let power = self.power_of_frame();
        let (Some(tuning), Some(frame)) = (self.tuning(), self.receiving.take()) else { return };
        let lqi = receiver::lqi(self.air.quality());
        let report = frame.report(&tuning, power);
        around.acts.push(Act::Report(Report::Heard {
            frame: report,
            sender: frame.sender,
            lqi,
            fate,
            whole: fate != Fate::Abandoned && self.air.is_whole(),
        }));
    }

    /// Mean power of the frame that is being received, over the 8 symbols after its SFD, in hundredths of a dBm.
    pub(super) fn power_of_frame(&self) -> i32 {
        let (Some(tuning), Some(frame)) = (self.tuning(), &self.receiving) else { return i32::MIN };
        self.air.power(&tuning.receiver, frame.sfd + Time::from_us(128))
    }

    /// PHY_ED_LEVEL of the frame that is being received, when that is known.
    pub(super) fn energy_of_frame(&self, now: Time) -> Option<u8> {
        let frame = self.receiving.as_ref().filter(|_| self.is_visible())?;
        (frame.sfd + receiver::ED_TIME <= now).then(|| measure::ed(self.power_of_frame()))
    }

    /// What is being received is lost.
    pub(super) fn abandon(&mut self, around: &mut Surroundings<'_>) {
        if self.receiving.is_some() {
            self.take_bytes(around.now);
            self.heard(around, Fate::Abandoned);
        }
    }
}
