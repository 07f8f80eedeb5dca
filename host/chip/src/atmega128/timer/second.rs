// SPDX-License-Identifier: MIT OR Apache-2.0
//! Timer 2.

use super::eight::{Eight, PSR321, write_prescaler};
use super::flags;
use super::sampled::{Sampled, first_of};
use super::source::Clocking;
use crate::OFF;
use crate::atmega128::clocks::Clocks;
use crate::atmega128::map::*;
use crate::atmega128::peripheral::{Context, Due, Holds, PadInput, Peripheral};
use crate::atmega128::pins::Signal;

/// The block.
#[derive(Clone, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(crate) struct Timer2 {
    eight: Eight,
    pin: Sampled,
}

impl Timer2 {
    pub fn new() -> Timer2 {
        Timer2 { eight: Eight::new(2, Signal::Oc2), pin: Sampled::default() }
    }

    fn settle(&mut self, cx: &mut Context<'_>) {
        self.eight.unit.settle(cx, cx.cycle);
    }
}

impl Peripheral for Timer2 {
    fn read(&mut self, cx: &mut Context<'_>, register: u8) -> u8 {
        self.settle(cx);
        let eight = &self.eight;
        match register {
            TCCR2 => eight.control(),
            TCNT2 => eight.unit.value(cx.cycle) as u8,
            OCR2 => eight.unit.compare(0) as u8,
            TIMSK => eight.read_flags(register, eight.mask),
            TIFR => eight.read_flags(register, eight.unit.flags),
            _ => 0,
        }
    }

    fn holds(&self, _cx: &Context<'_>, register: u8) -> Holds {
        if register == TCNT2 { Holds::Unknown } else { Holds::UntilDue }
    }

    fn write(&mut self, cx: &mut Context<'_>, register: u8, value: u8) {
        self.settle(cx);
        let (eight, cycle) = (&mut self.eight, cx.cycle);
        match register {
            TCCR2 => eight.set_control(cx, cycle, value),
            TCNT2 => eight.unit.change(cycle, |unit| unit.set_value(value.into())),
            OCR2 => eight.unit.change(cycle, |unit| unit.set_compare(0, value.into())),
            TIMSK => eight.set_mask(register, value),
            TIFR => {
                let (cleared, _) = flags::from_register(2, register, value);
                eight.unit.change(cycle, |unit| unit.flags &= !cleared);
            }
            _ => write_prescaler(&mut eight.unit, cycle, value, PSR321),
        }
    }

    fn due(&self, _clocks: &Clocks) -> Due {
        first_of([self.eight.unit.due(), self.pin.due()])
    }

    fn fire(&mut self, cx: &mut Context<'_>) {
        while let Some(high) = self.pin.fire(cx.cycle) {
            if self.eight.unit.source.clocking == (Clocking::Pin { rising: high }) {
                self.eight.unit.source.clock_from_pin();
            }
        }
        self.settle(cx);
    }

    fn lines(&self) -> u64 {
        flags::lines(2, self.eight.unit.flags & self.eight.mask)
    }

    fn interrupts(&self) -> u64 {
        let counts = self.eight.unit.source.counts();
        flags::lines(2, if counts { self.eight.mask } else { 0 })
    }

    fn acknowledge(&mut self, cx: &mut Context<'_>, vector: u32) {
        self.settle(cx);
        let flag = flags::of_vector(2, vector);
        self.eight.unit.change(cx.cycle, |unit| unit.flags &= !flag);
    }

    fn input(&mut self, cx: &mut Context<'_>, _signal: Signal, input: PadInput) {
        if let PadInput::Level(high) = input {
            self.pin.push_if(self.eight.unit.source.is_pin(), cx.cycle, high);
        }
    }

    fn activity(&self) -> &'static str {
        if self.eight.unit.source.clocking == Clocking::Stopped { OFF } else { "counting" }
    }

    fn reset(&mut self, _cx: &mut Context<'_>, _power: bool) {
        *self = Timer2::new();
    }
}
