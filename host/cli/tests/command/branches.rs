// SPDX-License-Identifier: MIT OR Apache-2.0
//! `profile --branches`: what it counts is the run that `run` shows, on both architectures.

use crate::common::call;
use serde_json::Value;

const AVR: [&str; 3] = ["host/world/tests/data/ticks.elf", "--board", "micaz"];

fn json(more: &[&str]) -> Value {
    let called = call(&[&["profile"], more, &["--branches", "--json"]].concat());
    assert_eq!(called.code, 0, "{}", called.err);
    serde_json::from_str(&called.out).expect("JSON")
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("no number: {value}"))
}

/// How often each number of instructions occurred, times that number if `weighted`.
fn sum(distribution: &Value, weighted: bool) -> u64 {
    let counts = distribution["counts"].as_array().expect("counts");
    counts.iter().map(|it| number(&it[1]) * if weighted { number(&it[0]) } else { 1 }).sum()
}

fn total(object: &Value, key: &str) -> u64 {
    let windows = object["windows"].as_array().expect("windows");
    windows.iter().map(|window| number(&window[key])).sum()
}

/// The instructions that a run of the same length executes.
fn instructions_of_run(arguments: &[&str]) -> u64 {
    let run = call(&[&["run"], arguments].concat());
    let digits = run.out.split(" instructions)").next().and_then(|it| it.rsplit('(').next());
    digits.and_then(|it| it.parse().ok()).unwrap_or_else(|| panic!("no count in {}", run.out))
}

#[test]
fn every_instruction_is_counted_once_on_both_architectures() {
    let avr = [&AVR[..], &["--for", "2500ms"]].concat();
    for arguments in [&["philosophers", "--for", "120ms"][..], &avr] {
        let object = json(arguments);
        let all = number(&object["instructions"]);
        assert_eq!(all, instructions_of_run(arguments));
        assert_eq!(total(&object, "instructions"), all);
        assert_eq!(total(&object, "asleep_ps"), number(&object["asleep_ps"]));
        let (branches, kinds) = (&object["branches"], &object["kinds"]);
        for what in ["executed", "taken", "backward"] {
            let kinds = kinds.as_object().expect("kinds").values();
            assert_eq!(kinds.map(|kind| number(&kind[what])).sum::<u64>(), number(&branches[what]));
        }
        let before = &object["instructions_before_branch"];
        assert_eq!(sum(before, false), number(&branches["executed"]));
        let counted = sum(before, true) + sum(before, false);
        assert!(counted <= all && all - counted < 100, "the rest follows the last branch");
        let backward = &object["instructions_before_backward_taken_branch"];
        assert_eq!(sum(backward, false), number(&branches["backward"]));
    }
}

#[test]
fn what_is_skipped_is_not_counted() {
    let whole = json(&[&AVR[..], &["--for", "2500ms", "--window", "500ms"]].concat());
    let parts = ["--for", "2500ms", "--skip", "1500ms", "--window", "500ms"];
    let rest = json(&[&AVR[..], &parts].concat());
    let windows = |object: &Value| object["windows"].as_array().expect("windows").clone();
    assert_eq!((windows(&whole).len(), windows(&rest).len()), (5, 2));
    assert_eq!(windows(&whole)[3..], windows(&rest)[..]);
    let nothing = call(&["profile", "blink", "--branches", "--for", "1s", "--skip", "1s"]);
    assert_eq!(nothing.code, 2, "{}", nothing.err);
}

#[test]
fn windows_that_are_too_short_are_refused() {
    let called = call(&["profile", "blink", "--branches", "--for", "60s", "--window", "1ns"]);
    assert_eq!(called.code, 2, "{}", called.err);
    assert!(called.err.contains("--window"), "{}", called.err);
}

#[test]
fn tables_show_distributions_and_windows() {
    let called = call(&["profile", "blink", "--branches", "--for", "2s", "--window", "500ms"]);
    assert_eq!(called.code, 0, "{}", called.err);
    for part in ["of the time", "  conditional", "instructions before a branch: mean "] {
        assert!(called.out.contains(part), "no `{part}` in\n{}", called.out);
    }
    let from = |start: &str| called.out.lines().any(|line| line.trim_start().starts_with(start));
    assert!(["0.000000 ", "0.500000 ", "1.500000 "].iter().all(|it| from(it)), "{}", called.out);
    assert!(!from("2.000000 "), "{}", called.out);
}

#[test]
fn its_options_belong_together() {
    for options in [&["--json"][..], &["--skip", "1s"], &["--branches", "--functions", "3"]] {
        let called = call(&[&["profile", "blink"], options].concat());
        assert_eq!(called.code, 2, "{options:?}: {}", called.err);
    }
}
