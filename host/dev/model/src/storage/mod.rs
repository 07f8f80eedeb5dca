// SPDX-License-Identifier: MIT OR Apache-2.0
//! The meaning of storage: what logs, volumes and counters promise, whatever happens to the medium
//! below them.
//!
//! Each is a state of its own that knows nothing of how pages are written. Where the headers leave
//! an outcome open, such as whether a record that was not synchronized is there after a power cut,
//! the state has several successors; a comparison follows all that agree with what it observes.

mod block;
mod counter;
mod log;

pub use block::{BlockCall, Volumes};
pub use counter::{Counter, CounterCall};
pub use log::{Log, LogCall, Record, Seek};

/// Bytes of a page that can be used (`STORAGE_ROOM`).
pub const ROOM: usize = 248;

/// What a call has returned.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a> {
    /// Its result.
    pub result: i32,
    /// Its other value: a length, a position, a CRC, a count.
    pub value: u32,
    /// The bytes that it may have read.
    pub bytes: &'a [u8],
}

/// What the medium did during a call, and what is wrong with it for ever.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Medium {
    /// An operation may have failed, so a call may return `ERR_IO`.
    pub fails: bool,
    /// The pages that do not keep what is written to them, a bit for each, from the object's first.
    pub worn: u32,
    /// A page was damaged at rest, ever.
    pub rotten: bool,
}

impl Medium {
    pub(crate) fn worn_pages(&self) -> usize {
        self.worn.count_ones() as usize
    }
}
