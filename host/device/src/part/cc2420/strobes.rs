// SPDX-License-Identifier: MIT OR Apache-2.0
//! Command strobes (data sheet of the CC2420, "Configuration Registers" and "Radio control state machine").

use super::assessment::Assessment;
use super::chip::Chip;
use super::fifo::{RxFifo, TxFifo};
use super::registers::{RESETN, SEC_MODE};
use super::security::Work;
use super::states::{CRYSTAL_STARTS, State, TURNAROUND};
use crate::Surroundings;
use lichen_chip::Time;

const SNOP: u8 = 0x00;
const SXOSCON: u8 = 0x01;
const STXCAL: u8 = 0x02;
const SRXON: u8 = 0x03;
const STXON: u8 = 0x04;
const STXONCCA: u8 = 0x05;
const SRFOFF: u8 = 0x06;
const SXOSCOFF: u8 = 0x07;
const SFLUSHRX: u8 = 0x08;
const SFLUSHTX: u8 = 0x09;
const SACK: u8 = 0x0A;
const SACKPEND: u8 = 0x0B;
const SRXDEC: u8 = 0x0C;
const STXENC: u8 = 0x0D;
const SAES: u8 = 0x0E;

impl Chip {
    pub fn strobe(&mut self, around: &mut Surroundings<'_>, strobe: u8) {
        if !self.registers.is_set(RESETN) {
            return;
        }
        match strobe {
            SNOP => {}
            SXOSCON => self.crystal.begin(around.now, CRYSTAL_STARTS),
            SXOSCOFF => self.power_down(around),
            _ if !self.needs_crystal(around, &format!("the command strobe 0x{strobe:02x}")) => {}
            STXCAL => self.synthesize(around),
            SRXON => self.listen(around.now),
            STXON => self.send(around),
            STXONCCA => self.send_if_clear(around),
            SRFOFF => {
                self.stop_radio(around);
                self.enter(State::Idle, Time::NEVER);
            }
            SFLUSHRX => self.flush_rx(around),
            SFLUSHTX => self.flush_tx(around),
            SACK => self.answer(around, false),
            SACKPEND => self.answer(around, true),
            SRXDEC if self.registers.is_set(SEC_MODE) => self.begin_job(around, Work::Decrypt),
            STXENC if self.registers.is_set(SEC_MODE) => self.begin_job(around, Work::Encrypt),
            SAES => self.begin_job(around, Work::StandAlone),
            _ => {}
        }
    }

    /// Its synthesizer is calibrated, before it receives.
    pub fn calibrate(&mut self, now: Time) {
        self.frequency_khz = self.registers.frequency_khz();
        self.enter(State::RxCalibrate, now + TURNAROUND);
    }

    /// Its receiver is off.
    pub fn stop_receiver(&mut self, around: &mut Surroundings<'_>) {
        self.abandon(around);
        self.since = None;
        self.assessment = Assessment::default();
        self.unanswered = None;
    }

    /// Receiver, transmitter and synthesizer are off.
    pub fn stop_radio(&mut self, around: &mut Surroundings<'_>) {
        self.stop_receiver(around);
        self.stop_transmitter(around);
    }

    fn synthesize(&mut self, around: &mut Surroundings<'_>) {
        self.stop_radio(around);
        self.enter(State::Synthesizer, around.now + TURNAROUND);
    }

    /// SRXON. Elsewhere the receiver is on, or it is after the transmission.
    fn listen(&mut self, now: Time) {
        if matches!(self.state, State::Idle | State::Synthesizer) {
            self.calibrate(now);
        }
    }

    /// FSCTRL is written. While it receives, its synthesizer must be calibrated to another frequency.
    pub fn tune(&mut self, around: &mut Surroundings<'_>) {
        if self.state.receives() && self.frequency_khz != self.registers.frequency_khz() {
            self.stop_receiver(around);
            self.calibrate(around.now);
        }
    }

    /// Whether there is a way from its state to sending.
    fn can_send(&self) -> bool {
        self.state.receives() || matches!(self.state, State::Idle | State::Synthesizer)
    }

    fn send(&mut self, around: &mut Surroundings<'_>) {
        if self.can_send() {
            self.transmit(around);
        }
    }

    fn send_if_clear(&mut self, around: &mut Surroundings<'_>) {
        self.assess(around.now);
        if self.state.receives() && self.is_channel_clear() {
            self.transmit(around);
        }
    }

    /// SFLUSHRX. It also resets the demodulator.
    fn flush_rx(&mut self, around: &mut Surroundings<'_>) {
        self.cancel_job(Work::Decrypt);
        let receives = self.state.receives() && self.state != State::RxCalibrate;
        if receives {
            self.abandon(around);
        }
        self.rx = RxFifo::empty(self.rx.protects);
        if receives {
            self.search(around.now);
        }
    }

    fn flush_tx(&mut self, around: &mut Surroundings<'_>) {
        self.cancel_job(Work::Encrypt);
        self.tx = TxFifo::default();
        self.amend(around);
        if self.state == State::TxUnderflow {
            self.calibrate(around.now);
        }
    }

    /// SACK and SACKPEND: acknowledges the frame that is being received, or the last one.
    fn answer(&mut self, around: &mut Surroundings<'_>, is_pending: bool) {
        self.is_pending = is_pending;
        if let Some(incoming) = &mut self.incoming {
            incoming.is_wanted = !incoming.is_rejected;
        } else if self.state.receives() && self.unanswered.is_some() {
            self.acknowledge(around, around.now + TURNAROUND);
        }
    }
}
