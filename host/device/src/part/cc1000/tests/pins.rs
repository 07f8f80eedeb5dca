// SPDX-License-Identifier: MIT OR Apache-2.0
//! DCLK and DIO where no slave takes words, and other lines.

use super::*;

const HALF: u64 = 26_041;

#[test]
fn dclk_runs_at_the_rate_of_bits() {
    let mut rig = Rig::on(RX);
    let mut edges = Vec::new();
    while edges.len() < 64 {
        let before = rig.level(SCK);
        rig.fire();
        if rig.level(SCK) != before {
            assert_eq!(rig.level(DCLK), rig.level(SCK));
            edges.push(rig.bench.now);
        }
    }
    for pair in edges.windows(2) {
        let took = (pair[1] - pair[0]).ns();
        assert!(took.abs_diff(HALF) <= 1, "{took}");
    }
    let ones = (0..2_000)
        .filter(|_| {
            rig.pass_to(rig.bench.now + Time::from_ns(2 * HALF));
            rig.level(MOSI) == Level::High
        })
        .count();
    assert_eq!(rig.level(MOSI), rig.level(MISO), "DIO leads to both");
    assert!((900..1_100).contains(&ones), "noise: {ones}");
    rig.write(MAIN, POWER_DOWN);
    assert_eq!((rig.level(SCK), rig.level(MOSI)), (Level::Low, FLOATING));
    assert_eq!(rig.bench.device.due(), Time::NEVER);
}

#[test]
fn bits_go_from_pin_to_pin() {
    for level in [MISO, MOSI] {
        let mut air = Air::of(vec![Rig::on(TX), Rig::on(RX)], -7_000);
        air.rigs[0].write(PA_POW, 0x80);
        let [sender, receiver] = &mut air.rigs[..] else { panic!("two") };
        receiver.bench.now = sender.bench.now.max(receiver.bench.now);
        let sent = bits([0xAA; 6].into_iter().chain([0x33, 0xCC, 0x12, 0x34, 0xF0, 0, 0]));
        let (mut next, mut received) = (sent.iter(), Vec::new());
        for _ in 0..2 * 10 * 60 {
            let before = air.rigs.iter().map(|rig| rig.level(SCK)).collect::<Vec<_>>();
            air.pass_us(5);
            let [sender, receiver] = &mut air.rigs[..] else { panic!("two") };
            if (before[0], sender.level(SCK)) == (Level::High, Level::Low) {
                let bit = next.next().copied().unwrap_or(false);
                sender.drive(level, bit);
            }
            if (before[1], receiver.level(SCK)) == (Level::Low, Level::High) {
                received.push(receiver.level(MOSI) == Level::Low);
            }
        }
        let wanted = bits([0x33, 0xCC, 0x12, 0x34, 0xF0]);
        assert!(received.windows(wanted.len()).any(|it| it == wanted), "{received:?}");
    }
}

#[test]
fn levels_go_through_without_a_clock() {
    let mut air = Air::of(vec![Rig::calibrated(), Rig::calibrated()], -7_000);
    for (rig, main) in air.rigs.iter_mut().zip([TX, RX]) {
        // 19.2 kBaud, transparent.
        rig.write(MODEM0, 0x5B);
        rig.turn_on(main);
        rig.write(PA_POW, 0x80);
    }
    air.pass_us(5_000);
    let byte = bits([0xAA, 0xAA, 0x4B]);
    let mut heard = Vec::new();
    for bit in byte.iter().chain(&[false; 8]) {
        air.rigs[0].drive(MISO, *bit);
        air.pass_us(46);
        heard.push(air.rigs[1].level(SCK) == Level::Low);
        air.pass_us(6);
    }
    assert!(heard.windows(8).any(|it| it == bits([0x4B])), "{heard:?}");
}

#[test]
fn chp_out_shows_what_is_selected() {
    let mut rig = Rig::on(RX);
    for (select, level) in [
        (0, Level::Low),
        (1, Level::High),
        (2, Level::High),
        (5, Level::High),
        (8, Level::Low),
        (9, Level::High),
        (10, Level::High),
        (13, Level::Low),
        (14, Level::Low),
    ] {
        rig.write(LOCKS, select << 4);
        assert_eq!(rig.level(CHP_OUT), level, "{select}");
    }
}

#[test]
fn rssi_falls_with_power() {
    let mut rig = Rig::on(RX);
    let volts: Vec<u32> = (0..200)
        .map(|_| {
            rig.pass_us(100);
            rig.microvolts()
        })
        .collect();
    let mean = volts.iter().sum::<u32>() / 200;
    assert!((1_130_000..1_180_000).contains(&mean), "noise: {mean}");
    assert!(volts.iter().min() < Some(&(mean - 20_000)), "it fluctuates");
    for (number, power, expected) in
        [(0, -9_000, 795_300), (1, -7_000, 405_500), (2, -5_000, 15_600)]
    {
        let begin = rig.bench.now;
        rig.receive(1, carrier(number, begin), power);
        rig.pass_us(27);
        let rising = rig.microvolts();
        rig.pass_us(200);
        let settled = rig.microvolts();
        assert!(settled.abs_diff(expected) < 12_000, "{settled} for {power}");
        assert!(rising > settled + (mean - settled) / 5, "27 us are not enough: {rising}");
        rig.receive(1, OnAir::Ends { number, end: rig.bench.now }, power);
        rig.pass_us(1_000);
    }
    rig.write(FRONT_END, 0);
    assert_eq!(rig.microvolts(), 0, "it is off");
    rig.write(FRONT_END, 2);
    rig.write(MAIN, POWER_DOWN);
    assert_eq!(rig.microvolts(), 0);
}

#[test]
fn rssi_has_a_line_for_each_band() {
    let volts = |band, power| figures::rssi_microvolts(band, power);
    for (band, power, expected) in [
        (Band::Mhz433, -7_000.0, 405_458.0),
        (Band::Mhz868, -7_000.0, 490_000.0),
        (Band::Mhz868, -10_000.0, 1_090_000.0),
        (Band::Mhz868, -4_000.0, 0.0),
    ] {
        assert!((volts(band, power) - expected).abs() < 1.0, "{band:?} {power}");
    }
}

#[test]
fn rssi_shows_less_of_what_is_beside_the_channel() {
    // Its oscillator is 150 kHz above the channel, and what is as far above that is heard, too.
    let oscillator = 433_002 + 150;
    for (khz, expected) in [
        (oscillator - 150, 15_600),
        (oscillator + 150, 15_600),
        (oscillator + 20, 405_500),
        (oscillator - 300, 405_500),
        (oscillator + 600, 600_400),
        (oscillator - 1_100, 795_300),
    ] {
        let mut rig = Rig::on(RX);
        let OnAir::Begins(carrier) = carrier(0, rig.bench.now) else { panic!("it begins") };
        let beside = crate::air::Transmission { frequency_khz: khz, ..carrier };
        rig.receive(1, OnAir::Begins(beside), -5_000);
        rig.pass_us(300);
        let volts = rig.microvolts();
        assert!(volts.abs_diff(expected) < 12_000, "{volts} at {khz} kHz");
    }
}

/// A carrier of the channel.
pub(super) fn carrier(number: u32, begin: Time) -> OnAir {
    let bit = Time::from_units(520_833);
    OnAir::Begins(crate::air::Transmission {
        number,
        begin,
        end: Time::NEVER,
        frequency_khz: 433_002,
        power: 0,
        modulation: crate::air::Modulation::Fsk { bit, manchester: true, missing: 0 },
        bytes: [].into(),
    })
}

#[test]
fn it_fails_as_asked() {
    let mut rig = Rig::on(RX);
    rig.bench.set(Condition::Absent);
    assert_eq!((rig.state(), rig.microvolts()), ("off", 0));
    assert_eq!(rig.read(0x01), 0, "nobody drives PDATA");
    rig.bench.set(Condition::Wrong);
    assert_ne!((rig.read(0x01), rig.read(0x02)), (0x58, 0x00));
    rig.bench.set(Condition::Works);
    assert_eq!((rig.read(0x01), rig.read(LOCKS) & 3), (0x58, 3));
    rig.bench.set(Condition::Stuck);
    rig.receive(1, carrier(0, rig.bench.now), -5_000);
    rig.pass_us(1_000);
    assert!(rig.microvolts() > 1_000_000, "it does not notice");
    let acts = rig.bench.set(Condition::Shorted);
    let low = Act::Drive(Input::Pin { pin: PDATA, level: Level::Low });
    assert!(acts.contains(&low));
}
