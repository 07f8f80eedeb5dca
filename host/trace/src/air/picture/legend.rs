// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the marks of a picture of the air mean: only of those that are in it.

use super::lanes::Shown;
use super::map::CLASSES;
use super::marks::{self, Bar};
use crate::air::Fate;
use crate::picture::words::width;
use std::fmt::Write;

/// Geometry in pixels: a sample, the room after it and after its name, and the height of a row.
const SAMPLE: f64 = 26.0;
const AFTER_SAMPLE: f64 = 6.0;
const BETWEEN: f64 = 18.0;
const ROW: f64 = 20.0;
const SIZE: f64 = 11.0;

/// Entries that follow each other, and go on in the next row where there is no room.
struct Entries<'a> {
    svg: &'a mut String,
    left: f64,
    right: f64,
    x: f64,
    y: f64,
}

impl Entries<'_> {
    /// An entry with this name, whose sample `draw` draws.
    fn entry(&mut self, name: &str, draw: impl FnOnce(&mut String, Bar)) {
        let length = SAMPLE + AFTER_SAMPLE + width(name, SIZE);
        if self.x + length > self.right && self.x > self.left {
            (self.x, self.y) = (self.left, self.y + ROW);
        }
        draw(self.svg, Bar::new(self.x, self.x + SAMPLE, self.y + 3.0));
        let _ = writeln!(
            self.svg,
            "<text class=\"m\" x=\"{:.1}\" y=\"{:.1}\" font-size=\"{SIZE}\">{name}</text>",
            self.x + SAMPLE + AFTER_SAMPLE,
            self.y + 12.0
        );
        self.x += length + BETWEEN;
    }
}

/// Draws the legend of the lanes below `top` between `left` and `right`; returns where it ends.
pub fn lanes(svg: &mut String, shown: &Shown, top: f64, (left, right): (f64, f64)) -> f64 {
    let mut entries = Entries { svg, left, right, x: left, y: top };
    if shown.has_data {
        entries.entry("sent: number, bytes; its preamble is low", |svg, bar| {
            marks::sent(svg, bar, bar.x + 7.0, false);
        });
    }
    if shown.has_acknowledgments {
        entries.entry("acknowledgment", |svg, bar| marks::sent(svg, bar, bar.x + 7.0, true));
    }
    for fate in &shown.fates {
        let name = match fate {
            Fate::Whole => "heard whole, from whom",
            fate => fate.words(),
        };
        entries.entry(name, |svg, bar| marks::arrival(svg, bar, *fate));
    }
    entries.y + ROW
}

/// The same for map and table.
pub fn links(svg: &mut String, top: f64, (left, right): (f64, f64), has_interference: bool) -> f64 {
    let mut entries = Entries { svg, left, right, x: left, y: top };
    for (class, name) in CLASSES {
        entries.entry(name, |svg, bar| {
            let (x, y) = (bar.x, bar.y + marks::BAR / 2.0);
            let _ = write!(
                svg,
                "<path class=\"{class}\" d=\"M{x:.1} {y:.1}h{:.1}l-6 -3\"/>",
                bar.width
            );
        });
    }
    if has_interference {
        entries.entry("interference", |svg, bar| {
            marks::source(svg, [bar.x + bar.width / 2.0, bar.y + marks::BAR / 2.0]);
        });
    }
    entries.y + ROW
}
