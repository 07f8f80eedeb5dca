// SPDX-License-Identifier: MIT OR Apache-2.0
//! Radios that send to each other, by words.

use super::*;
use crate::air::{Meeting, Modulation, Transmission};

const PREAMBLE: [u8; 12] = [0xAA; 12];
const PAYLOAD: [u8; 10] = [0x00, 0xFF, 0x12, 0x34, 0x56, 0x78, 0x9A, 0xBC, 0xDE, 0xF0];

fn frame() -> Vec<u8> {
    let bytes = PREAMBLE.into_iter().chain([0x33, 0xCC]).chain(PAYLOAD);
    bytes.chain([0xFF; 2]).collect()
}

/// Radios with slaves, one that sends and one that receives, `late` after the other; both with this MODEM0.
fn pair(modem0: u8, late: Time, power: i32) -> Air {
    let mut rigs = vec![Rig::calibrated(), Rig::powered_with(20)];
    rigs[1].set_up();
    let begin = rigs.iter().map(|rig| rig.bench.now).max().expect("radios");
    for (rig, main) in rigs.iter_mut().zip([TX, RX]) {
        rig.bench.now = begin;
        rig.write(MODEM0, modem0);
        rig.slave(true);
        rig.turn_on(main);
    }
    let now = rigs[0].bench.now;
    rigs[1].slave(false);
    rigs[1].pass_to(now + late);
    rigs[0].pass_to(now + late);
    rigs[1].slave(true);
    Air::of(rigs, power)
}

/// Sends a frame, and returns what the slave of the receiver got, inverted as by its oscillator.
fn exchange(air: &mut Air) -> Vec<u8> {
    let first = air.rigs[1].words.len();
    air.rigs[0].outgoing = frame().into();
    air.rigs[0].write(PA_POW, 0x80);
    air.pass_us(50_000);
    air.rigs[0].write(PA_POW, 0);
    air.pass_us(2_000);
    air.rigs[1].words[first..].iter().map(|(_, byte)| !byte).collect()
}

#[test]
fn bytes_arrive_at_any_offset_at_both_rates() {
    for (modem0, byte_ns) in [(0x55, 416_666), (0x54, 208_333), (0x51, 208_333), (0x53, 416_666)] {
        let mut offsets = Vec::new();
        for eighth in 0..8 {
            let late = Time::from_ns(byte_ns * eighth / 8);
            let mut air = pair(modem0, late, -7_000);
            let received = exchange(&mut air);
            let found = offset_of(&received, &PAYLOAD);
            offsets.extend(found);
            assert!(found.is_some(), "0x{modem0:02x}, {eighth}: {received:02x?}");
            let times: Vec<Time> = air.rigs[1].words.iter().map(|(time, _)| *time).collect();
            assert_eq!((air.rigs[0].missed, air.rigs[1].missed), (0, 0));
            let steady = times[times.len() - 8..].windows(2);
            let differs = |it: &[Time]| (it[1] - it[0]).ns().abs_diff(byte_ns) > 30;
            assert!(!steady.into_iter().any(differs), "a word each {byte_ns} ns");
        }
        offsets.sort_unstable();
        offsets.dedup();
        assert_eq!(offsets.len(), 8, "0x{modem0:02x}: {offsets:?}");
    }
}

#[test]
fn frames_are_reported_as_they_lie_on_the_air() {
    let mut air = pair(0x55, Time::from_us(100), -7_000);
    exchange(&mut air);
    let [sender, receiver] = &air.rigs[..] else { panic!("two") };
    let (sent, (heard, fate)) = (&sender.sent[0], &receiver.heard[0]);
    assert_eq!((sent.frequency_khz, sent.rate, sent.power), (433_002, 19_200, 600));
    assert!(sent.bytes.starts_with(&PAYLOAD), "{:02x?}", sent.bytes);
    assert_eq!((&heard.bytes, *fate, heard.power), (&sent.bytes, Fate::Received, -7_000));
    assert_eq!(heard.start, sent.start);
}

#[test]
fn a_byte_comes_out_after_its_bits_and_the_delay_of_the_modems() {
    let mut air = pair(0x55, Time::from_us(100), -7_000);
    let first = air.rigs[1].words.len();
    exchange(&mut air);
    let sent = air.rigs[0].sent[0].start;
    let received: Vec<(Time, u8)> = air.rigs[1].words[first..].to_vec();
    let bytes: Vec<u8> = received.iter().map(|(_, byte)| !byte).collect();
    let at = (0..bytes.len()).find(|at| offset_of(&bytes[..=*at], &[0xCC, 0x00, 0xFF]).is_some());
    let (end, _) = received[at.expect("it arrives")];
    let late = (end - sent).us();
    // Two bytes after the synchronization word, the rest of the word and a bit.
    assert!((833 + 52..=833 + 52 + 420).contains(&late), "{late}");
}

/// The share of wrong bits at this power.
fn error_rate(modem0: u8, power: i32) -> f64 {
    let mut air = pair(modem0, Time::ZERO, power);
    let count = 2_000;
    air.rigs[0].outgoing = PREAMBLE
        .into_iter()
        .chain([0x33, 0xCC])
        .chain((0..count).map(|it| (it * 7) as u8))
        .collect();
    air.rigs[0].write(PA_POW, 0x80);
    air.pass_us(417 * (count as u64 + 14));
    air.rigs[0].write(PA_POW, 0);
    air.pass_us(2_000);
    let (sent, (heard, _)) = (&air.rigs[0].sent[0], &air.rigs[1].heard[0]);
    let wrong: u32 = sent.bytes.iter().zip(&heard.bytes).map(|(a, b)| (a ^ b).count_ones()).sum();
    f64::from(wrong) / (8 * heard.bytes.len()) as f64
}

#[test]
fn at_the_sensitivity_one_bit_in_a_thousand_is_wrong() {
    // Manchester's code at 38.4 kBaud, NRZ at 19.2 kBaud.
    for (modem0, sensitivity) in [(0x55, -10_300), (0x53, -10_300)] {
        let rate = error_rate(modem0, sensitivity);
        assert!((5e-4..2e-3).contains(&rate), "{rate}");
        assert!(error_rate(modem0, sensitivity + 300) < 1e-4);
        assert!(error_rate(modem0, sensitivity - 300) > 1e-2);
    }
}

#[test]
fn interference_in_the_channel_must_be_11_db_weaker() {
    for (weaker, arrives) in [(1_300, true), (500, false)] {
        let mut air = pair(0x55, Time::ZERO, -7_000);
        let now = air.rigs[1].bench.now;
        air.rigs[1].receive(5, pins::carrier(0, now), -7_000 - weaker);
        let received = exchange(&mut air);
        assert_eq!(offset_of(&received, &PAYLOAD).is_some(), arrives, "{weaker}");
        assert_eq!(air.rigs[1].heard[0].1 == Fate::Received, arrives);
    }
}

/// A whole frame of another mote, and when it has ended.
fn whole(number: u32, begin: Time) -> (OnAir, Time) {
    let OnAir::Begins(carrier) = pins::carrier(number, begin) else { panic!("it begins") };
    let end = begin + carrier.modulation.offset(frame().len());
    (OnAir::Begins(Transmission { end, bytes: frame().into(), ..carrier }), end)
}

#[test]
fn noise_disturbs_as_long_as_it_lasts() {
    for (ms, arrives) in [(3, true), (30, false)] {
        let mut rig = Rig::on(RX);
        rig.slave(true);
        let begin = rig.bench.now;
        let (what, end) = whole(0, begin);
        rig.receive(1, what, -7_000);
        let OnAir::Begins(carrier) = pins::carrier(0, begin) else { panic!("it begins") };
        let (modulation, ends) = (Modulation::Noise, begin + Time::from_ms(ms));
        let noise = OnAir::Begins(Transmission { modulation, end: ends, ..carrier });
        rig.receive(5, noise, -6_000);
        rig.pass_to(end + Time::from_ms(2));
        assert_eq!(rig.heard[0].1 == Fate::Received, arrives, "{ms} ms");
    }
}

#[test]
fn two_bytes_of_preamble_are_enough() {
    let mut rig = Rig::on(RX);
    rig.slave(true);
    // Its averaging filter settles.
    rig.pass_us(5_000);
    let begin = rig.bench.now;
    let OnAir::Begins(carrier) = pins::carrier(0, begin) else { panic!("it begins") };
    let bytes = &frame()[PREAMBLE.len() - 2..];
    let end = begin + carrier.modulation.offset(bytes.len());
    let what = OnAir::Begins(Transmission { end, bytes: bytes.into(), ..carrier });
    rig.receive(1, what, -7_000);
    rig.pass_to(end + Time::from_ms(2));
    let (frame, fate) = &rig.heard[0];
    assert_eq!((*fate, &frame.bytes[..PAYLOAD.len()]), (Fate::Received, &PAYLOAD[..]));
}

#[test]
fn it_leaves_a_frame_for_a_stronger_one() {
    // The bytes after the synchronization word last from 5.8 ms on to 10.8 ms.
    for (us, stronger, fates) in
        [(7_000, 2_000, &[Fate::Corrupted, Fate::Received][..]), (4_000, -2_000, &[Fate::Received])]
    {
        let mut rig = Rig::on(RX);
        rig.slave(true);
        let (first, end) = whole(0, rig.bench.now);
        rig.receive(1, first, -7_000);
        rig.pass_us(us);
        let (second, end_of_second) = whole(0, rig.bench.now);
        let OnAir::Begins(begins) = &second else { panic!("it begins") };
        let meets = rig.bench.device.meets(begins, -7_000 + stronger);
        let meeting = if stronger > 0 { Meeting::Listens } else { Meeting::Busy };
        assert_eq!(meets, Some(meeting), "{stronger}");
        rig.receive(2, second, -7_000 + stronger);
        rig.pass_to(end.max(end_of_second) + Time::from_ms(2));
        let heard: Vec<Fate> = rig.heard.iter().map(|(_, fate)| *fate).collect();
        assert_eq!(heard, fates, "{stronger}");
    }
}

#[test]
fn a_channel_beside_is_not_heard() {
    let mut air = pair(0x55, Time::ZERO, -6_000);
    let beside = OnAir::Begins(crate::air::Transmission {
        frequency_khz: 434_845,
        ..match pins::carrier(0, air.rigs[1].bench.now) {
            OnAir::Begins(it) => it,
            _ => panic!("it begins"),
        }
    });
    air.rigs[1].receive(5, beside, -4_000);
    let received = exchange(&mut air);
    assert!(offset_of(&received, &PAYLOAD).is_some());
}

#[test]
fn another_rate_is_not_understood() {
    let mut air = pair(0x55, Time::ZERO, -7_000);
    air.rigs[1].write(MODEM0, 0x51);
    let received = exchange(&mut air);
    assert!(offset_of(&received, &PAYLOAD[..4]).is_none());
}

#[test]
fn who_stops_receiving_abandons_the_frame() {
    let mut air = pair(0x55, Time::ZERO, -7_000);
    air.rigs[0].outgoing = frame().into();
    air.rigs[0].write(PA_POW, 0x80);
    air.pass_us(417 * 17);
    air.rigs[1].write(MAIN, POWER_DOWN);
    air.pass_us(417 * 30);
    air.rigs[0].write(PA_POW, 0);
    air.pass_us(1_000);
    let (frame, fate) = &air.rigs[1].heard[0];
    assert_eq!(*fate, Fate::Abandoned);
    assert!(PAYLOAD.starts_with(&frame.bytes[..]), "{:02x?}", frame.bytes);
}

#[test]
fn who_turns_around_at_once_has_received_the_frame() {
    for stop in [TX, POWER_DOWN] {
        let mut air = pair(0x55, Time::ZERO, -7_000);
        air.rigs[0].outgoing = frame().into();
        air.rigs[0].write(PA_POW, 0x80);
        air.pass_us(417 * 30);
        air.rigs[0].write(PA_POW, 0);
        let ends = Time::from_us(1) + AHEAD;
        air.pass_us(ends.us());
        assert_eq!(air.rigs[1].heard.len(), 0, "the next byte has not come yet");
        air.rigs[1].write(MAIN, stop);
        let now = air.rigs[1].bench.now;
        air.rigs[0].pass_to(now);
        air.pass_us(1_000);
        let [sender, receiver] = &air.rigs[..] else { panic!("two") };
        let [(heard, fate)] = &receiver.heard[..] else { panic!("{:?}", receiver.heard) };
        assert_eq!((heard.start, *fate), (sender.sent[0].start, Fate::Received));
        assert!(heard.bytes.starts_with(&PAYLOAD), "{:02x?}", heard.bytes);
    }
}

#[test]
fn who_joins_late_receives_the_rest_and_reports_no_frame() {
    let mut air = pair(0x55, Time::ZERO, -7_000);
    air.rigs[1].write(MAIN, BIAS);
    air.rigs[0].outgoing = frame().into();
    air.rigs[0].write(PA_POW, 0x80);
    air.pass_us(417 * 15);
    let first = air.rigs[1].words.len();
    air.rigs[1].write(MAIN, RX);
    let now = air.rigs[1].bench.now;
    air.rigs[0].pass_to(now);
    air.pass_us(20_000);
    air.rigs[0].write(PA_POW, 0);
    air.pass_us(1_000);
    let received: Vec<u8> = air.rigs[1].words[first..].iter().map(|(_, byte)| !byte).collect();
    assert!(offset_of(&received, &PAYLOAD[7..]).is_some(), "{received:02x?}");
    assert_eq!(air.rigs[1].heard.len(), 0);
}

#[test]
fn a_filter_that_is_locked_too_early_is_deaf() {
    for (modem1, hears) in [(0x69, true), (0x79, false), (0x67, true)] {
        let mut air = pair(0x55, Time::ZERO, -7_000);
        air.rigs[1].write(MAIN, BIAS);
        air.rigs[1].write(MODEM1, modem1);
        air.rigs[1].write(MAIN, RX);
        let now = air.rigs[1].bench.now;
        air.rigs[0].pass_to(now);
        air.pass_us(5_000);
        let received = exchange(&mut air);
        assert_eq!(offset_of(&received, &PAYLOAD).is_some(), hears, "0x{modem1:02x}");
    }
}

#[test]
fn it_turns_from_one_direction_to_the_other_and_back() {
    let mut air = pair(0x55, Time::ZERO, -7_000);
    for turn in 0..6 {
        let received = exchange(&mut air);
        assert!(offset_of(&received, &PAYLOAD).is_some(), "{turn}");
        for (rig, main) in air.rigs.iter_mut().zip([RX, TX]) {
            rig.write(MAIN, main);
        }
        air.rigs.reverse();
        let now = air.rigs.iter().map(|rig| rig.bench.now).max().expect("radios");
        air.rigs.iter_mut().for_each(|rig| rig.pass_to(now));
        air.pass_us(700 + 131 * turn);
    }
}

#[test]
fn a_carrier_that_begins_within_a_byte_sends_the_rest_of_it() {
    let mut rig = Rig::on(TX);
    rig.slave(true);
    rig.outgoing = [0xF0, 0x81].into_iter().collect();
    while rig.words.is_empty() {
        rig.fire();
    }
    rig.pass_us(120);
    rig.write(PA_POW, 0x80);
    let (time, OnAir::Begins(sent)) = &rig.air[0] else { panic!("{:?}", rig.air) };
    assert!(sent.begin >= *time + AHEAD && sent.begin < *time + AHEAD + Time::from_us(53));
    let missing = match sent.modulation {
        crate::air::Modulation::Fsk { missing, .. } => missing,
        other => panic!("{other:?}"),
    };
    assert_eq!((missing, &sent.bytes[..]), (3, &[0xF0][..]));
    rig.pass_us(417);
    let says = OnAir::Says { number: 0, at: 1, bytes: [0x81].into() };
    assert!(rig.air.iter().any(|(_, what)| *what == says), "{:?}", rig.air);
}

#[test]
fn a_state_can_be_saved_within_a_byte() {
    let mut air = pair(0x55, Time::from_us(130), -7_000);
    air.rigs[0].outgoing = frame().into();
    air.rigs[0].write(PA_POW, 0x80);
    air.pass_us(417 * 16 + 200);
    let saved: Vec<Vec<u8>> = air.rigs.iter().map(|rig| rig.bench.device.save()).collect();
    for (rig, saved) in air.rigs.iter_mut().zip(&saved) {
        let mut other = Rig::powered();
        other.bench.device.load(saved).expect("its state");
        assert_eq!(other.bench.device.save(), *saved);
        rig.bench.device = other.bench.device;
    }
    air.pass_us(417 * 14);
    let received: Vec<u8> = air.rigs[1].words.iter().map(|(_, byte)| !byte).collect();
    assert!(offset_of(&received, &PAYLOAD).is_some(), "{received:02x?}");
}

#[test]
fn it_acts_no_earlier_than_it_says() {
    let mut rig = Rig::on(RX);
    let next = rig.bench.now + Time::from_us(100);
    assert_eq!(rig.bench.device.acts_on_air(next), next + Time::from_ns(1_500) + LOCK);
    rig.write(MAIN, TX);
    rig.pass_us(500);
    let next = rig.bench.now + Time::from_us(100);
    assert!(rig.bench.device.acts_on_air(next) <= next + Time::from_ns(1_500));
    rig.write(PA_POW, 0x80);
    assert_eq!(rig.bench.device.acts_on_air(Time::NEVER), rig.bench.device.due());
}
