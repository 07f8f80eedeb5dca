// SPDX-License-Identifier: MIT OR Apache-2.0
//! The header of a container, its name and its records.

use crate::error::{Error, Reason};
use crate::{Machine, Partition, names};

/// Bytes of the header, in front of the name.
pub const HEADER_BYTES: usize = 30;
/// The longest name.
pub const NAME_MAX: usize = 15;
/// Bytes of the checksum.
pub const CRC_BYTES: usize = 4;
/// Bytes of the MAC.
pub const MAC_BYTES: usize = 16;
/// The most bytes of all blocks together, so that an address has 16 bits.
pub const BLOCKS_MAX: u32 = 65_277;

/// The byte with the number of events.
const EVENTS_AT: usize = 29;

const MAGIC: [u8; 2] = [0x4c, 0xf0];
const FORMAT: u8 = 1;
const TRUST: u8 = 3;
const HAS_MAC: u8 = 4;
const RECORD_GROUP: u8 = 1;
const RECORD_EVENT_STACK: u8 = 2;
const RECORD_PARTITION: u8 = 3;
const RECORD_OPTIONAL: u8 = 0x80;
const GROUP_BYTES: usize = 3;

/// What may happen to the program before it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// It is linked as it is.
    Trusted,
    /// The host rewrote it, the mote verifies it.
    Safe,
    /// The mote rewrites it.
    Raw,
}

impl Trust {
    /// Its name in the specification.
    pub fn name(self) -> &'static str {
        match self {
            Trust::Trusted => "TRUSTED",
            Trust::Safe => "SAFE",
            Trust::Raw => "RAW",
        }
    }
}

/// Something of each table of a program, and of its mutexes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rows<T> {
    /// Threads.
    pub threads: T,
    /// Receivers of packets.
    pub receivers: T,
    /// Modules of the log.
    pub modules: T,
    /// Commands of the shell.
    pub commands: T,
    /// Functions that run at the start.
    pub starts: T,
    /// Mutexes, the first of the objects.
    pub mutexes: T,
    /// Events, the last of the tables.
    pub events: T,
}

impl<T> Rows<T> {
    /// Of the tables, in their order.
    pub fn tables(self) -> [T; 6] {
        [self.threads, self.receivers, self.modules, self.commands, self.starts, self.events]
    }
}

/// A group of calls that a program uses, in the form that it was compiled with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Group {
    /// Its number.
    pub number: u8,
    /// Its fingerprint.
    pub fingerprint: u16,
}

/// A record that readers skip which do not know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// 128 to 255.
    pub kind: u8,
    /// At most 255 bytes.
    pub contents: Vec<u8>,
}

/// Header, name and records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The instruction set.
    pub machine: Machine,
    /// What may happen to the program.
    pub trust: Trust,
    /// Whether a MAC ends the container.
    pub has_mac: bool,
    /// Bytes up to the program's first.
    pub header_bytes: u8,
    /// The program's version.
    pub version: u16,
    /// Seconds within which it confirms itself; 0: it need not.
    pub confirm_s: u16,
    /// Bytes of tables and constants.
    pub constants_bytes: u16,
    /// Bytes of functions.
    pub code_bytes: u16,
    /// Bytes of initial values.
    pub initial_bytes: u16,
    /// Bytes of kernel objects.
    pub object_bytes: u16,
    /// Bytes of stacks.
    pub stack_bytes: u16,
    /// Bytes of data.
    pub data_bytes: u16,
    /// Numbers of rows.
    pub rows: Rows<u8>,
    /// The program's name.
    pub name: String,
    /// Bytes of the kernel's stack that its deepest event uses; 0: it has no events.
    pub event_stack: u16,
    /// Groups of calls that it uses.
    pub groups: Vec<Group>,
    /// Storage that it needs.
    pub partitions: Vec<Partition>,
    /// Other records.
    pub others: Vec<Record>,
}

impl Header {
    /// Reads and checks the beginning of a container.
    pub fn parse(bytes: &[u8]) -> Result<Header, Error> {
        let machine = beginning(bytes)?;
        let fixed: &[u8; HEADER_BYTES] =
            bytes.first_chunk().ok_or_else(|| Error::cut(bytes.len(), "header"))?;
        let (trust, has_mac) = flags(fixed[4])?;
        let half = |at: usize| u16::from_le_bytes([fixed[at], fixed[at + 1]]);
        let [threads, receivers, modules, commands, starts, mutexes, events] =
            [22, 23, 24, 25, 26, 27, EVENTS_AT].map(|at| fixed[at]);
        let name = name(bytes, fixed)?;
        let mut header = Header {
            machine,
            trust,
            has_mac,
            header_bytes: fixed[5],
            version: half(6),
            confirm_s: half(8),
            constants_bytes: half(10),
            code_bytes: half(12),
            initial_bytes: half(14),
            object_bytes: half(16),
            stack_bytes: half(18),
            data_bytes: half(20),
            rows: Rows { threads, receivers, modules, commands, starts, mutexes, events },
            name,
            event_stack: 0,
            groups: Vec::new(),
            partitions: Vec::new(),
            others: Vec::new(),
        };
        header.check()?;
        header.take_records(bytes)?;
        header.check_events()?;
        Ok(header)
    }

    /// The byte at which a group is named, where the groups are the first record, as they are written.
    pub fn group_at(&self, index: usize) -> usize {
        HEADER_BYTES + self.name.len() + 2 + GROUP_BYTES * index
    }

    /// The storage whose record has a byte, where storage comes behind the groups, as it is written.
    pub fn partition_at(&self, byte: usize) -> Option<&Partition> {
        let mut end = self.group_at(self.groups.len());
        self.partitions.iter().find(|partition| {
            end += 2 + partition.contents().len();
            byte < end
        })
    }

    /// Bytes of the flash block.
    pub fn flash_bytes(&self) -> u32 {
        [self.constants_bytes, self.code_bytes, self.initial_bytes].map(u32::from).iter().sum()
    }

    /// Bytes of all blocks.
    pub fn block_bytes(&self) -> u32 {
        let in_ram = [self.object_bytes, self.stack_bytes, self.data_bytes];
        self.flash_bytes() + in_ram.map(u32::from).iter().sum::<u32>()
    }

    /// Lengths are what the machine can have, and the rows fit where they lie.
    fn check(&self) -> Result<(), Error> {
        let wrong = |at, field, what: String| Err(Error::new(at, field, Reason::Header, what));
        let [objects, stacks, data] = self.machine.multiples();
        for (at, field, bytes, multiple) in [
            (10, "constants", self.constants_bytes, 2),
            (12, "code", self.code_bytes, 2),
            (14, "initial values", self.initial_bytes, 2),
            (16, "objects", self.object_bytes, objects),
            (18, "stacks", self.stack_bytes, stacks),
            (20, "data", self.data_bytes, data),
        ] {
            if bytes % multiple != 0 {
                return wrong(at, field, format!("{bytes} bytes are not a multiple of {multiple}"));
            }
        }
        let all = self.block_bytes();
        if all > BLOCKS_MAX {
            return wrong(10, "blocks", format!("{all} bytes, and at most {BLOCKS_MAX}"));
        }
        let row_bytes = self.machine.row_bytes();
        let rows = self.rows.tables().map(u32::from);
        let tables: u32 = rows.iter().zip(row_bytes.tables()).map(|(n, each)| n * each).sum();
        let mutexes = u32::from(self.rows.mutexes) * row_bytes.mutexes;
        if tables > self.constants_bytes.into() {
            let constants = self.constants_bytes;
            return wrong(22, "rows", format!("{tables} bytes, and {constants} of constants"));
        }
        if mutexes > self.object_bytes.into() {
            let objects = self.object_bytes;
            return wrong(
                27,
                "rows",
                format!("{mutexes} bytes of mutexes, and {objects} of objects"),
            );
        }
        Ok(())
    }

    /// Events run at the kernel level, and what they use of its stack is known.
    fn check_events(&self) -> Result<(), Error> {
        let count = self.rows.events;
        if count > 0 && self.trust != Trust::Trusted {
            let what = format!("{count}, and {} programs have none", self.trust.name());
            return Err(Error::new(EVENTS_AT, "events", Reason::Header, what));
        }
        if (count > 0) != (self.event_stack > 0) {
            let what = format!("{count} events use {} bytes of stack", self.event_stack);
            return Err(Error::new(EVENTS_AT, "events", Reason::Record, what));
        }
        Ok(())
    }

    fn take_records(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let end = usize::from(self.header_bytes);
        let Some(head) = bytes.get(..end) else { return Err(Error::cut(bytes.len(), "records")) };
        let wrong = |at, what: String| Err(Error::new(at, "records", Reason::Record, what));
        let mut at = HEADER_BYTES + self.name.len();
        while let Some(&kind) = head.get(at) {
            if kind == 0 {
                return match head.iter().skip(at).position(|byte| *byte != 0) {
                    Some(offset) => wrong(at + offset, "something follows the end".to_string()),
                    None => Ok(()),
                };
            }
            let Some(&length) = head.get(at + 1) else {
                return wrong(at, format!("record {kind} has no length"));
            };
            let Some(contents) = head.get(at + 2..at + 2 + usize::from(length)) else {
                return wrong(
                    at + 1,
                    format!("record {kind} has {length} bytes, and leaves the header"),
                );
            };
            match kind {
                RECORD_GROUP => self.take_groups(at + 2, contents)?,
                RECORD_EVENT_STACK => {
                    self.event_stack = match contents {
                        [low, high] => u16::from_le_bytes([*low, *high]),
                        _ => {
                            return wrong(
                                at + 1,
                                format!("record {kind} has {length} bytes, not 2"),
                            );
                        }
                    };
                }
                RECORD_PARTITION => {
                    let data = self.data_bytes;
                    let partition = Partition::parse(contents, at + 2, self.machine, data)?;
                    self.partitions.push(partition);
                }
                RECORD_OPTIONAL.. => self.others.push(Record { kind, contents: contents.to_vec() }),
                _ => return wrong(at, format!("kind {kind} is not known")),
            }
            at += 2 + contents.len();
        }
        Ok(())
    }

    fn take_groups(&mut self, at: usize, contents: &[u8]) -> Result<(), Error> {
        let groups = contents.chunks_exact(GROUP_BYTES);
        if !groups.remainder().is_empty() {
            let what = format!("groups have {GROUP_BYTES} bytes each, these {}", contents.len());
            return Err(Error::new(at - 1, "records", Reason::Record, what));
        }
        self.groups.extend(groups.map(|group| Group {
            number: group[0],
            fingerprint: u16::from_le_bytes([group[1], group[2]]),
        }));
        Ok(())
    }

    /// The bytes of header, name and records; `None` if there are more than a header can have. Its own
    /// `header_bytes` does not count.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        let mut bytes = Vec::from(MAGIC);
        let mac = if self.has_mac { HAS_MAC } else { 0 };
        bytes.extend([FORMAT, self.machine.number(), self.trust as u8 | mac, 0]);
        for half in [
            self.version,
            self.confirm_s,
            self.constants_bytes,
            self.code_bytes,
            self.initial_bytes,
            self.object_bytes,
            self.stack_bytes,
            self.data_bytes,
        ] {
            bytes.extend(half.to_le_bytes());
        }
        let Rows { threads, receivers, modules, commands, starts, mutexes, events } = self.rows;
        bytes.extend([threads, receivers, modules, commands, starts, mutexes]);
        bytes.extend([u8::try_from(self.name.len()).ok()?, events]);
        bytes.extend(self.name.bytes());
        for some in self.groups.chunks(usize::from(u8::MAX) / GROUP_BYTES) {
            bytes.extend([RECORD_GROUP, (some.len() * GROUP_BYTES) as u8]);
            for group in some {
                bytes.push(group.number);
                bytes.extend(group.fingerprint.to_le_bytes());
            }
        }
        if self.event_stack > 0 {
            bytes.extend([RECORD_EVENT_STACK, 2]);
            bytes.extend(self.event_stack.to_le_bytes());
        }
        for partition in &self.partitions {
            let contents = partition.contents();
            bytes.extend([RECORD_PARTITION, u8::try_from(contents.len()).ok()?]);
            bytes.extend(contents);
        }
        for record in &self.others {
            bytes.extend([record.kind, u8::try_from(record.contents.len()).ok()?]);
            bytes.extend(&record.contents);
        }
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        bytes[5] = u8::try_from(bytes.len()).ok()?;
        Some(bytes)
    }
}

/// Checks magic and format. Returns the machine.
fn beginning(bytes: &[u8]) -> Result<Machine, Error> {
    let other = |at, field, what: String| Err(Error::new(at, field, Reason::NotAContainer, what));
    let Some(magic) = bytes.get(..2) else { return Err(Error::cut(bytes.len(), "magic")) };
    if magic != MAGIC {
        let [first, second] = MAGIC;
        let found = format!("0x{:02x}, 0x{:02x}", magic[0], magic[1]);
        let what = format!(
            "a container begins with 0x{first:02x}, 0x{second:02x}, this file with {found}"
        );
        return other(0, "magic", what);
    }
    match bytes.get(2) {
        None => return Err(Error::cut(2, "format")),
        Some(&FORMAT) => {}
        Some(format) => return other(2, "format", format!("{format} is not known, but {FORMAT}")),
    }
    let number = *bytes.get(3).ok_or_else(|| Error::cut(3, "machine"))?;
    Machine::numbered(number).ok_or_else(|| {
        let known = Machine::ALL.map(|machine| format!("{} ({machine})", machine.number()));
        let what = format!("{number} is none of {}", known.join(", "));
        Error::new(3, "machine", Reason::Machine, what)
    })
}

fn flags(flags: u8) -> Result<(Trust, bool), Error> {
    let wrong = |what: String| Err(Error::new(4, "flags", Reason::Header, what));
    if flags & !(TRUST | HAS_MAC) != 0 {
        return wrong(format!("0x{flags:02x} has bits that are not known"));
    }
    let trust = match flags & TRUST {
        0 => Trust::Trusted,
        1 => Trust::Safe,
        2 => Trust::Raw,
        _ => return wrong("3 is none of 0 (TRUSTED), 1 (SAFE), 2 (RAW)".to_string()),
    };
    Ok((trust, flags & HAS_MAC != 0))
}

fn name(bytes: &[u8], fixed: &[u8; HEADER_BYTES]) -> Result<String, Error> {
    let wrong = |at, field, what: String| Err(Error::new(at, field, Reason::Header, what));
    let (header, name) = (fixed[5], fixed[28]);
    if name == 0 || usize::from(name) > NAME_MAX {
        return wrong(28, "name bytes", format!("{name} is not 1 to {NAME_MAX}"));
    }
    let end = HEADER_BYTES + usize::from(name);
    if header % 4 != 0 || usize::from(header) < end {
        let what = format!("{header} is not a multiple of 4 from {end} on");
        return wrong(5, "header bytes", what);
    }
    let Some(name) = bytes.get(HEADER_BYTES..end) else {
        return Err(Error::cut(bytes.len(), "name"));
    };
    match names::fault(name) {
        Some(fault) => wrong(HEADER_BYTES, "name", fault),
        None => Ok(String::from_utf8_lossy(name).into_owned()),
    }
}
