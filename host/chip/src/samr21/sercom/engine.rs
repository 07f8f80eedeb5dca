// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an enabled serial interface does, whatever its mode.

use super::i2c::I2c;
use super::registers::{DRE, RXC, Registers};
use super::spi::Spi;
use super::usart::Usart;
use crate::Time;
use crate::clock::Clock;
use crate::samr21::peripheral::{Context, PadInput};

/// One engine of the modes that are modelled.
#[derive(Clone, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(super) enum AnyEngine {
    Usart(Usart),
    Spi(Spi),
    I2c(I2c),
}

impl AnyEngine {
    pub(super) fn get(&self) -> &dyn Engine {
        match self {
            AnyEngine::Usart(usart) => usart,
            AnyEngine::Spi(spi) => spi,
            AnyEngine::I2c(i2c) => i2c,
        }
    }

    pub(super) fn get_mut(&mut self) -> &mut dyn Engine {
        match self {
            AnyEngine::Usart(usart) => usart,
            AnyEngine::Spi(spi) => spi,
            AnyEngine::I2c(i2c) => i2c,
        }
    }
}

/// The engine of a mode. It exists while the interface is enabled.
pub(super) trait Engine: Send {
    /// The interface is no longer enabled: pads are released.
    fn stop(&mut self, cx: &mut Context<'_>, registers: &mut Registers);

    /// CTRLB as written has crossed into the core clock's domain.
    fn ctrlb_applied(&mut self, cx: &mut Context<'_>, registers: &mut Registers);

    /// INTFLAG as it reads.
    fn flags(&self, registers: &Registers) -> u8;

    /// Whether a byte is to be read from DATA, and whether one is to be written to it: the DMA requests.
    fn requests(&self, registers: &Registers) -> [bool; 2] {
        let flags = self.flags(registers);
        [flags & RXC != 0, flags & DRE != 0]
    }

    /// Whether the core clock is needed in standby.
    fn wants_clock(&self, registers: &Registers) -> bool;

    /// DATA is written.
    fn write_data(&mut self, cx: &mut Context<'_>, registers: &mut Registers, value: u16);

    /// DATA is read.
    fn read_data(&mut self, cx: &mut Context<'_>, registers: &mut Registers) -> u16;

    /// ADDR is written, and has this value now.
    fn write_addr(&mut self, _cx: &mut Context<'_>, _registers: &mut Registers) {}

    /// A command of CTRLB (I2C) is written.
    fn command(&mut self, _cx: &mut Context<'_>, _registers: &mut Registers, _command: u32) {}

    /// STATUS.BUSSTATE (I2C) is written.
    fn write_bus_state(&mut self, _cx: &mut Context<'_>, _registers: &mut Registers, _state: u16) {}

    /// When the engine next does something.
    fn due(&self) -> Time;

    /// Does what is due.
    fn fire(&mut self, cx: &mut Context<'_>, registers: &mut Registers);

    /// Something arrives on a pad.
    fn pad(&mut self, cx: &mut Context<'_>, registers: &mut Registers, pad: u8, input: PadInput);

    /// The core clock may have changed.
    fn clocks_changed(
        &mut self,
        cx: &mut Context<'_>,
        registers: &mut Registers,
        clock: Option<Clock>,
    );
}
