// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lichen new`: a program from a template.

use clap::Args;
use lichen_project::template::{self, Kind};
use lichen_terminal::failure::{Code, Failure};
use lichen_terminal::files::OutputFolder;
use lichen_terminal::place::Here;
use lichen_terminal::screen::{Screen, out};
use std::path::Path;

/// Examples of the help.
pub const HELP: &str = "\
Examples:
  lichen new my/pulse
  lichen new my/talk --radio
  lichen new ../thermometer --sensor --board hamilton

Writes main.c, CMakeLists.txt, lichen.toml (doc/spec/manifest.md) and a test in the folder test
(doc/spec/test.md), which build, run and pass as they are. Outside the tree, README.md, .gitignore, and
what VS Code and clangd read are added. The program has the name of its folder, and no budget until you
set one in lichen.toml.

Exit code 2, and nothing written, if the folder is not empty, cannot be written, or has a name that no
program can have, or if the board lacks the radio or the sensor.";

/// Options of `new`.
#[derive(Debug, Args)]
pub struct Options {
    /// Folder of the program; made if it does not exist.
    pub path: OutputFolder,
    /// The only board to write it for; default: all boards that have what it needs.
    #[arg(long)]
    pub board: Option<String>,
    /// Motes that send each other messages.
    #[arg(long)]
    pub radio: bool,
    /// A sensor that is read every five seconds.
    #[arg(long, conflicts_with = "radio")]
    pub sensor: bool,
}

impl Options {
    fn kind(&self) -> Kind {
        match (self.radio, self.sensor) {
            (true, _) => Kind::Radio,
            (_, true) => Kind::Sensor,
            _ => Kind::Blink,
        }
    }
}

/// Creates the program and prints what to type next.
pub fn new(options: &Options, screen: &Screen) -> Result<Code, Failure> {
    let here = Here::find()?;
    let board = options.board.as_deref();
    let files = template::create(&here.tree, &here.path(&options.path), board, options.kind())?;
    for file in &files {
        out!("{} {}", screen.green("written"), options.path.join(file).display());
    }
    let program = typed(&options.path);
    let board = board.map(|board| format!(" --board {board}")).unwrap_or_default();
    out!("next:");
    out!("  ./lichen run {program}{board} {}", options.kind().run());
    out!("  ./lichen build {program}{board}");
    out!("  ./lichen test {program}{board}");
    Ok(Code::Done)
}

/// `path` as a word of a shell.
fn typed(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "/._-+".contains(c);
    if text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_with_a_blank_is_one_word_for_the_shell() {
        assert_eq!(typed(Path::new("my/pulse")), "my/pulse");
        assert_eq!(typed(Path::new("it's here/pulse")), "'it'\\''s here/pulse'");
    }
}
