// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whole motes, run from power-up on small images (`data/*.c`).

use lichen_board::Board;
use lichen_chip::Time;
use lichen_image::Image;
use lichen_scenario::Input;
use lichen_trace::{Error, Event, Kind, Processor, Sink};
use lichen_world::{Action, FaultEnd, Halt, MoteId, Script, Summary, World, compare_paths};
use std::path::Path;

#[derive(Default)]
struct Record(Vec<Event>);

impl Sink for Record {
    fn event(&mut self, event: &Event) -> Result<(), Error> {
        self.0.push(event.clone());
        Ok(())
    }
}

impl Record {
    fn characters(&self, wanted: &str) -> String {
        let mut text = String::new();
        for event in &self.0 {
            match &event.kind {
                Kind::Uart { dir, data, .. } if *dir == wanted => text.push(*data as char),
                _ => {}
            }
        }
        text
    }

    fn printed(&self) -> String {
        self.characters("out")
    }
}

fn folder(path: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn add(world: &mut World, board: &str, image: &str) -> MoteId {
    let board = Board::find(&folder("../../board"), board).expect("a board");
    let image = Image::load(&folder("tests/data").join(image)).expect("an image");
    world.add(board, image.into()).expect("a mote")
}

fn mote(image: &str) -> (World, MoteId, Record) {
    let mut world = World::new();
    let id = add(&mut world, "samr21-xpro", image);
    (world, id, Record::default())
}

fn script(text: &str) -> Script {
    Input::parse("input.txt", text).expect("an input file").script
}

#[test]
fn a_host_gives_up_a_mote_without_a_loader_and_a_recording_has_what_it_sent() {
    let (mut world, id, mut record) = mote("echo.elf");
    world.follow(id, script("500ms !ps\n600ms !stop sense\n")).expect("a script");
    world.run(Time::from_ms(2_100), &mut record).expect("run");
    let said: Vec<String> = record
        .0
        .iter()
        .filter_map(|event| match &event.kind {
            Kind::Warning { what, .. } => Some(format!("{} {what}", event.time)),
            _ => None,
        })
        .collect();
    assert_eq!(said, ["2.000000 ps: no mote with a loader answers"]);
    let sent = world.recording(id).actions();
    assert_eq!(sent.len(), 6, "five times the same frame, and the first of the next job: {sent:?}");
    assert!(sent.iter().all(|(_, action)| *action == sent[0].1));
    assert_eq!([sent[1].0, sent[5].0], [Time::from_ms(800), Time::from_ms(2_001)]);
}

#[test]
fn a_mote_prints_sleeps_and_blinks_on_time() {
    let (mut world, id, mut record) = mote("echo.elf");
    assert_eq!(world.run(Time::from_ms(1_050), &mut record).expect("run"), Halt::Reached);
    assert_eq!(record.printed(), "hello\n");
    let summary = world.mote(id).summary();
    assert_eq!(summary.toggles["led0"], 10);
    assert_eq!(summary.wakes["SysTick"], 10);
    assert!(summary.share_asleep() > 0.9, "{summary:?}");
    assert!(summary.warnings == 0 && summary.faults == 0, "{summary:?}");
    assert!(record.0.windows(2).all(|pair| pair[0].time <= pair[1].time), "in order of time");
}

#[test]
fn what_components_do_is_reported_on_request_and_changes_nothing() {
    let (mut world, id, mut record) = mote("echo.elf");
    let (mut watched, _, mut reported) = mote("echo.elf");
    watched.tell_activity();
    let end = Time::from_ms(1_050);
    world.run(end, &mut record).expect("run");
    watched.run(end, &mut reported).expect("run");
    assert_eq!(world.state_hash(), watched.state_hash());
    let (activities, rest): (Vec<_>, Vec<_>) =
        reported.0.into_iter().partition(|event| event.kind.is_detail());
    assert_eq!(rest, record.0);
    let of = |wanted: &str| -> Vec<(Time, &str)> {
        let all = activities.iter().filter_map(|event| match &event.kind {
            Kind::Activity { component, state, .. } if component == wanted => {
                Some((event.time, *state))
            }
            _ => None,
        });
        all.collect()
    };
    let leds: Vec<&str> = of("led0").into_iter().map(|(_, state)| state).collect();
    assert_eq!(leds[..4], ["dark", "lit", "dark", "lit"]);
    assert_eq!(leds.len() as u64 - 2, world.mote(id).summary().toggles["led0"]);
    let asleep = |(time, state): (Time, &str)| state.starts_with("idle").then_some(time);
    let slept = record.0.iter().filter(|event| matches!(event.kind, Kind::Sleep { .. }));
    let expected: Vec<Time> = slept.map(|event| event.time).collect();
    let seen: Vec<Time> = of("CPU").into_iter().filter_map(asleep).collect();
    assert_eq!(seen, expected);
    let rests = |event: &&Event| {
        matches!(&event.kind, Kind::Processor { does: Processor::Asleep { .. }, begins: true })
    };
    let rested: Vec<Time> = activities.iter().filter(rests).map(|event| event.time).collect();
    assert_eq!(rested, expected);
}

#[test]
fn what_a_script_types_comes_back() {
    let (mut world, id, mut record) = mote("echo.elf");
    world.follow(id, script("0.5 hi\n0.6 \"\\x00\\xff\"\n")).expect("a script");
    world.run(Time::from_ms(700), &mut record).expect("run");
    assert_eq!(record.printed(), "hello\nhi\n\u{0}\u{ff}");
    assert_eq!(record.characters("in"), "hi\n\u{0}\u{ff}");
    let first = record.0.iter().find(|event| matches!(event.kind, Kind::Uart { dir: "in", .. }));
    let late = first.expect("typed").time - Time::from_ms(500);
    assert!(late < Time::from_us(1), "{late}");
}

#[test]
fn a_recording_of_live_input_repeats_the_run() {
    let (mut world, id, mut live) = mote("echo.elf");
    for step in 1..=40u64 {
        world.run(Time::from_us(step * 7_777), &mut live).expect("run");
        if step % 9 == 0 {
            world.act(id, Action::Type(vec![b'0' + (step / 9) as u8])).expect("typed");
        }
    }
    world.act(id, Action::Press("sw0".into())).expect("pressed");
    world.run(Time::from_ms(400), &mut live).expect("run");
    let recording = script(&world.recording(id).to_string());

    let (mut world, id, mut replayed) = mote("echo.elf");
    world.follow(id, recording).expect("a script");
    world.run(Time::from_ms(400), &mut replayed).expect("run");
    assert!(live.printed().ends_with("1234"), "{}", live.printed());
    assert_eq!(live.0, replayed.0);
}

#[test]
fn a_text_ends_the_run_at_its_last_character() {
    let (mut world, _, mut record) = mote("echo.elf");
    world.stop_at_text("ello");
    assert_eq!(world.run(Time::from_s(1), &mut record).expect("run"), Halt::Text);
    assert_eq!(record.printed(), "hello");
    assert_eq!(
        world.run(Time::from_ms(50), &mut record).expect("run"),
        Halt::Reached,
        "and goes on"
    );
    assert_eq!(record.printed(), "hello\n");
}

#[test]
fn a_wrong_rate_is_a_warning_that_can_end_the_run() {
    let (mut world, _, mut record) = mote("garble.elf");
    world.stop_at_warning(true);
    assert_eq!(world.run(Time::from_s(1), &mut record).expect("run"), Halt::Warning);
    let Some(Event { kind: Kind::Warning { what, place }, .. }) = record.0.last() else {
        panic!("{:?}", record.0);
    };
    assert!(what.starts_with("baud rate of the console is off by -13."), "{what}");
    assert_eq!(place.pc, None);
}

#[test]
fn a_fault_is_shown_with_its_place_and_registers() {
    let (mut world, id, mut record) = mote("fault.elf");
    assert_eq!(world.run(Time::from_ms(10), &mut record).expect("run"), Halt::Reached);
    let fault = record.0.iter().find_map(|event| match &event.kind {
        Kind::Fault { locked_up: false, place, registers, .. } => Some((place, registers)),
        _ => None,
    });
    let (place, registers) = fault.expect("a fault");
    assert!(place.symbol.as_deref().is_some_and(|name| name.starts_with("stray")), "{place}");
    assert!(place.file.as_deref().is_some_and(|file| file.ends_with("fault.c")), "{place}");
    assert_eq!(place.line, Some(19));
    let registers = registers.as_ref().expect("a stack");
    let pc = registers.0.iter().find(|(name, _)| *name == "pc");
    assert_eq!(pc.map(|(_, value)| *value), place.pc);
    assert_eq!(world.mote(id).summary().faults, 1);
}

#[test]
fn a_locked_up_mote_ends_the_run_at_once() {
    let (mut world, id, mut record) = mote("lockup.elf");
    assert_eq!(world.run(Time::from_s(3_600), &mut record).expect("run"), Halt::Dead);
    let Some(Event { kind: Kind::Fault { locked_up: true, place, .. }, .. }) = record.0.last()
    else {
        panic!("{:?}", record.0);
    };
    assert_eq!(place.symbol.as_deref(), Some("hard_fault_handler"));
    assert!(world.mote(id).summary().locked_up);
}

#[test]
fn a_reset_brings_a_locked_up_mote_back() {
    let (mut world, id, mut record) = mote("lockup.elf");
    world.follow(id, script("0.5 !reset\n")).expect("a script");
    assert_eq!(world.run(Time::from_s(1), &mut record).expect("run"), Halt::Dead);
    let summary = world.mote(id).summary();
    assert_eq!(
        (summary.resets["external"], summary.faults),
        (1, 4),
        "each time fault, then lockup"
    );
}

/// Runs an image until `end`; returns its events and its summary.
fn after(image: &str, end: Time) -> (Record, Summary) {
    let (mut world, id, mut record) = mote(image);
    world.run(end, &mut record).expect("run");
    let summary = world.mote(id).summary();
    (record, summary)
}

#[test]
fn a_fault_is_served_when_its_handler_returns_and_the_program_goes_on() {
    let (record, summary) = after("served.elf", Time::from_ms(20));
    assert_eq!((summary.faults, summary.unserved_fault), (200, None));
    let faults = record.0.iter().filter(|event| matches!(event.kind, Kind::Fault { .. }));
    assert_eq!(faults.count(), 200, "each is an event");
}

#[test]
fn a_run_may_end_inside_a_handler_that_has_served_before() {
    let stuck = |us| after("served.elf", Time::from_us(us)).1.unserved_fault.is_some();
    // The first fault is not served before its handler has returned; then every place is known.
    assert!((0..60).any(stuck), "the first ones are not known");
    assert!(!(500..560).any(stuck));
}

#[test]
fn a_handler_that_loops_does_not_serve_the_fault() {
    let (_, summary) = after("fault.elf", Time::from_ms(10));
    let fault = summary.unserved_fault.expect("unserved");
    assert_eq!(fault.end, FaultEnd::Stuck);
    assert!(fault.place.symbol.is_some_and(|name| name.starts_with("stray")));
}

#[test]
fn a_handler_that_changes_nothing_does_not_serve_the_fault() {
    for us in 10_000..10_020 {
        let (record, summary) = after("repeat.elf", Time::from_us(us));
        assert_eq!(summary.unserved_fault.map(|fault| fault.end), Some(FaultEnd::Stuck), "{us} us");
        assert_eq!(summary.faults, 1, "it is the same fault");
        assert!(record.0.len() < 10);
    }
}

#[test]
fn a_reset_inside_the_handler_does_not_serve_the_fault() {
    let (_, summary) = after("reboot.elf", Time::from_ms(10));
    let fault = summary.unserved_fault.expect("unserved");
    assert_eq!(fault.end, FaultEnd::Reset("system".into()));
    assert!(fault.time < Time::from_ms(1), "the first of many");
    assert!(summary.resets["system"] > 10 && summary.faults > 10);
}

#[test]
fn a_lockup_does_not_serve_the_fault_that_led_to_it() {
    let (_, summary) = after("lockup.elf", Time::from_ms(10));
    let fault = summary.unserved_fault.expect("unserved");
    assert_eq!(fault.end, FaultEnd::Lockup);
    assert!(fault.place.symbol.is_some_and(|name| name.starts_with("reset_handler")));
}

#[test]
fn a_pin_where_the_board_has_no_port_becomes_one() {
    let (mut world, id, mut record) = mote("elsewhere.elf");
    world.follow(id, script("0.005 typed\n")).expect("a script");
    world.run(Time::from_ms(10), &mut record).expect("run");
    assert_eq!(record.characters("in"), "typed\n");
    assert_eq!(record.printed(), "high\n", "the console's receive line, at rest");
    for event in &record.0 {
        if let Kind::Uart { port, dir, .. } = &event.kind {
            assert_eq!(port.as_ref(), if *dir == "out" { "PB22" } else { "console" });
        }
    }
    let notes = world.mote(id).notes();
    let sends = "PB22 sends at 115200 baud, where board samr21-xpro has no serial port";
    assert!(notes.iter().any(|note| note == sends), "{notes:?}");
    assert_eq!(world.mote(id).summary().warnings, 0);
}

#[test]
fn buffers_in_ram_are_a_console() {
    for image in ["probe.elf", "probe_unnamed.elf"] {
        let (mut world, id, mut record) = mote(image);
        world.follow(id, script("0.05 and back\n")).expect("a script");
        world.run(Time::from_ms(100), &mut record).expect("run");
        assert_eq!(record.printed(), "longer than its buffer\nand back\n", "{image}");
        assert_eq!(record.characters("in"), "and back\n", "{image}");
    }
}

#[test]
fn several_motes_share_one_time_line() {
    let run = || {
        let mut world = World::new();
        add(&mut world, "samr21-xpro", "echo.elf");
        let second = add(&mut world, "samr21-xpro", "echo.elf");
        add(&mut world, "samr21-xpro", "lockup.elf");
        world.follow(second, script("0.1 x\n")).expect("a script");
        let mut record = Record::default();
        assert_eq!(world.run(Time::from_ms(200), &mut record).expect("run"), Halt::Reached);
        record.0
    };
    let events = run();
    let ordered = |pair: &[Event]| (pair[0].time, pair[0].mote) <= (pair[1].time, pair[1].mote);
    assert!(events.windows(2).all(ordered), "by time, then by mote");
    let motes: Vec<u32> = events
        .iter()
        .filter(|event| matches!(event.kind, Kind::Uart { dir: "in", .. }))
        .map(|event| event.mote)
        .collect();
    assert_eq!(motes, [1, 1]);
    assert_eq!(run(), events, "and repeats");
}

#[test]
fn what_the_board_does_not_have_is_refused() {
    let (mut world, id, _) = mote("echo.elf");
    let error = world.follow(id, script("1 !press sw1")).expect_err("no such button").to_string();
    assert_eq!(error, "board `samr21-xpro` has no button `sw1`; it has: sw0");
}

#[test]
fn a_part_of_the_board_that_is_not_simulated_is_named_once() {
    let mut board = Board::find(&folder("../../board"), "samr21-xpro").expect("a board");
    board.radio.as_mut().expect("a radio").part = "OTHER".to_string();
    let image = Image::load(&folder("tests/data/radio.elf")).expect("an image");
    let (mut world, mut record) = (World::new(), Record::default());
    let id = world.add(board, image.into()).expect("a mote");
    world.run(Time::from_ms(20), &mut record).expect("run");
    assert_eq!(record.printed(), "asked\n");
    let warnings: Vec<_> = record
        .0
        .iter()
        .filter_map(|event| match &event.kind {
            Kind::Warning { what, .. } => Some(what.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(warnings, ["nothing answers: the board's OTHER is not simulated"]);
    assert_eq!(world.mote(id).summary().warnings, 1);
}

#[test]
fn a_mote_follows_its_supply() {
    let volts = |ms: u64, mv: i64| (Time::from_ms(ms), mv * 1_000);
    let course =
        [volts(0, 0), volts(10, 3_300), volts(100, 3_300), volts(200, 0), volts(300, 3_300)];
    let mut environment = lichen_device::Environment::usual();
    environment.set("supply", lichen_device::Course::Record(course.into()));
    let board = Board::find(&folder("../../board"), "samr21-xpro").expect("a board");
    let image = Image::load(&folder("tests/data/echo.elf")).expect("an image");
    let setup = lichen_world::Setup { environment: environment.into(), ..Default::default() };
    let (mut world, mut record) = (World::new(), Record::default());
    let id = world.add_with(board, image.into(), setup).expect("a mote");
    let low = world.mote(id).low_supply().expect("it is low").to_string();
    assert_eq!(low, "its supply of 0 V is below the 1.738 V the chip needs to start");
    world.run(Time::from_ms(400), &mut record).expect("run");
    let reported: Vec<String> = record
        .0
        .iter()
        .filter_map(|event| match &event.kind {
            Kind::Reset { cause } => Some(format!("{} {cause}", event.time.as_us() as u64 / 1_000)),
            Kind::Power { on } => Some(format!("{} {on}", event.time.as_us() as u64 / 1_000)),
            _ => None,
        })
        .collect();
    // It is on from 1.45 V, at work from 1.738 V, in reset below that, and off below 0.99 V.
    let expected = [
        "0 false",
        "4 true",
        "4 power-on",
        "147 brown-out",
        "170 false",
        "243 true",
        "243 power-on",
    ];
    assert_eq!(reported, expected);
    assert_eq!(record.printed(), "hello\nhello\n");
    assert!(world.mote(id).is_powered());
    assert_eq!(world.mote(id).low_supply(), None);
}

#[test]
fn an_image_without_symbols_or_lines_is_reported() {
    let (world, id, _) = mote("stripped.elf");
    let [note] = world.mote(id).notes() else { panic!("one note: {:?}", world.mote(id).notes()) };
    assert!(note.starts_with("the image has no symbols"), "{note}");
    let (world, id, _) = mote("echo.elf");
    assert!(world.mote(id).notes().is_empty(), "{:?}", world.mote(id).notes());
}

#[test]
fn motes_have_serial_numbers_of_their_own() {
    let serial_number = |world: &World, mote: MoteId| world.mote(mote).chip().state_hash();
    let mut world = World::new();
    let [first, second] = [0, 1].map(|_| add(&mut world, "samr21-xpro", "echo.elf"));
    assert_ne!(serial_number(&world, first), serial_number(&world, second));
}

#[test]
fn an_image_may_have_something_for_eeprom() {
    const EEPROM: u32 = 0x81_0000;
    let mut bytes = std::fs::read(folder("tests/data/ticks.elf")).expect("an image");
    // Its initial data are put into EEPROM instead: the fourth word of the second program header is where.
    let header = 52 + 32;
    bytes[header + 12..header + 16].copy_from_slice(&EEPROM.to_le_bytes());
    let image = Image::parse("ticks.elf", bytes).expect("an image");
    let board = Board::find(&folder("../../board"), "micaz").expect("a board");
    let mut world = World::new();
    let id = world.add(board, image.into()).expect("it fits");
    let mut text = [0; 6];
    world.mote(id).chip().peek(EEPROM, &mut text).expect("EEPROM");
    assert_eq!(&text, b"ready\n");
}

#[test]
fn a_mote_does_the_same_along_every_path() {
    let board = Board::find(&folder("../../board"), "samr21-xpro").expect("a board");
    let image = Image::load(&folder("tests/data/echo.elf")).expect("an image").into();
    let until = Time::from_ms(150);
    let typed = script("0.05 hi\n");
    let compared = compare_paths(&board, &image, &typed, until, u64::MAX).expect("a mote");
    assert_eq!(compared.difference, None);
    assert!(compared.moments > 10 && compared.instructions > 1_000, "{compared:?}");
    let some = compare_paths(&board, &image, &typed, until, 5).expect("a mote");
    assert_eq!((some.moments, some.difference), (5, None));
}
