// SPDX-License-Identifier: MIT OR Apache-2.0
//! The section `[test]` of a manifest: how a program is run as a test.

use lichen_board::{Board, Button, Fitting};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::num::NonZeroU64;
use std::path::PathBuf;
use toml::Spanned;

/// How a program is run as a test.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoteTest {
    /// Simulated seconds after which a test that has not ended has failed.
    #[serde(default = "default_seconds")]
    pub seconds: u32,
    /// Console input, in the format of `run --input`; relative to the manifest.
    pub input: Option<PathBuf>,
    /// Selects the deviations of the mote's oscillators, as `run --seed`; 0 for none.
    #[serde(default)]
    pub seed: u64,
    /// Whether it is also run after its second link (`os/again.cmake`), on boards where it has one.
    #[serde(default)]
    pub again: bool,
    /// How it must end.
    #[serde(default)]
    pub expect: Expect,
    /// How often it must panic, restart and continue before it ends. Warnings and faults are
    /// expected in such a program.
    #[serde(default)]
    panics: u32,
    /// The same on boards where it is another number.
    #[serde(default)]
    panics_on: BTreeMap<Spanned<String>, u32>,
    /// Parts of the warnings that it must cause; others are failures.
    #[serde(default)]
    warnings: Vec<String>,
    /// The same on boards where it is others.
    #[serde(default)]
    warnings_on: BTreeMap<Spanned<String>, Vec<String>>,
    /// Boards on which only the long run has it.
    #[serde(default)]
    long_on: Vec<Spanned<String>>,
    /// For a program with forced interrupts: they come at one moment in this many, except in `lichen test --long`.
    #[serde(default = "default_every")]
    every: NonZeroU64,
    /// The same on boards where it is another number.
    #[serde(default)]
    every_on: BTreeMap<Spanned<String>, NonZeroU64>,
    /// For such a program: whether it also tries mutants outside the long run.
    #[serde(default = "default_mutants")]
    pub mutants: bool,
    /// Parts that are connected beside those of a board.
    #[serde(default)]
    device_on: BTreeMap<Spanned<String>, Vec<Fitting>>,
    /// Buttons that are connected beside those of a board.
    #[serde(default)]
    button_on: BTreeMap<Spanned<String>, Vec<Button>>,
    /// For a program of `test/corrupt`: how often an overwritten word leaves it silent, or lets it start
    /// again without a reset.
    #[serde(default)]
    silent_at_most: u32,
    /// The same on boards where it is another number.
    #[serde(default)]
    silent_at_most_on: BTreeMap<Spanned<String>, u32>,
}

impl MoteTest {
    /// How often it must panic on `board`.
    pub fn panics(&self, board: &str) -> u32 {
        self.panics_on.get(board).copied().unwrap_or(self.panics)
    }

    /// Parts of the warnings that it must cause on `board`.
    pub fn warnings(&self, board: &str) -> Vec<String> {
        self.warnings_on.get(board).unwrap_or(&self.warnings).clone()
    }

    /// Whether only the long run has it on `board`, or whoever selects it by name.
    pub fn is_long_on(&self, board: &str) -> bool {
        self.long_on.iter().any(|long| long.as_ref() == board)
    }

    /// Forced interrupts come at one moment in this many on `board`.
    pub fn every(&self, board: &str) -> u64 {
        self.every_on.get(board).unwrap_or(&self.every).get()
    }

    /// How often an overwritten word may leave it silent on `board`.
    pub fn silent_at_most(&self, board: &str) -> u32 {
        self.silent_at_most_on.get(board).copied().unwrap_or(self.silent_at_most)
    }

    /// The board as the test wants it: with the parts and buttons that it connects.
    pub fn wired(&self, board: Board) -> Result<Board, lichen_board::Error> {
        let devices = self.device_on.get(board.name.as_str()).cloned().unwrap_or_default();
        let buttons = self.button_on.get(board.name.as_str()).cloned().unwrap_or_default();
        board.with(devices)?.with_buttons(buttons)
    }

    /// The boards that settings are about, each with the setting's key.
    pub(super) fn boards(&self) -> impl Iterator<Item = (&'static str, &Spanned<String>)> {
        let panics = self.panics_on.keys().map(|board| ("panics_on", board));
        let warnings = self.warnings_on.keys().map(|board| ("warnings_on", board));
        let long = self.long_on.iter().map(|board| ("long_on", board));
        let every = self.every_on.keys().map(|board| ("every_on", board));
        let devices = self.device_on.keys().map(|board| ("device_on", board));
        let buttons = self.button_on.keys().map(|board| ("button_on", board));
        let silent = self.silent_at_most_on.keys().map(|board| ("silent_at_most_on", board));
        panics.chain(warnings).chain(long).chain(every).chain(devices).chain(buttons).chain(silent)
    }
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
            seed: 0,
            again: false,
            expect: Expect::default(),
            warnings: Vec::new(),
            warnings_on: BTreeMap::new(),
            panics: 0,
            panics_on: BTreeMap::new(),
            long_on: Vec::new(),
            every: default_every(),
            every_on: BTreeMap::new(),
            mutants: default_mutants(),
            device_on: BTreeMap::new(),
            button_on: BTreeMap::new(),
            silent_at_most: 0,
            silent_at_most_on: BTreeMap::new(),
        }
    }
}

fn default_seconds() -> u32 {
    10
}

fn default_every() -> NonZeroU64 {
    NonZeroU64::MIN
}

fn default_mutants() -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> MoteTest {
        toml::from_str(text).expect("good")
    }

    #[test]
    fn a_test_has_ten_seconds_unless_it_says_otherwise() {
        let test = parse("expect = \"panic\"\n");
        assert_eq!((test.seconds, test.expect), (10, Expect::Panic));
    }

    #[test]
    fn what_is_left_out_is_the_default() {
        let (written, default) = (parse(""), MoteTest::default());
        assert_eq!(format!("{written:?}"), format!("{default:?}"));
    }

    #[test]
    fn a_board_may_have_numbers_of_its_own() {
        let test = parse(
            "panics = 4\npanics_on = { micaz = 6 }\nlong_on = [\"micaz\"]\n\
             every = 3\nevery_on = { micaz = 100 }\n\
             silent_at_most = 7\nsilent_at_most_on = { micaz = 5 }\n",
        );
        assert_eq!(["hamilton", "micaz"].map(|board| test.silent_at_most(board)), [7, 5]);
        assert_eq!(["hamilton", "micaz"].map(|board| test.panics(board)), [4, 6]);
        assert_eq!(["hamilton", "micaz"].map(|board| test.is_long_on(board)), [false, true]);
        assert_eq!(["hamilton", "micaz"].map(|board| test.every(board)), [3, 100]);
        assert_eq!(parse("").every("micaz"), 1);
    }

    const TOY: &str = "name = \"toy\"\ntitle = \"Toy\"\nchip = \"ATmega128\"\n\
                       [i2c]\ntwi = 0\nsda = \"PD1\"\nscl = \"PD0\"\n";

    fn wired(text: &str) -> Result<Board, lichen_board::Error> {
        parse(text).wired(Board::parse("toy.toml", TOY).expect("a good board"))
    }

    #[test]
    fn a_test_connects_parts_and_buttons() {
        let sensor =
            |part| format!("[[device_on.toy]]\npart = \"{part}\"\nbus = \"i2c\"\naddress = 0x40\n");
        let button = "[[button_on.toy]]\nname = \"go\"\npin = \"PE4\"\n\
                      active = \"low\"\npull = \"internal\"\n";
        let board = wired(&format!("{}{button}", sensor("HDC1080"))).expect("it fits");
        assert_eq!((board.fittings.len(), board.buttons.len()), (1, 1));
        let other =
            wired(&sensor("HDC1080").replace("toy", "other")).expect("nothing is connected");
        assert!(other.fittings.is_empty());
        let error = wired(&sensor("TMP007")).expect_err("not simulated").to_string();
        assert!(error.contains("no part `TMP007` is simulated"), "{error}");
        let error = wired(&button.replace("PE4", "PD1")).expect_err("taken").to_string();
        assert!(error.contains("is the pin of both"), "{error}");
    }

    #[test]
    fn one_moment_in_none_is_refused() {
        for text in ["every = 0", "every_on = { micaz = 0 }"] {
            let error = toml::from_str::<MoteTest>(text).expect_err("refused").to_string();
            assert!(error.contains("nonzero"), "{error}");
        }
    }
}
