// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lichen doctor`: the tools of this machine.

use clap::Args;
use lichen_project::tool::{self, State, Tool};
use lichen_terminal::failure::{Code, Failure};
use lichen_terminal::screen::{Screen, out};
use serde_json::json;

/// What `--help` adds.
pub const HELP: &str = "\
Examples:
  lichen doctor
  lichen doctor --json

Of a missing tool it names the package on this system: Debian, Ubuntu, Fedora, Arch, NixOS or
macOS with Homebrew.

Exit code 1 if a tool that is not optional is missing or too old.";

/// Options of `doctor`.
#[derive(Debug, Args)]
pub struct Options {
    /// Write one JSON object on the standard output.
    #[arg(long)]
    pub json: bool,
}

/// Lists every tool; fails if a required one is missing or unsuitable.
pub fn doctor(options: &Options, screen: &Screen) -> Result<Code, Failure> {
    let mut found = Vec::new();
    for (done, tool) in tool::ALL.iter().enumerate() {
        screen.progress("looking for tools", done as u64, tool::ALL.len() as u64);
        found.push((tool, tool::probe(tool)));
    }
    screen.end_progress();
    if options.json {
        print_json(&found);
    } else {
        print_table(&found, screen);
    }
    Ok(verdict(&found))
}

/// Fails unless every tool that is not optional is present and suitable.
fn verdict(found: &[(&Tool, State)]) -> Code {
    let does = |(tool, state): &(&Tool, State)| {
        tool.need.is_optional() || matches!(state, State::Found { .. })
    };
    if found.iter().all(does) { Code::Done } else { Code::Failed }
}

fn print_table(found: &[(&Tool, State)], screen: &Screen) {
    for (tool, state) in found {
        let name = format!("{:<22}", tool.name);
        match state {
            State::Found { version } => out!("{} {name} {version}", screen.green("ok     ")),
            State::Unfit { version, wanted } => {
                out!("{} {name} {version}; wanted: {wanted}", screen.red("unfit  "));
                print_remedy(tool);
            }
            State::Missing if tool.need.is_optional() => {
                out!("{} {name} optional, for {}", screen.yellow("absent "), tool.need.name());
                print_remedy(tool);
            }
            State::Missing => {
                out!("{} {name} for {}", screen.red("missing"), tool.need.name());
                print_remedy(tool);
            }
        }
    }
}

fn print_remedy(tool: &Tool) {
    out!("          {}", tool.remedy());
}

fn print_json(found: &[(&Tool, State)]) {
    let tools: Vec<_> = found
        .iter()
        .map(|(tool, state)| {
            let (state, version, remedy) = match state {
                State::Found { version } => ("ok", Some(version), None),
                State::Unfit { version, .. } => ("unfit", Some(version), Some(tool.remedy())),
                State::Missing => ("missing", None, Some(tool.remedy())),
            };
            json!({
                "name": tool.name,
                "state": state,
                "version": version,
                "path": tool.path(),
                "package": tool.packages(),
                "need": tool.need.name(),
                "optional": tool.need.is_optional(),
                "remedy": remedy,
            })
        })
        .collect();
    out!("{}", json!({ "lichen": env!("CARGO_PKG_VERSION"), "tools": tools }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_tool_that_is_needed_is_missed() {
        let missing = |tool| verdict(&[(tool, State::Missing)]);
        assert_eq!(missing(&tool::GTKWAVE), Code::Done);
        assert_eq!(missing(&tool::OPENOCD), Code::Done);
        assert_eq!(missing(&tool::EDBG), Code::Done);
        assert_eq!(missing(&tool::CMAKE), Code::Failed);
    }
}
