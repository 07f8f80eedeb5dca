// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records of the storage that a program needs of its image: `os/include/lichen/partition.h`.

use crate::Machine;
use crate::error::{Error, Reason};

const LOG: u8 = 1;
/// Bytes in front of the name.
const FIXED_BYTES: usize = 5;

/// A log that a program declares, whose pages an image has under its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    /// Its name.
    pub name: String,
    /// The pages that it takes at least.
    pub pages: u16,
    /// Where its object is, from the first byte of the program's data.
    pub place: u16,
}

impl Partition {
    /// Reads the contents of a record, which are at byte `at` of the container, of a program with so many bytes of data.
    pub(crate) fn parse(
        contents: &[u8],
        at: usize,
        machine: Machine,
        data: u16,
    ) -> Result<Partition, Error> {
        let wrong = |at, reason, what: String| Err(Error::new(at, "records", reason, what));
        let &[kind, a, b, c, d, ref name @ ..] = contents else {
            let what =
                format!("a log takes {FIXED_BYTES} bytes and its name, not {}", contents.len());
            return wrong(at - 1, Reason::Record, what);
        };
        if name.is_empty() {
            return wrong(at - 1, Reason::Record, "a log without a name".to_string());
        }
        if kind != LOG {
            return wrong(at, Reason::Partition, format!("storage of kind {kind} is not known"));
        }
        if let Some(byte) = name.iter().find(|byte| !byte.is_ascii_alphanumeric() && **byte != b'_')
        {
            let what = format!("a log's name has letters, digits and `_`, not 0x{byte:02x}");
            return wrong(at + FIXED_BYTES, Reason::Partition, what);
        }
        let [pages, place] = [[a, b], [c, d]].map(u16::from_le_bytes);
        let name = String::from_utf8_lossy(name).into_owned();
        if place % machine.multiples()[2] != 0
            || u32::from(place) + machine.log_bytes() > u32::from(data)
        {
            let what = format!("the log {name} is not in the data, {data} bytes, at {place}");
            return wrong(at + 3, Reason::Address, what);
        }
        Ok(Partition { name, pages, place })
    }

    /// The contents of its record.
    pub(crate) fn contents(&self) -> Vec<u8> {
        let mut bytes = vec![LOG];
        bytes.extend(self.pages.to_le_bytes());
        bytes.extend(self.place.to_le_bytes());
        bytes.extend(self.name.bytes());
        bytes
    }
}
