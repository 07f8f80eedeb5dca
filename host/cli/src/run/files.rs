// SPDX-License-Identifier: MIT OR Apache-2.0
//! The files that a run writes: what is in them, how they are called, and which files are written beside them.

use super::options::Record;
use lichen_project::Place;
use lichen_scenario::Output;
use lichen_terminal::failure::Failure;
use lichen_terminal::files::{Files, STANDARD, Written};
use lichen_terminal::place::Here;
use lichen_terminal::screen::{Data, reserve_output};
use lichen_trace::{Error, JsonLines};
use std::path::{Path, PathBuf};

/// The file for events: what the call names takes precedence over the scenario.
pub fn json<'a>(record: &'a Record, output: &'a Output) -> Option<&'a Path> {
    record.json.as_deref().or(output.json.as_deref())
}

/// The file for what ran and what came of it.
pub fn summary<'a>(record: &'a Record, output: &'a Output) -> Option<&'a Path> {
    record.summary.as_deref().or(output.summary.as_deref())
}

/// The file for waveforms.
pub fn vcd<'a>(record: &'a Record, output: &'a Output) -> Option<&'a Path> {
    record.vcd.as_deref().or(output.vcd.as_deref())
}

/// The file for a picture.
pub fn wave<'a>(record: &'a Record, output: &'a Output) -> Option<&'a Path> {
    record.wave.as_deref().or(output.wave.as_deref())
}

/// The file for a picture of the air.
pub fn air<'a>(record: &'a Record, output: &'a Output) -> Option<&'a Path> {
    record.air.as_deref().or(output.air.as_deref())
}

/// The file for a trace for Perfetto.
pub fn perfetto<'a>(record: &'a Record, output: &'a Output) -> Option<&'a Path> {
    record.perfetto.as_deref().or(output.perfetto.as_deref())
}

/// The file for captured frames.
pub fn pcap<'a>(record: &'a Record, output: &'a Output) -> Option<&'a Path> {
    record.pcap.as_deref().or(output.pcap.as_deref())
}

/// The file for an account as JSON.
pub fn energy_json<'a>(record: &'a Record, output: &'a Output) -> Option<&'a Path> {
    record.energy_json.as_deref().or(output.energy_json.as_deref())
}

/// The file for an account as CSV.
pub fn energy_csv<'a>(record: &'a Record, output: &'a Output) -> Option<&'a Path> {
    record.energy_csv.as_deref().or(output.energy_csv.as_deref())
}

/// Opens a file for JSON, or the standard output.
pub fn json_lines(here: &Here, file: &Path) -> Result<JsonLines, Error> {
    match file.as_os_str() == STANDARD {
        true => Ok(JsonLines::to(Box::new(Data), Path::new("the standard output"))),
        false => JsonLines::create(&here.path(file)),
    }
}

/// Checks the files that the call names, before anything is built.
pub fn check_call(record: &Record, files: &mut Files) -> Result<(), Failure> {
    let output = Output::default();
    let mut of_standard = None;
    for (name, file) in outputs(record, &output) {
        let is_standard = file.as_os_str() == STANDARD;
        check_ending(name, file).map_err(|failure| failure.at(Place::file(file)))?;
        match name {
            "json" | "summary" | "energy-json" if is_standard => {
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
                .remedy("name a file; --json, --summary and --energy-json take `-`"));
            }
            _ => write_all(name, file, None, files)?,
        }
    }
    Ok(())
}

/// What the files of each option are, and how their names may end, the usual ending first.
const FORMATS: [(&str, &str, &[&str]); 10] = [
    ("json", "JSON lines", &["jsonl", "json"]),
    ("summary", "JSON lines", &["jsonl", "json"]),
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

/// The files that are written beside the one of an option: the names of the waveforms, and a snapshot that is not
/// complete.
fn beside(option: &str, file: &Path) -> Vec<PathBuf> {
    match option {
        "vcd" => ["gtkw", "names.txt"].map(|ending| file.with_extension(ending)).to_vec(),
        "save" => vec![lichen_world::partial_snapshot(file)],
        _ => Vec::new(),
    }
}

/// The files to be written, by the names of their options.
fn outputs<'a>(
    record: &'a Record,
    output: &'a Output,
) -> impl Iterator<Item = (&'static str, &'a Path)> {
    let outputs = [
        ("save", record.save.as_deref()),
        ("json", json(record, output)),
        ("summary", summary(record, output)),
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

/// Tells `files` of what the scenario wants to be written and the call has not named, and checks it.
pub fn check(record: &Record, output: &Output, files: &mut Files) -> Result<(), Failure> {
    for (name, path) in outputs(record, output) {
        let Some(place) = place(record, output, name) else { continue };
        check_ending(name, path).map_err(|failure| failure.at(place.clone()))?;
        write_all(name, path, Some(place), files)?;
    }
    Ok(())
}

/// Tells `files` of a file to be written, and of those beside it.
fn write_all(
    name: &str,
    path: &Path,
    place: Option<Place>,
    files: &mut Files,
) -> Result<(), Failure> {
    if place.is_some() {
        files.writes(Written { name, path, place: place.clone(), is_beside: false })?;
    }
    beside(name, path).iter().try_for_each(|path| {
        files.writes(Written { name, path, place: place.clone(), is_beside: true })
    })
}

/// Where the scenario says something that the call does not: `name` is the key there, and the option here.
pub fn place(record: &Record, output: &Output, name: &str) -> Option<Place> {
    let is_option = match name {
        "save" => true,
        "json" => record.json.is_some(),
        "summary" => record.summary.is_some(),
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
