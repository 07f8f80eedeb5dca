// SPDX-License-Identifier: MIT OR Apache-2.0
//! The matrix as a table: how many interleavings were run.

use lichen_force::{Cell, Count, Failed, Program};

/// A row per stretch and state: its instructions, the exceptions entered in it, and the interleavings with each
/// operation as the first interrupt, of all levels, alone and with a second one; then the sum.
pub(super) fn lines(
    name: &str,
    program: &Program,
    cells: &[Cell],
    counts: &[Result<Count, Failed>],
    every: u64,
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
    lines.push(sum(name, counts, every));
    lines
}

/// How many cells of the program `name` held, and in how many runs, at one moment in `every`.
pub(super) fn sum(name: &str, counts: &[Result<Count, Failed>], every: u64) -> String {
    let held = counts.iter().filter_map(|count| count.as_ref().ok());
    let runs: u64 = held.clone().map(|count| count.runs).sum();
    let cells = thousands(held.count() as u64);
    let share = if every > 1 { format!(", one in {every}") } else { String::new() };
    format!("{name:<24}{cells} cells, {} interleavings{share}", thousands(runs))
}

/// `number` with a comma before each three digits.
fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let first = digits.len() % 3;
    let groups = digits.as_bytes()[first..].chunks(3).map(String::from_utf8_lossy);
    let head = (first > 0).then(|| digits[..first].into());
    head.into_iter().chain(groups).collect::<Vec<_>>().join(",")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_commas() {
        let written = [7, 70, 700, 7_000, 1_234_567].map(thousands);
        assert_eq!(written, ["7", "70", "700", "7,000", "1,234,567"]);
    }

    #[test]
    fn a_program_is_one_test_that_counts_its_cells() {
        let count = |runs| Ok(Count { runs, ..Count::default() });
        assert_eq!(
            sum("kernel", &[count(1_000), count(234)], 1),
            "kernel                  2 cells, 1,234 interleavings"
        );
        assert_eq!(
            sum("long", &[count(1_234)], 10),
            "long                    1 cells, 1,234 interleavings, one in 10"
        );
    }
}
