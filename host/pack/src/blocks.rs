// SPDX-License-Identifier: MIT OR Apache-2.0
//! The blocks of a program, and where its sections are in them.

use crate::elf::{Elf, Part, Role};
use crate::error::PackError;
use lichen_container::{Block, Machine};

/// Lengths of a program's parts, and where the link has placed them.
#[derive(Clone, Debug)]
pub struct Blocks {
    pub constants: u16,
    pub code: u16,
    pub objects: u16,
    pub stacks: u16,
    pub data: u16,
    /// Constants and code.
    pub flash_bytes: Vec<u8>,
    /// Objects, without stacks.
    pub object_bytes: Vec<u8>,
    /// Data that has initial values, and what is 0.
    pub data_bytes: Vec<u8>,
    origins: [u32; 4],
}

impl Blocks {
    /// The blocks of the program in `elf`.
    pub fn of(file: &str, elf: &Elf) -> Result<Blocks, PackError> {
        let wrong = |what: &str| PackError::Elf { file: file.to_string(), what: what.to_string() };
        let roles = [Role::Flash, Role::Objects, Role::Stacks, Role::Data];
        let [flash, objects, stacks, data] = roles.map(|role| contents(elf, role));
        let code = elf.part(".code").ok_or_else(|| wrong("it has no section .code"))?;
        let origins = [flash.0, objects.0, stacks.0, data.0];
        let constants = code.address.checked_sub(flash.0);
        let constants = constants.ok_or_else(|| wrong("its code is in front of its tables"))?;
        let [of_objects, of_stacks, of_data] = multiples(elf.machine);
        let mut flash = flash.1;
        flash.resize(flash.len().next_multiple_of(2), 0);
        let code = flash.len() - constants as usize;
        let pad = |mut bytes: Vec<u8>, multiple| {
            bytes.resize(bytes.len().next_multiple_of(multiple), 0);
            bytes
        };
        let objects = pad(objects.1, of_objects);
        let data = pad(data.1, of_data);
        let stacks = stacks.1.len().next_multiple_of(of_stacks);
        Ok(Blocks {
            constants: length("bytes of constants", constants as usize)?,
            code: length("bytes of code", code)?,
            objects: length("bytes of objects", objects.len())?,
            stacks: length("bytes of stacks", stacks)?,
            data: length("bytes of data", data.len())?,
            flash_bytes: flash,
            object_bytes: objects,
            data_bytes: data,
            origins,
        })
    }

    /// Where the link has placed the first byte of a role's parts.
    pub fn origin(&self, role: Role) -> u32 {
        match role {
            Role::Flash => self.origins[0],
            Role::Objects => self.origins[1],
            Role::Stacks => self.origins[2],
            Role::Data => self.origins[3],
            Role::Calls | Role::Storage => 0,
        }
    }

    /// Block and distance from its first byte of an address of the link; none for a call.
    pub fn place(&self, role: Role, address: u32) -> Option<(Block, i64)> {
        let distance = i64::from(address) - i64::from(self.origin(role));
        match role {
            Role::Flash => Some((Block::Flash, distance)),
            Role::Objects => Some((Block::Objects, distance)),
            Role::Stacks => Some((Block::Objects, distance + i64::from(self.objects))),
            Role::Data => Some((Block::Data, distance)),
            Role::Calls | Role::Storage => None,
        }
    }
}

/// The first address of a role's parts, and all their bytes, with 0 between them.
fn contents(elf: &Elf, role: Role) -> (u32, Vec<u8>) {
    let mut parts: Vec<&Part> = elf.of(role).collect();
    parts.sort_by_key(|part| (part.address, part.bytes.len()));
    let begin = parts.first().map_or(0, |part| part.address);
    let mut bytes = Vec::new();
    for part in parts {
        bytes.resize((part.address - begin) as usize, 0);
        bytes.extend(&part.bytes);
    }
    (begin, bytes)
}

/// What lengths of objects, stacks and data become a multiple of. Stacks lie behind the objects, and are aligned
/// to 8 bytes on ARMv6-M.
fn multiples(machine: Machine) -> [usize; 3] {
    let [objects, stacks, data] = machine.multiples().map(usize::from);
    [objects.max(stacks), stacks, data]
}

/// A length as the header has it.
pub fn length(what: &'static str, length: usize) -> Result<u16, PackError> {
    let (number, most) = (length as u64, u16::MAX.into());
    u16::try_from(length).map_err(|_| PackError::TooMuch { what, number, most })
}
