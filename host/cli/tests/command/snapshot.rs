// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs that end in a file, and runs that continue from it.

use crate::common::{Called, call, events, lichen, root};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A folder for the files of a test.
struct Files(TempDir);

impl Files {
    fn new() -> Files {
        Files(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn name(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    fn events(&self, name: &str) -> String {
        events(&self.path(name))
    }
}

/// Calls `run` with the words of `line`, which must work.
#[track_caller]
fn runs(line: &str) -> Called {
    let called = call(&words(line));
    assert_eq!(called.code, 0, "{line}\n{}{}", called.out, called.err);
    called
}

fn words(line: &str) -> Vec<&str> {
    std::iter::once("run").chain(line.split_whitespace()).collect()
}

/// Calls `run` with the words of `line`, which must be refused for a reason that has all of `parts`.
#[track_caller]
fn refused(line: &str, parts: &[&str]) {
    let called = call(&words(line));
    assert_eq!(called.code, 2, "{line}\n{}{}", called.out, called.err);
    assert_eq!(called.err.matches("error: ").count(), 1, "{}", called.err);
    for part in parts {
        assert!(called.err.contains(part), "`{part}` is missing in: {}", called.err);
    }
}

/// A run in one piece and one in two pieces, with `options`, report the same.
fn check(program: &str, options: &str, first: &str, second: &str, whole: &str) {
    let files = Files::new();
    let [straight, one, two] = ["straight", "one", "two"].map(|name| files.name(name));
    let state = files.name("state");
    runs(&format!("{program} {options} --for {whole} --json {straight}"));
    runs(&format!("{program} {options} --for {first} --json {one} --save {state}"));
    runs(&format!("{program} --load {state} --for {second} --json {two}"));
    assert!(!files.events("two").is_empty(), "something happens in the second piece");
    assert_eq!(files.events("one") + &files.events("two"), files.events("straight"));
}

#[test]
fn a_run_in_two_pieces_tells_what_it_tells_in_one() {
    check("philosophers", "--seed 7", "1234567us", "1s", "2234567us");
}

#[test]
fn what_is_yet_to_be_typed_is_typed_after_the_snapshot() {
    let files = Files::new();
    std::fs::write(files.path("typed"), "0.5 one\n1.2 two\n1.6 three\n").expect("written");
    check("echo", &format!("--input {}", files.name("typed")), "1205ms", "1s", "2205ms");
}

#[test]
fn a_run_that_ended_at_a_text_goes_on_behind_it() {
    let files = Files::new();
    let [straight, one, two] = ["straight", "one", "two"].map(|name| files.name(name));
    let state = files.name("state");
    let saved = runs(&format!("hello --until 1 --json {one} --save {state}"));
    assert!(saved.out.contains("--load"), "{}", saved.out);
    runs(&format!("hello --load {state} --until 3 --json {two}"));
    runs(&format!("hello --until 3 --json {straight}"));
    let pieces = files.events("one") + &files.events("two");
    let straight = files.events("straight");
    assert!(pieces.starts_with(&straight), "and what came at the text's moment besides");
}

#[test]
fn input_can_be_given_from_the_snapshot_on() {
    let files = Files::new();
    let state = files.name("state");
    runs(&format!("echo --for 1s --save {state}"));
    std::fs::write(files.path("late"), "1.5 late\n").expect("written");
    std::fs::write(files.path("early"), "0.5 early\n").expect("written");
    let late = runs(&format!("echo --load {state} --for 1s --input {}", files.name("late")));
    assert!(late.out.contains("1: late"), "{}", late.out);
    assert!(late.out.contains("1.000000 s, up to the snapshot"), "{}", late.out);
    let early = files.name("early");
    refused(
        &format!("echo --load {state} --for 1s --input {early}"),
        &["--input begins at 0.500000 s, before the snapshot's 1.000000 s", "help: "],
    );
}

#[test]
fn a_debugger_halts_first_at_the_snapshot() {
    let files = Files::new();
    let state = files.name("state");
    runs(&format!("hello --for 1s --save {state}"));
    let gdb = ["-nx", "-batch", "-ex", "monitor time", "-ex", "reverse-continue"];
    let debug = lichen().args(["debug", "hello", "--load", &state, "--"]).args(gdb).output();
    let debug = debug.expect("lichen starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let out = text(&debug.stdout) + &text(&debug.stderr);
    assert!(out.contains("1.000000 s, "), "{out}");
    assert!(out.starts_with("arch_idle ()"), "what runs is shown: {out}");
    assert!(out.contains("No more reverse-execution history"), "history begins there: {out}");
}

#[test]
fn snapshots_of_something_else_are_refused() {
    let files = Files::new();
    let state = files.name("state");
    runs(&format!("hello --for 1s --save {state}"));
    refused(
        &format!("blink --load {state} --for 1s"),
        &[&state, "hello.elf", "blink.elf", "very build"],
    );
    refused(
        &format!("hello --board samr21-xpro --load {state} --for 1s"),
        &[&state, "on hamilton", "on samr21-xpro"],
    );
    let whole = std::fs::read(files.path("state")).expect("it was written");
    let mut other = whole.clone();
    other[8] = 0xEE;
    let put = |name: &str, bytes: &[u8]| {
        std::fs::write(files.path(name), bytes).expect("written");
        format!("hello --for 1s --load {}", files.name(name))
    };
    refused(&put("other", &other), &["other is a snapshot in format", "run the program again"]);
    refused(&put("half", &whole[..whole.len() / 2]), &["half is damaged", "save it anew"]);
    refused(&put("garbage", b"\x7fELF and more"), &["garbage is not a snapshot of a run; give"]);
    refused("hello --for 1s --load /nowhere/state", &["cannot read /nowhere/state"]);
    let both = call(&["run", "hello", "--load", &state, "--seed", "3"]);
    assert!(both.code == 2 && both.err.contains("cannot be used with"), "{}", both.err);
}

#[test]
fn a_place_that_cannot_be_written_is_reported_before_the_run() {
    let files = Files::new();
    for (place, reason) in [
        ("/nowhere/state".to_string(), "there is no folder /nowhere"),
        (files.name("."), "it is a folder"),
        (root().join("lichen/state").display().to_string(), "folder"),
    ] {
        let called = call(&words(&format!("hello --for 1s --save {place}")));
        assert_eq!(called.code, 2, "{}{}", called.out, called.err);
        assert!(called.err.contains(reason) && called.err.contains("help: "), "{}", called.err);
        assert!(!called.out.contains("Hello"), "before the run: {}", called.out);
    }
}

#[test]
fn a_full_disk_costs_the_snapshot_and_nothing_else() {
    let files = Files::new();
    let events = files.name("events");
    let called = call(&words(&format!("hello --for 2s --json {events} --save /dev/full")));
    assert_eq!(called.code, 2, "{}{}", called.out, called.err);
    assert!(called.err.contains("cannot write /dev/full: No space left"), "{}", called.err);
    assert!(called.out.contains("2.000000 s simulated"), "with its summary: {}", called.out);
    runs(&format!("hello --for 2s --json {}", files.name("straight")));
    assert_eq!(files.events("events"), files.events("straight"));
    let full = std::fs::metadata("/dev/full").expect("it is still there");
    assert!(!full.is_file(), "{}", Path::new("/dev/full").display());
}

#[test]
fn a_snapshot_replaces_neither_a_link_nor_what_lies_beside_it() {
    let files = Files::new();
    std::fs::write(files.path("target"), "old").expect("written");
    std::os::unix::fs::symlink(files.path("target"), files.path("link")).expect("linked");
    runs(&format!("hello --for 10ms --save {}", files.name("link")));
    assert!(files.path("link").is_symlink());
    assert!(std::fs::read(files.path("target")).expect("read").starts_with(b"LICHENSS"));

    std::fs::write(files.path("run.partial"), "precious").expect("written");
    let called = call(&words(&format!("hello --for 10ms --save {}", files.name("run"))));
    assert_eq!(called.code, 2, "{}", called.err);
    assert!(called.err.contains("run.partial is there"), "{}", called.err);
    assert_eq!(std::fs::read(files.path("run.partial")).expect("read"), b"precious");
}
