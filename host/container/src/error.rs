// SPDX-License-Identifier: MIT OR Apache-2.0
//! Why a container is refused.

use std::fmt;

/// What is wrong, as the mote says it too: `enum load_error` of `os/load/error.h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// Magic or format.
    NotAContainer,
    /// It is for another instruction set.
    Machine,
    /// A field of the header is out of its bounds.
    Header,
    /// An unknown record, or one that does not end where it says.
    Record,
    /// Calls that the image does not have, or has in another form.
    Group,
    /// A call of a group that the program does not declare, or no call.
    Call,
    /// No such kind, or behind the end of the program.
    Token,
    /// Outside the program's blocks.
    Address,
    /// What is patched is not the instruction that the token claims.
    Field,
    /// Cut short, or more than the header says.
    Length,
    /// Damaged on its way.
    Crc,
    /// Initial values lie outside the blocks.
    Initial,
    /// Storage that the image does not have, or less of it.
    Partition,
}

impl Reason {
    /// Its name on the mote.
    pub fn name(self) -> &'static str {
        match self {
            Reason::NotAContainer => "LOAD_NOT_A_CONTAINER",
            Reason::Machine => "LOAD_MACHINE",
            Reason::Header => "LOAD_HEADER",
            Reason::Record => "LOAD_RECORD",
            Reason::Group => "LOAD_GROUP",
            Reason::Call => "LOAD_CALL",
            Reason::Token => "LOAD_TOKEN",
            Reason::Address => "LOAD_ADDRESS",
            Reason::Field => "LOAD_FIELD",
            Reason::Length => "LOAD_LENGTH",
            Reason::Crc => "LOAD_CRC",
            Reason::Initial => "LOAD_INITIAL",
            Reason::Partition => "LOAD_PARTITION",
        }
    }
}

/// A container that is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("byte {at}, {field}: {what}")]
pub struct Error {
    /// The byte of the container at which it is noticed.
    pub at: usize,
    /// The field's name in the specification.
    pub field: &'static str,
    /// What kind of error it is.
    pub reason: Reason,
    /// What is wrong.
    pub what: String,
}

impl Error {
    pub(crate) fn new(
        at: usize,
        field: &'static str,
        reason: Reason,
        what: impl fmt::Display,
    ) -> Error {
        Error { at, field, reason, what: what.to_string() }
    }

    /// The bytes end before the field does.
    pub(crate) fn cut(at: usize, field: &'static str) -> Error {
        Error::new(at, field, Reason::Length, "the container is cut short here")
    }
}
