// SPDX-License-Identifier: MIT OR Apache-2.0
//! Motes that talk to each other: runs of a network repeat to the byte, and other people's tools read what was captured.

mod common;

use common::{call, lichen};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The boards whose motes count to each other's LEDs.
const BOARDS: [&str; 4] = ["hamilton", "samr21-xpro", "micaz", "mica2"];

struct Capture {
    folder: tempfile::TempDir,
}

impl Capture {
    /// A run of five motes in a grid, on so many threads.
    fn of(board: &str, threads: u32) -> Capture {
        let folder = tempfile::tempdir().expect("a folder");
        let capture = Capture { folder };
        let arguments = format!(
            "run radio_count_to_leds --board {board} --motes 5 --topology grid --seed 3 --for 3s --threads {threads}"
        );
        let mut command = lichen();
        command.args(arguments.split(' '));
        command.arg("--pcap").arg(capture.frames()).arg("--json").arg(capture.events());
        let called = common::finish(&mut command);
        assert_eq!(called.code, 0, "{}{}", called.out, called.err);
        capture
    }

    fn frames(&self) -> PathBuf {
        self.folder.path().join("frames.pcapng")
    }

    fn events(&self) -> PathBuf {
        self.folder.path().join("events.jsonl")
    }

    fn bytes(&self) -> [Vec<u8>; 2] {
        [self.frames(), self.events()].map(|path| std::fs::read(path).expect("a file"))
    }
}

/// What tshark shows of the frames that a filter selects.
fn shown(frames: &Path, filter: &str) -> String {
    let output = Command::new("tshark").arg("-r").arg(frames).args(["-Y", filter]).output();
    let output = output.expect("tshark is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_network_runs_the_same_on_any_number_of_threads_and_again() {
    for board in BOARDS {
        let once = Capture::of(board, 1).bytes();
        assert!(once.iter().all(|file| file.len() > 1_000), "{board}");
        for threads in [1, 2, 4] {
            assert!(Capture::of(board, threads).bytes() == once, "{board} on {threads} threads");
        }
    }
}

#[test]
fn tshark_reads_what_was_captured() {
    for board in BOARDS {
        let capture = Capture::of(board, 2);
        let events = std::fs::read_to_string(capture.events()).expect("events");
        let sent = events.lines().filter(|line| line.contains("\"kind\":\"sent\"")).count();
        assert!(sent >= 5 * 8, "four a second from each: {sent}");
        let shown_as_sent = shown(&capture.frames(), "frame.packet_flags_direction == 2");
        assert_eq!(shown_as_sent.lines().count(), sent, "{board}");
        let wrong = "_ws.malformed || (wpan.fcs_ok == 0 && frame.packet_flags_crc_error == 0)";
        assert_eq!(shown(&capture.frames(), wrong), "", "{board}");
        let channels = shown(&capture.frames(), "wpan-tap.ch_num != 26");
        assert_eq!(channels, "", "{board}: all are on channel 26");
    }
}

#[test]
fn a_topology_that_makes_no_sense_is_refused() {
    for (arguments, expected) in [
        (
            "run hello --motes 2 --topology ring",
            "there is no topology `ring`; there are full, line, grid, random, office",
        ),
        ("run hello --topology line", "--motes"),
        ("run hello --motes 2 --topology line --spacing -1", "use a number of metres above 0"),
    ] {
        let arguments: Vec<&str> = arguments.split(' ').collect();
        let called = call(&arguments);
        assert_eq!(called.code, 2, "{}", called.err);
        assert!(called.err.contains(expected), "{}", called.err);
    }
}
