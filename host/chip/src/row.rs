// SPDX-License-Identifier: MIT OR Apache-2.0
//! References to rows of tables, in a saved state: a row is saved as its number.

use borsh::{BorshDeserialize, BorshSerialize};
use std::io::{Error, ErrorKind, Read, Result, Write};

/// A row of a table that is part of the program.
pub(crate) trait Row: Sized + 'static {
    /// The row's number.
    fn number(&self) -> u8;

    /// The row with this number.
    fn numbered(number: u8) -> Option<&'static Self>;
}

/// Saves the number of `row`.
pub(crate) fn serialize<R: Row, W: Write>(row: &&'static R, writer: &mut W) -> Result<()> {
    row.number().serialize(writer)
}

/// Reads a number and finds the row.
pub(crate) fn deserialize<T: Row, R: Read>(reader: &mut R) -> Result<&'static T> {
    let number = u8::deserialize_reader(reader)?;
    let none = || Error::new(ErrorKind::InvalidData, format!("there is no row {number}"));
    T::numbered(number).ok_or_else(none)
}
