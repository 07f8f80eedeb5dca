// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares the core with an independent one: `cargo run --release --example oracle -- FILE`.
//!
//! FILE is the output of `test/oracle/oracle.py`: random programs, and the registers, flags, memory
//! and exceptions that QEMU's Cortex-M0 ends with. Fails if a program ends differently here, or if
//! an encoding of ARMv6-M is neither executed nor excluded by name.

// Shared with the tests of single instructions, which also query what a halfword may begin.
#[allow(dead_code)]
#[path = "../../tests/instructions/encoding.rs"]
mod encoding;
mod program;

use encoding::Encoding;
use program::{Memories, Program};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::Path;
use std::process::{Command, ExitCode};

/// At most this many differing programs are shown.
const MOST_SHOWN: usize = 3;

/// The oracle's output.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Runs {
    seed: u64,
    /// Contents of the memories, in hexadecimal.
    flash: String,
    ram: String,
    /// Encodings that no program contains, and why.
    excluded: BTreeMap<String, String>,
    /// What else no program contains, and why.
    avoided: BTreeMap<String, String>,
    programs: Vec<Program>,
}

#[allow(clippy::print_stdout, clippy::print_stderr)]
fn main() -> Result<ExitCode, Box<dyn Error>> {
    let file = std::env::args().nth(1).ok_or("which file? oracle FILE")?;
    let runs: Runs = toml::from_str(&std::fs::read_to_string(&file)?)?;
    let memories = Memories { flash: bytes(&runs.flash)?, ram: bytes(&runs.ram)? };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test/isa/armv6m");
    let encodings = encoding::parse(&std::fs::read_to_string(folder.join("encodings.toml"))?)?;

    let mut executed = BTreeSet::new();
    let mut differing = 0;
    for (number, program) in runs.programs.iter().enumerate() {
        let mut see = |code: &[u16]| {
            executed.extend(encodings.iter().position(|encoding| encoding.matches(code)));
        };
        let Err(difference) = program.check(&memories, &mut see) else { continue };
        differing += 1;
        if differing <= MOST_SHOWN {
            eprintln!("program {number} of seed {}: {difference}", runs.seed);
            eprintln!("before: {}\n{}", program.before(), listing(program, Path::new(&file))?);
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
    let agrees = differing == 0 && missing.is_empty() && !runs.programs.is_empty();
    Ok(if agrees { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The bytes of hexadecimal digits.
fn bytes(digits: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    let pairs = digits.as_bytes().chunks(2);
    pairs.map(|pair| Ok(u8::from_str_radix(std::str::from_utf8(pair)?, 16)?)).collect()
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

/// The program's code as text; as halfwords if there is no disassembler.
fn listing(program: &Program, file: &Path) -> Result<String, Box<dyn Error>> {
    let binary = file.with_extension("bin");
    let code: Vec<u8> = program.code.iter().flat_map(|half| half.to_le_bytes()).collect();
    std::fs::write(&binary, code)?;
    let output = Command::new("arm-none-eabi-objdump")
        .args(["-D", "-b", "binary", "-m", "arm", "-M", "force-thumb"])
        .arg(format!("--adjust-vma=0x{:x}", program.address))
        .arg(&binary)
        .output();
    Ok(match output {
        Ok(output) if output.status.success() => {
            let text = String::from_utf8_lossy(&output.stdout);
            text.lines().skip_while(|line| !line.contains("<.data>")).collect::<Vec<_>>().join("\n")
        }
        _ => format!("0x{:x}: {:04x?}", program.address, program.code),
    })
}
