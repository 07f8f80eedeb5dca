// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;

const FREQUENCY: u32 = 2_405_000;
/// As a data sheet would say it, in hundredths of a dBm.
const SENSITIVITY: i32 = -10_100;
const SELECTIVITY: &[(u32, i32)] = &[(2_500, 3_200), (7_500, 5_000)];
/// Bytes of the frame after its length.
const BYTES: usize = 20;

fn tuning() -> Tuning {
    let receiver = Receiver {
        frequency_khz: FREQUENCY,
        noise: milliwatts(SENSITIVITY) / OQPSK_SENSITIVE,
        selectivity: SELECTIVITY,
        co_channel: 1.9,
    };
    Tuning { receiver, sfd: 0xA7, kbps: 250, threshold: SENSITIVITY - 500 }
}

/// A frame of mote `sender`, its `number`th, that begins at `begin`.
fn frame(sender: u32, number: u32, begin: Time, power: i32) -> Reception {
    let mut bytes = vec![0, 0, 0, 0, 0xA7, BYTES as u8];
    bytes.extend((0..BYTES as u8).map(|index| index.wrapping_mul(37) ^ sender as u8));
    let modulation = Modulation::Oqpsk { header: 6, kbps: 250 };
    let end = begin + modulation.offset(bytes.len());
    let what = OnAir::Begins(Transmission {
        number,
        begin,
        end,
        frequency_khz: FREQUENCY,
        power: 0,
        modulation,
        bytes: bytes.into(),
    });
    Reception { passage: Passage { seed: 1, sender, receiver: 9 }, what, power }
}

fn sent(reception: &Reception) -> Vec<u8> {
    match &reception.what {
        OnAir::Begins(transmission) => transmission.bytes[5..].to_vec(),
        _ => panic!("no beginning"),
    }
}

/// What a receiver that listens from the start makes of these: the bytes of the frames that it finds.
fn received(receptions: &[Reception], tuning: &Tuning) -> Vec<Vec<u8>> {
    let mut demodulator = Demodulator::default();
    demodulator.listen(Time::ZERO);
    receptions.iter().for_each(|reception| demodulator.hear(reception, Time::ZERO));
    let mut frames = Vec::new();
    while demodulator.due(tuning) != Time::NEVER {
        let now = demodulator.due(tuning);
        if demodulator.look(tuning, now).is_none() {
            continue;
        }
        let end = demodulator.ends(tuning, BYTES);
        let mut bytes = Vec::new();
        while bytes.len() <= BYTES {
            bytes.extend(demodulator.take(tuning, end));
        }
        frames.push(bytes);
        demodulator.listen(end);
    }
    frames
}

/// The share of frames of which not all bytes arrive, with power `power`, while `other` disturbs.
fn lost(power: i32, other: Option<i32>) -> f64 {
    let tries = 2_000;
    let lost = (0..tries).filter(|number| {
        let mut heard = vec![frame(1, *number, Time::from_us(100), power)];
        heard.extend(other.map(|power| frame(2, *number, Time::from_us(200), power)));
        let sent = sent(&heard[0]);
        received(&heard, &tuning()).first() != Some(&sent)
    });
    lost.count() as f64 / f64::from(tries)
}

#[test]
fn a_receiver_says_how_it_meets_what_begins_to_arrive() {
    let tuning = tuning();
    let mut demodulator = Demodulator::default();
    let OnAir::Begins(sent) = frame(1, 0, Time::from_us(100), -6_000).what else {
        panic!("a beginning")
    };
    let meets = |demodulator: &Demodulator, sent: &Transmission, power| {
        demodulator.meets(&tuning, sent, power)
    };
    assert_eq!(meets(&demodulator, &sent, -6_000), Meeting::Deaf);
    demodulator.listen(Time::ZERO);
    assert_eq!(meets(&demodulator, &sent, -6_000), Meeting::Listens);
    let weak = SENSITIVITY - 501;
    assert_eq!(meets(&demodulator, &sent, weak), Meeting::TooWeak);
    let beside = Transmission { frequency_khz: FREQUENCY + 5_000, ..sent.clone() };
    assert_eq!(meets(&demodulator, &beside, -6_000), Meeting::Elsewhere);
    let (bit, manchester, missing) = (Time::from_us(26), true, 0);
    let modulation = Modulation::Fsk { bit, manchester, missing };
    let of_bytes = Transmission { modulation, ..sent.clone() };
    assert_eq!(meets(&demodulator, &of_bytes, -6_000), Meeting::Elsewhere);
    demodulator.hear(&frame(1, 0, Time::from_us(100), -6_000), Time::ZERO);
    assert!(demodulator.look(&tuning, demodulator.due(&tuning)).is_some());
    assert_eq!(meets(&demodulator, &sent, -6_000), Meeting::Busy);
    demodulator.stop();
    assert_eq!(meets(&demodulator, &sent, weak), Meeting::TooWeak, "it would be, anyway");
}

#[test]
fn bytes_follow_each_other_at_their_rates() {
    let fast = Modulation::Oqpsk { header: 6, kbps: 2_000 };
    assert_eq!(fast.offset(6), Time::from_us(192));
    assert_eq!(fast.offset(8), Time::from_us(200));
    let fsk = |missing| Modulation::Fsk { bit: Time::from_us(50), manchester: true, missing };
    assert_eq!(fsk(0).offset(3), Time::from_us(1_200));
    assert_eq!((fsk(3).offset(0), fsk(3).offset(3)), (Time::ZERO, Time::from_us(1_050)));
}

#[test]
fn a_strong_frame_arrives_whole() {
    let heard = frame(1, 0, Time::from_us(100), -6_000);
    assert_eq!(received(std::slice::from_ref(&heard), &tuning()), [sent(&heard)]);
}

#[test]
fn at_the_sensitivity_one_frame_in_a_hundred_is_lost() {
    let share = lost(SENSITIVITY, None);
    assert!((0.005..0.02).contains(&share), "{share}");
    assert!(lost(SENSITIVITY + 200, None) < 0.001);
    assert!(lost(SENSITIVITY - 300, None) > 0.5);
}

#[test]
fn the_stronger_of_two_frames_is_captured() {
    assert!(lost(-6_000, Some(-6_300)) < 0.05, "3 dB are enough");
    assert!(lost(-6_000, Some(-6_000)) > 0.5);
    assert!(lost(-6_000, Some(-5_500)) > 0.95);
    assert!(lost(-6_000, Some(-9_000)) < 0.001);
}

#[test]
fn a_frame_beside_the_channel_is_weaker() {
    let beside = |khz: u32, power: i32| {
        let mut other = frame(2, 0, Time::from_us(100), power);
        if let OnAir::Begins(transmission) = &mut other.what {
            transmission.frequency_khz = FREQUENCY + khz;
        }
        let own = frame(1, 0, Time::from_us(100), -8_000);
        let expected = sent(&own);
        received(&[other, own], &tuning()) == [expected]
    };
    assert!(beside(5_000, -6_000) && !beside(5_000, -4_000));
    assert!(beside(10_000, -4_000) && !beside(10_000, -2_000));
}

#[test]
fn who_begins_to_listen_within_the_preamble_still_hears_the_frame() {
    let heard = frame(1, 0, Time::from_us(100), -6_000);
    for (since, hears) in [(164, true), (165, false)] {
        let mut demodulator = Demodulator::default();
        demodulator.hear(&heard, Time::from_us(100));
        demodulator.listen(Time::from_us(since));
        let due = demodulator.due(&tuning());
        assert_eq!(due, Time::from_us(260), "its SFD ends");
        assert_eq!(demodulator.look(&tuning(), due).is_some(), hears, "{since}");
    }
}

#[test]
fn another_sfd_or_another_rate_is_not_understood() {
    let heard = frame(1, 0, Time::from_us(100), -6_000);
    let expected = sent(&heard);
    assert!(received(std::slice::from_ref(&heard), &Tuning { sfd: 0xA8, ..tuning() }).is_empty());
    let frames = received(&[heard], &Tuning { kbps: 500, ..tuning() });
    assert_eq!(frames[0][0], expected[0], "the length is always sent at 250 kbit/s");
    assert_ne!(frames[0][1..], expected[1..]);
}

#[test]
fn a_frame_that_is_cut_off_ends_in_noise() {
    let heard = frame(1, 0, Time::from_us(100), -6_000);
    let end = Time::from_us(100 + 32 * 11);
    let cut = Reception { what: OnAir::Ends { number: 0, end }, ..heard.clone() };
    let expected = sent(&heard);
    let bytes = &received(&[heard, cut], &tuning())[0];
    assert_eq!((&bytes[..6], bytes.len()), (&expected[..6], expected.len()));
    assert_ne!(bytes[6..], expected[6..]);
}

/// What is received for another symbol is one of the fifteen others; without a signal any of sixteen is as likely.
#[test]
fn noise_is_right_by_chance_only() {
    let end = Time::from_us(100 + 32 * 7);
    let (mut right, mut all) = (0, 0);
    for number in 0..1_000 {
        let heard = frame(1, number, Time::from_us(100), -6_000);
        let cut = Reception { what: OnAir::Ends { number, end }, ..heard.clone() };
        let expected = sent(&heard);
        let bytes = &received(&[heard, cut], &tuning())[0];
        for (byte, expected) in bytes.iter().zip(&expected).skip(2) {
            right += [0xF, 0xF0].iter().filter(|half| byte & *half == expected & *half).count();
            all += 2;
        }
    }
    let share = right as f64 / f64::from(all);
    assert!((0.056..0.069).contains(&share), "{share}");
}

#[test]
fn bytes_can_be_changed_before_they_are_sent() {
    let heard = frame(1, 0, Time::from_us(100), -6_000);
    let says = OnAir::Says { number: 0, at: 24, bytes: [1, 2].into() };
    let mut expected = sent(&heard);
    let change = Reception { what: says, ..heard.clone() };
    expected[19..].copy_from_slice(&[1, 2]);
    assert_eq!(received(&[heard, change], &tuning()), [expected]);
}

#[test]
fn energy_is_a_mean_over_time() {
    let mut ear = Ear::default();
    ear.hear(&frame(1, 0, Time::from_us(100), -6_000));
    let receiver = tuning().receiver;
    let measure =
        |from, until| centidbm(ear.energy(&receiver, Time::from_us(from), Time::from_us(until)));
    assert_eq!(measure(100, 228), -6_000);
    assert_eq!(measure(36, 164), -6_301, "half of the time");
    assert!(measure(0, 100) < -10_000);
}

/// What another device sends in the channel, for some microseconds.
fn burst(sender: u32, begin: u64, us: u64, power: i32) -> Reception {
    let mut reception = frame(sender, 0, Time::from_us(begin), power);
    if let OnAir::Begins(transmission) = &mut reception.what {
        transmission.end = Time::from_us(begin + us);
        transmission.modulation = Modulation::Noise;
    }
    reception
}

/// Two signals of the same power are 3.01 dB more than one, and so are a signal and noise.
#[test]
fn powers_of_several_signals_and_noise_add_up() {
    let receiver = tuning().receiver;
    let energy = |receptions: &[Reception], receiver: &Receiver| {
        let mut ear = Ear::default();
        receptions.iter().for_each(|reception| ear.hear(reception));
        centidbm(ear.energy(receiver, Time::from_us(100), Time::from_us(228)))
    };
    let two = [1, 2].map(|sender| burst(sender, 100, 128, -6_000));
    assert_eq!(energy(&two, &receiver), -5_699);
    let noisy = Receiver { noise: milliwatts(-6_000), ..receiver };
    assert_eq!(energy(&two[..1], &noisy), -5_699);
    assert_eq!(energy(&[], &noisy), -6_000);
}

#[test]
fn what_has_disturbed_a_frame_is_known_at_its_end() {
    let (tuning, heard) = (tuning(), frame(1, 0, Time::from_us(100), -6_000));
    let mut demodulator = Demodulator::default();
    demodulator.listen(Time::ZERO);
    demodulator.hear(&heard, Time::ZERO);
    assert!(demodulator.look(&tuning, demodulator.due(&tuning)).is_some());
    // Within the third to the sixth byte after the length; and something harmless, much later.
    for (sender, begin, power) in [(2, 356, -5_000), (3, 850, -11_000)] {
        demodulator.hear(&burst(sender, begin, 128, power), Time::from_us(begin));
    }
    let end = demodulator.ends(&tuning, BYTES);
    let bytes: Vec<u8> = (0..=BYTES).map_while(|_| demodulator.take(&tuning, end)).collect();
    let expected = sent(&heard);
    assert_eq!((&bytes[..3], &bytes[7..]), (&expected[..3], &expected[7..]));
    assert_ne!(bytes[3..7], expected[3..7]);
}

/// Each disturbs as much as another one of the same power, and so does noise.
#[test]
fn all_that_disturbs_a_signal_adds_up() {
    let ratio = |disturbing: &[Reception], receiver: &Receiver| {
        let mut ear = Ear::default();
        ear.hear(&frame(1, 0, Time::from_us(100), -6_000));
        disturbing.iter().for_each(|reception| ear.hear(reception));
        ear.ratio(receiver, &ear.signals()[0], Time::from_us(100), Time::from_us(228))
    };
    let is_near = |ratio: f64, expected: f64| (ratio / expected - 1.0).abs() < 1e-3;
    let receiver = tuning().receiver;
    let three = [2, 3, 4].map(|sender| burst(sender, 100, 128, -6_000));
    assert!(is_near(ratio(&three[..1], &receiver), 1.0 / 1.9));
    assert!(is_near(ratio(&three, &receiver), 1.0 / (3.0 * 1.9)));
    let noisy = Receiver { noise: milliwatts(-6_000), ..receiver };
    assert!(is_near(ratio(&three, &noisy), 1.0 / (1.0 + 3.0 * 1.9)));
}

#[test]
fn a_burst_disturbs_a_symbol_by_its_share_of_it() {
    let mut ear = Ear::default();
    ear.hear(&frame(1, 0, Time::from_us(100), -6_000));
    ear.hear(&burst(2, 104, 4, -6_000));
    let ratio = |from, until| ear.ratio(&tuning().receiver, &ear.signals()[0], from, until);
    let symbol = ratio(Time::from_us(100), Time::from_us(116));
    assert!((symbol / (4.0 / 1.9) - 1.0).abs() < 1e-3, "{symbol}");
    assert!(ratio(Time::from_us(116), Time::from_us(132)) > 1e3, "it is over");
}
