// SPDX-License-Identifier: MIT OR Apache-2.0
//! The lines after a run: time, cycles, sleep, wake-ups, CPU time, stacks.

use super::Begin;
use lichen_chip::Time;
use lichen_observe::{Task, ThreadStatus, Wait, Waiting};
use lichen_terminal::screen::{many, out};
use lichen_world::{Mote, Summary, TaskRuns};
use std::time::Duration;

/// Prints what `mote` did, with `elapsed` of real time since `begin`.
pub fn print(title: &str, mote: &Mote, begin: Begin, elapsed: Duration) {
    let summary = mote.summary();
    // A debugger may have gone back to before the beginning.
    let begin = Begin {
        time: begin.time.min(summary.time),
        instructions: begin.instructions.min(summary.instructions),
    };
    let seconds = elapsed.as_secs_f64();
    out!("");
    out!("{title}");
    entry("time", &format!("{} s simulated in {seconds:.3} s", summary.time - begin.time));
    if begin.time > Time::ZERO {
        entry("before", &format!("{} s, up to the snapshot; what follows counts both", begin.time));
    }
    let instructions = many(summary.instructions, "instruction");
    entry("cycles", &format!("{} ({instructions})", summary.cycles));
    entry("speed", &speed(&summary, begin, seconds));
    let busy = mote.running_thread().filter(|_| summary.asleep.is_empty());
    let busy = busy.map(|thread| format!("; {thread} runs, {}", mote.whereabouts()));
    entry("asleep", &(asleep(&summary) + &busy.unwrap_or_default()));
    if summary.off > Time::ZERO {
        entry("without power", &format!("{} s", summary.off));
    }
    entry("wake-ups", &counted(summary.wake_ups(), &summary.wakes));
    for (name, changes) in &summary.toggles {
        entry(name, &many(*changes, "change"));
    }
    print_troubles(&summary);
    for (name, wear) in mote.wear() {
        entry(&name, &wear);
    }
    for task in mote.tasks() {
        let runs = summary.tasks.get(&task.name).cloned().unwrap_or_default();
        entry(&format!("task {}", task.name), &task_runs(task, &runs));
    }
    for (name, value) in cpu_times(&mote.threads()) {
        entry(&name, &value);
    }
    for (name, count) in mote.losses() {
        entry(LOST, &format!("{count}, {name}"));
    }
    for mark in mote.stacks() {
        let room = format!("{} of {} bytes at most", mark.used, mark.bytes);
        entry(&format!("stack {}", mark.name), &room);
    }
    for name in mote.never_started() {
        entry(&format!("thread {name}"), "never started: thread_start starts a THREAD_STOPPED");
    }
    for ThreadStatus { name, wait, .. } in mote.threads() {
        let Some(Wait { object: Some(object), holder: Some((_, holder)), has_deadline: false }) =
            wait
        else {
            continue;
        };
        entry(&format!("thread {name}"), &format!("waits for {object}, which {holder} has"));
    }
    if let Some((since, threads)) = mote.all_wait() {
        let threads: Vec<String> = threads.iter().map(Waiting::to_string).collect();
        entry("all threads wait", &format!("since {since} s: {}", threads.join(", ")));
    }
    for note in mote.notes() {
        entry("note", note);
    }
}

/// Prints how often it was in trouble, as far as it was.
fn print_troubles(summary: &Summary) {
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
}

/// The name of a line about what the firmware has lost.
pub(super) const LOST: &str = "lost by program";

/// A line.
pub(super) fn entry(name: &str, value: &str) {
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
    let whole = (summary.time - summary.off).as_s();
    let share = |time: &Time| if whole > 0.0 { time.as_s() / whole } else { 0.0 };
    let modes: Vec<String> = summary
        .asleep
        .iter()
        .map(|(mode, time)| format!("{mode} {}", percent(share(time))))
        .collect();
    match modes.len() {
        0 => "never".to_string(),
        _ => format!("{} of the time: {}", percent(summary.share_asleep()), modes.join(", ")),
    }
}

/// A line for each thread whose CPU time is counted: its cycles, and its share of the total.
fn cpu_times(threads: &[ThreadStatus]) -> Vec<(String, String)> {
    let counted = || threads.iter().filter_map(|thread| Some((&thread.name, thread.cpu_cycles?)));
    let all: u64 = counted().map(|(_, cycles)| cycles).sum();
    let share = |cycles: u64| cycles as f64 * 100.0 / all.max(1) as f64;
    counted()
        .map(|(name, cycles)| {
            let share = format!("{:.4} % of all cycles", share(cycles));
            (format!("cpu {name}"), format!("{}, {share}", many(cycles, "cycle")))
        })
        .collect()
}

/// What was seen of a real-time task, beside what it declares.
pub(super) fn task_runs(task: &Task, seen: &TaskRuns) -> String {
    let runs = if seen.runs == 1 { "run" } else { "runs" };
    let missed = match seen.missed {
        0 => String::new(),
        missed => format!(", {missed} missed"),
    };
    if seen.runs == 0 {
        let what = if seen.is_running { "has not returned" } else { "never ran" };
        return format!("{what}{missed}");
    }
    let response = match seen.longest_response {
        Time::ZERO => String::new(),
        longest => format!(", {:.2} of {} us after a request", longest.as_us(), task.deadline_us),
    };
    let (most, allowed) = (seen.most_cycles, task.wcet_cycles);
    format!("{} {runs}: {most} of {allowed} cycles at most{response}{missed}", seen.runs)
}

/// A sum and its parts.
pub(super) fn counted<N: std::fmt::Display>(
    sum: u64,
    parts: &std::collections::BTreeMap<N, u64>,
) -> String {
    let parts: Vec<String> = parts.iter().map(|(name, count)| format!("{name} {count}")).collect();
    if parts.is_empty() { sum.to_string() } else { format!("{sum}: {}", parts.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lichen_observe::ThreadState;

    fn thread(name: &str, cpu_cycles: Option<u64>) -> ThreadStatus {
        let state = ThreadState::Waiting;
        let name = name.to_string();
        ThreadStatus { index: 0, name, block: 0, state, priority: 4, cpu_cycles, wait: None }
    }

    #[test]
    fn cpu_time_is_reported_where_it_is_counted() {
        assert!(cpu_times(&[thread("a", None), thread("idle", None)]).is_empty());
        let lines = cpu_times(&[thread("a", Some(1)), thread("idle", Some(3))]);
        let line = |name: &str, value: &str| (name.to_string(), value.to_string());
        assert_eq!(
            lines,
            [
                line("cpu a", "1 cycle, 25.0000 % of all cycles"),
                line("cpu idle", "3 cycles, 75.0000 % of all cycles")
            ]
        );
        let [(_, never)] = &cpu_times(&[thread("a", Some(0))])[..] else { panic!("a line") };
        assert_eq!(never, "0 cycles, 0.0000 % of all cycles", "no thread has run");
    }
}
