// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows of samples and their names.

use super::words::width;
use std::fmt::Write;

/// Size of the font of names.
const FONT_SIZE: f64 = 11.0;

/// The measures of a legend, in pixels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measures {
    /// Width of a sample.
    pub sample: f64,
    /// Room after a sample.
    pub after_sample: f64,
    /// Room after a name.
    pub between: f64,
    /// Height of a row.
    pub row: f64,
}

/// Entries that follow each other, and go on in the next row where there is no room.
pub(crate) struct Entries<'a> {
    svg: &'a mut String,
    measures: Measures,
    left: f64,
    right: f64,
    x: f64,
    y: f64,
}

impl<'a> Entries<'a> {
    /// Below `top`, between `left` and `right`.
    pub fn new(
        svg: &'a mut String,
        measures: Measures,
        top: f64,
        (left, right): (f64, f64),
    ) -> Entries<'a> {
        Entries { svg, measures, left, right, x: left, y: top }
    }

    /// An entry with this name, whose sample `draw` draws with its upper left corner at a place.
    pub fn entry(&mut self, name: &str, draw: impl FnOnce(&mut String, (f64, f64))) {
        let Measures { sample, after_sample, between, row } = self.measures;
        let length = sample + after_sample + width(name, FONT_SIZE);
        if self.x + length > self.right && self.x > self.left {
            (self.x, self.y) = (self.left, self.y + row);
        }
        draw(self.svg, (self.x, self.y));
        let _ = writeln!(
            self.svg,
            "<text class=\"m\" x=\"{:.1}\" y=\"{:.1}\" font-size=\"{FONT_SIZE}\">{name}</text>",
            self.x + sample + after_sample,
            self.y + 12.0
        );
        self.x += length + between;
    }

    /// Where the last row ends.
    pub fn bottom(&self) -> f64 {
        self.y + self.measures.row
    }
}
