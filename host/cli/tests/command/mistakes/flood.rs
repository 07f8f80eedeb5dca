// SPDX-License-Identifier: MIT OR Apache-2.0
//! A pin that changes faster than one can read does not hide what else happens, and what a run warned of is told at its
//! end, too.

use super::run;
use crate::common::{call, events};
use std::path::Path;

const FAST: &str = "\
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

THREAD(flood, 512, PRIORITY_APP)
{
    uint64_t end_us = time_now_us() + 2 * TIME_US_PER_S;

    while (time_now_us() < end_us) {
        led_toggle(0);
    }
    print(\"done\\n\");
    sleep_ms(2000);
    led_toggle(0);
    led_toggle(0);
}
";

#[test]
fn a_pin_that_changes_too_fast_is_counted_and_files_have_each_change() {
    let place = tempfile::tempdir().expect("a folder");
    let json = place.path().join("events.jsonl").display().to_string();
    let ran = run(FAST, &["--for", "5s", "--json", &json]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let of_led: Vec<&str> = ran.out.lines().filter(|line| line.contains("* led0 ")).collect();
    let (counted, shown): (Vec<&str>, Vec<&str>) =
        of_led.into_iter().partition(|line| line.contains(" changes in "));
    assert!((50..60).contains(&shown.len()), "{}", shown.len());
    assert!(counted.iter().any(|line| line.ends_with(" changes in 1.000000 s")), "{counted:?}");
    assert!(ran.out.contains("done\n"), "{}", ran.out);
    let at_end = shown.iter().filter(|line| line.trim_start().starts_with("4.")).count();
    assert_eq!(at_end, 2, "it is shown again when it keeps still: {shown:?}");
    let changes = |line: &&str| -> u64 {
        let (_, rest) = line.split_once("led0 ").expect("a pin");
        rest.split(' ').next().and_then(|number| number.parse().ok()).expect("a number")
    };
    let told = counted.iter().map(changes).sum::<u64>() + at_end as u64;
    let events = events(Path::new(&json));
    let written = events.lines().filter(|line| line.contains("\"led0\"")).count() as u64;
    assert!(written > 1_000 && told == written, "{told} told, {written} written");
}

const LATE: &str = "\
#include <lichen/led.h>
#include <lichen/thread.h>

THREAD(wrong, 512, PRIORITY_APP)
{
    for (unsigned n = 0; n < 3; n++) {
        *(volatile unsigned char *)0x4200000Bu = 1;
        led_toggle(0);
        sleep_ms(100);
    }
}
";

#[test]
fn warnings_are_repeated_at_the_end_and_do_not_pass_in_silence() {
    let ran = run(LATE, &["--for", "1s"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let (_, end) = ran.out.split_once("warnings of the run:\n").expect("a repetition");
    assert!(end.contains("main.c:7"), "{end}");
    let last = ran.out.lines().last().unwrap_or_default();
    assert!(
        last.ends_with("1 warning, and no failure; with --strict the first one is a failure"),
        "{last}"
    );
    let strict = run(LATE, &["--for", "1s", "--strict"]);
    assert_eq!(strict.code, 1, "{}", strict.out);
    assert!(!strict.out.contains("warnings of the run:"), "{}", strict.out);
}

#[test]
fn a_run_without_warnings_says_nothing_of_them() {
    let ran = call(&["run", "blink", "--for", "2s"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(!ran.out.contains("warnings"), "{}", ran.out);
}
