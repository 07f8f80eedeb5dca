// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stream of tokens behind a container's header.

use crate::error::{Error, Reason};
use crate::kind::ESCAPE;
use crate::number::{self, Broken};
use crate::{Block, Header, Kind, Target};

/// A part of the flash block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Region {
    /// Tables and constants.
    Constants,
    /// Functions.
    Code,
    /// Initial values.
    Initial,
}

impl Region {
    /// Its name in the specification.
    pub fn name(self) -> &'static str {
        match self {
            Region::Constants => "constants",
            Region::Code => "code",
            Region::Initial => "initial values",
        }
    }

    /// The region of the byte at `place` of the flash block.
    pub fn of(header: &Header, place: u32) -> Region {
        let constants = u32::from(header.constants_bytes);
        match place {
            _ if place < constants => Region::Constants,
            _ if place < constants + u32::from(header.code_bytes) => Region::Code,
            _ => Region::Initial,
        }
    }
}

/// A token with its literals and its field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token<'data> {
    /// Its first byte in the container.
    pub at: usize,
    /// Where its literals begin in the container; the field is behind them.
    pub literals_at: usize,
    /// What goes to flash as it is.
    pub literals: &'data [u8],
    /// Where the literals go, in the flash block.
    pub place: u32,
    /// What the field is, and what it refers to if the field does not hold it; none if it is not there.
    pub reference: Option<(Kind, Option<Target>)>,
    /// The field, as it comes.
    pub field: &'data [u8],
}

impl Token<'_> {
    /// Where the field begins in the container.
    pub fn field_at(&self) -> usize {
        self.literals_at + self.literals.len()
    }

    /// Where the field goes, in the flash block.
    pub fn field_place(&self) -> u32 {
        self.place + self.literals.len() as u32
    }

    /// Bytes of the token itself.
    pub fn bytes(&self) -> usize {
        self.literals_at - self.at
    }
}

/// The tokens of a container, in their order. The first error ends them.
#[derive(Clone, Debug)]
pub struct Tokens<'data> {
    bytes: &'data [u8],
    header: &'data Header,
    at: usize,
    place: u32,
    is_over: bool,
}

impl<'data> Tokens<'data> {
    /// The tokens of the container `bytes`, whose header is `header`.
    pub fn of(bytes: &'data [u8], header: &'data Header) -> Tokens<'data> {
        let at = usize::from(header.header_bytes);
        Tokens { bytes, header, at, place: 0, is_over: false }
    }

    /// The byte of the container behind the tokens that were read.
    pub fn at(&self) -> usize {
        self.at
    }

    fn token(&mut self) -> Result<Token<'data>, Error> {
        let (start, place) = (self.at, self.place);
        let first = self.byte("token")?;
        let mut literals = u32::from(first & 0x1f);
        if literals == 0x1f {
            literals += self.number("literals")?;
        }
        let reference = self.reference(start, first >> 5)?;
        let literals = 2 * literals;
        let machine = self.header.machine;
        let field = reference.map_or(0, |(kind, _)| kind.field_bytes(machine));
        self.check_place(start, literals, field)?;
        let literals_at = self.at;
        let literals = self.take(literals as usize, "literals")?;
        let field = self.take(field as usize, "field")?;
        self.place += (literals.len() + field.len()) as u32;
        Ok(Token { at: start, literals_at, literals, place, reference, field })
    }

    /// Kind and operand, whose first byte begins with `number`.
    fn reference(
        &mut self,
        start: usize,
        number: u8,
    ) -> Result<Option<(Kind, Option<Target>)>, Error> {
        let machine = self.header.machine;
        let (at, number, base) = match number {
            0 => return Ok(None),
            ESCAPE => {
                let at = self.at;
                let escaped = self.byte("kind")?;
                (at, escaped & 0x1f, Some(escaped >> 5))
            }
            number => (start, number, None),
        };
        let wrong = |what: String| Error::new(at, "kind", Reason::Token, what);
        let kind = Kind::numbered(machine, number, base.is_some())
            .ok_or_else(|| wrong(format!("{number} is none of {machine}")))?;
        let operand = match base.unwrap_or(0) {
            0 if kind.is_byte() => Some(self.address()?),
            0 => None,
            base if kind.is_of_call() => {
                return Err(wrong(format!("{kind} has the base {base}, and no address")));
            }
            base => match Block::ALL.into_iter().find(|block| block.base() == base) {
                Some(block) => Some(self.distance(block)?),
                None => return Err(wrong(format!("the base {base} is none"))),
            },
        };
        Ok(Some((kind, operand)))
    }

    fn address(&mut self) -> Result<Target, Error> {
        let bytes = self.take(2, "address")?;
        Ok(Target::Line(u16::from_le_bytes([bytes[0], bytes[1]]).into()))
    }

    fn distance(&mut self, block: Block) -> Result<Target, Error> {
        let at = self.at;
        let bytes = self.take(2, "address")?;
        let distance = i16::from_le_bytes([bytes[0], bytes[1]]);
        if distance == i16::MIN {
            let what = format!("{distance} is further than 32767 bytes from {}", block.name());
            return Err(Error::new(at, "address", Reason::Address, what));
        }
        Ok(Target::Beyond(block, distance))
    }

    /// Refuses what is behind the program's end, and a field that reaches from one part to the next.
    fn check_place(&self, at: usize, literals: u32, field: u32) -> Result<(), Error> {
        let wrong = |what: String| Err(Error::new(at, "token", Reason::Token, what));
        let (begin, end) = (self.place + literals, self.place + literals + field);
        let bytes = self.header.flash_bytes();
        if end > bytes {
            return wrong(format!("it ends at byte {end} of a program of {bytes}"));
        }
        let [first, last] = [begin, end.max(1) - 1].map(|place| Region::of(self.header, place));
        if field > 0 && first != last {
            let (first, last) = (first.name(), last.name());
            return wrong(format!("its field begins in {first} and ends in {last}"));
        }
        Ok(())
    }

    fn number(&mut self, field: &'static str) -> Result<u32, Error> {
        match number::read(self.bytes.get(self.at..).unwrap_or_default()) {
            Ok((number, length)) => {
                self.at += length;
                Ok(number)
            }
            Err(Broken::Cut) => Err(Error::cut(self.bytes.len(), field)),
            Err(Broken::Long) => {
                let what = format!("a number has at most {} bytes", number::NUMBER_BYTES);
                Err(Error::new(self.at, field, Reason::Token, what))
            }
        }
    }

    fn byte(&mut self, field: &'static str) -> Result<u8, Error> {
        let byte = *self.bytes.get(self.at).ok_or_else(|| Error::cut(self.at, field))?;
        self.at += 1;
        Ok(byte)
    }

    fn take(&mut self, length: usize, field: &'static str) -> Result<&'data [u8], Error> {
        let bytes = self.bytes.get(self.at..).and_then(|rest| rest.get(..length));
        let bytes = bytes.ok_or_else(|| Error::cut(self.bytes.len(), field))?;
        self.at += length;
        Ok(bytes)
    }
}

impl<'data> Iterator for Tokens<'data> {
    type Item = Result<Token<'data>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over || self.place >= self.header.flash_bytes() {
            return None;
        }
        let token = self.token();
        self.is_over = token.is_err();
        Some(token)
    }
}
