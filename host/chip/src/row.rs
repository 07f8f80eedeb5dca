// SPDX-License-Identifier: MIT OR Apache-2.0
//! References to rows of tables, in a saved state: a row is saved as its number.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serializer};

/// A row of a table that is part of the program.
pub(crate) trait Row: Sized + 'static {
    /// The row's number.
    fn number(&self) -> u8;

    /// The row with this number.
    fn numbered(number: u8) -> Option<&'static Self>;
}

/// Saves the number of `row`.
pub(crate) fn serialize<R: Row, S: Serializer>(row: &&'static R, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_u8(row.number())
}

/// Reads a number and finds the row.
pub(crate) fn deserialize<'de, R: Row, D: Deserializer<'de>>(
    from: D,
) -> Result<&'static R, D::Error> {
    let number = u8::deserialize(from)?;
    R::numbered(number).ok_or_else(|| D::Error::custom(format!("there is no row {number}")))
}
