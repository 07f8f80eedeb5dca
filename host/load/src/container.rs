// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a container needs of a mote, by its header (`doc/spec/container.md`), so that one that cannot run there is refused before it is
//! sent.

use crate::error::MoteError;
use crate::request::Hello;
use lichen_container::{CRC_BYTES, Header, Machine, Partition};

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

impl From<lichen_container::Error> for Wrong {
    fn from(error: lichen_container::Error) -> Wrong {
        wrong(error.what, error.field, error.at)
    }
}

/// What the header of a container says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Container(Header);

fn wrong(what: impl Into<String>, field: &'static str, byte: usize) -> Wrong {
    Wrong { what: what.into(), field, byte }
}

impl Container {
    /// Reads the header of a container.
    pub fn read(bytes: &[u8]) -> Result<Container, Wrong> {
        let header = Header::parse(bytes)?;
        if bytes.len() < usize::from(header.header_bytes) + CRC_BYTES {
            return Err(wrong("the container is cut short", "header bytes", 5));
        }
        Ok(Container(header))
    }

    /// Name of the program.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Its version.
    pub fn version(&self) -> u16 {
        self.0.version
    }

    /// Whether it is for MICA motes.
    pub fn is_for_avr(&self) -> bool {
        self.0.machine == Machine::Avr8
    }

    /// The storage that an error at a byte is about: that of its record, or all that the program has.
    pub(crate) fn storage(&self, error: MoteError, byte: usize) -> Vec<Partition> {
        match error {
            MoteError::PARTITION => self.0.partition_at(byte).cloned().into_iter().collect(),
            MoteError::PARTITION_TAKEN => self.0.partitions.clone(),
            _ => Vec::new(),
        }
    }

    /// Bytes of flash.
    fn flash(&self) -> u32 {
        u32::from(self.0.header_bytes) + self.0.flash_bytes()
    }

    /// Bytes of objects and stacks, and of data.
    fn ram(&self) -> [u32; 2] {
        let stacks = u32::from(self.0.stack_bytes);
        [u32::from(self.0.object_bytes) + stacks, u32::from(self.0.data_bytes)]
    }

    /// Checks that the mote has the calls that the program uses.
    pub(crate) fn check(&self, mote: &Hello, groups: &[(u8, u16)]) -> Result<(), Wrong> {
        let number = self.0.machine.number();
        if number != mote.machine {
            let [ours, theirs] = [number, mote.machine].map(machine);
            return Err(wrong(
                format!("the container is for {ours}, the mote is {theirs}"),
                "machine",
                3,
            ));
        }
        for (index, group) in self.0.groups.iter().enumerate() {
            let found = groups.iter().find(|(known, _)| *known == group.number);
            let what = match found {
                None => "the mote's image lacks calls of group",
                Some((_, theirs)) if *theirs != group.fingerprint => {
                    "the mote's image has another form of group"
                }
                Some(_) => continue,
            };
            let byte = self.0.group_at(index);
            return Err(wrong(format!("{what} {}", group.number), "groups", byte));
        }
        Ok(())
    }

    /// Says what a mote without room lacks. It is the mote that refuses: the room of an older version of the program
    /// counts as free.
    pub(crate) fn fits(&self, mote: &Hello) -> Result<(), Wrong> {
        if self.flash() > mote.flash {
            let what = format!(
                "the program takes {} bytes of flash, the mote has {}",
                self.flash(),
                mote.flash
            );
            return Err(wrong(what, "constants, code, initial values", 10));
        }
        let places = ["objects, stacks", "data"].into_iter().zip([16, 20]);
        for (bytes, (field, byte)) in self.ram().iter().zip(places) {
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

/// The length of a container that goes over the air.
pub(crate) fn length(bytes: &[u8]) -> Result<u16, Wrong> {
    let what = "the container is too long to be passed on";
    u16::try_from(bytes.len()).map_err(|_| wrong(what, "constants, code, initial values", 10))
}

fn machine(number: u8) -> String {
    match Machine::numbered(number) {
        Some(machine) => machine.to_string(),
        None => format!("an unknown machine, {number}"),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    use lichen_container::{Group, Rows, Trust};

    /// A container for the machine, of a program that uses these groups, with so many bytes of code. Its body is of no
    /// program.
    pub fn container(machine: u8, groups: &[(u8, u16)], code: u16) -> Vec<u8> {
        let group = |&(number, fingerprint): &(u8, u16)| Group { number, fingerprint };
        let header = Header {
            machine: Machine::numbered(machine).expect("a machine"),
            trust: Trust::Trusted,
            has_mac: false,
            header_bytes: 0,
            version: 3,
            confirm_s: 0,
            constants_bytes: 0,
            code_bytes: code,
            initial_bytes: 0,
            object_bytes: 0,
            stack_bytes: 200,
            data_bytes: 0,
            rows: Rows::default(),
            name: "sense".to_string(),
            event_stack: 0,
            groups: groups.iter().map(group).collect(),
            partitions: Vec::new(),
            others: Vec::new(),
        };
        let mut bytes = header.bytes().expect("a header");
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
        assert_eq!((read.name(), read.version(), read.ram()), ("sense", 3, [200, 0]));
        assert_eq!(read.flash(), 44 + 100);
        assert_eq!(read.check(&mote(), &[(1, 8), (0, 7)]), Ok(()));
    }

    #[test]
    fn what_cannot_run_is_refused_with_field_and_byte() {
        let expected =
            "a container begins with 0x4c, 0xf0, this file with 0x45, 0x4c: magic, at byte 0";
        assert_eq!(refused(b"ELF"), expected);
        let expected = "the container is for ARMv6-M, the mote is AVR: machine, at byte 3";
        assert_eq!(refused(&container(1, &[], 100)), expected);
        let expected = "the mote's image lacks calls of group 5: groups, at byte 37";
        assert_eq!(refused(&container(2, &[(5, 7)], 100)), expected);
        let expected = "the mote's image has another form of group 1: groups, at byte 40";
        assert_eq!(refused(&container(2, &[(0, 7), (1, 9)], 100)), expected);
        let expected = "the program takes 1032 bytes of flash, the mote has 1000: constants, code, initial values, at byte 10";
        assert_eq!(refused(&container(2, &[], 996)), expected);
        let mut large = container(2, &[], 100);
        large[19] = 1;
        let expected = "the program takes 456 bytes of RAM in one block, the mote has 300: objects, stacks, at byte 16";
        assert_eq!(refused(&large), expected);
    }

    #[test]
    fn what_is_cut_short_is_refused() {
        let whole = container(2, &[(0, 7), (1, 8)], 0);
        for length in 0..whole.len() {
            assert!(Container::read(&whole[..length]).is_err(), "{length} bytes");
        }
    }
}
