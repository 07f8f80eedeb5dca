// SPDX-License-Identifier: MIT OR Apache-2.0
//! Going back under a debugger: exact, reported once, and without side effects.

use crate::common::gdb::{Waiting, answer, ask};
use crate::common::{call, events, root};
use lichen_image::Image;
use std::net::TcpStream;
use std::path::Path;

/// Digits of r0 to pc in the answer to `g`.
const REGISTERS: usize = 16 * WORD;
/// Digits of a word.
const WORD: usize = 8;

/// A run of `arguments`, and a debugger at it.
fn debug(arguments: &[&str]) -> (Waiting, TcpStream) {
    let waiting = Waiting::start(arguments);
    let mut gdb = waiting.connect();
    // With these features, stop replies name breakpoints and threads.
    ask(&mut gdb, "qSupported:multiprocess+;swbreak+;hwbreak+;vContSupported+");
    assert!(ask(&mut gdb, "?").starts_with('T'));
    (waiting, gdb)
}

/// Address of a function or an object of `program`, as digits.
fn address(program: &str, symbol: &str) -> String {
    let file = root().join(format!("build/hamilton/{program}/{program}.elf"));
    let image = Image::load(&file).expect("it was just built");
    let symbol = image.symbols().find(symbol).expect("it is in the program");
    format!("{:x}", symbol.address & !1)
}

fn registers(gdb: &mut TcpStream) -> String {
    ask(gdb, "g")[..REGISTERS].to_string()
}

fn memory(gdb: &mut TcpStream) -> String {
    (0..32).map(|part| ask(gdb, &format!("m{:x},400", 0x2000_0000 + part * 0x400))).collect()
}

/// Stack pointer, link register and program counter. (If a step ends in a blocking kernel call, the
/// call's result is not in r0 yet, and other registers are not kept.)
fn place_of(registers: &str) -> &str {
    &registers[13 * WORD..]
}

/// Steps the thread that has stopped.
fn step(gdb: &mut TcpStream, stop: &str) -> String {
    let thread = stop.split("thread:").nth(1).and_then(|rest| rest.split(';').next());
    ask(gdb, &format!("vCont;s:{};c", thread.expect("a thread has stopped")))
}

#[test]
fn steps_back_are_the_steps_undone() {
    let (_waiting, mut gdb) = debug(&["philosophers", "--for", "5s"]);
    let place = address("philosophers", "print_row");
    assert_eq!(ask(&mut gdb, &format!("Z1,{place},2")), "OK");
    let mut stop = ask(&mut gdb, "vCont;c");
    for _ in 0..5 {
        step(&mut gdb, &stop);
        stop = ask(&mut gdb, "vCont;c");
    }
    assert!(stop.contains("swbreak"), "{stop}");
    assert_eq!(ask(&mut gdb, &format!("z1,{place},2")), "OK");
    // The console prints meanwhile: interrupts come in between.
    let mut way = vec![registers(&mut gdb)];
    for _ in 0..400 {
        stop = step(&mut gdb, &stop);
        way.push(registers(&mut gdb));
    }
    let there = memory(&mut gdb);
    assert!(way.windows(2).all(|pair| place_of(&pair[0]) != place_of(&pair[1])), "steps go on");
    for (number, before) in way.iter().enumerate().rev().skip(1) {
        assert_eq!(ask(&mut gdb, "Hc0"), "OK");
        stop = ask(&mut gdb, "bs");
        assert_eq!(place_of(&registers(&mut gdb)), place_of(before), "step {number}, {stop}");
    }
    for _ in 0..400 {
        stop = step(&mut gdb, &stop);
    }
    assert_eq!(Some(&registers(&mut gdb)), way.last());
    assert_eq!(memory(&mut gdb), there, "the same steps lead to the same place");
}

#[test]
fn what_halts_forwards_halts_backwards() {
    let (_waiting, mut gdb) = debug(&["philosophers", "--for", "5s"]);
    let beginning = (registers(&mut gdb), memory(&mut gdb));
    let place = address("philosophers", "print_row");
    assert_eq!(ask(&mut gdb, &format!("Z1,{place},2")), "OK");
    let watched = address("philosophers", "seats");
    let mut way = Vec::new();
    for _ in 0..4 {
        let mut stop = ask(&mut gdb, "vCont;c");
        assert!(stop.contains("swbreak"), "{stop}");
        way.push(memory(&mut gdb));
        stop = step(&mut gdb, &stop);
        assert!(stop.starts_with('T'), "{stop}");
    }
    while let Some(before) = way.pop() {
        assert!(ask(&mut gdb, "bc").contains("swbreak"));
        assert_eq!(memory(&mut gdb), before, "{} are left", way.len());
    }
    let stop = ask(&mut gdb, "bc");
    assert!(stop.contains("replaylog:begin"), "{stop}");
    assert_eq!((registers(&mut gdb), memory(&mut gdb)), beginning);
    let stop = ask(&mut gdb, "bs");
    assert!(stop.contains("replaylog:begin"), "there is nothing before: {stop}");

    assert_eq!(ask(&mut gdb, &format!("z1,{place},2")), "OK");
    assert_eq!(ask(&mut gdb, &format!("Z2,{watched},1")), "OK");
    let seat = |gdb: &mut TcpStream| ask(gdb, &format!("m{watched},4"))[..WORD].to_string();
    let mut values = vec![seat(&mut gdb)];
    for _ in 0..4 {
        let stop = ask(&mut gdb, "vCont;c");
        assert!(stop.contains(&format!("watch:{watched:0>8}")), "{stop}");
        values.push(seat(&mut gdb));
    }
    // Going back, it stops before the store after which it stopped.
    for before in values.iter().rev().skip(1) {
        let stop = ask(&mut gdb, "bc");
        assert!(stop.contains(&format!("watch:{watched:0>8}")), "{stop}");
        assert_eq!(seat(&mut gdb), *before);
    }
    for value in &values[1..] {
        assert!(ask(&mut gdb, "vCont;c").contains("watch:"));
        assert_eq!(seat(&mut gdb), *value, "watchpoints outlast going back");
    }
}

#[test]
fn what_happens_again_is_reported_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let [straight, debugged] = ["straight", "debugged"].map(|name| folder.path().join(name));
    let name = |file: &Path| file.display().to_string();
    let run = call(&["run", "hello", "--for", "3s", "--json", &name(&straight)]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    let (waiting, mut gdb) = debug(&["hello", "--for", "3s", "--json", &name(&debugged)]);
    let place = address("hello", "sleep_until_us");
    assert_eq!(ask(&mut gdb, &format!("Z1,{place},2")), "OK");
    for _ in 0..2 {
        let stop = ask(&mut gdb, "vCont;c");
        assert!(stop.contains("swbreak"), "{stop}");
        step(&mut gdb, &stop);
    }
    assert!(ask(&mut gdb, "bc").contains("swbreak"));
    assert!(ask(&mut gdb, "bc").contains("swbreak"));
    assert!(ask(&mut gdb, "bc").contains("replaylog:begin"));
    assert_eq!(ask(&mut gdb, &format!("z1,{place},2")), "OK");
    assert!(ask(&mut gdb, "vCont;c").starts_with('W'));
    let (code, printed) = waiting.end();
    assert_eq!(code, Some(0), "{printed}");
    assert_eq!(printed.matches("Up for 1 s").count(), 1, "{printed}");
    assert_eq!(events(&debugged), events(&straight));
}

#[test]
fn what_was_typed_is_typed_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("events.jsonl");
    let file_name = file.display().to_string();
    let (waiting, mut gdb) = debug(&["echo", "--for", "1s", "--json", &file_name]);
    let place = address("echo", "console_read");
    assert_eq!(ask(&mut gdb, &format!("Z1,{place},2")), "OK");
    assert!(ask(&mut gdb, "vCont;c").contains("swbreak"));
    let there = (registers(&mut gdb), memory(&mut gdb));
    let hello: String = b"type hello".iter().map(|byte| format!("{byte:02x}")).collect();
    ask_monitor(&mut gdb, &hello);
    assert!(ask(&mut gdb, "bc").contains("replaylog:begin"));
    // The past cannot be changed, in either way.
    assert!(ask(&mut gdb, "M20000000,1:00").starts_with('E'));
    let all = ask(&mut gdb, "g").replace('x', "0");
    assert!(ask(&mut gdb, &format!("G{}", all.replacen('0', "1", 1))).starts_with('E'));
    assert!(ask_monitor(&mut gdb, &hello).contains("past"));
    assert!(ask(&mut gdb, "vCont;c").contains("swbreak"));
    assert_eq!((registers(&mut gdb), memory(&mut gdb)), there);
    assert_eq!(ask(&mut gdb, &format!("z1,{place},2")), "OK");
    assert!(ask(&mut gdb, "vCont;c").starts_with('W'));
    let (code, printed) = waiting.end();
    assert_eq!(code, Some(0), "{printed}");
    let typed = events(&file).lines().filter(|line| line.contains("\"dir\":\"in\"")).count();
    assert_eq!(typed, "hello\n".len(), "{printed}");
    assert!(printed.contains("hello"), "{printed}");
}

/// Gives a monitor command, as digits; what it printed.
fn ask_monitor(gdb: &mut TcpStream, command: &str) -> String {
    let mut said = ask(gdb, &format!("qRcmd,{command}"));
    let mut text = String::new();
    while let Some(digits) = said.strip_prefix('O').filter(|digits| *digits != "K") {
        let bytes = digits
            .as_bytes()
            .chunks(2)
            .filter_map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok());
        text.extend(bytes.map(char::from));
        said = answer(gdb);
    }
    text
}

#[test]
fn who_leaves_in_the_past_leaves_the_mote_in_the_present() {
    let folder = tempfile::tempdir().expect("a folder");
    let [straight, debugged] = ["straight", "debugged"].map(|name| folder.path().join(name));
    let name = |file: &Path| file.display().to_string();
    assert_eq!(call(&["run", "hello", "--for", "3s", "--json", &name(&straight)]).code, 0);
    let (mut waiting, mut gdb) = debug(&["hello", "--for", "3s", "--json", &name(&debugged)]);
    let place = address("hello", "sleep_until_us");
    assert_eq!(ask(&mut gdb, &format!("Z1,{place},2")), "OK");
    let stop = ask(&mut gdb, "vCont;c");
    step(&mut gdb, &stop);
    assert!(ask(&mut gdb, "vCont;c").contains("swbreak"));
    assert!(ask(&mut gdb, "bc").contains("swbreak"));
    assert_eq!(ask(&mut gdb, "D;1"), "OK");
    waiting.prints("runs on alone");
    let (code, printed) = waiting.end();
    assert_eq!(code, Some(0), "{printed}");
    assert_eq!(events(&debugged), events(&straight), "nothing is reported twice or left out");
}

#[test]
fn a_watchpoint_hides_no_breakpoint() {
    let (_waiting, mut gdb) = debug(&["hello", "--for", "3s"]);
    // Nothing writes the vector table; the mote is single-stepped all the same.
    assert_eq!(ask(&mut gdb, "Z2,0,4"), "OK");
    for symbol in ["sleep_until_us", "SERCOM0_handler"] {
        let place = address("hello", symbol);
        assert_eq!(ask(&mut gdb, &format!("Z1,{place},2")), "OK");
        let stop = ask(&mut gdb, "vCont;c");
        assert!(stop.contains("swbreak"), "{symbol}: {stop}");
        let pc = u32::from_str_radix(&registers(&mut gdb)[15 * WORD..], 16).expect("digits");
        let pc = pc.swap_bytes();
        assert_eq!(format!("{pc:x}"), place, "before its first instruction");
        assert_eq!(ask(&mut gdb, &format!("z1,{place},2")), "OK");
    }
}
