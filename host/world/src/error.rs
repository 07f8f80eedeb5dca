// SPDX-License-Identifier: MIT OR Apache-2.0
//! What can keep a mote from running.

/// Why a mote cannot be made, or a run cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The board's chip is not simulated.
    #[error("board `{board}`: {source}")]
    Chip {
        /// The board.
        board: String,
        /// What there is instead.
        source: lichen_chip::UnknownPart,
    },
    /// The image is not for this chip.
    #[error(transparent)]
    Image(#[from] lichen_image::Error),
    /// The chip refuses a segment that its memories seemed to hold.
    #[error("{image}: {source}")]
    Program {
        /// The image.
        image: String,
        /// What it refuses.
        source: lichen_chip::OutOfMemory,
    },
    /// A script names a device that the board does not have, or that cannot do it.
    #[error("board `{board}` has no button `{name}`{}", list(.known))]
    NoButton {
        /// The board.
        board: String,
        /// What was asked for.
        name: String,
        /// Buttons of the board.
        known: Vec<String>,
    },
    /// A record cannot be written.
    #[error(transparent)]
    Record(#[from] lichen_trace::Error),
}

fn list(known: &[String]) -> String {
    match known {
        [] => "; it has no buttons".to_string(),
        _ => format!("; it has: {}", known.join(", ")),
    }
}
