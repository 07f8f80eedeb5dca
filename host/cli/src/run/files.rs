// SPDX-License-Identifier: MIT OR Apache-2.0
//! The files that a run writes: each of them can be written, and none of them is one that the run reads, or another
//! that it writes.

use super::options::Record;
use lichen_project::Place;
use lichen_scenario::Output;
use lichen_terminal::failure::Failure;
use lichen_terminal::place::Here;
use lichen_terminal::screen::{Data, reserve_output};
use lichen_trace::{Error, JsonLines};
use std::fs::OpenOptions;
use std::io::ErrorKind;
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
pub fn wave<'a>(record: &'a Record, output: &'a Output) -> Option<&'a PathBuf> {
    record.wave.as_ref().or(output.wave.as_ref())
}

/// The file for a picture of the air.
pub fn air<'a>(record: &'a Record, output: &'a Output) -> Option<&'a PathBuf> {
    record.air.as_ref().or(output.air.as_ref())
}

/// The file for a trace for Perfetto.
pub fn perfetto<'a>(record: &'a Record, output: &'a Output) -> Option<&'a PathBuf> {
    record.perfetto.as_ref().or(output.perfetto.as_ref())
}

/// The file for captured frames.
pub fn pcap<'a>(record: &'a Record, output: &'a Output) -> Option<&'a PathBuf> {
    record.pcap.as_ref().or(output.pcap.as_ref())
}

/// The file for an account as JSON.
pub fn energy_json<'a>(record: &'a Record, output: &'a Output) -> Option<&'a PathBuf> {
    record.energy_json.as_ref().or(output.energy_json.as_ref())
}

/// The file for an account as CSV.
pub fn energy_csv<'a>(record: &'a Record, output: &'a Output) -> Option<&'a PathBuf> {
    record.energy_csv.as_ref().or(output.energy_csv.as_ref())
}

/// Where a path for JSON stands for the standard output.
const STANDARD_OUTPUT: &str = "-";

/// Opens a file for JSON, or the standard output.
pub fn json_lines(here: &Here, file: &Path) -> Result<JsonLines, Error> {
    match file.as_os_str() == STANDARD_OUTPUT {
        true => Ok(JsonLines::to(Box::new(Data), Path::new("the standard output"))),
        false => JsonLines::create(&here.path(file)),
    }
}

/// Checks the files that the call names, before anything is built.
pub fn check_call(record: &Record, here: &Here) -> Result<(), Failure> {
    let output = Output::default();
    let mut of_standard = None;
    for (name, file) in outputs(record, &output) {
        let is_standard = file.as_os_str() == STANDARD_OUTPUT;
        check_ending(name, file).map_err(|failure| failure.at(Place::file(file)))?;
        match name {
            "json" | "energy-json" if is_standard => {
                if let Some(other) = of_standard.replace(name) {
                    let what = format!("--{other} and --{name} both write to the standard output");
                    return Err(Failure::wrong(what).remedy("name a file for one of them"));
                }
                reserve_output();
            }
            _ if is_standard => {
                return Err(Failure::wrong(format!(
                    "--{name} cannot write to the standard output"
                ))
                .remedy("name a file; --json and --energy-json take `-`"));
            }
            _ => check_place(&here.path(file))?,
        }
    }
    Ok(())
}

/// What the files of each option are, and how their names may end, the usual ending first.
const FORMATS: [(&str, &str, &[&str]); 9] = [
    ("json", "JSON lines", &["jsonl", "json"]),
    ("vcd", "waveforms as VCD", &["vcd"]),
    ("wave", "SVG", &["svg"]),
    ("air", "SVG", &["svg"]),
    ("perfetto", "a trace for Perfetto", &["pftrace", "perfetto", "perfetto-trace"]),
    ("pcap", "captured frames as pcapng", &["pcapng"]),
    ("energy-json", "JSON lines", &["jsonl", "json"]),
    ("energy-csv", "a table as CSV", &["csv"]),
    ("save", "a snapshot", &["snapshot"]),
];
/// Pictures that nothing here writes.
const PICTURES: [&str; 6] = ["png", "jpg", "jpeg", "gif", "webp", "pdf"];

/// Refuses a name that ends like those of another format: whoever opens the file would find something else.
fn check_ending(option: &str, file: &Path) -> Result<(), Failure> {
    let ending = file.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    let Some(ending) = ending.as_deref() else { return Ok(()) };
    let own = FORMATS.iter().find(|(name, ..)| *name == option);
    let Some((_, what, endings)) = own.filter(|(.., endings)| !endings.contains(&ending)) else {
        return Ok(());
    };
    let is_of_other = FORMATS.iter().any(|(.., others)| others.contains(&ending));
    if !is_of_other && !PICTURES.contains(&ending) {
        return Ok(());
    }
    let better = file.with_extension(endings[0]);
    let what = format!("`{option}` writes {what}, and this name ends with .{ending}");
    Err(Failure::wrong(what).remedy(format!("name it {}", better.display())))
}

/// The files that are written beside the one of an option: the names of the waveforms.
fn beside(option: &str, file: &Path) -> Vec<PathBuf> {
    match option {
        "vcd" => ["gtkw", "names.txt"].map(|ending| file.with_extension(ending)).to_vec(),
        _ => Vec::new(),
    }
}

/// Checks that a file can be written, before there is any work to lose, and leaves nothing there.
pub fn check_place(path: &Path) -> Result<(), Failure> {
    let is_there = path.exists();
    if is_there && !path.is_file() && !path.is_dir() {
        // To open a pipe may take until somebody reads it.
        return Ok(());
    }
    let opened = OpenOptions::new().append(true).create(true).open(path);
    let Err(error) = opened else {
        if !is_there {
            let _ = std::fs::remove_file(path);
        }
        return Ok(());
    };
    let folder = path.parent().unwrap_or(path).display();
    let (why, remedy) = match error.kind() {
        ErrorKind::NotFound => {
            (format!("there is no folder {folder}"), format!("make it first: mkdir -p {folder}"))
        }
        ErrorKind::IsADirectory => ("it is a folder".into(), "name a file in it".into()),
        ErrorKind::NotADirectory => {
            (format!("{folder} is a file"), "name a file in a folder".into())
        }
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            ("you may not write there".into(), "name a file in a folder of your own".into())
        }
        _ => (error.to_string(), "name a file in a folder that can be written to".into()),
    };
    let what = format!("cannot create {}: {why}", path.display());
    Err(Failure::wrong(what).at(Place::file(path)).remedy(remedy))
}

/// The files to be written, by the names of their options.
fn outputs<'a>(
    record: &'a Record,
    output: &'a Output,
) -> impl Iterator<Item = (&'static str, &'a PathBuf)> {
    let outputs = [
        ("save", record.save.as_ref()),
        ("json", json(record, output)),
        ("vcd", vcd(record, output)),
        ("wave", wave(record, output)),
        ("air", air(record, output)),
        ("perfetto", perfetto(record, output)),
        ("pcap", pcap(record, output)),
        ("energy-json", energy_json(record, output)),
        ("energy-csv", energy_csv(record, output)),
    ];
    outputs.into_iter().filter_map(|(name, file)| Some((name, file?)))
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
    let known = |file: &Path| match file.as_os_str() == STANDARD_OUTPUT {
        true => Some(file.to_path_buf()),
        false => identity(&here.path(file)),
    };
    let sources: Vec<PathBuf> = sources.iter().filter_map(|file| known(file)).collect();
    let snapshot = load.and_then(known);
    let mut written: Vec<PathBuf> = Vec::new();
    for (name, path) in outputs(record, output) {
        if let Some(place) = place(record, output, name) {
            check_ending(name, path).map_err(|failure| failure.at(place.clone()))?;
            check_place(&here.path(path)).map_err(|failure| {
                Failure { message: format!("`{name}`: {}", failure.message), ..failure }.at(place)
            })?;
        }
        for (path, is_beside) in with_those_beside(name, path) {
            let Some(file) = known(&path) else { continue };
            let is_snapshot = name != "save" && snapshot.as_ref() == Some(&file);
            let is_read = is_snapshot || sources.contains(&file);
            let other = match (is_read, written.contains(&file)) {
                (true, _) => Some("an input of this run"),
                (_, true) => Some("another output"),
                _ => None,
            };
            if let Some(other) = other {
                let what = match (place(record, output, name), is_beside) {
                    (None, false) => format!("`{name}` would overwrite {other}"),
                    (_, false) => format!("`{name}` would overwrite {other}: {}", path.display()),
                    (_, true) => format!(
                        "`{name}` would overwrite {other} with the file that it writes beside its own: {}",
                        path.display()
                    ),
                };
                let place =
                    place(record, output, name).unwrap_or_else(|| Place::file(here.path(&path)));
                return Err(Failure::wrong(what).at(place).remedy("name a file of its own"));
            }
            written.push(file);
        }
    }
    Ok(())
}

/// The file of an option, and those beside it.
fn with_those_beside(option: &str, file: &Path) -> Vec<(PathBuf, bool)> {
    let own = std::iter::once((file.to_path_buf(), false));
    own.chain(beside(option, file).into_iter().map(|file| (file, true))).collect()
}

/// Where the scenario says something that the call does not: `name` is the key there, and the option here.
pub fn place(record: &Record, output: &Output, name: &str) -> Option<Place> {
    let is_option = match name {
        "save" => true,
        "json" => record.json.is_some(),
        "vcd" => record.vcd.is_some(),
        "wave" => record.wave.is_some(),
        "wave-from" => record.wave_from.is_some(),
        "wave-for" => record.wave_for.is_some(),
        "air" => record.air.is_some(),
        "air-from" => record.air_from.is_some(),
        "air-for" => record.air_for.is_some(),
        "perfetto" => record.perfetto.is_some(),
        "pcap" => record.pcap.is_some(),
        "energy-json" => record.energy_json.is_some(),
        "energy-csv" => record.energy_csv.is_some(),
        _ => false,
    };
    let (file, line) = output.place(name).filter(|_| !is_option)?;
    Some(Place::line(file, line as u32))
}

/// The failure to create the file of this key, with the line of the scenario that names it.
pub fn uncreated(record: &Record, output: &Output, name: &str, error: Error) -> Failure {
    let failure = Failure::from(error);
    match place(record, output, name) {
        Some(place) => {
            let message = format!("`{name}`: {}", failure.message);
            Failure { message, ..failure }.at(place)
        }
        None => failure,
    }
}

/// What tells files apart, whatever their paths: `None` for what can be written twice, such as a terminal.
fn identity(path: &Path) -> Option<PathBuf> {
    match path.canonicalize() {
        Ok(found) => found.is_file().then_some(found),
        Err(_) => Some(path.parent()?.canonicalize().ok()?.join(path.file_name()?)),
    }
}
