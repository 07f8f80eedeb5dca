// SPDX-License-Identifier: MIT OR Apache-2.0
//! What tells files apart, whatever they are called.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// More links in a row than this lead nowhere.
const MOST_LINKS: usize = 40;

/// A file, however it is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Identity {
    /// One that exists: links to it, symbolic and hard, have its device and number.
    Node(u64, u64),
    /// One that does not exist yet: its name in a folder that does.
    Name(PathBuf),
}

impl Identity {
    /// That of the file at `path`; `None` for what can be written twice, such as a terminal, or not at all.
    pub(super) fn of(path: &Path) -> Option<Identity> {
        match std::fs::metadata(path) {
            Ok(found) => found.is_file().then(|| Identity::of_node(&found)),
            Err(_) => {
                let path = destination(path)?;
                let folder = path.parent()?.canonicalize().ok()?;
                Some(Identity::Name(folder.join(path.file_name()?)))
            }
        }
    }

    pub(super) fn of_node(found: &Metadata) -> Identity {
        Identity::Node(found.dev(), found.ino())
    }
}

/// Where a symbolic link to nothing leads.
fn destination(path: &Path) -> Option<PathBuf> {
    let mut path = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        let Ok(next) = std::fs::read_link(&path) else { return Some(path) };
        path = path.parent()?.join(next);
    }
    None
}
