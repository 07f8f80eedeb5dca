// SPDX-License-Identifier: MIT OR Apache-2.0
//! Calls on storage as the firmware reads them (`test/model/storage/storage.c`), and where its objects are.

use crate::command;
use lichen_model::storage::{BlockCall, CounterCall, Log, LogCall, Seek};
use std::ops::Range;

/// The logs' pages, and for how many they have room: a ring, and one that ends.
pub(super) const LOGS: [(Range<usize>, bool, usize); 2] = [(0..6, true, 3), (6..11, false, 2)];
/// The volumes' pages: bytes, and the first page among those of all volumes.
pub(super) const VOLUMES: [(u32, usize); 2] = [(400, 0), (100, 4)];
/// The pages of all volumes, and of the counter.
pub(super) const OF_VOLUMES: Range<usize> = 11..18;
pub(super) const OF_COUNTER: Range<usize> = 18..22;
/// `PLAYED_PAGES`, and the bytes of a page.
pub(super) const PAGES: usize = 22;
pub(super) const PAGE: usize = 256;

/// A call on one of the objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Call {
    /// On a log.
    Log(usize, LogCall),
    /// On a volume.
    Block(BlockCall),
    /// On the counter.
    Counter(CounterCall),
}

/// What an operation of the medium does in the course of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// Power fails in the operation after so many that change a page, when so many bytes are done.
    Cut(u16, u16),
    /// That operation fails alone.
    Fail(u16, u16),
    /// The read after so many fails alone.
    Unread(u16),
    /// Nothing answers.
    Absent,
}

/// What precedes a call: its fault, if it has one.
pub(super) fn fault(fault: Option<Fault>) -> Command {
    match fault {
        Some(Fault::Cut(after, torn)) => encode(15, 0, after.into(), torn.into()),
        Some(Fault::Fail(after, torn)) => encode(16, 0, after.into(), torn.into()),
        Some(Fault::Unread(after)) => encode(17, 0, after.into(), 0),
        Some(Fault::Absent) => encode(18, 0, 0, 0),
        None => encode(19, 0, 0, 0),
    }
}

/// Pages that do not keep what is written to them.
pub(super) fn worn(pages: u32) -> Command {
    encode(20, 0, pages, 0)
}

pub(super) type Command = [u8; command::BYTES as usize];

/// A call, and the bytes that it appends or writes. `log` is one of the states in which its log may be.
pub(super) fn call(call: Call, log: Option<&Log>) -> (Command, Vec<u8>) {
    let none = Vec::new();
    match call {
        Call::Log(object, LogCall::Append(record)) => {
            (encode(1, object, record.length, 0), record.bytes())
        }
        Call::Log(object, LogCall::Sync) => (encode(2, object, 0, 0), none),
        Call::Log(object, LogCall::Read(room)) => (encode(3, object, room, 0), none),
        Call::Log(object, LogCall::Seek(to)) => {
            let position = match to {
                Seek::Oldest => 0,
                Seek::Newest => u32::MAX,
                Seek::Told(told) => log.and_then(|log| log.position(told)).unwrap_or(0),
            };
            (encode(4, object, position, 0), none)
        }
        Call::Log(object, LogCall::Tell) => (encode(5, object, 0, 0), none),
        Call::Log(object, LogCall::Erase) => (encode(6, object, 0, 0), none),
        Call::Block(BlockCall::Read(object, offset, length)) => {
            (encode(7, object, offset, length), none)
        }
        Call::Block(BlockCall::Write(object, offset, length, byte)) => {
            (encode(8, object, offset, length), vec![byte; length as usize])
        }
        Call::Block(BlockCall::Sync(object)) => (encode(9, object, 0, 0), none),
        Call::Block(BlockCall::Erase(object)) => (encode(10, object, 0, 0), none),
        Call::Block(BlockCall::Crc(object, offset, length)) => {
            (encode(11, object, offset, length), none)
        }
        Call::Counter(CounterCall::Take(count)) => (encode(12, 0, count, 0), none),
        Call::Counter(CounterCall::Reserve) => (encode(13, 0, 0, 0), none),
        Call::Counter(CounterCall::Restart) => (encode(14, 0, 0, 0), none),
    }
}

fn encode(code: u8, object: usize, value: u32, time: u32) -> Command {
    let mut bytes = Command::default();
    (bytes[0], bytes[1]) = (code, object as u8);
    bytes[4..8].copy_from_slice(&value.to_le_bytes());
    bytes[8..12].copy_from_slice(&time.to_le_bytes());
    bytes
}
