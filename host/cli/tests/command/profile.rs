// SPDX-License-Identifier: MIT OR Apache-2.0
//! `profile`: the cycles are those of the run, and are attributed correctly.

use crate::common::call;

/// The number before `word` in `text`.
fn number(text: &str, word: &str) -> u64 {
    let before = text.split(word).next().unwrap_or_default();
    let digits = before.split_whitespace().last().unwrap_or_default();
    digits.parse().unwrap_or_else(|_| panic!("no number before `{word}` in\n{text}"))
}

fn ways(text: &str) -> Vec<(&str, u64)> {
    let way = |line| {
        let (way, cycles) = str::rsplit_once(line, ' ')?;
        Some((way, cycles.parse().ok()?))
    };
    text.lines().map(|line| way(line).unwrap_or_else(|| panic!("no cycles in `{line}`"))).collect()
}

#[test]
fn a_profile_has_every_cycle_of_the_run_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("stacks.txt");
    let name = file.to_str().expect("a plain path");
    for program in ["philosophers", "echo"] {
        let run = call(&["run", program, "--for", "120ms"]);
        let reported = run.out.lines().find(|line| line.trim_start().starts_with("cycles"));
        let cycles = number(reported.expect("a summary"), " (");
        let profile = call(&["profile", program, "--for", "120ms", "--collapsed", name]);
        assert_eq!(profile.code, 0, "{}", profile.err);
        assert_eq!(number(&profile.out, " cycles in"), cycles, "as fast runs count");
        let stacks = std::fs::read_to_string(&file).expect("stacks");
        assert_eq!(ways(&stacks).iter().map(|(_, cycles)| cycles).sum::<u64>(), cycles);
    }
}

#[test]
fn threads_handlers_and_callees_stand_where_they_belong() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("stacks.txt");
    let name = file.to_str().expect("a plain path");
    let called = call(&["profile", "philosophers", "--for", "120ms", "--collapsed", name]);
    assert_eq!(called.code, 0, "{}", called.err);
    for needed in ["usnea", "interrupt SERCOM0", "interrupt PendSV", "asleep", "start-up"] {
        assert!(called.out.contains(needed), "no {needed} in\n{}", called.out);
    }
    let stacks = std::fs::read_to_string(&file).expect("stacks");
    let below = |way: &str| ways(&stacks).iter().any(|(name, _)| name.starts_with(way));
    assert!(below("cladonia;cladonia_thread;dine;take_time;sleep_converted_ms"), "{stacks}");
    let roots = ways(&stacks).iter().filter(|(way, _)| !way.contains(';')).count();
    assert_eq!(roots, 1, "only sleep has cycles and no function:\n{stacks}");
}

/// On AVR threads are switched without an exception, and by calls as well as by interrupts.
#[test]
fn threads_that_call_each_other_are_distinguished_on_avr() {
    let called = call(&["profile", "philosophers", "--board", "micaz", "--for", "1s"]);
    assert_eq!(called.code, 0, "{}", called.err);
    let reported = rows(&called.out, "      cycles       %  thread or interrupt");
    let cycles = |name: &str| {
        let row = reported.iter().find(|row| row[2..].join(" ") == name);
        row.map_or(0, |row| row[0].parse::<u64>().expect("a number"))
    };
    let threads = ["usnea", "cladonia", "lobaria", "parmelia", "physcia"].map(cycles);
    assert!(threads.iter().all(|cycles| *cycles > 40_000), "{}", called.out);
    assert!(cycles("interrupt SPM_READY") < 40_000, "{}", called.out);
    // What a thread calls is not the handler's that it has been interrupted by before.
    assert!(cycles("interrupt TIMER0_COMP") < 40_000, "{}", called.out);
}

/// The words of the rows below a heading.
fn rows<'a>(text: &'a str, heading: &str) -> Vec<Vec<&'a str>> {
    let mut lines = text.lines().skip_while(|line| *line != heading);
    assert!(lines.next().is_some(), "no heading `{heading}` in\n{text}");
    let numbers = |line: &&str| line.trim_start().starts_with(|c: char| c.is_ascii_digit());
    lines.take_while(numbers).map(|line| line.split_whitespace().collect()).collect()
}

fn cycles(rows: &[Vec<&str>]) -> Vec<u64> {
    rows.iter().map(|row| row[0].parse().expect("cycles")).collect()
}

const THREADS: &str = "      cycles       %  thread or interrupt";
const FUNCTIONS: &str = "         own       %   with callees     calls  function";
const CALLS: &str = "with callees       %  calls";

#[test]
fn the_tables_add_up_to_the_whole() {
    let arguments = ["profile", "philosophers", "--for", "120ms", "--functions", "1000"];
    let called = call(&arguments);
    assert_eq!(called.code, 0, "{}", called.err);
    let whole = number(&called.out, " cycles in 0.120000 s");
    let threads = rows(&called.out, THREADS);
    let spent = cycles(&threads);
    assert_eq!(spent.iter().sum::<u64>(), whole, "{}", called.out);
    assert!(spent.is_sorted_by(|a, b| a >= b), "{spent:?}");
    for (row, cycles) in threads.iter().zip(&spent) {
        assert_eq!(row[1], format!("{:.2}", *cycles as f64 * 100.0 / whole as f64), "{row:?}");
    }
    let functions = rows(&called.out, FUNCTIONS);
    assert_eq!(cycles(&functions).iter().sum::<u64>(), whole, "{}", called.out);
    for row in &functions {
        let (own, total) = (row[0].parse::<u64>(), row[2].parse::<u64>());
        assert!(own.expect("own") <= total.expect("with callees"), "{row:?}");
    }
    assert!(!called.out.contains("more: --functions"), "all are there");
}

#[test]
fn functions_have_a_limit_and_calls_are_indented_below_their_callers() {
    let called = call(&["profile", "philosophers", "--for", "120ms", "--functions", "5"]);
    assert_eq!(rows(&called.out, FUNCTIONS).len(), 5);
    let left = called.out.lines().find(|line| line.contains("more: --functions")).expect("told");
    let all = number(left, " more: --functions") + 5;
    assert!(left.ends_with(&format!("--functions {all}")), "{left}");
    let tree = called.out.split(CALLS).nth(1).expect("the calls");
    let depth = |name: &str| {
        let line = tree.lines().find(|line| line.ends_with(&format!(" {name}")));
        let line = line.unwrap_or_else(|| panic!("no {name} in\n{tree}"));
        // Cycles, share and two blanks come first.
        let name = &line[22..];
        name.len() - name.trim_start().len()
    };
    let ways = ["start-up", "reset_handler", "kernel_main", "kernel_starts_all"];
    assert_eq!(ways.map(depth), [0, 2, 4, 6], "{tree}");
}

#[test]
fn what_cannot_be_profiled_is_reported() {
    let called = call(&["profile", "philosofers"]);
    assert_eq!(called.code, 2, "{}", called.err);
    assert!(called.err.contains("philosophers"), "{}", called.err);
    let called = call(&["profile", "blink", "--for", "10ms", "--collapsed", "/nowhere/at/all.txt"]);
    assert_eq!(called.code, 2, "{}", called.err);
    assert!(called.err.contains("/nowhere/at/all.txt"), "{}", called.err);
}

#[test]
fn a_mote_whose_power_returns_starts_up_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let input = folder.path().join("input.txt");
    std::fs::write(&input, "20ms !power off\n1s !power on\n").expect("written");
    let input = input.display().to_string();
    let profile = |more: &[&str]| {
        let called = call(&[&["profile", "thermometer"], more].concat());
        assert_eq!(called.code, 0, "{}", called.err);
        called.out
    };
    let start_up = |out: &str| {
        let line = out.lines().find(|line| line.ends_with("  start-up")).expect("start-up");
        number(line.trim_start(), " ")
    };
    let (once, twice) = (
        start_up(&profile(&["--for", "20ms"])),
        start_up(&profile(&["--for", "1.02s", "--input", &input])),
    );
    assert!(twice.abs_diff(2 * once) < once / 10, "{once} cycles, then {twice}");
}
