// SPDX-License-Identifier: MIT OR Apache-2.0
//! `--energy` and its relatives: an account of what the motes draw, from the beginning of a run on, and the cells
//! that feed them.

use super::files;
use super::options::Record;
use crate::energy::{self, TABLES};
use lichen_board::Board;
use lichen_energy::{Account, Cells, MoteReport, Supply, Tables};
use lichen_scenario::Output;
use lichen_terminal::failure::Failure;
use lichen_terminal::place::Here;
use lichen_trace::run::Drawn;
use lichen_world::World;
use std::sync::Arc;

/// An account under way, and the cells of each mote, as far as they are known.
pub struct Keeping {
    pub account: Account,
    supplies: Vec<Option<Supply>>,
}

/// What the motes have drawn, and the cells of each.
#[derive(Default)]
pub struct Accounts {
    pub reports: Vec<MoteReport>,
    pub supplies: Vec<Option<Supply>>,
}

/// Whether an account is wanted in some form.
pub fn is_wanted(record: &Record, output: &Output) -> bool {
    let file = files::energy_json(record, output).or(files::energy_csv(record, output));
    record.energy || file.is_some()
}

/// Finds the cell that the call names, before anything is built.
pub fn check_cell(record: &Record, here: &Here) -> Result<(), Failure> {
    if let Some(cell) = &record.cell {
        energy::cells(here)?.find(cell)?;
    }
    Ok(())
}

/// Checks that a cell is named for an account only.
pub fn check(record: &Record, output: &Output) -> Result<(), Failure> {
    match record.cell.is_none() || is_wanted(record, output) {
        true => Ok(()),
        false => Err(Failure::wrong("--cell says what feeds the motes of an account")
            .remedy("add --energy, --energy-json FILE or --energy-csv FILE")),
    }
}

/// Begins an account of the motes of `world` at its present time.
pub fn begin(here: &Here, record: &Record, world: &World) -> Result<Keeping, Failure> {
    let tables = Tables::load(&here.tree.path(TABLES))?;
    let cells = energy::cells(here)?;
    let mut supplies = Vec::new();
    for (_, mote) in world.motes() {
        let usual_mv = tables.supply_mv(mote.chip().part());
        supplies.push(supply(&cells, mote.board(), record.cell.as_deref(), usual_mv)?);
    }
    let mut account = Account::new(tables);
    for (_, mote) in world.motes() {
        let image = Arc::clone(mote.image());
        account.add(mote.board(), &image, mote.chip(), mote.running_thread().as_deref());
    }
    Ok(Keeping { account, supplies })
}

/// The cells of a board: its own, or as many of those that the call names as it takes to feed it.
fn supply(
    cells: &Cells,
    board: &Board,
    named: Option<&str>,
    usual_mv: Option<u32>,
) -> Result<Option<Supply>, Failure> {
    let battery = board.battery.as_ref();
    let least_mv = battery.map(|battery| battery.least_mv);
    let cell = match (named, battery) {
        (Some(named), _) => cells.find(named)?,
        (None, Some(battery)) => cells.find(&battery.cell)?,
        (None, None) => return Ok(None),
    };
    let own = battery.map(|battery| (battery.cell.as_str(), battery.count));
    Ok(Some(Supply::of(cell, own, least_mv, usual_mv)))
}

impl Keeping {
    /// Ends the account, with the time that each mote has reached.
    pub fn close(mut self, end: impl Fn(usize) -> lichen_chip::Time) -> Accounts {
        Accounts { reports: self.account.reports(end), supplies: self.supplies }
    }
}

impl Accounts {
    /// What a mote has drawn, in short.
    pub fn drawn(&self, mote: usize) -> Option<Drawn> {
        let (report, supply) = self.reports.get(mote).zip(self.supplies.get(mote))?;
        let record = lichen_energy::Record::new(report, supply.as_ref());
        Some(Drawn {
            charge_pc: record.charge_pc.into(),
            energy_nj: record.energy_nj.into(),
            mean_na: record.mean_na,
            life_h: record.battery.and_then(|battery| battery.life_h),
        })
    }

    /// Each mote's, as files have it.
    pub fn records(&self) -> Vec<lichen_energy::Record> {
        let motes = self.reports.iter().zip(&self.supplies);
        motes.map(|(report, s)| lichen_energy::Record::new(report, s.as_ref())).collect()
    }
}
