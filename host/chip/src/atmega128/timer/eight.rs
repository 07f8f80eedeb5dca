// SPDX-License-Identifier: MIT OR Apache-2.0
//! The registers that timers 0 and 2 have in common (data sheet, "8-bit Timer/Counter0", "8-bit
//! Timer/Counter2").

use super::flags;
use super::source::Clocking;
use super::unit::{Action, Mode, Top, Unit, Wave};
use crate::WarningKind;
use crate::atmega128::peripheral::Context;
use crate::atmega128::pins::Signal;

/// TCCRn.
const FOC: u8 = 1 << 7;
const WGM0: u8 = 1 << 6;
const WGM1: u8 = 1 << 3;

const MAX: u32 = 0xFF;

/// SFIOR.
pub(super) const TSM: u8 = 1 << 7;
pub(super) const PSR0: u8 = 1 << 1;
pub(super) const PSR321: u8 = 1;

/// A counter of eight bits with one channel.
#[derive(Clone, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(super) struct Eight {
    pub unit: Unit,
    pub number: u8,
    control: u8,
    pub mask: u8,
}

impl Eight {
    pub fn new(number: u8, signal: Signal) -> Eight {
        Eight { unit: Unit::new(MAX, &[signal]), number, control: 0, mask: 0 }
    }

    /// TCCRn.
    pub fn control(&self) -> u8 {
        self.control
    }

    /// What CSn2:0 select. Timer 0 has more divisions, timer 2 a pin.
    fn clocking(&self) -> Clocking {
        let dividers: [u64; 8] = match self.number {
            0 => [0, 1, 8, 32, 64, 128, 256, 1_024],
            _ => [0, 1, 8, 64, 256, 1_024, 0, 0],
        };
        let select = self.control & 7;
        match dividers[usize::from(select)] {
            0 if select == 0 => Clocking::Stopped,
            0 => Clocking::Pin { rising: select == 7 },
            divider => Clocking::Divided(divider),
        }
    }

    /// TCCRn takes effect.
    pub fn set_control(&mut self, cx: &mut Context<'_>, edge: u64, value: u8) {
        self.control = value & !FOC;
        let (wave, top) = match (value & WGM1 != 0, value & WGM0 != 0) {
            (false, false) => (Wave::Compare, Top::Fixed(MAX)),
            (false, true) => (Wave::Phase, Top::Fixed(MAX)),
            (true, false) => (Wave::Compare, Top::Compare),
            (true, true) => (Wave::Fast, Top::Fixed(MAX)),
        };
        let action = match value >> 4 & 3 {
            0 => Action::None,
            1 if wave != Wave::Compare => {
                cx.out.warn(WarningKind::Reserved);
                Action::None
            }
            1 => Action::Toggle,
            2 => Action::Clear,
            _ => Action::Set,
        };
        let clocking = self.clocking();
        self.unit.change(edge, |unit| {
            unit.set_mode(Mode { wave, top });
            unit.set_action(cx, 0, action);
            if value & FOC != 0 {
                unit.force(cx, 0);
            }
        });
        if clocking != self.unit.source.clocking {
            self.unit.change_source(edge, |source| source.clocking = clocking);
        }
    }

    /// TIMSK and TIFR: the timer's bits.
    pub fn read_flags(&self, register: u8, flags: u8) -> u8 {
        flags::in_register(self.number, register, flags)
    }

    /// A write of TIMSK.
    pub fn set_mask(&mut self, register: u8, value: u8) {
        let (mask, there) = flags::from_register(self.number, register, value);
        self.mask = self.mask & !there | mask;
    }
}

/// SFIOR as a prescaler sees it: set back to zero, held there, or left to run.
pub(super) fn write_prescaler(unit: &mut Unit, edge: u64, sfior: u8, bit: u8) {
    let (resets, holds) = (sfior & bit != 0, sfior & TSM != 0);
    unit.change_source(edge, |source| {
        if resets {
            source.reset_prescaler(edge, holds);
        } else if !holds {
            source.release(edge);
        }
    });
}
