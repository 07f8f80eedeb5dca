// SPDX-License-Identifier: MIT OR Apache-2.0
//! Writing a program into the flash of a board, by a tool that drives its debug probe or programmer: which tool,
//! with which arguments, and the meaning of its output.
//!
//! A board's needs are in its file, in the table `[programmer]` (doc/spec/board.md).

mod error;
mod output;

pub use error::FlashError;

use lichen_board::{Board, Programmer};
use lichen_project::tool::{self, State, Tool};
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
    /// avrdude.
    Avrdude,
}

impl Writer {
    /// All; of those that can write a board the preferred one first.
    pub const ALL: [Writer; 3] = [Writer::Openocd, Writer::Edbg, Writer::Avrdude];

    /// Its entry in the list of tools.
    pub fn tool(self) -> &'static Tool {
        match self {
            Writer::Openocd => &tool::OPENOCD,
            Writer::Edbg => &tool::EDBG,
            Writer::Avrdude => &tool::AVRDUDE,
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
    /// Where a programmer of avrdude is connected.
    pub port: Option<&'a str>,
}

/// A call of a tool that writes and verifies one program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The program.
    pub writer: Writer,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Another one that could write the board, if the user chose none.
    other: Option<Writer>,
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
        check_words(choice)?;
        let probe = probe(board, facts, choice.probe)?;
        let able: Vec<Writer> =
            Writer::ALL.into_iter().filter(|writer| can(*writer, facts, probe)).collect();
        let unsuitable = || FlashError::Unsuitable {
            tool: choice.writer.unwrap_or(Writer::Edbg).tool(),
            board: board.name.clone(),
            probe: probe.map(str::to_string),
            file: file.to_path_buf(),
        };
        let writer = chosen(choice.writer, &able).ok_or_else(unsuitable)?;
        let arguments = match writer {
            Writer::Openocd => openocd(facts, probe, choice.serial, elf),
            Writer::Edbg => edbg(facts, choice.serial, bin),
            Writer::Avrdude => avrdude(facts, probe, choice.port, elf),
        };
        check_way(writer, choice)?;
        let others = able.into_iter().filter(|other| *other != writer && choice.writer.is_none());
        Ok(Call {
            writer,
            arguments,
            other: others.into_iter().next(),
            place: facts.place.clone(),
            serial: choice.serial.map(str::to_string),
        })
    }

    /// The call as typed into a shell.
    pub fn line(&self) -> String {
        let program = self.writer.tool().name;
        let words = self.arguments.iter().map(|word| shell_word(word));
        std::iter::once(program.to_string()).chain(words).collect::<Vec<_>>().join(" ")
    }

    /// Checks that the tool is installed in a suitable version.
    pub fn check(&self) -> Result<(), FlashError> {
        let tool = self.writer.tool();
        match tool::probe(tool) {
            State::Found { .. } => Ok(()),
            state => Err(FlashError::Tool { tool, state, other: self.other.map(Writer::tool) }),
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

/// The tool: the wanted one if it is able, else the first that is on this machine, else the first.
fn chosen(wanted: Option<Writer>, able: &[Writer]) -> Option<Writer> {
    match wanted {
        Some(writer) => Some(writer).filter(|writer| able.contains(writer)),
        None => {
            let here = able.iter().find(|writer| writer.tool().path().is_some());
            here.or(able.first()).copied()
        }
    }
}

/// Serial number and port, which become arguments, are words.
fn check_words(choice: Choice<'_>) -> Result<(), FlashError> {
    let plain = |text: &str, more: &str| {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c) || more.contains(c);
        let begins = |c: char| c.is_ascii_alphanumeric() || more.contains(c);
        text.starts_with(begins) && text.chars().all(is_plain)
    };
    if let Some(serial) = choice.serial.filter(|serial| !plain(serial, "")) {
        return Err(FlashError::Serial { serial: serial.to_string() });
    }
    match choice.port.filter(|port| !plain(port, "/.:")) {
        Some(port) => Err(FlashError::Port { port: port.to_string() }),
        None => Ok(()),
    }
}

/// A probe has a serial number, a programmer of avrdude a port.
fn check_way(writer: Writer, choice: Choice<'_>) -> Result<(), FlashError> {
    let tool = writer.tool();
    match (writer, choice.serial, choice.port) {
        (Writer::Avrdude, Some(_), _) => {
            Err(FlashError::FoundOtherwise { tool, by: "a serial number" })
        }
        (Writer::Openocd | Writer::Edbg, _, Some(_)) => {
            Err(FlashError::FoundOtherwise { tool, by: "a port" })
        }
        _ => Ok(()),
    }
}

/// The kind of probe: the requested one, otherwise the usual one; none if it is part of the board.
fn probe<'a>(
    board: &Board,
    facts: &'a Programmer,
    wanted: Option<&str>,
) -> Result<Option<&'a str>, FlashError> {
    let Some(wanted) = wanted else { return Ok(facts.probes.first().map(String::as_str)) };
    let mut known = facts.probes.iter().chain(programmers(facts));
    let unknown = || FlashError::UnknownProbe {
        probe: wanted.to_string(),
        board: board.name.clone(),
        known: facts.probes.iter().chain(programmers(facts)).cloned().collect(),
    };
    let found = known.find(|known| *known == wanted);
    found.map(|probe| Some(probe.as_str())).ok_or_else(unknown)
}

/// The programmers that avrdude can use.
fn programmers(facts: &Programmer) -> impl Iterator<Item = &String> {
    facts.avrdude.iter().flat_map(|avrdude| &avrdude.programmers)
}

/// Whether the tool can write the board with this probe.
fn can(writer: Writer, facts: &Programmer, probe: Option<&str>) -> bool {
    let of_probes = || probe.is_none_or(|probe| facts.probes.iter().any(|known| known == probe));
    let of_programmers =
        || probe.is_none_or(|probe| programmers(facts).any(|known| known == probe));
    match writer {
        Writer::Openocd => !facts.openocd.is_empty() && of_probes(),
        Writer::Edbg => facts.edbg.is_some() && probe.is_none_or(|probe| probe == CMSIS_DAP),
        Writer::Avrdude => facts.avrdude.is_some() && of_programmers(),
    }
}

/// avrdude reads the parts of flash from the ELF file, and takes no other memory from it.
fn avrdude(facts: &Programmer, probe: Option<&str>, port: Option<&str>, elf: &Path) -> Vec<String> {
    let Some(avrdude) = &facts.avrdude else { return Vec::new() };
    let programmer = probe.or(avrdude.programmers.first().map(String::as_str)).unwrap_or_default();
    let port = port.unwrap_or(&avrdude.port);
    let flash = format!("flash:w:{}:e", elf.display());
    ["-c", programmer, "-p", &avrdude.part, "-P", port, "-U", &flash].map(str::to_string).to_vec()
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
    let plain = |c: char| c.is_alphanumeric() || "/._-+=:".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_string()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests;
