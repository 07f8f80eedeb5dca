// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs that are linked twice, in which functions have become part of others: the same is said of them.

use super::start_with;
use crate::common::Called;

fn run(text: &str) -> Called {
    start_with("[build]\nlto = true\n", "run", text, &["--for", "1s"])
}

/// The system's functions that the program calls keep their names.
#[test]
fn a_failed_assertion_is_of_the_function_that_the_program_called() {
    let ran = run("\
#include <lichen/led.h>
#include <lichen/thread.h>

THREAD(lights, 256, PRIORITY_APP)
{
    led_on(7);
}
");
    let reported = "main.c:6: panic in lights: assertion failed in led_on (os/driver/led/led.c:";
    assert!(ran.err.contains(reported), "{}", ran.err);
}

/// What waits, waits in a call of the program, whose line is known though the thread's body is part of another function. The
/// list of threads that only tools read is there.
#[test]
fn threads_wait_at_their_lines_and_those_made_at_run_time_have_names() {
    let ran = run("\
#include <lichen/semaphore.h>
#include <lichen/thread.h>

SEMAPHORE(posted, 0);
static THREAD_STACK(room, 256);

static void body(void *unused)
{
    (void)unused;
    (void)semaphore_wait(&posted);
}

static struct thread_created made = {
    .info = {.entry = body, .stack = room, .stack_bytes = sizeof room, .name = \"made\", .priority = 3}};

THREAD(ann, 256, PRIORITY_APP)
{
    (void)!thread_create(&made, 0);
    (void)semaphore_wait(&posted);
}
");
    assert!(ran.out.contains("  stack made "), "{}", ran.out);
    let all_wait = "ann for posted at ";
    let line = ran.out.lines().find(|line| line.contains(all_wait)).unwrap_or_default();
    assert!(line.contains("main.c:19"), "{}{}", ran.out, ran.err);
}

/// Where a function of the system that the program does not name fails, its own name is said, and the program's line.
#[test]
fn a_fault_has_the_line_that_led_there() {
    let program = |call: &str| {
        format!(
            "#include <lichen/gpio.h>\n#include <lichen/led.h>\n#include <lichen/thread.h>\n\
             static void (*volatile function)(void);\nstatic volatile unsigned pin = 200;\n\
             THREAD(calls, 512, PRIORITY_APP)\n{{\n    led_on(0);\n    (void)pin;\n    {call}\n    led_off(0);\n}}\n\
             void *unused = (void *)&function;\n"
        )
    };
    let nowhere = run(&program("function();"));
    assert!(nowhere.err.contains("main.c:10: HardFault: branch to an even"), "{}", nowhere.err);
    let inside = run(&program("gpio_output(pin, true);"));
    assert!(inside.err.contains("main.c:10: HardFault: nothing answers"), "{}", inside.err);
    assert!(inside.err.contains("in gpio_set, and a reset"), "{}", inside.err);
}
