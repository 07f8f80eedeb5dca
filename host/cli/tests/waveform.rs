// SPDX-License-Identifier: MIT OR Apache-2.0
//! `run --vcd`: what the waveforms hold, and that asking for them changes nothing.

mod common;

use common::call;
use std::path::Path;

fn text(path: &Path) -> String {
    path.to_str().expect("a plain path").to_string()
}

#[test]
fn waveforms_hold_threads_interrupts_sleep_and_characters() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("run.vcd");
    let called = call(&["run", "philosophers", "--for", "50ms", "--vcd", &text(&file)]);
    assert_eq!(called.code, 0, "{}", called.err);
    assert!(called.out.contains("usnea"), "{}", called.out);
    let waves = std::fs::read_to_string(&file).expect("a file");
    for needed in ["usnea", "lobaria", "idle", "PendSV", "SERCOM0", "standby", "LF"] {
        let change = format!("\ns{needed} ");
        assert!(waves.contains(&change), "no change to {needed}:\n{waves}");
    }
    assert_eq!(waves.lines().last(), Some("#50000000"), "the waveforms last as long as the run");
}

#[test]
fn asking_for_waveforms_changes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let [plain, watched, vcd] = ["plain", "watched", "vcd"].map(|name| folder.path().join(name));
    let run = |more: &[&str]| {
        let mut arguments = vec!["run", "philosophers", "--for", "200ms"];
        arguments.extend(more);
        assert_eq!(call(&arguments).code, 0);
    };
    run(&["--json", &text(&plain)]);
    run(&["--json", &text(&watched), "--vcd", &text(&vcd)]);
    let [plain, watched] = [plain, watched].map(|file| std::fs::read(file).expect("a file"));
    assert!(!plain.is_empty() && plain == watched, "the events differ");
}

#[test]
fn a_file_that_cannot_be_made_or_filled() {
    let called = call(&["run", "philosophers", "--for", "50ms", "--vcd", "/nowhere/at/all.vcd"]);
    assert_eq!(called.code, 2, "{}", called.err);
    assert!(called.err.contains("cannot create /nowhere/at/all.vcd"), "{}", called.err);
    if Path::new("/dev/full").exists() {
        let called = call(&["run", "philosophers", "--for", "1s", "--vcd", "/dev/full"]);
        assert_eq!(called.code, 2, "{}", called.err);
        assert!(called.err.contains("is the disk full?"), "{}", called.err);
    }
}
