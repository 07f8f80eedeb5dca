// SPDX-License-Identifier: MIT OR Apache-2.0
//! The account of a run.

use crate::ledger::Ledger;
use crate::report::{LeftOut, MoteReport};
use crate::{Names, Row, Tables};
use lichen_board::Board;
use lichen_chip::{Chip, Time};
use lichen_image::Image;
use lichen_trace::{Error, Event, Sink};
use std::sync::Arc;

/// Supply of a chip whose table states none.
const USUAL_MV: u32 = 3_300;

/// The account of all motes of a run: a sink for their events, of which it needs those of
/// `World::tell_activity` and `World::tell_details` from its beginning on.
#[derive(Debug, Default)]
pub struct Account {
    tables: Tables,
    ledgers: Vec<Ledger>,
    /// Names of the images so far.
    names: Vec<(Arc<Image>, Arc<Names>)>,
}

impl Account {
    /// An account of no mote yet, with these currents.
    pub fn new(tables: Tables) -> Account {
        Account { tables, ..Account::default() }
    }

    /// Adds the next mote, with its present time as the beginning of its account. `thread` is the one that
    /// runs or is interrupted.
    pub fn add(
        &mut self,
        board: &Board,
        image: &Arc<Image>,
        chip: &dyn Chip,
        thread: Option<&str>,
    ) {
        let names = self.names(image, chip);
        let supply_mv = self.tables.supply_mv(chip.part()).unwrap_or(USUAL_MV);
        let mut ledger = Ledger::new(names, chip.now(), supply_mv, thread);
        if let Some((mode, stated)) = self.tables.deepest(chip.part()) {
            ledger.compare_with(mode, stated);
        }
        for (component, state, row) in Row::of_board(board) {
            ledger.state_row(component, state, row);
        }
        let fittings = board.fittings.iter().filter(|fitting| !fitting.optional);
        let parts = board.radio.iter().map(|radio| &radio.part);
        for part in parts.chain(fittings.map(|fitting| &fitting.part)) {
            let after_reset = self.tables.after_reset(part);
            ledger.expect_part(LeftOut { part: part.clone(), after_reset });
        }
        match chip.core().exception() {
            0 => {}
            number => ledger.exception(chip.now(), chip.core().exception_name(number)),
        }
        self.ledgers.push(ledger);
    }

    fn names(&mut self, image: &Arc<Image>, chip: &dyn Chip) -> Arc<Names> {
        if let Some((_, names)) = self.names.iter().find(|(known, _)| Arc::ptr_eq(known, image)) {
            return Arc::clone(names);
        }
        let names = Arc::new(Names::of(image, chip));
        self.names.push((Arc::clone(image), Arc::clone(&names)));
        names
    }

    /// The accounts of all motes, each up to the time that `end` tells for its number. A mote completes its
    /// instruction, so its own time may be a little later than that of its world.
    pub fn reports(&mut self, end: impl Fn(usize) -> Time) -> Vec<MoteReport> {
        self.ledgers.iter_mut().enumerate().map(|(mote, ledger)| ledger.report(end(mote))).collect()
    }
}

impl Sink for Account {
    fn event(&mut self, event: &Event) -> Result<(), Error> {
        if let Some(ledger) = self.ledgers.get_mut(event.mote as usize) {
            ledger.event(event.time, &event.kind, &self.tables);
        }
        Ok(())
    }
}
