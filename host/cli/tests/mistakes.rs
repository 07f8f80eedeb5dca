// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a run says of programs that build and do not work.

mod common;

use common::{Called, call};
use std::path::Path;

/// Runs a program with this text in its `main.c`.
fn run(text: &str, options: &[&str]) -> Called {
    start("run", text, options)
}

/// The same with another verb than `run`.
fn start(verb: &str, text: &str, options: &[&str]) -> Called {
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path().join("mistake");
    assert_eq!(call(&["new", path(&folder)]).code, 0);
    std::fs::write(folder.join("main.c"), text).expect("written");
    call(&[&[verb, path(&folder)], options].concat())
}

fn path(folder: &Path) -> &str {
    folder.to_str().expect("a path of text")
}

const DEADLOCK: &str = "\
#include <lichen/mutex.h>
#include <lichen/thread.h>
#include <lichen/time.h>

MUTEX(salt);
MUTEX(pepper[2]);

THREAD(ann, 256, PRIORITY_APP)
{
    (void)mutex_lock(&salt);
    sleep_ms(10);
    (void)mutex_lock(&pepper[1]);
}

THREAD(bob, 256, PRIORITY_APP)
{
    (void)mutex_lock(&pepper[1]);
    sleep_ms(10);
    (void)mutex_lock(&salt);
}
";

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

#[test]
fn a_handler_that_does_not_return_is_told() {
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
        assert_eq!(ran.code, 0, "{board}: {}", ran.err);
        let told = ran.out.contains("warning: a handler has not returned for 1.");
        assert!(told && ran.out.contains("it is in spins_event"), "{board}: {}", ran.out);
        assert!(ran.out.contains("main.c:"), "{board}: {}", ran.out);
        let strict = run(text, &["--board", board, "--for", "2s", "--strict"]);
        assert_eq!(strict.code, 1, "{board}: {}", strict.err);
    }
}

const HOG: &str = "\
#include <lichen/led.h>
#include <lichen/thread.h>
#include <lichen/time.h>

static volatile int turns;

THREAD(hog, 256, PRIORITY_APP + 1)
{
    for (;;) {
        turns++;
    }
}

THREAD(poor, 256, PRIORITY_APP)
{
    for (;;) {
        led_toggle(0);
        sleep_ms(100);
    }
}
";

#[test]
fn a_thread_that_is_ready_and_never_runs_is_told_with_who_runs() {
    for board in ["hamilton", "micaz"] {
        let ran = run(HOG, &["--board", board, "--for", "2s"]);
        let told = ran.out.contains("warning: poor has been ready for 1.");
        assert!(told && ran.out.contains("hog keeps the processor"), "{board}: {}", ran.out);
    }
}

/// It is ready whenever somebody looks, since the other one waits for moments only, and yet it runs.
#[test]
fn a_thread_that_runs_now_and_then_is_not_starved() {
    let hog = HOG.replace(
        "turns++;",
        "for (turns = 0; turns < 20000; turns++) {\n        }\n        sleep_us(300);",
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
    assert!(ran.out.contains("  resets           1"), "{}", ran.out);
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

const TASK: &str = "\
#include <lichen/rt.h>
#include <lichen/thread.h>
#include <lichen/time.h>

static volatile int turns;

RT_TASK(hasty, RT_TIMER_A, .priority = 0, .period_us = 5000, .deadline_us = 200, .wcet_cycles = 100)
{
    rt_acknowledge();
    for (int turn = 0; turn < 600; turn++) {
        turns = turn;
    }
}

THREAD(starter, 256, PRIORITY_APP)
{
    rt_period_start(hasty);
    sleep_ms(100);
    rt_period_stop(hasty);
}
";

/// The line of the summary of task `hasty`: runs, cycles and microseconds.
fn task_line(out: &str) -> (u64, u64, f64) {
    let line =
        out.lines().find(|line| line.starts_with("  task hasty ")).expect("a line of the task");
    let numbers: Vec<f64> = line.split([' ', ',']).filter_map(|word| word.parse().ok()).collect();
    (numbers[0] as u64, numbers[1] as u64, numbers[3])
}

#[test]
fn a_real_time_task_that_takes_longer_than_it_declares_is_told() {
    for board in ["hamilton", "micaz"] {
        let ran = run(TASK, &["--board", board, "--for", "1s"]);
        assert_eq!(ran.code, 0, "{board}: {}", ran.err);
        let (runs, cycles, response) = task_line(&ran.out);
        assert!((19..=20).contains(&runs), "{board}: {}", ran.out);
        assert!((3_000..9_000).contains(&cycles), "{board}: {}", ran.out);
        let hz = if board == "hamilton" { 8e6 } else { 7.3728e6 };
        assert!(
            (0.0..25.0).contains(&(response - cycles as f64 / hz * 1e6)),
            "{board}: {}",
            ran.out
        );
        let told = |what: &str| ran.out.lines().filter(|line| line.contains(what)).count();
        assert_eq!(told("warning: real-time task hasty took "), 1, "{board}: {}", ran.out);
        assert_eq!(told("warning: real-time task hasty missed its deadline: it ended "), 1);
        assert_eq!(
            told("main.c:8") + told("main.c:7") + told("main.c:9"),
            2,
            "{board}: {}",
            ran.out
        );
        assert!(ran.out.contains(&format!(", {runs} missed\n")), "{board}: {}", ran.out);
        let strict = run(TASK, &["--board", board, "--for", "1s", "--strict"]);
        assert_eq!(strict.code, 1, "{board}: {}", strict.out);
    }
}

#[test]
fn a_request_that_is_not_acknowledged_is_told() {
    let text = TASK.replace("    rt_acknowledge();\n", "").replace("turn < 600", "turn < 5");
    let ran = run(&text, &["--for", "1s"]);
    let told = ran.out.lines().filter(|line| line.contains("hasty runs again at once")).count();
    assert_eq!(told, 1, "{}", ran.out);
    let proper = run(&TASK.replace("turn < 600", "turn < 5"), &["--for", "1s"]);
    assert!(!proper.out.contains("again at once"), "{}", proper.out);
}

#[test]
fn a_real_time_task_within_its_declaration_is_not() {
    let text = TASK.replace("turn < 600", "turn < 5");
    for board in ["hamilton", "micaz"] {
        let ran = run(&text, &["--board", board, "--for", "1s", "--strict"]);
        assert_eq!(ran.code, 0, "{board}: {}", ran.err);
        assert!((19..=20).contains(&task_line(&ran.out).0), "{board}: {}", ran.out);
        assert!(!ran.out.contains("missed"), "{board}: {}", ran.out);
    }
}

const ENDLESS: &str = "\
#include <lichen/rt.h>
#include <lichen/thread.h>
#include <lichen/time.h>

static volatile int turns;

RT_TASK(endless, RT_TIMER_A, .priority = 0, .period_us = 5000, .deadline_us = 5000,
        .wcet_cycles = 100)
{
    rt_acknowledge();
    for (;;) {
        turns++;
    }
}

RT_TASK(starved, RT_TIMER_B, .priority = 1, .period_us = 7000, .deadline_us = 300,
        .wcet_cycles = 100)
{
    rt_acknowledge();
    turns = 0;
}

THREAD(starter, 256, PRIORITY_APP)
{
    sleep_ms(10);
    rt_period_start(starved);
    rt_period_start(endless);
}
";

#[test]
fn real_time_tasks_that_have_not_ended_by_the_end_miss_their_deadlines() {
    for board in ["hamilton", "micaz"] {
        let ran = run(ENDLESS, &["--board", board, "--for", "100ms", "--strict"]);
        assert_eq!(ran.code, 1, "{board}: {}", ran.err);
        let missed = |task: &str, what: &str, deadline: &str| {
            let begin =
                format!("warning: real-time task {task} missed its deadline: requested at 0.0");
            let told = |line: &str| {
                line.starts_with(&begin) && line.contains(what) && line.ends_with(deadline)
            };
            assert!(ran.out.lines().any(told), "{board}: {}", ran.out);
        };
        missed("endless", "it has not ended by the end", "its .deadline_us is 5000");
        missed("endless", "it has not begun by the end", "its .deadline_us is 5000");
        missed("starved", "it has not begun by the end", "its .deadline_us is 300");
        for line in
            ["task endless     has not returned, 2 missed", "task starved     never ran, 1 missed"]
        {
            assert!(ran.out.contains(line), "{board}: {}", ran.out);
        }
    }
}

#[test]
fn real_time_tasks_that_may_still_end_in_time_miss_nothing() {
    for (board, time) in [("hamilton", "25ms"), ("micaz", "85ms")] {
        let ran = run(ENDLESS, &["--board", board, "--for", time]);
        assert!(!ran.out.contains("missed"), "{board}: {}", ran.out);
        assert!(ran.out.contains("task endless     has not returned"), "{board}: {}", ran.out);
    }
}

/// The cycles of one that another one preempts are its own: two that start together, the longer one less urgent.
#[test]
fn what_preempts_a_real_time_task_does_not_count_as_its_own() {
    let second = "\
RT_TASK(hasty, RT_TIMER_B, .priority = 1, .period_us = 5000, .deadline_us = 5000,
        .wcet_cycles = 9000)
{
    rt_acknowledge();
    for (int turn = 0; turn < 600; turn++) {
        turns = turn;
    }
}

RT_TASK(urgent, RT_TIMER_A, .priority = 0, .period_us = 300, .deadline_us = 300, .wcet_cycles = 1000)
{
    rt_acknowledge();
    for (int turn = 0; turn < 60; turn++) {
        turns = turn;
    }
}

THREAD(starter";
    let (head, tail) = (TASK.find("RT_TASK").expect("one"), TASK.find("THREAD").expect("one"));
    let both = format!("{}{second}{}", &TASK[..head], &TASK[tail + "THREAD(starter".len()..])
        .replace(
            "    rt_period_start(hasty);",
            "    rt_period_start(hasty);\n    rt_period_start(urgent);",
        );
    let alone = run(TASK, &["--for", "1s"]);
    let preempted = run(&both, &["--for", "1s"]);
    let (_, own, _) = task_line(&alone.out);
    let (_, measured, response) = task_line(&preempted.out);
    assert!(measured.abs_diff(own) < 60, "{own}: {}", preempted.out);
    assert!(response > 520.0, "{}", preempted.out);
}

#[test]
fn a_division_by_zero_is_told_with_its_line() {
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
            ran.out.lines().filter(|line| line.contains("division by zero")).collect();
        assert_eq!(warnings.len(), 2, "{board}: {}", ran.out);
        assert!(warnings[0].ends_with("main.c:9"), "{board}: {}", ran.out);
        assert!(warnings[1].ends_with("main.c:10"), "{board}: {}", ran.out);
    }
}

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

#[test]
fn a_stack_that_overflows_is_named_with_the_functions_that_use_it() {
    let ran_on = |board: &str, text: &str| run(text, &["--board", board, "--for", "100ms"]);
    for board in ["hamilton", "micaz"] {
        let deep = ran_on(board, TOO_DEEP);
        assert_eq!(deep.code, 1, "{board}: {}", deep.err);
        let warnings = deep.out.lines().filter(|line| line.contains("warning"));
        let first = warnings.clone().next().unwrap_or_default();
        let told = "stack overflow: thread `worker' has 512 bytes of stack, and uses 5";
        assert!(first.contains(told), "{board}: {first}");
        assert!(first.contains("worker_thread") && first.contains(" times"), "{board}: {first}");
        let line: u32 = line_of(first).parse().expect("a line");
        assert!((7..=12).contains(&line), "{board}: {first}");
        assert!(deep.err.contains(&format!("main.c:{}: {told}", line_of(first))), "{}", deep.err);

        let large =
            ran_on(board, &TOO_DEEP.replace("work)(unsigned) = sum", "work)(unsigned) = fill"));
        assert_eq!(large.code, 1, "{board}: {}", large.err);
        assert!(large.err.contains("stack overflow: thread `worker'"), "{board}: {}", large.err);
        assert!(
            (14..=17).any(|line| large.err.contains(&format!("main.c:{line}: "))),
            "{}",
            large.err
        );
        assert!(large.err.contains(", fill 6"), "{board}: {}", large.err);
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
fn a_stack_that_just_suffices_is_not_told() {
    let text = TOO_DEEP.replace("depth = 200", "depth = 3");
    for board in ["hamilton", "micaz"] {
        let ran = run(&text, &["--board", board, "--for", "100ms", "--strict"]);
        assert_eq!(ran.code, 0, "{board}: {}{}", ran.out, ran.err);
    }
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
fn threads_that_all_wait_are_told_with_what_for_and_since_when() {
    for board in ["hamilton", "micaz"] {
        let ran = run(MEETING, &["--board", board, "--for", "20s"]);
        assert_eq!(ran.code, 0, "{board}: {}", ran.err);
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
fn a_thread_that_nothing_starts_is_told() {
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
        let ran = run(event, &["--board", board, "--for", "1s"]);
        assert_eq!(ran.code, 0, "{board}: {}", ran.err);
    }
}

#[test]
fn accesses_by_a_pointer_to_nothing_are_told_once() {
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
        let told = |line: u32, what: &str| {
            let lines = ran.out.lines().filter(|it| it.contains("pointer to nothing"));
            lines.filter(|it| it.contains(what) && it.ends_with(&format!("main.c:{line}"))).count()
        };
        assert_eq!(told(9, "read ("), 1, "{board}: {}", ran.out);
        if board == "micaz" {
            assert_eq!(told(11, "write of"), 1, "{board}: {}", ran.out);
        }
    }
}
