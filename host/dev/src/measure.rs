// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lichen bench`: figures beside the papers', the peers' and the goals.

use crate::bench::{self, BenchError, Meters, Reading, ReadingTitle};
use crate::figure::{Better, Figure, Value};
use lichen_project::{Place, Tree};
use lichen_terminal::failure::{Code, Failure};
use lichen_terminal::files::{Files, STANDARD, Written};
use lichen_terminal::maintenance::Bench as Options;
use lichen_terminal::place::Here;
use lichen_terminal::screen::{Data, Screen, out, reserve_output};
use rustix::time::{ClockId, clock_gettime};
use std::io::Write;
use std::path::Path;
use std::time::Duration;

/// Measures one group, or all, and prints a table for each.
pub fn bench(options: &Options, files: &mut Files, screen: &Screen) -> Result<Code, Failure> {
    let here = Here::find()?;
    let file = options.json.as_ref().map(|file| here.path(file));
    let is_standard = options.json.as_ref().is_some_and(|file| file.as_os_str() == STANDARD);
    if is_standard {
        reserve_output();
    }
    let pictures = options.pictures.as_ref().map(|folder| here.path(folder));
    if let Some(folder) = &pictures {
        std::fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    }
    let runs = runs(options, &here.tree)?;
    let mut values = Vec::new();
    for (group, board) in &runs {
        let meters = Meters {
            processor_time: &processor_time,
            real_time: &real_time,
            resident_bytes: &resident_bytes,
        };
        let readings = bench::measure(&here.tree, group, board, &meters, &mut |what| {
            screen.spin(&format!("{group}: {what}"));
        });
        screen.end_progress();
        let readings = readings?;
        print_group(&format!("{group} on {board}"), &readings, screen);
        if let Some(folder) = &pictures {
            draw(folder, &readings, files)?;
        }
        values.extend(readings.into_iter().filter_map(|reading| match reading.title {
            ReadingTitle::Figure(_, value) => Some(value),
            ReadingTitle::Beside(_) => None,
        }));
    }
    match &file {
        Some(_) if is_standard => {
            Data.write_all(bench_file(&values).as_bytes())
                .map_err(|error| unwritable(Path::new("-"), &error))?;
        }
        Some(file) => write(file, &bench_file(&values))?,
        None => {}
    }
    Ok(Code::Done)
}

/// The groups to measure, each with its board. Of all groups, those that a board has no part in are left
/// out.
fn runs(options: &Options, tree: &Tree) -> Result<Vec<(String, String)>, BenchError> {
    let groups = match &options.group {
        Some(group) => vec![group.clone()],
        None => bench::groups(tree)?,
    };
    let mut runs = Vec::new();
    for group in groups {
        let boards = bench::boards(tree, &group)?;
        match &options.board {
            Some(board) if options.group.is_some() || boards.contains(board) => {
                runs.push((group, board.clone()));
            }
            Some(_) => {}
            None => runs.extend(boards.first().map(|board| (group, board.clone()))),
        }
    }
    if let (true, Some(board)) = (runs.is_empty(), &options.board) {
        // Measuring one says what is wrong with the board.
        runs.extend(bench::groups(tree)?.into_iter().take(1).map(|group| (group, board.clone())));
    }
    Ok(runs)
}

/// Processor time of this thread, so that the simulator's speed does not depend on the machine's
/// other work.
fn processor_time() -> Duration {
    time_of(ClockId::ThreadCPUTime)
}

fn real_time() -> Duration {
    time_of(ClockId::Monotonic)
}

fn time_of(clock: ClockId) -> Duration {
    let time = clock_gettime(clock);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}

/// Memory of this process that is in use; 0 if the system does not say.
fn resident_bytes() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm").ok();
    let pages = pages.and_then(|text| text.split_whitespace().nth(1)?.parse::<u64>().ok());
    pages.unwrap_or(0) * rustix::param::page_size() as u64
}

fn write(file: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(file, text).map_err(|error| unwritable(file, &error))
}

/// Writes the pictures of `readings` to `folder`.
fn draw(folder: &Path, readings: &[Reading], files: &mut Files) -> Result<(), Failure> {
    let pictures = readings.iter().filter_map(|reading| reading.picture.as_ref());
    pictures.into_iter().try_for_each(|picture| {
        let file = folder.join(&picture.file);
        files.writes(Written { name: "pictures", path: &file, place: None, is_beside: false })?;
        write(&file, &picture.svg)
    })
}

fn unwritable(file: &Path, error: &std::io::Error) -> Failure {
    Failure::wrong(format!("cannot write: {error}"))
        .at(Place::file(file))
        .remedy("does the folder exist, and may you write there?")
}

/// The array that doc/spec/bench.md describes, one object per line.
fn bench_file(values: &[Value]) -> String {
    let lines: Vec<String> =
        values.iter().filter_map(|value| serde_json::to_string(value).ok()).collect();
    format!("[\n  {}\n]\n", lines.join(",\n  "))
}

fn print_group(group: &str, readings: &[Reading], screen: &Screen) {
    out!("{}", screen.bold(&format!("bench {group}")));
    out!("{:<36}{:>10}  {:<9}{:>8}{:>8}", "figure", "value", "unit", "paper", "goal");
    for reading in readings {
        print_reading(reading, screen);
    }
    let mut features: Vec<&String> = readings.iter().flat_map(|r| &r.features).collect();
    features.sort();
    features.dedup();
    if !features.is_empty() {
        let names: Vec<&str> = features.iter().map(|name| name.as_str()).collect();
        out!("{}", screen.dim(&format!("kernel: {}", names.join(", "))));
    }
    out!("");
}

fn print_reading(reading: &Reading, screen: &Screen) {
    let value = number(reading.value);
    match &reading.title {
        ReadingTitle::Beside(words) => {
            out!("{:<36}{value:>10}  {:<9}", format!("  {words}"), reading.unit);
        }
        ReadingTitle::Figure(figure, record) => {
            let verdict = verdict(record, screen);
            out!(
                "{:<36}{value:>10}  {:<9}{:>8}{:>8}  {verdict}",
                figure.id,
                reading.unit,
                optional(figure.paper),
                optional(record.goal)
            );
            print_background(figure, screen);
        }
    }
    if !reading.detail.is_empty() {
        out!("{}", screen.dim(&format!("      {}", reading.detail)));
    }
}

fn print_background(figure: &Figure, screen: &Screen) {
    out!("{}", screen.dim(&format!("      {}", figure.what)));
    if let Some(on) = &figure.on {
        out!("{}", screen.dim(&format!("      paper: {on}")));
    }
    if let Some(peers) = &figure.peers {
        out!("{}", screen.dim(&format!("      peers: {peers}")));
    }
}

fn verdict(value: &Value, screen: &Screen) -> String {
    match (value.met, value.better) {
        (Some(true), _) => screen.green("met"),
        (Some(false), Better::Lower) => screen.red("above the goal"),
        (Some(false), Better::Higher) => screen.red("below the goal"),
        (None, _) => String::new(),
    }
}

/// A value with its significant digits.
fn number(value: f64) -> String {
    match value {
        _ if value.fract() == 0.0 => format!("{value:.0}"),
        _ if value.abs() < 10.0 => two_decimals(value),
        _ => format!("{value:.1}"),
    }
}

/// Below 1 with both, since the first may be 0.
fn two_decimals(value: f64) -> String {
    let text = format!("{value:.2}");
    match text.strip_suffix('0') {
        Some(one) if value.abs() >= 1.0 => one.to_string(),
        _ => text,
    }
}

fn optional(value: Option<f64>) -> String {
    value.map(number).unwrap_or_else(|| "-".to_string())
}

impl From<BenchError> for Failure {
    fn from(error: BenchError) -> Failure {
        match error {
            BenchError::Build(error) => error.into(),
            BenchError::Plan { .. } => Failure::of(&error),
            _ => Failure::wrong_input(&error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_has_its_significant_digits() {
        let texts = [0.1, 0.06, 1.84, 2.6, 2.999, 3.0, 18.42, 5321.0].map(number);
        assert_eq!(texts, ["0.10", "0.06", "1.84", "2.6", "3.0", "3", "18.4", "5321"]);
    }

    #[test]
    fn the_bench_file_is_an_array_of_records() {
        let value = Value {
            id: "kernel.thread_ram".to_string(),
            value: 24.0,
            unit: "bytes".to_string(),
            board: "hamilton".to_string(),
            paper: None,
            goal: Some(24.0),
            better: Better::Lower,
            met: Some(true),
        };
        let text = bench_file(&[value.clone(), value]);
        let array: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(array.as_array().map(Vec::len), Some(2));
        assert_eq!(array[1]["better"], "lower");
        assert_eq!(array[0]["met"], true);
        assert_eq!(array[0]["paper"], serde_json::Value::Null);
    }
}
