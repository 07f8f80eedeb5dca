// SPDX-License-Identifier: MIT OR Apache-2.0
//! Stacks that do not suffice.

use super::{during, path, run, start};

#[test]
fn the_stacks_of_a_summary_are_those_of_all_starts() {
    let text = "\
#include <lichen/panic.h>
#include <lichen/assert.h>
#include <lichen/thread.h>
#include <lichen/time.h>
#include <string.h>

volatile uint8_t sink;

static __attribute__((noinline)) void use(void)
{
    volatile uint8_t local[200];
    for (unsigned i = 0; i < sizeof(local); i++) {
        local[i] = (uint8_t)i;
    }
    sink = local[7];
}

THREAD(worker, 512, PRIORITY_APP)
{
    if (panic_last() != 0) {
        sleep_ms(100);
        return;
    }
    use();
    assert(sink == 8);
}
";
    let used = |out: &str| -> u32 {
        let line = out.lines().find(|line| line.contains("stack worker")).expect("a line");
        line.split_whitespace().nth(2).and_then(|word| word.parse().ok()).expect("a number")
    };
    let ran = run(text, &["--for", "1s"]);
    assert!(ran.out.contains("resets"), "{}", ran.out);
    assert!((200..512).contains(&used(&ran.out)), "{}", ran.out);
    // A power cut leaves memory in which nothing is a stack.
    let place = tempfile::tempdir().expect("a folder");
    let cut = place.path().join("cut.txt");
    std::fs::write(&cut, "500ms !power off\n600ms !power on\n").expect("written");
    let cut = run(text, &["--for", "1s", "--input", path(&cut)]);
    assert!(cut.out.contains("without power"), "{}", cut.out);
    assert!((200..512).contains(&used(&cut.out)), "{}", cut.out);
}

/// A function that calls itself `depth` times, and one with a large local variable that is called through a pointer: no
/// build can know what they need.
const TOO_DEEP: &str = "\
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

static volatile unsigned char depth = 200;

static unsigned sum(unsigned n)
{
    volatile unsigned copy[4] = {n, n, n, n};

    return n == 0 ? 0 : sum(n - 1) + copy[n % 4];
}

static unsigned fill(unsigned n)
{
    volatile unsigned char local[600];

    for (unsigned i = 0; i < sizeof(local); i++) {
        local[i] = (unsigned char)n;
    }
    return local[n];
}

static unsigned (*volatile work)(unsigned) = sum;

THREAD(worker, 512, PRIORITY_APP)
{
    sleep_ms(10);
    print(\"%u\\n\", work(depth));
    work = work == sum ? fill : sum;
}

THREAD(other, 512, PRIORITY_APP)
{
    for (;;) {
        sleep_ms(3);
    }
}
";

const TOO_DEEP_IN_EVENT: &str = "\
#include <lichen/event.h>
#include <lichen/led.h>
#include <lichen/thread.h>
#include <lichen/time.h>

static volatile unsigned depth = 200;

static __attribute__((noinline)) unsigned sum(unsigned n)
{
    volatile unsigned char local[8] = {n};
    return n == 0 ? 0 : sum(n - 1) + local[n & 7];
}

EVENT(deep)
{
    (void)sum(depth);
}

THREAD(worker, 300, PRIORITY_APP)
{
    sleep_ms(10);
    led_toggle(0);
    event_post(&deep);
    led_toggle(0);
}
";

const MADE: &str = "\
#include <lichen/led.h>
#include <lichen/thread.h>
#include <lichen/time.h>

THREAD_STACK(room, 200);

static void entry(void *unused)
{
    volatile unsigned char local[400];
    (void)unused;
    local[0] = 1;
    for (;;) {
        led_on(local[0] - 1u);
        sleep_ms(10);
    }
}

THREAD(maker, 256, PRIORITY_APP)
{
    static struct thread_created made = {
        .info = {.entry = entry, .stack = room, .stack_bytes = sizeof(room), .name = \"made\", .priority = 3}};
    if (thread_create(&made, 0) != 0) {
        led_on(0);
    }
    for (;;) {
        sleep_ms(10);
    }
}
";

const COOP: &str = "\
#include <lichen/coop.h>
#include <lichen/led.h>
#include <lichen/thread.h>
#include <lichen/time.h>

COOP_STACK(300);

static unsigned fill(unsigned n)
{
    volatile unsigned char local[500];
    local[n] = (unsigned char)n;
    return local[n];
}

static unsigned (*volatile work)(unsigned) = fill;

COOP(beat)
{
    COOP_BEGIN();
    for (;;) {
        coop_sleep_ms(5);
        if (work(1) != 0) {
            led_toggle(0);
        }
    }
    COOP_END();
}

THREAD(worker, 300, PRIORITY_APP)
{
    for (;;) {
        sleep_ms(10);
    }
}
";

#[test]
fn a_stack_that_overflows_is_named_with_the_functions_that_use_it() {
    let ran_on = |board: &str, text: &str| run(text, &["--board", board, "--for", "100ms"]);
    for board in ["hamilton", "micaz"] {
        let deep = ran_on(board, TOO_DEEP);
        assert_eq!(deep.code, 1, "{board}: {}", deep.err);
        let warnings = deep.out.lines().filter(|line| line.contains("warning"));
        let first = warnings.clone().next().unwrap_or_default();
        let reported = "stack overflow: the stack of thread `worker' has 512 bytes, and 5";
        assert!(first.contains(reported), "{board}: {first}");
        assert!(first.contains("worker_thread") && first.contains(" times"), "{board}: {first}");
        let line: u32 = line_of(first).parse().expect("a line");
        assert!((7..=12).contains(&line), "{board}: {first}");
        assert!(
            deep.err.contains(&format!("main.c:{}: {reported}", line_of(first))),
            "{}",
            deep.err
        );

        let large =
            ran_on(board, &TOO_DEEP.replace("work)(unsigned) = sum", "work)(unsigned) = fill"));
        assert_eq!(large.code, 1, "{board}: {}", large.err);
        assert!(
            large.err.contains("stack overflow: the stack of thread `worker'"),
            "{board}: {}",
            large.err
        );
        assert!(
            large.err.contains("help: make large local variables `static'"),
            "{board}: {}",
            large.err
        );
        assert!(!large.err.contains(" 0,"), "what uses nothing is not listed: {}", large.err);
        assert!(
            (14..=17).any(|line| large.err.contains(&format!("main.c:{line}: "))),
            "{}",
            large.err
        );
        assert!(large.err.contains(", fill 6"), "{board}: {}", large.err);
    }
}

#[test]
fn a_frame_that_is_larger_than_all_addresses_below_is_reported() {
    let text = TOO_DEEP.replace("work)(unsigned) = sum", "work)(unsigned) = fill");
    let text = text.replace("local[600]", "local[1500]");
    let wraps = run(&text, &["--board", "micaz", "--for", "100ms"]);
    assert_eq!(wraps.code, 1, "{}", wraps.err);
    assert!(
        wraps.err.contains("1506 are in use here: worker_thread 2, fill 1504"),
        "{}",
        wraps.err
    );
    assert!(wraps.out.contains("stack worker     1506 of 512 bytes"), "{}", wraps.out);
}

#[test]
fn what_follows_from_an_overflow_is_not_reported_of_other_stacks() {
    for board in ["hamilton", "micaz"] {
        let ran = run(TOO_DEEP_IN_EVENT, &["--board", board, "--for", "100ms"]);
        assert_eq!(ran.code, 1, "{board}: {}", ran.err);
        let reported: Vec<&str> =
            during(&ran).lines().filter(|it| it.contains("stack overflow")).collect();
        assert_eq!(reported.len(), 1, "{board}: {reported:?}");
        assert!(reported[0].contains("the stack of the kernel has"), "{board}: {reported:?}");
        assert!(reported[0].contains("sum 16, "), "{board}: {reported:?}");
    }
}

#[test]
fn a_thread_made_at_run_time_is_named() {
    for board in ["hamilton", "micaz"] {
        // The mote has begun anew many times by then, and has made the thread again.
        let ran = run(MADE, &["--board", board, "--for", "97ms"]);
        assert_eq!(ran.code, 1, "{board}: {}", ran.err);
        let reported = "the stack of thread `made' has 200 bytes, and 4";
        assert!(ran.err.contains(reported) && ran.err.contains("entry 4"), "{board}: {}", ran.err);
        assert!(ran.out.contains("  stack made "), "{board}: {}", ran.out);
    }
}

#[test]
fn the_use_of_stacks_is_reported_of_a_mote_without_power_and_of_one_that_begins_anew() {
    let text = TOO_DEEP.replace("depth = 200", "depth = 3");
    let folder = tempfile::tempdir().expect("a folder");
    for (input, out) in [("150ms !power off\n", "without power"), ("150ms !reset\n", "resets")] {
        let file = folder.path().join("input.txt");
        std::fs::write(&file, input).expect("written");
        let file = file.display().to_string();
        for board in ["hamilton", "micaz"] {
            let ran = run(&text, &["--board", board, "--for", "151ms", "--input", &file]);
            assert!(ran.out.contains(&format!("  {out} ")), "{board}: {}", ran.out);
            assert!(ran.out.contains("  stack worker "), "{board}: {}", ran.out);
        }
    }
}

#[test]
fn cooperative_threads_have_a_stack_of_their_own_beside_others() {
    for board in ["hamilton", "micaz"] {
        let ran = run(COOP, &["--board", board, "--for", "100ms"]);
        assert_eq!(ran.code, 1, "{board}: {}", ran.err);
        let reported = "stack overflow: the stack of cooperative threads has 300 bytes, and ";
        assert!(ran.err.contains(reported), "{board}: {}", ran.err);
        assert!(ran.err.contains("with COOP_STACK"), "{board}: {}", ran.err);
        assert!(ran.out.contains("  stack coop "), "{board}: {}", ran.out);
    }
}

#[test]
fn a_debugger_halts_where_a_stack_overflows() {
    let commands = ["--", "-batch", "-ex", "continue", "-ex", "backtrace 1"];
    let halted = start("debug", TOO_DEEP, &commands);
    assert!(halted.out.contains("SIGSEGV"), "{}{}", halted.out, halted.err);
    assert!(halted.out.contains("\n#0 ") && halted.out.contains("sum ("), "{}", halted.out);
}

/// The number of the line at the end of a warning.
fn line_of(warning: &str) -> &str {
    warning.rsplit(':').next().unwrap_or_default().trim()
}

#[test]
fn a_stack_that_just_suffices_is_not_reported() {
    let text = TOO_DEEP.replace("depth = 200", "depth = 3");
    for board in ["hamilton", "micaz"] {
        let ran = run(&text, &["--board", board, "--for", "100ms", "--strict"]);
        assert_eq!(ran.code, 0, "{board}: {}{}", ran.out, ran.err);
    }
}

/// What the shell runs is on its stack; what print calls through pointers is none of it.
#[test]
fn a_command_that_the_shells_stack_does_not_suffice_for_is_refused() {
    let shell = |bytes: u32, used: u32| {
        let text = format!(
            "#include <string.h>\n#include <lichen/print.h>\n#include <lichen/shell.h>\n\
             SHELL({bytes}, PRIORITY_LOW);\nSHELL_COMMAND(show, \"\", \"shows much\")\n{{\n    char line[{used}];\n    \
             memset(line, 'a', sizeof(line) - 1);\n    line[sizeof(line) - 1] = 0;\n    print(\"%s\\n\", line);\n}}\n"
        );
        ["hamilton", "micaz"].map(|board| start("build", &text, &["--board", board]))
    };
    for (bytes, used) in [(640, 800), (896, 800)] {
        for called in shell(bytes, used) {
            let reported = format!("the stack of thread `shell' has {bytes} bytes and may need");
            assert!(called.code == 1 && called.err.contains(&reported), "{}", called.err);
            assert!(called.err.contains("shell_command_show"), "{}", called.err);
        }
    }
    for called in shell(1408, 800) {
        assert_eq!(called.code, 0, "{}", called.err);
    }
}
