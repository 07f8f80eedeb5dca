// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which motes are near a place: the plane is divided into square cells, and only those in reach are searched.

use super::geometry::Position;
use super::space::Place;
use lichen_chip::Time;
use std::collections::BTreeMap;

/// A column and a row.
type Cell = (i64, i64);

/// The motes of each cell, at one moment.
#[derive(Clone, Debug)]
pub(super) struct Cells {
    /// Length of a side, in metres.
    side: f64,
    motes: BTreeMap<Cell, Vec<u32>>,
    /// In which cell each mote is.
    cells: Vec<Cell>,
    /// When each of the motes moves, in order, and how many of these moves are done.
    moves: Vec<(Time, u32)>,
    done: usize,
}

impl Cells {
    /// Motes where they are at first.
    pub(super) fn new(places: &[Place], side: f64) -> Cells {
        let side = if side.is_finite() && side > 1.0 { side } else { 1.0 };
        let numbered = || (0..).zip(places);
        let moves_of = |(mote, place): (u32, &Place)| {
            place.steps().skip(1).map(move |(time, _)| (time, mote)).collect::<Vec<_>>()
        };
        let mut moves: Vec<(Time, u32)> = numbered().flat_map(moves_of).collect();
        moves.sort_unstable();
        let (motes, cells) = (BTreeMap::new(), Vec::new());
        let mut all = Cells { side, motes, cells, moves, done: 0 };
        for (mote, place) in numbered() {
            let cell = all.cell(place.first());
            all.motes.entry(cell).or_default().push(mote);
            all.cells.push(cell);
        }
        all
    }

    /// How many moves are done. Wherever this is the same, every mote is at the same place.
    pub(super) fn moves_done(&self) -> usize {
        self.done
    }

    /// Goes on, or back, to a time.
    pub(super) fn go_to(&mut self, time: Time, places: &[Place]) {
        while let Some((when, mote)) = self.moves.get(self.done).filter(|(when, _)| *when <= time) {
            let place = places[*mote as usize].at(*when);
            self.put(*mote, place);
            self.done += 1;
        }
        while let Some((when, mote)) =
            self.moves[..self.done].last().filter(|(when, _)| *when > time)
        {
            let place = places[*mote as usize].at(*when - Time::UNIT);
            self.put(*mote, place);
            self.done -= 1;
        }
    }

    fn put(&mut self, mote: u32, place: Position) {
        let cell = self.cell(place);
        let before = std::mem::replace(&mut self.cells[mote as usize], cell);
        if before == cell {
            return;
        }
        if let Some(left) = self.motes.get_mut(&before) {
            left.retain(|other| *other != mote);
            if left.is_empty() {
                self.motes.remove(&before);
            }
        }
        self.motes.entry(cell).or_default().push(mote);
    }

    /// Calls `found` for all motes within `reach` metres of a place, and some that are farther; each once.
    ///
    /// Rounding loses none: to divide, to round down and to convert keep the order of coordinates.
    pub(super) fn around(&self, place: Position, reach: f64, mut found: impl FnMut(u32)) {
        if reach < 0.0 {
            return;
        }
        let corner = |by: f64| self.cell(Position { x: place.x + by, y: place.y + by });
        let ((left, lower), (right, upper)) = (corner(-reach), corner(reach));
        if !reach.is_finite() || right.abs_diff(left) >= self.motes.len() as u64 {
            return (0..self.cells.len() as u32).for_each(found);
        }
        for column in left..=right {
            let cells = self.motes.range((column, lower)..=(column, upper));
            cells.flat_map(|(_, motes)| motes).for_each(|mote| found(*mote));
        }
    }

    fn cell(&self, place: Position) -> Cell {
        let [x, y] = [place.x, place.y].map(|metres| libm::floor(metres / self.side) as i64);
        (x, y)
    }
}
