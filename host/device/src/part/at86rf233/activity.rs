// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the radio does by itself: it sends, receives, acknowledges, and measures.

use super::aret::{self, Aret, Phase, Step};
use super::frame::{self, AACK_ACK_TIME, Header};
use super::receiver::{self, Progress, Receiving};
use super::registers::{
    AMI, CCA_ED_DONE, PHY_ED_LEVEL, PHY_RSSI, PLL_LOCK, RX_START, TRX_CTRL_2, TRX_END, TRX_RPC,
    XAH_CTRL_1, XAH_CTRL_2,
};
use super::states::State;
use super::transmitter::Sending;
use super::{At86rf233, CHANNEL_CHANGE, CRC_VALID, Measurement, Said, channel, measure};
use crate::air::{AHEAD, Fate, OnAir, Passage, Tuning};
use crate::{Act, Report, Surroundings};
use lichen_chip::Time;

/// From the last symbol of a frame to its acknowledgment: 12 symbols, or 2.
const ACK_TIME: Time = Time::from_us(192);
const SHORT_ACK_TIME: Time = Time::from_us(32);
/// TRX_CTRL_2.
const RX_SAFE_MODE: u8 = 1 << 7;
/// TRX_STATUS.
const CCA_DONE: u8 = 1 << 7;
const CCA_STATUS: u8 = 1 << 6;
/// TRX_RPC: less current while it listens for a preamble.
const RX_RPC_EN: u8 = 1 << 5;
const PDT_RPC_EN: u8 = 1 << 4;
/// What random numbers are for.
const RND_VALUE: u32 = 0x524E_4456;
/// Powers, in hundredths of a dBm, from which on a transmission draws as the rows of the table of currents say.
const FULL_POWER: i32 = 200;
const HALF_POWER: i32 = -600;

impl At86rf233 {
    /// When it next does something.
    pub(super) fn next_activity(&self) -> Time {
        let sends = self.sending.as_ref().map_or(Time::NEVER, |it| it.end().min(it.due()));
        let receives = match &self.receiving {
            Some(frame) => frame.due,
            None => self.tuning().map_or(Time::NEVER, |tuning| self.air.due(&tuning)),
        };
        let others = [
            self.acknowledges.map_or(Time::NEVER, |(due, _)| due),
            self.aret.as_ref().map_or(Time::NEVER, Aret::due),
            self.measures.map_or(Time::NEVER, |(due, _)| due),
            self.locks,
        ];
        others.into_iter().fold(sends.min(receives), Time::min)
    }

    /// To what the receiver is set, if it listens.
    fn tuning(&self) -> Option<Tuning> {
        self.tuned.and_then(|_| channel::tuning(&self.registers))
    }

    /// Does what is due.
    pub(super) fn act(&mut self, around: &mut Surroundings<'_>) {
        let now = around.now;
        if self.sending.as_ref().is_some_and(|sending| sending.due() <= now) {
            self.amend(around);
        }
        if self.sending.as_ref().is_some_and(|sending| sending.end() <= now) {
            self.has_sent(around);
        }
        self.receive_on(around);
        if let Some((_, frame)) = self.acknowledges.take_if(|(due, _)| *due <= now) {
            let sending = Sending::acknowledgment(&self.registers, frame, self.sent, now + AHEAD);
            self.send(around, sending);
        }
        if self.aret.as_ref().is_some_and(|aret| aret.due() <= now) {
            self.proceed_with_aret(around);
        }
        if let Some((_, measurement)) = self.measures.take_if(|(due, _)| *due <= now) {
            self.measured(now, measurement);
        }
        if self.locks <= now {
            self.locks = Time::NEVER;
            self.registers.raise(PLL_LOCK);
        }
    }

    /// Listens where its state is one of receiving, and drops what the state has ended.
    pub(super) fn follow_state(&mut self, around: &mut Surroundings<'_>) {
        let now = around.now;
        let state = self.states.state();
        let settled = self.states.due() == Time::NEVER && self.fitness.answers();
        if !state.is_busy() || !settled {
            self.drop_activities(around, state);
        }
        let waits = self.aret.as_ref().is_some_and(|aret| matches!(aret.phase, Phase::Wait(..)));
        let sends = self.sending.is_some() || self.acknowledges.is_some();
        let listens = settled && (state.listens() || waits) && !sends;
        let tuning = channel::tuning(&self.registers).filter(|_| listens);
        let tuned = tuning.map(|it| (it.receiver.frequency_khz, it.kbps, it.sfd));
        if tuned == self.tuned {
            return;
        }
        self.abandon(around);
        let changes = tuned.is_some() && self.tuned.is_some();
        self.tuned = tuned;
        match tuned {
            Some(_) if changes => self.air.listen(now + CHANNEL_CHANGE),
            Some(_) => self.air.listen(now),
            None => self.air.stop(),
        }
        if listens && tuned.is_none() {
            self.say(around, Said::Channel, "listens in no channel: its registers name none");
        }
    }

    /// Its state no longer allows what it did. The frame buffer is kept in the states of receiving only ("Dynamic Frame
    /// Buffer Protection").
    fn drop_activities(&mut self, around: &mut Surroundings<'_>, state: State) {
        if let Some(sending) = self.sending.take() {
            around.acts.extend(sending.cut(around.now).map(Act::Radio));
            around.acts.push(Act::Report(Report::Sent(sending.report())));
        }
        (self.acknowledges, self.deferred) = (None, None);
        if let Some(aret) = self.aret.take() {
            self.generator = Some(aret.random());
        }
        if !state.listens() {
            (self.measures, self.is_protected) = (None, false);
        }
    }

    /// What is being received is lost.
    fn abandon(&mut self, around: &mut Surroundings<'_>) {
        if self.receiving.is_some() {
            self.take_bytes(around.now);
            self.heard(around, Fate::Abandoned);
        }
    }

    /// TX_START, or a rising edge at SLP_TR.
    pub(super) fn starts_to_send(&mut self, around: &mut Surroundings<'_>) {
        if self.states.state() == State::TxAretOn {
            self.trac = aret::INVALID;
            self.states.enter(State::BusyTxAret);
            let mut aret = Aret::begun(&self.registers, self.generator);
            let step = aret.access(&self.registers, around.now);
            self.aret = Some(aret);
            return self.follow_step(around, step);
        }
        self.states.enter(State::BusyTx);
        self.send_buffer(around);
    }

    fn send_buffer(&mut self, around: &mut Surroundings<'_>) {
        let begin = around.now + AHEAD;
        let sending = Sending::buffer(&self.registers, &self.buffer, self.sent, begin);
        self.send(around, sending);
    }

    fn send(&mut self, around: &mut Surroundings<'_>, sending: Option<Sending>) {
        let Some(sending) = sending else {
            self.say(around, Said::Channel, "sends in no channel: its registers name none");
            return self.concludes(around, State::PllOn);
        };
        self.sent += 1;
        around.acts.push(Act::Radio(OnAir::Begins(sending.transmission.clone())));
        self.sending = Some(sending);
    }

    /// What a program has written meanwhile is about to be sent.
    fn amend(&mut self, around: &mut Surroundings<'_>) {
        if let Some(sending) = &mut self.sending {
            let news = sending.amend(&self.registers, &self.buffer);
            around.acts.extend(news.into_iter().map(Act::Radio));
        }
    }

    /// The last symbol has been sent.
    fn has_sent(&mut self, around: &mut Surroundings<'_>) {
        let Some(sending) = self.sending.take() else { return };
        let frame = sending.report();
        let header = Header::of(&frame.bytes);
        around.acts.push(Act::Report(Report::Sent(frame)));
        match self.states.state() {
            State::BusyTxAret => match header.filter(Header::wants_ack) {
                Some(header) => {
                    let waits = Phase::Wait(around.now + aret::ACK_WAIT, header.sequence);
                    self.aret.iter_mut().for_each(|aret| aret.phase = waits);
                }
                None => self.end_aret(around, aret::SUCCESS),
            },
            State::BusyRxAack => self.concludes(around, State::RxAackOn),
            _ => {
                self.registers.raise(TRX_END);
                self.concludes(around, State::PllOn);
            }
        }
    }

    /// A frame has ended, and with it the state that it made; what was to follow, follows.
    fn concludes(&mut self, around: &mut Surroundings<'_>, state: State) {
        match state {
            State::PllOn | State::TxAretOn => self.states.has_sent(around.now, state),
            _ => self.states.enter(state),
        }
        if let Some(command) = self.deferred.take() {
            self.command(around, command);
        }
    }

    fn follow_step(&mut self, around: &mut Surroundings<'_>, step: Step) {
        match step {
            Step::Continue => {}
            Step::Send => self.send_buffer(around),
            Step::Fail(result) => self.end_aret(around, result),
        }
    }

    fn proceed_with_aret(&mut self, around: &mut Surroundings<'_>) {
        let Some(mut aret) = self.aret.take() else { return };
        let now = around.now;
        let step = match aret.phase {
            Phase::Backoff(_) => {
                aret.assess(now);
                Step::Continue
            }
            Phase::Assess(_) => {
                let tuning = channel::tuning(&self.registers);
                let is_clear =
                    tuning.is_none_or(|it| measure::is_clear(&self.registers, &self.air, &it, now));
                aret.assessed(&self.registers, is_clear, now)
            }
            Phase::Wait(..) => {
                self.abandon(around);
                aret.missed(&self.registers, now)
            }
            Phase::Send => Step::Continue,
        };
        self.aret = Some(aret);
        self.follow_step(around, step);
    }

    fn end_aret(&mut self, around: &mut Surroundings<'_>, result: u8) {
        self.trac = result;
        if let Some(aret) = self.aret.take() {
            self.registers.set(XAH_CTRL_2, aret.repetitions());
            self.generator = Some(aret.random());
        }
        self.registers.raise(TRX_END);
        self.concludes(around, State::TxAretOn);
    }

    /// Finds a frame, or goes on with it.
    fn receive_on(&mut self, around: &mut Surroundings<'_>) {
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
        if !frame.is_dropped && self.aret.is_none() {
            let is_aack = self.states.state() == State::RxAackOn;
            self.states.enter(if is_aack { State::BusyRxAack } else { State::BusyRx });
            self.registers.set(PHY_RSSI, self.registers.get(PHY_RSSI) & !CRC_VALID);
            (self.appended, self.is_protected) = (None, false);
        }
        self.receiving = Some(frame);
    }

    /// Whether the program can see the frame that is being received.
    fn is_visible(&self) -> bool {
        self.aret.is_none() && self.receiving.as_ref().is_some_and(|frame| !frame.is_dropped)
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
            self.heard(around, Fate::Filtered);
            self.resume(around);
        }
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
        self.registers_frame(around, &frame, is_intact, end);
    }

    /// Tells the program of a frame that has ended, and acknowledges it, as the state wants.
    fn registers_frame(
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
        }));
    }

    /// Mean power of the frame that is being received, over the 8 symbols after its SFD, in hundredths of a dBm.
    fn power_of_frame(&self) -> i32 {
        let (Some(tuning), Some(frame)) = (self.tuning(), &self.receiving) else { return i32::MIN };
        self.air.power(&tuning.receiver, frame.sfd + Time::from_us(128))
    }

    /// PHY_ED_LEVEL of the frame that is being received, when that is known.
    pub(super) fn energy_of_frame(&self, now: Time) -> Option<u8> {
        let frame = self.receiving.as_ref().filter(|_| self.is_visible())?;
        (frame.sfd + receiver::ED_TIME <= now).then(|| measure::ed(self.power_of_frame()))
    }

    /// Begins a measurement, if the state is one of receiving.
    pub(super) fn measure(&mut self, now: Time, measurement: Measurement) {
        if self.states.state().listens() {
            self.measures = Some((now + measure::TAKES, measurement));
        }
    }

    fn measured(&mut self, now: Time, measurement: Measurement) {
        let Some(tuning) = self.tuning() else { return };
        match measurement {
            Measurement::Energy => {
                let power = measure::power(&self.air, &tuning, now);
                self.registers.set(PHY_ED_LEVEL, measure::ed(power));
            }
            Measurement::Clear => {
                let is_clear = measure::is_clear(&self.registers, &self.air, &tuning, now);
                self.assessed = CCA_DONE | if is_clear { CCA_STATUS } else { 0 };
            }
        }
        self.registers.raise(CCA_ED_DONE);
    }

    /// PHY_RSSI.RSSI.
    pub(super) fn rssi(&self, now: Time) -> u8 {
        let Some(tuning) = self.tuning() else { return 0 };
        measure::rssi(self.air.power(&tuning.receiver, now))
    }

    /// PHY_RSSI.RND_VALUE: two bits of noise, others every microsecond.
    pub(super) fn random(&self, now: Time) -> u8 {
        if self.air.since().is_none() {
            return 3;
        }
        let passage = Passage { seed: self.serial, sender: 0, receiver: 0 };
        (passage.random(now.us() as u32, (now.us() >> 32) as u32, RND_VALUE)[0] & 3) as u8
    }

    /// The row of the table of currents for what it does.
    pub(super) fn draws_as(&self) -> &'static str {
        let state = self.states.state();
        if let Some(sending) = &self.sending {
            return match sending.transmission.power {
                FULL_POWER.. => "busy_tx",
                HALF_POWER.. => "busy_tx_half",
                _ => "busy_tx_low",
            };
        }
        let receives = self
            .aret
            .as_ref()
            .is_some_and(|aret| matches!(aret.phase, Phase::Assess(_) | Phase::Wait(..)));
        let saves =
            self.registers.get(TRX_RPC) & (RX_RPC_EN | PDT_RPC_EN) == RX_RPC_EN | PDT_RPC_EN;
        match state {
            State::RxOn | State::RxAackOn if saves => "rx_on_rpc",
            _ if receives => "rx_on",
            _ => state.name(),
        }
    }
}
