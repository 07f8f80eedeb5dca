// SPDX-License-Identifier: MIT OR Apache-2.0
//! A compiler's text, with the instructions that the assembler makes of its lines: for whoever rewrites the text, and has
//! to know what is known of instructions.
//!
//! The text is assembled with a table of its lines, and linked by itself, so that sections lie beside each other and
//! branches lead where they do. What is in other files is at address 0.

use crate::Text;
use lichen_image::{Image, Machine};
use lichen_isa::Instruction;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// An instruction, and where it stands in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Number of the line, from 1.
    pub line: u32,
    /// Where it lies when the text is linked by itself.
    pub address: u32,
    /// What it is.
    pub instruction: Instruction,
    /// The line.
    pub text: String,
}

/// Why a text has no instructions.
#[derive(Debug, thiserror::Error)]
pub enum Unlisted {
    /// A tool is missing.
    #[error("cannot run {0}: {1}")]
    Tool(&'static str, std::io::Error),
    /// A tool refuses it.
    #[error("{0}: {1}")]
    Refused(&'static str, String),
    /// The file cannot be read.
    #[error("cannot read {0}: {1}")]
    Unreadable(PathBuf, std::io::Error),
    /// The compiler was asked for debug information: lines are said to be those of its source.
    #[error("{0} has lines of another file: compile it with -g0")]
    Located(PathBuf),
    /// What was linked is no image.
    #[error(transparent)]
    Image(#[from] lichen_image::Error),
}

/// GNU's tools for a machine: assembler and linker, with what they are told.
type Tools = [(&'static str, &'static [&'static str]); 2];

const ARM: Tools =
    [("arm-none-eabi-as", &["-mcpu=cortex-m0plus"]), ("arm-none-eabi-ld", &["-Ttext=0x100"])];
const AVR: Tools = [("avr-as", &["-mmcu=atmega128"]), ("avr-ld", &["-mavr51", "-Ttext=0x100"])];

/// The instructions of the text in `file`, by address. What the tools make is left in `folder`.
pub fn listed(machine: Machine, file: &Path, folder: &Path) -> Result<Vec<Listed>, Unlisted> {
    let source = std::fs::read_to_string(file);
    let source = source.map_err(|error| Unlisted::Unreadable(file.into(), error))?;
    let lines: Vec<&str> = source.lines().collect();
    if lines.iter().any(|line| line.trim_start().starts_with(".loc")) {
        return Err(Unlisted::Located(file.into()));
    }
    let [assembler, linker] = if machine == Machine::Arm { ARM } else { AVR };
    let (object, linked) = (folder.join("listed.o"), folder.join("listed.elf"));
    run(assembler, &["-g", "-o"], [&object, file])?;
    let whole = ["--unresolved-symbols=ignore-all", "--entry=0", "-o"];
    run(linker, &whole, [&linked, &object])?;
    let image = Image::load(&linked)?;
    Ok(of(&Text::of(&image), &lines))
}

fn of(text: &Text<'_>, lines: &[&str]) -> Vec<Listed> {
    let mut count: HashMap<u32, usize> = HashMap::new();
    let ranges = text.image.code().iter().cloned();
    let all = ranges.flat_map(|range| text.instructions(range));
    let listed = all.filter_map(|(address, instruction)| {
        let line = text.image.locations(address).into_iter().find_map(|it| it.line)?;
        let text = lines.get(line as usize - 1)?.trim();
        // What the assembler fills up with belongs to no line.
        let count = count.entry(line).or_default();
        *count += 1;
        let belongs = *count <= text.split(STATEMENTS).count();
        belongs.then(|| Listed { line, address, instruction, text: text.into() })
    });
    listed.collect()
}

/// What is between instructions of one line; comments begin with it on AVR, where a line has one.
const STATEMENTS: char = ';';

fn run(
    (tool, own): (&'static str, &[&str]),
    arguments: &[&str],
    files: [&Path; 2],
) -> Result<(), Unlisted> {
    let output = Command::new(tool).args(own).args(arguments).args(files).output();
    let output = output.map_err(|error| Unlisted::Tool(tool, error))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(Unlisted::Refused(tool, String::from_utf8_lossy(&output.stderr).into())),
    }
}
