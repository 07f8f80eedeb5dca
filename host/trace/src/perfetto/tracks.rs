// SPDX-License-Identifier: MIT OR Apache-2.0
//! The tracks of a trace file: each is declared before its first event, and what is open on it ends.

use super::schema::{
    ChildOrdering, CounterDescriptor, EventType, ProcessDescriptor, TracePacket, TrackDescriptor,
    TrackEvent,
};
use crate::Error;
use lichen_chip::Time;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// All packets come from one writer.
const SEQUENCE: u64 = 1;

/// What a track shows; tracks are in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    Current,
    Processor,
    Interrupt,
    Thread,
    Message,
    Serial,
    Pin,
    Component,
    OwnCurrent,
}

impl Group {
    /// The track that holds those of the group, if they are many.
    fn heading(self) -> Option<&'static str> {
        match self {
            Group::Current | Group::Processor | Group::Interrupt | Group::Message => None,
            Group::Thread => Some("threads"),
            Group::Serial => Some("serial ports"),
            Group::Pin => Some("pins"),
            Group::Component => Some("components"),
            Group::OwnCurrent => Some("currents of components"),
        }
    }

    fn is_counter(self) -> bool {
        matches!(self, Group::Current | Group::OwnCurrent)
    }
}

/// A track by its name.
#[derive(Clone, Copy, Debug)]
pub struct Track<'a> {
    pub mote: u32,
    pub group: Group,
    pub name: &'a str,
}

/// A track that is declared.
#[derive(Debug)]
struct Known {
    uuid: u64,
    /// Slices that have begun and have not ended: the names matter only for those that replace one another.
    open: Vec<String>,
    /// The last value of a counter.
    value: Option<f64>,
}

/// A file of tracks.
pub struct Tracks {
    path: PathBuf,
    file: BufWriter<File>,
    known: BTreeMap<(u32, Group, String), Known>,
    headings: BTreeMap<(u32, Group), u64>,
    processes: BTreeMap<u32, u64>,
    uuids: u64,
}

impl Tracks {
    /// Creates the file.
    pub fn create(path: &Path) -> Result<Tracks, Error> {
        let file = File::create(path)
            .map_err(|source| Error::Create { path: path.to_path_buf(), source })?;
        Ok(Tracks {
            path: path.to_path_buf(),
            file: BufWriter::with_capacity(1 << 16, file),
            known: BTreeMap::new(),
            headings: BTreeMap::new(),
            processes: BTreeMap::new(),
            uuids: 0,
        })
    }

    /// Declares a mote.
    pub fn add_process(&mut self, mote: u32, name: &str) -> Result<(), Error> {
        let process =
            ProcessDescriptor { pid: u64::from(mote) + 1, process_name: name.to_string() };
        let child_ordering = Some(ChildOrdering::Explicit);
        let uuid = self.declare(TrackDescriptor {
            process: Some(process),
            child_ordering,
            ..TrackDescriptor::default()
        })?;
        self.processes.insert(mote, uuid);
        Ok(())
    }

    /// Begins a slice within those that are open.
    pub fn begin(&mut self, time: Time, track: Track<'_>, name: &str) -> Result<(), Error> {
        let known = self.known(track)?;
        known.open.push(name.to_string());
        let uuid = known.uuid;
        self.write(time, uuid, EventType::SliceBegin, |event| event.name = Some(name.to_string()))
    }

    /// Ends the innermost slice.
    pub fn end(&mut self, time: Time, track: Track<'_>) -> Result<(), Error> {
        let known = self.known(track)?;
        let uuid = known.uuid;
        match known.open.pop() {
            Some(_) => self.write(time, uuid, EventType::SliceEnd, |_| {}),
            None => Ok(()),
        }
    }

    /// Lets a slice of this name be the only one, or none.
    pub fn switch(
        &mut self,
        time: Time,
        track: Track<'_>,
        name: Option<&str>,
    ) -> Result<(), Error> {
        let present = self.known(track)?.open.last().cloned();
        if present.as_deref() == name {
            return Ok(());
        }
        if present.is_some() {
            self.end(time, track)?;
        }
        name.map_or(Ok(()), |name| self.begin(time, track, name))
    }

    /// Marks a moment.
    pub fn instant(&mut self, time: Time, track: Track<'_>, name: &str) -> Result<(), Error> {
        let uuid = self.known(track)?.uuid;
        self.write(time, uuid, EventType::Instant, |event| event.name = Some(name.to_string()))
    }

    /// A counter has this value from now on.
    pub fn count(&mut self, time: Time, track: Track<'_>, value: f64) -> Result<(), Error> {
        let known = self.known(track)?;
        if known.value.replace(value) == Some(value) {
            return Ok(());
        }
        let uuid = known.uuid;
        self.write(time, uuid, EventType::Counter, |event| event.double_counter_value = Some(value))
    }

    /// Ends what is open, extends counters to `end`, and writes what is still buffered.
    pub fn finish(mut self, end: Time) -> Result<(), Error> {
        for known in std::mem::take(&mut self.known).into_values() {
            for _ in known.open {
                self.write(end, known.uuid, EventType::SliceEnd, |_| {})?;
            }
            if let Some(value) = known.value {
                let set = |event: &mut TrackEvent| event.double_counter_value = Some(value);
                self.write(end, known.uuid, EventType::Counter, set)?;
            }
        }
        self.file.flush().map_err(|source| self.lost(source))
    }

    fn lost(&self, source: std::io::Error) -> Error {
        Error::Write { path: self.path.clone(), source }
    }

    /// The track, which is declared if it is new.
    fn known(&mut self, track: Track<'_>) -> Result<&mut Known, Error> {
        let key = (track.mote, track.group, track.name.to_string());
        if !self.known.contains_key(&key) {
            let (parent, rank) = self.parent(track)?;
            let unit_name = "uA".to_string();
            let uuid = self.declare(TrackDescriptor {
                name: Some(track.name.to_string()),
                parent_uuid: parent,
                counter: track.group.is_counter().then_some(CounterDescriptor { unit_name }),
                sibling_order_rank: rank,
                ..TrackDescriptor::default()
            })?;
            self.known.insert(key.clone(), Known { uuid, open: Vec::new(), value: None });
        }
        Ok(self.known.entry(key).or_insert_with(|| Known {
            uuid: 0,
            open: Vec::new(),
            value: None,
        }))
    }

    /// What a track lies below, and its rank there.
    fn parent(&mut self, track: Track<'_>) -> Result<(Option<u64>, Option<u64>), Error> {
        let process = self.processes.get(&track.mote).copied();
        let rank = Some(track.group as u64);
        let Some(heading) = track.group.heading() else { return Ok((process, rank)) };
        let key = (track.mote, track.group);
        let uuid = match self.headings.get(&key) {
            Some(uuid) => *uuid,
            None => self.declare(TrackDescriptor {
                name: Some(heading.to_string()),
                parent_uuid: process,
                child_ordering: Some(ChildOrdering::Lexicographic),
                sibling_order_rank: rank,
                ..TrackDescriptor::default()
            })?,
        };
        self.headings.insert(key, uuid);
        Ok((Some(uuid), None))
    }

    fn declare(&mut self, descriptor: TrackDescriptor) -> Result<u64, Error> {
        self.uuids += 1;
        let descriptor = TrackDescriptor { uuid: Some(self.uuids), ..descriptor };
        self.packet(TracePacket { track_descriptor: Some(descriptor), ..TracePacket::default() })?;
        Ok(self.uuids)
    }

    fn write(
        &mut self,
        time: Time,
        uuid: u64,
        kind: EventType,
        fill: impl FnOnce(&mut TrackEvent),
    ) -> Result<(), Error> {
        let mut event =
            TrackEvent { r#type: Some(kind), track_uuid: Some(uuid), ..TrackEvent::default() };
        fill(&mut event);
        self.packet(TracePacket {
            timestamp: Some(time.ns()),
            track_event: Some(event),
            ..TracePacket::default()
        })
    }

    fn packet(&mut self, packet: TracePacket) -> Result<(), Error> {
        let trusted_packet_sequence_id = Some(SEQUENCE);
        let packet = TracePacket { trusted_packet_sequence_id, ..packet };
        self.file.write_all(&packet.encode()).map_err(|source| self.lost(source))
    }
}
