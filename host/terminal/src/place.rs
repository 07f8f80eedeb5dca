// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where the command was called: the source tree and the caller's folder.

use crate::failure::Failure;
use lichen_project::{Tree, TreeError};
use rustix::fs::{Access, access};
use std::path::{Path, PathBuf};

/// Where the command was called.
pub struct Here {
    /// The source tree.
    pub tree: Tree,
    /// The caller's folder, to which paths on the command line are relative.
    pub folder: PathBuf,
}

impl Here {
    /// The tree that the launcher names in LICHEN_ROOT; without it, the one around the caller's folder
    /// or around this program.
    pub fn find() -> Result<Here, Failure> {
        let folder = std::env::current_dir()
            .map_err(|error| Failure::wrong(format!("the current folder is gone: {error}")))?;
        let tree = match std::env::var_os("LICHEN_ROOT") {
            Some(root) => Tree::at(PathBuf::from(root))?,
            None => Tree::around(&folder).or_else(|error| around_program().ok_or(error))?,
        };
        Ok(Here { tree: with_place_for_builds(tree), folder })
    }

    /// `path` of the command line, made absolute.
    pub fn path(&self, path: &Path) -> PathBuf {
        self.folder.join(path)
    }
}

/// The tree, with builds in a cache of the user's if the user cannot write in it and has one.
fn with_place_for_builds(tree: Tree) -> Tree {
    let built = if tree.built().exists() { tree.built() } else { tree.root() };
    match cache().filter(|_| access(built, Access::WRITE_OK).is_err()) {
        Some(cache) => tree.built_below(&cache.join("lichen")),
        None => tree,
    }
}

/// The folder for what programs can make anew, by the XDG Base Directory Specification: paths in it are absolute.
fn cache() -> Option<PathBuf> {
    let absolute =
        |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))
}

fn around_program() -> Option<Tree> {
    let program = std::env::current_exe().ok()?;
    Tree::around(&program).ok()
}

impl From<TreeError> for Failure {
    fn from(error: TreeError) -> Failure {
        Failure::wrong_input(&error)
    }
}
