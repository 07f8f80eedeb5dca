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
        let symbol = elf.referred(relocation, address);
        let is_inside = matches!(to, To::Block(Block::Flash, _));
        match piece {
            Piece::Inside | Piece::Link if is_inside => {}
            Piece::Inside => {
                return Err(unsaid(format!("a short branch to `{symbol}`, outside the code")));
            }
            Piece::Unsaid(kind) => {
                return Err(unsaid(format!("a reference of type {kind} to `{symbol}`")));
            }
            piece => pieces.push((relocation, piece, to)),
        }
    }
    let fields = paired(elf.machine, &pieces)?;
    // Runs of initial values begin anew where a field needs it.
    if part.role == Role::Flash {
        fields.iter().try_for_each(|field| check_place(elf.machine, field))?;
    }
    if part.name == ".code" && elf.machine == Machine::Avr8 {
        check_fixed(part, &fields)?;
    }
    Ok(fields)
}

/// Instructions of AVR that hold an address of the program hold no fixed one: `lds` and `sts` reach registers below 0x100.
fn check_fixed(part: &Part, fields: &[Field]) -> Result<(), Unsaid> {
    let halves: Vec<u16> =
        part.bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
    let mut index = 0;
    while index < halves.len() {
        let at = part.address + 2 * index as u32;
        let (is_access, is_jump) =
            (halves[index] & 0xfc0f == 0x9000, halves[index] & 0xfe0c == 0x940c);
        index += if is_access || is_jump { 2 } else { 1 };
        let second = halves.get(index - 1).copied().unwrap_or_default();
        let begin = if is_jump { at } else { at + 2 };
        let is_field = fields.binary_search_by_key(&begin, |field| field.at).is_ok();
        if !is_field && (is_jump || (is_access && second >= 0x100)) {
            let what = format!("the fixed address 0x{second:x}");
            return Err(Unsaid { at, what });
        }
    }
    Ok(())
}

/// Fields of constants and code lie at halfwords, and words of ARM at words.
fn check_place(machine: Machine, field: &Field) -> Result<(), Unsaid> {
    let is_word = machine == Machine::Armv6m && field.kind != Kind::Call;
    let multiple = if is_word { 4 } else { 2 };
    match field.at % multiple {
        0 => Ok(()),
        _ => Err(Unsaid {
            at: field.at,
            what: format!("a constant address at a place that is no multiple of {multiple}"),
        }),
    }
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
    if role == Role::Storage {
        return Ok(None);
    }
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
