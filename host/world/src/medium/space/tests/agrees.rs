// SPDX-License-Identifier: MIT OR Apache-2.0
//! Worlds that are made up: who is reached, and how strong, is what a look at every mote says.

use super::*;

/// Radios: a frequency in kHz and a power in hundredths of a dBm.
const RADIOS: [(u32, i32); 4] =
    [(868_000, 500), (2_405_000, 0), (2_480_000, -1_700), (433_000, 1_000)];

/// Numbers that repeat.
struct Random {
    seed: u32,
    taken: u32,
}

impl Random {
    /// One below `end`.
    fn below(&mut self, end: u32) -> u32 {
        self.taken += 1;
        philox4x32([self.taken, 0, 0, 0], [self.seed, 0x4147_5245])[0] % end
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u32) as usize]
    }

    fn in_a_thousand(&mut self, chance: u32) -> bool {
        self.below(1_000) < chance
    }

    fn between(&mut self, least: f64, most: f64) -> f64 {
        least + (most - least) * f64::from(self.below(1 << 20)) / f64::from(1 << 20)
    }

    /// A coordinate: anywhere, at a limit of `range` or of a cell, or so far that numbers have gaps there.
    fn coordinate(&mut self, range: f64) -> f64 {
        match self.below(10) {
            0 => range * f64::from(self.below(7)) - 3.0 * range,
            1 => range * (1.0 + f64::EPSILON),
            2 => self.one_of(&[0.0, -0.0, range / 2.0, -range, f64::MIN_POSITIVE]),
            3 => self.one_of(&[1e17, -1e17, 1e150, -1e150, 9.3e18 * range, 1e9]),
            _ => self.between(-4.0 * range, 4.0 * range),
        }
    }

    fn position(&mut self, range: f64) -> Position {
        Position { x: self.coordinate(range), y: self.coordinate(range) }
    }

    fn place(&mut self, range: f64) -> Place {
        let mut place = Place::fixed(self.position(range));
        let mut time = Time::ZERO;
        while self.in_a_thousand(300) {
            time += Time::from_ms(self.below(400).into());
            place = place.then(time, self.position(range));
        }
        place
    }

    fn link(&mut self, motes: u32) -> Link {
        let loss = self.one_of(&[None, Some(0), Some(4_000), Some(11_001), Some(30_000)]);
        let from = Time::from_ms(self.below(1_000).into());
        let fade = Fade { from, until: from + Time::from_ms(200), loss: 3_000 };
        let fades = if self.in_a_thousand(200) { vec![fade] } else { Vec::new() };
        // The last one does not exist.
        let [from, to] = [motes, motes + 1].map(|end| self.below(end));
        Link { from, to, loss, quality: self.one_of(&[1.0, 1.0, 0.5, 0.0]), fades }
    }

    fn layout(&mut self) -> Layout {
        let range = self.one_of(&[10.0, 12.5, 0.1, 1_000.0]);
        let exponent = self.one_of(&[2.0, 3.0, 3.5, 6.0]);
        let propagation = self.one_of(&[
            Propagation::Everywhere,
            Propagation::UnitDisk { range },
            Propagation::UnitDisk { range },
            Propagation::LogDistance { exponent, sigma: 3.0 },
            Propagation::LogDistance { exponent, sigma: 0.0 },
            Propagation::Links,
        ]);
        let motes = 1 + self.below(50);
        let moves = self.in_a_thousand(600);
        let place = |it: &mut Random| match moves {
            true => it.place(range),
            false => Place::fixed(it.position(range)),
        };
        let mut places: Vec<Place> = (0..motes).map(|_| place(self)).collect();
        // Two at one place.
        places.extend(places.first().cloned());
        let links = (0..self.below(2 * motes)).map(|_| self.link(motes + 1)).collect();
        let walls = (0..self.below(4)).map(|_| Wall {
            from: self.position(range),
            to: self.position(range),
            loss: 800,
        });
        let walls = walls.collect();
        Layout { links, walls, ..layout(propagation, places) }
    }
}

/// A transmission of a made-up run.
#[derive(Clone, Copy, Debug)]
struct Sends {
    time: Time,
    sender: u32,
    number: u32,
    radio: (u32, i32),
}

impl Sends {
    fn what(&self) -> OnAir {
        let (khz, power) = self.radio;
        let OnAir::Begins(usual) = begins(self.number, power) else { unreachable!() };
        OnAir::Begins(Transmission { frequency_khz: khz, ..usual })
    }

    /// Who hears it, found by a look at every mote.
    fn heard_by_any(&self, space: &Space) -> Vec<(u32, i32)> {
        let Sends { time, sender, number, radio: (khz, power) } = *self;
        let others = (0..space.places.len() as u32).filter(|to| *to != sender);
        let powers = others.filter_map(|to| {
            let power = power - space.loss(sender, to, khz, time)?;
            Some((to, power)).filter(|_| power >= WEAKEST && !space.is_lost(sender, to, number))
        });
        powers.collect()
    }
}

fn run(random: &mut Random, motes: u32, count: u32) -> Vec<Sends> {
    let mut time = Time::ZERO;
    let sends = (0..count).map(|number| {
        time += Time::from_ms(random.below(30).into());
        Sends { time, sender: random.below(motes), number, radio: random.one_of(&RADIOS) }
    });
    sends.collect()
}

/// Whether each transmission is heard as by a look at every mote; what follows it is heard by whoever heard its beginning, be
/// the sender elsewhere then.
fn agrees(space: &mut Space, run: &[Sends], what: &str) {
    for sends in run {
        let expected = sends.heard_by_any(space);
        let found = heard(space, sends.sender, &sends.what(), sends.time);
        assert_eq!(found, expected, "{what}: {sends:?} {:?}", space.propagation);
        let end = sends.time + Time::from_ms(500);
        let ends = OnAir::Ends { number: sends.number, end };
        assert_eq!(heard(space, sends.sender, &ends, end), expected, "{what}: its end");
        let other = OnAir::Ends { number: sends.number + 1, end };
        assert_eq!(heard(space, sends.sender, &other, end), [], "{what}: another end");
    }
}

#[test]
fn who_is_reached_is_found_as_by_a_look_at_every_mote() {
    for seed in 0..400 {
        let mut random = Random { seed, taken: 0 };
        let layout = random.layout();
        let run = run(&mut random, layout.places.len() as u32, 40);
        let mut space = Space::new(layout.clone(), seed.into());
        let (first, second) = run.split_at(20);
        agrees(&mut space, first, &format!("{seed}"));
        let saved = space.save();
        agrees(&mut space, second, &format!("{seed}, continued"));
        let ended = space.save();
        assert!(space.load(&saved));
        assert_eq!(space.save(), saved);
        agrees(&mut space, second, &format!("{seed}, back"));
        let mut fresh = Space::new(layout, seed.into());
        assert!(fresh.load(&saved));
        agrees(&mut fresh, second, &format!("{seed}, loaded"));
        assert_eq!((fresh.save(), space.save()), (ended.clone(), ended));
    }
}

#[test]
fn bursts_reach_whom_a_look_at_every_mote_finds() {
    for seed in 0..200 {
        let mut random = Random { seed, taken: 0 };
        let made = random.layout();
        let burst = |it: &mut Random, ms| {
            let (khz, power) = it.one_of(&RADIOS);
            Burst { time: Time::from_ms(ms), duration: Time::from_ms(1), khz, power }
        };
        let bursts = (0..20).map(|ms| burst(&mut random, 40 * ms)).collect();
        let position = random.in_a_thousand(700).then(|| random.position(10.0));
        let from = Time::ZERO;
        let recording = Interference { bursts, from, repeat: None, position };
        let mut space =
            Space::new(Layout { interference: vec![recording.clone()], ..made }, seed.into());
        let mut found = Vec::new();
        space.interfere(Time::from_s(1), &mut |_, burst, mote, power| {
            found.push((burst.number, mote.0, power));
        });
        let mut expected = Vec::new();
        for (number, burst) in (0..).zip(&*recording.bursts) {
            for mote in 0..space.places.len() as u32 {
                let loss = match position {
                    None => Some(0),
                    Some(at) => space.loss_from((INTERFERENCE, at), mote, burst.khz, burst.time),
                };
                let power = loss.map(|loss| burst.power - loss);
                expected.extend(power.filter(|it| *it >= WEAKEST).map(|it| (number, mote, it)));
            }
        }
        assert_eq!(found, expected, "{seed} {:?}", space.propagation);
    }
}

#[test]
fn ten_thousand_motes_are_reached_as_few_are() {
    for topology in [Topology::Grid, Topology::Line, Topology::Random] {
        let mut space = Space::new(topology.layout(10_000, None, 7), 7);
        let mut random = Random { seed: 7, taken: 0 };
        let sends = run(&mut random, 10_000, 40);
        agrees(&mut space, &sends, topology.name());
    }
}

#[test]
fn a_state_of_another_space_is_refused() {
    let mut small = open(Propagation::Everywhere, vec![at(0.0, 0.0); 2], 1);
    let mut large = open(Propagation::Everywhere, vec![at(0.0, 0.0); 3], 1);
    heard(&mut large, 2, &begins(0, 0), Time::ZERO);
    heard(&mut small, 1, &begins(4, 0), Time::ZERO);
    let before = small.save();
    assert!(!small.load(&large.save()) && !small.load(&[1, 2]));
    assert_eq!(small.save(), before);
}
