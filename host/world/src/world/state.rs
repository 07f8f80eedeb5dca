// SPDX-License-Identifier: MIT OR Apache-2.0
//! States of whole worlds, to be restored: in memory, or in a file.
//!
//! A world can restore a state if it has the same motes: boards and images, in the same order.
//! Settings for observing it (breakpoints, texts and warnings to stop at, details) are not part of
//! the state; the user's input is, past and yet to come.

use super::{Seat, World};
use crate::mote::{Misfit, MoteState, SavedMote};
use crate::watch::TextWatch;
use crate::{Mote, Script, SnapshotError};
use lichen_chip::Time;
use lichen_image::Image;
use lichen_trace::Event;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// The whole state of a world at one moment, in memory.
#[derive(Clone, Debug)]
pub struct Snapshot {
    seats: Vec<SeatState>,
    waiting: BTreeMap<(Time, u32, u64), Event>,
    sequence: u64,
    text: Option<TextWatch>,
}

#[derive(Clone, Debug)]
struct SeatState {
    image: Arc<Image>,
    mote: MoteState,
    script: Script,
    done: usize,
    recording: Script,
}

/// What a file starts with.
const MAGIC: &[u8; 8] = b"LICHENSS";
/// Changes whenever the state of a part of a mote is written differently.
const FORMAT: u32 = 1;
/// Of this simulator.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What follows the format's number in a file, before the state: readable by every version.
#[derive(Debug, Serialize, Deserialize)]
struct Header {
    version: String,
    motes: Vec<Identity>,
    /// Number of the state's bytes, to find damage.
    hash: u64,
}

/// What must be equal in a mote and the one that was saved.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Identity {
    board: String,
    chip: String,
    image: String,
    /// Number of the image's contents.
    contents: u64,
}

#[derive(Serialize, Deserialize)]
struct SavedWorld {
    seed: u64,
    sequence: u64,
    text: Option<TextWatch>,
    seats: Vec<SavedSeat>,
}

#[derive(Serialize, Deserialize)]
struct SavedSeat {
    mote: SavedMote,
    script: Script,
    done: usize,
    recording: Script,
}

impl World {
    /// The present state, to be restored later: a copy in memory, made in microseconds.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            seats: self.seats.iter().map(Seat::state).collect(),
            waiting: self.waiting.clone(),
            sequence: self.sequence,
            text: self.text.clone(),
        }
    }

    /// Restores a state of this world, or of another one with the same motes.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        let same =
            |(seat, state): (&Seat, &SeatState)| Arc::ptr_eq(seat.mote.image(), &state.image);
        if self.seats.len() != snapshot.seats.len()
            || !self.seats.iter().zip(&snapshot.seats).all(same)
        {
            return Err(SnapshotError::OtherWorld);
        }
        for (seat, state) in self.seats.iter_mut().zip(&snapshot.seats) {
            seat.mote.restore(&state.mote).map_err(|_| SnapshotError::OtherWorld)?;
            seat.script.clone_from(&state.script);
            seat.done = state.done;
            seat.recording.clone_from(&state.recording);
        }
        self.waiting.clone_from(&snapshot.waiting);
        self.sequence = snapshot.sequence;
        self.restore_text(snapshot.text.as_ref());
        Ok(())
    }

    /// Writes the state to a file. All events must have been passed to a sink.
    pub fn save(&self, path: &Path) -> Result<(), SnapshotError> {
        if !self.waiting.is_empty() {
            return Err(SnapshotError::Undelivered { now: self.now() });
        }
        let saved = SavedWorld {
            seed: self.seed,
            sequence: self.sequence,
            text: self.text.clone(),
            seats: self.seats.iter().map(Seat::saved).collect(),
        };
        let state = bytes(&saved);
        let motes = self.seats.iter().map(|seat| Identity::of(&seat.mote)).collect();
        let header = Header { version: VERSION.to_string(), motes, hash: xxh3_64(&state) };
        let file = [MAGIC.as_slice(), &FORMAT.to_le_bytes(), &bytes(&header), &state].concat();
        write(path, &file)
            .map_err(|source| SnapshotError::Write { path: path.to_path_buf(), source })
    }

    /// Restores the state in a file, which [`World::save`] of a world with the same motes wrote.
    pub fn load(&mut self, path: &Path) -> Result<(), SnapshotError> {
        let file = std::fs::read(path)
            .map_err(|source| SnapshotError::Read { path: path.to_path_buf(), source })?;
        let (header, state) = open(path, &file)?;
        self.check(path, &header)?;
        let damaged = |what: String| SnapshotError::Damaged { path: path.to_path_buf(), what };
        if xxh3_64(state) != header.hash {
            return Err(damaged("its checksum is wrong".to_string()));
        }
        let saved: SavedWorld =
            postcard::from_bytes(state).map_err(|error| damaged(error.to_string()))?;
        self.take(saved).map_err(|misfit| damaged(misfit.to_string()))
    }

    /// A hash of the state: two runs with the same hash continue identically.
    pub fn state_hash(&self) -> u64 {
        let motes = self.seats.iter().map(|seat| (seat.mote.hashed(), seat.done));
        xxh3_64(&bytes(&motes.collect::<Vec<_>>()))
    }

    fn take(&mut self, saved: SavedWorld) -> Result<(), Misfit> {
        for (seat, state) in self.seats.iter_mut().zip(saved.seats) {
            seat.mote.load(&state.mote)?;
            seat.script = state.script;
            seat.done = state.done;
            seat.recording = state.recording;
        }
        self.seed = saved.seed;
        self.sequence = saved.sequence;
        self.waiting.clear();
        self.restore_text(saved.text.as_ref());
        Ok(())
    }

    fn restore_text(&mut self, saved: Option<&TextWatch>) {
        if let (Some(text), Some(saved)) = (&mut self.text, saved) {
            text.restore(saved);
        }
    }

    /// Checks that this world has the motes that were saved.
    fn check(&self, path: &Path, header: &Header) -> Result<(), SnapshotError> {
        let path = path.to_path_buf();
        let (saved, here) = (header.motes.len(), self.seats.len());
        if saved != here {
            return Err(SnapshotError::OtherCount { path, saved, here });
        }
        for (number, (saved, seat)) in header.motes.iter().zip(&self.seats).enumerate() {
            let here = Identity::of(&seat.mote);
            let same = (&saved.board, &saved.chip, saved.contents)
                == (&here.board, &here.chip, here.contents);
            if !same {
                let (saved, here) = (saved.to_string(), here.to_string());
                return Err(SnapshotError::OtherMote { path, number, saved, here });
            }
        }
        Ok(())
    }
}

impl Seat {
    fn state(&self) -> SeatState {
        SeatState {
            image: Arc::clone(self.mote.image()),
            mote: self.mote.snapshot(),
            script: self.script.clone(),
            done: self.done,
            recording: self.recording.clone(),
        }
    }

    fn saved(&self) -> SavedSeat {
        SavedSeat {
            mote: self.mote.save(),
            script: self.script.clone(),
            done: self.done,
            recording: self.recording.clone(),
        }
    }
}

impl Identity {
    fn of(mote: &Mote) -> Identity {
        let image = mote.image();
        let segments = image.segments().iter().map(|segment| (segment.address, &segment.bytes));
        Identity {
            board: mote.board().name.clone(),
            chip: mote.board().chip.clone(),
            image: image.name().to_string(),
            contents: xxh3_64(&bytes(&segments.collect::<Vec<_>>())),
        }
    }
}

impl std::fmt::Display for Identity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Identity { board, chip, image, contents } = self;
        write!(f, "{image} ({contents:016x}) on {board} ({chip})")
    }
}

/// Splits a file that this version can read into header and state.
fn open<'a>(path: &Path, file: &'a [u8]) -> Result<(Header, &'a [u8]), SnapshotError> {
    let path = path.to_path_buf();
    let Some((format, rest)) = file.strip_prefix(MAGIC).and_then(|rest| rest.split_first_chunk())
    else {
        return Err(SnapshotError::NotOne { path });
    };
    let format = u32::from_le_bytes(*format);
    let other = |saved| SnapshotError::OtherVersion {
        path: path.clone(),
        saved,
        here: format!("format {FORMAT} of version {VERSION}"),
    };
    if format != FORMAT {
        return Err(other(format!("format {format}")));
    }
    let (header, state): (Header, _) = postcard::take_from_bytes(rest)
        .map_err(|error| SnapshotError::Damaged { path: path.clone(), what: error.to_string() })?;
    if header.version != VERSION {
        return Err(other(format!("format {format} of version {}", header.version)));
    }
    Ok((header, state))
}

/// A state as bytes.
pub(crate) fn bytes(value: &impl Serialize) -> Vec<u8> {
    postcard::to_allocvec(value).expect("a state holds nothing of unknown length")
}

/// Writes all of a file or, if that fails, leaves the old one. Anything that is not a file, such as
/// a device or a pipe, is written to directly.
fn write(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    if std::fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        return std::fs::write(path, bytes);
    }
    let mut partial = path.as_os_str().to_os_string();
    partial.push(".partial");
    let written = std::fs::write(&partial, bytes).and_then(|()| std::fs::rename(&partial, path));
    if written.is_err() {
        // The first error counts; there may be nothing to remove.
        let _ = std::fs::remove_file(&partial);
    }
    written
}
