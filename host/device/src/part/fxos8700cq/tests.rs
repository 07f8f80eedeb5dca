// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use crate::part::bench::{I2cBench, mismatch};
use lichen_chip::I2cStep;

/// A part that has booted.
fn booted() -> I2cBench {
    let mut bench = I2cBench::powered(&PART, 0x1E);
    bench.pass(BOOT);
    bench
}

fn words(bytes: &[u8]) -> Vec<i16> {
    bytes.chunks(2).map(|pair| i16::from_be_bytes([pair[0], pair[1]])).collect()
}

#[test]
fn it_boots_and_says_who_it_is() {
    let mut bench = I2cBench::powered(&PART, 0x1E);
    bench.pass(BOOT - Time::UNIT);
    assert_eq!((bench.start(false), bench.state()), (false, "boot"));
    bench.pass(Time::UNIT);
    assert_eq!((bench.start(false), bench.state()), (true, "standby"));
    assert_eq!((bench.one(WHO_AM_I), bench.one(SYSMOD)), (0xC7, 0));
}

#[test]
fn twelve_bytes_are_accelerations_and_magnetic_field_at_half_the_rate() {
    let mut bench = booted();
    bench.sense("acceleration_x", 500_000);
    bench.sense("acceleration_y", -2_000_000);
    bench.sense("magnetic_y", -12_340_000);
    bench.sense("magnetic_z", 5_000_000_000);
    bench.write(M_CTRL_REG1, &[0x1F, HYB_AUTOINC_MODE]);
    bench.write(CTRL_REG1, &[ACTIVE]);
    assert_eq!((bench.one(SYSMOD), bench.state()), (1, "both at 400 Hz"));
    // Two periods of 2.5 ms, and one millisecond.
    bench.pass(Time::from_ms(6) - Time::UNIT);
    assert_eq!((bench.one(STATUS), bench.one(M_DR_STATUS)), (0, 0));
    bench.pass(Time::UNIT);
    let bytes = bench.read(STATUS, 14);
    assert_eq!(
        (bytes[0], bytes[13]),
        (0x0F, 0),
        "the status of all axes, and again when they are read"
    );
    assert_eq!(words(&bytes[1..13]), [8_192, -32_768, 16_384, 200, -123, 12_000]);
    assert_eq!((bench.one(STATUS), bench.one(M_DR_STATUS)), (0, 0), "they are read");
    bench.pass(Time::from_us(2_500) - Time::UNIT);
    assert_eq!(bench.one(STATUS), 0);
    bench.pass(Time::UNIT);
    assert_eq!(bench.one(STATUS), 0x0F);
    assert_eq!(bench.one(TEMP), 21, "20 degrees in steps of 0.96");
}

#[test]
fn registers_follow_each_other_as_they_are_asked_to() {
    let mut bench = booted();
    assert_eq!(bench.read(OUT_Z_LSB, 2)[1], 0);
    bench.write(CTRL_REG1, &[ACTIVE | F_READ]);
    bench.pass(Time::from_ms(10));
    let bytes = bench.read(STATUS, 5);
    assert_eq!(bytes[..4], [0xFF, 0, 0, 0x40], "in a fast read, upper bytes only");
    assert_eq!(bytes[4], 0, "and the status again");
}

#[test]
fn a_range_is_four_or_eight_g_and_has_an_offset() {
    let mut bench = booted();
    bench.sense("acceleration_x", -9_000_000);
    bench.write(XYZ_DATA_CFG, &[2]);
    bench.write(OFF_X, &[0, 0x80, 50]);
    bench.write(CTRL_REG1, &[ACTIVE]);
    bench.pass(Time::from_ms(4));
    // -0.256 g, and 1.1 g, at 1,024 a g.
    assert_eq!(words(&bench.read(OUT_X_MSB, 6)), [-32_768, -262 * 4, 1_126 * 4]);
}

#[test]
fn values_that_nobody_reads_are_lost() {
    let mut bench = booted();
    bench.write(CTRL_REG1, &[ACTIVE]);
    bench.pass(Time::from_us(3_500));
    assert_eq!(bench.read(OUT_X_MSB, 2).len(), 2);
    assert_eq!(bench.one(STATUS), 0x0E, "the others are still new");
    bench.pass(Time::from_us(1_250));
    assert_eq!(bench.one(STATUS), 0xEF);
    bench.read(OUT_X_MSB, 6);
    assert_eq!(bench.one(STATUS), 0);
}

#[test]
fn data_ready_requests_an_interrupt_until_it_is_read() {
    let mut bench = booted();
    assert_eq!(bench.driven, Some(Level::High), "active low after a reset");
    bench.write(CTRL_REG4, &[DRDY, DRDY]);
    bench.write(CTRL_REG1, &[ACTIVE]);
    bench.pass(Time::from_us(3_500));
    assert_eq!((bench.driven, bench.one(INT_SOURCE)), (Some(Level::Low), DRDY));
    bench.read(OUT_X_MSB, 6);
    assert_eq!((bench.driven, bench.one(INT_SOURCE)), (Some(Level::High), 0));
    bench.write(CTRL_REG1, &[0]);
    bench.write(CTRL_REG3, &[IPOL]);
    assert_eq!(bench.driven, Some(Level::Low), "active high");
    bench.write(CTRL_REG3, &[PP_OD]);
    assert_eq!(bench.driven, Some(Level::Floating(Pull::None)), "an open drain");
    bench.write(CTRL_REG3, &[0, DRDY, 0]);
    bench.write(CTRL_REG1, &[ACTIVE]);
    bench.pass(Time::from_ms(4));
    assert_eq!((bench.driven, bench.one(INT_SOURCE)), (Some(Level::High), DRDY), "it is INT2's");
}

#[test]
fn a_single_measurement_is_of_the_magnetic_field() {
    let mut bench = booted();
    bench.write(CTRL_REG1, &[3 << 3]);
    bench.write(M_CTRL_REG1, &[M_OST | M_RST | 1]);
    assert_eq!((bench.one(M_CTRL_REG1), bench.state()), (1, "magnetic at 100 Hz"));
    bench.pass(Time::from_ms(10));
    assert_eq!((bench.one(STATUS), bench.one(M_DR_STATUS), bench.state()), (0, 0x0F, "standby"));
    assert_eq!(bench.one(M_INT_SRC), SRC_M_DRDY);
    assert_eq!(words(&bench.read(M_OUT_X_MSB, 6)), [200, 0, -440]);
    bench.write(M_OFF_X_MSB, &[0, 100]);
    bench.write(M_CTRL_REG1, &[M_OST | 1]);
    bench.pass(Time::from_ms(10));
    assert_eq!(words(&bench.read(M_OUT_X_MSB, 2)), [150]);
}

#[test]
fn settings_are_taken_in_standby_only() {
    let mut bench = booted();
    bench.write(CTRL_REG1, &[ACTIVE]);
    let acts = bench.write(XYZ_DATA_CFG, &[1]);
    let text = "it ignores what is written to its register 0x0e: it takes settings in standby only";
    assert_eq!(mismatch(&acts), Some(text));
    assert_eq!((bench.one(XYZ_DATA_CFG), mismatch(&bench.write(XYZ_DATA_CFG, &[1]))), (0, None));
    bench.write(CTRL_REG1, &[3 << 3 | ACTIVE]);
    assert_eq!(bench.one(CTRL_REG1), ACTIVE, "its rate neither");
    bench.write(CTRL_REG1, &[0]);
    assert_eq!((bench.one(CTRL_REG1), bench.state()), (0, "standby"));
    bench.pass(Time::from_s(1));
    assert_eq!(bench.one(STATUS), 0);
    bench.write(WHO_AM_I, &[1]);
    assert_eq!(bench.one(WHO_AM_I), 0xC7);
}

#[test]
fn a_reset_is_not_acknowledged_and_takes_as_long_as_a_boot() {
    let mut bench = booted();
    bench.write(XYZ_DATA_CFG, &[1]);
    bench.start(false);
    bench.step(I2cStep::Write(CTRL_REG2));
    assert_eq!(bench.reply(I2cStep::Write(RST)), None);
    bench.step(I2cStep::Stop);
    assert!(!bench.start(false));
    bench.pass(BOOT);
    assert_eq!(bench.one(XYZ_DATA_CFG), 0);
}

#[test]
fn what_is_not_simulated_is_said_once() {
    let mut bench = booted();
    let acts = bench.write(F_SETUP, &[0x80]);
    assert_eq!(mismatch(&acts), Some("it does without its FIFO, which is not simulated"));
    assert_eq!(mismatch(&bench.write(F_SETUP, &[0x80])), None);
}
