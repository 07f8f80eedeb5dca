// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the radio does by itself, in its order; and what it measures. How it sends and receives has files of its own.

use super::aret::{Aret, Phase};
use super::registers::{CCA_ED_DONE, PHY_ED_LEVEL, PLL_LOCK, RX_SYN, TRX_RPC};
use super::rest::Rest;
use super::states::State;
use super::transmitter::Sending;
use super::{At86rf233, CHANNEL_CHANGE, Measurement, Mismatch, channel, measure};
use crate::air::{AHEAD, Passage, Tuning};
use crate::{Act, Report, Surroundings};
use lichen_chip::Time;

/// TRX_STATUS.
const CCA_DONE: u8 = 1 << 7;
const CCA_STATUS: u8 = 1 << 6;
/// TRX_RPC: less current while it listens for a preamble.
const RX_RPC_EN: u8 = 1 << 5;
const PDT_RPC_EN: u8 = 1 << 4;
/// RX_SYN.
const RX_PDT_DIS: u8 = 1 << 7;
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
            self.rests.iter().map(Rest::due).min().unwrap_or(Time::NEVER),
        ];
        others.into_iter().fold(sends.min(receives), Time::min)
    }

    /// To what the receiver is set, if it listens.
    pub(super) fn tuning(&self) -> Option<Tuning> {
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
        self.report_rests(around, now);
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
            self.mismatch(
                around,
                Mismatch::Channel,
                "listens in no channel: its registers name none",
            );
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

    /// PHY_RSSI.RND_VALUE: two bits of noise, others every microsecond, while it listens in the basic operating mode
    /// with its detector of preambles.
    pub(super) fn random(&self, now: Time) -> u8 {
        let is_basic = matches!(self.states.state(), State::RxOn | State::BusyRx);
        let detects = self.registers.get(RX_SYN) & RX_PDT_DIS == 0;
        if self.air.since().is_none() || !is_basic || !detects {
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
