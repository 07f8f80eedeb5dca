// SPDX-License-Identifier: MIT OR Apache-2.0
//! The parts of a MICA2 and of a sensor board, as an image that nobody made for Lichen sees them
//! (`host/world/tests/data/mica/parts.c`).

use crate::common::{call, root};
use std::path::Path;
use std::process::Command;

const IMAGE: &str = "host/world/tests/data/mica/parts.elf";

/// Runs a mote with a sensor board, for so long, with these lines of input, and returns what is printed.
fn run(length: &str, input: &str) -> String {
    run_with(length, input, &[])
}

/// The same with more arguments.
fn run_with(length: &str, input: &str, more: &[&str]) -> String {
    run_image(&root().join(IMAGE), length, input, more)
}

/// The same with another file of the image.
fn run_image(image: &Path, length: &str, input: &str, more: &[&str]) -> String {
    run_around(image, length, input, "", more)
}

/// The same with a line that says what is around the mote.
fn run_around(image: &Path, length: &str, input: &str, around: &str, more: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("net.toml");
    let scenario = format!(
        r#"for = "{length}"
noise = false
[[mote]]
name = "mica"
board = "mica2"
program = "{}"
environment.temperature = 25
environment.light = 20
environment.acceleration_x = 0.5
{around}
input = [{input}]
[[mote.device]]
part = "MTS310"
bus = "connector"
"#,
        image.display()
    );
    std::fs::write(&file, scenario).expect("written");
    let called = call(&[&["run", file.to_str().expect("a plain path")], more].concat());
    assert_eq!(called.code, 0, "out: {}\nerr: {}", called.out, called.err);
    called.out
}

/// The word after `name`, each time that a mote prints it: after the time, and the mote's name if there are several.
fn after<'a>(out: &'a str, name: &str) -> Vec<&'a str> {
    let word = |line: &'a str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let at = words.iter().take(3).skip(1).position(|word| *word == name)?;
        words.get(at + 2).copied()
    };
    out.lines().filter_map(word).collect()
}

/// A file without a header says the same, but for the names of places.
#[test]
fn images_can_be_hex_and_s_records() {
    let folder = tempfile::tempdir().expect("a folder");
    let of_elf = run("300ms", "");
    let reported = |out: &str| {
        let lines = out.lines().take_while(|line| !line.contains("simulated in"));
        lines.filter(|line| line.starts_with(' ')).map(str::to_string).collect::<Vec<_>>()
    };
    for (format, name) in [("ihex", "parts.hex"), ("srec", "parts.srec")] {
        let file = folder.path().join(name);
        let mut objcopy = Command::new("avr-objcopy");
        objcopy.args(["-O", format]).arg(root().join(IMAGE)).arg(&file);
        assert!(objcopy.status().expect("avr-objcopy is there").success());
        assert_eq!(reported(&run_image(&file, "300ms", "", &[])), reported(&of_elf), "{format}");
    }
}

#[test]
fn readings_do_not_depend_on_the_supply() {
    for volts in ["2.7", "3.3"] {
        let supply = format!("environment.supply = {volts}");
        let out = run_around(&root().join(IMAGE), "300ms", "", &supply, &[]);
        assert_eq!(after(&out, "temperature"), ["512"], "{volts}");
        assert_eq!(after(&out, "light"), ["742"], "{volts}");
        assert_eq!((after(&out, "x"), after(&out, "y")), (vec!["540"], vec!["512"]), "{volts}");
    }
}

#[test]
fn each_part_answers() {
    let out = run("300ms", "");
    assert_eq!(after(&out, "temperature"), ["512"], "half the supply at 25 degrees");
    assert_eq!(after(&out, "light"), ["742"]);
    assert_eq!((after(&out, "x"), after(&out, "y")), (vec!["540"], vec!["512"]));
    assert_eq!(after(&out, "flash"), ["156"], "ready, 4 Mbit");
    assert_eq!((after(&out, "ones"), after(&out, "zeros")), (vec!["2112"], vec!["0"]));
    let [id] = after(&out, "id")[..] else { panic!("{out}") };
    assert!(id.starts_with("01") && id.len() == 16, "{id}");
    assert!(out.contains("erased pages 1, erasures "), "{out}");
    assert!(!out.contains("warning"), "{out}");
}

#[test]
fn a_page_is_torn_when_the_supply_fails() {
    let out = run("900ms", r#""500ms !power off", "600ms !power on""#);
    let ones: Vec<u32> =
        after(&out, "ones").iter().map(|ones| ones.parse().expect("a number")).collect();
    assert_eq!((ones.len(), ones[0]), (2, 2_112));
    assert!((1..2_112).contains(&ones[1]), "some bits of the page: {ones:?}");
    assert_eq!(after(&out, "zeros"), ["0", "0"], "it is written again");
}

#[test]
fn a_part_that_is_absent_is_missed() {
    let out = run("300ms", r#""0s !part ds2401 absent", "0s !part at45db041b absent""#);
    assert_eq!((after(&out, "id").len(), after(&out, "temperature").len()), (0, 1));
    assert_ne!(after(&out, "flash"), ["156"]);
}

#[test]
fn a_sounder_is_in_the_waveforms() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("run.vcd");
    run_with("100ms", "", &["--vcd", file.to_str().expect("a plain path")]);
    let waves = std::fs::read_to_string(&file).expect("a file");
    let is_wire = |line: &str| line.starts_with("$var wire ") && line.contains(" sounder ");
    assert!(waves.lines().any(is_wire), "{waves}");
}

#[test]
fn motes_have_serial_numbers_of_their_own() {
    let arguments = ["run", IMAGE, "--board", "micaz", "--motes", "2", "--for", "70ms"];
    let called = call(&arguments);
    let mut ids = after(&called.out, "id");
    ids.dedup();
    assert_eq!(ids.len(), 2, "{}", called.out);
}

/// The first warning of a program of these words, as Intel HEX.
fn first_warning(words: &[u16]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("tiny.hex");
    let mut record = vec![words.len() as u8 * 2, 0, 0, 0];
    record.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    let sum = record.iter().fold(0_u8, |sum, byte| sum.wrapping_sub(*byte));
    record.push(sum);
    let digits: String = record.iter().map(|byte| format!("{byte:02X}")).collect();
    std::fs::write(&file, format!(":{digits}\n:00000001FF\n")).expect("written");
    let file = file.to_str().expect("a plain path");
    let called = call(&["run", file, "--board", "micaz", "--for", "100ms"]);
    let warning = called.out.lines().find_map(|line| Some(line.split_once("warning: ")?.1));
    warning.unwrap_or_default().to_string()
}

#[test]
fn warnings_say_what_happens() {
    // OUT UDR0, r16 without a transmitter; RJMP .
    assert_eq!(
        first_warning(&[0xB90C, 0xCFFF]),
        "write of 0x0 (byte) at 0x0080002c (USART0): not sent: the transmitter is off, or its buffer \
         is full, 0x00000000"
    );
    // LDI r16, AS0; OUT ASSR; OUT OCR0; LDI r16, OCIE0; OUT TIMSK; LDI r16, SE and power-save; OUT MCUCR; SLEEP; RJMP .
    assert_eq!(
        first_warning(&[0xE008, 0xBF00, 0xBF01, 0xE002, 0xBF07, 0xE308, 0xBF05, 0x9588, 0xCFFF]),
        "execution at 0x0000000e (TIMER0): the chip falls asleep too soon after this timer was written, \
         or woke it: it may not wake it again, 0x0000000e"
    );
}
