// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a run says of programs that build and do not work.

mod absent;
mod again;
mod flood;
mod idle;
mod losses;
mod lost;
mod panics;
mod stacks;
mod tasks;
mod undefined;
mod waiting;

use crate::common::{Called, call};
use std::path::{Path, PathBuf};

/// Runs a program with this text in its `main.c`.
fn run(text: &str, options: &[&str]) -> Called {
    start("run", text, options)
}

/// The same with another verb than `run`.
fn start(verb: &str, text: &str, options: &[&str]) -> Called {
    start_with("", verb, text, options)
}

/// The same with more in the program's manifest.
fn start_with(manifest: &str, verb: &str, text: &str, options: &[&str]) -> Called {
    let place = tempfile::tempdir().expect("a folder");
    let folder = made(place.path(), manifest, text);
    call(&[&[verb, path(&folder)], options].concat())
}

/// The program itself, below `place`.
fn made(place: &Path, manifest: &str, text: &str) -> PathBuf {
    let folder = place.join("mistake");
    assert_eq!(call(&["new", path(&folder)]).code, 0);
    std::fs::write(folder.join("main.c"), text).expect("written");
    let file = folder.join("lichen.toml");
    let written = std::fs::read_to_string(&file).expect("a manifest");
    std::fs::write(&file, format!("{written}{manifest}")).expect("written");
    folder
}

/// What was printed while the program ran: its warnings are repeated behind it.
fn during(ran: &Called) -> &str {
    ran.out.split("warnings of the run:").next().unwrap_or_default()
}

fn path(folder: &Path) -> &str {
    folder.to_str().expect("a path of text")
}
