// SPDX-License-Identifier: MIT OR Apache-2.0
//! A picture of two values that depend on a third one.

use std::fmt::Write;

/// Geometry in pixels.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 380.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 560.0;
const TOP: f64 = 60.0;
const BOTTOM: f64 = 310.0;
/// Ticks of an axis, about.
const TICKS: f64 = 5.0;

/// Colours for white paper, and for dark screens.
const STYLE: &str = "\
<style>
text{fill:#24292f}.m{fill:#57606a}.b{font-weight:bold}.page{fill:#fff}.grid{stroke:#d8dee4}
.left{stroke:#0b62c4;fill:none}.right{stroke:#c0392b;fill:none;stroke-dasharray:5 3}
text.left{stroke:none;fill:#0b62c4}text.right{stroke:none;fill:#c0392b}
@media (prefers-color-scheme:dark){
text{fill:#e6edf3}.m{fill:#9da7b1}.page{fill:#0d1117}.grid{stroke:#30363d}
.left{stroke:#58a6ff}.right{stroke:#f0776b}text.left{fill:#58a6ff}text.right{fill:#f0776b}
}
</style>
";

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
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
             viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"system-ui,sans-serif\" font-size=\"12\">\n\
             {STYLE}<rect class=\"page\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/>\n{body}</svg>\n"
        )
    }

    /// Draws a curve; `scale` is where its numbers are, how they are aligned, and where its name is.
    fn curve(&self, body: &mut String, curve: &Curve, class: &str, scale: (f64, &str, f64)) {
        let most = curve.points.iter().map(|(_, value)| *value).fold(0.0, f64::max);
        let step = round_step(most);
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
        let _ = writeln!(
            body,
            "<text class=\"{class}\" transform=\"translate({name} {middle})rotate(-90)\" \
             text-anchor=\"middle\">{}</text>",
            escaped(&curve.name)
        );
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

fn text(body: &mut String, class: &str, (x, y, anchor): (f64, f64, &str), text: &str) {
    let _ = writeln!(
        body,
        "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>",
        escaped(text)
    );
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

/// 1, 2 or 5 times a power of ten, for a scale up to `most`.
fn round_step(most: f64) -> f64 {
    let rough = most.max(1e-9) / TICKS;
    let power = 10f64.powf(rough.log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .map(|times| times * power)
        .into_iter()
        .find(|s| *s >= rough)
        .unwrap_or(power)
}

/// A tick's number, as exact as its step.
fn number(value: f64, step: f64) -> String {
    let places = (-step.log10().floor()).max(0.0) as usize;
    format!("{value:.places$}")
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

    #[test]
    fn steps_are_round() {
        assert_eq!([0.4, 7.0, 20.0, 23.0].map(round_step), [0.1, 2.0, 5.0, 5.0]);
        assert_eq!(number(0.30000000000000004, 0.1), "0.3");
        assert_eq!(number(15.0, 5.0), "15");
    }
}
