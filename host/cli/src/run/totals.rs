// SPDX-License-Identifier: MIT OR Apache-2.0
//! The lines after a run of several motes: sums, and how far the motes differ.

use super::Begin;
use super::summary::{LOST, counted, entry, task_runs};
use crate::mote::Names;
use lichen_chip::Time;
use lichen_observe::{StackMark, Task};
use lichen_terminal::screen::{many, out};
use lichen_world::{Summary, TaskRuns, World};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// Prints what the motes of `world` did, with `elapsed` of real time since `begin`.
pub fn print(title: &str, world: &World, names: &Names, begin: Begin, elapsed: Duration) {
    let summaries: Vec<Summary> = world.motes().map(|(_, mote)| mote.summary()).collect();
    let Some((_, first)) = world.motes().next() else { return };
    out!("");
    out!("{title}");
    let time = world.now() - begin.time;
    let seconds = elapsed.as_secs_f64();
    entry("time", &format!("{time} s simulated in {seconds:.3} s"));
    if begin.time > Time::ZERO {
        entry("before", &format!("{} s, up to the snapshot; what follows counts both", begin.time));
    }
    let instructions = sum(&summaries, |summary| summary.instructions);
    entry("instructions", &instructions.to_string());
    if seconds > 0.0 {
        let node_seconds = time.as_s() * summaries.len() as f64 / seconds;
        let mips = (instructions - begin.instructions) as f64 / seconds / 1e6;
        let speed =
            format!("{mips:.1} million instructions, {node_seconds:.0} node-seconds a second");
        entry("speed", &speed);
    }
    let percent = |share: f64| format!("{:.4} %", share * 100.0);
    let spread = Spread { summaries: &summaries, names };
    let asleep = spread.of(Summary::share_asleep, percent);
    entry("asleep", &format!("{asleep} of the time"));
    if summaries.iter().any(|summary| summary.off > Time::ZERO) {
        entry("without power", &spread.of(|summary| summary.off, |time| format!("{time} s")));
    }
    let wakes = merged(&summaries, |summary| &summary.wakes);
    entry("wake-ups", &counted(wakes.values().sum(), &wakes));
    for name in merged(&summaries, |summary| &summary.toggles).keys() {
        let changes = |summary: &Summary| summary.toggles.get(name).copied().unwrap_or(0);
        let unit = if summaries.iter().all(|summary| changes(summary) == 1) {
            "change"
        } else {
            "changes"
        };
        entry(name, &format!("{} {unit}", spread.of(changes, |n| n.to_string())));
    }
    let characters = spread.of(|summary| summary.characters_out, |n| n.to_string());
    if summaries.iter().any(|summary| summary.characters_out > 0) {
        entry("characters", &characters);
    }
    let resets = merged(&summaries, |summary| &summary.resets);
    if !resets.is_empty() {
        entry("resets", &counted(resets.values().sum(), &resets));
    }
    troubles(&summaries, names);
    for (task, runs) in tasks(world) {
        entry(&format!("task {}", task.name), &task_runs(&task, &runs));
    }
    for (what, counts) in losses(world) {
        let had: Vec<usize> = counts.iter().map(|(mote, _)| *mote).collect();
        let count: u64 = counts.iter().map(|(_, count)| count).sum();
        entry(LOST, &format!("{count}, {what}, in {}", motes(&had, names)));
    }
    for (mark, mote) in stacks(world) {
        let mote = names.long(mote);
        let room = format!("{} of {} bytes at most, in {mote}", mark.used, mark.bytes);
        entry(&format!("stack {}", mark.name), &room);
    }
    if names.are_given() && summaries.len() <= MOST_LISTED {
        list(world, &summaries, names);
    }
    first.notes().iter().for_each(|note| entry("note", note));
}

/// A line for each mote of a scenario.
fn list(world: &World, summaries: &[Summary], names: &Names) {
    for ((id, mote), summary) in world.motes().zip(summaries) {
        let (board, image) = (&mote.board().name, mote.image().name());
        let program =
            Path::new(image).file_stem().map_or(image.into(), |name| name.to_string_lossy());
        let (asleep, wakes) = (summary.share_asleep() * 100.0, summary.wake_ups());
        entry(
            &names.short(id.0),
            &format!("{program} on {board}: asleep {asleep:.4} %, {}", many(wakes, "wake-up")),
        );
    }
}

/// The motes of a larger scenario are not listed.
const MOST_LISTED: usize = 16;

/// Something that motes have, by name.
type Count = (&'static str, fn(&Summary) -> u64);

/// The real-time tasks of all motes, by name and what they declare, with the most that any mote has seen.
fn tasks(world: &World) -> Vec<(Task, TaskRuns)> {
    let mut all: Vec<(Task, TaskRuns)> = Vec::new();
    for (_, mote) in world.motes() {
        let summary = mote.summary();
        for task in mote.tasks() {
            let seen = summary.tasks.get(&task.name).cloned().unwrap_or_default();
            match all.iter_mut().find(|(known, _)| known == task) {
                Some((_, runs)) => runs.add(&seen),
                None => all.push((task.clone(), seen)),
            }
        }
    }
    all
}

/// What the firmware of motes has lost: by what counts it, the motes and their counts.
fn losses(world: &World) -> BTreeMap<String, Vec<(usize, u64)>> {
    let mut all: BTreeMap<String, Vec<(usize, u64)>> = BTreeMap::new();
    for (id, mote) in world.motes() {
        for (what, count) in mote.losses() {
            all.entry(what).or_default().push((id.0 as usize, count));
        }
    }
    all
}

/// Warnings, faults and panics, and the motes that had them.
fn troubles(summaries: &[Summary], names: &Names) {
    let kinds: [Count; 4] = [
        ("warnings", |summary| summary.warnings),
        ("faults", |summary| summary.faults),
        ("panics", |summary| summary.panics),
        ("locked up", |summary| u64::from(summary.locked_up)),
    ];
    for (name, count) in kinds {
        let had: Vec<usize> = (0..summaries.len()).filter(|n| count(&summaries[*n]) > 0).collect();
        if !had.is_empty() {
            entry(name, &format!("{}, in {}", sum(summaries, count), motes(&had, names)));
        }
    }
}

/// The first few of these motes by name, and how many more there are.
fn motes(numbers: &[usize], names: &Names) -> String {
    const SHOWN: usize = 8;
    let shown: Vec<String> =
        numbers.iter().take(SHOWN).map(|number| names.short(*number as u32)).collect();
    let more = numbers.len() - shown.len();
    let unit = if numbers.len() == 1 { "mote" } else { "motes" };
    let list = match names.are_given() {
        true => shown.join(", "),
        false => format!("{unit} {}", shown.join(", ")),
    };
    if more == 0 { list } else { format!("{list} and {more} more") }
}

fn sum(summaries: &[Summary], count: impl Fn(&Summary) -> u64) -> u64 {
    summaries.iter().map(count).sum()
}

/// Counts by name, of all motes together.
fn merged(
    summaries: &[Summary],
    counts: impl Fn(&Summary) -> &BTreeMap<String, u64>,
) -> BTreeMap<String, u64> {
    let mut all = BTreeMap::new();
    for (name, count) in summaries.iter().flat_map(counts) {
        *all.entry(name.clone()).or_default() += count;
    }
    all
}

/// How far motes differ.
struct Spread<'a> {
    summaries: &'a [Summary],
    names: &'a Names,
}

impl Spread<'_> {
    /// The least and the largest value, with the motes that have them, if they differ.
    fn of<T: PartialOrd + Copy>(
        &self,
        value: impl Fn(&Summary) -> T,
        text: impl Fn(T) -> String,
    ) -> String {
        let mut values = self.summaries.iter().map(value).zip(0..);
        let Some(first) = values.next() else { return String::new() };
        let (mut least, mut most) = (first, first);
        for (value, mote) in values {
            if value < least.0 {
                least = (value, mote);
            }
            if value > most.0 {
                most = (value, mote);
            }
        }
        let end = |(value, mote)| format!("{} ({})", text(value), self.names.long(mote));
        match least.0 < most.0 {
            false => text(least.0),
            true => format!("{} to {}", end(least), end(most)),
        }
    }
}

/// The fullest stack of each name, and the mote that it is in.
fn stacks(world: &World) -> Vec<(StackMark, u32)> {
    let mut fullest: Vec<(StackMark, u32)> = Vec::new();
    for (id, mote) in world.motes() {
        for mark in mote.stacks() {
            match fullest.iter_mut().find(|(known, _)| known.name == mark.name) {
                Some((known, _)) if known.used >= mark.used => {}
                Some(known) => *known = (mark, id.0),
                None => fullest.push((mark, id.0)),
            }
        }
    }
    fullest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_names_the_motes_at_its_ends() {
        let summaries: Vec<Summary> =
            [5, 3, 9, 3].map(|warnings| Summary { warnings, ..Summary::default() }).into();
        let spread = |summaries: &[Summary]| {
            let names = &Names::default();
            Spread { summaries, names }.of(|summary| summary.warnings, |n| n.to_string())
        };
        assert_eq!(spread(&summaries), "3 (mote 1) to 9 (mote 2)");
        assert_eq!(spread(&summaries[..1]), "5");
    }

    #[test]
    fn many_motes_are_counted() {
        let motes = |numbers: &[usize]| motes(numbers, &Names::default());
        assert_eq!(motes(&[4]), "mote 4");
        assert_eq!(motes(&[1, 2]), "motes 1, 2");
        let all: Vec<usize> = (0..20).collect();
        assert_eq!(motes(&all), "motes 0, 1, 2, 3, 4, 5, 6, 7 and 12 more");
    }
}
