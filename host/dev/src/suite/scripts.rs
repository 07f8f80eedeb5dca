// SPDX-License-Identifier: MIT OR Apache-2.0
//! What groups share whose tests are scripts of Python's.

use super::{Context, Report, Verdict};
use lichen_project::python::{self, Environment, PythonError};
use std::path::Path;
use std::process::Command;

/// The environment `venv` in `folder` with what the file `requirements` of the tree names.
pub(super) fn environment(
    context: &Context<'_>,
    folder: &Path,
    requirements: &str,
) -> Result<Environment, Verdict> {
    let file = context.tree().path(requirements);
    let group = context.group;
    if !context.may_fetch() && !Environment::is_installed(&folder.join("venv"), &file) {
        let why =
            format!("what its scripts need is not installed; `lichen test {group}` does that");
        return Err(Verdict::Skipped(why));
    }
    let installed = Environment::install(&folder.join("venv"), &file, requirements);
    installed.map_err(|error| match error {
        PythonError::Missing => {
            Verdict::Skipped(format!("{error}: {}", lichen_project::tool::PYTHON.remedy()))
        }
        error => failed(&error),
    })
}

/// Runs `command`; its failure is `message`, with what it printed.
pub(super) fn attempt(message: &str, remedy: &str, command: Command) -> Result<(), Verdict> {
    python::attempt(message, remedy, command).map_err(|error| failed(&error))
}

fn failed(error: &PythonError) -> Verdict {
    let output = error.output().filter(|output| !output.is_empty()).map(str::to_string);
    Verdict::Failed(Report { output, ..Report::of(error) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_fails_is_reported_with_what_it_said() {
        let mut command = Command::new("sh");
        command.args(["-c", "echo r3 differs; exit 1"]);
        let Err(Verdict::Failed(report)) = attempt("they disagree", "look", command) else {
            panic!("must fail");
        };
        assert_eq!(report.message, "they disagree");
        assert_eq!(report.output.as_deref(), Some("r3 differs\n"));
        assert_eq!(attempt("", "", Command::new("true")), Ok(()));
    }
}
