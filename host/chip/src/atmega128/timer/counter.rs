// SPDX-License-Identifier: MIT OR Apache-2.0
//! The value of a counter as a function of how often it was clocked.

/// How a counter goes on from its top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(super) enum Slope {
    /// From zero again.
    Single,
    /// Downwards.
    Dual,
}

/// A counter at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(super) struct Counter {
    pub value: u32,
    /// Of dual slope: it counts down.
    down: bool,
    /// Of single slope: it has missed its top, by a write that blocked the comparison, and counts to its
    /// maximum.
    missed: bool,
}

/// The limits between which a counter counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(super) struct Range {
    pub slope: Slope,
    pub top: u32,
    /// The largest value that the register holds.
    pub max: u32,
}

impl Counter {
    /// A counter that has just been written.
    pub fn at(value: u32) -> Counter {
        Counter { value, down: false, missed: false }
    }

    /// The same direction, another value. The comparison with the top is blocked at the next clock.
    pub fn written(self, value: u32, range: Range) -> Counter {
        let missed = range.slope == Slope::Single && value == range.top && range.top != range.max;
        Counter { value, missed, ..self }
    }

    /// Whether it counts down after the value that it has.
    pub fn counts_down(&self, range: Range) -> bool {
        range.slope == Slope::Dual && self.position(range) >= range.top
    }

    fn is_above(&self, range: Range) -> bool {
        self.value > range.top || self.missed && self.value == range.top
    }

    /// Place within a period of dual slope; a value above the top counts as the way down to it.
    fn position(&self, range: Range) -> u32 {
        let top = range.top;
        match self.value {
            value if value >= top => top,
            0 => 0,
            value if self.down => 2 * top - value,
            value => value,
        }
    }

    fn at_position(position: u32, top: u32) -> Counter {
        if position < top || position == 0 {
            Counter { value: position, down: false, missed: false }
        } else {
            Counter { value: 2 * top - position, down: true, missed: false }
        }
    }

    /// The counter after `clocks` clocks.
    pub fn after(self, range: Range, clocks: u64) -> Counter {
        if clocks == 0 {
            return self;
        }
        match range.slope {
            Slope::Single => self.after_single(range, clocks),
            Slope::Dual => self.after_dual(range, clocks),
        }
    }

    fn after_single(self, range: Range, clocks: u64) -> Counter {
        let period = u64::from(range.top) + 1;
        let value = u64::from(self.value);
        if !self.is_above(range) {
            return Counter::at(((value + clocks) % period) as u32);
        }
        let to_wrap = u64::from(range.max) - value + 1;
        match clocks.checked_sub(to_wrap) {
            None => Counter::at((value + clocks) as u32),
            Some(rest) => Counter::at((rest % period) as u32),
        }
    }

    fn after_dual(self, range: Range, clocks: u64) -> Counter {
        let top = range.top;
        if self.value > top {
            let to_top = u64::from(self.value - top);
            return match clocks.checked_sub(to_top) {
                None => Counter { value: self.value - clocks as u32, down: true, missed: false },
                Some(rest) => Counter::at_position(top, top).after(range, rest),
            };
        }
        if top == 0 {
            return Counter::at(0);
        }
        let period = u64::from(2 * top);
        let position = (u64::from(self.position(range)) + clocks) % period;
        Counter::at_position(position as u32, top)
    }

    /// Clocks until the counter has `value`, 0 if it has it; `None` if it never will.
    pub fn until(self, range: Range, value: u32) -> Option<u64> {
        match range.slope {
            Slope::Single => self.until_single(range, value),
            Slope::Dual => self.until_dual(range, value),
        }
    }

    fn until_single(self, range: Range, value: u32) -> Option<u64> {
        let (present, wanted) = (u64::from(self.value), u64::from(value));
        if !self.is_above(range) {
            let period = u64::from(range.top) + 1;
            return (value <= range.top).then(|| (wanted + period - present) % period);
        }
        if value >= self.value && value <= range.max {
            return Some(wanted - present);
        }
        (value <= range.top).then(|| u64::from(range.max) - present + 1 + wanted)
    }

    fn until_dual(self, range: Range, value: u32) -> Option<u64> {
        let top = range.top;
        if self.value > top {
            let to_top = u64::from(self.value - top);
            if value >= top {
                return (value <= self.value).then(|| u64::from(self.value - value));
            }
            let rest = Counter::at_position(top, top).until(range, value)?;
            return Some(to_top + rest);
        }
        if value > top {
            return None;
        }
        if top == 0 {
            return Some(0);
        }
        let period = u64::from(2 * top);
        let present = u64::from(self.position(range));
        let up = (u64::from(value) + period - present) % period;
        let down = (u64::from(2 * top - value) + period - present) % period;
        Some(up.min(down))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One clock, as the data sheet's state machine would make it.
    fn step(counter: Counter, range: Range) -> Counter {
        let Counter { value, down, missed } = counter;
        let at = |value, down| Counter { value, down, missed: false };
        match range.slope {
            Slope::Single if value == range.top && !missed || value == range.max => at(0, false),
            Slope::Single => at(value + 1, false),
            Slope::Dual if range.top == 0 && value == 0 => at(0, false),
            Slope::Dual if value >= range.top => at(value - 1, value - 1 != 0),
            Slope::Dual if value == 0 || !down => at(value + 1, value + 1 >= range.top),
            Slope::Dual => at(value - 1, value - 1 != 0),
        }
    }

    fn ranges() -> impl Iterator<Item = Range> {
        let slopes = [Slope::Single, Slope::Dual].into_iter();
        slopes.flat_map(|slope| [0, 1, 2, 5, 15].map(|top| Range { slope, top, max: 15 }))
    }

    #[test]
    fn many_clocks_are_as_many_single_ones() {
        for range in ranges() {
            for value in 0..16 {
                for down in [false, true] {
                    let start = Counter { down, ..Counter::at(value) };
                    let mut stepped = start;
                    for clocks in 0..60 {
                        let jumped = start.after(range, clocks);
                        assert_eq!(jumped.value, stepped.value, "{range:?} {start:?} {clocks}");
                        stepped = step(stepped, range);
                    }
                }
            }
        }
    }

    #[test]
    fn the_time_until_a_value_is_when_it_is_first_reached() {
        for range in ranges() {
            for (value, down) in (0..16).flat_map(|value| [(value, false), (value, true)]) {
                let start = Counter { down, ..Counter::at(value) };
                for wanted in 0..16 {
                    let first = (0..60).find(|clocks| start.after(range, *clocks).value == wanted);
                    assert_eq!(start.until(range, wanted), first, "{range:?} {start:?} {wanted}");
                }
            }
        }
    }

    #[test]
    fn a_counter_written_to_its_top_misses_it() {
        let range = Range { slope: Slope::Single, top: 5, max: 15 };
        let counter = Counter::at(0).written(5, range);
        assert_eq!(counter.after(range, 1).value, 6);
        assert_eq!(counter.after(range, 11).value, 0);
        assert_eq!(counter.until(range, 0), Some(11));
        let whole = Range { top: 15, ..range };
        assert_eq!(Counter::at(0).written(15, whole).after(whole, 1).value, 0);
    }
}
