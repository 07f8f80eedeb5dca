// SPDX-License-Identifier: MIT OR Apache-2.0
//! A token in words.

use crate::disassembly::instruction;
use lichen_container::{Block, Kind, Line, Linked, Machine, Reference, Region, Target, Token};
use lichen_isa::{Architecture, armv6m, avr8};
use lichen_pack::Interface;

/// A token, or a reference that has none, as it is shown.
pub struct Shown {
    /// Its byte of the file; without a token that of the field.
    pub at: usize,
    /// Its bytes, without literals and field; 0 without a token.
    pub bytes: usize,
    /// Bytes of the token that go to flash as they are, but for those that hold an address of their own.
    pub literals: usize,
    /// Where its field goes, in the flash block.
    pub place: u32,
    /// The part of the flash block that is in.
    pub region: Region,
    /// What the field is; none without a field.
    pub kind: Option<Kind>,
    /// What it refers to.
    pub target: String,
    /// The instructions that it is in, without the address; empty if it is data.
    pub code: String,
}

/// Tokens and references of a container that was linked.
pub fn all(linked: &Linked, interface: &Interface, tokens: &[Token<'_>]) -> Vec<Shown> {
    let mut shown = Vec::new();
    let mut references = linked.references.iter().peekable();
    for token in tokens {
        let field = token.field_place();
        while let Some(reference) = references.next_if(|reference| reference.place < field) {
            let at = token.literals_at + reference.place.saturating_sub(token.place) as usize;
            shown.push(Shown {
                at,
                bytes: 0,
                literals: 0,
                ..Shown::of(linked, interface, reference)
            });
        }
        let own = token.reference.and_then(|_| references.next());
        let (at, bytes, literals) = (token.at, token.bytes(), token.literals.len());
        shown.push(match own {
            Some(reference) => {
                Shown { at, bytes, literals, ..Shown::of(linked, interface, reference) }
            }
            None => Shown {
                at,
                bytes,
                literals,
                place: token.place,
                region: Region::of(&linked.header, token.place),
                kind: None,
                target: String::new(),
                code: String::new(),
            },
        });
    }
    shown
}

impl Shown {
    fn of(linked: &Linked, interface: &Interface, reference: &Reference) -> Shown {
        let Reference { place, kind, target } = *reference;
        let header = &linked.header;
        let region = Region::of(header, place);
        Shown {
            at: 0,
            bytes: 0,
            literals: 0,
            place,
            region,
            kind: Some(kind),
            target: words(&Line::of(header), interface, target),
            code: match region {
                Region::Code => instructions(header.machine, &linked.flash, kind, place),
                _ => String::new(),
            },
        }
    }
}

fn words(line: &Line, interface: &Interface, target: Target) -> String {
    match target {
        Target::Call(number) => match interface.call(number) {
            Some(call) => format!("{number:02x} {}", call.name),
            None => format!("{number:02x}"),
        },
        Target::Line(address) => match line.place(address) {
            Some((block, offset)) => at(block, offset.into()),
            None => format!("{address}"),
        },
        Target::Beyond(block, distance) => at(block, distance.into()),
    }
}

fn at(block: Block, offset: i64) -> String {
    format!("{}{offset:+}", block.name())
}

/// The instructions of a field; of a second word of AVR with the word in front of it.
fn instructions(machine: Machine, flash: &[u8], kind: Kind, place: u32) -> String {
    let architecture: &Architecture = match machine {
        Machine::Armv6m => &armv6m::ARCHITECTURE,
        Machine::Avr8 => &avr8::ARCHITECTURE,
    };
    let begin = match (machine, kind) {
        (Machine::Armv6m, Kind::Call) => place,
        (Machine::Armv6m, _) => return String::new(),
        (Machine::Avr8, Kind::Word | Kind::FunctionWord) => place.saturating_sub(2),
        (Machine::Avr8, _) => place,
    };
    let end = place + kind.field_bytes(machine);
    let halves = halves(flash.get(begin as usize..end as usize).unwrap_or_default());
    if matches!(kind, Kind::Call | Kind::Jump | Kind::Word | Kind::FunctionWord) {
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
