// SPDX-License-Identifier: MIT OR Apache-2.0
//! Two radios exchange frames.

use super::*;

/// Mote 0 sends a frame that asks for an acknowledgment to mote 1, which acknowledges.
fn exchange(rig: &mut Rig, count: usize) {
    rig.write(1, MDMCTRL0, PLAIN | 0x10);
    let mut frame = data(count);
    frame[0] |= 0x20;
    rig.load(0, &[&[count as u8 + 2], &frame[..]].concat());
    rig.strobe(0, STXONCCA);
    rig.pass_us(6_500);
}

#[test]
fn a_frame_arrives_and_is_acknowledged() {
    for count in [9, 10, 60, 125] {
        let mut rig = Rig::listening(2);
        exchange(&mut rig, count);
        let mut frame = data(count);
        frame[0] |= 0x20;
        assert_eq!(rig.heard(1), [(Fate::Received, checked(&frame))]);
        let ack = checked(&[2, 0, 0x55]);
        assert_eq!(rig.heard(0), [(Fate::Received, ack.clone())], "after {count} bytes");
        assert_eq!(rig.sent(1)[0].1.bytes, ack);
        assert_eq!(rig.unload(0, 6)[..4], [5, 2, 0, 0x55]);
        assert_eq!(
            rig.unload(1, count + 3)[..count + 1],
            [&[count as u8 + 2], &frame[..]].concat()
        );
        assert_eq!((rig.state(0), rig.state(1)), (3, 3));
    }
}

#[test]
fn both_see_the_sfd_3_us_apart() {
    let mut rig = Rig::listening(2);
    exchange(&mut rig, 20);
    let (own, others) = (rig.edges(0, SFD), rig.edges(1, SFD));
    assert_eq!((own.len(), others.len()), (4, 4));
    let apart: Vec<i64> = own.iter().zip(&others).map(|(a, b)| b.0 as i64 - a.0 as i64).collect();
    assert_eq!(apart, [3, 3, -3, -3]);
}

#[test]
fn frames_on_other_channels_are_not_heard() {
    for (channel, heard) in [(0, 1), (5, 0), (1, 0)] {
        let mut rig = Rig::listening(2);
        rig.write(1, 0x18, 0x4165 + channel);
        rig.pass_us(500);
        rig.load(0, &[&[12], &data(10)[..]].concat());
        rig.strobe(0, STXON);
        rig.pass_us(2_000);
        assert_eq!(rig.heard(1).len(), heard, "{channel} MHz beside");
    }
}

#[test]
fn a_frame_that_is_cut_short_arrives_corrupted() {
    let mut rig = Rig::listening(2);
    rig.load(0, &[40, 1, 2, 3]);
    rig.strobe(0, STXON);
    rig.pass_us(3_000);
    let [(Fate::Corrupted, bytes)] = &rig.heard(1)[..] else { panic!("{:?}", rig.heard(1)) };
    assert_eq!((&bytes[..3], bytes.len()), (&[1, 2, 3][..], 40));
}

#[test]
fn many_frames_in_a_row_all_arrive() {
    let mut rig = Rig::listening(2);
    for round in 0..200_usize {
        let count = 9 + round * 13 % 100;
        rig.load(0, &[&[count as u8 + 2], &data(count)[..]].concat());
        rig.strobe(0, STXONCCA);
        while rig.status(0) & 8 != 0 {
            rig.pass_us(10);
        }
        rig.pass_us(400);
        assert_eq!(
            rig.unload(1, count + 3)[..count + 1],
            [&[count as u8 + 2], &data(count)[..]].concat()
        );
    }
    assert_eq!((rig.heard(1).len(), rig.sent(0).len()), (200, 200));
}

#[test]
fn of_two_at_once_none_or_the_stronger_arrives() {
    let mut rig = Rig::listening(3);
    for mote in [0, 1] {
        rig.load(mote, &[&[30 + mote as u8], &data(28 + mote)[..]].concat());
    }
    for mote in [0, 1] {
        rig.strobe(mote, STXON);
    }
    rig.pass_us(3_000);
    assert!(rig.heard(2).iter().all(|(fate, _)| *fate == Fate::Corrupted), "{:?}", rig.heard(2));
}

#[test]
fn who_sends_does_not_hear_and_says_so() {
    let mut rig = Rig::listening(2);
    rig.load(0, &[&[12], &data(10)[..]].concat());
    rig.strobe(0, STXON);
    let it = Transmission {
        number: 0,
        begin: rig.now,
        end: rig.now + Time::from_ms(1),
        frequency_khz: 2_405_000,
        power: 0,
        modulation: Modulation::Oqpsk { header: 6, kbps: 250 },
        bytes: [].into(),
    };
    let meets = |mote: usize, power: i32| rig.motes[mote].device.meets(&it, power);
    assert_eq!(meets(0, POWER), Some(Meeting::Sends));
    assert_eq!(meets(0, -12_000), Some(Meeting::TooWeak), "it would be, anyway");
    assert_eq!(meets(1, POWER), Some(Meeting::Listens));
}
