// SPDX-License-Identifier: MIT OR Apache-2.0
//! States of whole worlds, to be restored: in memory, or in a file.
//!
//! A world can restore a state if it has the same motes: boards and images, in the same order.
//! Settings for observing it (breakpoints, texts and warnings to stop at, details) are not part of
//! the state; the user's input is, past and yet to come.

use super::host::Host;
use super::node::{Inbox, Node, Pending};
use super::{MoteId, World};
use crate::mote::{MoteState, RestoreError, SavedMote};
use crate::watch::TextWatch;
use crate::{Mote, Script, SnapshotError};
use borsh::{BorshDeserialize, BorshSerialize};
use lichen_chip::Time;
use lichen_device::air::OnAir;
use lichen_image::Image;
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// The whole state of a world at one moment, in memory.
#[derive(Clone, Debug)]
pub struct Snapshot {
    nodes: Vec<NodeState>,
    pending: Vec<Pending>,
    ether: Ether,
}

#[derive(Clone, Debug)]
struct NodeState {
    image: Arc<Image>,
    mote: MoteState,
    beside: Beside,
}

/// The state of a mote in the world beside its own.
#[derive(Clone, Debug, BorshSerialize, BorshDeserialize)]
struct Beside {
    script: Script,
    done: usize,
    recording: Script,
    inbox: Inbox,
    host: Host,
    text: Option<TextWatch>,
}

/// What is between the motes.
#[derive(Clone, Debug, BorshSerialize, BorshDeserialize)]
struct Ether {
    medium: Option<Vec<u8>>,
    air: Vec<(Time, MoteId, OnAir)>,
    arrivals: u64,
}

/// What a file starts with.
const MAGIC: &[u8; 8] = b"LICHENSS";
/// Changes whenever the state of a part of a mote is written differently.
const FORMAT: u32 = 17;
/// Of this simulator.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What follows the format's number in a file, before the state: readable by every version.
#[derive(Debug, BorshSerialize, BorshDeserialize)]
struct Header {
    version: String,
    /// Of the world.
    seed: u64,
    motes: Vec<Identity>,
    /// Number of the state's bytes, to find damage.
    hash: u64,
}

/// What must be equal in a mote and the one that was saved.
#[derive(Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
struct Identity {
    board: String,
    chip: String,
    /// Simulated parts, and where they are connected.
    parts: Vec<String>,
    /// Its supply and its cells.
    power: String,
    image: String,
    /// Number of the image's contents.
    contents: u64,
}

#[derive(BorshSerialize, BorshDeserialize)]
struct SavedWorld {
    seed: u64,
    observed: Vec<u8>,
    ether: Ether,
    nodes: Vec<SavedNode>,
}

#[derive(BorshSerialize, BorshDeserialize)]
struct SavedNode {
    mote: SavedMote,
    beside: Beside,
}

impl World {
    /// The present state, to be restored later: a copy in memory, made in microseconds.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            nodes: self.nodes.iter().map(Node::state).collect(),
            pending: self.pending.clone(),
            ether: self.ether(),
        }
    }

    /// Restores a state of this world, or of another one with the same motes and medium.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        let same =
            |(node, state): (&Node, &NodeState)| Arc::ptr_eq(node.mote.image(), &state.image);
        if self.nodes.len() != snapshot.nodes.len()
            || !self.nodes.iter().zip(&snapshot.nodes).all(same)
        {
            return Err(SnapshotError::OtherWorld);
        }
        for (node, state) in self.nodes.iter_mut().zip(&snapshot.nodes) {
            node.mote.restore(&state.mote).map_err(|_| SnapshotError::OtherWorld)?;
            node.take_beside(&state.beside);
        }
        self.take_ether(&snapshot.ether).map_err(|_| SnapshotError::OtherWorld)?;
        self.pending.clone_from(&snapshot.pending);
        Ok(())
    }

    /// Writes the state to a file, with what the observer of the run keeps beside it. All events must have been passed to
    /// a sink.
    pub fn save(&self, path: &Path, observed: &[u8]) -> Result<(), SnapshotError> {
        if !self.pending.is_empty() {
            return Err(SnapshotError::Undelivered { now: self.now() });
        }
        let saved = SavedWorld {
            seed: self.seed,
            observed: observed.to_vec(),
            ether: self.ether(),
            nodes: self.nodes.iter().map(Node::saved).collect(),
        };
        let state = bytes(&saved);
        let motes = self.nodes.iter().map(|node| Identity::of(&node.mote)).collect();
        let (version, hash) = (VERSION.to_string(), xxh3_64(&state));
        let header = Header { version, seed: self.seed, motes, hash };
        let file = [MAGIC.as_slice(), &FORMAT.to_le_bytes(), &bytes(&header), &state].concat();
        write(path, &file)
            .map_err(|source| SnapshotError::Write { path: path.to_path_buf(), source })
    }

    /// Restores the state in a file, which [`World::save`] of a world with the same motes wrote. Returns what the observer
    /// kept beside it.
    pub fn load(&mut self, path: &Path) -> Result<Vec<u8>, SnapshotError> {
        let file = std::fs::read(path)
            .map_err(|source| SnapshotError::Read { path: path.to_path_buf(), source })?;
        let (header, state) = open(path, &file)?;
        self.check(path, &header)?;
        let damaged = |what: String| SnapshotError::Damaged { path: path.to_path_buf(), what };
        if xxh3_64(state) != header.hash {
            return Err(damaged("its checksum is wrong".to_string()));
        }
        let saved: SavedWorld =
            borsh::from_slice(state).map_err(|error| damaged(error.to_string()))?;
        if saved.seed != header.seed {
            return Err(damaged("its seed is wrong".to_string()));
        }
        self.take(&saved).map_err(|error| damaged(error.to_string()))?;
        Ok(saved.observed)
    }

    /// The seed of the world whose state is in a file. Another world continues like that if its medium has it, too.
    pub fn saved_seed(path: &Path) -> Result<u64, SnapshotError> {
        let file = std::fs::read(path)
            .map_err(|source| SnapshotError::Read { path: path.to_path_buf(), source })?;
        Ok(open(path, &file)?.0.seed)
    }

    /// A hash of the state: two runs with the same hash continue identically.
    pub fn state_hash(&self) -> u64 {
        let motes = self.nodes.iter();
        let motes = motes.map(|node| (node.mote.hashed(), node.done, &node.inbox, &node.host));
        xxh3_64(&bytes(&(motes.collect::<Vec<_>>(), self.ether())))
    }

    fn take(&mut self, saved: &SavedWorld) -> Result<(), RestoreError> {
        for (node, saved) in self.nodes.iter_mut().zip(&saved.nodes) {
            node.mote.load(&saved.mote)?;
            node.take_beside(&saved.beside);
        }
        self.seed = saved.seed;
        self.pending.clear();
        self.take_ether(&saved.ether)
    }

    fn ether(&self) -> Ether {
        Ether {
            medium: self.medium.as_ref().map(|medium| medium.save()),
            air: self.air.clone(),
            arrivals: self.arrivals,
        }
    }

    /// Restores what is between the motes, and plans anew when each goes on.
    fn take_ether(&mut self, ether: &Ether) -> Result<(), RestoreError> {
        let loaded = match (&mut self.medium, &ether.medium) {
            (Some(medium), Some(saved)) => medium.load(saved),
            (medium, saved) => medium.is_some() == saved.is_some(),
        };
        if !loaded {
            return Err(RestoreError::Medium);
        }
        for mote in 0..self.nodes.len() {
            self.collect(MoteId(mote as u32));
        }
        self.air.clone_from(&ether.air);
        self.arrivals = ether.arrivals;
        Ok(())
    }

    /// Checks that this world has the motes that were saved.
    fn check(&self, path: &Path, header: &Header) -> Result<(), SnapshotError> {
        let path = path.to_path_buf();
        let (saved, here) = (header.motes.len(), self.nodes.len());
        if saved != here {
            return Err(SnapshotError::OtherCount { path, saved, here });
        }
        for (number, (saved, node)) in header.motes.iter().zip(&self.nodes).enumerate() {
            let here = Identity::of(&node.mote);
            let same = (&saved.board, &saved.chip, &saved.parts, &saved.power, saved.contents)
                == (&here.board, &here.chip, &here.parts, &here.power, here.contents);
            if !same {
                let (saved, here) = (saved.beside(&here), here.beside(saved));
                return Err(SnapshotError::OtherMote { path, number, saved, here });
            }
        }
        Ok(())
    }
}

impl Node {
    fn state(&self) -> NodeState {
        NodeState {
            image: Arc::clone(self.mote.image()),
            mote: self.mote.snapshot(),
            beside: self.beside(),
        }
    }

    fn saved(&self) -> SavedNode {
        SavedNode { mote: self.mote.save(), beside: self.beside() }
    }

    fn beside(&self) -> Beside {
        Beside {
            script: self.script.clone(),
            done: self.done,
            recording: self.recording.clone(),
            inbox: self.inbox.clone(),
            host: self.host.clone(),
            text: self.text.clone(),
        }
    }

    fn take_beside(&mut self, beside: &Beside) {
        self.script.clone_from(&beside.script);
        self.done = beside.done;
        self.recording.clone_from(&beside.recording);
        self.inbox.clone_from(&beside.inbox);
        self.host.clone_from(&beside.host);
        if let (Some(text), Some(saved)) = (&mut self.text, &beside.text) {
            text.restore(saved);
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
            parts: mote.board().connections().collect(),
            power: mote.fed_by(),
            image: image.name().to_string(),
            contents: xxh3_64(&bytes(&segments.collect::<Vec<_>>())),
        }
    }
}

impl Identity {
    /// What a mote is, with its parts and its supply if those of `other` differ: there may be many parts.
    fn beside(&self, other: &Identity) -> String {
        let Identity { board, chip, parts, power, image, contents } = self;
        let parts = match (*parts == other.parts, parts.as_slice()) {
            (true, _) => String::new(),
            (false, []) => "; no parts".to_string(),
            (false, parts) => format!("; {}", parts.join(", ")),
        };
        let power = if *power == other.power { String::new() } else { format!("; {power}") };
        format!("{image} ({contents:016x}) on {board} ({chip}{parts}{power})")
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
    let mut state = rest;
    let header = Header::deserialize(&mut state)
        .map_err(|error| SnapshotError::Damaged { path: path.clone(), what: error.to_string() })?;
    if header.version != VERSION {
        return Err(other(format!("format {format} of version {}", header.version)));
    }
    Ok((header, state))
}

/// A state as bytes.
pub(crate) fn bytes(value: &impl BorshSerialize) -> Vec<u8> {
    borsh::to_vec(value).expect("memory takes all")
}

/// Writes all of a file or, if that fails, leaves the old one. Anything that is not a file, such as
/// a device or a pipe, is written to directly.
fn write(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    if std::fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        return std::fs::write(path, bytes);
    }
    // A link stays one: its target is replaced.
    let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let partial = partial_snapshot(&path);
    let mut file = File::create_new(&partial).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => std::io::Error::new(
            error.kind(),
            format!("{} is there; remove it if it is what an earlier run left", partial.display()),
        ),
        _ => error,
    })?;
    let written = file.write_all(bytes).and_then(|()| std::fs::rename(&partial, &path));
    if written.is_err() {
        // The first error counts; there may be nothing to remove.
        let _ = std::fs::remove_file(&partial);
    }
    written
}

/// Where a snapshot for `path` is written until it is complete.
pub fn partial_snapshot(path: &Path) -> PathBuf {
    let mut partial = path.as_os_str().to_os_string();
    partial.push(".partial");
    partial.into()
}
