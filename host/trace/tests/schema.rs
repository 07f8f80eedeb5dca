// SPDX-License-Identifier: MIT OR Apache-2.0
//! The output conforms to the published schema, and the schema forbids anything else.

mod validator;

use lichen_chip::Time;
use lichen_trace::air::{Arrival, Fate, Record, Tally, Transmission};
use lichen_trace::run::{
    Drawn, Ended, FORMAT, Failed, Header, MoteTotals, Named, Outcome, Program, StackTotals,
    TaskTotals, ThreadTotals, Totals, Warned,
};
use lichen_trace::{Event, Frame, JsonLines, Kind, Lost, Place, Registers, Sink};
use serde_json::Value;
use validator::Schema;

fn schema() -> Schema {
    let text = include_str!("../../../doc/spec/events.schema.json");
    Schema::new(serde_json::from_str(text).expect("the schema is JSON"))
}

fn frame() -> Frame {
    let start = Time::from_ns(1_234_567);
    Frame { start, khz: 2_405_000, bps: 250_000, dbm: -61.25, bytes: vec![0x02, 0xa0, 0xff] }
}

fn place() -> Place {
    Place {
        pc: Some(0x124),
        symbol: Some("main+0x4".into()),
        file: Some("app/main.c".into()),
        line: Some(12),
    }
}

fn one_of_each() -> Vec<Kind> {
    let registers = Registers(vec![
        ("r0", 0),
        ("r1", 1),
        ("r2", 2),
        ("r3", 3),
        ("r12", 12),
        ("lr", 0xFFFF_FFFF),
        ("pc", 0x124),
        ("xpsr", 0x0100_0000),
    ]);
    let fault = |locked_up, registers| Kind::Fault {
        name: "HardFault",
        reason: "nothing answers at this address".into(),
        locked_up,
        place: place(),
        registers,
    };
    vec![
        Kind::Uart { port: "console".into(), dir: "out", data: 0xFF },
        Kind::Uart { port: "rtt".into(), dir: "in", data: 0 },
        Kind::Uart { port: "PB22".into(), dir: "out", data: b'x' },
        Kind::Gpio { pin: "PA19".parse().expect("a pin"), name: "led0".into(), level: Some(1) },
        Kind::Gpio { pin: "PA19".parse().expect("a pin"), name: "led0".into(), level: None },
        Kind::Sleep { mode: "standby" },
        Kind::Wake { cause: "RTC" },
        Kind::Reset { cause: "watchdog" },
        Kind::Power { on: false },
        Kind::Condition { device: "hdc1080".into(), condition: "absent".into() },
        Kind::Sent { frame: frame() },
        Kind::Heard { sender: 3, lqi: 255, fate: "received", whole: true, frame: frame() },
        Kind::Heard { sender: 0, lqi: 0, fate: "corrupted", whole: false, frame: frame() },
        Kind::Panic {
            thread: "main".into(),
            reason: "stack overflow".into(),
            place: place(),
            caller: None,
        },
        Kind::Panic {
            thread: "main".into(),
            reason: "assertion failed".into(),
            place: place(),
            caller: Some(place()),
        },
        fault(false, Some(registers)),
        fault(true, None),
        Kind::Warning { what: "reserved bits".into(), place: place() },
        Kind::Warning { what: "baud rate".into(), place: Place::default() },
    ]
}

#[test]
fn every_kind_of_event_obeys_the_schema() {
    let path = std::env::temp_dir().join(format!("lichen-schema-{}.json", std::process::id()));
    let mut lines = JsonLines::create(&path).expect("a file");
    for (index, kind) in one_of_each().into_iter().enumerate() {
        let time = Time::from_ps(index as u64 * 1_234_567);
        lines.event(&Event { time, cycle: index as u64, mote: 0, kind }).expect("written");
    }
    lines.finish().expect("written");
    let text = std::fs::read_to_string(&path).expect("a file");
    std::fs::remove_file(&path).expect("a file");
    assert_eq!(text.lines().count(), one_of_each().len());
    for line in text.lines() {
        let value: Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(schema().check(&value), Ok(()), "{line}");
    }
}

#[test]
fn counts_of_the_air_obey_the_schema() {
    let mut tally = Tally::new(1);
    for fate in Fate::ALL {
        let arrivals = vec![Arrival { mote: 0, dbm: -60.0, fate, with: vec![], bursts: vec![] }];
        let (begin, end) = (Time::ZERO, Time::from_us(1));
        tally.add(&Transmission { sender: 0, begin, end, frame: frame(), arrivals });
    }
    let record = serde_json::to_value(Record::from(&tally.motes()[0])).expect("JSON");
    let Value::Object(mut line) = record else { panic!("an object") };
    assert_eq!(line["lost"].as_object().map(|lost| lost.len()), Some(9));
    line.extend(["t_us", "cycle", "mote"].map(|key| (key.to_string(), Value::from(0))));
    assert_eq!(schema().check(&Value::Object(line)), Ok(()));
}

#[test]
fn what_the_firmware_has_lost_obeys_the_schema() {
    let counts = std::collections::BTreeMap::from([("link: receiver full".to_string(), 3)]);
    let Ok(Value::Object(mut line)) = serde_json::to_value(Lost::from(counts)) else {
        panic!("an object")
    };
    line.extend(["t_us", "cycle", "mote"].map(|key| (key.to_string(), Value::from(0))));
    assert_eq!(schema().check(&Value::Object(line)), Ok(()));
}

#[test]
fn the_examples_of_the_specification_obey_the_schema() {
    let page = include_str!("../../../doc/spec/events.md");
    let lines = page.lines().filter(|line| line.starts_with('{'));
    for line in lines.clone() {
        let value: Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(schema().check(&value), Ok(()), "{line}");
    }
    assert!(lines.count() > 3);
}

#[test]
fn what_is_not_written_is_forbidden() {
    let wrong = [
        r#"{"t_us":1,"cycle":1,"mote":0,"kind":"sleep"}"#,
        r#"{"t_us":1,"cycle":1,"mote":0,"kind":"sleep","mode":"idle0","extra":1}"#,
        r#"{"t_us":-1,"cycle":1,"mote":0,"kind":"sleep","mode":"idle0"}"#,
        r#"{"t_us":1,"cycle":1.5,"mote":0,"kind":"sleep","mode":"idle0"}"#,
        r#"{"t_us":1,"cycle":1,"kind":"sleep","mode":"idle0"}"#,
        r#"{"t_us":1,"cycle":1,"mote":0,"kind":"nap","mode":"idle0"}"#,
        r#"{"t_us":1,"cycle":1,"mote":0,"kind":"uart","port":"console","dir":"up","data":1}"#,
        r#"{"t_us":1,"cycle":1,"mote":0,"kind":"uart","port":"console","dir":"in","data":256}"#,
        r#"{"t_us":1,"cycle":1,"mote":0,"kind":"gpio","pin":"PA1","name":"led0","level":1}"#,
        r#"{"t_us":1,"cycle":1,"mote":0,"kind":"warning","what":"no place"}"#,
        r#"{"t_us":1,"cycle":1,"mote":0,"kind":"energy","duration_ns":1,"supply_mv":1,"charge_pc":1,"energy_nj":1,"mean_na":1,"components":[],"owners":[{"owner":"asleep"}],"unknown":[],"left_out":[]}"#,
    ];
    for line in wrong {
        let value: Value = serde_json::from_str(line).expect("JSON");
        assert!(schema().check(&value).is_err(), "{line}");
    }
}

fn a_header() -> Header {
    let named = |name: Option<&str>| Named { name: name.map(str::to_string), program: 0 };
    Header {
        format: FORMAT,
        lichen: "0.1.0".to_string(),
        arguments: vec!["net.toml".to_string(), "--set".to_string(), "seed=7".to_string()],
        scenario: Some("net.toml".to_string()),
        settings: vec!["seed=7".to_string()],
        seed: 7,
        noise: true,
        programs: vec![Program {
            program: "blink".to_string(),
            board: "hamilton".to_string(),
            image: "0123456789abcdef".repeat(4),
        }],
        motes: vec![named(Some("office")), named(None)],
    }
}

/// One in which each list has something, or nothing.
fn an_outcome(is_full: bool) -> Outcome {
    let text = || "for queue".to_string();
    let some = is_full.then_some(());
    let by_name = || some.map(|()| (text(), 3)).into_iter().collect();
    let totals = || Totals {
        asleep_ns: some.map(|()| (text(), u128::from(u64::MAX) * 2)).into_iter().collect(),
        wakes: by_name(),
        lost: by_name(),
        air: some.map(|()| (&lichen_trace::air::Counts::default()).into()),
        energy: some.map(|()| Drawn { charge_pc: 1 << 70, ..Drawn::default() }),
        ..Totals::default()
    };
    let task = TaskTotals {
        name: text(),
        runs: 1,
        most_cycles: 2,
        wcet_cycles: 3,
        longest_response: Time::from_us(4),
        deadline_us: 5,
        missed: 6,
    };
    let thread = ThreadTotals { name: text(), cpu_cycles: some.map(|()| 1), waits: None };
    let mote = MoteTotals {
        mote: 0,
        name: some.map(|()| text()),
        totals: totals(),
        powered: true,
        locked_up: false,
        network: some.map(|()| "0022".to_string()),
        address: some.map(|()| "ff46".to_string()),
        tasks: some.map(|()| task).into_iter().collect(),
        threads: vec![thread],
        stacks: some
            .map(|()| StackTotals { name: text(), used: 1, bytes: 2 })
            .into_iter()
            .collect(),
        never_started: some.map(|()| text()).into_iter().collect(),
        all_wait: Vec::new(),
        wear: some.map(|()| (text(), text())).into_iter().collect(),
        notes: Vec::new(),
    };
    let warned =
        Warned { mote: some.map(|()| 0), first: some.map(|()| Time::ZERO), what: text(), times: 1 };
    Outcome {
        ended: Ended::LockedUp,
        exit: 1,
        failure: some.map(|()| Failed { message: text(), place: None }),
        duration: Time::from_s(1),
        warned: vec![warned],
        more_warnings: 0,
        all: totals(),
        motes: vec![mote],
    }
}

/// A line of the run with this record, as it is written.
fn line_of(record: &impl serde::Serialize) -> Value {
    let path = tempfile::NamedTempFile::new().expect("a file");
    let mut lines = JsonLines::create(path.path()).expect("a file");
    lines.append_of_run(Time::from_ns(1_500), record).expect("written");
    lines.finish().expect("written");
    let text = std::fs::read_to_string(path.path()).expect("a file");
    assert!(text.starts_with("{\"t_us\":1.5,\"kind\":"), "{text}");
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn what_ran_and_what_came_of_it_obey_the_schema() {
    assert_eq!(schema().check(&line_of(&a_header())), Ok(()));
    for is_full in [true, false] {
        assert_eq!(schema().check(&line_of(&an_outcome(is_full))), Ok(()));
    }
}

#[test]
fn of_what_ran_and_what_came_of_it_nothing_may_be_missing_or_other() {
    for line in [line_of(&a_header()), line_of(&an_outcome(true))] {
        let whole = line.as_object().expect("an object");
        for name in whole.keys() {
            let mut less = whole.clone();
            less.remove(name);
            assert!(schema().check(&Value::Object(less)).is_err(), "without {name}");
        }
        let wrong = [("mote", Value::from(0)), ("exit", 3.into()), ("format", 2.into())];
        for (name, value) in wrong {
            let mut other = whole.clone();
            other.insert(name.to_string(), value);
            assert!(schema().check(&Value::Object(other)).is_err(), "with {name}");
        }
    }
    let mut extra = line_of(&an_outcome(true));
    extra["motes"][0]["speed"] = 1.into();
    assert!(schema().check(&extra).is_err(), "a mote has no speed");
    let mut negative = line_of(&an_outcome(true));
    negative["all"]["lost"]["for queue"] = (-1).into();
    assert!(schema().check(&negative).is_err(), "counts are no less than 0");
}
