// SPDX-License-Identifier: MIT OR Apache-2.0
//! The courses of quantities as scenarios write them: a number, a sine, a column of a CSV file.

use crate::written::Duration;
use crate::{recording, sheet};
use lichen_chip::Time;
use lichen_device::{self as device, Micro, Quantity};
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use std::fmt;
use std::path::Path;

/// A course as written.
#[derive(Clone, Debug)]
pub(crate) enum Course {
    Constant(f64),
    Table(Table),
}

/// A sine or a recording; which one its keys say.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Table {
    csv: Option<String>,
    /// The column, if it is not named like the quantity.
    column: Option<String>,
    mean: Option<f64>,
    amplitude: Option<f64>,
    period: Option<Duration>,
}

/// What is wrong with a course, and with which of its keys, if it is one of them.
#[derive(Debug)]
pub(crate) struct Fault {
    pub key: Option<&'static str>,
    pub what: String,
}

fn fault<T>(key: &'static str, what: String) -> Result<T, Fault> {
    Err(Fault { key: Some(key), what })
}

impl From<String> for Fault {
    fn from(what: String) -> Fault {
        Fault { key: None, what }
    }
}

impl<'de> Deserialize<'de> for Course {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Course, D::Error> {
        deserializer.deserialize_any(CourseVisitor)
    }
}

struct CourseVisitor;

impl<'de> Visitor<'de> for CourseVisitor {
    type Value = Course;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, or `{ csv = FILE }`, or `{ mean, amplitude, period }`")
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Course, E> {
        Ok(Course::Constant(value as f64))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Course, E> {
        Ok(Course::Constant(value))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Course, A::Error> {
        Table::deserialize(MapAccessDeserializer::new(map)).map(Course::Table)
    }
}

impl Course {
    /// The file of a recording.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Course::Table(Table { csv, .. }) => csv.as_deref().map(Path::new),
            Course::Constant(_) => None,
        }
    }

    /// The course of `quantity`; paths are relative to `folder`.
    pub fn of(&self, quantity: &Quantity, folder: &Path) -> Result<device::Course, Fault> {
        let course = match self {
            Course::Constant(value) => device::Course::Constant(micro(quantity.name, *value)?),
            Course::Table(table) if table.csv.is_some() || table.column.is_some() => {
                return table.recording(quantity, folder);
            }
            Course::Table(table) => table.sine(quantity)?,
        };
        Ok(course.check(quantity).map(|()| course)?)
    }
}

impl Table {
    fn sine(&self, quantity: &Quantity) -> Result<device::Course, Fault> {
        let name = quantity.name;
        let (Some(mean), Some(amplitude), Some(period)) = (self.mean, self.amplitude, &self.period)
        else {
            let keys = [
                ("mean", self.mean.is_some()),
                ("amplitude", self.amplitude.is_some()),
                ("period", self.period.is_some()),
            ];
            let missing = keys.iter().filter(|(_, given)| !given);
            let missing: Vec<String> = missing.map(|(key, _)| format!("`{key}`")).collect();
            let missing = missing.join(" and ");
            return Err(Fault::from(match keys.iter().any(|(_, given)| *given) {
                true => format!("`{name}` is a sine, which needs {missing} too"),
                false => format!(
                    "`{name}` is empty; write a number, or `{{ csv = FILE }}`, or `{{ mean, amplitude, period }}`"
                ),
            }));
        };
        let of = |key| format!("{name}.{key}");
        let period = match period.time() {
            Ok(Time::ZERO) => fault("period", format!("`{}` is longer than 0 s", of("period"))),
            Ok(time) => Ok(time),
            Err(what) => fault("period", format!("`{}`: {what}", of("period"))),
        }?;
        let value = |key, value| micro(&of(key), value).or_else(|what| fault(key, what));
        let (mean, amplitude) = (value("mean", mean)?, value("amplitude", amplitude)?);
        Ok(device::Course::Sine { mean, amplitude, period })
    }

    fn recording(&self, quantity: &Quantity, folder: &Path) -> Result<device::Course, Fault> {
        let name = quantity.name;
        let Some(csv) = &self.csv else {
            let what = format!("`{name}` has a column and no file: it needs `csv` too");
            return fault("column", what);
        };
        let others = [
            ("mean", self.mean.is_some()),
            ("amplitude", self.amplitude.is_some()),
            ("period", self.period.is_some()),
        ];
        if let Some((key, _)) = others.iter().find(|(_, given)| *given) {
            return fault(key, format!("`{name}` follows a file, so leave out `{key}`"));
        }
        let column = self.column.as_deref().unwrap_or(name);
        if column == sheet::TIME {
            let what = format!(
                "`{name}.column` is `{column}`, which is no quantity; name another column of the file"
            );
            return fault("column", what);
        }
        let read = match csv.is_empty() {
            true => Err("it is empty; give the path of a recording".to_string()),
            false => recording::read(&folder.join(csv), column, quantity),
        };
        read.or_else(|what| fault("csv", format!("`{name}.csv`: {what}")))
    }
}

/// Millionths of a value; `of` is its name in messages.
pub(crate) fn micro(of: &str, value: f64) -> Result<Micro, String> {
    const LARGEST: f64 = 1e12;
    match value.abs() <= LARGEST {
        true => Ok((value * 1e6).round() as Micro),
        false => Err(format!("`{of}` is {value:e}; use a number from -{LARGEST:e} to {LARGEST:e}")),
    }
}
