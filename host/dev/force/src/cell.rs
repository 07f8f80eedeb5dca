// SPDX-License-Identifier: MIT OR Apache-2.0
//! The matrix: operation by operation by interrupt level, in each state.

use crate::program::Program;
use std::fmt;

/// Where the stretch runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In a thread.
    Thread,
    /// In an event.
    Event,
}

/// What a forced interrupt does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forced {
    /// Index of its operation.
    pub operation: usize,
    /// Its level: 0 is the most urgent.
    pub level: usize,
}

/// A stretch, an interrupt that is forced into it, and one that is forced into that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Index of the stretch's operation.
    pub stretch: usize,
    /// Where it runs.
    pub place: Place,
    /// Index of the state in which it begins.
    pub state: usize,
    /// The interrupt.
    pub first: Forced,
    /// The interrupt forced into the first; without it the first comes alone.
    pub second: Option<Forced>,
    /// `stretch.place/first.level`, and `/second`; where programs name states, `stretch.place@state`.
    pub name: String,
}

impl Cell {
    /// The part of the name shared with the other cells of its row.
    pub fn row(&self) -> &str {
        self.name.split('/').next().unwrap_or_default()
    }
}

/// What the cells of a row share.
#[derive(Clone, Copy)]
struct Row {
    stretch: usize,
    place: Place,
    state: usize,
}

/// All cells of `program`, row by row.
pub fn cells(program: &Program) -> Vec<Cell> {
    let operations = program.operations();
    let mut cells = Vec::new();
    for row in rows(program) {
        let forcible = |first: &usize| program.carries() || operations[*first].in_interrupt;
        for first in (0..operations.len()).filter(forcible) {
            for level in 0..program.levels() {
                fill(program, row, Forced { operation: first, level }, &mut cells);
            }
        }
    }
    cells
}

/// Every stretch, in each place where it can run, in every state.
fn rows(program: &Program) -> Vec<Row> {
    let mut rows = Vec::new();
    for (stretch, operation) in program.operations().iter().enumerate() {
        let places = [(Place::Thread, operation.in_thread), (Place::Event, operation.in_event)];
        for (place, _) in places.into_iter().filter(|(_, possible)| *possible) {
            let states = 0..program.states().len();
            rows.extend(states.map(|state| Row { stretch, place, state }));
        }
    }
    rows
}

/// The cells of one row and one first interrupt. Into this, the next more urgent interrupt is
/// forced with the same operation. A first interrupt whose operation is carried only posts an event
/// or wakes a thread, which have their own cells.
fn fill(program: &Program, row: Row, first: Forced, cells: &mut Vec<Cell>) {
    let operations = program.operations();
    let Row { stretch, place, state } = row;
    let operation = &operations[first.operation];
    let state_of = &program.states()[state];
    let at = match state_of.name.as_str() {
        "" => String::new(),
        name => format!("@{name}"),
    };
    let row = format!("{}.{place}{at}", operations[stretch].name);
    let base = format!("{row}/{}.{}", operation.name, first.level);
    let cell = |second, name| Cell { stretch, place, state, first, second, name };
    cells.push(cell(None, base.clone()));
    if let Some(level) =
        first.level.checked_sub(1).filter(|_| operation.in_interrupt && !state_of.alone)
    {
        let second = Forced { level, ..first };
        cells.push(cell(Some(second), format!("{base}/{}.{level}", operation.name)));
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Place::Thread => "thread",
            Place::Event => "event",
        })
    }
}
