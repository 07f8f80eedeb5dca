// SPDX-License-Identifier: MIT OR Apache-2.0
//! All blocks of the chip.

use super::ac::Ac;
use super::adc::Adc;
use super::boot::Boot;
use super::eeprom::Eeprom;
use super::exint::Exint;
use super::map::Block;
use super::mcu::Mcu;
use super::peripheral::Peripheral;
use super::port::Port;
use super::spi::Spi;
use super::timer::{Sixteen, Timer0, Timer2};
use super::twi::Twi;
use super::usart::Usart;
use super::wdt::Wdt;
use crate::Fuses;

/// The blocks, each with its own type, since the chip does more with some than serve them.
#[derive(Clone, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(crate) struct Blocks {
    pub mcu: Mcu,
    pub wdt: Wdt,
    pub exint: Exint,
    pub timer0: Timer0,
    pub timer1: Sixteen,
    pub timer2: Timer2,
    pub timer3: Sixteen,
    pub usarts: [Usart; 2],
    pub spi: Spi,
    pub twi: Twi,
    pub adc: Adc,
    pub ac: Ac,
    pub eeprom: Eeprom,
    pub boot: Boot,
    pub port: Port,
}

impl Blocks {
    pub fn new(fuses: Fuses) -> Blocks {
        Blocks {
            mcu: Mcu::new(fuses),
            wdt: Wdt::new(fuses),
            exint: Exint::new(),
            timer0: Timer0::new(),
            timer1: Sixteen::new(1),
            timer2: Timer2::new(),
            timer3: Sixteen::new(3),
            usarts: [Usart::new(0), Usart::new(1)],
            spi: Spi::new(),
            twi: Twi::new(),
            adc: Adc::new(),
            ac: Ac::new(),
            eeprom: Eeprom::new(),
            boot: Boot::new(fuses),
            port: Port::new(fuses),
        }
    }

    /// The block of this name.
    pub fn get(&mut self, block: Block) -> &mut dyn Peripheral {
        match block {
            Block::Mcu => &mut self.mcu,
            Block::Wdt => &mut self.wdt,
            Block::Exint => &mut self.exint,
            Block::Timer0 => &mut self.timer0,
            Block::Timer1 => &mut self.timer1,
            Block::Timer2 => &mut self.timer2,
            Block::Timer3 => &mut self.timer3,
            Block::Usart0 => &mut self.usarts[0],
            Block::Usart1 => &mut self.usarts[1],
            Block::Spi => &mut self.spi,
            Block::Twi => &mut self.twi,
            Block::Adc => &mut self.adc,
            Block::Ac => &mut self.ac,
            Block::Eeprom => &mut self.eeprom,
            Block::Boot => &mut self.boot,
            Block::Port => &mut self.port,
        }
    }

    /// Gives the blocks the fuses; the next reset uses them.
    pub fn set_fuses(&mut self, fuses: Fuses) {
        self.mcu.set_fuses(fuses);
        self.wdt.set_fuses(fuses);
        self.port.set_fuses(fuses);
        self.boot.set_fuses(fuses);
    }
}
