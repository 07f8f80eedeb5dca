// SPDX-License-Identifier: MIT OR Apache-2.0
//! The peer at the other end of an asynchronous serial line: a debugger's virtual port and its
//! user.
//!
//! The peer samples each character in the middle of its own bits, as a receiver does, so a wrong
//! rate garbles characters exactly as on a real port. If the mote uses another of the usual rates,
//! the peer follows it after a warning, as a user would who reopens the port.

use crate::{Act, Device, NotItsState, Report, Stimulus, Surroundings, device};
use lichen_chip::{BitTime, Frame, Input, Level, PinId, Time};
use std::collections::VecDeque;
use std::sync::Arc;

/// Usual rates, in baud.
const USUAL_RATES: [u32; 14] = [
    1_200, 2_400, 4_800, 9_600, 14_400, 19_200, 28_800, 38_400, 57_600, 115_200, 230_400, 460_800,
    500_000, 1_000_000,
];

/// Deviation that a receiver tolerates, in parts per thousand: half a bit at the end
/// of ten, shared between the two clocks.
const TOLERANCE_PERMILLE: u64 = 20;

const DATA_BITS: u8 = 8;

/// The peer at a serial port: 8 data bits, no parity, 1 stop bit.
#[derive(Debug, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub struct SerialPort {
    name: Arc<str>,
    /// Its name in messages.
    called: String,
    /// The mote's transmit pin and, if there is input, its receive pin.
    pins: Vec<PinId>,
    baud: u32,
    /// The character being received from the mote: when its last bit arrives, and its frame.
    arriving: VecDeque<(Time, u8)>,
    /// Characters waiting to be sent to the mote.
    to_send: VecDeque<u8>,
    /// When the line to the mote is free again.
    line_free: Time,
    /// Rate, rounded, at which the mote was last found to deviate.
    warned_at: Option<u32>,
    warned_framing: bool,
}

impl SerialPort {
    /// A peer named `name` that receives from the mote's pin `out` and sends to its pin `into`,
    /// both at `baud`.
    pub fn new(name: &str, out: PinId, into: PinId, baud: u32) -> SerialPort {
        SerialPort::at(name, format!("the {name}"), vec![out, into], baud)
    }

    /// A peer that receives from the mote's pin `out`, and is named after it, at the rate of the
    /// first character. It sends nothing.
    pub fn listener(out: PinId, first: &Frame) -> SerialPort {
        let rate = rate(first.bit_time);
        let name = out.to_string();
        SerialPort::at(&name, name.clone(), vec![out], usual_rate(rate).unwrap_or(rate))
    }

    fn at(name: &str, called: String, pins: Vec<PinId>, baud: u32) -> SerialPort {
        SerialPort {
            name: name.into(),
            called,
            pins,
            baud,
            arriving: VecDeque::new(),
            to_send: VecDeque::new(),
            line_free: Time::ZERO,
            warned_at: None,
            warned_framing: false,
        }
    }

    /// The peer whose state [`Device::save`] wrote.
    pub fn saved(saved: &[u8]) -> Result<SerialPort, NotItsState> {
        borsh::from_slice(saved).map_err(|_| NotItsState { device: "serial port".to_string() })
    }

    /// Rate at which it receives and sends, in baud.
    pub fn baud(&self) -> u32 {
        self.baud
    }

    /// Compares the mote's rate with its own: follows it to another usual rate, or warns.
    fn compare_rates(&mut self, around: &mut Surroundings<'_>, frame: &Frame) {
        let rate = rate(frame.bit_time);
        if within_tolerance(rate, self.baud) || self.warned_at == Some(rate) {
            return;
        }
        self.warned_at = Some(rate);
        let text = match usual_rate(rate) {
            Some(usual) => {
                let text = format!(
                    "the mote sends at {usual} baud on {}, which is set to {}: following it",
                    self.called, self.baud
                );
                self.baud = usual;
                text
            }
            None => {
                let off = (rate as f64 / self.baud as f64 - 1.0) * 100.0;
                format!(
                    "baud rate of {} is off by {off:.1} %: got {rate}, expected {}",
                    self.called, self.baud
                )
            }
        };
        around.acts.push(Act::Report(Report::Mismatch(text)));
    }

    fn check_framing(&mut self, around: &mut Surroundings<'_>, stop: bool) {
        if !stop && !self.warned_framing {
            self.warned_framing = true;
            let text = format!(
                "framing error on {}: a character has no stop bit where 8N1 at {} baud has it",
                self.called, self.baud
            );
            around.acts.push(Act::Report(Report::Mismatch(text)));
        }
    }

    /// The mote's pin that the peer drives.
    fn receive_pin(&self) -> Option<PinId> {
        self.pins.get(1).copied()
    }

    fn bit_time(&self) -> BitTime {
        BitTime::from_hz(u64::from(self.baud))
    }

    /// Begins to send the next waiting character.
    fn send(&mut self, around: &mut Surroundings<'_>) {
        let Some(pin) = self.receive_pin() else { return };
        let Some(data) = self.to_send.pop_front() else { return };
        let frame = Frame {
            data: data as u16,
            data_bits: DATA_BITS,
            parity: None,
            stop_bits: 1,
            bit_time: self.bit_time(),
        };
        self.line_free = around.now + frame.length();
        around.acts.push(Act::Drive(Input::Frame { pin, frame }));
        self.report(around, false, data);
    }

    fn report(&self, around: &mut Surroundings<'_>, from_mote: bool, data: u8) {
        let port = Arc::clone(&self.name);
        around.acts.push(Act::Report(Report::Character { port, from_mote, data }));
    }
}

impl Device for SerialPort {
    fn name(&self) -> &str {
        &self.name
    }

    fn pins(&self) -> &[PinId] {
        &self.pins
    }

    /// An idle line is high.
    fn power_on(&mut self, around: &mut Surroundings<'_>) {
        if let Some(pin) = self.receive_pin() {
            around.acts.push(Act::Drive(Input::Pin { pin, level: Level::High }));
        }
    }

    /// What is under way is lost; what waits to be typed is the user's.
    fn power_off(&mut self, _around: &mut Surroundings<'_>) {
        self.arriving.clear();
    }

    /// A reset takes the pin from the port: the character on its way is lost.
    fn level(&mut self, _around: &mut Surroundings<'_>, pin: PinId, level: Level) {
        if self.hears(pin) && matches!(level, Level::Floating(_)) {
            self.arriving.clear();
        }
    }

    fn hears(&self, pin: PinId) -> bool {
        self.pins.first() == Some(&pin)
    }

    fn frame(&mut self, around: &mut Surroundings<'_>, pin: PinId, frame: Frame) {
        if !self.hears(pin) || frame.bit_time == BitTime::ZERO {
            return;
        }
        self.compare_rates(around, &frame);
        let (data, stop) = sample(&frame, self.bit_time());
        self.check_framing(around, stop);
        self.arriving.push_back((around.now + frame.length(), data));
    }

    fn due(&self) -> Time {
        let arrival = self.arriving.front().map_or(Time::NEVER, |(end, _)| *end);
        let departure = if self.to_send.is_empty() { Time::NEVER } else { self.line_free };
        arrival.min(departure)
    }

    fn fire(&mut self, around: &mut Surroundings<'_>) {
        if self.arriving.front().is_some_and(|(end, _)| *end <= around.now) {
            if let Some((_, data)) = self.arriving.pop_front() {
                self.report(around, true, data);
            }
        } else if self.line_free <= around.now {
            self.send(around);
        }
    }

    fn save(&self) -> Vec<u8> {
        device::save(self)
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), NotItsState> {
        device::load(self, saved)
    }

    fn stimulate(&mut self, around: &mut Surroundings<'_>, stimulus: &Stimulus) -> bool {
        let Stimulus::Type(characters) = stimulus else { return false };
        if self.receive_pin().is_none() {
            return false;
        }
        self.to_send.extend(characters);
        self.line_free = self.line_free.max(around.now);
        true
    }
}

/// Rate of a bit time, in baud.
fn rate(bit_time: BitTime) -> u32 {
    u32::try_from(bit_time.hz()).unwrap_or(u32::MAX)
}

/// The usual rate for a mote that sends at `rate`, if there is one.
fn usual_rate(rate: u32) -> Option<u32> {
    USUAL_RATES.into_iter().find(|usual| within_tolerance(rate, *usual))
}

fn within_tolerance(rate: u32, wanted: u32) -> bool {
    (rate.abs_diff(wanted) as u64) * 1_000 <= wanted as u64 * TOLERANCE_PERMILLE
}

/// What a receiver with this bit time reads from a frame: data, and whether it found a stop bit.
fn sample(frame: &Frame, bit_time: BitTime) -> (u8, bool) {
    let (own, sent) = (bit_time.ps(), frame.bit_time.ps());
    let level = |bit: u64| wire(frame, (own * bit + own / 2) / sent);
    let data = (0..DATA_BITS).fold(0, |data, bit| data | (level(bit as u64 + 1) as u8) << bit);
    (data, level(DATA_BITS as u64 + 1))
}

/// Level of the line during bit `index` of a frame: start, data, parity, stop; idle afterwards.
fn wire(frame: &Frame, index: u64) -> bool {
    let data_bits = frame.data_bits as u64;
    match index {
        0 => false,
        bit if bit <= data_bits => frame.data >> (bit - 1) & 1 != 0,
        bit if bit == data_bits + 1 => frame.parity.unwrap_or(true),
        _ => true,
    }
}

#[cfg(test)]
mod tests;
