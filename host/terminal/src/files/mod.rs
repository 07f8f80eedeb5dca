// SPDX-License-Identifier: MIT OR Apache-2.0
//! The files that a call reads and writes. No file that it writes is one that it reads, a source of the program that it
//! runs, or another one that it writes, whatever links lead there; one that git tracks is replaced only with `--force`.
//! Each verb tells of its files before it builds or writes anything.

mod git;
mod identity;
mod option;
mod sources;

pub use option::{InputFile, OutputFile, OutputFolder, are_paths};

use crate::failure::Failure;
use clap::{Arg, ArgMatches, Args, Command};
use identity::Identity;
use lichen_project::Place;
use sources::Sources;
use std::any::Any;
use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The option of verbs that write files.
#[derive(Clone, Debug, Default, Args)]
pub struct Overwrite {
    /// Replace files that git tracks, too.
    #[arg(long)]
    pub force: bool,
}

/// Where a path stands for the standard input or output.
pub const STANDARD: &str = "-";

/// A file that a call writes.
#[derive(Clone, Debug)]
pub struct Written<'a> {
    /// The option, or the key of a scenario, that asks for it.
    pub name: &'a str,
    /// Its path.
    pub path: &'a Path,
    /// The line of the scenario that names it, if that is where it is named.
    pub place: Option<Place>,
    /// Whether it is written beside the file that is named.
    pub is_beside: bool,
}

/// What is known of one of them.
struct Known {
    name: String,
    path: PathBuf,
    place: Option<Place>,
    is_beside: bool,
    identity: Identity,
}

/// The files of a call.
#[derive(Default)]
pub struct Files {
    is_forced: bool,
    read: Vec<Identity>,
    sources: Vec<Sources>,
    written: Vec<Known>,
}

impl Files {
    /// Those that its options name. `command` defines the options, and `matches` are those given.
    pub fn of_call(command: &Command, matches: &ArgMatches) -> Result<Files, Failure> {
        let (command, matches) = verb(command, matches);
        let mut files = Files { is_forced: is_forced(matches), ..Files::default() };
        files.read.extend(Identity::of(Path::new("/dev/stdin")));
        for argument in command.get_arguments() {
            for file in values::<InputFile>(argument, matches) {
                files.reads(file)?;
            }
        }
        for argument in command.get_arguments() {
            let name = argument.get_long().unwrap_or(argument.get_id().as_str());
            for file in values::<OutputFile>(argument, matches) {
                files.writes(Written { name, path: file, place: None, is_beside: false })?;
            }
        }
        Ok(files)
    }

    /// Whether an option of the call has this name and is a file to be written.
    pub fn are_written_by(&self, name: &str) -> bool {
        self.written.iter().any(|known| known.name == name)
    }

    /// The call reads this file.
    pub fn reads(&mut self, file: &Path) -> Result<(), Failure> {
        if file.as_os_str() != STANDARD {
            self.read.extend(Identity::of(file));
        }
        self.check()
    }

    /// The call builds the program in this folder, with a system whose sources are all of the folders `system`.
    pub fn builds(&mut self, program: &Path, system: &[PathBuf]) -> Result<(), Failure> {
        self.sources.push(Sources::of_program(program));
        self.sources.extend(system.iter().map(|folder| Sources::all(folder)));
        self.check()
    }

    /// The call writes this file, which must be possible. Nothing is there afterwards that was not before.
    pub fn writes(&mut self, file: Written) -> Result<(), Failure> {
        if file.path.as_os_str() == STANDARD {
            return Ok(());
        }
        let Written { name, place, is_beside, .. } = file;
        let path = std::env::current_dir().unwrap_or_default().join(file.path);
        if !is_beside {
            check_place(&path).map_err(|failure| of_key(failure, name, place.as_ref()))?;
        }
        let Some(identity) = Identity::of(&path) else { return Ok(()) };
        let known = Known { name: name.to_string(), path, place, is_beside, identity };
        if self.written.iter().any(|other| other.identity == known.identity) {
            return Err(known.would_overwrite("another output"));
        }
        self.check_one(&known)?;
        self.written.push(known);
        Ok(())
    }

    /// Checks all files that are written, as there is more that is read.
    fn check(&self) -> Result<(), Failure> {
        self.written.iter().try_for_each(|known| self.check_one(known))
    }

    fn check_one(&self, known: &Known) -> Result<(), Failure> {
        let Known { path, identity, .. } = known;
        if self.read.contains(identity) {
            return Err(known.would_overwrite("an input of this run"));
        }
        let Ok(found) = std::fs::metadata(path) else { return Ok(()) };
        if self.sources.iter().any(|sources| sources.have(path, identity, found.nlink())) {
            return Err(known.would_overwrite("a source of the program"));
        }
        if !self.is_forced && git::tracks(path, identity, found.nlink()) {
            let failure = known.would_overwrite("a file that git tracks");
            return Err(failure.remedy("name another file, or add --force"));
        }
        Ok(())
    }
}

impl Known {
    fn would_overwrite(&self, other: &str) -> Failure {
        let (name, path) = (&self.name, self.path.display());
        let what = match (&self.place, self.is_beside) {
            (None, false) => format!("`{name}` would overwrite {other}"),
            (_, false) => format!("`{name}` would overwrite {other}: {path}"),
            (_, true) => format!(
                "`{name}` would overwrite {other} with the file that it writes beside its own: {path}"
            ),
        };
        let place = self.place.clone().unwrap_or_else(|| Place::file(&self.path));
        Failure::wrong(what).at(place).remedy("name a file of its own")
    }
}

/// A failure to write the file of a key in a scenario, with its line.
fn of_key(failure: Failure, name: &str, place: Option<&Place>) -> Failure {
    match place {
        Some(place) => {
            let message = format!("`{name}`: {}", failure.message);
            Failure { message, ..failure }.at(place.clone())
        }
        None => failure,
    }
}

/// The verb that is called, which may be one of another verb's, and what it is given.
fn verb<'a>(command: &'a Command, matches: &'a ArgMatches) -> (&'a Command, &'a ArgMatches) {
    let inner = matches.subcommand();
    match inner.and_then(|(name, inner)| Some((command.find_subcommand(name)?, inner))) {
        Some((command, matches)) => verb(command, matches),
        None => (command, matches),
    }
}

/// The values of an option, if they are of this type.
fn values<'a, T: Any + Clone + Send + Sync>(
    argument: &Arg,
    matches: &'a ArgMatches,
) -> impl Iterator<Item = &'a T> {
    matches.try_get_many::<T>(argument.get_id().as_str()).ok().flatten().into_iter().flatten()
}

fn is_forced(matches: &ArgMatches) -> bool {
    matches.try_get_one::<bool>("force").ok().flatten() == Some(&true)
}

/// Checks that a file can be written, before there is any work to lose, and leaves nothing there.
fn check_place(path: &Path) -> Result<(), Failure> {
    let is_there = path.exists();
    if is_there && !path.is_file() && !path.is_dir() {
        // To open a pipe may take until somebody reads it.
        return Ok(());
    }
    let opened = OpenOptions::new().append(true).create(true).open(path);
    let Err(error) = opened else {
        if !is_there {
            // The path may be a link, which stays.
            let _ = path.canonicalize().and_then(std::fs::remove_file);
        }
        return Ok(());
    };
    let folder = path.parent().unwrap_or(path).display();
    let (why, remedy) = match error.kind() {
        ErrorKind::NotFound => {
            (format!("there is no folder {folder}"), format!("make it first: mkdir -p {folder}"))
        }
        ErrorKind::IsADirectory => ("it is a folder".into(), "name a file in it".into()),
        ErrorKind::NotADirectory => {
            (format!("{folder} is a file"), "name a file in a folder".into())
        }
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            ("you may not write there".into(), "name a file in a folder of your own".into())
        }
        _ => (error.to_string(), "name a file in a folder that can be written to".into()),
    };
    let what = format!("cannot create {}: {why}", path.display());
    Err(Failure::wrong(what).at(Place::file(path)).remedy(remedy))
}
