// SPDX-License-Identifier: MIT OR Apache-2.0
//! The state machine: figure 25, each transition with its time.

use super::*;

/// States that the radio has been in up to now, each with the time in microseconds since `from` at which it began.
fn course(rig: &mut Rig, from: Time, us: u64) -> Vec<(u64, u16)> {
    let mut course = vec![((rig.now - from).us(), rig.state(0))];
    let until = rig.now + Time::from_us(us);
    while rig.now < until {
        rig.pass_us(1);
        let state = rig.state(0);
        if course.last().is_none_or(|(_, last)| *last != state) {
            course.push(((rig.now - from).us(), state));
        }
    }
    course
}

#[test]
fn receiving_begins_12_symbols_after_srxon() {
    let mut rig = Rig::idle(1);
    rig.strobe(0, SRXON);
    let from = rig.now;
    assert_eq!(course(&mut rig, from, 300), [(0, 2), (192, 3)]);
    rig.strobe(0, SRFOFF);
    assert_eq!(rig.state(0), 1);
}

#[test]
fn a_frame_is_sent_12_or_8_symbols_after_stxon() {
    for (txctrl, begin) in [(0xA0FF, 192), (0x80FF, 128)] {
        for first in [None, Some(SRXON)] {
            let mut rig = Rig::idle(1);
            rig.write(0, 0x15, txctrl);
            rig.load(0, &[&[12], &data(10)[..]].concat());
            if let Some(strobe) = first {
                rig.strobe(0, strobe);
                rig.pass_us(400);
            }
            rig.strobe(0, STXON);
            let from = rig.now;
            let (sfd, end) = (begin + 5 * 32, begin + 18 * 32);
            let expected = [(0, 32), (begin, 34), (sfd, 37), (end, 2), (end + 192, 3)];
            assert_eq!(course(&mut rig, from, 1_100), expected);
            let (at, what) = &rig.motes[0].on_air[0];
            assert_eq!((*at - from).us(), begin - 16, "announced ahead");
            let OnAir::Begins(sent) = what else { panic!("{what:?}") };
            assert_eq!((sent.begin - from, sent.end - from), (us(begin), us(end)));
            assert_eq!(rig.motes[0].on_air.len(), 1);
            let edges: Vec<_> = rig.edges(0, SFD).into_iter().filter(|(_, high)| *high).collect();
            assert_eq!(edges, [((from + us(sfd)).us(), true)]);
        }
    }
}

fn us(us: u64) -> Time {
    Time::from_us(us)
}

#[test]
fn a_frame_is_received_and_then_it_waits_8_symbols() {
    let mut rig = Rig::listening(1);
    let from = rig.now;
    let frame = checked(&data(10));
    rig.hears(0, 0, 12, &frame, POWER);
    // Preamble and SFD, length and frame; each is known 3 us later.
    let (sfd, end) = (5 * 32 + 3, 18 * 32 + 3);
    assert_eq!(course(&mut rig, from, 800), [(0, 3), (sfd, 16), (end, 14), (end + 128, 3)]);
    let start = from.us();
    assert_eq!(rig.edges(0, SFD), [(start + sfd, true), (start + end, false)]);
}

#[test]
fn an_acknowledgment_begins_12_symbols_after_the_last_one() {
    let mut rig = Rig::listening(1);
    rig.write(0, MDMCTRL0, PLAIN | 0x10);
    let from = rig.now;
    let mut frame = data(10);
    frame[0] |= 0x20;
    rig.hears(0, 0, 12, &checked(&frame), POWER);
    let end = 18 * 32;
    let ack = end + 192;
    let expected = [
        (0, 3),
        (163, 16),
        (end + 3, 48),
        (ack, 49),
        (ack + 160, 52),
        (ack + 352, 2),
        (ack + 352 + 192, 3),
    ];
    assert_eq!(course(&mut rig, from, 1_500), expected);
    let sent = rig.sent(0);
    assert_eq!(sent[0].1.bytes, checked(&[2, 0, 0x55]));
}

#[test]
fn stxcal_leaves_the_synthesizer_on() {
    let mut rig = Rig::idle(1);
    rig.strobe(0, STXCAL);
    assert_eq!((rig.state(0), rig.status(0) & 4), (32, 0));
    rig.pass_us(192);
    assert_eq!((rig.state(0), rig.status(0) & 4), (32, 4), "locked");
    rig.load(0, &[&[12], &data(10)[..]].concat());
    rig.strobe(0, STXON);
    rig.pass_us(1_000);
    assert_eq!(rig.sent(0).len(), 1);
    rig.strobe(0, STXCAL);
    rig.pass_us(200);
    rig.strobe(0, SRXON);
    rig.pass_us(200);
    assert_eq!(rig.state(0), 3);
}

#[test]
fn another_frequency_is_calibrated_while_receiving() {
    let mut rig = Rig::listening(1);
    rig.write(0, 0x18, 0x4165);
    assert_eq!(rig.state(0), 3);
    rig.write(0, 0x18, 0x4165 + 5);
    let from = rig.now;
    assert_eq!(course(&mut rig, from, 200), [(0, 2), (192, 3)]);
    assert_eq!(rig.chip(0).frequency_khz, 2_410_000);
}

#[test]
fn srxon_does_nothing_while_it_receives_or_sends() {
    let mut rig = Rig::listening(1);
    rig.strobe(0, SRXON);
    assert_eq!(rig.state(0), 3);
    rig.load(0, &[&[12], &data(10)[..]].concat());
    rig.strobe(0, STXON);
    rig.strobe(0, SRXON);
    rig.pass_us(300);
    rig.strobe(0, SRXON);
    assert_eq!(rig.state(0), 34);
    rig.pass_us(1_000);
    assert_eq!((rig.state(0), rig.sent(0).len()), (3, 1));
}

#[test]
fn everything_ends_with_srfoff_and_sxoscoff() {
    // While it calibrates, sends the preamble, sends the frame, calibrates to receive, receives.
    for (us, is_sent) in [(50, false), (250, false), (500, true), (800, true), (1_000, true)] {
        for (strobe, state) in [(SRFOFF, 1), (SXOSCOFF, 0)] {
            let mut rig = Rig::idle(1);
            rig.load(0, &[&[12], &data(10)[..]].concat());
            rig.strobe(0, STXON);
            rig.pass_us(us);
            rig.strobe(0, strobe);
            assert_eq!(rig.state(0), state, "{us} us");
            rig.pass_us(2_000);
            assert_eq!((rig.state(0), rig.is_high(0, SFD)), (state, false), "{us} us");
            assert_eq!(rig.sent(0).len(), usize::from(is_sent), "{us} us");
            let ends = rig.motes[0].on_air.iter().any(|(_, it)| matches!(it, OnAir::Ends { .. }));
            assert_eq!(ends, (192..750).contains(&us), "{us} us");
        }
    }
}

#[test]
fn what_it_draws_follows_its_state() {
    let mut rig = Rig::idle(1);
    let draws = |rig: &Rig| rig.motes[0].device.consumption().map_or("", |it| it.state);
    assert_eq!(draws(&rig), "idle");
    rig.strobe(0, SRXON);
    assert_eq!(draws(&rig), "rx");
    rig.load(0, &[&[12], &data(10)[..]].concat());
    rig.write(0, 0x15, 0xA0F3);
    rig.strobe(0, STXON);
    assert_eq!(draws(&rig), "tx_calibrate");
    rig.pass_us(200);
    assert_eq!(draws(&rig), "tx_pa_19");
    rig.pass_us(1_000);
    assert_eq!(draws(&rig), "rx");
    rig.strobe(0, SXOSCOFF);
    assert_eq!(draws(&rig), "power_down");
    rig.serve(0, |device, around| device.power_off(around));
    assert_eq!(draws(&rig), "off");
}

#[test]
fn lock_and_calibration_are_reported() {
    let mut rig = Rig::idle(1);
    assert_eq!(rig.read(0, 0x18) & 0x3400, 0);
    rig.strobe(0, SRXON);
    assert_eq!((rig.read(0, 0x18) & 0x3400, rig.status(0)), (0x1000, 0x40), "it calibrates");
    rig.pass_us(192);
    assert_eq!((rig.read(0, 0x18) & 0x3400, rig.status(0)), (0x2400, 0x44), "it is locked");
    rig.pass_us(128);
    assert_eq!(rig.status(0), 0x46, "and RSSI is valid");
}
