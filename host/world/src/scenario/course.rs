// SPDX-License-Identifier: MIT OR Apache-2.0
//! The courses of quantities as scenarios write them: a number, a sine, a column of a CSV file.

use lichen_chip::Time;
use lichen_device::{Course, Micro};
use serde::Deserialize;
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
    pub(super) fn course(&self, quantity: &str, folder: &Path) -> Result<Course, String> {
        match self {
            Written::Constant(value) => Ok(Course::Constant(micro(*value)?)),
            Written::Sine(Sine { mean, amplitude, period }) => {
                let time: Time = period.parse().map_err(|error| format!("{error}"))?;
                if time == Time::ZERO {
                    return Err("a period is longer than 0 s".to_string());
                }
                let (mean, amplitude) = (micro(*mean)?, micro(*amplitude)?);
                Ok(Course::Sine { mean, amplitude, period: time })
            }
            Written::Csv(Csv { csv, column }) => {
                let column = column.as_deref().unwrap_or(quantity);
                record(&folder.join(csv), column)
            }
        }
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

/// The course in a column of a file with a line of names and a column `time`.
fn record(path: &Path, column: &str) -> Result<Course, String> {
    let file = path.display();
    let unreadable = |error: csv::Error| format!("{file}: {error}");
    let mut reader =
        csv::ReaderBuilder::new().trim(csv::Trim::All).from_path(path).map_err(unreadable)?;
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
        points.push((time, micro(number).map_err(wrong)?));
    }
    match points.is_empty() {
        true => Err(format!("{file}: there are no values below the line of names")),
        false => Ok(Course::Record(points.into())),
    }
}
