// SPDX-License-Identifier: MIT OR Apache-2.0
//! A value that changes in steps, recorded in bounded memory: exact while the steps are few, and cells
//! with the least, the greatest and the mean value where they are too many.

use lichen_chip::Time;

/// Most cells of a record. When it is full, neighbours are joined to cells that are so much coarser that a
/// half or more of them are free again.
pub const MOST: usize = 4_096;

/// A period, in which the value was between `least` and `most`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    pub from: Time,
    pub to: Time,
    pub least: u128,
    pub most: u128,
    /// Value times picoseconds.
    pub integral: u128,
}

impl Cell {
    /// The mean value.
    pub fn mean(&self) -> u128 {
        self.integral / (self.to - self.from).max(Time::UNIT).ps()
    }

    /// How much of it the mean is, as a share of 1: for what is 0 or 1, the share of the time in which it is 1.
    pub fn share(&self) -> f64 {
        self.integral as f64 / (self.to - self.from).max(Time::UNIT).ps() as f64
    }

    fn join(&mut self, next: &Cell) {
        self.to = next.to;
        self.least = self.least.min(next.least);
        self.most = self.most.max(next.most);
        self.integral += next.integral;
    }
}

/// Cells that follow one another without gaps.
#[derive(Clone, Debug, Default)]
pub struct Steps {
    cells: Vec<Cell>,
    /// Neighbours that last no longer together are one cell.
    grain: Time,
    since: Time,
    value: u128,
}

impl Steps {
    /// A record that begins at `begin` with this value.
    pub fn new(begin: Time, value: u128) -> Steps {
        Steps { cells: Vec::new(), grain: Time::ZERO, since: begin, value }
    }

    /// The value is another one from `time` on. Times do not descend.
    pub fn change(&mut self, time: Time, value: u128) {
        if value != self.value {
            self.extend(time);
            self.value = value;
        }
    }

    /// Records the present value up to `time`.
    pub fn extend(&mut self, time: Time) {
        if time <= self.since {
            return;
        }
        let (from, value) = (self.since, self.value);
        let integral = value * (time - from).ps();
        let cell = Cell { from, to: time, least: value, most: value, integral };
        self.since = time;
        match self.cells.last_mut() {
            Some(last) if time - last.from <= self.grain => last.join(&cell),
            _ => self.cells.push(cell),
        }
        if self.cells.len() >= MOST {
            // Any two neighbours that remain last longer than the grain together: they are at most half of MOST.
            let whole = time - self.cells[0].from;
            self.grain = whole / (MOST as u64 / 4) + Time::UNIT;
            self.cells = self.joined(self.grain);
        }
    }

    /// The cells, as far as they have been extended.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The cells, with neighbours joined that last no longer than `grain` together.
    pub fn joined(&self, grain: Time) -> Vec<Cell> {
        let mut joined: Vec<Cell> = Vec::new();
        for cell in &self.cells {
            match joined.last_mut() {
                Some(last) if cell.to - last.from <= grain => last.join(cell),
                Some(last)
                    if last.least == last.most
                        && (cell.least, cell.most) == (last.least, last.most) =>
                {
                    last.join(cell);
                }
                _ => joined.push(*cell),
            }
        }
        joined
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn us(us: u64) -> Time {
        Time::from_us(us)
    }

    fn whole(steps: &Steps) -> Cell {
        let mut cells = steps.cells().iter();
        let mut whole = *cells.next().expect("a cell");
        for cell in cells {
            assert_eq!(cell.from, whole.to, "no gap");
            whole.join(cell);
        }
        whole
    }

    #[test]
    fn few_steps_are_exact() {
        let mut steps = Steps::new(us(10), 5);
        for (time, value) in [(12, 7), (12, 8), (15, 8), (20, 0)] {
            steps.change(us(time), value);
        }
        steps.extend(us(30));
        let seen: Vec<_> = steps.cells().iter().map(|c| (c.from, c.to, c.least, c.most)).collect();
        let expected = [(10, 12, 5), (12, 20, 8), (20, 30, 0)];
        assert_eq!(seen, expected.map(|(from, to, value)| (us(from), us(to), value, value)));
        assert_eq!(whole(&steps).integral, us(10 + 64).ps());
    }

    #[test]
    fn many_steps_keep_what_is_short_and_what_it_draws() {
        let mut steps = Steps::new(Time::ZERO, 3);
        let mut integral = 0;
        let seconds = 500_000;
        for second in 0..seconds {
            let time = Time::from_s(second);
            let value = if second == 123_456 { 9_999 } else { 100 };
            steps.change(time, value);
            steps.change(time + us(5), 3);
            integral += us(5).ps() * value + (Time::from_s(1) - us(5)).ps() * 3;
            assert!(steps.cells().len() <= MOST);
        }
        steps.extend(Time::from_s(seconds));
        let whole = whole(&steps);
        assert_eq!((whole.from, whole.to), (Time::ZERO, Time::from_s(seconds)));
        assert_eq!((whole.least, whole.most, whole.integral), (3, 9_999, integral));
        let high = steps.cells().iter().find(|cell| cell.most == 9_999).expect("the short one");
        let place = Time::from_s(123_456);
        assert!(high.from <= place && place < high.to);
        assert!(high.to - high.from <= Time::from_s(seconds / 1_000), "{high:?}");
        assert!(steps.cells().iter().all(|cell| cell.least == 3));
    }

    #[test]
    fn a_long_rest_stays_one_cell_among_many_steps() {
        let mut steps = Steps::new(Time::ZERO, 0);
        for index in 0..3 * MOST as u64 {
            steps.change(us(index), u128::from(index % 2));
        }
        steps.change(Time::from_s(100), 7);
        steps.extend(Time::from_s(100) + us(1));
        let last = steps.joined(Time::from_ms(50)).pop().expect("a cell");
        assert_eq!((last.least, last.most), (7, 7));
        assert_eq!(whole(&steps).most, 7);
    }
}
