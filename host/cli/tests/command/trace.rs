// SPDX-License-Identifier: MIT OR Apache-2.0
//! `trace`: what is executed between two marks.

use crate::common::{Called, call};
use std::path::Path;

fn trace(more: &[&str]) -> Called {
    let mut arguments = vec!["trace", "philosophers", "--for", "50ms"];
    arguments.extend(more);
    call(&arguments)
}

#[test]
fn lines_and_sum_agree() {
    let called = trace(&["--from", "SERCOM0_handler", "--to", "usart_pending"]);
    assert_eq!(called.code, 0, "{}", called.err);
    let lines: Vec<Vec<&str>> =
        called.out.lines().map(|line| line.split_whitespace().collect()).collect();
    let (last, steps) = lines.split_last().expect("lines");
    assert!(steps[0].contains(&"push") && steps[0].contains(&"SERCOM0_handler"), "{}", called.out);
    assert!(called.out.contains("; to console_interrupt"), "{}", called.out);
    let cycles = |step: &Vec<&str>| step[1].parse::<u64>().expect("cycles");
    assert_eq!(last[0], steps.len().to_string(), "{}", called.out);
    assert_eq!(last[2], steps.iter().map(cycles).sum::<u64>().to_string(), "{}", called.out);
    // PUSH of two registers, BL: 1 + 2 and 3 cycles (Cortex-M0+ Technical Reference Manual, 3.3).
    assert_eq!((cycles(&steps[0]), cycles(&steps[1])), (3, 3), "{}", called.out);
}

#[test]
fn columns_stand_where_people_look_for_them() {
    // From the first sleep to the alarm: a call of the kernel, the idle thread, an interrupt.
    let marks =
        ["trace", "blink", "--for", "2s", "--from", "sleep_until_us", "--to", "RTC_handler"];
    let called = call(&marks);
    assert_eq!(called.code, 0, "{}", called.err);
    let mut steps: Vec<&str> = called.out.lines().collect();
    let sum = steps.pop().expect("a sum");
    let mut now = 0;
    for line in &steps {
        // Begin and cycles in 10 and 6 digits, the interrupt in 10 letters, the address in 8 digits.
        let [begin, cycles] = [0..10, 11..17].map(|at| line[at].trim().parse::<u64>());
        assert_eq!(begin.as_ref(), Ok(&now), "{line}");
        now += cycles.unwrap_or_else(|_| panic!("no cycles in {line}"));
        let context = line[19..29].trim();
        assert!(["", "SVCall", "PendSV", "RTC"].contains(&context), "{line}");
        assert!(u32::from_str_radix(&line[30..38], 16).is_ok(), "no address in {line}");
    }
    assert!(sum.contains(&format!(" {now} cycles from sleep_until_us to RTC_handler")), "{sum}");
    assert!(steps[0][40..].starts_with("sleep_until_us "), "{}", steps[0]);
    let entry = steps.last().expect("steps");
    assert!(entry.contains(" RTC ") && entry.ends_with("(entry of an exception)"), "{entry}");
    assert!(steps.iter().any(|line| line[19..29].trim().is_empty() && line.ends_with(" wfi")));
}

#[test]
fn a_thread_that_an_interrupt_has_woken_is_no_interrupt() {
    let marks = ["--from", "gpio_toggle", "--to", "kernel_call"];
    let called =
        call(&[&["trace", "blink", "--board", "micaz", "--for", "2s"], &marks[..]].concat());
    assert_eq!(called.code, 0, "{}", called.err);
    let first = called.out.lines().next().expect("a line");
    assert!(first[40..].starts_with("gpio_toggle "), "{first}");
    assert_eq!(first[19..29].trim(), "", "{first}");
}

#[test]
fn a_file_holds_what_the_screen_would() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("trace.txt");
    let marks = ["--from", "SERCOM0_handler", "--to", "usart_pending"];
    let shown = trace(&marks);
    let name = file.display().to_string();
    let kept = trace(&[&marks[..], &["--output", &name]].concat());
    assert_eq!((shown.code, kept.code), (0, 0), "{}", kept.err);
    let lines = std::fs::read_to_string(&file).expect("a file");
    assert_eq!(format!("{lines}{}", kept.out), shown.out);
    assert_eq!(kept.out.lines().count(), 1, "the sum: {}", kept.out);
}

#[test]
fn lines_have_a_limit_and_cycles_do_not() {
    let marks = ["--from", "reset_handler", "--to", "kernel_main"];
    let limited = trace(&[&marks[..], &["--limit", "3"]].concat());
    assert_eq!(limited.code, 0, "{}", limited.err);
    assert_eq!(limited.out.lines().count(), 5, "{}", limited.out);
    assert!(limited.out.contains("limit of 3 lines"), "{}", limited.out);
    let whole = trace(&marks);
    assert_eq!(limited.out.lines().last(), whole.out.lines().last());
}

#[test]
fn what_cannot_be_traced_is_reported() {
    let called = trace(&["--from", "no_such", "--to", "kernel_main"]);
    assert_eq!(called.code, 2, "{}", called.err);
    assert!(called.err.contains("no function `no_such`"), "{}", called.err);
    let called = trace(&["--from", "kernel_main", "--to", "0x1fffe"]);
    assert_eq!(called.code, 1, "{}", called.err);
    assert!(called.err.contains("`0x1fffe` is not executed after `kernel_main`"), "{}", called.err);
    if Path::new("/dev/full").exists() {
        let marks = ["--from", "reset_handler", "--to", "kernel_main", "--output", "/dev/full"];
        let called = trace(&marks);
        assert_eq!(called.code, 2, "{}", called.err);
        assert!(called.err.contains("is the disk full?"), "{}", called.err);
    }
}
