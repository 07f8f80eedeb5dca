// SPDX-License-Identifier: MIT OR Apache-2.0
mod agrees;

use super::*;
use crate::medium::Burst;
use crate::medium::Topology;
use lichen_device::air::{Modulation, Transmission};

const KHZ: u32 = 2_450_000;

fn begins(number: u32, power: i32) -> OnAir {
    OnAir::Begins(Transmission {
        number,
        begin: Time::ZERO,
        end: Time::from_ms(1),
        frequency_khz: KHZ,
        power,
        modulation: Modulation::Oqpsk { header: 6, kbps: 250 },
        bytes: [0; 8].into(),
    })
}

fn heard(space: &mut Space, sender: u32, what: &OnAir, time: Time) -> Vec<(u32, i32)> {
    let mut heard = Vec::new();
    space.carry(MoteId(sender), time, what, &mut |mote, power| heard.push((mote.0, power)));
    heard
}

fn motes(heard: &[(u32, i32)]) -> Vec<u32> {
    heard.iter().map(|(mote, _)| *mote).collect()
}

fn at(x: f64, y: f64) -> Place {
    Place::fixed(Position { x, y })
}

/// A layout without walls, links and interference.
fn layout(propagation: Propagation, places: Vec<Place>) -> Layout {
    let (walls, links, interference) = (Vec::new(), Vec::new(), Vec::new());
    Layout { propagation, places, walls, links, interference }
}

/// A space without walls and links.
fn open(propagation: Propagation, places: Vec<Place>, seed: u64) -> Space {
    Space::new(layout(propagation, places), seed)
}

fn link(from: u32, to: u32) -> Link {
    Link { from, to, loss: None, quality: 1.0, fades: Vec::new() }
}

#[test]
fn power_falls_with_distance() {
    let propagation = Propagation::LogDistance { exponent: 3.0, sigma: 0.0 };
    let places = vec![at(0.0, 0.0), at(1.0, 0.0), at(10.0, 0.0), at(0.0, 100.0), at(1e4, 0.0)];
    let mut space = open(propagation, places, 1);
    // 40.2 dB in the first metre at 2.45 GHz.
    let heard = heard(&mut space, 0, &begins(0, 0), Time::ZERO);
    assert_eq!(motes(&heard), [1, 2, 3]);
    for ((_, power), expected) in heard.iter().zip([-4_023, -7_023, -10_023]) {
        assert!((power - expected).abs() <= 1, "{power}");
    }
}

#[test]
fn shadowing_is_normal_and_the_same_both_ways() {
    let propagation = Propagation::LogDistance { exponent: 2.0, sigma: 3.0 };
    let places = vec![at(0.0, 0.0); 60];
    let space = open(propagation, places, 5);
    let mut deviations = Vec::new();
    for one in 0..60 {
        for other in 0..one {
            assert_eq!(
                space.loss(one, other, KHZ, Time::ZERO),
                space.loss(other, one, KHZ, Time::ZERO)
            );
            deviations.push(space.shadowing(one, other));
        }
    }
    let count = deviations.len() as f64;
    let mean = deviations.iter().sum::<f64>() / count;
    let variance = deviations.iter().map(|it| (it - mean) * (it - mean)).sum::<f64>() / count;
    assert!(mean.abs() < 0.06 && (variance - 1.0).abs() < 0.1, "{mean}, {variance}");
    let beyond = deviations.iter().filter(|it| it.abs() > 2.0).count() as f64 / count;
    assert!((0.03..0.06).contains(&beyond), "{beyond}");
}

#[test]
fn walls_take_something_away() {
    let propagation = Propagation::LogDistance { exponent: 2.0, sigma: 0.0 };
    let [from, to] = [Position { x: 5.0, y: -5.0 }, Position { x: 5.0, y: 5.0 }];
    let wall = Wall { from, to, loss: 700 };
    let places = vec![at(0.0, 0.0), at(10.0, 0.0), at(-10.0, 0.0)];
    let space = Space::new(Layout { walls: vec![wall], ..layout(propagation, places) }, 1);
    let [through, beside] = [1, 2].map(|to| space.loss(0, to, KHZ, Time::ZERO).expect("a loss"));
    assert_eq!(through - beside, 700);
}

#[test]
fn motes_move() {
    let moves = at(0.0, 0.0).then(Time::from_s(10), Position { x: 50.0, y: 0.0 });
    let propagation = Propagation::UnitDisk { range: 5.0 };
    let mut space = open(propagation, vec![at(1.0, 0.0), moves, at(52.0, 0.0)], 1);
    assert_eq!(motes(&heard(&mut space, 1, &begins(0, 0), Time::from_s(9))), [0]);
    assert_eq!(motes(&heard(&mut space, 1, &begins(1, 0), Time::from_s(10))), [2]);
    assert_eq!(motes(&heard(&mut space, 0, &begins(0, 0), Time::from_s(11))), [0; 0]);
}

#[test]
fn who_hears_the_beginning_hears_the_rest() {
    let mut space = Space::new(Topology::Line.layout(4, None, 1), 1);
    assert_eq!(motes(&heard(&mut space, 1, &begins(7, 0), Time::ZERO)), [0, 2]);
    let ends = OnAir::Ends { number: 7, end: Time::from_us(5) };
    let saved = space.save();
    assert_eq!(motes(&heard(&mut space, 1, &ends, Time::ZERO)), [0, 2]);
    let mut other = Space::new(Topology::Line.layout(4, None, 1), 1);
    assert!(other.load(&saved));
    assert_eq!(motes(&heard(&mut other, 1, &ends, Time::ZERO)), [0, 2]);
    let unknown = OnAir::Ends { number: 3, end: Time::from_us(5) };
    assert_eq!(motes(&heard(&mut space, 1, &unknown, Time::ZERO)), [0; 0]);
}

#[test]
fn links_have_losses_qualities_and_fades() {
    let fade = Fade { from: Time::from_s(1), until: Time::from_s(2), loss: 10_000 };
    let links = vec![
        Link { loss: Some(7_000), fades: vec![fade], ..link(0, 1) },
        Link { quality: 0.7, ..link(0, 2) },
    ];
    let mut space =
        Space::new(Layout { links, ..layout(Propagation::Links, vec![at(0.0, 0.0); 4]) }, 1);
    let mut arrived = 0;
    for number in 0..2_000 {
        let heard = heard(&mut space, 0, &begins(number, 0), Time::ZERO);
        assert_eq!(heard[0], (1, -7_000));
        arrived += heard.len() - 1;
    }
    assert!((1_340..1_460).contains(&arrived), "{arrived}");
    let during = heard(&mut space, 0, &begins(2_001, 0), Time::from_ms(1_500));
    assert!(!motes(&during).contains(&1));
    assert!(motes(&heard(&mut space, 0, &begins(2_002, 0), Time::from_s(2))).contains(&1));
    assert_eq!(motes(&heard(&mut space, 1, &begins(0, 0), Time::ZERO)), [0; 0], "one way");
}

#[test]
fn topologies_have_their_neighbours() {
    let neighbours = |topology: Topology, motes_: usize, mote: u32| {
        motes(&heard(
            &mut Space::new(topology.layout(motes_, None, 1), 1),
            mote,
            &begins(0, 0),
            Time::ZERO,
        ))
    };
    assert_eq!(neighbours(Topology::Full, 4, 2), [0, 1, 3]);
    assert_eq!(neighbours(Topology::Line, 4, 0), [1]);
    assert_eq!(neighbours(Topology::Grid, 9, 4), [0, 1, 2, 3, 5, 6, 7, 8]);
    assert_eq!(neighbours(Topology::Grid, 9, 0), [1, 3, 4]);
    for topology in [Topology::Random, Topology::Office] {
        let hears = neighbours(topology, 40, 0).len();
        assert!((2..39).contains(&hears), "{topology:?}: {hears} motes");
    }
    let spaced = Topology::NAMES.map(|(_, topology)| topology.without_spacing().is_none());
    assert_eq!(spaced, [false, true, true, true, false]);
    assert_eq!("grid".parse(), Ok(Topology::Grid));
    let wrong = "ring".parse::<Topology>().expect_err("none").to_string();
    assert_eq!(wrong, "there is no topology `ring`; there are full, line, grid, random, office");
}

/// What interference reaches before a time in milliseconds: sender, when in microseconds, mote, power.
fn disturbed(space: &mut Space, until: u64) -> Vec<(u32, u64, u32, i32)> {
    let mut all = Vec::new();
    space.interfere(Time::from_ms(until), &mut |sender, burst, mote, power| {
        all.push((sender - INTERFERENCE, burst.begin.us(), mote.0, power));
    });
    all
}

#[test]
fn interference_reaches_all_or_those_near_its_place() {
    let burst = |ms| Burst {
        time: Time::from_ms(ms),
        duration: Time::from_us(500),
        khz: KHZ,
        power: -4_000,
    };
    let everywhere = Interference {
        bursts: [burst(0), burst(3)].into(),
        from: Time::from_ms(1),
        repeat: Some(Time::from_ms(10)),
        position: None,
    };
    let position = Some(Position { x: 0.0, y: 0.0 });
    let there = Interference { bursts: [burst(2)].into(), position, ..everywhere.clone() };
    let there = Interference { repeat: None, ..there };
    let disk = Propagation::UnitDisk { range: 5.0 };
    let places = vec![at(1.0, 0.0), at(9.0, 0.0)];
    let interference = vec![everywhere, there];
    let mut space = Space::new(Layout { interference, ..layout(disk, places) }, 1);
    let far = space.clone();
    assert_eq!(disturbed(&mut space, 3), [(0, 1_000, 0, -4_000), (0, 1_000, 1, -4_000)]);
    assert_eq!(disturbed(&mut space, 3), [], "each is told once");
    let rest = [
        (1, 3_000, 0, -10_000),
        (0, 4_000, 0, -4_000),
        (0, 4_000, 1, -4_000),
        (0, 11_000, 0, -4_000),
        (0, 11_000, 1, -4_000),
    ];
    let saved = space.save();
    assert_eq!(disturbed(&mut space, 12), rest);
    assert!(space.load(&saved));
    assert_eq!(disturbed(&mut space, 12), rest, "it goes on where it was");
    let mut other = open(disk, vec![at(0.0, 0.0)], 1);
    assert!(!other.load(&saved), "another space");
    let mut moved = far;
    moved.places[0] = at(6.0, 0.0);
    assert!(disturbed(&mut moved, 4).iter().all(|(sender, ..)| *sender == 0), "out of its range");
}

#[test]
fn a_disk_ends_at_its_range() {
    let disk = Propagation::UnitDisk { range: 5.0 };
    for (x, is_heard) in [(5.0, true), (5.0 + 1e-6, false)] {
        let mut space = open(disk, vec![at(0.0, 0.0), at(x, 0.0)], 1);
        for sender in 0..2 {
            let heard = heard(&mut space, sender, &begins(0, 0), Time::ZERO);
            assert_eq!(!heard.is_empty(), is_heard, "{sender} at {x} m");
        }
    }
}

#[test]
fn a_mote_is_heard_by_who_has_come_near() {
    let moves = at(90.0, 0.0).then(Time::from_s(10), Position { x: 1.0, y: 0.0 });
    let propagation = Propagation::UnitDisk { range: 5.0 };
    let mut space = open(propagation, vec![at(0.0, 0.0), moves], 1);
    for (number, s, expected) in [(0, 9, &[][..]), (1, 10, &[1]), (2, 11, &[1])] {
        let heard = heard(&mut space, 0, &begins(number, 0), Time::from_s(s));
        assert_eq!(motes(&heard), expected, "{s} s");
    }
}

#[test]
fn with_another_power_other_motes_are_reached() {
    let propagation = Propagation::LogDistance { exponent: 3.0, sigma: 0.0 };
    let mut space = open(propagation, vec![at(0.0, 0.0), at(10.0, 0.0), at(100.0, 0.0)], 1);
    for (number, power, reached) in [(0, 0, &[1, 2][..]), (1, -2_000, &[1]), (2, 0, &[1, 2])] {
        let heard = heard(&mut space, 0, &begins(number, power), Time::ZERO);
        assert_eq!(motes(&heard), reached, "{power}");
        assert!((heard[0].1 - (power - 7_023)).abs() <= 1, "{heard:?}");
    }
}

#[test]
fn a_frame_fades_on_each_link_by_itself() {
    let links = [(0, 1), (0, 2), (1, 0)];
    let links = links.map(|(from, to)| Link { quality: 0.5, ..link(from, to) }).to_vec();
    let places = vec![at(0.0, 0.0); 3];
    let mut space = Space::new(Layout { links, ..layout(Propagation::Links, places) }, 1);
    let (mut both, mut there_and_back) = (0, 0);
    for number in 0..2_000 {
        let there = heard(&mut space, 0, &begins(number, 0), Time::ZERO);
        let back = heard(&mut space, 1, &begins(number, 0), Time::ZERO);
        both += usize::from(there.len() == 2);
        there_and_back += usize::from(motes(&there).contains(&1) && !back.is_empty());
    }
    // A quarter, if one does not depend on the other.
    assert!((440..560).contains(&both), "{both}");
    assert!((440..560).contains(&there_and_back), "{there_and_back}");
}

#[test]
fn interference_from_a_place_reaches_a_mote_where_that_is_then() {
    let burst =
        |s| Burst { time: Time::from_s(s), duration: Time::from_us(500), khz: KHZ, power: -4_000 };
    let position = Some(Position { x: 0.0, y: 0.0 });
    let it = Interference {
        bursts: [burst(1), burst(3)].into(),
        from: Time::ZERO,
        repeat: None,
        position,
    };
    let moves = at(90.0, 0.0).then(Time::from_s(2), Position { x: 1.0, y: 0.0 });
    let disk = Propagation::UnitDisk { range: 5.0 };
    let mut space = Space::new(Layout { interference: vec![it], ..layout(disk, vec![moves]) }, 1);
    assert_eq!(disturbed(&mut space, 4_000), [(0, 3_000_000, 0, -10_000)]);
}

#[test]
fn the_ends_of_transmissions_that_overlap_reach_who_heard_their_beginnings() {
    let propagation = Propagation::UnitDisk { range: 5.0 };
    let places = vec![at(0.0, 0.0), at(4.0, 0.0), at(8.0, 0.0), at(90.0, 0.0)];
    let mut space = open(propagation, places, 1);
    let expected = [&[1][..], &[0, 2], &[1], &[]];
    for (sender, expected) in (0..).zip(expected) {
        assert_eq!(motes(&heard(&mut space, sender, &begins(5, 0), Time::ZERO)), expected);
    }
    let ends = OnAir::Ends { number: 5, end: Time::from_us(5) };
    for (sender, expected) in (0..).zip(expected) {
        assert_eq!(motes(&heard(&mut space, sender, &ends, Time::ZERO)), expected, "{sender}");
    }
}

#[test]
fn fades_that_overlap_add_up() {
    let fade =
        |from, until, loss| Fade { from: Time::from_s(from), until: Time::from_s(until), loss };
    let fades = vec![fade(1, 4, 1_000), fade(2, 3, 500)];
    let links = vec![Link { loss: Some(7_000), fades, ..link(0, 1) }];
    let places = vec![at(0.0, 0.0); 2];
    let space = Space::new(Layout { links, ..layout(Propagation::Links, places) }, 1);
    let losses = [0, 1, 2, 3, 4].map(|s| space.loss(0, 1, KHZ, Time::from_s(s)).expect("a loss"));
    assert_eq!(losses, [7_000, 8_000, 8_500, 8_000, 7_000]);
}

#[test]
fn two_walls_are_between_both_sides_of_an_office() {
    let layout = Topology::Office.layout(6, None, 1);
    let walls = layout.walls.clone();
    let open = Space::new(Layout { walls: Vec::new(), ..layout.clone() }, 1);
    let office = Space::new(layout, 1);
    // Across the corridor, where the way may lead through another room; and to the next room.
    for (one, other, least) in [(0, 1, 2), (0, 2, 1), (0, 4, 2), (1, 5, 2)] {
        let [closed, open] =
            [&office, &open].map(|space| space.loss(one, other, KHZ, Time::ZERO).expect("a loss"));
        assert!(closed - open >= 800 * least, "{one} to {other}: {walls:?}");
    }
}
