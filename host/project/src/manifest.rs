// SPDX-License-Identifier: MIT OR Apache-2.0
//! The manifest of a program, `lichen.toml`: its format is described in `doc/spec/manifest.md`.

mod clock;
mod load;
mod mote_test;

pub use clock::Clock;
pub use load::{Load, Programs};
pub use mote_test::{Expect, MoteTest};

use crate::tomlfile::parse_toml;
use crate::{FileError, Place};
use serde::Deserialize;
use std::collections::BTreeMap;
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
    /// Boards it runs on. Only names of tests depend on their order: those of `test/force` leave out the first.
    pub boards: Vec<String>,
    /// How it is built; CMake reads these keys itself (`os/lichen.cmake`).
    pub build: BuildOptions,
    /// Line of `build.kernel_stack`, if it is there.
    pub kernel_stack_place: Option<Place>,
    /// Its budget on boards that have none of their own, if it has one.
    budget: Option<Budget>,
    /// The budgets of boards that have one of their own.
    budgets: BTreeMap<String, Budget>,
    /// What it is as a program that is loaded, if it can be.
    pub load: Option<Load>,
    /// What its image has for programs that are loaded.
    pub programs: Programs,
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
    /// The last level of messages that are compiled (`lichen/syslog.h`).
    pub syslog: Option<SyslogLevel>,
    /// The processor's clock (`lichen/clock.h`).
    pub clock: Option<Clock>,
    /// How the time is kept.
    pub tick: Option<Tick>,
    /// Whether the program and what it uses of the system are optimised as one, where the compiler can.
    pub lto: Option<bool>,
}

/// How the time is kept: the ways of the Hamilton paper, section 5.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tick {
    /// By the slow clock and the processor's together.
    Cooperative,
    /// The same, by a slow clock that is calibrated (`lichen/calibration.h`).
    Calibrated,
    /// By reading the slow clock whenever the time is needed, to compare.
    Read,
}

impl Tick {
    /// As the manifest has it.
    fn written(self) -> String {
        format!("\"{self:?}\"").to_lowercase()
    }
}

/// Levels of messages, the most important first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SyslogLevel {
    /// No messages.
    None,
    /// The mote cannot go on.
    Emerg,
    /// Somebody must act at once.
    Alert,
    /// A part of the mote has failed.
    Crit,
    /// Something has failed.
    Err,
    /// Something is going to fail.
    Warning,
    /// Normal, but worth knowing.
    Notice,
    /// What happens.
    Info,
    /// Why it happens.
    Debug,
}

impl SyslogLevel {
    /// As the manifest has it.
    fn written(self) -> String {
        format!("\"{self:?}\"").to_lowercase()
    }
}

/// The file as written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    name: Spanned<String>,
    summary: String,
    boards: Spanned<Vec<String>>,
    build: Option<Spanned<BuildOptions>>,
    budget: Option<WrittenBudget>,
    load: Option<Load>,
    programs: Option<Spanned<Programs>>,
    test: Option<MoteTest>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenBudget {
    rom: Spanned<u32>,
    ram: Spanned<u32>,
    #[serde(default)]
    on: BTreeMap<Spanned<String>, BoardBudget>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BoardBudget {
    rom: Spanned<u32>,
    ram: Spanned<u32>,
}

impl Manifest {
    /// What it may occupy on `board`, if it says so.
    pub fn budget(&self, board: &str) -> Option<&Budget> {
        self.budgets.get(board).or(self.budget.as_ref())
    }

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
        load::check(file, text, written.load.as_ref(), written.programs.as_ref())?;
        let budget = |rom: &Spanned<u32>, ram: &Spanned<u32>| Budget {
            rom_place: at(rom.span().start),
            rom: *rom.as_ref(),
            ram_place: at(ram.span().start),
            ram: *ram.as_ref(),
        };
        let is_named = |board: &Spanned<String>, what: &str| {
            check_is_named(board, written.boards.as_ref(), what, at(board.span().start))
        };
        for (key, board) in written.test.iter().flat_map(MoteTest::boards) {
            is_named(board, &format!("`{key}`"))?;
        }
        let of_board = |(board, own): (&Spanned<String>, &BoardBudget)| {
            is_named(board, "this budget")?;
            Ok((board.as_ref().clone(), budget(&own.rom, &own.ram)))
        };
        let of_boards = written.budget.iter().flat_map(|budget| &budget.on);
        let budgets = of_boards.map(of_board).collect::<Result<_, FileError>>()?;
        Ok(Manifest {
            file: file.to_path_buf(),
            name: written.name.into_inner(),
            summary: written.summary,
            boards: written.boards.into_inner(),
            kernel_stack_place: line_of(text, "kernel_stack").map(|line| Place::line(file, line)),
            build: written.build.map(Spanned::into_inner).unwrap_or_default(),
            budget: written.budget.as_ref().map(|it| budget(&it.rom, &it.ram)),
            budgets,
            load: written.load,
            programs: written.programs.map(Spanned::into_inner).unwrap_or_default(),
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

/// `what`, which is about one board, must be about one that the program names.
fn check_is_named(
    board: &Spanned<String>,
    boards: &[String],
    what: &str,
    place: Place,
) -> Result<(), FileError> {
    let board = board.as_ref();
    if boards.contains(board) {
        return Ok(());
    }
    Err(FileError::Invalid {
        place,
        message: format!("the program does not name the board `{board}` of {what}"),
        remedy: crate::tree::choose("boards of the program", board, boards),
    })
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
        ("syslog", build.syslog.map(SyslogLevel::written)),
        ("clock", build.clock.map(|clock| format!("\"{clock}\""))),
        ("tick", build.tick.map(Tick::written)),
        ("lto", build.lto.map(|on| on.to_string())),
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
        assert_eq!(manifest.budget("hamilton").expect("one").ram, 1024);
        let budget = manifest.budget("hamilton").expect("one");
        assert_eq!(budget.ram_place.to_string(), "app/blink/lichen.toml:6:7");
    }

    #[test]
    fn a_board_may_have_a_budget_of_its_own() {
        let other = format!("{GOOD}[budget.on.hamilton]\nrom = 4000\nram = 512\n");
        let manifest = parse(&other).expect("good");
        let budget = manifest.budget("hamilton").expect("its own");
        assert_eq!((budget.rom, budget.ram), (4000, 512));
        assert_eq!(budget.rom_place.to_string(), "app/blink/lichen.toml:8:7");
        assert_eq!(manifest.budget("samr21-xpro").expect("one").ram, 1024);
        let (place, message, _) = refused(&other.replace("on.hamilton", "on.samr21-xpro"));
        assert_eq!(place, "app/blink/lichen.toml:7:12");
        assert!(message.contains("does not name the board `samr21-xpro`"), "{message}");
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
    fn a_test_is_about_boards_of_the_program() {
        let with = |setting: &str| format!("{GOOD}[test]\n{setting}\n");
        assert!(parse(&with("every_on = { hamilton = 3 }")).is_ok());
        for (setting, key) in [
            ("panics_on = { micaz = 6 }", "panics_on"),
            ("long_on = [\"hamiltn\"]", "long_on"),
            ("every_on = { micaz = 6 }", "every_on"),
        ] {
            let (place, message, remedy) = refused(&with(setting));
            assert!(place.starts_with("app/blink/lichen.toml:8:"), "{place}");
            assert!(message.ends_with(&format!("of `{key}`")), "{message}");
            assert!(remedy.contains("hamilton"), "{remedy}");
        }
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
    fn the_level_of_messages_is_a_word() {
        let with = |build: &str| GOOD.replace("[budget]", &format!("{build}\n[budget]"));
        let quiet = parse(&with("[build]\nsyslog = \"warning\"")).expect("a level");
        assert_eq!(quiet.build.syslog, Some(SyslogLevel::Warning));
        let (place, message, _) = refused(&with("[build]\nsyslog = \"warn\""));
        assert!(place.starts_with("app/blink/lichen.toml:5:"), "{place}");
        assert!(message.contains("`warning`"), "{message}");
        let (_, _, remedy) = refused(&with("build = { syslog = \"none\" }"));
        assert!(remedy.ends_with(": syslog = \"none\""), "{remedy}");
    }

    #[test]
    fn the_clock_is_adaptive_or_a_frequency() {
        let with = |build: &str| GOOD.replace("[budget]", &format!("[build]\n{build}\n[budget]"));
        let clock = |text: &str| parse(&with(text)).expect("a clock").build.clock;
        assert_eq!(clock("clock = \"adaptive\""), Some(Clock::Adaptive));
        assert_eq!(clock("clock = \"48 MHz\""), Some(Clock::Fixed(48)));
        for wrong in ["fast", "48MHz", "048 MHz", "48  MHz", "48 MHz "] {
            let (place, message, _) = refused(&with(&format!("clock = \"{wrong}\"")));
            assert!(place.starts_with("app/blink/lichen.toml:5:"), "{place}");
            assert!(message.contains(&format!("`{wrong}`")), "{message}");
        }
    }

    #[test]
    fn the_tick_is_kept_in_one_of_three_ways() {
        let with = |build: &str| GOOD.replace("[budget]", &format!("[build]\n{build}\n[budget]"));
        let tick = |text: &str| parse(&with(text)).expect("a tick").build.tick;
        assert_eq!(tick("tick = \"cooperative\""), Some(Tick::Cooperative));
        assert_eq!(tick("tick = \"calibrated\""), Some(Tick::Calibrated));
        assert_eq!(tick("tick = \"read\""), Some(Tick::Read));
        let (place, message, _) = refused(&with("tick = \"polled\""));
        assert!(place.starts_with("app/blink/lichen.toml:5:"), "{place}");
        assert!(message.contains("`polled`"), "{message}");
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
    fn a_program_may_have_no_budget() {
        let manifest =
            parse("name=\"blink\"\nsummary=\"\"\nboards=[\"hamilton\"]\n").expect("good");
        assert!(manifest.budget("hamilton").is_none());
    }
}
