// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs that are loaded and find by name what their image has: storage for their logs, volumes and counters, and sensors.

use crate::common::{Called, call};
use crate::load::{lines, packed};
use std::path::Path;

const IMAGE: &str = "test/load/store";
const KEY: &str = "test/load/store/store.key";
const BOARDS: [&str; 2] = ["hamilton", "mica2"];

/// Runs the image, whose input has FILE for a container.
fn run(folder: &Path, board: &str, file: &Path, text: &str, length: &str) -> Called {
    run_on(IMAGE, folder, board, file, text, length)
}

fn run_on(
    image: &str,
    folder: &Path,
    board: &str,
    file: &Path,
    text: &str,
    length: &str,
) -> Called {
    let input = folder.join("input.txt");
    std::fs::write(&input, text.replace("FILE", &file.display().to_string())).expect("an input");
    let input = input.display().to_string();
    call(&["run", image, "--board", board, "--for", length, "--input", &input])
}

/// The numbers in the lines of `program` that say `what`.
fn numbers<const N: usize>(called: &Called, program: &str, what: &str) -> Vec<[i64; N]> {
    let lines = lines(called, what).into_iter();
    let numbers = lines.map(|line| {
        let (_, said) = line.split_once(&format!("{program}: ")).expect("what it says");
        let words = said.split([' ', ',']).filter_map(|word| word.parse().ok());
        words.collect::<Vec<i64>>().try_into().unwrap_or_else(|_| panic!("{line}"))
    });
    numbers.collect()
}

/// What `diary` says at its starts: how many records it finds, the error, and the number that is next.
fn starts(called: &Called) -> Vec<[i64; 3]> {
    numbers(called, "diary", " records, error ")
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

/// What `tally` says at its starts: the values in its three pages, its number, and the error.
fn tallies(called: &Called) -> Vec<[i64; 5]> {
    numbers(called, "tally", ", number ")
}

/// Stopped at any time, failed, removed and loaded again, and without power, it finds what it has synchronized, or what
/// came just behind that: never what it has left in RAM.
#[test]
fn a_program_finds_its_volume_and_its_counter_after_each_start() {
    let folder = tempfile::tempdir().expect("a folder");
    for board in BOARDS {
        let tally = packed(folder.path(), "test/load/tally", board, KEY);
        let mut text = "500ms !load FILE\n".to_string();
        for at in (1500..).step_by(413).take(14) {
            text += &format!("{at}ms !stop tally\n{}ms !start tally\n", at + 57);
        }
        text += "11s !stop tally\n11100ms !start tally\n11300ms !remove tally\n11600ms !load FILE\n\
                 12200ms !power off\n12300ms !power on\n13s !load FILE 2\n";
        let run = run(folder.path(), board, &tally, &text, "14s");
        let said = format!("{}{}", run.out, run.err);
        let starts = tallies(&run);
        let erased = i64::from(u32::MAX);
        assert_eq!(starts.first(), Some(&[erased, erased, erased, 0, 0]), "{said}");
        assert!(starts.len() > 10, "{said}");
        let sound = |[a, b, c, _, error]: &[i64; 5]| {
            *error == 0 && *a < 100 && a >= b && b >= c && a - c <= 1
        };
        assert!(starts[2..].iter().all(sound), "{said}");
        assert!(starts[1..].windows(2).all(|pair| pair[0][0] <= pair[1][0]), "{said}");
        assert!(starts.windows(2).all(|pair| pair[0][3] < pair[1][3]), "{said}");
        assert!(!lines(&run, "assertion failed in thread writer").is_empty(), "{said}");
        let taken = "another program on the mote has the storage that this one needs: \
                     counter `starts` of 4 pages, volume `tally` of 5 pages";
        assert!(!lines(&run, taken).is_empty(), "{said}");
    }
}

#[test]
fn storage_that_an_image_lacks_is_refused_by_its_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let lacks = "the mote's image lacks the storage that the program needs, or has less of it";
    // The last letter of its name, the pages that it takes at least, and what it is.
    let of_diary =
        [(9, b's', "log `diars` of 8"), (1, 9, "log `diary` of 9"), (0, 2, "volume `diary` of 8")];
    let of_tally = [(9, b's', "volume `talls` of 5"), (1, 8, "volume `tally` of 8")];
    for board in BOARDS {
        for (name, changes) in [("diary", &of_diary[..]), ("tally", &of_tally[..])] {
            let file = packed(folder.path(), &format!("test/load/{name}"), board, KEY);
            let whole = std::fs::read(&file).expect("a container");
            let found = |(_, bytes): &(usize, &[u8])| *bytes == name.as_bytes();
            let at = whole.windows(5).enumerate().filter(found).nth(1);
            let (at, _) = at.expect("the name of its storage");
            for &(byte, value, storage) in changes {
                let mut bytes = whole.clone();
                bytes[at - 5 + byte] = value;
                let file = folder.path().join("changed.lichen");
                std::fs::write(&file, &bytes).expect("written");
                let run = run(folder.path(), board, &file, "500ms !load FILE\n", "2s");
                let said = format!("{}{}", run.out, run.err);
                let refused = lines(&run, lacks);
                assert!(!refused.is_empty(), "{said}");
                assert!(refused[0].contains(&format!("{storage} pages")), "{said}");
                assert!(
                    refused[0].ends_with(&format!("at byte {} of the container", at + 4)),
                    "{said}"
                );
                assert!(starts(&run).is_empty() && tallies(&run).is_empty(), "{said}");
            }
        }
    }
}

/// With the line that declares it, before a mote does.
#[test]
fn storage_that_an_image_lacks_is_refused_by_the_packer() {
    let pack = |program: &str| call(&["pack", program, "--board", "hamilton", "--image", IMAGE]);
    let log = pack("test/load/hoard");
    assert_eq!(log.code, 2, "{}{}", log.out, log.err);
    let lacks = "hoard.c:8: the image has no storage of 12 pages for the volume `tally`";
    assert!(log.err.contains(lacks), "{}", log.err);
    assert!(log.err.contains("declare PROGRAM_VOLUME(tally)"), "{}", log.err);
    let tally = pack("test/load/tally");
    assert_eq!(tally.code, 0, "{}", tally.err);
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
        // Some are stopped before they have said anything: behind a request that was lost while the mote wrote its flash,
        // and was repeated after seconds, the others come at once.
        assert!(starts.len() > stops / 2, "{said}");
        assert!(starts.iter().all(|[_, error, _]| *error == 0), "{said}");
        assert!(starts.windows(2).all(|pair| pair[0][2] <= pair[1][2]), "{said}");
        assert!(starts.last().is_some_and(|last| last[2] > 30), "{said}");
    }
}

/// A thread that ends while it uses storage takes with it what others have not made safe, so none is stopped there.
#[test]
fn a_program_that_is_stopped_while_it_writes_costs_others_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    for board in BOARDS {
        let scribbles = packed(folder.path(), "test/load/scribbles", board, KEY);
        let mut text = "500ms !load FILE\n".to_string();
        let stops = 20;
        for at in (2000..).step_by(307).take(stops) {
            text += &format!("{at}ms !stop scribbles\n{}ms !start scribbles\n", at + 150);
        }
        let run = run_on("test/load/keeps", folder.path(), board, &scribbles, &text, "14s");
        let said = format!("{}{}", run.out, run.err);
        assert_eq!(said.matches("scribbles is started").count(), stops, "{said}");
        let kept = lines(&run, " lost");
        assert!(kept.len() > 1 && kept.iter().all(|line| line.contains("keeps: 0 of ")), "{said}");
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
