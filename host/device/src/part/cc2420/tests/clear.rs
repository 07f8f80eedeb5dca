// SPDX-License-Identifier: MIT OR Apache-2.0
//! RSSI and CCA.

use super::*;

const RSSI: u8 = 0x13;
const ADCTST: u8 = 0x2D;

fn rssi(rig: &mut Rig) -> i8 {
    rig.read(0, RSSI) as i8
}

/// MDMCTRL0 with a CCA mode.
fn mode(mode: u16) -> u16 {
    PLAIN & !0x00C0 | mode << 6
}

#[test]
fn rssi_is_valid_after_8_symbols() {
    let mut rig = Rig::idle(1);
    assert_eq!(rssi(&mut rig), -128);
    rig.strobe(0, SRXON);
    let from = rig.now;
    rig.run(from + Time::from_us(192 + 127));
    rig.drive(0, SELECT, Level::Low);
    assert_eq!(rig.word(0, word(SNOP)).map(|status| status & 2), Some(0));
    rig.drive(0, SELECT, Level::High);
    rig.pass_us(1);
    assert_eq!(rig.status(0) & 2, 2);
    assert_eq!(rssi(&mut rig), -50, "noise at -95 dBm");
    rig.strobe(0, SRFOFF);
    assert_eq!((rig.status(0) & 2, rssi(&mut rig)), (0, -128));
}

#[test]
fn converters_have_noise_in_the_last_bits_while_it_listens() {
    let mut rig = Rig::idle(1);
    let samples = |rig: &mut Rig| (0..64).map(|_| rig.read(0, ADCTST)).collect::<Vec<u16>>();
    assert!(samples(&mut rig).iter().all(|value| *value == 0));
    rig.strobe(0, SRXON);
    rig.pass_us(500);
    let first = samples(&mut rig);
    for bit in [0, 8] {
        let ones = first.iter().filter(|value| **value >> bit & 1 == 1).count();
        assert!((16..=48).contains(&ones), "{ones} of bit {bit}");
    }
    assert!(first.iter().all(|value| value & 0x8080 == 0));
    let mut other = Rig::idle(1);
    other.environment.set_serial(2);
    other.strobe(0, SRXON);
    other.pass_us(500);
    assert_ne!(samples(&mut other), first);
}

#[test]
fn rssi_is_a_mean_over_8_symbols() {
    let mut rig = Rig::listening(1);
    let start = rig.now;
    rig.hears(0, 0, 100, &data(100), -6_000);
    for (us, power) in [(64, -18), (200, -15), (2_000, -15)] {
        rig.run(start + Time::from_us(us));
        assert!((rssi(&mut rig) - power).abs() <= 1, "{us} us");
    }
}

#[test]
fn cca_follows_energy_frames_or_both() {
    // A signal above the threshold of -77 dBm, and one below.
    for (cca_mode, power, busy) in
        [(1, -6_000, true), (1, -8_500, false), (2, -8_500, true), (3, -8_500, true)]
    {
        let mut rig = Rig::listening(1);
        rig.write(0, MDMCTRL0, mode(cca_mode));
        let start = rig.now.us();
        let frame = checked(&data(10));
        let end = rig.hears(0, 0, 12, &frame, power);
        rig.run(end + Time::from_us(500));
        let edges = rig.edges(0, CCA);
        assert_eq!(edges.len(), if busy { 2 } else { 0 }, "{cca_mode} {power}: {edges:?}");
        if !busy {
            continue;
        }
        let (from, until) = (edges[0].0 - start, edges[1].0 - start);
        assert_eq!([edges[0].1, edges[1].1], [false, true]);
        match cca_mode {
            // Within two symbols, and less than 8 symbols after the end.
            1 => assert!(from <= 32 && (576..576 + 144).contains(&until), "{from} {until}"),
            _ => assert_eq!((from, until), (163, 579)),
        }
    }
}

#[test]
fn cca_has_a_hysteresis() {
    let mut rig = Rig::listening(1);
    rig.write(0, RSSI, 0xE000);
    rig.write(0, MDMCTRL0, mode(1) & !0x0700 | 0x0500);
    rig.hears(0, 0, 100, &data(100), -8_000);
    rig.pass_us(1_000);
    assert!(rig.is_high(0, CCA), "-80 dBm is below -77");
    rig.write(0, RSSI, 0xDC00);
    assert!(!rig.is_high(0, CCA), "and above -81");
    rig.write(0, RSSI, 0xE000);
    assert!(!rig.is_high(0, CCA), "it is not 5 dB below");
    rig.write(0, RSSI, 0xE500);
    assert!(rig.is_high(0, CCA));
}

#[test]
fn stxoncca_sends_only_where_the_channel_is_clear() {
    let mut rig = Rig::listening(1);
    rig.load(0, &[5, 1, 2, 3]);
    rig.hears(0, 0, 30, &data(30), -7_000);
    rig.pass_us(100);
    rig.strobe(0, STXONCCA);
    assert_eq!((rig.state(0), rig.status(0) & 8), (3, 0), "no TX_ACTIVE");
    rig.pass_us(2_000);
    rig.strobe(0, STXONCCA);
    assert_eq!((rig.state(0), rig.status(0) & 8), (32, 8));
    let mut rig = Rig::idle(1);
    rig.load(0, &[5, 1, 2, 3]);
    rig.strobe(0, STXONCCA);
    assert_eq!(rig.state(0), 1, "its receiver is off");
    rig.strobe(0, SRXON);
    rig.pass_us(200);
    rig.strobe(0, STXONCCA);
    assert_eq!(rig.state(0), 32);
}

#[test]
fn the_channel_is_clear_until_rssi_is_valid() {
    let mut rig = Rig::idle(1);
    rig.write(0, MDMCTRL0, mode(1));
    let start = rig.now;
    rig.hears(0, 0, 100, &data(100), POWER);
    rig.strobe(0, SRXON);
    let from = rig.now;
    assert!(rig.is_high(0, CCA));
    rig.forget();
    rig.run(start + Time::from_us(3_000));
    assert_eq!(rig.edges(0, CCA), [((from.us()) + 192 + 128, false)]);
    rig.strobe(0, SRFOFF);
    assert!(rig.is_high(0, CCA));
    rig.hears(0, 1, 100, &data(100), POWER);
    rig.strobe(0, SRXON);
    rig.pass_us(192 + 100);
    assert!(rig.is_high(0, CCA), "what was assessed before is forgotten");
}

#[test]
fn cca_and_sfd_can_show_the_crystal() {
    let mut rig = Rig::powered(1);
    rig.drive(0, VREG_EN, Level::High);
    rig.pass_us(300);
    rig.write(0, 0x1D, 24 | 24 << 5);
    rig.strobe(0, SXOSCON);
    let from = rig.now;
    rig.run(from + Time::from_us(859));
    assert_eq!([CCA, SFD].map(|pin| rig.is_high(0, pin)), [false; 2]);
    rig.pass_us(1);
    assert_eq!([CCA, SFD].map(|pin| rig.is_high(0, pin)), [true; 2]);
    rig.write(0, 0x1D, 0);
    assert_eq!([CCA, SFD].map(|pin| rig.is_high(0, pin)), [true, false]);
    assert!(rig.mismatches(0).is_empty());
}
