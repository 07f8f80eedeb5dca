// SPDX-License-Identifier: MIT OR Apache-2.0
//! Calls the command as a user does.

pub mod gdb;
pub mod image;
pub mod power;
pub mod programs;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a call printed and how it ended.
pub struct Called {
    pub code: i32,
    pub out: String,
    pub err: String,
}

/// The top of the tree.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).map(Path::to_path_buf).unwrap_or_default()
}

/// `lichen`, to be given arguments.
pub fn lichen() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lichen"));
    command.env("LICHEN_ROOT", root()).current_dir(root()).stdin(Stdio::null());
    command
}

/// Calls `lichen` with `arguments`.
pub fn call<S: AsRef<OsStr>>(arguments: &[S]) -> Called {
    finish(lichen().args(arguments))
}

/// What happened, as a file of `--json` has it between its first and its last line.
pub fn events(file: &Path) -> String {
    let text = std::fs::read_to_string(file).expect("events");
    let (first, rest) = text.split_once('\n').expect("a first line");
    let (events, last) = rest.trim_end().rsplit_once('\n').expect("a last line");
    assert!(
        first.contains("\"kind\":\"header\"") && last.contains("\"kind\":\"summary\""),
        "{text}"
    );
    format!("{events}\n")
}

/// Waits for the end of `command`.
pub fn finish(command: &mut Command) -> Called {
    let output = command.output().expect("lichen starts");
    Called {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}
