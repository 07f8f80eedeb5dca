// SPDX-License-Identifier: MIT OR Apache-2.0
//! Threads that wait for each other, or for what never comes.

use super::run;
use crate::common::programs::DEADLOCK;

#[test]
fn threads_that_wait_for_each_other_are_named_with_what_they_hold() {
    let circle =
        "deadlock: ann waits for pepper[1], which bob has; bob waits for salt, which ann has";
    for board in ["hamilton", "micaz"] {
        let ran = run(DEADLOCK, &["--board", board, "--for", "1s"]);
        assert_eq!(ran.code, 1, "{board}: {}", ran.err);
        assert!(ran.out.contains(&format!("warning: {circle}\n")), "{board}: {}", ran.out);
        assert!(ran.err.contains(&format!("error: {circle}, since 0.0")), "{board}: {}", ran.err);
        assert!(ran.err.contains("in the same order"), "{board}: {}", ran.err);
    }
}

#[test]
fn a_deadlock_panics_where_it_closes_if_the_program_says_so() {
    // The compiler for AVR gives a last call the line of the function.
    let more = DEADLOCK.replace("lock(&salt);\n}", "lock(&salt);\n    sleep_ms(1);\n}");
    let text = format!("{more}\nPANIC_ON_DEADLOCK;\n");
    for board in ["hamilton", "micaz"] {
        let ran = run(&text, &["--board", board, "--for", "150ms"]);
        assert_eq!(ran.code, 1, "{board}: {}", ran.err);
        let panic = "panic in bob: deadlock: bob waits for salt, which ann has; \
                     ann waits for pepper[1], which bob has\n";
        assert!(ran.err.contains(":19: "), "{board}: {}", ran.err);
        assert!(ran.err.contains(panic), "{board}: {}", ran.err);
        assert!(ran.err.contains("in the same order"), "{board}: {}", ran.err);
        assert!(!ran.out.contains("warning: deadlock"), "{board}: {}", ran.out);
    }
}

#[test]
fn a_deadline_that_never_comes_ends_no_deadlock() {
    let text = DEADLOCK.replace(
        "(void)mutex_lock(&pepper[1]);\n}",
        "(void)!mutex_lock_until(&pepper[1], TIME_NEVER);\n}",
    );
    let ran = run(&text, &["--for", "1s"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.err.contains("deadlock: ann waits for pepper[1], which bob has"), "{}", ran.err);
}

#[test]
fn a_wait_that_ends_by_itself_is_no_deadlock() {
    let text = DEADLOCK.replace(
        "(void)mutex_lock(&pepper[1]);\n}",
        "if (mutex_lock_until(&pepper[1], time_now_us() + 20000) == 0) {\n    }\n    \
         (void)mutex_unlock(&salt);\n}",
    );
    let ran = run(&text, &["--for", "1s"]);
    assert!(!ran.out.contains("deadlock"), "{}", ran.out);
    assert!(!ran.err.contains("deadlock"), "{}", ran.err);
}

const MEETING: &str = "\
#include <lichen/barrier.h>
#include <lichen/condition.h>
#include <lichen/led.h>
#include <lichen/notify.h>
#include <lichen/queue.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>

SEMAPHORE(salt, 0);
SEMAPHORE(pepper, 0);
QUEUE(letters, int, 2);
MUTEX(lock);
CONDITION(ripe);
BARRIER(gate, 2);
NOTIFY(bell);

THREAD(ann, 256, PRIORITY_APP)
{
    led_on(0);
    sleep_ms(10);
    semaphore_wait(&salt);
    (void)semaphore_post(&pepper);
}

THREAD(bob, 256, PRIORITY_APP)
{
    semaphore_wait(&pepper);
    (void)semaphore_post(&salt);
}

THREAD(cat, 256, PRIORITY_APP)
{
    int letter;
    queue_receive(&letters, &letter);
}

THREAD(dan, 256, PRIORITY_APP)
{
    (void)mutex_lock(&lock);
    (void)condition_wait(&ripe, &lock);
}

THREAD(eve, 256, PRIORITY_APP)
{
    barrier_wait(&gate);
}

THREAD(fay, 256, PRIORITY_APP)
{
    notify_wait(&bell);
}

THREAD(gil, 256, PRIORITY_APP)
{
    thread_join(&ann);
}
";

/// The line of the summary that says that all threads wait.
fn all_wait(out: &str) -> Option<&str> {
    out.lines().find(|line| line.starts_with("  all threads wait since "))
}

#[test]
fn threads_that_all_wait_are_reported_with_what_for_and_since_when() {
    for board in ["hamilton", "micaz"] {
        let ran = run(MEETING, &["--board", board, "--for", "20s"]);
        assert_eq!(ran.code, 1, "{board}: {}", ran.out);
        let line = all_wait(&ran.out).unwrap_or_else(|| panic!("{board}: {}", ran.out));
        assert!(line.contains(" since 0.0"), "{board}: {line}");
        for (thread, object) in [
            ("ann", "salt"),
            ("bob", "pepper"),
            ("cat", "letters"),
            ("dan", "ripe"),
            ("eve", "gate"),
            ("fay", "bell"),
            ("gil", "the end of ann"),
        ] {
            assert!(line.contains(&format!("{thread} for {object}")), "{board}: {line}");
        }
        assert!(line.contains("main.c:35"), "{board}: {line}");
        let reported = "no thread can ever run again: all have waited since 0.0";
        assert!(ran.out.contains(&format!("warning: {reported}")), "{board}: {}", ran.out);
        assert!(ran.err.contains(&format!("error: {reported}")), "{board}: {}", ran.err);
        assert!(ran.err.contains("ann for salt"), "{board}: {}", ran.err);
        assert!(ran.err.contains("help: no timer is armed"), "{board}: {}", ran.err);
    }
}

#[test]
fn of_several_motes_the_one_whose_threads_are_stuck_is_named() {
    let ran = run(MEETING, &["--motes", "2", "--for", "2s"]);
    assert_eq!(ran.code, 1, "{}", ran.out);
    assert!(ran.err.contains("error: mote 0: no thread can ever run again"), "{}", ran.err);
}

#[test]
fn threads_that_are_left_when_one_has_ended_may_have_done_their_work() {
    let ended = MEETING.replace("thread_join(&ann);", "led_on(0);");
    for board in ["hamilton", "micaz"] {
        let ran = run(&ended, &["--board", board, "--for", "20s"]);
        assert_eq!(ran.code, 0, "{board}: {}", ran.err);
        assert!(all_wait(&ran.out).is_some(), "{board}: {}", ran.out);
        assert!(!ran.out.contains("can ever run again"), "{board}: {}", ran.out);
    }
}

#[test]
fn a_thread_that_waits_for_a_mutex_at_the_end_is_in_the_summary() {
    let text = "\
#include <lichen/led.h>
#include <lichen/mutex.h>
#include <lichen/thread.h>
#include <lichen/time.h>

MUTEX(salt);

THREAD(ann, 256, PRIORITY_APP)
{
    (void)mutex_lock(&salt);
    for (;;) {
        sleep_ms(100);
        led_toggle(0);
    }
}

THREAD(bob, 256, PRIORITY_APP)
{
    sleep_ms(10);
    (void)mutex_lock(&salt);
}
";
    for board in ["hamilton", "micaz"] {
        let ran = run(text, &["--board", board, "--for", "1s"]);
        assert_eq!(ran.code, 0, "{board}: {}", ran.err);
        let reported = "  thread bob       waits for salt, which ann has\n";
        assert!(ran.out.contains(reported), "{board}: {}", ran.out);
    }
}

#[test]
fn threads_that_wait_for_what_a_person_does_are_not_stuck() {
    let button = "\
#include <lichen/console.h>
#include <lichen/led.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>

SEMAPHORE(salt, 0);

THREAD(ann, 256, PRIORITY_APP)
{
    char line[8];
    led_on(0);
    (void)console_read_line(line, sizeof(line));
    (void)semaphore_post(&salt);
    for (;;) {
        semaphore_wait(&salt);
    }
}
";
    for board in ["hamilton", "micaz"] {
        let ran = run(button, &["--board", board, "--for", "5s"]);
        assert_eq!(ran.code, 0, "{board}: {}", ran.err);
        assert!(!ran.out.contains("can ever run again"), "{board}: {}", ran.out);
    }
}

#[test]
fn threads_that_something_may_still_wake_are_not_said_to_wait_for_ever() {
    let deadline = MEETING.replace("notify_wait(&bell);", "sleep_ms(60000);");
    let armed = "if (timer_arm_after(&minute, 60000000) == 0) {\n    notify_wait(&bell);\n    }";
    let timer = MEETING.replace("notify_wait(&bell);", armed).replace(
        "NOTIFY(bell);",
        "NOTIFY(bell);\n#include <lichen/timer.h>\nEVENT(rings)\n{\n    notify_post(&bell);\n}\n\
         TIMER(minute, rings);",
    );
    for board in ["hamilton", "micaz"] {
        for text in [&deadline, &timer] {
            let ran = run(text, &["--board", board, "--for", "20s"]);
            assert_eq!(ran.code, 0, "{board}: {}", ran.err);
            assert_eq!(all_wait(&ran.out), None, "{board}: {}", ran.out);
        }
        let ran = run(MEETING, &["--board", board, "--for", "300ms"]);
        assert_eq!(all_wait(&ran.out), None, "{board}: too early to tell");
    }
}

/// Hands a mutex over all the time.
const HANDED_OVER: &str = "\
#include <lichen/mutex.h>
#include <lichen/thread.h>
#include <lichen/time.h>

MUTEX(a);

THREAD(ann, 256, PRIORITY_APP)
{
    for (;;) {
        (void)mutex_lock(&a);
        sleep_us(200);
        mutex_unlock(&a);
    }
}

THREAD(bob, 256, PRIORITY_APP + 1)
{
    for (;;) {
        (void)mutex_lock(&a);
        sleep_us(200);
        mutex_unlock(&a);
    }
}
";

#[test]
fn a_run_that_ends_while_a_mutex_is_handed_over_has_no_deadlock() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path().join("mistake");
    assert_eq!(super::call(&["new", super::path(&folder)]).code, 0);
    std::fs::write(folder.join("main.c"), HANDED_OVER).expect("written");
    let built = super::call(&["build", super::path(&folder), "--board", "hamilton"]);
    let elf = built.out.lines().find(|line| line.ends_with(".elf")).expect("the image's path");
    let elf = crate::common::root().join(elf);
    for step in 0..60 {
        let length = format!("{}us", 50_000 + 4 * step);
        let ran = super::call(&["run", super::path(&elf), "--for", &length]);
        assert_eq!(ran.code, 0, "{length}: {}", ran.err);
    }
}

#[test]
fn a_circle_of_three_threads_is_named_from_the_one_that_closes_it() {
    let text = format!(
        "{}PANIC_ON_DEADLOCK;\nMUTEX(oil);\nTHREAD(cid, 256, PRIORITY_APP)\n{{\n    (void)mutex_lock(&oil);\n    \
         sleep_ms(5);\n    (void)mutex_lock(&salt);\n    sleep_ms(1);\n}}\n",
        DEADLOCK
            .replace(
                "sleep_ms(10);\n    (void)mutex_lock(&salt)",
                "sleep_ms(10);\n    (void)mutex_lock(&oil)"
            )
            .replace("THREAD(ann", "extern struct mutex oil;\nTHREAD(ann"),
    );
    let ran = run(&text, &["--for", "100ms"]);
    let panic = "panic in bob: deadlock: bob waits for oil, which cid has; cid waits for salt, which ann has; \
                 ann waits for pepper[1], which bob has\n";
    assert!(ran.err.contains(panic), "{}{}", ran.out, ran.err);
}

/// One thread that waits for a semaphore; `%` is what the file says else.
const LONE: &str = "\
#include <lichen/led.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>
#include <lichen/watchdog.h>

SEMAPHORE(posted, 0);
%
THREAD(ann, 400, PRIORITY_APP)
{
    led_on(0);
    (void)!semaphore_wait_until(&posted, TIME_NEVER);
}
";

#[test]
fn a_wait_until_a_time_that_never_comes_has_no_end() {
    for board in ["hamilton", "micaz"] {
        let ran = run(&LONE.replace('%', ""), &["--board", board, "--for", "2s"]);
        let reported = "no thread can ever run again";
        assert!(ran.code == 1 && ran.err.contains(reported), "{board}: {}{}", ran.out, ran.err);
        let watched = LONE.replace('%', "WATCHDOG_CHANNEL(ann_works);\nWATCHDOG_LIMIT_MS(5000);");
        let ran = run(&watched, &["--board", board, "--for", "2s"]);
        assert_eq!(ran.code, 0, "the watchdog of {board} will act: {}", ran.err);
    }
}

#[test]
fn a_watchdogs_panic_says_what_threads_wait_for() {
    let text = LONE.replace('%', "WATCHDOG_CHANNEL(ann_works);\nWATCHDOG_LIMIT_MS(1000);");
    // The ATmega128 jumps to the last call of a function, whose place is then that of its caller.
    for (board, line) in [("hamilton", "main.c:13"), ("micaz", "main.c:10")] {
        let ran = run(&text, &["--board", board, "--for", "4s"]);
        let reported = "watchdog not fed: ann_works; waiting: ann for posted at ";
        assert!(ran.code == 1 && ran.err.contains(reported), "{board}: {}{}", ran.out, ran.err);
        assert!(ran.err.contains(line), "{board}: {}", ran.err);
    }
}

#[test]
fn a_thread_made_at_run_time_may_have_ended() {
    let created = "\
static THREAD_STACK(room, 256);
static struct thread_created made;
static void body(void *unused)
{
    (void)unused;
}
";
    let text = LONE.replace('%', created).replace(
        "led_on(0);",
        "made.info = (struct thread_info){.entry = body, .stack = room, .stack_bytes = sizeof room, .name = \"made\", \
         .priority = PRIORITY_APP};\n    (void)!thread_create(&made, 0);",
    );
    let ran = run(&text, &["--for", "2s"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
}
