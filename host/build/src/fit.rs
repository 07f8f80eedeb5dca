// SPDX-License-Identifier: MIT OR Apache-2.0
//! Fits each program with what can be computed from its image alone, by linking it again: the kernel's
//! stack that it needs, and no time slices if its threads are never equals.
//!
//! What is computed is handed to the linker in a file that `os/lichen.cmake` has it look for, and that is
//! there during that link alone: whoever builds the folder in another way gets what is safe for all.
//! If a build was ended during that link, the next one takes away what it left.

use super::{BuildError, Progress, again, compile, system, targets};
use crate::equals;
use crate::stack::KernelStack;
use lichen_image::Image;
use lichen_parallel::in_parallel;
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Bytes of the kernel's stack in a link that only serves to compute how many it needs.
const PROVISIONAL: u32 = 64;

/// The linker's name of the size that is right for any program (`os/kernel/computed.ld`).
const RIGHT_FOR_ALL: &str = "arch_kernel_stack";

/// The first link leaves out slices, and with them code that needed stack; the second one fits the stack.
const LINKS: usize = 2;

/// Builds programs in `folder`, each fitted: those that are named by the paths of their images without the ending, or all
/// if none is.
pub(super) fn build(
    folder: &Path,
    names: &[String],
    progress: &mut dyn FnMut(Progress),
) -> Result<(), BuildError> {
    // CMake may be called first, and have other programs then. What else a folder builds by default is built, too.
    let first = if names.is_empty() { &[][..] } else { &["build.ninja"] };
    match compile(folder, first, progress) {
        Err(error) if !error.is_of_full_ram() => return Err(error),
        _ => {}
    }
    let rules = super::rules(folder)?;
    let names = images(&rules, names);
    let twice = linked_twice(&rules, &names);
    if !twice.is_empty() {
        let ordinary: Vec<String> = twice.iter().map(|name| again::ordinary(name)).collect();
        fitted(folder, &ordinary, Fit::Members, progress)?;
        again::prepare(folder, &twice, progress)?;
    }
    fitted(folder, &names, Fit::All, progress)
}

/// What is computed of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fit {
    /// All that can be.
    All,
    /// What decides which files it has of the system.
    Members,
}

/// Links the programs `names`, each fitted. If one does not fit RAM with the stack that is right for
/// any program, all are linked with a small one first, and then with what they need.
fn fitted(
    folder: &Path,
    names: &[String],
    fit: Fit,
    progress: &mut dyn FnMut(Progress),
) -> Result<(), BuildError> {
    let full = match link(folder, names, progress) {
        Err(error) if error.is_of_full_ram() => error,
        compiled => {
            compiled?;
            return programs(folder, names, fit, progress);
        }
    };
    let script = format!("KERNEL_STACK = DEFINED(KERNEL_STACK) ? KERNEL_STACK : {PROVISIONAL};\n");
    names.iter().try_for_each(|name| state(&computed(folder).join(name), &script))?;
    let linked = link(folder, names, progress);
    forget(folder)?;
    if linked.is_err() {
        return Err(full);
    }
    programs(folder, names, fit, progress)
}

/// Links programs of `folder`.
fn link(
    folder: &Path,
    names: &[String],
    progress: &mut dyn FnMut(Progress),
) -> Result<(), BuildError> {
    let targets: Vec<String> = names.iter().map(|name| format!("{name}.elf")).collect();
    let targets: Vec<&str> = targets.iter().map(String::as_str).collect();
    compile(folder, &targets, progress)
}

fn elf(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.elf"))
}

/// Whether this is still the stack with which nothing can run, since what is needed cannot be computed.
fn is_provisional(stack: &KernelStack) -> bool {
    !stack.stated && stack.need.is_err() && stack.bytes <= PROVISIONAL
}

/// Links those programs in `folder` again that are not what they could be.
fn programs(
    folder: &Path,
    names: &[String],
    fit: Fit,
    progress: &mut dyn FnMut(Progress),
) -> Result<(), BuildError> {
    let program = std::env::current_exe().ok().and_then(|file| date(&file));
    for _ in 0..LINKS {
        let mut names = names.to_vec();
        names.retain(|name| !is_fitted(&elf(folder, name), fit, program));
        let mut programs = Vec::new();
        for (name, script) in names.iter().zip(scripts(folder, &names, fit)) {
            let Some(script) = script else {
                note_fitted(&elf(folder, name), fit);
                continue;
            };
            state(&computed(folder).join(name), &script)?;
            remove_image(&elf(folder, name))?;
            programs.push(name.clone());
        }
        if programs.is_empty() {
            break;
        }
        let linked = link(folder, &programs, progress);
        forget(folder)?;
        linked?;
    }
    Ok(())
}

/// Takes away what a build left that was ended while it linked again: what it had computed, which may not
/// hold for the present source, and the images that it was writing.
pub(super) fn recover(folder: &Path) -> Result<(), BuildError> {
    if !computed(folder).exists() {
        return Ok(());
    }
    remove_images(folder, &computed(folder))?;
    forget(folder)
}

/// Removes the images for which `below` has what was computed.
fn remove_images(folder: &Path, below: &Path) -> Result<(), BuildError> {
    for program in lichen_project::tree::list(below).unwrap_or_default() {
        let name = program.strip_prefix(computed(folder)).unwrap_or(&program);
        let elf = elf(folder, &name.to_string_lossy());
        if elf.exists() {
            remove_image(&elf)?;
        }
        remove_images(folder, &program)?;
    }
    Ok(())
}

/// Where the linker looks for what was computed, in a folder for each program.
fn computed(folder: &Path) -> PathBuf {
    folder.join("computed")
}

/// The file that says that an image is fitted, if it is younger than the image.
fn note_of(elf: &Path, fit: Fit) -> PathBuf {
    elf.with_extension(if fit == Fit::All { "fitted" } else { "members" })
}

/// Whether an image was found to be fitted since it was linked, and since the date of `program`, which finds that out.
fn is_fitted(elf: &Path, fit: Fit, program: Option<SystemTime>) -> bool {
    let noted = date(&note_of(elf, fit));
    noted.is_some() && program.is_some() && noted > date(elf) && noted > program
}

/// When a file was written, if it is there.
fn date(file: &Path) -> Option<SystemTime> {
    file.metadata().and_then(|file| file.modified()).ok()
}

/// Notes that an image is fitted. If that cannot be written, the next build looks again.
fn note_fitted(elf: &Path, fit: Fit) {
    let _ = std::fs::write(note_of(elf, fit), "");
}

fn forget(folder: &Path) -> Result<(), BuildError> {
    let computed = computed(folder);
    std::fs::remove_dir_all(&computed)
        .map_err(|source| system("cannot remove what was computed", &computed, source))
}

fn remove_image(elf: &Path) -> Result<(), BuildError> {
    std::fs::remove_file(elf).map_err(|source| system("cannot remove the image", elf, source))
}

/// The programs `names`, or if there are none, all that can be linked in a build folder with these rules: not those that it
/// no longer has, nor copies of images.
fn images(rules: &str, names: &[String]) -> Vec<String> {
    if !names.is_empty() {
        // What is linked once has one image.
        let is_there = |name: &str| rules.contains(&format!("\nbuild {name}.elf "));
        let image = |name: &String| match is_there(name) {
            true => name.clone(),
            false => again::program(name).to_string(),
        };
        return names.iter().map(image).collect();
    }
    let mut images: Vec<String> = targets(rules).into_iter().map(str::to_string).collect();
    images.sort();
    images
}

/// Those of the programs `names` that the rules link in the ordinary way first.
fn linked_twice(rules: &str, names: &[String]) -> Vec<String> {
    let is_rule =
        |name: &&String| rules.contains(&format!("\nbuild {}.elf ", again::ordinary(name)));
    names.iter().filter(is_rule).cloned().collect()
}

/// What the linker is told of each of the programs `names`, found on all processors.
fn scripts(folder: &Path, names: &[String], fit: Fit) -> Vec<Option<String>> {
    let tool = || Ok::<_, Infallible>(());
    let work = |_: &mut (), number: usize| script(&elf(folder, &names[number]), fit);
    match in_parallel(names.len(), tool, work, &mut |_| {}) {
        Ok(scripts) => scripts,
        Err(never) => match never {},
    }
}

/// What the linker is told of the program of an image (`os/kernel/computed.ld`); `None` if it need not be
/// linked again.
fn script(elf: &Path, fit: Fit) -> Option<String> {
    let image = Image::load(elf).ok()?;
    let stack = match fit {
        Fit::All => Some(KernelStack::of(&image)?),
        Fit::Members => None,
    };
    let has = |name| image.symbols().find(name).is_some();
    // What was linked for distinct threads may have nothing left that begins slices.
    // Programs that are loaded bring threads of any priority.
    let may_be = (has("slice_begin") || has("threads_are_distinct")) && !has("program_run");
    let distinct = may_be && !equals::possible(&image);
    let fitting = stack.as_ref().and_then(KernelStack::fitting);
    let provisional = stack.as_ref().is_some_and(is_provisional);
    if fitting.is_none() && !provisional && !(distinct && has("kernel_slice")) {
        return None;
    }
    let bytes = match fitting.or(KernelStack::size_of(&image)) {
        Some(bytes) if !provisional => bytes.to_string(),
        _ => RIGHT_FOR_ALL.to_string(),
    };
    let mut script = format!("KERNEL_STACK = DEFINED(KERNEL_STACK) ? KERNEL_STACK : {bytes};\n");
    if distinct {
        script.push_str("EXTERN(threads_are_distinct)\n");
    }
    Some(script)
}

fn state(folder: &Path, script: &str) -> Result<(), BuildError> {
    let file = folder.join("computed.ld");
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&file, script))
        .map_err(|source| system("cannot write what was computed", &file, source))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::messages;
    use lichen_stack::{Unknown, Why};
    use std::fs;
    use std::time::Duration;

    #[test]
    fn an_image_is_fitted_until_it_is_linked_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let elf = folder.path().join("one.elf");
        let elf_file = fs::File::create(&elf).expect("written");
        let (now, second) = (SystemTime::now(), Duration::from_secs(1));
        elf_file.set_modified(now - second).expect("dated");
        let is_fitted = |program| is_fitted(&elf, Fit::All, Some(program));
        assert!(!is_fitted(now - second), "nobody has looked");
        note_fitted(&elf, Fit::All);
        assert!(is_fitted(now - second));
        assert!(!is_fitted(now + second), "by another program");
        elf_file.set_modified(now + second).expect("dated");
        assert!(!is_fitted(now - second), "linked since");
    }

    fn failed(output: &str) -> BuildError {
        let messages = messages(output, Path::new("app/blink"));
        BuildError::Failed { step: "building", messages, output: output.to_string() }
    }

    #[test]
    fn only_full_ram_is_linked_again_with_a_small_stack() {
        let full =
            |region: &str| failed(&format!("ld: region `{region}' overflowed by 12 bytes\n"));
        assert!(full("ram").is_of_full_ram());
        assert!(!full("flash").is_of_full_ram());
        assert!(!failed("main.c:1:1: error: no ram\n").is_of_full_ram());
    }

    #[test]
    fn a_small_stack_stays_only_where_it_is_stated_or_computed() {
        let unknown = Unknown { function: "odd".into(), why: Why::Growing, place: None };
        let left = KernelStack { bytes: PROVISIONAL, stated: false, need: Err(unknown) };
        assert!(is_provisional(&left));
        assert!(!is_provisional(&KernelStack { stated: true, ..left.clone() }));
        assert!(!is_provisional(&KernelStack { bytes: 1024, ..left.clone() }));
        let file = format!("{}/../stack/tests/data/direct.elf", env!("CARGO_MANIFEST_DIR"));
        let need = lichen_stack::main_stack(&Image::load(file.as_ref()).expect("an image"));
        assert!(need.is_ok());
        assert!(!is_provisional(&KernelStack { need, ..left }));
    }

    #[test]
    fn what_an_ended_build_left_is_taken_away() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        recover(folder.path()).expect("nothing is there");
        fs::create_dir(at("test")).expect("a folder");
        for image in ["blink.elf", "hello.elf", "test/mutex.elf"] {
            fs::write(at(image), "").expect("written");
        }
        for program in ["blink", "gone", "test/mutex"] {
            state(&computed(folder.path()).join(program), "KERNEL_STACK = 64;").expect("written");
        }
        recover(folder.path()).expect("taken away");
        assert!(!computed(folder.path()).exists());
        let left = ["blink.elf", "hello.elf", "test/mutex.elf"].map(|image| at(image).exists());
        assert_eq!(left, [false, true, false]);
    }

    #[test]
    fn images_are_those_that_ninja_links() {
        let rules = "build two.elf two.bin | two.map: LINK two.o\nbuild two.o: C two.c\n\
                     build one.elf one.bin | one.map: LINK relinked/one.o\n\
                     build once/one.elf once/one.bin | once/one.map: LINK one.o\n";
        assert_eq!(images(rules, &[]), ["one", "two"]);
        assert_eq!(linked_twice(rules, &images(rules, &[])), ["one"]);
        let named = ["test/mutex".to_string()];
        assert_eq!(images(rules, &named), named);
    }
}
