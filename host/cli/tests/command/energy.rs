// SPDX-License-Identifier: MIT OR Apache-2.0
//! `run --energy`: for whom the processor works, against the cycles that `profile` counts by itself.

use crate::common::{call, root};

const THREADS: [&str; 5] = ["cladonia", "lobaria", "parmelia", "physcia", "usnea"];
/// Instructions belong to one side of an interrupt's entry or the other.
const TOLERANCE: f64 = 0.01;

/// The words of the first line with `name` below a heading.
fn row<'a>(text: &'a str, heading: &str, name: &str) -> Vec<&'a str> {
    let lines = text.lines().skip_while(|line| !line.contains(heading));
    let words = lines.map(|line| line.split_whitespace().collect::<Vec<_>>());
    let mut named = words.filter(|words| words.join(" ").contains(name));
    named.next().unwrap_or_else(|| panic!("no {name} below {heading} in\n{text}"))
}

fn amount(words: &[&str]) -> f64 {
    let unit = match words[1] {
        "mC" => 1e-3,
        "uC" => 1e-6,
        "nC" => 1e-9,
        other => panic!("no unit: {other}"),
    };
    words[0].parse::<f64>().expect("a number") * unit
}

#[test]
fn threads_and_drivers_pay_for_their_cycles() {
    let hamilton = ["os/board/hamilton/console.c", "os/chip/samr21/"];
    let micaz = ["os/board/micaz/console.c", "os/chip/atmega128/tick.c"];
    for (board, drivers) in [("hamilton", hamilton), ("micaz", micaz)] {
        let arguments = ["philosophers", "--board", board, "--for", "1s"];
        let run = call(&[&["run"][..], &arguments, &["--energy"]].concat());
        assert_eq!(run.code, 0, "{}", run.err);
        let profile = call(&[&["profile"][..], &arguments].concat());
        assert_eq!(profile.code, 0, "{}", profile.err);
        let shares = THREADS.map(|thread| {
            let charge = row(&run.out, "for whom", &format!("thread {thread} "));
            let cycles = row(&profile.out, "thread or interrupt", thread);
            amount(&charge[3..]) / cycles[0].parse::<f64>().expect("a number")
        });
        let mean = shares.iter().sum::<f64>() / shares.len() as f64;
        let differs = |share: &f64| (share / mean - 1.0).abs() > TOLERANCE;
        assert!(!shares.iter().any(differs), "{board}: {shares:?}\n{}\n{}", run.out, profile.out);
        for driver in drivers {
            let words = row(&run.out, "for whom", driver);
            assert!(amount(&words[2..]) > 0.0, "{driver}: {}", run.out);
        }
        assert!(!run.out.contains("interrupt "), "handlers have files: {}", run.out);
    }
}

#[test]
fn what_a_handler_inlines_is_its_own() {
    let run = call(&["run", "thermometer", "--board", "micaz", "--for", "3s", "--energy"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("TIMER0_COMP (os/chip/atmega128/tick.c) "), "{}", run.out);
    assert!(!run.out.contains("registers.h"), "{}", run.out);
}

#[test]
fn a_mote_sleeps_while_its_flash_is_written() {
    let run = call(&["run", "logger", "--for", "20s", "--energy"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let seconds = |state: &str| {
        let words = row(&run.out, "component", &format!("CPU {state} "));
        words[2].parse::<f64>().expect("a number")
    };
    assert!(seconds("idle0") > 4.0 * seconds("active"), "{}", run.out);
}

#[test]
fn motes_with_different_supplies_are_added_up_each_with_its_own() {
    let file = root().join("scenario/orchard/orchard.toml");
    let run = call(&["run", &file.display().to_string(), "--for", "10s", "--energy"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("energy at 3.0 V to 3.3 V, of 2 motes together"), "{}", run.out);
    let single = |board: &str| {
        let line = run.out.lines().find(|line| line.contains(board));
        line.unwrap_or_else(|| panic!("no {board} in\n{}", run.out)).to_string()
    };
    assert!(single("CR123A").contains("tree"), "{}", run.out);
    assert!(single("2 AA").contains("gate"), "{}", run.out);
    assert!(run.out.contains("cc2420"), "its radio is off: {}", run.out);
    let charge = row(&run.out, "energy at", "charge");
    let joules = charge[charge.len() - 2].parse::<f64>().expect("a number") * 1e-3;
    let volts = joules / amount(&charge[1..]);
    assert!(volts > 3.0 && volts < 3.1, "nearly all is the MICAz's: {volts} V");
}
