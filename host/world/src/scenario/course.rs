// SPDX-License-Identifier: MIT OR Apache-2.0
//! The courses of quantities as scenarios write them: a number, a sine, a column of a CSV file.

use crate::bounded;
use lichen_chip::Time;
use lichen_device::{Course, Micro, Quantity};
use serde::Deserialize;
use std::io::ErrorKind;
use std::path::Path;

/// A course as written.
#[derive(Clone, Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "use a number, or `{ csv = FILE }`, or `{ mean, amplitude, period }`"
)]
pub(super) enum Written {
    Constant(f64),
    Sine(Sine),
    Csv(Csv),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sine {
    mean: f64,
    amplitude: f64,
    period: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Csv {
    csv: String,
    /// The column, if it is not named like the quantity.
    column: Option<String>,
}

impl Written {
    /// The file of a recording.
    pub(super) fn file(&self) -> Option<&Path> {
        match self {
            Written::Csv(Csv { csv, .. }) => Some(Path::new(csv)),
            Written::Constant(_) | Written::Sine(_) => None,
        }
    }

    /// The course of `quantity`; paths are relative to `folder`.
    pub(super) fn course(&self, quantity: &Quantity, folder: &Path) -> Result<Course, String> {
        let course = match self {
            Written::Constant(value) => Course::Constant(micro(*value)?),
            Written::Sine(Sine { mean, amplitude, period }) => {
                let time: Time = period.parse().map_err(|error| format!("{error}"))?;
                if time == Time::ZERO {
                    return Err("a period is longer than 0 s".to_string());
                }
                let (mean, amplitude) = (micro(*mean)?, micro(*amplitude)?);
                Course::Sine { mean, amplitude, period: time }
            }
            Written::Csv(Csv { csv, column }) => {
                let column = column.as_deref().unwrap_or(quantity.name);
                return record(&folder.join(csv), column, quantity);
            }
        };
        course.check(quantity).map(|()| course)
    }
}

/// Millionths.
fn micro(value: f64) -> Result<Micro, String> {
    const LARGEST: f64 = 1e12;
    match value.abs() <= LARGEST {
        true => Ok((value * 1e6).round() as Micro),
        false => Err(format!("{value} is not a value: use numbers up to {LARGEST:e}")),
    }
}

/// The recording at `path`. What is not a file on disk may never end.
fn read(path: &Path) -> Result<Vec<u8>, String> {
    let file = path.display();
    let unreadable = |error: std::io::Error| format!("{file}: {error}");
    if !std::fs::metadata(path).map_err(unreadable)?.is_file() {
        return Err(format!("{file}: not a regular file; give the path of a recording on disk"));
    }
    bounded::read(path).map_err(|error| match error.kind() {
        ErrorKind::FileTooLarge => {
            format!(
                "{file}: {error}; keep fewer lines, since between two the value changes linearly"
            )
        }
        _ => unreadable(error),
    })
}

/// The course of `quantity` in a column of a file with a line of names and a column `time`.
fn record(path: &Path, column: &str, quantity: &Quantity) -> Result<Course, String> {
    let file = path.display();
    let unreadable = |error: csv::Error| format!("{file}: {error}");
    let bytes = read(path)?;
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(&bytes[..]);
    let names = reader.headers().map_err(unreadable)?.clone();
    let of = |name: &str| {
        let known = || names.iter().collect::<Vec<_>>().join(", ");
        let mut places = (0..names.len()).filter(|at| &names[*at] == name);
        match (places.next(), places.next()) {
            (Some(place), None) => Ok(place),
            (Some(_), Some(_)) => Err(format!("{file}:1: there are two columns `{name}`")),
            (None, _) => {
                Err(format!("{file}:1: there is no column `{name}`; there are: {}", known()))
            }
        }
    };
    let (time_at, value_at) = (of("time")?, of(column)?);
    let mut points: Vec<(Time, Micro)> = Vec::new();
    for row in reader.records() {
        let row = row.map_err(unreadable)?;
        let line = row.position().map_or(0, csv::Position::line);
        let wrong = |what: String| format!("{file}:{line}: {what}");
        let time: Time = row[time_at].parse().map_err(|error| wrong(format!("{error}")))?;
        let number: f64 = row[value_at]
            .parse()
            .map_err(|_| wrong(format!("`{}` is no number", &row[value_at])))?;
        if points.last().is_some_and(|(last, _)| *last > time) {
            return Err(wrong(format!(
                "{time} s is before the line above; sort the lines by time"
            )));
        }
        let value = micro(number).and_then(|value| quantity.check(value).map(|()| value));
        points.push((time, value.map_err(wrong)?));
    }
    match points.is_empty() {
        true => Err(format!("{file}: there are no values below the line of names")),
        false => Ok(Course::Record(points.into())),
    }
}
