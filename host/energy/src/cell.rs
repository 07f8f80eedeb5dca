// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cells (`data/cell/*.toml`): what they hold, and how long they feed a mote.

use crate::{Current, Error};
use lichen_board::facts::{self, nearest};
use serde::Deserialize;
use std::fmt;
use std::path::Path;

/// Hours in a year of 365.25 days.
pub const HOURS_A_YEAR: u64 = 8_766;
/// Femtoamperes of a current that takes a milliampere hour in an hour.
const FA_PER_MA: u128 = 1_000_000_000_000;
const MILLION: u128 = 1_000_000;

/// A cell, as its file describes it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cell {
    /// Its name, which is that of its file in capital letters.
    pub name: String,
    /// Its name in prose.
    pub title: String,
    /// Nominal voltage.
    pub nominal_mv: u32,
    /// What it delivers until its voltage is `cut_off_mv`.
    pub capacity_mah: u32,
    /// Where that capacity ends.
    pub cut_off_mv: u32,
    /// What it loses by itself in a year, in millionths of its capacity.
    pub self_discharge_ppm: u32,
    /// After how many years it must not be relied on.
    pub shelf_life_years: u32,
    /// Documents that say so.
    pub source: String,
    /// What is not certain about it.
    pub estimate: Option<String>,
}

/// The cells of a mote, in series.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Supply {
    /// The cell.
    pub cell: Cell,
    /// How many.
    pub count: u32,
    /// The least voltage of all together that feeds the mote, if it is known.
    pub least_mv: Option<u32>,
}

impl Supply {
    /// As many of `cell` as feed a mote: as it has of its `own`, if those are the same; else as give its least voltage,
    /// or about the usual one where no least one is known.
    pub fn of(
        cell: &Cell,
        own: Option<(&str, u32)>,
        least_mv: Option<u32>,
        usual_mv: Option<u32>,
    ) -> Supply {
        let nominal = cell.nominal_mv.max(1);
        let count = match (own.filter(|(name, _)| is(cell, name)), least_mv) {
            (Some((_, count)), _) => count,
            (None, Some(least_mv)) => least_mv.div_ceil(nominal),
            (None, None) => (usual_mv.unwrap_or(nominal) + nominal / 2) / nominal,
        };
        Supply { cell: cell.clone(), count: count.max(1), least_mv }
    }
}

/// How many of which cell.
impl fmt::Display for Supply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&cells(&self.cell.name, self.count))
    }
}

/// How many of which cell, for people.
pub(crate) fn cells(name: &str, count: u32) -> String {
    if count == 1 { name.to_string() } else { format!("{count} {name}") }
}

/// The cells that are known.
#[derive(Clone, Debug, Default)]
pub struct Cells {
    cells: Vec<Cell>,
}

impl Cells {
    /// All cells of a folder.
    pub fn load(folder: &Path) -> Result<Cells, Error> {
        let mut cells = Cells::default();
        for (path, text) in crate::table::files(folder)? {
            cells.add(&path, &text)?;
        }
        Ok(cells)
    }

    /// Adds the cell in `text`; `file` is its name in messages.
    pub fn add(&mut self, file: &str, text: &str) -> Result<(), Error> {
        let cell: Cell = facts::parse(file, text)?;
        let mistake = match &cell {
            Cell { capacity_mah: 0, .. } => Some(("capacity_mah", "a cell holds something")),
            Cell { source, .. } if source.trim().is_empty() => {
                Some(("source", "an empty text says nothing"))
            }
            Cell { self_discharge_ppm: 1_000_000.., .. } => {
                Some(("self_discharge_ppm", "it is below 1,000,000, the whole capacity"))
            }
            Cell { name, .. } if self.cells.iter().any(|known| is(known, name)) => {
                Some(("name", "another file has a cell of this name"))
            }
            _ => None,
        };
        if let Some((key, what)) = mistake {
            return Err(facts::wrong(file, text, key, format!("`{key}`: {what}")).into());
        }
        self.cells.push(cell);
        Ok(())
    }

    /// The cell of this name, in letters of either case.
    pub fn find(&self, name: &str) -> Result<&Cell, Error> {
        let known = || self.cells.iter().map(|cell| cell.name.as_str());
        self.cells.iter().find(|cell| is(cell, name)).ok_or_else(|| Error::NoCell {
            name: name.to_string(),
            near: nearest(name, known()).map(str::to_string),
            known: known().map(str::to_string).collect(),
        })
    }

    /// All of them.
    pub fn all(&self) -> &[Cell] {
        &self.cells
    }
}

fn is(cell: &Cell, name: &str) -> bool {
    cell.name.eq_ignore_ascii_case(name)
}

impl Cell {
    /// Hours for which it delivers a current, beside what it loses by itself, which is taken as a constant current;
    /// `None` for ever.
    pub fn life_h(&self, current: Current) -> Option<u64> {
        let capacity = u128::from(self.capacity_mah) * FA_PER_MA;
        let lost = capacity * u128::from(self.self_discharge_ppm) / MILLION;
        let each_hour = current.0 + lost / u128::from(HOURS_A_YEAR);
        capacity.checked_div(each_hour).map(|hours| hours as u64)
    }

    /// Whether a life is longer than the cell itself.
    pub fn outlives(&self, hours: u64) -> bool {
        hours > u64::from(self.shelf_life_years) * HOURS_A_YEAR
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
name = "CR"
title = "a cell"
nominal_mv = 3000
capacity_mah = 1000
cut_off_mv = 2000
self_discharge_ppm = 10_000
shelf_life_years = 10
source = "by hand"
"#;

    fn cells() -> Cells {
        let mut cells = Cells::default();
        cells.add("cr.toml", TEXT).expect("good");
        cells
    }

    #[test]
    fn a_cell_feeds_the_mote_and_itself() {
        let cells = cells();
        let cell = cells.find("cr").expect("in letters of either case");
        // A thousand hours at 1 mA, less what 10 mAh a year are in that time.
        assert_eq!(cell.life_h(Current::from_na(1_000_000)), Some(998));
        // 100 years of self-discharge alone.
        assert_eq!(cell.life_h(Current(0)), Some(100 * HOURS_A_YEAR));
        assert!(cell.outlives(100 * HOURS_A_YEAR) && !cell.outlives(10 * HOURS_A_YEAR));
        let lasting = Cell { self_discharge_ppm: 0, ..cell.clone() };
        assert_eq!(lasting.life_h(Current(0)), None);
    }

    #[test]
    fn cells_are_named_with_their_count() {
        let cells = cells();
        let named = |own| {
            let supply = Supply::of(cells.find("CR").expect("known"), own, None, None);
            [supply.to_string(), crate::record::Battery::new(&supply, Current(0)).to_string()]
        };
        assert_eq!(named(Some(("CR", 2))), ["2 CR", "2 CR"]);
        assert_eq!(named(None), ["CR", "CR"]);
    }

    #[test]
    fn an_unknown_cell_lists_those_that_exist() {
        let mut cells = cells();
        cells.add("aa.toml", &TEXT.replace("\"CR\"", "\"AA\"")).expect("good");
        let error = cells.find("CT").expect_err("unknown").to_string();
        assert!(error.contains("`CT` (did you mean `CR`?)"), "{error}");
        assert!(error.contains("CR, AA"), "{error}");
    }

    #[test]
    fn mistakes_are_named() {
        let mistake = |from: &str, to: &str| {
            let text = TEXT.replace(from, to);
            cells().add("x.toml", &text).expect_err("wrong").to_string()
        };
        assert!(mistake("x", "x").contains("`name`: another file"));
        assert!(mistake("= 1000", "= 0").starts_with("x.toml:5: `capacity_mah`"));
        assert!(mistake("by hand", " ").contains("`source`"));
        assert!(mistake("10_000", "1_000_000").contains("`self_discharge_ppm`: it is below"));
        assert!(mistake("title", "titel").contains("did you mean `title`?"));
        assert!(mistake("nominal_mv = 3000", "").contains("nominal_mv"));
    }
}
