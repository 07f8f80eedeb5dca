// SPDX-License-Identifier: MIT OR Apache-2.0
//! The drawing kit of all pictures (SVG): a page that is light or dark as its reader's screen is, text, scales and
//! legends.

pub(crate) mod legend;
pub mod scale;
pub mod words;

use std::fmt::Write;
use words::{escaped, wrapped};

/// Size of the font of text.
pub const FONT_SIZE: f64 = 12.0;
/// Height of a line of text.
pub(crate) const LINE: f64 = 18.0;

/// Colours that all pictures have, for white paper, and for dark screens.
const LIGHT: &str = "\
text{fill:#24292f}.m{fill:#57606a}.b{font-weight:bold}.page{fill:#fff}.grid{stroke:#d8dee4}.tick{stroke:#57606a}
";
const DARK: &str = "\
text{fill:#e6edf3}.m{fill:#9da7b1}.page{fill:#0d1117}.grid{stroke:#30363d}.tick{stroke:#9da7b1}
";

/// The colours of one picture, beside those that all have.
pub struct Colours {
    /// For white paper.
    pub light: &'static str,
    /// For dark screens.
    pub dark: &'static str,
}

/// A picture of this width and height, which is called `title` and contains `body`.
pub fn page(
    (width, height): (f64, f64),
    title: &str,
    Colours { light, dark }: Colours,
    body: &str,
) -> String {
    let title = escaped(title);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"system-ui,sans-serif\" font-size=\"{FONT_SIZE}\">\n\
         <title>{title}</title>\n<style>\n{LIGHT}{light}@media (prefers-color-scheme:dark){{\n{DARK}{dark}}}\n\
         </style>\n<rect class=\"page\" width=\"{width}\" height=\"{height}\"/>\n{body}</svg>\n"
    )
}

/// Draws a line of text; `anchor` is the part of it that is at the place: `start`, `middle` or `end`.
pub fn text(svg: &mut String, class: &str, (x, y, anchor): (f64, f64, &str), text: &str) {
    let _ = writeln!(
        svg,
        "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>",
        escaped(text)
    );
}

/// Draws the name of an axis that points up, with its middle at a place.
pub fn upright(svg: &mut String, class: &str, (x, y): (f64, f64), text: &str) {
    let _ = writeln!(
        svg,
        "<text class=\"{class}\" transform=\"translate({x} {y})rotate(-90)\" text-anchor=\"middle\">{}</text>",
        escaped(text)
    );
}

/// Draws text of as many lines as it needs in this room; `top` moves below it.
pub(crate) fn paragraph(
    svg: &mut String,
    top: &mut f64,
    class: &str,
    (left, room): (f64, f64),
    text: &str,
) {
    for line in wrapped(text, room, FONT_SIZE) {
        *top += LINE;
        let (y, line) = (*top - 5.0, escaped(&line));
        let _ = writeln!(svg, "<text class=\"{class}\" x=\"{left}\" y=\"{y}\">{line}</text>");
    }
}
