// SPDX-License-Identifier: MIT OR Apache-2.0
//! `profile`: the cycles are those of the run, and they stand where they belong.

mod common;

use common::call;

/// The number before `word` in `text`.
fn number(text: &str, word: &str) -> u64 {
    let before = text.split(word).next().unwrap_or_default();
    let digits = before.split_whitespace().last().unwrap_or_default();
    digits.parse().unwrap_or_else(|_| panic!("no number before `{word}` in\n{text}"))
}

fn ways(text: &str) -> Vec<(&str, u64)> {
    let way = |line| {
        let (way, cycles) = str::rsplit_once(line, ' ')?;
        Some((way, cycles.parse().ok()?))
    };
    text.lines().map(|line| way(line).unwrap_or_else(|| panic!("no cycles in `{line}`"))).collect()
}

#[test]
fn a_profile_has_every_cycle_of_the_run_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("stacks.txt");
    let name = file.to_str().expect("a plain path");
    for program in ["philosophers", "echo"] {
        let run = call(&["run", program, "--for", "120ms"]);
        let told = run.out.lines().find(|line| line.trim_start().starts_with("cycles"));
        let cycles = number(told.expect("a summary"), " (");
        let profile = call(&["profile", program, "--for", "120ms", "--collapsed", name]);
        assert_eq!(profile.code, 0, "{}", profile.err);
        assert_eq!(number(&profile.out, " cycles in"), cycles, "as fast runs count");
        let stacks = std::fs::read_to_string(&file).expect("stacks");
        assert_eq!(ways(&stacks).iter().map(|(_, cycles)| cycles).sum::<u64>(), cycles);
    }
}

#[test]
fn threads_handlers_and_callees_stand_where_they_belong() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("stacks.txt");
    let name = file.to_str().expect("a plain path");
    let called = call(&["profile", "philosophers", "--for", "120ms", "--collapsed", name]);
    assert_eq!(called.code, 0, "{}", called.err);
    for needed in ["usnea", "interrupt SERCOM0", "interrupt PendSV", "asleep", "start-up"] {
        assert!(called.out.contains(needed), "no {needed} in\n{}", called.out);
    }
    let stacks = std::fs::read_to_string(&file).expect("stacks");
    let below = |way: &str| ways(&stacks).iter().any(|(name, _)| name.starts_with(way));
    assert!(below("cladonia;cladonia_thread;dine;take_time;sleep_ms"), "{stacks}");
    let roots = ways(&stacks).iter().filter(|(way, _)| !way.contains(';')).count();
    assert_eq!(roots, 1, "only sleep has cycles and no function:\n{stacks}");
}

#[test]
fn what_cannot_be_profiled_is_told() {
    let called = call(&["profile", "philosofers"]);
    assert_eq!(called.code, 2, "{}", called.err);
    assert!(called.err.contains("philosophers"), "{}", called.err);
    let called = call(&["profile", "blink", "--for", "10ms", "--collapsed", "/nowhere/at/all.txt"]);
    assert_eq!(called.code, 2, "{}", called.err);
    assert!(called.err.contains("/nowhere/at/all.txt"), "{}", called.err);
}
