// SPDX-License-Identifier: MIT OR Apache-2.0
//! The files of `lichen sniff`.

use super::is_standard;
use super::record::{Heard, State};
use crate::failure::Failure;
use crate::screen::Data;
use lichen_chip::Time;
use lichen_device::air::fcs;
use lichen_trace::{Error, Event, Frame, Interface, Kind, Pcap, Sink, centre_khz};
use serde_json::json;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Time of a byte of IEEE 802.15.4 at 2.4 GHz.
const OQPSK_BYTE_US: u16 = 32;
const OQPSK_BPS: u32 = 250_000;

/// Where frames are written.
pub struct Outputs {
    pcap_path: Option<PathBuf>,
    json_path: Option<PathBuf>,
    is_live: bool,
    pcap: Option<Pcap>,
    json: Option<BufWriter<Box<dyn Write + Send>>>,
}

impl Outputs {
    /// Opens nothing yet: the kind of the mote's radio is not known. Frames that are heard now have the time of day.
    pub fn new(pcap_path: Option<PathBuf>, json_path: Option<PathBuf>, is_live: bool) -> Outputs {
        Outputs { pcap_path, json_path, is_live, pcap: None, json: None }
    }

    /// Whether frames go to the standard output as data.
    pub fn are_read_by_programs(&self) -> bool {
        [&self.pcap_path, &self.json_path].into_iter().flatten().any(|path| is_standard(path))
    }

    /// Writes a frame that the mote in this state has heard.
    pub fn frame(&mut self, heard: &Heard, state: &State) -> Result<(), Failure> {
        self.open(heard, state)?;
        if let Some(pcap) = &mut self.pcap {
            pcap.event(&event(heard, state)).map_err(|error| failed(&error))?;
        }
        if let Some(json) = &mut self.json {
            let bytes: String = heard.bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            let line = json!({
                "start_us": heard.start_us, "channel": heard.channel, "dbm": heard.dbm,
                "lqi": heard.lqi, "bytes": bytes,
            });
            writeln!(json, "{line}").map_err(|error| unwritable(&error))?;
        }
        Ok(())
    }

    fn open(&mut self, heard: &Heard, state: &State) -> Result<(), Failure> {
        if let Some(path) = self.pcap_path.as_ref().filter(|_| self.pcap.is_none()) {
            let interface = Interface {
                name: "sniffer".to_string(),
                description: "a mote with Lichen's sniffer".to_string(),
                is_802_15_4: state.byte_us == OQPSK_BYTE_US,
            };
            let mut pcap =
                Pcap::to(output(path)?, path, vec![interface]).map_err(|error| failed(&error))?;
            if self.is_live {
                pcap.set_begin(begin_of(heard));
            }
            self.pcap = Some(pcap);
        }
        if let Some(path) = self.json_path.as_ref().filter(|_| self.json.is_none()) {
            self.json = Some(BufWriter::new(output(path)?));
        }
        Ok(())
    }

    /// Writes what is buffered, for those who read along.
    pub fn flush(&mut self) -> Result<(), Failure> {
        if let Some(pcap) = &mut self.pcap {
            pcap.flush().map_err(|error| failed(&error))?;
        }
        match &mut self.json {
            Some(json) => json.flush().map_err(|error| unwritable(&error)),
            None => Ok(()),
        }
    }

    /// Writes the rest.
    pub fn finish(&mut self) -> Result<(), Failure> {
        self.flush()
    }
}

fn output(path: &Path) -> Result<Box<dyn Write + Send>, Failure> {
    if is_standard(path) {
        return Ok(Box::new(Data));
    }
    let file = File::create(path)
        .map_err(|source| failed(&Error::Create { path: path.to_path_buf(), source }))?;
    Ok(Box::new(file))
}

/// When the mote's clock was 0.
fn begin_of(first: &Heard) -> Duration {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    now.saturating_sub(Duration::from_micros(first.start_us))
}

/// As the simulator tells of a frame. The mote has removed the checksum, which was right.
fn event(heard: &Heard, state: &State) -> Event {
    let is_802_15_4 = state.byte_us == OQPSK_BYTE_US;
    let mut bytes = heard.bytes.clone();
    if is_802_15_4 {
        bytes.extend(fcs(&heard.bytes).to_le_bytes());
    }
    let start = Time::from_us(heard.start_us);
    let frame = Frame {
        start,
        khz: centre_khz(heard.channel),
        bps: OQPSK_BPS,
        dbm: f64::from(heard.dbm),
        bytes,
    };
    let time = start + Time::from_us(u64::from(state.byte_us) * frame.bytes.len() as u64);
    let kind = Kind::Heard { sender: u32::MAX, lqi: heard.lqi, fate: "received", frame };
    Event { time, cycle: 0, mote: 0, kind }
}

fn failed(error: &Error) -> Failure {
    Failure::failed(error.to_string())
}

fn unwritable(error: &std::io::Error) -> Failure {
    Failure::failed(format!("cannot write the frames: {error}"))
}
