// SPDX-License-Identifier: MIT OR Apache-2.0
//! `test` reports what was added to the latency of interrupts.

use crate::common::call;

/// A test that resets the mote again and again: each start masks interrupts, and memory still
/// describes the threads of the previous run.
const RESETS: &str = "mote/samr21-xpro/reset";

#[test]
fn masked_start_up_is_distinguished_also_after_resets() {
    let called = call(&["test", RESETS, "--json"]);
    assert_eq!(called.code, 0, "out: {}\nerr: {}", called.out, called.err);
    let objects: Vec<serde_json::Value> = called
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("no JSON: {line}")))
        .collect();
    let (counts, before) = objects.split_last().expect("lines");
    assert!(counts["passed"].is_u64(), "the last line counts: {}", called.out);
    let seen = before.last().expect("a line before the counts");
    assert_eq!(seen["id"], "kernel.latency_added_worst");
    let start_up = &seen["start_up"];
    assert!(start_up["added"].as_u64() > Some(1_000), "the crystal's start is waited for: {seen}");
    assert_eq!(start_up["parts"][0]["what"], "masked");
    let place = start_up["parts"][0]["place"].as_str().unwrap_or_default();
    assert!(place.contains("os/chip/samr21/"), "function, file and line: {place}");
    for level in seen["levels"].as_array().expect("levels") {
        let Some(added) = level["worst"]["added"].as_u64() else { continue };
        assert!(added < 100, "no masked start-up here: {level}");
    }
}

#[test]
fn people_read_it_before_the_counts() {
    let called = call(&["test", RESETS]);
    let lines: Vec<&str> = called.out.lines().collect();
    let heading =
        lines.iter().position(|line| line.starts_with("kernel.latency_added_worst on ARMv6-M:"));
    let reported = &lines[heading.unwrap_or_else(|| panic!("no heading:\n{}", called.out))..];
    assert!(reported.iter().any(|line| line.starts_with("  level 2: ")), "{}", called.out);
    assert!(reported.iter().any(|line| line.contains(" entry")), "{}", called.out);
    assert!(reported.last().is_some_and(|line| line.ends_with(" 0 failed")), "{}", called.out);
    let host = call(&["test", "structure"]);
    assert!(!host.out.contains("latency"), "nothing ran on a mote:\n{}", host.out);
}
