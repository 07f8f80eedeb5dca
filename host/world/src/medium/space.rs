// SPDX-License-Identifier: MIT OR Apache-2.0
//! Motes with places: signals become weaker with distance, by walls, and by what nobody knows.

use super::Medium;
use super::geometry::{Position, Wall};
use super::interference::{Followed, Interference};
use crate::MoteId;
use lichen_chip::Time;
use lichen_device::air::{OnAir, Passage, Transmission, philox4x32};
use lichen_trace::INTERFERENCE;
use std::collections::BTreeMap;

/// How signals become weaker on their way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Propagation {
    /// They are as strong everywhere.
    Everywhere,
    /// They are as strong within a distance of so many metres, and gone beyond.
    UnitDisk {
        /// In metres.
        range: f64,
    },
    /// Their power falls with a power of the distance, and deviates from that on each way by a number of dB that is
    /// normally distributed (T. Rappaport, "Wireless Communications", 4.9).
    LogDistance {
        /// Of the distance: 2 in free space.
        exponent: f64,
        /// Standard deviation, in dB.
        sigma: f64,
    },
    /// They reach whom a link names, and nobody else.
    Links,
}

/// Where a mote is: from each of these times on, the first of which is 0, at a place.
#[derive(Clone, Debug, PartialEq)]
pub struct Place(Vec<(Time, Position)>);

impl Place {
    /// One that does not change.
    pub fn fixed(position: Position) -> Place {
        Place(vec![(Time::ZERO, position)])
    }

    /// The same until `time`, from when on it is another. Times ascend.
    pub fn then(mut self, time: Time, position: Position) -> Place {
        self.0.push((time, position));
        self
    }

    /// Where it is: from each time on, in order.
    pub fn steps(&self) -> impl Iterator<Item = (Time, Position)> {
        self.0.iter().copied()
    }

    /// Where it is at a time.
    pub fn at(&self, time: Time) -> Position {
        let before = self.0.partition_point(|(from, _)| *from <= time);
        self.0[before.max(1) - 1].1
    }
}

/// A way from one mote to another that differs from what distance says.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// Number of the mote that sends.
    pub from: u32,
    /// Number of the mote that receives.
    pub to: u32,
    /// How much weaker the signal is when it arrives, in hundredths of a dB; as elsewhere if that is not said.
    pub loss: Option<i32>,
    /// The part of the frames that arrive; the others fade wholly.
    pub quality: f64,
    /// When it is weaker than that.
    pub fades: Vec<Fade>,
}

/// A time in which a link is weaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fade {
    /// When it begins.
    pub from: Time,
    /// When it ends.
    pub until: Time,
    /// By how much, in hundredths of a dB.
    pub loss: i32,
}

/// What is lost where distance does not matter, in hundredths of a dB.
const UNIFORM_LOSS: i32 = 6_000;
/// Signals that are weaker, in hundredths of a dBm, do not matter to anybody.
const WEAKEST: i32 = -11_000;
/// Closer than this, in metres, motes do not come to each other.
const CLOSEST: f64 = 0.1;
/// What random numbers are for.
const SHADOWING: u32 = 0x5348_4144;
const QUALITY: u32 = 0x5155_414C;

/// What is known of a space before anything happens in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// How signals become weaker.
    pub propagation: Propagation,
    /// Where each mote is.
    pub places: Vec<Place>,
    /// What is in the way.
    pub walls: Vec<Wall>,
    /// The ways that differ from what distance says.
    pub links: Vec<Link>,
    /// What else is on the air.
    pub interference: Vec<Interference>,
}

/// Motes that hear a transmission, with its power there.
type Heard = Vec<(u32, i32)>;

/// What those hear who hear a mote: with which power it sends, in which band, from where.
type Neighbours = (i32, u32, Position, Heard);

/// A space with motes.
#[derive(Clone, Debug)]
pub struct Space {
    propagation: Propagation,
    places: Vec<Place>,
    walls: Vec<Wall>,
    links: BTreeMap<(u32, u32), Link>,
    seed: u64,
    /// Whether no mote ever moves, and what each reaches then.
    is_fixed: bool,
    neighbours: Vec<Option<Neighbours>>,
    /// Who hears what is on the air: by sender, then by the number of its transmission.
    on_air: BTreeMap<(u32, u32), Heard>,
    /// What else is on the air, and how far it has been followed.
    interference: Vec<Interference>,
    followed: Vec<Followed>,
}

impl Space {
    /// A space; `seed` selects its random numbers.
    pub fn new(layout: Layout, seed: u64) -> Space {
        let Layout { propagation, places, walls, links, interference } = layout;
        let is_fixed = places.iter().all(|place| place.0.len() == 1);
        let neighbours = vec![None; places.len()];
        let links = links.into_iter().map(|link| ((link.from, link.to), link)).collect();
        Space {
            propagation,
            places,
            walls,
            links,
            seed,
            is_fixed,
            neighbours,
            on_air: BTreeMap::new(),
            followed: vec![Followed::default(); interference.len()],
            interference,
        }
    }

    /// Where a mote is.
    pub fn position(&self, mote: u32, time: Time) -> Position {
        self.places[mote as usize].at(time)
    }

    /// Its walls.
    pub fn walls(&self) -> &[Wall] {
        &self.walls
    }

    /// How much weaker a signal of this frequency is at `to`, in hundredths of a dB; none if it does not arrive.
    pub fn loss(&self, from: u32, to: u32, khz: u32, time: Time) -> Option<i32> {
        let link = self.links.get(&(from, to));
        let known = link.and_then(|link| link.loss);
        let loss = known.or_else(|| self.loss_by_distance(from, to, khz, time))?;
        let fades = link.into_iter().flat_map(|link| &link.fades);
        let fades = fades.filter(|fade| fade.from <= time && time < fade.until);
        Some(loss + fades.map(|fade| fade.loss).sum::<i32>())
    }

    fn loss_by_distance(&self, from: u32, to: u32, khz: u32, time: Time) -> Option<i32> {
        if self.propagation == Propagation::Links {
            return self.links.contains_key(&(from, to)).then_some(UNIFORM_LOSS);
        }
        self.loss_from((from, self.position(from, time)), to, khz, time)
    }

    /// The same from a place, for sender `from`, without links.
    fn loss_from(
        &self,
        (from, here): (u32, Position),
        to: u32,
        khz: u32,
        time: Time,
    ) -> Option<i32> {
        let there = self.position(to, time);
        let distance = here.distance(there);
        match self.propagation {
            Propagation::Everywhere => Some(UNIFORM_LOSS),
            Propagation::UnitDisk { range } => (distance <= range).then_some(UNIFORM_LOSS),
            Propagation::LogDistance { exponent, sigma } => {
                let falls = 10.0 * exponent * libm::log10(distance.max(CLOSEST));
                let db = loss_at_one_metre(khz) + falls + sigma * self.shadowing(from, to);
                let through = self.walls.iter().filter(|wall| wall.is_between(here, there));
                Some((100.0 * db) as i32 + through.map(|wall| wall.loss).sum::<i32>())
            }
            Propagation::Links => None,
        }
    }

    /// A normally distributed number for the way between two motes, the same in both directions (G. Box and M. Muller,
    /// 1958).
    fn shadowing(&self, one: u32, other: u32) -> f64 {
        let passage = Passage { seed: self.seed, sender: one.min(other), receiver: one.max(other) };
        let numbers = passage.random(0, 0, SHADOWING);
        let [radius, angle] = [numbers[0], numbers[1]]
            .map(|number| (f64::from(number) + 1.0) / (f64::from(u32::MAX) + 1.0));
        libm::sqrt(-2.0 * libm::log(radius)) * libm::cos(std::f64::consts::TAU * angle)
    }

    /// Who hears a signal of this power from `from`.
    fn reached(&mut self, from: u32, power: i32, khz: u32, time: Time) -> Heard {
        let here = self.position(from, time);
        if let Some((known_power, known_khz, place, heard)) = &self.neighbours[from as usize]
            && (*known_power, *known_khz, *place) == (power, khz, here)
        {
            return heard.clone();
        }
        let others = (0..self.places.len() as u32).filter(|to| *to != from);
        let heard: Heard = others
            .filter_map(|to| Some((to, power - self.loss(from, to, khz, time)?)))
            .filter(|(_, power)| *power >= WEAKEST)
            .collect();
        let fades = |link: &Link| link.from == from && !link.fades.is_empty();
        if self.is_fixed && !self.links.values().any(fades) {
            self.neighbours[from as usize] = Some((power, khz, here, heard.clone()));
        }
        heard
    }

    /// Whether transmission `number` fades wholly on a link.
    fn is_lost(&self, from: u32, to: u32, number: u32) -> bool {
        let Some(link) = self.links.get(&(from, to)).filter(|link| link.quality < 1.0) else {
            return false;
        };
        let key = [self.seed as u32 ^ QUALITY, (self.seed >> 32) as u32];
        let number = philox4x32([from, to, number, 0], key)[0];
        f64::from(number) >= link.quality * (f64::from(u32::MAX) + 1.0)
    }
}

/// What free space takes away in the first metre, in dB (H. Friis, 1946).
fn loss_at_one_metre(khz: u32) -> f64 {
    20.0 * libm::log10(f64::from(khz) / 1_000.0) - 27.55
}

impl Medium for Space {
    fn seed(&self) -> u64 {
        self.seed
    }

    fn carry(
        &mut self,
        sender: MoteId,
        time: Time,
        what: &OnAir,
        reach: &mut dyn FnMut(MoteId, i32),
    ) {
        let key = (sender.0, what.number());
        if let OnAir::Begins(transmission) = what {
            let khz = transmission.frequency_khz;
            let mut heard = self.reached(sender.0, transmission.power, khz, time);
            heard.retain(|(to, _)| !self.is_lost(sender.0, *to, transmission.number));
            self.on_air.retain(|(from, _), _| *from != sender.0);
            self.on_air.insert(key, heard);
        }
        let heard = self.on_air.get(&key).into_iter().flatten();
        heard.for_each(|(mote, power)| reach(MoteId(*mote), *power));
    }

    fn fades(
        &mut self,
        sender: MoteId,
        time: Time,
        transmission: &Transmission,
        lost: &mut dyn FnMut(MoteId, i32),
    ) {
        let bad = |link: &Link| link.from == sender.0 && link.quality < 1.0;
        if !self.links.values().any(bad) {
            return;
        }
        let khz = transmission.frequency_khz;
        for (to, power) in self.reached(sender.0, transmission.power, khz, time) {
            if self.is_lost(sender.0, to, transmission.number) {
                lost(MoteId(to), power);
            }
        }
    }

    fn interfere(&mut self, until: Time, reach: &mut dyn FnMut(u32, &Transmission, MoteId, i32)) {
        loop {
            let recordings = self.interference.iter().zip(&self.followed).enumerate();
            let due = recordings.map(|(index, (it, followed))| (it.due(*followed), index));
            let Some((_, index)) = due.min().filter(|(time, _)| *time < until) else { return };
            let it = &self.interference[index];
            let Some(burst) = it.take(&mut self.followed[index]) else { return };
            let sender = INTERFERENCE + index as u32;
            for mote in 0..self.places.len() as u32 {
                let loss = match it.position {
                    None => Some(0),
                    Some(at) => {
                        self.loss_from((sender, at), mote, burst.frequency_khz, burst.begin)
                    }
                };
                let power = loss.map(|loss| burst.power - loss);
                if let Some(power) = power.filter(|power| *power >= WEAKEST) {
                    reach(sender, &burst, MoteId(mote), power);
                }
            }
        }
    }

    fn save(&self) -> Vec<u8> {
        borsh::to_vec(&(&self.on_air, &self.followed)).expect("memory takes all")
    }

    fn load(&mut self, saved: &[u8]) -> bool {
        let loaded = borsh::from_slice(saved);
        let loaded = loaded.map(|loaded| (self.on_air, self.followed) = loaded);
        loaded.is_ok() && self.followed.len() == self.interference.len()
    }
}

#[cfg(test)]
mod tests;
