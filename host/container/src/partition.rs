// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records of the storage that a program needs of its image: `os/include/lichen/partition.h`.

use crate::Machine;
use crate::error::{Error, Reason};

/// Bytes in front of the name.
const FIXED_BYTES: usize = 5;

/// What storage is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// `lichen/log.h`.
    Log,
    /// `lichen/block.h`.
    Volume,
    /// `lichen/counter.h`.
    Counter,
}

impl Storage {
    /// All, by their numbers from 1: `enum partition_kind`.
    pub const ALL: [Storage; 3] = [Storage::Log, Storage::Volume, Storage::Counter];

    /// Its number.
    pub fn number(self) -> u8 {
        self as u8 + 1
    }

    /// The name of its structure.
    pub fn name(self) -> &'static str {
        match self {
            Storage::Log => "log",
            Storage::Volume => "volume",
            Storage::Counter => "counter",
        }
    }
}

/// A log, volume or counter that a program declares, whose pages an image has under its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    /// What it is for.
    pub kind: Storage,
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
                format!("storage takes {FIXED_BYTES} bytes and its name, not {}", contents.len());
            return wrong(at - 1, Reason::Record, what);
        };
        if name.is_empty() {
            return wrong(at - 1, Reason::Record, "storage without a name".to_string());
        }
        let known = usize::from(kind).checked_sub(1).and_then(|kind| Storage::ALL.get(kind));
        let Some(&kind) = known else {
            return wrong(at, Reason::Partition, format!("storage of kind {kind} is not known"));
        };
        if let Some(byte) = name.iter().find(|byte| !byte.is_ascii_alphanumeric() && **byte != b'_')
        {
            let what = format!("a name of storage has letters, digits and `_`, not 0x{byte:02x}");
            return wrong(at + FIXED_BYTES, Reason::Partition, what);
        }
        let [pages, place] = [[a, b], [c, d]].map(u16::from_le_bytes);
        let name = String::from_utf8_lossy(name).into_owned();
        if place % machine.multiples()[2] != 0
            || u32::from(place) + machine.storage_bytes(kind) > u32::from(data)
        {
            let what =
                format!("the {} {name} is not in the data, {data} bytes, at {place}", kind.name());
            return wrong(at + 3, Reason::Address, what);
        }
        Ok(Partition { kind, name, pages, place })
    }

    /// The contents of its record.
    pub(crate) fn contents(&self) -> Vec<u8> {
        let mut bytes = vec![self.kind.number()];
        bytes.extend(self.pages.to_le_bytes());
        bytes.extend(self.place.to_le_bytes());
        bytes.extend(self.name.bytes());
        bytes
    }
}
