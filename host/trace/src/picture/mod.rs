// SPDX-License-Identifier: MIT OR Apache-2.0
//! What pictures (SVG) have in common: a page that is light or dark as its reader's screen is, text, and scales.

pub mod scale;
pub mod words;

use words::escaped;

/// Size of the font of text.
pub const FONT_SIZE: f64 = 12.0;

/// Colours that all pictures have, for white paper, and for dark screens.
const LIGHT: &str = "\
text{fill:#24292f}.m{fill:#57606a}.b{font-weight:bold}.page{fill:#fff}.grid{stroke:#d8dee4}.tick{stroke:#57606a}
";
const DARK: &str = "\
text{fill:#e6edf3}.m{fill:#9da7b1}.page{fill:#0d1117}.grid{stroke:#30363d}.tick{stroke:#9da7b1}
";

/// What a picture adds to the colours that all have: for white paper, and for dark screens.
pub struct Colours {
    pub light: &'static str,
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
