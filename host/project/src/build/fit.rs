// SPDX-License-Identifier: MIT OR Apache-2.0
//! Gives each program the kernel's stack that it needs: its image is examined and linked again.
//!
//! The size is handed to the linker in a file that `os/lichen.cmake` has it look for, and that is there
//! during that link alone: whoever builds the folder in another way gets the size that is safe for all.

use super::{BuildError, Progress, compile, system};
use crate::stack::KernelStack;
use lichen_image::Image;
use std::path::{Path, PathBuf};

/// Links those programs in `folder` again whose stack is not what they need.
pub(super) fn stacks(folder: &Path, progress: &mut dyn FnMut(Progress)) -> Result<(), BuildError> {
    let computed = folder.join("computed");
    let mut programs = Vec::new();
    for elf in images(folder) {
        let Some(name) = elf.file_stem().map(|name| name.to_string_lossy().into_owned()) else {
            continue;
        };
        let Some(bytes) = fitting(&elf) else { continue };
        state(&computed.join(&name), bytes)?;
        let removed = std::fs::remove_file(&elf);
        removed.map_err(|source| system("cannot remove the image", &elf, source))?;
        programs.push(format!("{name}.elf"));
    }
    if programs.is_empty() {
        return Ok(());
    }
    let names: Vec<&str> = programs.iter().map(String::as_str).collect();
    let linked = compile(folder, &names, progress);
    let removed = std::fs::remove_dir_all(&computed);
    removed.map_err(|source| system("cannot remove the computed sizes", &computed, source))?;
    linked
}

/// The images of a build folder, sorted.
fn images(folder: &Path) -> Vec<PathBuf> {
    let entries = crate::tree::list(folder).unwrap_or_default();
    entries.into_iter().filter(|file| file.extension().is_some_and(|e| e == "elf")).collect()
}

/// What the image's stack should have instead of what it has.
fn fitting(elf: &Path) -> Option<u32> {
    KernelStack::of(&Image::load(elf).ok()?)?.fitting()
}

fn state(folder: &Path, bytes: u32) -> Result<(), BuildError> {
    let file = folder.join("kernel_stack.ld");
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&file, format!("KERNEL_STACK = {bytes};\n")))
        .map_err(|source| system("cannot write the computed size", &file, source))
}
