// SPDX-License-Identifier: MIT OR Apache-2.0
//! What motes do next, in the order of time.

use lichen_chip::Time;

/// A time for each mote, and the earliest of them.
///
/// The times are the leaves of a binary tree whose other nodes have the earlier time of their two children, as in a tournament:
/// a change costs the way to the root at most, and a subtree in which nothing is due is passed over. Leaf `i` is node
/// `leaves + i`, the children of node `n` are `2 * n` and `2 * n + 1`, and the root is node 1.
#[derive(Clone, Debug, Default)]
pub(super) struct Agenda {
    leaves: usize,
    tree: Vec<Time>,
}

impl Agenda {
    /// Sets the time of mote `index`, which may be a new one.
    pub(super) fn set(&mut self, index: usize, time: Time) {
        if index >= self.leaves {
            self.grow((index + 1).next_power_of_two());
        }
        let mut node = self.leaves + index;
        let mut least = time;
        while self.tree[node] != least {
            self.tree[node] = least;
            if node == 1 {
                break;
            }
            least = least.min(self.tree[node ^ 1]);
            node /= 2;
        }
    }

    fn grow(&mut self, leaves: usize) {
        let mut tree = vec![Time::NEVER; 2 * leaves];
        tree[leaves..leaves + self.leaves].copy_from_slice(&self.tree[self.leaves..]);
        for node in (1..leaves).rev() {
            tree[node] = tree[2 * node].min(tree[2 * node + 1]);
        }
        (self.leaves, self.tree) = (leaves, tree);
    }

    /// The earliest time; [`Time::NEVER`] if there is none.
    pub(super) fn first(&self) -> Time {
        self.tree.get(1).copied().unwrap_or(Time::NEVER)
    }

    /// The earliest time, and the first of the motes that have it.
    pub(super) fn first_entry(&self) -> Option<(Time, usize)> {
        let first = Some(self.first()).filter(|first| *first != Time::NEVER)?;
        let mut node = 1;
        while node < self.leaves {
            node = 2 * node + usize::from(self.tree[2 * node] != first);
        }
        Some((first, node - self.leaves))
    }

    /// Appends the motes whose time is not after `until`, in the order of their numbers.
    pub(super) fn due(&self, until: Time, into: &mut Vec<usize>) {
        let until = until.min(Time::NEVER - Time::UNIT);
        if self.first() <= until {
            self.due_below(1, until, into);
        }
    }

    /// The same below a node that is due.
    fn due_below(&self, node: usize, until: Time, into: &mut Vec<usize>) {
        if let Some(index) = node.checked_sub(self.leaves) {
            return into.push(index);
        }
        for child in [2 * node, 2 * node + 1] {
            if self.tree[child] <= until {
                self.due_below(child, until, into);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lichen_device::air::philox4x32;

    fn taken(agenda: &mut Agenda, units: u64) -> Vec<usize> {
        let mut due = Vec::new();
        agenda.due(Time::from_units(units), &mut due);
        due.iter().for_each(|index| agenda.set(*index, Time::NEVER));
        due
    }

    #[test]
    fn the_latest_time_of_each_mote_counts() {
        let mut agenda = Agenda::default();
        for (index, time) in [(0, 5), (1, 3), (2, 9), (1, 7), (2, 1), (2, 2)] {
            agenda.set(index, Time::from_units(time));
        }
        assert_eq!(agenda.first(), Time::from_units(2));
        assert_eq!(taken(&mut agenda, 6), [0, 2]);
        assert_eq!(agenda.first_entry(), Some((Time::from_units(7), 1)));
        agenda.set(0, Time::from_units(7));
        assert_eq!(agenda.first_entry(), Some((Time::from_units(7), 0)));
        agenda.set(1, Time::NEVER);
        assert_eq!(taken(&mut agenda, 7), [0]);
        assert_eq!((agenda.first(), agenda.first_entry()), (Time::NEVER, None));
        assert!(taken(&mut agenda, u64::MAX).is_empty());
    }

    #[test]
    fn it_is_what_a_look_at_all_times_says() {
        let mut agenda = Agenda::default();
        let mut times = Vec::new();
        for step in 0..5_000 {
            let [which, time, ..] = philox4x32([step, 0, 0, 0], [1, 2]);
            let index = which as usize % (1 + step as usize / 20);
            let units = if time % 8 == 0 { u64::MAX } else { u64::from(time % 100) };
            times.resize(times.len().max(index + 1), Time::NEVER);
            times[index] = Time::from_units(units);
            agenda.set(index, times[index]);
            let first = times.iter().copied().min().unwrap_or(Time::NEVER);
            assert_eq!(agenda.first(), first);
            let entry = times.iter().position(|it| *it == first && first != Time::NEVER);
            assert_eq!(agenda.first_entry(), entry.map(|index| (first, index)));
            let until = Time::from_units(u64::from(which % 100));
            let mut due = Vec::new();
            agenda.due(until, &mut due);
            let expected: Vec<usize> = (0..times.len()).filter(|it| times[*it] <= until).collect();
            assert_eq!(due, expected);
        }
    }
}
