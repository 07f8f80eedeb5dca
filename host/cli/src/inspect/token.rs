// SPDX-License-Identifier: MIT OR Apache-2.0
//! A token in words.

use crate::disassembly::instruction;
use lichen_container::{Block, Header, Kind, Line, Machine, Operand, Region, Token};
use lichen_isa::{Architecture, armv6m, avr8};
use lichen_pack::Interface;

/// A token as it is shown.
pub struct Shown {
    /// Its byte of the file.
    pub at: usize,
    /// Its bytes, without literals and field.
    pub bytes: usize,
    /// Bytes that go to flash as they are.
    pub literals: usize,
    /// Where its field goes, in the flash block.
    pub place: u32,
    /// The part of the flash block that is in.
    pub region: Region,
    /// What the field is; none without a field.
    pub kind: Option<Kind>,
    /// What it refers to.
    pub operand: String,
    /// The instructions that it is in, without the address; empty if it is data.
    pub code: String,
}

impl Shown {
    /// `flash` is the flash block of the container.
    pub fn of(header: &Header, flash: &[u8], interface: &Interface, token: &Token<'_>) -> Shown {
        let place = token.field_place();
        let reference = token.reference;
        let kind = reference.map(|(kind, _)| kind);
        let region = Region::of(header, if kind.is_some() { place } else { token.place });
        let operand = reference.map(|(_, operand)| words(&Line::of(header), interface, operand));
        let code = kind.filter(|_| region == Region::Code);
        Shown {
            at: token.at,
            bytes: token.bytes(),
            literals: token.literals.len(),
            place,
            region,
            kind,
            operand: operand.unwrap_or_default(),
            code: code.map_or(String::new(), |kind| {
                instructions(header.machine, flash, kind, place, token.field)
            }),
        }
    }
}

fn words(line: &Line, interface: &Interface, operand: Operand) -> String {
    match operand {
        Operand::Call(number) => match interface.call(number) {
            Some(call) => format!("{number:02x} {}", call.name),
            None => format!("{number:02x}"),
        },
        Operand::Line(address) => match line.place(address) {
            Some((block, offset)) => at(block, offset.into()),
            None => format!("{address}"),
        },
        Operand::Beyond(block, distance) => at(block, distance.into()),
    }
}

fn at(block: Block, offset: i64) -> String {
    format!("{}{offset:+}", block.name())
}

/// The instructions of a field, whose addresses are 0; of AVR's `lds` and `sts` with the word in front of it.
fn instructions(machine: Machine, flash: &[u8], kind: Kind, place: u32, field: &[u8]) -> String {
    let architecture: &Architecture = match machine {
        Machine::Armv6m => &armv6m::ARCHITECTURE,
        Machine::Avr8 => &avr8::ARCHITECTURE,
    };
    let mut halves: Vec<u16> = halves(field);
    let begin = match (machine, kind) {
        (Machine::Armv6m, Kind::Call) => place,
        (Machine::Armv6m, _) => return String::new(),
        (Machine::Avr8, Kind::Word) => {
            let before = place.saturating_sub(2) as usize;
            halves
                .splice(0..0, flash.get(before..before + 2).map(self::halves).unwrap_or_default());
            before as u32
        }
        (Machine::Avr8, _) => place,
    };
    let is_wide = matches!(kind, Kind::Call | Kind::Jump | Kind::Word);
    if is_wide {
        let first = halves.first().copied().unwrap_or_default();
        return text(architecture, begin, first, halves.get(1).copied());
    }
    let each = halves.iter().zip(begin..).map(|(half, at)| text(architecture, at, *half, None));
    each.collect::<Vec<_>>().join("; ")
}

/// Without the operand that is the address.
fn text(architecture: &Architecture, address: u32, first: u16, second: Option<u16>) -> String {
    let text = instruction(architecture, address, first, second).unwrap_or_default();
    let (operation, operands) = text.split_once(' ').unwrap_or((text.as_str(), ""));
    let kept: Vec<&str> = operands.split(", ").filter(|operand| operand.starts_with('r')).collect();
    format!("{operation} {}", kept.join(", ")).trim_end().to_string()
}

fn halves(bytes: &[u8]) -> Vec<u16> {
    bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect()
}
