// SPDX-License-Identifier: MIT OR Apache-2.0
//! The reference linker: what a mote makes of a container, and what it refuses.

use crate::checksum::crc32;
use crate::error::{Error, Reason};
use crate::field::{Field, Start, avr_first};
use crate::{
    Block, CRC_BYTES, Header, Initial, Kind, Line, MAC_BYTES, Machine, Places, Reference, Region,
    Target, Token, Tokens,
};

/// The calls of an image.
pub trait Calls {
    /// Its fingerprint of a group; `None` if it has no such group.
    fn fingerprint(&self, group: u8) -> Option<u16>;
    /// The group of a call; `None` if there is no such call.
    fn group(&self, call: u8) -> Option<u8>;
    /// The address of a call in bytes of flash, odd on ARMv6-M; `None` if the image does not have it.
    fn address(&self, call: u8) -> Option<u32>;
}

/// A program as it lies in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linked {
    /// Its header.
    pub header: Header,
    /// Constants, code, initial values.
    pub flash: Vec<u8>,
    /// Objects and data before it runs.
    pub initial: Initial,
    /// Its references, in the order of their places.
    pub references: Vec<Reference>,
    /// Bytes of the container in front of its checksum.
    pub length: usize,
}

/// Links the container `bytes` for blocks at `places` and the calls of an image. What is wrong first, is the error.
pub fn link(bytes: &[u8], places: &Places, calls: &dyn Calls) -> Result<Linked, Error> {
    let header = Header::parse(bytes)?;
    check_groups(&header, calls)?;
    check_places(&header, places)?;
    let mut linker = Linker {
        header: &header,
        line: Line::of(&header),
        places,
        calls,
        start: Start::Instruction,
        references: Vec::new(),
    };
    let mut flash = Vec::new();
    // Where the bytes of flash come from.
    let mut sources = Vec::new();
    let mut tokens = Tokens::of(bytes, &header);
    for token in tokens.by_ref() {
        let token = token?;
        sources.push((token.place, token.literals_at));
        linker.put(&token, &mut flash)?;
    }
    let length = tokens.at();
    check_end(bytes, &header, length)?;
    let begin = flash.len() - usize::from(header.initial_bytes);
    let initial = Initial::of(&header, &flash[begin..]).map_err(|(at, what)| {
        let place = (begin + at) as u32;
        let source = sources.iter().rfind(|(from, _)| *from <= place);
        let at = source.map_or(length, |(from, at)| at + (place - from) as usize);
        Error::new(at, "initial values", Reason::Initial, what)
    })?;
    let references = linker.references;
    Ok(Linked { flash, initial, references, length, header })
}

fn check_groups(header: &Header, calls: &dyn Calls) -> Result<(), Error> {
    let at = crate::HEADER_BYTES + header.name.len();
    let wrong = |what: String| Err(Error::new(at, "records", Reason::Group, what));
    for group in &header.groups {
        let (number, expected) = (group.number, group.fingerprint);
        match calls.fingerprint(number) {
            None => return wrong(format!("there is no group {number} of calls")),
            Some(found) if found != expected => {
                return wrong(format!(
                    "group {number} of calls is 0x{found:04x}, not 0x{expected:04x}"
                ));
            }
            Some(_) => {}
        }
    }
    Ok(())
}

/// What the format requires of whoever chooses the places.
fn check_places(header: &Header, places: &Places) -> Result<(), Error> {
    let wrong = |what: String| Err(Error::new(0, "blocks", Reason::Address, what));
    if places.code % 4 != 0 {
        return wrong(format!("0x{:x} is not a multiple of 4", places.code));
    }
    let end = u64::from(places.code) + u64::from(header.flash_bytes());
    if header.machine == Machine::Avr8 && end > 0x1_0000 {
        return wrong(format!("the program ends at 0x{end:x}, beyond the first 64 KB"));
    }
    Ok(())
}

/// The checksum, the room of the MAC, and nothing behind.
fn check_end(bytes: &[u8], header: &Header, at: usize) -> Result<(), Error> {
    let Some(&[a, b, c, d]) = bytes.get(at..at + CRC_BYTES) else {
        return Err(Error::cut(bytes.len(), "CRC-32"));
    };
    let (found, expected) = (u32::from_le_bytes([a, b, c, d]), crc32(&bytes[..at]));
    if found != expected {
        let what = format!("0x{found:08x} is not 0x{expected:08x}, that of the bytes before it");
        return Err(Error::new(at, "CRC-32", Reason::Crc, what));
    }
    let end = at + CRC_BYTES + if header.has_mac { MAC_BYTES } else { 0 };
    match bytes.len() {
        length if length < end => Err(Error::cut(length, "MAC")),
        length if length > end => {
            let what = format!("{} bytes follow", length - end);
            Err(Error::new(end, "end", Reason::Length, what))
        }
        _ => Ok(()),
    }
}

/// An instruction of AVR holds a call's number or an I/O address below, the program's addresses from there on.
const IN_INSTRUCTION: u16 = 0x100;

struct Linker<'link> {
    header: &'link Header,
    line: Line,
    places: &'link Places,
    calls: &'link dyn Calls,
    /// What begins behind what is linked.
    start: Start,
    references: Vec<Reference>,
}

impl Linker<'_> {
    fn put(&mut self, token: &Token<'_>, flash: &mut Vec<u8>) -> Result<(), Error> {
        for (index, pair) in token.literals.chunks_exact(2).enumerate() {
            let half = u16::from_le_bytes([pair[0], pair[1]]);
            let half = self.literal(token.literals_at + 2 * index, flash.len() as u32, half)?;
            flash.extend(half.to_le_bytes());
        }
        let Some((kind, operand)) = token.reference else { return Ok(()) };
        let (at, place) = (token.field_at(), token.field_place());
        let region = Region::of(self.header, place);
        let field = Field {
            machine: self.header.machine,
            kind,
            region,
            address: self.places.code + place,
            start: if region == Region::Code { self.start } else { Start::Instruction },
            has_operand: operand.is_some(),
            bytes: token.field,
        };
        let wrong = |what| Error::new(at, "field", Reason::Field, what);
        let held = field.held().map_err(wrong)?;
        let target = match operand {
            Some(target) => target,
            None if kind.is_of_call() => self.number(at, held)?,
            None => Target::Line(held.into()),
        };
        let value = self.value(at, kind, target)?;
        flash.extend(field.with(value).map_err(wrong)?);
        self.references.push(Reference { place, kind, target });
        self.start = Start::Instruction;
        Ok(())
    }

    /// A halfword without a token: in code of AVR, it may hold an address for all that.
    fn literal(&mut self, at: usize, place: u32, half: u16) -> Result<u16, Error> {
        let is_code = Region::of(self.header, place) == Region::Code;
        if self.header.machine != Machine::Avr8 || !is_code {
            self.start = Start::Instruction;
            return Ok(half);
        }
        let address = Target::Line(half.wrapping_sub(IN_INSTRUCTION).into());
        match std::mem::replace(&mut self.start, Start::Instruction) {
            Start::Instruction => {
                self.start = avr_first(half)
                    .map_err(|what| Error::new(at, "instruction", Reason::Field, what))?;
                Ok(half)
            }
            Start::Address if half < IN_INSTRUCTION => Ok(half),
            Start::Address => {
                let value = self.value(at, Kind::Word, address)?;
                self.references.push(Reference { place, kind: Kind::Word, target: address });
                Ok(value as u16)
            }
            Start::Target => {
                let (kind, target) = match half < IN_INSTRUCTION {
                    true => (Kind::Call, self.number(at, half)?),
                    false => (Kind::Jump, address),
                };
                let value = self.value(at, kind, target)?;
                self.references.push(Reference { place: place - 2, kind, target });
                Ok((value >> 1) as u16)
            }
        }
    }

    /// The call of a number that a field holds.
    fn number(&self, at: usize, held: u16) -> Result<Target, Error> {
        let wrong = |_| {
            Error::new(at, "call", Reason::Call, format!("0x{held:x} is not the number of a call"))
        };
        u8::try_from(held).map(Target::Call).map_err(wrong)
    }

    /// The address of a target, in bytes.
    fn value(&self, at: usize, kind: Kind, target: Target) -> Result<u32, Error> {
        let wrong = |what: String| Error::new(at, "address", Reason::Address, what);
        let (block, address) = match target {
            Target::Call(call) => return self.call(at, call),
            Target::Line(address) => {
                let end = self.line.end();
                let outside =
                    || wrong(format!("{address} is outside the program, which ends at {end}"));
                let (block, offset) = self.line.place(address).ok_or_else(outside)?;
                (block, self.places.of(block).wrapping_add(offset))
            }
            Target::Beyond(block, distance) => {
                (block, self.places.of(block).wrapping_add_signed(distance.into()))
            }
        };
        if kind.is_of_function() && (block != Block::Flash || address % 2 != 0) {
            let block = block.name();
            return Err(wrong(format!("0x{address:x} in {block} is no address of a function")));
        }
        Ok(address)
    }

    fn call(&self, at: usize, call: u8) -> Result<u32, Error> {
        let wrong = |what: String| Error::new(at, "call", Reason::Call, what);
        let group = self.calls.group(call);
        let group = group.ok_or_else(|| wrong(format!("there is no call 0x{call:02x}")))?;
        if self.header.groups.iter().all(|declared| declared.number != group) {
            let what = format!("call 0x{call:02x} is of group {group}, which is not declared");
            return Err(wrong(what));
        }
        let address = self.calls.address(call);
        address.ok_or_else(|| wrong(format!("the image does not have call 0x{call:02x}")))
    }
}
