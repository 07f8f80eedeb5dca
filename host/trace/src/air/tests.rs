// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use crate::{Event, Frame, INTERFERENCE, Kind, Meets};
use lichen_chip::Time;

const KHZ: u32 = 2_480_000;
/// From the beginning of a transmission to that of its frame, and how long it lasts.
const PREAMBLE: u64 = 160;
const LENGTH: u64 = 800;

fn event(us: u64, mote: u32, kind: Kind) -> Event {
    Event { time: Time::from_us(us), cycle: 0, mote, kind }
}

fn frame(begin: u64, bytes: &[u8]) -> Frame {
    let start = Time::from_us(begin + PREAMBLE);
    Frame { start, khz: KHZ, bps: 250_000, dbm: 0.0, bytes: bytes.to_vec() }
}

const DATA: [u8; 5] = [0x61, 0x88, 9, 1, 2];

fn arrives(begin: u64, sender: u32, mote: u32, dbm: f64, meets: Meets) -> Event {
    let end = Time::from_us(begin + LENGTH);
    event(begin, mote, Kind::Arrives { sender, khz: KHZ, dbm, end, meets })
}

fn sent(begin: u64, sender: u32) -> Event {
    event(begin + LENGTH, sender, Kind::Sent { frame: frame(begin, &DATA) })
}

fn heard(begin: u64, sender: u32, mote: u32, fate: &'static str) -> Event {
    arrived(begin, (sender, mote), fate, fate == "received" || fate == "filtered")
}

/// A frame of which the radio made this, and that arrived whole or not.
fn arrived(begin: u64, (sender, mote): (u32, u32), fate: &'static str, whole: bool) -> Event {
    let frame = frame(begin, &DATA);
    event(begin + LENGTH + 9, mote, Kind::Heard { sender, lqi: 255, fate, whole, frame })
}

/// The log of these events.
fn log(mut events: Vec<Event>) -> Vec<Transmission> {
    events.sort_by_key(|event| event.time);
    let mut log = Log::default();
    let mut all: Vec<Transmission> = events.iter().flat_map(|event| log.event(event)).collect();
    all.extend(log.finish(Time::from_s(100_000)));
    all
}

/// What became of a transmission: mote, fate, with whom.
fn fates(transmission: &Transmission) -> Vec<(u32, Fate, Vec<u32>)> {
    let arrivals = transmission.arrivals.iter();
    arrivals.map(|arrival| (arrival.mote, arrival.fate, arrival.with.clone())).collect()
}

#[test]
fn each_arrival_has_a_reason() {
    let meets = [
        (1, Meets::Listens, Some("received"), Fate::Whole),
        (2, Meets::Listens, Some("filtered"), Fate::Filtered),
        (3, Meets::Listens, Some("corrupted"), Fate::Noise),
        (4, Meets::Listens, None, Fate::Missed),
        (5, Meets::TooWeak, None, Fate::TooWeak),
        (6, Meets::Faded, None, Fate::Faded),
        (7, Meets::Elsewhere, None, Fate::Elsewhere),
        (8, Meets::Sends, None, Fate::Sends),
        (9, Meets::Deaf, None, Fate::Deaf),
        (10, Meets::Listens, Some("overflowed"), Fate::Overflowed),
        (11, Meets::Listens, Some("abandoned"), Fate::Abandoned),
        (12, Meets::Deaf, Some("received"), Fate::Whole),
    ];
    let mut events = vec![sent(100, 0)];
    for (mote, meets, fate, _) in meets {
        events.push(arrives(100, 0, mote, -60.0, meets));
        events.extend(fate.map(|fate| heard(100, 0, mote, fate)));
    }
    let all = log(events);
    let expected = meets.map(|(mote, .., fate)| (mote, fate, Vec::new()));
    assert_eq!(all.len(), 1);
    assert_eq!(fates(&all[0]), expected);
    let (begin, end) = (Time::from_us(100), Time::from_us(100 + LENGTH));
    assert_eq!((all[0].sender, all[0].begin, all[0].end), (0, begin, end));
    let names: std::collections::BTreeSet<&str> =
        Fate::ALL.iter().map(|fate| fate.name()).collect();
    assert_eq!(names.len(), Fate::ALL.len());
    assert!(Fate::ALL.iter().enumerate().all(|(index, fate)| *fate as usize == index));
}

#[test]
fn signals_that_overlap_collide_unless_one_is_much_weaker() {
    for (dbm, begin, collides) in
        [(-60.0, 500, true), (-69.0, 500, true), (-71.0, 500, false), (-60.0, 900, false)]
    {
        let all = log(vec![
            arrives(100, 0, 2, -60.0, Meets::Listens),
            arrives(begin, 1, 2, dbm, Meets::Busy),
            sent(100, 0),
            sent(begin, 1),
            heard(100, 0, 2, "corrupted"),
        ]);
        let expected = match collides {
            true => (2, Fate::Collision, vec![1]),
            false => (2, Fate::Noise, vec![]),
        };
        assert_eq!(fates(&all[0]), [expected], "{dbm} dBm at {begin}");
    }
}

#[test]
fn a_frame_that_is_spoilt_is_not_heard_whatever_the_filter_made_of_its_header() {
    for (dbm, expected) in
        [(-60.0, (2, Fate::Collision, vec![1])), (-71.0, (2, Fate::Noise, vec![]))]
    {
        for fate in ["filtered", "received"] {
            let all = log(vec![
                arrives(100, 0, 2, -60.0, Meets::Listens),
                arrives(500, 1, 2, dbm, Meets::Busy),
                sent(100, 0),
                sent(500, 1),
                arrived(100, (0, 2), fate, false),
            ]);
            assert_eq!(fates(&all[0])[0], expected, "{fate}, {dbm} dBm");
            let mut tally = Tally::new(3);
            tally.add(&all[0]);
            assert_eq!(tally.links()[&(0, 2)], Link { reached: 1, heard: 0 });
        }
    }
}

#[test]
fn a_receiver_that_is_busy_loses_what_comes_then() {
    let all = log(vec![
        arrives(100, 0, 2, -80.0, Meets::Listens),
        arrives(500, 1, 2, -60.0, Meets::Busy),
        arrives(100, 0, 1, -50.0, Meets::Sends),
        sent(100, 0),
        sent(500, 1),
        heard(100, 0, 2, "corrupted"),
    ]);
    assert_eq!(fates(&all[0]), [(1, Fate::Sends, vec![]), (2, Fate::Collision, vec![1])]);
    assert_eq!(fates(&all[1]), [(2, Fate::Collision, vec![0])], "though 0 is 20 dB weaker");
}

#[test]
fn a_long_transmission_collides_with_ones_that_are_complete() {
    let mut long = arrives(0, 0, 2, -60.0, Meets::Listens);
    let Kind::Arrives { end, .. } = &mut long.kind else { panic!("an arrival") };
    *end = Time::NEVER;
    let all = log(vec![
        long,
        arrives(1_000, 1, 2, -60.0, Meets::Busy),
        sent(1_000, 1),
        // Much later the first one ends.
        event(60_000, 0, Kind::Sent { frame: frame(0, &DATA) }),
        heard(59_000, 0, 2, "corrupted"),
    ]);
    assert_eq!(all.iter().map(|sent| sent.sender).collect::<Vec<_>>(), [1, 0]);
    assert_eq!(fates(&all[1]), [(2, Fate::Collision, vec![1])]);
}

#[test]
fn nothing_reaches_a_mote_without_power() {
    let mut log = Log::begun([3]);
    let mut all = Vec::new();
    let off = |us, on| event(us, 2, Kind::Power { on });
    for (begin, power) in [(2_000, None), (4_000, Some(false)), (6_000, Some(true))] {
        all.extend(power.into_iter().flat_map(|on| log.event(&off(begin - 500, on))));
        for mote in 1..4 {
            all.extend(log.event(&arrives(begin, 0, mote, -60.0, Meets::Deaf)));
        }
        all.extend(log.event(&sent(begin, 0)));
    }
    all.extend(log.finish(Time::from_ms(100)));
    let motes = |sent: &Transmission| sent.arrivals.iter().map(|it| it.mote).collect::<Vec<_>>();
    assert_eq!(all.iter().map(motes).collect::<Vec<_>>(), [vec![1, 2], vec![1], vec![1, 2]]);
}

#[test]
fn a_log_that_ends_before_a_radio_has_reported_says_nothing_of_it_and_its_continuation_does() {
    let end = Time::from_us(100 + LENGTH);
    let mut log = Log::default();
    for event in [
        arrives(100, 0, 1, -60.0, Meets::Listens),
        arrives(100, 0, 2, -60.0, Meets::Deaf),
        arrives(100, 0, 3, -60.0, Meets::Busy),
        sent(100, 0),
    ] {
        assert!(log.event(&event).is_empty());
    }
    let saved = borsh::to_vec(&log).expect("memory takes all");
    assert_eq!(fates(&log.finish(end)[0]), [(2, Fate::Deaf, vec![])]);
    let mut log: Log = borsh::from_slice(&saved).expect("a log");
    log.event(&heard(100, 0, 1, "received"));
    let all = log.finish(end + Time::from_us(9));
    assert_eq!(fates(&all[0]), [(1, Fate::Whole, vec![]), (2, Fate::Deaf, vec![])]);
}

#[test]
fn what_reaches_nobody_is_in_the_log() {
    let all = log(vec![sent(100, 3)]);
    assert_eq!((all[0].sender, all[0].arrivals.len()), (3, 0));
    assert_eq!(all[0].begin, Time::from_us(100 + PREAMBLE), "its preamble is not known");
}

#[test]
fn what_nobody_has_sent_does_not_stay() {
    let mut log = Log::default();
    for second in 0..1_000 {
        let begin = second * 1_000_000;
        log.event(&arrives(begin, 0, 2, -60.0, Meets::Listens));
        log.event(&arrives(begin + 1_000, 1, 2, -60.0, Meets::Listens));
        log.event(&sent(begin + 1_000, 1));
    }
    assert!(format!("{log:?}").len() < 20_000, "it is bounded");
    assert_eq!(log.finish(Time::from_s(100_000)).len(), 1);
}

#[test]
fn what_became_of_a_frame_is_known_a_while_after_its_end() {
    let mut log = Log::default();
    let end = Time::from_us(100 + LENGTH);
    assert_eq!(log.awaited(), None);
    assert!(log.event(&sent(100, 0)).is_empty());
    assert_eq!(log.awaited(), Some(end));
    assert!(log.advance(end + Time::from_ms(9)).is_empty());
    assert_eq!(log.advance(end + Time::from_ms(10)).len(), 1);
    assert_eq!(log.awaited(), None);
}

#[test]
fn interference_collides_and_does_not_stay() {
    let burst = |begin: u64, dbm| {
        let kind = Kind::Arrives {
            sender: INTERFERENCE,
            khz: KHZ,
            dbm,
            end: Time::from_us(begin + 300),
            meets: Meets::Elsewhere,
        };
        event(begin, 1, kind)
    };
    for (dbm, expected) in [(-65.0, Fate::Collision), (-75.0, Fate::Noise)] {
        let all = log(vec![
            arrives(100, 0, 1, -60.0, Meets::Listens),
            burst(200, dbm),
            sent(100, 0),
            heard(100, 0, 1, "corrupted"),
        ]);
        assert_eq!(all.len(), 1, "it is no mote's");
        assert_eq!(all[0].arrivals[0].fate, expected);
        let burst = (Time::from_us(200), Time::from_us(500));
        let bursts = if expected == Fate::Collision { vec![burst] } else { vec![] };
        assert_eq!(all[0].arrivals[0].bursts, bursts);
    }
    let mut log = Log::default();
    (0..10_000).for_each(|n| drop(log.event(&burst(n * 1_000, -60.0))));
    assert!(format!("{log:?}").len() < 50_000, "it is bounded");
}

#[test]
fn counts_are_sums() {
    let mut tally = Tally::new(3);
    let all = log(vec![
        arrives(100, 0, 1, -60.0, Meets::Listens),
        arrives(100, 0, 2, -60.0, Meets::Deaf),
        sent(100, 0),
        heard(100, 0, 1, "received"),
        arrives(2_000, 1, 0, -60.0, Meets::Listens),
        event(2_000 + LENGTH, 1, Kind::Sent { frame: frame(2_000, &[2, 0, 9, 0, 0]) }),
        heard(2_000, 1, 0, "filtered"),
    ]);
    all.iter().for_each(|transmission| tally.add(transmission));
    let whole = tally.whole();
    assert_eq!((whole.sent, whole.acknowledgments), (2, 1));
    let with = [Fate::Whole, Fate::Filtered, Fate::Deaf].map(|fate| whole.with(fate));
    assert_eq!((with, whole.lost()), ([1, 1, 1], 1));
    assert_eq!(whole.reasons().collect::<Vec<_>>(), [(Fate::Deaf, 1)]);
    assert_eq!(tally.motes()[2].lost(), 1);
    assert_eq!(tally.links()[&(0, 1)], Link { reached: 1, heard: 1 });
    assert_eq!(tally.links()[&(0, 2)].share(), 0.0);
    assert_eq!(tally.links()[&(1, 0)].share(), 1.0);
}

#[test]
fn a_signal_in_another_channel_disturbs_only_if_it_is_much_stronger() {
    for (khz, dbm, expected) in [
        (KHZ - 5_000, -60.0, Fate::Noise),
        (KHZ - 5_000, -41.0, Fate::Noise),
        (KHZ - 5_000, -39.0, Fate::Collision),
        (KHZ - 999, -60.0, Fate::Collision),
    ] {
        let end = Time::from_us(500 + LENGTH);
        let beside = Kind::Arrives { sender: 1, khz, dbm, end, meets: Meets::Elsewhere };
        let all = log(vec![
            arrives(100, 0, 2, -60.0, Meets::Listens),
            event(500, 2, beside),
            sent(100, 0),
            heard(100, 0, 2, "corrupted"),
        ]);
        assert_eq!(all[0].arrivals[0].fate, expected, "{dbm} dBm at {khz} kHz");
    }
}

#[test]
fn what_has_faded_disturbs_nothing() {
    let all = log(vec![
        arrives(100, 0, 2, -60.0, Meets::Listens),
        arrives(500, 1, 2, -60.0, Meets::Faded),
        sent(100, 0),
        sent(500, 1),
        heard(100, 0, 2, "corrupted"),
    ]);
    assert_eq!(fates(&all[0]), [(2, Fate::Noise, vec![])]);
    assert_eq!(fates(&all[1]), [(2, Fate::Faded, vec![])]);
}

#[test]
fn a_frame_that_is_too_weak_is_neither_lost_nor_on_a_way() {
    let mut tally = Tally::new(2);
    let all = log(vec![arrives(100, 0, 1, -105.0, Meets::TooWeak), sent(100, 0)]);
    all.iter().for_each(|transmission| tally.add(transmission));
    let counts = &tally.motes()[1];
    assert_eq!((counts.with(Fate::TooWeak), counts.lost()), (1, 0));
    assert!(tally.links().is_empty(), "{:?}", tally.links());
}

#[test]
fn a_record_has_the_counts_of_a_mote() {
    let fates = [("received", 3), ("filtered", 2), ("overflowed", 1)];
    let mut events = Vec::new();
    for (fate, count) in fates {
        for _ in 0..count {
            let begin = 2_000 * (1 + events.len() as u64);
            events.push(arrives(begin, 0, 1, -60.0, Meets::Listens));
            events.extend([sent(begin, 0), heard(begin, 0, 1, fate)]);
        }
    }
    let mut tally = Tally::new(2);
    log(events).iter().for_each(|transmission| tally.add(transmission));
    let record =
        |mote: usize| serde_json::to_value(Record::from(&tally.motes()[mote])).expect("JSON");
    let expected = serde_json::json!({
        "kind": "air", "sent": 0, "acknowledgments": 0, "received": 3, "filtered": 2, "too_weak": 0,
        "lost": { "overflowed": 1 },
    });
    assert_eq!((record(1), record(0)["sent"].as_u64()), (expected, Some(6)));
}

#[test]
fn addresses_from_which_several_motes_send_are_known() {
    let from = |address: u8, begin: u64, sender: u32| {
        let bytes = [0x41, 0x88, 7, 0x22, 0, 0xFF, 0xFF, address, 1];
        event(begin + LENGTH, sender, Kind::Sent { frame: frame(begin, &bytes) })
    };
    let mut tally = Tally::new(3);
    let all = log(vec![from(5, 100, 0), from(6, 2_000, 1), from(5, 4_000, 2), from(6, 6_000, 1)]);
    all.iter().for_each(|transmission| tally.add(transmission));
    assert_eq!(tally.shared_addresses(), [((0x22, 0x105), vec![0, 2])]);
}
