// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is to be simulated, and the files that this reads: known before anything is built.

use crate::mote::{Many, MoteOptions};
use lichen_project::{Place, Program, default_board};
use lichen_scenario::{Planned, Scenario};
use lichen_terminal::failure::Failure;
use lichen_terminal::files::Files;
use lichen_terminal::place::Here;
use lichen_world::Topology;
use std::path::{Path, PathBuf};

/// The folders whose files are in each program, or say how it is built.
const SYSTEM: [&str; 3] = ["os", "board", "data"];

/// What is to be simulated.
pub struct Plan {
    /// The scenario, if one is given.
    pub scenario: Option<Scenario>,
}

impl Plan {
    /// Reads what the call names, and tells `files` of all that is read.
    pub fn new(
        options: &MoteOptions,
        many: &Many,
        here: &Here,
        files: &mut Files,
    ) -> Result<Plan, Failure> {
        let path = here.path(Path::new(&options.target));
        refuse_part_of_program(&options.target, &path)?;
        if !options.target.ends_with(".toml") || path.is_dir() {
            many.check()?;
            refuse_settings(options)?;
            tell_of_program(&options.target, here, files)?;
            return Ok(Plan { scenario: None });
        }
        files.reads(&path)?;
        let scenario = scenario(options, many, &path, here)?;
        scenario.sources.iter().try_for_each(|file| files.reads(file))?;
        scenario
            .motes
            .iter()
            .try_for_each(|mote| tell_of_program(&program_of(mote, &path), here, files))?;
        Ok(Plan { scenario: Some(scenario) })
    }
}

/// Only a scenario has keys.
fn refuse_settings(options: &MoteOptions) -> Result<(), Failure> {
    match options.settings.first() {
        None => Ok(()),
        Some(setting) => Err(Failure::wrong(format!(
            "--set {}: {} is no scenario, and has no keys",
            setting.key, options.target
        ))
        .remedy("a program takes options, such as --seed, --motes and --input; or name it in a scenario")),
    }
}

/// Tells `files` of a program's sources, or of an image.
pub fn tell_of_program(given: &str, here: &Here, files: &mut Files) -> Result<(), Failure> {
    let path = here.path(Path::new(given));
    if path.is_file() {
        return files.reads(&path);
    }
    // What is wrong with it is reported when it is built.
    let Ok(program) = Program::find(&here.tree, &here.folder, given) else { return Ok(()) };
    // What is built of a board's programs is remade only if its sources change.
    let built = here.tree.boards().unwrap_or_default();
    let built = built.iter().map(|board| here.tree.built().join(board));
    let system: Vec<PathBuf> =
        SYSTEM.map(|folder| here.tree.path(folder)).into_iter().chain(built).collect();
    files.builds(&program.folder, &system)
}

/// The program of a mote of the scenario in the file `scenario`: paths are relative to its folder.
pub fn program_of(mote: &Planned, scenario: &Path) -> String {
    let beside = scenario.with_file_name(&mote.program);
    match beside.exists() {
        true => beside.display().to_string(),
        false => mote.program.clone(),
    }
}

/// Reads the scenario in the file at `path`.
fn scenario(
    options: &MoteOptions,
    many: &Many,
    path: &Path,
    here: &Here,
) -> Result<Scenario, Failure> {
    options.check_once("--seed", options.seed.is_some(), "seed")?;
    options.check_once("--no-noise", options.no_noise, "noise")?;
    let boards = here.tree.path("board");
    let settings = &options.settings;
    let topology = many.topology.map(Topology::name).unwrap_or_default();
    let topology_key = format!("`topology = \"{topology}\"` below [medium]");
    let spacing_key = format!("`spacing = {}` below [medium]", many.spacing.unwrap_or_default());
    refuse(&[
        given("--motes", many.motes.is_some(), "`count` of its motes"),
        given("--topology", many.topology.is_some(), &topology_key),
        given("--spacing", many.spacing.is_some(), &spacing_key),
    ])?;
    if Scenario::is_test(path) {
        refuse(&[given("--input", options.input.is_some(), "`input` of its motes")])?;
        let boards_of_test = boards_of_test(here, path);
        let board = options.board.as_deref().unwrap_or(default_board(&boards_of_test));
        here.tree.board_file(board)?;
        Ok(Scenario::load_test(path, &boards, board, settings)?)
    } else {
        refuse(&[
            given("--board", options.board.is_some(), "`board` of its motes"),
            given("--input", options.input.is_some(), "`input` of its motes"),
        ])?;
        Ok(Scenario::load(path, &boards, settings)?)
    }
}

/// An option, whether it is given, and what says the same in a scenario.
type Given<'k> = (&'static str, bool, &'k str);

fn given<'k>(option: &'static str, is_given: bool, key: &'k str) -> Given<'k> {
    (option, is_given, key)
}

/// What a scenario says itself.
fn refuse(options: &[Given<'_>]) -> Result<(), Failure> {
    match options.iter().find(|(_, is_given, _)| *is_given) {
        None => Ok(()),
        Some((option, _, key)) => {
            Err(Failure::wrong(format!("{option} does not apply to a scenario"))
                .remedy(format!("write {key} in the file, or give it with --set")))
        }
    }
}

/// Files that belong to a program, by how their names end.
const OF_PROGRAMS: [&str; 7] = [".c", ".h", ".cpp", ".S", "CMakeLists.txt", "lichen.toml", ".ino"];

/// Refuses the file at `path` of a program, in whose place its folder must be given.
fn refuse_part_of_program(given: &str, path: &Path) -> Result<(), Failure> {
    if !path.is_file() || !OF_PROGRAMS.iter().any(|end| given.ends_with(end)) {
        return Ok(());
    }
    let folder = Path::new(given).parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    Err(Failure::wrong("this is a file of a program")
        .at(Place::file(given))
        .remedy(format!("give the program's folder: {}", folder.display())))
}

/// The boards that the test at `path` is for: its own, or else those of its program.
fn boards_of_test(here: &Here, path: &Path) -> Vec<String> {
    let own = Scenario::boards_of_test(path);
    if !own.is_empty() {
        return own;
    }
    let folder = path.parent().and_then(Path::parent).map(Path::to_path_buf);
    let program = folder.and_then(|folder| Program::at(&here.tree, folder).ok());
    program.map(|program| program.manifest.boards).unwrap_or_default()
}
