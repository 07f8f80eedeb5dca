// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use crate::Environment;
use lichen_chip::Pull;

const OUT: PinId = PinId { port: 0, bit: 4 };
const INTO: PinId = PinId { port: 0, bit: 5 };

fn frame(data: u16, baud: u64) -> Frame {
    let bit_time = BitTime::from_hz(baud);
    Frame { data, data_bits: 8, parity: None, stop_bits: 1, bit_time }
}

/// A port at 115200 baud, and what it does from now on.
struct Bench {
    port: SerialPort,
    now: Time,
    acts: Vec<Act>,
}

impl Bench {
    fn new() -> Bench {
        Bench {
            port: SerialPort::new("console", OUT, INTO, 115_200),
            now: Time::from_ms(1),
            acts: Vec::new(),
        }
    }

    fn receive(&mut self, frame: Frame) {
        let mut around = Surroundings {
            now: self.now,
            environment: &Environment::usual(),
            acts: &mut self.acts,
        };
        self.port.frame(&mut around, OUT, frame);
        self.run_until(self.now + frame.length());
    }

    fn run_until(&mut self, until: Time) {
        while self.port.due() <= until {
            self.now = self.now.max(self.port.due());
            self.port.fire(&mut Surroundings {
                now: self.now,
                environment: &Environment::usual(),
                acts: &mut self.acts,
            });
        }
        self.now = until;
    }

    fn printed(&self) -> Vec<u8> {
        let character = |act: &Act| match act {
            Act::Report(Report::Character { data, from_mote: true, .. }) => Some(*data),
            _ => None,
        };
        self.acts.iter().filter_map(character).collect()
    }

    fn complaints(&self) -> Vec<&str> {
        let mut complaints = Vec::new();
        for act in &self.acts {
            if let Act::Report(Report::Mismatch(text)) = act {
                complaints.push(text.as_str());
            }
        }
        complaints
    }
}

#[test]
fn characters_come_when_their_last_bit_has() {
    let mut bench = Bench::new();
    let sent = frame(b'A' as u16, 115_200);
    let mut around =
        Surroundings { now: bench.now, environment: &Environment::usual(), acts: &mut bench.acts };
    bench.port.frame(&mut around, OUT, sent);
    assert_eq!(bench.port.due(), bench.now + sent.length());
    bench.run_until(bench.now + sent.length());
    assert_eq!(bench.printed(), b"A");
    assert!(bench.complaints().is_empty());
}

#[test]
fn a_character_whose_pin_is_let_go_does_not_come() {
    let mut bench = Bench::new();
    for (level, printed) in [(Level::High, &b"A"[..]), (Level::Floating(Pull::None), b"")] {
        let mut around = Surroundings {
            now: bench.now,
            environment: &Environment::usual(),
            acts: &mut bench.acts,
        };
        bench.port.frame(&mut around, OUT, frame(b'A' as u16, 115_200));
        bench.port.level(&mut around, OUT, level);
        bench.run_until(bench.now + Time::from_ms(1));
        assert_eq!(bench.printed(), printed);
        bench.acts.clear();
    }
}

#[test]
fn a_small_deviation_is_borne_in_silence() {
    let mut bench = Bench::new();
    for data in [0x00, 0xFF, 0x55, 0xAA] {
        bench.receive(frame(data, 117_000));
        bench.receive(frame(data, 113_400));
    }
    assert_eq!(bench.printed(), [0, 0, 0xFF, 0xFF, 0x55, 0x55, 0xAA, 0xAA]);
    assert!(bench.complaints().is_empty());
}

#[test]
fn an_unusual_rate_garbles_and_is_named_once() {
    let mut bench = Bench::new();
    bench.receive(frame(0x80, 126_000));
    bench.receive(frame(0x80, 126_000));
    assert_ne!(bench.printed(), [0x80, 0x80], "sampled too late");
    assert_eq!(
        bench.complaints(),
        ["baud rate of the console is off by 9.4 %: got 126000, expected 115200"]
    );
}

#[test]
fn another_usual_rate_is_followed_both_ways() {
    let mut bench = Bench::new();
    for data in *b"hi" {
        bench.receive(frame(data as u16, 9_600));
    }
    assert_eq!(bench.printed(), b"hi");
    assert_eq!(bench.complaints().len(), 1);
    assert!(bench.complaints()[0].starts_with("the mote sends at 9600 baud"));
    let mut around =
        Surroundings { now: bench.now, environment: &Environment::usual(), acts: &mut bench.acts };
    assert!(bench.port.stimulate(&mut around, &Stimulus::Type(b"x".to_vec())));
    bench.run_until(bench.now + Time::from_ms(2));
    let Some(Act::Drive(Input::Frame { frame, .. })) =
        bench.acts.iter().find(|act| matches!(act, Act::Drive(_)))
    else {
        panic!("nothing sent");
    };
    assert_eq!(frame.bit_time, BitTime::from_hz(9_600));
}

#[test]
fn a_missing_stop_bit_is_a_framing_error() {
    let mut bench = Bench::new();
    bench.receive(Frame { parity: Some(false), ..frame(0x41, 115_200) });
    bench.receive(Frame { parity: Some(true), ..frame(0x41, 115_200) });
    assert_eq!(bench.printed(), [0x41, 0x41]);
    assert_eq!(bench.complaints().len(), 1);
    assert!(bench.complaints()[0].starts_with("framing error on the console"));
}

#[test]
fn typed_characters_leave_at_line_rate() {
    let mut bench = Bench::new();
    let start = bench.now;
    let mut around =
        Surroundings { now: start, environment: &Environment::usual(), acts: &mut bench.acts };
    assert!(bench.port.stimulate(&mut around, &Stimulus::Type(b"ab".to_vec())));
    assert!(!bench.port.stimulate(&mut around, &Stimulus::Press));
    let length = frame(0, 115_200).length();
    bench.run_until(start + length - Time::UNIT);
    let sent = |bench: &Bench| bench.acts.iter().filter(|act| matches!(act, Act::Drive(_))).count();
    assert_eq!(sent(&bench), 1, "the line is busy with the first");
    bench.run_until(start + length);
    assert_eq!(sent(&bench), 2);
    assert_eq!(bench.port.due(), Time::NEVER);
}

#[test]
fn the_line_to_the_mote_rests_high() {
    let mut bench = Bench::new();
    bench.port.power_on(&mut Surroundings {
        now: bench.now,
        environment: &Environment::usual(),
        acts: &mut bench.acts,
    });
    assert_eq!(bench.acts, [Act::Drive(Input::Pin { pin: INTO, level: Level::High })]);
}

#[test]
fn a_listener_takes_the_rate_of_the_first_character_and_sends_nothing() {
    let mut bench = Bench::new();
    bench.port = SerialPort::listener(OUT, &frame(0, 9_580));
    let mut around =
        Surroundings { now: bench.now, environment: &Environment::usual(), acts: &mut bench.acts };
    bench.port.power_on(&mut around);
    assert!(!bench.port.stimulate(&mut around, &Stimulus::Type(b"x".to_vec())));
    assert!(bench.acts.is_empty());
    bench.receive(frame(b'A' as u16, 9_580));
    assert_eq!((bench.port.name(), bench.port.baud()), ("PA04", 9_600));
    assert_eq!(bench.printed(), b"A");
    assert!(bench.complaints().is_empty());
    assert_eq!(SerialPort::listener(OUT, &frame(0, 126_000)).baud(), 126_000, "no usual rate");
}
