// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a run shows, and that it repeats.

use crate::common::{Called, call, finish, lichen, root};
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

#[test]
fn blink_toggles_each_second() {
    let called = call(&["run", "blink", "--for", "5s"]);
    assert_eq!(called.code, 0, "{}", called.err);
    let toggles: Vec<f64> = called
        .out
        .lines()
        .filter(|line| line.contains("* led0 o"))
        .filter_map(|line| line.split_whitespace().next()?.parse().ok())
        .collect();
    // The first two are the pin at rest and the program's first change.
    let steps: Vec<f64> = toggles[1..].windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert_eq!(steps.len(), 4, "{}", called.out);
    // One tick of the 32,768 Hz clock, and the wake-up in which the first one still ran.
    assert!(steps.iter().all(|step| (step - 1.0).abs() < 200e-6), "{steps:?}");
    assert!(called.out.contains("asleep"), "{}", called.out);
}

#[test]
fn what_is_piped_in_comes_back() {
    let mut child = lichen()
        .args(["run", "echo", "--for", "2s"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("starts");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(b"good\nmorning\n").expect("written");
    drop(input);
    let output = child.wait_with_output().expect("ends");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("1: good") && text.contains("2: morning"), "{text}");
}

#[test]
fn a_pipe_that_stays_open_holds_nothing_up() {
    let mut child = lichen()
        .args(["run", "hello", "--for", "1s"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("starts");
    let silent = child.stdin.take();
    let status = child.wait().expect("ends although the pipe is open");
    drop(silent);
    assert!(status.success());
}

#[test]
fn until_ends_the_run() {
    let called = call(&["run", "hello", "--until", "Up for 1 s", "--for", "1h"]);
    assert_eq!(called.code, 0, "{}", called.err);
    assert!(called.out.contains("Up for 1 s") && !called.out.contains("Up for 2 s"));
}

/// Runs one of the small images that whole motes are tested with.
fn run_image(image: &str) -> Called {
    let file = root().join("host/world/tests/data").join(image).display().to_string();
    call(&["run", &file, "--board", "samr21-xpro", "--for", "20ms"])
}

#[test]
fn faults_that_are_served_are_reported_once_for_each_place() {
    let called = run_image("served.elf");
    assert_eq!(called.code, 0, "{}", called.err);
    assert_eq!(called.out.matches("! HardFault").count(), 2, "{}", called.out);
    assert!(called.out.contains("200, all served"), "{}", called.out);
}

#[test]
fn faults_that_are_not_served_fail_the_run() {
    let ends = [
        ("fault.elf", "its handler did not recover"),
        ("repeat.elf", "its handler did not recover"),
        ("reboot.elf", "a reset ended its handler (system)"),
        ("lockup.elf", "the processor locked up"),
    ];
    for (image, end) in ends {
        let called = run_image(image);
        assert_eq!(called.code, 1, "{image}: {}", called.out);
        assert!(called.err.contains(end), "{image}: {}", called.err);
        let source = image.replace(".elf", ".c:");
        assert!(called.err.contains(&source), "{image}: {}", called.err);
        assert_eq!(called.out.matches("! HardFault").count(), 1, "{image}: {}", called.out);
    }
}

#[test]
fn a_pin_without_a_port_is_shown_by_its_name() {
    let called = run_image("elsewhere.elf");
    assert_eq!(called.code, 0, "{}", called.err);
    assert!(called.out.contains(" PB22| high\n"), "{}", called.out);
    assert!(called.out.contains("PB22 sends at 115200 baud"), "{}", called.out);
}

/// The file of events of a run of `program`, written in `folder`.
fn events(folder: &Path, program: &str, input: Option<&str>) -> Vec<u8> {
    let json = folder.join("events.jsonl");
    let mut command = lichen();
    command.args(["run", program, "--for", "3s", "--json"]).arg(&json);
    if let Some(input) = input {
        let file = folder.join("typed.txt");
        std::fs::write(&file, input).expect("written");
        command.arg("--input").arg(file);
    }
    assert_eq!(finish(&mut command).code, 0);
    std::fs::read(json).expect("written")
}

#[test]
fn two_runs_write_the_same_bytes() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let first = events(folder, "philosophers", None);
    assert!(first.len() > 10_000);
    assert!(first == events(folder, "philosophers", None));
    let typed = Some("0.5 one\n1.25 two\n");
    let first = events(folder, "echo", typed);
    assert!(first == events(folder, "echo", typed));
    let text = String::from_utf8_lossy(&first).into_owned();
    assert!(text.contains("\"dir\":\"in\""), "input is in the record");
}

#[test]
fn json_goes_to_programs() {
    let built = call(&["build", "blink", "--json"]);
    let object: serde_json::Value = serde_json::from_str(&built.out).expect("JSON");
    assert_eq!(object["within_budget"], true);
    assert_eq!(object["board"], "hamilton");
    let found = call(&["doctor", "--json"]);
    let object: serde_json::Value = serde_json::from_str(&found.out).expect("JSON");
    assert!(object["tools"].as_array().is_some_and(|tools| tools.len() > 5));
}

#[test]
fn help_has_examples_for_each_verb() {
    for verb in ["doctor", "build", "run", "test", "bench", "doc"] {
        let help = call(&[verb, "--help"]);
        assert!(help.out.contains(&format!("Examples:\n  lichen {verb}")), "{}", help.out);
    }
    assert!(call(&["--help"]).out.contains("Exit codes:"));
}

#[test]
fn many_motes_do_the_same_on_any_number_of_threads() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = ["1", "2", "4", "2"].iter().enumerate().map(|(run, threads)| {
        let file = folder.path().join(format!("{run}.jsonl"));
        let path = file.display().to_string();
        let many = ["run", "philosophers", "--motes", "20", "--seed", "9", "--for", "700ms"];
        let called = call(&[&many[..], &["--threads", threads, "--json", &path]].concat());
        assert_eq!(called.code, 0, "{}", called.err);
        assert!(called.out.contains("on 20 motes hamilton"), "{}", called.out);
        std::fs::read(file).expect("events")
    });
    let files: Vec<Vec<u8>> = files.collect();
    assert!(files[0].windows(9).any(|part| part == b"\"mote\":19"));
    assert!(files.iter().all(|file| *file == files[0]));
}

#[test]
fn a_mote_among_many_is_named() {
    let file = root().join("host/world/tests/data/lockup.elf").display().to_string();
    let called = call(&["run", &file, "--board", "samr21-xpro", "--motes", "3", "--for", "20ms"]);
    assert_eq!(called.code, 1, "{}", called.out);
    assert!(called.err.contains("mote 0: HardFault"), "{}", called.err);
    assert!(called.out.contains("3, in motes 0, 1, 2"), "{}", called.out);
}

#[test]
fn several_motes_are_saved_in_the_middle_of_a_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("three.snapshot").display().to_string();
    let run = ["run", "hello", "--motes", "3", "--seed", "4"];
    let called = call(&[&run[..], &["--until", "Up for 1", "--save", &file]].concat());
    assert_eq!(called.code, 0, "{}", called.err);
    let run = ["run", "hello", "--motes", "3", "--load", &file, "--for", "1500ms"];
    let called = call(&run);
    assert_eq!(called.code, 0, "{}", called.err);
    assert_eq!(called.out.matches("Up for 2 s").count(), 3, "{}", called.out);
}

#[test]
fn json_on_the_standard_output_is_alone_there() {
    let run = ["run", "blink", "--for", "1s", "--energy", "--json"];
    let called = call(&[&run[..], &["-"]].concat());
    assert_eq!(called.code, 0, "{}", called.err);
    let lines: Vec<&str> = called.out.lines().collect();
    assert!(lines.len() > 3, "{}", called.out);
    assert!(lines.iter().all(|line| line.starts_with("{\"t_us\":")), "{}", called.out);
    assert!(called.err.contains("* led0 on") && called.err.contains("  asleep"), "{}", called.err);
    let called = call(&["run", "blink", "--for", "1s", "--energy-json", "-"]);
    assert_eq!((called.code, called.out.lines().count()), (0, 1), "{}", called.out);
    assert!(called.out.starts_with("{\"t_us\":1000000,"), "{}", called.out);
    for (more, why) in [
        (["--json", "-", "--energy-json", "-"], "both write to the standard output"),
        (["--json", "-", "--vcd", "-"], "--vcd cannot write to the standard output"),
    ] {
        let called = call(&[&run[..5], &more].concat());
        assert_eq!(called.code, 2, "{}", called.err);
        assert!(called.err.contains(why) && called.out.is_empty(), "{}", called.err);
    }
}

#[test]
fn what_several_motes_print_is_in_the_order_of_time() {
    let called = call(&["run", "hello", "--motes", "5", "--seed", "7", "--for", "3s"]);
    assert_eq!(called.code, 0, "{}", called.err);
    let times = called.out.lines().filter(|line| line.contains("Hello"));
    let times = times.filter_map(|line| line.split_whitespace().next()?.parse().ok());
    let times: Vec<f64> = times.collect();
    assert!(times.len() >= 10 && times.is_sorted(), "{}", called.out);
}

#[test]
fn shares_say_of_what_and_one_is_singular() {
    let called = call(&["run", "blink", "--for", "1s"]);
    let line = |name: &str| {
        let mut lines = called.out.lines().filter(|line| line.starts_with(&format!("  {name} ")));
        lines.next().unwrap_or_else(|| panic!("no {name} in {}", called.out)).to_string()
    };
    assert!(line("asleep").contains(" % of the time: "), "{}", called.out);
    assert_eq!(line("led0").split_whitespace().collect::<Vec<_>>(), ["led0", "1", "change"]);
}
