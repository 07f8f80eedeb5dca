// SPDX-License-Identifier: MIT OR Apache-2.0
//! From the ELF of a program to its container.

use crate::blocks::{Blocks, length};
use crate::elf::{Elf, Part, Role};
use crate::error::PackError;
use crate::formula::Formula;
use crate::interface::Interface;
use crate::reference::{Field, To, Unsaid, fields_of};
use crate::relocatable::Relocatable;
use crate::{check, events, fields, initial, partitions, rows};
use lichen_container::{
    BLOCKS_MAX, Block, CRC_BYTES, Group, Header, Kind, Line, MAC_BYTES, Reference, Target, Tokens,
    Trust, write,
};
use lichen_image::Image;
use lichen_project::{Place, interface};
use std::collections::BTreeSet;

/// What the container of a program says that is not in its ELF.
#[derive(Clone, Debug)]
pub struct About {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: u16,
    /// Seconds within which it confirms itself; 0: it need not.
    pub confirm_s: u16,
    /// Whether a MAC ends it: [`Packed::sign`].
    pub has_mac: bool,
}

/// A container, and what it is made of.
#[derive(Clone, Debug)]
pub struct Packed {
    /// The container.
    pub bytes: Vec<u8>,
    /// Its header.
    pub header: Header,
    /// Bytes of tokens, without literals and fields.
    pub token_bytes: usize,
    /// Fields.
    pub references: usize,
    /// Numbers of the calls that it uses.
    pub calls: BTreeSet<u8>,
    /// What MicroExe would take.
    pub formula: Formula,
    /// What ELF and CELF would take.
    pub relocatable: Relocatable,
}

impl Packed {
    /// Appends the MAC of all bytes.
    pub fn sign(&mut self, mac: [u8; MAC_BYTES]) {
        self.bytes.extend(mac);
    }

    /// Bytes beside constants, code and initial values: header, tokens, checksum.
    pub fn overhead(&self) -> usize {
        usize::from(self.header.header_bytes) + self.token_bytes + CRC_BYTES
    }
}

/// Makes the container of the program in the ELF file `bytes`, which `image` is read from.
pub fn pack(
    bytes: &[u8],
    image: &Image,
    interface: &interface::Interface,
    about: &About,
) -> Result<Packed, PackError> {
    refuse(image)?;
    pack_anyway(bytes, image, interface, about)
}

/// The same of a program that has declared what a loaded one cannot have, for measurements.
pub fn pack_anyway(
    bytes: &[u8],
    image: &Image,
    interface: &interface::Interface,
    about: &About,
) -> Result<Packed, PackError> {
    let elf = Elf::parse(image.name(), bytes)?;
    let interface = &Interface::of(interface, elf.machine);
    let blocks = Blocks::of(image.name(), &elf)?;
    let packer = Packer { elf: &elf, image, interface, blocks: &blocks };
    let (flash, in_ram) = packer.fields()?;
    let runs = packer.runs(&in_ram);
    let initial_bytes = length("bytes of initial values", runs.bytes.len())?;
    let calls: BTreeSet<u8> = flash.iter().chain(&in_ram).filter_map(Field::call).collect();
    let header = packer.header(about, &calls, initial_bytes)?;
    let container = packer.write(&header, &flash, &in_ram, &runs)?;
    let room = vec![0; if about.has_mac { MAC_BYTES } else { 0 }];
    check::check(&elf, &blocks, interface, &[&container[..], &room].concat())?;
    let header = read_again(&container)?;
    let tokens = Tokens::of(&container, &header).flatten().map(|token| token.bytes());
    Ok(Packed {
        token_bytes: tokens.sum(),
        references: flash.len() + in_ram.len(),
        calls,
        formula: Formula::of(&elf),
        relocatable: Relocatable::of(&elf),
        header: header.clone(),
        bytes: container,
    })
}

fn read_again(container: &[u8]) -> Result<Header, PackError> {
    Header::parse(container).map_err(|error| PackError::Differs { what: error.to_string() })
}

/// Refuses a program that has declared what a loaded one cannot have: texts "KIND NAME FILE:LINE", each with a zero byte.
fn refuse(image: &Image) -> Result<(), PackError> {
    let texts = image.declared(".lichen_refused");
    let Some(text) = texts.split(|byte| *byte == 0).find(|text| !text.is_empty()) else {
        return refuse_sections(image);
    };
    let text = String::from_utf8_lossy(text);
    let mut words = text.splitn(3, ' ');
    let mut word = || words.next().unwrap_or_default().to_string();
    let (kind, name, place) = (word(), word(), word());
    let place = match place.rsplit_once(':') {
        Some((file, line)) => line.parse().ok().map(|line| Place::line(file, line)),
        None => None,
    };
    Err(PackError::Refused { place, kind, name })
}

/// Sections that the linker script keeps for what has no text of its own (`os/load/refused.ld`).
const REFUSED: [(&str, &str); 2] =
    [(".lichen_uses", "SHELL_USE"), (".lichen_constructors", "constructor")];

fn refuse_sections(image: &Image) -> Result<(), PackError> {
    let found = REFUSED.into_iter().find(|(section, _)| !image.declared(section).is_empty());
    let Some((section, kind)) = found else { return Ok(()) };
    let (kind, name) = (kind.to_string(), section.to_string());
    Err(PackError::Refused { place: None, kind, name })
}

impl Field {
    fn call(&self) -> Option<u8> {
        match self.to {
            To::Call(call) => Some(call),
            To::Block(..) => None,
        }
    }
}

struct Packer<'pack> {
    elf: &'pack Elf,
    image: &'pack Image,
    interface: &'pack Interface,
    blocks: &'pack Blocks,
}

impl Packer<'_> {
    /// The fields of the flash block, and those of objects and data, in the order of their addresses.
    fn fields(&self) -> Result<(Vec<Field>, Vec<Field>), PackError> {
        let of = |role: Role| -> Result<Vec<Field>, PackError> {
            let mut fields = Vec::new();
            for part in self.elf.of(role) {
                let of_part = fields_of(self.elf, self.blocks, self.interface, part);
                fields.extend(of_part.map_err(|unsaid| self.unsaid(part, unsaid))?);
            }
            fields.sort_by_key(|field| field.at);
            Ok(fields)
        };
        let mut in_ram = of(Role::Objects)?;
        in_ram.extend(of(Role::Data)?);
        Ok((of(Role::Flash)?, in_ram))
    }

    /// Where a reference is that no token can say.
    fn unsaid(&self, part: &Part, unsaid: Unsaid) -> PackError {
        let located = self.image.locations(unsaid.at).into_iter().next();
        let line = located.and_then(|it| it.file.zip(it.line));
        let line = line.or_else(|| {
            let around = self.image.variables_in(part.address..unsaid.at + 1);
            let last = around.into_iter().max_by_key(|variable| variable.address)?;
            last.file.zip(last.line)
        });
        let names = self.elf.names.iter().rev();
        let mut before = names.filter(|name| name.role == part.role && name.size > 0);
        let around = before.find(|name| name.address & !1 <= unsaid.at);
        PackError::Reference {
            place: line.map(|(file, line)| Place::line(file, line)),
            what: unsaid.what,
            function: around.map_or(part.name.clone(), |name| name.name.clone()),
        }
    }

    /// Where a field of objects or data is in both, the data behind the objects.
    fn offset(&self, field: &Field) -> usize {
        let objects = usize::from(self.blocks.objects);
        let data = self.blocks.origin(Role::Data);
        let is_data =
            self.elf.of(Role::Data).any(|part| (part.address..part.end()).contains(&field.at));
        match is_data {
            true => objects + (field.at - data) as usize,
            false => (field.at - self.blocks.origin(Role::Objects)) as usize,
        }
    }

    fn field_bytes(&self, kind: Kind) -> usize {
        kind.field_bytes(self.elf.machine) as usize
    }

    fn runs(&self, in_ram: &[Field]) -> initial::Runs {
        let fields: Vec<(usize, usize)> =
            in_ram.iter().map(|field| (self.offset(field), self.field_bytes(field.kind))).collect();
        initial::runs(&self.blocks.object_bytes, &self.blocks.data_bytes, &fields)
    }

    fn header(
        &self,
        about: &About,
        calls: &BTreeSet<u8>,
        initial_bytes: u16,
    ) -> Result<Header, PackError> {
        let machine = self.elf.machine;
        let groups = calls.iter().filter_map(|call| self.interface.call(*call));
        let groups: BTreeSet<Group> = groups.map(|call| call.group).collect();
        let first = about.name.chars().next().is_some_and(|first| first.is_ascii_alphabetic());
        let is_known = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if !first || !about.name.chars().all(is_known) || about.name.len() > 15 {
            return Err(PackError::Name { name: about.name.clone() });
        }
        let header = Header {
            machine,
            trust: Trust::Trusted,
            has_mac: about.has_mac,
            header_bytes: 0,
            version: about.version,
            confirm_s: about.confirm_s,
            constants_bytes: self.blocks.constants,
            code_bytes: self.blocks.code,
            initial_bytes,
            object_bytes: self.blocks.objects,
            stack_bytes: self.blocks.stacks,
            data_bytes: self.blocks.data,
            rows: rows::rows(self.elf, self.image)?,
            name: about.name.clone(),
            event_stack: events::event_stack(self.elf, self.image)?,
            groups: groups.into_iter().collect(),
            partitions: partitions::partitions(self.elf, self.image, self.blocks)?,
            others: Vec::new(),
        };
        let (number, most) = (header.block_bytes().into(), BLOCKS_MAX.into());
        match number > most {
            true => Err(PackError::TooMuch { what: "bytes of all blocks", number, most }),
            false => Ok(header),
        }
    }

    fn write(
        &self,
        header: &Header,
        flash: &[Field],
        in_ram: &[Field],
        runs: &initial::Runs,
    ) -> Result<Vec<u8>, PackError> {
        let line = Line::of(header);
        let mut block = self.blocks.flash_bytes.clone();
        let initial = block.len();
        block.extend(&runs.bytes);
        let origin = self.blocks.origin(Role::Flash);
        let mut references = Vec::new();
        for field in flash {
            references.push(self.reference(&line, field, field.at - origin)?);
        }
        for field in in_ram {
            let place = runs.places.get(&self.offset(field)).ok_or_else(|| PackError::Differs {
                what: format!("the field at 0x{:x} is in no run", field.at),
            })?;
            references.push(self.reference(&line, field, (initial + place) as u32)?);
        }
        for reference in &references {
            let place = reference.place as usize;
            let end = place + self.field_bytes(reference.kind);
            fields::clear(self.elf.machine, reference.kind, &mut block[place..end]);
        }
        Ok(write(header, &block, &references)?)
    }

    fn reference(&self, line: &Line, field: &Field, place: u32) -> Result<Reference, PackError> {
        let target = match field.to {
            To::Call(call) => Target::Call(call),
            To::Block(block, distance) => self.target(line, field, block, distance)?,
        };
        Ok(Reference { place, kind: field.kind, target })
    }

    /// An address in the block, or a distance from it.
    fn target(
        &self,
        line: &Line,
        field: &Field,
        block: Block,
        distance: i64,
    ) -> Result<Target, PackError> {
        let offset = u32::try_from(distance).ok();
        if let Some(address) = offset.and_then(|offset| line.address(block, offset)) {
            return Ok(Target::Line(address));
        }
        match i16::try_from(distance).ok().filter(|distance| *distance != i16::MIN) {
            Some(distance) => Ok(Target::Beyond(block, distance)),
            None => {
                let what = format!("an address {distance} bytes from {}", block.name());
                let inside = |part: &&Part| (part.address..part.end()).contains(&field.at);
                let part = self.elf.parts.iter().find(inside);
                let unsaid = Unsaid { at: field.at, what };
                Err(part.map_or(PackError::Differs { what: "nowhere".into() }, |part| {
                    self.unsaid(part, unsaid)
                }))
            }
        }
    }
}
