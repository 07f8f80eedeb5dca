// SPDX-License-Identifier: MIT OR Apache-2.0
//! A lane of a component with several states, of which one is in force at a time: each has a colour. Where a column of
//! the picture has more than one, they lie above each other, as high as they last.

use super::panel::Group;
use super::steps::Steps;
use lichen_chip::Time;

/// A lane: of a component, or of one state that is alone.
#[derive(Clone, Debug)]
pub struct Row<'a> {
    pub group: Group,
    /// The component; with the state, if that is alone.
    pub name: String,
    /// Names of the states, and when they are in force.
    pub states: Vec<(String, &'a Steps)>,
}

/// What lies in a column: begin and end above the base, in levels, by the number of the state.
pub type Column = Vec<(usize, u32, u32)>;

/// What lies in each of `count` columns of a span, of `levels` levels.
pub fn columns(
    states: &[(String, &Steps)],
    (begin, end): (Time, Time),
    (count, levels): (usize, u32),
) -> Vec<Column> {
    let shares: Vec<Vec<f64>> =
        states.iter().map(|(_, steps)| shares(steps, (begin, end), count)).collect();
    // The state that lasts longest is at the bottom, in all columns.
    let mut order: Vec<usize> = (0..states.len()).collect();
    let whole = |state: &usize| shares[*state].iter().sum::<f64>();
    order.sort_by(|a, b| whole(b).total_cmp(&whole(a)));
    (0..count)
        .map(|column| {
            let present = order.iter().map(|state| (*state, shares[*state][column]));
            stacked(present.filter(|(_, share)| *share > 0.0).collect(), levels)
        })
        .collect()
}

/// The shares of the time in which it is 1, of columns.
fn shares(steps: &Steps, (begin, end): (Time, Time), count: usize) -> Vec<f64> {
    let mut shares = vec![0.0; count];
    let width = (end - begin).max(Time::UNIT).as_s() / count as f64;
    for cell in steps.cells().iter().filter(|cell| cell.most > 0) {
        let place = |time: Time| (time.max(begin) - begin).as_s() / width;
        let (from, to) = (place(cell.from), place(cell.to));
        let first = (from as usize).min(count - 1);
        let last = (to.ceil() as usize).clamp(first + 1, count);
        for (column, share) in shares.iter_mut().enumerate().take(last).skip(first) {
            let overlap = to.min(column as f64 + 1.0) - from.max(column as f64);
            *share += overlap.max(0.0) * cell.share();
        }
    }
    shares
}

/// Each state has a level at least, so that it is seen; the one that lasts longest gives it.
fn stacked(present: Vec<(usize, f64)>, levels: u32) -> Column {
    let heights = present.iter().map(|(_, share)| {
        let height = (share * f64::from(levels)).round() as u32;
        height.clamp(1, levels)
    });
    let mut heights: Vec<u32> = heights.collect();
    while heights.iter().sum::<u32>() > levels {
        match heights.iter_mut().max() {
            Some(highest) if *highest > 1 => *highest -= 1,
            _ => break,
        }
    }
    let mut column = Column::new();
    let mut base = 0;
    for ((state, _), height) in present.into_iter().zip(heights) {
        column.push((state, base, base + height));
        base += height;
    }
    column
}

#[cfg(test)]
mod tests {
    use super::*;

    fn us(us: u64) -> Time {
        Time::from_us(us)
    }

    /// A state that is in force in these periods.
    fn state(periods: &[(u64, u64)]) -> Steps {
        let mut steps = Steps::new(us(0), 0);
        for (from, to) in periods {
            steps.change(us(*from), 1);
            steps.change(us(*to), 0);
        }
        steps.extend(us(100));
        steps
    }

    fn drawn(states: &[&[(u64, u64)]], count: usize) -> Vec<Column> {
        let steps: Vec<Steps> = states.iter().map(|periods| state(periods)).collect();
        let named: Vec<(String, &Steps)> =
            steps.iter().map(|steps| (String::new(), steps)).collect();
        columns(&named, (us(0), us(100)), (count, 10))
    }

    #[test]
    fn a_column_with_one_state_is_filled_with_it() {
        let columns = drawn(&[&[(0, 50)], &[(50, 100)]], 4);
        assert_eq!(columns, [[(0, 0, 10)], [(0, 0, 10)], [(1, 0, 10)], [(1, 0, 10)]]);
        assert_eq!(drawn(&[&[(0, 50)], &[]], 2), [vec![(0, 0, 10)], vec![]]);
    }

    #[test]
    fn states_of_one_column_are_as_high_as_they_last_and_the_longest_is_at_the_bottom() {
        assert_eq!(drawn(&[&[(0, 20)], &[(20, 100)]], 1), [[(1, 0, 8), (0, 8, 10)]]);
    }

    #[test]
    fn what_is_short_is_seen() {
        let short: Vec<(u64, u64)> = vec![(10, 11)];
        assert_eq!(drawn(&[&short, &[(0, 10), (11, 100)]], 1), [[(1, 0, 9), (0, 9, 10)]]);
        let moment = state(&[(40, 40)]);
        assert!(moment.cells().iter().all(|cell| cell.most == 0), "what lasts for no time");
    }
}
