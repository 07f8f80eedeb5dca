// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames, and how they are told from the text that they share the line with.

const STX: u8 = 0x02;
const ETX: u8 = 0x03;
const DLE: u8 = 0x10;
/// What is inverted in a byte behind DLE.
const STUFFED: u8 = 0x40;
/// Type, sequence number, payload and CRC of the longest frame.
const LONGEST: usize = 1 + 1 + 68 + 2;

/// A frame, of the host or of the mote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// What it asks for, or answers.
    pub kind: u8,
    /// Number of the request.
    pub sequence: u8,
    /// What else it says.
    pub payload: Vec<u8>,
}

impl Frame {
    /// As it is on the line.
    pub fn bytes(&self) -> Vec<u8> {
        let mut body = vec![self.kind, self.sequence];
        body.extend(&self.payload);
        body.extend(crc(&body).to_le_bytes());
        let mut bytes = vec![STX];
        for byte in body {
            match is_stuffed(byte) {
                true => bytes.extend([DLE, byte ^ STUFFED]),
                false => bytes.push(byte),
            }
        }
        bytes.push(ETX);
        bytes
    }

    /// The frame of what came between STX and ETX, unless that is damaged.
    fn of(body: &[u8]) -> Option<Frame> {
        let (body, sum) = body.split_last_chunk::<2>()?;
        let [kind, sequence, payload @ ..] = body else { return None };
        (crc(body) == u16::from_le_bytes(*sum)).then(|| Frame {
            kind: *kind,
            sequence: *sequence,
            payload: payload.to_vec(),
        })
    }
}

fn is_stuffed(byte: u8) -> bool {
    matches!(byte, STX | ETX | b'\n' | b'\r' | DLE | 0x11 | 0x13)
}

/// CRC-16/CCITT-FALSE.
fn crc(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0xffff, |crc, byte| {
        (0..8).fold(crc ^ u16::from(*byte) << 8, |crc: u16, _| {
            if crc & 0x8000 != 0 { crc << 1 ^ 0x1021 } else { crc << 1 }
        })
    })
}

/// What a byte completes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// Characters of the console.
    Text(Vec<u8>),
    /// A frame.
    Frame(Frame),
}

/// Tells frames from text, byte by byte. A damaged frame is text, too: nothing is dropped.
#[derive(Clone, Debug, Default, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub struct Separator {
    /// What came of a frame, as it came, if one has begun.
    raw: Vec<u8>,
    /// Type, sequence number, payload and CRC of it.
    body: Vec<u8>,
    is_stuffed: bool,
}

impl Separator {
    /// The byte that begins a frame.
    pub const BEGIN: u8 = STX;

    /// Whether what comes now is text, whatever it is but the beginning of a frame.
    pub fn is_in_text(&self) -> bool {
        self.raw.is_empty()
    }

    /// Takes a byte of the line.
    pub fn byte(&mut self, byte: u8) -> Option<Item> {
        if self.raw.is_empty() && byte != STX {
            return Some(Item::Text(vec![byte]));
        }
        match byte {
            STX => {
                let text = self.text();
                self.raw.push(byte);
                return text;
            }
            ETX => {
                let is_whole = !self.is_stuffed;
                self.raw.push(byte);
                let Some(frame) = Frame::of(&self.body).filter(|_| is_whole) else {
                    return self.text();
                };
                self.text();
                return Some(Item::Frame(frame));
            }
            _ => self.raw.push(byte),
        }
        match byte {
            b'\n' | b'\r' => return self.text(),
            DLE => self.is_stuffed = true,
            _ if self.body.len() == LONGEST => return self.text(),
            _ => {
                self.body.push(if self.is_stuffed { byte ^ STUFFED } else { byte });
                self.is_stuffed = false;
            }
        }
        None
    }

    /// What only began like a frame, as text.
    pub fn text(&mut self) -> Option<Item> {
        self.body.clear();
        self.is_stuffed = false;
        let raw = std::mem::take(&mut self.raw);
        (!raw.is_empty()).then_some(Item::Text(raw))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(payload: &[u8]) -> Frame {
        Frame { kind: 4, sequence: 9, payload: payload.to_vec() }
    }

    fn separated(bytes: &[u8]) -> (Vec<u8>, Vec<Frame>) {
        let mut separator = Separator::default();
        let (mut text, mut frames) = (Vec::new(), Vec::new());
        for item in bytes.iter().filter_map(|byte| separator.byte(*byte)) {
            match item {
                Item::Text(more) => text.extend(more),
                Item::Frame(frame) => frames.push(frame),
            }
        }
        (text, frames)
    }

    #[test]
    fn the_crc_is_that_of_the_specification() {
        assert_eq!(crc(b"123456789"), 0x29b1);
    }

    #[test]
    fn every_byte_comes_through_and_none_is_a_control_character_of_the_line() {
        for first in (0..=255).step_by(51) {
            let payload: Vec<u8> = (first..=255u8).take(51).collect();
            let bytes = frame(&payload).bytes();
            let inner = &bytes[1..bytes.len() - 1];
            assert!(!inner.iter().any(|byte| b"\x02\x03\n\r\x11\x13".contains(byte)));
            assert_eq!(separated(&bytes), (vec![], vec![frame(&payload)]));
        }
    }

    #[test]
    fn text_around_a_frame_is_left_as_it_is() {
        let line = [b"tempe".to_vec(), frame(b"x").bytes(), b"rature\n".to_vec()].concat();
        assert_eq!(separated(&line), (b"temperature\n".to_vec(), vec![frame(b"x")]));
    }

    #[test]
    fn a_damaged_frame_is_none_wherever_it_is_damaged() {
        let whole = frame(b"hello\x10\x02").bytes();
        for at in 0..whole.len() {
            for flip in 1..=255 {
                let mut bytes = whole.clone();
                bytes[at] ^= flip;
                // The end makes sure that a frame without one ends.
                bytes.extend(b"\n");
                assert_eq!(separated(&bytes).1, [], "byte {at} with {flip:#x}");
            }
            let mut bytes = whole.clone();
            bytes.remove(at);
            assert_eq!(separated(&bytes).1, [], "without byte {at}");
        }
    }

    #[test]
    fn what_only_begins_like_a_frame_is_text() {
        assert_eq!(separated(b"a\x02bc\nd"), (b"a\x02bc\nd".to_vec(), vec![]));
        let long = [b"\x02".to_vec(), vec![b'x'; LONGEST + 1], b"y".to_vec()].concat();
        assert_eq!(separated(&long), (long, vec![]));
        let again = [b"\x02half".to_vec(), frame(b"z").bytes()].concat();
        assert_eq!(separated(&again), (b"\x02half".to_vec(), vec![frame(b"z")]));
        let mut separator = Separator::default();
        assert_eq!(separator.byte(2), None);
        assert_eq!(separator.text(), Some(Item::Text(vec![2])));
    }
}
