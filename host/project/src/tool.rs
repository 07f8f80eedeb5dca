// SPDX-License-Identifier: MIT OR Apache-2.0
//! The tools of this machine: which ones Lichen uses, which are installed, how to get the others.

use crate::system::System;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// What a tool is needed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Building firmware.
    Firmware,
    /// Building and debugging firmware for boards with an AVR.
    Avr,
    /// Building the `lichen` command.
    Host,
    /// `lichen debug`, and its tests.
    Debug,
    /// `lichen test` only.
    Test,
    /// Viewing the waveforms of `lichen run --vcd`; a mote runs without it.
    Waveforms,
    /// Writing a program into a board; a simulated mote runs without it.
    Flashing,
}

impl Need {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Need::Firmware => "firmware",
            Need::Avr => "firmware of boards with an AVR",
            Need::Host => "the lichen command",
            Need::Debug => "lichen debug",
            Need::Test => "lichen test",
            Need::Waveforms => "viewing waveforms",
            Need::Flashing => "writing programs into boards",
        }
    }

    /// Whether all verbs of the command work without it, as far as its boards are not used.
    pub fn is_optional(self) -> bool {
        matches!(self, Need::Avr | Need::Waveforms | Need::Flashing)
    }
}

/// A tool that Lichen uses.
#[derive(Clone, Copy, Debug)]
pub struct Tool {
    /// Its name in messages.
    pub name: &'static str,
    /// Names of its program, best first.
    pub programs: &'static [&'static str],
    /// Arguments that make it print its version, or its path.
    pub arguments: &'static [&'static str],
    /// Oldest suitable version.
    pub oldest: Option<(u32, u32)>,
    /// First version that is too new.
    pub too_new: Option<(u32, u32)>,
    /// The Debian package that contains it; empty if none does.
    pub package: &'static str,
    /// Where it comes from if there is no package.
    pub source: Option<&'static str>,
    /// What it is needed for.
    pub need: Need,
}

impl Tool {
    const fn new(
        name: &'static str,
        programs: &'static [&'static str],
        package: &'static str,
        need: Need,
    ) -> Tool {
        let arguments = &["--version"];
        Tool { name, programs, arguments, oldest: None, too_new: None, package, source: None, need }
    }

    /// Where the tool is, looked up on PATH.
    pub fn path(&self) -> Option<PathBuf> {
        self.programs.iter().find_map(|program| on_path(program))
    }

    /// How to get it on this machine.
    pub fn remedy(&self) -> String {
        self.remedy_on(System::here())
    }

    /// How to get it on `system`.
    pub fn remedy_on(&self, system: System) -> String {
        match self.source {
            Some(source) => format!("build it from {source} and put its folder on PATH"),
            None => system.remedy(self.name, self.package),
        }
    }

    /// The packages that contain it on this machine's system; none if it comes from elsewhere.
    pub fn packages(&self) -> Option<&'static str> {
        System::here().packages(self.name, self.package)
    }
}

/// Cross compiler for ARM.
pub const ARM_GCC: Tool =
    Tool::new("arm-none-eabi-gcc", &["arm-none-eabi-gcc"], "gcc-arm-none-eabi", Need::Firmware);
/// The small C library, found through the compiler.
pub const NEWLIB: Tool = Tool {
    arguments: &["-print-file-name=nano.specs"],
    ..Tool::new("newlib-nano", &["arm-none-eabi-gcc"], "libnewlib-arm-none-eabi", Need::Firmware)
};
/// Writes binaries.
pub const ARM_OBJCOPY: Tool = Tool::new(
    "arm-none-eabi-objcopy",
    &["arm-none-eabi-objcopy"],
    "binutils-arm-none-eabi",
    Need::Firmware,
);
/// Cross compiler for AVR.
pub const AVR_GCC: Tool = Tool::new("avr-gcc", &["avr-gcc"], "gcc-avr", Need::Avr);
/// AVR's C library, found through the compiler.
pub const AVR_LIBC: Tool = Tool {
    arguments: &["-mmcu=avr51", "-print-file-name=libc.a"],
    ..Tool::new("avr-libc", &["avr-gcc"], "avr-libc", Need::Avr)
};
/// Writes binaries for AVR.
pub const AVR_OBJCOPY: Tool = Tool::new("avr-objcopy", &["avr-objcopy"], "binutils-avr", Need::Avr);
/// Debugs firmware for AVR, which the other debugger does not know.
pub const AVR_GDB: Tool = Tool::new("avr-gdb", &["avr-gdb"], "gdb-avr", Need::Avr);

/// Configures builds; 3.25 for the policy that `lichen.cmake` is written to.
pub const CMAKE: Tool =
    Tool { oldest: Some((3, 25)), ..Tool::new("cmake", &["cmake"], "cmake", Need::Firmware) };
/// Runs builds.
pub const NINJA: Tool = Tool::new("ninja", &["ninja"], "ninja-build", Need::Firmware);
/// Builds the command; the oldest version is the workspace's `rust-version`.
pub const CARGO: Tool = Tool {
    oldest: Some((1, 85)),
    ..Tool::new("cargo", &["cargo"], "cargo-web rustc-web", Need::Host)
};
/// Links the command.
pub const CC: Tool = Tool::new("cc", &["cc"], "gcc libc6-dev", Need::Host);
/// Debugs firmware; 13 for the stack pointers of the Cortex-M.
pub const GDB: Tool = Tool {
    oldest: Some((13, 0)),
    ..Tool::new(
        "gdb-multiarch",
        &["gdb-multiarch", "arm-none-eabi-gdb"],
        "gdb-multiarch",
        Need::Debug,
    )
};
/// Formats Rust.
pub const RUSTFMT: Tool = Tool::new("cargo-fmt", &["cargo-fmt"], "rustfmt-web", Need::Test);
/// Lints Rust.
pub const CLIPPY: Tool =
    Tool::new("cargo-clippy", &["cargo-clippy"], "rust-web-clippy", Need::Test);
/// Formats C. One version, because each formats a little differently.
pub const CLANG_FORMAT: Tool = Tool {
    oldest: Some((14, 0)),
    too_new: Some((15, 0)),
    ..Tool::new("clang-format", &["clang-format-14", "clang-format"], "clang-format-14", Need::Test)
};
/// Lints shell scripts.
pub const SHELLCHECK: Tool = Tool::new("shellcheck", &["shellcheck"], "shellcheck", Need::Test);

/// Runs Sphinx and the scripts of the tests, in environments of their own; 3.11 reads TOML.
pub const PYTHON: Tool = Tool {
    oldest: Some((3, 11)),
    ..Tool::new("python3", &["python3"], "python3 python3-venv", Need::Test)
};

/// The library of simavr, an AVR of its own to compare with, found through the compiler.
pub const SIMAVR: Tool = Tool {
    arguments: &["-print-file-name=libsimavr.so"],
    ..Tool::new("libsimavr", &["cc"], "libsimavr-dev", Need::Test)
};

/// Shows the documentation to its test, in a real browser.
pub const CHROMIUM: Tool = Tool::new(
    "chromium",
    &["chromium", "chromium-browser", "google-chrome"],
    "chromium",
    Need::Test,
);

/// Reads frames in its own way, to compare with.
pub const TSHARK: Tool = Tool::new("tshark", &["tshark"], "tshark", Need::Test);

/// Shows waveforms.
pub const GTKWAVE: Tool = Tool::new("gtkwave", &["gtkwave"], "gtkwave", Need::Waveforms);
/// Writes programs into boards, through their debug port; 0.12 for `adapter serial`.
pub const OPENOCD: Tool =
    Tool { oldest: Some((0, 12)), ..Tool::new("openocd", &["openocd"], "openocd", Need::Flashing) };
/// The same, only through CMSIS-DAP probes. It prints its build time instead of a version.
pub const EDBG: Tool = Tool {
    arguments: &["--help"],
    source: Some("https://github.com/ataradov/edbg"),
    ..Tool::new("edbg", &["edbg"], "", Need::Flashing)
};

/// Writes programs into AVRs, through a programmer. It prints its version with its options.
pub const AVRDUDE: Tool = Tool {
    arguments: &["-?"],
    oldest: Some((6, 3)),
    ..Tool::new("avrdude", &["avrdude"], "avrdude", Need::Flashing)
};

/// Every tool, in the order in which `doctor` lists them.
pub const ALL: &[Tool] = &[
    ARM_GCC,
    NEWLIB,
    ARM_OBJCOPY,
    CMAKE,
    NINJA,
    CARGO,
    CC,
    GDB,
    AVR_GCC,
    AVR_LIBC,
    AVR_OBJCOPY,
    AVR_GDB,
    RUSTFMT,
    CLIPPY,
    CLANG_FORMAT,
    SHELLCHECK,
    PYTHON,
    SIMAVR,
    CHROMIUM,
    TSHARK,
    GTKWAVE,
    OPENOCD,
    EDBG,
    AVRDUDE,
];

/// The tools for the firmware of one architecture.
#[derive(Clone, Copy, Debug)]
pub struct ToolChain {
    /// `e_machine` of the architecture's images.
    machine: u16,
    /// What builds a program, apart from CMake and Ninja.
    pub build: &'static [Tool],
    /// What debugs it.
    pub debugger: Tool,
    /// A file of the tree that tells the debugger what it cannot know of the kernel.
    pub debugger_script: Option<&'static str>,
}

/// All tool chains.
const TOOL_CHAINS: [ToolChain; 2] = [
    ToolChain {
        machine: 40,
        build: &[ARM_GCC, NEWLIB, ARM_OBJCOPY],
        debugger: GDB,
        debugger_script: None,
    },
    ToolChain {
        machine: 83,
        build: &[AVR_GCC, AVR_LIBC, AVR_OBJCOPY],
        debugger: AVR_GDB,
        debugger_script: Some("os/arch/avr8/gdb.py"),
    },
];

impl ToolChain {
    /// That of images with this `e_machine`.
    pub fn of_machine(machine: u16) -> Option<ToolChain> {
        TOOL_CHAINS.into_iter().find(|chain| chain.machine == machine)
    }

    /// That of programs for the chip with this part number, if the simulator knows it.
    pub fn of_chip(part: &str) -> Option<ToolChain> {
        let chip = lichen_chip::by_part(part, &lichen_chip::Config::default()).ok()?;
        ToolChain::of_machine(chip.core().architecture().elf_machine)
    }
}

/// Makes a compiler print the path of a file that it would use.
const FILE_OF_COMPILER: &str = "-print-file-name=";

/// How a tool was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// It was found.
    Found {
        /// Its version, as it prints it.
        version: String,
    },
    /// It was found in an unsuitable version.
    Unfit {
        /// Its version, as it prints it.
        version: String,
        /// The suitable versions.
        wanted: String,
    },
    /// It was not found.
    Missing,
}

/// Looks for `tool` and asks its version.
pub fn probe(tool: &Tool) -> State {
    let Some(path) = tool.path() else { return State::Missing };
    let Some(said) = first_line(&path, tool.arguments) else { return State::Missing };
    if tool.arguments.iter().any(|argument| argument.starts_with(FILE_OF_COMPILER)) {
        // Without the library the compiler answers with the bare name.
        return if said.contains('/') { State::Found { version: said } } else { State::Missing };
    }
    let version = version_in(&said);
    let number = version.as_deref().and_then(major_minor);
    let fits = number.is_none_or(|n| {
        tool.oldest.is_none_or(|oldest| n >= oldest) && tool.too_new.is_none_or(|end| n < end)
    });
    let version = version.unwrap_or(said);
    if fits { State::Found { version } } else { State::Unfit { version, wanted: wanted(tool) } }
}

fn wanted(tool: &Tool) -> String {
    match (tool.oldest, tool.too_new) {
        (Some((major, minor)), None) => format!("{major}.{minor} or newer"),
        (Some((major, _)), Some(_)) => format!("{major}"),
        (None, _) => "any".to_string(),
    }
}

/// Where `program` is on PATH.
fn on_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| is_program(file))
}

#[cfg(unix)]
fn is_program(file: &std::path::Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata().is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(file: &std::path::Path) -> bool {
    file.is_file()
}

/// First line of output that names something, of `program` with `arguments`.
fn first_line(program: &PathBuf, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).stdin(Stdio::null()).output().ok()?;
    // OpenOCD prints its version on the error output.
    let said = if output.stdout.is_empty() { output.stderr } else { output.stdout };
    let text = String::from_utf8_lossy(&said);
    if !output.status.success() {
        return None;
    }
    let numbered = |line: &&str| version_in(line).is_some() || line.starts_with('/');
    text.lines().find(numbered).or_else(|| text.lines().next()).map(|line| line.trim().to_string())
}

/// The first word of `text` that looks like a version (a point between digits); a version in
/// brackets is the packager's.
fn version_in(text: &str) -> Option<String> {
    let mut depth = 0;
    let outside: String = text
        .chars()
        .filter(|c| {
            depth += i32::from(*c == '(') - i32::from(*c == ')');
            depth == 0
        })
        .collect();
    outside
        .split_whitespace()
        .find(|word| {
            let digit = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
            digit(word) && word.split_once('.').is_some_and(|(_, rest)| digit(rest))
        })
        .map(|word| word.trim_end_matches(',').to_string())
}

fn major_minor(version: &str) -> Option<(u32, u32)> {
    let mut parts = version.split(|c: char| !c.is_ascii_digit());
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_version_in_what_tools_say() {
        let gcc = "arm-none-eabi-gcc (15:12.2.rel1-1) 12.2.1 20221205";
        assert_eq!(version_in("cmake version 3.25.1").as_deref(), Some("3.25.1"));
        assert_eq!(version_in("Debian clang-format version 14.0.6").as_deref(), Some("14.0.6"));
        assert_eq!(version_in("cargo 1.95.0 (f2d3ce0bd 2026-03-21)").as_deref(), Some("1.95.0"));
        assert_eq!(version_in(gcc).as_deref(), Some("12.2.1"));
        assert_eq!(version_in("version: 0.9.0").as_deref(), Some("0.9.0"));
        assert_eq!(version_in("Open On-Chip Debugger 0.12.0").as_deref(), Some("0.12.0"));
        let avrdude = "avrdude version 7.1, URL: <https://github.com/avrdudes/avrdude>";
        assert_eq!(version_in(avrdude).as_deref(), Some("7.1"));
        let edbg = "CMSIS-DAP SWD programmer. Built Nov  3 2023 23:43:25.";
        assert_eq!(version_in(edbg), None, "a time is not a version");
    }

    #[test]
    fn compares_versions_by_number() {
        assert!(major_minor("1.100.0") > major_minor("1.85.0"));
        assert_eq!(major_minor("none"), None);
    }

    #[test]
    fn a_tool_that_is_not_on_path_is_missing() {
        let tool = Tool::new("x", &["lichen-no-such-tool"], "x", Need::Test);
        assert_eq!(probe(&tool), State::Missing);
    }

    #[test]
    fn a_tool_too_old_says_what_is_wanted() {
        let tool = Tool { oldest: Some((999, 0)), ..CARGO };
        match probe(&tool) {
            State::Unfit { wanted, .. } => assert_eq!(wanted, "999.0 or newer"),
            other => panic!("{other:?}"),
        }
    }
}
