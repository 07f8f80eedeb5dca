// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a container needs of a mote, by its header (`doc/spec/container.md`), so that one that cannot run there is refused before it is
//! sent.

use crate::request::{Hello, rows};

const MAGIC: [u8; 2] = [0x4c, 0xf0];
const FORMAT: u8 = 1;
const NAME_MAX: u8 = 15;
/// Bytes before the name.
const FIXED: usize = 30;
const RECORD_GROUP: u8 = 1;
const RECORD_OPTIONAL: u8 = 0x80;
const CRC_BYTES: usize = 4;

/// Why a container cannot run on a mote.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}: {field}, at byte {byte}")]
pub struct Wrong {
    /// What is wrong.
    pub what: String,
    /// Field of the container.
    pub field: &'static str,
    /// Its first byte.
    pub byte: usize,
}

/// What the header of a container says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Container {
    /// Name of the program.
    pub name: String,
    /// Its version.
    pub version: u16,
    /// Instruction set.
    pub machine: u8,
    /// Bytes of flash.
    pub flash: u32,
    /// Bytes of objects and stacks, and of data.
    pub ram: [u32; 2],
    /// The groups of calls that it uses, their fingerprints, and where in the container they are named.
    pub groups: Vec<(u8, u16, usize)>,
}

fn wrong(what: impl Into<String>, field: &'static str, byte: usize) -> Wrong {
    Wrong { what: what.into(), field, byte }
}

impl Container {
    /// The machine of MICA motes.
    pub const AVR: u8 = 2;

    /// Reads the header of a container.
    pub fn read(bytes: &[u8]) -> Result<Container, Wrong> {
        if !bytes.starts_with(&MAGIC) {
            return Err(wrong("this is no container", "magic", 0));
        }
        let Some(head) = bytes.first_chunk::<FIXED>() else {
            return Err(wrong("the container is cut short", "header", bytes.len()));
        };
        let number = |at: usize| u16::from_le_bytes([head[at], head[at + 1]]);
        if head[2] != FORMAT {
            return Err(wrong(
                format!("the container has format {}, not {FORMAT}", head[2]),
                "format",
                2,
            ));
        }
        let header = usize::from(head[5]);
        let name = FIXED + usize::from(head[28]);
        if !(1..=NAME_MAX).contains(&head[28]) || name > header {
            return Err(wrong("the name does not fit", "name bytes", 28));
        }
        if bytes.len() < header + CRC_BYTES {
            return Err(wrong("the container is cut short", "header bytes", 5));
        }
        let long = |at| u32::from(number(at));
        Ok(Container {
            name: bytes[FIXED..name].escape_ascii().to_string(),
            version: number(6),
            machine: head[3],
            flash: header as u32 + long(10) + long(12) + long(14),
            ram: [long(16) + long(18), long(20)],
            groups: groups(&bytes[..header], name)?,
        })
    }

    /// Checks that the mote has the calls that the program uses.
    pub(crate) fn check(&self, mote: &Hello, groups: &[(u8, u16)]) -> Result<(), Wrong> {
        if self.machine != mote.machine {
            let [ours, theirs] = [self.machine, mote.machine].map(machine);
            return Err(wrong(
                format!("the container is for {ours}, the mote is {theirs}"),
                "machine",
                3,
            ));
        }
        for (group, fingerprint, byte) in &self.groups {
            let found = groups.iter().find(|(known, _)| known == group);
            let what = match found {
                None => "the mote's image lacks calls of group",
                Some((_, theirs)) if theirs != fingerprint => {
                    "the mote's image has another form of group"
                }
                Some(_) => continue,
            };
            return Err(wrong(format!("{what} {group}"), "groups", *byte));
        }
        Ok(())
    }

    /// Says what a mote without room lacks. It is the mote that refuses: the room of an older version of the program
    /// counts as free.
    pub(crate) fn fits(&self, mote: &Hello) -> Result<(), Wrong> {
        if self.flash > mote.flash {
            let what = format!(
                "the program takes {} bytes of flash, the mote has {}",
                self.flash, mote.flash
            );
            return Err(wrong(what, "constants, code, initial values", 10));
        }
        let places = ["objects, stacks", "data"].into_iter().zip([16, 20]);
        for (bytes, (field, byte)) in self.ram.iter().zip(places) {
            if *bytes > u32::from(mote.ram) {
                let what = format!(
                    "the program takes {bytes} bytes of RAM in one block, the mote has {}",
                    mote.ram
                );
                return Err(wrong(what, field, byte));
            }
        }
        Ok(())
    }
}

fn machine(number: u8) -> String {
    match number {
        1 => "ARMv6-M".to_string(),
        2 => "AVR".to_string(),
        _ => format!("an unknown machine, {number}"),
    }
}

/// The groups of the records in `header` from byte `at` on.
fn groups(header: &[u8], mut at: usize) -> Result<Vec<(u8, u16, usize)>, Wrong> {
    let mut all = Vec::new();
    while let Some((kind, rest)) = header[at..].split_first().filter(|(kind, _)| **kind != 0) {
        let length = rest.first().map_or(usize::MAX, |length| usize::from(*length));
        let Some(contents) = rest.get(1..).and_then(|rest| rest.get(..length)) else {
            return Err(wrong("a record does not end in the header", "records", at));
        };
        match *kind {
            RECORD_GROUP => {
                if contents.len() % 3 != 0 {
                    return Err(wrong("a group lacks its fingerprint", "groups", at));
                }
                for (index, (group, fingerprint)) in rows(contents).enumerate() {
                    all.push((group, fingerprint, at + 2 + 3 * index));
                }
            }
            RECORD_OPTIONAL.. => {}
            _ => return Err(wrong(format!("record {kind} is unknown"), "records", at)),
        }
        at += 2 + length;
    }
    Ok(all)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A container for the machine, of a program that uses these groups, with so many bytes of code.
    pub fn container(machine: u8, groups: &[(u8, u16)], code: u16) -> Vec<u8> {
        let mut bytes = vec![0; FIXED];
        bytes[..4].copy_from_slice(&[MAGIC[0], MAGIC[1], FORMAT, machine]);
        bytes[6] = 3;
        bytes[12..14].copy_from_slice(&code.to_le_bytes());
        bytes[18] = 200;
        bytes[28] = 5;
        bytes.extend(b"sense");
        bytes.extend([RECORD_GROUP, 3 * groups.len() as u8]);
        for (group, fingerprint) in groups {
            bytes.push(*group);
            bytes.extend(fingerprint.to_le_bytes());
        }
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        bytes[5] = bytes.len() as u8;
        bytes.extend((0..code + 4).map(|at| at as u8));
        bytes
    }

    fn mote() -> Hello {
        Hello {
            protocol: 1,
            machine: 2,
            flash: 1000,
            ram: 300,
            groups: 2,
            identity: 0,
            image: None,
        }
    }

    fn refused(bytes: &[u8]) -> String {
        let checked = Container::read(bytes)
            .and_then(|it| it.check(&mote(), &[(0, 7), (1, 8)]).and_then(|()| it.fits(&mote())));
        checked.expect_err("refused").to_string()
    }

    #[test]
    fn a_header_is_read() {
        let read = Container::read(&container(2, &[(0, 7), (1, 8)], 100)).expect("good");
        assert_eq!((read.name.as_str(), read.version, read.ram), ("sense", 3, [200, 0]));
        assert_eq!(read.groups, [(0, 7, 37), (1, 8, 40)]);
        assert_eq!(read.flash, 44 + 100);
        assert_eq!(read.check(&mote(), &[(1, 8), (0, 7)]), Ok(()));
    }

    #[test]
    fn what_cannot_run_is_refused_with_field_and_byte() {
        assert_eq!(refused(b"ELF"), "this is no container: magic, at byte 0");
        let expected = "the container is for ARMv6-M, the mote is AVR: machine, at byte 3";
        assert_eq!(refused(&container(1, &[], 100)), expected);
        let expected = "the mote's image lacks calls of group 5: groups, at byte 37";
        assert_eq!(refused(&container(2, &[(5, 7)], 100)), expected);
        let expected = "the mote's image has another form of group 1: groups, at byte 40";
        assert_eq!(refused(&container(2, &[(0, 7), (1, 9)], 100)), expected);
        let expected = "the program takes 1036 bytes of flash, the mote has 1000: constants, code, initial values, at byte 10";
        assert_eq!(refused(&container(2, &[], 996)), expected);
        let mut large = container(2, &[], 100);
        large[19] = 1;
        let expected = "the program takes 456 bytes of RAM in one block, the mote has 300: objects, stacks, at byte 16";
        assert_eq!(refused(&large), expected);
    }

    #[test]
    fn no_header_is_read_beyond_its_end() {
        let whole = container(2, &[(0, 7), (1, 8)], 0);
        for length in 0..whole.len() {
            assert!(Container::read(&whole[..length]).is_err(), "{length} bytes");
        }
        for at in 0..whole.len() {
            for value in 0..=255 {
                let mut bytes = whole.clone();
                bytes[at] = value;
                let _ = Container::read(&bytes);
            }
        }
    }
}
