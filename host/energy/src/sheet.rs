// SPDX-License-Identifier: MIT OR Apache-2.0
//! Accounts as one table, a row for each line of an account, which spreadsheets read. `doc/spec/energy.md` defines the
//! columns.

use crate::{Doing, Record};
use lichen_trace::Error;
use std::fs::File;
use std::path::{Path, PathBuf};

/// The first row.
const COLUMNS: [&str; 11] = [
    "mote",
    "table",
    "name",
    "state",
    "count",
    "duration_ns",
    "mean_hz",
    "charge_pc",
    "mean_na",
    "estimate",
    "note",
];

/// A file for the table.
pub struct Sheet {
    path: PathBuf,
    writer: csv::Writer<File>,
}

/// A row of the table, without its mote.
#[derive(Default)]
struct Row<'a> {
    table: &'static str,
    name: &'a str,
    state: &'a str,
    count: Option<u64>,
    duration_ns: Option<u64>,
    mean_hz: Option<u64>,
    charge_pc: Option<u64>,
    mean_na: Option<u64>,
    estimate: Option<bool>,
    note: String,
}

impl Sheet {
    /// Creates the file at `path`, or empties it.
    pub fn create(path: &Path) -> Result<Sheet, Error> {
        let file = File::create(path)
            .map_err(|source| Error::Create { path: path.to_path_buf(), source })?;
        Ok(Sheet { path: path.to_path_buf(), writer: csv::Writer::from_writer(file) })
    }

    /// Writes the accounts of all motes, by their numbers.
    pub fn write(mut self, records: &[Record]) -> Result<(), Error> {
        let written = self.rows(records);
        let flushed = written.and_then(|()| Ok(self.writer.flush()?));
        flushed.map_err(|error| {
            let source = match error.into_kind() {
                csv::ErrorKind::Io(source) => source,
                other => std::io::Error::other(format!("{other:?}")),
            };
            Error::Write { path: self.path, source }
        })
    }

    fn rows(&mut self, records: &[Record]) -> Result<(), csv::Error> {
        self.writer.write_record(COLUMNS)?;
        for (mote, record) in records.iter().enumerate() {
            for row in rows(record) {
                let number = |value: Option<u64>| value.map_or(String::new(), |v| v.to_string());
                let estimate = row.estimate.map_or("", |is| if is { "true" } else { "false" });
                self.writer.write_record([
                    &mote.to_string(),
                    row.table,
                    row.name,
                    row.state,
                    &number(row.count),
                    &number(row.duration_ns),
                    &number(row.mean_hz),
                    &number(row.charge_pc),
                    &number(row.mean_na),
                    estimate,
                    &row.note,
                ])?;
            }
        }
        Ok(())
    }
}

/// All rows of an account.
fn rows(record: &Record) -> Vec<Row<'_>> {
    let mut rows = vec![Row {
        table: "total",
        duration_ns: Some(record.duration_ns),
        charge_pc: Some(record.charge_pc),
        mean_na: Some(record.mean_na),
        note: format!("{} mV", record.supply_mv),
        ..Row::default()
    }];
    rows.extend(record.battery.iter().map(|battery| Row {
        table: "battery",
        name: &battery.cell,
        count: Some(u64::from(battery.count)),
        note: battery.life_h.map_or(String::new(), |hours| format!("{hours} h")),
        ..Row::default()
    }));
    rows.extend(record.components.iter().map(|line| Row {
        table: "component",
        name: &line.component,
        state: &line.state,
        duration_ns: Some(line.duration_ns),
        mean_hz: Some(line.mean_hz),
        charge_pc: Some(line.charge_pc),
        mean_na: Some(line.mean_na),
        estimate: Some(line.estimate),
        ..Row::default()
    }));
    rows.extend(record.unknown.iter().map(|line| Row {
        table: "unknown",
        name: &line.component,
        state: &line.state,
        duration_ns: Some(line.duration_ns),
        note: line.why.clone(),
        ..Row::default()
    }));
    rows.extend(record.owners.iter().map(|line| Row {
        table: "owner",
        name: &line.owner,
        duration_ns: Some(line.active_ns),
        charge_pc: Some(line.charge_pc),
        mean_na: Some(line.mean_na),
        ..Row::default()
    }));
    rows.extend(record.periods.iter().map(|line| Row {
        table: match line.doing {
            Doing::Awake => "awake",
            Doing::Asleep => "asleep",
            Doing::Off => "off",
        },
        name: &line.name,
        count: Some(line.count),
        duration_ns: Some(line.duration_ns),
        charge_pc: Some(line.charge_pc),
        mean_na: Some(record.part(line.charge_pc).na() as u64),
        note: line.handler.clone().unwrap_or_default(),
        ..Row::default()
    }));
    rows.extend(record.limits.iter().map(|line| Row {
        table: "limit",
        name: &line.limits,
        state: &line.mode,
        count: Some(line.count),
        duration_ns: Some(line.duration_ns),
        charge_pc: Some(line.cost_pc),
        mean_na: Some(record.part(line.cost_pc).na() as u64),
        ..Row::default()
    }));
    rows.extend(record.left_out.iter().map(|line| Row {
        table: "left_out",
        name: &line.part,
        mean_na: line.after_reset_na,
        ..Row::default()
    }));
    rows
}
