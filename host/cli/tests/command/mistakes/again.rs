// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs that are linked twice, in which functions have become part of others: the same is said of them.

use super::undefined::calls;
use super::{made, path, start_with};
use crate::common::{Called, call};

const TWICE: &str = "[build]\nlto = true\n";

fn run(text: &str) -> Called {
    start_with(TWICE, "run", text, &["--for", "1s"])
}

/// Builds a program with more in its CMakeLists.txt, and assembly that defines `chosen`.
fn build(manifest: &str, text: &str, cmake: &str) -> Called {
    let place = tempfile::tempdir().expect("a folder");
    let folder = made(place.path(), manifest, text);
    let chosen = "    .syntax unified\n    .thumb\n    .text\n    .global chosen\n    .type chosen, %function\n\
                  chosen:\n    movs r0, #2\n    bx lr\n";
    std::fs::write(folder.join("chosen.S"), chosen).expect("written");
    let file = folder.join("CMakeLists.txt");
    let written = std::fs::read_to_string(&file).expect("there");
    std::fs::write(&file, format!("{written}{cmake}\n")).expect("written");
    call(&["build", path(&folder)])
}

/// What the compiler cannot know, since the linker alone decides it.
#[test]
fn who_would_be_linked_otherwise_is_linked_once() {
    let weak = "#include <lichen/print.h>\n#include <lichen/thread.h>\nint chosen(void);\n\
                int __attribute__((weak)) chosen(void)\n{\n    return 1;\n}\n\
                THREAD(says, 512, 3)\n{\n    print(\"%d\\n\", chosen());\n}\n";
    let assembly = "target_sources(mistake PRIVATE chosen.S)";
    let refused = build(TWICE, weak, assembly);
    let said = "chosen.S defines `chosen`, too, and one of them is weak";
    assert!(refused.code != 0 && refused.err.contains(said), "{}{}", refused.out, refused.err);
    assert_eq!(build("", weak, assembly).code, 0);
    let wraps = "target_link_options(mistake PRIVATE LINKER:--wrap,chosen)";
    let wrapped = "int __wrap_chosen(void);\nint __wrap_chosen(void)\n{\n    return 3;\n}\n";
    let refused = build(TWICE, &format!("{weak}{wrapped}"), wraps);
    assert!(refused.err.contains("the linker is told --wrap"), "{}{}", refused.out, refused.err);
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
    let nowhere = run(&calls("function();"));
    assert!(nowhere.err.contains("main.c:10: HardFault: branch to an even"), "{}", nowhere.err);
    let inside = run(&calls("gpio_output(pin, true);"));
    assert!(inside.err.contains("main.c:10: HardFault: nothing answers"), "{}", inside.err);
    assert!(inside.err.contains("in gpio_set, and a reset"), "{}", inside.err);
}
