// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lichen energy diff`: two accounts side by side.

use super::{cells, life, width};
use clap::Args;
use lichen_energy::{Change, Charge, Current, Diff, Record, Side};
use lichen_project::Place;
use lichen_scenario::bounded;
use lichen_terminal::failure::{Code, Failure};
use lichen_terminal::files::InputFile;
use lichen_terminal::place::Here;
use lichen_terminal::screen::{Screen, out};
use std::path::Path;

/// What `energy diff --help` adds.
pub const HELP: &str = "\
Examples:
  lichen run blink --for 1h --energy-json before
  lichen run blink --for 10m --energy-json after
  lichen energy diff before after

Accounts are compared as mean currents, so the runs may differ in length; of several motes, the
average counts. Files of `lichen run --json` work, too, if the run had --energy.";

/// Options of `energy diff`.
#[derive(Debug, Args)]
pub struct Options {
    /// Account of a run: a file that --energy-json wrote, or --json with --energy.
    #[arg(value_name = "A")]
    pub a: InputFile,
    /// Account of another run.
    #[arg(value_name = "B")]
    pub b: InputFile,
    /// Compute how long this cell (data/cell) lasts, instead of the cells that the accounts name.
    #[arg(long, value_name = "NAME")]
    pub cell: Option<String>,
    /// Print JSON, for programs (doc/spec/energy.md).
    #[arg(long)]
    pub json: bool,
}

/// Compares two accounts.
pub fn diff(options: &Options, screen: &Screen) -> Result<Code, Failure> {
    let here = Here::find()?;
    let cells = cells(&here)?;
    let cell = options.cell.as_deref().map(|name| cells.find(name)).transpose()?;
    let (a, b) = (read(&here.path(&options.a))?, read(&here.path(&options.b))?);
    let diff = Diff::new(&a, &b, cell);
    if options.json {
        let text = serde_json::to_string_pretty(&diff)
            .map_err(|error| Failure::failed(format!("cannot print the comparison: {error}")))?;
        out!("{text}");
    } else {
        print(&diff, options, screen);
    }
    Ok(Code::Done)
}

fn read(path: &Path) -> Result<Vec<Record>, Failure> {
    let bytes = bounded::read(path).map_err(|error| {
        Failure::wrong(format!("cannot read the account: {}", bounded::reason(path, &error)))
            .at(Place::file(path))
            .remedy("give a file that lichen run --energy-json wrote")
    })?;
    let file = path.display().to_string();
    let text = String::from_utf8_lossy(&bytes);
    Ok(lichen_energy::read(&file, text.trim_start_matches('\u{feff}'))?)
}

fn print(diff: &Diff, options: &Options, screen: &Screen) {
    let name = |path: &Path| path.display().to_string();
    side("A", &name(&options.a), &diff.a);
    side("B", &name(&options.b), &diff.b);
    let whole = Change {
        name: String::new(),
        state: String::new(),
        a_pc: diff.a.charge_pc,
        b_pc: diff.b.charge_pc,
        a: diff.a.mean,
        b: diff.b.mean,
    };
    out!("{:<4}{}", "", change(&whole));
    table(screen, "component", &diff.components);
    table(screen, "for whom", &diff.owners);
    table(screen, "awake, by what woke it; asleep", &diff.periods);
    table(screen, "what forbade the deepest mode", &diff.limits);
}

/// An account in one line.
fn side(letter: &str, file: &str, side: &Side) {
    let motes = match side.motes {
        1 => String::new(),
        motes => format!(" of {motes} motes"),
    };
    let seconds = seconds(side.duration_ns / side.motes.max(1) as u128);
    let charge = charge(side.charge_pc);
    let battery = side.battery.as_ref().map_or(String::new(), |battery| {
        let last = if battery.count == 1 { "lasts" } else { "last" };
        format!(", {battery} {last} {}", life(battery.life_h))
    });
    out!("{letter:<4}{file}: {charge}{motes} in {seconds} s, {} on average{battery}", side.mean);
}

fn seconds(ns: u128) -> String {
    format!("{}.{:06}", ns / 1_000_000_000, ns / 1_000 % 1_000_000)
}

fn charge(pc: u128) -> Charge {
    Charge::from_pc(pc)
}

/// How far the mean current changed.
fn change(change: &Change) -> String {
    let sign = if change.grew() { '+' } else { '-' };
    match change.size() {
        Current(0) => "no change".to_string(),
        size if change.a == Current(0) => format!("{sign}{size}"),
        size if change.b.0 >= 10 * change.a.0 => {
            format!("{sign}{size} ({} times)", change.b.0 / change.a.0)
        }
        size => {
            let tenths = (size.0 * 1_000 + change.a.0 / 2) / change.a.0;
            format!("{sign}{size} ({sign}{}.{} %)", tenths / 10, tenths % 10)
        }
    }
}

/// What changed of one kind; nothing if there is nothing of that kind.
fn table(screen: &Screen, title: &str, changes: &[Change]) {
    if changes.iter().all(|change| change.a_pc == 0 && change.b_pc == 0) {
        return;
    }
    let (changed, same): (Vec<_>, Vec<_>) =
        changes.iter().partition(|change| change.size() > Current(0));
    let names: Vec<String> = changed.iter().map(|change| name_of(change)).collect();
    let first = width(names.iter().map(String::as_str).chain([title]), 46);
    out!("");
    let head = format!(
        "{title:<first$} {:>12} {:>12} {:>12} {:>12}  change",
        "charge A", "charge B", "current A", "current B"
    );
    out!("{}", screen.bold(&head));
    for (line, name) in changed.iter().zip(&names) {
        out!(
            "{name:<first$} {:>12} {:>12} {:>12} {:>12}  {}",
            charge(line.a_pc).to_string(),
            charge(line.b_pc).to_string(),
            line.a.to_string(),
            line.b.to_string(),
            change(line)
        );
    }
    let same = same.iter().filter(|change| change.a_pc > 0).count();
    if same > 0 {
        out!("{}", screen.dim(&format!("{same} without change")));
    }
}

/// What changed, in the first column.
fn name_of(line: &Change) -> String {
    match line.state.as_str() {
        "" | "awake" => line.name.clone(),
        "off" => "without power".to_string(),
        "asleep" => format!("asleep, {}", line.name),
        state => format!("{} {state}", line.name),
    }
}
