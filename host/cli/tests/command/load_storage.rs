// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs that are loaded and find by name what their image has: storage for their logs, and sensors.

use crate::common::{Called, call};
use crate::load::{lines, packed};
use std::path::Path;

const IMAGE: &str = "test/load/store";
const KEY: &str = "test/load/store/store.key";
const BOARDS: [&str; 2] = ["hamilton", "mica2"];

/// Runs the image, whose input has FILE for a container.
fn run(folder: &Path, board: &str, file: &Path, text: &str, length: &str) -> Called {
    let input = folder.join("input.txt");
    std::fs::write(&input, text.replace("FILE", &file.display().to_string())).expect("an input");
    let input = input.display().to_string();
    call(&["run", IMAGE, "--board", board, "--for", length, "--input", &input])
}

/// What `diary` says at its starts: how many records it finds, the error, and the number that is next.
fn starts(called: &Called) -> Vec<[i64; 3]> {
    let lines = lines(called, " records, error ").into_iter();
    let numbers = lines.map(|line| {
        let (_, said) = line.split_once("diary: ").expect("what it says");
        let words = said.split([' ', ',']).filter_map(|word| word.parse().ok());
        words.collect::<Vec<i64>>().try_into().unwrap_or_else(|_| panic!("{line}"))
    });
    numbers.collect()
}

#[test]
fn a_program_finds_its_records_after_each_start() {
    let folder = tempfile::tempdir().expect("a folder");
    for board in BOARDS {
        let diary = packed(folder.path(), "test/load/diary", board, KEY);
        let text = "500ms !load FILE\n3s !stop diary\n4s !start diary\n5s !remove diary\n6s !load FILE\n\
                    8s !power off\n8100ms !power on\n";
        let run = run(folder.path(), board, &diary, text, "9s");
        let said = format!("{}{}", run.out, run.err);
        let starts = starts(&run);
        assert_eq!(starts.len(), 4, "{said}");
        assert_eq!(starts[0], [0, 0, 0], "{said}");
        assert!(starts.iter().all(|[_, error, _]| *error == 0), "{said}");
        assert!(starts.windows(2).all(|pair| pair[0][2] + 5 < pair[1][2]), "{said}");
        assert!(starts[1..].iter().all(|[count, _, _]| *count > 5), "{said}");
    }
}

#[test]
fn storage_that_an_image_lacks_is_refused_by_its_name() {
    let folder = tempfile::tempdir().expect("a folder");
    for board in BOARDS {
        let diary = packed(folder.path(), "test/load/diary", board, KEY);
        let whole = std::fs::read(&diary).expect("a container");
        let at = whole.windows(5).enumerate().filter(|(_, bytes)| bytes == b"diary").nth(1);
        let (at, _) = at.expect("the log's name");
        let lacks = "the mote's image lacks the storage that the program needs, or has less of it";
        // The last letter of its name, and the pages that it takes at least.
        for (change, log) in [((at + 4, b's'), "`diars` of 8"), ((at - 4, 9), "`diary` of 9")] {
            let mut bytes = whole.clone();
            bytes[change.0] = change.1;
            let file = folder.path().join("changed.lichen");
            std::fs::write(&file, &bytes).expect("written");
            let run = run(folder.path(), board, &file, "500ms !load FILE\n", "2s");
            let said = format!("{}{}", run.out, run.err);
            let refused = lines(&run, lacks);
            assert!(!refused.is_empty(), "{said}");
            assert!(refused[0].contains(&format!("log {log} pages")), "{said}");
            assert!(
                refused[0].ends_with(&format!("at byte {} of the container", at + 4)),
                "{said}"
            );
            assert!(starts(&run).is_empty(), "{said}");
        }
    }
}

#[test]
fn a_log_has_one_program() {
    let folder = tempfile::tempdir().expect("a folder");
    for board in BOARDS {
        let diary = packed(folder.path(), "test/load/diary", board, KEY);
        let text = "500ms !load FILE\n2s !load FILE 2\n3s !stop diary\n3500ms !load FILE 2\n4s !remove diary\n\
                    5s !load FILE 2\n";
        let run = run(folder.path(), board, &diary, text, "7s");
        let said = format!("{}{}", run.out, run.err);
        let taken = "warning: load diary: another program on the mote has the storage that this one needs: log `diary` of 8 pages";
        let refused = lines(&run, taken).len();
        assert_eq!(refused, 2, "also of one that is stopped: {said}");
        let starts = starts(&run);
        assert_eq!(starts.len(), 2, "{said}");
        assert!(starts[1][2] > 10 && starts[1][1] == 0, "the instance goes on: {said}");
    }
}

#[test]
fn a_program_that_is_stopped_at_any_time_leaves_a_log_that_can_be_used() {
    let folder = tempfile::tempdir().expect("a folder");
    for board in BOARDS {
        let diary = packed(folder.path(), "test/load/diary", board, KEY);
        let mut text = "500ms !load FILE\n".to_string();
        let stops = 40;
        for at in (2000..).step_by(313).take(stops) {
            text += &format!("{at}ms !stop diary\n{}ms !start diary\n", at + 157);
        }
        let run = run(folder.path(), board, &diary, &text, "16s");
        let said = format!("{}{}", run.out, run.err);
        let starts = starts(&run);
        assert_eq!(said.matches("diary is started").count(), stops, "{said}");
        // Some are stopped before they have said anything.
        assert!(starts.len() > stops * 3 / 4, "{said}");
        assert!(starts.iter().all(|[_, error, _]| *error == 0), "{said}");
        assert!(starts.windows(2).all(|pair| pair[0][2] <= pair[1][2]), "{said}");
        assert!(starts.last().is_some_and(|last| last[2] > 30), "{said}");
    }
}

/// On a Hamilton nothing is heard while flash is written, which `scribbles` has done all the time.
#[test]
fn a_program_that_writes_all_the_time_leaves_the_line_to_others() {
    let folder = tempfile::tempdir().expect("a folder");
    let scribbles = packed(folder.path(), "test/load/scribbles", "hamilton", KEY);
    let asks = 12;
    let mut text = "500ms !load FILE\n".to_string();
    for at in (2000..).step_by(507).take(asks) {
        text += &format!("{at}ms !ps\n");
    }
    text += "10s !stop scribbles\n11s !start scribbles\n12s !remove scribbles\n";
    let run = run(folder.path(), "hamilton", &scribbles, &text, "13s");
    let said = format!("{}{}", run.out, run.err);
    assert_eq!(said.matches("* scribbles            running").count(), asks, "{said}");
    assert!(said.contains("scribbles is removed") && !said.contains("warning"), "{said}");
}

/// As it is in app, without a changed line: what it has stored is forwarded whole and in order, though power was cut.
#[test]
fn ssf_samples_stores_and_forwards() {
    let folder = tempfile::tempdir().expect("a folder");
    let ssf = packed(folder.path(), "ssf", "hamilton", KEY);
    let text = "500ms !load FILE\n20000s !power off\n20001s !power on\n";
    let run = run(folder.path(), "hamilton", &ssf, text, "14h");
    let said = format!("{}{}", run.out, run.err);
    assert_eq!(lines(&run, "sample 0 is next, 0 wait to be forwarded").len(), 1, "{said}");
    assert_eq!(lines(&run, "sample 66 is next, 66 wait to be forwarded").len(), 1, "{said}");
    let samples = lines(&run, "sample ").into_iter().filter(|line| !line.contains("is next"));
    let numbers = samples.map(|line| {
        let (_, said) = line.split_once("sample ").expect("a sample");
        let words: Vec<i64> = said.split(' ').filter_map(|word| word.parse().ok()).collect();
        assert_eq!(words.len(), 5, "a number and four values: {line}");
        words[0]
    });
    assert_eq!(numbers.collect::<Vec<_>>(), (0..144).collect::<Vec<_>>(), "{said}");
}

#[test]
fn a_loaded_program_names_a_sensor_of_the_board() {
    let folder = tempfile::tempdir().expect("a folder");
    let thermometer = packed(folder.path(), "thermometer", "hamilton", KEY);
    let run = run(folder.path(), "hamilton", &thermometer, "500ms !load FILE\n", "12s");
    assert_eq!(lines(&run, "19.991 C").len(), 3, "{}{}", run.out, run.err);
}
