// SPDX-License-Identifier: MIT OR Apache-2.0
//! No verb overwrites what it reads, a source of its program, or what git tracks. The verbs and their options are those
//! of the command's definition, so that none is forgotten.

use crate::args::Cli;
use crate::{Parsed, call, parse};
use clap::{Arg, Command, CommandFactory};
use lichen_project::{
    Tree,
    template::{self, Kind},
};
use lichen_terminal::failure::{Code, Failure};
use lichen_terminal::files::{InputFile, OutputFile};
use lichen_terminal::screen::Screen;
use std::any::TypeId;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A verb that writes files, with the words that call it.
struct Writer {
    words: Vec<String>,
    command: Command,
}

/// All verbs, and those below them.
fn verbs(words: &[String], command: &Command) -> Vec<Writer> {
    let inner = command
        .get_subcommands()
        .flat_map(|inner| verbs(&[words, &[inner.get_name().to_string()]].concat(), inner));
    let own = Writer { words: words.to_vec(), command: command.clone() };
    std::iter::once(own).chain(inner).collect()
}

fn all() -> Vec<Writer> {
    let mut command = Cli::command();
    command.build();
    verbs(&[], &command)
}

impl Writer {
    fn options(&self, is_of: fn(&clap::builder::ValueParser) -> bool) -> Vec<&Arg> {
        self.command.get_arguments().filter(|it| is_of(it.get_value_parser())).collect()
    }

    fn outputs(&self) -> Vec<&Arg> {
        self.options(OutputFile::is_of)
    }

    /// The call with what the verb requires: `read` for files, and the program's folder for the first name.
    fn call(&self, program: &Path, read: &Path) -> Vec<OsString> {
        let mut words: Vec<OsString> = vec!["lichen".into()];
        words.extend(self.words.iter().map(OsString::from));
        for argument in self.command.get_arguments().filter(|it| it.is_required_set()) {
            words.extend(argument.get_long().map(|name| format!("--{name}").into()));
            words.push(match argument.get_value_parser() {
                parser if InputFile::is_of(parser) => read.into(),
                _ if argument.is_positional() => program.into(),
                _ => "main".into(),
            });
        }
        words
    }

    /// Whether the verb takes a program.
    fn takes_program(&self) -> bool {
        let mut positionals = self.command.get_positionals();
        positionals.any(|it| it.is_required_set() && !InputFile::is_of(it.get_value_parser()))
    }
}

fn option(argument: &Arg) -> OsString {
    format!("--{}", argument.get_long().expect("an option")).into()
}

/// A program, a recording, and a file that git tracks.
struct Place {
    _folder: tempfile::TempDir,
    program: PathBuf,
    read: PathBuf,
    tracked: PathBuf,
}

impl Place {
    fn new() -> Place {
        let folder = tempfile::tempdir().expect("a folder");
        let tree = Tree::around(Path::new(env!("CARGO_MANIFEST_DIR"))).expect("a tree");
        let program = folder.path().join("lamp");
        template::create(&tree, &program, None, Kind::Blink).expect("a program");
        std::fs::create_dir(program.join("src")).expect("made");
        std::fs::write(program.join("src/lamp.h"), "int lamp;\n").expect("written");
        let read = folder.path().join("read");
        std::fs::write(&read, "1 read\n").expect("written");
        let tracked = folder.path().join("notes");
        std::fs::write(&tracked, "tracked\n").expect("written");
        for arguments in [&["init", "-q"][..], &["add", "notes"]] {
            let mut git = std::process::Command::new("git");
            let status = git.args(arguments).current_dir(&folder).status();
            assert!(status.expect("git").success());
        }
        Place { _folder: folder, program, read, tracked }
    }

    /// `file`, and links of both kinds to it.
    fn names(&self, file: &Path) -> [PathBuf; 3] {
        let beside = |name: &str| {
            let link = self.read.with_file_name(name);
            let _ = std::fs::remove_file(&link);
            link
        };
        let (hard, soft) = (beside("hard"), beside("soft"));
        std::fs::hard_link(file, &hard).expect("linked");
        std::os::unix::fs::symlink(file, &soft).expect("linked");
        [file.to_path_buf(), hard, soft]
    }
}

fn called(words: &[OsString]) -> Result<Code, Failure> {
    let Parsed { cli, files, given } = parse(words).expect("a call");
    call(&cli.verb, files?, given, &Screen::detect())
}

/// Asserts that a call is refused since it would overwrite a file, which stays.
#[track_caller]
fn refused(words: &[OsString], kept: &Path) {
    let before = std::fs::read(kept).ok();
    let failure = called(words).expect_err(&format!("{words:?} is refused"));
    assert_eq!(failure.code, Code::Wrong, "{words:?}: {failure:?}");
    assert!(failure.message.contains(" would overwrite "), "{words:?}: {failure:?}");
    assert_eq!(std::fs::read(kept).ok(), before, "{words:?}");
}

#[test]
fn no_verb_overwrites_a_source_of_its_program() {
    let place = Place::new();
    let sources = ["main.c", "lichen.toml", "CMakeLists.txt", "test/blinks.toml", "src/lamp.h"];
    let mut tried = 0;
    for verb in all().iter().filter(|verb| verb.takes_program()) {
        for output in verb.outputs() {
            for source in sources.map(|name| place.program.join(name)) {
                for name in place.names(&source) {
                    let given = verb.call(&place.program, &place.read);
                    refused(&[&given[..], &[option(output), name.into()]].concat(), &source);
                    tried += 1;
                }
            }
        }
    }
    assert!(tried >= 150, "run, trace and profile at least: {tried}");
}

#[test]
fn no_verb_overwrites_a_file_that_it_reads() {
    let place = Place::new();
    let mut tried = 0;
    for verb in all() {
        for (output, input) in verb.outputs().iter().flat_map(|output| {
            verb.options(InputFile::is_of).into_iter().map(move |input| (output, input))
        }) {
            for name in place.names(&place.read) {
                let mut given = verb.call(&place.program, &place.read);
                if !input.is_required_set() {
                    given.extend([option(input), place.read.clone().into()]);
                }
                given.extend([option(output), name.into()]);
                refused(&given, &place.read);
                tried += 1;
            }
        }
    }
    assert!(tried >= 60, "--input, --load and recordings: {tried}");
}

#[test]
fn no_verb_writes_two_outputs_to_one_file() {
    let place = Place::new();
    let file = place.read.with_file_name("both");
    let mut tried = 0;
    for verb in all() {
        for one in verb.outputs() {
            for other in verb.outputs().into_iter().filter(|other| other.get_id() != one.get_id()) {
                let mut given = verb.call(&place.program, &place.read);
                given.extend([
                    option(one),
                    file.clone().into(),
                    option(other),
                    file.clone().into(),
                ]);
                refused(&given, &file);
                tried += 1;
            }
        }
    }
    assert!(tried >= 60, "those of run with each other: {tried}");
}

#[test]
fn what_git_tracks_is_overwritten_only_by_force() {
    let place = Place::new();
    let mut tried = 0;
    for verb in all() {
        for output in verb.outputs() {
            for name in place.names(&place.tracked) {
                let mut given = verb.call(&place.program, &place.read);
                given.extend([option(output), name.into()]);
                refused(&given, &place.tracked);
                given.push("--force".into());
                let Parsed { files, .. } = parse(&given).expect("a call");
                assert!(files.is_ok(), "{given:?}");
                tried += 1;
            }
        }
    }
    assert!(tried >= 30, "run, trace and profile at least: {tried}");
}

#[test]
fn an_option_that_names_a_file_says_whether_it_is_read_or_written() {
    for verb in all() {
        for argument in verb.command.get_arguments() {
            let is_plain = argument.get_value_parser().type_id() == TypeId::of::<PathBuf>();
            assert!(
                !is_plain,
                "{:?} {}: see lichen_terminal::files",
                verb.words,
                argument.get_id()
            );
        }
    }
}
