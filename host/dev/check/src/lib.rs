// SPDX-License-Identifier: MIT OR Apache-2.0
//! Checks of the source tree against the structural rules, which are data:
//! `test/structure/rules.toml`.

mod conditions;
mod crates;
mod documentation;
pub mod header;
mod includes;
pub mod interface;
mod licence;
mod names;
pub mod pins;
mod rules;
mod selection;
mod slots;
pub mod source;

pub use rules::Rules;

use lichen_project::{Explain, FileError, Place, Tree, TreeError};
use std::path::PathBuf;

/// A line of the tree that breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The line.
    pub place: Place,
    /// The rule it breaks.
    pub message: String,
    /// What to do about it.
    pub remedy: String,
}

/// Why a check cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// The rules, or a file in TOML, cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A folder cannot be listed.
    #[error(transparent)]
    Tree(#[from] TreeError),
}

impl Explain for CheckError {
    fn place(&self) -> Option<Place> {
        match self {
            CheckError::File(error) => error.place(),
            CheckError::Tree(error) => error.place(),
        }
    }

    fn remedy(&self) -> Option<String> {
        match self {
            CheckError::File(error) => error.remedy(),
            CheckError::Tree(error) => error.remedy(),
        }
    }
}

/// A check: its name and its function.
pub struct Check {
    /// Such as `include graph`.
    pub name: &'static str,
    /// Finds violations of the rule; paths in places are relative to the tree.
    pub run: fn(&Tree, &Rules) -> Result<Vec<Violation>, CheckError>,
}

/// All checks.
pub const CHECKS: &[Check] = &[
    Check { name: "include graph", run: includes::check },
    Check { name: "conditional compilation", run: conditions::check },
    Check { name: "documented public functions", run: documentation::check },
    Check { name: "slots of comments", run: slots::check },
    Check { name: "crate graph", run: crates::check_graph },
    Check {
        name: "libraries neither print, exit nor read the clock",
        run: crates::check_libraries,
    },
    Check { name: "licence lines", run: licence::check },
    Check { name: "one table selects code", run: selection::check },
    Check { name: "prefixes of names", run: names::check },
    Check { name: "calls of programs", run: interface::check },
];

/// Reads the rules of `tree`.
pub fn rules(tree: &Tree) -> Result<Rules, CheckError> {
    Ok(lichen_project::read_toml(&tree.path(RULES))?.0)
}

/// The file of the rules.
pub const RULES: &str = "test/structure/rules.toml";

/// Files below `folder` (relative to the tree) whose names have one of `endings`, sorted, as paths
/// relative to the tree; none if the folder is not there.
pub fn files(tree: &Tree, folder: &str, endings: &[&str]) -> Result<Vec<PathBuf>, TreeError> {
    let mut found = Vec::new();
    let mut folders = vec![tree.path(folder)];
    while let Some(folder) = folders.pop() {
        if !folder.is_dir() {
            continue;
        }
        for entry in lichen_project::tree::list(&folder)? {
            if entry.is_dir() {
                folders.push(entry);
            } else if entry.extension().is_some_and(|e| endings.iter().any(|wanted| e == *wanted)) {
                found.push(tree.shown(&entry).to_path_buf());
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The text of `file`, a path relative to the tree.
pub fn read(tree: &Tree, file: &std::path::Path) -> Result<String, CheckError> {
    let path = tree.path(file);
    std::fs::read(&path)
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .map_err(|source| FileError::Unreadable { file: path, source }.into())
}

#[cfg(test)]
mod tests {
    use lichen_project::Tree;
    use tempfile::TempDir;

    /// A tree with the given files, and the rules of the real one.
    pub fn tree(files: &[(&str, &str)]) -> (TempDir, Tree) {
        let folder = tempfile::tempdir().expect("a folder");
        let rules = (super::RULES, include_str!("../../../../test/structure/rules.toml"));
        let files = [&[rules], files].concat();
        let tree = Tree::of_files(folder.path(), &files).expect("a tree");
        (folder, tree)
    }

    /// What the check `name` finds in a tree with `files`: places and messages.
    pub fn violations(name: &str, files: &[(&str, &str)]) -> Vec<String> {
        let (_folder, tree) = tree(files);
        let rules = super::rules(&tree).expect("good rules");
        let check = super::CHECKS.iter().find(|check| check.name == name).expect("a check");
        let found = (check.run)(&tree, &rules).expect("made");
        found.iter().map(|v| format!("{}: {}", v.place, v.message)).collect()
    }
}
