// SPDX-License-Identifier: MIT OR Apache-2.0
//! A tree in which the user cannot write: what is built lies in a cache of the user's.

use crate::common::{Called, finish, root};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// A user without rights, for tests that root runs.
const NOBODY: u32 = 65534;

/// A tree, and a folder beside it in which everybody can write.
struct Place {
    folder: TempDir,
}

impl Place {
    /// With these parts of the tree.
    fn new(parts: &[&str]) -> Place {
        let place = Place { folder: tempfile::tempdir().expect("a folder") };
        allow(place.folder.path(), 0o755);
        std::fs::create_dir_all(place.tree().join("host")).expect("made");
        std::fs::create_dir(place.own()).expect("made");
        allow(&place.own(), 0o777);
        for part in [&["lichen", "board", "host/Cargo.toml"], parts].concat() {
            let mut copy = Command::new("cp");
            copy.arg("-r").arg(root().join(part)).arg(place.tree().join(part));
            assert!(copy.status().expect("cp").success(), "{part}");
        }
        place
    }

    fn is_of_root(&self) -> bool {
        std::fs::metadata(self.folder.path()).expect("a folder").uid() == 0
    }

    fn tree(&self) -> PathBuf {
        self.folder.path().join("tree")
    }

    fn own(&self) -> PathBuf {
        self.folder.path().join("own")
    }

    /// Takes away the right to write in the tree.
    fn close(&self) {
        let mut chmod = Command::new("chmod");
        assert!(chmod.args(["-R", "a-w,a+rX"]).arg(self.tree()).status().expect("chmod").success());
    }

    /// Gives it back, so that the folder can be removed.
    fn open(&self) {
        let mut chmod = Command::new("chmod");
        assert!(chmod.args(["-R", "u+w"]).arg(self.tree()).status().expect("chmod").success());
    }

    /// Calls `program` as a user who may write in `own` alone.
    fn call(&self, program: &Path, words: &[&str], variables: &[(&str, &Path)]) -> Called {
        let mut command = Command::new(program);
        command.args(words).current_dir(self.own()).stdin(Stdio::null());
        command.env_remove("HOME").env_remove("XDG_CACHE_HOME").env_remove("CARGO_TARGET_DIR");
        command.envs(variables.iter().copied());
        if self.is_of_root() {
            command.uid(NOBODY).gid(NOBODY);
        }
        finish(&mut command)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.open();
    }
}

fn allow(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("allowed");
}

#[test]
fn a_program_outside_is_built_in_the_users_cache() {
    let place = Place::new(&["os", "data", "test", "bench", "app"]);
    let command = place.tree().join("command");
    std::fs::copy(env!("CARGO_BIN_EXE_lichen"), &command).expect("copied");
    place.close();
    let (tree, cache) = (place.tree(), place.own().join("cache"));
    let variables = [("LICHEN_ROOT", tree.as_path()), ("XDG_CACHE_HOME", cache.as_path())];
    let new = place.call(&command, &["new", "lamp", "--board", "hamilton"], &variables);
    assert_eq!(new.code, 0, "{}", new.err);
    let built = place.call(&command, &["build", "lamp"], &variables);
    assert_eq!(built.code, 0, "{}", built.err);
    assert!(built.out.contains(&format!("{}/lichen/tree-", cache.display())), "{}", built.out);
    let none = place.call(&command, &["build", "lamp"], &variables[..1]);
    assert_eq!(none.code, 1);
    assert!(none.err.contains("cannot create the build folder"), "{}", none.err);
    assert!(none.err.contains("XDG_CACHE_HOME"), "{}", none.err);
}

/// In the place of cargo: as the command it builds one that says where it is.
const CARGO: &str = r#"#!/bin/sh
[ "$1" != --version ] || { echo "cargo 1.999.0"; exit; }
while [ "$1" != --target-dir ]; do shift; done
printf '#!/bin/sh\necho "$0 of $LICHEN_ROOT"\n' >"$2/release/lichen"
chmod +x "$2/release/lichen"
"#;

#[test]
fn the_command_itself_is_built_there_too() {
    let place = Place::new(&[]);
    std::fs::create_dir_all(place.tree().join("data/conversion")).expect("made");
    let tools = place.folder.path().join("tools");
    std::fs::create_dir(&tools).expect("made");
    std::fs::write(tools.join("cargo"), CARGO).expect("written");
    allow(&tools.join("cargo"), 0o755);
    place.close();
    let path = format!("{}:/usr/bin:/bin", tools.display());
    let (path, cache) = (PathBuf::from(path), place.own().join("cache"));
    let variables = [("PATH", path.as_path()), ("XDG_CACHE_HOME", cache.as_path())];
    let launcher = place.tree().join("lichen");
    let called = place.call(&launcher, &["doctor"], &variables);
    assert_eq!(called.code, 0, "{}", called.err);
    let at = format!("{}/lichen/tree-", cache.display());
    assert!(called.out.starts_with(&at), "{}", called.out);
    assert!(
        called.out.trim().ends_with(&format!("of {}", place.tree().display())),
        "{}",
        called.out
    );
    let none = place.call(&launcher, &["doctor"], &variables[..1]);
    assert_eq!(none.code, 1);
    assert!(none.err.contains("set HOME, XDG_CACHE_HOME or CARGO_TARGET_DIR"), "{}", none.err);
    place.open();
    allow(&place.tree().join("host"), 0o777);
    let without_home = place.call(&launcher, &["doctor"], &variables[..1]);
    assert_eq!(without_home.code, 0, "{}", without_home.err);
}
