// SPDX-License-Identifier: MIT OR Apache-2.0
//! Its outputs FIFO, FIFOP, CCA and SFD (data sheet of the CC2420, "Microcontroller Interface and Pin Description").

use super::chip::{Chip, Mismatch};
use super::registers::{
    CCA_POLARITY, CCAMUX, FIFO_POLARITY, FIFOP_POLARITY, FIFOP_THR, Field, SFD_POLARITY, SFDMUX,
};
use super::security::Work;
use super::states::State;
use crate::Surroundings;
use lichen_chip::Level;

/// What CCA and SFD show: what they are called after, or whether the crystal is stable. The other signals are for tests.
const OWN: u16 = 0;
const XOSC16M_STABLE: u16 = 24;

impl Chip {
    /// The levels of FIFO, FIFOP, CCA and SFD.
    pub fn pins(&self) -> [Level; 4] {
        let level = |is_active: bool, polarity: Field| match self.is_on()
            && is_active != self.registers.is_set(polarity)
        {
            true => Level::High,
            false => Level::Low,
        };
        let shown = |own: bool, multiplexer: Field| match self.registers.field(multiplexer) {
            OWN => own,
            XOSC16M_STABLE => self.has_crystal(),
            _ => false,
        };
        let cca = shown(self.is_channel_clear(), CCAMUX);
        let sfd = shown(self.has_sfd(), SFDMUX);
        [
            level(self.has_bytes(), FIFO_POLARITY),
            level(self.has_frame(), FIFOP_POLARITY),
            level(cca, CCA_POLARITY),
            level(sfd, SFD_POLARITY),
        ]
    }

    /// Whether its RXFIFO is with the cipher, so that nothing may be read.
    fn decrypts(&self) -> bool {
        self.job.as_ref().is_some_and(|job| job.work == Work::Decrypt)
    }

    fn has_bytes(&self) -> bool {
        self.rx.unread() > 0 && !self.rx.has_overflown && !self.decrypts()
    }

    fn has_frame(&self) -> bool {
        let is_over = self.rx.accepted() > usize::from(self.registers.field(FIFOP_THR));
        self.rx.has_overflown || !self.decrypts() && (is_over || self.rx.is_frame_ready())
    }

    fn has_sfd(&self) -> bool {
        let receives = self.incoming.as_ref().is_some_and(|incoming| !incoming.is_rejected);
        receives || self.is_sfd_held || matches!(self.state, State::TxFrame | State::TxAck)
    }

    pub fn look_at_multiplexers(&mut self, around: &mut Surroundings<'_>) {
        let chosen = [CCAMUX, SFDMUX].map(|multiplexer| self.registers.field(multiplexer));
        if chosen.iter().any(|signal| ![OWN, XOSC16M_STABLE].contains(signal)) {
            let text = "shows no signals of tests on CCA and SFD, as IOCFG1 asks for";
            self.mismatch(around, Mismatch::Multiplexer, text);
        }
    }
}
