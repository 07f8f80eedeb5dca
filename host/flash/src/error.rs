// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors of writing flash.

use lichen_project::tool::{self, State, Tool};
use lichen_project::{Explain, Place};
use std::path::PathBuf;

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
    /// A port with invalid characters.
    #[error("`{port}` is not a port")]
    Port {
        /// What was given.
        port: String,
    },
    /// The tool finds what is connected in another way.
    #[error("{} does not find its probe by {by}", tool.name)]
    FoundOtherwise {
        /// The tool.
        tool: &'static Tool,
        /// What was given.
        by: &'static str,
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
            FlashError::Unsuitable { tool, probe: Some(_), .. } if tool.name == tool::EDBG.name => {
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
            FlashError::Port { .. } => "write it like /dev/ttyUSB0, COM3 or usb".to_string(),
            FlashError::FoundOtherwise { tool, .. } if tool.name == tool::AVRDUDE.name => {
                "say where the programmer is connected: --port /dev/ttyUSB0, for example"
                    .to_string()
            }
            FlashError::FoundOtherwise { .. } => {
                "say which probe: --serial NUMBER, as printed on it".to_string()
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
