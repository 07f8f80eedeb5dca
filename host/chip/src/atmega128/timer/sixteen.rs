// SPDX-License-Identifier: MIT OR Apache-2.0
//! Timers 1 and 3 (data sheet, "16-bit Timer/Counter").

use super::eight::{PSR321, TSM, write_prescaler};
use super::flags;
use super::sampled::{CANCELER, Sampled, first_of};
use super::source::Clocking;
use super::unit::{Action, CAPTURE, Mode, Top, Unit, Wave};
use crate::atmega128::clocks::Clocks;
use crate::atmega128::map::*;
use crate::atmega128::peripheral::{Context, Due, Holds, PadInput, Peripheral};
use crate::atmega128::pins::Signal;
use crate::{OFF, WarningKind};

/// TCCRnB.
const ICNC: u8 = 1 << 7;
const ICES: u8 = 1 << 6;

const MAX: u32 = 0xFFFF;
const TIMER1: u8 = 1;

/// A register of a timer, apart from its number; a half of one of 16 bits.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Id {
    ControlA,
    ControlB,
    ControlC,
    Count(bool),
    Compare(usize, bool),
    Capture(bool),
    Mask,
    Flags,
    Prescaler,
}

fn id(register: u8) -> Option<Id> {
    Some(match register {
        TCCR1A | TCCR3A => Id::ControlA,
        TCCR1B | TCCR3B => Id::ControlB,
        TCCR1C | TCCR3C => Id::ControlC,
        TCNT1L | TCNT3L => Id::Count(false),
        TCNT1H | TCNT3H => Id::Count(true),
        OCR1AL | OCR3AL => Id::Compare(0, false),
        OCR1AH | OCR3AH => Id::Compare(0, true),
        OCR1BL | OCR3BL => Id::Compare(1, false),
        OCR1BH | OCR3BH => Id::Compare(1, true),
        OCR1CL | OCR3CL => Id::Compare(2, false),
        OCR1CH | OCR3CH => Id::Compare(2, true),
        ICR1L | ICR3L => Id::Capture(false),
        ICR1H | ICR3H => Id::Capture(true),
        TIMSK | ETIMSK => Id::Mask,
        TIFR | ETIFR => Id::Flags,
        SFIOR => Id::Prescaler,
        _ => return None,
    })
}

/// The block.
#[derive(Clone, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(crate) struct Sixteen {
    number: u8,
    unit: Unit,
    control: [u8; 2],
    mask: u8,
    /// TEMP: the high byte that waits for its low byte, or that was read with it.
    temp: u8,
    /// TSM and PSR321, while they hold the prescaler.
    held: u8,
    /// The pins Tn and ICPn.
    clock_pin: Sampled,
    capture_pin: Sampled,
    /// Level of ICPn, and of the comparator if that is connected instead.
    capture_level: bool,
    comparator: Option<bool>,
}

/// The waveform generation modes 0 to 15; 13 is reserved.
fn mode(number: u8) -> Mode {
    use Top::{Capture, Compare as OfA, Fixed};
    use Wave::{Compare, Fast, Phase, PhaseFrequency};
    let (wave, top) = match number {
        1 => (Phase, Fixed(0xFF)),
        2 => (Phase, Fixed(0x1FF)),
        3 => (Phase, Fixed(0x3FF)),
        4 => (Compare, OfA),
        5 => (Fast, Fixed(0xFF)),
        6 => (Fast, Fixed(0x1FF)),
        7 => (Fast, Fixed(0x3FF)),
        8 => (PhaseFrequency, Capture),
        9 => (PhaseFrequency, OfA),
        10 => (Phase, Capture),
        11 => (Phase, OfA),
        12 => (Compare, Capture),
        14 => (Fast, Capture),
        15 => (Fast, OfA),
        _ => (Compare, Fixed(MAX)),
    };
    Mode { wave, top }
}

impl Sixteen {
    /// Timer 1 or 3.
    pub fn new(number: u8) -> Sixteen {
        let signals = match number {
            TIMER1 => [Signal::Oc1a, Signal::Oc1b, Signal::Oc1c],
            _ => [Signal::Oc3a, Signal::Oc3b, Signal::Oc3c],
        };
        Sixteen {
            number,
            unit: Unit::new(MAX, &signals),
            control: [0; 2],
            mask: 0,
            temp: 0,
            held: 0,
            clock_pin: Sampled::default(),
            capture_pin: Sampled::default(),
            capture_level: false,
            comparator: None,
        }
    }

    fn mode_number(&self) -> u8 {
        self.control[0] & 3 | self.control[1] >> 1 & 0xC
    }

    fn clocking(&self) -> Clocking {
        match self.control[1] & 7 {
            0 => Clocking::Stopped,
            1 => Clocking::Divided(1),
            2 => Clocking::Divided(8),
            3 => Clocking::Divided(64),
            4 => Clocking::Divided(256),
            5 => Clocking::Divided(1_024),
            select => Clocking::Pin { rising: select == 7 },
        }
    }

    /// What COMnx1:0 of a channel mean in the present mode.
    fn action(&self, channel: usize) -> Action {
        let mode = mode(self.mode_number());
        match self.control[0] >> (6 - 2 * channel) & 3 {
            0 => Action::None,
            1 if mode.wave == Wave::Compare => Action::Toggle,
            // In PWM only channel A toggles, if it is the top.
            1 if channel == 0 && mode.top == Top::Compare => Action::Toggle,
            1 => Action::None,
            2 => Action::Clear,
            _ => Action::Set,
        }
    }

    fn write_control(&mut self, cx: &mut Context<'_>, byte: usize, value: u8) {
        self.control[byte] = value;
        let number = self.mode_number();
        if number == 13 {
            cx.out.warn(WarningKind::Reserved);
        }
        let actions = [0, 1, 2].map(|channel| self.action(channel));
        self.unit.change(cx.cycle, |unit| {
            unit.set_mode(mode(number));
            for (channel, action) in actions.into_iter().enumerate() {
                unit.set_action(cx, channel, action);
            }
        });
        let clocking = self.clocking();
        if clocking != self.unit.source.clocking {
            self.unit.change_source(cx.cycle, |source| source.clocking = clocking);
        }
    }

    /// A write of a low byte completes a register, with TEMP as its high byte.
    fn write_low(&mut self, cx: &mut Context<'_>, id: Id, value: u8) {
        let value = u32::from(u16::from_be_bytes([self.temp, value]));
        let cycle = cx.cycle;
        match id {
            Id::Count(_) => self.unit.change(cycle, |unit| unit.set_value(value)),
            Id::Compare(channel, _) => {
                self.unit.change(cycle, |unit| unit.set_compare(channel, value));
            }
            // ICRn can be written only where it is the top.
            _ if self.unit.mode().top == Top::Capture => {
                self.unit.change(cycle, |unit| unit.capture = value);
            }
            _ => cx.out.warn(WarningKind::Protected),
        }
    }

    /// A read of a low byte takes the high byte to TEMP.
    fn read_low(&mut self, value: u32) -> u8 {
        let [high, low] = (value as u16).to_be_bytes();
        self.temp = high;
        low
    }

    /// The comparator is connected to the capture unit, or `None`: the pin is.
    pub fn connect_comparator(&mut self, cx: &mut Context<'_>, level: Option<bool>) {
        let connected = self.comparator.is_some();
        self.comparator = level;
        match level {
            // Changing the input can capture; the data sheet wants the flag cleared after it.
            Some(high) if connected => self.capture_input(cx, high),
            _ => self.capture_pin.set(level.unwrap_or(self.capture_level)),
        }
    }

    fn capture_input(&mut self, cx: &Context<'_>, high: bool) {
        let filter = if self.control[1] & ICNC != 0 { CANCELER } else { 0 };
        self.capture_pin.push(cx.cycle, high, filter);
    }

    fn capture(&mut self, cx: &mut Context<'_>, high: bool) {
        let wanted = self.control[1] & ICES != 0;
        if high != wanted || self.unit.mode().top == Top::Capture {
            return;
        }
        self.unit.settle(cx, cx.cycle);
        let value = self.unit.value(cx.cycle);
        self.unit.change(cx.cycle, |unit| {
            unit.capture = value;
            unit.flags |= CAPTURE;
        });
    }
}

impl Peripheral for Sixteen {
    fn read(&mut self, cx: &mut Context<'_>, register: u8) -> u8 {
        self.unit.settle(cx, cx.cycle);
        match id(register) {
            Some(Id::ControlA) => self.control[0],
            Some(Id::ControlB) => self.control[1],
            Some(Id::Count(false)) => self.read_low(self.unit.value(cx.cycle)),
            Some(Id::Capture(false)) => self.read_low(self.unit.capture),
            Some(Id::Count(true) | Id::Capture(true)) => self.temp,
            // Reading OCRnx does not involve TEMP.
            Some(Id::Compare(channel, high)) => {
                self.unit.compare(channel).to_le_bytes()[usize::from(high)]
            }
            Some(Id::Mask) => flags::in_register(self.number, register, self.mask),
            Some(Id::Flags) => flags::in_register(self.number, register, self.unit.flags),
            Some(Id::Prescaler) if self.number == TIMER1 => self.held,
            Some(Id::ControlC | Id::Prescaler) | None => 0,
        }
    }

    fn holds(&self, _cx: &Context<'_>, register: u8) -> Holds {
        match id(register) {
            Some(Id::Count(_) | Id::Capture(_)) => Holds::Unknown,
            _ => Holds::UntilDue,
        }
    }

    fn write(&mut self, cx: &mut Context<'_>, register: u8, value: u8) {
        self.unit.settle(cx, cx.cycle);
        let Some(id) = id(register) else { return };
        match id {
            Id::ControlA => self.write_control(cx, 0, value),
            Id::ControlB => self.write_control(cx, 1, value),
            Id::ControlC => {
                for channel in (0..3).filter(|channel| value << channel & 0x80 != 0) {
                    self.unit.force(cx, channel);
                }
            }
            Id::Count(true) | Id::Compare(_, true) | Id::Capture(true) => self.temp = value,
            Id::Count(false) | Id::Compare(_, false) | Id::Capture(false) => {
                self.write_low(cx, id, value);
            }
            Id::Mask => {
                let (mask, there) = flags::from_register(self.number, register, value);
                self.mask = self.mask & !there | mask;
            }
            Id::Flags => {
                let (cleared, _) = flags::from_register(self.number, register, value);
                self.unit.change(cx.cycle, |unit| unit.flags &= !cleared);
            }
            Id::Prescaler => {
                self.held = if value & TSM != 0 { value & (TSM | PSR321) } else { 0 };
                write_prescaler(&mut self.unit, cx.cycle, value, PSR321);
            }
        }
    }

    fn due(&self, _clocks: &Clocks) -> Due {
        first_of([self.unit.due(), self.clock_pin.due(), self.capture_pin.due()])
    }

    fn fire(&mut self, cx: &mut Context<'_>) {
        while let Some(high) = self.clock_pin.fire(cx.cycle) {
            if self.unit.source.clocking == (Clocking::Pin { rising: high }) {
                self.unit.source.clock_from_pin();
            }
        }
        while let Some(high) = self.capture_pin.fire(cx.cycle) {
            self.capture(cx, high);
        }
        self.unit.settle(cx, cx.cycle);
    }

    fn lines(&self) -> u64 {
        flags::lines(self.number, self.unit.flags & self.mask)
    }

    fn interrupts(&self) -> u64 {
        let counts = self.unit.source.counts();
        flags::lines(self.number, if counts { self.mask } else { self.mask & CAPTURE })
    }

    fn acknowledge(&mut self, cx: &mut Context<'_>, vector: u32) {
        self.unit.settle(cx, cx.cycle);
        let flag = flags::of_vector(self.number, vector);
        self.unit.change(cx.cycle, |unit| unit.flags &= !flag);
    }

    fn input(&mut self, cx: &mut Context<'_>, signal: Signal, input: PadInput) {
        let PadInput::Level(high) = input else { return };
        match signal {
            Signal::T1 | Signal::T3 => {
                self.clock_pin.push_if(self.unit.source.is_pin(), cx.cycle, high)
            }
            _ => {
                self.capture_level = high;
                if self.comparator.is_none() {
                    self.capture_input(cx, high);
                }
            }
        }
    }

    fn activity(&self) -> &'static str {
        if self.unit.source.clocking == Clocking::Stopped { OFF } else { "counting" }
    }

    fn reset(&mut self, _cx: &mut Context<'_>, _power: bool) {
        *self = Sixteen::new(self.number);
    }
}
