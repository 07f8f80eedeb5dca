// SPDX-License-Identifier: MIT OR Apache-2.0
//! Places and walls in a plane.

use borsh::{BorshDeserialize, BorshSerialize};

/// A place, in metres.
#[derive(Clone, Copy, Debug, Default, PartialEq, BorshSerialize, BorshDeserialize)]
pub struct Position {
    /// To the right.
    pub x: f64,
    /// Upwards.
    pub y: f64,
}

impl Position {
    /// The distance to another one, in metres.
    pub fn distance(self, other: Position) -> f64 {
        libm::hypot(self.x - other.x, self.y - other.y)
    }

    /// On which side of the line from `a` to `b` it is: above 0 on the left, 0 on the line.
    fn side(self, a: Position, b: Position) -> f64 {
        (b.x - a.x) * (self.y - a.y) - (b.y - a.y) * (self.x - a.x)
    }
}

/// A wall, which weakens what goes through it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wall {
    /// Where it begins.
    pub from: Position,
    /// Where it ends.
    pub to: Position,
    /// By how much, in hundredths of a dB.
    pub loss: i32,
}

impl Wall {
    /// Whether the way from `a` to `b` goes through it. A way that only touches an end does not.
    pub fn is_between(&self, a: Position, b: Position) -> bool {
        let ends = self.from.side(a, b) * self.to.side(a, b);
        let way = a.side(self.from, self.to) * b.side(self.from, self.to);
        ends < 0.0 && way < 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: f64, y: f64) -> Position {
        Position { x, y }
    }

    #[test]
    fn a_wall_is_between_what_is_on_its_two_sides() {
        let wall = Wall { from: at(0.0, 0.0), to: at(0.0, 10.0), loss: 600 };
        assert!(wall.is_between(at(-1.0, 5.0), at(1.0, 5.0)));
        assert!(!wall.is_between(at(-1.0, 5.0), at(-2.0, 5.0)), "on one side");
        assert!(!wall.is_between(at(-1.0, 11.0), at(1.0, 11.0)), "beside it");
        assert!(!wall.is_between(at(-1.0, 5.0), at(0.0, 5.0)), "in it");
        for end in [wall.from, wall.to] {
            let [left, right] = [-1.0, 1.0].map(|x| at(x, end.y));
            assert!(!wall.is_between(left, right) && !wall.is_between(right, left), "at its end");
        }
        assert_eq!(at(3.0, 0.0).distance(at(0.0, 4.0)), 5.0);
    }
}
