// SPDX-License-Identifier: MIT OR Apache-2.0
//! The matrix as a table: how many interleavings were run.

use lichen_force::{Cell, Count, Failed, Program};

/// A row per stretch and state: its instructions, the exceptions entered in it, and the interleavings with each
/// operation as the first interrupt, of all levels, alone and with a second one. Then the sum.
pub(super) fn lines(
    program: &Program,
    cells: &[Cell],
    counts: &[Result<Count, Failed>],
) -> Vec<String> {
    let names: Vec<&str> =
        program.operations().iter().map(|operation| operation.name.as_str()).collect();
    let examined: Vec<(&Cell, Count)> = cells
        .iter()
        .zip(counts)
        .filter_map(|(cell, count)| Some((cell, *count.as_ref().ok()?)))
        .collect();
    let columns: Vec<usize> = (0..names.len())
        .filter(|operation| examined.iter().any(|(cell, _)| cell.first.operation == *operation))
        .collect();
    let head: String = columns.iter().map(|column| right(names[*column])).collect();
    let mut lines =
        vec![format!("{:<28}{}{}{head}", "stretch", right("instructions"), right("entries"))];
    let rows = examined.chunk_by(|(a, _), (b, _)| a.row() == b.row());
    lines.extend(rows.map(|row| line(&columns, row)));
    let all: u64 = examined.iter().map(|(_, count)| count.runs).sum();
    lines.push(format!("{all} interleavings in {} cells", examined.len()));
    lines
}

fn line(columns: &[usize], row: &[(&Cell, Count)]) -> String {
    let (cell, count) = row[0];
    let runs = |column: &usize| -> u64 {
        let of_it = row.iter().filter(|(cell, _)| cell.first.operation == *column);
        of_it.map(|(_, count)| count.runs).sum()
    };
    let numbers = [count.boundaries, count.entries].into_iter().chain(columns.iter().map(runs));
    let numbers: String = numbers.map(|number| right(&number.to_string())).collect();
    format!("{:<28}{numbers}", cell.row())
}

/// `text` at the right end of its column.
fn right(text: &str) -> String {
    format!("{text:>14}")
}
