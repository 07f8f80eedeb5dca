// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records of a run: events, and the files that hold them.

mod event;
mod json;
mod picture;
mod vcd;

pub use event::{Event, Kind, Place, Registers};
pub use json::JsonLines;
pub use picture::Picture;
pub use vcd::{Signals, Vcd};

use std::path::PathBuf;

/// Takes the events of a run in the order in which they happen.
pub trait Sink {
    /// Takes one event. An error ends the run.
    fn event(&mut self, event: &Event) -> Result<(), Error>;
}

/// Why a record cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file cannot be created.
    #[error("cannot create {}: {source}; does the folder exist, and may you write there?", path.display())]
    Create {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The run does not fit into a picture.
    #[error(
        "{}: more than {most} changes are no picture any more; draw a shorter run (--for), or write \
         waveforms (--vcd)",
        path.display()
    )]
    TooMuch {
        /// The file.
        path: PathBuf,
        /// What fits.
        most: usize,
    },
    /// The file can no longer be written.
    #[error("cannot write {}: {source}; is the disk full?", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}
