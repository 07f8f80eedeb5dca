// SPDX-License-Identifier: MIT OR Apache-2.0
//! The log of the air: every transmission, and what became of it at each mote that it reached.
//!
//! It is made of what motes report: what arrives ([`Kind::Arrives`]), what was sent, and what was heard. A frame is heard
//! if it arrived whole, and the radio took it or left it to another mote. Another one is lost for the reason that its
//! arrival tells, or because something else was on the air. Nothing reaches a mote without power.

use super::Fate;
use crate::{Event, Frame, INTERFERENCE, Kind, Meets};
use borsh::{BorshDeserialize, BorshSerialize};
use lichen_chip::Time;
use std::collections::BTreeSet;

/// A radio tells what it has heard so long after its end, at most: a radio of bytes when it has sampled some more.
const LATEST: Time = Time::from_ms(10);
/// A transmission of which nobody tells that it has ended is forgotten after this time.
const FORGOTTEN: Time = Time::from_s(10);
/// So many transmissions are kept without looking what can be forgotten.
const CROWD: usize = 64;
/// A signal disturbs another one unless it is so much weaker, in dB.
const HARMLESS_DB: f64 = 10.0;
/// Channels that are less than this apart are one, in kHz; a signal in another one is weakened by so much, in dB.
const ONE_CHANNEL_KHZ: u32 = 1_000;
const SELECTIVITY_DB: f64 = 30.0;

/// A frame that was sent, and what became of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Transmission {
    /// Number of the mote that has sent it.
    pub sender: u32,
    /// When its first symbol began.
    pub begin: Time,
    /// When its last one had ended.
    pub end: Time,
    /// The frame.
    pub frame: Frame,
    /// What became of it at the motes that it reached, in the order of their numbers.
    pub arrivals: Vec<Arrival>,
}

/// What became of a frame at a mote.
#[derive(Clone, Debug, PartialEq)]
pub struct Arrival {
    /// The mote.
    pub mote: u32,
    /// Power at which it arrived.
    pub dbm: f64,
    /// What became of it.
    pub fate: Fate,
    /// If that is a collision: the senders of what it collided with, in the order of their numbers.
    pub with: Vec<u32>,
    /// Of that, from when to when each burst of interference lasted.
    pub bursts: Vec<(Time, Time)>,
}

/// A transmission under way, or one that others may still collide with.
#[derive(Clone, Debug, BorshSerialize, BorshDeserialize)]
struct Open {
    sender: u32,
    khz: u32,
    begin: Time,
    end: Time,
    frame: Option<Frame>,
    reached: Vec<Reached>,
    is_reported: bool,
}

#[derive(Clone, Debug, BorshSerialize, BorshDeserialize)]
struct Reached {
    mote: u32,
    dbm: f64,
    meets: Meets,
    /// What the radio made of it.
    heard: Option<Fate>,
}

/// The log under way.
#[derive(Clone, Debug, Default, BorshSerialize, BorshDeserialize)]
pub struct Log {
    /// In the order of their beginnings.
    open: Vec<Open>,
    /// When the next one is complete.
    next: Option<Time>,
    /// From so many on it is looked what can be forgotten.
    crowded: usize,
    /// Motes without power, which nothing reaches.
    off: BTreeSet<u32>,
}

impl Reached {
    /// Whether a radio may still report what it made of it.
    fn is_open(&self) -> bool {
        self.heard.is_none() && matches!(self.meets, Meets::Listens | Meets::Busy)
    }
}

impl Log {
    /// A log that begins while these motes have no power.
    pub fn begun(off: impl IntoIterator<Item = u32>) -> Log {
        Log { off: off.into_iter().collect(), ..Log::default() }
    }

    /// Takes an event; returns the transmissions that are complete now, in the order of their beginnings.
    pub fn event(&mut self, event: &Event) -> Vec<Transmission> {
        let (time, mote) = (event.time, event.mote);
        let complete = self.advance(time);
        match &event.kind {
            Kind::Power { on: true } => drop(self.off.remove(&mote)),
            Kind::Power { on: false } => drop(self.off.insert(mote)),
            Kind::Arrives { .. } if self.off.contains(&mote) => {}
            Kind::Arrives { sender, khz, dbm, end, meets } => {
                let reached = Reached { mote, dbm: *dbm, meets: *meets, heard: None };
                self.arrives((*sender, *khz), (time, *end), reached);
            }
            Kind::Sent { frame } => self.sent(mote, frame, time),
            Kind::Heard { sender, fate, whole, frame, .. } => {
                self.heard((*sender, mote), frame.start, Fate::of(fate, *whole));
            }
            _ => {}
        }
        complete
    }

    /// Time has come to `now`, without an event.
    pub fn advance(&mut self, now: Time) -> Vec<Transmission> {
        match self.next.is_some_and(|next| next <= now) {
            true => self.complete(now),
            false => Vec::new(),
        }
    }

    /// When the first transmission has ended that is not complete, if there is one: it is known later what became of it.
    pub fn awaited(&self) -> Option<Time> {
        self.next.map(|next| next - LATEST)
    }

    /// Ends the log: returns what was sent by `now`. Of a frame that has just ended, it is left out at which motes their
    /// radios could still report it.
    pub fn finish(&mut self, now: Time) -> Vec<Transmission> {
        self.take(Time::NEVER, now)
    }

    fn arrives(&mut self, (sender, khz): (u32, u32), (begin, end): (Time, Time), reached: Reached) {
        let of_sender = self.open.iter_mut().rev().find(|open| open.sender == sender);
        match of_sender {
            Some(open) if open.begin == begin => return open.reached.push(reached),
            // What was begun before has ended by now.
            Some(open) => open.end = open.end.min(begin),
            None => {}
        }
        let reached = vec![reached];
        // Interference is not reported; it only collides.
        let is_reported = sender >= INTERFERENCE;
        self.open.push(Open { sender, khz, begin, end, frame: None, reached, is_reported });
        if self.open.len() >= self.crowded.max(CROWD) {
            self.forget(begin);
            self.crowded = 2 * self.open.len();
        }
    }

    fn sent(&mut self, sender: u32, frame: &Frame, end: Time) {
        let mut before = self.open.iter_mut().rev().filter(|open| open.sender == sender);
        let begun = before.find(|open| open.frame.is_none() && open.begin <= frame.start);
        let open = match begun {
            Some(open) => open,
            // It reached nobody.
            None => {
                let (khz, begin) = (frame.khz, frame.start);
                let reached = Vec::new();
                let open =
                    Open { sender, khz, begin, end, frame: None, reached, is_reported: false };
                let at = self.open.partition_point(|other| other.begin <= begin);
                self.open.insert(at, open);
                &mut self.open[at]
            }
        };
        (open.frame, open.end) = (Some(frame.clone()), end);
        self.next = Some(self.next.map_or(end + LATEST, |next| next.min(end + LATEST)));
    }

    fn heard(&mut self, (sender, mote): (u32, u32), start: Time, fate: Fate) {
        let of_sender = self.open.iter_mut().rev().filter(|open| open.sender == sender);
        let mut begun = of_sender.filter(|open| open.begin <= start && start <= open.end);
        let reached = begun.next().map(|open| &mut open.reached);
        let mut reached = reached.into_iter().flatten();
        if let Some(reached) = reached.find(|reached| reached.mote == mote) {
            reached.heard.get_or_insert(fate);
        }
    }

    /// Takes out what is complete at `now`.
    fn complete(&mut self, now: Time) -> Vec<Transmission> {
        self.take(now, now)
    }

    /// Takes out what will be complete at `until`, as far as it is known `now`.
    fn take(&mut self, until: Time, now: Time) -> Vec<Transmission> {
        let is_due =
            |open: &Open| !open.is_reported && (until == Time::NEVER || open.end + LATEST <= until);
        let due = (0..self.open.len()).filter(|at| is_due(&self.open[*at]));
        let due: Vec<usize> = due.filter(|at| self.open[*at].frame.is_some()).collect();
        let complete =
            due.iter().filter_map(|at| self.transmission(&self.open[*at], now)).collect();
        due.iter().for_each(|at| self.open[*at].is_reported = true);
        self.forget(until);
        let ends = self.open.iter().filter(|open| !open.is_reported && open.frame.is_some());
        self.next = ends.map(|open| open.end + LATEST).min();
        complete
    }

    /// Forgets what nothing can collide with any more.
    fn forget(&mut self, now: Time) {
        let is_under_way = |open: &Open| {
            let since = now.units().saturating_sub(open.begin.units());
            !open.is_reported && (open.frame.is_some() || since < FORGOTTEN.units())
        };
        let earliest = self.open.iter().filter(|open| is_under_way(open)).map(|open| open.begin);
        let earliest = earliest.min().unwrap_or(now);
        self.open.retain(|open| is_under_way(open) || open.is_reported && open.end > earliest);
    }

    fn transmission(&self, open: &Open, now: Time) -> Option<Transmission> {
        let frame = open.frame.clone()?;
        let is_known = |reached: &&Reached| open.end + LATEST <= now || !reached.is_open();
        let known = open.reached.iter().filter(is_known);
        let mut arrivals: Vec<Arrival> = known.map(|reached| self.arrival(open, reached)).collect();
        arrivals.sort_by_key(|arrival| arrival.mote);
        let Open { sender, begin, end, .. } = *open;
        Some(Transmission { sender, begin, end, frame, arrivals })
    }

    fn arrival(&self, open: &Open, reached: &Reached) -> Arrival {
        let with = |margin| self.disturbing(open, reached, margin);
        let near = || with(HARMLESS_DB);
        let disturbed = |otherwise| match near() {
            with if with.is_empty() => (otherwise, with),
            with => (Fate::Collision, with),
        };
        let (fate, with) = match (reached.heard, reached.meets) {
            (Some(Fate::Noise), _) => disturbed(Fate::Noise),
            (Some(fate), _) => (fate, Vec::new()),
            (None, Meets::Listens) => disturbed(Fate::Missed),
            // It listened to another one, however weak that was.
            (None, Meets::Busy) => (Fate::Collision, with(f64::INFINITY)),
            (None, Meets::TooWeak) => (Fate::TooWeak, Vec::new()),
            (None, Meets::Faded) => (Fate::Faded, Vec::new()),
            (None, Meets::Elsewhere) => (Fate::Elsewhere, Vec::new()),
            (None, Meets::Sends) => (Fate::Sends, Vec::new()),
            (None, Meets::Deaf) => (Fate::Deaf, Vec::new()),
        };
        let (mote, dbm) = (reached.mote, reached.dbm);
        Arrival { mote, dbm, fate, with: senders(&with), bursts: bursts(&with) }
    }

    /// Other signals at a mote while a transmission lasts that are at most so many dB weaker there.
    fn disturbing(&self, open: &Open, reached: &Reached, margin_db: f64) -> Vec<&Open> {
        let others = self.open.iter().filter(|other| {
            other.sender != open.sender && other.begin < open.end && open.begin < other.end
        });
        let strong = others.filter(|other| {
            let is_beside = other.khz.abs_diff(open.khz) >= ONE_CHANNEL_KHZ;
            let weakened = if is_beside { SELECTIVITY_DB } else { 0.0 };
            let here = other.reached.iter().find(|at| at.mote == reached.mote);
            here.is_some_and(|at| {
                at.meets != Meets::Faded && at.dbm - weakened >= reached.dbm - margin_db
            })
        });
        strong.collect()
    }
}

/// The senders of these, each once.
fn senders(opens: &[&Open]) -> Vec<u32> {
    let mut senders: Vec<u32> = opens.iter().map(|open| open.sender).collect();
    senders.sort_unstable();
    senders.dedup();
    senders
}

/// When those lasted that are interference.
fn bursts(opens: &[&Open]) -> Vec<(Time, Time)> {
    let bursts = opens.iter().filter(|open| open.sender >= INTERFERENCE);
    bursts.map(|open| (open.begin, open.end)).collect()
}
