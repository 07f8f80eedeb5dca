// SPDX-License-Identifier: MIT OR Apache-2.0
//! Panics, the lines that called what failed, and motes that restart again and again.

use super::run;

#[test]
fn a_mote_that_restarts_for_the_same_reason_says_so_once() {
    let text = "\
#include <lichen/led.h>
#include <lichen/thread.h>

THREAD(lights, 256, PRIORITY_APP)
{
    led_on(7);
}
";
    let ran = run(text, &["--for", "100ms"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    let line = "! panic in lights: assertion failed in led_on (os/driver/led/led.c:";
    assert_eq!(ran.out.matches(line).count(), 1, "{}", ran.out);
    assert!(
        ran.err.contains("main.c:6: panic in lights: assertion failed in led_on"),
        "{}",
        ran.err
    );
    assert_eq!(ran.out.matches("! the same again, and so on").count(), 1, "{}", ran.out);
    assert_eq!(ran.out.matches("* reset").count(), 1, "{}", ran.out);
    let again = ran.out.lines().skip_while(|line| !line.contains("the same again"));
    assert!(!again.clone().any(|line| line.contains("led")), "{}", ran.out);
    let resets = ran.out.lines().find_map(|line| line.strip_prefix("  resets "));
    let times = resets.and_then(|it| it.trim().split(':').next()?.parse::<u32>().ok());
    assert!(times.is_some_and(|times| times > 9), "{}", ran.out);
}

/// An assertion of the system names the line of the program that called it: through the kernel level, from
/// a function of the program that saves its return address and from one that does not, and in an event.
#[test]
fn a_failed_assertion_of_the_system_is_one_of_the_line_that_called() {
    let twice = "\
#include <lichen/event.h>
#include <lichen/led.h>
#include <lichen/mutex.h>
#include <lichen/thread.h>
#include <lichen/time.h>

MUTEX(salt);

static __attribute__((noinline)) void deep(int depth)
{
    if (depth > 0) {
        deep(depth - 1);
        led_toggle(0);
    } else {
        BODY
    }
}

EVENT(changed)
{
    EVENT_BODY
}

THREAD(cook, 400, PRIORITY_APP)
{
    event_post(&changed);
    (void)mutex_lock(&salt);
    deep(3);
}
";
    for (body, in_event, line, inner) in [
        ("(void)mutex_lock(&salt);", "led_on(0);", 15, "mutex"),
        ("led_off(9);", "led_on(0);", 15, "led_off"),
        ("mutex_unlock(&salt);\n        mutex_unlock(&salt);", "led_on(0);", 16, "mutex"),
        ("led_on(0);", "led_on(9);", 21, "led_on"),
    ] {
        let text = twice.replace("EVENT_BODY", in_event).replace("BODY", body);
        let ran = run(&text, &["--for", "100ms"]);
        assert_eq!(ran.code, 1, "{body}: {}", ran.err);
        assert!(ran.err.contains(&format!("main.c:{line}: panic in ")), "{body}: {}", ran.err);
        assert!(ran.err.contains(inner), "{body}: {}", ran.err);
    }
}

/// The compiler for AVR knows the lines of calls in inlined functions less well; and a call that is the last of its
/// function is a jump, which leaves no line.
#[test]
fn on_avr_too_the_line_that_called_is_named() {
    let text = "\
#include <lichen/led.h>
#include <lichen/thread.h>

THREAD(lights, 256, PRIORITY_APP)
{
    led_on(0);
    led_on(7);
    led_off(0);
}
";
    let ran = run(text, &["--board", "micaz", "--for", "100ms"]);
    assert!(
        ran.err.contains("main.c:7: panic in lights: assertion failed in led_on"),
        "{}",
        ran.err
    );
}

#[test]
fn a_failed_assertion_says_what_it_requires_or_what_is_wrong() {
    let own = "\
#include <lichen/assert.h>
#include <lichen/thread.h>

static volatile int x;

THREAD(asserts, 512, PRIORITY_APP)
{
    assert(x == 4);
}
";
    for board in ["hamilton", "micaz"] {
        let ran = run(own, &["--board", board, "--for", "100ms"]);
        let reported = "main.c:8: panic in asserts: assertion failed: x == 4";
        assert!(ran.err.contains(reported), "{board}: {}", ran.err);
    }
    let twice = "\
#include <lichen/mutex.h>
#include <lichen/thread.h>

MUTEX(lock);

THREAD(locks, 512, PRIORITY_APP)
{
    (void)mutex_lock(&lock);
    (void)mutex_lock(&lock);
}
";
    let ran = run(twice, &["--for", "100ms"]);
    assert!(ran.err.contains("main.c:9: panic in"), "{}", ran.err);
    assert!(ran.err.contains(": the caller has locked it already)"), "{}", ran.err);
}
