// SPDX-License-Identifier: MIT OR Apache-2.0
//! The files that a run writes: none of them may be one that it reads, or another that it writes.

use super::options::Record;
use crate::failure::Failure;
use crate::place::Here;
use lichen_project::Place;
use lichen_world::Output;
use std::path::{Path, PathBuf};

/// The file for events: what the call names takes precedence over the scenario.
pub fn json<'a>(record: &'a Record, output: &'a Output) -> Option<&'a PathBuf> {
    record.json.as_ref().or(output.json.as_ref())
}

/// The file for waveforms.
pub fn vcd<'a>(record: &'a Record, output: &'a Output) -> Option<&'a PathBuf> {
    record.vcd.as_ref().or(output.vcd.as_ref())
}

/// The file for a picture.
pub fn svg<'a>(record: &'a Record, output: &'a Output) -> Option<&'a PathBuf> {
    record.svg.as_ref().or(output.svg.as_ref())
}

/// Checks the files before one of them is opened. `load` is the snapshot that the run begins with, which it may
/// replace at its end; `sources` are the other files that it reads.
pub fn check(
    record: &Record,
    output: &Output,
    load: Option<&Path>,
    sources: &[PathBuf],
    here: &Here,
) -> Result<(), Failure> {
    let mut used: Vec<(PathBuf, &str)> = Vec::new();
    let read = sources.iter().map(|file| (here.path(file), "an input of this run"));
    used.extend(read.filter_map(|(file, use_)| Some((identity(&file)?, use_))));
    let written = [
        ("json", json(record, output)),
        ("vcd", vcd(record, output)),
        ("svg", svg(record, output)),
        ("save", record.save.as_ref()),
    ];
    for (name, file) in written {
        let Some(path) = file.map(|file| here.path(file)) else { continue };
        let Some(file) = identity(&path) else { continue };
        let snapshot = load.filter(|_| name != "save").and_then(|load| identity(&here.path(load)));
        let other = used.iter().find(|(other, _)| *other == file).map(|(_, use_)| *use_);
        let other = other.or((snapshot == Some(file.clone())).then_some("an input of this run"));
        if let Some(other) = other {
            return Err(Failure::wrong(format!("`{name}` would overwrite {other}"))
                .at(Place::file(&path))
                .remedy("name a file of its own"));
        }
        used.push((file, "another output"));
    }
    Ok(())
}

/// What tells files apart, whatever their paths: `None` for what can be written twice, such as a terminal.
fn identity(path: &Path) -> Option<PathBuf> {
    match path.canonicalize() {
        Ok(found) => found.is_file().then_some(found),
        Err(_) => Some(path.parent()?.canonicalize().ok()?.join(path.file_name()?)),
    }
}
