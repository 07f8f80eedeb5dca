// SPDX-License-Identifier: MIT OR Apache-2.0
//! Motes that receive what nobody should send: the programs and scenarios of `test/network/hostile`. No frame may stop one or take
//! its memory; each is delivered or counted by a reason; and the true packets among them arrive.

use crate::common::call;

/// Of a round: true packets, and no less than so many hostile frames that the sender's radio has sent.
const TRUE: u64 = 40;
const HOSTILE: u64 = 900;

/// The numbers of the lines that `mote` prints at the end of its rounds.
fn rounds(out: &str, mote: &str) -> Vec<Vec<u64>> {
    let start = format!(" {mote} round ");
    let numbers = |line: &str| {
        let line = line.split_once(&start)?.1;
        let words = line.split(|letter: char| !letter.is_ascii_digit());
        Some(words.filter_map(|word| word.parse().ok()).collect())
    };
    out.lines().filter_map(numbers).collect()
}

/// Runs a scenario on a board for a time, in which at least so many rounds end.
fn receive(scenario: &str, board: &str, seconds: u32, least: usize) {
    let file = format!("test/network/hostile/{scenario}.toml");
    let [target, talker] = ["target", "talker"].map(|mote| format!("mote.{mote}.board={board}"));
    let length = format!("{seconds}s");
    let called = call(&["run", &file, "--set", &target, "--set", &talker, "--for", &length]);
    let out = &called.out;
    assert_eq!(called.code, 0, "{scenario} on {board}: {out}{}", called.err);
    assert!(!out.contains("failed"), "{scenario} on {board}: {out}");
    let (received, sent) = (rounds(out, "target"), rounds(out, "talker"));
    assert!(received.len() >= least, "{scenario} on {board}: {} rounds: {out}", received.len());
    for (index, (received, sent)) in received.iter().zip(&sent).enumerate() {
        let [number, accepted, accounted, true_ones, missing] = received[..] else {
            panic!("{scenario} on {board}: {out}")
        };
        let [_, hostile, special] = sent[..] else { panic!("{scenario} on {board}: {out}") };
        let when = format!("{scenario} on {board}, round {number}: {received:?}, {sent:?}");
        assert_eq!(number, (index as u64 + 1) & 0xff, "{when}");
        assert!(hostile >= HOSTILE && accepted > hostile / 4, "{when}");
        assert!((accounted..=accounted + special).contains(&accepted), "{when}");
        assert_eq!((true_ones, missing), (TRUE, 0), "{when}");
    }
}

#[test]
fn hostile_frames_stop_no_hamilton() {
    receive("plain", "hamilton", 60, 2);
    receive("coordinator", "hamilton", 35, 1);
    receive("secured", "hamilton", 60, 2);
}

#[test]
fn hostile_frames_stop_no_micaz() {
    receive("plain", "micaz", 75, 2);
    receive("coordinator", "micaz", 40, 1);
    receive("secured", "micaz", 75, 2);
}

#[test]
#[ignore = "minutes; in the long run"]
fn a_hundred_thousand_hostile_frames_stop_no_hamilton() {
    receive("plain", "hamilton", 1_060, 40);
    receive("coordinator", "hamilton", 540, 20);
    receive("secured", "hamilton", 1_090, 40);
}

#[test]
#[ignore = "minutes; in the long run"]
fn a_hundred_thousand_hostile_frames_stop_no_micaz() {
    receive("plain", "micaz", 1_420, 40);
    receive("coordinator", "micaz", 720, 20);
    receive("secured", "micaz", 1_380, 40);
}
