// SPDX-License-Identifier: MIT OR Apache-2.0
//! Work that never runs, and what keeps it from running.

use super::run;
use crate::common::programs::HOG;

#[test]
fn a_handler_that_does_not_return_is_reported() {
    let text = "\
#include <lichen/event.h>
#include <lichen/led.h>
#include <lichen/thread.h>

static volatile int turns;

EVENT(spins)
{
    for (;;) {
        turns++;
    }
}

THREAD(posts, 256, PRIORITY_APP)
{
    led_on(0);
    event_post(&spins);
}
";
    for board in ["hamilton", "micaz"] {
        let ran = run(text, &["--board", board, "--for", "2s"]);
        assert_eq!(ran.code, 1, "{board}: {}", ran.err);
        let reported = ran.out.contains("warning: a handler has not returned for 1.");
        assert!(reported && ran.out.contains("it is in spins_event"), "{board}: {}", ran.out);
        assert!(ran.out.contains("main.c:"), "{board}: {}", ran.out);
        assert!(ran.err.contains("error: a handler has not returned for 1."), "{}", ran.err);
        let strict = run(text, &["--board", board, "--for", "2s", "--strict"]);
        assert_eq!(strict.code, 1, "{board}: {}", strict.err);
    }
}

#[test]
fn a_thread_that_is_ready_and_never_runs_is_reported_with_who_runs() {
    for board in ["hamilton", "micaz"] {
        let ran = run(HOG, &["--board", board, "--for", "2s"]);
        let reported = ran.out.contains("warning: poor has been ready for 1.");
        assert!(reported && ran.out.contains("hog keeps the processor"), "{board}: {}", ran.out);
    }
}

/// It is ready whenever somebody looks, since the other one waits for moments only, and yet it runs.
#[test]
fn a_thread_that_runs_now_and_then_is_not_starved() {
    let hog = HOG.replace(
        "turns++;",
        "for (turns = 0; turns < 19000; turns++) {\n        }\n        sleep_us(300);",
    );
    let text = hog.replace("led_toggle(0);\n        sleep_ms(100);", "led_toggle(0);");
    let ran = run(&text, &["--for", "3s"]);
    assert!(ran.out.contains("asleep           never"), "{}", ran.out);
    assert!(!ran.out.contains("warning"), "{}", ran.out);
}

#[test]
fn equals_that_share_the_processor_are_not_starved() {
    let ran = run(&HOG.replace(" + 1", ""), &["--for", "2s"]);
    assert!(!ran.out.contains("warning"), "{}", ran.out);
}

const STOPPED: &str = "\
#include <lichen/led.h>
#include <lichen/thread.h>

THREAD_STOPPED(first, 256, PRIORITY_APP)
{
    led_toggle(0);
}

THREAD_STOPPED(second, 256, PRIORITY_APP)
{
    led_off(0);
}

THREAD(starter, 256, PRIORITY_APP)
{
    led_on(1);
}
";

#[test]
fn a_thread_that_nothing_starts_is_reported() {
    for board in ["hamilton", "micaz"] {
        let text = STOPPED.replace("led_on(1)", "led_on(0)");
        let ran = run(&text, &["--board", board, "--for", "1s", "--strict"]);
        assert_eq!(ran.code, 1, "{board}: {}", ran.err);
        for name in ["first", "second"] {
            let warned = format!("warning: {name} is a THREAD_STOPPED, and never runs: ");
            assert!(ran.out.contains(&warned), "{board}: {}", ran.out);
        }
        // One that might have been started is no mistake for certain.
        let text = STOPPED.replace("led_on(1)", "(void)thread_start(&first, 0)");
        let ran = run(&text, &["--board", board, "--for", "1s", "--strict"]);
        assert_eq!(ran.code, 0, "{board}: {}", ran.err);
        assert!(ran.out.contains("  thread second    never started"), "{board}: {}", ran.out);
        assert!(!ran.out.contains("thread first"), "{board}: {}", ran.out);
    }
}

#[test]
fn a_program_with_nothing_to_run_is_refused() {
    for board in ["hamilton", "micaz"] {
        for text in ["", "#include <lichen/led.h>\nint number;\n"] {
            let ran = run(text, &["--board", board, "--for", "1s"]);
            assert_eq!(ran.code, 1, "{board}: {}", ran.out);
            assert!(ran.err.contains("error: there is nothing to run"), "{board}: {}", ran.err);
        }
        let event = "#include <lichen/init.h>\n#include <lichen/led.h>\n\
                     static void begin(void)\n{\n    led_on(0);\n}\nINIT(begin);\n";
        let inlined = "#include <lichen/init.h>\n#include <lichen/led.h>\nstatic void setup(void)\n{\n    \
                       for (unsigned i = 0; i < led_count(); i++) {\n        led_on(i);\n    }\n}\nINIT(setup);\n";
        for text in [event, inlined] {
            let ran = run(text, &["--board", board, "--for", "1s"]);
            assert_eq!(ran.code, 0, "{board}: {}", ran.err);
        }
    }
}
