// SPDX-License-Identifier: MIT OR Apache-2.0
//! Crossbow MTS300 and MTS310, sensor boards on the 51-pin connector of a MICA: light and temperature, which share
//! a pin of the converter, a microphone with a potentiometer on I2C, a sounder, and on the MTS310 an accelerometer
//! (MTS/MDA Sensor Board Users Manual; pins as in TinyOS, `tos/sensorboards/mts300`). Each sensor has its power
//! from a pin of the chip.

mod volts;

use super::{Condition, Fitness, Part, Wires};
use crate::part::Bus;
use crate::{
    ACCELERATION_X, ACCELERATION_Y, Act, Consumption, Device, LIGHT, NotItsState, Quantity, Report,
    SOUND, SUPPLY, Stimulus, Surroundings, TEMPERATURE, device,
};
use borsh::{BorshDeserialize, BorshSerialize};
use lichen_chip::{I2cStep, Input, Level, PinId, Reply, Time, Transfer};

const SENSES: &[Quantity] = &[TEMPERATURE, LIGHT, SOUND];

pub(super) const MTS300: Part = Part {
    number: "MTS300",
    title: "light, temperature, sound, sounder",
    bus: Bus::Connector,
    senses: SENSES,
    lines: &[],
    addresses: &[],
    make: |wires| connect(wires, false),
};

pub(super) const MTS310: Part = Part {
    number: "MTS310",
    title: "light, temperature, sound, acceleration, sounder",
    bus: Bus::Connector,
    senses: &[TEMPERATURE, LIGHT, SOUND, ACCELERATION_X, ACCELERATION_Y],
    lines: &[],
    addresses: &[],
    make: |wires| connect(wires, true),
};

const fn pin(port: u8, bit: u8) -> PinId {
    PinId { port: port - b'A', bit }
}

/// Power: of light (INT1), temperature (PW0 of revision B, INT2 of revision A), microphone, accelerometer,
/// magnetometer.
const LIGHT_POWER: PinId = pin(b'E', 5);
const TEMPERATURE_POWER: [PinId; 2] = [pin(b'C', 0), pin(b'E', 6)];
const SOUND_POWER: PinId = pin(b'C', 3);
const ACCELERATION_POWER: PinId = pin(b'C', 4);
const MAGNETOMETER_POWER: PinId = pin(b'C', 5);
/// High for the microphone itself, low for what passes the tone detector's filter.
const SOUND_SELECT: PinId = pin(b'C', 6);
const SOUNDER: PinId = pin(b'C', 2);
/// Inputs of the converter.
const DIVIDER: PinId = pin(b'F', 1);
const MICROPHONE: PinId = pin(b'F', 2);
const ACCELERATIONS: [PinId; 2] = [pin(b'F', 3), pin(b'F', 4)];
const SDA: PinId = pin(b'D', 1);

/// What a sounder is called in events and waveforms.
const SOUNDER_NAME: &str = "sounder";

/// Everything that it is connected to and that may change: first what the chip drives.
const PINS: [PinId; 13] = [
    LIGHT_POWER,
    TEMPERATURE_POWER[0],
    TEMPERATURE_POWER[1],
    SOUND_POWER,
    ACCELERATION_POWER,
    MAGNETOMETER_POWER,
    SOUND_SELECT,
    SOUNDER,
    DIVIDER,
    MICROPHONE,
    ACCELERATIONS[0],
    ACCELERATIONS[1],
    SDA,
];

/// How many of [`PINS`] the chip drives.
const DRIVEN: usize = 8;

/// The potentiometer of the microphone, an AD5242, and where it stands after power-up.
const POTENTIOMETER: u16 = 0x2D;
const MIDDLE: u8 = 0x80;
/// Its instruction byte: the second potentiometer of the part, which the board does not use; to the middle, and
/// shutdown.
const SECOND: u8 = 1 << 7;
const RESET: u8 = 1 << 6;
const SHUTDOWN: u8 = 1 << 5;

/// What is not simulated.
#[derive(Clone, Copy)]
enum Missing {
    Magnetometer,
    ToneDetector,
    /// Resets and shutdowns of the potentiometer by its instruction byte.
    Instruction,
}

impl Missing {
    fn name(self) -> &'static str {
        match self {
            Missing::Magnetometer => "magnetometer",
            Missing::ToneDetector => "tone detector",
            Missing::Instruction => "potentiometer's reset or shutdown",
        }
    }
}

#[derive(BorshSerialize, BorshDeserialize)]
struct Mts {
    name: String,
    has_accelerometer: bool,
    fitness: Fitness,
    /// Since when each of [`PINS`] is driven high.
    high_since: [Option<Time>; PINS.len()],
    /// Positions of the potentiometers; the first one is the microphone's.
    positions: [u8; 2],
    is_addressed: bool,
    /// Bytes of this transaction, and the first one.
    count: u8,
    instruction: u8,
    /// Whether it was said that each of [`Missing`] is not simulated.
    reported: [bool; 3],
}

fn connect(wires: &Wires, has_accelerometer: bool) -> Box<dyn Device> {
    Box::new(Mts {
        name: wires.name.clone(),
        has_accelerometer,
        fitness: Fitness::default(),
        high_since: [None; PINS.len()],
        positions: [MIDDLE; 2],
        is_addressed: false,
        count: 0,
        instruction: 0,
        reported: [false; 3],
    })
}

/// The mote's supply, which feeds the board, in microvolts.
fn supply(around: &Surroundings<'_>) -> f64 {
    let course = around.environment.course(&SUPPLY);
    course.map_or(volts::SUPPLY, |course| course.at(around.now).max(0) as f64)
}

impl Mts {
    fn high_since(&self, pin: PinId) -> Option<Time> {
        let index = PINS.iter().position(|other| *other == pin)?;
        self.high_since[index]
    }

    fn is_high(&self, pin: PinId) -> bool {
        self.high_since(pin).is_some()
    }

    /// The voltage at one of the converter's pins; `None` where the board has nothing.
    fn voltage(&self, around: &Surroundings<'_>, pin: PinId) -> Option<u32> {
        let supply = supply(around);
        let sense = self.fitness.sense(around);
        let value = |quantity: &Quantity, powered: bool| powered.then(|| sense.value(quantity));
        match pin {
            DIVIDER => {
                let warm = TEMPERATURE_POWER.iter().any(|pin| self.is_high(*pin));
                let celsius = value(&TEMPERATURE, warm);
                Some(volts::divider(supply, celsius, value(&LIGHT, self.is_high(LIGHT_POWER))))
            }
            MICROPHONE => Some(value(&SOUND, self.is_high(SOUND_POWER)).map_or(0, |decibel| {
                volts::microphone(supply, decibel, self.positions[0], sense.now)
            })),
            _ if self.has_accelerometer => {
                let axis = ACCELERATIONS.iter().position(|axis| *axis == pin)?;
                let g = sense.value([&ACCELERATION_X, &ACCELERATION_Y][axis]);
                let since = self.high_since(ACCELERATION_POWER);
                Some(since.map_or(0, |since| volts::acceleration(supply, g, around.now - since)))
            }
            _ => None,
        }
    }

    /// Says once that the program uses what is not simulated.
    fn miss(&mut self, around: &mut Surroundings<'_>, what: Missing) {
        if !std::mem::replace(&mut self.reported[what as usize], true) {
            let text = format!("the {} of {} is not simulated", what.name(), self.name);
            around.acts.push(Act::Report(Report::Mismatch(text)));
        }
    }

    /// Which potentiometer the instruction selects.
    fn potentiometer(&self) -> usize {
        usize::from(self.instruction & SECOND != 0)
    }

    /// The potentiometers' answer on I2C.
    fn step(&mut self, step: I2cStep) -> Option<Reply> {
        match step {
            I2cStep::Start { address, .. } => {
                self.is_addressed = address == POTENTIOMETER && self.fitness.answers();
                self.count = 0;
                self.is_addressed.then_some(Reply::Acknowledge)
            }
            _ if !self.is_addressed => None,
            I2cStep::Write(byte) => {
                match self.count {
                    0 => self.instruction = byte,
                    _ => self.positions[self.potentiometer()] = byte,
                }
                self.count = self.count.saturating_add(1);
                Some(Reply::Acknowledge)
            }
            I2cStep::Read => {
                let position = self.positions[self.potentiometer()];
                Some(Reply::Data(self.fitness.sent(position)))
            }
            I2cStep::Acknowledge(_) => None,
            I2cStep::Stop => {
                self.is_addressed = false;
                None
            }
        }
    }
}

impl Device for Mts {
    fn name(&self) -> &str {
        &self.name
    }

    fn pins(&self) -> &[PinId] {
        &PINS
    }

    fn power_on(&mut self, _around: &mut Surroundings<'_>) {
        self.fitness.is_powered = true;
        (self.positions, self.is_addressed) = ([MIDDLE; 2], false);
    }

    fn power_off(&mut self, _around: &mut Surroundings<'_>) {
        self.fitness.is_powered = false;
        self.high_since = [None; PINS.len()];
    }

    fn level(&mut self, around: &mut Surroundings<'_>, pin: PinId, level: Level) {
        let Some(index) = PINS.iter().position(|other| *other == pin) else { return };
        let was_high = self.high_since[index].is_some();
        let is_high = level == Level::High;
        if was_high == is_high {
            return;
        }
        self.high_since[index] = is_high.then_some(around.now);
        if pin == SOUNDER {
            let (name, high) = (SOUNDER_NAME.into(), Some(is_high));
            around.acts.push(Act::Report(Report::Pin { pin, name, high }));
        }
        if pin == MAGNETOMETER_POWER && is_high && self.has_accelerometer {
            self.miss(around, Missing::Magnetometer);
        }
    }

    fn transfer(&mut self, around: &mut Surroundings<'_>, pin: PinId, transfer: Transfer) {
        let Transfer::I2c(step) = transfer else { return };
        let is_first = self.is_addressed && self.count == 0;
        if is_first && matches!(step, I2cStep::Write(byte) if byte & (RESET | SHUTDOWN) != 0) {
            self.miss(around, Missing::Instruction);
        }
        if let Some(reply) = self.step(step) {
            around.acts.push(Act::Drive(Input::Reply { pin, reply }));
        }
    }

    fn sample(&mut self, around: &mut Surroundings<'_>, pin: PinId) {
        if pin == MICROPHONE && self.is_high(SOUND_POWER) && !self.is_high(SOUND_SELECT) {
            self.miss(around, Missing::ToneDetector);
        }
        let Some(right) = self.voltage(around, pin) else { return };
        let microvolts = match self.fitness.condition {
            Condition::Works | Condition::Stuck | Condition::Stretching => right,
            Condition::Absent | Condition::Shorted => 0,
            Condition::Wrong => u32::from(self.fitness.sent(0)) * (supply(around) as u32 / 256),
        };
        let reply = Reply::Voltage(microvolts);
        around.acts.push(Act::Drive(Input::Reply { pin, reply }));
    }

    fn consumption(&self) -> Option<Consumption> {
        let draws = self.fitness.is_powered && self.fitness.condition != Condition::Absent;
        let state = match draws {
            false => "off",
            true if self.high_since[..DRIVEN].iter().any(Option::is_some) => "sensing",
            true => "idle",
        };
        Some(Consumption { part: if self.has_accelerometer { "mts310" } else { "mts300" }, state })
    }

    fn reported_pin(&self) -> Option<&str> {
        Some(SOUNDER_NAME)
    }

    fn save(&self) -> Vec<u8> {
        device::save(self)
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), NotItsState> {
        device::load(self, saved)
    }

    fn stimulate(&mut self, around: &mut Surroundings<'_>, stimulus: &Stimulus) -> bool {
        self.fitness.stimulate(around, &self.name, stimulus)
    }
}

#[cfg(test)]
mod tests;
