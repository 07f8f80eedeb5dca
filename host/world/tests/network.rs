// SPDX-License-Identifier: MIT OR Apache-2.0
//! Motes that reach each other, through a radio of two bytes a frame: the run is the same on any number of
//! threads, in any pieces, and after a snapshot.

use borsh::{BorshDeserialize, BorshSerialize};
use lichen_board::Board;
use lichen_chip::{BitTime, Frame, Input, PinId, Time};
use lichen_device::air::{AHEAD, Modulation, OnAir, Reception, Transmission};
use lichen_device::{Act, Device, NotItsState, Report, Surroundings};
use lichen_image::Image;
use lichen_trace::{Error, Event, INTERFERENCE, Kind, Sink};
use lichen_world::{Halt, Medium, MoteId, Setup, World};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::Arc;

const AIR_TIME: Time = Time::from_us(64);
const BYTES: usize = 2;

/// Sends what the mote prints, two characters a frame, and types the first of what arrives alone: frames that
/// overlap are lost.
#[derive(Clone, BorshSerialize, BorshDeserialize)]
struct ToyRadio {
    pins: [PinId; 2],
    /// The first line is for people.
    greeted: bool,
    heard: Vec<u8>,
    sends: Option<(Time, Vec<u8>)>,
    hears: Option<(Time, Vec<u8>)>,
    garbled: bool,
    sent: u32,
    bit_time: BitTime,
}

impl ToyRadio {
    fn new(board: &Board) -> ToyRadio {
        let console = board.console.as_ref().expect("a console");
        ToyRadio {
            pins: [console.tx.pin.0, console.rx.pin.0],
            greeted: false,
            heard: Vec::new(),
            sends: None,
            hears: None,
            garbled: false,
            sent: 0,
            bit_time: BitTime::from_hz(u64::from(console.baud)),
        }
    }

    fn end_of_frame(&mut self, around: &mut Surroundings<'_>, bytes: Vec<u8>) {
        if std::mem::take(&mut self.garbled) {
            around.acts.push(Act::Report(Report::Mismatch("a collision".to_string())));
            return;
        }
        let data = u16::from(bytes[0]);
        let frame =
            Frame { data, data_bits: 8, parity: None, stop_bits: 1, bit_time: self.bit_time };
        around.acts.push(Act::Drive(Input::Frame { pin: self.pins[1], frame }));
    }
}

impl Device for ToyRadio {
    fn name(&self) -> &str {
        "toy"
    }

    fn pins(&self) -> &[PinId] {
        &self.pins
    }

    fn frame(&mut self, around: &mut Surroundings<'_>, _pin: PinId, frame: Frame) {
        let data = frame.data as u8;
        if !self.greeted {
            self.greeted = data == b'\n';
            return;
        }
        self.heard.push(data);
        if self.heard.len() == BYTES {
            let at = around.now + frame.length();
            self.sends = Some((at, std::mem::take(&mut self.heard)));
        }
    }

    fn due(&self) -> Time {
        let sends = self.sends.as_ref().map_or(Time::NEVER, |(time, _)| *time);
        sends.min(self.hears.as_ref().map_or(Time::NEVER, |(time, _)| *time))
    }

    fn fire(&mut self, around: &mut Surroundings<'_>) {
        if let Some((_, bytes)) = self.sends.take_if(|(time, _)| *time <= around.now) {
            let begin = around.now + AHEAD;
            around.acts.push(Act::Radio(OnAir::Begins(Transmission {
                number: self.sent,
                begin,
                end: begin + AIR_TIME,
                frequency_khz: 2_405_000,
                power: 0,
                modulation: Modulation::Oqpsk { header: 0, kbps: 250 },
                bytes: bytes.into(),
            })));
            self.sent += 1;
        }
        if let Some((_, bytes)) = self.hears.take_if(|(time, _)| *time <= around.now) {
            self.end_of_frame(around, bytes);
        }
    }

    /// Not before its mote has sent another character.
    fn acts_on_air(&self, next: Time) -> Time {
        let sends = self.sends.as_ref().map_or(Time::NEVER, |(time, _)| *time);
        sends.min(next)
    }

    fn receive(&mut self, around: &mut Surroundings<'_>, reception: &Reception) {
        let OnAir::Begins(transmission) = &reception.what else { return };
        assert_eq!(transmission.begin, around.now, "it is told as it begins");
        self.garbled |= self.hears.is_some();
        self.hears = Some((transmission.end, transmission.bytes.to_vec()));
    }

    fn save(&self) -> Vec<u8> {
        borsh::to_vec(self).expect("a state")
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), NotItsState> {
        let loaded = borsh::from_slice(saved);
        *self = loaded.map_err(|_| NotItsState { device: "toy".to_string() })?;
        Ok(())
    }
}

/// Each mote hears its two neighbours. Every seventh frame is lost.
#[derive(Clone, BorshSerialize, BorshDeserialize)]
struct Ring {
    motes: u32,
    carried: u64,
    /// When something was carried last, and whose it was.
    last: (Time, u32),
}

impl Medium for Ring {
    fn seed(&self) -> u64 {
        0
    }

    fn carry(
        &mut self,
        sender: MoteId,
        time: Time,
        what: &OnAir,
        reach: &mut dyn FnMut(MoteId, i32),
    ) {
        assert!(matches!(what, OnAir::Begins(sent) if sent.begin == time));
        assert!((time, sender.0) >= self.last, "in the order of time and sender");
        self.last = (time, sender.0);
        self.carried += 1;
        if self.carried % 7 == 0 {
            return;
        }
        for step in [1, self.motes - 1] {
            reach(MoteId((sender.0 + step) % self.motes), -6_000);
        }
    }

    fn save(&self) -> Vec<u8> {
        borsh::to_vec(self).expect("a state")
    }

    fn load(&mut self, saved: &[u8]) -> bool {
        borsh::from_slice(saved).map(|loaded| *self = loaded).is_ok()
    }
}

/// A hash of all events, and how many there were of each kind.
#[derive(Default)]
struct Digest {
    hasher: DefaultHasher,
    last: Time,
    collisions: u64,
}

impl Sink for Digest {
    fn event(&mut self, event: &Event) -> Result<(), Error> {
        assert!(event.time >= self.last, "in order of time");
        self.last = event.time;
        format!("{event:?}").hash(&mut self.hasher);
        self.collisions += u64::from(matches!(event.kind, Kind::Warning { .. }));
        Ok(())
    }
}

fn folder(path: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// A ring of motes that send back what comes; some of them receive something at the start.
fn ring(motes: u32, threads: usize) -> World {
    let board: Arc<Board> =
        Board::find(&folder("../../board"), "samr21-xpro").expect("a board").into();
    let image: Arc<Image> = Image::load(&folder("tests/data/echo.elf")).expect("an image").into();
    let mut world = World::with_seed(3);
    world.set_threads(threads).expect("threads");
    world.set_medium(Box::new(Ring { motes, carried: 0, last: (Time::ZERO, 0) }));
    for mote in 0..motes {
        let radio: Vec<Box<dyn Device>> = vec![Box::new(ToyRadio::new(&board))];
        let setup = Setup { devices: radio, ..Setup::default() };
        let id = world.add_with(Arc::clone(&board), Arc::clone(&image), setup).expect("a mote");
        if mote % 5 == 0 {
            let script = lichen_scenario::Input::parse("input", "5ms abcd\n7ms efgh\n")
                .expect("an input file")
                .script;
            world.follow(id, script).expect("a mote");
        }
    }
    world
}

fn run(world: &mut World, until: Time, digest: &mut Digest) {
    assert_eq!(world.run(until, digest).expect("run"), Halt::Reached);
}

/// Hash of the events and of the state, at `end`.
fn outcome(mut world: World, end: Time) -> (u64, u64, u64) {
    let mut digest = Digest::default();
    run(&mut world, end, &mut digest);
    (digest.hasher.finish(), world.state_hash(), digest.collisions)
}

#[test]
fn a_frame_arrives_after_its_time_and_is_answered() {
    let mut world = ring(3, 1);
    world.stop_at_text("hello\na");
    let mut digest = Digest::default();
    assert_eq!(world.run(Time::from_ms(20), &mut digest).expect("run"), Halt::Text, "mote 0");
    let sent = digest.last;
    assert_eq!(world.run(Time::from_ms(20), &mut digest).expect("run"), Halt::Text, "a neighbour");
    let character = Time::from_us(87);
    let least = character + AHEAD + AIR_TIME + character + character;
    let took = digest.last - sent;
    assert!(took >= least && took < least + Time::from_us(20), "{took}, not {least}");
}

/// How often something arrives at an antenna.
#[derive(Default)]
struct Arrivals(u64);

impl Sink for Arrivals {
    fn event(&mut self, event: &Event) -> Result<(), Error> {
        self.0 += u64::from(matches!(event.kind, Kind::Arrives { .. }));
        Ok(())
    }
}

#[test]
fn what_arrives_is_told_on_request_and_changes_nothing() {
    let outcome = |tell: bool| {
        let (mut world, mut arrivals) = (ring(3, 1), Arrivals::default());
        if tell {
            world.tell_arrivals();
        }
        world.run(Time::from_ms(20), &mut arrivals).expect("run");
        (arrivals.0, world.state_hash())
    };
    let (silent, told) = (outcome(false), outcome(true));
    assert!(silent.0 == 0 && told.0 > 10, "{} and {}", silent.0, told.0);
    assert_eq!(silent.1, told.1);
}

#[test]
fn the_run_is_the_same_on_any_number_of_threads() {
    for (motes, end) in [(2, 200), (5, 100), (64, 40), (1_000, 12)] {
        let end = Time::from_ms(end);
        let alone = outcome(ring(motes, 1), end);
        assert!(motes < 5 || alone.2 > 0, "frames collide, so that order matters");
        for threads in [2, 4] {
            assert_eq!(outcome(ring(motes, threads), end), alone, "{motes} motes on {threads}");
        }
    }
}

#[test]
fn the_run_is_the_same_in_pieces() {
    let end = Time::from_ms(40);
    let whole = outcome(ring(16, 1), end);
    let mut world = ring(16, 2);
    let mut digest = Digest::default();
    let mut piece = 1;
    while world.now() < end {
        piece = piece * 31 % 997;
        let until = end.min(world.now() + Time::from_ps(piece * 1_234_567));
        run(&mut world, until, &mut digest);
    }
    assert_eq!((digest.hasher.finish(), world.state_hash(), digest.collisions), whole);
}

#[test]
fn a_snapshot_takes_what_is_on_the_air_along() {
    let (half, end) = (Time::from_us(11_111), Time::from_ms(30));
    let mut world = ring(9, 2);
    run(&mut world, half, &mut Digest::default());
    let snapshot = world.snapshot();
    let file = std::env::temp_dir().join(format!("lichen-network-{}", std::process::id()));
    world.save(&file, b"").expect("saved");
    let finish = |world: &mut World| {
        let mut digest = Digest::default();
        run(world, end, &mut digest);
        (digest.hasher.finish(), world.state_hash())
    };
    let expected = finish(&mut world);
    world.restore(&snapshot).expect("the same motes");
    assert_eq!(finish(&mut world), expected);
    let mut other = ring(9, 1);
    other.load(&file).expect("the same motes");
    std::fs::remove_file(&file).expect("removed");
    assert_eq!(finish(&mut other), expected);
}

#[test]
fn a_text_ends_the_run_with_nothing_reported_that_is_later() {
    let mut world = ring(6, 2);
    world.stop_at_text("hello\nab");
    let mut digest = Digest::default();
    assert_eq!(world.run(Time::from_ms(50), &mut digest).expect("run"), Halt::Text);
    let at = digest.last;
    assert!(at < Time::from_ms(10) && world.now() >= at, "{at}");
    let mut halts = 1;
    while world.run(Time::from_ms(50), &mut digest).expect("run") == Halt::Text {
        halts += 1;
    }
    assert!(halts >= 2, "other motes print it, too: {halts}");
    let whole = outcome(ring(6, 1), Time::from_ms(50));
    assert_eq!((digest.hasher.finish(), world.state_hash(), digest.collisions), whole);
}

#[test]
fn a_text_ends_the_run_for_all_motes_at_nearly_the_same_time() {
    let board: Arc<Board> =
        Board::find(&folder("../../board"), "samr21-xpro").expect("a board").into();
    let image: Arc<Image> = Image::load(&folder("tests/data/echo.elf")).expect("an image").into();
    let mut world = World::with_seed(3);
    for _ in 0..3 {
        world.add(Arc::clone(&board), Arc::clone(&image)).expect("a mote");
    }
    let script =
        lichen_scenario::Input::parse("input", "5ms abcd\n").expect("an input file").script;
    world.follow(MoteId(1), script).expect("a mote");
    world.stop_at_text("hello\nab");
    let halt = world.run(Time::from_s(1), &mut Digest::default()).expect("run");
    assert_eq!(halt, Halt::Text);
    assert!(world.latest() - world.now() <= Time::from_us(100), "{}", world.latest());
}

/// Two other devices that send at the same time, once.
struct Others {
    are_reported: bool,
}

impl Medium for Others {
    fn seed(&self) -> u64 {
        0
    }

    fn carry(&mut self, _: MoteId, _: Time, _: &OnAir, _: &mut dyn FnMut(MoteId, i32)) {}

    fn interfere(&mut self, until: Time, reach: &mut dyn FnMut(u32, &Transmission, MoteId, i32)) {
        let begin = Time::from_ms(2);
        if begin >= until || std::mem::replace(&mut self.are_reported, true) {
            return;
        }
        let burst = Transmission {
            number: 0,
            begin,
            end: begin + AIR_TIME,
            frequency_khz: 2_405_000,
            power: 0,
            modulation: Modulation::Noise,
            bytes: [0; BYTES].into(),
        };
        (0..2).for_each(|index| reach(INTERFERENCE + index, &burst, MoteId(0), -6_000));
    }
}

#[test]
fn bursts_of_the_same_time_all_arrive() {
    let mut world = ring(1, 1);
    world.set_medium(Box::new(Others { are_reported: false }));
    let mut digest = Digest::default();
    run(&mut world, Time::from_ms(4), &mut digest);
    assert_eq!(digest.collisions, 1);
}
