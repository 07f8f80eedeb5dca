// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lichen inspect`: a container for people.

mod show;
mod token;

use clap::Args;
use lichen_container::{Calls, Error, Header, Machine, Places, Tokens, crc32, link};
use lichen_pack::Interface;
use lichen_project::{Place, interface};
use lichen_terminal::failure::{Code, Failure};
use lichen_terminal::files::InputFile;
use lichen_terminal::place::Here;
use std::path::Path;
use token::Shown;

pub use show::{ram_json, rows_json, storage_json};

/// What `--help` adds.
pub const HELP: &str = "\
Examples:
  lichen inspect build/mica2/blink/blink.lichen
  lichen inspect blink.lichen --json

Checks a container as a mote does, and shows its header, its blocks, the calls that it uses and every
reference: the byte of the file, the bytes of its token (0: it has none), where its field goes, what it
is and what it refers to. Places are bytes of the flash block; doc/spec/container.md says what each
byte means.

Exit code 2 if the file is no container or a mote would refuse it: the field and its byte are named.
What depends on the mote (its calls, its memory, its key) is not checked.";

/// Options of `inspect`.
#[derive(Debug, Args)]
pub struct Options {
    /// The container.
    #[arg(value_name = "FILE")]
    pub file: InputFile,
    /// Write one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// A container, read and checked.
struct Inspected {
    header: Header,
    tokens: Vec<Shown>,
    bytes: usize,
    crc: u32,
}

/// Reads, checks and prints.
pub fn inspect(options: &Options) -> Result<Code, Failure> {
    let file: &Path = &options.file;
    let place = || Place::file(file);
    let bytes = std::fs::read(file)
        .map_err(|error| Failure::wrong(format!("cannot be read: {error}")).at(place()))?;
    // A container is shown without the tree, but for the names of calls.
    let interface = Here::find().ok().and_then(|here| interface::Interface::read(&here.tree).ok());
    let of = |machine: Machine| interface.as_ref().map(|it| Interface::of(it, machine));
    let (inspected, interface) = read(&bytes, of).map_err(|error| {
        Failure::wrong(error.to_string()).at(place()).remedy(
            "make it anew (lichen pack), or send it again; doc/spec/container.md has the format",
        )
    })?;
    match options.json {
        true => show::print_json(&inspected, &interface),
        false => show::print(&inspected, &interface),
    }
    Ok(Code::Done)
}

fn read(
    bytes: &[u8],
    interface: impl Fn(Machine) -> Option<Interface>,
) -> Result<(Inspected, Interface), Error> {
    let header = Header::parse(bytes)?;
    let interface = interface(header.machine).unwrap_or_default();
    // Where a mote of the kind could have it.
    let places = match header.machine {
        Machine::Armv6m => Places { code: 0x1_0000, objects: 0x2000_0000, data: 0x2000_4000 },
        Machine::Avr8 => Places { code: 0, objects: 0x0100, data: 0x0800 },
    };
    let linked = link(bytes, &places, &Any { header: &header, interface: &interface })?;
    let tokens: Vec<_> = Tokens::of(bytes, &header).flatten().collect();
    let inspected = Inspected {
        tokens: token::all(&linked, &interface, &tokens),
        bytes: bytes.len(),
        crc: crc32(&bytes[..linked.length]),
        header: header.clone(),
    };
    Ok((inspected, interface))
}

/// A mote that has all groups as the container has them.
struct Any<'any> {
    header: &'any Header,
    interface: &'any Interface,
}

impl Calls for Any<'_> {
    fn fingerprint(&self, group: u8) -> Option<u16> {
        let mut groups = self.header.groups.iter();
        groups.find(|known| known.number == group).map(|known| known.fingerprint)
    }

    fn group(&self, call: u8) -> Option<u8> {
        let known = self.interface.call(call).map(|call| call.group.number);
        known.or_else(|| self.header.groups.first().map(|group| group.number))
    }

    fn address(&self, _: u8) -> Option<u32> {
        Some(match self.header.machine {
            Machine::Armv6m => 0x101,
            Machine::Avr8 => 0x100,
        })
    }
}
