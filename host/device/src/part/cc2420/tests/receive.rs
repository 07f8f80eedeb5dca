// SPDX-License-Identifier: MIT OR Apache-2.0
//! Receiving: the RXFIFO, its pins, and what becomes of frames.

use super::*;

#[test]
fn a_frame_is_in_the_rxfifo_with_rssi_and_correlation() {
    let mut rig = Rig::listening(1);
    rig.hear(0, 0, &data(10));
    assert_eq!(rig.heard(0), [(Fate::Received, checked(&data(10)))]);
    let bytes = rig.unload(0, 13);
    assert_eq!(bytes[..11], [&[12], &data(10)[..]].concat());
    assert_eq!(bytes[11] as i8, -15, "-60 dBm");
    assert_eq!(bytes[12], 0x80 | 110, "CRC_OK, and the best correlation");
    let Report::Heard { frame, sender, lqi, .. } = &rig.motes[0].reports[0].1 else { panic!() };
    assert_eq!((frame.power, *sender, *lqi), (POWER, 7, 110));
}

#[test]
fn without_autocrc_the_checksum_stays() {
    let mut rig = Rig::listening(1);
    rig.write(0, MDMCTRL0, PLAIN & !0x20);
    rig.hear(0, 0, &data(10));
    assert_eq!(rig.unload(0, 13), [&[12], &checked(&data(10))[..]].concat());
}

#[test]
fn a_wrong_checksum_is_reported() {
    let mut rig = Rig::listening(1);
    let mut frame = checked(&data(10));
    frame[4] ^= 1;
    let end = rig.hears(0, 0, 12, &frame, POWER);
    rig.run(end + Time::from_us(3));
    assert_eq!(rig.heard(0), [(Fate::Corrupted, frame)]);
    assert_eq!(rig.unload(0, 13)[12], 110, "CRC_OK is clear");
}

#[test]
fn fifo_fifop_and_sfd_follow_a_frame() {
    let mut rig = Rig::listening(1);
    rig.write(0, IOCFG0, 3);
    let start = rig.now.us();
    let frame = checked(&data(8));
    rig.hears(0, 0, 10, &frame, POWER);
    rig.pass_us(600);
    let at = |bytes: u64| start + 32 * bytes + 3;
    assert_eq!(rig.edges(0, SFD), [(at(5), true), (at(16), false)]);
    assert_eq!(rig.edges(0, FIFO), [(at(6), true)], "with the length");
    assert_eq!(rig.edges(0, FIFOP), [(at(9), true)], "with the fourth byte");
    // Figure 14: it is active as long as there is more than the threshold, or the whole frame.
    for left in (0..11).rev() {
        rig.unload(0, 1);
        assert_eq!(rig.pins(0), [left > 0, left > 3, false], "{left} left");
    }
}

#[test]
fn a_whole_frame_is_reported_below_the_threshold() {
    let mut rig = Rig::listening(1);
    rig.write(0, IOCFG0, 127);
    let start = rig.now.us();
    rig.hear(0, 0, &data(8));
    assert_eq!(rig.edges(0, FIFOP), [(start + 32 * 16 + 3, true)]);
    rig.unload(0, 1);
    assert_eq!(rig.pins(0), [true, false, false], "one byte is read");
    rig.unload(0, 10);
    assert_eq!(rig.pins(0), [false; 3]);
}

#[test]
fn polarities_are_those_of_iocfg0() {
    let mut rig = Rig::listening(1);
    let pins = [FIFO, FIFOP, SFD, CCA];
    let levels = |rig: &Rig| pins.map(|pin| rig.is_high(0, pin));
    assert_eq!(levels(&rig), [false, false, false, true]);
    rig.write(0, IOCFG0, 0x07C0);
    assert_eq!(levels(&rig), [true, true, true, false]);
    rig.hears(0, 0, 10, &checked(&data(8)), POWER);
    rig.pass_us(250);
    assert_eq!(levels(&rig), [false, true, false, true], "within a frame");
}

#[test]
fn a_frame_can_be_read_while_it_arrives() {
    let mut rig = Rig::listening(1);
    let frame = checked(&data(30));
    rig.hears(0, 0, 32, &frame, POWER);
    let mut read = Vec::new();
    while read.len() < 33 {
        rig.pass_us(3);
        if rig.is_high(0, FIFO) {
            read.extend(rig.unload(0, 1));
        }
    }
    assert_eq!(read[..31], [&[32], &data(30)[..]].concat());
    assert_eq!((read[31] as i8, read[32]), (-15, 0x80 | 110));
    assert!(rig.edges(0, FIFO).len() > 40, "it was empty between bytes");
    assert_eq!(rig.pins(0), [false; 3]);
    rig.pass_us(200);
    rig.hear(0, 1, &data(8));
    assert_eq!(rig.pins(0), [true, true, false], "the next one is told, too");
}

#[test]
fn several_frames_fit_and_are_reported_one_after_the_other() {
    let mut rig = Rig::listening(1);
    rig.write(0, IOCFG0, 127);
    for (number, count) in [(0, 20), (1, 30), (2, 40)] {
        rig.hear(0, number, &data(count));
        rig.pass_us(200);
    }
    assert_eq!(rig.heard(0).len(), 3);
    for (count, more) in [(20, true), (30, true), (40, false)] {
        assert_eq!(rig.pins(0), [true, true, false]);
        let frame = rig.unload(0, count + 3);
        assert_eq!(frame[..count + 1], [&[count as u8 + 2], &data(count)[..]].concat());
        assert_eq!(rig.pins(0), [more, more, false]);
    }
}

#[test]
fn the_longest_frame_fits_and_another_byte_is_an_overflow() {
    let mut rig = Rig::listening(1);
    rig.hear(0, 0, &data(125));
    assert_eq!((rig.state(0), rig.pins(0)), (14, [true, true, false]));
    rig.pass_us(200);
    rig.hears(0, 1, 12, &checked(&data(10)), POWER);
    rig.pass_us(32 * 6 + 2);
    assert_eq!(rig.state(0), 16);
    rig.pass_us(1);
    assert_eq!((rig.state(0), rig.pins(0)), (17, [false, true, true]), "FIFO low, FIFOP high");
    assert_eq!(rig.heard(0)[1], (Fate::Overflowed, vec![]));
    assert_eq!(rig.unload(0, 128)[..3], [127, 0x41, 0x88], "what was there can be read");
    assert_eq!(rig.pins(0), [false, true, true]);
    rig.hear(0, 2, &data(10));
    assert_eq!(rig.heard(0).len(), 2, "nothing is received before it is flushed");
    rig.strobe(0, SFLUSHRX);
    assert_eq!((rig.state(0), rig.pins(0)), (3, [false; 3]));
    rig.hear(0, 3, &data(10));
    assert_eq!(rig.heard(0)[2].0, Fate::Received);
    assert_eq!(rig.unload(0, 2), [12, 0x41]);
}

#[test]
fn bytes_that_are_read_make_room() {
    let mut rig = Rig::listening(1);
    rig.hear(0, 0, &data(125));
    rig.unload(0, 100);
    rig.pass_us(200);
    rig.hear(0, 1, &data(50));
    rig.unload(0, 28);
    assert_eq!(rig.unload(0, 53)[..51], [&[52], &data(50)[..]].concat(), "around the end");
    assert_eq!(rig.pins(0), [false; 3]);
}

#[test]
fn an_overflow_outlasts_a_transmission() {
    let mut rig = Rig::listening(1);
    for number in 0..2 {
        rig.hear(0, number, &data(100));
        rig.pass_us(200);
    }
    assert_eq!(rig.state(0), 17);
    rig.load(0, &[5, 1, 2, 3]);
    rig.strobe(0, STXON);
    assert_eq!(rig.pins(0), [false, true, false]);
    rig.pass_us(1_000);
    assert_eq!((rig.state(0), rig.pins(0)), (17, [false, true, false]));
}

#[test]
fn lengths_of_which_only_seven_bits_count() {
    for (length, count) in [(0x00, 0), (0x80, 0), (0x01, 1), (0x85, 5), (0xFF, 127)] {
        let mut rig = Rig::listening(1);
        let frame: Vec<u8> = data(127)[..count].to_vec();
        let end = rig.hears(0, 0, length, &frame, POWER);
        rig.run(end + Time::from_us(3));
        assert_eq!((rig.heard(0).len(), rig.state(0)), (1, 14), "0x{length:02x}");
        assert_eq!(rig.pins(0), [true, true, false], "0x{length:02x}");
        assert_eq!(rig.unload(0, 1), [length]);
        rig.unload(0, count);
        assert_eq!(rig.pins(0), [false; 3], "0x{length:02x}");
    }
}

#[test]
fn a_flush_while_receiving_abandons_the_frame() {
    let mut rig = Rig::listening(1);
    rig.hears(0, 0, 32, &checked(&data(30)), POWER);
    rig.pass_us(500);
    rig.strobe(0, SFLUSHRX);
    assert_eq!((rig.state(0), rig.pins(0)), (3, [false; 3]));
    assert_eq!(rig.heard(0)[0].0, Fate::Abandoned);
    rig.pass_us(2_000);
    assert_eq!(rig.heard(0).len(), 1);
}

#[test]
fn what_is_left_of_an_abandoned_frame_stays_before_the_next() {
    let mut rig = Rig::listening(1);
    rig.hears(0, 0, 32, &checked(&data(30)), POWER);
    rig.pass_us(32 * 8);
    rig.strobe(0, SRFOFF);
    assert_eq!((rig.heard(0)[0].0, rig.pins(0)), (Fate::Abandoned, [true, false, false]));
    rig.strobe(0, SRXON);
    rig.pass_us(1_500);
    rig.hear(0, 1, &data(10));
    assert_eq!(rig.pins(0), [true, true, false]);
    assert_eq!(rig.unload(0, 5), [32, 0x41, 12, 0x41, 0x88]);
}

#[test]
fn sending_ends_receiving() {
    let mut rig = Rig::listening(1);
    rig.hears(0, 0, 32, &checked(&data(30)), POWER);
    rig.pass_us(500);
    rig.strobe(0, STXONCCA);
    assert_eq!(rig.state(0), 16, "the channel is not clear");
    rig.strobe(0, STXON);
    assert_eq!((rig.state(0), rig.is_high(0, SFD)), (32, false));
    assert_eq!(rig.heard(0)[0].0, Fate::Abandoned);
}

#[test]
fn weak_frames_are_corrupted_and_weaker_ones_not_found() {
    let tries = 400;
    let share = |power: i32| {
        let mut rig = Rig::listening(1);
        for number in 0..tries {
            rig.strobe(0, SFLUSHRX);
            let frame = checked(&data(18));
            let end = rig.hears(0, number, 20, &frame, power);
            rig.run(end + Time::from_us(400));
            // A wrong length may last longer.
            rig.pass_us(4_000);
        }
        let fates = rig.heard(0);
        let received = fates.iter().filter(|(fate, _)| *fate == Fate::Received).count();
        (received, fates.len())
    };
    let (received, _) = share(-9_500);
    assert!((380..400).contains(&received), "{received} at the sensitivity");
    assert_eq!(share(-9_300).0, 400);
    let (received, found) = share(-9_800);
    assert!(received < 200 && found > received, "{received} of {found}");
    assert_eq!(share(-10_100), (0, 0));
}

#[test]
fn correlation_falls_with_the_signal() {
    let mut rig = Rig::listening(1);
    let mut before = 128;
    for (number, power) in (0..).zip([-8_000, -9_000, -9_300, -9_500]) {
        let end = rig.hears(0, number, 12, &checked(&data(10)), power);
        rig.run(end + Time::from_us(200));
        let correlation = rig.unload(0, 13)[12] & 0x7F;
        assert!(correlation <= before, "{power}: {correlation}");
        before = correlation;
    }
    assert!((50..90).contains(&before), "{before}");
}

#[test]
fn sack_acknowledges_what_is_being_received_or_was() {
    for (delay, strobe, control) in [(400, SACK, 0x02), (400, SACKPEND, 0x12), (700, SACK, 0x02)] {
        let mut rig = Rig::listening(1);
        let end = rig.hears(0, 0, 12, &checked(&data(10)), POWER);
        rig.pass_us(delay);
        rig.strobe(0, strobe);
        let reported = rig.now;
        rig.pass_us(1_500);
        let (_, ack) = &rig.sent(0)[0];
        assert_eq!(ack.bytes, checked(&[control, 0, 0x55]), "{delay}");
        let begin = ack.start - Time::from_us(160);
        assert_eq!(begin, end.max(reported) + Time::from_us(192), "{delay}");
        rig.strobe(0, strobe);
        rig.pass_us(1_500);
        assert_eq!(rig.sent(0).len(), 1, "a frame is acknowledged once");
    }
}

#[test]
fn nothing_is_acknowledged_with_a_wrong_checksum_or_unasked() {
    let mut asks = data(10);
    asks[0] |= 0x20;
    let mut wrong = checked(&asks);
    wrong[9] ^= 4;
    for (frame, autoack, strobe) in [
        (wrong.clone(), true, SNOP),
        (wrong, false, SACK),
        (checked(&asks), false, SNOP),
        (checked(&data(10)), true, SNOP),
    ] {
        let mut rig = Rig::listening(1);
        rig.write(0, MDMCTRL0, if autoack { PLAIN | 0x10 } else { PLAIN });
        rig.hears(0, 0, 12, &frame, POWER);
        rig.pass_us(400);
        rig.strobe(0, strobe);
        rig.pass_us(1_500);
        assert_eq!(rig.sent(0), [], "{autoack} {strobe}");
    }
}

#[test]
fn the_pending_bit_stays_until_sack() {
    let mut rig = Rig::listening(1);
    rig.write(0, MDMCTRL0, PLAIN | 0x10);
    let mut asks = data(10);
    asks[0] |= 0x20;
    for (number, strobe, control) in [(0, SACKPEND, 0x12), (1, SNOP, 0x12), (2, SACK, 0x02)] {
        rig.strobe(0, strobe);
        rig.strobe(0, SFLUSHRX);
        rig.hear(0, number, &asks);
        rig.pass_us(1_500);
        assert_eq!(rig.sent(0).last().expect("one").1.bytes[0], control);
    }
}

#[test]
fn a_program_may_write_the_rxfifo() {
    let mut rig = Rig::idle(1);
    rig.spi(0, &[0x3F, 3, 0xA1, 0xA2]);
    assert_eq!(rig.pins(0), [true, false, false]);
    rig.spi(0, &[0x3F, 0xA3]);
    assert_eq!(rig.pins(0), [true, true, false]);
    assert_eq!(rig.unload(0, 4), [3, 0xA1, 0xA2, 0xA3]);
    assert_eq!(rig.unload(0, 1), [0], "there is no more");
}

#[test]
fn idle_listening_takes_no_time() {
    let rig = Rig::listening(1);
    assert_eq!(rig.motes[0].device.due(), Time::NEVER);
    assert_eq!(rig.motes[0].device.acts_on_air(Time::NEVER), Time::NEVER);
    let next = rig.now + Time::from_ms(1);
    let soon = rig.motes[0].device.acts_on_air(next);
    assert_eq!(soon, next + Time::from_us(128 - 16));
}

#[test]
fn it_goes_on_from_what_it_saves() {
    let begin = |us: u64| {
        let mut rig = Rig::listening(2);
        rig.write(1, MDMCTRL0, PLAIN | 0x10);
        let mut frame = data(40);
        frame[0] |= 0x20;
        rig.load(0, &[&[42], &frame[..]].concat());
        rig.strobe(0, STXON);
        rig.pass_us(us);
        rig
    };
    let finish = |mut rig: Rig| {
        rig.pass_us(5_000);
        let heard = [rig.heard(0), rig.heard(1)];
        (heard, rig.sent(0), rig.motes.iter().map(|mote| mote.device.save()).collect::<Vec<_>>())
    };
    for us in (0..2_400).step_by(75) {
        let mut rig = begin(us);
        for mote in &mut rig.motes {
            let saved = mote.device.save();
            let mut other = Mote::new().device;
            other.load(&saved).expect("its state");
            assert_eq!(other.save(), saved);
            mote.device = other;
        }
        assert_eq!(finish(rig), finish(begin(us)), "{us} us");
        assert!(Mote::new().device.load(&[1, 2, 3]).is_err());
    }
}

/// Another device sends something from a time on, until long after it.
fn disturb(rig: &mut Rig, begin: Time, frequency_khz: u32, power: i32) {
    let what = OnAir::Begins(Transmission {
        number: 0,
        begin,
        end: begin + Time::from_ms(5),
        frequency_khz,
        power,
        modulation: Modulation::Noise,
        bytes: [].into(),
    });
    let passage = Passage { seed: 1, sender: 8, receiver: 0 };
    let reception = Reception { passage, what, power };
    rig.serve(0, |device, around| device.receive(around, &reception));
}

#[test]
fn rssi_of_a_frame_is_that_of_its_first_8_symbols_after_the_sfd() {
    let mut rig = Rig::listening(1);
    let begin = rig.now;
    let end = rig.hears(0, 0, 42, &checked(&data(40)), -6_000);
    disturb(&mut rig, begin + Time::from_us(600), 2_405_000, -3_000);
    rig.run(end + Time::from_us(3));
    assert_eq!(rig.unload(0, 43)[41] as i8, -15, "-60 dBm");
    let Report::Heard { frame, fate, .. } = &rig.motes[0].reports[0].1 else { panic!() };
    assert_eq!((frame.power, *fate), (-6_000, Fate::Corrupted));
}

#[test]
fn signals_beside_the_channel_are_weaker() {
    for (beside, stronger, arrives) in
        [(5_000, 2_700, true), (5_000, 3_600, false), (10_000, 5_000, true), (10_000, 5_900, false)]
    {
        let mut rig = Rig::listening(1);
        let (begin, power) = (rig.now, -8_000);
        disturb(&mut rig, begin, 2_405_000 + beside, power + stronger);
        let frame = checked(&data(10));
        let end = rig.hears(0, 0, 12, &frame, power);
        rig.run(end + Time::from_us(300));
        let has_arrived = rig.heard(0) == [(Fate::Received, frame)];
        assert_eq!(has_arrived, arrives, "{beside} kHz, {stronger}");
    }
}
