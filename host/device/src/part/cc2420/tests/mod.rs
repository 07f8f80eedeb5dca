// SPDX-License-Identifier: MIT OR Apache-2.0
//! Radios of their own, with a master each, and air between them.

mod access;
mod air;
mod clear;
mod filter;
mod random;
mod receive;
mod secure;
mod states;
mod transmit;

use super::*;
use crate::air::{AHEAD, Fate, Frame, Modulation, OnAir, Passage, Transmission, fcs};
use crate::{Environment, Report};
use lichen_chip::{BitTime, Word};

const WIRES: &[(&str, &str)] = &[
    ("mosi", "PB2"),
    ("sck", "PB1"),
    ("miso", "PB3"),
    ("select", "PB0"),
    ("reset", "PA6"),
    ("regulator", "PA5"),
    ("fifo", "PB7"),
    ("fifop", "PE6"),
    ("cca", "PD6"),
    ("sfd", "PD4"),
];

const MOSI: PinId = PinId { port: 1, bit: 2 };
const SELECT: PinId = PinId { port: 1, bit: 0 };
const RESET: PinId = PinId { port: 0, bit: 6 };
const VREG_EN: PinId = PinId { port: 0, bit: 5 };
const FIFO: PinId = PinId { port: 1, bit: 7 };
const FIFOP: PinId = PinId { port: 4, bit: 6 };
const CCA: PinId = PinId { port: 3, bit: 6 };
const SFD: PinId = PinId { port: 3, bit: 4 };

const SNOP: u8 = 0x00;
const SXOSCON: u8 = 0x01;
const STXCAL: u8 = 0x02;
const SRXON: u8 = 0x03;
const STXON: u8 = 0x04;
const STXONCCA: u8 = 0x05;
const SRFOFF: u8 = 0x06;
const SXOSCOFF: u8 = 0x07;
const SFLUSHRX: u8 = 0x08;
const SFLUSHTX: u8 = 0x09;
const SACK: u8 = 0x0A;
const SACKPEND: u8 = 0x0B;
const SRXDEC: u8 = 0x0C;
const STXENC: u8 = 0x0D;
const SAES: u8 = 0x0E;

const MDMCTRL0: u8 = 0x11;
const FSMSTATE: u8 = 0x2C;
const IOCFG0: u8 = 0x1C;
/// MDMCTRL0 without address recognition.
const PLAIN: u16 = 0x02E2;

/// A byte of SPI at 4 MHz takes this long.
const WORD: Time = Time::from_us(2);
/// Power of what arrives, in hundredths of a dBm.
const POWER: i32 = -6_000;

/// One radio, and what it has done.
struct Mote {
    device: Box<dyn Device>,
    levels: Vec<(PinId, Level)>,
    /// Changes of its outputs.
    edges: Vec<(Time, PinId, bool)>,
    on_air: Vec<(Time, OnAir)>,
    reports: Vec<(Time, Report)>,
}

/// Radios that hear each other.
struct Rig {
    motes: Vec<Mote>,
    environment: Environment,
    now: Time,
    /// What arrives, and at which mote.
    arriving: Vec<(Time, usize, Reception)>,
}

impl Rig {
    /// Radios with power.
    fn powered(motes: usize) -> Rig {
        let motes = (0..motes).map(|_| Mote::new()).collect();
        let environment = Environment::usual();
        let mut rig = Rig { motes, environment, now: Time::ZERO, arriving: Vec::new() };
        (0..rig.motes.len()).for_each(|mote| {
            rig.serve(mote, |device, around| device.power_on(around));
        });
        rig
    }

    /// Radios in IDLE, without address recognition.
    fn idle(motes: usize) -> Rig {
        let mut rig = Rig::powered(motes);
        (0..motes).for_each(|mote| rig.drive(mote, VREG_EN, Level::High));
        rig.pass_us(300);
        (0..motes).for_each(|mote| {
            rig.strobe(mote, SXOSCON);
            rig.write(mote, MDMCTRL0, PLAIN);
        });
        rig.pass_us(1_000);
        rig
    }

    /// Radios that listen, and have assessed their channel.
    fn listening(motes: usize) -> Rig {
        let mut rig = Rig::idle(motes);
        (0..motes).for_each(|mote| {
            rig.strobe(mote, SRXON);
        });
        rig.pass_us(500);
        rig.forget();
        rig
    }

    /// Forgets what happened.
    fn forget(&mut self) {
        for mote in &mut self.motes {
            (mote.edges, mote.on_air, mote.reports) = Default::default();
        }
    }

    fn serve(
        &mut self,
        mote: usize,
        what: impl FnOnce(&mut dyn Device, &mut Surroundings<'_>),
    ) -> Vec<Act> {
        let (now, environment) = (self.now, &self.environment);
        let mut acts = Vec::new();
        let device = self.motes[mote].device.as_mut();
        let promised = device.acts_on_air(now);
        what(device, &mut Surroundings { now, environment, acts: &mut acts });
        for act in &acts {
            self.note(mote, act, promised);
        }
        acts
    }

    fn note(&mut self, mote: usize, act: &Act, promised: Time) {
        let now = self.now;
        let it = &mut self.motes[mote];
        match act {
            Act::Drive(Input::Pin { pin, level }) => it.driven(now, *pin, *level),
            Act::Report(report) => it.reports.push((now, report.clone())),
            Act::Radio(what) => {
                assert!(promised <= now, "{what:?} at {now}, not before {promised}");
                it.on_air.push((now, what.clone()));
                for receiver in (0..self.motes.len()).filter(|other| *other != mote) {
                    let (sender, receiver) = (mote as u32, receiver as u32);
                    let passage = Passage { seed: 1, sender, receiver };
                    let reception = Reception { passage, what: what.clone(), power: POWER };
                    self.arriving.push((now + AHEAD, receiver as usize, reception));
                }
            }
            Act::Drive(_) => {}
        }
    }

    /// Time passes up to `until`.
    fn run(&mut self, until: Time) {
        loop {
            let due = self.motes.iter().map(|mote| mote.device.due()).min().expect("a mote");
            let arrival = self.arriving.iter().map(|(time, ..)| *time).min();
            let arrival = arrival.unwrap_or(Time::NEVER);
            let next = due.min(arrival);
            if next > until {
                break;
            }
            assert!(next >= self.now, "{next} is over at {}", self.now);
            self.now = next;
            if due <= next {
                let mote = self.motes.iter().position(|mote| mote.device.due() <= next);
                self.serve(mote.expect("one"), |device, around| device.fire(around));
                continue;
            }
            let at = self.arriving.iter().position(|(time, ..)| *time == next).expect("one");
            let (_, mote, reception) = self.arriving.remove(at);
            self.serve(mote, |device, around| device.receive(around, &reception));
        }
        self.now = until;
    }

    fn pass_us(&mut self, us: u64) {
        self.run(self.now + Time::from_us(us));
    }

    fn drive(&mut self, mote: usize, pin: PinId, level: Level) {
        self.serve(mote, |device, around| device.level(around, pin, level));
    }

    /// Begins a word, and says what comes back.
    fn word(&mut self, mote: usize, word: Word) -> Option<u8> {
        let transfer = Transfer::Spi(word);
        let acts = self.serve(mote, |device, around| device.transfer(around, MOSI, transfer));
        acts.iter().find_map(|act| match act {
            Act::Drive(Input::Reply { reply: Reply::Word(word), .. }) => Some(*word as u8),
            _ => None,
        })
    }

    /// Exchanges bytes, while it stays selected.
    fn bytes(&mut self, mote: usize, bytes: &[u8]) -> Vec<Option<u8>> {
        let exchange = |byte: &u8| {
            let answer = self.word(mote, word(*byte));
            self.run(self.now + WORD);
            answer
        };
        bytes.iter().map(exchange).collect()
    }

    /// Exchanges bytes. It answers all of them.
    fn spi(&mut self, mote: usize, bytes: &[u8]) -> Vec<u8> {
        self.drive(mote, SELECT, Level::Low);
        let answers = self.bytes(mote, bytes);
        self.drive(mote, SELECT, Level::High);
        answers.into_iter().map(|answer| answer.expect("an answer")).collect()
    }

    /// A strobe, and the status from before it.
    fn strobe(&mut self, mote: usize, strobe: u8) -> u8 {
        self.spi(mote, &[strobe])[0]
    }

    fn status(&mut self, mote: usize) -> u8 {
        self.strobe(mote, SNOP)
    }

    fn read(&mut self, mote: usize, register: u8) -> u16 {
        let answer = self.spi(mote, &[0x40 | register, 0, 0]);
        u16::from_be_bytes([answer[1], answer[2]])
    }

    fn write(&mut self, mote: usize, register: u8, value: u16) {
        let [high, low] = value.to_be_bytes();
        self.spi(mote, &[register, high, low]);
    }

    fn write_ram(&mut self, mote: usize, at: usize, bytes: &[u8]) {
        let address = [0x80 | (at & 0x7F) as u8, ((at >> 7) << 6) as u8];
        self.spi(mote, &[&address, bytes].concat());
    }

    fn read_ram(&mut self, mote: usize, at: usize, count: usize) -> Vec<u8> {
        let address = [0x80 | (at & 0x7F) as u8, ((at >> 7) << 6) as u8 | 0x20];
        self.spi(mote, &[&address[..], &vec![0; count]].concat())[2..].to_vec()
    }

    /// Fills the TXFIFO.
    fn load(&mut self, mote: usize, bytes: &[u8]) {
        self.spi(mote, &[&[0x3E], bytes].concat());
    }

    /// Takes bytes from the RXFIFO.
    fn unload(&mut self, mote: usize, count: usize) -> Vec<u8> {
        self.spi(mote, &[&[0x7F][..], &vec![0; count]].concat())[1..].to_vec()
    }

    /// FSM_CUR_STATE, without the time that it takes to ask.
    fn state(&self, mote: usize) -> u16 {
        self.chip(mote).state.number()
    }

    /// What the radio is inside, by what it saves.
    fn chip(&self, mote: usize) -> Chip {
        let saved = self.motes[mote].device.save();
        borsh::from_slice::<Cc2420>(&saved).expect("its state").chip
    }

    fn is_high(&self, mote: usize, pin: PinId) -> bool {
        self.motes[mote].levels.iter().any(|(it, level)| *it == pin && *level == Level::High)
    }

    /// FIFO, FIFOP and SFD.
    fn pins(&self, mote: usize) -> [bool; 3] {
        [FIFO, FIFOP, SFD].map(|pin| self.is_high(mote, pin))
    }

    /// When an output changed, in microseconds.
    fn edges(&self, mote: usize, pin: PinId) -> Vec<(u64, bool)> {
        let edges = self.motes[mote].edges.iter().filter(|(_, it, _)| *it == pin);
        edges.map(|(time, _, high)| (time.us(), *high)).collect()
    }

    /// What it has said.
    fn mismatches(&self, mote: usize) -> Vec<&str> {
        let texts = self.motes[mote].reports.iter().filter_map(|(_, report)| match report {
            Report::Mismatch(text) => Some(text.as_str()),
            _ => None,
        });
        texts.collect()
    }

    /// The frames that it has sent.
    fn sent(&self, mote: usize) -> Vec<(Time, Frame)> {
        let sent = self.motes[mote].reports.iter().filter_map(|(time, report)| match report {
            Report::Sent(frame) => Some((*time, frame.clone())),
            _ => None,
        });
        sent.collect()
    }

    /// What became of the frames that it has heard, and their bytes.
    fn heard(&self, mote: usize) -> Vec<(Fate, Vec<u8>)> {
        let heard = self.motes[mote].reports.iter().filter_map(|(_, report)| match report {
            Report::Heard { frame, fate, .. } => Some((*fate, frame.bytes.clone())),
            _ => None,
        });
        heard.collect()
    }

    /// A frame of another mote arrives: its length byte and what follows. Returns when its length begins, and when it
    /// ends.
    fn hears(&mut self, mote: usize, number: u32, length: u8, bytes: &[u8], power: i32) -> Time {
        let begin = self.now;
        let modulation = Modulation::Oqpsk { header: 6, kbps: 250 };
        let bytes: Vec<u8> = [&[0, 0, 0, 0, 0xA7, length], bytes].concat();
        let end = begin + modulation.offset(bytes.len());
        let what = OnAir::Begins(Transmission {
            number,
            begin,
            end,
            frequency_khz: 2_405_000,
            power: 0,
            modulation,
            bytes: bytes.into(),
        });
        let passage = Passage { seed: 1, sender: 7, receiver: mote as u32 };
        let reception = Reception { passage, what, power };
        self.serve(mote, |device, around| device.receive(around, &reception));
        end
    }

    /// A frame of another mote arrives, with its checksum, and is over.
    fn hear(&mut self, mote: usize, number: u32, bytes: &[u8]) {
        let frame = checked(bytes);
        let end = self.hears(mote, number, frame.len() as u8, &frame, POWER);
        self.run(end + Time::from_us(3));
    }
}

impl Mote {
    fn new() -> Mote {
        let device =
            connect(&RadioWires::of(WIRES), &RadioCrystal { hz: None, ppm: 0 }).expect("this one");
        let (levels, edges, on_air, reports) = Default::default();
        Mote { device, levels, edges, on_air, reports }
    }

    fn driven(&mut self, now: Time, pin: PinId, level: Level) {
        self.levels.retain(|(it, _)| *it != pin);
        self.levels.push((pin, level));
        self.edges.push((now, pin, level == Level::High));
    }
}

fn word(byte: u8) -> Word {
    Word { data: byte.into(), bits: 8, mode: 0, bit_time: BitTime::from_ns(250) }
}

/// Bytes with their checksum.
fn checked(bytes: &[u8]) -> Vec<u8> {
    [bytes, &fcs(bytes).to_le_bytes()].concat()
}

/// A data frame to everybody, with so many bytes after its length and without its checksum.
fn data(count: usize) -> Vec<u8> {
    let header = [0x41, 0x88, 0x55, 0xFF, 0xFF, 0xFF, 0xFF, 0x34, 0x12];
    let payload = (0..).map(|index: usize| (index * 7) as u8);
    header.into_iter().chain(payload).take(count).collect()
}
