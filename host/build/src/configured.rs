// SPDX-License-Identifier: MIT OR Apache-2.0
//! What CMake finds wrong with the lines that describe a program.

use super::plain::{Plain, between};
use lichen_project::nearest;

/// The commands of a program's CMakeLists.txt.
const COMMANDS: [&str; 4] = ["lichen_app", "cmake_minimum_required", "include", "project"];

/// What the error means.
pub(super) fn explained(text: &str) -> Option<Plain> {
    if text.contains("arguments for function named: lichen_app") {
        return Some(
            Plain::new("lichen_app does not say which program it is")
                .help("write lichen_app(NAME), with the name of the program's folder"),
        );
    }
    if let Some(name) = between(text, "Unknown CMake command \"", "\"") {
        let near = nearest(name, COMMANDS).filter(|near| *near != name)?;
        return Some(
            Plain::new(format!("there is no command `{name}'"))
                .help(format!("did you mean `{near}'?")),
        );
    }
    let name = between(text, "Target \"", "\" of type EXECUTABLE may not be linked")?;
    Some(
        Plain::new(format!(
            "a program cannot be called `{name}': the build has a target of this name"
        ))
        .help(format!("call the program and its folder something else, such as my_{name}")),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_is_misspelt_is_named_rightly() {
        let said = explained("Unknown CMake command \"lichenapp\".").expect("a mistake");
        assert_eq!(said.text, "there is no command `lichenapp'");
        assert!(explained("Unknown CMake command \"lichen_app\".").is_none());
        assert!(explained("Target \"m\" of type EXECUTABLE may not be linked into it").is_some());
    }
}
