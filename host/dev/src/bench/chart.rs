// SPDX-License-Identifier: MIT OR Apache-2.0
//! A picture of two values that depend on a third one.

use lichen_trace::drawing::scale::{number, round_step};
use lichen_trace::drawing::{Colours, page, text, upright};
use std::fmt::Write;

/// Geometry in pixels.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 380.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 560.0;
const TOP: f64 = 60.0;
const BOTTOM: f64 = 310.0;
/// Most steps of a scale.
const STEPS: u32 = 5;

/// Colours of the curves.
const COLOURS: Colours = Colours {
    light: "\
.left{stroke:#0b62c4;fill:none}.right{stroke:#c0392b;fill:none;stroke-dasharray:5 3}
text.left{stroke:none;fill:#0b62c4}text.right{stroke:none;fill:#c0392b}
",
    dark: "\
.left{stroke:#58a6ff}.right{stroke:#f0776b}text.left{fill:#58a6ff}text.right{fill:#f0776b}
",
};

/// A value over what it depends on.
pub(super) struct Curve {
    /// Its name, with the unit.
    pub name: String,
    /// Points from left to right.
    pub points: Vec<(f64, f64)>,
}

/// Two curves over the same axis, which is logarithmic.
pub(super) struct Chart {
    /// What it shows.
    pub title: String,
    /// Name of the axis.
    pub across: String,
    /// Its ticks.
    pub ticks: Vec<(f64, String)>,
    /// The curve with its scale at the left.
    pub left: Curve,
    /// The curve with its scale at the right.
    pub right: Curve,
}

impl Chart {
    /// The picture.
    pub fn svg(&self) -> String {
        let mut body = String::new();
        text(&mut body, "b", (LEFT, 26.0, "start"), &self.title);
        text(&mut body, "m", ((LEFT + RIGHT) / 2.0, BOTTOM + 44.0, "middle"), &self.across);
        for (at, name) in &self.ticks {
            let x = self.x(*at);
            let _ = writeln!(body, "<path class=\"grid\" d=\"M{x:.1} {TOP}V{BOTTOM}\"/>");
            text(&mut body, "m", (x, BOTTOM + 20.0, "middle"), name);
        }
        self.curve(&mut body, &self.left, "left", (LEFT - 8.0, "end", LEFT - 56.0));
        self.curve(&mut body, &self.right, "right", (RIGHT + 8.0, "start", RIGHT + 56.0));
        page((WIDTH, HEIGHT), &self.title, COLOURS, &body)
    }

    /// Draws a curve; `scale` is where its numbers are, how they are aligned, and where its name is.
    fn curve(&self, body: &mut String, curve: &Curve, class: &str, scale: (f64, &str, f64)) {
        let most = curve.points.iter().map(|(_, value)| *value).fold(0.0, f64::max);
        let step = round_step(most.max(1e-9), STEPS);
        let end = (most / step).ceil().max(1.0) * step;
        let y = |value: f64| BOTTOM - value / end * (BOTTOM - TOP);
        let (numbers, anchor, name) = scale;
        for tick in 0..=(end / step).round() as u32 {
            let value = f64::from(tick) * step;
            if class == "left" {
                let _ =
                    writeln!(body, "<path class=\"grid\" d=\"M{LEFT} {:.1}H{RIGHT}\"/>", y(value));
            }
            text(body, class, (numbers, y(value) + 4.0, anchor), &number(value, step));
        }
        let middle = (TOP + BOTTOM) / 2.0;
        upright(body, class, (name, middle), &curve.name);
        let points: Vec<String> = curve
            .points
            .iter()
            .map(|(at, value)| format!("{:.1} {:.1}", self.x(*at), y(*value)))
            .collect();
        let _ = writeln!(
            body,
            "<path class=\"{class}\" stroke-width=\"2\" d=\"M{}\"/>",
            points.join("L")
        );
    }

    /// Where a value is on the axis.
    fn x(&self, value: f64) -> f64 {
        let ends = (self.ticks.first(), self.ticks.last());
        let (Some((first, _)), Some((last, _))) = ends else { return LEFT };
        let span = (last / first).ln();
        let share = if span > 0.0 { (value / first).ln() / span } else { 0.0 };
        LEFT + share * (RIGHT - LEFT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart() -> Chart {
        let ticks = vec![(10.0, "10 s".to_string()), (1_000.0, "1000 s".to_string())];
        let left = Curve { name: "a & b".to_string(), points: vec![(10.0, 0.4), (100.0, 0.1)] };
        let right = Curve { name: "c".to_string(), points: vec![(10.0, 1.0), (1_000.0, 20.0)] };
        Chart { title: "t".to_string(), across: "x".to_string(), ticks, left, right }
    }

    #[test]
    fn curves_are_to_scale() {
        let svg = chart().svg();
        let (middle, quarter) = ((LEFT + RIGHT) / 2.0, BOTTOM - (BOTTOM - TOP) / 4.0);
        let left = format!("d=\"M{LEFT:.1} {TOP:.1}L{middle:.1} {quarter:.1}\"");
        assert!(svg.contains(&left), "{left} {svg}");
        let low = BOTTOM - (BOTTOM - TOP) / 20.0;
        let right = format!("d=\"M{LEFT:.1} {low:.1}L{RIGHT:.1} {TOP:.1}\"");
        assert!(svg.contains(&right), "{right} {svg}");
        for text in [">0.4<", ">0.0<", ">20<", ">a &amp; b<", ">1000 s<"] {
            assert!(svg.contains(text), "{text} {svg}");
        }
    }
}
