// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames as pcapng (draft-ietf-opsawg-pcapng), for Wireshark: each mote is an interface. Frames of IEEE 802.15.4 have
//! the link type TAP (IEEE 802.15.4 TAP Link Type Specification, Exegin), with channel, power, quality and times;
//! those of other radios have that of the first user.

use crate::{Error, Event, Frame, Kind, Sink};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What is said of a mote whose frames are captured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interface {
    /// Its name.
    pub name: String,
    /// What it is: its program and its board.
    pub description: String,
    /// Whether its radio is one of IEEE 802.15.4.
    pub is_802_15_4: bool,
}

/// Writes frames to a file. Call [`Pcap::finish`] at the end.
pub struct Pcap {
    path: PathBuf,
    writer: BufWriter<Box<dyn Write + Send>>,
    interfaces: Vec<Interface>,
    begin: Duration,
}

/// Types of blocks.
const SECTION_HEADER: u32 = 0x0A0D_0D0A;
const INTERFACE_DESCRIPTION: u32 = 1;
const ENHANCED_PACKET: u32 = 6;
/// Tells a reader the order of bytes.
const BYTE_ORDER: u32 = 0x1A2B_3C4D;
/// Types of links.
const TAP: u16 = 283;
const USER_0: u16 = 147;
/// Options of an interface, and of a packet.
const NAME: u16 = 2;
const DESCRIPTION: u16 = 3;
const RESOLUTION: u16 = 9;
const COMMENT: u16 = 1;
const FLAGS: u16 = 2;

/// Nanoseconds, as the exponent of ten.
const NANOSECONDS: u8 = 9;
/// Flags of a packet: its direction, and that its checksum is wrong.
const INBOUND: u32 = 1;
const OUTBOUND: u32 = 2;
const CRC_ERROR: u32 = 1 << 24;

/// Fields of TAP.
const FCS_TYPE: u16 = 0;
const RSS: u16 = 1;
const BIT_RATE: u16 = 2;
const CHANNEL_ASSIGNMENT: u16 = 3;
const SOF_TS: u16 = 5;
const EOF_TS: u16 = 6;
const LQI: u16 = 10;
const CHANNEL_FREQUENCY: u16 = 11;
/// A checksum of 16 bits.
const FCS_16: u8 = 1;
/// Channels of page 0 in the band of 2.4 GHz: the first one, its frequency, and their distance.
const FIRST_CHANNEL: u32 = 11;
const FIRST_KHZ: u32 = 2_405_000;
const DISTANCE_KHZ: u32 = 5_000;

impl Pcap {
    /// Creates the file at `path`, or empties it; interface `n` is that of mote `n`.
    pub fn create(path: &Path, interfaces: Vec<Interface>) -> Result<Pcap, Error> {
        let file = File::create(path)
            .map_err(|source| Error::Create { path: path.to_path_buf(), source })?;
        Pcap::to(Box::new(file), path, interfaces)
    }

    /// Writes to something that is called `name` in errors.
    pub fn to(
        output: Box<dyn Write + Send>,
        name: &Path,
        interfaces: Vec<Interface>,
    ) -> Result<Pcap, Error> {
        let (path, writer) = (name.to_path_buf(), BufWriter::new(output));
        let mut pcap = Pcap { path, writer, interfaces, begin: Duration::ZERO };
        // Version 1.0, and a length that is not known yet.
        let mut section = BYTE_ORDER.to_le_bytes().to_vec();
        section.extend([1, 0, 0, 0]);
        section.extend((-1_i64).to_le_bytes());
        pcap.block(SECTION_HEADER, &section)?;
        for interface in pcap.interfaces.clone() {
            pcap.describe(&interface)?;
        }
        Ok(pcap)
    }

    /// Lets the time of events begin at this time, which is counted from 1970; else it begins there.
    pub fn set_begin(&mut self, begin: Duration) {
        self.begin = begin;
    }

    /// Writes what is buffered so far, for those who read along.
    pub fn flush(&mut self) -> Result<(), Error> {
        let flushed = self.writer.flush();
        flushed.map_err(|source| Error::Write { path: self.path.clone(), source })
    }

    fn describe(&mut self, interface: &Interface) -> Result<(), Error> {
        let link = if interface.is_802_15_4 { TAP } else { USER_0 };
        let mut body = link.to_le_bytes().to_vec();
        // Two bytes that are reserved, and no limit to what is kept of a packet.
        body.extend([0; 6]);
        field(&mut body, NAME, interface.name.as_bytes());
        field(&mut body, DESCRIPTION, interface.description.as_bytes());
        field(&mut body, RESOLUTION, &[NANOSECONDS]);
        field(&mut body, 0, &[]);
        self.block(INTERFACE_DESCRIPTION, &body)
    }

    /// Writes a block: its type, its length, what it has, and its length once more.
    fn block(&mut self, kind: u32, body: &[u8]) -> Result<(), Error> {
        let length = (body.len() as u32 + 12).to_le_bytes();
        let block = [kind.to_le_bytes().as_slice(), &length, body, &length].concat();
        let written = self.writer.write_all(&block);
        written.map_err(|source| Error::Write { path: self.path.clone(), source })
    }

    /// Writes a frame of a mote; `lqi` is there if it was received.
    fn frame(
        &mut self,
        event: &Event,
        frame: &Frame,
        lqi: Option<u8>,
        (flags, is_over, comment): (u32, bool, Option<String>),
    ) -> Result<(), Error> {
        let is_802_15_4 = match self.interfaces.get(event.mote as usize) {
            Some(interface) => interface.is_802_15_4,
            None => return Ok(()),
        };
        let mut data = match is_802_15_4 {
            true => tap(event, frame, lqi, is_over),
            false => Vec::new(),
        };
        data.extend(&frame.bytes);
        let time = (self.begin + Duration::from_nanos(event.time.ns())).as_nanos() as u64;
        let length = data.len() as u32;
        let mut body = Vec::new();
        for number in [event.mote, (time >> 32) as u32, time as u32, length, length] {
            body.extend(number.to_le_bytes());
        }
        body.extend(data);
        body.resize(body.len().next_multiple_of(4), 0);
        if let Some(comment) = comment {
            field(&mut body, COMMENT, comment.as_bytes());
        }
        field(&mut body, FLAGS, &flags.to_le_bytes());
        field(&mut body, 0, &[]);
        self.block(ENHANCED_PACKET, &body)
    }

    /// Writes what is still buffered.
    pub fn finish(mut self) -> Result<(), Error> {
        self.flush()
    }
}

/// Adds a field of TAP or an option of a block: both have a kind, a length and a value that is filled to whole words.
fn field(fields: &mut Vec<u8>, kind: u16, value: &[u8]) {
    fields.extend(kind.to_le_bytes());
    fields.extend((value.len() as u16).to_le_bytes());
    fields.extend(value);
    fields.resize(fields.len().next_multiple_of(4), 0);
}

/// The header of TAP. A frame that was not followed to its end has no checksum.
fn tap(event: &Event, frame: &Frame, lqi: Option<u8>, is_over: bool) -> Vec<u8> {
    let mut fields = Vec::new();
    let mut field = |kind, value: &[u8]| field(&mut fields, kind, value);
    field(FCS_TYPE, &[if is_over { FCS_16 } else { 0 }]);
    field(RSS, &(frame.dbm as f32).to_le_bytes());
    field(BIT_RATE, &frame.bps.to_le_bytes());
    match channel(frame.khz) {
        Some(channel) => field(CHANNEL_ASSIGNMENT, &[channel, 0, 0]),
        None => field(CHANNEL_FREQUENCY, &(frame.khz as f32).to_le_bytes()),
    }
    field(SOF_TS, &frame.start.ns().to_le_bytes());
    field(EOF_TS, &event.time.ns().to_le_bytes());
    if let Some(lqi) = lqi {
        field(LQI, &[lqi]);
    }
    // Version 0, a reserved byte, and the length with this header.
    let mut header = vec![0, 0];
    header.extend((4 + fields.len() as u16).to_le_bytes());
    header.extend(fields);
    header
}

/// The centre of a channel of page 0 in the band of 2.4 GHz, in kHz.
pub fn centre_khz(channel: u8) -> u32 {
    FIRST_KHZ + u32::from(channel).saturating_sub(FIRST_CHANNEL) * DISTANCE_KHZ
}

/// The channel of page 0 with this centre.
fn channel(khz: u32) -> Option<u8> {
    let distance = khz.checked_sub(FIRST_KHZ)?;
    let channel = FIRST_CHANNEL + distance / DISTANCE_KHZ;
    (distance % DISTANCE_KHZ == 0 && channel <= 26).then_some(channel as u8)
}

impl Sink for Pcap {
    fn event(&mut self, event: &Event) -> Result<(), Error> {
        match &event.kind {
            Kind::Sent { frame } => self.frame(event, frame, None, (OUTBOUND, true, None)),
            Kind::Heard { frame, sender, lqi, fate, whole } => {
                let sender = match self.interfaces.get(*sender as usize) {
                    Some(interface) => interface.name.clone(),
                    None => format!("mote {sender}"),
                };
                let is_over = matches!(*fate, "received" | "corrupted" | "filtered");
                let is_wrong = *fate == "corrupted" || *fate == "filtered" && !whole;
                let error = if is_wrong { CRC_ERROR } else { 0 };
                let comment = (*fate != "received").then(|| format!("{fate}, from {sender}"));
                self.frame(event, frame, Some(*lqi), (INBOUND | error, is_over, comment))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lichen_chip::Time;
    use pcap_file::DataLink;
    use pcap_file::pcapng::blocks::enhanced_packet::{EnhancedPacketBlock, EnhancedPacketOption};
    use pcap_file::pcapng::{Block, PcapNgReader};
    use std::collections::BTreeMap;

    #[test]
    fn frames_are_packets_of_their_motes() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("out.pcapng");
        let interface = |name: &str, is_802_15_4| Interface {
            name: name.to_string(),
            description: "it".to_string(),
            is_802_15_4,
        };
        let motes = vec![interface("a", true), interface("b", true), interface("c", false)];
        let mut pcap = Pcap::create(&path, motes).expect("a file");
        let frame = |khz| Frame {
            start: Time::from_us(1),
            khz,
            bps: 250_000,
            dbm: -61.5,
            bytes: vec![2, 0, 7, 1, 2],
        };
        let events = [
            (0, Kind::Sent { frame: frame(2_480_000) }),
            (
                1,
                Kind::Heard {
                    sender: 0,
                    lqi: 9,
                    fate: "corrupted",
                    whole: false,
                    frame: frame(2_480_000),
                },
            ),
            (2, Kind::Sent { frame: frame(433_002) }),
            (2, Kind::Wake { cause: "RTC" }),
        ];
        for (mote, kind) in events {
            let event = Event { time: Time::from_us(5), cycle: 0, mote, kind };
            pcap.event(&event).expect("written");
        }
        pcap.finish().expect("written");
        let mut reader = PcapNgReader::new(File::open(&path).expect("a file")).expect("pcapng");
        let (mut interfaces, mut packets) = (Vec::new(), Vec::new());
        while let Some(block) = reader.next_block() {
            match block.expect("a block").into_owned() {
                Block::InterfaceDescription(block) => interfaces.push(block.linktype),
                Block::EnhancedPacket(packet) => packets.push(packet),
                _ => {}
            }
        }
        assert_eq!(
            interfaces,
            [DataLink::IEEE802_15_4_TAP, DataLink::IEEE802_15_4_TAP, DataLink::USER0]
        );
        assert_eq!(packets.len(), 3);
        let header = usize::from(packets[1].data[2]);
        assert_eq!(packets[1].data[header..], [2, 0, 7, 1, 2]);
        let expected = [
            EnhancedPacketOption::Comment("corrupted, from a".into()),
            EnhancedPacketOption::Flags(INBOUND | CRC_ERROR),
        ];
        assert_eq!(packets[1].options, expected);
        assert_eq!(packets[2].data[..], [2, 0, 7, 1, 2], "no header of IEEE 802.15.4");
        assert_eq!(packets[0].timestamp, Duration::from_micros(5));
        assert_eq!(
            [2_405_000, 2_480_000, 2_485_000, 2_406_000].map(channel),
            [Some(11), Some(26), None, None]
        );
        assert!((11..=26).all(|number| channel(centre_khz(number)) == Some(number)));
    }

    /// The packets of a mote with a radio of IEEE 802.15.4 that sends and hears these, 5 us after `begin`.
    fn packets(begin: Duration, kinds: Vec<Kind>) -> Vec<EnhancedPacketBlock<'static>> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("out.pcapng");
        let (name, description) = ("a".to_string(), "it".to_string());
        let mote = Interface { name, description, is_802_15_4: true };
        let mut pcap = Pcap::create(&path, vec![mote]).expect("a file");
        pcap.set_begin(begin);
        for kind in kinds {
            let event = Event { time: Time::from_us(5), cycle: 0, mote: 0, kind };
            pcap.event(&event).expect("written");
        }
        pcap.finish().expect("written");
        let mut reader = PcapNgReader::new(File::open(&path).expect("a file")).expect("pcapng");
        let mut packets = Vec::new();
        while let Some(block) = reader.next_block() {
            if let Block::EnhancedPacket(packet) = block.expect("a block").into_owned() {
                packets.push(packet);
            }
        }
        packets
    }

    /// A frame that began at 1 us.
    fn frame() -> Frame {
        let (start, bytes) = (Time::from_us(1), vec![2, 0, 7, 1, 2]);
        Frame { start, khz: 2_480_000, bps: 250_000, dbm: -61.5, bytes }
    }

    /// The fields of a packet's header of TAP, by their kinds.
    fn fields(packet: &EnhancedPacketBlock<'_>) -> BTreeMap<u16, Vec<u8>> {
        let number = |at: usize| u16::from_le_bytes([packet.data[at], packet.data[at + 1]]);
        let (mut at, end) = (4, usize::from(number(2)));
        let mut fields = BTreeMap::new();
        while at < end {
            let (kind, length) = (number(at), usize::from(number(at + 2)));
            fields.insert(kind, packet.data[at + 4..at + 4 + length].to_vec());
            at += 4 + length.next_multiple_of(4);
        }
        fields
    }

    #[test]
    fn a_packet_tells_how_and_when_its_frame_arrived() {
        let heard =
            Kind::Heard { sender: 0, lqi: 9, fate: "received", whole: true, frame: frame() };
        let packets = packets(Duration::ZERO, vec![heard, Kind::Sent { frame: frame() }]);
        let mut expected = BTreeMap::from([
            (FCS_TYPE, vec![FCS_16]),
            (RSS, (-61.5_f32).to_le_bytes().to_vec()),
            (BIT_RATE, 250_000_u32.to_le_bytes().to_vec()),
            (CHANNEL_ASSIGNMENT, vec![26, 0, 0]),
            (SOF_TS, 1_000_u64.to_le_bytes().to_vec()),
            (EOF_TS, 5_000_u64.to_le_bytes().to_vec()),
            (LQI, vec![9]),
        ]);
        assert_eq!(fields(&packets[0]), expected);
        expected.remove(&LQI);
        assert_eq!(fields(&packets[1]), expected, "what is sent has no quality");
    }

    #[test]
    fn a_checksum_is_there_at_the_end_of_a_frame_and_wrong_if_that_was_spoilt() {
        for (fate, whole, checksum, is_wrong) in [
            ("received", true, FCS_16, false),
            ("corrupted", false, FCS_16, true),
            ("filtered", true, FCS_16, false),
            ("filtered", false, FCS_16, true),
            ("overflowed", true, 0, false),
            ("abandoned", false, 0, false),
        ] {
            let heard = Kind::Heard { sender: 0, lqi: 9, fate, whole, frame: frame() };
            let packets = packets(Duration::ZERO, vec![heard]);
            assert_eq!(fields(&packets[0])[&FCS_TYPE], [checksum], "{fate}");
            let flags = INBOUND | if is_wrong { CRC_ERROR } else { 0 };
            assert!(packets[0].options.contains(&EnhancedPacketOption::Flags(flags)), "{fate}");
        }
    }

    #[test]
    fn time_can_begin_when_a_capture_did() {
        let begin = Duration::from_secs(1_700_000_000);
        let packets = packets(begin, vec![Kind::Sent { frame: frame() }]);
        assert_eq!(packets[0].timestamp, begin + Duration::from_micros(5));
    }
}
