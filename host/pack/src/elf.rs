// SPDX-License-Identifier: MIT OR Apache-2.0
//! An ELF as the packer reads it: sections with their contents and relocations.

use crate::error::PackError;
use lichen_container::Machine;
use object::read::elf::{ElfFile32, FileHeader};
use object::{
    Endianness, Object, ObjectSection, ObjectSymbol, RelocationFlags, RelocationTarget,
    SectionFlags, SectionIndex, SymbolKind, SymbolSection, elf,
};
use std::collections::HashMap;

type File<'data> = ElfFile32<'data, Endianness>;

/// What a section of the link becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Tables, constants and code.
    Flash,
    /// Kernel objects.
    Objects,
    /// Stacks, behind the objects.
    Stacks,
    /// Data.
    Data,
    /// Names of calls.
    Calls,
    /// Pages of storage, which have no memory.
    Storage,
}

/// The section of storage, which is not loaded (`os/arch/*/program.ld`).
const STORAGE: &str = ".lichen_storage";

/// Sections of the link, and what each becomes.
const ROLES: [(&str, Role); 8] = [
    (".tables", Role::Flash),
    (".constants", Role::Flash),
    (".code", Role::Flash),
    (".objects", Role::Objects),
    (".stacks", Role::Stacks),
    (".data", Role::Data),
    (".bss", Role::Data),
    (".lichen_calls", Role::Calls),
];

/// A section.
#[derive(Debug)]
pub struct Part {
    pub name: String,
    pub role: Role,
    pub address: u32,
    /// Its contents; 0 where the file has none.
    pub bytes: Vec<u8>,
    pub relocations: Vec<Relocation>,
}

impl Part {
    pub fn end(&self) -> u32 {
        self.address + self.bytes.len() as u32
    }
}

/// A field, and what it refers to.
#[derive(Clone, Debug)]
pub struct Relocation {
    /// Address of the field.
    pub at: u32,
    /// `R_AVR_…` or `R_ARM_…`.
    pub kind: u32,
    /// The symbol's name; that of its section if it has none.
    pub symbol: String,
    /// What the symbol is in; none if it is a number, or not there.
    pub role: Option<Role>,
    /// Symbol and addend; of ARM, whose addends are in the fields, the symbol alone.
    pub address: u32,
}

/// A name of the symbol table.
#[derive(Clone, Debug)]
pub struct Name {
    pub name: String,
    pub role: Role,
    pub address: u32,
    pub size: u32,
}

/// The ELF.
#[derive(Debug)]
pub struct Elf {
    pub machine: Machine,
    pub parts: Vec<Part>,
    pub names: Vec<Name>,
}

impl Elf {
    /// Reads the ELF file `bytes`, which is called `file` in messages.
    pub fn parse(file: &str, bytes: &[u8]) -> Result<Elf, PackError> {
        let damaged = |what: String| PackError::Elf { file: file.to_string(), what };
        let elf = File::parse(bytes).map_err(|error| damaged(error.to_string()))?;
        let machine = match elf.elf_header().e_machine(elf.endian()) {
            elf::EM_ARM => Machine::Armv6m,
            elf::EM_AVR => Machine::Avr8,
            other => return Err(damaged(format!("machine {other} is neither ARM nor AVR"))),
        };
        let mut roles = HashMap::new();
        for section in elf.sections().filter(is_allocated) {
            let name = String::from_utf8_lossy(section.name_bytes().unwrap_or(b"?")).into_owned();
            match ROLES.iter().find(|(known, _)| *known == name) {
                Some((_, role)) => roles.insert(section.index(), *role),
                None if section.size() == 0 => continue,
                None => return Err(PackError::Section { file: file.to_string(), section: name }),
            };
        }
        let storage = elf.section_by_name(STORAGE);
        roles.extend(storage.map(|section| (section.index(), Role::Storage)));
        let parts = elf.sections().filter(is_allocated).filter_map(|section| {
            let role = *roles.get(&section.index())?;
            Some(part(&elf, &section, role, &roles).map_err(damaged))
        });
        let parts = parts.collect::<Result<Vec<Part>, PackError>>()?;
        Ok(Elf { machine, parts, names: names(&elf, &roles) })
    }

    /// The parts of a role, in the file's order.
    pub fn of(&self, role: Role) -> impl Iterator<Item = &Part> {
        self.parts.iter().filter(move |part| part.role == role)
    }

    /// The part of this name.
    pub fn part(&self, name: &str) -> Option<&Part> {
        self.parts.iter().find(|part| part.name == name)
    }

    /// The address of a name.
    pub fn address(&self, name: &str) -> Option<u32> {
        self.names.iter().find(|known| known.name == name).map(|known| known.address)
    }

    /// What a relocation to `address` refers to: the name that is there, or the symbol's.
    pub fn referred<'names>(
        &'names self,
        relocation: &'names Relocation,
        address: u32,
    ) -> &'names str {
        let is_at = |name: &&Name| {
            let end = name.address + name.size.max(1);
            Some(name.role) == relocation.role && (name.address..end).contains(&address)
        };
        let named = self.names.iter().rfind(is_at);
        named.map_or(relocation.symbol.as_str(), |name| name.name.as_str())
    }

    /// The function whose pointer is at `address`.
    pub fn pointer_to_function(&self, address: u32) -> Option<u32> {
        match self.machine {
            Machine::Armv6m => {
                let bytes = self.bytes_at(address, 4)?;
                Some(u32::from_le_bytes(bytes.try_into().ok()?) & !1)
            }
            Machine::Avr8 => {
                let bytes = self.bytes_at(address, 2)?;
                Some(u32::from(u16::from_le_bytes(bytes.try_into().ok()?)) * 2)
            }
        }
    }

    /// The bytes in front of `address` that are in a part, from it on.
    pub fn bytes_at(&self, address: u32, length: usize) -> Option<&[u8]> {
        self.parts.iter().filter(|part| part.role != Role::Calls).find_map(|part| {
            let begin = address.checked_sub(part.address)? as usize;
            part.bytes.get(begin..begin.checked_add(length)?)
        })
    }
}

fn is_allocated<'data>(section: &impl ObjectSection<'data>) -> bool {
    let SectionFlags::Elf { sh_flags } = section.flags() else { return false };
    sh_flags & u64::from(elf::SHF_ALLOC) != 0
}

fn part<'data>(
    elf: &File<'data>,
    section: &impl ObjectSection<'data>,
    role: Role,
    roles: &HashMap<SectionIndex, Role>,
) -> Result<Part, String> {
    let name = section.name().map_err(|error| error.to_string())?.to_string();
    let size = u32::try_from(section.size()).ok().filter(|size| *size <= 1 << 24);
    let size = size.ok_or_else(|| format!("section {name} is too large"))?;
    let address = section.address() as u32;
    address.checked_add(size).ok_or_else(|| format!("section {name} has no end"))?;
    let mut bytes = section.data().map_err(|error| error.to_string())?.to_vec();
    bytes.resize(size as usize, 0);
    let mut relocations = Vec::new();
    for (at, relocation) in section.relocations() {
        let RelocationFlags::Elf { r_type } = relocation.flags() else { continue };
        let RelocationTarget::Symbol(index) = relocation.target() else { continue };
        let symbol = elf.symbol_by_index(index).map_err(|error| error.to_string())?;
        let at = u32::try_from(at).ok().filter(|at| (address..address + size).contains(at));
        relocations.push(Relocation {
            at: at.ok_or_else(|| format!("a relocation of {name} is outside"))?,
            kind: r_type,
            symbol: symbol_name(elf, &symbol),
            role: symbol.section_index().and_then(|index| roles.get(&index).copied()),
            address: (symbol.address() as u32).wrapping_add(relocation.addend() as u32),
        });
    }
    relocations.sort_by_key(|relocation| relocation.at);
    Ok(Part { name, role, address, bytes, relocations })
}

fn symbol_name<'data>(elf: &File<'data>, symbol: &impl ObjectSymbol<'data>) -> String {
    let own = symbol.name().ok().filter(|name| !name.is_empty());
    let section = || elf.section_by_index(symbol.section_index()?).ok()?.name().ok();
    own.or_else(section).unwrap_or("?").to_string()
}

fn names(elf: &File<'_>, roles: &HashMap<SectionIndex, Role>) -> Vec<Name> {
    let mut names: Vec<Name> = elf
        .symbols()
        .filter_map(|symbol| {
            let SymbolSection::Section(index) = symbol.section() else { return None };
            let name = symbol.name().ok().filter(|name| !name.is_empty() && !name.starts_with('$'));
            let is_named = !matches!(symbol.kind(), SymbolKind::Section | SymbolKind::File);
            Some(Name {
                name: name.filter(|_| is_named)?.to_string(),
                role: *roles.get(&index)?,
                address: symbol.address() as u32,
                size: symbol.size() as u32,
            })
        })
        .collect();
    names.sort_by(|a, b| (a.address, &a.name).cmp(&(b.address, &b.name)));
    names
}
