// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lichen sniff`: frames that a real mote hears, for people and for Wireshark.

mod capture;
pub mod port;
mod record;

use capture::{Outputs, hex};
use lichen_project::Place;
use lichen_terminal::failure::{Code, Failure};
use lichen_terminal::files::{InputFile, OutputFile, Overwrite};
use lichen_terminal::interrupt;
use lichen_terminal::place::Here;
use lichen_terminal::screen::{Screen, many, out, reserve_output};
use port::{Port, Reading, is_standard};
use record::{Heard, Piece, Records, State};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Examples below the options.
pub const HELP: &str = "\
Examples:
  lichen flash sniffer --board samr21-xpro
  lichen sniff /dev/ttyACM0
  lichen sniff /dev/ttyACM0 --channel 15 --pcap frames.pcapng
  lichen sniff /dev/ttyACM0 --pcap - | wireshark -k -i -
  lichen sniff recorded.bin --json -

The mote runs the program `sniffer`; what it sends is described in doc/spec/sniffer.md. Frames of
simulated motes need no sniffer: `lichen run ... --pcap FILE`.";

/// Options of `sniff`.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// Serial port of the mote; a file or a pipe with what a mote has sent; `-` is the standard
    /// input.
    #[arg(value_name = "PORT|FILE")]
    port: InputFile,
    /// Listen on this channel; if not given, on that on which the mote listens.
    #[arg(long, value_name = "N")]
    channel: Option<u8>,
    /// Rate of the serial port.
    #[arg(long, value_name = "BAUD", default_value_t = 115_200)]
    baud: u32,
    /// Write the frames to this file as pcapng, for Wireshark; `-` is the standard output.
    #[arg(long, value_name = "FILE")]
    pcap: Option<OutputFile>,
    /// Write the frames to this file, one JSON object per line (doc/spec/sniffer.md); `-` is the
    /// standard output.
    #[arg(long, value_name = "FILE")]
    json: Option<OutputFile>,
    /// What may be overwritten.
    #[command(flatten)]
    overwrite: Overwrite,
}

/// A longer silence of a mote is reported: it sends its state each second.
const SILENCE: Duration = Duration::from_secs(3);

/// Shows frames until the end of the input, or Ctrl-C.
pub fn sniff(options: &Options, screen: &Screen) -> Result<Code, Failure> {
    let standard = |file: &Option<OutputFile>| file.as_deref().is_some_and(is_standard);
    match (standard(&options.pcap), standard(&options.json)) {
        (true, true) => {
            return Err(Failure::wrong("the standard output is one file")
                .remedy("give --pcap or --json a name"));
        }
        (false, false) => {}
        _ => reserve_output(),
    }
    let interrupted = interrupt::catch(|| {})?;
    let here = Here::find()?;
    let named = |path: &Path| if is_standard(path) { path.to_path_buf() } else { here.path(path) };
    let mut port = Port::open(&named(&options.port), options.baud)?;
    if let Some(channel) = options.channel {
        port.tell(&format!("channel {channel}"))?;
    }
    let outputs = Outputs::new(
        options.pcap.as_deref().map(named),
        options.json.as_deref().map(named),
        port.is_live(),
    )?;
    let mut sniffer = Sniffer {
        screen,
        input: &options.port,
        outputs,
        wanted: options.channel,
        state: None,
        early: Vec::new(),
        frames: 0,
        damaged: 0,
    };
    sniffer.follow(&mut port, &interrupted)?;
    sniffer.end()
}

/// How captures begin: pcapng; pcap with microseconds and nanoseconds, in both orders of bytes.
const CAPTURES: [[u8; 4]; 5] = [
    [0x0A, 0x0D, 0x0D, 0x0A],
    [0xA1, 0xB2, 0xC3, 0xD4],
    [0xD4, 0xC3, 0xB2, 0xA1],
    [0xA1, 0xB2, 0x3C, 0x4D],
    [0x4D, 0x3C, 0xB2, 0xA1],
];

/// Whether the first bytes are those of a capture.
fn is_capture(bytes: &[u8]) -> bool {
    CAPTURES.iter().any(|begin| bytes.starts_with(begin))
}

/// What is known of the mote, and where its frames go.
struct Sniffer<'a> {
    screen: &'a Screen,
    input: &'a Path,
    outputs: Outputs,
    wanted: Option<u8>,
    state: Option<State>,
    /// Frames that came before the first state, which says what they are.
    early: Vec<Heard>,
    frames: u64,
    damaged: u64,
}

impl Sniffer<'_> {
    fn follow(&mut self, port: &mut Port, interrupted: &AtomicBool) -> Result<(), Failure> {
        let mut records = Records::default();
        let mut bytes = [0; 4096];
        let mut last = Instant::now();
        let mut is_silent = false;
        let mut is_begun = false;
        while !interrupted.load(Ordering::Relaxed) {
            match port.read(&mut bytes)? {
                Reading::End => break,
                Reading::Nothing if last.elapsed() > SILENCE && !is_silent => {
                    is_silent = true;
                    self.warn("nothing comes from the mote: does it run `sniffer`, at this rate?");
                }
                Reading::Nothing => {}
                Reading::Bytes(count) => {
                    (last, is_silent) = (Instant::now(), false);
                    if !std::mem::replace(&mut is_begun, true) && is_capture(&bytes[..count]) {
                        return Err(self.capture());
                    }
                    for piece in bytes[..count].iter().filter_map(|byte| records.take(*byte)) {
                        self.piece(piece)?;
                    }
                    self.outputs.flush()?;
                }
            }
        }
        Ok(())
    }

    fn capture(&self) -> Failure {
        Failure::wrong("this is a capture, and not what a sniffer has sent")
            .at(Place::file(self.input))
            .remedy("open it in Wireshark")
    }

    fn piece(&mut self, piece: Piece) -> Result<(), Failure> {
        match piece {
            Piece::Heard(heard) => self.heard(heard),
            Piece::State(state) => self.state(state),
            Piece::Text(text) => {
                self.warn(&format!("the mote says: {text}"));
                Ok(())
            }
            Piece::Damaged => {
                self.damaged += 1;
                self.warn("a record was lost on the way from the mote");
                Ok(())
            }
        }
    }

    fn heard(&mut self, heard: Heard) -> Result<(), Failure> {
        let Some(state) = &self.state else {
            self.early.push(heard);
            return Ok(());
        };
        self.frames += 1;
        self.outputs.frame(&heard, state)?;
        if !self.outputs.are_read_by_programs() {
            out!("{}", shown(&heard));
        }
        Ok(())
    }

    fn state(&mut self, state: State) -> Result<(), Failure> {
        check(&state, self.wanted)?;
        let before = self.state.replace(state.clone());
        self.tell_changes(before.as_ref(), &state);
        for heard in std::mem::take(&mut self.early) {
            self.heard(heard)?;
        }
        Ok(())
    }

    fn tell_changes(&self, before: Option<&State>, state: &State) {
        if before.is_none_or(|before| before.channel != state.channel) {
            let text = format!("listening on channel {}", state.channel);
            eprintln!("{}", self.screen.dim(&text));
        }
        let Some(before) = before else { return };
        // The mote has started again, and counts from 0.
        let more = |now: u32, before: u32| u64::from(now.saturating_sub(before));
        for (count, why) in [
            (more(state.lost_by_port, before.lost_by_port), "the serial port is too slow for them"),
            (more(state.lost_by_radio, before.lost_by_radio), "the radio had no room for them"),
            (more(state.corrupted.into(), before.corrupted.into()), "their checksums are wrong"),
        ] {
            if count > 0 {
                self.warn(&format!("{} not shown: {why}", many(count, "frame")));
            }
        }
        if state.restarts != before.restarts {
            self.warn("the radio did not do what it should, and was reset");
        }
    }

    fn warn(&self, text: &str) {
        eprintln!("{} {text}", self.screen.yellow("warning:"));
    }

    fn end(mut self) -> Result<Code, Failure> {
        self.outputs.flush()?;
        if self.state.is_none() {
            return Err(Failure::failed("there was nothing of a sniffer in the input").remedy(
                "does the mote run `sniffer`, and is the rate that of its console (--baud)?",
            ));
        }
        let damaged = match self.damaged {
            0 => String::new(),
            count => format!(", {} lost on the way", many(count, "record")),
        };
        eprintln!("{}", self.screen.dim(&format!("{}{damaged}", many(self.frames, "frame"))));
        Ok(Code::Done)
    }
}

/// Whether the mote speaks as this does, and listens on the channel that was asked for.
fn check(state: &State, wanted: Option<u8>) -> Result<(), Failure> {
    if state.version != record::VERSION {
        let (theirs, ours) = (state.version, record::VERSION);
        return Err(Failure::wrong(format!(
            "the mote's sniffer is of edition {theirs}, and this is for edition {ours}"
        ))
        .remedy("lichen flash sniffer"));
    }
    let (first, last) = (state.channel_first, state.channel_last);
    match wanted {
        Some(wanted) if !(first..=last).contains(&wanted) => {
            Err(Failure::wrong(format!("the mote's radio has no channel {wanted}"))
                .remedy(format!("--channel takes {first} to {last}")))
        }
        _ => Ok(()),
    }
}

/// A frame as a line.
fn shown(heard: &Heard) -> String {
    let seconds = heard.start_us / 1_000_000;
    let us = heard.start_us % 1_000_000;
    let Heard { channel, dbm, lqi, bytes, .. } = heard;
    let (length, digits) = (bytes.len(), hex(bytes, " "));
    format!(
        "{seconds:6}.{us:06}  channel {channel:2}  {dbm:4} dBm  LQI {lqi:3}  {length:3} bytes  {digits}"
    )
}
