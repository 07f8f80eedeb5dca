// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where the names of motes stand on a map: within them, or beside them where they cover least.

/// Heights of a name above its base line and below it, and of the base line below the middle of what it names.
const ABOVE: f64 = 8.0;
const BELOW: f64 = 2.5;
const HALF: f64 = 4.0;
/// Room between a mote and its name.
const GAP: f64 = 3.0;

/// Left, top, right, bottom.
type Edges = [f64; 4];

/// Finds places for names of these widths on a map from one x to another, where motes of this radius are; returns the
/// middle of each base line.
pub fn places(
    nodes: &[[f64; 2]],
    widths: &[f64],
    radius: f64,
    (left, right): (f64, f64),
) -> Vec<[f64; 2]> {
    let around = |[x, y]: [f64; 2]| [x - radius, y - radius, x + radius, y + radius];
    let mut taken: Vec<Edges> = nodes.iter().map(|node| around(*node)).collect();
    let mut places = Vec::new();
    for (node, width) in nodes.iter().zip(widths) {
        let cost = |place: &[f64; 2]| {
            let edges = edges(*place, *width);
            let is_outside = edges[0] < left || edges[2] > right;
            let covered = taken.iter().filter(|other| meet(edges, **other)).count();
            (is_outside, covered)
        };
        let place = match width.hypot(ABOVE) <= 2.0 * radius + 1.0 {
            true => [node[0], node[1] + HALF],
            false => beside(*node, *width, radius).into_iter().min_by_key(cost).unwrap_or(*node),
        };
        taken.push(edges(place, *width));
        places.push(place);
    }
    places
}

/// Where a name may be, in the order of preference: above, below, to the right, to the left.
fn beside([x, y]: [f64; 2], width: f64, radius: f64) -> [[f64; 2]; 4] {
    let aside = radius + GAP + width / 2.0;
    [
        [x, y - radius - GAP],
        [x, y + radius + GAP + ABOVE],
        [x + aside, y + HALF],
        [x - aside, y + HALF],
    ]
}

fn edges([x, base]: [f64; 2], width: f64) -> Edges {
    [x - width / 2.0, base - ABOVE, x + width / 2.0, base + BELOW]
}

fn meet(one: Edges, other: Edges) -> bool {
    one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_within_a_mote_that_is_large_enough_for_it() {
        let is_within = |width: f64, radius: f64| {
            places(&[[100.0, 50.0]], &[width], radius, (0.0, 400.0))[0] == [100.0, 54.0]
        };
        let digits = |count: usize| crate::drawing::words::width(&"9".repeat(count), 11.0);
        assert_eq!([1, 3, 4].map(|count| is_within(digits(count), 10.0)), [true, true, false]);
        assert_eq!([1, 2].map(|count| is_within(digits(count), 7.0)), [true, true]);
        assert!(!is_within(digits(1), 4.0), "it would hide it");
    }

    #[test]
    fn a_name_is_where_nothing_else_is() {
        let map = (0.0, 400.0);
        let alone = |width, map| places(&[[100.0, 50.0]], &[width], 10.0, map)[0];
        assert_eq!(alone(15.0, map), [100.0, 54.0], "within it");
        assert_eq!(alone(40.0, map), [100.0, 37.0], "above it");
        let below = places(&[[100.0, 50.0], [100.0, 25.0]], &[40.0, 9.0], 10.0, map);
        assert_eq!(below[0], [100.0, 71.0]);
        let column = [[100.0, 50.0], [100.0, 25.0], [100.0, 75.0]];
        let aside = |map| places(&column, &[40.0, 9.0, 9.0], 10.0, map)[0];
        assert_eq!(aside(map), [133.0, 54.0]);
        assert_eq!(aside((0.0, 140.0)), [67.0, 54.0], "to the left at the right edge");
    }
}
