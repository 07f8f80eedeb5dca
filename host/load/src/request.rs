// SPDX-License-Identifier: MIT OR Apache-2.0
//! Requests and answers.

use crate::error::MoteError;
use crate::frame::Frame;
use crate::job::{Program, State};
use lichen_chip::Time;

/// The version of the protocol that is spoken here.
pub const PROTOCOL: u8 = 1;
/// Bytes of a container in one request.
pub const PIECE: usize = 64;
/// Flags of a program.
const ON_TRIAL: u8 = 1;
const OLD: u8 = 2;
const RUNS: u8 = 4;
/// The first bit of why it has ended.
const FAILED: u8 = 4;
/// `LOADER_FAILURES` of `lichen/loader.h`.
const CRASHES: u8 = 3;
/// What is added to a request's type in its answer.
const ANSWER: u8 = 0x80;

/// What a request asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
#[borsh(use_discriminant = true)]
pub enum Kind {
    /// What the mote is.
    Hello = 1,
    /// The groups of calls that it has.
    Groups = 2,
    /// To take a container.
    Begin = 3,
    /// To take a piece of it.
    Data = 4,
    /// To install what came.
    End = 5,
    /// What a program is.
    List = 6,
    /// To start a program.
    Start = 7,
    /// To stop one.
    Stop = 8,
    /// To remove one.
    Remove = 9,
    /// Never to take an older version of one.
    Floor = 10,
    /// To take a container, and to pass it on to all motes.
    ToAll = 11,
}

impl Kind {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Hello => "hello",
            Kind::Groups => "groups",
            Kind::Begin => "begin",
            Kind::Data => "data",
            Kind::End => "end",
            Kind::List => "list",
            Kind::Start => "start",
            Kind::Stop => "stop",
            Kind::Remove => "remove",
            Kind::Floor => "floor",
            Kind::ToAll => "to all",
        }
    }

    /// How long to wait for the answer.
    pub fn patience(self) -> Time {
        match self {
            Kind::Hello | Kind::Groups | Kind::Data | Kind::List => Time::from_ms(300),
            _ => Time::from_s(2),
        }
    }
}

/// A request.
#[derive(Clone, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub struct Request {
    pub kind: Kind,
    pub payload: Vec<u8>,
}

impl Request {
    pub fn new(kind: Kind, payload: impl Into<Vec<u8>>) -> Request {
        Request { kind, payload: payload.into() }
    }

    pub fn frame(&self, sequence: u8) -> Frame {
        Frame { kind: self.kind as u8, sequence, payload: self.payload.clone() }
    }

    /// Whether a frame is its answer.
    pub fn is_answered(&self, sequence: u8, frame: &Frame) -> bool {
        frame.kind == self.kind as u8 | ANSWER && frame.sequence == sequence
    }
}

/// What an answer comes to: what it says, or why and where the mote refuses. `None` if it makes no sense.
pub fn answered(payload: &[u8]) -> Option<Result<&[u8], (MoteError, u32)>> {
    let (status, rest) = payload.split_first()?;
    if *status == 0 {
        return Some(Ok(rest));
    }
    let place = u32::from_le_bytes(*rest.first_chunk()?);
    Some(Err((MoteError(*status), place)))
}

/// What a mote says of itself.
#[derive(Clone, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub struct Hello {
    /// Version of its protocol.
    pub protocol: u8,
    /// Its machine, as in containers.
    pub machine: u8,
    /// Bytes of flash that are free in one piece.
    pub flash: u32,
    /// The largest free block of RAM.
    pub ram: u16,
    /// Number of groups of calls.
    pub groups: u8,
    /// What its image offers to programs, as a number.
    pub identity: u16,
    /// Its image, if it says so.
    pub image: Option<Program>,
}

impl Hello {
    pub(crate) fn read(bytes: &[u8]) -> Option<Hello> {
        let (head, rest) = bytes.split_first_chunk::<11>()?;
        let [protocol, machine, f0, f1, f2, f3, r0, r1, groups, i0, i1] = *head;
        Some(Hello {
            protocol,
            machine,
            flash: u32::from_le_bytes([f0, f1, f2, f3]),
            ram: u16::from_le_bytes([r0, r1]),
            groups,
            identity: u16::from_le_bytes([i0, i1]),
            image: image(rest),
        })
    }
}

/// The image itself, among programs.
fn image(bytes: &[u8]) -> Option<Program> {
    let (&[f0, f1, f2, f3, r0, r1], name) = bytes.split_first_chunk()?;
    Some(Program {
        name: text(name),
        state: State::Image,
        failures: 0,
        version: 0,
        threads: 0,
        flash: u32::from_le_bytes([f0, f1, f2, f3]),
        ram: u16::from_le_bytes([r0, r1]).into(),
    })
}

/// Groups and their fingerprints: three bytes each.
pub fn groups(bytes: &[u8]) -> Option<Vec<(u8, u16)>> {
    (bytes.len() % 3 == 0).then(|| rows(bytes).collect())
}

pub fn rows(bytes: &[u8]) -> impl Iterator<Item = (u8, u16)> {
    bytes.chunks_exact(3).map(|row| (row[0], u16::from_le_bytes([row[1], row[2]])))
}

/// A row of the mote's directory; `None` inside if there is no program in it.
pub fn program(bytes: &[u8]) -> Option<Option<Program>> {
    let (head, name) = bytes.split_first_chunk::<12>()?;
    let [state, flags, failures, threads, v0, v1, f0, f1, l0, l1, d0, d1] = *head;
    let state = match (state, flags & OLD != 0) {
        (0, _) => return Some(None),
        (1, true) => State::Old,
        (1, false) if flags & ON_TRIAL == 0 && failures >= CRASHES => State::Crashed,
        (1, false) => State::Stopped,
        (2, _) if flags & RUNS == 0 => ended(flags >> FAILED),
        (2, _) if flags & ON_TRIAL != 0 => State::OnTrial,
        (2, _) => State::Running,
        (3, _) => State::Dead,
        _ => return None,
    };
    let ram = [u16::from_le_bytes([l0, l1]), u16::from_le_bytes([d0, d1])];
    Some(Some(Program {
        name: text(name),
        state,
        failures,
        version: u16::from_le_bytes([v0, v1]),
        threads,
        flash: u16::from_le_bytes([f0, f1]).into(),
        ram: ram.into_iter().map(u32::from).sum(),
    }))
}

/// How a program has ended: `enum panic_reason` (`os/include/lichen/panic.h`), or 0.
fn ended(reason: u8) -> State {
    match reason {
        1 => State::Asserted,
        2 => State::Faulted,
        3 => State::Overflowed,
        _ => State::Ended,
    }
}

fn text(bytes: &[u8]) -> String {
    bytes.escape_ascii().to_string()
}
