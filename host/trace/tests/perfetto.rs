// SPDX-License-Identifier: MIT OR Apache-2.0
//! Traces for Perfetto, decoded from their bytes alone: fields are numbered as in
//! `protos/perfetto/trace/trace_packet.proto` and `track_event/` of Perfetto.

use lichen_chip::Time;
use lichen_trace::{Drawn, Event, Kind, On, Perfetto, Place, Sink};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Fields of a message by number: numbers, and bytes.
#[derive(Default)]
struct Fields {
    numbers: BTreeMap<u64, u64>,
    bytes: BTreeMap<u64, Vec<Vec<u8>>>,
}

/// Protocol Buffers' wire format ("Encoding" of its documentation).
fn fields(mut rest: &[u8]) -> Fields {
    let mut fields = Fields::default();
    while !rest.is_empty() {
        let key = number(&mut rest);
        match key & 7 {
            0 => {
                let value = number(&mut rest);
                fields.numbers.insert(key >> 3, value);
            }
            1 => {
                let (bytes, after) = rest.split_first_chunk().expect("eight bytes");
                fields.numbers.insert(key >> 3, u64::from_le_bytes(*bytes));
                rest = after;
            }
            2 => {
                let length = number(&mut rest) as usize;
                let (taken, after) = rest.split_at(length);
                fields.bytes.entry(key >> 3).or_default().push(taken.to_vec());
                rest = after;
            }
            other => panic!("wire type {other}"),
        }
    }
    fields
}

fn number(rest: &mut &[u8]) -> u64 {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (byte, after) = rest.split_first().expect("a byte");
        *rest = after;
        value |= u64::from(byte & 0x7F) << shift;
        if byte & 0x80 == 0 {
            return value;
        }
    }
    panic!("a number of more than 64 bits");
}

impl Fields {
    fn message(&self, field: u64) -> Option<Fields> {
        Some(fields(self.bytes.get(&field)?.first()?))
    }

    fn text(&self, field: u64) -> Option<String> {
        Some(String::from_utf8(self.bytes.get(&field)?.first()?.clone()).expect("text"))
    }
}

/// What a trace has of a track: depth of a slice, begin and end in nanoseconds, name; instants begin
/// where they end; counters have their values for names.
type Seen = Vec<(usize, u64, u64, String)>;

/// The tracks of a trace by their paths. Panics unless tracks are declared before they are used, times ascend
/// within each, and all slices end.
fn read(bytes: &[u8]) -> BTreeMap<String, Seen> {
    let mut paths: BTreeMap<u64, String> = BTreeMap::new();
    let mut seen: BTreeMap<String, Seen> = BTreeMap::new();
    let mut open: BTreeMap<u64, Vec<(u64, String)>> = BTreeMap::new();
    let mut last: BTreeMap<u64, u64> = BTreeMap::new();
    for packet in &fields(bytes).bytes[&1] {
        let packet = fields(packet);
        assert_eq!(packet.numbers[&10], 1, "one sequence");
        if let Some(descriptor) = packet.message(60) {
            let process = descriptor.message(3);
            let name = process.map(|process| process.text(6).expect("a name of the process"));
            let name = name.or_else(|| descriptor.text(2)).expect("a name");
            let parent = descriptor.numbers.get(&5).map(|parent| paths[parent].clone() + "/");
            let path = parent.unwrap_or_default() + &name;
            assert!(paths.insert(descriptor.numbers[&1], path.clone()).is_none(), "{path} twice");
            seen.insert(path, Seen::new());
            continue;
        }
        let (time, event) = (packet.numbers[&8], packet.message(11).expect("an event"));
        let track = event.numbers[&11];
        let path = paths.get(&track).expect("declared before");
        assert!(last.insert(track, time).is_none_or(|last| last <= time), "{path} goes back");
        let (open, seen) = (open.entry(track).or_default(), seen.get_mut(path).expect("known"));
        match event.numbers[&9] {
            1 => open.push((time, event.text(23).expect("a name"))),
            2 => {
                let (begin, name) = open.pop().expect("a slice that has begun");
                seen.push((open.len(), begin, time, name));
            }
            3 => seen.push((open.len(), time, time, event.text(23).expect("a name"))),
            4 => seen.push((0, time, time, f64::from_bits(event.numbers[&44]).to_string())),
            other => panic!("type {other}"),
        }
    }
    assert!(open.values().all(Vec::is_empty), "slices that do not end: {open:?}");
    seen
}

fn file(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("lichen-perfetto-{}-{name}", std::process::id()))
}

/// What a trace has of events, given in microseconds, of a mote that ends after 1 ms.
fn traced(name: &str, events: Vec<(u64, Kind)>) -> BTreeMap<String, Seen> {
    let path = file(name);
    let mut perfetto = Perfetto::create(&path).expect("a file");
    let on = [("sw0".to_string(), On { level: 0, word: "pressed" })].into_iter().collect();
    perfetto.add(Drawn { title: "mote".into(), on, ..Drawn::default() }).expect("written");
    for (us, kind) in events {
        let event = Event { time: Time::from_us(us), cycle: 0, mote: 0, kind };
        perfetto.event(&event).expect("written");
        let other = Event { mote: 1, ..event };
        perfetto.event(&other).expect("one that is not shown");
    }
    perfetto.finish(Time::from_ms(1)).expect("written");
    let bytes = std::fs::read(&path).expect("a file");
    std::fs::remove_file(&path).expect("removed");
    let seen = read(&bytes);
    assert!(seen.keys().all(|path| path.starts_with("mote")), "{:?}", seen.keys());
    seen
}

fn slice(depth: usize, from_us: u64, to_us: u64, name: &str) -> (usize, u64, u64, String) {
    (depth, from_us * 1_000, to_us * 1_000, name.to_string())
}

fn cpu(state: &'static str, hz: u64) -> Kind {
    let (part, component) = ("ATSAMR21G18A", "CPU".into());
    Kind::Activity { part, component, state, hz, bus_hz: 0 }
}

#[test]
fn interrupts_that_preempt_others_are_slices_within_theirs() {
    let active = |name| Kind::Exception { name };
    let seen = traced(
        "interrupts",
        vec![
            (10, active(Some("SVCall"))),
            (20, active(Some("RTC"))),
            (25, active(Some("SERCOM0"))),
            (30, active(Some("RTC"))),
            (35, active(Some("SVCall"))),
            (40, active(None)),
            (40, active(Some("PendSV"))),
            (50, active(None)),
            (60, active(Some("RTC"))),
            (70, active(Some("PM"))),
            (80, Kind::Reset { cause: "watchdog" }),
            (90, active(Some("TC4"))),
        ],
    );
    let expected = [
        slice(2, 25, 30, "SERCOM0"),
        slice(1, 20, 35, "RTC"),
        slice(0, 10, 40, "SVCall"),
        slice(0, 40, 50, "PendSV"),
        slice(1, 70, 80, "PM"),
        slice(0, 60, 80, "RTC"),
        slice(0, 90, 1_000, "TC4"),
    ];
    assert_eq!(seen["mote/interrupts"], expected);
    assert_eq!(seen["mote/messages"], [slice(0, 80, 80, "reset: watchdog")]);
}

#[test]
fn threads_run_while_the_processor_is_awake() {
    let thread = |name: &str| Kind::Thread { name: name.to_string() };
    let seen = traced(
        "threads",
        vec![
            (0, cpu("active", 8_000_000)),
            (10, thread("red")),
            (20, thread("green")),
            (30, cpu("standby", 0)),
            (40, cpu("active", 47_972_352)),
            (40, Kind::Wake { cause: "RTC" }),
            (50, thread("red")),
        ],
    );
    assert_eq!(seen["mote/threads/red"], [slice(0, 10, 20, "runs"), slice(0, 50, 1_000, "runs")]);
    assert_eq!(seen["mote/threads/green"], [slice(0, 20, 30, "runs"), slice(0, 40, 50, "runs")]);
    let processor = [
        slice(0, 0, 30, "active, 8.000 MHz"),
        slice(0, 30, 40, "standby"),
        slice(1, 40, 40, "woken by RTC"),
        slice(0, 40, 1_000, "active, 47.972 MHz"),
    ];
    assert_eq!(seen["mote/processor"], processor);
}

#[test]
fn text_is_shown_line_by_line() {
    let text = b"hi\xff\r\n\nab";
    let uart = |data: u8| Kind::Uart { port: "console".into(), dir: "out", data };
    let events = (10..).step_by(10).zip(text.iter().map(|data| uart(*data)));
    let seen = traced("text", events.collect());
    let lines =
        [slice(0, 10, 50, "hi\\xff"), slice(0, 60, 60, "(empty line)"), slice(0, 70, 80, "ab")];
    assert_eq!(seen["mote/serial ports/console out"], lines);
}

#[test]
fn states_pins_currents_and_messages_have_tracks() {
    let current = |component: &'static str, ua: u128, whole_ua: u128| Kind::Current {
        component: component.into(),
        fa: Some(ua * 1_000_000_000),
        whole_fa: whole_ua * 1_000_000_000,
    };
    let sensor = |state| {
        let (part, component) = ("HDC1080", "hdc1080".into());
        Kind::Activity { part, component, state, hz: 0, bus_hz: 0 }
    };
    let warning = Kind::Warning { what: "reserved bits".into(), place: Place::default() };
    let pin = |level| Kind::Pin { name: "radio_select".into(), level };
    let button = |level| Kind::Pin { name: "sw0".into(), level };
    let seen = traced(
        "states",
        vec![
            (10, sensor("measuring")),
            (10, current("hdc1080", 190, 193)),
            (20, pin(Some(1))),
            (20, button(Some(0))),
            (20, warning),
            (30, pin(None)),
            (30, button(Some(1))),
            (40, sensor("off")),
            (40, current("hdc1080", 0, 3)),
        ],
    );
    assert_eq!(seen["mote/components/hdc1080"], [slice(0, 10, 40, "measuring")]);
    assert_eq!(seen["mote/pins/radio_select"], [slice(0, 20, 30, "high")]);
    assert_eq!(seen["mote/pins/sw0"], [slice(0, 20, 30, "pressed")]);
    assert_eq!(seen["mote/messages"], [slice(0, 20, 20, "warning: reserved bits, the board")]);
    let counter = |values: [&str; 3]| {
        [
            slice(0, 10, 10, values[0]),
            slice(0, 40, 40, values[1]),
            slice(0, 1_000, 1_000, values[2]),
        ]
    };
    assert_eq!(seen["mote/current"], counter(["193", "3", "3"]));
    assert_eq!(seen["mote/currents of components/hdc1080"], counter(["190", "0", "0"]));
}

#[test]
fn a_file_that_cannot_be_made_or_filled() {
    let error = Perfetto::create("/nowhere/at/all".as_ref()).err().expect("no folder").to_string();
    assert!(error.starts_with("cannot create /nowhere/at/all:"), "{error}");
    let full: &std::path::Path = "/dev/full".as_ref();
    if full.exists() {
        let mut perfetto = Perfetto::create(full).expect("a device");
        perfetto.add(Drawn::default()).expect("buffered");
        let error = perfetto.finish(Time::ZERO).expect_err("full").to_string();
        assert!(error.starts_with("cannot write /dev/full:"), "{error}");
    }
}
