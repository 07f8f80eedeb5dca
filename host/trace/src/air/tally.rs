// SPDX-License-Identifier: MIT OR Apache-2.0
//! Counts of what was sent, and of what became of it.

use super::{Fate, Transmission};
use borsh::{BorshDeserialize, BorshSerialize};
use std::collections::BTreeMap;

/// A mote that sends less than one in so many of its frames from an address repeats those of another one.
const LEAST_SHARE: u64 = 10;

/// Frames of one mote, or of all.
#[derive(Clone, Debug, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Counts {
    /// Frames that it has sent, acknowledgments included.
    pub sent: u64,
    /// Acknowledgments among them.
    pub acknowledgments: u64,
    /// Frames that reached it, by what became of them: of [`Fate::ALL`], in that order.
    fates: [u64; Fate::ALL.len()],
}

impl Counts {
    /// How many frames that reached it had this fate.
    pub fn with(&self, fate: Fate) -> u64 {
        self.fates[fate as usize]
    }

    /// How many frames that reached it were lost ([`Fate::is_lost`]).
    pub fn lost(&self) -> u64 {
        Fate::ALL.iter().filter(|fate| fate.is_lost()).map(|fate| self.with(*fate)).sum()
    }

    /// The reasons for which frames were lost, and how many for each.
    pub fn reasons(&self) -> impl Iterator<Item = (Fate, u64)> {
        let lost = Fate::ALL.into_iter().filter(|fate| fate.is_lost());
        lost.map(|fate| (fate, self.with(fate))).filter(|(_, count)| *count > 0)
    }

    fn add(&mut self, other: &Counts) {
        self.sent += other.sent;
        self.acknowledgments += other.acknowledgments;
        self.fates.iter_mut().zip(other.fates).for_each(|(sum, count)| *sum += count);
    }
}

/// A link from one mote to another: how many frames reached the other one, strong enough to be heard, and how many of
/// them it heard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Link {
    /// Frames that reached it.
    pub reached: u64,
    /// Those that it received, or left to another mote.
    pub heard: u64,
}

impl Link {
    /// The share that was heard.
    pub fn share(self) -> f64 {
        self.heard as f64 / self.reached.max(1) as f64
    }
}

/// Counts of all motes.
#[derive(Clone, Debug, Default, BorshSerialize, BorshDeserialize)]
pub struct Tally {
    motes: Vec<Counts>,
    links: BTreeMap<(u32, u32), Link>,
    /// How many frames each mote has sent from each short address of each network.
    addresses: BTreeMap<(u16, u16), BTreeMap<u32, u64>>,
}

impl Tally {
    /// Counts for so many motes.
    pub fn new(motes: usize) -> Tally {
        Tally { motes: vec![Counts::default(); motes], ..Tally::default() }
    }

    /// Counts a transmission.
    pub fn add(&mut self, transmission: &Transmission) {
        let Transmission { sender, frame, arrivals, .. } = transmission;
        if let Some(counts) = self.motes.get_mut(*sender as usize) {
            counts.sent += 1;
            counts.acknowledgments += u64::from(frame.is_acknowledgment());
        }
        if let Some(source) = frame.source() {
            *self.addresses.entry(source).or_default().entry(*sender).or_default() += 1;
        }
        for arrival in arrivals {
            if let Some(counts) = self.motes.get_mut(arrival.mote as usize) {
                counts.fates[arrival.fate as usize] += 1;
            }
            if arrival.fate == Fate::TooWeak {
                continue;
            }
            let link = self.links.entry((*sender, arrival.mote)).or_default();
            link.reached += 1;
            link.heard += u64::from(arrival.fate.is_heard());
        }
    }

    /// The counts of each mote, in the order of their numbers.
    pub fn motes(&self) -> &[Counts] {
        &self.motes
    }

    /// The sum of all motes.
    pub fn whole(&self) -> Counts {
        let mut whole = Counts::default();
        self.motes.iter().for_each(|counts| whole.add(counts));
        whole
    }

    /// Networks and short addresses from which several motes send, with these motes in the order of their numbers. A mote
    /// that sends only few of its frames from an address is none of them: it repeats those of another one.
    pub fn shared_addresses(&self) -> Vec<((u16, u16), Vec<u32>)> {
        let mut all: BTreeMap<u32, u64> = BTreeMap::new();
        for (mote, count) in self.addresses.values().flatten() {
            *all.entry(*mote).or_default() += count;
        }
        let owners = self.addresses.iter().map(|(address, motes)| {
            let owners = motes.iter().filter(|(mote, count)| **count * LEAST_SHARE >= all[mote]);
            (*address, owners.map(|(mote, _)| *mote).collect())
        });
        owners.filter(|(_, owners): &(_, Vec<u32>)| owners.len() > 1).collect()
    }

    /// The network and the short address from which a mote has sent most, if it has sent from any.
    pub fn address(&self, mote: u32) -> Option<(u16, u16)> {
        let counts =
            self.addresses.iter().filter_map(|(address, motes)| Some((address, motes.get(&mote)?)));
        counts
            .max_by_key(|(address, count)| (*count, std::cmp::Reverse(*address)))
            .map(|(address, _)| *address)
    }

    /// The ways on which frames arrived: from, to.
    pub fn links(&self) -> &BTreeMap<(u32, u32), Link> {
        &self.links
    }
}
