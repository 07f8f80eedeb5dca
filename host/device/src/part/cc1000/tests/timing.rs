// SPDX-License-Identifier: MIT OR Apache-2.0
//! Crystal, bias, synthesizer and calibration.

use super::*;

#[test]
fn it_draws_current_by_what_is_on() {
    let mut rig = Rig::calibrated();
    for (main, state) in [
        (POWER_DOWN, "power_down"),
        (CORE, "core"),
        (BIAS, "bias"),
        (0x31, "synthesizer_433"),
        (RX, "receive_433"),
        (TX, "transmit_433_off"),
    ] {
        rig.write(MAIN, main);
        assert_eq!(rig.state(), state);
    }
    rig.write(PA_POW, 0x80);
    assert_eq!(rig.state(), "transmit_433_80");
    rig.serve(|device, around| device.power_off(around));
    assert_eq!(rig.state(), "off");
}

/// Time until CHP_OUT shows that it is locked, from now on.
fn until_lock(rig: &mut Rig) -> u64 {
    // The write took effect with the last falling edge of PCLK.
    let begin = rig.bench.now - Time::from_us(1);
    while rig.level(CHP_OUT) != Level::High {
        rig.fire();
    }
    (rig.bench.now - begin).us()
}

#[test]
fn it_locks_after_its_times() {
    let mut rig = Rig::calibrated();
    rig.write(MAIN, RX);
    assert_eq!(until_lock(&mut rig), 2_250, "crystal and synthesizer");
    assert_eq!(rig.read(LOCKS) & 3, 3);
    rig.write(MAIN, TX);
    assert_eq!(
        (rig.level(CHP_OUT), until_lock(&mut rig)),
        (Level::Low, 200),
        "the other direction"
    );
    rig.write(MAIN, POWER_DOWN);
    rig.write(MAIN, CORE);
    rig.pass_us(2_000);
    rig.write(MAIN, BIAS);
    rig.pass_us(200);
    rig.write(MAIN, RX);
    assert_eq!(until_lock(&mut rig), 250);
    rig.write(MAIN, BIAS);
    rig.write(MAIN, BIAS | 2);
    rig.write(MAIN, RX);
    assert_eq!(until_lock(&mut rig), 450, "bias and synthesizer");
}

#[test]
fn a_calibration_takes_34_ms_at_1_mhz() {
    for (pll, cal, us) in [(12, 0xA6, 27_669), (12, 0x86, 13_834), (6, 0xA6, 13_834)] {
        let mut rig = Rig::calibrated();
        rig.write(PLL, pll << 3);
        rig.write(LOCKS, 0x50);
        rig.turn_on(RX);
        rig.write(CAL, cal);
        assert_eq!(rig.read(CAL) & 8, 0, "it begins anew");
        let begin = rig.bench.now;
        while rig.level(CHP_OUT) != Level::High {
            rig.fire();
        }
        let took = (rig.bench.now - begin).us();
        // The read above took 16 us.
        assert!(took + 16 <= us + 1 && took + 18 >= us, "{took} of {us}");
        assert_eq!(rig.read(CAL), cal | 8);
    }
}

#[test]
fn without_a_calibration_it_does_not_lock_and_says_so() {
    let mut rig = Rig::powered();
    rig.write(MAIN, CORE);
    CHANNEL.iter().for_each(|(register, value)| rig.write(*register, *value));
    rig.turn_on(RX);
    rig.pass_us(400);
    assert_eq!(rig.mismatches, [""; 0], "a program may calibrate it now");
    rig.pass_us(10_000);
    let text = "cc1000 neither hears nor sends: its synthesizer is not calibrated for 433152 kHz in frequency register A";
    assert_eq!((rig.read(LOCKS) & 3, &rig.mismatches[..]), (0, &[text.to_string()][..]));
    rig.write(CAL, 0xA6);
    rig.pass_us(34_000);
    assert_eq!(rig.read(LOCKS) & 3, 3);
    rig.write(CAL, 0x26);
    rig.write(MAIN, TX);
    rig.write(PA_POW, 0xFF);
    rig.pass_us(10_000);
    assert_eq!((rig.read(LOCKS) & 3, rig.air.len()), (0, 0), "the result is that of A");
}

#[test]
fn a_dual_calibration_is_for_both_registers_if_they_are_close() {
    let mut rig = Rig::powered();
    rig.write(MAIN, CORE);
    CHANNEL.iter().for_each(|(register, value)| rig.write(*register, *value));
    rig.turn_on(RX);
    rig.write(CAL, 0xE6);
    rig.pass_us(34_000);
    rig.write(MAIN, TX);
    rig.pass_us(200);
    assert_eq!(rig.read(LOCKS) & 3, 3);
    // 2 MHz away.
    rig.write(0x05, 0x60);
    rig.write(0x04, 0x58);
    rig.pass_us(2_000);
    assert_eq!(rig.read(LOCKS) & 3, 0);
    rig.write(MAIN, RX);
    rig.pass_us(200);
    assert_eq!(rig.read(LOCKS) & 3, 3, "A is as it was");
}

#[test]
fn results_survive_power_down_and_no_reset() {
    let mut rig = Rig::on(RX);
    assert_eq!(rig.read(LOCKS) & 3, 3);
    rig.write(MAIN, POWER_DOWN);
    rig.pass_us(1_000_000);
    rig.turn_on(RX);
    assert_eq!(rig.read(LOCKS) & 3, 3);
    rig.write(MAIN, CORE & !1);
    rig.write(MAIN, CORE);
    CHANNEL.iter().for_each(|(register, value)| rig.write(*register, *value));
    rig.turn_on(RX);
    assert_eq!(rig.read(LOCKS) & 3, 0);
}

#[test]
fn results_can_be_read_and_written_back() {
    let mut rig = Rig::on(RX);
    let array = rig.read(0x46);
    rig.write(MAIN, CORE & !1);
    rig.write(MAIN, CORE);
    CHANNEL.iter().for_each(|(register, value)| rig.write(*register, *value));
    rig.write(0x41, 0x10 | array);
    rig.turn_on(RX);
    assert_eq!(rig.read(LOCKS) & 3, 3);
}

#[test]
fn what_makes_no_sense_is_reported() {
    let mut rig = Rig::calibrated();
    rig.write(CAL, 0xA6);
    assert_eq!(
        rig.mismatches,
        ["cc1000 calibrates nothing: its synthesizer, or its crystal, is off"]
    );
    rig.turn_on(RX);
    rig.write(MODEM0, 0x65);
    rig.write(MODEM0, 0x75);
    assert_eq!(rig.mismatches.len(), 2);
    rig.write(PLL, 0);
    rig.pass_us(5_000);
    assert!(rig.mismatches[2].contains("does not reach"), "{}", rig.mismatches[2]);
}
