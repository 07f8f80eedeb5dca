// SPDX-License-Identifier: MIT OR Apache-2.0
//! What can go wrong.

use crate::container::Wrong;
use crate::request::Kind;
use lichen_container::Partition;
use std::fmt;

/// Why a mote did not do what was wanted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// It does not answer at all.
    #[error("no mote with a loader answers")]
    Silent,
    /// It has stopped answering.
    #[error("the mote does not answer any more: to `{}`, after {done} of {all} bytes", .kind.name())]
    Lost {
        /// What it did not answer.
        kind: Kind,
        /// Bytes of the container that it has.
        done: usize,
        /// All of them.
        all: usize,
    },
    /// It no longer knows of the installation.
    #[error("the mote has restarted after {done} of {all} bytes: send the container again")]
    Restarted {
        /// Bytes of the container that it had.
        done: usize,
        /// All of them.
        all: usize,
    },
    /// It speaks another version of the protocol.
    #[error("the mote's loader speaks version {0} of the protocol, this command {version}", version = crate::request::PROTOCOL)]
    Protocol(u8),
    /// Its answer has another form.
    #[error("the mote's answer to `{}` makes no sense", .0.name())]
    Senseless(Kind),
    /// The container cannot run on it.
    #[error("{0}")]
    Container(#[from] Wrong),
    /// The mote has refused.
    #[error("{error}{}{}", of(.storage), at(*.kind, *.place))]
    Refused {
        /// What it has refused.
        kind: Kind,
        /// Why.
        error: MoteError,
        /// Where in the container.
        place: u32,
        /// The storage that it is about.
        storage: Vec<Partition>,
    },
}

impl LoadError {
    /// Whether the container, or what was wanted, is wrong, and not the line.
    pub fn is_refusal(&self) -> bool {
        matches!(self, LoadError::Container(_) | LoadError::Refused { .. })
    }
}

/// The storage that a refusal is about.
fn of(storage: &[Partition]) -> String {
    let text = |it: &Partition| format!("{} `{}` of {} pages", it.kind.name(), it.name, it.pages);
    let texts: Vec<String> = storage.iter().map(text).collect();
    if texts.is_empty() { String::new() } else { format!(": {}", texts.join(", ")) }
}

/// The place in the container, of what refers to one.
fn at(kind: Kind, place: u32) -> String {
    match kind {
        Kind::Begin | Kind::Data | Kind::End => format!(", at byte {place} of the container"),
        _ => String::new(),
    }
}

/// A number of `enum load_error` (`os/load/error.h`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoteError(pub u8);

impl MoteError {
    /// A program has already, or not yet, what was wanted.
    pub(crate) const STATE: MoteError = MoteError(21);

    /// The image lacks storage.
    pub(crate) const PARTITION: MoteError = MoteError(25);
    /// Another program has it.
    pub(crate) const PARTITION_TAKEN: MoteError = MoteError(26);

    /// There is no room in flash, or in RAM.
    pub(crate) fn is_of_room(self) -> bool {
        matches!(self.0, 14 | 15)
    }
}

/// In the order of their numbers, from 1.
const TEXTS: [(&str, &str); 27] = [
    ("NOT_A_CONTAINER", "this is no container"),
    ("MACHINE", "the container is for another instruction set"),
    ("HEADER", "a field of the header is out of its bounds"),
    ("RECORD", "the container has an unknown record, or one that does not end where it says"),
    ("GROUP", "the mote's image lacks calls that the program uses, or has them in another form"),
    ("CALL", "the program calls what it does not declare"),
    ("TOKEN", "the code stream has an unknown token, or one behind the end of the program"),
    ("ADDRESS", "an address is outside the program"),
    ("FIELD", "what is patched is not the instruction that the token claims"),
    ("LENGTH", "the container is cut short, or longer than its header says"),
    ("CRC", "the container is damaged"),
    ("MAC", "the container is not signed with the key of the mote's image (`lichen pack --key`)"),
    ("INITIAL", "initial values are outside the program's RAM"),
    ("FLASH_FULL", "there is no room in flash"),
    ("RAM_FULL", "there is no room in RAM"),
    ("DIRECTORY_FULL", "the mote has as many programs as it can"),
    ("EXISTS", "the mote has this version of the program already"),
    ("DOWNGRADE", "the mote takes no version as old as this one"),
    ("WRITE", "what is read back from flash is not what was written"),
    ("NONE", "the mote has no program of that name"),
    (
        "STATE",
        "the program is so already, is dead or on trial, or the mote has not ended another job",
    ),
    ("FUSES", "the chip's fuses do not let it write its flash"),
    ("EVENTS", "the mote's image has too few free slots for the program's events"),
    (
        "EVENT_STACK",
        "an event of the program needs more stack than the mote's image keeps for events",
    ),
    ("PARTITION", "the mote's image lacks the storage that the program needs, or has less of it"),
    ("PARTITION_TAKEN", "another program on the mote has the storage that this one needs"),
    (
        "ALONE",
        "the mote's image passes nothing on: it has no LOADER_OVER_THE_AIR (lichen/loader_air.h)",
    ),
];

impl fmt::Display for MoteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let index = usize::from(self.0).checked_sub(1);
        match index.and_then(|index| TEXTS.get(index)) {
            Some((_, text)) => f.write_str(text),
            None => write!(f, "the mote refuses for an unknown reason, {}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_numbered_as_on_the_mote() {
        let header = include_str!("../../../os/load/error.h");
        let names = header.lines().filter_map(|line| line.trim().strip_prefix("LOAD_"));
        let names = names.filter_map(|line| line.split(',').next());
        let names: Vec<&str> =
            names.filter(|name| !name.contains('=') && *name != "ERRORS").collect();
        assert_eq!(names, TEXTS.map(|(name, _)| name));
        let number = |name| 1 + names.iter().position(|it| *it == name).expect("an error") as u8;
        assert_eq!(MoteError::STATE.0, number("STATE"));
        assert_eq!(MoteError::PARTITION.0, number("PARTITION"));
        assert_eq!(MoteError::PARTITION_TAKEN.0, number("PARTITION_TAKEN"));
    }
}
