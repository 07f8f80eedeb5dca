// SPDX-License-Identifier: MIT OR Apache-2.0
//! What C leaves undefined and a board does without a word.

use super::{during, run};

#[test]
fn a_division_by_zero_is_reported_with_its_line() {
    let text = "\
#include <lichen/thread.h>

volatile int whole = 7, parts;
volatile uint32_t wide = 7, narrow;

THREAD(divides, 256, PRIORITY_APP)
{
    for (int turn = 0; turn < 3; turn++) {
        whole = whole / parts;
        wide = wide % narrow;
        wide = wide / 3;
    }
}
";
    for board in ["hamilton", "micaz"] {
        let ran = run(text, &["--board", board, "--for", "1s"]);
        let warnings: Vec<&str> =
            during(&ran).lines().filter(|line| line.contains("division by zero")).collect();
        assert_eq!(warnings.len(), 2, "{board}: {}", ran.out);
        assert!(warnings[0].ends_with("main.c:9"), "{board}: {}", ran.out);
        assert!(warnings[1].ends_with("main.c:10"), "{board}: {}", ran.out);
    }
}

#[test]
fn accesses_by_a_pointer_to_nothing_are_reported_once() {
    let text = "\
#include <lichen/thread.h>

static volatile uint16_t *volatile nothing;
static volatile uint16_t sink;

THREAD(reads, 256, PRIORITY_APP)
{
    for (volatile int turn = 0; turn < 3; turn++) {
        sink = *nothing;
    }
    STORE
}
";
    for (board, store) in [("hamilton", ""), ("micaz", "*nothing = 0x1234;")] {
        let ran = run(&text.replace("STORE", store), &["--board", board, "--for", "1s"]);
        let reported = |line: u32, what: &str| {
            let lines = during(&ran).lines().filter(|it| it.contains("pointer to nothing"));
            lines.filter(|it| it.contains(what) && it.ends_with(&format!("main.c:{line}"))).count()
        };
        assert_eq!(reported(9, "read ("), 1, "{board}: {}", ran.out);
        if board == "micaz" {
            assert_eq!(reported(11, "write of"), 1, "{board}: {}", ran.out);
        }
    }
}

/// A program with this call in the tenth line.
pub(super) fn calls(call: &str) -> String {
    format!(
        "#include <lichen/gpio.h>\n#include <lichen/led.h>\n#include <lichen/thread.h>\n\
         static void (*volatile function)(void);\nstatic volatile unsigned pin = 200;\n\
         THREAD(calls, 512, PRIORITY_APP)\n{{\n    led_on(0);\n    (void)pin;\n    {call}\n    led_off(0);\n}}\n\
         void *unused = (void *)&function;\n"
    )
}

/// The line of the call, though the fault is in the system or nowhere.
#[test]
fn a_fault_outside_of_the_program_is_reported_with_the_line_that_led_there() {
    let nowhere = run(&calls("function();"), &["--for", "20ms"]);
    assert_eq!(nowhere.code, 1, "{}", nowhere.out);
    assert!(nowhere.err.contains("main.c:10: HardFault: branch to an even"), "{}", nowhere.err);
    let inside = run(&calls("gpio_output(pin, true);"), &["--for", "20ms"]);
    assert!(inside.err.contains("main.c:10: HardFault: nothing answers"), "{}", inside.err);
    assert!(inside.err.contains("in gpio_set, and a reset"), "{}", inside.err);
}
