// SPDX-License-Identifier: MIT OR Apache-2.0
//! The lines after a run of several motes: sums, and how far the motes differ.

use super::Begin;
use super::summary::{counted, entry};
use crate::screen::{Screen, out};
use lichen_observe::StackMark;
use lichen_world::{Summary, World};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// Prints what the motes of `world` did, with `elapsed` of real time since `begin`.
pub fn print(screen: &Screen, image: &Path, world: &World, begin: Begin, elapsed: Duration) {
    let summaries: Vec<Summary> = world.motes().map(|(_, mote)| mote.summary()).collect();
    let Some((_, first)) = world.motes().next() else { return };
    out!("");
    let title = format!("{} on {} motes {}", image.display(), summaries.len(), first.board().name);
    out!("{}", screen.bold(&title));
    let time = world.now() - begin.time;
    let seconds = elapsed.as_secs_f64();
    entry("time", &format!("{time} s simulated in {seconds:.3} s"));
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
    entry("asleep", &spread(&summaries, Summary::share_asleep, percent));
    let wakes = merged(&summaries, |summary| &summary.wakes);
    entry("wake-ups", &counted(wakes.values().sum(), &wakes));
    for name in merged(&summaries, |summary| &summary.toggles).keys() {
        let changes = |summary: &Summary| summary.toggles.get(name).copied().unwrap_or(0);
        entry(name, &format!("{} changes", spread(&summaries, changes, |n| n.to_string())));
    }
    let characters = spread(&summaries, |summary| summary.characters_out, |n| n.to_string());
    if summaries.iter().any(|summary| summary.characters_out > 0) {
        entry("characters", &characters);
    }
    let resets = merged(&summaries, |summary| &summary.resets);
    if !resets.is_empty() {
        entry("resets", &counted(resets.values().sum(), &resets));
    }
    troubles(&summaries);
    for (mark, mote) in stacks(world) {
        let room = format!("{} of {} bytes at most, in mote {mote}", mark.used, mark.bytes);
        entry(&format!("stack {}", mark.name), &room);
    }
    first.notes().iter().for_each(|note| entry("note", note));
}

/// Something that motes have, by name.
type Count = (&'static str, fn(&Summary) -> u64);

/// Warnings, faults and panics, and the motes that had them.
fn troubles(summaries: &[Summary]) {
    let kinds: [Count; 4] = [
        ("warnings", |summary| summary.warnings),
        ("faults", |summary| summary.faults),
        ("panics", |summary| summary.panics),
        ("locked up", |summary| u64::from(summary.locked_up)),
    ];
    for (name, count) in kinds {
        let had: Vec<usize> = (0..summaries.len()).filter(|n| count(&summaries[*n]) > 0).collect();
        if !had.is_empty() {
            entry(name, &format!("{}, in {}", sum(summaries, count), motes(&had)));
        }
    }
}

/// The first few of these motes by name, and how many more there are.
fn motes(numbers: &[usize]) -> String {
    const SHOWN: usize = 8;
    let names: Vec<String> = numbers.iter().take(SHOWN).map(usize::to_string).collect();
    let more = numbers.len() - names.len();
    let list =
        format!("{} {}", if numbers.len() == 1 { "mote" } else { "motes" }, names.join(", "));
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

/// The least and the largest value, with the motes that have them, if they differ.
fn spread<T: PartialOrd + Copy>(
    summaries: &[Summary],
    value: impl Fn(&Summary) -> T,
    text: impl Fn(T) -> String,
) -> String {
    let mut values = summaries.iter().map(value).enumerate();
    let Some(first) = values.next() else { return String::new() };
    let (mut least, mut most) = (first, first);
    for (mote, value) in values {
        if value < least.1 {
            least = (mote, value);
        }
        if value > most.1 {
            most = (mote, value);
        }
    }
    match least.1 < most.1 {
        false => text(least.1),
        true => {
            format!("{} (mote {}) to {} (mote {})", text(least.1), least.0, text(most.1), most.0)
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
        let text = |n: u64| n.to_string();
        assert_eq!(
            spread(&summaries, |summary| summary.warnings, text),
            "3 (mote 1) to 9 (mote 2)"
        );
        assert_eq!(spread(&summaries[..1], |summary| summary.warnings, text), "5");
    }

    #[test]
    fn many_motes_are_counted() {
        assert_eq!(motes(&[4]), "mote 4");
        assert_eq!(motes(&[1, 2]), "motes 1, 2");
        let all: Vec<usize> = (0..20).collect();
        assert_eq!(motes(&all), "motes 0, 1, 2, 3, 4, 5, 6, 7 and 12 more");
    }
}
