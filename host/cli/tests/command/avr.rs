// SPDX-License-Identifier: MIT OR Apache-2.0
//! A program for AVR that nobody made for Lichen (`host/world/tests/data/ticks.c`): every verb that simulates
//! works on it as it does on images for ARM.

use crate::common::gdb::{Waiting, answer, ask};
use crate::common::{Called, call, finish, lichen};
use std::path::Path;
use std::process::Command;

const IMAGE: &str = "host/world/tests/data/ticks.elf";

/// Calls a verb with the image on its board.
fn on_micaz(verb: &str, more: &[&str]) -> Called {
    let mut arguments = vec![verb, IMAGE, "--board", "micaz"];
    arguments.extend(more);
    call(&arguments)
}

#[track_caller]
fn done(called: &Called, parts: &[&str]) {
    assert_eq!(called.code, 0, "out: {}\nerr: {}", called.out, called.err);
    for part in parts {
        assert!(called.out.contains(part), "`{part}` is missing in: {}", called.out);
    }
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}

#[test]
fn it_prints_blinks_sleeps_and_hears() {
    let folder = tempfile::tempdir().expect("a folder");
    let typed = folder.path().join("typed.txt");
    std::fs::write(&typed, "1500ms echo\n").expect("written");
    let ran = on_micaz("run", &["--for", "2500ms", "--input", text(&typed)]);
    let shown = ["ready", "tick", "echo", "* red on", "* red off"];
    done(&ran, &shown);
    done(&ran, &["TIMER0_OVF 2", "idle 9", "red              3 changes"]);
    assert!(!ran.out.contains("warning"), "{}", ran.out);
}

#[test]
fn events_and_waveforms_have_the_boards_names() {
    let folder = tempfile::tempdir().expect("a folder");
    let [events, waves] = ["run.json", "run.vcd"].map(|name| folder.path().join(name));
    let files = ["--json", text(&events), "--vcd", text(&waves)];
    done(&on_micaz("run", &[&["--for", "1500ms"], &files[..]].concat()), &["tick"]);
    let events = std::fs::read_to_string(&events).expect("a file");
    for part in ["\"name\":\"red\"", "\"mode\":\"idle\"", "\"cause\":\"TIMER0_OVF\""] {
        assert!(events.contains(part), "no {part}: {events}");
    }
    let read = |file: &Path| std::fs::read_to_string(file).expect("a file");
    let (names, waves) = (read(&waves.with_extension("names.txt")), read(&waves));
    for part in [" red $end", " radio_regulator $end"] {
        assert!(waves.contains(part), "no `{part}`:\n{waves}");
    }
    for name in [" TIMER0_OVF\n", " idle\n"] {
        assert!(names.contains(name), "no `{name}`:\n{names}");
    }
}

#[test]
fn cycles_and_instructions_are_those_of_avr() {
    let profile = on_micaz("profile", &["--for", "1500ms"]);
    done(&profile, &["interrupt TIMER0_OVF", "asleep", "main", "print"]);
    let marks = ["--from", "__vector_16", "--to", "main", "--for", "1500ms", "--limit", "5"];
    let trace = on_micaz("trace", &marks);
    assert_eq!(trace.code, 1, "the handler does not lead to main: {}", trace.out);
    let steps: Vec<Vec<&str>> =
        trace.out.lines().map(|line| line.split_whitespace().collect()).collect();
    // PUSH and IN (AVR Instruction Set Manual): 2 cycles and 1.
    assert_eq!(steps[0][1..5], ["2", "TIMER0_OVF", "00000100", "__vector_16"], "{}", trace.out);
    assert_eq!(steps[0][5..], ["push", "r1"]);
    assert_eq!((steps[2][1], steps[2][5]), ("1", "in"), "{}", trace.out);
}

#[test]
fn a_run_may_be_cut_in_two() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("state");
    done(&on_micaz("run", &["--for", "1500ms", "--save", text(&file)]), &["tick"]);
    let whole = on_micaz("run", &["--for", "2500ms"]);
    let rest = on_micaz("run", &["--load", text(&file), "--for", "1s"]);
    done(&rest, &["2.061619 tick"]);
    done(&whole, &["2.061619 tick"]);
}

#[test]
fn each_board_takes_the_images_of_its_chip() {
    let other = call(&["run", IMAGE, "--board", "hamilton", "--for", "1s"]);
    assert_eq!(other.code, 2, "{}", other.out);
    assert!(
        other.err.contains("made for AVR, but the ATSAMR21E18A executes ARMv6-M"),
        "{}",
        other.err
    );
    let arm = call(&["run", "host/world/tests/data/probe.elf", "--board", "micaz", "--for", "1s"]);
    assert_eq!(arm.code, 2, "{}", arm.out);
    assert!(arm.err.contains("made for ARM, but the ATmega128 executes AVR"), "{}", arm.err);
}

#[test]
fn a_chip_that_has_not_started_says_so() {
    let short = call(&["run", IMAGE, "--board", "micaz", "--for", "10ms"]);
    assert_eq!(short.code, 1, "{}", short.err);
    assert!(short.err.contains("no instruction was executed in 0.010000 s"), "{}", short.err);
}

/// GDB knows the registers of AVR by itself: 32 bytes, SREG, two bytes of SP, four of PC.
#[test]
fn a_debugger_gets_avrs_registers_and_both_address_spaces() {
    let waiting = Waiting::start(&[IMAGE, "--board", "micaz", "--for", "2s"]);
    let mut stream = waiting.connect();
    assert_eq!(ask(&mut stream, "g").len(), 2 * (32 + 1 + 2 + 4));
    assert_eq!(ask(&mut stream, "m0,4").len(), 8, "flash");
    assert_eq!(ask(&mut stream, "m800100,2").len(), 4, "RAM");
    assert!(ask(&mut stream, "m801100,1").starts_with('E'), "behind RAM");
    assert!(ask(&mut stream, "M800100,1:5a").starts_with("OK"));
    assert_eq!(ask(&mut stream, "m800100,1"), "5a");
    let map = ask(&mut stream, "qXfer:memory-map:read::0,1000");
    assert!(map.contains("start=\"0x800100\" length=\"0x1000\""), "{map}");
    assert!(ask(&mut stream, "Z0,100,2").starts_with("OK"), "__vector_16");
    let stop = ask(&mut stream, "vCont;c");
    let stop = if stop.is_empty() { answer(&mut stream) } else { stop };
    assert!(stop.starts_with('T') && stop.contains("swbreak"), "{stop}");
    let registers = ask(&mut stream, "g");
    assert_eq!(&registers[70..78], "00010000", "PC");
}

#[test]
fn avr_gdb_finds_its_way() {
    let commands = [
        "break __vector_16",
        "continue",
        "backtrace",
        "print ticks",
        "finish",
        "print ticks",
        "delete",
        "watch ticks",
        "continue",
        "reverse-continue",
        "info threads",
        "monitor state",
        "kill",
    ];
    let mut debug = lichen();
    debug.args(["debug", IMAGE, "--board", "micaz", "--", "-batch", "-nx"]);
    for command in commands {
        debug.args(["-ex", command]);
    }
    let there = Command::new("avr-gdb").arg("--version").output().is_ok();
    assert!(there, "avr-gdb is missing: apt-get install gdb-avr");
    let called = finish(&mut debug);
    let mut rest = called.out.as_str();
    for wanted in [
        "Breakpoint 1, __vector_16 () at",
        "#0  __vector_16 () at",
        "#1  0x",
        "in main () at",
        "$1 = 0",
        "$2 = 1",
        "Hardware watchpoint 2: ticks",
        "Old value = 1",
        "New value = 2",
        "Old value = 2",
        "New value = 1",
        "(core, in TIMER0_OVF)",
    ] {
        let found = rest.find(wanted);
        let at = found.unwrap_or_else(|| panic!("no `{wanted}` in {rest}\n{}", called.err));
        rest = &rest[at + wanted.len()..];
    }
    assert!(called.err.contains("ATmega128: 7372800 Hz"), "{}", called.err);
    assert!(!called.err.contains("not supported"), "{}", called.err);
}
