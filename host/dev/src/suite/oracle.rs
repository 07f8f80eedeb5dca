// SPDX-License-Identifier: MIT OR Apache-2.0
//! The group `oracle`: the simulated cores against independent ones, on random programs, and the security of motes'
//! frames against OpenSSL.
//!
//! `test/oracle` has the scripts that make the programs and run them there; the example `oracle` of
//! `host/isa` runs them here. What the scripts need is installed into `build/oracle/venv`; the oracle
//! for AVR is built there too, from a library of the system.

use super::scripts::{attempt, environment};
use super::{Context, Listener, Verdict, read, side_by_side};
use lichen_project::python::Environment;
use lichen_project::tool::{self, State};
use lichen_test::Code;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

const SCRIPTS: &str = "scripts";
const ARMV6M: &str = "armv6m";
const AVR8: &str = "avr8";
const CCM: &str = "ccm";
const SECURITY: &str = "security";
/// The example of `host/isa` that compares.
const EXAMPLE: &str = "oracle";

pub(super) fn run(context: &Context<'_>, listener: &mut dyn Listener) {
    let tests: [(&str, Test); 5] =
        [(SCRIPTS, scripts), (ARMV6M, armv6m), (AVR8, avr8), (CCM, ccm), (SECURITY, security)];
    let wanted: Vec<_> = tests.into_iter().filter(|(name, _)| context.wants(name)).collect();
    if wanted.is_empty() {
        return;
    }
    let installed: OnceLock<Result<Oracle, Verdict>> = OnceLock::new();
    side_by_side(&wanted, listener, |(name, test), listener| {
        listener.working(context.group, name);
        let paths =
            ["test/oracle", "test/site", "doc/site", "scenario", "host/isa", "os", "test/isa"];
        let code = Code::default().files(&["dev/src/suite/oracle.rs", "dev/src/suite/scripts.rs"]);
        let inputs = read::with_tools(context, name, &paths, code);
        context.remembering(&inputs, listener, |listener| {
            let oracle = installed.get_or_init(|| Oracle::install(context));
            let verdict = oracle.as_ref().map_err(Verdict::clone).and_then(test);
            context.tell(listener, *name, verdict.err().unwrap_or(Verdict::Passed));
        });
    });
}

/// A test; anything but a pass is an error, so that steps can be chained.
type Test = fn(&Oracle) -> Result<(), Verdict>;

/// Format and lints of all scripts.
fn scripts(oracle: &Oracle) -> Result<(), Verdict> {
    let remedy =
        "correct it as shown above; for the format, run ruff format with test/oracle/ruff.toml";
    let lint: &[&str] = &["check", "--quiet"];
    let form: &[&str] = &["format", "--check", "--quiet", "--diff"];
    for arguments in [lint, form] {
        let mut command = oracle.environment.program("ruff");
        command.args(arguments).arg("--config").arg(oracle.scripts.join("ruff.toml"));
        command.arg(&oracle.scripts).args(&oracle.others);
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

/// What motes encipher, in random frames.
fn ccm(oracle: &Oracle) -> Result<(), Verdict> {
    oracle.compare_native(CCM, "correct os/crypto; test/mote/cipher has the standards' vectors")
}

/// Which secured frames motes accept, and why they refuse others.
fn security(oracle: &Oracle) -> Result<(), Verdict> {
    oracle.compare_native(SECURITY, "correct os/net/security; test/mote/link_security has cases")
}

/// The scripts and their environment.
struct Oracle {
    host: PathBuf,
    /// Cargo's build folder.
    target: PathBuf,
    scripts: PathBuf,
    /// Where their output goes.
    folder: PathBuf,
    environment: Environment,
    /// Folders of other scripts.
    others: [PathBuf; 3],
}

impl Oracle {
    /// Installs what `requirements.txt` names, unless that has been done.
    fn install(context: &Context<'_>) -> Result<Oracle, Verdict> {
        let folder = context.tree().path("build/oracle");
        let environment = environment(context, &folder, "test/oracle/requirements.txt")?;
        let (host, scripts) = (context.tree().path("host"), context.tree().path("test/oracle"));
        let others =
            ["doc/site", "test/site", "scenario"].map(|folder| context.tree().path(folder));
        let target = host.join("target");
        Ok(Oracle { host, target, scripts, folder, environment, others })
    }

    /// Runs a script that compiles a part of the system for this machine, and compares.
    fn compare_native(&self, name: &str, remedy: &str) -> Result<(), Verdict> {
        let mut compare = self.environment.python();
        compare.arg(self.scripts.join(name).with_extension("py")).arg(&self.folder);
        attempt("motes and OpenSSL disagree", remedy, compare)
    }

    /// Runs the script of an architecture, given `before` the file that it writes, and what it made.
    fn compare(&self, name: &str, before: &[&Path], remedy: &str) -> Result<(), Verdict> {
        let programs = self.folder.join(name).with_extension("toml");
        let script = format!("{name}.py");
        let mut make = self.environment.python();
        make.arg(self.scripts.join(&script)).args(before).arg(&programs);
        let correct = format!("correct test/oracle/{script}");
        attempt("the oracle cannot run the programs", &correct, make)?;
        // With the workspace's features, so that its tests need not build the same again.
        let mut build = Command::new("cargo");
        build
            .args([
                "build",
                "--release",
                "--quiet",
                "--locked",
                "--workspace",
                "--example",
                EXAMPLE,
            ])
            .arg("--target-dir")
            .arg(&self.target)
            .current_dir(&self.host);
        attempt("the example `oracle` cannot be built", "correct host/isa/examples/oracle", build)?;
        let mut compare = Command::new(self.target.join("release/examples").join(EXAMPLE));
        compare.arg(name).arg(&programs).current_dir(&self.host);
        attempt("the core and the oracle disagree", remedy, compare)
    }
}
