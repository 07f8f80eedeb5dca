// SPDX-License-Identifier: MIT OR Apache-2.0
//! What becomes of packets in a network: how many come, how long they take, and whether all senders have their share.

use super::motes::{seconds, visit_all};
use super::plan::Title;
use super::{BenchError, Nobody, OnWork, Reading, Rig};
use lichen_board::Board;
use lichen_chip::Time;
use lichen_image::Image;
use lichen_world::{Action, MoteId, Script, Space, Topology, World};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What becomes of packets in a network.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Traffic {
    /// The figure that it is a value of.
    pub id: Option<String>,
    /// A text, if it is printed beside the figure before it.
    pub beside: Option<String>,
    /// The boards that it is measured on, if not all of the plan.
    pub boards: Option<Vec<String>>,
    /// What follows the names of the programs, with `_`: all of it is measured with each.
    pub forms: Vec<String>,
    /// The motes, in the order of their places.
    pub motes: Vec<Motes>,
    /// How they are placed; without it, they all hear each other.
    pub topology: Option<String>,
    /// Simulated seconds in which packets are sent that count.
    pub seconds: f64,
    /// When a mote has no power.
    pub cut: Option<Cut>,
}

/// Motes that run a program.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Motes {
    /// Its name without the form.
    pub program: String,
    /// How many they are.
    pub count: u32,
}

/// A time without power.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cut {
    /// Number of the mote.
    pub mote: u32,
    /// When it begins, in seconds.
    pub from: f64,
    /// When it ends, in seconds.
    pub until: f64,
}

/// Seed of what a radio makes of weak signals.
const SEED: u64 = 1;
/// After the packets that count, others go on being sent for a while: what is on its way then still comes.
const REST: Time = Time::from_s(2);

/// Programs reach them when a packet is begun, has ended, or has come: the symbol, and the note that is written before.
const MARKS: [(&str, &str, What); 3] = [
    ("packet_begins", "packet_begun", What::Begins),
    ("packet_ends", "packet_ended", What::Ends),
    ("packet_comes", "packet_come", What::Comes),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Begins,
    Ends,
    Comes,
}

/// What a program notes: the address of the sender, the packet's number, and the error of one that has ended.
const NOTE_BYTES: usize = 6;

/// A packet: its sender's address, and its number.
type Key = (u16, u16);

/// What became of a packet.
#[derive(Clone, Debug, Default)]
struct Packet {
    begun: Time,
    /// With which error.
    ended: Option<u16>,
    /// When it came, and to which mote, once for each.
    came: Vec<(MoteId, Time)>,
    /// How often it came to a mote that had it already.
    repeated: u32,
}

/// A program, and where it has its marks and notes.
struct Watched {
    image: Arc<Image>,
    marks: Vec<(u32, u32, What)>,
}

impl Rig<'_> {
    /// One value for each form and each program that sends.
    pub(super) fn traffic(
        &self,
        entry: &Traffic,
        on_work: OnWork,
    ) -> Result<Vec<Reading>, BenchError> {
        let mut readings = Vec::new();
        for form in &entry.forms {
            readings.extend(self.traffic_in(entry, form, on_work)?);
        }
        Ok(readings)
    }

    fn traffic_in(
        &self,
        entry: &Traffic,
        form: &str,
        on_work: OnWork,
    ) -> Result<Vec<Reading>, BenchError> {
        let mut programs = BTreeMap::new();
        let mut features = Vec::new();
        for Motes { program, .. } in &entry.motes {
            if !programs.contains_key(program.as_str()) {
                let (image, parts) = self.build(&format!("{program}_{form}"), on_work)?;
                features.extend(parts);
                programs.insert(program.as_str(), self.watched(image)?);
            }
        }
        features.sort();
        features.dedup();
        on_work(&format!("running the network ({form})"));
        let mut network = Network::new(&self.board, entry, &programs, self.placed(entry)?)?;
        network.run(seconds(entry.seconds), entry.cut.as_ref())?;
        let mut readings = Vec::new();
        for (program, group) in network.groups() {
            let many =
                if network.senders() > 1 { format!(", of a {program}") } else { String::new() };
            let title = match entry.title() {
                Some(Title::Beside(words)) => Some(Title::Beside(format!("{words}{many}, {form}"))),
                title => title,
            };
            let told = group.told();
            readings.push(self.reading(
                title,
                group.delivery(),
                "percent",
                told,
                features.clone(),
            )?);
        }
        if readings.is_empty() {
            return Err(self.wrong("no packet was begun"));
        }
        Ok(readings)
    }

    fn placed(&self, entry: &Traffic) -> Result<Topology, BenchError> {
        let topology = entry.topology.as_deref().map(str::parse::<Topology>).transpose();
        Ok(topology.map_err(|unknown| self.wrong(unknown.to_string()))?.unwrap_or(Topology::Full))
    }

    fn watched(&self, image: Image) -> Result<Watched, BenchError> {
        let symbols = image.symbols();
        let has = |(mark, ..): &&(&str, &str, What)| symbols.find(mark).is_some();
        let mut marks = Vec::new();
        for (mark, note, what) in MARKS.iter().filter(has) {
            let note =
                symbols.find(note).ok_or_else(|| self.wrong(format!("{mark}: no `{note}`")))?;
            marks.push((self.address(&image, mark)?, note.address, *what));
        }
        Ok(Watched { image: Arc::new(image), marks })
    }
}

/// A network that runs, and what its motes have noted.
struct Network<'a> {
    world: World,
    /// What each mote runs.
    motes: Vec<(&'a str, &'a Watched)>,
    packets: BTreeMap<Key, Packet>,
    /// The motes that have begun packets, by their addresses.
    senders: BTreeMap<u16, MoteId>,
}

impl<'a> Network<'a> {
    fn new(
        board: &Board,
        entry: &'a Traffic,
        programs: &'a BTreeMap<&'a str, Watched>,
        topology: Topology,
    ) -> Result<Network<'a>, BenchError> {
        let mut world = World::new();
        let board = Arc::new(board.clone());
        let mut motes = Vec::new();
        for Motes { program, count } in &entry.motes {
            for _ in 0..*count {
                let watched = &programs[program.as_str()];
                world.add(Arc::clone(&board), Arc::clone(&watched.image))?;
                motes.push((program.as_str(), watched));
            }
        }
        let layout = topology.layout(motes.len(), None, SEED);
        world.set_medium(Box::new(Space::new(layout, SEED)));
        Ok(Network { world, motes, packets: BTreeMap::new(), senders: BTreeMap::new() })
    }

    /// Packets that are begun after `length` do not count.
    fn run(&mut self, length: Time, cut: Option<&Cut>) -> Result<(), BenchError> {
        if let Some(Cut { mote, from, until }) = cut {
            let mut script = Script::default();
            for (at, on) in [(from, false), (until, true)] {
                let _ = script.append(seconds(*at), Action::Power { on });
            }
            self.world.follow(MoteId(*mote), script)?;
        }
        let addresses: Vec<(MoteId, Vec<u32>)> = (0..)
            .map(MoteId)
            .zip(&self.motes)
            .map(|(mote, (_, watched))| (mote, watched.marks.iter().map(|mark| mark.0).collect()))
            .collect();
        let (motes, packets, senders) = (&self.motes, &mut self.packets, &mut self.senders);
        let mut note = |world: &World, mote: MoteId, address: u32, time: Time| {
            let marks = &motes[mote.0 as usize].1.marks;
            let Some((_, note, what)) = marks.iter().find(|mark| mark.0 == address) else { return };
            let mut bytes = [0; NOTE_BYTES];
            if world.mote(mote).chip().peek(*note, &mut bytes).is_err() {
                return;
            }
            let word = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
            let key = (word(0), word(2));
            match what {
                What::Begins if time < length => {
                    senders.insert(key.0, mote);
                    packets.insert(key, Packet { begun: time, ..Packet::default() });
                }
                What::Begins => {}
                What::Ends => {
                    if let Some(packet) = packets.get_mut(&key) {
                        packet.ended = Some(word(4));
                    }
                }
                What::Comes => {
                    if let Some(packet) = packets.get_mut(&key) {
                        packet.comes(mote, time);
                    }
                }
            }
        };
        visit_all(&mut self.world, &addresses, length + REST, &mut Nobody, &mut note)
    }

    /// How many programs send.
    fn senders(&self) -> usize {
        self.groups().len()
    }

    /// The packets by the program of their senders.
    fn groups(&self) -> BTreeMap<&'a str, Group<'_>> {
        let mut groups: BTreeMap<&str, Group<'_>> = BTreeMap::new();
        for ((address, _), packet) in &self.packets {
            let mote = self.senders[address];
            let group = groups.entry(self.motes[mote.0 as usize].0).or_default();
            group.others = self.motes.len() - 1;
            group.by_sender.entry(mote).or_default().push(packet);
        }
        groups
    }
}

impl Packet {
    fn comes(&mut self, mote: MoteId, time: Time) {
        if self.came.iter().any(|(other, _)| *other == mote) {
            self.repeated += 1;
        } else {
            self.came.push((mote, time));
        }
    }
}

/// The packets of the motes that run a program.
#[derive(Default)]
struct Group<'a> {
    /// Motes besides a sender.
    others: usize,
    by_sender: BTreeMap<MoteId, Vec<&'a Packet>>,
}

impl Group<'_> {
    fn packets(&self) -> impl Iterator<Item = &Packet> {
        self.by_sender.values().flatten().copied()
    }

    /// So many motes a packet is for: all others, if any has reached more than one.
    fn receivers(&self) -> usize {
        if self.packets().any(|packet| packet.came.len() > 1) { self.others } else { 1 }
    }

    /// Packets that came, in percent; of those to all, of all that could.
    fn delivery(&self) -> f64 {
        let came: usize = self.packets().map(|packet| packet.came.len()).sum();
        100.0 * came as f64 / (self.packets().count() * self.receivers()) as f64
    }

    fn told(&self) -> String {
        let count =
            |is: &dyn Fn(&Packet) -> bool| self.packets().filter(|packet| is(packet)).count();
        let missing = |packet: &Packet| packet.came.is_empty();
        let repeated: u32 = self.packets().map(|packet| packet.repeated).sum();
        let mut text = format!("{} packets", self.packets().count());
        if self.receivers() == 1 {
            text += &format!(
                "; {} ended with success, {} of them did not come; {} failed, {} of them came; {} never ended; {repeated} came again",
                count(&|packet| packet.ended == Some(0)),
                count(&|packet| packet.ended == Some(0) && missing(packet)),
                count(&|packet| packet.ended.is_some_and(|error| error != 0)),
                count(&|packet| packet.ended.is_some_and(|error| error != 0) && !missing(packet)),
                count(&|packet| packet.ended.is_none()),
            );
        }
        let mut waits: Vec<f64> = self
            .packets()
            .flat_map(|packet| packet.came.iter().map(|(_, at)| (*at - packet.begun).as_s() * 1e3))
            .collect();
        waits.sort_by(f64::total_cmp);
        text +=
            &format!("; {:.1} ms, 95 % within {:.1} ms", share(&waits, 0.5), share(&waits, 0.95));
        let came: Vec<f64> = self
            .by_sender
            .values()
            .map(|packets| packets.iter().map(|packet| packet.came.len() as f64).sum())
            .collect();
        if came.len() > 1 {
            text += &format!("; fairness {:.3}, {}", fairness(&came), least_and_most(&came));
        }
        text
    }
}

/// The value below which this share of the sorted values is.
fn share(sorted: &[f64], share: f64) -> f64 {
    let at = (share * sorted.len() as f64).ceil() as usize;
    sorted.get(at.saturating_sub(1)).copied().unwrap_or(f64::NAN)
}

/// Jain's index: 1 if all have the same, 1/n if one of n has all.
fn fairness(values: &[f64]) -> f64 {
    let sum: f64 = values.iter().sum();
    let squares: f64 = values.iter().map(|value| value * value).sum();
    sum * sum / (values.len() as f64 * squares)
}

fn least_and_most(values: &[f64]) -> String {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let of_mean = |value: f64| value / mean * 100.0;
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(0.0, f64::max);
    format!("the shares are {:.0} to {:.0} % of the mean", of_mean(least), of_mean(most))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fairness_is_one_for_equal_shares_and_a_part_for_one_who_has_all() {
        assert_eq!(fairness(&[3.0, 3.0, 3.0]), 1.0);
        assert_eq!(fairness(&[0.0, 8.0, 0.0, 0.0]), 0.25);
    }

    #[test]
    fn a_share_of_sorted_values_is_below_the_value() {
        let values: Vec<f64> = (1..=20).map(f64::from).collect();
        assert_eq!((share(&values, 0.5), share(&values, 0.95)), (10.0, 19.0));
        assert_eq!(share(&[7.0], 0.95), 7.0);
    }

    #[test]
    fn a_packet_that_comes_again_is_counted_once_for_each_mote() {
        let mut packet = Packet::default();
        for (mote, ms) in [(1, 5), (1, 9), (2, 6)] {
            packet.comes(MoteId(mote), Time::from_ms(ms));
        }
        assert_eq!((packet.came.len(), packet.repeated), (2, 1));
        assert_eq!(packet.came[0].1, Time::from_ms(5));
        let group = Group { others: 2, by_sender: [(MoteId(0), vec![&packet])].into() };
        assert_eq!(group.delivery(), 100.0);
    }
}
