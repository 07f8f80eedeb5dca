// SPDX-License-Identifier: MIT OR Apache-2.0
//! The group `model`: random histories of the kernel's calls, on a mote and on the executable
//! specification (`lichen-model`). The programs are in `test/model`; `lichen-history` makes, runs,
//! compares and shrinks.
//!
//! A test is a kind of history: `model/PROGRAM/KIND`. Its histories come in lots, and each lot follows from its
//! number, so what a lot finds does not depend on the others. `#17` behind the name runs lot 17 alone.

use super::{Bench, Listener, Report, Verdict, mote};
use crate::Program;
use lichen_device::Board;
use lichen_force::in_parallel;
use lichen_history::{Count, Failure, KINDS, Mote, search};

/// Where the programs are.
const ROOM: &str = "test/model";
/// Steps of a history, and histories of a lot.
const STEPS: usize = 60;
const CASES: u32 = 20;
/// Lots of each kind.
const LOTS: u64 = 12;

pub(super) fn run(bench: &Bench<'_>, listener: &mut dyn Listener) {
    mote::each_program(bench, ROOM, listener, &|bench, program, board, listener| {
        let asked = match Asked::of(bench.suite.filter.as_deref()) {
            Ok(asked) => asked,
            Err(report) => return bench.tell(listener, "model", Verdict::Failed(*report)),
        };
        let name = &program.manifest.name;
        if !KINDS.iter().any(|kind| asked.wants(&format!("{name}/{}", kind.name))) {
            return;
        }
        if let Err(report) = compare(bench, &asked, program, board, listener) {
            bench.tell(listener, name, Verdict::Failed(*report));
        }
    });
}

/// What is asked for.
struct Asked<'a> {
    part: &'a str,
    /// One lot.
    only: Option<u64>,
}

impl<'a> Asked<'a> {
    fn of(filter: Option<&'a str>) -> Result<Asked<'a>, Box<Report>> {
        let filter = filter.unwrap_or_default();
        let Some((part, lot)) = filter.split_once('#') else {
            return Ok(Asked { part: filter, only: None });
        };
        match lot.parse() {
            Ok(lot) => Ok(Asked { part, only: Some(lot) }),
            Err(_) => Err(Box::new(Report {
                message: format!("`{lot}` is no lot of histories"),
                remedy: Some("write what a failure has told, such as #17".to_string()),
                ..Report::default()
            })),
        }
    }

    fn wants(&self, name: &str) -> bool {
        format!("model/{name}").contains(self.part)
    }
}

/// Runs the kinds that are asked for.
fn compare(
    bench: &Bench<'_>,
    asked: &Asked<'_>,
    program: &Program,
    board: &str,
    listener: &mut dyn Listener,
) -> Result<(), Box<Report>> {
    let name = program.manifest.name.clone();
    let image = mote::prepare(bench, program, board, &name, listener)?;
    let facts = Board::find(&bench.tree().path("board"), board).map_err(saying)?;
    let program = lichen_history::Program::new(image, &facts).map_err(saying)?;
    for (kind, about) in KINDS.iter().enumerate() {
        let test = format!("{name}/{}", about.name);
        if !asked.wants(&test) {
            continue;
        }
        let lots: Vec<u64> = asked.only.map_or((0..LOTS).collect(), |lot| vec![lot]);
        let mut told = |done| {
            listener.working(bench.group, &format!("{test}: {done} of {} lots", lots.len()));
        };
        let work = |mote: &mut Mote<'_>, lot: usize| search(mote, kind, lots[lot], CASES, STEPS);
        let results = in_parallel(lots.len(), || Mote::new(&program), work, &mut told);
        let results = results.map_err(saying)?;
        let steps: u64 = results.iter().flatten().map(|count: &Count| count.steps).sum();
        let failed = lots.iter().zip(results).find_map(|(lot, result)| Some((lot, result.err()?)));
        listener.figure(bench.group, &format!("{test:<24}{steps:>9} steps"));
        let verdict = failed.map_or(Verdict::Passed, |(lot, failure)| {
            Verdict::Failed(report(&format!("model/{test}#{lot}"), &failure))
        });
        bench.tell(listener, test, verdict);
    }
    Ok(())
}

fn report(test: &str, failure: &Failure) -> Report {
    match failure {
        Failure::Error(text) => Report::saying(text),
        Failure::Different(difference) => Report {
            message: "the mote does what the model does not allow".to_string(),
            remedy: Some(format!("to run these histories alone: lichen test '{test}'")),
            output: Some(difference.to_string()),
            ..Report::default()
        },
    }
}

fn saying(error: impl std::fmt::Display) -> Box<Report> {
    Box::new(Report::saying(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_names_kinds_or_one_lot() {
        let all = Asked::of(Some("model/threads")).expect("a filter");
        assert!(all.wants("threads/mutex") && all.only.is_none());
        let one = Asked::of(Some("model/threads/mutex#7")).expect("a filter");
        assert!(one.wants("threads/mutex") && !one.wants("threads/queue"));
        assert_eq!(one.only, Some(7));
        assert!(Asked::of(Some("model/threads#x")).is_err());
    }
}
