// SPDX-License-Identifier: MIT OR Apache-2.0
//! A program: a folder with a manifest and sources.

use crate::tree::choose;
use crate::{Explain, FileError, Manifest, Place, Tree, TreeError};
use std::path::{Path, PathBuf};

/// A program that can be built.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its folder, absolute.
    pub folder: PathBuf,
    /// Its manifest.
    pub manifest: Manifest,
}

/// What to build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Folder with the program's `CMakeLists.txt`.
    pub folder: PathBuf,
    /// Name of its target.
    pub name: String,
    /// Path of its build folder below that of the board.
    pub label: String,
    /// Whether its own sources are compiled for a debugger. The system's are always the same.
    pub debug: bool,
}

impl Source {
    /// The same for a debugger, in a build folder of its own: names of programs have no `+`.
    pub fn for_debugger(self) -> Source {
        Source { label: format!("{}+debug", self.label), debug: true, ..self }
    }
}

/// Why a program cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ProgramError {
    /// No program has this name.
    #[error("there is no program `{name}`")]
    Unknown {
        /// The requested name.
        name: String,
        /// The known names.
        known: Vec<String>,
    },
    /// The folder has no manifest.
    #[error("{} is not a program: it has no lichen.toml", folder.display())]
    NoManifest {
        /// The folder.
        folder: PathBuf,
    },
    /// The folder has nothing that CMake could build.
    #[error("{} is not a program: it has no CMakeLists.txt", folder.display())]
    NoCMake {
        /// The folder.
        folder: PathBuf,
    },
    /// The program does not run on the board.
    #[error("`{name}` does not run on `{board}`")]
    OtherBoard {
        /// The program.
        name: String,
        /// The requested board.
        board: String,
        /// Its manifest.
        file: PathBuf,
        /// The boards it names.
        boards: Vec<String>,
    },
    /// The manifest has an error.
    #[error(transparent)]
    Manifest(#[from] FileError),
    /// The tree has an error.
    #[error(transparent)]
    Tree(#[from] TreeError),
}

impl Explain for ProgramError {
    fn place(&self) -> Option<Place> {
        match self {
            ProgramError::Unknown { .. } => None,
            ProgramError::NoManifest { folder } | ProgramError::NoCMake { folder } => {
                Some(Place::file(folder))
            }
            ProgramError::OtherBoard { file, .. } => Some(Place::file(file)),
            ProgramError::Manifest(error) => error.place(),
            ProgramError::Tree(error) => error.place(),
        }
    }

    fn remedy(&self) -> Option<String> {
        match self {
            ProgramError::Unknown { name, known } => {
                let choice = choose("programs", name, known);
                Some(format!("{choice}; or give the path of a program's folder"))
            }
            ProgramError::NoManifest { .. } => {
                Some("add one: doc/spec/manifest.md shows it; `lichen new` writes a program".into())
            }
            ProgramError::NoCMake { .. } => {
                Some("add one: `lichen new` writes a program with its four lines".to_string())
            }
            ProgramError::OtherBoard { boards, .. } => {
                Some(format!("choose one of its boards ({}), or add yours", boards.join(", ")))
            }
            ProgramError::Manifest(error) => error.remedy(),
            ProgramError::Tree(error) => error.remedy(),
        }
    }
}

/// The board that is meant where none is named.
pub const DEFAULT_BOARD: &str = "hamilton";

/// The one of `boards` that is meant where none is named: the default one, if it is among them or there are none, or
/// else the first.
pub fn default_board(boards: &[String]) -> &str {
    let has_default = boards.iter().any(|board| board == DEFAULT_BOARD);
    boards.first().filter(|_| !has_default).map_or(DEFAULT_BOARD, String::as_str)
}

impl Program {
    /// The program called `name` under `app/`, or in the folder at the path `name` (relative to
    /// `here`).
    pub fn find(tree: &Tree, here: &Path, name: &str) -> Result<Program, ProgramError> {
        let known = tree.programs("app")?;
        if known.iter().any(|known| known == name) {
            return Program::at(tree, tree.path("app").join(name));
        }
        let folder = here.join(name);
        if folder.is_dir() {
            let folder = folder.canonicalize().unwrap_or(folder);
            return Program::at(tree, folder);
        }
        Err(ProgramError::Unknown { name: name.to_string(), known })
    }

    /// The program in `folder`.
    pub fn at(tree: &Tree, folder: PathBuf) -> Result<Program, ProgramError> {
        if !folder.join("lichen.toml").is_file() {
            return Err(ProgramError::NoManifest { folder });
        }
        let manifest = Manifest::read(&folder, &tree.boards()?)?;
        // Those of the tree's tests and benches are rows (`test/rows.cmake`).
        let has_row =
            [tree.path("test"), tree.path("bench")].iter().any(|room| folder.starts_with(room));
        if !has_row && !folder.join("CMakeLists.txt").is_file() {
            return Err(ProgramError::NoCMake { folder });
        }
        Ok(Program { folder, manifest })
    }

    /// What to build of it, in a build folder with its room's name, or outside the tree with a number
    /// made of its path, so that programs of the same name in two places stay apart.
    pub fn source(&self, tree: &Tree) -> Source {
        let name = self.manifest.name.clone();
        let room = self.folder.parent().and_then(|parent| parent.strip_prefix(tree.root()).ok());
        let label = match room.map(|room| room.to_string_lossy().into_owned()).as_deref() {
            None => format!("{name}-{:08x}", number_of(&self.folder)),
            Some("" | "app") => name.clone(),
            // Not within the build folder of the program that brings its tests along.
            Some(room) if self.folder.join("../../lichen.toml").is_file() => {
                format!("test/{}/{name}", room.trim_end_matches("/test"))
            }
            Some(room) => format!("{room}/{name}"),
        };
        Source { folder: self.folder.clone(), name, label, debug: false }
    }

    /// Checks that the program runs on `board`, and that the board exists.
    pub fn check_board(&self, tree: &Tree, board: &str) -> Result<(), ProgramError> {
        tree.board_file(board)?;
        if self.manifest.boards.iter().any(|b| b == board) {
            return Ok(());
        }
        Err(ProgramError::OtherBoard {
            name: self.manifest.name.clone(),
            board: board.to_string(),
            file: self.manifest.file.clone(),
            boards: self.manifest.boards.clone(),
        })
    }
}

/// A number for a path, the same in every call: 32 bits of its hash.
pub(crate) fn number_of(path: &Path) -> u32 {
    xxhash_rust::xxh3::xxh3_64(path.as_os_str().as_encoded_bytes()) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_board_is_meant_unless_others_are_named() {
        let meant = |boards: &[&str]| {
            let boards: Vec<String> = boards.iter().map(|board| board.to_string()).collect();
            default_board(&boards).to_string()
        };
        assert_eq!(meant(&[]), "hamilton");
        assert_eq!(meant(&["micaz", "hamilton"]), "hamilton");
        assert_eq!(meant(&["micaz", "mica2"]), "micaz");
    }
}
