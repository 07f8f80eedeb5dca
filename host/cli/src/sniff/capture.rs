// SPDX-License-Identifier: MIT OR Apache-2.0
//! The files of `lichen sniff`.

use super::is_standard;
use super::record::{Heard, State};
use lichen_chip::Time;
use lichen_device::air::fcs;
use lichen_terminal::failure::Failure;
use lichen_terminal::screen::Data;
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
    are_read_by_programs: bool,
    is_live: bool,
    pcap: Capture,
    json: Option<Output>,
}

type Output = BufWriter<Box<dyn Write + Send>>;

/// A capture. Its head says of what kind the mote's radio is, which is known when the first frame comes.
enum Capture {
    None,
    Opened(PathBuf, Box<dyn Write + Send>),
    Begun(Pcap),
}

impl Outputs {
    /// Opens the files. Frames that are heard now have the time of day.
    pub fn new(
        pcap: Option<PathBuf>,
        json: Option<PathBuf>,
        is_live: bool,
    ) -> Result<Outputs, Failure> {
        let are_read_by_programs = [&pcap, &json].into_iter().flatten().any(|it| is_standard(it));
        let pcap = match pcap {
            None => Capture::None,
            Some(path) => {
                let output = output(&path)?;
                Capture::Opened(path, output)
            }
        };
        let json = json.map(|path| output(&path).map(BufWriter::new)).transpose()?;
        Ok(Outputs { are_read_by_programs, is_live, pcap, json })
    }

    /// Whether frames go to the standard output as data.
    pub fn are_read_by_programs(&self) -> bool {
        self.are_read_by_programs
    }

    /// Writes a frame that the mote in this state has heard.
    pub fn frame(&mut self, heard: &Heard, state: &State) -> Result<(), Failure> {
        self.begin(heard, state)?;
        if let Capture::Begun(pcap) = &mut self.pcap {
            pcap.event(&event(heard, state)).map_err(|error| failed(&error))?;
        }
        if let Some(json) = &mut self.json {
            let line = json!({
                "start_us": heard.start_us, "channel": heard.channel, "dbm": heard.dbm,
                "lqi": heard.lqi, "bytes": hex(&heard.bytes, ""),
            });
            writeln!(json, "{line}").map_err(|error| unwritable(&error))?;
        }
        Ok(())
    }

    /// Begins the capture, if that is to be done.
    fn begin(&mut self, heard: &Heard, state: &State) -> Result<(), Failure> {
        self.pcap = match std::mem::replace(&mut self.pcap, Capture::None) {
            Capture::Opened(path, output) => {
                let interface = Interface {
                    name: "sniffer".to_string(),
                    description: "a mote with Lichen's sniffer".to_string(),
                    is_802_15_4: is_802_15_4(state),
                };
                let pcap = Pcap::to(output, &path, vec![interface]);
                let mut pcap = pcap.map_err(|error| failed(&error))?;
                if self.is_live {
                    pcap.set_begin(begin_of(heard));
                }
                Capture::Begun(pcap)
            }
            begun => begun,
        };
        Ok(())
    }

    /// Writes what is buffered, for those who read along, and at the end.
    pub fn flush(&mut self) -> Result<(), Failure> {
        if let Capture::Begun(pcap) = &mut self.pcap {
            pcap.flush().map_err(|error| failed(&error))?;
        }
        match &mut self.json {
            Some(json) => json.flush().map_err(|error| unwritable(&error)),
            None => Ok(()),
        }
    }
}

/// Bytes as hexadecimal digits, with this between them.
pub fn hex(bytes: &[u8], between: &str) -> String {
    let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    digits.join(between)
}

/// Whether the mote's radio is one of IEEE 802.15.4.
fn is_802_15_4(state: &State) -> bool {
    state.byte_us == OQPSK_BYTE_US
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
    let mut bytes = heard.bytes.clone();
    if is_802_15_4(state) {
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
    let (sender, lqi) = (u32::MAX, heard.lqi);
    let kind = Kind::Heard { sender, lqi, fate: "received", whole: true, frame };
    Event { time, cycle: 0, mote: 0, kind }
}

fn failed(error: &Error) -> Failure {
    Failure::failed(error.to_string())
}

fn unwritable(error: &std::io::Error) -> Failure {
    Failure::failed(format!("cannot write the frames: {error}"))
}
