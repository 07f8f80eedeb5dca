// SPDX-License-Identifier: MIT OR Apache-2.0
//! The tests that a program brings along, in its folder `test` (`doc/spec/test.md`): files with a scenario and what
//! is expected of it, and folders with programs of tests that run on the mote, as those of `test/mote`.

mod case;
mod expect;
mod failure;
mod limit;
mod reader;
mod record;
mod rehearsal;

use super::depths::Depths;
use super::mote::{on_mote, prepare, saying};
use super::side_by_side::side_by_side;
use super::verdicts::{Code, Inputs};
use super::{Context, Counted, Listener, Match, Report, Suite, Verdict};
use case::{Case, EventKind, Source};
use lichen_chip::Time;
use lichen_energy::{Account, Tables};
use lichen_image::Image;
use lichen_project::{Explain, FileError, Place, Program, ProgramError, Tree, TreeError};
use lichen_world::{Ending, Halt, MoteId, Space, World};
use record::Record;
pub use rehearsal::Rehearsal;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The group that programs and their tests are in.
const GROUP: &str = "app";

/// Why a program's tests cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum OwnError {
    /// There is no folder of tests.
    #[error("the program has no tests: it has no folder `test`")]
    NoFolder {
        /// The program's folder.
        folder: PathBuf,
    },
    /// There is a folder, and no test in it.
    #[error("the folder `test` has no tests")]
    Empty {
        /// The folder of tests.
        folder: PathBuf,
    },
    /// A program in the folder names a board on which the program does not run.
    #[error("the tests are for the board `{board}`, on which the program does not run")]
    Board {
        /// The manifest of the tests.
        manifest: PathBuf,
        /// The board.
        board: String,
    },
    /// The program, or one in the folder, is wrong.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// A file is wrong.
    #[error(transparent)]
    File(#[from] FileError),
    /// A folder cannot be listed.
    #[error(transparent)]
    Tree(#[from] TreeError),
}

impl Explain for OwnError {
    fn place(&self) -> Option<Place> {
        match self {
            OwnError::NoFolder { folder } | OwnError::Empty { folder } => Some(Place::file(folder)),
            OwnError::Board { manifest, .. } => Some(Place::file(manifest)),
            OwnError::Program(error) => error.place(),
            OwnError::File(error) => error.place(),
            OwnError::Tree(error) => error.place(),
        }
    }

    fn remedy(&self) -> Option<String> {
        match self {
            OwnError::NoFolder { .. } | OwnError::Empty { .. } => Some(
                "write test/NAME.toml, as doc/spec/test.md shows, or a program of tests in test/NAME/"
                    .to_string(),
            ),
            OwnError::Board { board, .. } => {
                Some(format!("take {board} away here, or add it to the program's manifest"))
            }
            OwnError::Program(error) => error.remedy(),
            OwnError::File(error) => error.remedy(),
            OwnError::Tree(error) => error.remedy(),
        }
    }
}

/// Something that a test has not met.
#[derive(Debug)]
struct Shortfall {
    place: Place,
    message: String,
}

/// A test of a program.
#[derive(Clone, Debug)]
enum Own {
    /// A file with expectations.
    Case(PathBuf),
    /// A program of tests that run on the mote.
    OnMote(Box<Program>),
}

impl Own {
    fn name(&self) -> String {
        match self {
            Own::Case(file) => file.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            Own::OnMote(program) => program.manifest.name.clone(),
        }
    }
}

/// The tests in the folder of `program`, sorted; none without a folder.
fn tests(tree: &Tree, program: &Program) -> Result<Vec<Own>, OwnError> {
    let folder = program.folder.join("test");
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut tests = Vec::new();
    for entry in lichen_project::tree::list(&folder)? {
        if entry.is_dir() && entry.join("lichen.toml").exists() {
            let test = Program::at(tree, entry)?;
            let known = &program.manifest.boards;
            if let Some(board) = test.manifest.boards.iter().find(|board| !known.contains(board)) {
                let (manifest, board) = (test.manifest.file.clone(), board.clone());
                return Err(OwnError::Board { manifest, board });
            }
            tests.push(Own::OnMote(Box::new(test)));
        } else if entry.extension().is_some_and(|ending| ending == "toml") {
            tests.push(Own::Case(entry));
        }
    }
    Ok(tests)
}

impl Suite<'_> {
    /// Runs the tests that `program` brings along, on `board` or on all of its boards. Everything is read before
    /// anything is built. Returns the names of tests that were not requested.
    pub fn run_own(
        &self,
        program: &Program,
        board: Option<&str>,
        listener: &mut dyn Listener,
    ) -> Result<BTreeSet<String>, OwnError> {
        if let Some(board) = board {
            program.check_board(self.tree, board)?;
        }
        let tests = self.own_tests(program)?;
        let boards = match board {
            Some(board) => vec![board.to_string()],
            None => program.manifest.boards.clone(),
        };
        let mut jobs = Vec::new();
        for board in &boards {
            for test in &tests {
                if let Own::Case(file) = test {
                    Case::load(&self.typed(file), program, &self.tree.path("board"), board)?;
                }
                jobs.push((board.as_str(), test));
            }
        }
        let mut others = BTreeSet::new();
        let mut counted = Counted::new(listener);
        for matching in Match::ALL {
            let context = Context::new(self, GROUP, matching);
            let depths = Depths::default();
            side_by_side(&jobs, &mut counted, |(board, test), listener| {
                run(&context, (program, board), test, &depths, listener);
            });
            others.append(&mut context.others());
            if counted.outcomes > 0 {
                break;
            }
        }
        Ok(others)
    }

    /// The names of the tests that `program` brings along.
    pub fn own_names(&self, program: &Program) -> Result<Vec<String>, OwnError> {
        Ok(self.own_tests(program)?.iter().map(Own::name).collect())
    }

    fn own_tests(&self, program: &Program) -> Result<Vec<Own>, OwnError> {
        let folder = self.typed(&program.folder);
        if !program.folder.join("test").is_dir() {
            return Err(OwnError::NoFolder { folder });
        }
        let tests = tests(self.tree, program)?;
        if tests.is_empty() {
            return Err(OwnError::Empty { folder: folder.join("test") });
        }
        Ok(tests)
    }

    /// `path` as the caller would type it.
    fn typed(&self, path: &Path) -> PathBuf {
        path.strip_prefix(&self.folder).unwrap_or(path).to_path_buf()
    }
}

/// Runs all tests that `program` brings along on `board`, if any.
pub fn run_all(
    context: &Context<'_>,
    (program, board): (&Program, &str),
    depths: &Depths,
    listener: &mut dyn Listener,
) {
    match tests(context.tree(), program) {
        Ok(tests) => {
            for test in &tests {
                run(context, (program, board), test, depths, listener);
            }
        }
        Err(error) => {
            let name = format!("{board}/{}/test", program.manifest.name);
            context.tell(listener, name, Verdict::Failed(Report::of(&error)));
        }
    }
}

/// Runs one test.
fn run(
    context: &Context<'_>,
    (program, board): (&Program, &str),
    test: &Own,
    depths: &Depths,
    listener: &mut dyn Listener,
) {
    let name = format!("{board}/{}/{}", program.manifest.name, test.name());
    match test {
        Own::OnMote(tests) if tests.manifest.boards.iter().any(|named| named == board) => {
            on_mote(context, (tests, board, &name), depths, listener);
        }
        Own::OnMote(_) => {}
        Own::Case(file) => {
            if !context.wants(&name) {
                return;
            }
            let file = context.suite.typed(file);
            if let Err(report) = play(context, (program, board, &name), &file, listener) {
                context.tell(listener, name, Verdict::Failed(*report));
            }
        }
    }
}

/// `verdict` with its place as the caller would type it: outside the tree, a test on a mote names its file as seen
/// from its own folder.
pub(super) fn placed(context: &Context<'_>, program: &Program, verdict: Verdict) -> Verdict {
    let Verdict::Failed(mut report) = verdict else { return verdict };
    if let Some(place) = &mut report.place {
        let file = program.folder.join(&place.file);
        if file.is_file() {
            place.file = context.suite.typed(&file);
        }
    }
    Verdict::Failed(report)
}

/// Plays the test in `file`, if it is about the board, and tells how it went.
fn play(
    context: &Context<'_>,
    (program, board, name): (&Program, &str, &str),
    file: &Path,
    listener: &mut dyn Listener,
) -> Result<(), Box<Report>> {
    let case = Case::load(file, program, &context.tree().path("board"), board)
        .map_err(|error| Box::new(Report::of(&error)))?;
    let Some(case) = case else { return Ok(()) };
    if let Some(warning) = case.scenario.motes.iter().flat_map(|mote| &mote.warnings).next() {
        let place = Some(place_of(&warning.origin));
        return Err(Box::new(Report { place, ..Report::saying(&warning.what) }));
    }
    let images = images(context, (program, name), (file, &case), listener)?;
    let inputs = inputs(context, (program, board, name), file, &images);
    context.remembering(&inputs, listener, |listener| {
        let judged = world(&case, &images)
            .and_then(|world| judge(context, (file, board), &case, world, &mut |_, _| {}));
        let verdict = match judged {
            Ok(None) => Verdict::Passed,
            Ok(Some(report)) => Verdict::Failed(report),
            Err(report) => Verdict::Failed(*report),
        };
        context.tell(listener, name, verdict);
    });
    Ok(())
}

/// The images that the motes of a test run, by program and board.
type Images = BTreeMap<(String, String), Arc<Image>>;

/// What is done at a mote's breakpoint, which it clears.
type AtBreakpoint<'a> = &'a mut dyn FnMut(&mut World, MoteId);

/// What a run of the test in `file` reads. Recordings and scenarios are in the program's folder or in `scenario`; a test
/// may name those of other programs.
fn inputs<'a>(
    context: &Context<'a>,
    (program, board, name): (&Program, &str, &str),
    file: &Path,
    images: &Images,
) -> Inputs<'a> {
    let code = Code::of_motes().files(&["build/src/size.rs"]);
    let inputs = Inputs::of_motes(context.suite.tree, name, code).words(board);
    let file = context.suite.folder.join(file);
    let inputs = inputs.path(&file).path(&program.folder).path("scenario").path("app");
    images.iter().fold(inputs, |inputs, ((program, board), image)| {
        inputs.words(program).words(board).image(image)
    })
}

/// Runs a test; returns what it has not met.
fn judge(
    context: &Context<'_>,
    (file, board): (&Path, &str),
    case: &Case,
    mut world: World,
    at_breakpoint: AtBreakpoint<'_>,
) -> Result<Option<Report>, Box<Report>> {
    let mut record = record(context.tree(), case, &mut world)?;
    let ending = run_to_end(case, &mut world, &mut record, at_breakpoint);
    let ending = ending.map_err(|error| saying(error.to_string()))?;
    warn_at_end(&world, &ending, &mut record);
    let accounts = match &mut record.account {
        Some(account) => account.reports(|_| world.now()),
        None => Vec::new(),
    };
    record.end();
    let mut report = match failure::unexpected(case, &record) {
        Some(report) => report,
        None => {
            let mut missing = expect::check(&record.motes, &case.expectations, case.end);
            missing.extend(limit::check(case, &world, &record, &accounts));
            match reported(missing) {
                None => return Ok(None),
                Some(report) => report,
            }
        }
    };
    let others = report.output.take().unwrap_or_default();
    report.output = Some(format!("{}{others}", console(case, &record)));
    report.remedy.get_or_insert_with(|| {
        let accounts = if report.message.contains("current") { " --energy" } else { "" };
        format!("see it run: ./lichen run {} --board {board}{accounts}", file.display())
    });
    Ok(Some(report))
}

/// The first of what a test has not met; the rest is its output.
fn reported(missing: Vec<Shortfall>) -> Option<Report> {
    let mut missing = missing.into_iter();
    let first = missing.next()?;
    let others: String =
        missing.map(|Shortfall { place, message }| format!("{place}: {message}\n")).collect();
    let report = Report::saying(first.message);
    Some(Report { place: Some(first.place), output: Some(others), ..report })
}

/// What the motes printed, with times.
fn console(case: &Case, record: &Record) -> String {
    let mut lines: Vec<(Time, String)> = Vec::new();
    for (mote, done) in case.scenario.motes.iter().zip(&record.motes) {
        let who = if record.motes.len() == 1 { String::new() } else { format!(" {}", mote.name) };
        let printed = done.moments.iter().filter(|moment| moment.source == Source::Console);
        lines.extend(printed.map(|line| {
            (line.time, format!("{:>12}{who} {}\n", line.time.to_string(), line.text))
        }));
    }
    lines.sort_by_key(|(time, _)| *time);
    lines.into_iter().map(|(_, line)| line).collect()
}

/// Builds what the motes of a test run.
fn images(
    context: &Context<'_>,
    (program, name): (&Program, &str),
    (file, case): (&Path, &Case),
    listener: &mut dyn Listener,
) -> Result<Images, Box<Report>> {
    let mut images = Images::new();
    for mote in &case.scenario.motes {
        let key = key(mote);
        if images.contains_key(&key) {
            continue;
        }
        let line = place_of(&mote.program_origin);
        let image = image(context, (program, name), (file, (&key.0, &key.1)), listener);
        let image = image.map_err(|mut report| {
            report.place.get_or_insert(line);
            report
        })?;
        images.insert(key, Arc::new(image));
    }
    Ok(images)
}

fn place_of(origin: &lichen_scenario::Origin) -> Place {
    match origin.line {
        Some(line) => Place::line(&origin.file, line as u32),
        None => Place::file(&origin.file),
    }
}

fn key(mote: &lichen_scenario::Planned) -> (String, String) {
    (mote.program.clone(), mote.board.name.clone())
}

/// The motes of a test before their first instruction.
fn world(case: &Case, images: &Images) -> Result<World, Box<Report>> {
    let mut world = World::with_seed(case.scenario.seed);
    if case.scenario.noise {
        world.make_noisy();
    }
    let layout = case.scenario.air.layout(case.scenario.seed);
    world.set_medium(Box::new(Space::new(layout, case.scenario.seed)));
    for mote in &case.scenario.motes {
        let image = images.get(&key(mote)).ok_or_else(|| saying("a mote has no image"))?;
        let image = Arc::clone(image);
        let added = world.add_with(Arc::clone(&mote.board), image, mote.setup());
        let followed = added.and_then(|id| world.follow(id, mote.script.clone()));
        followed.map_err(|error| saying(error.to_string()))?;
    }
    Ok(world)
}

/// The image that a mote runs: `given` is the test's own program, a path from the test's file, or the name of a
/// program.
fn image(
    context: &Context<'_>,
    (program, name): (&Program, &str),
    (file, (given, board)): (&Path, (&str, &str)),
    listener: &mut dyn Listener,
) -> Result<Image, Box<Report>> {
    let beside = file.with_file_name(given);
    if beside.is_file() {
        return Image::load(&beside).map_err(|error| saying(error.to_string()));
    }
    let explained = |error: ProgramError| Box::new(Report::of(&error));
    let other;
    let program = if given == ".." {
        program
    } else {
        let folder = context.suite.folder.join(file);
        let folder = folder.parent().unwrap_or(Path::new(""));
        other = Program::find(context.tree(), folder, given).map_err(explained)?;
        &other
    };
    program.check_board(context.tree(), board).map_err(explained)?;
    prepare(context, program, board, name, listener)
}

/// A record of `world`, with an account if a limit needs one.
fn record(tree: &Tree, case: &Case, world: &mut World) -> Result<Record, Box<Report>> {
    let wanted = case.expectations.iter().filter_map(|expectation| match &expectation.source {
        Source::Event(kind) => Some(*kind),
        _ => None,
    });
    let mut record = Record::new(wanted.collect());
    for (_, mote) in world.motes() {
        record.add(mote.board());
    }
    if limit::is_about_current(case) {
        let tables =
            Tables::load(&tree.path("data/current")).map_err(|error| saying(error.to_string()))?;
        let mut account = Account::new(tables);
        for (_, mote) in world.motes() {
            account.add(mote.board(), mote.image(), mote.chip(), mote.running_thread().as_deref());
        }
        record.account = Some(account);
        world.tell_details();
        world.tell_activity();
    }
    Ok(record)
}

/// What is wrong at the end of a test is looked for so often in it, or every 100 ms if that is less.
const SAMPLES: u64 = 100;
const OFTEN: Time = Time::from_ms(100);

/// Runs until the test ends, or a mote panics that should not.
fn run_to_end(
    case: &Case,
    world: &mut World,
    record: &mut Record,
    at_breakpoint: AtBreakpoint<'_>,
) -> Result<Ending, lichen_world::Error> {
    world.stop_at_fault(true);
    let slice = (case.end / SAMPLES).max(OFTEN);
    let mut ending = Ending::default();
    loop {
        let halt = world.run(case.end.min(world.now() + slice), record)?;
        if let Halt::Breakpoint(mote) = halt {
            at_breakpoint(world, mote);
        }
        ending.look(world);
        let is_over = halt == Halt::Dead || world.now() >= case.end;
        if is_over || has_failed(case, world, record) {
            return Ok(ending);
        }
    }
}

/// Whether a mote has panicked that should not.
fn has_failed(case: &Case, world: &World, record: &Record) -> bool {
    record.motes.iter().enumerate().any(|(mote, done)| {
        let is_end = |kind| matches!(kind, EventKind::Panic | EventKind::Fault);
        let has_panicked = || done.failures.iter().any(|it| it.kind == EventKind::Panic);
        failure::of_mote(case, mote, &done.failures).iter().any(|it| is_end(it.kind))
            // A fault is reported again by the panic that it leads to.
            && (has_panicked() || world.mote(MoteId(mote as u32)).summary().locked_up)
    })
}

/// Notes what `lichen run` warns of at the end.
fn warn_at_end(world: &World, ending: &Ending, record: &mut Record) {
    for (id, mote) in world.motes() {
        if let Some((since, what)) = mote.summary().deadlock {
            record.warn(id.0 as usize, since, &what);
        }
    }
    for (mote, what) in ending.warnings(world) {
        record.warn(mote.0 as usize, world.now(), &what);
    }
}
