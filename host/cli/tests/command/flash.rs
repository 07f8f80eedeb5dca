// SPDX-License-Identifier: MIT OR Apache-2.0
//! `flash`: how the writing tools are called, and how their output is interpreted.
#![cfg(unix)]

use crate::common;
use crate::common::{Called, finish, lichen};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A machine with the tools of this one, except that those that write flash are replaced by
/// scripts.
struct Machine {
    folder: TempDir,
}

impl Machine {
    fn new() -> Machine {
        // CMake remembers the paths of the tools that it finds first: they must not be in this
        // folder.
        let built = common::call(&["build", XPRO[0], XPRO[1], XPRO[2]]);
        assert_eq!(built.code, 0, "{}", built.err);
        let folder = tempfile::tempdir().expect("a folder");
        let path = std::env::var_os("PATH").expect("a PATH");
        for entry in std::env::split_paths(&path).filter_map(|p| p.read_dir().ok()).flatten() {
            let entry = entry.expect("readable");
            if !["openocd", "edbg", "avrdude"].iter().any(|tool| entry.file_name() == *tool) {
                // The first tool of a name is used, as on PATH.
                let _ = symlink(entry.path(), folder.path().join(entry.file_name()));
            }
        }
        Machine { folder }
    }

    /// Adds a tool that prints its version when asked, and otherwise records its arguments and does
    /// `then`.
    fn with(self, tool: &str, version: &str, then: &str) -> Machine {
        let note = self.note(tool);
        let script = format!(
            "#!/bin/sh\ncase $1 in --version | --help) echo '{version}'; exit 0 ;; esac\n\
             printf '%s\\n' \"$@\" >'{}'\n{then}\n",
            note.display()
        );
        let file = self.folder.path().join(tool);
        std::fs::write(&file, script).expect("written");
        std::fs::set_permissions(&file, PermissionsExt::from_mode(0o755)).expect("set");
        self
    }

    fn note(&self, tool: &str) -> PathBuf {
        self.folder.path().join(format!("{tool}.arguments"))
    }

    /// The arguments that the tool was called with, if it was.
    fn arguments(&self, tool: &str) -> Option<Vec<String>> {
        let text = std::fs::read_to_string(self.note(tool)).ok()?;
        Some(text.lines().map(str::to_string).collect())
    }

    fn flash(&self, arguments: &[&str]) -> Called {
        finish(lichen().env("PATH", self.folder.path()).arg("flash").args(arguments))
    }
}

const OPENOCD: &str = "Open On-Chip Debugger 0.12.0";
const EDBG: &str = "CMSIS-DAP SWD programmer. Built Nov  3 2023 10:11:12.";
const XPRO: [&str; 3] = ["blink", "--board", "samr21-xpro"];

/// What OpenOCD prints when it has written.
const WRITTEN: &str = "echo '** Programming Finished **' >&2; echo '** Verified OK **' >&2";

#[track_caller]
fn fails(called: &Called, code: i32, parts: &[&str]) {
    assert_eq!(called.code, code, "out: {}\nerr: {}", called.out, called.err);
    for part in parts {
        assert!(called.err.contains(part), "`{part}` is missing in: {}", called.err);
    }
}

fn image(ending: &str) -> String {
    let file = common::root().join("build/samr21-xpro/blink").join(format!("blink.{ending}"));
    file.display().to_string()
}

#[test]
fn openocd_writes_and_verifies_what_was_built() {
    let machine = Machine::new().with("openocd", OPENOCD, WRITTEN);
    let called = machine.flash(&[&XPRO[..], &["--serial", "ATML21"]].concat());
    assert_eq!(called.code, 0, "{}", called.err);
    assert!(called.out.contains("written and verified by openocd"), "{}", called.out);
    let program = format!("program {{{}}} verify reset exit", image("elf"));
    assert_eq!(
        machine.arguments("openocd").expect("called"),
        [
            "-f",
            "board/atmel_samr21_xplained_pro.cfg",
            "-c",
            "adapter serial ATML21",
            "-c",
            &program
        ]
    );
    assert!(Path::new(&image("elf")).is_file());
}

#[test]
fn edbg_does_it_where_openocd_is_missing_or_not_wanted() {
    let said = "echo 'Programming... done.'; echo 'Verification... done.'";
    let machine = Machine::new().with("edbg", EDBG, said);
    let called = machine.flash(&XPRO);
    assert_eq!(called.code, 0, "{}", called.err);
    let expected = ["-b", "-t", "samr21", "-p", "-v", "-f", &image("bin")];
    assert_eq!(machine.arguments("edbg").expect("called"), expected);
    let machine = machine.with("openocd", OPENOCD, WRITTEN);
    let called = machine.flash(&[&XPRO[..], &["--with", "edbg", "--serial", "S1"]].concat());
    assert_eq!(called.code, 0, "{}", called.err);
    assert!(machine.arguments("openocd").is_none(), "not wanted");
    assert_eq!(machine.arguments("edbg").expect("called")[7..], ["-s", "S1"]);
}

#[test]
fn a_dry_run_prints_what_the_shell_would_be_given_and_calls_nobody() {
    let machine = Machine::new().with("openocd", OPENOCD, WRITTEN);
    let dry = machine.flash(&[&XPRO[..], &["--dry-run"]].concat());
    assert_eq!(dry.code, 0, "{}", dry.err);
    assert!(machine.arguments("openocd").is_none(), "it is dry");
    let shell = machine.folder.path().join("sh");
    let pasted = finish(
        std::process::Command::new(shell)
            .args(["-c", dry.out.trim()])
            .env("PATH", machine.folder.path()),
    );
    assert_eq!(pasted.code, 0, "{}", pasted.err);
    let typed = machine.arguments("openocd").expect("pasted");
    assert_eq!(machine.flash(&XPRO).code, 0);
    assert_eq!(machine.arguments("openocd").expect("called"), typed, "the same either way");
    let without = Machine::new().flash(&[&XPRO[..], &["--dry-run"]].concat());
    assert_eq!(without.out, dry.out, "the tool need not be here");
}

#[test]
fn a_tool_that_fails_is_reported_with_what_to_do() {
    let no_probe = "echo 'Error: unable to find a matching CMSIS-DAP device' >&2; exit 1";
    let machine = Machine::new().with("openocd", OPENOCD, no_probe);
    let called = machine.flash(&XPRO);
    fails(&called, 1, &["matching CMSIS-DAP", "openocd finds no probe", "connector DEBUG USB"]);
    let half = "echo '** Programming Finished **' >&2";
    let called = Machine::new().with("openocd", OPENOCD, half).flash(&XPRO);
    fails(&called, 1, &["does not say that it has written and verified"]);
    let several = "echo 'Error: more than one debugger found' >&2; exit 1";
    let called = Machine::new().with("edbg", EDBG, several).flash(&XPRO);
    fails(&called, 1, &["more than one probe", "--serial"]);
}

#[test]
fn a_tool_that_is_missing_or_old_is_reported_with_its_remedy() {
    let machine = Machine::new();
    fails(
        &machine.flash(&XPRO),
        2,
        &[
            "openocd is not on this machine",
            "apt-get install openocd",
            "or use edbg: build it from",
        ],
    );
    let called = machine.flash(&[&XPRO[..], &["--with", "edbg"]].concat());
    fails(&called, 2, &["edbg is not on this machine", "github.com/ataradov/edbg"]);
    let old = Machine::new().with("openocd", "Open On-Chip Debugger 0.11.0", WRITTEN);
    fails(&old.flash(&XPRO), 2, &["openocd has version 0.11.0", "0.12 or newer"]);
    assert!(old.arguments("openocd").is_none(), "it is not called");
}

#[test]
fn what_cannot_be_written_is_refused() {
    let machine = Machine::new().with("openocd", OPENOCD, WRITTEN);
    fails(&machine.flash(&["blink", "--board", "samr21"]), 2, &["`samr21`", "samr21-xpro"]);
    fails(&machine.flash(&["blnk", "--board", "hamilton"]), 2, &["blnk", "blink"]);
    fails(&machine.flash(&["blink"]), 2, &["--board"]);
    let wrong = ["--serial", "no such"];
    fails(&machine.flash(&[&XPRO[..], &wrong].concat()), 2, &["is not a serial number"]);
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path().join("bound").display().to_string();
    let made = common::call(&["new", &folder, "--board", "samr21-xpro"]);
    assert_eq!(made.code, 0, "{}", made.err);
    let called = machine.flash(&[&folder, "--board", "hamilton"]);
    fails(&called, 2, &["hamilton", "choose one of its boards (samr21-xpro)"]);
    assert!(machine.arguments("openocd").is_none(), "nothing is written");
}
