// SPDX-License-Identifier: MIT OR Apache-2.0
//! The source tree: its paths, and the names that exist.

use crate::program::number_of;
use crate::{Explain, Place, nearest};
use std::path::{Path, PathBuf};

/// A source tree of Lichen.
#[derive(Clone, Debug)]
pub struct Tree {
    root: PathBuf,
    /// Where builds are.
    built: PathBuf,
}

/// Errors in a tree, or in a name that should be in it.
#[derive(Debug, thiserror::Error)]
pub enum TreeError {
    /// No folder above the starting point is a Lichen tree.
    #[error("{} is in no source tree of Lichen", start.display())]
    NotFound {
        /// Where the search began.
        start: PathBuf,
    },
    /// No board has this name.
    #[error("there is no board `{name}`")]
    UnknownBoard {
        /// The requested name.
        name: String,
        /// The known names.
        known: Vec<String>,
    },
    /// A folder of the tree cannot be listed.
    #[error("cannot list {}: {source}", folder.display())]
    Unreadable {
        /// The folder.
        folder: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
}

impl Explain for TreeError {
    fn place(&self) -> Option<Place> {
        match self {
            TreeError::Unreadable { folder, .. } => Some(Place::file(folder)),
            TreeError::NotFound { .. } | TreeError::UnknownBoard { .. } => None,
        }
    }

    fn remedy(&self) -> Option<String> {
        match self {
            TreeError::NotFound { .. } => Some(
                "run ./lichen of your clone, or set LICHEN_ROOT to the clone's folder".to_string(),
            ),
            TreeError::UnknownBoard { name, known } => Some(choose("boards", name, known)),
            TreeError::Unreadable { .. } => Some("check the folder's permissions".to_string()),
        }
    }
}

/// "did you mean `x`?", and the list of known names.
pub fn choose(what: &str, name: &str, known: &[String]) -> String {
    let list = format!("{what}: {}", known.join(", "));
    match nearest(name, known) {
        Some(near) => format!("did you mean `{near}`? ({list})"),
        None => list,
    }
}

impl Tree {
    /// The tree whose top folder is `root`.
    pub fn at(root: impl Into<PathBuf>) -> Result<Tree, TreeError> {
        let root = root.into();
        if is_top(&root) { Ok(Tree::of(root)) } else { Err(TreeError::NotFound { start: root }) }
    }

    /// The tree around `start`.
    pub fn around(start: &Path) -> Result<Tree, TreeError> {
        match start.ancestors().find(|folder| is_top(folder)) {
            Some(root) => Ok(Tree::of(root.to_path_buf())),
            None => Err(TreeError::NotFound { start: start.to_path_buf() }),
        }
    }

    /// A tree in `folder` that has no more than `files`, each a path and its text: for tests.
    pub fn of_files(folder: &Path, files: &[(&str, &str)]) -> std::io::Result<Tree> {
        for (name, text) in [("host/Cargo.toml", ""), ("board/toy.toml", "")].iter().chain(files) {
            let path = folder.join(name);
            std::fs::create_dir_all(path.parent().unwrap_or(folder))?;
            std::fs::write(path, text)?;
        }
        Ok(Tree::of(folder.to_path_buf()))
    }

    fn of(root: PathBuf) -> Tree {
        Tree { built: root.join("build"), root }
    }

    /// The same, with builds in a folder of its own below `cache`: for a user who cannot write in the tree.
    pub fn built_below(self, cache: &Path) -> Tree {
        let name = self.root.file_name().unwrap_or_default().to_string_lossy();
        let built = cache.join(format!("{name}-{:08x}", number_of(&self.root)));
        Tree { built, ..self }
    }

    /// Top folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// `relative`, as a path from the top folder.
    pub fn path(&self, relative: impl AsRef<Path>) -> PathBuf {
        self.root.join(relative)
    }

    /// `path` as shown to the user: relative to the top folder if it is below it.
    pub fn shown<'a>(&self, path: &'a Path) -> &'a Path {
        path.strip_prefix(&self.root).unwrap_or(path)
    }

    /// The folder with all builds.
    pub fn built(&self) -> &Path {
        &self.built
    }

    /// The folder of the build called `label` for `board`.
    pub fn build_folder(&self, board: &str, label: &str) -> PathBuf {
        self.built.join(board).join(label)
    }

    /// The file with the facts of `board`.
    pub fn board_file(&self, board: &str) -> Result<PathBuf, TreeError> {
        let known = self.boards()?;
        if known.iter().any(|name| name == board) {
            Ok(self.root.join("board").join(format!("{board}.toml")))
        } else {
            Err(TreeError::UnknownBoard { name: board.to_string(), known })
        }
    }

    /// Names of all boards, sorted.
    pub fn boards(&self) -> Result<Vec<String>, TreeError> {
        let files = list(&self.root.join("board"))?;
        Ok(files
            .iter()
            .filter(|file| file.extension().is_some_and(|e| e == "toml"))
            .filter_map(|file| Some(file.file_stem()?.to_string_lossy().into_owned()))
            .collect())
    }

    /// Names of the boards that the system runs on, sorted; the simulator may know more.
    pub fn ported_boards(&self) -> Result<Vec<String>, TreeError> {
        let mut boards = self.boards()?;
        boards.retain(|board| self.root.join("os/board").join(board).join("board.c").is_file());
        Ok(boards)
    }

    /// Names of the programs in the folder `room` (`app`, `test/mote`), sorted; empty without that
    /// folder.
    pub fn programs(&self, room: &str) -> Result<Vec<String>, TreeError> {
        let folder = self.root.join(room);
        if !folder.is_dir() {
            return Ok(Vec::new());
        }
        Ok(list(&folder)?
            .iter()
            .filter(|entry| entry.join("lichen.toml").is_file())
            .filter_map(|entry| Some(entry.file_name()?.to_string_lossy().into_owned()))
            .collect())
    }
}

/// Whether `folder` is the top of a tree.
fn is_top(folder: &Path) -> bool {
    folder.join("host/Cargo.toml").is_file() && folder.join("board").is_dir()
}

/// Entries of `folder`, sorted, so that results do not depend on the file system's order.
pub fn list(folder: &Path) -> Result<Vec<PathBuf>, TreeError> {
    let unreadable = |source| TreeError::Unreadable { folder: folder.to_path_buf(), source };
    let mut entries = std::fs::read_dir(folder)
        .map_err(unreadable)?
        .map(|entry| entry.map(|e| e.path()))
        .collect::<Result<Vec<_>, _>>()
        .map_err(unreadable)?;
    entries.sort();
    Ok(entries)
}
