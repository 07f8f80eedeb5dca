// SPDX-License-Identifier: MIT OR Apache-2.0
//! The code of the host that a run depends on.

use super::inputs::Hash;
use lichen_project::Tree;
use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The sources of crates and of those that they depend on, and single files.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Code {
    crates: Vec<&'static str>,
    without: Vec<&'static str>,
    files: Vec<&'static str>,
    /// Whether it is that of the command, which is called, and not of the running program.
    pub(super) is_command: bool,
}

/// Of a crate's folders, those that are no part of what runs.
const NOT_RUN: [&str; 3] = ["tests", "examples", "target"];

/// The crate that is compiled with tables from another folder, and these.
const WITH_TABLES: &str = "device";
const TABLES: &str = "data/conversion";

impl Code {
    /// The crates `crates`, and those that they depend on.
    pub fn of(crates: &[&'static str]) -> Code {
        Code { crates: crates.to_vec(), ..Code::default() }
    }

    /// The command `lichen`, which some tests call.
    pub fn of_command() -> Code {
        Code { is_command: true, ..Code::of(&["lichen-cli"]) }
    }

    /// What runs a program on a mote as a test. Of the crate that builds programs, that is only what tells the depth of
    /// stacks: the image is an input of its own.
    pub fn of_motes() -> Code {
        Code::of(&["lichen-test", "lichen-stack"])
            .without(&["lichen-build"])
            .files(&["build/src/stack.rs"])
    }

    /// But none of these, nor what only they depend on.
    pub fn without(mut self, crates: &[&'static str]) -> Code {
        self.without.extend(crates);
        self
    }

    /// And crates.
    pub fn and(mut self, crates: &[&'static str]) -> Code {
        self.crates.extend(crates);
        self
    }

    /// And files or folders of `host`.
    pub fn files(mut self, files: &[&'static str]) -> Code {
        self.files.extend(files);
        self
    }

    /// The hash of it; none if a part of it is newer than the program, which was made at `made`, or cannot be found.
    pub(super) fn digest(&self, tree: &Tree, made: Option<SystemTime>) -> Option<u128> {
        let host = tree.path("host");
        let mut sources = BTreeSet::new();
        for folder in self.folders(&host)? {
            collect(&folder, &mut sources);
            if folder.ends_with(WITH_TABLES) {
                collect(&tree.path(TABLES), &mut sources);
            }
        }
        for file in &self.files {
            let path = host.join(file);
            if !path.exists() {
                return None;
            }
            collect(&path, &mut sources);
        }
        if sources.iter().any(|file| made.is_some_and(|made| changed(file) > Some(made))) {
            return None;
        }
        let mut hash = Hash::default();
        for file in [host.join("Cargo.toml"), host.join("Cargo.lock")].iter().chain(&sources) {
            hash.text(&file.strip_prefix(&host).unwrap_or(file).to_string_lossy());
            hash.path(file);
        }
        Some(hash.0.digest128())
    }

    /// The folders of its crates.
    fn folders(&self, host: &Path) -> Option<BTreeSet<PathBuf>> {
        let known = workspace(host)?;
        let mut folders = BTreeSet::new();
        let mut due: Vec<&str> = self.crates.clone();
        let mut seen: BTreeSet<&str> = self.without.iter().copied().collect();
        while let Some(name) = due.pop() {
            if !seen.insert(name) {
                continue;
            }
            let found = known.get(name)?;
            folders.insert(found.folder.clone());
            due.extend(found.needs.iter().map(String::as_str));
        }
        Some(folders)
    }
}

/// A crate of the workspace.
struct Crate {
    folder: PathBuf,
    /// Those of the workspace that it depends on.
    needs: Vec<String>,
}

/// The crates of the workspace, by name.
fn workspace(host: &Path) -> Option<BTreeMap<String, Crate>> {
    let manifest = |folder: &Path| -> Option<toml::Table> {
        std::fs::read_to_string(folder.join("Cargo.toml")).ok()?.parse().ok()
    };
    let top = manifest(host)?;
    let members = top.get("workspace")?.get("members")?.as_array()?;
    let mut crates = BTreeMap::new();
    for member in members {
        let folder = host.join(member.as_str()?);
        let found = manifest(&folder)?;
        let name = found.get("package")?.get("name")?.as_str()?.to_string();
        let needs = found.get("dependencies").and_then(toml::Value::as_table);
        let needs = needs.into_iter().flat_map(toml::Table::keys);
        let needs = needs.filter(|name| name.starts_with("lichen-")).cloned().collect();
        crates.insert(name, Crate { folder, needs });
    }
    Some(crates)
}

/// When the system last changed `file` or what it knows of it: a copy that keeps an older file's date is new, too.
fn changed(file: &Path) -> Option<SystemTime> {
    let file = file.metadata().ok()?;
    let since = Duration::new(file.ctime().try_into().ok()?, file.ctime_nsec().try_into().ok()?);
    SystemTime::UNIX_EPOCH.checked_add(since)
}

/// Adds the files in `at`, but not those of another crate below it.
fn collect(at: &Path, files: &mut BTreeSet<PathBuf>) {
    if !at.is_dir() {
        files.insert(at.to_path_buf());
        return;
    }
    for entry in crate::entries(at) {
        let name = entry.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let is_other = NOT_RUN.contains(&name.as_str()) || entry.join("Cargo.toml").is_file();
        if !is_other {
            collect(&entry, files);
        }
    }
}
