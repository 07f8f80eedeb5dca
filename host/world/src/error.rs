// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors that prevent a mote from running.

use lichen_chip::Time;
use std::path::PathBuf;

/// Why a mote cannot be made, or a run cannot continue.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The board's chip is not simulated.
    #[error("board `{board}`: {source}")]
    Chip {
        /// The board.
        board: String,
        /// The chips that are simulated.
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
        /// The refused segment.
        source: lichen_chip::OutOfMemory,
    },
    /// A script names a device that the board does not have, or that cannot do it.
    #[error("board `{board}` has no button `{name}`{}", list(.known))]
    NoButton {
        /// The board.
        board: String,
        /// The requested device.
        name: String,
        /// Buttons of the board.
        known: Vec<String>,
    },
    /// A script names a part that the board does not have, or that is not simulated.
    #[error("board `{board}` has no simulated part `{name}`{}", parts(.known))]
    NoPart {
        /// The board.
        board: String,
        /// The requested part.
        name: String,
        /// Simulated parts of the board.
        known: Vec<String>,
    },
    /// A script lets a part hold a clock low that it does not have.
    #[error(
        "`{name}` cannot be stretching: it is connected by {bus}, and only a part on i2c can hold a clock low"
    )]
    NoClock {
        /// The part.
        name: String,
        /// What connects it.
        bus: &'static str,
    },
    /// The host gives no threads.
    #[error("cannot run motes on several threads: {0}; run them on one (--threads 1)")]
    Threads(rayon::ThreadPoolBuildError),
    /// A record cannot be written.
    #[error(transparent)]
    Record(#[from] lichen_trace::Error),
}

/// Why a state cannot be saved or restored.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
    /// The state belongs to a world with other motes.
    #[error("the snapshot is one of other motes; restore it in the world that it was taken from")]
    OtherWorld,
    /// Some events would be lost.
    #[error("events up to {now} s wait to be told; run on to that time, then save")]
    Undelivered {
        /// Time that every mote has reached.
        now: Time,
    },
    /// The file cannot be written.
    #[error("cannot write {}: {source}; does the folder exist, and is there space?", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file is not a snapshot.
    #[error("{} is not a snapshot of a run; give the path of a file that a run was saved to", path.display())]
    NotOne {
        /// The file.
        path: PathBuf,
    },
    /// Another version of the simulator wrote the file.
    #[error(
        "{} is a snapshot in {saved}, this is {here}: run the program again up to that point, and save it \
         anew", path.display()
    )]
    OtherVersion {
        /// The file.
        path: PathBuf,
        /// What wrote it.
        saved: String,
        /// What reads it.
        here: String,
    },
    /// The number of motes differs from that saved.
    #[error(
        "{} is a snapshot of {saved} mote(s), here are {here}: load it with the boards and programs that it \
         was saved with", path.display()
    )]
    OtherCount {
        /// The file.
        path: PathBuf,
        /// Motes saved.
        saved: usize,
        /// Motes here.
        here: usize,
    },
    /// A mote is not the one that was saved.
    #[error(
        "{}: mote {number} was saved as {saved}, here it is {here}: load the snapshot with the board and \
         the very build of the program that it was saved with, or save it anew", path.display()
    )]
    OtherMote {
        /// The file.
        path: PathBuf,
        /// Number of the mote.
        number: usize,
        /// Image and board in the file.
        saved: String,
        /// Image and board here.
        here: String,
    },
    /// The file is damaged.
    #[error("the snapshot {} is damaged ({what}): save it anew", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
}

fn parts(known: &[String]) -> String {
    match known {
        [] => "; none of its parts is".to_string(),
        _ => format!("; it has: {}", known.join(", ")),
    }
}

fn list(known: &[String]) -> String {
    match known {
        [] => "; it has no buttons; a scenario or a test connects one: [[mote.button]]".to_string(),
        _ => format!("; it has: {}", known.join(", ")),
    }
}
