// SPDX-License-Identifier: MIT OR Apache-2.0
//! The matrix as a table: how many interleavings were run.

use lichen_force::{Cell, Count, Failed, Program};

/// Width of a number with its column's gap.
const WIDTH: usize = 11;

/// A row per stretch: its instructions, the exceptions entered in it, and the interleavings with each
/// operation as the first interrupt, of all levels, alone and with a second one. Then the sum.
pub(super) fn lines(
    program: &Program,
    cells: &[Cell],
    counts: &[Result<Count, Failed>],
) -> Vec<String> {
    let names: Vec<&str> =
        program.operations().iter().map(|operation| operation.name.as_str()).collect();
    let head = names.iter().map(|name| format!("{name:>WIDTH$}")).collect::<String>();
    let mut lines = vec![format!("{:<20}{:>13}{:>9}{head}", "stretch", "instructions", "entries")];
    let mut rest: Vec<(&Cell, Count)> = cells
        .iter()
        .zip(counts)
        .filter_map(|(cell, count)| Some((cell, *count.as_ref().ok()?)))
        .collect();
    let all: u64 = rest.iter().map(|(_, count)| count.runs).sum();
    let examined = rest.len();
    while let Some((first, count)) = rest.first().copied() {
        let (row, others): (Vec<_>, Vec<_>) = rest
            .into_iter()
            .partition(|(cell, _)| (cell.stretch, cell.place) == (first.stretch, first.place));
        let mut line = format!(
            "{:<20}{:>13}{:>9}",
            format!("{}.{}", names[first.stretch], first.place),
            count.boundaries,
            count.entries
        );
        for operation in 0..names.len() {
            let of_it = row.iter().filter(|(cell, _)| cell.first.operation == operation);
            let runs: u64 = of_it.map(|(_, count)| count.runs).sum();
            line.push_str(&format!("{runs:>WIDTH$}"));
        }
        lines.push(line);
        rest = others;
    }
    lines.push(format!("{all} interleavings in {examined} cells"));
    lines
}
