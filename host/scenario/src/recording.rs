// SPDX-License-Identifier: MIT OR Apache-2.0
//! Recordings of quantities.

use crate::course::micro;
use crate::sheet::{Sheet, TIME};
use lichen_device::{Course, Quantity};
use std::path::Path;

/// The course of `quantity` in the column of this name of the file at `path`.
pub(crate) fn read(path: &Path, column: &str, quantity: &Quantity) -> Result<Course, String> {
    let sheet =
        Sheet::read(path, "keep fewer lines, since between two the value changes linearly")?;
    let (time_at, value_at) = (sheet.column(TIME)?, sheet.column(column)?);
    let times = sheet.times(time_at)?;
    let points = sheet.rows.iter().zip(times).map(|(row, time)| {
        let value = micro(column, sheet.number(row, value_at)?);
        let value = value.and_then(|value| quantity.check(value).map(|()| value));
        Ok((time, value.map_err(|what| sheet.wrong(row, what))?))
    });
    Ok(Course::Record(points.collect::<Result<Vec<_>, String>>()?.into()))
}
