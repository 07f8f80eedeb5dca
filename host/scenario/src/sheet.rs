// SPDX-License-Identifier: MIT OR Apache-2.0
//! CSV files with a line of names and a column of times.

use crate::bounded;
use lichen_board::facts;
use lichen_chip::Time;
use std::io::ErrorKind;
use std::path::Path;

/// The column of times.
pub(crate) const TIME: &str = "time";

/// A file.
pub(crate) struct Sheet {
    /// Its name in messages.
    pub file: String,
    names: Vec<String>,
    /// The lines below the names, each with its number.
    pub rows: Vec<Row>,
}

/// A line of a file.
pub(crate) struct Row {
    line: u64,
    fields: Vec<String>,
}

impl Sheet {
    /// Reads the file at `path`. Each line has as many fields as there are names, and there is one at least. `shorter` says what
    /// to do if it is too large.
    pub fn read(path: &Path, shorter: &str) -> Result<Sheet, String> {
        let file = path.display().to_string();
        let text = facts::text(&file, bytes(path, shorter)?).map_err(|error| error.to_string())?;
        let mut reader = csv::ReaderBuilder::new()
            .flexible(true)
            .trim(csv::Trim::All)
            .from_reader(text.as_bytes());
        let names = reader.headers().map_err(|error| format!("{file}: {error}"))?.clone();
        let mut sheet = Sheet { file, names: owned(&names), rows: Vec::new() };
        for row in reader.records() {
            let row = row.map_err(|error| format!("{}: {error}", sheet.file))?;
            let line = row.position().map_or(0, csv::Position::line);
            let row = Row { line, fields: owned(&row) };
            if row.fields.len() != names.len() {
                let (has, wanted) = (fields(row.fields.len()), names.len());
                return Err(
                    sheet.wrong(&row, format!("{has}, where the line of names has {wanted}"))
                );
            }
            sheet.rows.push(row);
        }
        match sheet.rows.is_empty() {
            true => Err(format!("{}: there are no values below the line of names", sheet.file)),
            false => Ok(sheet),
        }
    }

    /// The names of its columns.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The place of the column of this name.
    pub fn column(&self, name: &str) -> Result<usize, String> {
        let mut places = (0..self.names.len()).filter(|at| self.names[*at] == name);
        match (places.next(), places.next()) {
            (Some(place), None) => Ok(place),
            (Some(_), Some(_)) => Err(self.of_names(format!("there are two columns `{name}`"))),
            (None, _) if self.names.len() == 1 && self.names[0].contains([';', '\t']) => {
                Err(self.of_names("the names are not separated by commas".to_string()))
            }
            (None, _) => {
                let known = self.names.join(", ");
                Err(self.of_names(format!("there is no column `{name}`; there are: {known}")))
            }
        }
    }

    /// What is wrong with the line of names.
    pub fn of_names(&self, what: String) -> String {
        format!("{}:1: {what}", self.file)
    }

    /// What is wrong with a line.
    pub fn wrong(&self, row: &Row, what: String) -> String {
        format!("{}:{}: {what}", self.file, row.line)
    }

    /// The times in a column, which ascend.
    pub fn times(&self, at: usize) -> Result<Vec<Time>, String> {
        let mut times: Vec<Time> = Vec::new();
        for row in &self.rows {
            let time = self.time(row, at)?;
            if times.last().is_some_and(|last| *last > time) {
                let what = format!("{time} s is before the line above; sort the lines by time");
                return Err(self.wrong(row, what));
            }
            times.push(time);
        }
        Ok(times)
    }

    /// A time in a line.
    pub fn time(&self, row: &Row, at: usize) -> Result<Time, String> {
        row.fields[at].parse().map_err(|error| self.wrong(row, format!("{error}")))
    }

    /// A number in a line.
    pub fn number(&self, row: &Row, at: usize) -> Result<f64, String> {
        let text = &row.fields[at];
        text.parse().map_err(|_| self.wrong(row, format!("`{text}` is no number")))
    }
}

fn owned(record: &csv::StringRecord) -> Vec<String> {
    record.iter().map(str::to_string).collect()
}

fn bytes(path: &Path, shorter: &str) -> Result<Vec<u8>, String> {
    let bytes = bounded::read(path).map_err(|error| match error.kind() {
        ErrorKind::FileTooLarge => format!("{}; {shorter}", bounded::reason(path, &error)),
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
