// SPDX-License-Identifier: MIT OR Apache-2.0
//! Strength: what it measures of signals, and which of them it still receives.

use super::air::{PHY_ED_LEVEL, PHY_RSSI, PSDU, RX_ON, Room, TX_START, two};
use super::*;
use crate::air::{Fate, Modulation, OnAir, Passage};

#[test]
fn energy_and_a_clear_channel_are_measured_in_140_us() {
    let mut room = two();
    room.rigs[1].write(0x08, 0x80 | 1 << 5 | 11);
    room.pass_us(139);
    assert_eq!(room.rigs[1].status(), RX_ON, "CCA is not done");
    room.pass_us(1);
    assert_eq!(room.rigs[1].status(), 0xC0 | RX_ON, "it is done, and the channel clear");
    assert_eq!(room.rigs[1].read(IRQ_STATUS), registers::CCA_ED_DONE);
    assert_eq!(room.rigs[1].status(), RX_ON, "it is read once");
    room.load(0, &[3; 100]);
    room.rigs[0].command(TX_START);
    room.pass_us(400);
    room.rigs[1].write(0x08, 0x80 | 1 << 5 | 11);
    room.pass_us(140);
    assert_eq!(room.rigs[1].status(), 0x80 | 0x01, "busy");
    room.pass_us(4_000);
    room.rigs[1].write(PHY_ED_LEVEL, 0);
    room.pass_us(140);
    assert_eq!(room.rigs[1].read(PHY_ED_LEVEL), 0, "nothing but noise");
    assert_eq!(room.rigs[1].read(PHY_RSSI) & 0x1F, 0);
}

/// A signal at the second of two radios, from now on for 4 ms.
fn signal(room: &mut Room, frequency_khz: u32, modulation: Modulation, power: i32) {
    let begin = room.now();
    let end = begin + Time::from_ms(4);
    let bytes = [0, 0, 0, 0, 0xA7, 100].into();
    let what = OnAir::Begins(Transmission {
        number: 0,
        begin,
        end,
        frequency_khz,
        power,
        modulation,
        bytes,
    });
    let passage = Passage { seed: 0, sender: 7, receiver: 1 };
    let reception = Reception { passage, what, power };
    room.rigs[1].0.serve(|device, around| device.receive(around, &reception));
}

#[test]
fn a_channel_is_clear_as_the_mode_says() {
    let frame = Modulation::Oqpsk { header: 6, kbps: 250 };
    // The threshold is -80 dBm. Modes: energy or a carrier, energy, a carrier, both.
    for (modulation, power, clear) in [
        (Modulation::Noise, -9_000, [true; 4]),
        (Modulation::Noise, -7_000, [false, false, true, true]),
        (frame, -9_000, [false, true, false, true]),
        (frame, -7_000, [false; 4]),
    ] {
        for (mode, clear) in (0..).zip(clear) {
            let mut room = two();
            signal(&mut room, 2_405_000, modulation, power);
            room.pass_us(400);
            room.rigs[1].write(0x08, 0x80 | mode << 5 | 11);
            room.pass_us(140);
            let is_clear = room.rigs[1].status() & 0x40 != 0;
            assert_eq!(is_clear, clear, "mode {mode}, {modulation:?} at {power}");
        }
    }
}

#[test]
fn a_channel_is_clear_again_when_a_carrier_has_ended() {
    for (us, is_clear) in [(3_900, false), (4_200, true)] {
        let mut room = two();
        signal(&mut room, 2_405_000, Modulation::Oqpsk { header: 6, kbps: 250 }, -7_000);
        room.pass_us(us);
        room.rigs[1].write(0x08, 0x80 | 2 << 5 | 11);
        room.pass_us(140);
        assert_eq!(room.rigs[1].status() & 0x40 != 0, is_clear, "{us} us");
    }
}

#[test]
fn rssi_has_steps_of_3_db() {
    for (power, rssi) in [(-9_050, 1), (-7_000, 8), (-6_850, 8), (-500, 28)] {
        let mut room = two();
        signal(&mut room, 2_405_000, Modulation::Noise, power);
        room.pass_us(400);
        assert_eq!(room.rigs[1].read(PHY_RSSI) & 0x1F, rssi, "{power}");
    }
}

#[test]
fn a_frame_must_be_3_db_stronger_than_another_signal_in_its_channel() {
    let arrive = |weaker: i32| {
        let mut room = two();
        for _ in 0..50 {
            let power = room.power - weaker;
            signal(&mut room, 2_405_000, Modulation::Noise, power);
            room.load(0, &[0x55; 60]);
            room.rigs[0].command(TX_START);
            room.pass_us(5_000);
        }
        room.fates().iter().filter(|it| **it == (1, Fate::Received)).count()
    };
    let (beside, within) = (arrive(400), arrive(100));
    assert!(beside >= 49 && within < 25, "{beside} and {within}");
}

#[test]
fn signals_beside_the_channel_are_weaker() {
    for (beside, stronger, arrives) in [
        (5_000, 2_900, true),
        (5_000, 3_800, false),
        (10_000, 4_500, true),
        (10_000, 5_400, false),
        (15_000, 5_100, true),
        (15_000, 6_000, false),
    ] {
        let mut room = two();
        let power = -8_000;
        room.power = power;
        signal(&mut room, 2_405_000 + beside, Modulation::Noise, power + stronger);
        room.load(0, &PSDU);
        room.rigs[0].command(TX_START);
        room.pass_us(1_000);
        let has_arrived = room.fates() == [(1, Fate::Received)];
        assert_eq!(has_arrived, arrives, "{beside} kHz, {stronger}");
    }
}

#[test]
fn it_can_be_made_less_sensitive() {
    for (level, weakest) in [(0, -10_600), (1, -9_400), (2, -9_100), (15, -5_200)] {
        for (power, finds) in [(weakest, true), (weakest - 1, false)] {
            let mut room = two();
            room.power = power;
            room.rigs[1].write(registers::RX_SYN, level);
            room.load(0, &PSDU);
            room.rigs[0].command(TX_START);
            room.pass_us(150);
            let due = room.rigs[1].0.device.due() != Time::NEVER;
            assert_eq!(due, finds, "level {level}, {power}");
        }
    }
}

#[test]
fn lqi_falls_with_what_is_left_of_the_signal() {
    let lqi = |db: f64| receiver::lqi(libm::exp10(db / 10.0));
    assert_eq!([20.0, 6.0, 4.0, 2.0, -2.0, -60.0].map(lqi), [255, 255, 191, 127, 0, 0]);
    let mut before = 255;
    for power in [-9_700, -9_850, -10_000] {
        let mut room = two();
        room.power = power;
        room.load(0, &PSDU);
        room.rigs[0].command(TX_START);
        room.pass_us(1_000);
        let lqi = room.frame(1)[9];
        assert!(lqi < before, "{lqi} at {power}");
        before = lqi;
    }
}
