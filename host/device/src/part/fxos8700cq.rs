// SPDX-License-Identifier: MIT OR Apache-2.0
//! NXP FXOS8700CQ: acceleration and magnetic field on I2C (data sheet of the part, "Register descriptions"; names of
//! registers and bits as there).
//!
//! A master sets it up in standby and makes it active; then it measures at its output data rate. Its registers
//! follow each other in a read, from the accelerations on to the magnetic field if that is chosen.

use super::{Bus, Part, Sense, i2c};
use crate::environment::{
    ACCELERATION_X, ACCELERATION_Y, ACCELERATION_Z, MAGNETIC_X, MAGNETIC_Y, MAGNETIC_Z, Quantity,
    TEMPERATURE,
};
use borsh::{BorshDeserialize, BorshSerialize};
use lichen_chip::{Level, Pull, Time};

pub(super) const PART: Part = Part {
    number: "FXOS8700CQ",
    title: "acceleration and magnetic field",
    bus: Bus::I2c,
    senses: &[
        TEMPERATURE,
        ACCELERATION_X,
        ACCELERATION_Y,
        ACCELERATION_Z,
        MAGNETIC_X,
        MAGNETIC_Y,
        MAGNETIC_Z,
    ],
    lines: &["irq"],
    // By SA1 and SA0 (data sheet).
    addresses: &[0x1C, 0x1D, 0x1E, 0x1F],
    make: i2c::connect::<Fxos8700cq>,
};

const ACCELERATIONS: [Quantity; 3] = [ACCELERATION_X, ACCELERATION_Y, ACCELERATION_Z];
const MAGNETICS: [Quantity; 3] = [MAGNETIC_X, MAGNETIC_Y, MAGNETIC_Z];

/// Registers.
const STATUS: u8 = 0x00;
const OUT_X_MSB: u8 = 0x01;
const OUT_Y_MSB: u8 = 0x03;
const OUT_Z_MSB: u8 = 0x05;
const OUT_Z_LSB: u8 = 0x06;
const F_SETUP: u8 = 0x09;
const SYSMOD: u8 = 0x0B;
const INT_SOURCE: u8 = 0x0C;
const WHO_AM_I: u8 = 0x0D;
const XYZ_DATA_CFG: u8 = 0x0E;
const PL_CFG: u8 = 0x11;
const PL_BF_ZCOMP: u8 = 0x13;
const PL_THS_REG: u8 = 0x14;
const A_FFMT_CFG: u8 = 0x15;
const TRANSIENT_CFG: u8 = 0x1D;
const PULSE_CFG: u8 = 0x21;
const CTRL_REG1: u8 = 0x2A;
const CTRL_REG2: u8 = 0x2B;
const CTRL_REG3: u8 = 0x2C;
const CTRL_REG4: u8 = 0x2D;
const CTRL_REG5: u8 = 0x2E;
const OFF_X: u8 = 0x2F;
const M_DR_STATUS: u8 = 0x32;
const M_OUT_X_MSB: u8 = 0x33;
const M_OUT_Z_MSB: u8 = 0x37;
const M_OUT_Z_LSB: u8 = 0x38;
const M_OFF_X_MSB: u8 = 0x3F;
const TEMP: u8 = 0x51;
const M_THS_CFG: u8 = 0x52;
const M_CTRL_REG1: u8 = 0x5B;
const M_CTRL_REG2: u8 = 0x5C;
const M_CTRL_REG3: u8 = 0x5D;
const M_INT_SRC: u8 = 0x5E;
const A_VECM_CFG: u8 = 0x5F;
const M_VECM_CFG: u8 = 0x69;
const LAST: u8 = 0x78;

/// Registers that only the part writes.
const READ_ONLY: &[std::ops::RangeInclusive<u8>] = &[
    STATUS..=0x08,
    SYSMOD..=WHO_AM_I,
    0x10..=0x10,
    0x16..=0x16,
    0x1E..=0x1E,
    0x22..=0x22,
    M_DR_STATUS..=0x3E,
    0x45..=TEMP,
    0x53..=0x53,
    M_INT_SRC..=M_INT_SRC,
];

const DEVICE: u8 = 0xC7;
/// STATUS and M_DR_STATUS: the lower half for new values, of each axis and of all; the upper for lost ones.
const ZYXDR: u8 = 1 << 3;
/// CTRL_REG1.
const ACTIVE: u8 = 1 << 0;
const F_READ: u8 = 1 << 1;
/// CTRL_REG2.
const RST: u8 = 1 << 6;
/// CTRL_REG3: the interrupt request is an open drain, and active high.
const PP_OD: u8 = 1 << 0;
const IPOL: u8 = 1 << 1;
/// CTRL_REG4, CTRL_REG5 and INT_SOURCE: data ready.
const DRDY: u8 = 1 << 0;
/// M_CTRL_REG1: what measures, a single measurement, a reset of the sensor.
const M_HMS: u8 = 3;
const M_OST: u8 = 1 << 5;
const M_RST: u8 = 1 << 6;
/// M_CTRL_REG2.
const M_MAXMIN_RST: u8 = 1 << 2;
const HYB_AUTOINC_MODE: u8 = 1 << 5;
/// M_CTRL_REG3: values without the offsets.
const M_RAW: u8 = 1 << 7;
/// M_INT_SRC: data ready.
const SRC_M_DRDY: u8 = 1 << 2;

/// What is not simulated: the bits that ask for it.
const MISSING: &[(u8, u8, &str)] = &[
    (F_SETUP, 0xC0, "FIFO"),
    (XYZ_DATA_CFG, 0x10, "high-pass filter"),
    (PL_CFG, 0x40, "orientation detection"),
    (A_FFMT_CFG, 0x38, "freefall and motion detection"),
    (TRANSIENT_CFG, 0x0E, "transient detection"),
    (PULSE_CFG, 0x3F, "pulse detection"),
    (CTRL_REG2, 0x04, "auto-sleep"),
    (CTRL_REG2, 0x80, "self-test"),
    (M_THS_CFG, 0x38, "magnetic threshold"),
    (M_CTRL_REG1, 0x80, "hard-iron calibration"),
    (A_VECM_CFG, 0x08, "vector magnitude of accelerations"),
    (M_VECM_CFG, 0x08, "vector magnitude of the magnetic field"),
];

/// From the supply, or a reset, to the first communication ("Electrical characteristics", boot time).
const BOOT: Time = Time::from_ms(1);
/// From standby to the first value, in addition to two periods of the output data rate (turn-on time).
const TURN_ON: Time = Time::from_ms(1);
/// Periods of the output data rates (CTRL_REG1.DR); twice as long where both sensors measure.
const PERIODS: [Time; 8] = [
    Time::from_us(1_250),
    Time::from_us(2_500),
    Time::from_us(5_000),
    Time::from_us(10_000),
    Time::from_us(20_000),
    Time::from_us(80_000),
    Time::from_us(160_000),
    Time::from_us(640_000),
];

/// Counts per g in the range of 2 g, and per microtesla.
const PER_G: i64 = 4_096;
const PER_MICROTESLA: i64 = 10;
/// Largest count of 14 bits, and that of 1,200 uT.
const LARGEST_ACCELERATION: i64 = 8_191;
const LARGEST_MAGNETIC: i64 = 12_000;
/// Counts of an acceleration offset, 2 mg, in thousandths of a g.
const OFFSET_MG: i64 = 2;
/// A count of the temperature, in millionths of a degree.
const TEMPERATURE_STEP: i64 = 960_000;
const UNIT: i64 = 1_000_000;

/// Names of its states in which it measures, by DR.
const ACCELEROMETER: [&str; 8] = [
    "acceleration at 800 Hz",
    "acceleration at 400 Hz",
    "acceleration at 200 Hz",
    "acceleration at 100 Hz",
    "acceleration at 50 Hz",
    "acceleration at 12.5 Hz",
    "acceleration at 6.25 Hz",
    "acceleration at 1.56 Hz",
];
const MAGNETOMETER: [&str; 8] = [
    "magnetic at 800 Hz",
    "magnetic at 400 Hz",
    "magnetic at 200 Hz",
    "magnetic at 100 Hz",
    "magnetic at 50 Hz",
    "magnetic at 12.5 Hz",
    "magnetic at 6.25 Hz",
    "magnetic at 1.56 Hz",
];
const HYBRID: [&str; 8] = [
    "both at 400 Hz",
    "both at 200 Hz",
    "both at 100 Hz",
    "both at 50 Hz",
    "both at 25 Hz",
    "both at 6.25 Hz",
    "both at 3.13 Hz",
    "both at 0.78 Hz",
];

/// What measures (M_CTRL_REG1.M_HMS).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sensors {
    Accelerometer,
    Magnetometer,
    Both,
}

/// What it does by itself next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
enum Step {
    /// It has booted.
    Boot,
    /// New values are there; others follow after each period.
    Values,
    /// The values of a single measurement are there.
    Single,
}

#[derive(Debug, Default, BorshSerialize, BorshDeserialize)]
struct Fxos8700cq {
    /// Up to [`LAST`].
    registers: Vec<u8>,
    /// The register of the next byte.
    pointer: u8,
    /// The pointer has been written in this transaction.
    is_pointed: bool,
    next: Option<(Time, Step)>,
    /// A register that was written while it was active.
    ignored: Option<u8>,
}

impl Fxos8700cq {
    fn reset(&mut self, now: Time) {
        *self = Fxos8700cq { next: Some((now + BOOT, Step::Boot)), ..Fxos8700cq::default() };
        self.registers = vec![0; usize::from(LAST) + 1];
        let values = [(WHO_AM_I, DEVICE), (PL_CFG, 0x80), (PL_BF_ZCOMP, 0x84), (PL_THS_REG, 0x44)];
        values.into_iter().for_each(|(register, value)| self.set(register, value));
    }

    fn get(&self, register: u8) -> u8 {
        self.registers.get(usize::from(register)).copied().unwrap_or(0)
    }

    fn set(&mut self, register: u8, value: u8) {
        self.registers[usize::from(register)] = value;
    }

    fn has(&self, register: u8, bits: u8) -> bool {
        self.get(register) & bits != 0
    }

    fn is_booting(&self) -> bool {
        matches!(self.next, Some((_, Step::Boot)))
    }

    fn is_active(&self) -> bool {
        self.has(CTRL_REG1, ACTIVE)
    }

    fn sensors(&self) -> Sensors {
        match self.get(M_CTRL_REG1) & M_HMS {
            1 => Sensors::Magnetometer,
            3 => Sensors::Both,
            _ => Sensors::Accelerometer,
        }
    }

    fn rate(&self) -> usize {
        usize::from(self.get(CTRL_REG1) >> 3 & 7)
    }

    fn period(&self) -> Time {
        let period = PERIODS[self.rate()];
        if self.sensors() == Sensors::Both { period + period } else { period }
    }

    /// The register that follows in a read.
    fn after(&self, register: u8) -> u8 {
        let is_fast = self.has(CTRL_REG1, F_READ);
        let joins =
            !is_fast && self.sensors() == Sensors::Both && self.has(M_CTRL_REG2, HYB_AUTOINC_MODE);
        match register {
            OUT_X_MSB | OUT_Y_MSB if is_fast => register + 2,
            OUT_Z_MSB if is_fast => STATUS,
            OUT_Z_LSB if joins => M_OUT_X_MSB,
            OUT_Z_LSB => STATUS,
            M_OUT_Z_LSB if joins => STATUS,
            LAST.. => STATUS,
            _ => register + 1,
        }
    }

    /// What a register reads as.
    fn value(&self, register: u8) -> u8 {
        let ready = |status| self.has(status, ZYXDR);
        match register {
            SYSMOD => u8::from(self.is_active()),
            INT_SOURCE if self.requests() => DRDY,
            M_INT_SRC if ready(M_DR_STATUS) => SRC_M_DRDY,
            _ => self.get(register),
        }
    }

    /// New values that nobody has read.
    fn is_ready(&self) -> bool {
        self.has(STATUS, ZYXDR) || self.has(M_DR_STATUS, ZYXDR)
    }

    fn requests(&self) -> bool {
        self.is_ready() && self.has(CTRL_REG4, DRDY)
    }

    /// The upper byte of a value is read: it is new no longer.
    fn taken(&mut self, register: u8) {
        let (status, axis) = match register {
            OUT_X_MSB..=OUT_Z_MSB if register % 2 == 1 => (STATUS, register / 2),
            M_OUT_X_MSB..=M_OUT_Z_MSB if register % 2 == 1 => {
                (M_DR_STATUS, (register - M_OUT_X_MSB) / 2)
            }
            _ => return,
        };
        let left = self.get(status) & !(0x11 << axis);
        self.set(status, if left & 7 == 0 { 0 } else { left });
    }

    /// A byte for the register. Whether it acknowledges: not the one that resets it.
    fn store(&mut self, now: Time, register: u8, value: u8) -> bool {
        if READ_ONLY.iter().any(|range| range.contains(&register)) || register > LAST {
            return true;
        }
        if register == CTRL_REG2 && value & RST != 0 {
            self.reset(now);
            return false;
        }
        let free = if register == CTRL_REG1 { ACTIVE } else { 0 };
        if self.is_active() && (self.get(register) ^ value) & !free & !momentary(register) != 0 {
            self.ignored = Some(register);
            let value = self.get(register) & !free | value & free;
            self.settle(now, register, value);
        } else {
            self.settle(now, register, value);
        }
        true
    }

    /// The register takes the value, with all that follows.
    fn settle(&mut self, now: Time, register: u8, value: u8) {
        let was_active = self.is_active();
        self.set(register, value & !momentary(register));
        match register {
            CTRL_REG1 if self.is_active() && !was_active => {
                let period = self.period();
                self.next = Some((now + period + period + TURN_ON, Step::Values));
            }
            CTRL_REG1 if !self.is_active() && was_active => self.next = None,
            M_CTRL_REG1 if value & M_OST != 0 && !was_active => {
                self.next = Some((now + self.period(), Step::Single));
            }
            _ => {}
        }
    }

    fn measure(&mut self, sense: &Sense<'_>, sensors: Sensors) {
        if sensors != Sensors::Magnetometer {
            let range = self.get(XYZ_DATA_CFG) & 3;
            for axis in 0..3 {
                let offset = i64::from(self.get(OFF_X + axis) as i8) * OFFSET_MG * UNIT / 1_000;
                let acceleration = sense.value(&ACCELERATIONS[usize::from(axis)]) + offset;
                let count = rounded(acceleration * (PER_G >> range.min(2)), UNIT);
                let count = count.clamp(-LARGEST_ACCELERATION - 1, LARGEST_ACCELERATION);
                self.put(STATUS, axis, (count << 2) as i16);
            }
            self.ready(STATUS);
        }
        if sensors != Sensors::Accelerometer {
            for axis in 0..3 {
                let field = sense.value(&MAGNETICS[usize::from(axis)]);
                let count = rounded(field * PER_MICROTESLA, UNIT) - self.magnetic_offset(axis);
                let count = count.clamp(-LARGEST_MAGNETIC, LARGEST_MAGNETIC);
                self.put(M_DR_STATUS, axis, count as i16);
            }
            self.ready(M_DR_STATUS);
            let degrees = rounded(sense.value(&TEMPERATURE), TEMPERATURE_STEP);
            self.set(TEMP, degrees.clamp(-128, 127) as i8 as u8);
        }
    }

    /// The offset of a magnetic axis, in counts: the upper 15 bits of two registers.
    fn magnetic_offset(&self, axis: u8) -> i64 {
        let high = M_OFF_X_MSB + 2 * axis;
        let offset = i16::from_be_bytes([self.get(high), self.get(high + 1)]) >> 1;
        if self.has(M_CTRL_REG3, M_RAW) { 0 } else { offset.into() }
    }

    /// A new value of an axis, in the registers that follow a status.
    fn put(&mut self, status: u8, axis: u8, value: i16) {
        let [high, low] = value.to_be_bytes();
        let register = status + 1 + 2 * axis;
        self.set(register, high);
        self.set(register + 1, low);
    }

    /// All axes have new values; those that nobody has read are lost.
    fn ready(&mut self, status: u8) {
        let lost = self.get(status) << 4;
        self.set(status, self.get(status) & 0xF0 | lost | 0x0F);
    }
}

/// Bits of a register that start something and read as 0.
fn momentary(register: u8) -> u8 {
    match register {
        M_CTRL_REG1 => M_OST | M_RST,
        M_CTRL_REG2 => M_MAXMIN_RST,
        _ => 0,
    }
}

/// The quotient, rounded to the next whole number.
fn rounded(value: i64, divisor: i64) -> i64 {
    (2 * value + divisor).div_euclid(2 * divisor)
}

impl i2c::Target for Fxos8700cq {
    const PART: &'static str = "fxos8700cq";

    fn power_on(&mut self, sense: &Sense<'_>) {
        self.reset(sense.now);
    }

    fn start(&mut self, _sense: &Sense<'_>, _read: bool) -> bool {
        self.is_pointed = false;
        !self.is_booting()
    }

    fn write(&mut self, sense: &Sense<'_>, byte: u8) -> bool {
        if self.is_booting() {
            return false;
        }
        if !std::mem::replace(&mut self.is_pointed, true) {
            self.pointer = byte;
            return true;
        }
        let register = self.pointer;
        self.pointer = register.wrapping_add(1);
        self.store(sense.now, register, byte)
    }

    fn read(&mut self, _sense: &Sense<'_>) -> u8 {
        let register = self.pointer;
        self.pointer = self.after(register);
        let value = self.value(register);
        self.taken(register);
        value
    }

    fn state(&self) -> &'static str {
        match (self.next, self.sensors()) {
            (None, _) => "standby",
            (Some((_, Step::Boot)), _) => "boot",
            (Some((_, Step::Single)), _) => MAGNETOMETER[self.rate()],
            (_, Sensors::Accelerometer) => ACCELEROMETER[self.rate()],
            (_, Sensors::Magnetometer) => MAGNETOMETER[self.rate()],
            (_, Sensors::Both) => HYBRID[self.rate()],
        }
    }

    fn due(&self) -> Time {
        self.next.map_or(Time::NEVER, |(due, _)| due)
    }

    fn fire(&mut self, sense: &Sense<'_>) {
        let Some((due, step)) = self.next.take() else { return };
        match step {
            Step::Boot => {}
            Step::Single => self.measure(sense, Sensors::Magnetometer),
            Step::Values => {
                self.measure(sense, self.sensors());
                self.next = Some((due + self.period(), Step::Values));
            }
        }
    }

    /// INT1; boards do not connect INT2.
    fn irq(&self) -> Level {
        let requests = self.requests() && self.has(CTRL_REG5, DRDY);
        let is_high = self.has(CTRL_REG3, IPOL) == requests;
        match (requests, is_high) {
            _ if self.is_booting() => Level::Floating(Pull::None),
            (false, _) if self.has(CTRL_REG3, PP_OD) => Level::Floating(Pull::None),
            (_, true) => Level::High,
            (_, false) => Level::Low,
        }
    }

    fn complaint(&self) -> Option<String> {
        if let Some(register) = self.ignored {
            return Some(format!(
                "ignores what is written to its register 0x{register:02x}: it takes settings in standby only"
            ));
        }
        let missing = MISSING.iter().find(|(register, bits, _)| self.has(*register, *bits));
        missing.map(|(.., what)| format!("does without its {what}, which is not simulated"))
    }
}

#[cfg(test)]
mod tests;
