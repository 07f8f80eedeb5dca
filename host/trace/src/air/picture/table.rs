// SPDX-License-Identifier: MIT OR Apache-2.0
//! The table of a picture of the air: how much of what one mote sends another one hears.

use super::Scene;
use super::lanes::NAME_SIZE;
use super::map::{SHARE_SIZE, class, percent};
use crate::air::{Link, Tally};
use crate::drawing::words::{escaped, width};
use std::fmt::Write;

/// Width of the table in pixels, and of a cell at most.
pub const WIDTH: f64 = 400.0;
const LARGEST: f64 = 30.0;
/// Cells that are smaller have no numbers, and no names.
const NUMBERED: f64 = 22.0;
const NAMED: f64 = 9.0;
/// The table of more motes is not drawn.
const MOST: usize = 60;

/// Draws the table below `top`, from `left` on; returns where it ends.
pub fn draw(svg: &mut String, scene: &Scene, tally: &Tally, (left, top): (f64, f64)) -> f64 {
    let motes = scene.motes.len();
    if motes > MOST {
        return top;
    }
    let names: Vec<String> = (0..motes as u32).map(|mote| scene.name(mote)).collect();
    let longest = names.iter().map(|name| width(name, NAME_SIZE)).fold(0.0, f64::max);
    let cell = ((WIDTH - longest - 8.0) / motes as f64).min(LARGEST);
    let is_upright = longest > cell - 2.0;
    let head = if is_upright { longest + 6.0 } else { 16.0 };
    let (x, y) = (left + longest + 8.0, top + head);
    let table = Table { scene, tally, cell, x, y };
    if cell >= NAMED {
        table.names(svg, &names, is_upright);
    }
    for from in 0..motes as u32 {
        (0..motes as u32).for_each(|to| table.cell(svg, from, to));
    }
    y + cell * motes as f64
}

struct Table<'a> {
    scene: &'a Scene,
    tally: &'a Tally,
    cell: f64,
    x: f64,
    y: f64,
}

impl Table<'_> {
    fn names(&self, svg: &mut String, names: &[String], is_upright: bool) {
        let size = NAME_SIZE.min(self.cell);
        for (index, name) in names.iter().enumerate() {
            let along = (index as f64 + 0.5) * self.cell;
            let (x, y, name) = (self.x + along, self.y + along, escaped(name));
            let above = self.y - 5.0;
            let turn = match is_upright {
                true => format!("transform=\"translate({:.1} {above:.1})rotate(-90)\"", x + 4.0),
                false => format!("x=\"{x:.1}\" y=\"{above:.1}\" text-anchor=\"middle\""),
            };
            let _ = writeln!(
                svg,
                "<text class=\"m\" {turn} font-size=\"{size:.1}\">{name}</text>\
                 <text class=\"m\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" font-size=\"{size:.1}\">{name}</text>",
                self.x - 5.0,
                y + 4.0
            );
        }
    }

    /// A square that is the larger, the more is heard.
    fn cell(&self, svg: &mut String, from: u32, to: u32) {
        let link = self.tally.links().get(&(from, to)).copied().filter(|_| from != to);
        let (x, y) = (self.x + f64::from(to) * self.cell, self.y + f64::from(from) * self.cell);
        let Some(link) = link else {
            let (x, y) = (x + self.cell / 2.0, y + self.cell / 2.0);
            let _ = writeln!(svg, "<path class=\"grid\" d=\"M{:.1} {y:.1}h2\"/>", x - 1.0);
            return;
        };
        let most = self.cell - 2.0;
        let is_numbered = self.cell >= NUMBERED;
        let side = if is_numbered { most } else { most * (0.3 + 0.7 * link.share()) };
        let (left, top) = (x + (self.cell - side) / 2.0, y + (self.cell - side) / 2.0);
        let (class, title) = (class(link), escaped(&self.scene.of_link((from, to), link)));
        let _ = write!(
            svg,
            "<g><title>{title}</title><path class=\"{class}s\" d=\"M{left:.1} {top:.1}h{side:.1}v{side:.1}h-{side:.1}z\"/>"
        );
        if is_numbered {
            self.number(svg, link, (x, y));
        }
        svg.push_str("</g>\n");
    }

    fn number(&self, svg: &mut String, link: Link, (x, y): (f64, f64)) {
        let (x, y) = (x + self.cell / 2.0, y + self.cell / 2.0 + 3.0);
        let _ = write!(
            svg,
            "<text class=\"on\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\" font-size=\"{SHARE_SIZE}\">{}</text>",
            percent(link)
        );
    }
}
