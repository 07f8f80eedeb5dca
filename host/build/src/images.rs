// SPDX-License-Identifier: MIT OR Apache-2.0
//! The programs of the tree's own tests and benches, and its examples where tests run them: one build folder for each
//! board has them all (`test/CMakeLists.txt`), so CMake runs once, and one call of Ninja builds any number of them.

use super::again;
use super::archive::Archive;
use super::clash::Built;
use super::headers::Headers;
use super::{
    Artifacts, BuildError, Message, Progress, compile, failure, find_tools, fit, in_folder, ninja,
    output_of_failed, without_clashes,
};
use lichen_project::{Source, Tree};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The file of the build folder that says which programs there are, and which archive each is linked with.
const PROGRAMS: &str = "programs";

/// The images that this process has built.
static BUILT: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Whether `source` is a program of the tree without a `CMakeLists.txt` of its own.
pub(super) fn has_row(tree: &Tree, source: &Source) -> bool {
    let is_room = |room: &str| source.folder.starts_with(tree.path(room));
    (is_room("test") || is_room("bench")) && !source.folder.join("CMakeLists.txt").is_file()
}

/// Whether the folder of all programs has `source`.
fn has(tree: &Tree, source: &Source) -> bool {
    let is_example = source.folder.parent() == Some(&tree.path("app"));
    is_example || has_row(tree, source)
}

/// Builds `source` among the programs of the tree if it is one of these, and otherwise by itself. Programs of the tree are
/// tested as their ordinary link makes them.
pub fn build_for_test(
    tree: &Tree,
    source: &Source,
    board: &str,
    progress: &mut dyn FnMut(Progress),
) -> Result<Artifacts, BuildError> {
    match has(tree, source) {
        true => build_image(tree, source, &again::ordinary(&name(tree, source)), board, progress),
        false => super::build(tree, source, board, progress),
    }
}

/// Builds `source` as it is used: after its second link, if it has one.
pub fn build_for_use(
    tree: &Tree,
    source: &Source,
    board: &str,
    progress: &mut dyn FnMut(Progress),
) -> Result<Artifacts, BuildError> {
    match has(tree, source) {
        true => build(tree, source, board, progress),
        false => super::build(tree, source, board, progress),
    }
}

/// Builds those of `sources` that are programs of the tree, on all processors: [`build_for_test`] finds them built. If one
/// does not build, that is told when it is asked for.
pub fn build_ahead(
    tree: &Tree,
    sources: &[Source],
    board: &str,
    progress: &mut dyn FnMut(Progress),
) {
    let names = sources.iter().filter(|source| !source.debug && has(tree, source));
    let names: Vec<String> = names.map(|it| again::ordinary(&name(tree, it))).collect();
    if !names.is_empty() {
        let _ = build_names(tree, &folder(tree, board, false), &names, board, progress);
    }
}

/// Builds a program of the tree.
pub(super) fn build(
    tree: &Tree,
    source: &Source,
    board: &str,
    progress: &mut dyn FnMut(Progress),
) -> Result<Artifacts, BuildError> {
    build_image(tree, source, &name(tree, source), board, progress)
}

fn build_image(
    tree: &Tree,
    source: &Source,
    name: &str,
    board: &str,
    progress: &mut dyn FnMut(Progress),
) -> Result<Artifacts, BuildError> {
    let folder = folder(tree, board, source.debug);
    if !built().contains(&folder.join(name)) {
        build_names(tree, &folder, &[name.to_string()], board, progress)
            .map_err(|error| error.in_plain_words(&Headers::read(tree.root())))?;
    }
    Ok(artifacts(&folder, name))
}

/// The image `name`, or the program's only one if it is linked once.
fn artifacts(folder: &Path, name: &str) -> Artifacts {
    let linked = Linked::read(folder);
    let name = if linked.has(name) { name } else { again::program(name) };
    let ordinary = Some(again::ordinary(name)).filter(|ordinary| linked.has(ordinary));
    let image = folder.join(name);
    Artifacts {
        ordinary: ordinary.map(|ordinary| folder.join(format!("{ordinary}.elf"))),
        elf: image.with_extension("elf"),
        bin: image.with_extension("bin"),
        compile_commands: folder.join("compile_commands.json"),
        folder: image.parent().unwrap_or(folder).to_path_buf(),
    }
}

/// Links programs of one file each, on all processors and each for itself: what is built or refused of each, in the order of
/// their paths, which are those of the images without the ending. None is fitted.
pub fn build_each(
    tree: &Tree,
    names: &[String],
    board: &str,
    progress: &mut dyn FnMut(Progress),
) -> Result<Vec<Result<Artifacts, BuildError>>, BuildError> {
    let folder = folder(tree, board, false);
    let targets: Vec<String> = names.iter().map(|name| format!("{name}.elf")).collect();
    let targets: Vec<&str> = targets.iter().map(String::as_str).collect();
    let mut output = None;
    in_folder_of_tree(tree, &folder, board, &mut || {
        with_archives(tree, &folder, names, board, progress, &mut |progress| {
            output =
                output_of_failed(&mut ninja(&folder, &targets), "building", &folder, progress)?;
            Ok(())
        })
    })?;
    let output = output.unwrap_or_default();
    let headers = Headers::read(tree.root());
    let names_of = Names::read(tree, &folder);
    let each = |name: &String| {
        let built = match output_about(&output, name) {
            None => Ok(artifacts(&folder, name)),
            Some(output) => Err(failure("building", &folder, &output)),
        };
        without_clashes(built, || names_of.clashes(name))
            .map_err(|error| error.in_plain_words(&headers))
    };
    Ok(names.iter().map(each).collect())
}

/// What Ninja repeats of the steps that fail of the program `name`: its object in `CMakeFiles/….NAME.dir`, or its image.
fn output_about(output: &str, name: &str) -> Option<String> {
    let (_, last) = name.rsplit_once('/').unwrap_or(("", name));
    let (object, image) = (format!(".{last}.dir/"), format!("{name}.elf"));
    let is_about = |step: &&str| {
        let outputs = step.lines().next().unwrap_or_default();
        outputs.contains(&object) || outputs.split_whitespace().any(|word| word == image)
    };
    let steps = output.split("FAILED: ").skip(1).filter(is_about);
    let about: String = steps.map(|step| format!("FAILED: {step}")).collect();
    (!about.is_empty()).then_some(about)
}

/// The build folder of all programs for `board`.
pub(super) fn folder(tree: &Tree, board: &str, debug: bool) -> PathBuf {
    tree.build_folder(board, if debug { "tree+debug" } else { "tree" })
}

/// Path of the image below the build folder, without its ending.
fn name(tree: &Tree, source: &Source) -> String {
    let folder = source.folder.strip_prefix(tree.root()).unwrap_or(&source.folder);
    folder.join(&source.name).display().to_string()
}

fn built() -> std::sync::MutexGuard<'static, BTreeSet<PathBuf>> {
    BUILT.lock().unwrap_or_else(PoisonError::into_inner)
}

fn build_names(
    tree: &Tree,
    folder: &Path,
    names: &[String],
    board: &str,
    progress: &mut dyn FnMut(Progress),
) -> Result<(), BuildError> {
    in_folder_of_tree(tree, folder, board, &mut || {
        fit::recover(folder)?;
        with_archives(tree, folder, names, board, progress, &mut |progress| {
            without_clashes(fit::build(folder, names, progress), || {
                let names_of = Names::read(tree, folder);
                names.iter().flat_map(|name| names_of.clashes(name)).collect()
            })
        })
    })?;
    built().extend(names.iter().map(|name| folder.join(name)));
    Ok(())
}

/// Does `work` in the build folder of all programs.
fn in_folder_of_tree(
    tree: &Tree,
    folder: &Path,
    board: &str,
    work: &mut dyn FnMut() -> Result<(), BuildError>,
) -> Result<(), BuildError> {
    find_tools(tree, board)?;
    let shared = format!("-DLICHEN_SYSTEM={}", Archive::usual(tree, board).folder.display());
    let root = format!("-DLICHEN_ROOT={}", tree.root().display());
    let is_for_debugger = folder.ends_with("tree+debug");
    let debug = format!("-DLICHEN_DEBUG={}", if is_for_debugger { "ON" } else { "OFF" });
    let settings = [&shared, &root, &debug].map(String::as_str);
    in_folder(&tree.path("test"), board, folder, &settings, work)
}

/// Receives how far a build has come.
type OnProgress<'a> = &'a mut dyn FnMut(Progress);

/// Does `work` when the archives are built that the programs `names` are linked with.
fn with_archives(
    tree: &Tree,
    folder: &Path,
    names: &[String],
    board: &str,
    progress: &mut dyn FnMut(Progress),
    work: &mut dyn FnMut(OnProgress<'_>) -> Result<(), BuildError>,
) -> Result<(), BuildError> {
    loop {
        let found = archives(folder, names);
        let archives = match &found {
            Ok(archives) => archives.as_slice(),
            Err(_) => &[],
        };
        let ready = archives.iter().try_for_each(|archive| archive.build(tree, board, progress));
        let done = match (&found, ready) {
            (Ok(_), Ok(())) => work(progress),
            // The rows, or what is wrong in the archive, may have been changed since: CMake is called if so.
            (_, ready) => compile(folder, &["build.ninja"], progress).and(ready),
        };
        // Ninja calls CMake first if a row or a manifest has changed, and CMake may name another archive.
        let now = self::archives(folder, names);
        match (found, now) {
            (Ok(before), Ok(now)) if before == now => return done,
            (Err(before), Err(now)) if before == now => {
                done?;
                return Err(BuildError::NoProgram { name: now, board: board.to_string() });
            }
            _ => {}
        }
    }
}

/// The archives that the programs `names` are linked with, or the first program that is not there.
fn archives(folder: &Path, names: &[String]) -> Result<Vec<Archive>, String> {
    let linked = Linked::read(folder);
    let mut found = Vec::new();
    for name in names {
        if let Some(archive) = linked.archive(name)?
            && !found.contains(archive)
        {
            found.push(archive.clone());
        }
    }
    Ok(found)
}

/// What the programs of the build folder are linked with.
struct Linked {
    /// The file that says which program is linked with which archive.
    programs: String,
    archives: Vec<Archive>,
}

impl Linked {
    fn read(folder: &Path) -> Linked {
        let programs = std::fs::read_to_string(folder.join(PROGRAMS)).unwrap_or_default();
        Linked { programs, archives: Archive::all_of(folder) }
    }

    /// Whether an image has this name.
    fn has(&self, name: &str) -> bool {
        self.archive_of(name).is_some()
    }

    fn archive_of(&self, name: &str) -> Option<&str> {
        let of_program = |line| str::strip_prefix(line, name)?.strip_prefix(' ');
        self.programs.lines().find_map(of_program)
    }

    /// The archive of the program `name`, or its name if it is not there.
    fn archive(&self, name: &str) -> Result<Option<&Archive>, String> {
        let archive = self.archive_of(name).or_else(|| self.archive_of(again::program(name)));
        let archive = archive.ok_or_else(|| name.to_string())?;
        Ok(self.archives.iter().find(|known| known.is_called(archive)))
    }
}

/// The names that the programs of the build folder define, and those of their archives.
struct Names<'a> {
    built: Option<Built<'a>>,
    linked: Linked,
}

impl<'a> Names<'a> {
    fn read(tree: &'a Tree, folder: &'a Path) -> Names<'a> {
        Names { built: Built::read(tree.root(), folder), linked: Linked::read(folder) }
    }

    /// What is wrong with the names of the program `name`.
    fn clashes(&self, name: &str) -> Vec<Message> {
        let archive = self.linked.archive(name).ok().flatten();
        let of = self.built.as_ref().zip(archive);
        of.map(|(built, archive)| built.clashes_of(name, &archive.folder)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_output_of_several_programs_is_taken_apart() {
        let output = "FAILED: CMakeFiles/refused.one.dir/one.c.obj \ncc one.c\none.c:1: error: x\n\
                      FAILED: test/refused/two.elf test/refused/two.bin \ncc two.o\nld: y\n";
        let about = |name: &str| output_about(output, &format!("test/refused/{name}"));
        assert!(
            about("one").is_some_and(|said| said.ends_with("error: x\n") && !said.contains('y'))
        );
        assert!(about("two").is_some_and(|said| said.ends_with("ld: y\n") && !said.contains('x')));
        assert_eq!(about("on"), None);
    }

    #[test]
    fn programs_name_their_archives() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| {
            std::fs::write(folder.path().join(name), text).expect("written");
        };
        write("programs", "test/a/a lichen\ntest/b/b lichen+TICK-read\n");
        write("system_archive", "/s/hamilton\n\n\n/s/hamilton+TICK-read\n-DLICHEN_TICK=read\n\n");
        let names = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
        let count = |wanted: &[&str]| archives(folder.path(), &names(wanted)).map(|all| all.len());
        assert_eq!(count(&["test/a/a"]), Ok(1));
        assert_eq!(count(&["test/a/a", "test/b/b", "test/a/a"]), Ok(2));
        assert_eq!(count(&["test/a"]), Err("test/a".to_string()));
    }
}
