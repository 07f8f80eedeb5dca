// SPDX-License-Identifier: MIT OR Apache-2.0
//! RX_AACK and TX_ARET.

use super::super::aret::Step;
use super::air::{HEADER_US, PLL_ON, Room, TX_START};
use super::*;
use crate::air::Fate;
use registers::{AMI, CSMA_BE, CSMA_SEED_1, RX_START, TRX_END, XAH_CTRL_0, XAH_CTRL_1};

pub(super) const RX_AACK_ON: u8 = 0x16;
const TX_ARET_ON: u8 = 0x19;
const PAN: [u8; 2] = [0x34, 0x12];
const ADDRESS: [u8; 2] = [0x02, 0x00];

/// Data for the short address 2, to be acknowledged.
fn data(sequence: u8) -> Vec<u8> {
    [&[0x61, 0x88, sequence], &PAN[..], &ADDRESS, &[1, 0, 0xAB, 0xCD]].concat()
}

/// A radio in TX_ARET_ON without backoff, and one in RX_AACK_ON with the short address 2.
fn two() -> Room {
    let mut room = Room::of(2);
    for (index, command) in [(0, TX_ARET_ON), (1, RX_AACK_ON)] {
        let rig = &mut room.rigs[index];
        rig.write(CSMA_BE, 0x50);
        rig.write(0x20, ADDRESS[0] * index as u8);
        rig.write(0x21, ADDRESS[1]);
        rig.write(0x22, PAN[0]);
        rig.write(0x23, PAN[1]);
        rig.command(command);
    }
    room.pass_us(100);
    room.rigs.iter_mut().for_each(|rig| {
        rig.read(IRQ_STATUS);
    });
    room
}

fn trac(room: &mut Room) -> u8 {
    room.rigs[0].read(TRX_STATE) >> 5
}

/// Time of a frame of so many bytes with its checksum, from the order to send it.
fn sent_in_us(bytes: usize) -> u64 {
    140 + 16 + HEADER_US + 32 * bytes as u64
}

#[test]
fn a_frame_is_acknowledged_after_twelve_symbols() {
    let mut room = two();
    room.load(0, &data(7));
    room.rigs[0].command(TX_START);
    assert_eq!((room.rigs[0].status(), trac(&mut room)), (0x12, 7), "BUSY_TX_ARET, INVALID");
    room.pass_us(sent_in_us(13) + 9);
    assert_eq!(room.rigs[1].read(IRQ_STATUS), RX_START | AMI | TRX_END);
    assert_eq!(room.rigs[1].status(), 0x11, "BUSY_RX_AACK until the acknowledgment was sent");
    room.pass_us(192 - 9 + HEADER_US + 5 * 32 - 1);
    assert_eq!((room.rigs[1].status(), room.rigs[0].status()), (0x11, 0x12));
    room.pass_us(1);
    assert_eq!(room.rigs[1].status(), RX_AACK_ON);
    room.pass_us(9);
    assert_eq!((room.rigs[0].status(), trac(&mut room)), (TX_ARET_ON, 0), "SUCCESS");
    assert_eq!(room.rigs[0].read(IRQ_STATUS), TRX_END);
    assert_eq!(room.sent()[1].1[..3], [2, 0, 7]);
    assert_eq!(room.frame(1)[1..12], data(7));
}

#[test]
fn an_early_acknowledgment_comes_after_32_us() {
    let mut room = two();
    room.rigs[1].write(XAH_CTRL_1, 1 << 2);
    room.load(0, &data(7));
    room.rigs[0].command(TX_START);
    room.pass_us(sent_in_us(13) + 32 + HEADER_US + 5 * 32 - 1);
    assert_eq!(room.rigs[1].status(), 0x11, "BUSY_RX_AACK");
    room.pass_us(1);
    assert_eq!(room.rigs[1].status(), RX_AACK_ON);
    room.pass_us(9);
    assert_eq!(trac(&mut room), 0);
}

#[test]
fn without_an_acknowledgment_it_sends_again() {
    let mut room = two();
    room.rigs[1].write(CSMA_SEED_1, 1 << 4);
    room.load(0, &data(7));
    room.rigs[0].command(TX_START);
    room.pass_us(20_000);
    assert_eq!((room.rigs[0].status(), trac(&mut room)), (TX_ARET_ON, 5), "NO_ACK");
    assert_eq!(room.sent().len(), 4, "three retries");
    assert_eq!(room.rigs[0].read(registers::XAH_CTRL_2) >> 4, 3);
    let ends: Vec<Time> = room.reported.iter().filter(|it| it.1 == 0).map(|it| it.0).collect();
    assert_eq!(ends[1] - ends[0], Time::from_us(864 + sent_in_us(13)));
}

/// "Transmit data in the Frame Buffer is not changed during the entire TX_ARET transaction" (AT86RF231, 7.2.4).
#[test]
fn a_frame_that_comes_instead_of_an_acknowledgment_is_not_sent() {
    let mut room = Room::of(2);
    room.rigs[0].write(CSMA_BE, 0x50);
    room.rigs[0].command(TX_ARET_ON);
    room.rigs[1].command(PLL_ON);
    room.pass_us(100);
    room.load(0, &data(7));
    room.load(1, &[0xEE; 20]);
    room.rigs[0].command(TX_START);
    // It is still arriving when the 864 us for the acknowledgment have passed.
    room.pass_us(sent_in_us(13) + 134);
    room.rigs[1].command(TX_START);
    room.pass_us(20_000);
    let sent = room.sent();
    let sent: Vec<_> = sent.iter().filter(|(from, _)| *from == 0).map(|it| &it.1).collect();
    assert!(sent.len() > 1 && sent.iter().all(|bytes| *bytes == sent[0]), "{sent:?}");
    assert_eq!(room.rigs[0].read(IRQ_STATUS) & RX_START, 0);
}

#[test]
fn a_busy_channel_is_not_sent_in() {
    let mut room = Room::of(2);
    room.rigs[0].write(CSMA_BE, 0x53);
    room.rigs[0].write(XAH_CTRL_0, 0x32);
    room.rigs[0].command(TX_ARET_ON);
    room.rigs[1].command(PLL_ON);
    room.pass_us(100);
    room.load(1, &[0; 125]);
    room.load(0, &data(1));
    room.rigs[1].command(TX_START);
    room.pass_us(100);
    room.rigs[0].command(TX_START);
    room.pass_us(3_500);
    assert_eq!((trac(&mut room), room.sent().len()), (3, 0), "CHANNEL_ACCESS_FAILURE");
    room.pass_us(2_000);
    room.rigs[0].command(TX_START);
    room.pass_us(40_000);
    assert_eq!(room.sent().iter().filter(|(from, _)| *from == 0).count(), 4, "nobody answers");
}

/// How long it takes to find the channel busy, with these registers, while another one sends.
fn gives_up_after(csma_be: u8, xah_ctrl_0: u8) -> Time {
    let mut room = Room::of(2);
    room.rigs[0].write(CSMA_BE, csma_be);
    room.rigs[0].write(XAH_CTRL_0, xah_ctrl_0);
    room.rigs[0].command(TX_ARET_ON);
    room.rigs[1].command(PLL_ON);
    room.pass_us(100);
    room.load(1, &[0; 125]);
    room.load(0, &data(1));
    room.rigs[1].command(TX_START);
    room.pass_us(100);
    let begin = room.now();
    room.rigs[0].command(TX_START);
    while room.rigs[0].status() == 0x12 {
        room.pass_us(10);
    }
    assert_eq!(trac(&mut room), 3, "CHANNEL_ACCESS_FAILURE");
    room.now() - begin
}

#[test]
fn the_channel_is_looked_at_as_often_as_was_said_and_more_rarely_each_time() {
    for retries in 0..=5 {
        let samples = u64::from(retries) + 1;
        assert_eq!(gives_up_after(0, retries << 1), Time::from_us(140 * samples), "{retries}");
    }
    assert!(gives_up_after(0x10, 5 << 1) > Time::from_us(6 * 140), "the exponent grows from 0");
}

#[test]
fn a_beacon_is_never_acknowledged() {
    let mut room = two();
    let beacon = [&[0x20, 0x80, 1], &PAN[..], &[1, 0, 5]].concat();
    room.load(0, &beacon);
    room.rigs[0].command(TX_START);
    room.pass_us(20_000);
    assert!(room.fates().contains(&(1, Fate::Received)));
    assert!(room.sent().iter().all(|(from, _)| *from == 0));
}

#[test]
fn a_frame_for_everybody_is_never_acknowledged() {
    let mut room = two();
    let mut frame = data(7);
    frame[5..7].copy_from_slice(&[0xFF; 2]);
    room.load(0, &frame);
    room.rigs[0].command(TX_START);
    room.pass_us(20_000);
    assert!(room.fates().contains(&(1, Fate::Received)));
    assert!(room.sent().iter().all(|(from, _)| *from == 0));
}

#[test]
fn who_belongs_to_no_network_takes_the_beacons_of_all() {
    for (own, takes) in [(PAN, false), ([0xFF; 2], true)] {
        let mut room = two();
        room.rigs[1].write(0x22, own[0]);
        room.rigs[1].write(0x23, own[1]);
        room.load(0, &[0, 0x80, 1, 7, 7, 1, 0, 5]);
        room.rigs[0].command(TX_START);
        room.pass_us(20_000);
        let fate = if takes { Fate::Received } else { Fate::Filtered };
        assert_eq!(room.fates(), [(1, fate)], "{own:?}");
    }
}

/// The result of a frame with the sequence number 7, once sent, after which the other radio sends this.
fn answered_with(psdu: &[u8], has_checksum: bool) -> u8 {
    let mut room = two();
    room.rigs[0].write(XAH_CTRL_0, 0);
    room.rigs[1].command(PLL_ON);
    room.rigs[1].write(registers::TRX_CTRL_1, if has_checksum { 0x22 } else { 0x02 });
    room.load(0, &data(7));
    room.load(1, psdu);
    room.rigs[0].command(TX_START);
    room.pass_us(sent_in_us(13) + 192 - 16);
    room.rigs[1].command(TX_START);
    room.pass_us(2_000);
    trac(&mut room)
}

#[test]
fn only_an_intact_acknowledgment_of_the_very_frame_is_one() {
    assert_eq!(answered_with(&[2, 0, 7], true), 0, "SUCCESS");
    assert_eq!(answered_with(&[0x12, 0, 7], true), 1, "SUCCESS_DATA_PENDING");
    assert_eq!(answered_with(&[2, 0, 8], true), 5, "NO_ACK: of another frame");
    assert_eq!(answered_with(&[1, 0, 7], true), 5, "of another type");
    assert_eq!(answered_with(&[2, 0, 7], false), 5, "with a wrong checksum");
}

#[test]
fn each_repetition_looks_at_the_channel_as_often_as_was_said() {
    let mut registers = Registers::default();
    // Three repetitions, and two looks for each.
    registers.set(XAH_CTRL_0, 3 << 4 | 1 << 1);
    let now = Time::ZERO;
    let mut aret = Aret::begun(&registers, None);
    assert_eq!(aret.access(&registers, now), Step::Continue);
    for _ in 0..3 {
        assert_eq!(aret.assessed(&registers, false, now), Step::Continue);
        assert_eq!(aret.assessed(&registers, true, now), Step::Send);
        assert_eq!(aret.missed(&registers, now), Step::Continue);
    }
    assert_eq!(aret.assessed(&registers, false, now), Step::Continue);
    assert_eq!(aret.assessed(&registers, false, now), Step::Fail(3), "CHANNEL_ACCESS_FAILURE");
}

#[test]
fn without_csma_it_sends_at_once() {
    let mut room = two();
    room.rigs[0].write(XAH_CTRL_0, 0x0E);
    room.load(0, &data(7));
    room.rigs[0].command(TX_START);
    room.pass_us(16 + HEADER_US + 13 * 32);
    assert_eq!(room.sent().len(), 1);
}

#[test]
fn an_acknowledgment_can_say_that_there_is_more() {
    let mut room = two();
    room.rigs[1].write(CSMA_SEED_1, 1 << 5 | 2);
    let request = [&[0x63, 0x88, 9], &PAN[..], &ADDRESS, &[1, 0, 4]].concat();
    room.load(0, &request);
    room.rigs[0].command(TX_START);
    room.pass_us(5_000);
    assert_eq!(trac(&mut room), 1, "SUCCESS_DATA_PENDING");
    room.load(0, &data(10));
    room.rigs[0].command(TX_START);
    room.pass_us(5_000);
    assert_eq!(trac(&mut room), 0, "only to who asks");
}

#[test]
fn a_secured_command_may_ask_for_data() {
    for (control, result) in [(0x6B, 1), (0x63, 0)] {
        let mut room = two();
        room.rigs[1].write(CSMA_SEED_1, 1 << 5 | 2);
        // Not the number of a data request, which may be encrypted.
        let command = [&[control, 0x88, 9], &PAN[..], &ADDRESS, &[1, 0, 0x99]].concat();
        room.load(0, &command);
        room.rigs[0].command(TX_START);
        room.pass_us(5_000);
        assert_eq!(trac(&mut room), result, "0x{control:02x}");
    }
}

#[test]
fn frames_for_others_are_filtered() {
    let mut room = two();
    let fates = |room: &mut Room, frame: &[u8]| {
        room.reported.clear();
        room.rigs[1].read(IRQ_STATUS);
        room.load(0, frame);
        room.rigs[0].command(TX_START);
        room.pass_us(20_000);
        let fate = room.fates().iter().find(|(at, _)| *at == 1).map(|(_, fate)| *fate);
        (fate, room.rigs[1].read(IRQ_STATUS) & TRX_END != 0)
    };
    let own = (Some(Fate::Received), true);
    let filtered = (Some(Fate::Filtered), false);
    let to = |pan: [u8; 2], address: [u8; 2]| {
        [&[0x41, 0x88, 1], &pan[..], &address, &[1, 0, 5]].concat()
    };
    assert_eq!(fates(&mut room, &to(PAN, ADDRESS)), own);
    assert_eq!(fates(&mut room, &to(PAN, [3, 0])), filtered);
    assert_eq!(fates(&mut room, &to([0x35, 0x12], ADDRESS)), filtered);
    assert_eq!(fates(&mut room, &to([0xFF; 2], [0xFF; 2])), own);
    // An acknowledgment, a reserved type, no addresses, and a frame that is cut short.
    assert_eq!(fates(&mut room, &[2, 0, 1]), filtered);
    assert_eq!(fates(&mut room, &[5, 0x88, 1, 0x34, 0x12, 2, 0, 1, 0]), filtered);
    assert_eq!(fates(&mut room, &[1, 0, 1, 2]), filtered);
    assert_eq!(fates(&mut room, &[0x41, 0x88, 1, 0x34]), filtered);
    // An extended address, a beacon of its PAN, and one that only says where it is from.
    let extended = [&[0x41, 0x8C, 1], &PAN[..], &[0; 8], &[1, 0, 5]].concat();
    assert_eq!(fates(&mut room, &extended), own, "its extended address is 0");
    let beacon = |pan: [u8; 2]| [&[0, 0x80, 1], &pan[..], &[1, 0, 5]].concat();
    assert_eq!(fates(&mut room, &beacon(PAN)), own);
    assert_eq!(fates(&mut room, &beacon([1, 1])), filtered);
    let from = [&[1, 0x80, 1], &PAN[..], &[1, 0, 5]].concat();
    assert_eq!(fates(&mut room, &from), filtered);
    room.rigs[1].write(CSMA_SEED_1, 0x42 | 1 << 3);
    assert_eq!(fates(&mut room, &from), own, "a coordinator takes it");
    room.rigs[1].write(XAH_CTRL_1, 1 << 4);
    assert_eq!(fates(&mut room, &[5, 0, 1, 0, 0]), own, "reserved types are passed on");
    room.rigs[1].write(XAH_CTRL_1, 1 << 1);
    assert_eq!(fates(&mut room, &to(PAN, [3, 0])), own, "promiscuous");
}

#[test]
fn frames_of_later_versions_are_acknowledged_if_that_is_wanted() {
    let acknowledges = |version: u8, mode: u8| {
        let mut room = two();
        room.rigs[1].write(CSMA_SEED_1, mode << 6);
        let mut frame = data(7);
        frame[1] |= version << 4;
        room.load(0, &frame);
        room.rigs[0].command(TX_START);
        room.pass_us(5_000);
        room.sent().iter().any(|(from, _)| *from == 1)
    };
    for (version, mode, expected) in [
        (0, 0, true),
        (1, 0, false),
        (1, 1, true),
        (2, 1, false),
        (2, 2, true),
        (3, 2, false),
        (3, 3, true),
    ] {
        assert_eq!(acknowledges(version, mode), expected, "version {version}, mode {mode}");
    }
}

#[test]
fn a_kept_frame_keeps_others_from_being_acknowledged() {
    let mut room = two();
    room.rigs[1].write(registers::TRX_CTRL_2, 0xA0);
    for sequence in [1, 2] {
        room.load(0, &data(sequence));
        room.rigs[0].command(TX_START);
        room.pass_us(20_000);
    }
    assert_eq!(trac(&mut room), 5, "NO_ACK");
    assert_eq!(room.frame(1)[3], 1);
}

#[test]
fn a_kept_frame_is_given_up_with_the_state_and_is_no_matter_for_an_acknowledgment() {
    let mut room = two();
    room.rigs[0].write(registers::TRX_CTRL_2, 0xA0);
    room.rigs[0].command(RX_AACK_ON);
    room.rigs[1].command(PLL_ON);
    room.pass_us(10);
    let broadcast = [0x41, 0x88, 1, 0xFF, 0xFF, 0xFF, 0xFF, 1, 0];
    room.load(1, &broadcast);
    room.rigs[1].command(TX_START);
    room.pass_us(1_000);
    room.rigs[0].command(TX_ARET_ON);
    room.rigs[1].command(RX_AACK_ON);
    room.pass_us(100);
    room.load(0, &data(7));
    room.rigs[0].command(TX_START);
    room.pass_us(5_000);
    assert_eq!(trac(&mut room), 0, "SUCCESS");
    room.rigs[0].command(RX_AACK_ON);
    room.rigs[1].command(PLL_ON);
    room.pass_us(100);
    room.load(1, &broadcast);
    room.rigs[1].command(TX_START);
    room.pass_us(1_000);
    assert_eq!(room.fates().last(), Some(&(0, Fate::Received)));
}

#[test]
fn the_backoff_is_random_and_bounded() {
    let mut room = two();
    room.rigs[1].command(3);
    room.rigs[0].write(CSMA_BE, 0x53);
    let mut waits = std::collections::BTreeSet::new();
    for sequence in 0..40 {
        room.reported.clear();
        let mut frame = data(sequence);
        frame[0] &= !0x20;
        room.load(0, &frame);
        let begin = room.now();
        room.rigs[0].command(TX_START);
        room.pass_us(5_000);
        let wait = room.reported[0].0 - begin - Time::from_us(sent_in_us(13));
        assert_eq!(wait % Time::from_us(320), Time::ZERO);
        waits.insert(wait / Time::from_us(320));
    }
    assert_eq!(waits, (0..8).collect());
}

#[test]
fn any_commands_leave_it_usable() {
    let mut state = 1u64;
    let mut next = |below: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut room = two();
    for _ in 0..30_000 {
        let index = next(2) as usize;
        let rig = &mut room.rigs[index];
        match next(8) {
            0 => drop(rig.command(next(32) as u8)),
            1 => drop(rig.write(next(64) as u8, next(256) as u8)),
            2 => drop(rig.try_read(next(64) as u8)),
            3 => drop(rig.drive(SLP_TR, if next(2) == 0 { Level::Low } else { Level::High })),
            4 => drop(rig.exchange(&[0x60, next(256) as u8, next(256) as u8, 1, 2, 3])),
            5 => drop(rig.exchange(&[0x20, 0, 0, 0, 0, 0, 0])),
            6 if next(20) == 0 => {
                rig.drive(RST, Level::Low);
                rig.drive(RST, Level::High);
            }
            _ => room.pass_us(next(400)),
        }
    }
    for rig in &mut room.rigs {
        rig.drive(SLP_TR, Level::Low);
        rig.drive(RST, Level::Low);
    }
    room.pass_us(1_000);
    room.rigs.iter_mut().for_each(|rig| drop(rig.drive(RST, Level::High)));
    room.pass_us(1_000);
    room.rigs.iter_mut().for_each(|rig| drop(rig.command(TRX_OFF)));
    room.pass_us(1_000);
    assert!(room.rigs.iter_mut().all(|rig| rig.status() == TRX_OFF));
    room.reported.clear();
    room.rigs[0].command(PLL_ON);
    room.rigs[1].command(0x06);
    room.pass_us(100);
    room.load(0, &[1, 2, 3]);
    room.rigs[0].command(TX_START);
    room.pass_us(1_000);
    assert_eq!(room.fates(), [(1, Fate::Received)]);
}

#[test]
fn its_state_can_be_saved_while_a_frame_arrives() {
    let finish = |saves: bool| {
        let mut room = two();
        room.load(0, &data(7));
        room.rigs[0].command(TX_START);
        room.pass_us(sent_in_us(13) - 100);
        if saves {
            let saved = room.rigs[1].0.device.save();
            room.rigs[1].0.device.load(&saved).expect("its state");
        }
        room.pass_us(3_000);
        (trac(&mut room), room.frame(1), room.reported.len())
    };
    assert_eq!(finish(true), finish(false));
}

/// What is reported of the frames that a radio has heard: what it made of them, whether they are whole, and their bytes.
fn heard(room: &Room, rig: usize) -> Vec<(Fate, bool, Vec<u8>)> {
    let heard = room.reported.iter().filter_map(|(_, at, report)| match report {
        Report::Heard { frame, fate, whole, .. } if *at == rig => {
            Some((*fate, *whole, frame.bytes.clone()))
        }
        _ => None,
    });
    heard.collect()
}

#[test]
fn a_frame_that_is_filtered_is_reported_as_it_arrived_to_its_end() {
    let other = [&[0x41, 0x88, 7], &PAN[..], &[3, 0, 1, 0, 1, 2, 3, 4, 5, 6, 7, 8]].concat();
    for (begins_us, whole) in [(0, true), (100, false), (400, false)] {
        let mut room = Room::of(3);
        room.rigs[2].command(RX_AACK_ON);
        room.rigs[2].write(0x22, PAN[0]);
        room.rigs[2].write(0x23, PAN[1]);
        room.rigs[0].command(PLL_ON);
        room.rigs[1].command(PLL_ON);
        room.pass_us(100);
        (0..2).for_each(|rig| room.load(rig, &other));
        room.rigs[0].command(TX_START);
        room.pass_us(HEADER_US + 16 + begins_us);
        if !whole {
            room.power += 1_000;
            room.rigs[1].command(TX_START);
        }
        room.pass_us(20_000);
        let heard = heard(&room, 2);
        let (fate, is_whole, bytes) = &heard[0];
        assert_eq!((*fate, *is_whole), (Fate::Filtered, whole), "{begins_us}");
        let sent = &room.sent()[0].1;
        assert_eq!((bytes == sent, bytes.len()), (whole, sent.len()), "{begins_us}");
    }
}

#[test]
fn a_frame_that_is_filtered_and_whose_end_comes_without_power_is_abandoned() {
    let mut room = two();
    let other = [&[0x41, 0x88, 7], &PAN[..], &[3, 0, 1, 0, 1, 2, 3, 4, 5, 6, 7, 8]].concat();
    room.load(0, &other);
    room.rigs[0].command(TX_START);
    room.pass_us(sent_in_us(12));
    room.rigs[1].0.serve(|device, around| device.power_off(around));
    room.pass_us(20_000);
    let heard = heard(&room, 1);
    assert_eq!(heard.len(), 1, "{heard:?}");
    assert_eq!((heard[0].0, heard[0].1), (Fate::Abandoned, false));
}
