// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files that people write, read whole: regular ones, no larger than what they could mean to be, so that a wrong path neither
//! fills the memory nor is waited for or read for ever.

use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

/// Bytes of the largest file: a recording of 30 bytes a line has a value each minute for four years.
pub const LARGEST: u64 = 64 << 20;

/// The content of the file at `path`.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    // A named pipe is not even opened: that would wait for who writes to it.
    if !std::fs::metadata(path)?.is_file() {
        return Err(Error::new(ErrorKind::InvalidInput, "not a regular file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(LARGEST + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > LARGEST {
        true => {
            Err(Error::new(ErrorKind::FileTooLarge, format!("larger than {} MiB", LARGEST >> 20)))
        }
        false => Ok(bytes),
    }
}

/// Why a file that is named somewhere cannot be read, in words.
pub fn reason(path: &Path, error: &Error) -> String {
    let file = path.display();
    match error.kind() {
        ErrorKind::NotFound => format!("there is no file {file}"),
        ErrorKind::InvalidInput if path.is_dir() => format!("{file} is a folder, not a file"),
        ErrorKind::InvalidInput => {
            format!("{file} is not a regular file; give the path of one on disk")
        }
        ErrorKind::FileTooLarge => format!("{file} is {error}"),
        _ => format!("{file}: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_a_regular_file_is_refused_at_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo");
        assert!(made.success());
        for path in [&pipe, Path::new("/dev/zero"), folder.path()] {
            assert_eq!(read(path).expect_err("no file").to_string(), "not a regular file");
        }
        let path = folder.path().join("large");
        File::create(&path).expect("created").set_len(LARGEST + 1).expect("a sparse file");
        assert_eq!(read(&path).expect_err("large").to_string(), "larger than 64 MiB");
    }
}
