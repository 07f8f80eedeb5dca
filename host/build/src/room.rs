// SPDX-License-Identifier: MIT OR Apache-2.0
//! A disk that is full: tools report it in many ways, and some not at all, so what they left unwritten is missed later.

use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};

/// What tools print of it.
const PRINTED: [&str; 2] = ["No space left on device", "Disk quota exceeded"];
/// A disk that does not take so much is full.
const LEAST: usize = 256 << 10;

/// The folder that is full, if a tool that failed in `folder` may have failed for this: that one, or the one where
/// compilers keep files while they work. `output` is what it printed.
pub(super) fn missing(folder: &Path, output: &str) -> Option<PathBuf> {
    let temporary = std::env::temp_dir();
    let full = [folder, &temporary].into_iter().find(|folder| is_full(folder));
    let is_printed = || PRINTED.iter().any(|printed| output.contains(printed));
    full.or_else(|| is_printed().then_some(folder)).map(Path::to_path_buf)
}

fn is_full(folder: &Path) -> bool {
    let file = folder.join(format!(".room-{}", std::process::id()));
    let written = std::fs::write(&file, vec![0; LEAST]);
    let _ = std::fs::remove_file(&file);
    written.is_err_and(|error| is_of_room(&error))
}

/// Whether a file cannot be written since the disk is full.
pub(super) fn is_of_room(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tools_print_of_a_full_disk_is_recognized() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |output: &str| missing(folder.path(), output);
        let of_cmake = "CMake Error at CMakeDetermineCompilerId.cmake:312 (file):\n  file write failed (No space left on device): \
                        /t/CMakeCCompilerId.c\n";
        let of_assembler = "/tmp/cc.s: Fatal error: can't write 16 bytes to section .text of a.obj: 'No space left on device'\n";
        assert_eq!(at(of_cmake).as_deref(), Some(folder.path()));
        assert_eq!(at(of_assembler).as_deref(), Some(folder.path()));
        assert_eq!(at("main.c:1:10: fatal error: lichen/led.h: No such file or directory\n"), None);
    }

    #[test]
    fn a_write_that_finds_no_room_is_recognized() {
        let error = std::fs::write("/dev/full", [0]).expect_err("it is always full");
        assert!(is_of_room(&error));
    }
}
