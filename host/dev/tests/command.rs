// SPDX-License-Identifier: MIT OR Apache-2.0
//! The maintainers' tool as `lichen` calls it.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a call printed and how it ended.
struct Called {
    code: i32,
    out: String,
    err: String,
}

fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).map(Path::to_path_buf).unwrap_or_default()
}

fn tool(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lichen-dev"));
    command.env("LICHEN_ROOT", root()).current_dir(root()).stdin(Stdio::null()).args(arguments);
    command
}

fn finish(command: &mut Command) -> Called {
    let output = command.output().expect("it starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let code = output.status.code().unwrap_or(-1);
    Called { code, out: text(&output.stdout), err: text(&output.stderr) }
}

fn call(arguments: &[&str]) -> Called {
    finish(&mut tool(arguments))
}

fn refuses(called: &Called, parts: &[&str]) {
    assert_eq!(called.code, 2, "{}", called.err);
    assert!(parts.iter().all(|part| called.err.contains(part)), "{}", called.err);
}

#[test]
fn a_group_or_test_that_does_not_exist() {
    refuses(&call(&["bench", "kernl"]), &["`kernl`", "did you mean `kernel`?"]);
    refuses(&call(&["test", "structure/no such rule"]), &["no test has", "--list"]);
}

#[test]
fn figures_that_cannot_be_written() {
    let bench = call(&["bench", "kernel", "--json", "/nowhere/figures.json"]);
    refuses(&bench, &["/nowhere/figures.json", "cannot create", "folder"]);
}

#[test]
fn a_test_that_no_name_matches_is_refused_before_anything_is_compiled() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["cargo", "cmake", "ninja"] {
        let file = folder.path().join(name);
        let script = format!("#!/bin/sh\ntouch {}/called\n", folder.path().display());
        std::fs::write(&file, script).expect("written");
        std::fs::set_permissions(&file, Permissions::from_mode(0o755)).expect("executable");
    }
    let path = std::env::var("PATH").expect("a path");
    let path = format!("{}:{path}", folder.path().display());
    let refused = finish(tool(&["test", "smaphore"]).env("PATH", path));
    refuses(&refused, &["no test has `smaphore`", "did you mean `semaphore`?"]);
    assert!(!folder.path().join("called").exists(), "nothing is built");
}

/// A test that resets the mote again and again: each start masks interrupts, and memory still
/// describes the threads of the previous run.
const RESETS: &str = "mote/samr21-xpro/reset";

#[test]
fn masked_start_up_is_told_apart_also_after_resets() {
    let called = call(&["test", RESETS, "--latency", "--json"]);
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
fn latencies_are_printed_before_the_counts() {
    let called = call(&["test", RESETS, "--latency"]);
    let lines: Vec<&str> = called.out.lines().collect();
    let heading =
        lines.iter().position(|line| line.starts_with("kernel.latency_added_worst on ARMv6-M:"));
    let told = &lines[heading.unwrap_or_else(|| panic!("no heading:\n{}", called.out))..];
    assert!(told.iter().any(|line| line.starts_with("  level 2: ")), "{}", called.out);
    assert!(told.iter().any(|line| line.contains(" entry")), "{}", called.out);
    assert!(told.last().is_some_and(|line| line.ends_with(" 0 failed")), "{}", called.out);
    for without in [&["test", RESETS][..], &["test", "structure", "--latency"]] {
        let called = call(without);
        assert!(!called.out.contains("latency"), "nothing was followed:\n{}", called.out);
    }
}
