// SPDX-License-Identifier: MIT OR Apache-2.0
//! How the radio sends: at once, or as TX_ARET does, and what follows a frame.

use super::aret::{self, Aret, Phase, Step};
use super::frame::Header;
use super::registers::{TRX_END, XAH_CTRL_2};
use super::states::State;
use super::transmitter::Sending;
use super::{At86rf233, Mismatch, channel, measure};
use crate::air::{AHEAD, OnAir};
use crate::{Act, Report, Surroundings};

impl At86rf233 {
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

    pub(super) fn send_buffer(&mut self, around: &mut Surroundings<'_>) {
        let begin = around.now + AHEAD;
        let sending = Sending::buffer(&self.registers, &self.buffer, self.sent, begin);
        self.send(around, sending);
    }

    pub(super) fn send(&mut self, around: &mut Surroundings<'_>, sending: Option<Sending>) {
        let Some(sending) = sending else {
            self.mismatch(
                around,
                Mismatch::Channel,
                "sends in no channel: its registers name none",
            );
            return self.concludes(around, State::PllOn);
        };
        self.sent += 1;
        around.acts.push(Act::Radio(OnAir::Begins(sending.transmission.clone())));
        self.sending = Some(sending);
    }

    /// What a program has written meanwhile is about to be sent.
    pub(super) fn amend(&mut self, around: &mut Surroundings<'_>) {
        if let Some(sending) = &mut self.sending {
            let news = sending.amend(&self.registers, &self.buffer);
            around.acts.extend(news.into_iter().map(Act::Radio));
        }
    }

    /// The last symbol has been sent.
    pub(super) fn has_sent(&mut self, around: &mut Surroundings<'_>) {
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
    pub(super) fn concludes(&mut self, around: &mut Surroundings<'_>, state: State) {
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

    pub(super) fn proceed_with_aret(&mut self, around: &mut Surroundings<'_>) {
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

    pub(super) fn end_aret(&mut self, around: &mut Surroundings<'_>, result: u8) {
        self.trac = result;
        if let Some(aret) = self.aret.take() {
            self.registers.set(XAH_CTRL_2, aret.repetitions());
            self.generator = Some(aret.random());
        }
        self.registers.raise(TRX_END);
        self.concludes(around, State::TxAretOn);
    }
}
