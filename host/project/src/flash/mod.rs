// SPDX-License-Identifier: MIT OR Apache-2.0
//! Writing a program into the flash of a board, by a tool that drives its debug probe: which tool,
//! with which arguments, and the meaning of its output.
//!
//! A board's needs are in its file, in the table `[programmer]` (doc/spec/board.md).

mod output;

use crate::tool::{self, State, Tool};
use crate::{Explain, Place};
use lichen_device::{Board, Programmer};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The kind of probe that edbg supports.
const CMSIS_DAP: &str = "cmsis-dap";

/// A tool that writes flash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writer {
    /// OpenOCD.
    Openocd,
    /// edbg.
    Edbg,
}

impl Writer {
    /// Both; the preferred one first.
    pub const ALL: [Writer; 2] = [Writer::Openocd, Writer::Edbg];

    /// Its entry in the list of tools.
    pub fn tool(self) -> &'static Tool {
        match self {
            Writer::Openocd => &tool::OPENOCD,
            Writer::Edbg => &tool::EDBG,
        }
    }
}

/// What the user chose.
#[derive(Clone, Copy, Debug, Default)]
pub struct Choice<'a> {
    /// The tool.
    pub writer: Option<Writer>,
    /// The kind of probe, one of the board's.
    pub probe: Option<&'a str>,
    /// Serial number of the probe.
    pub serial: Option<&'a str>,
}

/// Why nothing is written.
#[derive(Debug, thiserror::Error)]
pub enum FlashError {
    /// The board's file does not say how.
    #[error("the board {board} has no [programmer]: its file does not say how to write its flash")]
    NoFacts {
        /// The board.
        board: String,
        /// Its file.
        file: PathBuf,
    },
    /// The chosen tool cannot write this board.
    #[error("{} cannot write into {board}{}", tool.name, probe_words(probe))]
    Unsuitable {
        /// The tool.
        tool: &'static Tool,
        /// The board.
        board: String,
        /// The kind of probe, if the board leaves a choice.
        probe: Option<String>,
        /// Where the board's facts are.
        file: PathBuf,
    },
    /// The board is not written with such a probe.
    #[error("the board {board} is not written with a probe called `{probe}`")]
    UnknownProbe {
        /// The requested probe.
        probe: String,
        /// The board.
        board: String,
        /// Those of the board.
        known: Vec<String>,
    },
    /// A serial number with invalid characters.
    #[error("`{serial}` is not a serial number of a probe")]
    Serial {
        /// What was given.
        serial: String,
    },
    /// The tool is missing, or too old.
    #[error("{} {}", tool.name, state_words(state))]
    Tool {
        /// The tool.
        tool: &'static Tool,
        /// How it was found.
        state: State,
        /// Another tool that would also work.
        other: Option<&'static Tool>,
    },
    /// The tool does not start.
    #[error("{} does not start: {source}", program.display())]
    Start {
        /// Its program.
        program: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// The tool failed.
    #[error("{message}")]
    Failed {
        /// What it means.
        message: String,
        /// What to do.
        remedy: String,
        /// All that the tool printed.
        output: String,
    },
}

fn probe_words(probe: &Option<String>) -> String {
    probe.as_ref().map(|probe| format!(" by a probe of the kind {probe}")).unwrap_or_default()
}

fn state_words(state: &State) -> String {
    match state {
        State::Unfit { version, wanted } => {
            format!("has version {version}; it must be {wanted}")
        }
        _ => "is not on this machine".to_string(),
    }
}

impl Explain for FlashError {
    fn place(&self) -> Option<Place> {
        match self {
            FlashError::NoFacts { file, .. } | FlashError::Unsuitable { file, .. } => {
                Some(Place::file(file))
            }
            _ => None,
        }
    }

    fn remedy(&self) -> Option<String> {
        Some(match self {
            FlashError::NoFacts { .. } => "doc/spec/board.md says what to add".to_string(),
            FlashError::Unsuitable { tool, .. } if tool.name == tool::EDBG.name => {
                "edbg supports only CMSIS-DAP probes: --probe cmsis-dap, or --with openocd"
                    .to_string()
            }
            FlashError::Unsuitable { .. } => "omit --with to use a tool that can".to_string(),
            FlashError::UnknownProbe { known, .. } if known.is_empty() => {
                "its probe is part of it: omit --probe".to_string()
            }
            FlashError::UnknownProbe { known, .. } => {
                format!("it is written with: {}", known.join(", "))
            }
            FlashError::Serial { .. } => {
                "it is printed on the board or the probe, for example ATML2130021800001234"
                    .to_string()
            }
            FlashError::Tool { tool, other: None, .. } => tool.remedy(),
            FlashError::Tool { tool, other: Some(other), .. } => {
                format!("{}; or use {}: {}", tool.remedy(), other.name, other.remedy())
            }
            FlashError::Start { .. } => "is it a program for this machine?".to_string(),
            FlashError::Failed { remedy, .. } => remedy.clone(),
        })
    }
}

/// A call of a tool that writes and verifies one program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The program.
    pub writer: Writer,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// What the user connects, and where.
    place: String,
    serial: Option<String>,
}

impl Call {
    /// The call that writes `elf`, whose bare image is `bin`, into `board`, whose facts are in `file`.
    /// If no tool is chosen, the first suitable one on this machine; if there is none, the first
    /// suitable one.
    pub fn new(
        board: &Board,
        file: &Path,
        (elf, bin): (&Path, &Path),
        choice: Choice<'_>,
    ) -> Result<Call, FlashError> {
        let facts = board.programmer.as_ref().ok_or_else(|| FlashError::NoFacts {
            board: board.name.clone(),
            file: file.to_path_buf(),
        })?;
        let serial = choice.serial.map(serial).transpose()?;
        let probe = probe(board, facts, choice.probe)?;
        let able: Vec<Writer> =
            Writer::ALL.into_iter().filter(|writer| can(*writer, facts, probe)).collect();
        let writer = match choice.writer {
            Some(writer) => Some(writer).filter(|writer| able.contains(writer)),
            None => {
                let here = able.iter().find(|writer| writer.tool().path().is_some());
                here.or(able.first()).copied()
            }
        };
        let unsuitable = || FlashError::Unsuitable {
            tool: choice.writer.unwrap_or(Writer::Edbg).tool(),
            board: board.name.clone(),
            probe: probe.map(str::to_string),
            file: file.to_path_buf(),
        };
        let writer = writer.ok_or_else(unsuitable)?;
        let arguments = match writer {
            Writer::Openocd => openocd(facts, probe, serial, elf),
            Writer::Edbg => edbg(facts, serial, bin),
        };
        let serial = serial.map(str::to_string);
        Ok(Call { writer, arguments, place: facts.place.clone(), serial })
    }

    /// The call as typed into a shell.
    pub fn line(&self) -> String {
        let program = self.writer.tool().name;
        let words = self.arguments.iter().map(|word| shell_word(word));
        std::iter::once(program.to_string()).chain(words).collect::<Vec<_>>().join(" ")
    }

    /// Checks that the tool is installed in a suitable version; `chosen` says whether the user
    /// chose it.
    pub fn check(&self, chosen: bool) -> Result<(), FlashError> {
        let tool = self.writer.tool();
        match tool::probe(tool) {
            State::Found { .. } => Ok(()),
            state => {
                let other = (!chosen && self.writer == Writer::Openocd).then_some(&tool::EDBG);
                Err(FlashError::Tool { tool, state, other })
            }
        }
    }

    /// Writes, verifies and starts the program. The tool must report that it has verified.
    pub fn execute(&self) -> Result<(), FlashError> {
        let tool = self.writer.tool();
        let program = tool.path().unwrap_or_else(|| PathBuf::from(tool.name));
        let output = Command::new(&program)
            .args(&self.arguments)
            .stdin(Stdio::null())
            .output()
            .map_err(|source| FlashError::Start { program, source })?;
        let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.push_str(&String::from_utf8_lossy(&output.stderr));
        if output.status.success() && output::is_verified(self.writer, &text) {
            return Ok(());
        }
        let (message, remedy) =
            output::meaning(self.writer, &text, &self.place, self.serial.as_deref());
        Err(FlashError::Failed { message, remedy, output: text })
    }
}

/// The serial number, which becomes an argument, if it is valid.
fn serial(serial: &str) -> Result<&str, FlashError> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if serial.starts_with(|c: char| c.is_ascii_alphanumeric()) && serial.chars().all(plain) {
        Ok(serial)
    } else {
        Err(FlashError::Serial { serial: serial.to_string() })
    }
}

/// The kind of probe: the requested one, otherwise the usual one; none if it is part of the board.
fn probe<'a>(
    board: &Board,
    facts: &'a Programmer,
    wanted: Option<&str>,
) -> Result<Option<&'a str>, FlashError> {
    let Some(wanted) = wanted else { return Ok(facts.probes.first().map(String::as_str)) };
    let found = facts.probes.iter().find(|known| *known == wanted);
    let unknown = || FlashError::UnknownProbe {
        probe: wanted.to_string(),
        board: board.name.clone(),
        known: facts.probes.clone(),
    };
    found.map(|probe| Some(probe.as_str())).ok_or_else(unknown)
}

/// Whether the tool can write the board with this probe.
fn can(writer: Writer, facts: &Programmer, probe: Option<&str>) -> bool {
    match writer {
        Writer::Openocd => !facts.openocd.is_empty(),
        Writer::Edbg => facts.edbg.is_some() && probe.is_none_or(|probe| probe == CMSIS_DAP),
    }
}

fn openocd(
    facts: &Programmer,
    probe: Option<&str>,
    serial: Option<&str>,
    elf: &Path,
) -> Vec<String> {
    let mut arguments = Vec::new();
    let mut pair = |option: &str, value: String| arguments.extend([option.to_string(), value]);
    if let Some(probe) = probe {
        pair("-f", format!("interface/{probe}.cfg"));
        // The chips have no JTAG, which some probes would try first.
        pair("-c", "transport select swd".to_string());
    }
    facts.openocd.iter().for_each(|script| pair("-f", script.clone()));
    if let Some(serial) = serial {
        pair("-c", format!("adapter serial {serial}"));
    }
    pair("-c", format!("program {} verify reset exit", tcl_word(&elf.display().to_string())));
    arguments
}

fn edbg(facts: &Programmer, serial: Option<&str>, bin: &Path) -> Vec<String> {
    let target = facts.edbg.as_deref().unwrap_or_default();
    let bin = bin.display().to_string();
    let mut arguments: Vec<String> =
        ["-b", "-t", target, "-p", "-v", "-f", &bin].map(str::to_string).to_vec();
    arguments.extend(serial.into_iter().flat_map(|serial| ["-s".to_string(), serial.to_string()]));
    arguments
}

/// `text` as one word of Tcl, the language of OpenOCD's commands.
fn tcl_word(text: &str) -> String {
    if text.contains(['{', '}', '\\']) {
        let escaped = |c: char| match c {
            '/' => String::from(c),
            c if c.is_alphanumeric() => String::from(c),
            c => format!("\\{c}"),
        };
        text.chars().map(escaped).collect()
    } else {
        format!("{{{text}}}")
    }
}

/// `text` as one word of a shell.
fn shell_word(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+=".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_string()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests;
