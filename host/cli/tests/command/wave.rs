// SPDX-License-Identifier: MIT OR Apache-2.0
//! `run --wave` and `--perfetto`: what is drawn of a run, against its account.

use crate::common::{call, root};
use std::path::Path;

fn text(path: &Path) -> String {
    path.to_str().expect("a plain path").to_string()
}

/// The picture of a run, and what the run has printed.
fn drawn(arguments: &[&str]) -> (String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("run.svg");
    let called = call(&[&["run"][..], arguments, &["--wave", &text(&file)]].concat());
    assert_eq!(called.code, 0, "{}", called.err);
    (std::fs::read_to_string(&file).expect("a picture"), called.out)
}

#[test]
fn a_picture_has_the_charge_of_the_account() {
    for board in ["hamilton", "micaz"] {
        let (svg, out) = drawn(&["blink", "--board", board, "--for", "3s", "--energy"]);
        let line = out.lines().find(|line| line.starts_with("  charge")).expect("an account");
        let charge = line.split_whitespace().nth(1).expect("a number");
        let charge: f64 = charge.parse().expect("a number");
        let shown = svg.lines().find(|line| line.contains(" in 3.000 s · mean ")).expect("totals");
        let shown = shown.split('>').nth(1).and_then(|text| text.split(' ').next());
        let shown: f64 = shown.expect("a charge").parse().expect("a number");
        assert!((shown / charge - 1.0).abs() < 1e-3, "{board}: {shown} and {charge}");
    }
}

#[test]
fn a_picture_of_one_wake_up() {
    let window = ["--wave-from", "1005ms", "--wave-for", "6ms"];
    let (svg, _) = drawn(&[&["blink", "--for", "2s"][..], &window].concat());
    for needed in [
        "1 active period, ",
        ">CPU<",
        ">standby (CPU)<",
        ">active, 8 MHz (CPU)<",
        ">thread blink<",
        ">interrupt RTC<",
        ">OSC8M on<",
        ">led0 lit<",
        ">time in ms after 1.005 s<",
        ">current in mA<",
        ">All the time: OSCULP32K on, RTC counting, ",
    ] {
        assert!(svg.contains(needed), "no {needed} in {svg}");
    }
}

#[test]
fn a_day_is_drawn_as_ranges_in_a_small_file() {
    let (svg, _) = drawn(&["blink", "--for", "24h"]);
    assert!(svg.len() < 200_000, "{} bytes", svg.len());
    assert!(svg.contains("86400 active periods, "), "{svg}");
    assert!(svg.contains(">pale: for a part of the time<"), "{svg}");
    assert!(svg.contains(">time in h<") && svg.contains(">24</text>"), "{svg}");
}

#[test]
fn of_several_motes_one_can_be_chosen() {
    let (all, _) = drawn(&["blink", "--motes", "3", "--for", "1s"]);
    assert_eq!(all.matches("class=\"b\"").count(), 3);
    let (one, _) = drawn(&["blink", "--motes", "3", "--for", "1s", "--mote", "1"]);
    assert!(one.contains(">mote 1: blink on hamilton<"), "{one}");
    assert_eq!(one.matches("class=\"b\"").count(), 1);
    let many = ["run", "blink", "--motes", "9", "--for", "1s", "--wave", "build/many.svg"];
    let called = call(&many);
    assert_eq!(called.code, 2, "{}", called.err);
    assert!(called.err.contains("choose one with --mote"), "{}", called.err);
}

/// The LED and the button of this board are on at the low level.
#[test]
fn lanes_of_pins_show_when_they_are_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let input = folder.path().join("press.txt");
    std::fs::write(&input, "500ms !press sw0\n750ms !release sw0\n").expect("written");
    let board = ["--board", "samr21-xpro", "--for", "1s", "--input", &text(&input)];
    let (svg, _) = drawn(&[&["hello"][..], &board].concat());
    assert!(!svg.contains(">led0 on<") && !svg.contains("led0 high"), "it is never lit: {svg}");
    let (_, lane) = svg.split_once(">sw0 pressed<").expect("a lane");
    let path = lane.split("class=\"pin\"").nth(1).and_then(|path| path.split('"').nth(1));
    let path = path.expect("a path").trim_start_matches('M');
    let numbers: Vec<f64> = path
        .split(|c: char| !(c.is_ascii_digit() || c == '.'))
        .filter_map(|number| number.parse().ok())
        .collect();
    let width: f64 = svg
        .split(" width=\"")
        .nth(1)
        .and_then(|w| w.split('"').next()?.parse().ok())
        .expect("a width");
    let (left, plot) = (width - 24.0 - 730.0, 730.0);
    assert!((numbers[0] - (left + plot / 2.0)).abs() < 1.0, "pressed in the middle: {path}");
    assert!((numbers[2] - plot / 4.0).abs() < 1.0, "for a quarter: {path}");
}

#[test]
fn a_part_of_a_picture_needs_a_picture_and_a_time() {
    let refused = |more: &[&str], why: &str| {
        let called = call(&[&["run", "blink", "--for", "1s"][..], more].concat());
        assert_eq!(called.code, 2, "{}", called.err);
        assert!(called.err.contains(why), "{}", called.err);
    };
    refused(&["--wave-from", "5s"], "no picture");
    let folder = tempfile::tempdir().expect("a folder");
    let file = text(&folder.path().join("run.svg"));
    refused(&["--wave", &file, "--wave-for", "0"], "longer than 0");
    let late = "the run ends at 1.000000 s, and the picture begins at 5.000000 s";
    refused(&["--wave", &file, "--wave-from", "5s", "--json", &file.replace("svg", "json")], late);
    let left = std::fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(left, 0, "nothing is left of a picture that is refused");
}

/// Fields of the wire format are not read here: `lichen-trace` does that. What matters is that all motes
/// are there, and that nothing changes in the run.
#[test]
fn traces_for_perfetto_have_all_motes_and_change_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let run = ["run", "philosophers", "--motes", "2", "--for", "200ms", "--json"];
    let plain = call(&[&run[..], &[&text(&path("plain"))]].concat());
    assert_eq!(plain.code, 0, "{}", plain.err);
    let more =
        [&text(&path("traced")), "--perfetto", &text(&path("trace")), "--wave", &text(&path("w"))];
    let traced = call(&[&run[..], &more].concat());
    assert_eq!(traced.code, 0, "{}", traced.err);
    let read = |name| std::fs::read(path(name)).expect("a file");
    assert!(read("plain") == read("traced"), "the events differ");
    let trace = String::from_utf8_lossy(&read("trace")).into_owned();
    for needed in ["mote 0: philosophers on hamilton", "mote 1: philosophers", "SERCOM0", "usnea"] {
        assert!(trace.contains(needed), "no {needed}");
    }
}

#[test]
fn a_scenario_names_its_pictures_and_account() {
    let folder = tempfile::tempdir().expect("a folder");
    let blink = root().join("app/blink");
    let scenario = format!(
        "for = \"2s\"\n[[mote]]\nname = \"lamp\"\nboard = \"hamilton\"\nprogram = \"{}\"\n[output]\n\
         wave = \"lamp.svg\"\nwave-from = \"1s\"\nwave-for = \"20ms\"\nperfetto = \"lamp.pftrace\"\n\
         energy-json = \"lamp.json\"\nenergy-csv = \"lamp.csv\"\n",
        blink.display()
    );
    let file = folder.path().join("net.toml");
    std::fs::write(&file, scenario).expect("written");
    let called = call(&["run", &text(&file)]);
    assert_eq!(called.code, 0, "{}", called.err);
    let svg = std::fs::read_to_string(folder.path().join("lamp.svg")).expect("a picture");
    assert!(svg.contains(" in 20.00 ms · mean "), "{svg}");
    assert!(folder.path().join("lamp.pftrace").metadata().expect("a trace").len() > 1_000);
    let account = std::fs::read_to_string(folder.path().join("lamp.json")).expect("an account");
    assert!(account.contains("\"kind\":\"energy\""), "{account}");
    assert!(folder.path().join("lamp.csv").metadata().expect("an account").len() > 100);
}
