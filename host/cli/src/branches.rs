// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lichen profile --branches`: how branches, sleep and addresses are spread over a run.

use crate::profile::percent;
use lichen_chip::Time;
use lichen_observe::branches::{Branches, Count, Distances, Kind, Window};
use lichen_terminal::screen::{Screen, out};
use serde_json::{Value, json};

/// Width of the longest bar.
const BAR: usize = 40;

/// What was counted, and when.
pub struct Report<'a> {
    /// The counts.
    pub branches: &'a Branches,
    /// From when on.
    pub begin: Time,
    /// Until when.
    pub end: Time,
    /// Length of a window.
    pub window: Time,
}

impl Report<'_> {
    fn time(&self) -> Time {
        self.end - self.begin
    }

    fn asleep(&self) -> Time {
        self.branches.windows().iter().fold(Time::ZERO, |sum, window| sum + window.asleep)
    }

    /// Prints tables.
    pub fn print(&self, screen: &Screen) {
        let branches = self.branches;
        let instructions = branches.instructions();
        let asleep = percent(self.asleep().units(), self.time().units());
        let time = self.time();
        let title =
            format!("{instructions} instructions in {time} s, asleep {asleep:.2} % of the time");
        out!("{}", screen.bold(&title));
        out!("");
        out!("{}", screen.bold("    executed       %       taken    backward  branches"));
        for kind in Kind::ALL {
            row(kind.name(), branches.count(kind), instructions);
        }
        row("all", branches.all(), instructions);
        distances("instructions before a branch", branches.before_branch(), screen);
        let title = "instructions before a backward taken branch";
        distances(title, branches.before_backward(), screen);
        self.print_windows(screen);
    }

    fn print_windows(&self, screen: &Screen) {
        let (code, data) = self.branches.addresses();
        let windows = self.branches.windows();
        out!("");
        let title = format!("distinct addresses in windows of {} s", self.window);
        out!("{}", screen.bold(&title));
        out!("{}", screen.bold("       from s  asleep %   instr.     RAM"));
        let most = windows.iter().map(|it| it.code.max(it.data)).max().unwrap_or(0);
        for (index, it) in windows.iter().enumerate() {
            let from = self.begin + self.window * index as u64;
            // The last one may be cut.
            let length = (self.end - from).min(self.window);
            let asleep = percent(it.asleep.units(), length.units());
            let bars = format!("{}|{}", bar(it.code, most), bar(it.data, most));
            let from = from.to_string();
            out!("{from:>13} {asleep:>9.2} {:>8} {:>7}  {bars}", it.code, it.data);
        }
        out!("{:>13} {:>9} {code:>8} {data:>7}", "all", "");
    }

    /// Prints the same for programs: all of the distributions, and times in picoseconds.
    pub fn print_json(&self) {
        let branches = self.branches;
        let kinds = Kind::ALL.map(|kind| (kind.name().to_string(), count(branches.count(kind))));
        let (code, data) = branches.addresses();
        let object = json!({
            "begin_ps": ps(self.begin),
            "end_ps": ps(self.end),
            "asleep_ps": ps(self.asleep()),
            "instructions": branches.instructions(),
            "branches": count(branches.all()),
            "kinds": serde_json::Map::from_iter(kinds),
            "instructions_before_branch": distribution(branches.before_branch()),
            "instructions_before_backward_taken_branch": distribution(branches.before_backward()),
            "addresses": { "instructions": code, "ram_bytes": data },
            "window_ps": ps(self.window),
            "windows": branches.windows().iter().map(window_object).collect::<Vec<_>>(),
        });
        out!("{object}");
    }
}

fn row(name: &str, count: Count, instructions: u64) {
    let share = percent(count.executed, instructions);
    out!("{:>12} {share:>7.2} {:>11} {:>11}  {name}", count.executed, count.taken, count.backward);
}

/// The distribution in two steps for each power of two, as far as something is there.
fn distances(title: &str, distances: &Distances, screen: &Screen) {
    out!("");
    let (Some(mean), Some(median)) = (distances.mean(), distances.median()) else {
        return out!("{}", screen.bold(&format!("{title}: there is none")));
    };
    out!("{}", screen.bold(&format!("{title}: mean {mean:.2}, median {median}")));
    let last = distances.counts().last().map_or(0, |(distance, _)| distance);
    let steps: Vec<_> =
        steps(last).map(|(first, last)| (first, last, distances.between(first, last))).collect();
    let most = steps.iter().map(|(_, _, count)| *count).max().unwrap_or(0);
    for (first, last, count) in steps {
        let range = if first == last { first.to_string() } else { format!("{first}-{last}") };
        let share = percent(count, distances.events());
        let line = format!("{range:>15} {share:>7.2} %  {}", bar(count, most));
        out!("{}", line.trim_end());
    }
}

/// Ranges of numbers up to the one that holds `last`: 0, 1, 2, 3, 4-5, 6-7, 8-11, 12-15, 16-23 and so on.
fn steps(last: u64) -> impl Iterator<Item = (u64, u64)> {
    let mut first: u64 = 0;
    std::iter::from_fn(move || {
        let begin = (first <= last).then_some(first)?;
        let length = first.checked_ilog2().map_or(1, |bits| (1 << bits) / 2).max(1);
        first += length;
        Some((begin, first - 1))
    })
}

/// A bar for `count`; nothing only for nothing.
fn bar(count: u64, most: u64) -> String {
    "#".repeat((count * BAR as u64).div_ceil(most.max(1)) as usize)
}

fn count(count: Count) -> Value {
    json!({ "executed": count.executed, "taken": count.taken, "backward": count.backward })
}

fn distribution(distances: &Distances) -> Value {
    json!({
        "mean": distances.mean(),
        "median": distances.median(),
        "counts": distances.counts().collect::<Vec<_>>(),
    })
}

/// In picoseconds: an integer, unless it has more than 64 bits.
fn ps(time: Time) -> Value {
    u64::try_from(time.ps()).map_or_else(|_| json!(time.ps() as f64), |ps| json!(ps))
}

fn window_object(window: &Window) -> Value {
    json!({
        "asleep_ps": ps(window.asleep),
        "instructions": window.instructions,
        "instruction_addresses": window.code,
        "ram_bytes": window.data,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_double_their_length_at_each_power_of_two() {
        let ranges: Vec<_> = steps(17).collect();
        let small = [(0, 0), (1, 1), (2, 2), (3, 3)];
        assert_eq!(ranges[..4], small);
        assert_eq!(ranges[4..], [(4, 5), (6, 7), (8, 11), (12, 15), (16, 23)]);
        assert_eq!(steps(0).collect::<Vec<_>>(), [(0, 0)]);
    }

    #[test]
    fn something_has_a_bar() {
        assert_eq!((bar(0, 10).len(), bar(1, 1_000).len(), bar(10, 10).len()), (0, 1, BAR));
        assert_eq!(bar(0, 0), "");
    }
}
