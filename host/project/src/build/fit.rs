// SPDX-License-Identifier: MIT OR Apache-2.0
//! Fits each program with what can be computed from its image alone, by linking it again: the kernel's
//! stack that it needs, and no time slices if its threads are never equals.
//!
//! What is computed is handed to the linker in a file that `os/lichen.cmake` has it look for, and that is
//! there during that link alone: whoever builds the folder in another way gets what is safe for all.
//! If a build was ended during that link, the next one takes away what it left.

use super::{BuildError, Progress, compile, system, targets};
use crate::equals;
use crate::stack::KernelStack;
use lichen_image::Image;
use std::path::{Path, PathBuf};

/// The first link leaves out slices, and with them code that needed stack; the second one fits the stack.
const LINKS: usize = 2;

/// Links those programs in `folder` again that are not what they could be.
pub(super) fn programs(
    folder: &Path,
    progress: &mut dyn FnMut(Progress),
) -> Result<(), BuildError> {
    for _ in 0..LINKS {
        let mut programs = Vec::new();
        for elf in images(folder)? {
            let Some(name) = elf.file_stem().map(|name| name.to_string_lossy().into_owned()) else {
                continue;
            };
            let Some(script) = script(&elf) else { continue };
            state(&computed(folder).join(&name), &script)?;
            remove_image(&elf)?;
            programs.push(format!("{name}.elf"));
        }
        if programs.is_empty() {
            break;
        }
        let names: Vec<&str> = programs.iter().map(String::as_str).collect();
        let linked = compile(folder, &names, progress);
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
    for program in crate::tree::list(&computed(folder)).unwrap_or_default() {
        let Some(name) = program.file_name() else { continue };
        let elf = folder.join(format!("{}.elf", name.to_string_lossy()));
        if elf.exists() {
            remove_image(&elf)?;
        }
    }
    forget(folder)
}

/// Where the linker looks for what was computed, in a folder for each program.
fn computed(folder: &Path) -> PathBuf {
    folder.join("computed")
}

fn forget(folder: &Path) -> Result<(), BuildError> {
    let computed = computed(folder);
    std::fs::remove_dir_all(&computed)
        .map_err(|source| system("cannot remove what was computed", &computed, source))
}

fn remove_image(elf: &Path) -> Result<(), BuildError> {
    std::fs::remove_file(elf).map_err(|source| system("cannot remove the image", elf, source))
}

/// The images that can be linked in a build folder: not those of programs that it no longer has, nor copies.
fn images(folder: &Path) -> Result<Vec<PathBuf>, BuildError> {
    let rules = super::rules(folder)?;
    let mut images: Vec<PathBuf> =
        targets(&rules).into_iter().map(|name| folder.join(format!("{name}.elf"))).collect();
    images.sort();
    Ok(images)
}

/// What the linker is told of the program of an image (`os/kernel/computed.ld`); `None` if it need not be
/// linked again.
fn script(elf: &Path) -> Option<String> {
    let image = Image::load(elf).ok()?;
    let stack = KernelStack::of(&image)?;
    let has = |name| image.symbols().find(name).is_some();
    let distinct = has("slice_begin") && !equals::possible(&image);
    if stack.fitting().is_none() && !(distinct && has("kernel_slice")) {
        return None;
    }
    let bytes = stack.fitting().unwrap_or(stack.bytes);
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
