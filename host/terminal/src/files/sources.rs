// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which files of a folder are sources.

use super::identity::Identity;
use std::path::{Component, Path, PathBuf};

/// How names of sources end, in lower case.
const ENDINGS: [&str; 17] = [
    "c", "h", "s", "cc", "cpp", "cxx", "hh", "hpp", "inc", "inl", "ld", "lds", "cmake", "toml",
    "md", "py", "sh",
];
const LIST: &str = "CMakeLists.txt";
/// The folder with a program's tests, and what they read.
const TESTS: &str = "test";
/// The folder with what is built of a program.
const BUILT: &str = "build";

/// A folder with sources.
#[derive(Clone, Debug)]
pub(super) struct Sources {
    folder: PathBuf,
    /// Whether each of its files is one.
    all: bool,
}

impl Sources {
    /// A program's.
    pub(super) fn of_program(folder: &Path) -> Sources {
        Sources { folder: resolved(folder), all: false }
    }

    /// All files of a folder.
    pub(super) fn all(folder: &Path) -> Sources {
        Sources { folder: resolved(folder), all: true }
    }

    /// Whether the file at `path` is one, by any of its `links` names.
    pub(super) fn have(&self, path: &Path, identity: &Identity, links: u64) -> bool {
        let below = path.canonicalize().ok();
        let below = below.as_deref().and_then(|path| path.strip_prefix(&self.folder).ok());
        if below.is_some_and(|below| self.is_source(below)) {
            return true;
        }
        links > 1 && self.find(&self.folder, identity)
    }

    /// Whether a source below `folder` is this file.
    fn find(&self, folder: &Path, identity: &Identity) -> bool {
        let Ok(entries) = std::fs::read_dir(folder) else { return false };
        entries.flatten().any(|entry| {
            let path = entry.path();
            let Ok(below) = path.strip_prefix(&self.folder) else { return false };
            match entry.metadata() {
                Ok(found) if found.is_dir() => {
                    !self.is_left_out(below) && self.find(&path, identity)
                }
                Ok(found) => Identity::of_node(&found) == *identity && self.is_source(below),
                Err(_) => false,
            }
        })
    }

    /// Whether the file at `below` in the folder is a source.
    fn is_source(&self, below: &Path) -> bool {
        if self.all {
            return true;
        }
        let ending = below.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        let is_named = ending.is_some_and(|ending| ENDINGS.contains(&ending.as_str()));
        !self.is_left_out(below) && (is_named || below.ends_with(LIST) || below.starts_with(TESTS))
    }

    /// Whether what is at `below` is none of the program's: what was built of it.
    fn is_left_out(&self, below: &Path) -> bool {
        !self.all && below.components().next() == Some(Component::Normal(BUILT.as_ref()))
    }
}

fn resolved(folder: &Path) -> PathBuf {
    folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_told_from_what_runs_have_written() {
        let program = Sources::of_program(Path::new("/program"));
        for source in ["main.c", "src/a.S", "CMakeLists.txt", "lichen.toml", "test/typed.csv"] {
            assert!(program.is_source(Path::new(source)), "{source}");
        }
        for written in ["events.jsonl", "a", "blink.vcd", "wave.svg", "build/main.c"] {
            assert!(!program.is_source(Path::new(written)), "{written}");
        }
        assert!(Sources::all(Path::new("/program")).is_source(Path::new("a")));
    }
}
