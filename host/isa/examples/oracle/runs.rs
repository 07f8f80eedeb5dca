// SPDX-License-Identifier: MIT OR Apache-2.0
//! The oracle's output, whatever the architecture: programs, run here and compared.

use crate::encoding::{self, Encoding};
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::Path;
use std::process::Command;

/// At most this many differing programs are shown.
const MOST_SHOWN: usize = 3;

/// The oracle's output.
#[derive(Deserialize)]
#[serde(bound = "")]
pub struct Runs<P: Program> {
    seed: u64,
    #[serde(flatten)]
    memories: P::Memories,
    /// Encodings that no program contains, and why.
    excluded: BTreeMap<String, String>,
    /// What else no program contains, and why.
    avoided: BTreeMap<String, String>,
    programs: Vec<P>,
}

/// A program, and the oracle's result.
pub trait Program: DeserializeOwned {
    /// The initial contents of the memories, for all programs.
    type Memories: DeserializeOwned;

    /// The folder of `test/isa` that lists the encodings.
    const FOLDER: &str;
    /// The disassembler and its arguments.
    const DISASSEMBLER: &[&str];

    /// The program's address and its code.
    fn code(&self) -> (u32, &[u16]);

    /// The registers at the start, by name.
    fn before(&self) -> String;

    /// Runs the program, shows `see` the code of each instruction executed, and reports differences
    /// from the oracle.
    fn check(&self, memories: &Self::Memories, see: &mut impl FnMut(&[u16])) -> Result<(), String>;
}

/// Runs the programs of a file; returns whether all end as the oracle says, and every encoding is
/// executed or excluded by name.
#[allow(clippy::print_stdout, clippy::print_stderr)]
pub fn compare<P: Program>(file: &Path) -> Result<bool, Box<dyn Error>> {
    let runs: Runs<P> = toml::from_str(&std::fs::read_to_string(file)?)?;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test/isa").join(P::FOLDER);
    let encodings = encoding::parse(&std::fs::read_to_string(folder.join("encodings.toml"))?)?;

    let mut executed = BTreeSet::new();
    let mut differing = 0;
    for (number, program) in runs.programs.iter().enumerate() {
        let mut see = |code: &[u16]| {
            executed.extend(encodings.iter().position(|encoding| encoding.matches(code)));
        };
        let Err(difference) = program.check(&runs.memories, &mut see) else { continue };
        differing += 1;
        if differing <= MOST_SHOWN {
            eprintln!("program {number} of seed {}: {difference}", runs.seed);
            eprintln!("before: {}\n{}", program.before(), listing(program, file)?);
        }
    }
    let missing = uncovered(&encodings, &executed, &runs.excluded);
    missing.iter().for_each(|problem| eprintln!("{problem}"));
    println!(
        "{} programs, {differing} differ; {} of {} encodings executed",
        runs.programs.len(),
        executed.len(),
        encodings.len(),
    );
    for (what, why) in runs.excluded.iter().chain(&runs.avoided) {
        println!("not compared: {what} ({why})");
    }
    Ok(differing == 0 && missing.is_empty() && !runs.programs.is_empty())
}

/// Encodings that should have been executed, or should not.
fn uncovered(
    encodings: &[Encoding],
    executed: &BTreeSet<usize>,
    excluded: &BTreeMap<String, String>,
) -> Vec<String> {
    let problem = |(index, encoding): (usize, &Encoding)| {
        let name = &encoding.name;
        match (executed.contains(&index), excluded.contains_key(name)) {
            (false, false) => Some(format!("no program executes {name}: make more programs")),
            (true, true) => Some(format!("{name} is excluded, but a program executes it")),
            _ => None,
        }
    };
    encodings.iter().enumerate().filter_map(problem).collect()
}

/// The program's code as text; as words of 16 bits if there is no disassembler.
fn listing<P: Program>(program: &P, file: &Path) -> Result<String, Box<dyn Error>> {
    let binary = file.with_extension("bin");
    let (address, code) = program.code();
    let bytes: Vec<u8> = code.iter().flat_map(|half| half.to_le_bytes()).collect();
    std::fs::write(&binary, bytes)?;
    let output = Command::new(P::DISASSEMBLER[0])
        .args(&P::DISASSEMBLER[1..])
        .arg(format!("--adjust-vma=0x{address:x}"))
        .arg(&binary)
        .output();
    Ok(match output {
        Ok(output) if output.status.success() => {
            let text = String::from_utf8_lossy(&output.stdout);
            text.lines().skip_while(|line| !line.contains("<.data>")).collect::<Vec<_>>().join("\n")
        }
        _ => format!("0x{address:x}: {code:04x?}"),
    })
}

/// Bytes that are written as hexadecimal digits.
pub fn hexadecimal<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
    let digits = String::deserialize(from)?;
    let byte = |at| digits.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok());
    let bytes: Option<Vec<u8>> = (0..digits.len()).step_by(2).map(byte).collect();
    bytes.ok_or_else(|| D::Error::custom("these are not pairs of hexadecimal digits"))
}
