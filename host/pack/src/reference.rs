// SPDX-License-Identifier: MIT OR Apache-2.0
//! From relocations to fields: what each is, where, and what it refers to. The halves of an address become one field.

use crate::blocks::Blocks;
use crate::elf::{Elf, Part, Relocation, Role};
use crate::fields::{self, Piece};
use crate::interface::Interface;
use lichen_container::{Block, Kind, Machine};

/// What a field refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum To {
    /// A call of the system.
    Call(u8),
    /// Bytes from the first one of a block.
    Block(Block, i64),
}

/// A field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its address in the link.
    pub at: u32,
    pub kind: Kind,
    pub to: To,
}

/// Something that no token can say: where, and what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsaid {
    pub at: u32,
    pub what: String,
}

/// The fields of a part, in their order.
pub fn fields_of(
    elf: &Elf,
    blocks: &Blocks,
    interface: &Interface,
    part: &Part,
) -> Result<Vec<Field>, Unsaid> {
    let mut pieces = Vec::new();
    for relocation in &part.relocations {
        let unsaid = |what: String| Unsaid { at: relocation.at, what };
        let bytes = elf.bytes_at(relocation.at, 4).or_else(|| elf.bytes_at(relocation.at, 2));
        let bytes = bytes.unwrap_or_default();
        let Some(piece) = fields::piece(elf.machine, relocation, bytes) else { continue };
        let address = fields::target(elf.machine, relocation, bytes);
        let Some(to) = to(elf, blocks, interface, relocation, address).map_err(unsaid)? else {
            continue;
        };
        let is_inside = matches!(to, To::Block(Block::Flash, _));
        match piece {
            Piece::Inside | Piece::Link if is_inside => {}
            Piece::Inside => {
                let symbol = &relocation.symbol;
                return Err(unsaid(format!("a short branch to `{symbol}`, outside the code")));
            }
            Piece::Unsaid(kind) => {
                let symbol = &relocation.symbol;
                return Err(unsaid(format!("a reference of type {kind} to `{symbol}`")));
            }
            piece => pieces.push((relocation, piece, to)),
        }
    }
    paired(elf.machine, &pieces)
}

/// What a relocation refers to; none if it is a number.
fn to(
    elf: &Elf,
    blocks: &Blocks,
    interface: &Interface,
    relocation: &Relocation,
    address: u32,
) -> Result<Option<To>, String> {
    let symbol = &relocation.symbol;
    let Some(role) = relocation.role else {
        let inside = elf
            .parts
            .iter()
            .find(|part| part.role != Role::Calls && (part.address..part.end()).contains(&address));
        return match inside {
            Some(part) => Err(format!("`{symbol}`, a number that is an address in {}", part.name)),
            None => Ok(None),
        };
    };
    match blocks.place(role, address) {
        Some((block, distance)) => Ok(Some(To::Block(block, distance))),
        None => match call(elf, interface, address) {
            Some(number) => Ok(Some(To::Call(number))),
            None => Err(format!("`{symbol}`, which is no call of the system's interface")),
        },
    }
}

/// The number of the call whose name is at `address`.
fn call(elf: &Elf, interface: &Interface, address: u32) -> Option<u8> {
    let calls = elf.names.iter().filter(|name| name.role == Role::Calls);
    let mut at = calls.filter(|name| name.address & !1 == address & !1);
    at.find_map(|name| interface.number(&name.name))
}

/// Makes fields of pieces: two halves that follow each other are one.
fn paired(machine: Machine, pieces: &[(&Relocation, Piece, To)]) -> Result<Vec<Field>, Unsaid> {
    let mut fields = Vec::new();
    let mut rest = pieces;
    while let [(relocation, piece, to), ..] = rest {
        let at = relocation.at;
        let next = rest.get(1).filter(|(next, _, other)| next.at == at + 2 && other == to);
        let both = next.and_then(|(_, next, _)| piece.with(*next, *to));
        let kind = both.or_else(|| piece.alone(machine, *to)).ok_or_else(|| {
            let (kind, symbol) = (relocation.kind, &relocation.symbol);
            Unsaid { at, what: format!("a reference of type {kind} to `{symbol}`") }
        })?;
        fields.push(Field { at, kind, to: *to });
        rest = &rest[if both.is_some() { 2 } else { 1 }..];
    }
    Ok(fields)
}
