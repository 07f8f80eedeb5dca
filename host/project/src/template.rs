// SPDX-License-Identifier: MIT OR Apache-2.0
//! A new program, made from the files in `host/project/template`.

mod kind;

pub use kind::Kind;

use crate::{Explain, Place, Tree, TreeError, tool};
use lichen_board::Board;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// A file, and its text.
type Text = (&'static str, &'static str);

/// The files of a new program beside its source and its test ([`Kind`]). In all files, `@PROGRAM@` stands for its name, `@BOARDS@` for the list of
/// its boards, `@BOARD@` for the first of them, `@GDB@` for the debugger of that, `@LICHEN_CMAKE@` for the path of
/// `os/lichen.cmake`, `@FIND_LICHEN@` for what precedes its use, `@SUMMARY@` for what the program does, and `@RUN@` for
/// the options that show it.
const FILES: [Text; 2] = [
    ("CMakeLists.txt", include_str!("../template/CMakeLists.txt")),
    ("lichen.toml", include_str!("../template/lichen.toml")),
];

/// What a program outside the tree has besides: within it, the tree's own are in force.
const OUTSIDE: [Text; 5] = [
    ("README.md", include_str!("../template/README.md")),
    (".gitignore", include_str!("../template/gitignore")),
    (".clangd", include_str!("../template/clangd")),
    (".vscode/tasks.json", include_str!("../template/tasks.json")),
    (".vscode/launch.json", include_str!("../template/launch.json")),
];

/// How a program outside the tree finds it, wherever either of them is moved.
const FIND_LICHEN: &str = "\
# `lichen build` says where Lichen is; plain CMake is told by -DLICHEN_ROOT=FOLDER, or by the environment.
if(NOT LICHEN_ROOT)
    set(LICHEN_ROOT $ENV{LICHEN_ROOT})
endif()
";

/// Names that CMake, Ninja or `os/lichen.cmake` use for their own targets.
const TAKEN: [&str; 10] = [
    "all",
    "clean",
    "edit_cache",
    "help",
    "install",
    "lichen",
    "m",
    "package",
    "rebuild_cache",
    "test",
];

/// Why a program cannot be created.
#[derive(Debug, thiserror::Error)]
pub enum CreateError {
    /// A CMake target cannot have this name.
    #[error("a program cannot be called `{name}`: {reason}")]
    Name {
        /// The name, which is that of the folder.
        name: String,
        /// What is wrong with it.
        reason: &'static str,
        /// A valid name.
        better: String,
    },
    /// The folder is not empty, or is not a folder.
    #[error("{} {state}", path.display())]
    Occupied {
        /// The requested folder.
        path: PathBuf,
        /// What it is instead of an empty folder.
        state: &'static str,
    },
    /// The board lacks what the program is about.
    #[error("`{board}` has no {part} of its own")]
    Lacking {
        /// The board.
        board: String,
        /// The part.
        part: &'static str,
        /// Boards with such a part.
        boards: Vec<String>,
    },
    /// The file or folder cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Unwritable {
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// The tree has an error, or does not have the board.
    #[error(transparent)]
    Tree(#[from] TreeError),
}

impl Explain for CreateError {
    fn place(&self) -> Option<Place> {
        match self {
            CreateError::Tree(error) => error.place(),
            _ => None,
        }
    }

    fn remedy(&self) -> Option<String> {
        match self {
            CreateError::Name { better, .. } => {
                Some(format!("the folder's name is the program's; call it `{better}`, for example"))
            }
            CreateError::Occupied { .. } => {
                Some("name a folder that is empty or does not exist yet".to_string())
            }
            CreateError::Lacking { boards, .. } => Some(format!(
                "choose one that has: {}; doc/guide/10-parts-and-scenarios.md says how to connect one",
                boards.join(", ")
            )),
            CreateError::Unwritable { .. } => {
                Some("choose a folder in which you may write, such as my/NAME here".to_string())
            }
            CreateError::Tree(error) => error.remedy(),
        }
    }
}

/// Makes a program in `folder` (absolute), which is empty or does not exist, for `board`, or for every
/// board that the system runs on and that has what a program of this kind needs. Returns the files written.
pub fn create(
    tree: &Tree,
    folder: &Path,
    board: Option<&str>,
    kind: Kind,
) -> Result<Vec<PathBuf>, CreateError> {
    let boards = boards(tree, board, kind)?;
    let folder = if folder.exists() { canonical(folder)? } else { folder.to_path_buf() };
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    check_name(&name, &tree.programs("app")?)?;
    check_empty(&folder)?;
    std::fs::create_dir_all(&folder)
        .map_err(|source| CreateError::Unwritable { path: folder.clone(), source })?;
    let folder = canonical(&folder)?;
    let (find, system) = lichen_cmake(&canonical(tree.root())?, &folder);
    let first = boards.first().cloned().unwrap_or_default();
    let debugger = debugger(tree, &first);
    let boards: Vec<String> = boards.iter().map(|board| format!("{board:?}")).collect();
    let fill = |text: &str| {
        text.replace("@PROGRAM@", &name)
            .replace("@BOARDS@", &boards.join(", "))
            .replace("@BOARD@", &first)
            .replace("@GDB@", debugger)
            .replace("@FIND_LICHEN@", find)
            .replace("@LICHEN_CMAKE@", &system)
            .replace("@SUMMARY@", kind.summary())
            .replace("@RUN@", kind.run())
    };
    let outside = if find.is_empty() { &[][..] } else { &OUTSIDE };
    let own = kind.files();
    let files = own.iter().chain(&FILES).chain(outside).map(|(file, text)| (*file, fill(text)));
    write(&folder, &files.collect::<Vec<_>>())
}

/// The boards of a new program: `board`, if it has what the program needs, or all that have.
fn boards(tree: &Tree, board: Option<&str>, kind: Kind) -> Result<Vec<String>, CreateError> {
    let has_part = |board: &String| {
        Board::find(&tree.path("board"), board).is_ok_and(|board| kind.is_for(&board))
    };
    let able = || -> Result<Vec<String>, TreeError> {
        Ok(tree.ported_boards()?.into_iter().filter(has_part).collect())
    };
    let Some(board) = board.map(str::to_string) else { return Ok(able()?) };
    tree.board_file(&board)?;
    if has_part(&board) {
        return Ok(vec![board]);
    }
    Err(CreateError::Lacking { board, part: kind.part(), boards: able()? })
}

/// The name of the debugger for a board.
fn debugger(tree: &Tree, board: &str) -> &'static str {
    let facts = Board::find(&tree.path("board"), board).ok();
    let is_avr = facts.is_some_and(|board| board.chip.starts_with("ATmega"));
    if is_avr { tool::AVR_GDB.name } else { tool::GDB.name }
}

fn canonical(path: &Path) -> Result<PathBuf, CreateError> {
    path.canonicalize()
        .map_err(|source| CreateError::Unwritable { path: path.to_path_buf(), source })
}

/// The name is that of a CMake target and of an image, and is typed on command lines.
fn check_name(name: &str, programs: &[String]) -> Result<(), CreateError> {
    let good = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let reason = if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        "a name begins with a letter from a to z"
    } else if !name.chars().all(good) {
        "a name has only letters from a to z, digits, `_` and `-`"
    } else if TAKEN.contains(&name) {
        "the build has a target of this name"
    } else if programs.iter().any(|program| program == name) {
        "app/ has a program of this name"
    } else {
        return Ok(());
    };
    let better = better_name(name, programs);
    Err(CreateError::Name { name: name.to_string(), reason, better })
}

/// A valid name similar to `name`.
fn better_name(name: &str, programs: &[String]) -> String {
    let letters: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' })
        .skip_while(|c| !c.is_ascii_alphabetic())
        .collect();
    let letters = letters.trim_end_matches(['_', '-']);
    let base = if letters.is_empty() { "program" } else { letters };
    let taken = |name: &str| TAKEN.contains(&name) || programs.iter().any(|known| known == name);
    if taken(base) { format!("my_{base}") } else { base.to_string() }
}

fn check_empty(folder: &Path) -> Result<(), CreateError> {
    let occupied = |state| CreateError::Occupied { path: folder.to_path_buf(), state };
    match std::fs::read_dir(folder) {
        Ok(mut entries) => match entries.next() {
            Some(_) => Err(occupied("is not empty")),
            None => Ok(()),
        },
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) if error.kind() == ErrorKind::NotADirectory => Err(occupied("is not a folder")),
        Err(source) => Err(CreateError::Unwritable { path: folder.to_path_buf(), source }),
    }
}

/// How a program in `folder` names `os/lichen.cmake`, and what it must find out before: relative within the tree,
/// by a variable from anywhere else, so that the tree can be moved.
fn lichen_cmake(root: &Path, folder: &Path) -> (&'static str, String) {
    let (find, path) = match folder.strip_prefix(root) {
        Ok(inside) => ("", inside.iter().map(|_| "..").collect::<PathBuf>()),
        Err(_) => (FIND_LICHEN, PathBuf::from("${LICHEN_ROOT}")),
    };
    (find, path.join("os/lichen.cmake").display().to_string())
}

/// Writes all of `files`, or none: what was written before a failure is removed again.
fn write(folder: &Path, files: &[(&str, String)]) -> Result<Vec<PathBuf>, CreateError> {
    let mut written: Vec<PathBuf> = Vec::new();
    for (file, text) in files {
        let path = folder.join(file);
        let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        let result = made.and_then(|()| std::fs::write(&path, text));
        written.push(path.clone());
        if let Err(source) = result {
            for path in written {
                // It may not exist; the reason of the first failure counts.
                let _ = std::fs::remove_file(path);
            }
            return Err(CreateError::Unwritable { path, source });
        }
    }
    Ok(files.iter().map(|(file, _)| PathBuf::from(file)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(name: &str) -> String {
        match check_name(name, &["blink".to_string()]) {
            Err(CreateError::Name { better, .. }) => better,
            other => panic!("{name}: {other:?}"),
        }
    }

    #[test]
    fn a_name_that_no_target_can_have_is_refused_with_one_that_does() {
        for (name, better) in [
            ("2nd try", "nd_try"),
            ("light switch", "light_switch"),
            ("größe", "gr__e"),
            ("123", "program"),
            ("", "program"),
            ("-v", "v"),
            ("test", "my_test"),
            ("blink", "my_blink"),
        ] {
            assert_eq!(refused(name), better, "{name}");
            assert!(check_name(better, &["blink".to_string()]).is_ok(), "{better}");
        }
    }

    #[test]
    fn usual_names_are_taken() {
        for name in ["pulse", "my-program", "Sensor_2"] {
            assert!(check_name(name, &[]).is_ok(), "{name}");
        }
    }

    #[test]
    fn the_path_is_relative_within_the_tree_and_a_variables_outside() {
        let root = Path::new("/src/lichen");
        let inside = lichen_cmake(root, Path::new("/src/lichen/my/pulse"));
        assert_eq!(inside, ("", "../../os/lichen.cmake".to_string()));
        let (find, path) = lichen_cmake(Path::new("/src/$1"), Path::new("/home/pulse"));
        assert!(find.contains("$ENV{LICHEN_ROOT}"));
        assert_eq!(path, "${LICHEN_ROOT}/os/lichen.cmake");
    }
}
