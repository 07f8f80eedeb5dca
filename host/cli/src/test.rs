// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lichen test`: the tests of a program; those of the system are run by the maintainers' tool.

use lichen_project::{Place, Program};
use lichen_terminal::failure::{Code, Failure};
use lichen_terminal::maintenance::{self, Test as Options};
use lichen_terminal::place::Here;
use lichen_terminal::reporter::Reporter;
use lichen_terminal::screen::{Screen, out};
use lichen_test::Suite;
use std::path::Path;

/// Runs the tests; the last line counts them.
pub fn test(options: &Options, screen: &Screen) -> Result<Code, Failure> {
    let here = Here::find()?;
    let Some(program) = program(options, &here)? else {
        return maintenance::become_tool().map(|never| match never {});
    };
    let folder = here.folder.canonicalize().unwrap_or(here.folder.clone());
    let (filter, long) = (options.test.clone(), options.long);
    let suite = Suite {
        tree: &here.tree,
        folder,
        filter,
        long,
        network: false,
        latency: false,
        verdicts: None,
    };
    if options.list {
        suite.own_names(&program)?.iter().for_each(|name| out!("{name}"));
        return Ok(Code::Done);
    }
    let mut reporter = Reporter::new(screen, options.json);
    let others = suite.run_own(&program, options.board.as_deref(), &mut reporter)?;
    if reporter.is_empty()
        && let Some(failure) = for_other_boards(&suite, &program, options)
    {
        return Err(failure);
    }
    let names = "with --list after the path, the program's tests are listed";
    reporter.end(suite.filter.as_deref(), &[], &others, names)
}

/// Why none of the program's tests has run, if one has the name that is asked for.
fn for_other_boards(suite: &Suite<'_>, program: &Program, options: &Options) -> Option<Failure> {
    let (name, board) = (options.test.as_ref()?, options.board.as_ref()?);
    let is_own = suite.own_names(program).is_ok_and(|own| own.contains(name));
    let failure = Failure::wrong(format!("the test `{name}` is not for the board `{board}`"));
    is_own
        .then(|| failure.remedy("its `boards`, in its file or manifest, name those that it is for"))
}

/// The program whose folder is given, if it is one. What looks like a path must be one.
fn program(options: &Options, here: &Here) -> Result<Option<Program>, Failure> {
    let Some(given) = &options.what else {
        return if options.board.is_some() { Err(no_program("--board")) } else { Ok(None) };
    };
    let folder = here.path(Path::new(given));
    let is_path = given.starts_with(['.', '/']) || given.ends_with('/');
    if folder.join("lichen.toml").is_file() || (is_path && folder.is_dir()) {
        let folder = folder.canonicalize().unwrap_or(folder);
        return Ok(Some(Program::at(&here.tree, folder)?));
    }
    if let Some((program, name)) = test_file(&folder) {
        let remedy = format!(
            "the test of a program is named behind its folder: lichen test {program} {name}"
        );
        return Err(Failure::wrong("this is one file of a program's tests")
            .at(Place::file(given))
            .remedy(remedy));
    }
    if is_path {
        let failure = Failure::wrong("there is no such folder").at(Place::file(given));
        return Err(failure.remedy("give the path of a program's folder; `lichen new` makes one"));
    }
    match (&options.board, &options.test) {
        (None, None) => Ok(None),
        (Some(_), _) => Err(no_program("--board")),
        (None, Some(_)) => Err(no_program("a second name")),
    }
}

/// The folder and the test's name, if `file` is `FOLDER/test/NAME.toml` of a program.
fn test_file(file: &Path) -> Option<(String, String)> {
    let (name, tests) = (file.file_stem()?.to_str()?, file.parent()?);
    let program = tests.parent().filter(|program| program.join("lichen.toml").is_file())?;
    let is_test = file.is_file() && file.extension()? == "toml" && tests.file_name()? == "test";
    is_test.then(|| (program.display().to_string(), name.to_string()))
}

fn no_program(what: &str) -> Failure {
    Failure::wrong(format!(
        "{what} is for the tests of a program, and no program's folder is given"
    ))
    .remedy("give its path first: lichen test PATH; boards are part of other names: mote/hamilton")
}
