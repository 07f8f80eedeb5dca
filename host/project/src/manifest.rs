// SPDX-License-Identifier: MIT OR Apache-2.0
//! The manifest of a program, `lichen.toml`: its format is described in `doc/spec/manifest.md`.

use crate::tomlfile::parse_toml;
use crate::{FileError, Place};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use toml::Spanned;

/// The manifest of a program.
#[derive(Clone, Debug)]
pub struct Manifest {
    /// The file it was read from.
    pub file: PathBuf,
    /// Name of the program, of its folder and of its CMake target.
    pub name: String,
    /// One line on what it does.
    pub summary: String,
    /// Boards it runs on; their order does not matter.
    pub boards: Vec<String>,
    /// How it is built; CMake reads these keys itself (`os/lichen.cmake`).
    pub build: BuildOptions,
    /// Line of `build.kernel_stack`, if it is there.
    pub kernel_stack_place: Option<Place>,
    /// Its budget.
    pub budget: Budget,
    /// How it is run as a test, if it is one.
    pub test: Option<MoteTest>,
}

/// A program's budget, and where the manifest states it.
#[derive(Clone, Debug)]
pub struct Budget {
    /// Flash: code, constants and the initial values of data, in bytes.
    pub rom: u32,
    /// Line of `rom`.
    pub rom_place: Place,
    /// RAM: data, zeroed data and stacks, in bytes.
    pub ram: u32,
    /// Line of `ram`.
    pub ram_place: Place,
}

/// Options of the system in a program's build; CMake's defaults if absent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BuildOptions {
    /// Whether woven handlers run in place of pairs of events.
    pub woven: Option<bool>,
    /// Whether the CPU time of threads is counted.
    pub cpu_time: Option<bool>,
    /// Bytes of the kernel's stack, instead of what is computed.
    pub kernel_stack: Option<u32>,
}

/// How a program is run as a test.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoteTest {
    /// Simulated seconds after which a test that has not ended has failed.
    #[serde(default = "default_seconds")]
    pub seconds: u32,
    /// Console input, in the format of `run --input`; relative to the manifest.
    pub input: Option<PathBuf>,
    /// How it must end.
    #[serde(default)]
    pub expect: Expect,
    /// How often it must panic, restart and continue before it ends. Warnings and faults are
    /// expected in such a program.
    #[serde(default)]
    pub panics: u32,
    /// For a program with forced interrupts: they come at one moment in this many, except in
    /// `lichen test --long` or if the program is selected by name.
    #[serde(default = "default_every")]
    pub every: u64,
    /// For such a program: whether it also tries mutants outside the long run.
    #[serde(default = "default_mutants")]
    pub mutants: bool,
    /// For a program of `test/corrupt` without a watchdog: how often an overwritten word leaves it
    /// silent.
    #[serde(default)]
    pub silent_at_most: u32,
}

/// How a test on the mote must end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Expect {
    /// With a count of passed and failed tests, none failed.
    #[default]
    Summary,
    /// With a panic of the firmware.
    Panic,
}

impl Default for MoteTest {
    fn default() -> MoteTest {
        MoteTest {
            seconds: default_seconds(),
            input: None,
            expect: Expect::default(),
            panics: 0,
            every: default_every(),
            mutants: default_mutants(),
            silent_at_most: 0,
        }
    }
}

fn default_seconds() -> u32 {
    10
}

fn default_every() -> u64 {
    1
}

fn default_mutants() -> bool {
    true
}

/// The file as written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    name: Spanned<String>,
    summary: String,
    boards: Spanned<Vec<String>>,
    build: Option<Spanned<BuildOptions>>,
    budget: WrittenBudget,
    test: Option<MoteTest>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenBudget {
    rom: Spanned<u32>,
    ram: Spanned<u32>,
}

impl Manifest {
    /// Reads `folder`'s manifest; `known_boards` are the boards that exist.
    pub fn read(folder: &Path, known_boards: &[String]) -> Result<Manifest, FileError> {
        let file = folder.join("lichen.toml");
        let text = std::fs::read_to_string(&file)
            .map_err(|source| FileError::Unreadable { file: file.clone(), source })?;
        Manifest::parse(folder, &file, &text, known_boards)
    }

    fn parse(
        folder: &Path,
        file: &Path,
        text: &str,
        known_boards: &[String],
    ) -> Result<Manifest, FileError> {
        let written: Written = parse_toml(file, text)?;
        let at = |offset: usize| Place::offset(file, text, offset);
        check_name(folder, &written.name, at(written.name.span().start))?;
        check_boards(&written.boards, known_boards, at(written.boards.span().start))?;
        if let Some(build) = &written.build {
            check_build(build.as_ref(), text, at(build.span().start))?;
        }
        Ok(Manifest {
            file: file.to_path_buf(),
            name: written.name.into_inner(),
            summary: written.summary,
            boards: written.boards.into_inner(),
            kernel_stack_place: line_of(text, "kernel_stack").map(|line| Place::line(file, line)),
            build: written.build.map(Spanned::into_inner).unwrap_or_default(),
            budget: Budget {
                rom_place: at(written.budget.rom.span().start),
                rom: written.budget.rom.into_inner(),
                ram_place: at(written.budget.ram.span().start),
                ram: written.budget.ram.into_inner(),
            },
            test: written.test,
        })
    }
}

/// The name must be that of the folder, since it is the name of the target and of the image.
fn check_name(folder: &Path, name: &Spanned<String>, place: Place) -> Result<(), FileError> {
    let folder_name = folder.file_name().map(|n| n.to_string_lossy().into_owned());
    if folder_name.as_deref() == Some(name.as_ref().as_str()) {
        return Ok(());
    }
    let folder_name = folder_name.unwrap_or_default();
    Err(FileError::Invalid {
        place,
        message: format!("the program is called `{}`, its folder `{folder_name}`", name.as_ref()),
        remedy: format!("write name = \"{folder_name}\", or rename the folder"),
    })
}

fn check_boards(
    boards: &Spanned<Vec<String>>,
    known: &[String],
    place: Place,
) -> Result<(), FileError> {
    if boards.as_ref().is_empty() {
        return Err(FileError::Invalid {
            place,
            message: "the program names no board".to_string(),
            remedy: format!("name at least one of: {}", known.join(", ")),
        });
    }
    match boards.as_ref().iter().find(|board| !known.contains(board)) {
        None => Ok(()),
        Some(unknown) => Err(FileError::Invalid {
            place,
            message: format!("there is no board `{unknown}`"),
            remedy: crate::tree::choose("boards", unknown, known),
        }),
    }
}

/// Number of the line that sets `key`, which has a line of its own ([`check_build`]).
fn line_of(text: &str, key: &str) -> Option<u32> {
    let set = |line: &str| line.split_once('=').is_some_and(|(before, _)| before.trim() == key);
    text.lines().zip(1..).find(|(line, _)| set(line)).map(|(_, line)| line)
}

/// CMake reads these keys itself, from lines of their own (`os/lichen.cmake`): it would not find
/// them elsewhere.
fn check_build(build: &BuildOptions, text: &str, place: Place) -> Result<(), FileError> {
    let stands = |key: &str, value: &str| {
        text.lines()
            .filter_map(|line| line.split_once('='))
            .any(|(before, after)| before.trim() == key && after.trim_start().starts_with(value))
    };
    let options = [
        ("woven", build.woven.map(|on| on.to_string())),
        ("cpu_time", build.cpu_time.map(|on| on.to_string())),
        ("kernel_stack", build.kernel_stack.map(|bytes| bytes.to_string())),
    ];
    let mut written = options.into_iter().filter_map(|(key, value)| Some((key, value?)));
    match written.find(|(key, value)| !stands(key, value)) {
        None => Ok(()),
        Some((key, value)) => Err(FileError::Invalid {
            place,
            message: format!("CMake, which reads `{key}` too, would not find it here"),
            remedy: format!("write it below [build] on a line of its own: {key} = {value}"),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Explain;

    const GOOD: &str = "name = \"blink\"\nsummary = \"Toggles.\"\nboards = [\"hamilton\"]\n\
                        [budget]\nrom = 6000\nram = 1024\n";

    fn parse(text: &str) -> Result<Manifest, FileError> {
        let known = ["hamilton".to_string(), "samr21-xpro".to_string()];
        Manifest::parse(Path::new("app/blink"), Path::new("app/blink/lichen.toml"), text, &known)
    }

    fn refused(text: &str) -> (String, String, String) {
        let error = parse(text).expect_err("must be refused");
        let place = error.place().map(|p| p.to_string()).unwrap_or_default();
        (place, error.to_string(), error.remedy().unwrap_or_default())
    }

    #[test]
    fn a_budget_knows_its_line() {
        let manifest = parse(GOOD).expect("good");
        assert_eq!(manifest.budget.ram, 1024);
        assert_eq!(manifest.budget.ram_place.to_string(), "app/blink/lichen.toml:6:7");
    }

    #[test]
    fn a_misspelt_key_is_refused_with_place_and_suggestion() {
        let (place, message, remedy) = refused(&GOOD.replace("ram =", "rma ="));
        assert_eq!(place, "app/blink/lichen.toml:6:1");
        assert!(message.contains("unknown field `rma`"), "{message}");
        assert_eq!(remedy, "did you mean `ram`?");
    }

    #[test]
    fn a_name_that_is_not_the_folders_is_refused() {
        let (place, _, remedy) = refused(&GOOD.replace("\"blink\"", "\"blank\""));
        assert_eq!(place, "app/blink/lichen.toml:1:8");
        assert!(remedy.contains("blink"), "{remedy}");
    }

    #[test]
    fn an_unknown_board_is_refused_with_a_suggestion() {
        let (place, _, remedy) = refused(&GOOD.replace("\"hamilton\"", "\"hamiltn\""));
        assert_eq!(place, "app/blink/lichen.toml:3:10");
        assert!(remedy.starts_with("did you mean `hamilton`?"), "{remedy}");
    }

    #[test]
    fn a_test_has_ten_seconds_unless_it_says_otherwise() {
        let manifest = parse(&format!("{GOOD}[test]\nexpect = \"panic\"\n")).expect("good");
        let test = manifest.test.expect("has a test");
        assert_eq!((test.seconds, test.expect), (10, Expect::Panic));
    }

    #[test]
    fn options_of_the_build_are_read() {
        let manifest = parse(&format!("{GOOD}[build]\nwoven = false\n")).expect("good");
        assert_eq!(manifest.build, BuildOptions { woven: Some(false), ..BuildOptions::default() });
    }

    #[test]
    fn an_option_that_cmake_would_not_see_is_refused() {
        let with = |build: &str| GOOD.replace("[budget]", &format!("{build}\n[budget]"));
        assert!(parse(&with("[build]\n  cpu_time  =  true # why")).is_ok());
        let (place, message, remedy) = refused(&with("build = { cpu_time = true }"));
        assert_eq!(place, "app/blink/lichen.toml:4:9");
        assert!(message.contains("`cpu_time`"), "{message}");
        assert!(remedy.ends_with(": cpu_time = true"), "{remedy}");
        let (_, _, remedy) = refused(&with("[build]\nwoven = false\n\"cpu_time\" = true"));
        assert!(remedy.ends_with(": cpu_time = true"), "{remedy}");
    }

    #[test]
    fn an_unknown_option_of_the_build_is_refused_with_place_and_suggestion() {
        let (place, message, remedy) = refused(&format!("{GOOD}[build]\ncpu_tme = true\n"));
        assert_eq!(place, "app/blink/lichen.toml:8:1");
        assert!(message.contains("unknown field `cpu_tme`"), "{message}");
        assert_eq!(remedy, "did you mean `cpu_time`?");
        let (place, _, _) = refused(&format!("{GOOD}[build]\nwoven = \"no\"\n"));
        assert_eq!(place, "app/blink/lichen.toml:8:9");
    }

    #[test]
    fn a_missing_budget_is_refused() {
        let (_, message, _) = refused("name=\"blink\"\nsummary=\"\"\nboards=[\"hamilton\"]\n");
        assert!(message.contains("budget"), "{message}");
    }
}
