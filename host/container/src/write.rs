// SPDX-License-Identifier: MIT OR Apache-2.0
//! Writing containers.

use crate::checksum::crc32;
use crate::kind::{ESCAPE, LASTS};
use crate::{Block, Header, Kind, Machine, number};

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
    bytes.extend(write_stream(header.machine, flash, references)?);
    bytes.extend(crc32(&bytes).to_le_bytes());
    Ok(bytes)
}

/// The tokens and literals of a flash block.
pub fn write_stream(
    machine: Machine,
    flash: &[u8],
    references: &[Reference],
) -> Result<Vec<u8>, Disorder> {
    let mut stream = Vec::new();
    let mut last = [0; LASTS];
    let mut done = 0;
    for reference in references {
        let place = reference.place as usize;
        let end = place + reference.kind.field_bytes(machine) as usize;
        let literals = flash.get(done..place).filter(|literals| literals.len() % 2 == 0);
        let (Some(literals), Some(field)) = (literals, flash.get(place..end)) else {
            return Err(Disorder::Place(reference.place));
        };
        put_token(machine, reference, literals.len() / 2, &mut last, &mut stream)
            .ok_or(Disorder::Kind(reference.place))?;
        stream.extend(literals);
        stream.extend(field);
        done = end;
    }
    if done < flash.len() {
        put_first(0, (flash.len() - done) / 2, &mut stream);
        stream.extend(&flash[done..]);
    }
    Ok(stream)
}

/// Kind and number of literals.
fn put_first(kind: u8, literals: usize, stream: &mut Vec<u8>) {
    stream.push(kind << 5 | literals.min(0x1f) as u8);
    if literals >= 0x1f {
        number::put((literals - 0x1f) as u32, stream);
    }
}

fn put_token(
    machine: Machine,
    reference: &Reference,
    literals: usize,
    last: &mut [i64; LASTS],
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
        Target::Call(call) if kind.is_of_call() => stream.push(call),
        Target::Line(address) if !kind.is_of_call() => {
            let last = &mut last[kind.last()];
            number::put_signed(i64::from(address) - *last, stream);
            *last = address.into();
        }
        Target::Beyond(_, distance) if !kind.is_of_call() => {
            stream.extend(distance.to_le_bytes());
        }
        _ => return None,
    }
    Some(())
}
