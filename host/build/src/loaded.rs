// SPDX-License-Identifier: MIT OR Apache-2.0
//! The link of a program that is loaded, which the packer makes a container of.

use super::headers::Headers;
use super::{BuildError, Progress, compile, find_tools, in_folder};
use crate::archive::Archive;
use lichen_project::{Source, Tree};
use std::path::PathBuf;

/// What a build for loading has written.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The build folder.
    pub folder: PathBuf,
    /// The program with all its relocations (`os/load/load.cmake`).
    pub elf: PathBuf,
}

/// Builds `source`, whose manifest says that it can be loaded, for motes of `board`.
pub fn build_loaded(
    tree: &Tree,
    source: &Source,
    board: &str,
    progress: &mut dyn FnMut(Progress),
) -> Result<Loaded, BuildError> {
    find_tools(tree, board)?;
    let folder = tree.build_folder(board, &source.label);
    let shared = format!("-DLICHEN_SYSTEM={}", Archive::usual(tree, board).folder.display());
    let root = format!("-DLICHEN_ROOT={}", tree.root().display());
    let settings = [&shared, &root, "-DLICHEN_DEBUG=OFF"].map(|setting: &str| setting);
    let target = format!("{}.loaded", source.name);
    in_folder(&source.folder, board, &folder, &settings, &mut || {
        compile(&folder, &[&target], progress)
    })
    .map_err(|error| error.in_plain_words(&Headers::read(tree.root())))?;
    Ok(Loaded { elf: folder.join(format!("{target}.elf")), folder })
}
