// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files that hold addresses and bytes only: Intel HEX and Motorola S-records.

use crate::{Error, Segment};
use std::collections::BTreeMap;

/// The formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    IntelHex,
    SRecords,
}

impl Format {
    /// That of a file that begins with these bytes, if it is one of them.
    pub fn of(bytes: &[u8]) -> Option<Format> {
        match bytes {
            [b':', ..] => Some(Format::IntelHex),
            [b'S', b'0'..=b'9', ..] => Some(Format::SRecords),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Format::IntelHex => "Intel HEX",
            Format::SRecords => "S-record",
        }
    }

    /// What a file of the format says is to be written, by address.
    pub fn segments(self, file: &str, bytes: &[u8]) -> Result<Vec<Segment>, Error> {
        let wrong = |line: usize, what: String| {
            let (file, format) = (file.to_string(), self.name());
            Error::DamagedRecord { file, line, format, what }
        };
        let text = String::from_utf8_lossy(bytes);
        let mut content = Content::default();
        let mut last = 1;
        for (line, record) in (1..).zip(text.lines().map(str::trim)) {
            if record.is_empty() {
                continue;
            }
            last = line;
            if content.is_over {
                return Err(wrong(line, "something follows the last record".to_string()));
            }
            let taken = match self {
                // The parsers index bytes.
                _ if !record.is_ascii() => Err("it is not text".to_string()),
                Format::IntelHex => content.take_hex(record),
                Format::SRecords => content.take_s_record(record),
            };
            taken.map_err(|what| wrong(line, what))?;
        }
        if !content.is_over {
            return Err(wrong(last, "the file ends without its last record".to_string()));
        }
        Ok(content.segments())
    }
}

/// What the records so far have said.
#[derive(Debug, Default)]
struct Content {
    bytes: BTreeMap<u32, u8>,
    /// What Intel HEX adds to the addresses of its records.
    base: u32,
    is_over: bool,
}

impl Content {
    /// Intel, Hexadecimal Object File Format Specification, revision A.
    fn take_hex(&mut self, record: &str) -> Result<(), String> {
        use ihex::Record;
        match Record::from_record_string(record).map_err(|error| error.to_string())? {
            Record::Data { offset, value } => {
                return self.put(self.base + u32::from(offset), &value);
            }
            Record::EndOfFile => self.is_over = true,
            Record::ExtendedSegmentAddress(paragraph) => self.base = u32::from(paragraph) << 4,
            Record::ExtendedLinearAddress(upper) => self.base = u32::from(upper) << 16,
            // Where a loader would jump to. A chip begins at its reset vector.
            Record::StartSegmentAddress { .. } | Record::StartLinearAddress(_) => {}
        }
        Ok(())
    }

    fn take_s_record(&mut self, record: &str) -> Result<(), String> {
        use srec::Record;
        match record.parse().map_err(|error: srec::ReaderError| error.to_string())? {
            Record::S1(data) => self.put(data.address.into(), &data.data),
            Record::S2(data) => self.put(data.address.into(), &data.data),
            Record::S3(data) => self.put(data.address.into(), &data.data),
            Record::S7(_) | Record::S8(_) | Record::S9(_) => {
                self.is_over = true;
                Ok(())
            }
            Record::S0(_) | Record::S5(_) | Record::S6(_) => Ok(()),
        }
    }

    fn put(&mut self, address: u32, bytes: &[u8]) -> Result<(), String> {
        for (offset, byte) in (0..).zip(bytes) {
            let at = address.checked_add(offset);
            let at = at.ok_or("it runs over the end of the address space")?;
            if self.bytes.insert(at, *byte).is_some_and(|before| before != *byte) {
                return Err(format!("it has another byte for 0x{at:06x} than an earlier one"));
            }
        }
        Ok(())
    }

    /// Bytes without gaps belong together.
    fn segments(&self) -> Vec<Segment> {
        let mut segments: Vec<Segment> = Vec::new();
        for (address, byte) in &self.bytes {
            match segments.last_mut() {
                Some(last) if last.address + last.bytes.len() as u32 == *address => {
                    last.bytes.push(*byte);
                }
                _ => segments.push(Segment {
                    address: *address,
                    runs_at: *address,
                    bytes: vec![*byte],
                }),
            }
        }
        segments
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<(u32, Vec<u8>)>, String> {
        let format = Format::of(text.as_bytes()).expect("a format");
        let segments = format.segments("a", text.as_bytes()).map_err(|error| error.to_string())?;
        Ok(segments.into_iter().map(|segment| (segment.address, segment.bytes)).collect())
    }

    #[test]
    fn records_are_joined_by_address() {
        let hex = ":02000004008179\n:02001000AABB89\n:0200120001FFEC\n:020000021000EC\n:0100000055AA\n:00000001FF\n";
        assert_eq!(
            read(hex),
            Ok(vec![(0x10000, vec![0x55]), (0x0081_0010, vec![0xAA, 0xBB, 1, 0xFF])])
        );
        let s = "S00600004844521B\r\nS107123400010203AC\r\nS10712380405060798\r\nS9031234B6\r\n";
        assert_eq!(read(s), Ok(vec![(0x1234, vec![0, 1, 2, 3, 4, 5, 6, 7])]));
    }

    #[test]
    fn damage_is_named_with_its_line() {
        let wrong = |text: &str| read(text).expect_err("wrong");
        let sum = wrong(":02001000AABB89\n:0200120001FFED\n:00000001FF\n");
        assert!(sum.starts_with("a:2: damaged Intel HEX record: invalid checksum"), "{sum}");
        let other = wrong(":0100000055AA\n:0100000054AB\n:00000001FF\n");
        assert!(other.contains("a:2:") && other.contains("another byte for 0x000000"), "{other}");
        let end = wrong(":0100000055AA\n");
        assert!(end.contains("ends without its last record"), "{end}");
        let more = wrong(":00000001FF\n:0100000055AA\n");
        assert!(more.contains("follows the last record"), "{more}");
        let text = wrong("S1\u{e9}\n");
        assert!(text.contains("a:1: damaged S-record record: it is not text"), "{text}");
        let over = wrong("S306FFFFFFFF5500\n".replace("5500", "55A9").as_str());
        assert!(over.contains("a:1:"), "{over}");
    }
}
