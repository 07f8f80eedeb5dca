// SPDX-License-Identifier: MIT OR Apache-2.0
//! Motes with places: signals become weaker with distance, by walls, and by what nobody knows.

use super::Medium;
use super::cells::Cells;
use super::geometry::{Position, Wall};
use super::interference::{Followed, Interference};
use crate::MoteId;
use lichen_chip::Time;
use lichen_device::air::{OnAir, Passage, Transmission, philox4x32};
use lichen_trace::INTERFERENCE;
use std::collections::BTreeMap;
use std::sync::Arc;

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

    /// Where it is at first.
    pub(super) fn first(&self) -> Position {
        self.0[0].1
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

impl Link {
    /// Whether frames fade on it.
    fn is_bad(&self) -> bool {
        self.quality < 1.0
    }
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
/// A frequency and a power that are usual: the band of 2.4 GHz, and 0 dBm.
const USUAL_KHZ: u32 = 2_450_000;
const USUAL_POWER: i32 = 0;
/// No number of [`Space::shadowing`] is larger: it is made of 32 random bits.
const MOST_SHADOWING: f64 = 6.67;
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

/// Motes that hear a transmission, in their order, with its power there.
type Heard = Arc<[(u32, i32)]>;

/// On what it depends who hears a mote: the power with which it sends, the frequency in kHz, and how many moves are done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sent {
    power: i32,
    khz: u32,
    moves: usize,
}

/// A space with motes.
#[derive(Clone, Debug)]
pub struct Space {
    propagation: Propagation,
    places: Vec<Place>,
    cells: Cells,
    walls: Vec<Wall>,
    links: BTreeMap<(u32, u32), Link>,
    seed: u64,
    /// For each mote, who hears it. What has links that fade is not kept.
    neighbours: Vec<Option<(Sent, Heard)>>,
    /// For each mote, the number of its last transmission, and who hears that.
    on_air: Vec<Option<(u32, Heard)>>,
    /// What else is on the air, and how far it has been followed.
    interference: Vec<Interference>,
    followed: Vec<Followed>,
}

impl Space {
    /// A space; `seed` selects its random numbers.
    pub fn new(layout: Layout, seed: u64) -> Space {
        let Layout { propagation, places, walls, links, interference } = layout;
        let side = reach(propagation, &walls, USUAL_POWER, USUAL_KHZ);
        Space {
            propagation,
            cells: Cells::new(&places, side),
            neighbours: vec![None; places.len()],
            on_air: vec![None; places.len()],
            places,
            walls,
            links: links.into_iter().map(|link| ((link.from, link.to), link)).collect(),
            seed,
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
                let through = through.map(|wall| wall.loss).sum::<i32>();
                Some(((100.0 * db) as i32).saturating_add(through))
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
        self.cells.go_to(time, &self.places);
        let sent = Sent { power, khz, moves: self.cells.moves_done() };
        if let Some((known, heard)) = &self.neighbours[from as usize]
            && *known == sent
        {
            return Arc::clone(heard);
        }
        let mut motes = self.near(self.position(from, time), power, khz);
        motes.extend(self.links_of(from).map(|link| link.to));
        motes.sort_unstable();
        motes.dedup();
        let others = motes.into_iter().filter(|to| *to != from && self.has(*to));
        let powers = others.filter_map(|to| Some((to, power - self.loss(from, to, khz, time)?)));
        let heard: Heard = powers.filter(|(_, power)| *power >= WEAKEST).collect();
        if self.links_of(from).all(|link| link.fades.is_empty()) {
            self.neighbours[from as usize] = Some((sent, Arc::clone(&heard)));
        }
        heard
    }

    /// The motes that hear a signal from a place, and others around them, in any order; each once.
    fn near(&self, place: Position, power: i32, khz: u32) -> Vec<u32> {
        let mut motes = Vec::new();
        let reach = reach(self.propagation, &self.walls, power, khz);
        self.cells.around(place, reach, |mote| motes.push(mote));
        motes
    }

    /// The links from a mote, in the order of those they lead to.
    fn links_of(&self, from: u32) -> impl Iterator<Item = &Link> {
        self.links.range((from, 0)..=(from, u32::MAX)).map(|(_, link)| link)
    }

    fn has(&self, mote: u32) -> bool {
        (mote as usize) < self.places.len()
    }

    /// Whether transmission `number` fades wholly on a link.
    fn is_lost(&self, from: u32, to: u32, number: u32) -> bool {
        let Some(link) = self.links.get(&(from, to)).filter(|link| link.is_bad()) else {
            return false;
        };
        let key = [self.seed as u32 ^ QUALITY, (self.seed >> 32) as u32];
        let number = philox4x32([from, to, number, 0], key)[0];
        f64::from(number) >= link.quality * (f64::from(u32::MAX) + 1.0)
    }
}

/// How far a signal reaches at most, in metres, without links: below 0 if nowhere.
fn reach(propagation: Propagation, walls: &[Wall], power: i32, khz: u32) -> f64 {
    match propagation {
        Propagation::Everywhere => f64::INFINITY,
        // A distance that is rounded may be shorter than it is.
        Propagation::UnitDisk { range } => range * (1.0 + 1e-9),
        Propagation::LogDistance { exponent, sigma } if exponent > 0.0 => {
            let gain: i32 = walls.iter().map(|wall| wall.loss.min(0)).sum();
            let most = f64::from(power) - f64::from(WEAKEST) - f64::from(gain) + 1.0;
            let db = most / 100.0 - loss_at_one_metre(khz) + sigma.abs() * MOST_SHADOWING;
            libm::exp10(db / (10.0 * exponent)) * (1.0 + 1e-9)
        }
        Propagation::LogDistance { .. } => f64::INFINITY,
        Propagation::Links => -1.0,
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
        if let OnAir::Begins(Transmission { number, power, frequency_khz, .. }) = what {
            let mut heard = self.reached(sender.0, *power, *frequency_khz, time);
            if self.links_of(sender.0).any(Link::is_bad) {
                let kept = heard.iter().filter(|(to, _)| !self.is_lost(sender.0, *to, *number));
                heard = kept.copied().collect();
            }
            self.on_air[sender.0 as usize] = Some((*number, heard));
        }
        if let Some(Some((number, heard))) = self.on_air.get(sender.0 as usize)
            && *number == what.number()
        {
            heard.iter().for_each(|(mote, power)| reach(MoteId(*mote), *power));
        }
    }

    fn fades(
        &mut self,
        sender: MoteId,
        time: Time,
        transmission: &Transmission,
        lost: &mut dyn FnMut(MoteId, i32),
    ) {
        if !self.links_of(sender.0).any(Link::is_bad) {
            return;
        }
        let khz = transmission.frequency_khz;
        for (to, power) in self.reached(sender.0, transmission.power, khz, time).iter() {
            if self.is_lost(sender.0, *to, transmission.number) {
                lost(MoteId(*to), *power);
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
            let khz = burst.frequency_khz;
            self.cells.go_to(burst.begin, &self.places);
            let mut motes = match it.position {
                None => (0..self.places.len() as u32).collect(),
                Some(at) => self.near(at, burst.power, khz),
            };
            motes.sort_unstable();
            for mote in motes {
                let loss = match it.position {
                    None => Some(0),
                    Some(at) => self.loss_from((sender, at), mote, khz, burst.begin),
                };
                let power = loss.map(|loss| burst.power - loss);
                if let Some(power) = power.filter(|power| *power >= WEAKEST) {
                    reach(sender, &burst, MoteId(mote), power);
                }
            }
        }
    }

    fn save(&self) -> Vec<u8> {
        let sent = (0u32..).zip(&self.on_air).filter_map(|(sender, sent)| {
            sent.as_ref().map(|(number, heard)| ((sender, *number), heard))
        });
        borsh::to_vec(&(sent.collect::<Vec<_>>(), &self.followed)).expect("memory takes all")
    }

    fn load(&mut self, saved: &[u8]) -> bool {
        type Saved = (Vec<((u32, u32), Heard)>, Vec<Followed>);
        let Ok((sent, followed)) = borsh::from_slice::<Saved>(saved) else { return false };
        let is_own = followed.len() == self.interference.len()
            && sent.iter().all(|((sender, _), _)| self.has(*sender));
        if is_own {
            self.on_air.fill(None);
            for ((sender, number), heard) in sent {
                self.on_air[sender as usize] = Some((number, heard));
            }
            self.followed = followed;
        }
        is_own
    }
}

#[cfg(test)]
mod tests;
