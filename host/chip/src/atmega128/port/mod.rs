// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports A to G (data sheet, "I/O Ports").
//!
//! Pins are resolved here and nowhere else. Blocks override what PORTx and DDRx say
//! ([`Port::override_pin`]), the world drives pins through [`Port::outside`].

mod group;
#[cfg(test)]
mod tests;

use super::clocks::Clocks;
use super::fuses::Meaning;
use super::map;
use super::peripheral::{Context, Drive, Due, Effect, Holds, PadInput, Peripheral, flag};
use super::pins::{self, Alternate, PINS, Signal, pin_of};
use crate::wave::Wave;
use crate::{Fuses, Input, Level, PinId, Time};
use group::Group;

/// SFIOR: no pull-ups.
const PUD: u8 = 1 << 2;

const B: usize = 1;
const C: usize = 2;
const F: usize = 5;
const G: usize = 6;

/// Which register of a port.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Pin,
    Ddr,
    Port,
}

/// The port and the register at an address; E and F have theirs apart from the others.
fn locate(register: u8) -> Option<(usize, Kind)> {
    use map::{DDRE, DDRF, DDRG, PIND, PINE, PINF, PING, PORTA, PORTE, PORTF, PORTG};
    Some(match register {
        PINE => (4, Kind::Pin),
        DDRE => (4, Kind::Ddr),
        PORTE => (4, Kind::Port),
        PINF => (F, Kind::Pin),
        DDRF => (F, Kind::Ddr),
        PORTF => (F, Kind::Port),
        PING => (G, Kind::Pin),
        DDRG => (G, Kind::Ddr),
        PORTG => (G, Kind::Port),
        // Three registers for each, A last.
        PIND..=PORTA => {
            let kind = [Kind::Pin, Kind::Ddr, Kind::Port][usize::from(register - PIND) % 3];
            (usize::from((PORTA - register) / 3), kind)
        }
        _ => return None,
    })
}

/// The ports.
#[derive(Clone, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(crate) struct Port {
    groups: [Group; 7],
    /// Serial characters from outside that are being turned into edges.
    waves: Vec<Wave>,
    pull_ups_disabled: bool,
    compatible: bool,
    /// The last level of the select line that the SPI received.
    select: bool,
}

impl Port {
    pub fn new(fuses: Fuses) -> Port {
        Port {
            groups: std::array::from_fn(|_| Group::new()),
            waves: Vec::new(),
            pull_ups_disabled: false,
            compatible: fuses.compatible_103(),
            select: false,
        }
    }

    /// Takes the fuses; the next reset uses them.
    pub fn set_fuses(&mut self, fuses: Fuses) {
        self.compatible = fuses.compatible_103();
    }

    /// A block overrides the pin of a signal.
    pub fn override_pin(&mut self, cx: &mut Context<'_>, signal: Signal, drive: Drive) {
        let pin = pin_of(signal);
        let Some(group) = self.groups.get_mut(usize::from(pin.port)) else { return };
        group.override_pin(pin.bit, signal, drive);
        self.settle(cx, pin.port.into(), 1 << pin.bit);
    }

    /// Whether what a serial interface sends with this signal leaves the chip: its clock, or a slave's
    /// data, must be an output.
    pub fn carries(&self, signal: Signal) -> bool {
        let pin = match signal {
            Signal::Mosi => pin_of(Signal::Sck),
            Signal::Miso => pin_of(Signal::Miso),
            _ => return true,
        };
        self.groups[usize::from(pin.port)].is_output(pin.bit)
    }

    /// The world changes a pin.
    pub fn outside(&mut self, cx: &mut Context<'_>, input: Input) {
        let Some(pin) = input.pin().filter(|pin| has_pin(*pin)) else { return };
        let port = usize::from(pin.port);
        match input {
            Input::Pin { level, .. } => {
                self.groups[port].set_outside(pin.bit, level);
                self.settle(cx, port, 1 << pin.bit);
            }
            Input::Voltage { microvolts, .. } => {
                self.groups[port].set_voltage(pin.bit, microvolts);
                self.settle(cx, port, 1 << pin.bit);
                pass_on(cx, pin, PadInput::Voltage(microvolts));
            }
            Input::Frame { frame, .. } => {
                if self.groups[port].is_overridden(pin.bit) {
                    pass_on(cx, pin, PadInput::Frame(frame));
                } else {
                    self.waves.push(Wave::new(pin, frame, cx.now));
                    self.fire(cx);
                }
            }
            Input::Reply { reply, .. } => pass_on(cx, pin, PadInput::Reply(reply)),
            Input::Word { word, .. } => pass_on(cx, pin, PadInput::Word(word)),
            // No timer counts a clock of that kind.
            Input::Clock { .. } | Input::Supply { .. } | Input::Reset => {}
        }
    }

    /// Resolves some pins of a port after anything about them has changed.
    fn settle(&mut self, cx: &mut Context<'_>, port: usize, pins: u8) {
        let group = &mut self.groups[port];
        for bit in (0..8).filter(|bit| pins >> bit & 1 != 0) {
            let pin = PinId { port: port as u8, bit };
            let resolved = group.resolve(bit, self.pull_ups_disabled);
            if let Some(level) = group.drive(bit, resolved) {
                cx.out.push(Effect::Pin(pin, level));
            }
            if let Some(high) = group.follow(cx.now, bit) {
                pass_on(cx, pin, PadInput::Level(high));
            }
        }
        if port == B {
            self.pass_select(cx);
        }
    }

    /// The SPI's select line, which has no meaning while it is an output.
    fn pass_select(&mut self, cx: &mut Context<'_>) {
        let pin = pin_of(Signal::Ss);
        let group = &self.groups[usize::from(pin.port)];
        let high = group.is_output(pin.bit) || group.is_high(pin.bit);
        if std::mem::replace(&mut self.select, high) != high {
            cx.out.push(Effect::Input(Signal::Ss, PadInput::Level(high)));
        }
    }

    /// Pins that are there to be used: in compatibility with the ATmega103 port C drives all its pins,
    /// port F reads all of its, and port G belongs to other functions.
    fn writable(&self, port: usize, kind: Kind) -> bool {
        !self.compatible || !matches!((port, kind), (C, Kind::Ddr) | (F | G, _))
    }
}

/// Whether the package has the pin.
pub(super) fn has_pin(pin: PinId) -> bool {
    PINS.get(usize::from(pin.port)).is_some_and(|pins| pin.bit < 8 && pins >> pin.bit & 1 != 0)
}

/// Hands the blocks on a pin what arrives there.
fn pass_on(cx: &mut Context<'_>, pin: PinId, input: PadInput) {
    let reported =
        |alternate: &&Alternate| alternate.receiver.is_some() && alternate.signal != Signal::Ss;
    for alternate in pins::signals(pin).filter(reported) {
        cx.out.push(Effect::Input(alternate.signal, input));
    }
}

impl Peripheral for Port {
    fn read(&mut self, cx: &mut Context<'_>, register: u8) -> u8 {
        let Some((port, kind)) = locate(register) else {
            return flag(self.pull_ups_disabled, PUD);
        };
        let group = &self.groups[port];
        match kind {
            Kind::Pin => group.sampled(cx),
            Kind::Ddr => group.ddr,
            Kind::Port => group.port,
        }
    }

    fn holds(&self, cx: &Context<'_>, register: u8) -> Holds {
        match locate(register) {
            Some((port, Kind::Pin)) if !self.groups[port].is_steady(cx) => Holds::Unknown,
            _ => Holds::UntilDue,
        }
    }

    fn write(&mut self, cx: &mut Context<'_>, register: u8, value: u8) {
        let Some((port, kind)) = locate(register) else {
            let disabled = value & PUD != 0;
            if disabled != std::mem::replace(&mut self.pull_ups_disabled, disabled) {
                (0..self.groups.len()).for_each(|port| self.settle(cx, port, PINS[port]));
            }
            return;
        };
        if !self.writable(port, kind) {
            return;
        }
        let group = &mut self.groups[port];
        let changed = match kind {
            Kind::Pin => 0,
            Kind::Ddr => std::mem::replace(&mut group.ddr, value) ^ value,
            Kind::Port => std::mem::replace(&mut group.port, value) ^ value,
        };
        self.settle(cx, port, changed);
    }

    fn due(&self, _clocks: &Clocks) -> Due {
        let next = self.waves.iter().map(Wave::due).min().unwrap_or(Time::NEVER);
        if next == Time::NEVER { Due::Never } else { Due::Time(next) }
    }

    fn fire(&mut self, cx: &mut Context<'_>) {
        let mut waves = std::mem::take(&mut self.waves);
        for wave in &mut waves {
            while wave.due() <= cx.now {
                let (port, bit) = (usize::from(wave.pin.port), wave.pin.bit);
                self.groups[port].set_outside(bit, wave.advance());
                self.settle(cx, port, 1 << bit);
            }
        }
        waves.retain(|wave| wave.due() != Time::NEVER);
        self.waves = waves;
    }

    fn reset(&mut self, cx: &mut Context<'_>, _power: bool) {
        self.pull_ups_disabled = false;
        for (port, pins) in PINS.into_iter().enumerate() {
            self.groups[port].reset();
            if port == C && self.compatible {
                self.groups[port].ddr = pins;
            }
            self.settle(cx, port, pins);
        }
        // The blocks have forgotten which pins are high.
        for (port, pins) in PINS.into_iter().enumerate() {
            for bit in (0..8).filter(|bit| pins >> bit & 1 != 0) {
                let pin = PinId { port: port as u8, bit };
                let group = &self.groups[port];
                pass_on(cx, pin, PadInput::Level(group.is_high(bit)));
                if let Some(microvolts) = group.voltage(bit) {
                    pass_on(cx, pin, PadInput::Voltage(microvolts));
                }
            }
        }
    }
}

/// The level at which a device outside holds a pin that nothing else drives.
pub(super) const NOTHING: Level = Level::Floating(crate::Pull::None);
