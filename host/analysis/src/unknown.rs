// SPDX-License-Identifier: MIT OR Apache-2.0
//! What cannot be followed.

/// Why code cannot be followed, or how deep it gets cannot be computed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{function} {why}")]
pub struct Unknown {
    /// The function in which it shows.
    pub function: String,
    /// What it does.
    pub why: Why,
    /// File and line, if the image says.
    pub place: Option<(String, u32)>,
}

/// Why something cannot be computed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Why {
    /// It calls itself, through the named functions.
    #[error("calls itself{}", through(.0))]
    Recursion(Vec<String>),
    /// It moves its stack pointer by what only the run knows: `alloca`, an array of variable length.
    #[error("takes stack of a size that is not known")]
    Unbounded,
    /// The stack grows with each round of a loop.
    #[error("takes more stack in each round of a loop")]
    Growing,
    /// It calls, or jumps to, what a pointer says, and that may be anything.
    #[error("calls through a pointer that may lead anywhere")]
    Pointer,
    /// Its ways are too many, or do not end.
    #[error("has more ways than are followed, or one without an end")]
    Endless,
    /// Its code ends, or is no code.
    #[error("runs into what is no code")]
    NoCode,
    /// A loop is entered at several places.
    #[error("enters a loop at several places")]
    Irreducible,
    /// How often a loop is repeated is not known.
    #[error("has a loop of which nobody says how often it is repeated")]
    Unlimited,
    /// It waits, for as long as only the run knows.
    #[error("waits for an interrupt, or for flash")]
    Waits,
    /// It asks the system, whose answer takes as long as only the run knows.
    #[error("enters the system")]
    System,
    /// The image lacks what every program of the system has.
    #[error("is not in the image")]
    Missing,
}

fn through(path: &[String]) -> String {
    if path.is_empty() { String::new() } else { format!(" through {}", path.join(", ")) }
}
