// SPDX-License-Identifier: MIT OR Apache-2.0
//! Radios that hear each other, in the basic states.

use super::extended::RX_AACK_ON;
use super::registers::RX_SYN;
use super::*;
use crate::air::{AHEAD, Fate, Modulation, OnAir, Passage};

pub(super) const PLL_ON: u8 = 0x09;
pub(super) const RX_ON: u8 = 0x06;
pub(super) const TX_START: u8 = 0x02;
pub(super) const PHY_RSSI: u8 = 0x06;
pub(super) const PHY_ED_LEVEL: u8 = 0x07;
/// Time of a preamble, an SFD and a length.
pub(super) const HEADER_US: u64 = 192;

/// Radios at -60 dBm from each other.
pub(super) struct Room {
    pub rigs: Vec<Rig>,
    pub power: i32,
    news: Vec<(Time, usize, OnAir)>,
    /// The reports of each, and their times.
    pub reported: Vec<(Time, usize, Report)>,
}

impl Room {
    /// So many radios in TRX_OFF, with their synthesizers locked if they are to receive.
    pub fn of(count: usize) -> Room {
        let rigs = (0..count).map(|_| Rig::off()).collect();
        Room { rigs, power: -6_000, news: Vec::new(), reported: Vec::new() }
    }

    pub fn now(&self) -> Time {
        self.rigs[0].0.now
    }

    /// Takes what the radios have done.
    fn collect(&mut self) {
        for (index, rig) in self.rigs.iter_mut().enumerate() {
            for (time, act) in rig.0.log.drain(..) {
                match act {
                    Act::Radio(what) => self.news.push((time + AHEAD, index, what)),
                    Act::Report(report) => self.reported.push((time, index, report)),
                    Act::Drive(_) => {}
                }
            }
        }
        self.news.sort_by_key(|(time, index, _)| (*time, *index));
    }

    pub fn pass_us(&mut self, us: u64) {
        let until = self.now() + Time::from_us(us);
        loop {
            self.collect();
            let news = self.news.first().map_or(Time::NEVER, |(time, ..)| *time);
            let due = self.rigs.iter().map(|rig| rig.0.device.due()).min().expect("a radio");
            let next = news.min(due).min(until);
            self.rigs.iter_mut().for_each(|rig| rig.0.now = next);
            if next == until && due > until && news > until {
                return;
            }
            while self.news.first().is_some_and(|(time, ..)| *time <= next) {
                let (_, from, what) = self.news.remove(0);
                self.carry(from, &what);
            }
            for rig in &mut self.rigs {
                if rig.0.device.due() <= next {
                    rig.0.serve(|device, around| device.fire(around));
                }
            }
        }
    }

    fn carry(&mut self, from: usize, what: &OnAir) {
        let power = self.power;
        for (to, rig) in self.rigs.iter_mut().enumerate().filter(|(to, _)| *to != from) {
            let passage = Passage { seed: 0, sender: from as u32, receiver: to as u32 };
            let reception = crate::air::Reception { passage, what: what.clone(), power };
            rig.0.serve(|device, around| device.receive(around, &reception));
        }
    }

    /// Writes a frame into the frame buffer of a radio.
    pub fn load(&mut self, rig: usize, psdu: &[u8]) {
        let mut bytes = vec![0x60, psdu.len() as u8 + 2];
        bytes.extend(psdu);
        self.rigs[rig].exchange(&bytes);
    }

    /// The fates of frames so far, with the radio at which they happened.
    pub fn fates(&self) -> Vec<(usize, Fate)> {
        let fate = |(_, index, report): &(Time, usize, Report)| match report {
            Report::Heard { fate, .. } => Some((*index, *fate)),
            _ => None,
        };
        self.reported.iter().filter_map(fate).collect()
    }

    /// The bytes of frames that were sent, with the radio that sent them.
    pub fn sent(&self) -> Vec<(usize, Vec<u8>)> {
        let sent = |(_, index, report): &(Time, usize, Report)| match report {
            Report::Sent(frame) => Some((*index, frame.bytes.clone())),
            _ => None,
        };
        self.reported.iter().filter_map(sent).collect()
    }

    /// The frame buffer of a radio as it reads it: length, bytes, LQI, energy and status.
    pub fn frame(&mut self, rig: usize) -> Vec<u8> {
        let length = self.rigs[rig].exchange(&[0x20, 0]).0[1].expect("a length");
        let mut access = vec![0x20];
        access.resize(usize::from(length) + 5, 0);
        let (bytes, _) = self.rigs[rig].exchange(&access);
        bytes[1..].iter().map(|byte| byte.expect("a byte")).collect()
    }
}

/// A radio that sends and one that receives.
pub(super) fn two() -> Room {
    let mut room = Room::of(2);
    room.rigs[0].command(PLL_ON);
    room.rigs[1].command(RX_ON);
    room.pass_us(100);
    room.rigs.iter_mut().for_each(|rig| {
        rig.read(IRQ_STATUS);
    });
    room
}

pub(super) const PSDU: [u8; 6] = [0x41, 0x88, 7, 0x34, 0x12, 0xFF];

#[test]
fn a_frame_goes_from_one_to_the_other_at_its_times() {
    let mut room = two();
    room.load(0, &PSDU);
    room.rigs[0].command(TX_START);
    assert_eq!(room.rigs[0].status(), 0x02);
    // 16 us to the first symbol, 160 us of preamble and SFD.
    room.pass_us(16 + 159);
    assert_eq!(room.rigs[1].status(), RX_ON);
    room.pass_us(1);
    assert_eq!(room.rigs[1].status(), 0x01, "BUSY_RX");
    room.pass_us(32 + 8);
    assert_eq!(room.rigs[1].read(IRQ_STATUS), 0);
    room.pass_us(1);
    assert_eq!(room.rigs[1].read(IRQ_STATUS), registers::RX_START, "9 us after the length");
    // Eight bytes with the checksum.
    room.pass_us(8 * 32 - 9 - 1);
    assert_eq!(room.rigs[0].status(), 0x02);
    room.pass_us(1);
    assert_eq!(
        (room.rigs[0].status(), room.rigs[0].read(IRQ_STATUS)),
        (PLL_ON, registers::TRX_END)
    );
    room.pass_us(9);
    assert_eq!((room.rigs[1].status(), room.rigs[1].read(IRQ_STATUS)), (RX_ON, registers::TRX_END));
    let frame = room.frame(1);
    let sum = crate::air::fcs(&PSDU).to_le_bytes();
    assert_eq!((frame[0], &frame[1..7], &frame[7..9]), (8, &PSDU[..], &sum[..]));
    assert_eq!(frame[9..], [255, 34, 0x80], "LQI, -60 dBm, a valid checksum");
    assert_eq!((room.rigs[1].read(PHY_ED_LEVEL), room.rigs[1].read(PHY_RSSI) >> 7), (34, 1));
    assert_eq!(room.fates(), [(1, Fate::Received)]);
}

#[test]
fn slp_tr_sends_too() {
    let mut room = two();
    room.load(0, &PSDU);
    room.rigs[0].drive(SLP_TR, Level::High);
    room.rigs[0].drive(SLP_TR, Level::Low);
    room.pass_us(1_000);
    assert_eq!((room.rigs[0].status(), room.fates()), (PLL_ON, vec![(1, Fate::Received)]));
}

#[test]
fn a_program_may_write_the_frame_while_it_is_sent() {
    let mut room = two();
    room.load(0, &[0; 6]);
    room.rigs[0].command(TX_START);
    // The second byte after the length is being sent.
    room.pass_us(16 + HEADER_US + 40);
    room.rigs[0].exchange(&[0x40, 3, 1, 2, 3, 4]);
    assert_eq!(room.rigs[0].read(IRQ_STATUS) & TRX_UR, 0);
    room.pass_us(1_000);
    assert_eq!(room.frame(1)[1..7], [0, 0, 1, 2, 3, 4]);
    assert_eq!(room.fates(), [(1, Fate::Received)], "with a checksum that fits");
}

#[test]
fn a_byte_that_is_written_too_late_is_reported() {
    let mut room = two();
    room.load(0, &[0; 6]);
    room.rigs[0].command(TX_START);
    room.pass_us(16 + HEADER_US + 40);
    room.rigs[0].exchange(&[0x40, 1, 9, 9]);
    assert_ne!(room.rigs[0].read(IRQ_STATUS) & TRX_UR, 0);
    room.pass_us(1_000);
    assert_eq!(room.frame(1)[1..3], [0, 0]);
}

#[test]
fn a_byte_must_come_before_its_first_symbol() {
    for (us, in_time) in [(16 + HEADER_US + 31, true), (16 + HEADER_US + 32, false)] {
        let mut room = two();
        room.load(0, &[0; 6]);
        room.rigs[0].command(TX_START);
        room.pass_us(us);
        room.rigs[0].exchange(&[0x40, 2, 9]);
        assert_eq!(room.rigs[0].read(IRQ_STATUS) & TRX_UR == 0, in_time, "{us}");
        room.pass_us(1_000);
        assert_eq!(room.frame(1)[2] == 9, in_time);
    }
}

#[test]
fn channels_have_their_frequencies() {
    for (channel, khz) in [(11, 2_405_000), (12, 2_410_000), (26, 2_480_000)] {
        let mut room = two();
        for rig in &mut room.rigs {
            rig.write(0x08, 0x20 | channel);
        }
        room.pass_us(11);
        room.load(0, &PSDU);
        room.rigs[0].command(TX_START);
        room.pass_us(1_000);
        let frequencies = room.reported.iter().map(|(.., report)| match report {
            Report::Sent(frame) | Report::Heard { frame, .. } => frame.frequency_khz,
            _ => 0,
        });
        assert_eq!(frequencies.collect::<Vec<_>>(), [khz, khz]);
    }
}

#[test]
fn frequencies_between_the_channels_can_be_chosen() {
    for (band, number, khz) in [(8, 0, 2_306_000), (8, 94, 2_353_000), (9, 93, 2_480_500)] {
        let mut room = two();
        for rig in &mut room.rigs {
            rig.write(registers::CC_CTRL_0, number);
            rig.write(registers::CC_CTRL_1, band);
        }
        room.pass_us(11);
        room.load(0, &PSDU);
        room.rigs[0].command(TX_START);
        room.pass_us(1_000);
        let Report::Sent(frame) = &room.reported[0].2 else { panic!("{:?}", room.reported) };
        assert_eq!((frame.frequency_khz, room.fates().len()), (khz, 1), "{band} {number}");
    }
}

#[test]
fn a_frame_is_as_strong_as_was_said() {
    for (setting, power) in [(0, 400), (3, 300), (7, 0), (9, -200), (11, -400), (15, -1_700)] {
        let mut room = two();
        room.rigs[0].write(registers::PHY_TX_PWR, setting);
        room.load(0, &PSDU);
        room.rigs[0].command(TX_START);
        room.pass_us(1_000);
        let Report::Sent(frame) = &room.reported[0].2 else { panic!("{:?}", room.reported) };
        assert_eq!(frame.power, power, "{setting}");
    }
}

#[test]
fn each_rate_has_its_sensitivity() {
    let arrive = |rate: u8, power: i32| {
        let mut room = two();
        room.power = power;
        for rig in &mut room.rigs {
            rig.write(registers::TRX_CTRL_2, rate);
        }
        for _ in 0..50 {
            room.load(0, &[0x55; 18]);
            room.rigs[0].command(TX_START);
            room.pass_us(5_000);
        }
        room.fates().iter().filter(|it| **it == (1, Fate::Received)).count()
    };
    for (rate, sensitivity) in [(0, -10_100), (1, -9_700), (2, -9_500), (3, -8_900)] {
        let strong = arrive(rate, sensitivity + 150);
        let weak = arrive(rate, sensitivity - 300);
        assert!(strong == 50 && weak < 25, "{rate}: {strong} and {weak}");
    }
}

#[test]
fn a_frame_that_is_read_before_it_has_arrived_is_reported() {
    let mut room = two();
    room.load(0, &PSDU);
    room.rigs[0].command(TX_START);
    room.pass_us(16 + HEADER_US + 65);
    let (bytes, _) = room.rigs[1].exchange(&[0x20, 0, 0, 0]);
    assert_eq!(bytes[1..], [Some(8), Some(PSDU[0]), Some(PSDU[1])]);
    assert_eq!(room.rigs[1].read(IRQ_STATUS) & TRX_UR, 0);
    room.rigs[1].exchange(&[0x20, 0, 0, 0, 0]);
    assert_ne!(room.rigs[1].read(IRQ_STATUS) & TRX_UR, 0);
}

#[test]
fn two_frames_at_once_are_corrupted() {
    let mut room = Room::of(3);
    room.rigs[0].command(PLL_ON);
    room.rigs[1].command(PLL_ON);
    room.rigs[2].command(RX_ON);
    room.pass_us(100);
    room.load(0, &[1; 40]);
    room.load(1, &[2; 40]);
    room.rigs[0].command(TX_START);
    room.pass_us(300);
    room.power = -5_500;
    room.rigs[1].command(TX_START);
    room.pass_us(5_000);
    assert_eq!(room.fates(), [(2, Fate::Corrupted)]);
    assert_eq!(room.rigs[2].read(PHY_RSSI) >> 7, 0);
}

#[test]
fn the_safe_mode_keeps_a_frame_until_it_was_read() {
    let mut room = two();
    room.rigs[1].write(registers::TRX_CTRL_2, 0xA0);
    let send = |room: &mut Room, byte: u8| {
        room.load(0, &[byte; 6]);
        room.rigs[0].command(TX_START);
        room.pass_us(1_000);
    };
    send(&mut room, 1);
    send(&mut room, 2);
    assert_eq!(room.fates(), [(1, Fate::Received), (1, Fate::Overflowed)]);
    room.rigs[1].read(IRQ_STATUS);
    assert_eq!(room.frame(1)[1], 1);
    send(&mut room, 3);
    assert_eq!(room.frame(1)[1], 3);
    assert_eq!(room.fates()[2..], [(1, Fate::Received)]);
    room.rigs[1].write(registers::TRX_CTRL_2, 0x20);
    send(&mut room, 4);
    send(&mut room, 5);
    assert_eq!(room.frame(1)[1], 5, "without it the next frame takes its place");
}

#[test]
fn a_command_waits_for_the_end_of_a_frame_unless_it_is_forced() {
    let mut room = two();
    room.load(0, &PSDU);
    room.rigs[0].command(TX_START);
    room.pass_us(300);
    room.rigs[1].command(PLL_ON);
    assert_eq!(room.rigs[1].status(), 0x01);
    room.pass_us(1_000);
    assert_eq!((room.rigs[1].status(), room.fates()), (PLL_ON, vec![(1, Fate::Received)]));
    room.rigs[1].command(RX_ON);
    room.pass_us(1);
    room.rigs[0].command(TX_START);
    room.pass_us(300);
    room.rigs[1].command(3);
    room.pass_us(1);
    assert_eq!(room.rigs[1].status(), TRX_OFF);
    assert_eq!(room.fates()[1..], [(1, Fate::Abandoned)]);
}

#[test]
fn a_transmission_that_is_cut_off_is_corrupted_elsewhere() {
    let mut room = two();
    room.load(0, &[0x55; 60]);
    room.rigs[0].command(TX_START);
    room.pass_us(700);
    room.rigs[0].drive(RST, Level::Low);
    room.pass_us(5_000);
    assert_eq!(room.fates(), [(1, Fate::Corrupted)]);
}

#[test]
fn after_sending_it_needs_32_us_to_receive() {
    let mut room = two();
    room.load(0, &PSDU);
    room.rigs[0].command(TX_START);
    room.rigs[0].command(RX_ON);
    room.pass_us(16 + HEADER_US + 8 * 32);
    assert_eq!(room.rigs[0].status(), 0x1F);
    room.pass_us(31);
    assert_eq!(room.rigs[0].status(), 0x1F);
    room.pass_us(1);
    assert_eq!(room.rigs[0].status(), RX_ON);
}

#[test]
fn another_channel_is_another_air() {
    let mut room = two();
    room.rigs[1].write(0x08, 0x20 | 26);
    room.pass_us(11);
    assert_eq!(room.rigs[1].read(IRQ_STATUS), PLL_LOCK, "its synthesizer has locked again");
    room.load(0, &PSDU);
    room.rigs[0].command(TX_START);
    room.pass_us(1_000);
    assert_eq!(room.fates(), []);
    room.rigs[1].write(0x08, 0x20 | 30);
    let text = "at86rf233 listens in no channel: its registers name none";
    assert!(
        room.rigs[1].0.log.iter().any(|(_, act)| mismatch(std::slice::from_ref(act)) == Some(text))
    );
}

#[test]
fn on_another_channel_it_hears_nothing_for_11_us() {
    // The last half of the preamble must be heard: from 64 us on.
    for (us, hears) in [(52, true), (54, false)] {
        let mut room = two();
        room.rigs[1].write(0x08, 0x20 | 12);
        room.pass_us(100);
        room.load(0, &PSDU);
        room.rigs[0].command(TX_START);
        room.pass_us(16 + us);
        room.rigs[1].write(0x08, 0x20 | 11);
        room.pass_us(1_000);
        assert_eq!(!room.fates().is_empty(), hears, "{us} us");
    }
}

#[test]
fn who_sends_does_not_hear_and_says_so() {
    let mut room = two();
    room.load(0, &PSDU);
    let begin = room.now();
    room.rigs[0].command(TX_START);
    let (frequency_khz, modulation) = (2_405_000, Modulation::Oqpsk { header: 6, kbps: 250 });
    let (end, bytes) = (begin + Time::from_ms(1), [].into());
    let it = Transmission { number: 0, begin, end, frequency_khz, power: 0, modulation, bytes };
    let meets = |rig: usize, power: i32| room.rigs[rig].0.device.meets(&it, power);
    assert_eq!(meets(0, -6_000), Some(Meeting::Sends));
    assert_eq!(meets(0, -12_000), Some(Meeting::TooWeak), "it would be, anyway");
    assert_eq!(meets(1, -6_000), Some(Meeting::Listens));
}

#[test]
fn only_an_intact_frame_is_kept() {
    let mut room = two();
    room.rigs[1].write(registers::TRX_CTRL_2, 0xA0);
    for control in [0x02, 0x22] {
        room.rigs[0].write(registers::TRX_CTRL_1, control);
        room.load(0, &PSDU);
        room.rigs[0].command(TX_START);
        room.pass_us(1_000);
    }
    assert_eq!(room.fates(), [(1, Fate::Corrupted), (1, Fate::Received)]);
}

#[test]
fn two_megabits_carry_a_byte_in_four_microseconds() {
    let mut room = two();
    for rig in &mut room.rigs {
        rig.write(registers::TRX_CTRL_2, 3);
    }
    room.load(0, &[9; 98]);
    room.rigs[0].command(TX_START);
    room.pass_us(16 + HEADER_US + 100 * 4 - 1);
    assert_eq!(room.rigs[0].status(), 0x02);
    room.pass_us(10);
    assert_eq!(room.fates(), [(1, Fate::Received)]);
}

#[test]
fn random_numbers_need_the_basic_mode_and_the_detector_of_preambles() {
    let mut rig = Rig::off();
    rig.0.power_on();
    rig.pass_us(400);
    rig.command(TRX_OFF);
    rig.pass_us(400);
    let differ = |rig: &mut Rig, command, syn| {
        rig.write(RX_SYN, syn);
        rig.command(command);
        rig.pass_us(100);
        let mut next = || {
            rig.pass_us(1);
            rig.read(PHY_RSSI) >> 5 & 3
        };
        let first = next();
        (0..64).any(|_| next() != first)
    };
    assert!(differ(&mut rig, RX_ON, 0));
    assert!(!differ(&mut rig, RX_ON, 0x80));
    assert!(differ(&mut rig, RX_ON, 0x01));
    rig.command(PLL_ON);
    rig.pass_us(100);
    assert!(!differ(&mut rig, RX_AACK_ON, 0));
}

#[test]
fn noise_gives_random_numbers_which_differ_between_motes() {
    let numbers = |serial: u64| {
        let mut rig = Rig::off();
        rig.0.environment.set_serial(serial);
        rig.0.power_on();
        rig.pass_us(400);
        rig.command(TRX_OFF);
        rig.pass_us(400);
        rig.command(RX_ON);
        rig.pass_us(100);
        let mut next = || {
            rig.pass_us(1);
            rig.read(PHY_RSSI) >> 5 & 3
        };
        (0..64).map(|_| next()).collect::<Vec<u8>>()
    };
    let (one, other) = (numbers(1), numbers(2));
    assert_ne!(one, other);
    assert!((0..4).all(|value| one.iter().filter(|number| **number == value).count() > 4));
}
