// SPDX-License-Identifier: MIT OR Apache-2.0
//! What MicroExe, the format of TOSThreads, takes for a program beside its code: paper 004, section 5.4.

use crate::elf::{Elf, Role};
use crate::fields;
use std::collections::BTreeSet;

/// The numbers of the formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Formula {
    /// Symbols whose addresses are patched: calls of the system, and the program's own functions and constants.
    pub relocations: u32,
    /// Variables that are given a place: objects, stacks, data.
    pub allocations: u32,
    /// Variables among them that have an initial value other than 0.
    pub initialized: u32,
}

impl Formula {
    /// Of the program in `elf`.
    pub(crate) fn of(elf: &Elf) -> Formula {
        let mut symbols = BTreeSet::new();
        for relocation in elf.parts.iter().flat_map(|part| &part.relocations) {
            let bytes = elf.bytes_at(relocation.at, 4).unwrap_or_default();
            let is_patched = fields::piece(elf.machine, relocation, bytes)
                .is_some_and(|piece| piece != fields::Piece::Inside);
            let is_own_branch = relocation.role == Some(Role::Flash)
                && fields::piece(elf.machine, relocation, bytes) == Some(fields::Piece::Link);
            let address = fields::target(elf.machine, relocation, bytes);
            if let Some(role @ (Role::Calls | Role::Flash)) = relocation.role {
                if is_patched && !is_own_branch {
                    symbols.insert(symbol(elf, role, address));
                }
            }
        }
        let in_ram = |role: Role| matches!(role, Role::Objects | Role::Stacks | Role::Data);
        let mut variables: Vec<_> =
            elf.names.iter().filter(|name| in_ram(name.role) && name.size > 0).collect();
        variables.dedup_by_key(|name| name.address);
        let is_initialized = |address, size| {
            let bytes = elf.bytes_at(address, size).unwrap_or_default();
            let fields = elf.parts.iter().flat_map(|part| &part.relocations);
            let mut fields = fields.map(|relocation| relocation.at);
            let end = address + size as u32;
            bytes.iter().any(|byte| *byte != 0) || fields.any(|at| (address..end).contains(&at))
        };
        let initialized =
            variables.iter().filter(|name| is_initialized(name.address, name.size as usize));
        Formula {
            relocations: symbols.len() as u32,
            allocations: variables.len() as u32,
            initialized: initialized.count() as u32,
        }
    }

    /// Bytes beside the code.
    pub fn bytes(&self) -> u32 {
        (self.relocations + self.allocations) * 4 + self.initialized * 6 + 10
    }
}

/// The symbol that an address is of: the last one that is not behind it.
fn symbol(elf: &Elf, role: Role, address: u32) -> u32 {
    let names = elf.names.iter().filter(|name| name.role == role && name.size > 0);
    let before = names.filter(|name| name.address & !1 <= address & !1);
    before.map(|name| name.address & !1).max().unwrap_or(address & !1)
}
