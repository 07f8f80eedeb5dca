// SPDX-License-Identifier: MIT OR Apache-2.0
//! The lines behind a run: time, cycles, sleep, wake-ups, stacks.

use super::Begin;
use crate::screen::{Screen, out};
use lichen_chip::Time;
use lichen_world::{Mote, Summary};
use std::path::Path;
use std::time::Duration;

/// Prints what `mote` did, with `elapsed` of real time since `begin`.
pub fn print(screen: &Screen, image: &Path, mote: &Mote, begin: Begin, elapsed: Duration) {
    let summary = mote.summary();
    let seconds = elapsed.as_secs_f64();
    out!("");
    out!("{}", screen.bold(&format!("{} on {}", image.display(), mote.board().name)));
    entry("time", &format!("{} s simulated in {seconds:.3} s", summary.time - begin.time));
    if begin.time > Time::ZERO {
        entry("before", &format!("{} s, up to the snapshot; what follows counts both", begin.time));
    }
    entry("cycles", &format!("{} ({} instructions)", summary.cycles, summary.instructions));
    entry("speed", &speed(&summary, begin, seconds));
    entry("asleep", &asleep(&summary));
    entry("wake-ups", &counted(summary.wake_ups(), &summary.wakes));
    for (name, changes) in &summary.toggles {
        entry(name, &format!("{changes} changes"));
    }
    if !summary.resets.is_empty() {
        entry("resets", &counted(summary.resets.values().sum(), &summary.resets));
    }
    if summary.warnings > 0 {
        entry("warnings", &summary.warnings.to_string());
    }
    if summary.faults > 0 {
        let served = if summary.unserved_fault.is_none() { ", all served" } else { "" };
        entry("faults", &format!("{}{served}", summary.faults));
    }
    if summary.panics > 0 {
        entry("panics", &summary.panics.to_string());
    }
    for mark in mote.stacks() {
        let room = format!("{} of {} bytes at most", mark.used, mark.bytes);
        entry(&format!("stack {}", mark.name), &room);
    }
    for note in mote.notes() {
        entry("note", note);
    }
}

fn entry(name: &str, value: &str) {
    out!("  {name:<16} {value}");
}

/// Speed of the simulation.
fn speed(summary: &Summary, begin: Begin, seconds: f64) -> String {
    if seconds == 0.0 {
        return "too short to tell".to_string();
    }
    let mips = (summary.instructions - begin.instructions) as f64 / seconds / 1e6;
    let factor = (summary.time - begin.time).as_s() / seconds;
    format!("{mips:.1} million instructions a second, {factor:.0} x real time")
}

fn asleep(summary: &Summary) -> String {
    let percent = |share: f64| format!("{:.4} %", share * 100.0);
    let whole = summary.time.as_s();
    let share = |time: &Time| if whole > 0.0 { time.as_s() / whole } else { 0.0 };
    let modes: Vec<String> = summary
        .asleep
        .iter()
        .map(|(mode, time)| format!("{mode} {}", percent(share(time))))
        .collect();
    match modes.len() {
        0 => "never".to_string(),
        _ => format!("{}: {}", percent(summary.share_asleep()), modes.join(", ")),
    }
}

/// A sum and its parts.
fn counted<N: std::fmt::Display>(sum: u64, parts: &std::collections::BTreeMap<N, u64>) -> String {
    let parts: Vec<String> = parts.iter().map(|(name, count)| format!("{name} {count}")).collect();
    if parts.is_empty() { sum.to_string() } else { format!("{sum}: {}", parts.join(", ")) }
}
