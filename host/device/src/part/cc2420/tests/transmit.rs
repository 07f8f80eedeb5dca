// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sending: the TXFIFO, what it puts on the air, and what it tells.

use super::*;

/// The bytes that were announced, from the preamble on.
fn on_air(rig: &Rig) -> Vec<u8> {
    let mut all = Vec::new();
    for (_, what) in &rig.motes[0].on_air {
        match what {
            OnAir::Begins(transmission) => all = transmission.bytes.to_vec(),
            OnAir::Says { at, bytes, .. } => {
                all.truncate((*at).max(all.len()));
                all.resize((at + bytes.len()).max(all.len()), 0);
                all[*at..at + bytes.len()].copy_from_slice(bytes);
            }
            OnAir::Ends { .. } => {}
        }
    }
    all
}

#[test]
fn preamble_sync_word_and_checksum_are_added() {
    for (mdmctrl0, syncword, header) in [
        (PLAIN, 0xA70F, &[0, 0, 0, 0, 0xA7][..]),
        (PLAIN & !0x0F, 0xA70F, &[0, 0, 0xA7]),
        (PLAIN | 0x0F, 0x1F2F, &[[0; 16].as_slice(), &[2 << 4, 0x10]].concat()),
    ] {
        let mut rig = Rig::idle(1);
        rig.write(0, MDMCTRL0, mdmctrl0);
        rig.write(0, 0x14, syncword);
        rig.load(0, &[&[12], &data(10)[..]].concat());
        rig.strobe(0, STXON);
        rig.pass_us(2_000);
        let expected = [header, &[12], &checked(&data(10))].concat();
        assert_eq!(on_air(&rig), expected, "0x{syncword:04x}");
    }
    let mut rig = Rig::idle(1);
    rig.write(0, MDMCTRL0, PLAIN & !0x20);
    rig.load(0, &[&[10], &data(10)[..]].concat());
    rig.strobe(0, STXON);
    rig.pass_us(2_000);
    assert_eq!(on_air(&rig)[5..], [&[10], &data(10)[..]].concat(), "without AUTOCRC");
}

#[test]
fn what_was_sent_is_reported_at_its_end() {
    let mut rig = Rig::idle(1);
    rig.write(0, 0x18, 0x4000 + 357 + 5 * 15);
    rig.write(0, 0x15, 0xA0E7);
    rig.load(0, &[&[12], &data(10)[..]].concat());
    rig.strobe(0, STXON);
    let from = rig.now;
    rig.pass_us(2_000);
    let frame = Frame {
        start: from + Time::from_us(192 + 160),
        frequency_khz: 2_480_000,
        rate: 250_000,
        power: -1_500,
        bytes: checked(&data(10)),
    };
    assert_eq!(rig.sent(0), [(from + Time::from_us(192 + 576), frame)]);
}

#[test]
fn a_frame_is_sent_again_until_another_is_written() {
    let mut rig = Rig::idle(1);
    rig.load(0, &[&[12], &data(10)[..]].concat());
    for count in 1..4 {
        rig.strobe(0, STXON);
        rig.pass_us(2_000);
        assert_eq!((rig.sent(0).len(), rig.chip(0).tx.count()), (count, 11));
    }
    rig.load(0, &[5, 1, 2, 3]);
    rig.strobe(0, STXON);
    rig.pass_us(2_000);
    let sent: Vec<Vec<u8>> = rig.sent(0).into_iter().map(|(_, frame)| frame.bytes).collect();
    assert_eq!(sent[2..], [checked(&data(10)), checked(&[1, 2, 3])]);
}

#[test]
fn the_frame_may_be_written_while_it_is_sent() {
    let mut rig = Rig::idle(1);
    rig.load(0, &[40]);
    rig.strobe(0, STXON);
    let from = rig.now;
    for (index, byte) in data(38).into_iter().enumerate() {
        // 20 us ahead of its first symbol.
        rig.run(from + Time::from_us(192 + 192 + 32 * index as u64 - 24));
        rig.load(0, &[byte]);
    }
    rig.pass_us(1_000);
    assert_eq!(rig.sent(0)[0].1.bytes, checked(&data(38)));
    assert_eq!(on_air(&rig)[6..], checked(&data(38)));
    assert_eq!(rig.status(0) & 0x20, 0);
}

#[test]
fn a_byte_that_is_late_is_an_underflow() {
    let mut rig = Rig::idle(1);
    rig.load(0, &[40, 1, 2, 3]);
    rig.strobe(0, STXON);
    let from = rig.now;
    rig.pass_us(192 + 160 + 32 * 4);
    let end = from + Time::from_us(192 + 160 + 32 * 4);
    assert_eq!((rig.state(0), rig.is_high(0, SFD)), (56, false));
    assert_eq!(
        rig.motes[0].on_air.last().map(|it| it.1.clone()),
        Some(OnAir::Ends { number: 0, end })
    );
    assert_eq!(rig.sent(0), [(end, Frame { bytes: vec![1, 2, 3], ..rig.sent(0)[0].1.clone() })]);
    assert_eq!(rig.status(0) & 0x28, 0x20, "TX_UNDERFLOW");
    rig.strobe(0, STXON);
    rig.strobe(0, SRXON);
    assert_eq!(rig.state(0), 56, "until it is flushed");
    rig.load(0, &[9]);
    assert_eq!(rig.chip(0).tx.count(), 5, "writing flushes nothing then");
    rig.strobe(0, SFLUSHTX);
    assert_eq!((rig.state(0), rig.status(0) & 0x20), (2, 0));
    rig.load(0, &[5, 1, 2, 3]);
    rig.strobe(0, STXON);
    rig.pass_us(2_000);
    assert_eq!(rig.sent(0)[1].1.bytes, checked(&[1, 2, 3]));
}

#[test]
fn nothing_in_the_txfifo_is_an_underflow_after_the_sfd() {
    let mut rig = Rig::idle(1);
    rig.strobe(0, STXON);
    rig.pass_us(351);
    assert_eq!(rig.state(0), 34);
    rig.pass_us(1);
    assert_eq!((rig.state(0), rig.sent(0).len()), (56, 0));
}

#[test]
fn flushing_while_sending_is_an_underflow() {
    let mut rig = Rig::idle(1);
    rig.load(0, &[&[42], &data(40)[..]].concat());
    rig.strobe(0, STXON);
    rig.pass_us(192 + 160 + 32 * 5);
    rig.strobe(0, SFLUSHTX);
    rig.pass_us(100);
    assert_eq!((rig.state(0), rig.status(0) & 0x20), (56, 0x20));
    let sent = rig.sent(0)[0].1.bytes.clone();
    assert!(sent.len() < 10 && data(40).starts_with(&sent), "{sent:?}");
}

#[test]
fn the_txfifo_in_ram_can_be_changed_while_it_is_sent() {
    let mut rig = Rig::idle(1);
    rig.load(0, &[&[42], &data(40)[..]].concat());
    rig.strobe(0, STXON);
    rig.pass_us(192 + 160 + 10);
    rig.write_ram(0, 36, &[0xA1, 0xA2, 0xA3, 0xA4]);
    rig.write_ram(0, 1, &[0xEE]);
    rig.pass_us(3_000);
    let mut expected = data(40);
    expected[35..39].copy_from_slice(&[0xA1, 0xA2, 0xA3, 0xA4]);
    assert_eq!(rig.sent(0)[0].1.bytes, checked(&expected), "with the checksum of that");
    assert_eq!(on_air(&rig)[6..], checked(&expected));
}

#[test]
fn lengths_from_0_to_127_and_beyond() {
    for length in [0u8, 1, 2, 3, 127, 0x80, 0x85, 0xFF] {
        let mut rig = Rig::idle(1);
        let count = usize::from(length & 0x7F);
        let body = data(count.saturating_sub(2));
        let padding = if count == 1 { vec![0x77] } else { Vec::new() };
        rig.load(0, &[&[length], &body[..], &padding].concat());
        rig.strobe(0, STXON);
        rig.pass_us(6_000);
        assert_eq!(rig.state(0), 3, "{length}");
        let expected = if count == 1 { padding } else { checked(&body) };
        assert_eq!(rig.sent(0)[0].1.bytes, expected[..count], "{length}");
    }
}

#[test]
fn the_txfifo_has_room_for_128_bytes() {
    let mut rig = Rig::idle(1);
    rig.load(0, &[0xAA; 128]);
    assert!(rig.mismatches(0).is_empty());
    rig.load(0, &[1, 2]);
    assert_eq!((rig.mismatches(0).len(), rig.chip(0).tx.count()), (1, 128));
}

#[test]
fn the_status_comes_back_with_each_byte_for_the_txfifo() {
    let mut rig = Rig::idle(1);
    rig.load(0, &[40]);
    rig.strobe(0, STXON);
    rig.pass_us(300);
    rig.drive(0, SELECT, Level::Low);
    assert_eq!(rig.bytes(0, &[0x3E, 1]), [Some(0x4C), Some(0x4C)], "it sends");
    rig.pass_us(300);
    assert_eq!(rig.bytes(0, &[2]), [Some(0x64)], "and now it has underflown");
}
