// SPDX-License-Identifier: MIT OR Apache-2.0
//! Exit codes, and the form of errors: place, reason, remedy.

use crate::screen::Screen;
use lichen_build::BuildError;
use lichen_build::kinds::KindsError;
use lichen_build::size::OverBudget;
use lichen_build::vet::{LoadedStackError, VetError};
use lichen_project::template::CreateError;
use lichen_project::{Explain, FileError, Place, ProgramError};
use lichen_test::OwnError;
use std::process::ExitCode;

/// Exit codes, as `--help` documents them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// It worked.
    Done = 0,
    /// The work itself failed: a test, a build, the firmware.
    Failed = 1,
    /// The call or a file given to it is wrong.
    Wrong = 2,
}

impl From<Code> for ExitCode {
    fn from(code: Code) -> ExitCode {
        ExitCode::from(code as u8)
    }
}

/// An error, as a person reads it.
#[derive(Debug)]
pub struct Failure {
    /// The exit code.
    pub code: Code,
    /// What a tool printed about it, to be shown above the message.
    pub output: Option<String>,
    /// Where.
    pub place: Option<Place>,
    /// What.
    pub message: String,
    /// What to do.
    pub remedy: Option<String>,
}

impl Failure {
    /// A wrong call or input.
    pub fn wrong(message: impl Into<String>) -> Failure {
        Failure {
            code: Code::Wrong,
            output: None,
            place: None,
            message: message.into(),
            remedy: None,
        }
    }

    /// Work that failed.
    pub fn failed(message: impl Into<String>) -> Failure {
        Failure { code: Code::Failed, ..Failure::wrong(message) }
    }

    /// The same with a remedy, unless it has one.
    pub fn or_remedy(self, remedy: impl Into<String>) -> Failure {
        if self.remedy.is_some() { self } else { self.remedy(remedy) }
    }

    /// The same with a remedy.
    pub fn remedy(self, remedy: impl Into<String>) -> Failure {
        Failure { remedy: Some(remedy.into()), ..self }
    }

    /// The same with a place.
    pub fn at(self, place: Place) -> Failure {
        Failure { place: Some(place), ..self }
    }

    /// An error in what the caller gave.
    pub fn wrong_input(error: &dyn Explain) -> Failure {
        let failure = Failure::wrong(error.to_string());
        Failure { place: error.place(), remedy: error.remedy(), ..failure }
    }

    /// An error in what was tried.
    pub fn of(error: &dyn Explain) -> Failure {
        Failure { code: Code::Failed, ..Failure::wrong_input(error) }
    }

    /// Prints the error on the error output.
    pub fn print(&self, screen: &Screen) {
        screen.end_progress();
        if let Some(output) = &self.output {
            eprint!("{output}");
        }
        let place = self.place.as_ref().map(|place| format!("{place}: ")).unwrap_or_default();
        // The place appears once, even if the system's message repeats the file.
        let place = if self.message.contains(place.trim_end_matches(": ")) { "" } else { &place };
        eprintln!("{} {place}{}", screen.red("error:"), self.message);
        if let Some(remedy) = &self.remedy {
            eprintln!("{} {remedy}", screen.bold("  help:"));
        }
    }
}

impl From<ProgramError> for Failure {
    fn from(error: ProgramError) -> Failure {
        Failure::wrong_input(&error)
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Failure {
        Failure::wrong_input(&error)
    }
}

impl From<OwnError> for Failure {
    fn from(error: OwnError) -> Failure {
        Failure::wrong_input(&error)
    }
}

impl From<CreateError> for Failure {
    fn from(error: CreateError) -> Failure {
        Failure::wrong_input(&error)
    }
}

impl From<OverBudget> for Failure {
    fn from(error: OverBudget) -> Failure {
        Failure::of(&error)
    }
}

impl From<LoadedStackError> for Failure {
    fn from(error: LoadedStackError) -> Failure {
        Failure::of(&error)
    }
}

impl From<VetError> for Failure {
    fn from(error: VetError) -> Failure {
        Failure::of(&error)
    }
}

impl From<KindsError> for Failure {
    fn from(error: KindsError) -> Failure {
        match error {
            KindsError::Build(error) => error.into(),
            error => Failure::of(&error),
        }
    }
}

impl From<BuildError> for Failure {
    fn from(error: BuildError) -> Failure {
        let failure = Failure::of(&error);
        match error {
            BuildError::Failed { output, .. } => Failure { output: Some(output), ..failure },
            _ => failure,
        }
    }
}

/// The messages of these errors name the file, the line and the remedy themselves.
macro_rules! wrong_input {
    ($($error:ty),*) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Failure {
                Failure::wrong(error.to_string())
            }
        })*
    };
}

wrong_input!(
    lichen_image::Error,
    lichen_board::Error,
    lichen_energy::Error,
    lichen_world::Error,
    lichen_scenario::ScenarioError,
    lichen_scenario::InputError,
    lichen_world::SnapshotError,
    lichen_trace::Error
);
