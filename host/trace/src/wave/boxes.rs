// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rectangles of a picture as a path.

use std::fmt::Write;

/// The smallest visible width, in pixels.
const THINNEST: f64 = 0.8;

/// Rectangles from the left to the right, of which touching ones of one height are one.
#[derive(Clone, Debug, Default)]
pub struct Boxes {
    path: String,
    last: Option<[(f64, f64); 2]>,
}

impl Boxes {
    pub fn add(&mut self, (from, to): (f64, f64), height: (f64, f64)) {
        let to = to.max(from + THINNEST);
        match &mut self.last {
            Some([(_, end), last]) if from - *end < THINNEST / 4.0 && *last == height => *end = to,
            last => {
                let before = last.replace([(from, to), height]);
                self.write(before);
            }
        }
    }

    fn write(&mut self, one: Option<[(f64, f64); 2]>) {
        if let Some([(from, to), (high, low)]) = one {
            let width = to - from;
            let _ = write!(self.path, "M{from:.2} {high:.2}h{width:.2}V{low:.2}h-{width:.2}z");
        }
    }

    pub fn path(mut self) -> String {
        let last = self.last.take();
        self.write(last);
        self.path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From and to, across and down.
    type Corners = ((f64, f64), (f64, f64));

    fn path(boxes: &[Corners]) -> String {
        let mut path = Boxes::default();
        boxes.iter().for_each(|(width, height)| path.add(*width, *height));
        path.path()
    }

    #[test]
    fn touching_ones_of_one_height_are_one() {
        let boxes = [((1.0, 3.0), (5.0, 9.0)), ((3.0, 4.0), (5.0, 9.0)), ((4.0, 6.0), (6.0, 9.0))];
        assert_eq!(path(&boxes), "M1.00 5.00h3.00V9.00h-3.00zM4.00 6.00h2.00V9.00h-2.00z");
        assert_eq!(path(&[]), "");
    }

    #[test]
    fn what_is_short_is_seen() {
        assert_eq!(path(&[((1.0, 1.0), (5.0, 9.0))]), "M1.00 5.00h0.80V9.00h-0.80z");
    }
}
