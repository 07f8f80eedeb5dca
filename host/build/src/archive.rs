// SPDX-License-Identifier: MIT OR Apache-2.0
//! The system's archives: one for each board and each way to compile the system, shared by all programs that want it so.
//! CMake decides which one a program is linked with (`os/lichen.cmake`), and writes it into the program's build folder.

use super::{BuildError, Progress, compile, create_folder, in_folder, open_lock, system};
use lichen_project::Tree;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The file of a build folder that says which archive its programs are linked with.
const FILE: &str = "system_archive";

/// Those that this process has built: a run of all tests would ask Ninja a thousand times.
static BUILT: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// An archive of the system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Archive {
    /// Its build folder.
    pub(super) folder: PathBuf,
    /// What CMake is told of it.
    settings: Vec<String>,
}

impl Archive {
    /// The one of programs without settings of their own.
    pub(super) fn usual(tree: &Tree, board: &str) -> Archive {
        Archive { folder: tree.build_folder("system", board), settings: Vec::new() }
    }

    /// The one that the program in the build folder `folder` is linked with, if it shares one.
    pub(super) fn of(folder: &Path) -> Option<Archive> {
        Archive::all_of(folder).into_iter().next()
    }

    /// Those that the programs in the build folder `folder` are linked with: a line with the folder of each, and then one
    /// for each of its settings.
    pub(super) fn all_of(folder: &Path) -> Vec<Archive> {
        let text = std::fs::read_to_string(folder.join(FILE)).unwrap_or_default();
        let mut archives: Vec<Archive> = Vec::new();
        for line in text.lines().filter(|line| !line.is_empty()) {
            match archives.last_mut() {
                Some(archive) if line.starts_with("-D") => archive.settings.push(line.to_string()),
                _ => archives.push(Archive { folder: PathBuf::from(line), settings: Vec::new() }),
            }
        }
        archives
    }

    /// Whether CMake's target of it is `target`: `lichen`, and the settings, as in the name of its folder.
    pub(super) fn is_called(&self, target: &str) -> bool {
        let name = self.folder.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        let (_, settings) = name.split_at(name.find('+').unwrap_or(name.len()));
        target.strip_prefix("lichen") == Some(settings)
    }

    /// Does `work` in the build folder `folder` of one, while nobody else builds there.
    pub(super) fn locked<T>(
        folder: &Path,
        work: &mut dyn FnMut() -> Result<T, BuildError>,
    ) -> Result<T, BuildError> {
        let mut lock = fd_lock::RwLock::new(open_lock(folder)?);
        let _guard = lock.write().map_err(|it| system("cannot lock the build", folder, it))?;
        work()
    }

    /// Builds it, unless this process has done so.
    pub(super) fn build(
        &self,
        tree: &Tree,
        board: &str,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<(), BuildError> {
        let built = || BUILT.lock().unwrap_or_else(PoisonError::into_inner);
        if built().contains(&self.folder) {
            return Ok(());
        }
        // It shares objects with the usual one.
        if !self.settings.is_empty() {
            Archive::usual(tree, board).build(tree, board, progress)?;
        }
        let settings: Vec<&str> = self.settings.iter().map(String::as_str).collect();
        // Trees that are links to the same sources can share archives: names of files in them are relative to both.
        create_folder(&self.folder)?;
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        let (os, folder) = (real(&tree.path("os")), real(&self.folder));
        in_folder(&os, board, &folder, &settings, &mut || compile(&folder, &[], progress))?;
        built().insert(self.folder.clone());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_archive_is_known_by_its_folder_and_settings() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(Archive::of(folder.path()), None);
        let archive = |text: &str| {
            std::fs::write(folder.path().join(FILE), text).expect("written");
            Archive::of(folder.path()).expect("an archive")
        };
        let usual = archive("/t/build/system/hamilton\n\n");
        assert_eq!(usual.folder, Path::new("/t/build/system/hamilton"));
        assert!(usual.settings.is_empty());
        let fixed = archive("/t/build/system/hamilton+CLOCK-48-MHz\n-DLICHEN_CLOCK=48 MHz\n");
        assert_eq!(fixed.settings, ["-DLICHEN_CLOCK=48 MHz"]);
        assert!(usual.is_called("lichen") && !usual.is_called("lichen+CLOCK-48-MHz"));
        assert!(fixed.is_called("lichen+CLOCK-48-MHz") && !fixed.is_called("lichen"));
    }
}
