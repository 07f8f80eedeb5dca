// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a mote with the program `sniffer` sends (doc/spec/sniffer.md): records between the END bytes of SLIP
//! (RFC 1055), and text between them.

use lichen_device::air::fcs;

const END: u8 = 0xC0;
const ESC: u8 = 0xDB;
const ESC_END: u8 = 0xDC;
const ESC_ESC: u8 = 0xDD;
const FRAME: u8 = 1;
const STATE: u8 = 2;
/// The edition of the records that this reads.
pub const VERSION: u8 = 1;
/// More than any record has: the longest frame, its record, and each byte escaped.
const LONGEST: usize = 512;
const FRAME_HEADER: usize = 11;
const STATE_BYTES: usize = 18;

/// A frame that the mote has heard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heard {
    /// Its start, by the mote's clock; 0 if that is not known.
    pub start_us: u64,
    /// The channel's number.
    pub channel: u8,
    /// Its strength.
    pub dbm: i8,
    /// Its quality.
    pub lqi: u8,
    /// Its bytes, without a checksum.
    pub bytes: Vec<u8>,
}

/// How the mote listens, and what it has missed since its start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// Edition of the records.
    pub version: u8,
    /// The channel that it listens on.
    pub channel: u8,
    /// The first channel that its radio has.
    pub channel_first: u8,
    /// And the last one.
    pub channel_last: u8,
    /// Time of a byte on the air: 32 of IEEE 802.15.4 at 2.4 GHz.
    pub byte_us: u16,
    /// Frames with a wrong checksum.
    pub corrupted: u16,
    /// Frames for which the radio had no room.
    pub lost_by_radio: u32,
    /// Frames for which the mote had none: the serial port is too slow.
    pub lost_by_port: u32,
    /// How often the radio was reset, since it had failed.
    pub restarts: u16,
}

/// A piece of what comes from the port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// A frame.
    Heard(Heard),
    /// The mote's state.
    State(State),
    /// A line that is no record: what the firmware says when it panics, or another program.
    Text(String),
    /// Bytes that are neither: some were lost or damaged.
    Damaged,
}

/// Finds the records in a stream of bytes, from any place of it on.
#[derive(Debug, Default)]
pub struct Records {
    bytes: Vec<u8>,
    /// An END was there: what comes before the first one may be the rest of a record.
    is_begun: bool,
}

impl Records {
    /// Takes the next byte of the stream.
    pub fn take(&mut self, byte: u8) -> Option<Piece> {
        if byte == END {
            let was_begun = std::mem::replace(&mut self.is_begun, true);
            let bytes = std::mem::take(&mut self.bytes);
            return if bytes.is_empty() || !was_begun { None } else { Some(piece(&bytes)) };
        }
        if self.bytes.len() < LONGEST {
            self.bytes.push(byte);
        }
        let is_line = byte == b'\n' && is_text(&self.bytes);
        if is_line {
            self.is_begun = true;
        }
        is_line.then(|| text(&std::mem::take(&mut self.bytes)))
    }
}

fn is_text(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| matches!(byte, b' '..=b'~' | b'\r' | b'\n' | b'\t'))
}

fn text(bytes: &[u8]) -> Piece {
    Piece::Text(String::from_utf8_lossy(bytes).trim_end().to_string())
}

fn piece(escaped: &[u8]) -> Piece {
    if is_text(escaped) {
        return text(escaped);
    }
    unescape(escaped).as_deref().and_then(record).unwrap_or(Piece::Damaged)
}

/// The bytes that SLIP has escaped, if it may have made these.
fn unescape(escaped: &[u8]) -> Option<Vec<u8>> {
    let mut from = escaped.iter();
    let mut bytes = Vec::with_capacity(escaped.len());
    while let Some(byte) = from.next() {
        bytes.push(match byte {
            &ESC => match *from.next()? {
                ESC_END => END,
                ESC_ESC => ESC,
                _ => return None,
            },
            byte => *byte,
        });
    }
    Some(bytes)
}

/// The record that these bytes are, if they are whole.
fn record(bytes: &[u8]) -> Option<Piece> {
    let (rest, sum) = bytes.split_last_chunk()?;
    if u16::from_le_bytes(*sum) != fcs(rest) {
        return None;
    }
    match rest.split_first()? {
        (&FRAME, body) => heard(body),
        (&STATE, body) => state(body),
        _ => None,
    }
}

fn heard(body: &[u8]) -> Option<Piece> {
    let (header, bytes) = body.split_first_chunk::<FRAME_HEADER>()?;
    let (start_us, rest) = header.split_first_chunk()?;
    Some(Piece::Heard(Heard {
        start_us: u64::from_le_bytes(*start_us),
        channel: rest[0],
        dbm: rest[1] as i8,
        lqi: rest[2],
        bytes: bytes.to_vec(),
    }))
}

/// Later editions may add fields behind these.
fn state(body: &[u8]) -> Option<Piece> {
    let b: &[u8; STATE_BYTES] = body.first_chunk()?;
    Some(Piece::State(State {
        version: b[0],
        channel: b[1],
        channel_first: b[2],
        channel_last: b[3],
        byte_us: u16::from_le_bytes([b[4], b[5]]),
        corrupted: u16::from_le_bytes([b[6], b[7]]),
        lost_by_radio: u32::from_le_bytes([b[8], b[9], b[10], b[11]]),
        lost_by_port: u32::from_le_bytes([b[12], b[13], b[14], b[15]]),
        restarts: u16::from_le_bytes([b[16], b[17]]),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(record: &[u8]) -> Vec<u8> {
        let mut stream = vec![END];
        for byte in record.iter().copied().chain(fcs(record).to_le_bytes()) {
            match byte {
                END => stream.extend([ESC, ESC_END]),
                ESC => stream.extend([ESC, ESC_ESC]),
                byte => stream.push(byte),
            }
        }
        stream.push(END);
        stream
    }

    fn pieces(stream: &[u8]) -> Vec<Piece> {
        let mut records = Records::default();
        stream.iter().filter_map(|byte| records.take(*byte)).collect()
    }

    fn a_frame(bytes: &[u8]) -> Heard {
        Heard { start_us: 0xC0DB, channel: 26, dbm: -61, lqi: 255, bytes: bytes.to_vec() }
    }

    fn record_of(heard: &Heard) -> Vec<u8> {
        let mut record = vec![FRAME];
        record.extend(heard.start_us.to_le_bytes());
        record.extend([heard.channel, heard.dbm as u8, heard.lqi]);
        record.extend(&heard.bytes);
        record
    }

    #[test]
    fn a_frame_comes_through_whatever_its_bytes_are() {
        let heard = a_frame(&(0..=255).collect::<Vec<u8>>()[..125]);
        assert_eq!(pieces(&sent(&record_of(&heard))), [Piece::Heard(heard)]);
        let special = a_frame(&[END, ESC, ESC_END, ESC_ESC, END]);
        assert_eq!(pieces(&sent(&record_of(&special))), [Piece::Heard(special)]);
        let empty = a_frame(&[]);
        assert_eq!(pieces(&sent(&record_of(&empty))), [Piece::Heard(empty)]);
    }

    #[test]
    fn the_state_may_have_fields_of_later_editions() {
        let mut record = vec![STATE, 1, 26, 11, 26, 32, 0, 1, 0, 2, 0, 0, 0, 3, 0, 1, 0, 4, 0];
        let state = State {
            version: 1,
            channel: 26,
            channel_first: 11,
            channel_last: 26,
            byte_us: 32,
            corrupted: 1,
            lost_by_radio: 2,
            lost_by_port: 0x10003,
            restarts: 4,
        };
        assert_eq!(pieces(&sent(&record)), [Piece::State(state.clone())]);
        record.push(9);
        assert_eq!(pieces(&sent(&record)), [Piece::State(state)]);
        record.truncate(STATE_BYTES);
        assert_eq!(pieces(&sent(&record)), [Piece::Damaged]);
    }

    #[test]
    fn each_changed_or_missing_byte_is_noticed_and_the_next_record_is_read() {
        let heard = a_frame(b"\xC0hello");
        let good = sent(&record_of(&heard));
        for index in 0..good.len() {
            let mut wrong = good.clone();
            wrong[index] ^= 0x20;
            let mut less = good.clone();
            less.remove(index);
            for stream in [wrong, less] {
                let found = pieces(&[&good[..], &stream, &good].concat());
                let whole = found.iter().filter(|piece| **piece == Piece::Heard(heard.clone()));
                let whole = whole.count();
                // Without one END of the damaged record its contents are the same.
                let is_an_end = index == 0 || index == good.len() - 1;
                assert!(
                    whole == 2 || (is_an_end && (1..=3).contains(&whole)),
                    "{index}: {found:?}"
                );
            }
        }
    }

    #[test]
    fn a_stream_may_begin_anywhere_and_text_is_shown() {
        let heard = a_frame(b"abc");
        let good = sent(&record_of(&heard));
        assert_eq!(pieces(&[&good[3..], &good].concat()), [Piece::Heard(heard.clone())]);
        let text = pieces(&[&good[..], b"PANIC here\r\nagain\n", &good].concat());
        let expected = [
            Piece::Heard(heard.clone()),
            Piece::Text("PANIC here".to_string()),
            Piece::Text("again".to_string()),
            Piece::Heard(heard),
        ];
        assert_eq!(text, expected);
        assert_eq!(pieces(&[&[END], &[7; 10_000][..], &[END]].concat()), [Piece::Damaged]);
    }
}
