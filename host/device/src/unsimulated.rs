// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parts of the board that are not simulated.

/// What is said of the part with number `part` when a program talks to it.
pub fn nobody_answers(part: &str) -> String {
    format!("nothing answers: the board's {part} is not simulated")
}
