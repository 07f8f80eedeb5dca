// SPDX-License-Identifier: MIT OR Apache-2.0
//! Recordings of quantities: CSV files with a line of names and a column of times.

use super::course::micro;
use crate::bounded;
use lichen_chip::Time;
use lichen_device::{Course, Micro, Quantity, facts};
use std::io::ErrorKind;
use std::path::Path;

/// The column of times.
pub(super) const TIME: &str = "time";

/// The course of `quantity` in the column of this name of the file at `path`.
pub(super) fn read(path: &Path, column: &str, quantity: &Quantity) -> Result<Course, String> {
    let file = path.display().to_string();
    let text = facts::text(&file, bytes(path)?).map_err(|error| error.to_string())?;
    let mut reader =
        csv::ReaderBuilder::new().flexible(true).trim(csv::Trim::All).from_reader(text.as_bytes());
    let names = reader.headers().map_err(|error| format!("{file}: {error}"))?.clone();
    let of = |name: &str| {
        let known = || names.iter().collect::<Vec<_>>().join(", ");
        let mut places = (0..names.len()).filter(|at| &names[*at] == name);
        match (places.next(), places.next()) {
            (Some(place), None) => Ok(place),
            (Some(_), Some(_)) => Err(format!("{file}:1: there are two columns `{name}`")),
            (None, _) if names.len() == 1 && names[0].contains([';', '\t']) => {
                Err(format!("{file}:1: the names are not separated by commas"))
            }
            (None, _) => {
                Err(format!("{file}:1: there is no column `{name}`; there are: {}", known()))
            }
        }
    };
    let (time_at, value_at) = (of(TIME)?, of(column)?);
    let mut points: Vec<(Time, Micro)> = Vec::new();
    for row in reader.records() {
        let row = row.map_err(|error| format!("{file}: {error}"))?;
        let line = row.position().map_or(0, csv::Position::line);
        let wrong = |what: String| format!("{file}:{line}: {what}");
        if row.len() != names.len() {
            let (has, wanted) = (fields(row.len()), names.len());
            return Err(wrong(format!("{has}, where the line of names has {wanted}")));
        }
        let time: Time = row[time_at].parse().map_err(|error| wrong(format!("{error}")))?;
        let number: f64 = row[value_at]
            .parse()
            .map_err(|_| wrong(format!("`{}` is no number", &row[value_at])))?;
        if points.last().is_some_and(|(last, _)| *last > time) {
            return Err(wrong(format!(
                "{time} s is before the line above; sort the lines by time"
            )));
        }
        let value = micro(column, number);
        let value = value.and_then(|value| quantity.check(value).map(|()| value));
        points.push((time, value.map_err(wrong)?));
    }
    match points.is_empty() {
        true => Err(format!("{file}: there are no values below the line of names")),
        false => Ok(Course::Record(points.into())),
    }
}

fn bytes(path: &Path) -> Result<Vec<u8>, String> {
    let bytes = bounded::read(path).map_err(|error| match error.kind() {
        ErrorKind::FileTooLarge => format!(
            "{}; keep fewer lines, since between two the value changes linearly",
            bounded::reason(path, &error)
        ),
        _ => bounded::reason(path, &error),
    })?;
    // No CSV file has a zero; in UTF-16 each second byte is one.
    match bytes.iter().position(|byte| *byte == 0) {
        None => Ok(bytes),
        Some(at) => {
            let line = bytes[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
            Err(format!("{}:{line}: not UTF-8 text", path.display()))
        }
    }
}

fn fields(count: usize) -> String {
    if count == 1 { "one field".to_string() } else { format!("{count} fields") }
}
