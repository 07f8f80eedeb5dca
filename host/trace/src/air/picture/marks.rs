// SPDX-License-Identifier: MIT OR Apache-2.0
//! How frames look: what was sent, and each fate of what arrives, by its colour and by its shape.

use crate::air::Fate;
use crate::drawing::Colours;
use std::fmt::Write;

pub const COLOURS: Colours = Colours {
    light: "\
.sent{fill:#0b62c4}.before{fill:#0b62c4;opacity:.45}.ack{fill:#6a3fb5}.on{fill:#fff}.ink{stroke:#fff;fill:none}
.whole{fill:#2e7d4f}.other{fill:none;stroke:#2e7d4f;stroke-width:1.4}.clash{fill:#c0392b}.band{fill:#c0392b;opacity:.22}
.noise{fill:#c98a00}.gone{fill:none;stroke:#6b7785;stroke-width:1.3}.full{fill:#a2527a}
.wall{stroke:#57606a;stroke-width:3;stroke-linecap:round}.node{fill:#fff;stroke:#24292f;stroke-width:1.3}
.path{stroke:#57606a;fill:none;stroke-dasharray:1 4;stroke-width:1.5}.source{fill:#c0392b;opacity:.75}
.good{stroke:#2e7d4f;fill:none;stroke-width:1.6}.fair{stroke:#c98a00;fill:none;stroke-width:1.6;stroke-dasharray:7 3}
.poor{stroke:#c0392b;fill:none;stroke-width:1.6;stroke-dasharray:2 3}
.name{stroke:#fff;stroke-width:3;paint-order:stroke}.goods{fill:#2e7d4f}.fairs{fill:#c98a00}.poors{fill:#c0392b}
",
    dark: "\
.sent{fill:#58a6ff}.before{fill:#58a6ff;opacity:.45}.ack{fill:#b48ad0}.on{fill:#0d1117}.ink{stroke:#0d1117}
.whole{fill:#56b378}.other{stroke:#56b378}.clash{fill:#f0776b}.band{fill:#f0776b;opacity:.28}
.noise{fill:#e8b339}.gone{stroke:#8b98a5}.full{fill:#df8ab4}
.name{stroke:#0d1117}.wall{stroke:#9da7b1}.node{fill:#0d1117;stroke:#e6edf3}.path{stroke:#9da7b1}.source{fill:#f0776b}
.good{stroke:#56b378}.fair{stroke:#e8b339}.poor{stroke:#f0776b}.goods{fill:#56b378}.fairs{fill:#e8b339}.poors{fill:#f0776b}
",
};

/// Height of a bar.
pub const BAR: f64 = 11.0;
/// The least width of a bar.
const THINNEST: f64 = 2.0;

/// A bar: its left end, its top, its width.
#[derive(Clone, Copy, Debug)]
pub struct Bar {
    pub x: f64,
    pub y: f64,
    pub width: f64,
}

impl Bar {
    /// From one place to another, at this height.
    pub fn new(from: f64, to: f64, y: f64) -> Bar {
        Bar { x: from, y, width: (to - from).max(THINNEST) }
    }

    fn outline(self) -> String {
        let Bar { x, y, width } = self;
        format!("M{x:.1} {y:.1}h{width:.1}v{BAR}h-{width:.1}z")
    }

    fn middle(self) -> f64 {
        self.y + BAR / 2.0
    }

    /// Lines across it, from the lower left to the upper right.
    fn hatch(self) -> String {
        let Bar { x, y, width } = self;
        let count = ((width - BAR) / 4.0).max(0.0) as u32;
        let line = |index: u32| {
            let x = x + f64::from(index) * 4.0;
            format!("M{x:.1} {:.1}l{BAR} -{BAR}", y + BAR)
        };
        (0..=count).filter(|_| width >= BAR).map(line).collect()
    }

    /// A cross in its middle.
    fn cross(self) -> String {
        let (x, y) = (self.x + self.width / 2.0, self.middle());
        format!("M{:.1} {:.1}l7 7m0 -7l-7 7", x - 3.5, y - 3.5)
    }

    /// A wave along it.
    fn wave(self) -> String {
        let Bar { x, width, .. } = self;
        let steps = (width / 6.0).floor().max(1.0) as u32;
        let start = format!("M{x:.1} {:.1}", self.middle());
        (0..steps).fold(start, |path, _| path + "q1.5 -5 3 0t3 0")
    }
}

/// A path of a class.
fn path(svg: &mut String, class: &str, d: &str) {
    let _ = write!(svg, "<path class=\"{class}\" d=\"{d}\"/>");
}

/// Draws a frame that is sent; from `frame` on it is the frame, before that its preamble.
pub fn sent(svg: &mut String, bar: Bar, frame: f64, is_acknowledgment: bool) {
    let class = if is_acknowledgment { "ack" } else { "sent" };
    let split = (frame - bar.x).clamp(0.0, bar.width);
    if split > 0.0 {
        let before = Bar { width: split, ..bar };
        let low = Bar { y: bar.y + BAR / 4.0, ..before };
        let Bar { x, y, width } = low;
        let half = BAR / 2.0;
        path(svg, "before", &format!("M{x:.1} {y:.1}h{width:.1}v{half}h-{width:.1}z"));
    }
    if bar.width > split {
        let Bar { x, y, width } = Bar { x: bar.x + split, width: bar.width - split, ..bar };
        let d = match is_acknowledgment {
            // Pointed at its end.
            true => {
                let (tip, flat) = (width.min(5.0), (width - 5.0).max(0.0));
                let half = BAR / 2.0;
                format!("M{x:.1} {y:.1}h{flat:.1}l{tip:.1} {half}l-{tip:.1} {half}h-{flat:.1}z")
            }
            false => format!("M{x:.1} {y:.1}h{width:.1}v{BAR}h-{width:.1}z"),
        };
        path(svg, class, &d);
    }
}

/// Draws what becomes of a frame where it arrives.
pub fn arrival(svg: &mut String, bar: Bar, fate: Fate) {
    let Bar { x, width, .. } = bar;
    let (outline, middle, end) = (bar.outline(), bar.middle(), bar.x + bar.width);
    let through = format!("M{x:.1} {middle:.1}h{width:.1}");
    match fate {
        Fate::Whole => path(svg, "whole", &outline),
        Fate::Filtered => path(svg, "other", &outline),
        Fate::Collision => {
            path(svg, "clash", &outline);
            path(svg, "ink", &bar.cross());
        }
        Fate::Noise => {
            path(svg, "noise", &outline);
            path(svg, "ink", &bar.hatch());
        }
        Fate::Missed => {
            dashed(svg, &outline, "4 2");
            path(svg, "gone", &bar.hatch());
        }
        Fate::TooWeak => dashed(svg, &through, "1 3"),
        Fate::Faded => path(svg, "gone", &bar.wave()),
        Fate::Elsewhere => {
            path(svg, "gone", &outline);
            path(svg, "gone", &format!("M{x:.1} {:.1}L{end:.1} {:.1}", bar.y + BAR, bar.y));
        }
        Fate::Sends => {
            dashed(svg, &through, "7 3");
            path(svg, "gone", &format!("M{x:.1} {:.1}v{BAR}M{end:.1} {:.1}v{BAR}", bar.y, bar.y));
        }
        Fate::Deaf => dashed(svg, &outline, "2 2"),
        Fate::Overflowed => {
            path(svg, "full", &outline);
            path(svg, "ink", &through);
        }
        Fate::Abandoned => {
            path(
                svg,
                "full",
                &format!("M{x:.1} {:.1}L{end:.1} {middle:.1}L{x:.1} {:.1}z", bar.y, bar.y + BAR),
            );
        }
    }
}

/// Draws where interference comes from, with its middle at a place.
pub fn source(svg: &mut String, [x, y]: [f64; 2]) {
    path(svg, "source", &format!("M{x:.1} {:.1}l6 6l-6 6l-6 -6z", y - 6.0));
}

fn dashed(svg: &mut String, d: &str, dashes: &str) {
    let _ = write!(svg, "<path class=\"gone\" stroke-dasharray=\"{dashes}\" d=\"{d}\"/>");
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn each_fate_has_a_shape_of_its_own() {
        let shape = |fate| {
            let mut svg = String::new();
            arrival(&mut svg, Bar::new(10.0, 60.0, 5.0), fate);
            // Without colours.
            let parts = svg.split("<path class=\"").skip(1);
            let parts = parts.map(|part| {
                let (class, rest) = part.split_once('"').expect("a class");
                let is_filled = !matches!(class, "other" | "gone" | "ink");
                format!("{is_filled}{rest}")
            });
            parts.collect::<String>()
        };
        let shapes: BTreeSet<String> = Fate::ALL.map(shape).into_iter().collect();
        assert_eq!(shapes.len(), Fate::ALL.len());
    }

    #[test]
    fn an_acknowledgment_is_pointed_and_no_bar_vanishes() {
        let draw = |to: f64, is_ack| {
            let mut svg = String::new();
            sent(&mut svg, Bar::new(0.0, to, 0.0), 4.0, is_ack);
            svg
        };
        assert!(
            draw(30.0, true).contains("class=\"ack\" d=\"M4.0 0.0h21.0l5.0 5.5l-5.0 5.5h-21.0z\"")
        );
        assert!(draw(30.0, false).contains("class=\"sent\" d=\"M4.0 0.0h26.0v11h-26.0z\""));
        assert!(draw(0.1, false).contains("h2.0"), "{}", draw(0.1, false));
    }
}
