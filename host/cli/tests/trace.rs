// SPDX-License-Identifier: MIT OR Apache-2.0
//! `trace`: what is executed between two marks.

mod common;

use common::{Called, call};
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
fn what_cannot_be_traced_is_told() {
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
