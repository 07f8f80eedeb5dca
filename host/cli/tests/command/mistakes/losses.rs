// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a program loses by its own count is told after a run.

use crate::common::call;

/// Motes that send ten counts a second, and take none of those that they receive after the first two.
const FULL: &str = "\
#include <lichen/am.h>
#include <lichen/led.h>
#include <lichen/panic.h>
#include <lichen/random.h>
#include <lichen/thread.h>
#include <lichen/time.h>

AM_RECEIVER(counts, 6, 2);

THREAD(counter, 384, PRIORITY_APP)
{
    struct am_message message;
    uint64_t due = random_below(100000);
    uint8_t count = 0;

    led_on(0);
    if (link_open(0) != 0 || am_try_receive(&counts, &message, &count, 1) == 0) {
        panic(1);
    }
    for (;;) {
        sleep_until_us(due);
        due += 100000;
        count++;
        (void)!am_send(AM_ALL, 6, &count, 1);
    }
}
";

const MANIFEST: &str = "\
name = \"full\"
summary = \"Takes nothing.\"
boards = [\"hamilton\", \"mica2\"]

[budget]
rom = 32768
ram = 8192

[budget.on.mica2]
rom = 32768
ram = 4096
";

#[test]
fn messages_for_which_a_queue_has_no_room_are_told() {
    let place = tempfile::tempdir().expect("a folder");
    let json = place.path().join("events.jsonl");
    let path = json.to_str().expect("a plain path");
    let folder = place.path().join("full");
    let program = folder.to_str().expect("a plain path");
    assert_eq!(call(&["new", program]).code, 0);
    std::fs::write(folder.join("main.c"), FULL).expect("written");
    std::fs::write(folder.join("lichen.toml"), MANIFEST).expect("written");
    let run = ["run", program, "--motes", "2", "--for", "2200ms", "--seed", "1", "--json", path];
    let called = call(&run);
    assert_eq!(called.code, 0, "{}{}", called.out, called.err);
    let lines: Vec<&str> =
        called.out.lines().filter(|line| line.starts_with("  lost by program ")).collect();
    let [line] = lines[..] else { panic!("one line: {}", called.out) };
    assert!(line.ends_with(", link: receiver full, in motes 0, 1"), "{line}");
    let told: u64 = line
        .split_whitespace()
        .nth(3)
        .and_then(|n| n.trim_end_matches(',').parse().ok())
        .expect("a count");
    let events = std::fs::read_to_string(&json).expect("events");
    let events = events.lines().map(|line| serde_json::from_str(line).expect("JSON"));
    let lost: Vec<serde_json::Value> =
        events.filter(|event: &serde_json::Value| event["kind"] == "lost").collect();
    let counts = lost.iter().map(|event| event["counts"]["link: receiver full"].as_u64());
    let counts: Vec<u64> = counts.map(|count| count.expect("a count")).collect();
    assert_eq!((counts.len(), counts.iter().sum::<u64>()), (2, told));
    // Each has sent almost 20, and room for two.
    assert!((30..=36).contains(&told), "{told}");
}

/// The link of a radio of bytes has counters of its own.
#[test]
fn what_the_link_of_a_radio_of_bytes_loses_is_told() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path().join("full");
    let program = folder.to_str().expect("a plain path");
    assert_eq!(call(&["new", program]).code, 0);
    std::fs::write(folder.join("main.c"), FULL).expect("written");
    std::fs::write(folder.join("lichen.toml"), MANIFEST).expect("written");
    let called = call(&["run", program, "--board", "mica2", "--motes", "2", "--for", "2s"]);
    assert_eq!(called.code, 0, "{}{}", called.out, called.err);
    let told = called.out.lines().find(|line| line.starts_with("  lost by program "));
    assert!(
        told.is_some_and(|line| line.ends_with(", link: receiver full, in motes 0, 1")),
        "{}",
        called.out
    );
}

/// A mote that is reset before start-up code has cleared memory has not lost anything anew.
#[test]
fn what_is_lost_counts_once_however_often_a_mote_is_reset() {
    let place = tempfile::tempdir().expect("a folder");
    let path = |name: &str| place.path().join(name).to_str().expect("a plain path").to_string();
    let lost = |input: &str| -> u64 {
        std::fs::write(path("input"), input).expect("written");
        let input = path("input");
        let run = ["run", "count_to_radio", "--board", "micaz", "--motes", "2", "--seed", "3"];
        let called = call(&[&run[..], &["--for", "4s", "--mote", "1", "--input", &input]].concat());
        assert_eq!(called.code, 0, "{}{}", called.out, called.err);
        let lines = called.out.lines().filter(|line| line.starts_with("  lost by program "));
        let counts = lines.filter_map(|line| line.split_whitespace().nth(3));
        counts.filter_map(|count| count.trim_end_matches(',').parse::<u64>().ok()).sum()
    };
    let (once, twice) = (lost("2.2s !reset\n"), lost("2.2s !reset\n2.22s !reset\n"));
    assert!(once > 10 && twice <= once + 2, "{once}, {twice}");
}

#[test]
fn who_loses_nothing_says_nothing() {
    let called = call(&["run", "radio_count_to_leds", "--motes", "2", "--for", "2s"]);
    assert_eq!(called.code, 0, "{}", called.err);
    assert!(!called.out.contains("lost by program"), "{}", called.out);
}

/// Sends a secured frame without a security header.
const REFUSED: &str = "\
#include <lichen/packet.h>
#include <lichen/print.h>
#include <lichen/radio.h>
#include <lichen/thread.h>
#include <lichen/time.h>

EVENT(radio_received)
{
}

THREAD(sender, 512, PRIORITY_APP)
{
    static const uint8_t frame[] = {0x49, 0x88, 1, 0x22, 0, 0xff, 0xff, 5, 0};
    static const struct radio_settings settings = {.channel = 26, .pan = 0x22, .short_address = 5};
    static struct radio_transfer sending;

    sleep_ms(500);
    if (radio_set(&settings) == 0 &&
        packet_alloc(&sending.packet, TEXT(\"sender\"), 0, sizeof(frame)) == 0) {
        packet_write(sending.packet, 0, frame, sizeof(frame));
        (void)!radio_send(&sending);
    }
    sleep_ms(500);
}
";

/// Reads all headers, so that the codec says why a frame is refused.
const READS_ALL: &str = "\
#include <lichen/am.h>
#include <lichen/thread.h>

LINK_ALL_HEADERS;
AM_RECEIVER_ALL(messages, 2);

THREAD(opener, 384, PRIORITY_APP)
{
    (void)!link_open(0);
}
";

#[test]
fn a_frame_that_the_links_format_refuses_is_told_with_the_reason() {
    let place = tempfile::tempdir().expect("a folder");
    let path = |name: &str| place.path().join(name).to_str().expect("a plain path").to_string();
    for (name, program) in [("refused", REFUSED), ("reads_all", READS_ALL)] {
        assert_eq!(call(&["new", &path(name)]).code, 0);
        std::fs::write(path(name) + "/main.c", program).expect("written");
        std::fs::write(path(name) + "/lichen.toml", MANIFEST.replace("full", name))
            .expect("written");
    }
    let mote = |program: &str| format!("[[mote]]\nboard = \"hamilton\"\nprogram = \"{program}\"\n");
    let motes = format!("for = \"2s\"\n{}{}", mote("refused"), mote("reads_all"));
    std::fs::write(path("net.toml"), motes).expect("written");
    let called = call(&["run", &path("net.toml")]);
    assert_eq!(called.code, 0, "{}{}", called.out, called.err);
    let told = called.out.lines().find(|line| line.starts_with("  lost by program "));
    assert_eq!(told, Some("  lost by program  1, frame: old security, in mote1"), "{}", called.out);
}

/// Names of the system's counters that a program may have for something else.
const NAMESAKES: &str = "\
#include <lichen/led.h>
#include <lichen/thread.h>

static volatile unsigned dropped, lost_sending, lost_receiving;

THREAD(counter, 256, PRIORITY_APP)
{
    dropped = lost_sending = lost_receiving = 7;
    led_on(0);
}
";

#[test]
fn a_programs_own_counters_are_no_losses() {
    let called = super::run(NAMESAKES, &["--for", "1s"]);
    assert_eq!(called.code, 0, "{}", called.err);
    assert!(!called.out.contains("lost by program"), "{}", called.out);
}
