// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where motes are, if their places are not listed: in a line, a grid, anywhere, or in an office.

use super::geometry::{Position, Wall};
use super::space::{Layout, Place, Propagation};
use lichen_device::air::philox4x32;

/// A way to place motes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topology {
    /// Every mote hears every other one.
    Full,
    /// In a line; each hears its two neighbours.
    Line,
    /// In a grid; each hears its eight neighbours.
    Grid,
    /// Anywhere in a square field.
    Random,
    /// In the rooms along both sides of a corridor.
    Office,
}

/// There is no topology of this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no topology `{0}`; there are {names}", names = Topology::NAMES.map(|(name, _)| name).join(", "))]
pub struct UnknownTopology(String);

/// Metres between neighbours where nothing else is said.
const SPACING: f64 = 10.0;
/// Distance, in spacings, at which motes of a line and of a grid still hear each other.
const LINE_RANGE: f64 = 1.2;
const GRID_RANGE: f64 = 1.5;
/// Exponents of distance outdoors and in an office, where there are walls besides; the deviation of both, in dB.
const OUTDOORS: f64 = 3.0;
const INDOORS: f64 = 3.5;
const SIGMA: f64 = 3.0;
/// Metres of a mote of a random field to the next one, on average.
const FIELD_SPACING: f64 = 45.0;
/// Rooms of an office: metres of width and depth; the corridor between them.
const ROOM: [f64; 2] = [8.0, 6.0];
const CORRIDOR: f64 = 2.5;
/// What a wall takes away, in hundredths of a dB.
const WALL: i32 = 800;
/// What random numbers are for.
const PLACES: u32 = 0x504C_4143;

impl Topology {
    /// Their names.
    pub const NAMES: [(&str, Topology); 5] = [
        ("full", Topology::Full),
        ("line", Topology::Line),
        ("grid", Topology::Grid),
        ("random", Topology::Random),
        ("office", Topology::Office),
    ];

    /// What it is called.
    pub fn name(self) -> &'static str {
        let known = Topology::NAMES.iter().find(|(_, topology)| *topology == self);
        known.map_or("", |(name, _)| name)
    }

    /// Why it has no distance between neighbours, if it has none.
    pub fn without_spacing(self) -> Option<String> {
        match self {
            Topology::Full => Some("there every mote hears every other one".to_string()),
            Topology::Office => Some(format!("its rooms are {} x {} m", ROOM[0], ROOM[1])),
            Topology::Line | Topology::Grid | Topology::Random => None,
        }
    }

    /// So many motes; `spacing` metres apart, where that is said and the topology has such a distance.
    pub fn layout(self, motes: usize, spacing: Option<f64>, seed: u64) -> Layout {
        let spacing = spacing.unwrap_or(match self {
            Topology::Random => FIELD_SPACING,
            _ => SPACING,
        });
        let field = Propagation::LogDistance { exponent: OUTDOORS, sigma: SIGMA };
        let office = Propagation::LogDistance { exponent: INDOORS, sigma: SIGMA };
        let (propagation, positions, walls) = match self {
            Topology::Full => (Propagation::Everywhere, line(motes, 0.0), Vec::new()),
            Topology::Line => {
                let disk = Propagation::UnitDisk { range: LINE_RANGE * spacing };
                (disk, line(motes, spacing), Vec::new())
            }
            Topology::Grid => {
                let disk = Propagation::UnitDisk { range: GRID_RANGE * spacing };
                (disk, grid(motes, spacing), Vec::new())
            }
            Topology::Random => (field, random(motes, spacing, seed), Vec::new()),
            Topology::Office => (office, desks(motes, seed), walls(motes)),
        };
        let places = positions.into_iter().map(Place::fixed).collect();
        let (links, interference) = (Vec::new(), Vec::new());
        Layout { propagation, places, walls, links, interference }
    }
}

impl std::str::FromStr for Topology {
    type Err = UnknownTopology;

    fn from_str(name: &str) -> Result<Topology, UnknownTopology> {
        let known = Topology::NAMES.iter().find(|(known, _)| *known == name);
        known.map(|(_, topology)| *topology).ok_or_else(|| UnknownTopology(name.to_string()))
    }
}

fn line(motes: usize, spacing: f64) -> Vec<Position> {
    (0..motes).map(|index| Position { x: spacing * index as f64, y: 0.0 }).collect()
}

fn grid(motes: usize, spacing: f64) -> Vec<Position> {
    let columns = (1..).find(|columns| columns * columns >= motes).unwrap_or(1);
    let place = |index: usize| Position {
        x: spacing * (index % columns) as f64,
        y: spacing * (index / columns) as f64,
    };
    (0..motes).map(place).collect()
}

/// Two random numbers from 0 to 1 for mote `index`.
fn scattered(index: usize, seed: u64) -> [f64; 2] {
    let numbers = philox4x32([index as u32, 0, 0, PLACES], [seed as u32, (seed >> 32) as u32]);
    [numbers[0], numbers[1]].map(|number| f64::from(number) / f64::from(u32::MAX))
}

fn random(motes: usize, spacing: f64, seed: u64) -> Vec<Position> {
    let side = spacing * libm::sqrt(motes as f64);
    let place = |index| scattered(index, seed).map(|number| side * number);
    (0..motes).map(place).map(|[x, y]| Position { x, y }).collect()
}

/// Rooms on each side of the corridor, of which each has one mote.
fn rooms(motes: usize) -> usize {
    motes.div_ceil(2)
}

/// The left end and the lower wall of the room of mote `index`: even ones are below the corridor.
fn room(index: usize) -> Position {
    let y = if index % 2 == 0 { 0.0 } else { ROOM[1] + CORRIDOR };
    Position { x: ROOM[0] * (index / 2) as f64, y }
}

fn desks(motes: usize, seed: u64) -> Vec<Position> {
    let desk = |index| {
        let (room, [x, y]) = (room(index), scattered(index, seed));
        Position { x: room.x + ROOM[0] * (0.1 + 0.8 * x), y: room.y + ROOM[1] * (0.1 + 0.8 * y) }
    };
    (0..motes).map(desk).collect()
}

/// The walls between rooms, and those along the corridor.
fn walls(motes: usize) -> Vec<Wall> {
    let wall = |from: [f64; 2], to: [f64; 2]| {
        let [from, to] = [from, to].map(|[x, y]| Position { x, y });
        Wall { from, to, loss: WALL }
    };
    let (length, upper) = (ROOM[0] * rooms(motes) as f64, ROOM[1] + CORRIDOR);
    let along = [ROOM[1], upper].map(|y| wall([0.0, y], [length, y]));
    let between = (1..rooms(motes)).flat_map(|index| {
        let x = ROOM[0] * index as f64;
        [wall([x, 0.0], [x, ROOM[1]]), wall([x, upper], [x, upper + ROOM[1]])]
    });
    along.into_iter().chain(between).collect()
}
