// SPDX-License-Identifier: MIT OR Apache-2.0
//! Writing containers.

use crate::checksum::crc32;
use crate::kind::ESCAPE;
use crate::{Block, Header, Kind, Machine, Region, number};

/// What a field refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A call of the system.
    Call(u8),
    /// An address on the program's line.
    Line(u32),
    /// Bytes from the first one of a block.
    Beyond(Block, i16),
}

/// A field of the flash block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference {
    /// Where it begins.
    pub place: u32,
    /// What it is.
    pub kind: Kind,
    /// What it refers to.
    pub target: Target,
}

/// References that cannot be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Disorder {
    /// A field is odd, in front of the one before it or within it, or outside.
    #[error("the field at byte {0} of the program is not behind the one before it")]
    Place(u32),
    /// The machine has no such kind, or a kind not such a target.
    #[error("the field at byte {0} of the program cannot be what it is said to be")]
    Kind(u32),
    /// The header is too long.
    #[error("name and records do not fit the header")]
    Header,
}

/// The container of a program without a MAC: its flash block, with 0 in the addresses of its fields, and these in the order
/// of their places.
pub fn write(header: &Header, flash: &[u8], references: &[Reference]) -> Result<Vec<u8>, Disorder> {
    let mut bytes = header.bytes().ok_or(Disorder::Header)?;
    bytes.extend(write_stream(header, flash, references)?);
    bytes.extend(crc32(&bytes).to_le_bytes());
    Ok(bytes)
}

/// Where the addresses of AVR's instructions begin: below are those of the system.
const IN_INSTRUCTION: u32 = 0x100;

/// The tokens and literals of a flash block.
pub fn write_stream(
    header: &Header,
    flash: &[u8],
    references: &[Reference],
) -> Result<Vec<u8>, Disorder> {
    let machine = header.machine;
    let mut flash = flash.to_vec();
    let mut stream = Vec::new();
    // What is in the stream, and what the references in front reach to.
    let (mut done, mut behind) = (0, 0);
    for reference in references {
        let disorder = Disorder::Place(reference.place);
        let place = reference.place as usize;
        let end = place + reference.kind.field_bytes(machine) as usize;
        if place < behind || place % 2 != 0 || end > flash.len() {
            return Err(disorder);
        }
        behind = end;
        let kind = Disorder::Kind(reference.place);
        if let Some(number) = in_instruction(header, reference) {
            let number = u16::try_from(number).map_err(|_| kind)?;
            flash[end - 2..end].copy_from_slice(&number.to_le_bytes());
            continue;
        }
        let reference = outside(machine, reference);
        let place = reference.place as usize;
        hold(machine, &reference, &mut flash[place..end]).ok_or(kind)?;
        put_token(machine, &reference, (place - done) / 2, &mut stream).ok_or(kind)?;
        stream.extend(&flash[done..end]);
        done = end;
    }
    if done < flash.len() {
        put_first(0, (flash.len() - done) / 2, &mut stream);
        stream.extend(&flash[done..]);
    }
    Ok(stream)
}

/// The second word of an instruction of AVR that has no token; `None` if the reference has one.
fn in_instruction(header: &Header, reference: &Reference) -> Option<u32> {
    if header.machine != Machine::Avr8 || Region::of(header, reference.place) != Region::Code {
        return None;
    }
    match (reference.kind, reference.target) {
        (Kind::Call, Target::Call(call)) => Some(call.into()),
        (Kind::Jump | Kind::Word, Target::Line(address)) => Some(address + IN_INSTRUCTION),
        _ => None,
    }
}

/// A `call` or `jmp` of AVR out of the blocks: its second word has a token.
fn outside(machine: Machine, reference: &Reference) -> Reference {
    match (machine, reference.kind) {
        (Machine::Avr8, Kind::Jump) => {
            Reference { place: reference.place + 2, kind: Kind::FunctionWord, ..*reference }
        }
        _ => *reference,
    }
}

/// Kind and number of literals.
fn put_first(kind: u8, literals: usize, stream: &mut Vec<u8>) {
    stream.push(kind << 5 | literals.min(0x1f) as u8);
    if literals >= 0x1f {
        number::put((literals - 0x1f) as u32, stream);
    }
}

/// Sets what a field holds; nothing if the token has an operand.
fn hold(machine: Machine, reference: &Reference, field: &mut [u8]) -> Option<()> {
    let kind = reference.kind;
    let number = match reference.target {
        Target::Call(call) if kind.is_of_call() => call.into(),
        Target::Line(address) if !kind.is_of_call() => u16::try_from(address).ok()?,
        Target::Beyond(..) if !kind.is_of_call() => return Some(()),
        _ => return None,
    };
    let [low, high] = number.to_le_bytes();
    let is_word = matches!(kind, Kind::Word | Kind::FunctionWord | Kind::CallWord);
    match (field, machine) {
        _ if kind.is_byte() => {}
        ([first, ..], Machine::Armv6m) if kind == Kind::Call => *first = low,
        ([first, second, ..], _) if is_word => (*first, *second) = (low, high),
        ([a, b, c, d], Machine::Avr8) => {
            for (nibbles, byte) in [([a, b], low), ([c, d], high)] {
                let [low, high] = nibbles;
                *low |= byte & 0x0f;
                *high |= byte >> 4;
            }
        }
        _ => return None,
    }
    Some(())
}

fn put_token(
    machine: Machine,
    reference: &Reference,
    literals: usize,
    stream: &mut Vec<u8>,
) -> Option<()> {
    let kind = reference.kind;
    let number = kind.number(machine)?;
    let base = match reference.target {
        Target::Beyond(block, _) => block.base(),
        _ => 0,
    };
    if base == 0 && number < ESCAPE {
        put_first(number, literals, stream);
    } else {
        put_first(ESCAPE, literals, stream);
        stream.push(base << 5 | number);
    }
    match reference.target {
        Target::Line(address) if kind.is_byte() => stream.extend((address as u16).to_le_bytes()),
        Target::Beyond(_, distance) => stream.extend(distance.to_le_bytes()),
        _ => {}
    }
    Some(())
}
