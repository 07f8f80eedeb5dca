// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a loaded program can call, `os/load/interface.toml`: groups of calls by number, each with a fingerprint by which
//! a mote and a program agree on it (`doc/spec/container.md`).

mod crc;
mod written;

use crate::{FileError, Tree};
use std::path::{Path, PathBuf};

/// The path of the file in the tree.
pub const PATH: &str = "os/load/interface.toml";

/// The calls that images can export to programs.
#[derive(Clone, Debug)]
pub struct Interface {
    /// The file it was read from.
    pub file: PathBuf,
    /// Groups, by number.
    pub groups: Vec<Group>,
    /// Inline functions that reach into the kernel, and that no loaded program has.
    pub refused: Vec<String>,
    /// Headers of those.
    pub refused_headers: Vec<String>,
    /// Inline functions that only use calls, or nothing of the system.
    pub kept: Vec<String>,
}

/// A group of calls.
#[derive(Clone, Debug)]
pub struct Group {
    /// By which manifests name it.
    pub name: String,
    /// By which containers name it.
    pub number: u8,
    /// The only architecture that has it; none: all.
    pub only: Option<Architecture>,
    /// Headers that declare its calls, without folder and ending.
    pub headers: Vec<String>,
    /// What an image with the group has linked: names that declarations mention.
    pub needs: Vec<String>,
    /// Its calls that no header declares.
    pub made: Vec<String>,
    /// Its calls that others serve for programs, of their names and `_of_programs`.
    pub instead: Vec<String>,
    /// Its calls, by number.
    pub calls: Vec<Call>,
    /// What programs are compiled with.
    pub layouts: Vec<Layout>,
    /// Its line.
    pub line: u32,
}

/// A call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Its number.
    pub id: u8,
    /// Its name.
    pub name: String,
    /// As its header declares it, without attributes.
    pub prototype: String,
    /// Its line.
    pub line: u32,
}

/// The size of something that is passed in memory, or a value that programs are compiled with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// A structure, or an expression.
    pub of: String,
    /// On AVR.
    pub avr8: u32,
    /// On ARMv6-M.
    pub armv6m: u32,
}

/// An architecture, as the folders of `os/arch` are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Architecture {
    /// AVR.
    Avr8,
    /// ARMv6-M.
    Armv6m,
}

impl Architecture {
    /// All.
    pub const ALL: [Architecture; 2] = [Architecture::Avr8, Architecture::Armv6m];

    /// The folder's name.
    pub fn name(self) -> &'static str {
        match self {
            Architecture::Avr8 => "avr8",
            Architecture::Armv6m => "armv6m",
        }
    }
}

impl Interface {
    /// Reads that of `tree`.
    pub fn read(tree: &Tree) -> Result<Interface, FileError> {
        let file = tree.path(PATH);
        let text = std::fs::read_to_string(&file)
            .map_err(|source| FileError::Unreadable { file: file.clone(), source })?;
        Interface::parse(&file, &text)
    }

    /// Parses `text`, the content of `file`.
    pub fn parse(file: &Path, text: &str) -> Result<Interface, FileError> {
        written::parse(file, text)
    }

    /// The group with this name on `architecture`.
    pub fn group(&self, name: &str, architecture: Architecture) -> Option<&Group> {
        self.groups.iter().find(|group| group.name == name && group.is_on(architecture))
    }

    /// The call with this name on `architecture`, and its group.
    pub fn call(&self, name: &str, architecture: Architecture) -> Option<(&Group, &Call)> {
        let groups = self.groups.iter().filter(|group| group.is_on(architecture));
        groups
            .flat_map(|group| group.calls.iter().map(move |call| (group, call)))
            .find(|(_, call)| call.name == name)
    }
}

impl Group {
    /// Whether `architecture` has it.
    pub fn is_on(&self, architecture: Architecture) -> bool {
        self.only.is_none_or(|only| only == architecture)
    }

    /// The file of its table in the tree.
    pub fn path(&self) -> String {
        let folder = self.only.map_or(String::new(), |only| format!("{}/", only.name()));
        format!("os/load/calls/{folder}{}.c", self.name)
    }

    /// What a mote compares: the CRC-16/CCITT-FALSE of [`Group::lines`].
    pub fn fingerprint(&self, architecture: Architecture) -> u16 {
        crc::crc16(self.lines(architecture).as_bytes())
    }

    /// A line for each call and for each layout, as `doc/spec/container.md` defines them.
    pub fn lines(&self, architecture: Architecture) -> String {
        let calls = self.calls.iter().map(|call| format!("{:02x} {}\n", call.id, call.prototype));
        let layouts = self.layouts.iter().map(|layout| {
            let value = match architecture {
                Architecture::Avr8 => layout.avr8,
                Architecture::Armv6m => layout.armv6m,
            };
            format!("{} {value}\n", layout.of)
        });
        calls.chain(layouts).collect()
    }
}
