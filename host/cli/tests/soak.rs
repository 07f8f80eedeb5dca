// SPDX-License-Identifier: MIT OR Apache-2.0
//! A network for weeks: no packet leaks, nothing stops, and the simulator takes no more memory.

mod common;
#[path = "common/image.rs"]
mod image;

use common::root;
use image::built;
use lichen_chip::Time;
use lichen_device::Board;
use lichen_trace::{Error, Event, Kind, Sink};
use lichen_world::{Space, Topology, World};
use std::collections::BTreeMap;

const PROGRAM: &str = "host/cli/tests/soak";
const SEED: u64 = 11;
/// A packet every five minutes.
const PACKETS_A_DAY: u64 = 288;
/// The simulator keeps a little for each of its threads that has run for the first time.
const KIB_MORE: u64 = 4_096;

/// The lines of each mote.
#[derive(Default)]
struct Lines {
    lines: BTreeMap<u32, Vec<String>>,
    line: BTreeMap<u32, String>,
}

impl Sink for Lines {
    fn event(&mut self, event: &Event) -> Result<(), Error> {
        if let Kind::Uart { dir: "out", data, .. } = &event.kind {
            let line = self.line.entry(event.mote).or_default();
            match data {
                b'\n' => self.lines.entry(event.mote).or_default().push(std::mem::take(line)),
                data => line.push(char::from(*data)),
            }
        }
        Ok(())
    }
}

/// What a mote says of a day: sent, failed, received, blocks in use.
fn numbers(line: &str) -> [u64; 4] {
    let words: Vec<&str> = line.split_whitespace().collect();
    assert_eq!([words[0], words[2], words[4], words[6]], ["sent", "failed", "received", "blocks"]);
    [1, 3, 5, 7].map(|at| words[at].parse().expect("a number"))
}

/// Memory of this process, in KiB.
fn resident_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("a size");
    line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).expect("KiB")
}

fn soak(board: &str, motes: u32, days: u64) {
    let image = built(PROGRAM, board);
    let board = Board::find(&root().join("board"), board).expect("a board");
    let mut world = World::with_seed(SEED);
    let layout = Topology::Grid.layout(motes as usize, None, SEED);
    world.set_medium(Box::new(Space::new(layout, SEED)));
    for _ in 0..motes {
        world.add(board.clone(), image.clone()).expect("a mote");
    }
    let mut said = Lines::default();
    world.run(Time::from_days(2), &mut said).expect("it runs");
    let before = resident_kib();
    world.run(Time::from_days(days) + Time::from_s(600), &mut said).expect("it runs");
    let after = resident_kib();
    assert!(after <= before + KIB_MORE, "{before} KiB after two days, {after} at the end");
    for mote in 0..motes {
        expect_every_day(mote, &said.lines[&mote], days);
    }
}

/// Each day all packets are sent, most of them successfully, others are received, and none is left.
fn expect_every_day(mote: u32, lines: &[String], days: u64) {
    assert_eq!(lines.len() as u64, days, "mote {mote}: {lines:?}");
    let mut before = [0; 4];
    for (day, line) in lines.iter().enumerate() {
        let now = numbers(line);
        let [sent, failed, received] = [0, 1, 2].map(|at| now[at] - before[at]);
        assert_eq!(sent + failed, PACKETS_A_DAY, "mote {mote}, day {day}: {line}");
        assert!(failed <= PACKETS_A_DAY / 50, "mote {mote}, day {day}: {line}");
        assert!(received >= PACKETS_A_DAY / 2, "mote {mote}, day {day}: {line}");
        assert_eq!(now[3], 0, "mote {mote}, day {day}: {line}");
        before = now;
    }
}

#[test]
#[ignore = "minutes"]
fn twenty_motes_of_hamilton_for_a_month() {
    soak("hamilton", 20, 30);
}

#[test]
#[ignore = "minutes"]
fn twenty_motes_of_micaz_for_a_month() {
    soak("micaz", 20, 30);
}

#[test]
#[ignore = "minutes"]
fn twenty_motes_of_mica2_for_a_month() {
    soak("mica2", 20, 30);
}
