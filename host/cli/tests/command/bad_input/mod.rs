// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every error gives one message with place and remedy, and a nonzero exit code.

mod call;
mod image;
mod input;
mod output;
mod own;

use crate::common::Called;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

trait Refuses {
    /// Asserts that the call ended with `code` and one error message, which has all of `parts`.
    fn refuses(&self, code: i32, parts: &[&str]);
}

impl Refuses for Called {
    #[track_caller]
    fn refuses(&self, code: i32, parts: &[&str]) {
        assert_eq!(self.code, code, "out: {}\nerr: {}", self.out, self.err);
        let errors = self.err.lines().filter(|line| line.starts_with("error: ")).count();
        assert_eq!(errors, 1, "one message: {}", self.err);
        for part in parts {
            assert!(self.err.contains(part), "`{part}` is missing in: {}", self.err);
        }
        assert!(!self.err.contains("panicked"), "{}", self.err);
    }
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

fn write(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let file = folder.join(name);
    std::fs::write(&file, content).expect("written");
    file
}

fn text(path: &Path) -> String {
    path.display().to_string()
}
