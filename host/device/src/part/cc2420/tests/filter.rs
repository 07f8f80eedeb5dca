// SPDX-License-Identifier: MIT OR Apache-2.0
//! Address recognition.

use super::*;

const PAN: u16 = 0xCAFE;
const SHORT: u16 = 0x1234;
const LONG: [u8; 8] = [1, 2, 3, 4, 5, 6, 7, 8];

/// A radio that listens to PAN, SHORT and LONG.
fn recognizing(mdmctrl0: u16) -> Rig {
    let mut rig = Rig::listening(1);
    rig.write_ram(0, 0x160, &LONG);
    rig.write_ram(0, 0x168, &PAN.to_le_bytes());
    rig.write_ram(0, 0x16A, &SHORT.to_le_bytes());
    rig.write(0, MDMCTRL0, 0x0AE2 | mdmctrl0);
    rig
}

/// A frame of a type with these addresses.
fn frame(kind: u8, to: Option<(u16, &[u8])>, from: Option<(u16, &[u8])>) -> Vec<u8> {
    let mode = |address: Option<(u16, &[u8])>| match address {
        None => 0,
        Some((_, address)) if address.len() == 2 => 2,
        Some(_) => 3,
    };
    let mut bytes = vec![kind, mode(to) << 2 | mode(from) << 6, 0x55];
    for (pan, address) in [to, from].into_iter().flatten() {
        bytes.extend(pan.to_le_bytes());
        bytes.extend(address);
    }
    bytes.extend([9; 4]);
    bytes
}

fn is_accepted(rig: &mut Rig, frame: &[u8]) -> bool {
    rig.forget();
    rig.strobe(0, SFLUSHRX);
    rig.hear(0, rig.now.us() as u32, frame);
    rig.pass_us(300);
    let fate = rig.heard(0)[0].0;
    assert_eq!(rig.is_high(0, FIFO), fate == Fate::Received);
    fate == Fate::Received
}

#[test]
fn destinations_must_be_the_own_ones_or_everybodys() {
    let mut rig = recognizing(0);
    let short = SHORT.to_le_bytes();
    for kind in [1, 3] {
        for (pan, address, accepted) in [
            (PAN, &short[..], true),
            (PAN, &[0xFF, 0xFF], true),
            (PAN, &LONG, true),
            (0xFFFF, &short, true),
            (0xFFFF, &[0xFF, 0xFF], true),
            (0xFFFF, &LONG, true),
            (PAN, &[0x34, 0x13], false),
            (PAN, &[0x35, 0x12], false),
            (PAN, &[0xFF; 8], false),
            (PAN, &[1, 2, 3, 4, 5, 6, 7, 9], false),
            (PAN ^ 1, &short, false),
            (PAN ^ 0x100, &LONG, false),
        ] {
            let frame = frame(kind, Some((pan, address)), Some((PAN, &[7, 7])));
            assert_eq!(is_accepted(&mut rig, &frame), accepted, "{pan:04x} {address:?}");
        }
    }
}

#[test]
fn a_frame_without_a_destination_is_for_the_coordinator() {
    for (coordinator, pan, accepted) in
        [(0x1000, PAN, true), (0x1000, PAN ^ 1, false), (0, PAN, false)]
    {
        let mut rig = recognizing(coordinator);
        for source in [&[7, 7][..], &[7; 8]] {
            let frame = frame(1, None, Some((pan, source)));
            assert_eq!(is_accepted(&mut rig, &frame), accepted, "{coordinator:04x} {pan:04x}");
        }
    }
}

#[test]
fn beacons_come_from_the_own_network() {
    let mut rig = recognizing(0);
    let source = [7, 7];
    for (pan, accepts, accepted) in
        [(PAN, 0, true), (PAN ^ 1, 0, false), (PAN ^ 1, 0x0800, true), (0xFFFF, 0, false)]
    {
        rig.write(0, IOCFG0, 0x0040 | accepts);
        let beacon = frame(0, None, Some((pan, &source)));
        assert_eq!(is_accepted(&mut rig, &beacon), accepted, "{pan:04x}");
    }
    assert!(!is_accepted(&mut rig, &frame(0, None, None)), "nobody's");
    let to = Some((PAN, &[0xFF, 0xFF][..]));
    assert!(is_accepted(&mut rig, &frame(0, to, Some((PAN, &source)))));
    assert!(!is_accepted(&mut rig, &frame(0, to, Some((PAN ^ 1, &source)))));
    let mut inside = frame(0, to, Some((0x0707, &[9, 9])));
    inside[0] |= 0x40;
    assert!(is_accepted(&mut rig, &inside), "its source has no network of its own");
}

#[test]
fn acknowledgments_pass_and_reserved_types_by_choice() {
    let mut rig = recognizing(0);
    assert!(is_accepted(&mut rig, &[2, 0, 0x55]));
    for kind in 4..8 {
        assert!(!is_accepted(&mut rig, &frame(kind, None, None)), "{kind}");
    }
    let mut rig = recognizing(0x2000);
    for kind in 4..8 {
        assert!(is_accepted(&mut rig, &frame(kind, None, None)), "{kind}");
        assert!(is_accepted(&mut rig, &frame(kind, Some((1, &[2, 3])), None)), "{kind}");
    }
}

#[test]
fn frames_that_end_before_their_addresses_are_rejected() {
    let mut rig = recognizing(0);
    let whole = frame(1, Some((PAN, &LONG)), None);
    for length in 0..13 {
        rig.forget();
        rig.strobe(0, SFLUSHRX);
        let end = rig.hears(0, 100 + length, length as u8, &whole[..length as usize], POWER);
        rig.run(end + Time::from_us(300));
        assert_eq!(rig.heard(0)[0].0, Fate::Filtered, "{length}");
        assert_eq!(rig.pins(0), [false; 3]);
    }
    for reserved in [0x04, 0x40] {
        assert!(!is_accepted(&mut rig, &[1, reserved, 0x55, 1, 2, 3, 4, 5, 6, 7, 8, 9]));
    }
}

#[test]
fn sfd_falls_with_the_address_and_fifop_waits_for_it() {
    let mut rig = recognizing(0);
    rig.write(0, IOCFG0, 2);
    for (address, accepted) in [(SHORT, true), (SHORT ^ 1, false)] {
        rig.strobe(0, SFLUSHRX);
        rig.forget();
        let start = rig.now.us();
        let frame = checked(&frame(1, Some((PAN, &address.to_le_bytes())), None));
        let end = rig.hears(0, u32::from(accepted), frame.len() as u8, &frame, POWER);
        rig.pass_us(32 * 6 + 100);
        assert_eq!(rig.pins(0), [true, false, true], "FIFO shows the length");
        rig.run(end + Time::from_us(10));
        // Preamble and SFD, the length and 7 bytes.
        let known = start + 32 * 13 + 3;
        let over = start + 32 * (6 + frame.len() as u64) + 3;
        let fifop = if accepted { vec![(known, true)] } else { vec![] };
        assert_eq!(rig.edges(0, FIFOP), fifop);
        let falls = if accepted { over } else { known };
        assert_eq!(rig.edges(0, SFD), [(start + 163, true), (falls, false)]);
        assert_eq!(rig.edges(0, FIFO).len(), if accepted { 1 } else { 2 });
        assert_eq!(rig.state(0), 14, "it waits for the end of what it rejects");
    }
}

#[test]
fn only_the_rejected_frame_is_flushed() {
    let mut rig = recognizing(0);
    let own = frame(1, Some((PAN, &SHORT.to_le_bytes())), None);
    let others = frame(1, Some((PAN, &[0, 0])), None);
    for (number, frame) in [&own, &others, &own].into_iter().enumerate() {
        rig.hear(0, number as u32, frame);
        rig.pass_us(200);
    }
    let length = own.len() + 2;
    let expected = [&[length as u8], &own[..]].concat();
    for _ in 0..2 {
        assert_eq!(rig.unload(0, length + 1)[..own.len() + 1], expected);
    }
    assert_eq!(rig.pins(0), [false; 3]);
}

#[test]
fn what_is_rejected_is_not_acknowledged() {
    let mut rig = recognizing(0x10);
    for (address, acks) in [(SHORT, 1), (SHORT ^ 1, 1), (0xFFFF, 2)] {
        let mut frame = frame(1, Some((PAN, &address.to_le_bytes())), None);
        frame[0] |= 0x20;
        rig.hear(0, address.into(), &frame);
        rig.pass_us(1_500);
        assert_eq!(rig.sent(0).len(), acks, "{address:04x}");
    }
    let others = frame(1, Some((PAN, &[0, 0])), None);
    let bytes = checked(&others);
    let end = rig.hears(0, 9, bytes.len() as u8, &bytes, POWER);
    rig.pass_us(500);
    rig.strobe(0, SACK);
    rig.run(end + Time::from_us(20));
    rig.strobe(0, SACK);
    rig.pass_us(1_500);
    assert_eq!(rig.sent(0).len(), 2);
}

#[test]
fn a_frame_that_is_rejected_is_reported_as_it_arrived_to_its_end() {
    let sent = checked(&frame(1, Some((PAN, &[0x34, 0x13])), Some((PAN, &[7, 7]))));
    for disturbed in [false, true] {
        let mut rig = recognizing(0);
        let end = rig.hears(0, 1, sent.len() as u8, &sent, POWER);
        if disturbed {
            rig.pass_us(32 * 17);
            rig.hears(0, 2, sent.len() as u8, &sent, POWER + 1_000);
        }
        rig.run(end + Time::from_us(300));
        let whole = rig.motes[0].reports.iter().find_map(|(_, report)| match report {
            Report::Heard { fate: Fate::Filtered, whole, .. } => Some(*whole),
            _ => None,
        });
        assert_eq!(whole, Some(!disturbed));
        assert_eq!(rig.heard(0)[0].1 == sent, !disturbed);
    }
}
