// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs with save and restore equal the runs without.

use lichen_board::Board;
use lichen_chip::Time;
use lichen_image::Image;
use lichen_scenario::Input;
use lichen_trace::{Error, Event, Sink};
use lichen_world::{Action, Halt, MoteId, SnapshotError, World};
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Default)]
struct Record(Vec<Event>);

impl Sink for Record {
    fn event(&mut self, event: &Event) -> Result<(), Error> {
        self.0.push(event.clone());
        Ok(())
    }
}

const LENGTH: Time = Time::from_ms(700);
const INPUT: &str = "0.05 what is typed comes back\n0.1 !press sw0\n0.2 !release sw0\n\
                     0.3 more of it\n0.4 !reset\n0.5 and again\n";

fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn image(name: &str) -> Arc<Image> {
    Arc::new(Image::load(&folder("tests/data").join(name)).expect("an image"))
}

fn world(images: &[Arc<Image>]) -> World {
    let mut world = World::with_seed(7);
    for image in images {
        let board = Board::find(&folder("../../board"), "samr21-xpro").expect("a board");
        let mote = world.add(board, Arc::clone(image)).expect("a mote");
        let script = Input::parse("input.txt", INPUT).expect("an input file").script;
        world.follow(mote, script).expect("a script for this board");
    }
    world
}

/// A file that is removed when the test ends.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        Scratch(std::env::temp_dir().join(format!("lichen-{}-{name}.snapshot", std::process::id())))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Points in a run that look random and are the same every time (Marsaglia's xorshift).
fn points(count: usize) -> Vec<Time> {
    let mut seed = 0x5EED_u64;
    let mut points: Vec<Time> = (0..count)
        .map(|_| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            Time::from_units(seed) % LENGTH
        })
        .collect();
    points.sort();
    points
}

/// Interrupts a run at a hundred points and continues in another world.
fn check(images: &[Arc<Image>], file: &str) {
    let (mut straight, mut expected) = (world(images), Record::default());
    straight.run(LENGTH, &mut expected).expect("run");
    let scratch = Scratch::new(file);
    let (mut one, mut other) = (world(images), world(images));
    let mut seen = Record::default();
    for (number, point) in points(100).into_iter().enumerate() {
        one.run(point, &mut seen).expect("run");
        // What the other world has done before leaves no trace.
        other.run(point + Time::from_ms(3), &mut Record::default()).expect("run");
        if number % 10 == 0 && images.len() == 1 {
            one.save(&scratch.0, b"beside").expect("saved");
            assert_eq!(other.load(&scratch.0).expect("loaded"), b"beside");
        } else {
            other.restore(&one.snapshot()).expect("the same motes");
        }
        assert_eq!(other.state_hash(), one.state_hash(), "at {point}");
        std::mem::swap(&mut one, &mut other);
    }
    one.run(LENGTH, &mut seen).expect("run");
    assert_eq!(seen.0, expected.0);
    assert_eq!(one.state_hash(), straight.state_hash());
    for mote in 0..images.len() as u32 {
        let (one, straight) = (one.mote(MoteId(mote)), straight.mote(MoteId(mote)));
        assert_eq!(one.summary(), straight.summary());
    }
    assert!(!expected.0.is_empty());
}

#[test]
fn a_mote_that_prints_listens_and_sleeps_goes_on_as_if_nothing_were() {
    check(&[image("echo.elf")], "echo");
}

#[test]
fn so_does_one_with_a_debug_probe() {
    check(&[image("probe.elf")], "probe");
}

#[test]
fn so_does_one_that_faults() {
    check(&[image("fault.elf")], "fault");
}

#[test]
fn so_does_one_that_serves_its_faults() {
    check(&[image("served.elf")], "served");
}

#[test]
fn so_does_one_that_sends_where_the_board_has_no_port() {
    check(&[image("elsewhere.elf")], "elsewhere");
}

#[test]
fn so_do_several() {
    check(&[image("echo.elf"), image("probe.elf"), image("lockup.elf"), image("echo.elf")], "all");
}

#[test]
fn going_back_repeats_what_was_seen() {
    let mut world = world(&[image("echo.elf")]);
    world.run(Time::from_ms(60), &mut Record::default()).expect("run");
    let before = world.snapshot();
    let mut first = Record::default();
    world.run(LENGTH, &mut first).expect("run");
    let end = world.state_hash();
    world.restore(&before).expect("the same motes");
    assert_eq!(world.now(), Time::from_ms(60));
    let mut second = Record::default();
    world.run(LENGTH, &mut second).expect("run");
    assert_eq!((second.0, world.state_hash()), (first.0, end));
    world.restore(&before).expect("the same motes");
    world.act(MoteId(0), Action::Reset).expect("a reset");
    world.run(LENGTH, &mut Record::default()).expect("run");
    assert_ne!(world.state_hash(), end, "another future");
}

#[test]
fn breakpoints_stay_where_a_debugger_has_set_them() {
    let mut world = world(&[image("echo.elf")]);
    let start = world.snapshot();
    world.run(Time::from_ms(1), &mut Record::default()).expect("run");
    let pc = world.mote(MoteId(0)).chip().core().pc();
    let hash = world.state_hash();
    world.set_breakpoint(MoteId(0), pc, true);
    assert_eq!(world.state_hash(), hash);
    world.restore(&start).expect("the same motes");
    let halt = world.run(LENGTH, &mut Record::default()).expect("run");
    assert_eq!(halt, Halt::Breakpoint(MoteId(0)));
    assert_eq!(world.mote(MoteId(0)).chip().core().pc(), pc);
}

fn refused(world: &mut World, path: &Path) -> String {
    let hash = world.state_hash();
    let message = world.load(path).expect_err("refused").to_string();
    assert_eq!(world.state_hash(), hash, "{message}: the state is the old one");
    message
}

#[test]
fn other_motes_are_refused() {
    let (echo, probe) = (image("echo.elf"), image("probe.elf"));
    let scratch = Scratch::new("other");
    let saved = world(&[Arc::clone(&echo)]);
    saved.save(&scratch.0, b"beside").expect_err("power-up has not been told yet");
    let mut saved = saved;
    saved.run(Time::from_ms(1), &mut Record::default()).expect("run");
    saved.save(&scratch.0, b"beside").expect("saved");
    let mut two = world(&[Arc::clone(&echo), Arc::clone(&echo)]);
    assert!(refused(&mut two, &scratch.0).contains("snapshot of 1 mote(s), here are 2"));
    let mut another = world(&[probe]);
    let message = refused(&mut another, &scratch.0);
    assert!(message.contains("mote 0 was saved as") && message.contains("echo.elf"), "{message}");
    assert!(message.contains("load the snapshot with the board and the very build"), "{message}");
    assert!(!message.contains("no parts"), "the parts are the same: {message}");
    let error = another.restore(&saved.snapshot()).expect_err("another image");
    assert!(matches!(error, SnapshotError::OtherWorld));
}

#[test]
fn files_that_are_no_whole_snapshot_of_this_version_are_refused() {
    let scratch = Scratch::new("damaged");
    let mut world = world(&[image("echo.elf")]);
    world.run(Time::from_ms(1), &mut Record::default()).expect("run");
    world.save(&scratch.0, b"beside").expect("saved");
    let whole = std::fs::read(&scratch.0).expect("just written");
    let mut put = |bytes: &[u8]| {
        std::fs::write(&scratch.0, bytes).expect("a scratch file");
        refused(&mut world, &scratch.0)
    };
    for length in (0..whole.len()).step_by(whole.len() / 60) {
        let message = put(&whole[..length]);
        let what = if length < 12 { "is not a snapshot" } else { "is damaged" };
        assert!(message.contains(what), "{length}: {message}");
    }
    let flipped = |at: usize| {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        bytes
    };
    assert!(put(&flipped(0)).contains("is not a snapshot of a run"));
    assert!(put(&flipped(8)).contains("is a snapshot in format 16, this is format 17"));
    assert!(put(&flipped(17)).contains("run the program again"), "the version's text");
    assert!(put(&flipped(whole.len() / 2)).contains("checksum"));
    assert!(put(&flipped(whole.len() - 1)).contains("checksum"));
    assert!(put(b"\x7fELF").contains("is not a snapshot of a run"));
    let nowhere = Path::new("/nowhere/at/all.snapshot");
    assert!(refused(&mut world, nowhere).starts_with("cannot read /nowhere/at/all.snapshot"));
    let error = world.save(nowhere, b"").expect_err("no folder").to_string();
    assert!(error.starts_with("cannot write /nowhere/at/all.snapshot"), "{error}");
}
