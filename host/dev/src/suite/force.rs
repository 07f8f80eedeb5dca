// SPDX-License-Identifier: MIT OR Apache-2.0
//! The group `force`: operations of the kernel against each other, interrupts forced at every
//! instruction. The programs are in `test/force`; `lichen-force` runs them.
//!
//! A test is a program. A filter may name cells of its matrix:
//! `force/PROGRAM/STRETCH.PLACE/FIRST.LEVEL`, optionally followed by `/SECOND.LEVEL`; on boards other
//! than the program's first, `force/BOARD/PROGRAM/...`. A further
//! `#17` or `#17.4` replays one interleaving of a cell. The test `force/mutants` shows that the
//! cells of all programs notice mistakes in a kernel; `force/mutants/PART` tries only the kernel's
//! files and functions with that part in their names. `force/mutants/drivers` shows the same of a sample of the drivers' and
//! the network's mutants, `force/mutants/os/driver/i2c` of all that are in that folder. `force/BOARD/mutants` is the same on
//! another board. An ordinary run of all tests leaves the mutants out.

mod drivers;
mod figures;
mod mutants;
mod names;
mod search;
mod survivors;
mod table;
mod witness;

use super::programs::{self, name_on};
use super::side_by_side;
use super::{Context, Listener, Match, Report, Verdict, mote};
use lichen_board::Board;
use lichen_force::{
    Area, At, Cell, Count, Defect, Extent, Failed, Kept, Mutants, Reached, Rig, cells,
};
use lichen_parallel::in_parallel;
use lichen_project::Program;
use lichen_test::{Code, Inputs};
use std::cell::OnceCell;
use std::collections::BTreeSet;

/// Where the programs are.
const ROOM: &str = "test/force";
/// The sources of this group that its verdicts depend on.
const CODE: [&str; 2] = ["dev/src/suite/force.rs", "dev/src/suite/force/table.rs"];

pub(super) fn run(context: &Context<'_>, listener: &mut dyn Listener) {
    let asked =
        match Asked::of(context.suite.filter.as_deref(), context.suite.long, context.matching) {
            Ok(asked) => asked,
            Err(report) => return context.tell(listener, "force", Verdict::Failed(*report)),
        };
    if !names::may_match(context, asked.part) {
        return;
    }
    let mut programs = programs::programs(context, ROOM, listener);
    // A filter that begins with a program's name means cells of that one alone.
    let is_named =
        programs.iter().any(|(program, board)| asked.is_within(&name_on(program, board)));
    programs.retain(|(program, board)| {
        let name = name_on(program, board);
        if is_named { asked.is_within(&name) } else { asked.concerns(&name) }
    });
    programs::build_ahead(context, &programs, |_, _| true, listener);
    let subjects = side_by_side(&programs, listener, |(program, board), listener| {
        Subject::of(context, program, board, listener)
            .map_err(|report| {
                context.tell(listener, name_on(program, board), Verdict::Failed(*report));
            })
            .ok()
    });
    let subjects: Vec<Subject<'_>> = subjects.into_iter().flatten().collect();
    for subject in &subjects {
        if let Err(report) = examine(context, &asked, subject, listener) {
            context.tell(listener, &subject.name, Verdict::Failed(*report));
        }
    }
    for machine in machines(&subjects) {
        let Some(part) = asked.mutants(&machine) else { continue };
        if !mutants::is_for(&machine, context.tree()) {
            continue;
        }
        let tries = |subject: &&Subject<'_>| subject.tries_mutants && subject.machine == machine;
        let subjects: Vec<&Subject<'_>> = subjects.iter().filter(tries).collect();
        let tell =
            |name: &str, verdict: Result<Verdict, Box<Report>>, listener: &mut dyn Listener| {
                let verdict = verdict.unwrap_or_else(|report| Verdict::Failed(*report));
                context.tell(listener, format!("{}{name}", machine.prefix), verdict);
            };
        let of_drivers = drivers::part(part);
        if of_drivers.is_none() {
            let verdict = mutants::run(context, part, &machine, &subjects, listener);
            tell("mutants", verdict, listener);
        }
        if let Some(part) = of_drivers.or_else(|| context.suite.long.then_some("")) {
            let verdict = drivers::run(context, part, &machine, &subjects, listener);
            tell("mutants/drivers", verdict, listener);
        }
    }
}

/// A board whose kernel is mutated.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Machine {
    /// The board.
    board: String,
    /// What names of tests begin with: the board, unless it is the programs' first one.
    prefix: String,
}

impl Machine {
    fn of(program: &Program, board: &str) -> Machine {
        let name = name_on(program, board);
        let prefix = name.trim_end_matches(&program.manifest.name).to_string();
        Machine { board: board.to_string(), prefix }
    }

    /// Whether it is the board that programs name first.
    fn is_first(&self) -> bool {
        self.prefix.is_empty()
    }
}

fn machines(subjects: &[Subject<'_>]) -> BTreeSet<Machine> {
    subjects.iter().map(|subject| subject.machine.clone()).collect()
}

/// A program that is built and has reached the place where cells are chosen.
struct Subject<'a> {
    name: String,
    machine: Machine,
    inputs: Inputs<'a>,
    program: lichen_force::Program,
    ready: Kept,
    cells: Vec<Cell>,
    /// Interrupts come at one moment in this many.
    every: u64,
    tries_mutants: bool,
    /// Of each area.
    mutants: [OnceCell<Mutants>; Area::ALL.len()],
    /// Which of their addresses each cell executes, once all cells were examined.
    reached: [OnceCell<Vec<Reached>>; Area::ALL.len()],
}

impl<'a> Subject<'a> {
    fn of(
        context: &Context<'a>,
        program: &Program,
        board: &str,
        listener: &mut dyn Listener,
    ) -> Result<Subject<'a>, Box<Report>> {
        let name = name_on(program, board);
        let settings = mote::settings(program);
        let every = if context.suite.long { 1 } else { settings.every(board) };
        let image = mote::prepare(context, program, board, &name, listener)?;
        let tries_mutants = context.suite.long || settings.mutants;
        let machine = Machine::of(program, board);
        let facts = Board::find(&context.tree().path("board"), board).map_err(saying)?;
        let code = Code::of_motes().and(&["lichen-force"]).files(&CODE);
        let inputs = mote::inputs(context, program, &name, &image, code).words(every);
        let program = lichen_force::Program::new(image, &facts).map_err(saying)?;
        let ready = Rig::new(&program).and_then(|mut rig| rig.start()).map_err(saying)?;
        let cells = cells(&program);
        let (mutants, reached) = Default::default();
        Ok(Subject {
            name,
            machine,
            inputs,
            program,
            ready,
            cells,
            every,
            tries_mutants,
            mutants,
            reached,
        })
    }

    /// The mutants of an area in the program.
    fn mutants(&self, area: Area) -> &Mutants {
        self.mutants[area as usize].get_or_init(|| Mutants::of(self.program.image(), area))
    }

    /// The basic blocks that mutants of an area change.
    fn changed(&self, area: Area) -> BTreeSet<u32> {
        self.mutants(area).all.iter().map(|mutant| mutant.leader).collect()
    }
}

/// The request.
struct Asked<'a> {
    part: &'a str,
    matching: Match,
    /// One interleaving of one cell.
    only: Option<At>,
    is_long: bool,
}

impl<'a> Asked<'a> {
    fn of(
        filter: Option<&'a str>,
        is_long: bool,
        matching: Match,
    ) -> Result<Asked<'a>, Box<Report>> {
        let Some((part, at)) = filter.unwrap_or_default().split_once('#') else {
            return Ok(Asked { part: filter.unwrap_or_default(), matching, only: None, is_long });
        };
        let only = At::parse(at).ok_or_else(|| Report {
            message: format!("`{at}` is not an interleaving"),
            remedy: Some("write what a failure has printed, such as #17 or #17.4".to_string()),
            ..Report::default()
        })?;
        Ok(Asked { part, matching, only: Some(only), is_long })
    }

    /// Which mutants are wanted: those of files and functions with this part in their names; none
    /// for `None`.
    fn mutants(&self, machine: &Machine) -> Option<&'a str> {
        let is_ordinary = !self.part.contains("mutants") && !self.is_long;
        if self.only.is_some() || is_ordinary {
            return None;
        }
        let test = format!("{}mutants", machine.prefix);
        let part = self.part.strip_prefix("force/").unwrap_or(self.part);
        let named = part.strip_prefix(&test).and_then(|rest| rest.strip_prefix('/'));
        named.or_else(|| self.wants(&test).then_some(""))
    }

    fn wants(&self, name: &str) -> bool {
        let name = format!("force/{name}");
        if self.only.is_some() {
            return name.ends_with(self.part);
        }
        self.part.is_empty() || self.matching.holds(self.part, &name)
    }

    /// Whether it names cells of the program `name`.
    fn is_within(&self, name: &str) -> bool {
        let part = self.part.strip_prefix("force/").unwrap_or(self.part);
        part.strip_prefix(name).is_some_and(|rest| rest.starts_with('/'))
    }

    /// Whether the program `name` must be built: it is named, one of its cells may be, or mutants are.
    fn concerns(&self, name: &str) -> bool {
        self.matching == Match::Part || self.wants(name) || self.part.contains("mutants")
    }
}

/// Examines the requested cells of a program.
fn examine(
    context: &Context<'_>,
    asked: &Asked<'_>,
    subject: &Subject<'_>,
    listener: &mut dyn Listener,
) -> Result<(), Box<Report>> {
    let Subject { name, machine, inputs, program, ready, cells, every, .. } = subject;
    let all = cells.len();
    let wanted = |cell: &&Cell| asked.wants(&format!("{name}/{}", cell.name));
    let cells: Vec<Cell> = cells.iter().filter(wanted).cloned().collect();
    if cells.is_empty() {
        return Ok(());
    }
    let mutants = asked.mutants(machine).filter(|_| subject.tries_mutants).is_some();
    let changed = if mutants { subject.changed(Area::Kernel) } else { BTreeSet::new() };
    let run = |listener: &mut dyn Listener| {
        // Cells that differ only in the interrupt's level follow each other: together they cover every
        // moment.
        let extent = |index: usize| match asked.only {
            Some(at) => Extent::Only(at),
            None if *every > 1 => Extent::Part { every: *every, phase: index as u64 },
            None => Extent::All,
        };
        let mut told = |done| {
            listener.working(context.group, &format!("{name}: {done} of {} cells", cells.len()));
        };
        let work = |rig: &mut Rig<'_>, index: usize| {
            rig.examine_watching(ready, &cells[index], extent(index), &changed)
        };
        let results = in_parallel(cells.len(), || Rig::new(program), work, &mut told);
        let (counts, reached): (Vec<_>, Vec<_>) = results.map_err(saying)?.into_iter().unzip();
        if cells.len() == all && asked.only.is_none() && mutants {
            // A subject is examined once.
            let _ = subject.reached[Area::Kernel as usize].set(reached);
        }
        let test =
            if cells.len() == 1 { format!("{name}/{}", cells[0].name) } else { name.clone() };
        context.tell(listener, test, verdict(name, &cells, &counts));
        if context.suite.filter.is_none() {
            listener.figure(context.group, &table::sum(name, &counts, *every));
        } else if asked.only.is_none() {
            for line in table::lines(name, program, &cells, &counts, *every) {
                listener.figure(context.group, &line);
            }
        }
        Ok::<(), Box<Report>>(())
    };
    // Mutants need to know what the cells execute; one interleaving is soon run.
    if mutants || asked.only.is_some() {
        return run(listener);
    }
    let part = if cells.len() == all { name.clone() } else { format!("{name}/{}", asked.part) };
    let inputs = cells.iter().fold(inputs.clone(), |inputs, cell| inputs.words(&cell.name));
    let inputs = inputs.words(context.suite.filter.is_none()).named(part).filtered();
    context.remembering(&inputs, listener, |listener| {
        if let Err(report) = run(listener) {
            context.tell(listener, name, Verdict::Failed(*report));
        }
    });
    Ok(())
}

/// A program passes if all its cells do. Those that fail are named, each with a way to run it again.
fn verdict(program: &str, cells: &[Cell], counts: &[Result<Count, Failed>]) -> Verdict {
    let failed =
        cells.iter().zip(counts).filter_map(|(cell, count)| Some((cell, count.as_ref().err()?)));
    let failed: Vec<(String, &Failed)> =
        failed.map(|(cell, failed)| (format!("force/{program}/{}", cell.name), failed)).collect();
    let Some((name, first)) = failed.first() else { return Verdict::Passed };
    let mut report = report(name, first);
    if failed.len() > 1 {
        let (count, all) = (failed.len(), cells.len());
        report.message =
            format!("{count} of {all} cells fail, the first {name}: {}", report.message);
        let others = failed.iter().skip(1).map(|(name, failed)| line(name, failed));
        report.output = Some(others.collect::<Vec<_>>().join("\n"));
    } else if cells.len() > 1 {
        report.message = format!("{name}: {}", report.message);
    }
    Verdict::Failed(report)
}

/// The report of a cell that failed.
fn report(name: &str, failed: &Failed) -> Report {
    match failed {
        Failed::Error(error) => Report::saying(error.to_string()),
        Failed::Defect(defect) => Report {
            message: defect.to_string(),
            remedy: defect.at.first.map(|_| {
                format!("to run this interleaving alone: lichen test '{}'", replay(name, defect))
            }),
            ..Report::default()
        },
    }
}

/// The same in one line.
fn line(name: &str, failed: &Failed) -> String {
    match failed {
        Failed::Error(error) => format!("failed  {name}: {error}"),
        Failed::Defect(defect) => format!("failed  {}: {}", replay(name, defect), defect.failure),
    }
}

/// The filter that runs one interleaving of a cell, or the cell if it fails undisturbed.
fn replay(name: &str, defect: &Defect) -> String {
    if defect.at.first.is_some() { format!("{name}#{}", defect.at) } else { name.to_string() }
}

fn saying(error: impl std::fmt::Display) -> Box<Report> {
    Box::new(Report::saying(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_names_cells_or_one_interleaving() {
        let all = Asked::of(Some("post.thread/wake"), false, Match::Part).expect("a filter");
        assert!(all.wants("kernel/post.thread/wake.2") && all.only.is_none());
        let one = Asked::of(Some("force/kernel/post.thread/wake.2#17.4"), false, Match::Whole)
            .expect("a filter");
        assert!(one.wants("kernel/post.thread/wake.2"));
        assert!(!one.wants("kernel/post.thread/wake.2/post.1"));
        assert_eq!(one.only, At::parse("17.4"));
        let named = Asked::of(Some("force/micaz/time"), false, Match::Whole).expect("a filter");
        assert!(named.concerns("micaz/time") && !named.concerns("micaz/timeouts"));
        assert!(
            one.is_within("kernel") && !one.is_within("kern") && !named.is_within("micaz/time")
        );
        assert!(Asked::of(Some("force/kernel#x"), false, Match::Whole).is_err());
    }

    #[test]
    fn a_filter_names_mutants_by_file_or_function() {
        let machine = |board: &str, prefix: &str| Machine {
            board: board.to_string(),
            prefix: prefix.to_string(),
        };
        let (first, other) = (machine("hamilton", ""), machine("micaz", "micaz/"));
        let mutants =
            |filter| Asked::of(filter, false, Match::Part).expect("a filter").mutants(&first);
        assert_eq!(mutants(None), None, "an ordinary run of all tests");
        let long = Asked::of(None, true, Match::Whole).expect("all");
        assert_eq!(long.mutants(&first), Some(""));
        assert_eq!(mutants(Some("force")), None, "no name means a longer version");
        assert_eq!(mutants(Some("mutants")), Some(""));
        assert_eq!(mutants(Some("force/mutants/kernel/time")), Some("kernel/time"));
        assert_eq!(mutants(Some("mutants/notify_deliver")), Some("notify_deliver"));
        assert_eq!(mutants(Some("force/kernel/post.thread/wake.2#17")), None);
        assert_eq!(mutants(Some("timers")), None);
        let mutants =
            |filter| Asked::of(Some(filter), false, Match::Part).expect("a filter").mutants(&other);
        assert_eq!(mutants("force/micaz/mutants/kernel/time"), Some("kernel/time"));
        assert_eq!(mutants("mutants"), Some(""));
        assert_eq!(mutants("force/mutants"), None);
        assert_eq!(mutants("force/micaz/sync"), None);
    }
}
