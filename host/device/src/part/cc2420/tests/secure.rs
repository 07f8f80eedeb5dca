// SPDX-License-Identifier: MIT OR Apache-2.0
//! The cipher: of the stand-alone buffer, and of frames.

use super::*;

const KEY: [u8; 16] = [
    0xC0, 0xC1, 0xC2, 0xC3, 0xC4, 0xC5, 0xC6, 0xC7, 0xC8, 0xC9, 0xCA, 0xCB, 0xCC, 0xCD, 0xCE, 0xCF,
];
/// RFC 3610, packet vector 1, with the flags of the radio and a counter of 1.
const NONCE: [u8; 16] = [9, 0, 0, 0, 3, 2, 1, 0, 0xA0, 0xA1, 0xA2, 0xA3, 0xA4, 0xA5, 0, 1];
/// Its packet, with the header of 8 bytes.
fn packet() -> Vec<u8> {
    (0..31).collect()
}
const SECURED: [u8; 31] = [
    0x58, 0x8C, 0x97, 0x9A, 0x61, 0xC6, 0x63, 0xD2, 0xF0, 0x66, 0xD0, 0xC2, 0xC0, 0xF9, 0x89, 0x80,
    0x6D, 0x5F, 0x6B, 0x61, 0xDA, 0xC3, 0x84, 0x17, 0xE8, 0xD1, 0x2C, 0xFD, 0xF9, 0x26, 0xE0,
];
const SECCTRL0: u8 = 0x19;
const SECCTRL1: u8 = 0x1A;
/// CCM with a tag of 8 bytes, and key 0 for everything.
const CCM_8: u16 = 0x0100 | 3 << 2 | 3;

fn reversed(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().rev().copied().collect()
}

/// Motes that listen with key and nonces.
fn keyed(motes: usize, secctrl0: u16) -> Rig {
    let mut rig = Rig::listening(motes);
    for mote in 0..motes {
        rig.write_ram(mote, 0x100, &reversed(&KEY));
        rig.write_ram(mote, 0x110, &reversed(&NONCE));
        rig.write_ram(mote, 0x140, &reversed(&NONCE));
        rig.write(mote, SECCTRL0, secctrl0);
        rig.write(mote, SECCTRL1, 8 << 8 | 8);
    }
    rig
}

#[test]
fn a_block_is_encrypted_in_14_us() {
    let mut rig = Rig::idle(1);
    let key: Vec<u8> = (0..16).collect();
    let plain: Vec<u8> = (0..16).map(|index| index * 0x11).collect();
    rig.write_ram(0, 0x130, &reversed(&key));
    rig.write_ram(0, 0x120, &plain);
    rig.strobe(0, SAES);
    let from = rig.now;
    rig.run(from + Time::from_us(13));
    assert_eq!(rig.chip(0).ram.array::<16>(0x120), plain[..]);
    rig.drive(0, SELECT, Level::Low);
    assert_eq!(rig.word(0, word(SNOP)).map(|status| status & 0x10), Some(0x10), "ENC_BUSY");
    rig.drive(0, SELECT, Level::High);
    rig.pass_us(1);
    assert_eq!(rig.status(0) & 0x10, 0);
    let expected = [
        0x69, 0xC4, 0xE0, 0xD8, 0x6A, 0x7B, 0x04, 0x30, 0xD8, 0xCD, 0xB7, 0x80, 0x70, 0xB4, 0xC5,
        0x5A,
    ];
    assert_eq!(rig.read_ram(0, 0x120, 16), expected, "FIPS 197, C.1, with key 1");
}

#[test]
fn ccm_secures_a_frame_in_the_txfifo() {
    let mut rig = keyed(1, CCM_8);
    rig.load(0, &[&[41], &packet()[..]].concat());
    rig.strobe(0, STXENC);
    assert_eq!(rig.status(0) & 0x10, 0x10);
    rig.pass_us(14 * 7);
    assert_eq!(rig.status(0) & 0x10, 0, "1 + 1 + 2 * 2 + 1 blocks");
    let expected = [&[41], &packet()[..8], &SECURED].concat();
    assert_eq!(rig.read_ram(0, 0, 40), expected);
    assert_eq!(rig.chip(0).tx.count(), 40, "with its tag, before the checksum");
}

#[test]
fn a_secured_frame_arrives_as_plain_text() {
    for secctrl0 in [CCM_8, 0x0100 | 2, 0x0100 | 3 << 2 | 1, 0x0300 | 1 << 2 | 3] {
        let mut rig = keyed(2, secctrl0);
        let tag = match secctrl0 & 3 {
            2 => 0,
            _ => 2 + 2 * usize::from(secctrl0 >> 2 & 7),
        };
        let length = 31 + tag + 2;
        rig.load(0, &[&[length as u8], &packet()[..], &vec![0xEE; tag]].concat());
        rig.strobe(0, STXON);
        rig.pass_us(3_000);
        let (fate, bytes) = rig.heard(1)[0].clone();
        assert_eq!((fate, bytes.len()), (Fate::Received, length));
        let is_encrypted = secctrl0 & 3 != 1;
        assert_eq!(bytes[8..31] != packet()[8..31], is_encrypted, "0x{secctrl0:04x}");
        if secctrl0 == CCM_8 {
            assert_eq!(bytes[8..39], SECURED);
        }
        assert_eq!(rig.pins(1)[..2], [true; 2]);
        rig.strobe(1, SRXDEC);
        assert_eq!(rig.pins(1)[..2], [false; 2], "it may not be read now");
        rig.pass_us(300);
        assert_eq!(rig.pins(1)[..2], [true; 2]);
        let frame = rig.unload(1, length + 1);
        assert_eq!(frame[1..32], packet(), "0x{secctrl0:04x}");
        if tag > 0 {
            assert_eq!(frame[31 + tag], 0, "the tag is right");
        }
    }
}

#[test]
fn a_wrong_tag_is_reported() {
    let mut rig = keyed(1, CCM_8);
    let mut frame = [&packet()[..8], &SECURED].concat();
    frame[20] ^= 1;
    rig.hear(0, 0, &frame);
    rig.unload(0, 5);
    rig.strobe(0, SRXDEC);
    rig.pass_us(300);
    assert_eq!(rig.unload(0, 35)[34], 0xFF, "the last byte of the tag");
}

#[test]
fn a_frame_that_was_secured_is_sent_again_as_it_is() {
    let mut rig = keyed(1, CCM_8);
    rig.load(0, &[&[41], &packet()[..]].concat());
    for _ in 0..2 {
        rig.strobe(0, STXON);
        rig.pass_us(3_000);
    }
    let sent: Vec<_> = rig.sent(0).into_iter().map(|(_, frame)| frame.bytes).collect();
    assert_eq!(sent, [checked(&[&packet()[..8], &SECURED].concat()), sent[1].clone()]);
    assert_eq!(sent[0], sent[1]);
}

#[test]
fn the_header_of_a_secured_frame_is_protected() {
    for (protects, overflows) in [(0x0200, true), (0, false)] {
        let mut rig = keyed(1, CCM_8 | protects);
        let mut frame = data(100);
        frame[0] |= 8;
        rig.hear(0, 0, &frame);
        rig.unload(0, 60);
        rig.pass_us(200);
        rig.hear(0, 1, &data(40));
        assert_eq!(rig.state(0) == 17, overflows, "0x{protects:04x}");
    }
}

#[test]
fn what_cannot_be_secured_wedges_nothing() {
    let mut rig = keyed(1, CCM_8);
    rig.strobe(0, SRXDEC);
    assert_eq!(rig.status(0) & 0x10, 0, "there is no frame");
    rig.strobe(0, STXENC);
    assert_eq!((rig.status(0) & 0x10, rig.mismatches(0).len()), (0x10, 1), "it waits");
    rig.strobe(0, SFLUSHTX);
    assert_eq!(rig.status(0) & 0x10, 0);
    for length in [0, 1, 2, 3, 9, 127] {
        for lengths in [0, 0x7F7F] {
            rig.write(0, SECCTRL1, lengths);
            rig.strobe(0, SFLUSHTX);
            rig.load(0, &[&[length], &vec![1; length.into()][..]].concat());
            rig.strobe(0, STXENC);
            rig.pass_us(500);
            assert_eq!(rig.status(0) & 0x10, 0, "{length}");
        }
    }
}
