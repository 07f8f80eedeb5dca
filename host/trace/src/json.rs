// SPDX-License-Identifier: MIT OR Apache-2.0
//! Events as JSON, one object per line.

use crate::{Error, Event, Sink};
use lichen_chip::Time;
use serde::Serialize;
use std::fmt;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writes events to a file. Call [`JsonLines::finish`] at the end: only then is everything written,
/// or known to be lost.
pub struct JsonLines {
    path: PathBuf,
    file: BufWriter<Box<dyn Write + Send>>,
    line: Vec<u8>,
}

impl JsonLines {
    /// Creates the file at `path`, or empties it.
    pub fn create(path: &Path) -> Result<JsonLines, Error> {
        let file = File::create(path)
            .map_err(|source| Error::Create { path: path.to_path_buf(), source })?;
        Ok(JsonLines::to(Box::new(file), path))
    }

    /// Writes to something that is called `name` in errors.
    pub fn to(output: Box<dyn Write + Send>, name: &Path) -> JsonLines {
        let file = BufWriter::with_capacity(1 << 16, output);
        JsonLines { path: name.to_path_buf(), file, line: Vec::new() }
    }

    /// Writes what is buffered so far, for those who read along.
    pub fn flush(&mut self) -> Result<(), Error> {
        self.file.flush().map_err(|source| Error::Write { path: self.path.clone(), source })
    }

    /// Writes a record about a mote that is not an event: an object of its own, with its `kind`.
    pub fn append(
        &mut self,
        (time, cycle, mote): (Time, u64, u32),
        record: &impl Serialize,
    ) -> Result<(), Error> {
        self.write(|line| write_line(line, (time, cycle, mote), record))
    }

    /// Writes a record about the run: an object of its own, with its `kind`.
    pub fn append_of_run(&mut self, time: Time, record: &impl Serialize) -> Result<(), Error> {
        self.write(|line| {
            write!(line, "{{\"t_us\":{},", Microseconds(time))?;
            write_fields(line, record)
        })
    }

    fn write(
        &mut self,
        line: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>,
    ) -> Result<(), Error> {
        self.line.clear();
        line(&mut self.line)
            .and_then(|()| self.file.write_all(&self.line))
            .map_err(|source| Error::Write { path: self.path.clone(), source })
    }

    /// Writes what is still buffered.
    pub fn finish(mut self) -> Result<(), Error> {
        self.flush()
    }
}

impl Sink for JsonLines {
    fn event(&mut self, event: &Event) -> Result<(), Error> {
        if event.kind.is_detail() {
            return Ok(());
        }
        let head = (event.time, event.cycle, event.mote);
        self.write(|line| write_line(line, head, &event.kind))
    }
}

/// Appends a line: the fields that every event has, then those of its kind.
fn write_line(
    line: &mut Vec<u8>,
    (time, cycle, mote): (Time, u64, u32),
    kind: &impl Serialize,
) -> std::io::Result<()> {
    write!(line, "{{\"t_us\":{},\"cycle\":{cycle},\"mote\":{mote},", Microseconds(time))?;
    write_fields(line, kind)
}

/// Appends the fields of an object, and ends the line.
fn write_fields(line: &mut Vec<u8>, fields: &impl Serialize) -> std::io::Result<()> {
    let opening = line.len();
    serde_json::to_writer(&mut *line, fields)?;
    line.remove(opening);
    line.push(b'\n');
    Ok(())
}

/// Microseconds with the fraction down to the nanosecond, exactly and without trailing zeros: a
/// binary fraction would print noise.
struct Microseconds(Time);

impl fmt::Display for Microseconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nanoseconds = self.0.ns();
        let (whole, fraction) = (nanoseconds / 1_000, nanoseconds % 1_000);
        match fraction {
            0 => write!(f, "{whole}"),
            _ => {
                let digits = format!("{fraction:03}");
                write!(f, "{whole}.{}", digits.trim_end_matches('0'))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind;

    fn line(time: Time, kind: Kind) -> String {
        let mut line = Vec::new();
        write_line(&mut line, (time, 7, 0), &kind).expect("memory");
        String::from_utf8(line).expect("text")
    }

    #[test]
    fn times_are_exact() {
        let text = |picoseconds| Microseconds(Time::from_ps(picoseconds)).to_string();
        assert_eq!(text(0), "0");
        assert_eq!(text(1_500_000), "1.5");
        assert_eq!(text(1_002_999), "1.002", "picoseconds are cut off");
        assert_eq!(text(3_600_000_000_000_000), "3600000000", "an hour");
        assert_eq!(text(u64::MAX), "18446744073709.551");
        assert_eq!(Microseconds(Time::from_days(365)).to_string(), "31536000000000", "a year");
    }

    #[test]
    fn a_line_holds_one_object() {
        let uart = Kind::Uart { port: "console".into(), dir: "out", data: 10 };
        assert_eq!(
            line(Time::from_us(2), uart),
            "{\"t_us\":2,\"cycle\":7,\"mote\":0,\"kind\":\"uart\",\"port\":\"console\",\"dir\":\"out\",\
             \"data\":10}\n"
        );
    }

    #[test]
    fn a_missing_folder_is_named() {
        let error = JsonLines::create(Path::new("/nowhere/at/all.json")).err().expect("no folder");
        assert!(error.to_string().starts_with("cannot create /nowhere/at/all.json:"), "{error}");
    }

    #[test]
    fn a_full_disk_is_an_error() {
        let full = Path::new("/dev/full");
        if !full.exists() {
            return;
        }
        let mut lines = JsonLines::create(full).expect("a device");
        lines
            .event(&Event {
                time: Time::ZERO,
                cycle: 0,
                mote: 0,
                kind: Kind::Sleep { mode: "standby" },
            })
            .expect("buffered");
        let error = lines.finish().expect_err("full");
        assert!(error.to_string().starts_with("cannot write /dev/full:"), "{error}");
    }
}
