// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the marks of a picture of the air mean: only of those that are in it.

use super::lanes::Shown;
use super::map::CLASSES;
use super::marks::{self, Bar};
use crate::air::Fate;
use crate::drawing::legend::{Entries, Measures};
use std::fmt::Write;

const MEASURES: Measures = Measures { sample: 26.0, after_sample: 6.0, between: 18.0, row: 20.0 };

/// The bar that is a sample at this place.
fn bar((x, y): (f64, f64)) -> Bar {
    Bar::new(x, x + MEASURES.sample, y + 3.0)
}

/// Draws the legend of the lanes below `top` between two edges; returns where it ends.
pub fn lanes(svg: &mut String, shown: &Shown, top: f64, edges: (f64, f64)) -> f64 {
    let mut entries = Entries::new(svg, MEASURES, top, edges);
    if shown.has_data {
        entries.entry("sent: number, bytes; its preamble is low", |svg, at| {
            marks::sent(svg, bar(at), at.0 + 7.0, false);
        });
    }
    if shown.has_acknowledgments {
        entries.entry("acknowledgment", |svg, at| marks::sent(svg, bar(at), at.0 + 7.0, true));
    }
    for fate in &shown.fates {
        let name = match fate {
            Fate::Whole => "heard whole, from whom",
            fate => fate.words(),
        };
        entries.entry(name, |svg, at| marks::arrival(svg, bar(at), *fate));
    }
    entries.bottom()
}

/// The same for map and table.
pub fn links(svg: &mut String, top: f64, edges: (f64, f64), has_interference: bool) -> f64 {
    let mut entries = Entries::new(svg, MEASURES, top, edges);
    for (class, name) in CLASSES {
        entries.entry(name, |svg, at| {
            let bar = bar(at);
            let (x, y) = (bar.x, bar.y + marks::BAR / 2.0);
            let _ = write!(
                svg,
                "<path class=\"{class}\" d=\"M{x:.1} {y:.1}h{:.1}l-6 -3\"/>",
                bar.width
            );
        });
    }
    if has_interference {
        entries.entry("interference", |svg, at| {
            let bar = bar(at);
            marks::source(svg, [bar.x + bar.width / 2.0, bar.y + marks::BAR / 2.0]);
        });
    }
    entries.bottom()
}
