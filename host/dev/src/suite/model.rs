// SPDX-License-Identifier: MIT OR Apache-2.0
//! The group `model`: random histories of the kernel's calls, on a mote and on the executable
//! specification (`lichen-model`). The programs are in `test/model`; `lichen-history` generates,
//! runs, compares and shrinks them.
//!
//! A test is a kind of history: `model/PROGRAM/KIND`; on boards other than the program's first,
//! `model/BOARD/PROGRAM/KIND`. Its histories come in lots, and each lot is
//! generated from its number, so what a lot finds does not depend on the others. `#17` after the
//! name runs lot 17 alone.

use super::programs::{self, name_on};
use super::{Context, Listener, Match, Report, Verdict, mote};
use lichen_board::Board;
use lichen_history::{
    Count, Difference, Failure, KINDS, Kind, Mote, Sharing, Step, histories, listing, search,
    share, storage,
};
use lichen_parallel::in_parallel;
use lichen_project::Program;
use lichen_test::Code;
use std::path::Path;

/// The test of how equals share the processor.
const SHARE: &str = "threads/share";
/// Where the programs are.
pub(super) const ROOM: &str = "test/model";
/// Steps of a history, and histories of a lot.
const STEPS: usize = 60;
const CASES: u32 = 20;
/// Lots of each kind: of all kinds together, half a minute on two cores.
const LOTS: u64 = 4;
/// In the long run: a million steps of all kinds together.
const LOTS_LONG: u64 = 90;
/// On boards other than a program's first one: a part of these.
const ELSEWHERE: u64 = 3;

pub(super) fn run(context: &Context<'_>, listener: &mut dyn Listener) {
    programs::each_program(context, ROOM, listener, &|context, program, board, listener| {
        let asked = match Asked::of(context.suite.filter.as_deref(), context.matching) {
            Ok(asked) => asked,
            Err(report) => return context.tell(listener, "model", Verdict::Failed(*report)),
        };
        let name = name_on(program, board);
        let of_program = format!("{}/", program.manifest.name);
        let before = name.trim_end_matches(&program.manifest.name);
        let mut tests = tests().into_iter().map(|(test, _)| test).chain([SHARE.to_string()]);
        let wants = |test: &String| asked.wants(&format!("{before}{test}"));
        if !tests.any(|test| test.starts_with(&of_program) && wants(&test)) {
            context.pass_over(&name);
            return;
        }
        if let Err(report) = compare(context, &asked, program, board, listener) {
            context.tell(listener, name, Verdict::Failed(*report));
        }
    });
}

/// Which histories a test compares, by their index.
#[derive(Clone, Copy)]
enum Of {
    Kernel(usize),
    Storage(usize),
}

/// All tests with histories.
fn tests() -> Vec<(String, Of)> {
    let kernel = KINDS.iter().enumerate().map(|(kind, it)| (it.full_name(), Of::Kernel(kind)));
    let storage = storage::KINDS.iter().enumerate();
    kernel.chain(storage.map(|(kind, it)| (it.full_name(), Of::Storage(kind)))).collect()
}

/// A kind of histories and those of one lot, such as `threads/mutex#17`; none if the long run
/// has no such lot.
pub(super) fn lot_of(name: &str) -> Option<(Kind, Vec<Vec<Step>>)> {
    let (kind, lot) = name.split_once('#')?;
    let kind = KINDS.iter().position(|it| it.full_name() == kind)?;
    let lot = lot.parse().ok().filter(|lot| *lot < LOTS_LONG)?;
    Some((KINDS[kind], histories(kind, lot, CASES, STEPS)))
}

/// The request.
struct Asked<'a> {
    part: &'a str,
    matching: Match,
    /// One lot.
    only: Option<u64>,
}

impl<'a> Asked<'a> {
    fn of(filter: Option<&'a str>, matching: Match) -> Result<Asked<'a>, Box<Report>> {
        let filter = filter.unwrap_or_default();
        let Some((part, lot)) = filter.split_once('#') else {
            return Ok(Asked { part: filter, matching, only: None });
        };
        match lot.parse() {
            Ok(lot) => Ok(Asked { part, matching, only: Some(lot) }),
            Err(_) => Err(Box::new(Report {
                message: format!("`{lot}` is not a lot of histories"),
                remedy: Some("write what a failure has printed, such as #17".to_string()),
                ..Report::default()
            })),
        }
    }

    fn wants(&self, name: &str) -> bool {
        self.part.is_empty() || self.matching.holds(self.part, &format!("model/{name}"))
    }

    /// The lots of a kind that are run.
    fn lots(&self, long: bool, is_first_board: bool) -> Vec<u64> {
        let all = if long { LOTS_LONG } else { LOTS };
        let all = if is_first_board { all } else { all / ELSEWHERE };
        self.only.map_or((0..all).collect(), |lot| vec![lot])
    }
}

/// Runs the requested kinds.
fn compare(
    context: &Context<'_>,
    asked: &Asked<'_>,
    program: &Program,
    board: &str,
    listener: &mut dyn Listener,
) -> Result<(), Box<Report>> {
    let name = program.manifest.name.clone();
    let before = name_on(program, board).trim_end_matches(&name).to_string();
    let image = mote::prepare(context, program, board, &format!("{before}{name}"), listener)?;
    let facts = Board::find(&context.tree().path("board"), board).map_err(saying)?;
    let code = Code::of_motes().and(&["lichen-history"]).files(&["dev/src/suite/model.rs"]);
    let inputs = mote::inputs(context, program, &name, &image, code).words(board).filtered();
    let program = lichen_history::Program::new(image, &facts).map_err(saying)?;
    for (test, of) in tests() {
        let test = format!("{before}{test}");
        if !test.starts_with(&format!("{before}{name}/")) || !asked.wants(&test) {
            continue;
        }
        let lots = asked.lots(context.suite.long, before.is_empty());
        let named = asked.only.map_or(test.clone(), |lot| format!("{test}#{lot}"));
        let inputs = inputs.clone().named(named);
        context.remembering(&inputs, listener, |listener| {
            let verdict = of_kind(context, &program, (of, &test), &lots, board, listener);
            let verdict = verdict.unwrap_or_else(|error| Verdict::Failed(*saying(error)));
            context.tell(listener, &test, verdict);
        });
    }
    let test = format!("{before}{SHARE}");
    if SHARE.starts_with(&format!("{name}/")) && asked.wants(&test) {
        context.remembering(&inputs.named(&test), listener, |listener| {
            let verdict = sharing(&program);
            let verdict = verdict.unwrap_or_else(|error| Verdict::Failed(*saying(error)));
            context.tell(listener, &test, verdict);
        });
    }
    Ok(())
}

/// Runs some lots of the histories of one kind.
fn of_kind(
    context: &Context<'_>,
    program: &lichen_history::Program,
    (of, test): (Of, &str),
    lots: &[u64],
    board: &str,
    listener: &mut dyn Listener,
) -> Result<Verdict, lichen_history::Error> {
    let mut told = |done| {
        listener.working(context.group, &format!("{test}: {done} of {} lots", lots.len()));
    };
    let folder = |lot: u64| {
        context.tree().path("build/model").join(format!("{}_{lot}", test.replace('/', "_")))
    };
    let work = |mote: &mut Mote<'_>, index: usize| {
        let lot = lots[index];
        let named = format!("model/{test}#{lot}");
        match of {
            Of::Kernel(kind) => search(mote, kind, lot, CASES, STEPS)
                .map_err(|failure| report(&named, &folder(lot), board, &failure)),
            Of::Storage(kind) => storage::search(mote, kind, lot, CASES, STEPS)
                .map_err(|failure| report_of_storage(&named, &failure)),
        }
    };
    let results = in_parallel(lots.len(), || Mote::new(program), work, &mut told)?;
    let sum = |of: fn(&Count) -> u64| results.iter().flatten().map(of).sum::<u64>();
    let (steps, within) = (sum(|count| count.steps), sum(|count| count.within));
    let failed = results.into_iter().find_map(Result::err);
    let what = match of {
        Of::Kernel(_) => "interrupts within calls",
        Of::Storage(_) => "faults within calls",
    };
    listener.figure(context.group, &format!("{test:<24}{steps:>9} steps {within:>9} {what}"));
    Ok(failed.map_or(Verdict::Passed, Verdict::Failed))
}

/// The law of sharing, for urgent threads of many lengths.
fn sharing(program: &lichen_history::Program) -> Result<Verdict, lichen_history::Error> {
    let mut mote = Mote::new(program)?;
    for sleep_us in [300, 1_700, 4_200, 4_900, 5_200, 9_800] {
        for compute_us in [50, 900, 2_600, 5_100] {
            let sharing = Sharing { sleep_us, compute_us };
            if let Err(why) = share(&mut mote, sharing)? {
                return Ok(Verdict::Failed(Report::saying(format!("{sharing:?}: {why}"))));
            }
        }
    }
    Ok(Verdict::Passed)
}

fn report(test: &str, folder: &Path, board: &str, failure: &Failure) -> Report {
    let difference = match failure {
        Failure::Error(text) => return Report::saying(text),
        Failure::Different(difference) => difference,
    };
    let program = match write_program(folder, board, difference) {
        Ok(()) => format!("as a program: lichen run {}", folder.display()),
        Err(error) => format!("{}: {error}", folder.display()),
    };
    Report {
        message: "the mote does what the model does not allow".to_string(),
        remedy: Some(format!("to run these histories alone: lichen test '{test}'; {program}")),
        output: Some(difference.to_string()),
        ..Report::default()
    }
}

fn report_of_storage(test: &str, failure: &Failure<storage::Difference>) -> Report {
    match failure {
        Failure::Error(text) => Report::saying(text),
        Failure::Different(difference) => Report {
            message: "storage does what the model does not allow".to_string(),
            remedy: Some(format!("to run these histories alone: lichen test '{test}'")),
            output: Some(difference.to_string()),
            ..Report::default()
        },
    }
}

/// Turns the history into a program that can be run.
fn write_program(folder: &Path, board: &str, difference: &Difference) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    std::fs::write(folder.join("history.c"), listing(difference))?;
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let manifest = format!("name = \"{name}\"\nboards = [\"{board}\"]{MANIFEST}");
    std::fs::write(folder.join("lichen.toml"), manifest)?;
    std::fs::write(folder.join("CMakeLists.txt"), LISTS.replace("NAME", &name))
}

const MANIFEST: &str = r#"
summary = "A history on which the mote and the model differ."
"#;

const LISTS: &str = "\
cmake_minimum_required(VERSION 3.25)
include(../../../os/lichen.cmake)
project(NAME C ASM)
include(../../../test/model/lines.cmake)
if(model_lines)
    set(LICHEN_SOFTWARE_LINES ${model_lines})
endif()
lichen_app_of_tests(NAME)
target_include_directories(NAME PRIVATE ${LICHEN_FRAME})
";

fn saying(error: impl std::fmt::Display) -> Box<Report> {
    Box::new(Report::saying(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_names_kinds_or_one_lot() {
        let all = Asked::of(Some("model/threads"), Match::Whole).expect("a filter");
        assert!(all.wants("threads/mutex") && all.only.is_none());
        let one = Asked::of(Some("model/threads/mutex#7"), Match::Whole).expect("a filter");
        assert!(one.wants("threads/mutex") && !one.wants("threads/queue"));
        assert_eq!(one.only, Some(7));
        assert!(Asked::of(Some("model/threads#x"), Match::Whole).is_err());
    }
}
