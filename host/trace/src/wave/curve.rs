// SPDX-License-Identifier: MIT OR Apache-2.0
//! The curve of a picture: the current, and the lengths of active periods above it.

use super::boxes::Boxes;
use super::draw::{CURVE, Drawing, MARGIN, PLOT};
use super::steps::Cell;
use crate::drawing::scale::{self, Axis};
use crate::drawing::upright;
use lichen_chip::Time;
use std::fmt::Write;

/// Lengths are written at so many active periods at most, and above those that are so wide.
const MOST_LENGTHS: u64 = 4;
const LENGTH_TEXT: f64 = 58.0;
const LEAST_LENGTH: f64 = 5.0;
/// Place of the name of the axis of currents.
const LEFT_OF_AXIS: f64 = 70.0;

impl Drawing<'_> {
    pub(super) fn curve(&mut self, top: f64) {
        let cells = self.cells(&self.panel.current);
        let axis = axis(&cells);
        let (left, base) = (self.left(), top + CURVE);
        let y = |fa: u128| base - axis.place(fa as f64) * CURVE;
        for (place, number) in &axis.ticks {
            let y = base - axis.place(*place) * CURVE;
            let _ = writeln!(
                self.svg,
                "<path class=\"grid\" d=\"M{left} {y:.1}h{PLOT}\"/>\
                 <text class=\"m\" x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{number}</text>",
                left - 8.0,
                y + 4.0
            );
        }
        let (x, y_middle) = (left - LEFT_OF_AXIS, top + CURVE / 2.0);
        upright(self.svg, "m", (x, y_middle), &format!("current{}", axis.unit_phrase()));
        let mut line = String::new();
        let mut ranges = Boxes::default();
        for (index, cell) in cells.iter().enumerate() {
            let (from, to) = (self.x(cell.from), self.x(cell.to));
            let command = if index == 0 { format!("M{from:.2} ") } else { "V".to_string() };
            let _ = write!(line, "{command}{:.2}H{to:.2}", y(cell.mean()));
            if cell.least < cell.most {
                ranges.add((from, to), (y(cell.most), y(cell.least)));
            }
        }
        let range = ranges.path();
        self.legend.has_ranges |= !range.is_empty();
        if !cells.is_empty() {
            let right = left + PLOT;
            let _ =
                writeln!(self.svg, "<path class=\"area\" d=\"{line}L{right} {base}H{left}z\"/>");
            let _ = writeln!(self.svg, "<path class=\"range\" d=\"{range}\"/>");
            let _ = writeln!(self.svg, "<path class=\"line\" d=\"{line}\"/>");
        }
    }

    /// Writes the lengths of active periods above the curve, if they are few.
    pub(super) fn lengths(&mut self, top: f64) {
        let panel = self.panel;
        let is_whole = |cell: &Cell| panel.begin < cell.from && cell.to < panel.end;
        let cells = panel.active.joined(Time::ZERO);
        let active: Vec<&Cell> = cells.iter().filter(|cell| cell.least == 1).collect();
        if panel.active_periods > MOST_LENGTHS {
            return;
        }
        for cell in active.into_iter().filter(|cell| is_whole(cell)) {
            let (from, to, y) = (self.x(cell.from), self.x(cell.to), top - 8.0);
            if to - from < LEAST_LENGTH {
                continue;
            }
            let is_narrow = to - from < LENGTH_TEXT;
            let has_room = to + 5.0 + LENGTH_TEXT < self.left() + PLOT + MARGIN;
            let (x, anchor, height) = match (is_narrow, has_room) {
                (true, true) => (to + 5.0, "start", y + 4.0),
                (true, false) => (from - 5.0, "end", y + 4.0),
                (false, _) => ((from + to) / 2.0, "middle", y - 5.0),
            };
            let _ = writeln!(
                self.svg,
                "<path class=\"length\" d=\"M{from:.1} {}v8M{to:.1} {}v8M{from:.1} {y}H{to:.1}\"/>\
                 <text x=\"{x:.1}\" y=\"{height}\" text-anchor=\"{anchor}\">{}</text>",
                y - 4.0,
                y - 4.0,
                scale::time(cell.to - cell.from)
            );
        }
    }
}

/// The axis for a curve: from zero, or logarithmic if most of what there is to see would lie on the bottom,
/// because each column has sleep as well as work.
fn axis(cells: &[Cell]) -> Axis {
    let time = |cells: &mut dyn Iterator<Item = &Cell>| -> u64 {
        cells.map(|cell| (cell.to - cell.from).units()).sum()
    };
    let ranges = time(&mut cells.iter().filter(|cell| cell.least < cell.most));
    let most = cells.iter().map(|cell| cell.most).max().unwrap_or(0);
    let least = cells.iter().map(|cell| cell.least).filter(|least| *least > 0).min();
    match least {
        Some(least) if most / least > 10 && ranges > time(&mut cells.iter()) / 2 => {
            Axis::of_currents(least, most)
        }
        _ => Axis::of_current(most),
    }
}
