// SPDX-License-Identifier: MIT OR Apache-2.0
//! A network for weeks: no packet leaks, nothing stops, and the simulator takes no more memory. It is a program of its
//! own, because it looks at the memory of its process.

#[path = "../command/common/mod.rs"]
#[allow(dead_code)]
mod common;

use common::image::built;
use common::root;
use lichen_board::Board;
use lichen_chip::Time;
use lichen_trace::{Error, Event, Kind, Sink};
use lichen_world::{Space, Topology, World};
use std::collections::BTreeMap;

const PROGRAM: &str = "host/cli/tests/soak/program";
const SEED: u64 = 11;
/// A packet every five minutes.
const PACKETS_AN_HOUR: u64 = 12;
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

/// What a mote has counted: sent, failed, received, blocks in use.
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

fn soak(board: &str, motes: u32, hours: u64) {
    let image = built(PROGRAM, board);
    let board = Board::find(&root().join("board"), board).expect("a board");
    let mut world = World::with_seed(SEED);
    let layout = Topology::Grid.layout(motes as usize, None, SEED);
    world.set_medium(Box::new(Space::new(layout, SEED)));
    for _ in 0..motes {
        world.add(board.clone(), image.clone()).expect("a mote");
    }
    let mut said = Lines::default();
    world.run(Time::from_s(hours * 360), &mut said).expect("it runs");
    let before = resident_kib();
    world.run(Time::from_s(hours * 3600), &mut said).expect("it runs");
    let after = resident_kib();
    assert!(after <= before + KIB_MORE, "{before} KiB after a tenth of it, {after} at the end");
    for mote in 0..motes {
        expect_every_hour(mote, &said.lines[&mote], hours);
    }
}

/// Each hour, as the mote measures it, all packets are sent, others are received, and none is left. At the end all but a
/// few have arrived.
fn expect_every_hour(mote: u32, lines: &[String], hours: u64) {
    // No clock is off by a twentieth, and the first packet is sent within five minutes.
    assert!(lines.len() as u64 + 1 >= hours * 95 / 100, "mote {mote}: {} lines", lines.len());
    let mut before = [0; 4];
    for (hour, line) in lines.iter().enumerate() {
        let now = numbers(line);
        let [sent, failed, received] = [0, 1, 2].map(|at| now[at] - before[at]);
        assert_eq!(sent + failed, PACKETS_AN_HOUR, "mote {mote}, hour {hour}: {line}");
        assert!(failed <= PACKETS_AN_HOUR / 4, "mote {mote}, hour {hour}: {line}");
        assert!(received >= PACKETS_AN_HOUR / 4, "mote {mote}, hour {hour}: {line}");
        assert_eq!(now[3], 0, "mote {mote}, hour {hour}: {line}");
        before = now;
    }
    let [sent, failed, ..] = before;
    assert!(failed * 50 <= sent, "mote {mote}: {failed} failed, and {sent} did not");
}

#[test]
#[ignore = "minutes"]
fn twenty_motes_of_hamilton_for_a_month() {
    soak("hamilton", 20, 30 * 24);
}

#[test]
#[ignore = "minutes"]
fn twenty_motes_of_micaz_for_a_month() {
    soak("micaz", 20, 30 * 24);
}

/// The processor of a MICA2 that listens is interrupted 2,400 times a second.
#[test]
#[ignore = "minutes"]
fn five_motes_of_mica2_for_ten_hours() {
    soak("mica2", 5, 10);
}
