// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use std::io::BufReader;
use vcd::{Command, Parser};

fn signals() -> Signals {
    Signals {
        mote: 0,
        name: "mote0".into(),
        pins: vec!["led0".into()],
        free_pins: Vec::new(),
        ports: vec!["console".into()],
        threads: true,
    }
}

fn file(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("lichen-{}-{name}", std::process::id()))
}

fn event(nanoseconds: u64, kind: Kind) -> Event {
    Event { time: Time::from_ns(nanoseconds), cycle: 0, mote: 0, kind }
}

fn number(value: &vcd::Vector) -> String {
    let bits: Option<Vec<u32>> = value.iter().map(bit_of).collect();
    bits.map_or("x".into(), |bits| bits.iter().fold(0, |all, bit| 2 * all + bit).to_string())
}

fn bit_of(value: Value) -> Option<u32> {
    match value {
        Value::V0 => Some(0),
        Value::V1 => Some(1),
        Value::X | Value::Z => None,
    }
}

/// Removes the files of a run, of which `path` has the waveforms, and returns the table of names.
fn remove(path: &Path) -> String {
    let names = path.with_extension("names.txt");
    let table = std::fs::read_to_string(&names).expect("a table");
    for file in [path, &names, &path.with_extension("gtkw")] {
        std::fs::remove_file(file).expect("removed");
    }
    table
}

/// Changes that a reader of the file sees after its header: time, variable, value.
fn changes(path: &Path) -> Vec<(u64, String, String)> {
    let mut parser = Parser::new(BufReader::new(File::open(path).expect("a file")));
    let header = parser.parse_header().expect("a header");
    let scope = header.find_scope(&["mote0"]).expect("the mote").clone();
    let name = |id| {
        let of = |item: &vcd::ScopeItem| match item {
            vcd::ScopeItem::Var(var) if var.code == id => Some(var.reference.clone()),
            _ => None,
        };
        scope.items.iter().find_map(of).expect("declared")
    };
    let mut now = 0;
    let mut changes = Vec::new();
    for command in parser {
        match command.expect("a command") {
            Command::Timestamp(time) => now = time,
            Command::ChangeScalar(id, value) => changes.push((now, name(id), value.to_string())),
            Command::ChangeVector(id, value) => changes.push((now, name(id), number(&value))),
            Command::ChangeString(..) => panic!("the format has no strings"),
            _ => {}
        }
    }
    changes.push((now, "end".into(), String::new()));
    changes
}

#[test]
fn a_reader_finds_every_change_at_its_time() {
    let path = file("changes.vcd");
    let mut vcd = Vcd::create(&path, &[signals()]).expect("a file");
    let gpio =
        |level| Kind::Gpio { pin: "PA19".parse().expect("a pin"), name: "led0".into(), level };
    let uart = |data| Kind::Uart { port: "console".into(), dir: "out", data };
    for event in [
        event(5, gpio(Some(1))),
        event(5, uart(b' ')),
        event(7, Kind::Sleep { mode: "standby" }),
        event(8, Kind::Wake { cause: "RTC" }),
        event(8, Kind::Exception { name: Some("RTC") }),
        event(9, Kind::Thread { name: "red blinker".into() }),
        event(9, gpio(None)),
    ] {
        vcd.event(&event).expect("written");
    }
    vcd.finish(Time::from_ns(20)).expect("written");
    let seen = changes(&path);
    assert_eq!(remove(&path), "0000 -\n0001 standby\n0002 RTC\n0003 red blinker\n");
    let expected = [
        (5, "led0", "1"),
        (5, "console_out", "32"),
        (5, "console_out_strobe", "1"),
        (7, "sleep", "1"),
        (8, "sleep", "0"),
        (8, "interrupt", "2"),
        (9, "thread", "3"),
        (9, "led0", "z"),
        (20, "end", ""),
    ];
    let first = seen.iter().position(|(time, ..)| *time > 0).expect("changes");
    let seen: Vec<(u64, &str, &str)> =
        seen[first..].iter().map(|(t, name, value)| (*t, name.as_str(), value.as_str())).collect();
    assert_eq!(seen, expected);
}

#[test]
fn unknown_signals_are_left_out() {
    let path = file("unknown.vcd");
    let mut vcd = Vcd::create(&path, &[Signals { name: "mote0".into(), ..Signals::default() }])
        .expect("a file");
    let kind =
        Kind::Gpio { pin: "PA01".parse().expect("a pin"), name: "led9".into(), level: Some(1) };
    vcd.event(&event(1, kind)).expect("written");
    vcd.event(&event(1, Kind::Thread { name: "main".into() })).expect("written");
    vcd.finish(Time::ZERO).expect("written");
    let seen = changes(&path);
    remove(&path);
    assert_eq!(seen.last(), Some(&(1, "end".to_string(), String::new())));
    assert!(seen.iter().all(|(_, name, _)| name != "led9" && name != "thread"), "{seen:?}");
}

/// Readers that know the standard alone stop at anything else.
#[test]
fn the_file_has_only_what_the_standard_has() {
    let path = file("standard.vcd");
    let vcd = Vcd::create(&path, &[signals()]).expect("a file");
    vcd.finish(Time::from_ns(20)).expect("written");
    let text = std::fs::read_to_string(&path).expect("a file");
    remove(&path);
    let kinds = text.lines().filter_map(|line| line.strip_prefix("$var ")?.split(' ').next());
    let kinds: Vec<&str> = kinds.collect();
    assert_eq!(kinds.len(), 9, "{text}");
    assert!(kinds.iter().all(|kind| ["wire", "reg", "real", "event"].contains(kind)), "{text}");
    let (_, changes) = text.split_once("$enddefinitions $end\n").expect("a header");
    let is_known = |line: &str| {
        ["#", "$dumpvars", "$end", "b", "r", "0", "1", "x", "z"]
            .iter()
            .any(|known| line.starts_with(known))
    };
    assert!(changes.lines().all(is_known), "{changes}");
}

#[test]
fn a_full_disk_is_an_error() {
    let full = Path::new("/dev/full");
    if !full.exists() {
        return;
    }
    let vcd = Vcd::create(full, &[signals()]).expect("a device");
    let error = vcd.finish(Time::ZERO).expect_err("full");
    assert!(error.to_string().starts_with("cannot write /dev/full:"), "{error}");
}

#[test]
fn a_missing_folder_is_named() {
    let error = Vcd::create(Path::new("/nowhere/at/all.vcd"), &[]).err().expect("no folder");
    assert!(error.to_string().starts_with("cannot create /nowhere/at/all.vcd:"), "{error}");
}
