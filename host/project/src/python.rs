// SPDX-License-Identifier: MIT OR Apache-2.0
//! Environments of Python's for tools that come as its packages: each has the packages of one file of
//! requirements, which pins them.

use crate::tool::{self, State};
use crate::{Explain, Place};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// An environment.
#[derive(Clone, Debug)]
pub struct Environment {
    folder: PathBuf,
}

/// Why there is no environment.
#[derive(Debug, thiserror::Error)]
pub enum PythonError {
    /// No suitable Python.
    #[error("python3 of version 3.11 or newer is missing")]
    Missing,
    /// The requirements cannot be read, or their copy cannot be written.
    #[error("{}: {source}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// A step of the installation failed.
    #[error("{message}")]
    Failed {
        /// What failed.
        message: String,
        /// What to do.
        remedy: String,
        /// What was printed.
        output: String,
    },
}

impl Explain for PythonError {
    fn place(&self) -> Option<Place> {
        match self {
            PythonError::File { file, .. } => Some(Place::file(file)),
            PythonError::Missing | PythonError::Failed { .. } => None,
        }
    }

    fn remedy(&self) -> Option<String> {
        match self {
            PythonError::Missing => Some(tool::PYTHON.remedy()),
            PythonError::File { .. } => Some("check the permissions of the folder".to_string()),
            PythonError::Failed { remedy, .. } => Some(remedy.clone()),
        }
    }
}

impl PythonError {
    /// What was printed meanwhile.
    pub fn output(&self) -> Option<&str> {
        match self {
            PythonError::Failed { output, .. } => Some(output),
            PythonError::Missing | PythonError::File { .. } => None,
        }
    }
}

impl Environment {
    /// Whether the environment in `folder` has what `requirements` names.
    pub fn is_installed(folder: &Path, requirements: &Path) -> bool {
        let installed = fs::read(folder.join("requirements.txt"));
        installed.is_ok_and(|found| fs::read(requirements).is_ok_and(|wanted| found == wanted))
    }

    /// The environment in `folder` with what `requirements` names, installed unless that has been done.
    pub fn install(
        folder: &Path,
        requirements: &Path,
        shown: &str,
    ) -> Result<Environment, PythonError> {
        let environment = Environment { folder: folder.to_path_buf() };
        let installed = folder.join("requirements.txt");
        let wanted = fs::read(requirements)
            .map_err(|source| PythonError::File { file: requirements.to_path_buf(), source })?;
        if fs::read(&installed).is_ok_and(|found| found == wanted) {
            return Ok(environment);
        }
        if !matches!(tool::probe(&tool::PYTHON), State::Found { .. }) {
            return Err(PythonError::Missing);
        }
        let mut create = Command::new("python3");
        create.args(["-m", "venv", "--clear"]).arg(folder);
        attempt("python3 cannot make an environment", &tool::PYTHON.remedy(), create)?;
        let mut install = environment.python();
        install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
        install.arg("--requirement").arg(requirements);
        let remedy = "make sure that pip can reach a package index, then call again";
        attempt(&format!("pip cannot install {shown}"), remedy, install)?;
        // Written last, so that an interrupted installation is repeated.
        fs::write(&installed, wanted)
            .map_err(|source| PythonError::File { file: installed, source })?;
        Ok(environment)
    }

    /// A call of its Python.
    pub fn python(&self) -> Command {
        let mut command = self.program("python");
        command.env("PYTHONDONTWRITEBYTECODE", "1");
        command
    }

    /// A call of one of its programs.
    pub fn program(&self, name: &str) -> Command {
        Command::new(self.folder.join("bin").join(name))
    }
}

/// Runs `command`; its failure is `message`, with what it printed.
pub fn attempt(message: &str, remedy: &str, mut command: Command) -> Result<(), PythonError> {
    let failed = |message, output| PythonError::Failed { message, remedy: remedy.into(), output };
    match command.stdin(Stdio::null()).output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            Err(failed(message.to_string(), text(&output.stderr) + &text(&output.stdout)))
        }
        Err(error) => Err(failed(format!("{message}: {error}"), String::new())),
    }
}
