// SPDX-License-Identifier: MIT OR Apache-2.0
//! Real-time tasks that are late.

use super::{during, run};

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
fn a_real_time_task_that_takes_longer_than_it_declares_is_reported() {
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
        let reported = |what: &str| during(&ran).lines().filter(|line| line.contains(what)).count();
        assert_eq!(reported("warning: real-time task hasty took "), 1, "{board}: {}", ran.out);
        assert_eq!(reported("warning: real-time task hasty missed its deadline: it ended "), 1);
        assert_eq!(
            reported("main.c:8") + reported("main.c:7") + reported("main.c:9"),
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
fn a_request_that_is_not_acknowledged_is_reported() {
    let text = TASK.replace("    rt_acknowledge();\n", "").replace("turn < 600", "turn < 5");
    let ran = run(&text, &["--for", "1s"]);
    let reported =
        during(&ran).lines().filter(|line| line.contains("hasty runs again at once")).count();
    assert_eq!(reported, 1, "{}", ran.out);
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
            let reported = |line: &str| {
                line.starts_with(&begin) && line.contains(what) && line.ends_with(deadline)
            };
            assert!(ran.out.lines().any(reported), "{board}: {}", ran.out);
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
fn a_task_whose_period_nothing_starts_is_reported() {
    let text = "\
#include <lichen/led.h>
#include <lichen/rt.h>
#include <lichen/thread.h>

RT_TASK(blinks, RT_TIMER_A, .priority = 0, .period_us = 1000, .deadline_us = 100, .wcet_cycles = 400)
{
    rt_acknowledge();
    led_toggle(0);
}

THREAD(first, 256, PRIORITY_APP)
{
    led_on(0);
}
";
    let reported =
        "warning: real-time task blinks never runs: nothing calls rt_period_start(blinks)";
    for board in ["hamilton", "micaz"] {
        let never = run(text, &["--board", board, "--for", "1s"]);
        assert_eq!(never.code, 0, "{board}: {}", never.err);
        assert!(never.out.contains(reported), "{board}: {}", never.out);
        let later = text
            .replace("led_on(0);", "if (is_wanted) {\n        rt_period_start(blinks);\n    }")
            .replace("THREAD(", "static volatile int is_wanted;\n\nTHREAD(");
        let waits = run(&later, &["--board", board, "--for", "1s", "--strict"]);
        assert_eq!(waits.code, 0, "{board}: {}{}", waits.out, waits.err);
        assert!(waits.out.contains("never ran"), "{board}: {}", waits.out);
        let text = text.replace("led_on(0);", "rt_period_start(blinks);");
        let ran = run(&text, &["--board", board, "--for", "1s", "--strict"]);
        assert_eq!(ran.code, 0, "{board}: {}{}", ran.out, ran.err);
    }
}

#[test]
fn tasks_that_leave_no_time_are_not_reported_as_a_handler_that_does_not_return() {
    let text = "\
#include <lichen/led.h>
#include <lichen/rt.h>
#include <lichen/thread.h>

RT_TASK(blinks, RT_TIMER_A, .priority = 0, .period_us = 10, .deadline_us = 10, .wcet_cycles = 400)
{
    rt_acknowledge();
    led_toggle(0);
}

THREAD(first, 256, PRIORITY_APP)
{
    rt_period_start(blinks);
}
";
    let ran = run(text, &["--for", "2s"]);
    let reported = "warning: real-time tasks have left no time for anything else for 1.";
    assert!(ran.out.contains(reported), "{}", ran.out);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(!ran.out.contains("has not returned"), "{}", ran.out);
}
