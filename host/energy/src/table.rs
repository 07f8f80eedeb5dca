// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tables of currents (`data/current/*.toml`): what a component draws in each of its states, and which
//! document says so.

use crate::Current;
use lichen_board::Board;
use lichen_board::facts::{self, Spanned, Wrong};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// The tables of all parts that are known.
#[derive(Clone, Debug, Default)]
pub struct Tables {
    tables: Vec<Table>,
}

/// The table of a part.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    /// What part numbers begin with, or the name of a device's part; letters of either case.
    part: String,
    /// Supply that the currents are for, in millivolts; needed for a chip.
    supply_mv: Option<u32>,
    /// State of the part while no firmware has changed it.
    after_reset: Option<String>,
    /// State of the processor that lighter sleep is compared with.
    deepest: Option<String>,
    /// Components that serve all others: no driver is charged with them.
    #[serde(default)]
    shared: Vec<String>,
    #[serde(rename = "row")]
    rows: Vec<Spanned<Row>>,
}

/// A row of a table. It has a source and a current, which is the sum of what it states, or `unknown`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// The component; the part itself, if there is none.
    pub component: Option<String>,
    /// Its state.
    pub state: String,
    /// Nanoamperes at any frequency.
    na: Option<u64>,
    /// Nanoamperes for each MHz of the component's clock.
    na_per_mhz: Option<u64>,
    /// Nanoamperes for each MHz of its bus clock.
    na_per_bus_mhz: Option<u64>,
    /// Document, table and row.
    pub source: Option<String>,
    /// Why the current is an estimate, if it is one.
    pub estimate: Option<String>,
    /// Why no current is known.
    unknown: Option<String>,
}

/// What a component draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draw<'a> {
    /// This current, which may be an estimate.
    Known {
        /// The current.
        current: Current,
        /// Whether it does not come from a document.
        estimate: bool,
    },
    /// Nobody knows, for this reason.
    Unknown(&'a str),
}

/// Why there is no table, no cell, or no account.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file or its folder cannot be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file contains something that makes no sense.
    #[error(transparent)]
    Wrong(#[from] Wrong),
    /// A file has no account in it.
    #[error(
        "{file} has no account: give a file that lichen run --energy-json wrote, or --json with --energy"
    )]
    NoAccount {
        /// The file.
        file: String,
    },
    /// No file for a cell of this name.
    #[error("unknown cell `{name}`{}; there are: {}", hint(.near), known.join(", "))]
    NoCell {
        /// The requested name.
        name: String,
        /// The known name most similar to it, if any.
        near: Option<String>,
        /// Known names.
        known: Vec<String>,
    },
}

fn hint(near: &Option<String>) -> String {
    near.as_ref().map(|name| format!(" (did you mean `{name}`?)")).unwrap_or_default()
}

/// Component that stands for the processor.
pub(crate) const PROCESSOR: &str = "CPU";
/// Reason for a state that no table has.
const NO_ROW: &str = "no table of currents has it";

/// Names and texts of a folder's files of facts, by name.
pub(crate) fn files(folder: &Path) -> Result<Vec<(String, String)>, Error> {
    let wrong = |path: &Path, source| Error::Read { path: path.to_path_buf(), source };
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|source| wrong(folder, source))? {
        let path = entry.map_err(|source| wrong(folder, source))?.path();
        if path.extension().is_some_and(|ending| ending == "toml") {
            paths.push(path);
        }
    }
    paths.sort();
    let text = |path: PathBuf| match std::fs::read_to_string(&path) {
        Ok(text) => Ok((path.display().to_string(), text)),
        Err(source) => Err(wrong(&path, source)),
    };
    paths.into_iter().map(text).collect()
}

impl Tables {
    /// All tables of a folder.
    pub fn load(folder: &Path) -> Result<Tables, Error> {
        let mut tables = Tables::default();
        for (path, text) in files(folder)? {
            tables.add(&path, &text)?;
        }
        Ok(tables)
    }

    /// Adds the table in `text`; `file` is its name in messages.
    pub fn add(&mut self, file: &str, text: &str) -> Result<(), Error> {
        let table: Table = facts::parse(file, text)?;
        if table.part.trim().is_empty() {
            let what = "`part` is what part numbers begin with: it cannot be empty".to_string();
            return Err(facts::wrong(file, text, "part", what).into());
        }
        for (index, row) in table.rows.iter().enumerate() {
            if let Some(what) = table.mistake(index) {
                let line = Some(facts::line_of(text, row.span().start));
                let row = row.get_ref();
                let name = row.component.as_deref().unwrap_or(&table.part);
                let what = format!("{name}, state {}: {what}", row.state);
                return Err(Wrong { file: file.to_string(), line, what }.into());
            }
        }
        self.tables.push(table);
        Ok(())
    }

    /// The row for a component of `part` in a state. A row of the same name without the digits at its end
    /// is for all of them.
    pub fn row(&self, part: &str, component: &str, state: &str) -> Option<&Row> {
        let rows = || self.table(part).into_iter().flat_map(Table::rows);
        let class = component.trim_end_matches(|c: char| c.is_ascii_digit());
        let of = |name: Option<&str>| {
            rows().find(|row| row.component.as_deref() == name && row.state == state)
        };
        of(Some(component)).or_else(|| of(Some(class))).or_else(|| of(None))
    }

    /// What a component of `part` draws in a state, with clocks of `hz` and `bus_hz`.
    pub fn draw(&self, part: &str, component: &str, state: &str, clocks: [u64; 2]) -> Draw<'_> {
        let row = self.row(part, component, state);
        row.map_or(Draw::Unknown(NO_ROW), |row| row.draw(clocks))
    }

    /// Whether a component of a part serves all others, so that no driver is charged with it.
    pub fn serves_all(&self, part: &str, component: &str) -> bool {
        self.table(part).is_some_and(|table| table.shared.iter().any(|name| name == component))
    }

    /// Supply that the currents of a chip are for, in millivolts.
    pub fn supply_mv(&self, part: &str) -> Option<u32> {
        self.table(part)?.supply_mv
    }

    /// The deepest mode in which a chip's timer still runs, and what its processor draws there.
    pub fn deepest(&self, part: &str) -> Option<(&str, Current)> {
        let mode = self.table(part)?.deepest.as_deref()?;
        match self.draw(part, PROCESSOR, mode, [0, 0]) {
            Draw::Known { current, .. } => Some((mode, current)),
            Draw::Unknown(_) => None,
        }
    }

    /// What a part draws while no firmware has changed its state, if that is known.
    pub fn after_reset(&self, part: &str) -> Option<Current> {
        let state = self.table(part)?.after_reset.as_deref()?;
        match self.draw(part, part, state, [0, 0]) {
            Draw::Known { current, .. } => Some(current),
            Draw::Unknown(_) => None,
        }
    }

    fn table(&self, part: &str) -> Option<&Table> {
        let part = part.to_ascii_lowercase();
        self.tables.iter().find(|table| part.starts_with(&table.part.to_ascii_lowercase()))
    }

    /// All rows, with the part that each is for.
    pub fn rows(&self) -> impl Iterator<Item = (&str, &Row)> {
        self.tables.iter().flat_map(|table| table.rows().map(|row| (table.part.as_str(), row)))
    }
}

impl Table {
    fn rows(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().map(Spanned::get_ref)
    }

    /// What is wrong with one of the rows.
    fn mistake(&self, index: usize) -> Option<&'static str> {
        let row = self.rows[index].get_ref();
        let is_same =
            |other: &&Row| (&other.component, &other.state) == (&row.component, &row.state);
        if self.rows().take(index).any(|other| is_same(&other)) {
            return Some("there is a row for this state above");
        }
        if self.supply_mv.is_none() && (row.na_per_mhz.is_some() || row.na_per_bus_mhz.is_some()) {
            return Some(
                "only chips have clocks, and chips state `supply_mv`; give the current in `na`",
            );
        }
        row.mistake()
    }
}

impl Row {
    /// The row of a state that no table has.
    pub(crate) fn missing() -> Row {
        Row { unknown: Some(NO_ROW.to_string()), ..Row::default() }
    }

    /// A row with a current that does not depend on clocks.
    pub fn fixed(current_na: u64, source: &str) -> Row {
        Row { na: Some(current_na), source: Some(source.to_string()), ..Row::default() }
    }

    /// What a board itself states: component, state and row.
    pub(crate) fn of_board(board: &Board) -> impl Iterator<Item = (&str, &'static str, Row)> {
        board.leds.iter().filter_map(|led| {
            let current_na = u64::from(led.current_ua?) * 1_000;
            Some((led.name.as_str(), "lit", Row::fixed(current_na, "the board's file")))
        })
    }

    /// The current with these clocks, in Hz: its own, and its bus's.
    pub fn draw(&self, [hz, bus_hz]: [u64; 2]) -> Draw<'_> {
        if let Some(why) = &self.unknown {
            return Draw::Unknown(why);
        }
        let current = Current::from_na(self.na.unwrap_or(0))
            + Current::per_mhz(self.na_per_mhz.unwrap_or(0), hz)
            + Current::per_mhz(self.na_per_bus_mhz.unwrap_or(0), bus_hz);
        Draw::Known { current, estimate: self.estimate.is_some() }
    }

    fn mistake(&self) -> Option<&'static str> {
        let has_current =
            [self.na, self.na_per_mhz, self.na_per_bus_mhz].iter().any(Option::is_some);
        let is_empty =
            |text: &Option<String>| text.as_ref().is_some_and(|text| text.trim().is_empty());
        if [&self.source, &self.estimate, &self.unknown].into_iter().any(is_empty) {
            return Some("an empty text says nothing");
        }
        match (&self.unknown, has_current, &self.source) {
            (Some(_), true, _) => Some("it has a current and is `unknown`"),
            (None, false, _) => Some("it has no current; give one, or the reason in `unknown`"),
            (None, true, None) => Some("it has no `source`: document, table and row"),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
part = "ATSAMR21"
supply_mv = 3300
after_reset = "on"
shared = ["EIC"]
[[row]]
component = "SERCOM"
state = "spi"
na = 10
na_per_mhz = 1_000
na_per_bus_mhz = 10
source = "sheet"
[[row]]
component = "SERCOM3"
state = "spi"
na = 1
source = "sheet"
estimate = "guessed"
[[row]]
component = "EIC"
state = "on"
unknown = "no row"
[[row]]
state = "on"
na = 7
source = "sheet"
"#;

    fn tables() -> Tables {
        let mut tables = Tables::default();
        tables.add("x.toml", TEXT).expect("good");
        tables
    }

    #[test]
    fn a_row_is_found_by_name_then_by_class() {
        let tables = tables();
        let draw = |component, state| {
            tables.draw("ATSAMR21G18A", component, state, [2_500_000, 1_000_000])
        };
        let known = |na, estimate| Draw::Known { current: Current::from_na(na), estimate };
        assert_eq!(draw("SERCOM0", "spi"), known(10 + 2_500 + 10, false));
        assert_eq!(draw("SERCOM3", "spi"), known(1, true));
        assert_eq!(draw("EIC", "on"), Draw::Unknown("no row"));
        assert_eq!(draw("SERCOM0", "i2c"), Draw::Unknown(NO_ROW));
        assert_eq!(draw("anything", "on"), known(7, false));
        assert_eq!(tables.draw("ATMEGA", "CPU", "on", [0, 0]), Draw::Unknown(NO_ROW));
        assert_eq!(tables.supply_mv("atsamr21e18a"), Some(3_300));
        assert!(tables.serves_all("ATSAMR21G18A", "EIC") && !tables.serves_all("ATSAMR21", "RTC"));
        assert_eq!(tables.after_reset("ATSAMR21"), Some(Current::from_na(7)));
    }

    #[test]
    fn mistakes_are_named() {
        let mistake = |row: &str| {
            let text = format!("part = \"x\"\n[[row]]\nstate = \"on\"\n{row}\n");
            Tables::default().add("x.toml", &text).expect_err("wrong").to_string()
        };
        assert!(mistake("na = 1").contains("x, state on: it has no `source`"));
        assert!(mistake("source = \"sheet\"").contains("no current"));
        assert!(mistake("na = 1\nunknown = \"why\"").contains("and is `unknown`"));
        assert!(mistake("na = 1\nsource = \" \"").contains("empty"));
        assert!(mistake("ma = 1").starts_with("x.toml:4: unknown key `ma`; did you mean `na`?"));
        assert!(mistake("na = -1").starts_with("x.toml:4:"));
        let good = "na = 1\nsource = \"sheet\"\n";
        let twice = format!("{good}[[row]]\nstate = \"on\"\n{good}");
        assert!(
            mistake(&twice).starts_with("x.toml:6: x, state on: there is a row for this state")
        );
        assert!(mistake("na_per_mhz = 1\nsource = \"sheet\"").contains("only chips have clocks"));
        let unnamed = Tables::default().add("x.toml", "part = \"\"\nrow = []\n");
        let unnamed = unnamed.expect_err("wrong").to_string();
        assert!(unnamed.starts_with("x.toml:1: `part`"), "{unnamed}");
    }
}
