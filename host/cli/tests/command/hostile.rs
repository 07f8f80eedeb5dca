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

/// The numbers that a mote prints at the end of a round.
type Round = Vec<u64>;

/// Runs a scenario on a board for a time, in which at least so many rounds end. Returns what the receiver and the talker
/// have said of each, and its name.
fn play(scenario: &str, board: &str, seconds: u32, least: usize) -> Vec<(Round, Round, String)> {
    let file = format!("test/network/hostile/{scenario}.toml");
    let [target, talker] = ["target", "talker"].map(|mote| format!("mote.{mote}.board={board}"));
    let length = format!("{seconds}s");
    let called = call(&["run", &file, "--set", &target, "--set", &talker, "--for", &length]);
    let out = &called.out;
    assert_eq!(called.code, 0, "{scenario} on {board}: {out}{}", called.err);
    assert!(!out.contains("failed"), "{scenario} on {board}: {out}");
    let (received, sent) = (rounds(out, "target"), rounds(out, "talker"));
    assert!(received.len() >= least, "{scenario} on {board}: {} rounds: {out}", received.len());
    let pairs = (1..).zip(received.into_iter().zip(sent));
    let named = pairs.map(|(number, (received, sent))| {
        let when = format!("{scenario} on {board}, round {number}: {received:?}, {sent:?}");
        assert_eq!((received.len(), sent.len(), received[0]), (5, 4, number & 0xff), "{when}");
        (received, sent, when)
    });
    named.collect()
}

fn receive(scenario: &str, board: &str, seconds: u32, least: usize) {
    for (received, sent, when) in play(scenario, board, seconds, least) {
        let (accepted, accounted, hostile, special) = (received[1], received[2], sent[1], sent[2]);
        assert!(hostile >= HOSTILE && accepted > hostile / 4, "{when}");
        assert!((accounted..=accounted + special).contains(&accepted), "{when}");
        assert_eq!((received[3], received[4]), (TRUE, 0), "{when}");
    }
}

/// A link of a radio of bytes tells what it has delivered, and what is counted by a reason. It does not hear what comes while it
/// acknowledges, asks its parent or answers a child itself.
fn receive_bytes(seconds: u32, least: usize) {
    for (received, sent, when) in play("bytes", "mica2", seconds, least) {
        let (delivered, counted, for_it) = (received[1], received[2], sent[3]);
        let accounted = delivered + counted;
        assert!(sent[1] >= HOSTILE && for_it > sent[1] / 4, "{when}");
        assert!(accounted <= for_it && accounted >= for_it * 17 / 20, "{when}");
        assert_eq!((received[3], received[4]), (TRUE, 0), "{when}");
    }
}

#[test]
fn hostile_frames_stop_no_hamilton() {
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
fn hostile_frames_stop_no_mica2() {
    receive_bytes(75, 1);
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

#[test]
#[ignore = "minutes; in the long run"]
fn a_hundred_thousand_hostile_frames_stop_no_mica2() {
    receive_bytes(7_150, 105);
}
