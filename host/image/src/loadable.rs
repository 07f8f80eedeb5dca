// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ELF of a program that is loaded: it is linked at nominal addresses, and its blocks are elsewhere on a mote.

use crate::elf::File;
use crate::{Error, Image, moved, relocations};
use object::{Object, ObjectSection, SectionFlags, elf};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Sections of the link, in the order of the flash block (`os/arch/*/program.ld`).
const FLASH: [&str; 3] = [".tables", ".constants", ".code"];
/// Folders below that of a board in which there may be programs.
const DEEPEST: usize = 5;
/// How the names of such files end.
const ENDING: &str = ".loaded.elf";

/// A program that can be loaded.
#[derive(Debug)]
pub struct Loadable {
    /// Its ELF, at nominal addresses.
    pub image: Image,
    /// The ELF's file.
    pub path: PathBuf,
    /// The first address of constants and code.
    pub flash: u32,
    /// How many of its sections have addresses, those without bytes included.
    pub allocated: usize,
    fields: BTreeSet<u32>,
    bytes: Vec<u8>,
}

impl Loadable {
    /// Reads the ELF at `path`.
    pub fn load(path: &Path) -> Result<Loadable, Error> {
        let bytes = std::fs::read(path)
            .map_err(|source| Error::Read { path: path.to_path_buf(), source })?;
        let image = Image::parse(&path.display().to_string(), bytes.clone())?;
        let file = File::parse(&*bytes).ok();
        let fields = file.as_ref().map(relocations::places).unwrap_or_default();
        let allocated = file.map_or(0, |file| file.sections().filter(is_allocated).count());
        let of_flash = image.sections().iter().filter(|it| FLASH.contains(&it.name.as_str()));
        let flash = of_flash.map(|section| section.address).min().unwrap_or(0);
        let path = path.to_path_buf();
        Ok(Loadable { image, path, flash, allocated, fields, bytes })
    }

    /// Whether `linked`, constants and code as they are on a mote, is this program: it is the same but for what a linker sets.
    pub fn is(&self, constants_bytes: u16, linked: &[u8]) -> bool {
        let mut code = self.image.sections().iter().filter(|section| section.name == ".code");
        let Some(code) = code.next() else { return false };
        let end = code.address + code.size;
        let bytes = (end - self.flash).next_multiple_of(2) as usize;
        code.address - self.flash == u32::from(constants_bytes)
            && linked.len() == bytes
            && (self.flash..end).all(|at| {
                let own = self.image.bytes_at(at, 1).map_or(0, |byte| byte[0]);
                self.fields.contains(&at) || own == linked[(at - self.flash) as usize]
            })
    }

    /// The ELF with its sections moved; `delta` says by how much, given the address of one.
    pub fn moved(&self, delta: impl Fn(u32) -> u32) -> Vec<u8> {
        moved::moved(&self.bytes, delta)
    }

    /// Files below `folder` that may be the ELF of a program called `name`, the newest first.
    pub fn files(folder: &Path, name: &str) -> Vec<PathBuf> {
        let mut found = Vec::new();
        look(folder, name, DEEPEST, &mut found);
        found.sort_by(|a, b| b.cmp(a));
        found.into_iter().map(|(_, path)| path).collect()
    }
}

fn is_allocated<'data>(section: &impl ObjectSection<'data>) -> bool {
    let SectionFlags::Elf { sh_flags } = section.flags() else { return false };
    sh_flags & u64::from(elf::SHF_ALLOC) != 0
}

fn look(folder: &Path, name: &str, depth: usize, found: &mut Vec<(SystemTime, PathBuf)>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let (file, path) = (entry.file_name(), entry.path());
        let file = file.to_string_lossy();
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_folder && depth > 0 && file != "CMakeFiles" {
            look(&path, name, depth - 1, found);
        } else if !is_folder && file.strip_suffix(ENDING).is_some_and(|it| is_of(it, name)) {
            let written = entry.metadata().and_then(|file| file.modified());
            found.push((written.unwrap_or(SystemTime::UNIX_EPOCH), path));
        }
    }
}

/// Whether a file is the program's, or what was kept of a version of it: `sense`, `sense-2`.
fn is_of(file: &str, name: &str) -> bool {
    let Some(rest) = file.strip_prefix(name) else { return false };
    let version = rest.strip_prefix('-').map(str::parse::<u16>);
    rest.is_empty() || matches!(version, Some(Ok(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_a_program_are_files_of_their_own() {
        assert!(is_of("sense", "sense") && is_of("sense-12", "sense"));
        assert!(!is_of("sense2", "sense") && !is_of("sense-x", "sense") && !is_of("no", "sense"));
    }
}
