// SPDX-License-Identifier: MIT OR Apache-2.0
//! What ELF and CELF take for a program beside its code: headers, symbols with their names, relocations.
//!
//! Contiki's loader takes either from the file system of a mote (Dunkels, Finne, Eriksson and Voigt, SenSys 2006, section
//! 5.1). CELF has the tables of ELF with fields of 8 and 16 bits for those of 16 and 32, so each is half as long.

use crate::elf::{Elf, Part, Role};
use lichen_container::Machine;
use std::collections::BTreeSet;

/// The tables of a relocatable file, without debug information.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relocatable {
    /// Bytes of headers, symbols and relocations in ELF.
    tables: u32,
    /// Bytes of names, the same in both.
    names: u32,
}

/// Bytes of ELF's tables (System V ABI): its header, a section's, a symbol.
const HEADER: usize = 52;
const SECTION: usize = 40;
const SYMBOL: usize = 16;

/// Sections that each file has beside the program's: none, `.symtab`, `.strtab`, `.shstrtab`.
const OTHER_SECTIONS: [&str; 4] = ["", ".symtab", ".strtab", ".shstrtab"];

impl Relocatable {
    /// Of the program in `elf`.
    pub(crate) fn of(elf: &Elf) -> Relocatable {
        let (relocation, prefix) = match elf.machine {
            Machine::Avr8 => (12, ".rela"),
            Machine::Armv6m => (8, ".rel"),
        };
        let is_its = |part: &&Part| part.role != Role::Calls && !part.bytes.is_empty();
        let parts: Vec<&Part> = elf.parts.iter().filter(is_its).collect();
        let with_fields = parts.iter().filter(|part| !part.relocations.is_empty());
        let sections = parts.iter().map(|part| part.name.clone());
        let tables = with_fields.map(|part| format!("{prefix}{}", part.name));
        let others = OTHER_SECTIONS.map(String::from);
        let sections: Vec<String> = sections.chain(tables).chain(others).collect();
        let relocations = || parts.iter().flat_map(|part| &part.relocations);
        let symbols: BTreeSet<&str> = relocations().map(|field| field.symbol.as_str()).collect();
        let tables = HEADER
            + SECTION * sections.len()
            + SYMBOL * (1 + symbols.len())
            + relocation * relocations().count();
        let names = symbols.iter().map(|name| name.len() + 1);
        let names = names.chain(sections.iter().map(|name| name.len() + 1)).sum::<usize>();
        Relocatable { tables: tables as u32, names: names as u32 }
    }

    /// Bytes beside the code in ELF.
    pub fn elf_bytes(&self) -> u32 {
        self.tables + self.names
    }

    /// Bytes beside the code in CELF.
    pub fn celf_bytes(&self) -> u32 {
        self.tables / 2 + self.names
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elf::Relocation;

    fn part(name: &str, role: Role, symbols: &[&str]) -> Part {
        let relocation = |symbol: &&str| Relocation {
            at: 0,
            kind: 0,
            symbol: symbol.to_string(),
            role: None,
            address: 0,
        };
        let relocations = symbols.iter().map(relocation).collect();
        Part { name: name.to_string(), role, address: 0, bytes: vec![0; 4], relocations }
    }

    #[test]
    fn a_symbol_counts_once_and_a_field_each_time() {
        let parts = vec![
            part(".code", Role::Flash, &["led_on", "led_on"]),
            part(".data", Role::Data, &[]),
            part(".lichen_calls", Role::Calls, &[]),
        ];
        let elf = Elf { machine: Machine::Armv6m, parts, names: Vec::new() };
        let sizes = Relocatable::of(&elf);
        // Sections: .code, .data, .rel.code, and four others. Symbols: none, led_on. Two relocations.
        assert_eq!(sizes.tables, 52 + 7 * 40 + 2 * 16 + 2 * 8);
        let names =
            [".code", ".data", ".rel.code", ".symtab", ".strtab", ".shstrtab", "", "led_on"];
        assert_eq!(sizes.names as usize, names.iter().map(|name| name.len() + 1).sum::<usize>());
        assert_eq!(sizes.celf_bytes(), (sizes.elf_bytes() + sizes.names) / 2);
    }
}
