// SPDX-License-Identifier: MIT OR Apache-2.0
//! The texts below the options of `--help`: their paragraphs are wrapped to the width of the terminal alone.

use clap::Command;

/// The command and its verbs, with texts whose lines end where the terminal's do.
pub fn flowing(command: Command) -> Command {
    let flowed = command.get_after_help().map(|text| flow(&text.to_string()));
    let command = match flowed {
        Some(text) => command.after_help(text),
        None => command,
    };
    command.mut_subcommands(flowing)
}

/// Joins the lines of each paragraph. Indented lines, which are examples and tables, stay as they are.
fn flow(text: &str) -> String {
    let is_prose = |line: &str| !line.is_empty() && !line.starts_with(' ');
    let mut flowed = String::with_capacity(text.len());
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        flowed.push_str(line);
        match lines.peek() {
            Some(next) if is_prose(line) && is_prose(next) => flowed.push(' '),
            Some(_) => flowed.push('\n'),
            None => {}
        }
    }
    flowed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paragraph_is_one_line_and_an_example_keeps_its_own() {
        let text =
            "Examples:\n  lichen run blink\n  lichen run echo\n\nOne\nparagraph.\n\nAnother\none.";
        let flowed =
            "Examples:\n  lichen run blink\n  lichen run echo\n\nOne paragraph.\n\nAnother one.";
        assert_eq!(flow(text), flowed);
    }
}
