// SPDX-License-Identifier: MIT OR Apache-2.0
//! One instruction, with the state before and after it, as the data files have it.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    pub assembly: String,
    pub code: Vec<u16>,
    #[serde(default)]
    pub before: State,
    #[serde(default)]
    pub after: State,
    /// How long it takes; absent if it faults.
    pub cycles: Option<u64>,
    /// The fault that it takes, with nothing changed.
    pub fault: Option<String>,
}

/// What differs from the start, or from the state before. Flags are named when set; values of memory are
/// words, or bytes where the architecture has no others.
#[derive(Debug, Default, Deserialize)]
pub struct State {
    flags: Option<String>,
    #[serde(default)]
    memory: BTreeMap<String, u32>,
    #[serde(flatten)]
    pub registers: BTreeMap<String, u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    case: Vec<Case>,
}

/// All cases of a folder of `test/isa`, with the file that they come from.
pub fn cases(folder: &str) -> Vec<(String, Case)> {
    let mut files: Vec<PathBuf> = fs::read_dir(path(folder))
        .expect("the folder is there")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .filter(|path| !path.ends_with("encodings.toml"))
        .collect();
    files.sort();
    let mut cases = Vec::new();
    for file in files {
        let name = file.file_name().expect("a file").to_string_lossy().into_owned();
        let text = fs::read_to_string(&file).expect("readable");
        let parsed = parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        cases.extend(parsed.into_iter().map(|case| (name.clone(), case)));
    }
    cases
}

/// A folder of `test/isa`.
pub fn path(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test/isa").join(folder)
}

fn parse(text: &str) -> Result<Vec<Case>, String> {
    toml::from_str::<File>(text).map(|file| file.case).map_err(|error| error.to_string())
}

/// Checks all cases of a folder, of which there must be so many.
pub fn check_all(folder: &str, least: usize, check: fn(&Case) -> Result<(), String>) {
    let cases = cases(folder);
    let failures: Vec<String> = cases
        .iter()
        .filter_map(|(file, case)| {
            let wrong = check(case).err()?;
            Some(format!("{file}: {}, before {:?}: {wrong}", case.assembly, case.before))
        })
        .collect();
    assert!(cases.len() >= least, "cases are missing");
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

impl Case {
    /// The code as it lies in memory.
    pub fn bytes(&self) -> Vec<u8> {
        self.code.iter().flat_map(|half| half.to_le_bytes()).collect()
    }
}

impl State {
    /// The flags, given the bit of each letter.
    pub fn flag_bits(&self, flags: &[(char, u32)]) -> Option<u32> {
        let letters = self.flags.as_ref()?;
        Some(flags.iter().filter(|(letter, _)| letters.contains(*letter)).map(|(_, bit)| bit).sum())
    }

    /// Addresses and values.
    pub fn memory(&self) -> Result<Vec<(u32, u32)>, String> {
        let address = |text: &str| {
            u32::from_str_radix(text.trim_start_matches("0x"), 16).map_err(|_| text.to_string())
        };
        self.memory.iter().map(|(at, word)| Ok((address(at)?, *word))).collect()
    }
}
