// SPDX-License-Identifier: MIT OR Apache-2.0
//! The group `oracle`: the simulated cores against independent ones, on random programs.
//!
//! `test/oracle` has the scripts that make the programs and run them there; the example `oracle` of
//! `host/isa` runs them here. What the scripts need is installed into `build/oracle/venv`; the oracle
//! for AVR is built there too, from a library of the system.

use super::{Bench, Listener, Report, Verdict};
use crate::tool::{self, State};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const SCRIPTS: &str = "scripts";
const ARMV6M: &str = "armv6m";
const AVR8: &str = "avr8";

pub(super) fn run(bench: &Bench<'_>, listener: &mut dyn Listener) {
    let tests: [(&str, Test); 3] = [(SCRIPTS, scripts), (ARMV6M, armv6m), (AVR8, avr8)];
    let wanted: Vec<_> = tests.into_iter().filter(|(name, _)| bench.wants(name)).collect();
    if wanted.is_empty() {
        return;
    }
    listener.working(bench.group, "installing what the scripts need");
    let oracle = match Oracle::install(bench) {
        Ok(oracle) => oracle,
        Err(verdict) => return bench.tell(listener, wanted[0].0, verdict),
    };
    for (name, test) in wanted {
        listener.working(bench.group, name);
        let verdict = test(&oracle).err().unwrap_or(Verdict::Passed);
        bench.tell(listener, name, verdict);
    }
}

/// A test; anything but a pass is an error, so that steps can be chained.
type Test = fn(&Oracle) -> Result<(), Verdict>;

/// Format and lints of the scripts themselves.
fn scripts(oracle: &Oracle) -> Result<(), Verdict> {
    let ruff = oracle.environment().join("bin/ruff");
    let remedy = "correct it as shown above; for the format, run ruff format in test/oracle";
    let lint: &[&str] = &["check", "--quiet"];
    let form: &[&str] = &["format", "--check", "--quiet", "--diff"];
    for arguments in [lint, form] {
        let mut command = Command::new(&ruff);
        command.args(arguments).arg(&oracle.scripts);
        attempt("ruff reports errors in a script", remedy, command)?;
    }
    Ok(())
}

/// Every instruction and flag of ARMv6-M, in random programs.
fn armv6m(oracle: &Oracle) -> Result<(), Verdict> {
    let remedy = "look up the instruction in the ARMv6-M Architecture Reference Manual";
    oracle.compare(ARMV6M, &[], remedy)
}

/// Every instruction, flag and cycle of AVR, in random programs.
fn avr8(oracle: &Oracle) -> Result<(), Verdict> {
    if !matches!(tool::probe(&tool::SIMAVR), State::Found { .. }) {
        return Err(Verdict::Skipped(format!("libsimavr: {}", tool::SIMAVR.remedy())));
    }
    let simavr = oracle.folder.join("simavr");
    let mut build = Command::new("cc");
    build.args(["-O2", "-Wall", "-Wextra", "-Werror", "-o"]).arg(&simavr);
    build.arg(oracle.scripts.join("simavr.c")).arg("-lsimavr");
    attempt("the oracle for AVR cannot be built", "correct test/oracle/simavr.c", build)?;
    let remedy = "look up the instruction in the AVR Instruction Set Manual";
    oracle.compare(AVR8, &[&simavr], remedy)
}

/// The scripts and their environment.
struct Oracle {
    host: PathBuf,
    scripts: PathBuf,
    /// Where their output goes.
    folder: PathBuf,
}

impl Oracle {
    /// Installs what `requirements.txt` names, unless that has been done.
    fn install(bench: &Bench<'_>) -> Result<Oracle, Verdict> {
        let oracle = Oracle {
            host: bench.tree().path("host"),
            scripts: bench.tree().path("test/oracle"),
            folder: bench.tree().path("build/oracle"),
        };
        let requirements = oracle.scripts.join("requirements.txt");
        let installed = oracle.environment().join("requirements.txt");
        let wanted = fs::read(&requirements).map_err(|error| {
            let message = format!("{} cannot be read: {error}", requirements.display());
            Verdict::Failed(Report::saying(message))
        })?;
        if fs::read(&installed).is_ok_and(|found| found == wanted) {
            return Ok(oracle);
        }
        if !matches!(tool::probe(&tool::PYTHON), State::Found { .. }) {
            let why = format!("python3 of version 3.11 or newer: {}", tool::PYTHON.remedy());
            return Err(Verdict::Skipped(why));
        }
        let mut create = Command::new("python3");
        create.args(["-m", "venv", "--clear"]).arg(oracle.environment());
        attempt("python3 cannot make an environment", &tool::PYTHON.remedy(), create)?;
        let mut install = oracle.python();
        install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
        install.arg("--requirement").arg(&requirements);
        let remedy = "make sure that pip can reach a package index, then run the test again";
        attempt("pip cannot install test/oracle/requirements.txt", remedy, install)?;
        // Written last, so that an interrupted installation is repeated.
        fs::write(&installed, wanted).map_err(|error| {
            let message = format!("{} cannot be written: {error}", installed.display());
            Verdict::Failed(Report::saying(message))
        })?;
        Ok(oracle)
    }

    /// Runs the script of an architecture, given `before` the file that it writes, and what it made.
    fn compare(&self, name: &str, before: &[&Path], remedy: &str) -> Result<(), Verdict> {
        let programs = self.folder.join(name).with_extension("toml");
        let script = format!("{name}.py");
        let mut make = self.python();
        make.arg(self.scripts.join(&script)).args(before).arg(&programs);
        let correct = format!("correct test/oracle/{script}");
        attempt("the oracle cannot run the programs", &correct, make)?;
        let mut compare = Command::new("cargo");
        compare
            .args(["run", "--quiet", "--release", "--locked", "--package", "lichen-isa"])
            .args(["--example", "oracle", "--", name])
            .arg(&programs)
            .current_dir(&self.host);
        attempt("the core and the oracle disagree", remedy, compare)
    }

    fn environment(&self) -> PathBuf {
        self.folder.join("venv")
    }

    fn python(&self) -> Command {
        let mut command = Command::new(self.environment().join("bin/python"));
        command.env("PYTHONDONTWRITEBYTECODE", "1");
        command
    }
}

/// Runs `command`; its failure is `message`, with what it printed.
fn attempt(message: &str, remedy: &str, mut command: Command) -> Result<(), Verdict> {
    let (message, output) = match command.stdin(Stdio::null()).output() {
        Ok(output) if output.status.success() => return Ok(()),
        Ok(output) => {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            (message.to_string(), Some(text(&output.stderr) + &text(&output.stdout)))
        }
        Err(error) => (format!("{message}: {error}"), None),
    };
    let remedy = Some(remedy.to_string());
    Err(Verdict::Failed(Report { message, remedy, output, ..Report::default() }))
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
