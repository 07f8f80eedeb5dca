// SPDX-License-Identifier: MIT OR Apache-2.0
//! The group `figures`: the programs of the benches do what is measured, on each of their boards, and the
//! page of figures and the README say of cycles and bytes what they measure.

use super::side_by_side;
use super::{Context, Listener, Report, Verdict, read};
use crate::bench::{self, BenchError, Reading, ReadingTitle};
use lichen_project::{FileError, Place, Tree};
use lichen_test::{Code, Inputs};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The page with all figures. The test of its tables has its name.
const FIGURES: &str = "doc/figures.md";

/// The pages with tables of figures.
const PAGES: [&str; 2] = [FIGURES, "README.md"];

/// The board of tables that name none.
const BOARD: &str = "hamilton";

/// Values of figures, by board and figure.
type Measured = BTreeMap<(String, String), f64>;

pub(super) fn run(context: &Context<'_>, listener: &mut dyn Listener) {
    let runs = match runs(context.tree()) {
        Ok(runs) => runs,
        Err(error) => return context.tell(listener, FIGURES, Verdict::Failed(Report::of(&error))),
    };
    let pages: Vec<&str> = PAGES.into_iter().filter(|page| context.wants(page)).collect();
    let measured = side_by_side(&runs, listener, |(group, board), listener| {
        let name = format!("{board}/{group}");
        let wanted = context.wants(&name);
        if !wanted && pages.is_empty() {
            return Vec::new();
        }
        context.remembering(&inputs(context, &name), listener, |listener| {
            let mut tell = |what: &str| listener.working(context.group, &format!("{name}: {what}"));
            let (verdict, measured) =
                match bench::measure_exact(context.tree(), group, board, &mut tell) {
                    Ok(readings) => (Verdict::Passed, readings.iter().filter_map(value).collect()),
                    Err(error) => (Verdict::Failed(Report::of(&error)), Vec::new()),
                };
            context.tell(listener, &name, verdict);
            measured
        })
    });
    let measured = measured.into_iter().flatten();
    let measured: Measured =
        measured.map(|(board, id, bits)| ((board, id), f64::from_bits(bits))).collect();
    for page in pages {
        context.tell(listener, page, compared(context.tree(), page, &measured));
    }
}

/// Each group with each of its boards.
fn runs(tree: &Tree) -> Result<Vec<(String, String)>, BenchError> {
    let mut runs = Vec::new();
    for group in bench::groups(tree)? {
        for board in bench::boards(tree, &group)? {
            runs.push((group.clone(), board));
        }
    }
    Ok(runs)
}

/// What a measurement of a group reads: the worst latency is that of all tests on motes.
fn inputs<'a>(context: &Context<'a>, name: &str) -> Inputs<'a> {
    let paths = [read::SYSTEM.as_slice(), &["app", "bench", "scenario", "test"]].concat();
    let code = Code::of(&["lichen-dev"]);
    read::with_tools(context, name, &paths, code)
}

/// A figure: its board, its id and the bits of its value, so that it is kept exactly.
fn value(reading: &Reading) -> Option<(String, String, u64)> {
    match &reading.title {
        ReadingTitle::Figure(_, value) => {
            Some((value.board.clone(), value.id.clone(), value.value.to_bits()))
        }
        ReadingTitle::Beside(_) => None,
    }
}

/// Compares the tables of `page`; that of all figures has some of each board.
fn compared(tree: &Tree, page: &str, measured: &Measured) -> Verdict {
    let file = tree.path(page);
    let text = match std::fs::read_to_string(&file) {
        Ok(text) => text,
        Err(source) => {
            let error = FileError::Unreadable { file, source };
            return Verdict::Failed(Report::of(&error));
        }
    };
    match compare(&text, measured) {
        Ok(boards) => match measured.keys().find(|(board, _)| !boards.contains(board.as_str())) {
            Some((board, _)) if page == FIGURES => {
                Verdict::Failed(Report::saying(format!("no table has a figure of {board}")))
            }
            _ => Verdict::Passed,
        },
        Err((line, message)) => Verdict::Failed(Report {
            place: Some(Place::line(Path::new(page), line)),
            message,
            remedy: Some("if the change is meant, correct the table".to_string()),
            output: None,
        }),
    }
}

/// Compares the tables of `text` with what was measured; a table is of the board that was named last in
/// its section. Returns the boards of values that are in both, or the line of the first that is another one.
fn compare<'a>(text: &'a str, measured: &Measured) -> Result<BTreeSet<&'a str>, (u32, String)> {
    let mut board = BOARD;
    let mut found = BTreeSet::new();
    for (line, number) in text.lines().zip(1..) {
        if line.starts_with('#') {
            board = BOARD;
        }
        if let Some((_, rest)) = line.split_once("--board ") {
            board = rest.split(['`', ' ', ')']).next().unwrap_or(BOARD);
        }
        for (id, said) in row(line) {
            let Some(value) = measured.get(&(board.to_string(), id.clone())) else { continue };
            if *value != said {
                return Err((number, format!("`{id}` is {value} on {board}, not {said}")));
            }
            found.insert(board);
        }
    }
    Ok(found)
}

/// The figures in a row of a table, with their values: `| words (`a.b_c`, `_d`) | 1,234, 5 | ...`.
fn row(line: &str) -> Vec<(String, f64)> {
    let mut cells = line.split('|').skip(1);
    let (Some(title), Some(values)) = (cells.next(), cells.next()) else { return Vec::new() };
    let mut ids: Vec<String> = Vec::new();
    for name in title.split('`').skip(1).step_by(2) {
        match ids.first().and_then(|first| first.rsplit_once('_')) {
            Some((stem, _)) if name.starts_with('_') => ids.push(format!("{stem}{name}")),
            _ => ids.push(name.to_string()),
        }
    }
    let values = values.trim().split(", ").map(|value| value.replace(',', "").parse().ok());
    ids.into_iter().zip(values).filter_map(|(id, value)| Some((id, value?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "\
`lichen run blink --board samr21-xpro`
## Figures
| wait and post (`kernel.semaphore_wait`, `_post`) | 16, 1,019 | 20, 20 |
By `lichen context --board micaz`:
| yield (`kernel.yield`) | 119 | 150 |
";

    fn measured(values: &[(&str, &str, f64)]) -> Measured {
        let entry =
            |(board, id, value): &(&str, &str, f64)| ((board.to_string(), id.to_string()), *value);
        values.iter().map(entry).collect()
    }

    #[test]
    fn a_table_is_of_its_board() {
        let all = [
            ("hamilton", "kernel.semaphore_wait", 16.0),
            ("hamilton", "kernel.semaphore_post", 1019.0),
            ("hamilton", "kernel.yield", 78.0),
            ("micaz", "kernel.yield", 119.0),
            ("micaz", "kernel.semaphore_wait", 26.0),
        ];
        assert_eq!(compare(TABLE, &measured(&all)), Ok(BTreeSet::from(["hamilton", "micaz"])));
    }

    #[test]
    fn another_value_is_told_with_its_line() {
        let message = "`kernel.yield` is 120 on micaz, not 119".to_string();
        let values = measured(&[("micaz", "kernel.yield", 120.0)]);
        assert_eq!(compare(TABLE, &values), Err((5, message)));
    }
}
